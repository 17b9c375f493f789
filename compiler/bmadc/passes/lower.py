"""A workflow of a pack, lowered: every file edited by the rules, laid out, placed and accounted for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TypeAlias

from bmadc.ir.ledger import Entry, Line, Lowered, Part, skill_token
from bmadc.ir.model import Agent, Fact, FileUse, Origin, Pack, Workflow
from bmadc.ir.tree import CONTENT, Block, Leaf, Tree, leaf_ids, normal
from bmadc.machine.catalogue import Outcome, Row, row_of
from bmadc.machine.places import Places, places_of
from bmadc.passes import names, personas, variables
from bmadc.passes.account import entries_of, entries_of_values
from bmadc.passes.beside import beside, has_spare_core
from bmadc.passes.context import (
    FILES,
    Context,
    context_of,
    is_left_out,
    output_role,
    section_name,
    shipped_name,
    skill_name,
    step_number,
    task_name,
)
from bmadc.passes.edits import Conflict, Edits, find_all_edits, find_edits, settle
from bmadc.passes.folds import folded
from bmadc.passes.frame import CHECKED, GUARDRAILS, blocker, default_title, ending, scope, statements
from bmadc.passes.layout import lay_out
from bmadc.passes.packing import Verdict, packed, unpacked
from bmadc.passes.protocols import called_protocols, input_table, protocol_block
from bmadc.passes.registry import index, rules
from bmadc.passes.rules import Edit, Once
from bmadc.passes.sheet import Sheet, Sheets, has_words, sheet_of
from bmadc.passes.shipped import (
    as_it_is,
    called_by_scripts,
    for_readers,
    is_handed_out,
    named_files,
    packages,
)
from bmadc.passes.values import RUN_TIME
from bmadc.source import Text

APART_BYTES = 65_536
"""Instructions above this keep their steps as skills that are opened one at a time."""
SECTION_BYTES = 8_192
"""Material above this is a skill of its own where the steps are skills too."""
WORTH_A_PROCESS = 200_000
"""Workflows with fewer letters than this are lowered sooner than a second process is there."""

_FENCED = {".csv": "csv", ".json": "json", ".yaml": "yaml", ".yml": "yaml", ".html": "html", ".toml": "toml"}
_SILENT = frozenset(("customize", "manifest", "script"))
_RANK = {"entry": 0, "instructions": 1, "step": 2, "reference": 3, "checklist": 4, "template": 5, "data": 6}
# In a template only what gh-aw would interpret is changed: the rest is the document that is to be written.
_IN_TEMPLATES = (
    "flow.template-block",
    "flow.comment",
    "variables.root",
    "names.label",
    "names.task",
    "person.requester",
)
_BRACED = re.compile(r"\{\{?\s*([A-Za-z_][\w.-]*)\s*\}?\}")
_USE_WHEN = re.compile(r"\s*Use (?:when|if|this)\b.*", re.DOTALL)
_SEARCHES = re.compile(r"(?i)\bweb[ _-]?search|\bsearch(?:ing)? the web\b|\bweb research")
_KEPT = re.compile(r"“([^”]+)”")
_RENDERER = "render_skill.py"
_RULE_TAGS = frozenset(("critical", "mandate"))


@dataclass(frozen=True)
class _File:
    """One file, lowered: its lines, the rules of it that stand above all steps, its account."""

    use: FileUse
    lines: tuple[Line, ...]
    entries: tuple[Entry, ...]
    critical: tuple[Line, ...] = ()
    statements: frozenset[str] = frozenset()

    @cached_property
    def size(self) -> int:
        return len("\n".join([line.text for line in self.lines]).encode()) + bool(self.lines)


@dataclass(slots=True)
class Lowering:
    """The lowering of one pack: what its workflows share is worked out once.

    The files of `workflows` are looked at together; any other file by itself, when it is asked for.
    """

    pack: Pack
    workflows: tuple[Workflow, ...]
    conflicts: list[Conflict] = field(default_factory=list)
    used: set[str] = field(default_factory=set)
    _facts: dict[str, dict[int, tuple[Fact, ...]]] = field(default_factory=dict)
    _sheets: Sheets = field(init=False)
    _wanted: dict[str, list[Edit]] = field(init=False)
    _ids: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _texts: dict[str, tuple[Sheet, list[Edit]]] = field(default_factory=dict)
    _alike: dict[str, str] = field(default_factory=dict)
    """What became of texts that are the same in all workflows."""
    tasks: dict[str, list[_File]] = field(default_factory=dict)
    judged: dict[str, Verdict] = field(default_factory=dict)
    """What a judge said of each workflow."""

    def __post_init__(self) -> None:
        for fact in self.pack.facts:
            known = self._facts.setdefault(fact.path, {})
            known[fact.leaf] = (*known.get(fact.leaf, ()), fact)
        paths = {path for one in self.workflows for path in paths_of(self.pack, one)}
        trees = {path: tree for path, tree in self.pack.trees.items() if path in paths}
        self._sheets = Sheets(trees, self._facts)
        self._wanted = find_all_edits(index(), self._sheets)

    def sheet(self, path: str) -> Sheet:
        """Return the sheet of a file."""
        if path not in self._sheets:
            self._sheets[path] = sheet_of(self.pack.trees[path], self._facts.get(path, {}))
        return self._sheets[path]

    def edits(self, context: Context, path: str, more: Iterable[Edit] = ()) -> Edits:
        """Return the edits of a file as part of a workflow."""
        sheet = self.sheet(path)
        if path not in self._wanted:
            self._wanted[path] = find_edits(index(), sheet)
        wanted = [
            *self._wanted[path],
            *variables.edits_of(context, sheet),
            *names.edits_of(context, sheet),
            *more,
        ]
        wanted = [self._spoken(edit) for edit in wanted]
        settled = settle(path, wanted, rules())
        self.conflicts.extend(settled.conflicts)
        self.used.update(edit.rule for edit in settled.all)
        return settled

    def _spoken(self, edit: Edit) -> Edit:
        """Return an edit whose text went through the rules too, where it is a value that somebody wrote."""
        if edit.rule != "variables.filled" or " " not in edit.text:
            return edit
        _, found = self._text(edit.text)
        said = settle("", found, rules()).applied(edit.text, 0, len(edit.text))
        return edit._replace(text=said)

    def _text(self, text: str) -> tuple[Sheet, list[Edit]]:
        if text not in self._texts:
            blocks = (Block("document", -1, 0, 1),)
            tree = Tree(Text("", text), "markdown", (Leaf("paragraph", 0, len(text), 0),), blocks)
            sheet = sheet_of(tree, {})
            self._texts[text] = sheet, find_edits(index(), sheet)
        return self._texts[text]

    def edited(self, context: Context, text: str) -> str:
        """Return a text that stands in no file of its own, such as a principle, after all rules."""
        if not text:
            return ""
        if text in self._alike:
            return self._alike[text]
        sheet, found = self._text(text)
        wanted = [*found, *variables.edits_of(context, sheet), *names.edits_of(context, sheet)]
        settled = settle("", wanted, rules())
        self.used.update(edit.rule for edit in settled.all)
        said = settled.applied(text, 0, len(text)).strip()
        if variables.is_quiet(sheet) and names.is_quiet(context, sheet):
            self._alike[text] = said
        return said

    def ids(self, path: str) -> tuple[str, ...]:
        """Return the ids of a file's leaves."""
        if path not in self._ids:
            self._ids[path] = leaf_ids(self.pack.trees[path])
        return self._ids[path]


