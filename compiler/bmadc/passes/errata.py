"""How a rule is written that mends one slip: words that contradict others, or that no run can carry out."""

from __future__ import annotations

from bmadc.passes.rules import Phrase, Rule, Say
from bmadc.passes.sheet import SPOKEN

_WEAKER = (
    "variables.",
    "includes.",
    "names.",
    "ceremony.",
    "menus.",
    "questions.",
    "person.",
    "writes.",
)
_ALL = (r".*",)


def mend(
    name: str,
    reason: str,
    hint: str,
    pattern: str,
    said: str,
    example: tuple[str, str],
    near: str,
    *over: str,
    kinds: frozenset[str] = SPOKEN,
    under: str = "",
) -> Rule:
    """Return the rule `flow.erratum-<name>`: it goes before the rules that know no single text."""
    return Rule(
        f"flow.erratum-{name}",
        reason,
        Phrase(hint, pattern, under, kinds),
        Say(said),
        "rewritten",
        examples=(example,),
        near=(near,),
        over=(*_WEAKER, *over),
        consumes=_ALL,
    )
