"""Which leaves hold some words: answered for all files at once, from the places of every word.

Hundreds of rules each have a hint, and a release has hundreds of files; looking for each hint in each file
takes longer than all that follows. So the words of all leaves are written down once. A hint is then looked
for only in leaves that have all of its words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from bmadc.ir.tree import Tree

# Cuts a text into words: all bytes but letters, digits and the underscore become spaces.
_APART = bytes(code if re.match(rb"\w", bytes((code,))) else ord(" ") for code in range(256))
# Reading so many leaves costs less than looking through all words once more.
_FEW = 200
_PART = re.compile(rb" ?[^ ]+ ?")


class Hits(dict[str, tuple[int, ...]]):
    """The numbers of the leaves of a text that hold a hint, by hint, each looked up when first asked for.

    A dict, because most questions were asked before, and the answer is mostly that there are none.
    """

    def __init__(self, tree: Tree, lower: str) -> None:
        super().__init__()
        self._lower, self._leaves = lower, tree.leaves
        self._starts = [leaf.start for leaf in tree.leaves]

    def __missing__(self, hint: str) -> tuple[int, ...]:
        self.read(hint)
        return self[hint]

    def present(self, hints: Iterable[str]) -> list[str]:
        """Return those of some hints that the text holds."""
        lower = self._lower
        return [hint for hint in hints if hint in lower]

    def read(self, hint: str) -> None:
        """Look for a hint by reading the text."""
        self[hint] = tuple(self._found(hint)) if hint in self._lower else ()

    def _found(self, hint: str) -> Iterator[int]:
        find, leaves, starts = self._lower.find, self._leaves, self._starts
        at = find(hint)
        while at >= 0:
            number = max(bisect_right(starts, at) - 1, 0)
            end = leaves[number].end
            if at < end:
                yield number
            at = find(hint, max(end, at + 1))


class _OfMany(Hits):
    """The hits of a file that is one of many: what one is asked, all are asked."""

    def __init__(self, tree: Tree, lower: str, concordance: _Concordance) -> None:
        super().__init__(tree, lower)
        self._concordance = concordance

    def __missing__(self, hint: str) -> tuple[int, ...]:
        self._concordance.look_up(hint)
        return self[hint]

    def present(self, hints: Iterable[str]) -> list[str]:
        return [hint for hint in hints if self[hint]]


def hits_of_all(files: Sequence[tuple[Tree, str]]) -> Sequence[Hits]:
    """Return the hits of each of some files; each comes with its text in small letters."""
    return _Concordance(files).hits


class _Concordance:
    """The leaves of some files, numbered through, and for each word the numbers of those that have it.

    Words are bytes, because only bytes are cut apart in one go; a letter beyond ASCII ends a word.
    """

    def __init__(self, files: Sequence[tuple[Tree, str]]) -> None:
        self.hits = [_OfMany(tree, lower, self) for tree, lower in files]
        self._lowers = [lower for _, lower in files]
        self._leaves: list[tuple[int, int, int, int]] = []
        self._with: defaultdict[bytes, list[int]] = defaultdict(list)
        leaves, with_ = self._leaves, self._with
        for file, (tree, lower) in enumerate(files):
            spaced = _spaced(lower)
            for number, (_, start, end, _) in enumerate(tree.leaves):
                one = len(leaves)
                leaves.append((file, number, start, end))
                for word in spaced[start:end].split():
                    with_[word].append(one)
        self._words = b" %b " % b" ".join(with_)

    def look_up(self, hint: str) -> None:
        """Write down for every file which of its leaves hold a hint."""
        spaced = _spaced(hint)
        # A space marks where a word begins or ends; without it, it may be part of a longer one.
        marked = b" " * spaced.startswith(b" ") + b"  ".join(spaced.split()) + b" " * spaced.endswith(b" ")
        parts = _PART.findall(marked)
        if not parts:
            for hits in self.hits:
                hits.read(hint)
            return
        found: defaultdict[int, list[int]] = defaultdict(list)
        leaves, lowers = self._leaves, self._lowers
        for one in sorted(self._with_all(parts)):
            file, number, start, end = leaves[one]
            if lowers[file].find(hint, start, end) >= 0:
                found[file].append(number)
        for hits in self.hits:
            hits[hint] = ()
        for file, numbers in found.items():
            self.hits[file][hint] = tuple(numbers)

    def _with_all(self, parts: list[bytes]) -> set[int]:
        """Return the leaves that have a word for each part of a hint, or few that may have."""
        # Long parts first: few words hold them, and then there is soon little left to read.
        parts.sort(key=len, reverse=True)
        found = self._with_part(parts[0])
        for part in parts[1:]:
            if len(found) < _FEW:
                break
            found &= self._with_part(part)
        return found

    def _with_part(self, part: bytes) -> set[int]:
        """Return the leaves that have a word for one part of a hint."""
        return set().union(*(self._with[word] for word in self._words_with(part)))

    def _words_with(self, part: bytes) -> Iterator[bytes]:
        """Return the words that hold some letters, at their beginning or end where there is a mark."""
        word = part.strip()
        if len(part) == len(word) + 2:
            if word in self._with:
                yield word
            return
        text = self._words
        at = text.find(part)
        while at >= 0:
            end = text.index(b" ", at + 1)
            yield text[text.rindex(b" ", 0, at + 1) + 1 : end]
            at = text.find(part, end)


def _spaced(lower: str) -> bytes:
    """Return the words of a text, at their offsets."""
    return lower.encode("ascii", "replace").translate(_APART)