Judge: TypeAlias = Callable[[Lowered], Verdict]
"""Looks at one lowered workflow, in whichever process it was lowered."""


def lower_all(pack: Pack, judge: Judge | None = None) -> tuple[Mapping[str, Lowered], Lowering]:
    """Return every workflow and every agent of a pack, lowered, by its id; agents are named `agent:<id>`.

    What a judge says of the workflows is in the second value.
    """
    workflows = tuple(one for one in pack.workflows if not is_left_out(one))
    middle = _middle(pack, workflows) if has_spare_core() else 0
    if not middle:
        found, lowering = _lowered(pack, workflows, judge)
        return found | _agents(lowering), lowering

    def work() -> bytes:
        found, lowering = _lowered(pack, workflows[middle:], judge)
        return packed(found, lowering.used, lowering.conflicts, lowering.judged)

    with beside(work) as answer:
        found, lowering = _lowered(pack, workflows[:middle], judge)
        agents = _agents(lowering)
        theirs, used, conflicts, judged = unpacked(answer())
    lowering.used |= used
    lowering.judged |= judged
    # A task that travels with workflows of both halves was lowered twice.
    lowering.conflicts += [one for one in conflicts if one not in lowering.conflicts]
    return found | theirs | agents, lowering


def _middle(pack: Pack, workflows: tuple[Workflow, ...]) -> int:
    """Return where workflows part in two halves with as much to lower; 0 if that is too little to part."""
    sizes = (sum(len(pack.trees[path].text.text) for path in paths_of(pack, one)) for one in workflows)
    ends = list(accumulate(sizes))
    if not ends or ends[-1] < WORTH_A_PROCESS:
        return 0
    return min(range(len(ends)), key=lambda number: abs(2 * ends[number] - ends[-1])) + 1


