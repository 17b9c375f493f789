"""Judges an emitted text against its source, by their words alone: does the text say each unit of the source?

Nothing else is read: no ledger, no rule, no earlier output. The words of the source and of the text are laid
side by side in their order, each word of the text used once, so that of two equal units one that is gone is
seen. What stands elsewhere than in the source is looked for among the words that are left over.

What talks to a person has to be said differently, so less of it must be there. Only what speaks of nothing
but the talking may be absent, by a short list of reasons, and only where it is absent everywhere: a unit that
the texts say in one place and not in another was lost there.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile
from statistics import median_low
from typing import Literal, TypeAlias

from bmadc.ir.model import Agent, Pack, Workflow
from bmadc.ir.tree import CONTENT, Leaf, Tree, leaf_ids, normal
from bmadc.ledger.alignment import NOWHERE, align
from bmadc.ledger.customs import NONE_SET, custom, customs, sentences
from bmadc.ledger.detector import ceremony, dialogue
from bmadc.ledger.excuses import BY_PLACE, excuses, with_settings
from bmadc.ledger.forms import as_said
from bmadc.ledger.shipped import shipped
from bmadc.ledger.words import Words, marked, words, words_of

Verdict: TypeAlias = Literal["said", "unsaid", "missing"]

SAID = 0.6
"""The share of a unit's words that must stand in one stretch of the text."""
TRACED = 0.4
"""The same for a unit that talks to a person."""

MOVED = 0.85
"""The same for a unit that stands elsewhere: what was moved was hardly changed."""

AHEAD = 0.7
"""The same for a rule that stands ahead of the instructions, among other rules."""

AS_IT_IS = 0.9
"""The same for a unit that need not be said: other words there are not taken for it."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One unit of the source and whether the text says it; `why` tells why it need not, or what is wrong.

    `share` is how much of it was found, `at` the line of the text where, or 0.
    """

    id: str
    path: str
    line: int
    kind: str
    text: str
    verdict: Verdict
    why: str = ""
    share: float = 0.0
    at: int = 0


@dataclass(frozen=True, slots=True)
class Judgement:
    """A workflow's source against its text; `file` is empty if there is no text of it."""

    workflow: str
    file: str
    units: tuple[Judged, ...]

    def count(self, verdict: Verdict) -> int:
        """Return how many units have this verdict."""
        return sum(one.verdict == verdict for one in self.units)


def title_of(workflow: Workflow) -> str:
    """Return the title that heads the text of a workflow."""
    return f"BMAD {workflow.id.removeprefix('bmad-').replace('-', ' ').title()} Agent"


_TITLE = re.compile(r"(?m)^# (BMAD .+ Agent)[ \t]*$")


def texts_of(
    pack: Pack, files: Mapping[str, str], names: Mapping[str, str] | None = None
) -> dict[str, tuple[str, str]]:
    """Return file and text of each workflow by its id: the file named for it, or the one with its title.

    `names` says which file is named for which workflow, where that is not its id.
    """
    titled: dict[str, str] = {}
    for name, text in sorted(files.items()):
        found = _TITLE.search(text)
        if found:
            titled.setdefault(found[1], name)
    result: dict[str, tuple[str, str]] = {}
    for workflow in filter(has_text, pack.workflows):
        candidates = (
            (names or {}).get(workflow.id, ""),
            titled.get(title_of(workflow), ""),
            f"{workflow.id}.md",
        )
        name = next((one for one in candidates if one in files), "")
        if name:
            result[workflow.id] = (name, files[name])
    return result


Correct: TypeAlias = Callable[[str], str]
"""What reads one unit of the source as it is with its slips mended."""


def as_it_stands(text: str) -> str:
    """Return a unit of the source as it is: nothing in it counts as a slip."""
    return text


