"""Edits of one file: found by rules, checked against each other, and applied once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bmadc.ir.tree import Tree
from bmadc.passes.rules import Edit, Rule, hints_of, places, text_of
from bmadc.passes.sheet import Sheet, Sheets


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two rules that want the same words, and neither names the other."""

    path: str
    offset: int
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Edits:
    """The edits of one file, in its order, none within another."""

    all: tuple[Edit, ...]
    conflicts: tuple[Conflict, ...] = ()
    starts: tuple[int, ...] = field(default=(), repr=False)

    def within(self, start: int, end: int) -> Sequence[Edit]:
        """Return the edits that touch a stretch of the file."""
        starts = self.starts
        first = bisect_left(starts, start)
        # Most leaves have none, and all of them are asked about.
        if first == len(starts) or starts[first] >= end:
            return ()
        return self.all[first : bisect_left(starts, end, first)]

    def touched(self, tree: Tree) -> frozenset[int]:
        """Return the numbers of the leaves of a file that edits begin in; most of a file has none."""
        leaves = tree.leaves
        starts = [leaf.start for leaf in leaves] if self.starts else []
        numbers = ((bisect_right(starts, at) - 1, at) for at in self.starts)
        return frozenset(number for number, at in numbers if number >= 0 and at < leaves[number].end)

    def applied(self, text: str, start: int, end: int) -> str:
        """Return a stretch of the file as it stands after its edits."""
        found = self.within(start, end)
        if not found:
            return text[start:end]
        parts: list[str] = []
        at = start
        for first, last, said, _ in found:
            parts += (text[at:first], said)
            at = max(at, last)
        return "".join((*parts, text[at:end]))


class Index:
    """Rules in their order, each with the words of which a text must hold some for it to match."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple((rule, hints_of(rule)) for rule in rules)
        self._hints = tuple({hint: None for _, hints in self.rules for hint in hints})

    def of(self, lower: str) -> Iterator[Rule]:
        """Return the rules that may match a text in small letters, in their order."""
        held = {hint for hint in self._hints if hint in lower}
        for rule, hints in self.rules:
            if not hints or not held.isdisjoint(hints):
                yield rule


def find_all_edits(index: Index, sheets: Sheets) -> dict[str, list[Edit]]:
    """Return what rules want to change in each of some files, in no order, by path.

    Rule by rule, so that a rule is only brought to files that hold its words.
    """
    found: dict[str, list[Edit]] = {path: [] for path in sheets}
    for rule, hints in index.rules:
        for sheet in sheets.holding(hints):
            for place in places(rule, sheet):
                edit = Edit(place.start, place.end, text_of(rule, sheet, place), rule.id)
                found[sheet.tree.path].append(edit)
    return found


def find_edits(index: Index, sheet: Sheet) -> list[Edit]:
    """Return what rules want to change in a text by itself, in no order."""
    return [
        Edit(place.start, place.end, text_of(rule, sheet, place), rule.id)
        for rule in index.of(sheet.lower)
        for place in places(rule, sheet)
    ]


def settle(path: str, wanted: Iterable[Edit], rules: Mapping[str, Rule]) -> Edits:
    """Return the edits that hold: where two overlap, the one whose rule names the other.

    Where neither does, the one that begins first and reaches further holds, and the conflict is told.
    """
    conflicts: list[Conflict] = []
    held: list[Edit] = []
    for edit in sorted(set(wanted), key=lambda one: (one.start, -one.end, one.rule, one.text)):
        keep = True
        while held and held[-1].end > edit.start and keep:
            other = held[-1]
            if rules[edit.rule].beats(other.rule):
                held.pop()
            else:
                keep = False
                if edit.rule != other.rule and not rules[other.rule].beats(edit.rule):
                    conflicts.append(Conflict(path, edit.start, other.rule, edit.rule))
        if keep:
            held.append(edit)
    return Edits(tuple(held), tuple(conflicts), tuple(edit.start for edit in held))
