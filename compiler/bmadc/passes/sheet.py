"""One file under work: its tree, its text in the forms that rules look at, what is known of its leaves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from bmadc.ir.model import Fact
from bmadc.ir.tree import PROSE, Tree

# What somebody wrote in sentences, wherever it stands: a condition in a tag is one too.
SPOKEN: frozenset[str] = PROSE | {"tag"}

# The mark of a list, boxes, signs and emphasis in front of the first word say nothing that a rule asks for.
_LEAD = re.compile(r"^(?:#+\s+|>\s*|(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?[^\w`\"'({\[<$/]*")
_STRESS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
_WORD = re.compile(r"[a-z0-9_]+")
_KEY = 4
_NAMING = ("names", "include")
_END = re.compile(r"[.!?](?:[\"'*)`’”]*)(?=\s+[\"'*(`‘“]*[A-Z0-9{\[🔥✅❌🚫]|\s*$)")
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|no)|\d)\.$", re.IGNORECASE)


@dataclass(frozen=True)
class Sheet:
    """A tree with the views of its text that rules work on; all offsets are those of the file.

    `lower` is the text in small letters with the same offsets, so patterns need no case of their own.
    """

    tree: Tree
    lower: str
    facts: Mapping[int, tuple[Fact, ...]]
    starts: tuple[int, ...] = field(repr=False)
    keys: frozenset[str] = field(repr=False)
    _plain: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def files(self) -> dict[str, tuple[str, ...]]:
        """The files that the keys of the front matter name, by key."""
        found = {}
        for number, leaf in enumerate(self.tree.leaves):
            if leaf.kind == "entry":
                paths = tuple(fact.target for fact in self.facts.get(number, ()) if fact.kind in _NAMING)
                if paths:
                    found[self.tree.slice(leaf).partition(":")[0].strip()] = paths
        return found

    def leaf_at(self, offset: int) -> int:
        """Return the number of the leaf that holds an offset, or of the last one before it."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def with_hint(self, hint: str) -> tuple[int, ...]:
        """Return the numbers of the leaves that hold some words, which must be in small letters."""
        if hint not in self._found:
            self._found[hint] = tuple(self._search(hint))
        return self._found[hint]

    def plain(self, number: int) -> str:
        """Return a leaf's words alone, in small letters: no list mark, sign or emphasis, single spaces."""
        if number not in self._plain:
            leaf = self.tree.leaves[number]
            text = _LEAD.sub("", self.lower[leaf.start : leaf.end], count=1)
            self._plain[number] = " ".join(_STRESS.sub("", text).split())
        return self._plain[number]

    def headings(self, number: int) -> Iterator[str]:
        """Return the names of the sections that a leaf stands in, in small letters, the innermost first."""
        for block in self.tree.around(self.tree.leaves[number].block):
            if self.tree.blocks[block].kind == "section":
                yield self.tree.blocks[block].name.lower()

    def has(self, number: int, kind: str) -> bool:
        """Whether a fact of that kind is known of a leaf."""
        return any(fact.kind == kind for fact in self.facts.get(number, ()))

    def _search(self, hint: str) -> Iterator[int]:
        at = self.lower.find(hint)
        while at >= 0:
            number = self.leaf_at(at)
            leaf = self.tree.leaves[number]
            if at < leaf.end:
                yield number
            at = self.lower.find(hint, max(leaf.end, at + 1))


def sheet_of(tree: Tree, facts: Mapping[int, tuple[Fact, ...]]) -> Sheet:
    """Return the sheet of one file."""
    text = tree.text.text
    lower = text.lower()
    if len(lower) != len(text):
        # A few letters of other scripts grow when they are made small; then only the plain ones are.
        lower = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    keys = frozenset(word[:_KEY] for word in set(_WORD.findall(lower)))
    return Sheet(tree, lower, facts, tuple(leaf.start for leaf in tree.leaves), keys)


def key_of(hint: str) -> str:
    """Return the key under which a file has the first word of a hint, or nothing if that is not certain.

    Where a hint begins with a word, that may be the end of a longer one; a word behind something else is
    whole at its beginning. A short word counts only if the hint says where it ends.
    """
    for word in _WORD.finditer(hint):
        ended = word.end() < len(hint)
        if word.start() > 0 and (len(word[0]) >= _KEY or ended):
            return word[0][:_KEY]
    return ""


_MARK = re.compile(r"\s*(?:#+\s|>|[-*+]\s|\d+[.)](?:\s|$))*")


def has_words(text: str) -> bool:
    """Whether a text says something: the number of an item alone does not."""
    return any(one.isalnum() for one in text[_MARK.match(text).end() :])  # type: ignore[union-attr]


def sentence_around(text: str, start: int, end: int, at: int) -> tuple[int, int]:
    """Return where the sentence that holds an offset starts and ends, within a stretch of text."""
    first = start
    for one, stop in sentences(text, start, end):
        first = one
        if at < stop:
            return one, stop
    return first, end


def sentences(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return where each sentence of a stretch of text starts and ends; together they are all of it."""
    return _sentences(text[start:end], start)


@lru_cache(maxsize=4096)
def _sentences(text: str, offset: int) -> tuple[tuple[int, int], ...]:
    found, first = [], 0
    for end in _END.finditer(text):
        if _NOT_AN_END.search(text[first : end.start() + 1]) and end.end() < len(text):
            continue
        stop = end.end()
        while stop < len(text) and text[stop].isspace():
            stop += 1
        found.append((first + offset, stop + offset))
        first = stop
    if first < len(text):
        found.append((first + offset, len(text) + offset))
    return tuple(found)
