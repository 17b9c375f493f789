"""The words of a unit that no rewriting may lose: numbers, code, paths, names, severities, negations.

Other words may be said differently; these carry what a reader would act on, and nobody sees them missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["code", "variable", "path", "label", "number", "severity", "negation"]


class Hard(NamedTuple):
    """One such word: its kind, and how it is compared: small letters and single spaces."""

    kind: Kind
    text: str


# In this order, and what one finds is hidden from the next: a number in a path is the path's.
_FINDERS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("code", re.compile(r"(?<!`)`([^`\n]+)`(?!`)")),
    (
        # Words with a stroke between them are no path: it has an ending, or begins or ends as a folder does.
        "path",
        re.compile(
            r"(?<![\w/<])((?:[\w.*{}~-]+/)*[\w{}*-]+\.(?:md|ya?ml|csv|json|toml|xml|html|txt|py|sh|js|ts)\b"
            r"|(?:\.{1,2}|~|[._][\w-]+|\{[\w.-]+\})/[\w.*{}/-]*|(?:[\w-]+/)+(?![\w*]))"
        ),
    ),
    ("variable", re.compile(r"(\{\{?[\w.$-]+\}?\})")),
    ("label", re.compile(r"\[([A-Z][A-Z0-9]+(?:[ _:-][A-Z0-9]+)*)\]")),
    ("number", re.compile(r"(?<![\w.#&])(\d+(?:[.,]\d+)*%?)(?![\w;]|\.\d)")),
    ("severity", re.compile(r"\b(HIGH|MEDIUM|LOW|MAJOR|MINOR|(?i:critical|blocker|severe|must[ -]fix))\b")),
    (
        "negation",
        re.compile(
            r"(?i)\b(not|never|no|none|nor|neither|cannot|without|forbidden|prohibited|nothing|nobody"
            r"|\w+n['’]t)\b"
        ),
    ),
)
_MARK = re.compile(r"(?m)^[ \t>]*(?:\d+[.)]|[-*+])[ \t]+(?:\[[ xX]\][ \t]+)?")
_WORD_NOT = re.compile(r"(?i)\bcannot\b|\b\w+n['’]t\b")


@lru_cache(maxsize=1 << 14)
def hard_words(text: str) -> tuple[Hard, ...]:
    """Return the hard words of a text, kind by kind, each in the order of the text.

    The number of a list item is not one of them: lists are numbered anew.
    """
    left = _MARK.sub(" ", text)
    found: list[Hard] = []
    for kind, pattern in _FINDERS:
        here = [_hard(kind, match.group(1)) for match in pattern.finditer(left)]
        if here:
            found.extend(here)
            left = pattern.sub(" ", left)
    return tuple(found)


def lost(before: str, after: str) -> tuple[Hard, ...]:
    """Return the hard words of a text that another one does not have.

    Negations are counted, since two of them forbid two things; of the rest one is enough.
    """
    if before == after:
        return ()
    there = _comparable(after)
    negations = Counter(one.text for one in hard_words(after) if one.kind == "negation")
    missing: list[Hard] = []
    for one in hard_words(before):
        if one.kind == "negation":
            if negations[one.text] > 0:
                negations[one.text] -= 1
            else:
                missing.append(one)
        elif not _stands_in(one, there):
            missing.append(one)
    return tuple(dict.fromkeys(missing))


def unconsumed(words: Iterable[Hard], consumes: Iterable[str]) -> tuple[Hard, ...]:
    """Return the words that none of the patterns names; a pattern must match the whole word."""
    patterns = [re.compile(one, re.IGNORECASE) for one in consumes]
    return tuple(one for one in words if not any(pattern.fullmatch(one.text) for pattern in patterns))


def _hard(kind: Kind, text: str) -> Hard:
    words = _comparable(text)
    if kind == "negation" and _WORD_NOT.fullmatch(words):
        words = "not"
    return Hard(kind, words.rstrip(".") if kind == "path" else words)


def _comparable(text: str) -> str:
    return " ".join(text.lower().replace("’", "'").split())


def _stands_in(one: Hard, text: str) -> bool:
    if one.kind in ("code", "path", "variable", "label"):
        return one.text in text
    return re.search(rf"(?<![\w.]){re.escape(one.text)}(?!\w)", text) is not None