def _lowered(
    pack: Pack, workflows: tuple[Workflow, ...], judge: Judge | None
) -> tuple[dict[str, Lowered], Lowering]:
    lowering = Lowering(pack, workflows)
    found = {one.id: lower(lowering, one) for one in workflows}
    if judge is not None:
        lowering.judged = {id_: judge(one) for id_, one in found.items()}
    return found, lowering


def _agents(lowering: Lowering) -> dict[str, Lowered]:
    pack, found = lowering.pack, {}
    for agent in pack.agents:
        trees = [(pack.trees[path], lowering.ids(path)) for path in agent.files if path in pack.trees]
        entries = tuple(personas.account(agent, trees))
        found[f"agent:{agent.id}"] = Lowered(f"agent:{agent.id}", agent.title, (), entries)
    return found


def lower(lowering: Lowering, workflow: Workflow) -> Lowered:
    """Return a workflow as instructions for an agent that works alone, with the account of its units."""
    pack = lowering.pack
    called = travelling(pack, workflow)
    context = context_of(pack, workflow, called)
    files = (
        _task(lowering, workflow)
        if workflow.module == "core"
        else [_file(lowering, context, use) for use in in_order(workflow)]
    )
    tasks = [(one, _task(lowering, one)) for one in called]
    parts = tuple(_parts(lowering, context, files, tasks))
    entries = tuple(entry for file in files for entry in file.entries)
    said = [part.text for part in parts if part.kind != "file"]
    braced = sorted({name for text in said for name in _BRACED.findall(text)})
    values = tuple((name, RUN_TIME[name]) for name in braced if name in RUN_TIME)
    return Lowered(workflow.id, workflow.name or workflow.id, parts, entries, values, tuple(braced))


def paths_of(pack: Pack, workflow: Workflow) -> set[str]:
    """Return the files of a workflow and of the tasks that travel with it."""
    return {use.path for one in (workflow, *travelling(pack, workflow)) for use in one.files}


def in_order(workflow: Workflow) -> tuple[FileUse, ...]:
    """Return the files of a workflow in the order in which they stand in the output."""
    steps = {step.origin.path: number for number, step in reversed(list(enumerate(workflow.steps)))}
    return tuple(
        sorted(
            workflow.files,
            key=lambda use: (_RANK.get(output_role(use, workflow), 9), steps.get(use.path, 0), use.path),
        )
    )


def travelling(pack: Pack, workflow: Workflow) -> tuple[Workflow, ...]:
    """Return the tasks of the core that a workflow calls and that travel with it, sorted by id."""
    found = {}
    for id_ in workflow.calls:
        other = pack.workflow(id_)
        if (
            other is not None
            and other.module == "core"
            and other.id != workflow.id
            and not is_left_out(other)
        ):
            found[other.id] = other
    return tuple(found[id_] for id_ in sorted(found))


def _task(lowering: Lowering, task: Workflow) -> list[_File]:
    """Return the files of a task that travels with workflows: it is the same in all of them."""
    if task.id not in lowering.tasks:
        context = context_of(lowering.pack, task, travelling(lowering.pack, task))
        lowering.tasks[task.id] = [_file(lowering, context, use) for use in in_order(task)]
    return lowering.tasks[task.id]