def judge(
    pack: Pack,
    texts: Mapping[str, tuple[str, str]],
    only: Iterable[str] = (),
    correct: Correct = as_it_stands,
) -> tuple[Judgement, ...]:
    """Return, for each workflow, which units of its source its text says.

    A workflow that should have a text and has none is missing whole. With `only`, just these are returned,
    though all are looked at. Where `correct` mends a slip of the source, the text has to say it mended.
    """
    found = [
        weigh(prepare(pack, workflow, correct), *texts.get(workflow.id, ("", "")))
        for workflow in pack.workflows
        if workflow.id in texts or has_text(workflow)
    ]
    wanted = frozenset(only)
    said = frozenset(key for one in found for key in one.said)
    return tuple(judgement(one, said) for one in found if not wanted or one.workflow in wanted)


# They tell somebody at an editor which workflow to call, or how to change it there.
_OF_EDITORS = frozenset(("help", "customize"))
# It has no text of its own, but stands in those that call it.
_IN_OTHERS = frozenset(("advanced-elicitation",))


def has_text(workflow: Workflow) -> bool:
    """Tell whether there should be a text of a workflow: it does work itself, and not in an editor."""
    forwards = workflow.shim is not None and workflow.shim.kind != "retained"
    name = workflow.id.removeprefix("bmad-")
    return not (workflow.engine or forwards or name in _OF_EDITORS or name in _IN_OTHERS)


def judgement(weighed: Weighed, said: Container[tuple[str, ...]]) -> Judgement:
    """Return the verdicts over a workflow; `said` are the words of all units that some text says."""
    units = tuple(_judged(unit, weighed, said) for unit in weighed.units)
    return Judgement(weighed.workflow, weighed.file, units)


Row: TypeAlias = tuple[str, ...]
"""The words of one line, behind a sign if the line is a heading."""


@dataclass(slots=True)
class Unit:
    """A unit of the source under work; `number` is that of its leaf, -1 for a value of an agent."""

    tree: Tree | None
    number: int
    id: str
    path: str
    line: int
    kind: str
    text: str
    words: Words
    rows: tuple[Row, ...] = ()
    share: float = 0.0
    place: int = NOWHERE
    places: tuple[int, ...] = ()
    said: bool = False
    moved: bool = False
    lacks: str = ""
    excuse: str = ""
    judged: bool = True

    @property
    def leaf(self) -> Leaf:
        """The leaf of a unit that has one."""
        assert self.tree is not None
        return self.tree.leaves[self.number]

    @property
    def key(self) -> tuple[str, ...]:
        """What equal units have in common: their words without the numbers of headings."""
        return tuple(word for word in self.words.all if not word.isdigit())


@dataclass(slots=True)
class Weighed:
    """A workflow whose units were looked for in its text."""

    workflow: str
    file: str
    units: list[Unit]
    line_of: Sequence[int]

    @property
    def said(self) -> Iterator[tuple[str, ...]]:
        """The words of each unit that the text says at its place and nearly as it is."""
        return (unit.key for unit in self.units if unit.said and unit.share >= AS_IT_IS and not unit.moved)


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the source as units, and all runs of words in it."""

    path: str
    units: tuple[Unit, ...]
    runs: frozenset[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A workflow's source, ready to be looked for in a text.

    Guests are the files of tasks that may travel with it: the text says them after its own, perhaps again.
    """

    workflow: str
    personas: tuple[Unit, ...]
    own: tuple[_File, ...]
    guests: tuple[_File, ...]
    trees: tuple[Tree, ...]
    """All files of the source: any of them may travel."""
    correct: Correct


