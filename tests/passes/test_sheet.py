"""A sheet finds the leaves that hold some words, whatever it knows beforehand of the words of its file."""

from __future__ import annotations

import pytest

from bmadc.frontend.files import read_tree
from bmadc.ir.tree import Tree
from bmadc.passes.sheet import Sheets, sheet_of
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
    bread = tree("bread.md", BREAD)
    assert sheet_of(bread, {}).with_hint(hint) == leaves
    both = Sheets({"tea.md": tree("tea.md", TEA), "bread.md": bread}, {})
    assert both["bread.md"].with_hint(hint) == leaves


def test_files_that_are_asked_together_answer_for_themselves() -> None:
    both = Sheets({"bread.md": tree("bread.md", BREAD), "tea.md": tree("tea.md", TEA)}, {})
    assert both["bread.md"].with_hint("wait") == (2,)
    assert both["tea.md"].with_hint("wait") == (1,)
    assert both["tea.md"].with_hint("?") == ()


def test_a_hint_is_found_among_many_leaves_that_have_its_words() -> None:
    text = "".join(f"- the user of {number}\n" for number in range(300)) + "- of user the, for the user\n"
    sheets = Sheets({"many.md": tree("many.md", text)}, {})
    assert sheets["many.md"].with_hint("of 7\n") == ()
    assert sheets["many.md"].with_hint("of 7") == (7, *range(70, 80))
    assert sheets["many.md"].with_hint("for the user") == (300,)
    assert sheets["many.md"].with_hint("user the") == (300,)


def test_a_hint_of_a_word_that_most_leaves_have_is_read_for() -> None:
    text = "".join(f"- [{number}] and you\n" for number in range(2_000)) + "- [a] and [b]\n"
    sheets = Sheets({"many.md": tree("many.md", text), "tea.md": tree("tea.md", TEA)}, {})
    assert sheets["many.md"].with_hint("] and [") == (2_000,)
    assert sheets["many.md"].with_hint("[7] and") == (7,)
    assert sheets["tea.md"].with_hint("] and [") == ()


def test_leaves_with_one_of_some_hints_are_in_order() -> None:
    assert sheet_of(tree("bread.md", BREAD), {}).with_any(("wait", "bak", "user")) == (0, 2)
