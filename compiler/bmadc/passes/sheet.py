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
_NAMING = ("names", "include")
_END = re.compile(r"[.!?](?:[\"'*)`’”]*)(?=\s+[\"'*(`‘“]*[A-Z0-9{\[🔥✅❌🚫]|\s*$)")
_NOT_AN_END = re.compile(r"(?:\b(?:e\.g|i\.e|etc|vs|cf|no)|\d)\.$", re.IGNORECASE)


# Cuts a text into words: all bytes but letters, digits and the underscore become spaces.
_APART = bytes(code if re.match(rb"\w", bytes((code,))) else ord(" ") for code in range(256))
_PART = re.compile(rb" ?[^ ]+ ?")
# Every text has the empty word, so that it stands for hints that have none.
_NO_WORD = b""


class Vocabulary(dict[str, frozenset[bytes]]):
    """The words of some texts; for each hint, words of which a text must have one where it holds the hint.

    So most hints are known to be absent without a look at the text. Words are bytes, because only bytes are
    cut apart in one go; a letter beyond ASCII ends a word.
    """

    def __init__(self, words: frozenset[bytes]) -> None:
        self.words = words
        self._text = b" %b " % b" ".join(words)

    def __missing__(self, hint: str) -> frozenset[bytes]:
        spaced = _spaced(hint)
        # A space marks where a word begins or ends; without it, it may be part of a longer one.
        marked = b" " * spaced.startswith(b" ") + b"  ".join(spaced.split()) + b" " * spaced.endswith(b" ")
        words = map(self._with, _PART.findall(marked))
        # The word of the hint that fewest others hold says most.
        self[hint] = found = min(words, key=len, default=frozenset((_NO_WORD,)))
        return found

    def _with(self, part: bytes) -> frozenset[bytes]:
        """Return the words that hold some letters, at their beginning or end where there is a mark."""
        text, found = self._text, []
        at = text.find(part)
        while at >= 0:
            end = text.index(b" ", at + 1)
            found.append(text[text.rindex(b" ", 0, at + 1) + 1 : end])
            at = text.find(part, end)
        return frozenset(found)


@dataclass(frozen=True)
class Sheet:
    """A tree with the views of its text that rules work on; all offsets are those of the file.

    `lower` is the text in small letters with the same offsets, so patterns need no case of their own.
    """

    tree: Tree
    lower: str
    facts: Mapping[int, tuple[Fact, ...]]
    starts: tuple[int, ...] = field(repr=False)
    words: frozenset[bytes] = field(repr=False)
    vocabulary: Vocabulary = field(repr=False, compare=False)
    _plain: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[str, tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)
    _any: dict[tuple[str, ...], tuple[int, ...]] = field(default_factory=dict, repr=False, compare=False)

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
        found = self._found.get(hint)
        if found is None:
            absent = self.vocabulary[hint].isdisjoint(self.words)
            found = self._found[hint] = () if absent else tuple(self._search(hint))
        return found

    def with_any(self, hints: tuple[str, ...]) -> tuple[int, ...]:
        """Return the numbers of the leaves that hold one of some hints."""
        found = self._any.get(hints)
        if found is None:
            numbers = {number for hint in hints for number in self.with_hint(hint)}
            found = self._any[hints] = tuple(sorted(numbers))
        return found

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
        find, starts, leaves = self.lower.find, self.starts, self.tree.leaves
        at = find(hint)
        while at >= 0:
            number = max(bisect_right(starts, at) - 1, 0)
            end = leaves[number].end
            if at < end:
                yield number
            at = find(hint, max(end, at + 1))


def sheets_of(
    trees: Mapping[str, Tree], facts: Mapping[str, Mapping[int, tuple[Fact, ...]]]
) -> tuple[dict[str, Sheet], Vocabulary]:
    """Return the sheets of all files of a pack, by path, and the vocabulary that they share."""
    lowers = {path: _lower(tree.text.text) for path, tree in trees.items()}
    words = {path: _words(lower) for path, lower in lowers.items()}
    vocabulary = Vocabulary(frozenset().union(*words.values()))
    sheets = {
        path: _sheet(tree, lowers[path], facts.get(path, {}), words[path], vocabulary)
        for path, tree in trees.items()
    }
    return sheets, vocabulary


def sheet_of(
    tree: Tree, facts: Mapping[int, tuple[Fact, ...]], vocabulary: Vocabulary | None = None
) -> Sheet:
    """Return the sheet of one text; a vocabulary of other texts spares work if it has all of its words."""
    lower = _lower(tree.text.text)
    words = _words(lower)
    if vocabulary is None or not words <= vocabulary.words:
        vocabulary = Vocabulary(words)
    return _sheet(tree, lower, facts, words, vocabulary)


def _sheet(
    tree: Tree,
    lower: str,
    facts: Mapping[int, tuple[Fact, ...]],
    words: frozenset[bytes],
    vocabulary: Vocabulary,
) -> Sheet:
    return Sheet(tree, lower, facts, tuple(leaf.start for leaf in tree.leaves), words, vocabulary)


def _lower(text: str) -> str:
    lower = text.lower()
    if len(lower) != len(text):
        # A few letters of other scripts grow when they are made small; then only the plain ones are.
        lower = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    return lower


def _spaced(lower: str) -> bytes:
    return lower.encode("ascii", "replace").translate(_APART)


def _words(lower: str) -> frozenset[bytes]:
    return frozenset((_NO_WORD, *_spaced(lower).split()))


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
