"""One file under work: its tree, its text in the forms that rules look at, what is known of its leaves."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from bmadc.ir.model import Fact
from bmadc.ir.tree import PROSE, Tree
from bmadc.passes.concordance import Concordance, Hits

# What somebody wrote in sentences, wherever it stands: a condition in a tag is one too.
SPOKEN: frozenset[str] = PROSE | {"tag"}

# The mark of a list, boxes, signs and emphasis in front of the first word say nothing that a rule asks for.
_LEAD = re.compile(r"^(?:#+\s+|>\s*|(?:[-*+]|\d+[.)])\s+)?(?:\[[ xX]\]\s+)?[^\w`\"'({\[<$/]*")
_STRESS = re.compile(r"\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
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
    hits: Hits = field(repr=False, compare=False)
    _plain: dict[int, str] = field(default_factory=dict, repr=False, compare=False)
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

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offsets of all leaves."""
        return tuple(leaf.start for leaf in self.tree.leaves)

    def leaf_at(self, offset: int) -> int:
        """Return the number of the leaf that holds an offset, or of the last one before it."""
        return max(bisect_right(self.starts, offset) - 1, 0)

    def with_hint(self, hint: str) -> tuple[int, ...]:
        """Return the numbers of the leaves that hold some words, which must be in small letters."""
        return self.hits[hint]

    def with_any(self, hints: tuple[str, ...]) -> tuple[int, ...]:
        """Return the numbers of the leaves that hold one of some hints."""
        found = self._any.get(hints)
        if found is None:
            found = self._any[hints] = self.hits.of_any(hints)
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


class Sheets(dict[str, Sheet]):
    """The sheets of all files of a pack, by path; what one of them is asked is looked up for all."""

    def __init__(
        self, trees: Mapping[str, Tree], facts: Mapping[str, Mapping[int, tuple[Fact, ...]]]
    ) -> None:
        files = [(tree, _lower(tree.text.text)) for tree in trees.values()]
        self._concordance = Concordance(files)
        self._all = tuple(
            Sheet(tree, lower, facts.get(tree.path, {}), hits)
            for (tree, lower), hits in zip(files, self._concordance.hits, strict=True)
        )
        super().__init__((sheet.tree.path, sheet) for sheet in self._all)

    def holding(self, hints: tuple[str, ...]) -> Sequence[Sheet]:
        """Return the sheets that hold one of some hints; all of them if there are no hints."""
        if not hints:
            return self._all
        numbers = {number for hint in hints for number in self._concordance.files_with(hint)}
        return [self._all[number] for number in sorted(numbers)]


def sheet_of(tree: Tree, facts: Mapping[int, tuple[Fact, ...]]) -> Sheet:
    """Return the sheet of one text by itself."""
    lower = _lower(tree.text.text)
    return Sheet(tree, lower, facts, Hits(tree, lower))


def _lower(text: str) -> str:
    lower = text.lower()
    if len(lower) != len(text):
        # A few letters of other scripts grow when they are made small; then only the plain ones are.
        lower = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
    return lower


_SAID = re.compile(r"[^\W_]")
_MARK = re.compile(r"\s*(?:#+\s|>|[-*+]\s|\d+[.)](?:\s|$))*")


def has_words(text: str) -> bool:
    """Whether a text says something: the number of an item alone does not."""
    return _SAID.search(text, _MARK.match(text).end()) is not None  # type: ignore[union-attr]


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
