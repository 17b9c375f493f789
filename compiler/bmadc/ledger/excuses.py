"""Which units of a source no text need say, told from the source alone, before any text is looked at.

A unit is excused if it speaks of nothing but the talking (`customs`), if it belongs to an answer that no run
gives, or if it heads a section of which nothing else is left. Whatever is not excused has to be found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from bmadc.ir.tree import CONTENT, Block, Tree, normal
from bmadc.ledger.customs import NONE_SET, customs

OVER_NOTHING = "stands over nothing"
CHOICE = "a person's choice"
BY_PLACE = (OVER_NOTHING, CHOICE, "settings")
"""These hold at one place and not at another, so equal units elsewhere tell nothing."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that has one answer where no person is: its first words, and that answer."""

    begins: str
    answer: str


ANSWERED: tuple[Answered, ...] = (
    Answered("what should i do with these", "2"),
    Answered("choose option [1], [2], [3]", "1"),
    Answered("what would you like to do? choose", "1"),
    Answered("do you approve this sprint change", "yes"),
)

# What a customised value is that nobody set.
_EMPTY = ("", "_None._")
_OF_GREETING = re.compile(r"^#+ (?:\d+\. )?greet and ask\b")
_ASKS = re.compile(r"(?:.*\? )?(?:choose|select|pick)\b")
_OF_CHOICE = re.compile(r"\b(?:user|choice)\b|^(?:yes|no)\b")
_NUMBERED = re.compile(r"(\d+)[.)]\s")


def excuses(tree: Tree, said: Collection[int], fills: Mapping[int, Mapping[str, str]]) -> dict[int, str]:
    """Return the units of a file that need not be said, by the number of their leaf, each with its reason.

    `said` are the leaves with words, `fills` what stands for the names of settings in a leaf.
    """
    found: dict[int, str] = {}
    behind = ""
    for number in sorted(said, reverse=True):
        kind = tree.leaves[number].kind
        text = with_settings(normal(tree.slice(tree.leaves[number])), fills.get(number, {}))
        # What introduces a value that is empty introduces nothing.
        introduces = behind == NONE_SET and text.endswith(":") and kind == "paragraph"
        why = customs(behind if introduces else text) if kind not in ("heading", "tag") else ""
        if why or (kind == "heading" and _OF_GREETING.search(text.lower())):
            found[number] = why or "greetings"
        behind = text
    for number in _answered(tree):
        if number in said:
            found.setdefault(number, CHOICE)
    # From the inner sections to the outer ones, so that a section of empty sections is empty too.
    for number in sorted(said, reverse=True):
        if number not in found and tree.leaves[number].kind in ("heading", "tag"):
            inner = [one for one in _below(tree, number) if one in said]
            if inner and all(one in found for one in inner):
                found[number] = OVER_NOTHING
    return found


def with_settings(text: str, fills: Mapping[str, str]) -> str:
    """Return a text in which the names of settings that are empty are told from others."""
    for name, value in fills.items():
        if value in _EMPTY:
            text = text.replace(name, NONE_SET)
    return text


def _answered(tree: Tree) -> Iterator[int]:
    """Return the leaves that belong to the other answers, and what only asks for one."""
    for block in tree.blocks:
        if block.kind != "tag" or block.name != "ask":
            continue
        inner = [one for one in range(block.first + 1, block.last) if tree.leaves[one].kind in CONTENT]
        one = next((_plain(tree, number) for number in inner if _plain(tree, number)), "")
        known = next((known for known in ANSWERED if one.startswith(known.begins)), None)
        if known is None:
            continue
        asked = [number for number in inner if _is_asked(tree, number, known)]
        yield from asked
        if len(asked) == len(inner):
            yield block.first
        yield from _arms(tree, block, known)


def _is_asked(tree: Tree, number: int, known: Answered) -> bool:
    text = _plain(tree, number)
    option = _NUMBERED.match(text)
    if option is not None:
        return option[1] != known.answer
    return tree.leaves[number].kind == "paragraph" and _ASKS.match(text) is not None


def _arms(tree: Tree, asked: Block, known: Answered) -> Iterator[int]:
    for arm in tree.blocks:
        if arm.kind != "tag" or arm.parent != asked.parent or arm.first < asked.last:
            continue
        condition = (arm.attribute("if") or "").lower()
        if not _OF_CHOICE.search(condition):
            continue
        if re.search(rf"(?<!\w){re.escape(known.answer)}(?!\w)", condition):
            # This arm is taken, and then its condition goes.
            yield arm.first
        else:
            yield from range(arm.first, arm.last)


def _plain(tree: Tree, number: int) -> str:
    return " ".join(re.sub(r"[*_`\"“”]", "", tree.slice(tree.leaves[number]).lower()).split())


def _below(tree: Tree, number: int) -> range:
    block = tree.blocks[tree.leaves[number].block]
    return range(number + 1, block.last) if block.first == number else range(0)
