"""Options of menus: where a sign in brackets stands for a choice, and what the choice is called.

A bracket with one letter is often something else: a box to tick, a source, a number still to be filled in.
It is an option where it begins a line or follows another option, and is followed by a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bmadc.passes.rules import Place
from bmadc.passes.sheet import SPOKEN, Sheet

# Menus that are shown stand in fences as often as in prose.
SHOWN: frozenset[str] = SPOKEN | {"code"}

_SIGN = re.compile(
    r"(?<![\w\]!])(?P<stress>\*\*)?(?P<tick>`)?\[(?:(?P<letter>[A-Za-z]|\d)[\])]|(?P<word>[A-Z][a-z]+)\])"
    r"(?(tick)`|)(?(stress)\*\*|)(?![(\[:\w`])"
)
_NAME = re.compile(r"\**[ \t]*(?:[-–—:=][ \t]*)?(?:to[ \t]+)?[\"'*]*(?P<name>[A-Z][\w'’-]*|[a-z]+)")
_LINE = re.compile(r"(?:[>\s]*(?:[-*+]|\d+[.)]))?[\s*>\"“'`]*$")
_INTRO = re.compile(
    r"(?i)(?:\b(?:select|choose|pick|options?|next steps|menu|complete!)[^\n\[\]]{0,20}[:?!]|\?)[\s*\"“'`]*$"
)
_NO_OPTION = re.compile(r"(?i)\**[ \t]*(?:\w+[ \t]+)?options?\b")
_EXAMPLE = re.compile(r"(?i)\b(?:example|sample|template|e\.g\.)[^\n]{0,30}$")
_BOX = re.compile(r"(?:[-*+]|\d+[.)])[ \t]+$")
_LABEL_END = re.compile(r"\s[-–—]\s|\s*\(|[\n\"“”`:,;?!|]|\s/|\s*\[|\.(?:\s|$)|(?<=Continue)\sto\s")
_GOING_ON = re.compile(r"(?i)(?:continue|complete|proceed|done|finish)\b")
_SURE = re.compile(r"(?i)(?:continue|complete|proceed|done|finish|quit)\b")
# Options that have lists of their own below them stand this many leaves apart at most.
_NEAR = 10
# What the letters stand for where a file uses them and shows no menu of its own.
_USUAL = {
    "C": "Continue",
    "X": "Exit",
    "A": "Advanced Elicitation",
    "K": "Keep",
    "P": "Party Mode",
    "Q": "Quit",
    "Y": "Yes",
    "N": "No",
}


class Option(NamedTuple):
    """One option: the bracket's place, its sign, its name, and how it stands beside the others."""

    start: int
    end: int
    sign: str
    name: str
    alone: bool
    line: bool


def options_within(text: str, start: int, end: int) -> tuple[Option, ...]:
    """Return the options that a stretch of text offers, in its order."""
    return _options(text[start:end], start) if text.find("[", start, end) >= 0 else ()


def name_of(text: str, at: int, sign: str) -> str:
    """Return what the option of that sign is called, by the nearest menu before a place, then after it."""
    sign = sign.upper()
    known = _table(text).get(sign)
    if known:
        before = [name for offset, name in known if offset <= at]
        names = [name for _, name in known]
        usual = _USUAL.get(sign, "")
        return before[-1] if before else usual if usual in names else names[0]
    return _USUAL.get(sign, sign if sign.isdigit() else f"“{sign}”")


def option_places(sheet: Sheet) -> Iterator[Place]:
    """Return each bracket of an option, with the white space that sets it off."""
    text = sheet.tree.text.text
    for number, option in _all(sheet):
        start, end = option.start, option.end
        while end < len(text) and text[end] in " \t":
            end += 1
        if text.startswith("to ", end):
            end += 3
        if option.line:
            # The stress of a label stands before its sign.
            stressed = text[max(0, start - 3) : start]
            start -= len(stressed) - len(stressed.rstrip("*"))
        if not option.alone and not option.line and text[start - 1] != "`":
            while text[start - 1] in " \t/|":
                start -= 1
        yield Place(number, start, end)


def option_text(sheet: Sheet, place: Place) -> str:
    """Return what stands for an option's bracket: nothing, the mark of a list, or what joins two options."""
    leaf = sheet.tree.leaves[place.leaf]
    text = sheet.tree.text.text
    options = options_within(text, leaf.start, leaf.end)
    number = next(index for index, one in enumerate(options) if place.start <= one.start < place.end)
    return _joined(sheet, place.leaf, options, number)


