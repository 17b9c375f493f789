"""Which contexts and functions an expression may use at a place of a workflow."""

from __future__ import annotations

from functools import lru_cache

from bmadc.ghaw.vocabulary.records import Legal
from bmadc.ghaw.vocabulary.tables import LEGAL

NOTHING = Legal((), ())

_PLACES = sorted(
    ((tuple(place.split(".")), legal) for place, legal in LEGAL.items()), key=lambda row: -len(row[0])
)


@lru_cache(1 << 12)
def legal_at(path: tuple[str | int, ...]) -> Legal:
    """Say what an expression at a path of a workflow may use; nothing where GitHub evaluates none."""
    words = [step for step in path if isinstance(step, str)]
    for place, legal in _PLACES:
        if len(place) <= len(words) and all(
            part in ("*", word) for part, word in zip(place, words, strict=False)
        ):
            return legal
    return NOTHING
