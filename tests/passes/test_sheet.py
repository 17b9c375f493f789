"""A sheet finds the leaves that hold some words, whatever it knows beforehand of the words of its file."""

from __future__ import annotations

import pytest

from bmadc.frontend.files import read_tree
from bmadc.ir.tree import Tree
from bmadc.passes.sheet import sheet_of, sheets_of
from bmadc.source import Text

BREAD = """\
# Baking

Reheat the oven, ask nobody.

- Wait for the user's dough, naïvely
- 2 loaves? Multitask: `a/p/c`
"""
TEA = "Boil water.\n\nThe asker waits.\n"


def tree(path: str, text: str) -> Tree:
    return read_tree(Text(path, text))


@pytest.mark.parametrize(
    ("hint", "leaves"),
    [
        ("ask", (1, 3)),
        ("ask ", (1,)),
        (" ask", (1,)),
        ("ask:", (3,)),
        ("heat the ov", (1,)),
        ("eat the o", (1,)),
        ("heat oven", ()),
        ("the user", (2,)),
        ("the us", (2,)),
        ("he us", (2,)),
        ("naïv", (2,)),
        ("ïvel", (2,)),
        ("a/p/c", (3,)),
        ("?", (3,)),
        ("`", (3,)),
        ("[", ()),
        ("water", ()),
        ("asker", ()),
    ],
)
def test_the_leaves_with_a_hint(hint: str, leaves: tuple[int, ...]) -> None:
    alone = sheet_of(tree("bread.md", BREAD), {})
    assert alone.with_hint(hint) == leaves
    sheets, vocabulary = sheets_of({"bread.md": alone.tree, "tea.md": tree("tea.md", TEA)}, {})
    assert sheets["bread.md"].with_hint(hint) == leaves
    assert sheet_of(alone.tree, {}, vocabulary).with_hint(hint) == leaves


def test_a_text_with_words_of_its_own_does_not_ask_the_others() -> None:
    _, vocabulary = sheets_of({"tea.md": tree("tea.md", TEA)}, {})
    assert sheet_of(tree("bread.md", BREAD), {}, vocabulary).with_hint("oven") == (1,)


def test_a_text_without_words_may_hold_signs() -> None:
    assert sheet_of(tree("odd.md", "???\n"), {}).with_hint("?") == (0,)


def test_some_hints_are_absent_without_a_look() -> None:
    sheet = sheet_of(tree("bread.md", BREAD), {})
    for hint in ("heat oven x", "water", "user_name"):
        assert sheet.vocabulary[hint].isdisjoint(sheet.words), hint
