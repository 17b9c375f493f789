"""How a rule is made that mends a slip of upstream's, or a sentence that no run without a person can follow.

These rules are tied to words that one place has. What stands there was read as the agent that must follow it,
and each says in its reason what such an agent would get wrong.
"""

from __future__ import annotations

from bmadc.passes.rules import Phrase, Rule, Say, Whole
from bmadc.passes.sheet import SPOKEN

# Whoever mends a place has read it as it stands after all others, so its words win.
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
_OVER = ("flow.", *_WEAKER)
_ALL = (r".*",)
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
    find_ = kind(*find, under=under, kinds=kinds)
    return _rule(name, reason, find_, said, example, near, _OVER, consumes, needs)


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
    needs: str = "",
) -> Rule:
    """Return a rule that goes before those that know no single text, and of its own kind those in `over`.

    What it puts there stands for all that the place said.
    """
    find = Phrase(hint, pattern, under, kinds)
    return _rule(name, reason, find, said, example, near, (*_WEAKER, *over), _ALL, needs)


def _rule(
    name: str,
    reason: str,
    find: Phrase | Whole,
    said: str,
    example: tuple[str, str],
    near: str,
    over: tuple[str, ...],
    consumes: tuple[str, ...],
    needs: str = "",
) -> Rule:
    return Rule(
        f"flow.erratum-{name}",
        reason,
        find,
        Say(said),
        "rewritten",
        examples=(example,),
        near=(near,),
        over=over,
        consumes=consumes,
        needs=needs,
    )