def prepare(pack: Pack, workflow: Workflow, correct: Correct = as_it_stands) -> Prepared:
    """Return a workflow's source as units with their words."""
    own = _trees(pack, workflow)
    guests: dict[str, Tree] = {}
    for id_ in workflow.calls:
        other = pack.workflow(id_)
        if other is not None and other.id != workflow.id and not other.engine:
            guests.update((tree.path, tree) for tree in _trees(pack, other))
    for tree in own:
        guests.pop(tree.path, None)
    values = {**dict(workflow.values), **dict(pack.config)}
    # These are what the workflow is called, and stand for gaps in the forms that it fills in.
    values = {name: value for name, value in values.items() if name not in ("name", "description")}
    names = _names(pack)
    fills: dict[str, dict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    for fact in pack.facts:
        if fact.kind == "fills":
            fills[fact.path][fact.leaf][fact.value] = fact.target
    forms = {use.path for use in workflow.files if use.role in ("template", "data", "asset")}
    return Prepared(
        workflow.id,
        tuple(_personas(pack, workflow)),
        tuple(
            _file(tree, names, values, fills[tree.path], correct, judged=True, form=tree.path in forms)
            for tree in own
        ),
        tuple(
            _file(tree, names, values, fills[tree.path], correct, judged=False) for tree in guests.values()
        ),
        tuple(pack.trees.values()),
        correct,
    )


def _file(
    tree: Tree,
    names: re.Pattern[str],
    values: Mapping[str, str],
    fills: Mapping[int, Mapping[str, str]],
    correct: Correct,
    *,
    judged: bool,
    form: bool = False,
) -> _File:
    ids = leaf_ids(tree)
    units = []
    for number, leaf in enumerate(tree.leaves):
        is_setting = leaf.kind == "entry" or tree.blocks[leaf.block].kind == "matter"
        # The settings of a form are a part of it; those of any other file are used up by the build.
        if leaf.kind not in CONTENT or (is_setting and not form):
            continue
        here = with_settings(correct(tree.slice(leaf)), fills.get(number, {}))
        spoken = as_said(_in_folders(here, values))
        said = _filled(_words(tree, leaf, spoken, names), spoken, values)
        if said.all:
            text, line = normal(tree.slice(leaf)), tree.line(leaf)
            units.append(
                Unit(
                    tree,
                    number,
                    ids[number],
                    tree.path,
                    line,
                    leaf.kind,
                    text,
                    said,
                    _rows(spoken, said),
                    judged=judged,
                )
            )
    excused = excuses(tree, {unit.number for unit in units}, fills)
    for unit in units:
        unit.excuse = excused.get(unit.number, "")
    return _File(tree.path, tuple(units), _all_runs(tree.text.text))


def weigh(source: Prepared, file: str, text: str) -> Weighed:
    """Look for each unit of a workflow in its text."""
    emitted, line_of = _words_by_line(text)
    front = _FRONT_MATTER.match(text)
    travelling = list(_travelling(source, front.group() if front else ""))
    files = _in_order(source, emitted, {tree.path for tree, _ in travelling})
    every = [replace(unit) for unit in (*source.personas, *(unit for one in files for unit in one.units))]
    # What need not be said takes nothing away from what must.
    units = [unit for unit in every if not unit.excuse]
    lines = text.split("\n")
    heads = {number for number in set(line_of) if lines[number - 1].lstrip("> ").startswith("#")}
    ahead = _ahead(lines)
    sizes = Counter(line_of)
    # Rules may stand ahead of the instructions, in their own order.
    for places, least in (
        ([at for at, line in enumerate(line_of) if line not in ahead], SAID),
        ([at for at, line in enumerate(line_of) if line in ahead], AHEAD),
    ):
        left = [unit for unit in units if not unit.said]
        for unit, here in _side_by_side(left, places, emitted, line_of, heads):
            _settle(unit, here, least)
            if unit.said and not _is_there(unit, unit.places, line_of, heads):
                unit.said = False
            if least == AHEAD:
                unit.said = unit.moved = unit.said and _is_line(unit.places, line_of, sizes)
    used = _elsewhere(units, emitted, line_of, heads)
    _at_its_place(units, used, emitted, line_of, heads)
    _unneeded(every, used, emitted)
    own = [unit for unit in every if unit.judged]
    return Weighed(source.workflow, file, [*own, *_lost_lines(travelling, source.correct)], line_of)


def _travelling(source: Prepared, front: str) -> Iterator[tuple[Tree, str]]:
    """Return the files of the source that the frontmatter writes as they are, with what it writes."""
    if "<<" not in front:
        return
    by_name: dict[str, list[Tree]] = defaultdict(list)
    for tree in source.trees:
        by_name[tree.path.rpartition("/")[2]].append(tree)
    for path, text in shipped(front).items():
        found = by_name.get(path.rpartition("/")[2])
        if found:
            yield max(found, key=lambda tree: (_tail(tree.path, path), tree.path)), text


def _tail(one: str, other: str) -> int:
    """Return how many parts two paths have in common at their end; the prefix of skills does not count."""
    pairs = zip(reversed(one.split("/")), reversed(other.split("/")), strict=False)
    bare = ((ours.removeprefix("bmad-"), theirs.removeprefix("bmad-")) for ours, theirs in pairs)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], bare)))


