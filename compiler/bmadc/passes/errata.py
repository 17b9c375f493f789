"""How a rule is made that mends a slip of upstream's, or a sentence that no run without a person can follow.

These rules are tied to words that one place has. What stands there was read as the agent that must follow it,
and each says in its reason what such an agent would get wrong.
"""

from __future__ import annotations

from bmadc.passes.rules import Phrase, Rule, Say, Whole
from bmadc.passes.sheet import SPOKEN

# Whoever mends a place has read it as it stands after all others, so its words win.
_OVER = (
    "flow.",
    "menus.",
    "questions.",
    "ceremony.",
    "writes.",
    "names.",
    "person.",
    "includes.",
    "variables.",
)
_SAID = SPOKEN | {"comment"}


def erratum(
    name: str,
    reason: str,
    find: tuple[str, str],
    said: str,
    example: tuple[str, str],
    near: str,
    *,
    consumes: tuple[str, ...] = (),
    needs: str = "",
    under: str = "",
    code: bool = False,
    whole: bool = False,
) -> Rule:
    """Return the rule that puts other words where a pattern matches; `find` is its hint and the pattern.

    `whole` wants the pattern to be all words of a leaf, `code` looks into fences too, `said` may be empty.
    """
    kinds = _SAID | {"code"} if code else _SAID
    kind = Whole if whole else Phrase
    return Rule(
        f"flow.erratum-{name}",
        reason,
        kind(*find, under=under, kinds=kinds),
        Say(said),
        "rewritten",
        examples=(example,),
        near=(near,),
        over=_OVER,
        consumes=consumes,
        needs=needs,
    )
