"""Names of workflows: a body names no other workflow; what comes next is a label that a person sets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from bmadc.machine.labels import PIPELINE
from bmadc.machine.naming import is_of_the_loop, known_ids
from bmadc.passes.context import HELP, Context, Names, absent
from bmadc.passes.rules import Edit, Rule, by_pass
from bmadc.passes.sheet import SPOKEN, Sheet

_FILES = ("variables.", "includes.")
_ALL = (r".*",)

RULES: tuple[Rule, ...] = tuple(
    by_pass(f"names.{name}", "names", "rewritten", reason, *_FILES, *over, consumes=_ALL)
    for name, reason, over in (
        (
            "label",
            "No workflow starts another one by name: the next step is a label that a person sets.",
            (),
        ),
        ("task", "A task that travels with the workflow is carried out in place.", ()),
        ("self", "A workflow calls itself this workflow.", ()),
        ("command", "Commands of an editor do not exist in a run.", ("names.label",)),
        ("agent", "An agent is called by its title.", ("names.label",)),
        (
            "foreign",
            "A skill of a module that is not here cannot be asked for by a label of this pack.",
            (),
        ),
    )
)

# Agents that a text still names after a release has dropped them.
_FORMER = {"bmad-master": "BMad Master"}

_VERB = (
    r"(?P<verb>(?:re-?)?(?:run|running|invoke|invoking|start|starting|launch|trigger|call|execute|use|using|try|load)"
    r"(?:\s+(?:the|a|an))?(?:\s+(?:skill|workflow|task|command))?:?\s+)?"
)
_NOUN = r"(?P<noun>\s+(?:workflow|skill|task|command|agent|agents)(?!\w))?"
_COMMAND = re.compile(
    r"(?P<verb>\b(?:run|use|invoke|try)\s+)?(?<![\w/.}>])(?:`/(?:bmad[\w:-]*|clear|compact)`|/(?:bmad[\w:-]*|clear|compact)(?!\w|/))"
)
_STARRED = re.compile(r"`\*(?P<word>[a-z][a-z-]+)`")
_SKILL = re.compile(r"`bmad-(?P<stem>[a-z0-9][a-z0-9-]*)`")
_LAST = re.compile(r":([a-z][a-z-]*)`?$")
_COMMANDS = ("/bmad", "/clear", "/compact")
_STAR = "`*"
# A label and no skill; other labels share their names with skills of some release.
_MARK = PIPELINE.name.removeprefix("bmad-")
_LOADED = frozenset(("code",)) | SPOKEN


@lru_cache(maxsize=16)
def _hints(names: Names) -> tuple[str, ...]:
    """Return plain words of which a leaf that names a workflow has one."""
    return ("bmad-", *sorted(names.stems - names.everyday), *(f"`{one}`" for one in sorted(names.everyday)))


@lru_cache(maxsize=16)
def _pattern(names: Names) -> re.Pattern[str]:
    """Return what finds ids: those with a prefix or a hyphen anywhere, words of every day only as code.

    Stars right behind a backtick are those of a pattern for files, and its words name no workflow.
    """
    sharp = sorted(names.stems - names.everyday, key=lambda one: (-len(one), one))
    words = sorted(names.everyday, key=lambda one: (-len(one), one))
    any_id = "|".join(map(re.escape, sharp))
    word = "|".join(map(re.escape, words)) or "(?!)"
    return re.compile(
        rf"(?i){_VERB}(?:_bmad/[\w/-]+/(?P<folder>{any_id})(?![\w./-])|(?<!`)(?P<tick>[`\"'*]+)\*?/?(?P<quoted>(?:bmad-)?(?:validate-)?(?:{any_id}|{word}))(?P=tick)"
        rf"|(?<![\w/.{{-])\*?/?(?P<bare>bmad-(?:{any_id}|{word})|(?:validate-)?(?:{any_id}))(?![\w/}}-]|\.\w)){_NOUN}"
    )


def edits_of(context: Context, sheet: Sheet) -> Iterator[Edit]:
    """Return the edits that take the names of workflows and commands out of a file."""
    names = context.names
    text = sheet.tree.text.text
    # Most files name few workflows, so looking for the plain words first spares the pattern.
    for number in sheet.with_any(_hints(names)):
        leaf = sheet.tree.leaves[number]
        if leaf.kind in _LOADED:
            for found in _pattern(names).finditer(text, leaf.start, leaf.end):
                if _is_named(found, names.everyday):
                    edit = _edit(context, found)
                    # By its heading a part is found again; only an id must not stand there.
                    if edit.rule != "names.self" or leaf.kind != "heading" or "bmad-" in found[0].lower():
                        yield edit
    for word in _COMMANDS:
        for number in sheet.with_hint(word):
            leaf = sheet.tree.leaves[number]
            if leaf.kind in _LOADED:
                for found in _COMMAND.finditer(text, leaf.start, leaf.end):
                    yield Edit(found.start(), found.end(), _commanded(context, found), "names.command")
    yield from _agents(context, sheet)
    yield from _foreign(context, sheet)
    for number in sheet.with_hint(_STAR):
        leaf = sheet.tree.leaves[number]
        for found in _STARRED.finditer(text, leaf.start, leaf.end):
            if found["word"].removeprefix("validate-") in names.stems:
                continue
            yield Edit(found.start(), found.end(), f"`{found['word']}`", "names.command")


def is_quiet(context: Context, sheet: Sheet) -> bool:
    """Whether a text holds none of the words that are looked for, whichever workflow of the pack it is in."""
    # The ids of agents begin as those of workflows do.
    return not sheet.with_any((*_hints(context.names), *_COMMANDS, _STAR))


def _commanded(context: Context, found: re.Match[str]) -> str:
    """Return what stands for a command: the work or the label of the workflow that its last word names."""
    named = _LAST.search(found[0])
    label = context.labels.get(named[1], "") if named else ""
    if label and is_of_the_loop(label):
        work = task_name_of(named[1]) if named else ""
        return f"let the pipeline run the {work}" if found["verb"] else f"the {work} of the pipeline"
    said = f"the label `{label}`" if label else "a label"
    return f"suggest {said}" if found["verb"] else said


def _is_named(found: re.Match[str], everyday: frozenset[str]) -> bool:
    """Whether a match names a workflow: a word of every day as code may be a status or a value."""
    told = bool(found["verb"] or found["noun"] or found["folder"])
    if found["bare"]:
        # Without its prefix an id may be part of the name of a document.
        return told or found["bare"].lower().startswith("bmad-")
    return told or (found["quoted"] or "").lower() not in everyday


def renamed(context: Context, text: str) -> str:
    """Return a value of a setting with the names of workflows taken out, as in a file."""
    text = re.sub(r"\bskill:(?=bmad-)", "", text)

    def said(found: re.Match[str]) -> str:
        return _edit(context, found).text if _is_named(found, context.names.everyday) else found[0]

    return _pattern(context.names).sub(said, text)


def _foreign(context: Context, sheet: Sheet) -> Iterator[Edit]:
    """Return an edit for each skill that is named as code and is none of this release."""
    numbers = sheet.with_hint("`bmad-")
    if not numbers:
        return
    known = {one.id for one in context.pack.workflows} | {one.id for one in context.pack.agents}
    for number in numbers:
        leaf = sheet.tree.leaves[number]
        if leaf.kind in _LOADED:
            for found in _SKILL.finditer(sheet.tree.text.text, leaf.start, leaf.end):
                stem = found["stem"]
                ours = f"bmad-{stem}" in known or stem in known_ids() or stem == _MARK
                if not ours and f"bmad-{stem}" not in _FORMER:
                    yield Edit(found.start(), found.end(), f"`{stem}` (of another module)", "names.foreign")


def _agents(context: Context, sheet: Sheet) -> Iterator[Edit]:
    """Return an edit for each place that names an agent by its id."""
    for agent in context.pack.agents:
        if not agent.id.startswith("bmad-") or agent.id in _FORMER:
            continue
        for number in sheet.with_hint(agent.id):
            leaf = sheet.tree.leaves[number]
            pattern = re.compile(rf"`?(?<![\w/]){re.escape(agent.id)}(?![\w-])`?")
            for found in pattern.finditer(sheet.tree.text.text, leaf.start, leaf.end):
                yield Edit(found.start(), found.end(), agent.title or agent.name, "names.agent")
    for id_, title in _FORMER.items():
        for number in sheet.with_hint(id_):
            leaf = sheet.tree.leaves[number]
            for found in re.finditer(rf"`?{id_}`?", sheet.tree.text.text[leaf.start : leaf.end]):
                yield Edit(leaf.start + found.start(), leaf.start + found.end(), title, "names.agent")


def _edit(context: Context, found: re.Match[str]) -> Edit:
    own = {context.workflow.id.removeprefix("bmad-"), *context.workflow.aliases}
    written = (found["folder"] or found["quoted"] or found["bare"]).lower()
    stem = written.removeprefix("bmad-").removeprefix("validate-")
    verb = (found["verb"] or "").strip()
    start, end = found.span()
    target = context.targets.get(f"bmad-{stem}") or context.targets.get(stem)
    if stem in own or written in own:
        said, rule = "this workflow", "names.self"
    elif target is not None and target.kind == "task":
        said, rule = f"{'carry out ' if verb else ''}{target.name}", "names.task"
    elif stem == "help":
        said, rule = HELP, "names.label"
    elif stem == "customize":
        said, rule = "customising BMAD in an editor", "names.label"
    else:
        label = context.labels.get(stem, "")
        rule = "names.label"
        if not label:
            said, rule = absent(stem), "names.foreign"
        elif is_of_the_loop(label):
            work = task_name_of(stem)
            said = f"let the pipeline run the {work}" if verb else f"the {work} of the pipeline"
        else:
            suggest = "suggesting" if re.search(r"ing\b", verb) else "suggest"
            said = f"{suggest} the label `{label}`" if verb else f"the work of the label `{label}`"
    if not verb and found["noun"] and rule == "names.task":
        said += found["noun"]
    if found[0][:1].isupper():
        said = said[:1].upper() + said[1:]
    return Edit(start, end, said, rule)


def task_name_of(stem: str) -> str:
    """Return an id in words."""
    return stem.replace("-", " ")