def _lost_lines(travelling: Iterable[tuple[Tree, str]], correct: Correct) -> Iterator[Unit]:
    """Return the lines of files that travel, as far as they did not; prose is said as a text says it."""
    for tree, text in travelling:
        lines, written = tree.text.text.split("\n"), text.split("\n")
        said = align(lines, written)
        is_prose = tree.path.endswith(".md")
        left = [words(line) for number, line in enumerate(written) if number not in said] if is_prose else []
        for number, (line, place) in enumerate(zip(lines, said, strict=True), 1):
            here = marked(line)
            # In prose a tag by itself is no line that somebody reads.
            silent = not line.strip() or (is_prose and _TAG.fullmatch(line))
            if place == NOWHERE and not silent and not _is_told(words(correct(line)), left):
                yield Unit(None, -1, f"{tree.path}:{number}", tree.path, number, "line", normal(line), here)


_TAG = re.compile(r"\s*</?[a-z][^<>]*>\s*")


def _is_told(line: Sequence[str], left: Iterable[Sequence[str]]) -> bool:
    """Whether one of the lines that are left over holds enough words of a line that is changed there."""
    wanted = Counter(line)
    return any(sum((wanted & Counter(one)).values()) >= TRACED * len(line) for one in left if line)


_HEAD = "#"


@lru_cache(1 << 15)
def _rows(text: str, said: Words) -> tuple[Row, ...]:
    """Return the words of a unit line by line."""
    found = []
    for line in text.split("\n"):
        here = tuple(words(line))
        if here:
            found.append((_HEAD, *here) if line.lstrip("> ").startswith("#") else here)
    flat = tuple(word for row in found for word in row if word != _HEAD)
    # Marks that reach over several lines are read a little differently in single ones.
    return tuple(found) if flat == said.all else (said.all,)


_RULES = "## Critical Rules"
_INSTRUCTIONS = "## Instructions"


def _ahead(lines: Sequence[str]) -> range:
    """Return the numbers of the lines with the rules that stand ahead of the instructions."""
    if _RULES in lines and _INSTRUCTIONS in lines:
        return range(lines.index(_RULES) + 2, lines.index(_INSTRUCTIONS) + 1)
    return range(0)


