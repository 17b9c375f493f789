"""Names in braces and names of files: constants are put in, files are called what they are in the output.

What only a run can know keeps its braces. A constant may be made of others, up to a few levels deep.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bmadc.machine.config import AGENT_CONFIG_PATH
from bmadc.passes.context import FILES, Context, Target
from bmadc.passes.names import renamed
from bmadc.passes.rules import Edit
from bmadc.passes.sheet import Sheet, has_words

_TOKEN = re.compile(
    r"\{\s*\{?\s*\.?(?P<name>[A-Za-z_][\w.\\-]*)\s*\}?\s*\}(?P<key>:[a-z_]+)?|\[\[bmad-snapshot:(?P<file>[^\]]+)\]\]"
)
_ROOT = re.compile(r"\{\{?project[-_]root\}?\}(/?)")
_CONFIG = re.compile(r"_?bmad/[\w./{}-]*config(?:\.user)?\.(?:yaml|toml)")
_DEPTH = 5
_STEP_NAME = re.compile(
    r"(?<![\w/-])[`\"']*(?P<name>step-\d+[a-z]?-(?P<slug>[a-z][\w-]*?))(?:\.md)?[`\"']*(?![\w/-])"
)
_RELATIVE = re.compile(r"`(?P<path>[a-z][\w-]*/[\w.-]+\.(?:md|csv))`(?: from the skill root)?")
_LISTED = re.compile(r"(?m)(?<=^- )(?:file:)?(?P<path>[a-z][\w-]*/[\w.-]+\.(?:md|csv|html))$")
_MARKS = frozenset(("delimiter", "fence", "rule", "close"))
_HEADING = re.compile(r"#{2,6} (.+)")
_GAP = re.compile(r"\n{3,}")
_ENDINGS = (".md", ".py", ".csv", ".yaml", ".xml", ".html", ".json")

_SIDECAR = re.compile(r"`?(?:\{\{?project[-_]root\}?\}/)?_bmad/_memory/[\w-]+-sidecar/([\w-]+\.md)`?")

_UPSTREAM = re.compile(
    r"(?:\{\{?[\w-]+\}?\}/)?_?bmad/(?:[\w.-]+/)*"
    r"(?:(?P<folder>[\w-]+)/workflow\.(?:md|xml|yaml)|tasks/(?P<task>[\w-]+)\.(?:md|xml))"
)

MANIFEST = "Agent Manifest"
"""The section that lists all agents of the release, where a text asks for their table."""
_MANIFEST = re.compile(
    r"`?(?:\{\{?project[-_]root\}?\}/)?_bmad/_config/agent-manifest\.csv`?"
    r"|`?\{\{?agent_manifest(?:_path)?\}?\}`?|`agent-manifest\.csv`"
    r"|`[^`\n]*resolve_config\.py[^`\n]*--key agents`(?: \(merges four layers[^)]*\))?"
)

# Upstream's slips of the pen, and names that one release still uses after another one dropped them.
ALIASES: dict[str, str] = {
    "product_knowledge": "project_knowledge",
    "communication-language": "communication_language",
    "main_config": "config_source",
    "part\\*id": "part_id",
}

# Settings that are no text of the output: the frame says what they are for.
SPOKEN = frozenset(("user_name",))

# Plain words, of which a leaf has one where there is something to edit.
_BRACES = ("{", "[[")
_MANIFESTS = ("agent-manifest", "agent_manifest", "resolve_config.py")
_SIDECARS, _STEPS, _INSTALLED = "-sidecar/", "step-", "bmad/"

_VERB = re.compile(
    r"(?i)(?:\b(?:immediately|then|now|again)\s+)?"
    r"(?<![\w-])(?P<verb>read\s+fully\s+and\s+(?:follow|execute)|read\s+(?:the\s+)?(?:entire|complete|full(?:y)?)?"
    r"(?:\s*(?:file|step file))?,?\s*(?:and|then)\s*(?:follow|execute)|load,?\s*read\s+(?:the\s+)?"
    r"(?:entire|full|complete)?\s*(?:file|step file)?,?\s*(?:and\s+|then\s+|and\s+then\s+)*"
    r"(?:follow|execute)|load\s+and\s+(?:follow|execute|read)|load|read|execute|follow|use|invoke|run|proceed\s+to|continue\s+(?:to|with)|"
    r"go\s+to|route\s+to|return\s+to|jump\s+to|branch\s+to|open)"
    r"(?:\s+(?:fully|completely))?(?:\s+the)?(?:\s+(?:next\s+)?(?:step|workflow|task|skill|file|skill file))?"
    r"(?:\s+(?:file|at|from|in|of))?\s*:?\s*[`\"'(*\[]*$"
)


def edits_of(context: Context, sheet: Sheet) -> Iterator[Edit]:
    """Return the edits that put constants in and call files by their names in the output."""
    own = _own_values(sheet)
    yield from _manifest(sheet)
    yield from _sidecars(sheet)
    yield from _moved_steps(context, sheet)
    yield from _upstream(context, sheet)
    silent = _MARKS if sheet.tree.path in context.documents else _MARKS | {"entry"}
    leaves = sheet.tree.leaves
    for number in sheet.with_any(_BRACES):
        if leaves[number].kind not in silent:
            yield from _tokens(context, sheet, number, own)
    for number in sheet.facts:
        if leaves[number].kind not in silent:
            yield from _paths(context, sheet, number)


def is_quiet(sheet: Sheet) -> bool:
    """Whether a text holds none of the words that are looked for, whichever workflow it is in."""
    return not sheet.facts and not sheet.with_any((*_BRACES, *_MANIFESTS, _SIDECARS, _STEPS, _INSTALLED))


def _moved_steps(context: Context, sheet: Sheet) -> Iterator[Edit]:
    """Return an edit for each name of a step file that got another number upstream."""
    numbers = sheet.with_hint(_STEPS)
    if not numbers:
        return
    names = {
        step.origin.path.rpartition("/")[2].removesuffix(".md"): context.targets[step.origin.path].name
        for step in context.workflow.steps
        if step.form == "file" and step.origin.path in context.targets
    }
    if not names:
        return
    text = sheet.tree.text.text
    for number in numbers:
        leaf = sheet.tree.leaves[number]
        if leaf.kind == "entry":
            continue
        for found in _STEP_NAME.finditer(text, leaf.start, leaf.end):
            same = [name for one, name in names.items() if one.endswith(f"-{found['slug']}")]
            if found["name"] not in names and len(same) == 1:
                yield Edit(found.start(), found.end(), same[0], "includes.moved-step")


def _manifest(sheet: Sheet) -> Iterator[Edit]:
    """Return an edit for each place that names the table of agents that only an installation has."""
    for hint in _MANIFESTS:
        for number in sheet.with_hint(hint):
            leaf = sheet.tree.leaves[number]
            if leaf.kind != "entry":
                for found in _MANIFEST.finditer(sheet.tree.text.text, leaf.start, leaf.end):
                    yield Edit(found.start(), found.end(), f"“{MANIFEST}”", "includes.manifest")


def _sidecars(sheet: Sheet) -> Iterator[Edit]:
    """Return an edit for each place that names a file that an agent keeps for itself."""
    for number in sheet.with_hint(_SIDECARS):
        leaf = sheet.tree.leaves[number]
        for found in _SIDECAR.finditer(sheet.tree.text.text, leaf.start, leaf.end):
            yield Edit(found.start(), found.end(), f"“{in_words(found[1])}”", "includes.sidecar")


def in_words(name: str) -> str:
    """Return the name of a file as a title."""
    return name.removesuffix(".md").replace("-", " ").title()


def resolved(context: Context, value: str, own: dict[str, str] | None = None) -> str:
    """Return a value with every constant in it put in."""
    for _ in range(_DEPTH):
        changed = _TOKEN.sub(lambda found: _constant(context, found, own or {}) or found[0], value)
        changed = _ROOT.sub("", changed)
        if changed == value:
            break
        value = changed
    return value


def _tokens(context: Context, sheet: Sheet, number: int, own: dict[str, str]) -> Iterator[Edit]:
    text = sheet.tree.text.text
    kind, start, end, _ = sheet.tree.leaves[number]
    facts = sheet.facts.get(number, ())
    below: dict[str, str] = {}
    for found in _TOKEN.finditer(text, start, end):
        first, last = found.span()
        name = found["name"] or ""
        filled = next(
            (fact.target for fact in facts if fact.kind == "fills" and fact.value == found[0]), None
        )
        target = _target_of(context, sheet, name or found["file"], own)
        if target is not None:
            yield _named(text, start, end, first, last, target)
        elif filled is not None and (named := _target_of_value(context, filled)) is not None:
            yield _named(text, start, end, first, last, named)
        elif filled is not None:
            put = renamed(context, _shipped_paths(context, resolved(context, filled, own)))
            put = _prompts_quoted(put)
            if "\n" in put and _stands_in_sentence(text, start, end, first, last):
                edit, called = _listed(text, start, found)
                yield edit
                if called:
                    below[called] = put
                continue
            if put != filled.strip("`") and (put.startswith("- ") or "`" in put or "\n" in put):
                # Several values, or one that has code in it, are no code themselves.
                quoted = text[first - 1 : first] == "`" == text[last : last + 1]
                first, last = first - quoted, last + quoted
            yield Edit(first, last, _fitting(text, start, first, put), "variables.filled")
        elif name in ("project-root", "project_root"):
            slash = text[last : last + 1] == "/"
            config = _CONFIG.match(text, last + 1, end) if slash else None
            if config:
                yield Edit(first, config.end(), AGENT_CONFIG_PATH, "variables.constant")
                continue
            if slash and text[last + 1 : last + 2] == "`":
                # The prefix of paths itself, not a path.
                yield Edit(first, last + 1, "./", "variables.root")
                continue
            coded = text.count("`", start, first) % 2 or kind == "code"
            here = "." if coded else "the repository's root"
            yield Edit(first, last + slash, "" if slash else here, "variables.root")
        elif name in SPOKEN:
            yield Edit(first, last, "the requester", "variables.person")
        elif (value := _constant(context, found, own)) is not None:
            whole = _settled(resolved(context, value, own))
            if whole.startswith("the ") and text[max(start, first - 4) : first].lower() == "the ":
                whole = whole.removeprefix("the ")
            rule = "variables.alias" if name in ALIASES else "variables.constant"
            yield Edit(first, last, whole, rule)
    if below:
        lists = [put if len(below) == 1 else f"The {called}:\n\n{put}" for called, put in below.items()]
        # The last sign of the leaf is put again, since an edit has to hold something.
        said = "\n\n".join((text[end - 1 : end], *lists))
        yield Edit(end - 1, end, said, "variables.filled")


def _prompts_quoted(value: str) -> str:
    """Return a value in which what is said to somebody else is a quotation, and what heads it no heading."""
    lines: list[str] = []
    quoted = False
    for line in value.split("\n"):
        heading = _HEADING.fullmatch(line)
        if heading:
            quoted = False
            while lines and lines[-1] in ("", ">"):
                lines.pop()
            lines += [*([""] if lines else []), f"**{heading[1]}**"]
        elif quoted and not line.startswith(">"):
            # The blank lines between the order and the prompt are not part of it.
            lines.append(f"> {line}".rstrip() if line or lines[-1].startswith(">") else "")
        else:
            lines.append(line)
            if line.rstrip().endswith("with this prompt:"):
                quoted = True
                lines.append("")
    while lines and lines[-1] == ">":
        lines.pop()
    return _GAP.sub("\n\n", "\n".join(lines))


def _stands_in_sentence(text: str, start: int, end: int, first: int, last: int) -> bool:
    """Whether the same line goes on behind a value: a list there would cut the sentence in two."""
    stop = text.find("\n", last, end)
    rest = text[last : end if stop < 0 else stop]
    line = text.rfind("\n", start, first) + 1
    return has_words(text[max(line, start) : first]) and bool(rest.strip("`\"'*) "))


def _listed(text: str, start: int, found: re.Match[str]) -> tuple[Edit, str]:
    """Return the edit that says where the list is that a name stands for, and what the list is called.

    Nothing where the list stands already, because the file named it before.
    """
    first, last = found.span()
    if text[first - 1 : first] == "`" == text[last : last + 1]:
        first, last = first - 1, last + 1
    # Several lists may stand near each other: each is called by its name.
    called = (found["name"] or "").rpartition(".")[2].replace("_", " ")
    above = found[0] in text[:start]
    said = f"the list of {called} {'above' if above else 'below'}"
    if text[max(start, first - 4) : first].lower() == "the ":
        said = said.removeprefix("the ")
    return Edit(first, last, said, "variables.filled"), "" if above else called


def _shipped_paths(context: Context, value: str) -> str:
    """Return a value in which files of the workflow are named by where they lie when the agent starts."""
    stem = context.workflow.id.removeprefix("bmad-")
    folder = context.workflow.origin.path.rpartition("/")[0]

    def placed(found: re.Match[str]) -> str:
        there = f"{folder}/{found['path']}" in context.targets
        return f"`{FILES}/{stem}/{found['path']}`" if there else found[0]

    def listed(found: re.Match[str]) -> str:
        target = context.targets.get(f"{folder}/{found['path']}")
        if target is None:
            return found[0]
        return f"“{target.name}”" if target.kind == "section" else f"`{target.name}`"

    return _LISTED.sub(listed, _RELATIVE.sub(placed, value))


def _settled(value: str) -> str:
    """Return a value, or where the project's settings are if it names a file of BMAD's."""
    if _MANIFEST.fullmatch(value):
        return f"“{MANIFEST}”"
    return AGENT_CONFIG_PATH if _CONFIG.fullmatch(value) else value


def _constant(context: Context, found: re.Match[str], own: dict[str, str]) -> str | None:
    name = found["name"] or ""
    if name not in own:
        name = ALIASES.get(name, name)
    key = found["key"]
    if name == "config_source" and key:
        return context.values.get(key[1:])
    if name in ("skill-name", "skill_name"):
        return context.workflow.id
    if name == "nextStepFile" and name not in own:
        return "the step after it"
    if name in ("skill-root", "skill_root"):
        return f"{FILES}/{context.workflow.id.removeprefix('bmad-')}"
    value = own.get(name, context.values.get(name))
    if name == "user_skill_level" and value:
        return "the reader's level"
    if value is None or name in SPOKEN or value in ("", "system-generated", "false", "true"):
        return None
    if f"{{{name}}}" in value or value.endswith(":" + name):
        return dict(context.pack.config).get(name)
    return value + (key or "")


def _own_values(sheet: Sheet) -> dict[str, str]:
    """Return the names that a file's front matter defines for its own text."""
    return {
        name: value
        for name, value in sheet.tree.matter
        if isinstance(value, str) and value and name not in ("name", "description")
    }