def _file(lowering: Lowering, context: Context, use: FileUse) -> _File:
    tree = lowering.pack.trees[use.path]
    ids = lowering.ids(use.path)
    ending = use.path[use.path.rfind(".") :]
    target = context.targets.get(use.path)
    if target is not None and target.kind == "file":
        return _File(use, (), tuple(entries_of_values(tree, ids, use, rules(), shipped=True)))
    if use.role in _SILENT or (use.role == "entry" and tree.reader == "yaml"):
        return _File(use, (), tuple(entries_of_values(tree, ids, use, rules())))
    if target is not None and target.kind == "gone":
        gone = dict.fromkeys(range(len(tree.leaves)), ("includes.page", ""))
        nothing = Edits((), (), ())
        return _File(use, (), tuple(entries_of(tree, ids, nothing, use, rules(), gone)))
    arms, freed = folded(lowering.sheet(use.path))
    edits = lowering.edits(context, use.path, [*_step_title(context, tree, use), *freed])
    if ending in _FENCED or use.role in ("template", "asset"):
        held = tuple(edit for edit in edits.all if _is_of_template(edit) or _is_noted(tree, edit))
        edits = Edits(held, (), tuple(edit.start for edit in held))
        lines = tuple(_fenced(tree, edits, _FENCED.get(ending, "markdown")))
        return _File(use, lines, tuple(_of_document(tree, ids, edits, use)))
    if use.role == "entry" and _RENDERER in tree.text.text:
        places = dict.fromkeys(range(len(tree.leaves)), ("includes.renderer", ""))
        return _File(use, (), tuple(entries_of(tree, ids, edits, use, rules(), places)))
    places = _emptied(tree, edits) | arms
    criticals = _rules_above(tree, use, places)
    critical = []
    for block in criticals:
        laid = lay_out(tree, edits, 3, frozenset(places), within=block)
        critical += [Line(_as_item(line.text), line.path, line.leaves) for line in laid]
        places |= {
            number: ("flow.critical", "Critical Rules")
            for number in range(tree.blocks[block].first, tree.blocks[block].last)
            if number not in places
        }
    lines = lay_out(tree, edits, 3, frozenset(places))
    table = rules()
    statements = frozenset(_statements(edits))
    entries = tuple(entries_of(tree, ids, edits, use, table, places))
    return _File(use, lines, entries, tuple(critical), statements)


def _is_of_template(edit: Edit) -> bool:
    """Whether an edit may change a document that is to be written: a slip is one there, too."""
    return edit.rule in _IN_TEMPLATES or edit.rule.startswith("flow.erratum-")


def _is_noted(tree: Tree, edit: Edit) -> bool:
    """Whether an edit is of a comment or a note in italics: those speak to whoever fills a template in."""
    text = tree.text.text
    line = text.rfind("\n", 0, edit.start) + 1
    guided = text.rfind("*(", line, edit.start) > text.rfind(")*", line, edit.start)
    return guided or text.rfind("<!--", 0, edit.start + 1) > text.rfind("-->", 0, edit.start + 1)


def _statements(edits: Edits) -> Iterator[str]:
    """Return the keys of what the frame has to say because of the edits of a file."""
    for edit in edits.all:
        rule = rules()[edit.rule]
        if isinstance(rule.make, Once):
            yield rule.make.key
        if rule.needs:
            yield rule.needs


def _step_title(context: Context, tree: Tree, use: FileUse) -> Iterator[Edit]:
    """Return the edit that gives a step file's first heading its number, where it has none."""
    target = context.targets.get(use.path)
    if use.role != "step" or target is None or target.kind != "step":
        return
    step = next(one for one in context.workflow.steps if one.origin.path == use.path)
    for leaf in tree.leaves:
        if leaf.kind == "heading":
            words = tree.slice(leaf).lstrip("#").strip()
            number = step_number(step)
            if number[:1].isdigit() and not re.match(rf"(?i)step\s+0*{re.escape(number)}\b", words):
                yield Edit(leaf.start, leaf.end, f"# Step {number}: {step.title or words}", "flow.step-title")
            return