@lru_cache(1 << 12)
def _between(ours: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[int, ...]:
    # Who judges one text after the other, each with a little less in it, asks the same again and again.
    return tuple(align(ours, theirs))


def _side_by_side(
    units: Sequence[Unit],
    places: Sequence[int],
    emitted: Sequence[str],
    line_of: Sequence[int],
    heads: Container[int],
) -> Iterator[tuple[Unit, list[int]]]:
    """Return where the words of units are among these places: whole lines first, then words between."""
    theirs: list[Row] = []
    firsts: list[int] = []
    last = 0
    for number, at in enumerate(places):
        line = line_of[at]
        if line != last:
            theirs.append((_HEAD,) if line in heads else ())
            firsts.append(number)
            last = line
        theirs[-1] = (*theirs[-1], emitted[at])
    firsts.append(len(places))
    rows = [row for unit in units for row in unit.rows]
    found: list[int] = []
    waiting: list[str] = []
    low = 0
    for row, place in zip([*rows, ()], [*align(rows, theirs), len(theirs)], strict=True):
        if place == NOWHERE:
            waiting.extend(word for word in row if word != _HEAD)
            continue
        here = _between(tuple(waiting), tuple(emitted[at] for at in places[low : firsts[place]]))
        found.extend(NOWHERE if one == NOWHERE else places[one + low] for one in here)
        waiting = []
        if row:
            low = firsts[place + 1]
            found.extend(places[firsts[place] : low])
    start = 0
    for unit in units:
        yield unit, found[start : start + len(unit.words.all)]
        start += len(unit.words.all)


def _unneeded(units: Sequence[Unit], used: set[int], emitted: Sequence[str]) -> None:
    """Look for units that need not be said among the words that are left over, word for word."""
    firsts: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for at in range(len(emitted)):
        if at not in used:
            firsts[tuple(emitted[at : at + 2])].append(at)
    before = 0
    for unit in units:
        if not unit.excuse:
            before = unit.place if unit.said and not unit.moved else before
            continue
        size = len(unit.words.all)
        for at in firsts.get(unit.words.all[:2], ()):
            here = range(at, at + size)
            if at >= before and tuple(emitted[at : at + size]) == unit.words.all and used.isdisjoint(here):
                unit.said, unit.share, unit.place = True, 1.0, at
                used.update(here)
                break


def _judged(unit: Unit, one: Weighed, said: Container[tuple[str, ...]]) -> Judged:
    verdict: Verdict = "said"
    why = ""
    if not unit.said:
        lost = not unit.excuse or (unit.key in said and unit.excuse not in BY_PLACE)
        verdict = "missing" if lost else "unsaid"
        why = "said elsewhere, not here" if unit.excuse and lost else unit.excuse
    elif unit.lacks:
        verdict, why = "missing", f"said without “{unit.lacks}”"
    at = one.line_of[unit.place] if unit.place >= 0 else 0
    return Judged(unit.id, unit.path, unit.line, unit.kind, unit.text, verdict, why, round(unit.share, 2), at)


# Files that the build uses up: values, and programs that travel as files of their own.
_USED_UP = frozenset(("customize", "manifest", "script"))


def _names(pack: Pack) -> re.Pattern[str]:
    """Return a pattern for the ids of workflows: a text calls them by what they do, or by their label."""
    ids = {one.id.removeprefix("bmad-") for one in pack.workflows} | {"bmad"}
    return re.compile(
        rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, ids), key=len, reverse=True))})(?![\w-])"
    )


def _trees(pack: Pack, workflow: Workflow) -> list[Tree]:
    return [
        pack.trees[use.path]
        for use in workflow.files
        if use.path in pack.trees
        and use.role not in _USED_UP
        and not (use.role == "entry" and pack.trees[use.path].reader == "yaml")
    ]


def _words(tree: Tree, leaf: Leaf, text: str, names: re.Pattern[str]) -> Words:
    """Return the words of a unit; those of a sentence that need not be said are loose."""
    said = words_of(tree, leaf, names, text)
    if said.all and dialogue(text):
        said = _without_persons(said)
    pieces = sentences(text) if leaf.kind not in ("tag", "comment") else []
    needless = [bool(custom(one)) or NONE_SET in one for one in pieces]
    if len(pieces) < 2 or not any(needless) or customs(text):
        return said
    found: list[str] = []
    loose: set[int] = set()
    for piece, idle in zip(pieces, needless, strict=True):
        here = _without_persons(marked(piece, names)) if dialogue(piece) else marked(piece, names)
        start = len(found)
        found.extend(here.all)
        loose.update(range(start, len(found)) if idle else (start + one for one in here.loose))
    # Marks are read a little differently in pieces; then the whole counts.
    return Words(tuple(found), frozenset(loose)) if tuple(found) == said.all else said


# Whoever is spoken to, and the small words around them.
_PERSONS = frozenset(
    re.findall(
        r"\w+",
        "a an ask by for from human i me my our please requester the their them they to u user we with you"
        " your",
    )
)