def _target_of(context: Context, sheet: Sheet, name: str, own: Mapping[str, str]) -> Target | None:
    """Return what a name stands for, where the front matter or the workflow says that it is a file."""
    if name.endswith(_ENDINGS):
        return _target_at(context, name.removeprefix("./"))
    known = next(
        (context.targets[path] for path in sheet.files.get(name, ()) if path in context.targets), None
    )
    if known is not None:
        return known
    value = context.files.get(name, "") or own.get(name, "")
    if not value.endswith(_ENDINGS):
        return None
    path = resolved(context, value).removeprefix("./")
    return _target_at(context, path) or upstream_target(context, path)


def _target_of_value(context: Context, value: str) -> Target | None:
    """Return the file of the workflow that a customisable value names, if it is nothing but that."""
    if "\n" in value or not value.endswith(_ENDINGS):
        return None
    path = re.sub(r"^(?:file:)?(?:\{skill[-_]root\}/)?(?:\./)?", "", value)
    return None if "{" in path or "*" in path else _target_at(context, path)


def upstream_target(context: Context, path: str) -> Target | None:
    """Return what stands for a path of an installation that names a workflow or a task by its folder or file.

    Upstream renamed folders and left paths behind; the name at the end still says what is meant.
    """
    if "create-prd/steps-v/" in path:
        validation = context.pack.workflow("validate-prd")
        return context.targets.get(validation.origin.path) if validation else None
    found = _UPSTREAM.fullmatch(path)
    workflow = (
        context.pack.workflow((found["folder"] or found["task"]).removeprefix("bmad-")) if found else None
    )
    if workflow is None:
        return None
    return context.targets.get(workflow.id) or context.targets.get(workflow.origin.path)


