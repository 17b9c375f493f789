"""What a rule is: why it exists, where it applies and what it makes of the text there.

A rule finds places by one of a few kinds of predicate and rewrites them by one of a few kinds of rewriter.
Its examples are its tests: each `before` must become its `after`, and no near miss may be touched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from bmadc.passes.sheet import SPOKEN, Sheet, sentence_around

State: TypeAlias = Literal["kept", "rewritten", "replaced", "moved", "merged", "dropped"]
Class: TypeAlias = Literal["", "decide", "derive", "block"]


class Edit(NamedTuple):
    """A stretch of a file, what stands there afterwards, and by which rule; offsets are those of the file."""

    start: int
    end: int
    text: str
    rule: str


class Place(NamedTuple):
    """A place that a predicate found: a stretch of one leaf, and what the pattern matched there."""

    leaf: int
    start: int
    end: int
    match: re.Match[str] | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Some words within a leaf. Patterns are in small letters and see the text in small letters.

    `hint` are words without which the pattern cannot match: it is what makes hundreds of rules cheap.
    """

    hint: str
    pattern: str
    under: str = ""
    kinds: frozenset[str] = SPOKEN


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence that holds the pattern."""

    hint: str
    pattern: str
    under: str = ""
    kinds: frozenset[str] = SPOKEN


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole leaf whose plain words match the pattern from the first to the last."""

    hint: str
    pattern: str
    under: str = ""
    kinds: frozenset[str] = SPOKEN


@dataclass(frozen=True, slots=True)
class Found:
    """Places that a named function finds, where words alone do not decide.

    Where there are `hints`, it finds nothing in a file that holds none of them, and is not asked.
    """

    function: Callable[[Sheet], Iterator[Place]]
    hints: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ByPass:
    """Places that a pass finds with what it knows of the whole workflow; `name` is the pass's module."""

    name: str


Predicate: TypeAlias = Phrase | Sentence | Whole | Found | ByPass


@dataclass(frozen=True, slots=True)
class Say:
    """Put a text there; `\\g<name>` stands for what the pattern's group of that name matched, in its case."""

    text: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """Take the place out."""


@dataclass(frozen=True, slots=True)
class Once:
    """Take the place out, because the frame of the body says it once; `key` names that statement."""

    key: str


@dataclass(frozen=True, slots=True)
class Made:
    """Put there what a named function makes of the place."""

    function: Callable[[Sheet, Place], str]


Rewriter: TypeAlias = Say | Nothing | Once | Made


@dataclass(frozen=True, slots=True)
class Rule:
    """One named reason for the output to differ from the source.

    `over` names the rules, or families of rules by their prefix, that give way where both match. `consumes`
    are patterns of hard words (numbers, code, negations) that this rule may take away. `bulk` says why the
    rule may drop more of a release than a rule normally may. `needs` is the key of a statement that the frame
    must make for the new words to be understood.
    """

    id: str
    reason: str
    find: Predicate
    make: Rewriter
    state: State
    examples: tuple[tuple[str, str], ...]
    near: tuple[str, ...] = ()
    classed: Class = ""
    over: tuple[str, ...] = ()
    consumes: tuple[str, ...] = ()
    bulk: str = ""
    needs: str = ""

    @property
    def by_context(self) -> bool:
        """Whether the rule needs more than a file's own text."""
        return isinstance(self.find, ByPass)

    def beats(self, other: str) -> bool:
        """Whether the other rule gives way to this one."""
        return other in self.over or other[: other.index(".") + 1] in self.over


def by_pass(
    id_: str,
    name: str,
    state: State,
    reason: str,
    *over: str,
    consumes: tuple[str, ...] = (),
    bulk: str = "",
) -> Rule:
    """Return the record of a rule that a pass applies itself; `name` is the pass's module."""
    return Rule(id_, reason, ByPass(name), Nothing(), state, (), over=over, consumes=consumes, bulk=bulk)


def hints_of(rule: Rule) -> tuple[str, ...]:
    """Return the words of which a file must hold some for a rule to match; nothing if it may match any."""
    find = rule.find
    if isinstance(find, ByPass):
        return ()
    return find.hints if isinstance(find, Found) else (find.hint,)


def places(rule: Rule, sheet: Sheet) -> Iterator[Place]:
    """Return each place of a file that a rule matches, in the order of the file."""
    find = rule.find
    if isinstance(find, Found):
        return find.function(sheet)
    if isinstance(find, ByPass):
        return iter(())
    return _whole_leaves(find, sheet) if isinstance(find, Whole) else _matches(find, sheet)


def _whole_leaves(find: Whole, sheet: Sheet) -> Iterator[Place]:
    pattern = compiled(find.pattern)
    for number in sheet.hits[find.hint]:
        leaf = sheet.tree.leaves[number]
        if leaf.kind in find.kinds:
            match = pattern.fullmatch(sheet.plain(number))
            if match and _is_under(sheet, number, find.under):
                yield Place(number, leaf.start, leaf.end, match)


def _matches(find: Phrase | Sentence, sheet: Sheet) -> Iterator[Place]:
    pattern = compiled(find.pattern)
    matches, search = pattern.finditer, pattern.search
    lower, leaves, kinds = sheet.lower, sheet.tree.leaves, find.kinds
    for number in sheet.hits[find.hint]:
        kind, first, end, _ = leaves[number]
        # Most leaves have the hint and no match, and to search them once is what costs least.
        if kind not in kinds or search(lower, first, end) is None:
            continue
        last = -1
        for match in matches(lower, first, end):
            if not _is_under(sheet, number, find.under):
                break
            if isinstance(find, Phrase):
                yield Place(number, match.start(), match.end(), match)
                continue
            start, stop = sentence_around(sheet.tree.text.text, first, end, match.start())
            if start == first and stop < end:
                # What is left of an item keeps its mark.
                mark = _MARK.match(lower, start, stop)
                start = mark.end() if mark else start
            if start != last:
                yield Place(number, start, stop, match)
            last = start


def text_of(rule: Rule, sheet: Sheet, place: Place) -> str:
    """Return what stands at a place after a rule has been applied."""
    make = rule.make
    if isinstance(make, Say):
        return _say(make.text, sheet, place)
    if isinstance(make, Made):
        return make.function(sheet, place)
    return ""


_MARK = re.compile(r"(?:[-*+]|\d+[.)])\s+")
_GROUP = re.compile(r"\\g<(\w+)>")


def _say(text: str, sheet: Sheet, place: Place) -> str:
    match = place.match
    if match is not None and "\\g<" in text:
        # The pattern saw small letters; the text keeps the ones that it was written in.
        whole = match.string is sheet.lower
        written = sheet.tree.text.text if whole else match.string

        def group(name: re.Match[str]) -> str:
            start, end = match.span(name[1])
            return written[start:end] if start >= 0 else ""

        text = _GROUP.sub(group, text)
    before = sheet.tree.text.text[place.start : place.start + 1]
    return text[:1].upper() + text[1:] if before.isupper() and text[:1].islower() else text


def _is_under(sheet: Sheet, number: int, under: str) -> bool:
    return not under or any(compiled(under).search(name) for name in sheet.headings(number))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled when it is first needed: many of a release's rules never are."""
    return re.compile(pattern)