def _without_persons(said: Words) -> Words:
    persons = {number for number, word in enumerate(said.all) if word in _PERSONS}
    return Words(said.all, said.loose | persons) if len(persons | said.loose) < len(said.all) else said


_ONE_NAME = re.compile(r"[\s`*_>-]*\{+([\w.-]+)\}+[/*`_\s]*")


# Settings that name a folder; who runs the build, and in which language, is said otherwise or not at all.
_FOLDER = re.compile(r"\{((?:planning|implementation)_artifacts|output_folder|project_knowledge)\}")


def _in_folders(text: str, values: Mapping[str, str]) -> str:
    """Return a text with the folders that its settings name."""
    return _FOLDER.sub(lambda found: _below_root(values.get(found[1], found[0])), text)


def _below_root(value: str) -> str:
    return value.replace("{project-root}/", "")


def _filled(said: Words, text: str, values: Mapping[str, str]) -> Words:
    """Return the words of a unit; one that is nothing but a name in braces says what that stands for."""
    match = _ONE_NAME.fullmatch(text)
    if match is None or match[1] not in values:
        return said
    return marked(_below_root(values[match[1]]))


def _personas(pack: Pack, workflow: Workflow) -> Iterator[Unit]:
    """Return what the owners of a workflow are and hold to, equal ones once."""
    agents = [
        agent
        for name in dict.fromkeys(owner.agent for owner in workflow.owners)
        if (agent := pack.agent(name))
    ]
    texts = [
        (agent, one) for agent in agents for one in (agent.role, agent.identity, agent.communication_style)
    ]
    texts += [(agent, one) for agent in agents for one in agent.principles]
    texts += [(agent, one) for agent in agents for one in agent.critical_actions]
    seen = set()
    for agent, text in texts:
        said = marked(text)
        if said.all and said.all not in seen:
            seen.add(said.all)
            path, line = _origin(pack, agent, text)
            rows = _rows(text, said)
            yield Unit(None, -1, f"agent:{agent.id}", path, line, "persona", normal(text), said, rows)


def _origin(pack: Pack, agent: Agent, text: str) -> tuple[str, int]:
    start = text.strip().split("\n")[0][:40]
    for path in (agent.origin.path, *agent.files):
        tree = pack.trees.get(path)
        at = -1 if tree is None else tree.text.text.find(start)
        if tree is not None and at >= 0:
            return path, tree.text.position(at)[0]
    return agent.origin.path, agent.origin.line


_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


_JUMP = re.compile(r"(\b[Gg]o on with Step [\w.-]+) \([^()]*\)")


@lru_cache(1 << 14)
def _words_of(line: str) -> tuple[str, ...]:
    # The title is ours, and its words are those of many a heading; so is the name of the next step.
    return () if _TITLE.fullmatch(line) else tuple(words(_JUMP.sub(r"\1", line)))


def _words_by_line(text: str) -> tuple[list[str], list[int]]:
    front = _FRONT_MATTER.match(text)
    skipped = 0 if front is None else text.count("\n", 0, front.end())
    found: list[str] = []
    line_of: list[int] = []
    for number, line in enumerate(text.split("\n")[skipped:], skipped + 1):
        here = _words_of(line)
        found.extend(here)
        line_of.extend([number] * len(here))
    return found, line_of


_RUN = 5


def _in_order(source: Prepared, emitted: Sequence[str], travelling: Container[str]) -> list[_File]:
    """Return the files in the order in which the text says them, found by runs of words of one file only.

    Files that travel as they are need not be said there too.
    """
    first: dict[tuple[str, ...], int] = {}
    last: dict[tuple[str, ...], int] = {}
    for at, run in enumerate(_runs(emitted)):
        first.setdefault(run, at)
        last[run] = at
    holders = Counter(run for file in source.own for run in file.runs)
    ranked: list[tuple[int, int, _File]] = []
    before = 0
    for file in source.own:
        here = [run for run in file.runs if run in first]
        if file.path in travelling and len(here) * 2 <= len(file.runs):
            continue
        # A file that another one holds whole has no run of its own.
        alone = [run for run in here if holders[run] == 1] or here
        before = median_low(first[run] for run in alone) if alone else before
        ranked.append((before, len(ranked), file))
    for file in source.guests:
        # Not every task that is called travels along, and what it shares with the workflow does not tell.
        runs = [run for run in file.runs if run not in holders]
        places = [last[run] for run in runs if run in last]
        if len(places) * 2 > len(runs):
            ranked.append((median_low(places), len(ranked), file))
    return [file for _, _, file in sorted(ranked, key=lambda one: one[:2])]


