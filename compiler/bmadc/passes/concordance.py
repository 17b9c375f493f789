"""Which leaves hold some words: answered for all files at once, from the places of every word.

Hundreds of rules each have a hint, and a release has hundreds of files; looking for each hint in each file
takes longer than all that follows. So the words of all leaves are written down once. A hint is then looked
for only in leaves that have all of its words.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from bmadc.ir.tree import Tree

# Cuts a text into words: all bytes but letters, digits and the underscore become spaces.
_APART = bytes(code if re.match(rb"\w", bytes((code,))) else ord(" ") for code in range(256))
# Reading so many leaves costs less than looking through all words once more.
_FEW = 200
# To look into so many leaves costs more than reading all files.
_MANY = 1_500
_PART = re.compile(rb" ?[^ ]+ ?")

T = TypeVar("T", str, bytes)


class Hits(dict[str, tuple[int, ...]]):
    """The numbers of the leaves of a text that hold a hint, by hint, each looked up when first asked for."""

    def __init__(self, tree: Tree, lower: str) -> None:
        super().__init__()
        self._lower, self._leaves = lower, tree.leaves
        self._starts = [leaf.start for leaf in tree.leaves]
        self.bytes = lower.encode("ascii", "replace")
        """The text with one byte for each letter, which is searched many times as fast."""

    def __missing__(self, hint: str) -> tuple[int, ...]:
        return self.read(hint)

    def of_any(self, hints: Iterable[str]) -> tuple[int, ...]:
        """Return the numbers of the leaves that hold one of some hints."""
        lower = self._lower
        return tuple(sorted({number for hint in hints if hint in lower for number in self[hint]}))

    def read(self, hint: str) -> tuple[int, ...]:
        """Look for a hint by reading the text."""
        # A letter beyond ASCII is a question mark among the bytes.
        if hint.isascii() and "?" not in hint:
            numbers = self._found(self.bytes.find, hint.encode(), len(hint))
        else:
            numbers = self._found(self._lower.find, hint, len(hint))
        self[hint] = numbers
        return numbers

    def _found(self, find: Callable[[T, int], int], hint: T, size: int) -> tuple[int, ...]:
        at = find(hint, 0)
        if at < 0:
            return ()
        numbers = []
        leaves, starts = self._leaves, self._starts
        while at >= 0:
            number = max(bisect_right(starts, at) - 1, 0)
            end = leaves[number].end
            if at + size <= end:
                numbers.append(number)
            at = find(hint, max(end, at + 1))
        return tuple(numbers)


class _OfMany(Hits):
    """The hits of a file that is one of many: what one is asked, all are asked."""

    def __init__(self, tree: Tree, lower: str, concordance: Concordance, number: int) -> None:
        super().__init__(tree, lower)
        self._concordance, self._number = concordance, number

    def __missing__(self, hint: str) -> tuple[int, ...]:
        self._concordance.files_with(hint)
        return self.setdefault(hint, ())

    def of_any(self, hints: Iterable[str]) -> tuple[int, ...]:
        return self._concordance.with_any(tuple(hints)).get(self._number, ())


class Concordance:
    """The leaves of some files, numbered through, and for each word the numbers of those that have it.

    Words are bytes, because only bytes are cut apart in one go; a letter beyond ASCII ends a word.
    """

    def __init__(self, files: Sequence[tuple[Tree, str]]) -> None:
        self.hits: Sequence[Hits] = [
            _OfMany(tree, lower, self, number) for number, (tree, lower) in enumerate(files)
        ]
        self._lowers = [lower for _, lower in files]
        self._leaves: list[tuple[int, int, int, int]] = []
        self._with: defaultdict[bytes, list[int]] = defaultdict(list)
        self._known: dict[str, tuple[int, ...]] = {}
        self._any: dict[tuple[str, ...], Mapping[int, tuple[int, ...]]] = {}
        leaves, with_ = self._leaves, self._with
        for file, (tree, _) in enumerate(files):
            spaced = self.hits[file].bytes.translate(_APART)
            for number, (_, start, end, _) in enumerate(tree.leaves):
                one = len(leaves)
                leaves.append((file, number, start, end))
                for word in spaced[start:end].split():
                    with_[word].append(one)
        self._words = b" %b " % b" ".join(with_)

    def files_with(self, hint: str) -> tuple[int, ...]:
        """Return the numbers of the files that hold a hint, whose hits are known from then on."""
        known = self._known.get(hint)
        if known is None:
            known = self._known[hint] = tuple(self._look_up(hint))
        return known

    def with_any(self, hints: tuple[str, ...]) -> Mapping[int, tuple[int, ...]]:
        """Return for each file that holds one of some hints its leaves that do, by its number."""
        known = self._any.get(hints)
        if known is None:
            found: defaultdict[int, set[int]] = defaultdict(set)
            for hint in hints:
                for file in self.files_with(hint):
                    found[file].update(self.hits[file][hint])
            known = self._any[hints] = {file: tuple(sorted(numbers)) for file, numbers in found.items()}
        return known

    def _look_up(self, hint: str) -> Iterable[int]:
        spaced = hint.encode("ascii", "replace").translate(_APART)
        # A space marks where a word begins or ends; without it, it may be part of a longer one.
        marked = b" " * spaced.startswith(b" ") + b"  ".join(spaced.split()) + b" " * spaced.endswith(b" ")
        parts = _PART.findall(marked)
        if not parts:
            return [file for file, hits in enumerate(self.hits) if hits.read(hint)]
        found: defaultdict[int, list[int]] = defaultdict(list)
        leaves, lowers, all_hits = self._leaves, self._lowers, self.hits
        # Letters alone are in every leaf that has a word with them.
        sure = marked == hint.encode("ascii", "replace") and b" " not in marked
        ones = self._with_all(parts)
        if len(ones) > _MANY and not sure:
            return [file for file, hits in enumerate(all_hits) if hits.read(hint)]
        for one in sorted(ones):
            file, number, start, end = leaves[one]
            if sure or lowers[file].find(hint, start, end) >= 0:
                found[file].append(number)
        for file, numbers in found.items():
            all_hits[file][hint] = tuple(numbers)
        return found

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
