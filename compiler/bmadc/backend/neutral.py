"""Text of a source, made so that gh-aw takes nothing in it for its own.

What gh-aw would act on is broken up visibly: a reader still sees what was meant, and nothing runs. Most of it
is taken care of by the passes already; this is the last door, and it trusts nobody.
"""

from __future__ import annotations

import re
import unicodedata

# Each pattern finds the start of something that gh-aw, or its renderer, would interpret in a body.
_BREAKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\$(?=\{\{)"), "$ "),
    (re.compile(r"\$(?=\{GH_AW_)"), "$ "),
    (re.compile(r"\{\{(?=\s*[#/])"), "{ {"),
    (re.compile(r"<!--"), "<! --"),
    (re.compile(r"-->"), "-- >"),
    (re.compile(r"__GH_AW_"), "__ GH_AW_"),
    (re.compile(r"(?i)<(?=/?system\b)"), "< "),
)
# These have a meaning only at the start of a line.
_STARTS = re.compile(r"(?i)^(\s*)(@(?:include|import)\b|#{2}[ \t]+(?:end[ \t]+)?(?:agent|skill):)")
# Most lines have none of the signs that all of those begin with, and go through untouched.
_SIGNS = re.compile(r"[$<@]|\{\{|-->|__GH|##")
_HIDDEN = frozenset(("Cc", "Cf", "Co", "Cs", "Cn"))
# Ends of lines for the scripts of gh-aw: what follows one would stand at the start of a line.
_ENDS = re.compile("[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_KEPT = frozenset("\t\u200c\u200d")


def neutral(line: str) -> str:
    """Return one line of a source with nothing in it that gh-aw would act on, and nothing that hides."""
    # What hides and what ends a line is not printable; most lines in other scripts hold neither.
    if not line.isprintable():
        line = _ENDS.sub(" ", line)
        line = "".join(one for one in line if one in _KEPT or unicodedata.category(one) not in _HIDDEN)
    if _SIGNS.search(line) is None:
        return line
    for pattern, instead in _BREAKS:
        line = pattern.sub(instead, line)
    return _STARTS.sub(r"\1\\\2", line)


def one_line(text: str, limit: int) -> str:
    """Return text of a source as one short line for a value that people read."""
    said = neutral(" ".join(text.split()))
    return said if len(said) <= limit else f"{said[: limit - 1].rstrip()}…"