@lru_cache(1 << 10)
def _all_runs(text: str) -> frozenset[tuple[str, ...]]:
    return frozenset(_runs(words(text)))


def _runs(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(said[offset:] for offset in range(_RUN)), strict=False)


def _settle(unit: Unit, places: Sequence[int], least: float = SAID) -> None:
    """Note how much of a unit the text has, whether that is enough, and what must not be absent but is."""
    share, chosen = _share(unit.words, places)
    if share < least and unit.share:
        return
    unit.share = share
    unit.places = tuple(chosen.values())
    unit.place = min(unit.places, default=NOWHERE)
    unit.said = unit.share >= least
    if (
        least == SAID
        and not unit.said
        and unit.share >= TRACED
        and (dialogue(unit.text) or ceremony(unit.text))
    ):
        unit.said = True
    elif unit.said and len(chosen) < len(unit.words.all):
        unit.lacks = _lacking(unit, chosen)


def _share(said: Words, places: Sequence[int]) -> tuple[float, dict[int, int]]:
    """Return how much of a unit stands in one stretch of the text, and where its words are there."""
    hits = [(at, place) for at, place in enumerate(places) if place >= 0]
    if not hits:
        return 0.0, {}
    reach = 2 * len(said.all) + 8
    first = 0
    best = (0, 0)
    for last in range(len(hits)):
        while hits[last][1] - hits[first][1] > reach:
            first += 1
        if last - first >= best[1] - best[0]:
            best = (first, last + 1)
    chosen = dict(hits[best[0] : best[1]])
    firm = len(said.all) - len(said.loose)
    loose = sum(at in said.loose for at in chosen)
    # Of paths and names alone little may be left, but something is.
    share = len(chosen) / (firm + loose) if firm else 1.0
    return share, chosen


_NEGATIONS = frozenset(
    ("not", "never", "no", "without", "cannot", "dont", "forbidden", "nothing", "none", "neither", "nor")
)


def _lacking(unit: Unit, chosen: Mapping[int, int]) -> str:
    """Return a negation or a number of a unit that the text does not have, or nothing."""
    for at, word in enumerate(unit.words.all):
        hard = word in _NEGATIONS or word.isdigit()
        if hard and at not in chosen and at not in unit.words.loose:
            return "" if dialogue(unit.text) else word
    return ""


_FEWEST = 4
_SLACK = 12


def _elsewhere(
    units: Sequence[Unit], emitted: Sequence[str], line_of: Sequence[int], heads: Container[int]
) -> set[int]:
    """Look for units that were not found in their order among the words that no other unit has used.

    Returns the places of all words that are used.
    """
    used: set[int] = set()
    sizes = Counter(line_of)
    for unit in units:
        if unit.said:
            used.update(unit.places)
    pairs: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at in range(len(emitted) - 1):
        if at not in used and at + 1 not in used:
            pairs[emitted[at], emitted[at + 1]].append(at)
    for unit in units:
        said = unit.words.all
        if unit.said or len(said) - len(unit.words.loose) < _FEWEST:
            continue
        found: dict[int, int] = defaultdict(int)
        for offset, pair in enumerate(pairwise(said)):
            for at in pairs.get(pair, ()):
                found[at - offset] += 1
        for start in sorted(found, key=lambda one: (-found[one], one))[:3]:
            low = max(0, start - _SLACK)
            window = [
                at for at in range(low, min(len(emitted), start + len(said) + _SLACK)) if at not in used
            ]
            here = align(said, [emitted[at] for at in window])
            moved = [NOWHERE if one == NOWHERE else window[one] for one in here]
            share, chosen = _share(unit.words, moved)
            whole = _is_line(list(chosen.values()), line_of, sizes)
            if share >= MOVED and whole and _is_there(unit, chosen.values(), line_of, heads):
                _settle(unit, moved)
                unit.moved = True
                used.update(one for one in moved if one >= 0)
                break
    return used


