"""Names that somebody perhaps meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LIMIT = 3


def nearest_names(name: str, valid: Iterable[str]) -> tuple[str, ...]:
    """Return at most three of the valid names that look like this one, the closest first."""
    # Sorted, so that of names that differ only in case it is always the same one.
    by_folded: dict[str, str] = {}
    for candidate in sorted(valid):
        by_folded.setdefault(candidate.casefold(), candidate)
    matches = get_close_matches(name.casefold(), by_folded, n=LIMIT, cutoff=0.6)
    return tuple(by_folded[match] for match in matches)