def _as_item(text: str) -> str:
    return re.sub(r"^\d+\. ", "- ", text)


def _rules_above(tree: Tree, use: FileUse, places: Mapping[int, tuple[str, str]]) -> list[int]:
    """Return the blocks of rules that stand above all steps of a workflow's instructions."""
    if use.role not in ("entry", "instructions"):
        return []
    first = next((block.first for block in tree.blocks if block.name == "step"), None)
    if first is None:
        return []
    return [
        number
        for number, block in enumerate(tree.blocks)
        if block.kind == "tag"
        and block.name in _RULE_TAGS
        and block.last <= first
        and block.first not in places
        and not any(tree.blocks[outer].name in _RULE_TAGS for outer in tree.around(block.parent))
    ]


def _fenced(tree: Tree, edits: Edits, language: str) -> Iterator[Line]:
    text = tree.text.text
    fence = "````" if "```" in text else "```"
    yield Line(f"{fence}{language}", tree.path)
    number = offset = 0
    for written in text.rstrip("\n").split("\n"):
        end = offset + len(written)
        while number + 1 < len(tree.leaves) and tree.leaves[number + 1].start <= end:
            number += 1
        for line in edits.applied(text, offset, end).split("\n"):
            yield Line(line.rstrip(), tree.path, (number,) if tree.leaves else ())
        offset = end + 1
    yield Line(fence, tree.path)


def _of_document(tree: Tree, ids: tuple[str, ...], edits: Edits, use: FileUse) -> Iterator[Entry]:
    """Return the account of a file that stands in the output as a whole, front matter included."""
    text = tree.text.text
    for number, leaf in enumerate(tree.leaves):
        if leaf.kind in CONTENT:
            before = tree.slice(leaf)
            found = edits.within(leaf.start, leaf.end)
            after = edits.applied(text, leaf.start, leaf.end) if found else before
            yield Entry(
                ids[number],
                tree.path,
                number,
                tree.line(leaf),
                leaf.kind,
                "rewritten" if found else "kept",
                tuple(dict.fromkeys(edit.rule for edit in found)),
                before,
                after,
                place=use.path,
            )


def _emptied(tree: Tree, edits: Edits) -> dict[int, tuple[str, str]]:
    """Return the leaves that say nothing any more: headings and conditions under which all was taken out."""
    text = tree.text.text
    gone = {
        number
        for number in edits.touched(tree)
        if (leaf := tree.leaves[number]).kind in CONTENT
        and leaf.kind != "tag"
        and not has_words(edits.applied(text, leaf.start, leaf.end))
        and has_words(text[leaf.start : leaf.end])
    }
    if not gone:
        return {}
    found: dict[int, tuple[str, str]] = {}
    for block in reversed(tree.blocks):
        if block.kind not in ("section", "tag") or block.last <= block.first:
            continue
        inner = range(block.first + 1, block.last)
        had = any(one in gone for one in inner)
        if not had or block.name in ("step", "substep"):
            continue
        left = any(
            tree.leaves[one].kind in CONTENT
            and one not in gone
            and one not in found
            and (tree.leaves[one].kind != "tag" or _speaks(tree, one))
            for one in inner
        )
        if not left:
            rule = "layout.empty-section" if block.kind == "section" else "layout.empty-condition"
            found[block.first] = (rule, "")
    return found


_WORDLESS = frozenset(("goto", "anchor", "invoke-task", "invoke-workflow", "invoke-protocol"))


def _speaks(tree: Tree, number: int) -> bool:
    """Whether a tag says something by itself, without anything in it."""
    return tree.blocks[tree.leaves[number].block].name in _WORDLESS


