"""Lowered workflows as bytes, for another process of the same program, and back."""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from bmadc.ir.ledger import Entry, Line, Lowered, Part
from bmadc.passes.edits import Conflict

Verdict: TypeAlias = list[tuple[str | int, ...]]
"""What somebody says of one lowered workflow, in rows of plain values."""


def packed(
    found: Mapping[str, Lowered],
    used: Iterable[str],
    conflicts: Iterable[Conflict],
    judged: Mapping[str, Verdict],
) -> bytes:
    """Return lowered workflows, the rules that they used, conflicts between those and verdicts, as bytes."""
    # Plain tuples: there are tens of thousands of lines and entries, and a class is told for each.
    rows = [
        (
            id_,
            one.id,
            one.title,
            [(part.kind, part.name, part.title, list(map(tuple, part.lines))) for part in one.parts],
            list(map(tuple, one.entries)),
            one.values,
            one.placeholders,
        )
        for id_, one in found.items()
    ]
    told = [(one.path, one.offset, one.first, one.second) for one in conflicts]
    return marshal.dumps((rows, sorted(used), told, dict(judged)))


def unpacked(said: bytes) -> tuple[dict[str, Lowered], frozenset[str], list[Conflict], dict[str, Verdict]]:
    """Return what was packed, equal in every part."""
    rows, used, told, judged = marshal.loads(said)
    found = {
        key: Lowered(
            id_,
            title,
            tuple(Part(kind, name, head, tuple(map(Line._make, lines))) for kind, name, head, lines in parts),
            tuple(map(Entry._make, entries)),
            values,
            placeholders,
        )
        for key, id_, title, parts, entries, values, placeholders in rows
    }
    return found, frozenset(used), [Conflict(*one) for one in told], judged
