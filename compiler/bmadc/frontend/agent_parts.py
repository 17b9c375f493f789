"""What the readers of agents share: menu items, principles, and the sentences about what is wrong.

One agent may come as the YAML that somebody wrote or as the Markdown that BMAD's installer compiled from it,
and both must give the same agent. So where the installer loses something, the reader of the YAML gives it up
too. What is lost, all of it:

- line breaks and runs of spaces in the persona, in critical actions, memories, targets and descriptions;
- where one principle ends: the installer puts them all on one line. They are parted again before each dash
  that a capital letter or a sign follows; principles from a YAML list, which has no dashes, become one;
- the name of a nested trigger: its code is the first word of what it listens to;
- which icon a faceless agent had: the installer gives it a robot;
- menu items without a trigger, and the targets `validate-workflow` and, since 6.1, `workflow`: the installer
  drops them without a word. Here the YAML's reader keeps the targets, since nothing else would tell of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bmadc.diagnostics import Diagnostic, Span
from bmadc.ir.model import MenuItem, Origin
from bmadc.ir.tree import Tree, normal
from bmadc.source import Text

DEFAULT_ICON = "🤖"

# What a menu item may do; where an item has several, the first of these counts, as in BMAD's own handlers.
KINDS = ("workflow", "exec", "action", "validate-workflow", "tmpl", "skill", "prompt")

_CODE = re.compile(r"\S+")


def text_of(value: object) -> str:
    """Return a scalar as one line of text; nothing, a list or a table is the empty text."""
    if value is None or isinstance(value, bool | Mapping | list):
        return ""
    return normal(str(value))


def texts_of(value: object) -> tuple[str, ...]:
    """Return a list of scalars, or a single one, as lines of text without the empty ones."""
    values = value if isinstance(value, list) else [value]
    return tuple(text for text in map(text_of, values) if text)


def principles_of(value: object) -> tuple[str, ...]:
    """Return the principles of a persona that is written as a list, as lines with dashes, or as prose."""
    text = " ".join(texts_of(value))
    if not text.startswith("- "):
        return (text,) if text else ()
    found: list[list[str]] = []
    for piece in f" {text}".split(" - ")[1:]:
        if found and piece[:1].islower():
            found[-1].append(piece)
        elif piece:
            found.append([piece])
    return tuple(" - ".join(pieces) for pieces in found)


def code_of(trigger: str) -> str:
    """Return the code of a trigger such as `DS or fuzzy match on dev-story`: its first word."""
    found = _CODE.search(trigger)
    return found[0].removeprefix("*") if found else ""


def point(tree: Tree, line: int) -> Span:
    """Return the span of a whole line without its indentation, or of the file where the line is not known."""
    if not 1 <= line <= tree.text.line_count:
        return Span.file(tree.path)
    first, width = _stretch(tree.text, line)
    return Span.point(tree.path, line, first, width)


@lru_cache(maxsize=16)
def _stretch(text: Text, line: int) -> tuple[int, int]:
    # Kept, because a file of one long line would be copied once per finding.
    words = text.line(line)
    start = len(words) - len(words.lstrip())
    return start + 1, max(len(words.rstrip()) - start, 1)


def menu_item(
    tree: Tree, line: int, code: str, given: Mapping[str, str], description: str, data: str
) -> tuple[MenuItem | None, tuple[Diagnostic, ...]]:
    """Return the menu item that has these targets by kind; without a code it is none."""
    found: list[Diagnostic] = []
    kinds = [kind for kind in KINDS if given.get(kind)]
    if not code:
        return None, (_no_code(tree, line),)
    if not kinds:
        found.append(_no_target(tree, line, code))
    elif len(kinds) > 1:
        found.append(_several_targets(tree, line, code, kinds))
    kind = kinds[0] if kinds else ""
    item = MenuItem(code, kind, given.get(kind, ""), description, Origin(tree.path, line), data=data)
    return item, tuple(found)


def menu_findings(tree: Tree, menu: Sequence[MenuItem], prompts: Sequence[str]) -> tuple[Diagnostic, ...]:
    """Return what does not fit together in one menu: codes that stand twice, prompts that are not there."""
    found: list[Diagnostic] = []
    first: dict[str, MenuItem] = {}
    for item in menu:
        before = first.setdefault(item.code.casefold(), item)
        if before is not item:
            found.append(_twice(tree, item, before))
        if item.kind == "action" and item.target.startswith("#") and item.target[1:] not in prompts:
            found.append(_no_prompt(tree, item, prompts))
    return tuple(found)


def not_an_agent(tree: Tree, what: str, expected: str, line: int = 0) -> Diagnostic:
    """Return the diagnostic for a file that should hold an agent and does not."""
    return Diagnostic(
        code="BMC351",
        severity="warning",
        message=f"this agent cannot be read: {what}",
        span=point(tree, line),
        expected=expected,
        why="There is no agent then, and what its menu offers seems to have no owner.",
        help=("Write the missing part, or rename the file if it is no agent.",),
    )


def _no_code(tree: Tree, line: int) -> Diagnostic:
    return Diagnostic(
        code="BMC352",
        severity="warning",
        message="this menu item has no trigger, so nobody can call it",
        span=point(tree, line),
        expected="a trigger or code as its first word, such as `DS`",
        why="BMAD's installer leaves such an item out without a word, and so does bmadc.",
        help=("Give the item a trigger.",),
    )


def _no_target(tree: Tree, line: int, code: str) -> Diagnostic:
    return Diagnostic(
        code="BMC352",
        severity="warning",
        message=f"the menu item {code} leads nowhere",
        span=point(tree, line),
        expected=f"one of {', '.join(KINDS)}",
        why="The agent offers it and has nothing to do when it is chosen.",
        help=("Say what it does, or take it out.",),
    )


def _several_targets(tree: Tree, line: int, code: str, kinds: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="BMC353",
        severity="warning",
        message=f"the menu item {code} has {len(kinds)} targets: {', '.join(kinds)}",
        span=point(tree, line),
        expected="exactly one of them",
        why=f"Which one an agent follows is a guess; bmadc takes {kinds[0]}.",
        help=("Leave one of them, or make two items of it.",),
    )


def _twice(tree: Tree, item: MenuItem, before: MenuItem) -> Diagnostic:
    return Diagnostic(
        code="BMC354",
        severity="warning",
        message=f"the code {item.code} stands twice in this menu",
        span=point(tree, item.origin.line),
        expected=f"a code of its own; {before.code} is on line {before.origin.line}",
        why="Who types the code cannot say which of the two is meant.",
        help=("Give one of the items another code.",),
    )


def _no_prompt(tree: Tree, item: MenuItem, prompts: Sequence[str]) -> Diagnostic:
    return Diagnostic(
        code="BMC355",
        severity="warning",
        message=f"the menu item {item.code} calls the prompt {item.target}, which this agent does not have",
        span=point(tree, item.origin.line),
        expected=f"one of {', '.join(prompts)}" if prompts else "a prompt with this id",
        why="The agent has no text to follow when the item is chosen.",
        help=("Write the prompt, or correct the id behind the #.",),
    )