def _parts(
    lowering: Lowering, context: Context, files: list[_File], tasks: list[tuple[Workflow, list[_File]]]
) -> Iterator[Part]:
    workflow = context.workflow
    spoken = [file for file in files if file.lines]
    heads = [file for file in spoken if output_role(file.use, workflow) in ("entry", "instructions")]
    steps = [file for file in spoken if file.use.role == "step"]
    checklists = [file for file in spoken if file.use.role == "checklist"]
    material = [file for file in spoken if file not in heads and file not in steps and file not in checklists]
    apart = sum(file.size for file in spoken) > APART_BYTES

    instructions: list[Line] = []
    skills: list[Part] = []
    shipped = _all_shipped(lowering, context, files, tasks)
    for file in heads:
        if apart and file.use.role == "reference" and file.size > SECTION_BYTES:
            title, name = context.targets[file.use.path].name, skill_name(section_name(file.use.path))
            skills.append(Part("skill", name, title, file.lines))
            instructions += _pointer(title, name)
        else:
            instructions += [Line(""), *file.lines]
    for file in steps:
        title = context.targets[file.use.path].name
        if apart:
            name = skill_name(section_name(file.use.path))
            skills.append(Part("skill", name, title, file.lines))
            instructions += [
                Line(""),
                Line(f"### {_heading(title)}"),
                Line(""),
                *_when(context, file),
                _opened(name),
            ]
        else:
            instructions += [Line(""), *file.lines[:1], Line(""), *_when(context, file), *file.lines[1:]]
    for file in material:
        title = context.targets[file.use.path].name
        name = skill_name(section_name(file.use.path))
        handed = _handed(context, file, shipped)
        if apart and file.size > SECTION_BYTES:
            skills.append(Part("skill", name, title, file.lines))
            instructions += _pointer(title, name, handed)
        else:
            instructions += [Line(""), *_titled(title, file.lines, handed or _ON_CALL.get(file.use.role, ""))]
    instructions += _protocols(lowering, context)
    for task, inner in tasks:
        lines: list[Line] = []
        for file in inner:
            if file.lines:
                if lines:
                    lines += [Line("")]
                if output_role(file.use, task) in ("entry", "instructions", "step"):
                    lines += file.lines
                else:
                    inside = context_of(lowering.pack, task)
                    title = inside.targets[file.use.path].name
                    handed = _handed(inside, file, shipped) or _ON_CALL.get(file.use.role, "")
                    lines += _titled(title, file.lines, handed)
        lines += _manifest(lowering, context, lines)
        name = skill_name(task.id.removeprefix("bmad-"))
        skills.append(Part("skill", name, task_name(task), tuple(_single_spaced(lines))))
        instructions += _pointer(task_name(task), name)

    for path in personas.kept_files(_owners(context)):
        title = variables.in_words(path.rpartition("/")[2])
        laid = lay_out(lowering.pack.trees[path], lowering.edits(context, path), 3)
        name = skill_name(section_name(path))
        skills.append(Part("skill", name, title, laid))
        instructions += _pointer(title, name)
    instructions += _manifest(
        lowering, context, [*instructions, *(line for skill in skills for line in skill.lines)]
    )
    everything = [*files, *(file for _, inner in tasks for file in inner)]
    keys = {key for file in everything for key in file.statements}
    said_apart = "\n".join([skill.text for skill in skills])
    said = "\n".join([line.text for line in instructions]) + said_apart
    if "[note: " in said:
        keys.add("notes")
    if skills:
        keys.add("skills")
    if _SEARCHES.search(said):
        keys.add("searches")
    if "Party Mode" in said or "Advanced Elicitation" in said:
        keys.add("detour")
    checked = "\n".join(line.text for file in checklists for line in file.lines)
    body = [
        *_head(lowering, context, [line for file in spoken for line in file.critical], keys),
        *_needed(packages(shipped.values())),
        Line(""),
        Line("## Instructions"),
        *_values(f"{said}\n{checked}"),
        *instructions,
    ]
    if checklists:
        body += [Line(""), Line("## Checklist"), Line(""), Line(CHECKED)]
        for file in checklists:
            body += [Line(""), *file.lines]
    row = row_of(workflow.id, workflow.phase)
    body += _guardrails(row, places_of(lowering.pack.config)[0])
    yield Part("body", "body", workflow.name or workflow.id, tuple(_single_spaced(body)))
    yield from skills
    yield from shipped.values()


