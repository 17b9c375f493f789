"""Two texts side by side: which word or line of one is which of the other, in order, each used once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher

NOWHERE = -1

# Runs of this many words that stand once in both texts are taken for the same place, the longest first.
_RUNS = (8, 4, 2, 1)
# Beyond this, texts that share no word that stands once in each are taken for different.
_SMALL = 4_000_000


def align(first: Sequence[Hashable], second: Sequence[Hashable]) -> list[int]:
    """Return, for each word of the first text, where it is in the second, or NOWHERE.

    The places go up, and no two words have the same.
    """
    numbers: dict[Hashable, int] = {}
    a = [numbers.setdefault(word, len(numbers)) for word in first]
    b = [numbers.setdefault(word, len(numbers)) for word in second]
    found = [NOWHERE] * len(a)
    waiting = [(0, len(a), 0, len(b))]
    while waiting:
        left, right, low, high = waiting.pop()
        while left < right and low < high and a[left] == b[low]:
            found[left] = low
            left, low = left + 1, low + 1
        while left < right and low < high and a[right - 1] == b[high - 1]:
            right, high = right - 1, high - 1
            found[right] = high
        if left >= right or low >= high:
            continue
        anchors = _anchors(a, b, left, right, low, high)
        if not anchors:
            if (right - left) * (high - low) <= _SMALL:
                matcher = SequenceMatcher(None, a[left:right], b[low:high], autojunk=False)
                for one, two, size in matcher.get_matching_blocks():
                    for offset in range(size):
                        found[left + one + offset] = low + two + offset
            continue
        for one, two in anchors:
            found[one] = two
        before, under = left, low
        for one, two in (*anchors, (right, high)):
            if one > before and two > under:
                waiting.append((before, one, under, two))
            before, under = one + 1, two + 1
    return found


def _anchors(a: list[int], b: list[int], left: int, right: int, low: int, high: int) -> list[tuple[int, int]]:
    """Return places that are the same in both stretches, because a run of words there stands once in each."""
    for size in _RUNS:
        ours = _once(a, left, right, size)
        if not ours:
            continue
        theirs = _once(b, low, high, size)
        pairs = sorted((place, theirs[run]) for run, place in ours.items() if run in theirs)
        if pairs:
            rising = _rising(pairs)
            taken: dict[int, int] = {}
            last = -1
            for one, two in rising:
                for offset in range(size):
                    if one + offset not in taken and two + offset > last:
                        taken[one + offset] = last = two + offset
            return sorted(taken.items())
    return []


def _once(words: list[int], start: int, end: int, size: int) -> dict[tuple[int, ...], int]:
    seen: dict[tuple[int, ...], int] = {}
    for at, run in enumerate(zip(*(words[start + n : end] for n in range(size)), strict=False), start):
        seen[run] = NOWHERE if run in seen else at
    return {run: at for run, at in seen.items() if at >= 0}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest part of the pairs in which the second numbers go up too."""
    ends: list[int] = []
    tops: list[int] = []
    back: list[int] = []
    for number, (_, two) in enumerate(pairs):
        at = bisect_left(ends, two)
        if at == len(ends):
            ends.append(two)
            tops.append(number)
        else:
            ends[at] = two
            tops[at] = number
        back.append(tops[at - 1] if at else NOWHERE)
    chain = []
    number = tops[-1]
    while number >= 0:
        chain.append(pairs[number])
        number = back[number]
    return chain[::-1]
