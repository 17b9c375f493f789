"""The ledger in numbers: how many units of each workflow are in which state, and what nobody explains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bmadc.ir.ledger import STATES, Entry, Lowered
from bmadc.ledger.honesty import Fault, is_gone, residual


@dataclass(frozen=True, slots=True)
class Totals:
    """One workflow in numbers; `states` are in the order of the ledger's.

    `unruled` are units that are gone or changed by no known rule, `talking` those that still talk to a
    person, and how.
    """

    workflow: str
    states: tuple[tuple[str, int], ...]
    unruled: int
    talking: tuple[Fault, ...]

    @property
    def residual(self) -> int:
        """How many units still talk to a person."""
        return len(self.talking)

    @property
    def units(self) -> int:
        """How many units there are."""
        return sum(number for _, number in self.states)

    @property
    def unexplained(self) -> int:
        """How many units need somebody to look at them."""
        return self.unruled + self.residual


def totals(lowered: Lowered, rules: Container[str], exceptions: Mapping[str, str]) -> Totals:
    """Return a workflow in numbers."""
    found = Counter(entry.state for entry in lowered.entries)
    talking = residual(lowered.id, lowered.entries, lowered.parts, exceptions)
    return Totals(
        workflow=lowered.id,
        states=tuple((state, found[state]) for state in STATES),
        unruled=sum(is_unruled(entry, rules) for entry in lowered.entries),
        talking=tuple(talking),
    )


def summed(rows: Iterable[Totals]) -> Totals:
    """Return all workflows in one row."""
    states: Counter[str] = Counter()
    unruled = 0
    talking: list[Fault] = []
    for row in rows:
        states.update(dict(row.states))
        unruled += row.unruled
        talking += row.talking
    return Totals("", tuple((state, states[state]) for state in STATES), unruled, tuple(talking))


def is_unruled(entry: Entry, rules: Container[str]) -> bool:
    """Tell whether a unit is not what it was and no rule says why."""
    changed = entry.state != "kept" or is_gone(entry)
    return changed and not any(rule in rules for rule in entry.rules)


def rule_counts(ledgers: Iterable[Lowered], only: Sequence[str] = ()) -> Counter[str]:
    """Return how many units each rule, or each of these, has to do with; shared files count once."""
    wanted = frozenset(only)
    seen = {
        (entry.path, entry.leaf, rule)
        for lowered in ledgers
        for entry in lowered.entries
        for rule in entry.rules
        if not wanted or rule in wanted
    }
    return Counter(rule for _, _, rule in seen)