def _upstream(context: Context, sheet: Sheet) -> Iterator[Edit]:
    """Return an edit for each path of an installation that the tree has no file for."""
    text = sheet.tree.text.text
    for number in sheet.with_hint(_INSTALLED):
        leaf = sheet.tree.leaves[number]
        if leaf.kind != "entry":
            for found in _UPSTREAM.finditer(text, leaf.start, leaf.end):
                target = upstream_target(context, found[0])
                if target is not None:
                    yield _named(text, leaf.start, leaf.end, found.start(), found.end(), target)


def _target_at(context: Context, path: str) -> Target | None:
    """Return the file of the output that a path as an installation has it means."""
    tail = "/" + re.sub(r"^_?bmad/", "", path)
    return next((one for known, one in context.targets.items() if f"/{known}".endswith(tail)), None)


def _paths(context: Context, sheet: Sheet, number: int) -> Iterator[Edit]:
    """Return an edit for each name of a file of the tree in one leaf."""
    text = sheet.tree.text.text
    leaf = sheet.tree.leaves[number]
    for fact in sheet.facts.get(number, ()):
        if fact.kind in ("names", "include") and fact.value and fact.target in context.targets:
            at = text.find(fact.value, leaf.start, leaf.end)
            while at >= 0:
                last = at + len(fact.value)
                if text.startswith("[[bmad-snapshot:", max(0, at - len("[[bmad-snapshot:"))):
                    # The renderer's mark is a name in brackets of its own, and is taken as a whole.
                    at = text.find(fact.value, last, leaf.end)
                    continue
                told = _told_again(text, leaf.start, at, last)
                if told:
                    yield Edit(told[0], told[1], "", "includes.again")
                else:
                    yield _named(text, leaf.start, leaf.end, at, last, context.targets[fact.target])
                at = text.find(fact.value, last, leaf.end)


