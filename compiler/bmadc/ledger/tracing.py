"""From a line of the source to the lines of the output, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bmadc.ir.ledger import Entry, Lowered
from bmadc.ir.model import Origin, Pack
from bmadc.ir.tree import CONTENT, Tree


class Place(NamedTuple):
    """A line of the output: which part of which workflow, its number there from 1, and its text."""

    workflow: str
    part: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Traced:
    """What became of one unit in one workflow: its entry, and the lines that say it."""

    workflow: str
    entry: Entry
    places: tuple[Place, ...]


def from_source(ledgers: Iterable[Lowered], tree: Tree, line: int) -> tuple[Traced, ...]:
    """Return what became of the units that stand on a line of a source file, in each workflow that has it."""
    leaves = leaves_on(tree, line)
    found = []
    for lowered in ledgers:
        for entry in lowered.entries:
            if entry.path == tree.path and entry.leaf in leaves:
                found.append(Traced(lowered.id, entry, places_of(lowered, entry.path, entry.leaf)))
    return tuple(found)


def leaves_on(tree: Tree, line: int) -> frozenset[int]:
    """Return the numbers of the units of content that a line of a file shows, or a part of which it shows."""
    found = set()
    for number, leaf in enumerate(tree.leaves):
        if leaf.kind in CONTENT:
            first = tree.text.position(leaf.start)[0]
            last = tree.text.position(max(leaf.start, leaf.end - 1))[0]
            if first <= line <= last:
                found.add(number)
    return frozenset(found)


def places_of(lowered: Lowered, path: str, leaf: int) -> tuple[Place, ...]:
    """Return the lines of the output that came from a unit."""
    return tuple(
        Place(lowered.id, part.name, number, line.text)
        for part in lowered.parts
        for number, line in enumerate(part.lines, 1)
        if line.path == path and leaf in line.leaves
    )


@dataclass(frozen=True, slots=True)
class Back:
    """Where a line of an emitted file comes from: its place in the output, its units; none if it is ours."""

    place: Place | None
    entries: tuple[tuple[str, Entry], ...]
    origins: tuple[Origin, ...]


def from_output(pack: Pack, ledgers: Sequence[Lowered], id_: str, lines: Sequence[str], line: int) -> Back:
    """Return where a line of the emitted file of a workflow comes from.

    The line is looked for by its text; of several equal ones it is the one with as many of them above it.
    """
    text = lines[line - 1]
    above = sum(one == text for one in lines[: line - 1])
    lowered = next(one for one in ledgers if one.id == id_)
    same = [
        (Place(id_, part.name, number, one.text), one)
        for part in lowered.parts
        for number, one in enumerate(part.lines, 1)
        if one.text == text
    ]
    if not same:
        return Back(None, (), ())
    place, found = same[min(above, len(same) - 1)]
    entries = []
    origins = []
    for leaf in found.leaves:
        owner = next(
            ((one.id, e) for one in ledgers for e in one.entries if e.path == found.path and e.leaf == leaf),
            None,
        )
        if owner is not None:
            entries.append(owner)
        tree = pack.trees[found.path]
        origins.append(Origin(found.path, tree.line(tree.leaves[leaf])))
    return Back(place, tuple(entries), tuple(dict.fromkeys(origins)))