def _all_shipped(
    lowering: Lowering, context: Context, files: list[_File], tasks: list[tuple[Workflow, list[_File]]]
) -> Mapping[str, Part]:
    """Return every file that travels beside a workflow's text, by its name; tasks may share some."""
    everything = [*files, *(file for _, inner in tasks for file in inner)]
    said = "\n".join(line.text for file in everything for line in (*file.critical, *file.lines))
    found = {part.name: part for part in _shipped(lowering, context, said)}
    for task, _ in tasks:
        inside = context_of(lowering.pack, task, travelling(lowering.pack, task))
        found |= {part.name: part for part in _shipped(lowering, inside, said)}
    found |= {part.name: part for part in called_by_scripts(lowering.pack, found.values())}
    return dict(sorted(found.items()))


def _shipped(lowering: Lowering, context: Context, said: str) -> Iterator[Part]:
    """Return the files that a text names, and those that the ones among them name that somebody reads."""
    workflow, outside = context.workflow, for_readers(context)
    found: dict[str, Part] = {}
    todo = list(named_files(workflow, said))
    while todo:
        use = todo.pop(0)
        name = shipped_name(use.path, workflow)
        if name in found:
            continue
        tree = lowering.pack.trees[use.path]
        found[name] = as_it_is(tree, name)
        if is_handed_out(use, workflow):
            arms, freed = folded(lowering.sheet(use.path))
            edits = lowering.edits(outside, use.path, freed)
            lines = lay_out(tree, edits, 1, frozenset(_emptied(tree, edits) | arms))
            found[name] = Part("file", name, name, tuple(_single_spaced(lines)))
            todo += named_files(workflow, found[name].text)
    yield from found.values()


def _manifest(lowering: Lowering, context: Context, lines: list[Line]) -> tuple[Line, ...]:
    """Return the section that lists the agents, if the lines ask for it and do not have it."""
    heading = f"### {variables.MANIFEST}"
    named = f"“{variables.MANIFEST}”"
    texts = [line.text for line in lines]
    if named not in "\n".join(texts) or heading in texts:
        return ()

    def edited(text: str) -> str:
        # What an agent keeps for itself travels with its own workflows only.
        return _KEPT.sub(lambda found: f"its {found[1].lower()}", lowering.edited(context, text))

    table = personas.manifest(context.pack.agents, edited)
    return (Line(""), Line(heading), Line(""), *table)


_WHEN = {
    "resume": "Only when the first step finds work of an earlier run:",
    "alternative": "Only when another step sends you here:",
    "detour": "Only when another step sends you here:",
}


def _when(context: Context, file: _File) -> Iterator[Line]:
    """Return the line that says when a step is taken, for one that is not part of the plain sequence."""
    step = next((one for one in context.workflow.steps if one.origin.path == file.use.path), None)
    if step is not None and step.role in _WHEN:
        yield Line(f"*{_WHEN[step.role]}*")
        yield Line("")


def _heading(title: str) -> str:
    found = re.fullmatch(r"(Step [\w.-]+) \((.*)\)", title)
    return f"{found[1]}: {found[2]}" if found else title


_ON_CALL = {"reference": "Only when another part sends you here:"}


def _titled(title: str, lines: tuple[Line, ...], when: str = "") -> tuple[Line, ...]:
    """Return lines under a heading of that title, unless they begin with it themselves."""
    said = (Line(""), Line(f"*{when}*"), Line("")) if when else (Line(""),)
    if lines and lines[0].text.lstrip("# ").strip("*` ") == title:
        return (lines[0], *said, *lines[1:])
    return (Line(f"### {title}"), *said, *lines)


def _handed(context: Context, file: _File, shipped: Mapping[str, Part]) -> str:
    """Return what is said of a part that also lies there as a file for whoever is to read it."""
    name = shipped_name(file.use.path, context.workflow)
    if name not in shipped or not is_handed_out(file.use, context.workflow):
        return ""
    where = f"Also the file `{FILES}/{name}`, for the readers that you launch"
    return f"{where}; only when you are sent here yourself:"


def _opened(name: str) -> Line:
    return Line(f"Open the skill file `{skill_token(name)}` and follow it to its end.", tokens=True)


