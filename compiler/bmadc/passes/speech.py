"""What the rules on questions and on persons share: who is meant by "user", and small ways to rewrite.

Rules here change as few words as they can, so that names in braces and code between them stay for the
passes that know them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bmadc.passes.rules import Found, Made, Place, Rule, compiled
from bmadc.passes.sheet import SPOKEN, Sheet, sentence_around

# Text for display stands in fences too.
SHOWN: frozenset[str] = SPOKEN | {"code"}
SHOWN_NOTES: frozenset[str] = SHOWN | {"comment"}

# Words after "user" that make it the user of the product that is built.
_PRODUCT = (
    r"(?![\s-]+(?:journe|stor(?:y|ies)\b|flow|experience|persona|needs?\b|value|outcome|growth|data\b"
    r"|facing|cent"
    r"|interface|success|segment|account|base\b|skill|profile|role|goals?\b|actions?\b|tasks?\b|scenario"
    r"|workflow|manual|guide\b|documentation|behaviou?r|problem|pain|feeling|emotion|capabilit|benefit|accept"
    r"ance|impact|metric|adoption|retention|satisfaction|management|auth|types?\b|group|population|research"
    r"|perspective|interaction|requirement|level|space|agent|testing|tests?\b|expectation|count|id\b|s\b"
    r"|interviews?\b|friction|delight|trust|value|can\b|could\b|stor))"
)
# The person at the other end of the dialogue, as the sources call it.
WHO = rf"(?:(?:the|your|our|a) )?(?:user|human)\b(?![\w'’-]){_PRODUCT}"
# What may follow where somebody is left out of a sentence; any other word makes "user" the half of a name.
ENDS = (
    r"(?=[.,;:)*\]!?\"”<\n]|\s*$|\s+(?:and|or|but|before|after|for|in|on|as|to|with|until|when|via|is|are"
    r"|at|by|if|so|once|rather"
    r"|including|during|using|through|throughout|about|because|while|that|which|instead|into|along|one"
    r"|\w+ly|[^\w\s]|\d)\b"
    r"|\s+[^\w\s])"
)
NAME = r"`?\{+user_name\}+`?"
ANYONE = rf"(?:{WHO}|{NAME}|them\b)"
# An order not to do something stays as it is.
_NOTS = ("not ", "never ", "n't ", "without ", "than ", "need to ", "you ", r"not\*\* ")


def unless_not(word: str, *others: str) -> str:
    """Return a pattern for a word that is no order not to do it, nor stands after one of some other words.

    The word comes first, since only so a search for it is fast.
    """
    return word + "".join(rf"(?<!{other}{word})" for other in (r"[\w-]", *_NOTS, *others))


# What asks for an answer must end in a question mark, within the same sentence.
ASKED = r"(?=[^?!]{0,240}\?)"


def small(template: str) -> Made:
    """Return a rewriter like `Say` that puts the group `wh` in small letters: it moves into the sentence."""

    def made(sheet: Sheet, place: Place) -> str:
        match = place.match
        assert match is not None
        text = sheet.tree.text.text

        def group(name: re.Match[str]) -> str:
            start, end = match.span(name[1])
            return "" if start < 0 else match[name[1]] if name[1] == "wh" else text[start:end]

        return opened(sheet, place, re.sub(r"\\g<(\w+)>", group, template))

    return Made(made)


def opened(sheet: Sheet, place: Place, said: str) -> str:
    """Return a text with a capital where the place began with one, or with a name that is taken out."""
    start = place.start
    first = sheet.tree.text.text[start].isupper() or sheet.lower[max(0, start - 3) : start] == "}, "
    return said[:1].upper() + said[1:] if first else said


def within(
    hint: str,
    pattern: str,
    before: str = "",
    unless: str = "",
    kinds: frozenset[str] = SPOKEN,
    wide: bool = False,
) -> Found:
    """Return a predicate for words in a sentence: `before` must stand in front of them, `unless` must not.

    Where it is `wide`, they may stand in an earlier sentence of the leaf.

    Only the words of the pattern are the place, so what stands between stays for other rules.
    """

    def found(sheet: Sheet) -> Iterator[Place]:
        text, lower, leaves = sheet.tree.text.text, sheet.lower, sheet.tree.leaves
        words = compiled(pattern)
        search = words.search
        for number in sheet.with_hint(hint):
            kind, start, end, _ = leaves[number]
            if kind not in kinds or search(lower, start, end) is None:
                continue
            for match in words.finditer(lower, start, end):
                first = start
                if not wide:
                    first, _ = sentence_around(text, start, end, match.start())
                if before and not compiled(before).search(lower, first, match.start()):
                    continue
                if unless and compiled(unless).search(lower, first, match.start()):
                    continue
                yield Place(number, match.start(), match.end(), match)

    return Found(found, (hint,))


def words(hint: str, pattern: str, also: tuple[str, ...], kinds: frozenset[str] = SHOWN_NOTES) -> Found:
    """Return a predicate like `Phrase` for a common hint: one of some texts must stand in the leaf too."""

    def found(sheet: Sheet) -> Iterator[Place]:
        having = set(sheet.with_any(also)).intersection(sheet.with_hint(hint))
        for number in sorted(having):
            leaf = sheet.tree.leaves[number]
            if leaf.kind in kinds:
                for match in compiled(pattern).finditer(sheet.lower, leaf.start, leaf.end):
                    yield Place(number, match.start(), match.end(), match)

    return Found(found, (hint,))


def capital(sheet: Sheet, place: Place) -> str:
    """Return the last letter of a place as a capital: what stood in front of it opened the sentence."""
    return sheet.tree.text.text[place.end - 1].upper()


def as_begun(sheet: Sheet, place: Place) -> str:
    """Return the last letter of a place, as a capital where the place began with one."""
    text = sheet.tree.text.text
    last = text[place.end - 1]
    return last.upper() if text[place.start].isupper() else last


def ranked(rules: tuple[Rule, ...], over: tuple[str, ...] = ()) -> tuple[Rule, ...]:
    """Return the rules so that each goes over those that stand after it, and all over some families."""
    names = [rule.id for rule in rules]
    return tuple(
        replace(rule, over=(*rule.over, *names[number + 1 :], *over)) for number, rule in enumerate(rules)
    )