def _told_again(text: str, start: int, first: int, last: int) -> tuple[int, int] | None:
    """Return the brackets around a path behind the name that already stands for it."""
    before = re.search(r"[}`]`?\s*\(\s*`?$", text[start:first])
    after = re.compile(r"`?\s*\)").match(text, last)
    if before is None or after is None:
        return None
    return start + text.rindex("(", start, first) - start - (
        text[text.rindex("(", start, first) - 1] == " "
    ), after.end()


def _named(text: str, start: int, end: int, first: int, last: int, target: Target) -> Edit:
    """Return the edit that calls a file by its name in the output, with the order in front of it if any."""
    if target.kind == "file":
        return Edit(first, last, target.name, "includes.file")
    if target.kind == "script":
        before = re.search(r"(?:uv run(?: --[\w-]+)*|python3?)\s+\"?$", text[start:first])
        if before:
            return Edit(start + before.start(), last, f"python3 {target.name}", "includes.script")
        return Edit(first, last, target.name, "includes.script")
    if target.kind == "gone":
        return Edit(first, last, target.name, "variables.constant")
    while first > start and text[first - 1] in "`\"'":
        first -= 1
    while last < end and text[last] in "`\"'":
        last += 1
    verb = _VERB.search(text[max(start, first - 120) : first])
    name, rule = target.name, f"includes.{target.kind}"
    if target.kind == "section":
        name = f"“{name}”"
    if verb is None:
        return Edit(first, last, name, rule)
    spoken = verb["verb"].lower()
    begin = max(start, first - 120) + verb.start()
    if target.kind == "step":
        said = f"go on with {name}"
    elif target.kind == "task":
        said = f"carry out {name}"
    elif target.kind == "label":
        said = f"suggest {name.removeprefix('the work of ')}"
    elif spoken.split()[-1] in ("follow", "execute") or spoken.startswith(("follow", "execute")):
        said = f"follow {name}"
    else:
        said = f"{'use' if spoken == 'use' else 'read'} {name}"
    if text[begin : begin + 1].isupper():
        said = said[:1].upper() + said[1:]
    return Edit(begin, last, said, rule)


def _fitting(text: str, start: int, first: int, value: str) -> str:
    """Return a value of several lines so that it stands where its token stood."""
    if "\n" not in value:
        line = text.rfind("\n", 0, first) + 1
        # One entry of a list within a sentence is no list.
        return value.removeprefix("- ") if text[line:first].strip() else value
    line = text.rfind("\n", 0, first) + 1
    alone = not text[line:first].strip()
    indent = text[line:first] if alone else "  "
    joined = value.replace("\n", "\n" + indent)
    return joined if alone else f"\n{indent}{joined}"
