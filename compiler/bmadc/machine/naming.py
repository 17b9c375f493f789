"""Which label asks for which workflow, as the catalogue has it; what texts may call each other."""

from __future__ import annotations

from bmadc.machine import catalogue
from bmadc.machine.catalogue import ROWS


def label_of(workflow: str, phase: str = "") -> str:
    """Return the label that asks for a workflow, by any of its ids; one that no row knows is derived."""
    return catalogue.row_of(workflow, phase).label


def is_of_the_loop(label: str) -> bool:
    """Whether the pipeline moves a label itself, so that nobody has to set it."""
    return any(row.worker is not None and row.label == label for row in ROWS)


def known_labels() -> tuple[str, ...]:
    """Return every label of the table, sorted."""
    return tuple(sorted({row.label for row in ROWS}))


def known_ids() -> tuple[str, ...]:
    """Return every id that a row knows, without its prefix, sorted."""
    return tuple(sorted({source for row in ROWS for source in row.sources}))
