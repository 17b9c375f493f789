"""A source's words with upstream's slips mended, for a judge that knows nothing else of the passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from bmadc.ir.tree import normal
from bmadc.passes.registry import rules
from bmadc.passes.rules import Nothing, Phrase, Rule, Say, Whole, compiled

_FAMILY = "flow.erratum-"
_MARK = re.compile(r"^(?:[-*+]|\d+[.)]|#+)\s+(?:\[[ x]\]\s+)?")


@lru_cache(1 << 15)
def corrected(text: str) -> str:
    """Return one unit of a source as it reads with its slips mended, in small letters if it has any."""
    lowered = text.lower()
    if len(lowered) != len(text):
        return text
    for find, said in _slips():
        if find.hint not in lowered:
            continue
        if isinstance(find, Whole):
            if compiled(find.pattern).fullmatch(_MARK.sub("", normal(lowered))):
                return said
        elif compiled(find.pattern).search(lowered):
            lowered = text = compiled(find.pattern).sub(said, lowered)
    return text


@cache
def _slips() -> tuple[tuple[Phrase | Whole, str], ...]:
    return tuple(_pairs())


def _pairs() -> Iterator[tuple[Phrase | Whole, str]]:
    for rule in rules().values():
        if rule.id.startswith(_FAMILY) and isinstance(rule.find, Phrase | Whole):
            said = _said(rule)
            if said is not None:
                yield rule.find, said


def _said(rule: Rule) -> str | None:
    if isinstance(rule.make, Say):
        return rule.make.text
    return "" if isinstance(rule.make, Nothing) else None
