"""Edits of one file: found by rules, checked against each other, and applied once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bmadc.passes.rules import Edit, Rule, hints_of, places, text_of
from bmadc.passes.sheet import Sheet


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
    """Rules by their hints, so that a file is only asked about words that it has."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._by_hint: dict[str, list[Rule]] = {}
        self._always: list[Rule] = []
        for rule in rules:
            hints = hints_of(rule)
            for hint in hints:
                self._by_hint.setdefault(hint, []).append(rule)
            if not hints:
                self._always.append(rule)

    def rules_for(self, sheet: Sheet) -> Iterator[Rule]:
        """Return the rules that may match in a file, each once."""
        hinted = [rule for hint in sheet.hits.present(self._by_hint) for rule in self._by_hint[hint]]
        return iter({id(rule): rule for rule in (*self._always, *hinted)}.values())


def find_edits(index: Index, sheet: Sheet) -> list[Edit]:
    """Return what each rule wants to change in a file, in no order."""
    return [
        Edit(place.start, place.end, text_of(rule, sheet, place), rule.id)
        for rule in index.rules_for(sheet)
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