def _is_line(places: Sequence[int], line_of: Sequence[int], sizes: Mapping[int, int]) -> bool:
    """Tell whether words make up a good part of their lines, and are not just found in them."""
    return len(places) * 3 >= sum(sizes[line] for line in {line_of[place] for place in places})


def _is_there(unit: Unit, places: Iterable[int], line_of: Sequence[int], heads: Container[int]) -> bool:
    """Tell whether a heading is found in a heading: elsewhere its words only name it."""
    is_step = (
        unit.kind == "tag" and unit.tree is not None and unit.tree.blocks[unit.leaf.block].name == "step"
    )
    if unit.kind != "heading" and not is_step:
        return True
    return any(line_of[place] in heads for place in places)


# The words in which a text says what it makes of a question, a menu or a wait.
_FORMS = frozenset(
    ("choose", "choice", "chose", "chosen", "decide", "decision", "halt", "requester", "default", "weigh")
)
_FORMS_OUT = frozenset(("find", "work"))
# How many words may stand between the neighbours of a unit that is looked for there: whole, or by its form.
_FARTHEST = 800
_FAR = 120
# What a unit is said by may be shorter, but not as a mere name is.
_SHORTEST = 5


def _at_its_place(
    units: Sequence[Unit],
    used: set[int],
    emitted: Sequence[str],
    line_of: Sequence[int],
    heads: Container[int],
) -> None:
    """Look for units between what stands before and behind them, in words that no other unit accounts for.

    There stand the words that were taken for those of a unit that is not said; or a line with a word of the
    classed forms; or, where a unit is nothing but a name, whatever that stands for.
    """
    behind = len(emitted)
    following = []
    for unit in reversed(units):
        following.append(behind)
        if unit.said and not unit.moved:
            behind = unit.place
    before = 0
    sizes = Counter(line_of)
    for unit, high in zip(units, reversed(following), strict=True):
        if unit.said:
            before = before if unit.moved else unit.place
            continue
        if high - before > _FARTHEST:
            continue
        free = [at for at in range(before, high) if at not in used]
        if not free:
            continue
        here = align(unit.words.all, [emitted[at] for at in free])
        places = [NOWHERE if one == NOWHERE else free[one] for one in here]
        share, chosen = _share(unit.words, places)
        if share >= SAID and _is_there(unit, chosen.values(), line_of, heads):
            _settle(unit, places)
            used.update(one for one in places if one >= 0)
            before = unit.place
            continue
        if high - before > _FAR + 2 * len(unit.words.all):
            continue
        any_word = len(unit.words.loose) == len(unit.words.all)
        if not (any_word or dialogue(unit.text) or ceremony(unit.text)):
            continue
        lines: dict[int, list[int]] = defaultdict(list)
        for at in free:
            lines[line_of[at]].append(at)
        for line, places in lines.items():
            # A line of which another unit has a word is that unit's, with our words in it.
            if (
                len(places) == sizes[line]
                and sizes[line] * _SHORTEST >= len(unit.words.all)
                and _is_there(unit, places, line_of, heads)
                and (any_word or _is_classed([emitted[at] for at in places]))
            ):
                unit.said, unit.place, unit.share = True, places[0], TRACED
                used.update(places)
                before = places[0]
                break


def _is_classed(said: Sequence[str]) -> bool:
    pairs = zip(said, [*said[1:], ""], strict=True)
    return any(word in _FORMS or (word in _FORMS_OUT and after == "out") for word, after in pairs)