def _joined(sheet: Sheet, leaf: int, options: tuple[Option, ...], number: int) -> str:
    text = sheet.tree.text.text
    option = options[number]
    word = f"{option.sign} " if len(option.sign) > 1 else ""
    if word and text[option.end : option.end + 2].strip(" *")[:1] not in "-–—:":
        word = f"{option.sign}: "
    rest = text[option.end : option.end + 20].lstrip(" *-–—:").removeprefix("to ")
    default = "by default " if len(options) > 1 and not word and _GOING_ON.match(rest) else ""
    if option.line:
        start = sheet.tree.leaves[leaf].start
        head = text[max(start, text.rfind("\n", 0, option.start) + 1) : option.start]
        bare = head.strip(" \t*")
        mark = "- " if len(options) > 1 and not bare else ""
        stress = head[len(head.rstrip("*")) :]
        return mark + ("By default: " if default and not bare.strip("-+") else default) + stress + word
    if option.alone:
        return default + word
    if text[option.start - 1] == "`":
        return default + word
    before = text[: option.start].rstrip(" \t/|")
    if before.endswith((",", ";", " or")):
        return " " + default + word
    return ("; or " if number == len(options) - 1 else "; ") + default + word


def _all(sheet: Sheet) -> Iterator[tuple[int, Option]]:
    text = sheet.tree.text.text
    for number in sheet.with_hint("["):
        leaf = sheet.tree.leaves[number]
        if leaf.kind not in SHOWN:
            continue
        found = options_within(text, leaf.start, leaf.end)
        if len(found) == 1 and not _stands_alone(found[0]) and not _has_fellow(sheet, number):
            continue
        for option in found:
            yield number, option


def _stands_alone(option: Option) -> bool:
    return _SURE.match(option.name) is not None or (option.line and option.name.startswith("Exit"))


def _has_fellow(sheet: Sheet, number: int) -> bool:
    text, leaves = sheet.tree.text.text, sheet.tree.leaves
    return any(
        0 <= other < len(leaves)
        and any(one.line for one in options_within(text, leaves[other].start, leaves[other].end))
        for other in range(number - _NEAR, number + _NEAR + 1)
        if other != number
    )


@lru_cache(maxsize=8192)
def _options(text: str, offset: int) -> tuple[Option, ...]:
    signs = [match for match in _SIGN.finditer(text) if not _NO_OPTION.match(text, match.end())]
    found: list[Option] = []
    for index, match in enumerate(signs):
        after = _NAME.match(text, match.end())
        if after is None or _EXAMPLE.search(text, 0, match.start()):
            continue
        sign, name = match["letter"] or match["word"], after["name"]
        head = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        line = _LINE.match(head) is not None
        if (sign == "x" or (sign == "X" and _BOX.search(head))) and not found:
            continue
        if (match["word"] and not (found and line)) or (sign.isdigit() and not line):
            continue
        if not (match["word"] or name[:1].isupper() or _SURE.match(name) or (found and sign.islower())):
            continue
        follows = bool(found) and "\n\n" not in text[found[-1].end - offset : match.start()]
        if not (line or follows or _INTRO.search(text, 0, match.start()) or _SURE.match(name)):
            # A fellow on the same line makes both of them options; a number still to be filled in has none.
            other = signs[index + 1] if index + 1 < len(signs) else None
            beside = _NAME.match(text, other.end()) if other else None
            if other is None or beside is None or not beside["name"][:1].isupper() or sign in "XYNZ":
                continue
            if "\n" in text[match.end() : other.start()]:
                continue
        label = match["word"] or _label(text, after.start("name"))
        found.append(Option(match.start() + offset, match.end() + offset, sign, label, not follows, line))
    return tuple(found)


def _label(text: str, start: int) -> str:
    end = _LABEL_END.search(text, start)
    label = text[start : end.start() if end else len(text)].replace("*", "").strip()
    return label[:1].upper() + label[1:]


@lru_cache(maxsize=256)
def _table(text: str) -> dict[str, list[tuple[int, str]]]:
    table: dict[str, list[tuple[int, str]]] = {}
    for option in _options(text, 0):
        table.setdefault(option.sign.upper(), []).append((option.start, option.name))
    return table