def _pointer(title: str, name: str, when: str = "") -> tuple[Line, ...]:
    """Return the section that says where a part is that steps send to."""
    opened = f"open the skill file `{skill_token(name)}` and follow it to its end."
    when = when or "Only when a step sends you here:"
    return (Line(""), Line(f"### {title}"), Line(""), Line(f"{when} {opened}", tokens=True))


def _single_spaced(lines: Iterable[Line]) -> Iterator[Line]:
    blank = False
    for line in lines:
        if line.text or not blank:
            yield line
        blank = not line.text


def _protocols(lowering: Lowering, context: Context) -> Iterator[Line]:
    for name in called_protocols(lowering.pack, context.workflow):
        found = protocol_block(lowering.pack, name)
        if found is None:
            continue
        tree, block = found
        edits = lowering.edits(context, tree.path)
        yield Line("")
        yield Line(f"### {name.replace('_', ' ').capitalize()}")
        yield Line("")
        entry = lowering.pack.trees[context.workflow.origin.path]
        for line in input_table(entry.matter_value("input_file_patterns")):
            yield Line(variables.resolved(context, line.text), entry.path)
        yield Line("")
        yield from lay_out(tree, edits, 4, frozenset(_emptied(tree, edits)), block, "Part")


def _owners(context: Context) -> tuple[Agent, ...]:
    found = dict.fromkeys(owner.agent for owner in context.workflow.owners)
    return tuple(agent for one in found if (agent := context.pack.agent(one)))


def _head(lowering: Lowering, context: Context, critical: list[Line], keys: Iterable[str]) -> Iterator[Line]:
    workflow, pack = context.workflow, context.pack

    def edited(text: str) -> str:
        return lowering.edited(context, text)

    yield Line(f"# BMAD {task_name(workflow)} Agent")
    purpose = edited(normal(_USE_WHEN.sub("", workflow.description)))
    if purpose:
        yield Line("")
        yield Line(purpose)
    row = row_of(workflow.id, workflow.phase)
    default = Agent("", "", "", Origin(""), title=default_title(row))
    agents = personas.owners_of(_owners(context), default)
    yield Line("")
    yield from personas.persona(agents, edited)
    found = personas.principles(agents, edited)
    if found:
        yield Line("")
        yield Line("## Principles")
        yield Line("")
        yield from found
    yield Line("")
    yield Line("## Critical Rules")
    yield Line("")
    said = statements(row, frozenset(keys), pack.config)
    yield from (Line(f"- {text}", tokens=True) for text in said)
    actions = personas.critical_actions(agents, edited)
    if actions and row.outcome is Outcome.VERDICT:
        yield Line("- What follows binds whoever writes code; hold the change under review against it:")
        actions = tuple(Line(f"  {line.text}") for line in actions)
    yield from actions
    yield from personas.facts(agents, edited)
    yield from critical


def _needed(names_: tuple[str, ...]) -> Iterator[Line]:
    """Return the rule on scripts that need more than Python, if there are such."""
    if names_:
        listed = ", ".join(f"`{name}`" for name in names_)
        yield Line(
            f"- Some of the scripts need the Python package {listed}. Where it is missing, install it with "
            "`python3 -m pip install`; where that fails too, do by hand what the text says that the script "
            "does, keep the rest of the file as it is, and say that you did it so."
        )


def _values(said: str) -> Iterator[Line]:
    names_ = sorted({name for name in _BRACED.findall(said) if name in RUN_TIME})
    if not names_:
        return
    yield Line("")
    yield Line("### Values of this run")
    yield Line("")
    yield Line(
        "Names in braces are filled in while you work. These you find as follows; the others are gaps that "
        "the sentence around them tells you how to fill."
    )
    yield Line("")
    for name in names_:
        yield Line(f"- `{{{name}}}`: {RUN_TIME[name]}")


def _guardrails(row: Row, places: Places) -> list[Line]:
    rules = (*GUARDRAILS, *scope(row, places))
    lines = ["", "## Guardrails", "", *(f"- {one}" for one in rules)]
    lines += ["", "### When you are done", "", *ending(row)]
    lines += ["", "### If you cannot go on", "", *blocker(row)]
    return [Line(one, tokens=True) for one in lines]
