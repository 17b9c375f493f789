"""Finds what must not be left of BMAD, or be taken up by gh-aw, in the Markdown body of a workflow.

One function per kind, in one table; each yields the places at which something of its kind still stands. Like
the detector of dialogue this shares nothing with the passes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple, TypeAlias

from bmadc.ledger.detector import dialogue


class Leftover(NamedTuple):
    """Something that should be gone: its kind, its line from 1, and the words."""

    kind: str
    line: int
    text: str


def leftovers(
    text: str, *, steps: Collection[str] = (), placeholders: Collection[str] = ()
) -> tuple[Leftover, ...]:
    """Return everything in an emitted body that should be gone, by line and kind.

    `steps` are the numbers of the steps that the body has, as they are written there; without any, references
    to steps are not judged. `placeholders` are the names in braces and the labels that may stand.
    """
    body = _Body(text, frozenset(map(_step, steps)), frozenset(placeholders))
    found = [
        Leftover(kind, text.count("\n", 0, start) + 1, " ".join(text[start:end].split()))
        for kind, finder in _FINDERS.items()
        for start, end in finder(body)
    ]
    return tuple(sorted(set(found), key=lambda one: (one.line, one.kind, one.text)))


class _Body(NamedTuple):
    text: str
    steps: frozenset[str]
    placeholders: frozenset[str]


_Place: TypeAlias = tuple[int, int]
_Finder: TypeAlias = Callable[[_Body], Iterator[_Place]]


def _all(pattern: re.Pattern[str]) -> _Finder:
    def find(body: _Body) -> Iterator[_Place]:
        return (match.span() for match in pattern.finditer(body.text))

    return find


# The tags of the instruction language, its checklists and its agents. Marks of documents stay: they are read
# later on.
_TAGS = frozenset(
    (
        *("action", "activation", "anchor", "ask", "check", "check-item", "checklist", "critical"),
        *("execution-notes", "facilitation-guidelines", "goto", "guideline", "halt-condition"),
        *(
            "halt-conditions",
            "handler",
            "invoke-protocol",
            "invoke-task",
            "invoke-workflow",
            "llm",
            "mandate",
        ),
        *("menu-handlers", "persona", "substep", "template-output"),
    )
)
# These names also stand in angle brackets as placeholders, such as `<status>` in the usage of a command: they
# are tags only with attributes, or with their closing tag.
_ALSO_PLACEHOLDERS = frozenset(
    (
        *("flow", "note", "objective", "output", "param", "prompt", "reference", "section", "status"),
        *("step", "task", "workflow"),
    )
)
_TAG = re.compile(r"<(/?)([a-z][a-z-]*)((?:\s[^<>\n]*)?/?)>")
_HTML_SAMPLE = re.compile(r"`[^`\n]*<(?:div|html|body|span|a|p|ul|ol|li|form|button|main|nav)\b[^`\n]*`")


def _tags(body: _Body) -> Iterator[_Place]:
    samples = [match.span() for match in _HTML_SAMPLE.finditer(body.text)]
    for match in _TAG.finditer(body.text):
        closing, name, rest = match.groups()
        placeholder = not closing and not rest and f"</{name}>" not in body.text
        named = name in _TAGS or (name in _ALSO_PLACEHOLDERS and not placeholder)
        if named and not any(start <= match.start() < end for start, end in samples):
            yield match.span()


# Words that send the reader to a file, in the same sentence as its path.
_SENDS = re.compile(
    r"(?i)\b(?:read|load|run|execute|follow|invoke|open|see|use|using|apply|source|import|include|python3?"
    r"|uv run|bash|sh|node|cat|from|per|consult|resolve)\b"
)
# How far before a path its verb is looked for.
_FARTHEST = 300
_PASSES_OVER = re.compile(
    r"(?i)\b(?:exclud|ignor|skip|omit|except|outside|leave out)\w*\b"
    r"|(?:\bnever|\bnot|n['’]t)\s(?:\w+\s){0,2}(?:read|touch|edit|review|include|modify|write|change|commit)\b"
)
_UPSTREAM_PATH = re.compile(
    r"(?<![\w-])\{?_bmad\}?/[\w{}./*-]+"
    r"|\{(?:skill-root|skill_root|installed_path|workflow_path|module_root)\}[\w{}./*-]*"
    r"|\.(?:claude|agents|cursor|codex|github)/(?:skills|commands|agents)/bmad[\w./-]*|\.agents/skills\b[\w./-]*"
)


def _paths(body: _Body) -> Iterator[_Place]:
    for match in _UPSTREAM_PATH.finditer(body.text):
        lead = re.split(r"\n|\. ", body.text[max(0, match.start() - _FARTHEST) : match.start()])[-1]
        # A path below `_bmad/` may be named; what is below a skill's folder is never there.
        mentioned = match.group().startswith("_bmad/") and not _SENDS.search(lead)
        if not mentioned and not _PASSES_OVER.search(lead):
            yield match.span()


_BRACES = re.compile(r"(?<!\$)(?<!\{)\{\{?([^{}\n]*)\}?\}")
_NAME = re.compile(r"[a-z_][a-z0-9_.-]*")


def _braces(body: _Body) -> Iterator[_Place]:
    for match in _BRACES.finditer(body.text):
        name = match.group(1).strip()
        known = name in body.placeholders or match.group() in body.placeholders
        if _NAME.fullmatch(name) and not known and name != "project-root" and name != "else":
            yield match.span()


_STEP_NUMBER = r"\d+(?:\.\d+)?[a-z]?"
_STEPS = re.compile(
    rf"(?i)\bsteps?[ \t]+({_STEP_NUMBER})(?![\w%])"
    rf"(?:\s*(?:[-–—]|to|through|and|or|,)\s*({_STEP_NUMBER})(?![\w%]))?"
    rf"|\bstep-(?:[a-z]-)?({_STEP_NUMBER})(?=[-.`'\"\s,;:)]|$)"
)


def _step(number: str) -> str:
    digits = re.match(r"0*(\d.*)", number.strip().lower())
    return digits.group(1) if digits else number.strip().lower()


def _absent_steps(body: _Body) -> Iterator[_Place]:
    if not body.steps:
        return
    for match in _STEPS.finditer(body.text):
        if any(number and _step(number) not in body.steps for number in match.groups()):
            yield match.span()


# The product's own folders and its labels may be named; a skill or a command may not.
_SKILL = re.compile(r"(?<![\w/.-])(?<!_)bmad-[a-z][a-z0-9-]*(?![\w/])")
_METHOD = "bmad-method"
_COMMAND = re.compile(r"(?<![\w/.`-])`?/bmad[\w:-]*|`\*[a-z][\w-]*(?:[ \t][^`\n]*)?`")


def _skills(body: _Body) -> Iterator[_Place]:
    for match in _SKILL.finditer(body.text):
        before = body.text[max(0, match.start() - 1) : match.start()]
        if match.group() not in body.placeholders and before != "/" and match.group() != _METHOD:
            yield match.span()


def _commands(body: _Body) -> Iterator[_Place]:
    for match in _COMMAND.finditer(body.text):
        if match.group().strip("`") not in body.placeholders:
            yield match.span()


_MENU_CONTEXT = re.compile(r"\[(?:[A-Za-z]|\d|[A-Za-z0-9]{1,9}(?:[/|][A-Za-z0-9]{1,9})+)\]")


def _menus(body: _Body) -> Iterator[_Place]:
    """Give the options of bracket menus, a paragraph at a time: one option alone may be a citation."""
    start = 0
    for paragraph in re.split(r"(\n[ \t]*\n)", body.text):
        if "[" in paragraph:
            for hit in dialogue(paragraph):
                if hit.kind == "offers" and _MENU_CONTEXT.search(paragraph, hit.start, hit.end):
                    yield start + hit.start, start + hit.end
        start += len(paragraph)


_WAITS = re.compile(
    r"(?i)\bwait(?:s|ing)?[\s*]+(?:for|on)[\s*]+(?:(?:the|a|an|explicit|their|any|your|next|further)[\s*]+){0,2}"
    r"(?:user|human|input|reply|response|selection|confirmation)\b"
)

_FINDERS: dict[str, _Finder] = {
    "tag": _tags,
    "project-root": _all(re.compile(r"\{project[-_]root\}")),
    "upstream path": _paths,
    "step file": _all(re.compile(r"(?i)\bstep[\s-]files?\b")),
    "user selects": _all(re.compile(r"(?i)\b(?:user|human)[\s*]+(?:explicitly[\s*]+)?select(?:s|ed|ing)?\b")),
    "waits": _all(_WAITS),
    "menu": _menus,
    "braces": _braces,
    "handlebars": _all(re.compile(r"\{\{[ \t]*(?:[#/^][^}\n]*|else\b[^}\n]*|if\b[^}\n]*)\}\}|\{else\}")),
    "render token": _all(re.compile(r"\{\{\.[\w.]+\}\}")),
    "snapshot": _all(re.compile(r"\[\[bmad-snapshot:[^\]\n]*(?:\]\])?")),
    "absent step": _absent_steps,
    "command": _commands,
    "skill": _skills,
    "expression": _all(re.compile(r"\$\{\{")),
    "include": _all(re.compile(r"(?m)^[ \t]*@(?:include|import)\b[^\n]*|^\{\{#(?:runtime-)?import\b[^\n]*")),
    "agent heading": _all(re.compile(r"(?mi)^##[ \t]+(?:agent|skill):[^\n]*")),
    "comment": _all(re.compile(r"<!--")),
}

KINDS: tuple[str, ...] = tuple(_FINDERS)
