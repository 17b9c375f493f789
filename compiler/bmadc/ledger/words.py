"""The words of a text as they are compared: small letters, no marks, no tags, no numbers of lists."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from bmadc.ir.tree import Leaf, Tree


class Words(NamedTuple):
    """Words in their order, and the places of those that may be said differently: names in braces, paths."""

    all: tuple[str, ...]
    loose: frozenset[int] = frozenset()


_MARKS = re.compile(r"(?m)^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(?:\[[ xX]\][ \t]*)?(?:#{1,6}[ \t]+)?")
_TAG = re.compile(r"</?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>")
_FENCE = re.compile(r"(?m)^[ \t>]*(?:`{3,}|~{3,})[^\n]*$")
# The letter or number of an option; a number that tells a step, which may be called by its title.
_OPTION = re.compile(r"\[[A-Za-z0-9][\])]")
_STEP = re.compile(r"\bsteps? (\d+[a-z]?)\b")
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_WORD = re.compile(r"[^\W_]+")
# Names in braces, paths, commands and the names of skills: the build knows what they stand for.
_LOOSE = re.compile(
    r"\{+[^{}\n]*\}+|(?<![\w/<])(?:[\w.*{}~:-]*/)+[\w.*{}:-]+|[\w{}-]+\.(?:md|ya?ml|csv|json|toml|xml|py)\b"
    r"|(?<![\w-])bmad-[\w-]+"
)
# How a loader is told to open one of them.
_OPENING = frozenset(
    re.findall(
        r"\w+",
        "and completely entire execute follow fully go invoke load now open read route run skill the then to"
        " with",
    )
)

# What a tag says by itself, in the words that a text has for it.
_BY_ITSELF = {
    "output": "report",
    "template-output": "save",
    "note": "note",
    "example": "example",
    "goto": "go to",
}
# Tags that head a section: the text has a heading for them, whatever it is.
_SECTIONS = frozenset(
    re.findall(
        r"[\w-]+",
        "inputs llm objective halt-conditions output-format execution-notes principles format validation"
        " facilitation-guidelines human-reader-principles llm-reader-principles structure-models integration"
        " critical-context critical-rules csv-structure context-analysis smart-selection response-handling",
    )
)
_WHOLE = frozenset(("task", "tool", "agent", "workflow"))
# What an attribute says to the reader; others, such as a file or a flag, speak to the machine that ran it.
_SPOKEN = frozenset(("if", "goal", "title", "condition", "desc", "description", "name"))
_SAYS = re.compile(rf"\b(?:{'|'.join(sorted(_SPOKEN))})\s*=")
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


def words(text: str) -> list[str]:
    """Return the words of an emitted text."""
    return list(_split(_plain(text)))


def marked(text: str, names: re.Pattern[str] | None = None) -> Words:
    """Return the words of a text of the source; names that the pattern finds may be said differently too."""
    return _marked(_plain(text), names)


def words_of(tree: Tree, leaf: Leaf, names: re.Pattern[str] | None = None, text: str = "") -> Words:
    """Return the words of a unit of the source, or of `text` in its place.

    A tag says what its attributes say. The one around a whole file says nothing: its name and description
    head the workflow. Nor does one that only heads a section: the text has a heading of its own for it.
    """
    text = text or tree.slice(leaf)
    if leaf.kind == "tag":
        name = tree.blocks[leaf.block].name
        if name in _WHOLE or (name in _SECTIONS and not _SAYS.search(text)):
            return Words(())
        said = [f"{{{name}}}" if name in _SECTIONS else _BY_ITSELF.get(name, "")]
        for attribute, double, single in _ATTRIBUTE.findall(text):
            if attribute in _SPOKEN or (attribute == "n" and name != "goto"):
                said.append(double or single)
            elif attribute in ("anchor", "step") or (attribute == "id" and name in ("anchor", "check-item")):
                # The text calls the place by a name that reads well, or by its step.
                said.append(f"{{{double or single}}}")
        return _marked(unescape("\n".join(said)), names)
    if leaf.kind == "comment":
        text = text.strip().removeprefix("<!--").removesuffix("-->")
    return _marked(_plain(text), names)


def _plain(text: str) -> str:
    return unescape(_OPTION.sub(" ", _TAG.sub(" ", _FENCE.sub("", _MARKS.sub("", text)))))


@lru_cache(1 << 15)
def _marked(text: str, names: re.Pattern[str] | None) -> Words:
    text = _APOSTROPHE.sub("", text.lower()).replace("goto", "go to")
    spans = [match.span() for match in _LOOSE.finditer(text)]
    if names is not None:
        spans = sorted([*spans, *(match.span() for match in names.finditer(text))])
    numbers = {match.start(1) for match in _STEP.finditer(text)} if "step" in text else ()
    found: list[str] = []
    loose: list[int] = []
    at = 0
    for match in _WORD.finditer(text):
        while at < len(spans) and spans[at][1] <= match.start():
            at += 1
        if at < len(spans) and spans[at][0] <= match.start():
            loose.append(len(found))
        found.append(_even(match.group()))
    if loose:
        loose.extend(number for number, word in enumerate(found) if word in _OPENING)
    if numbers:
        places = [match.start() for match in _WORD.finditer(text)]
        loose.extend(number for number, place in enumerate(places) if place in numbers)
    return Words(tuple(found), frozenset(loose))


def _split(text: str) -> list[str]:
    return [_even(word) for word in _WORD.findall(_APOSTROPHE.sub("", text.lower()))]


def _even(word: str) -> str:
    """Return a word without what only grammar or a file's name adds: the end of a plural, leading zeros."""
    if word[-1] == "s" and len(word) > 3 and word[-2] != "s":
        return word[:-1]
    return word.lstrip("0") or "0" if word[0] == "0" and word.isdigit() else word
