"""Front matter: where it ends, its entries as leaves, its values, and what is said when it is malformed."""

from itertools import pairwise

import pytest

from bmadc.frontend.blocks import read_markdown
from bmadc.frontend.matter import read_matter
from bmadc.ir.tree import Tree
from bmadc.source import Text
from support.partition import faults, leaves, said


def read(text: str) -> Tree:
    tree = read_markdown(Text("a.md", text))
    assert faults(tree) == []
    return tree


def test_entries_comments_and_values() -> None:
    tree = read("---\nname: x\n# why\nlist:\n  - a\n\n  # inner\n  - b\nflag: true\n---\n\ntext\n")
    assert leaves(tree) == [
        ("delimiter", "---"),
        ("entry", "name: x"),
        ("comment", "# why"),
        ("entry", "list:\n  - a\n\n  # inner\n  - b"),
        ("entry", "flag: true"),
        ("delimiter", "---"),
        ("paragraph", "text"),
    ]
    assert tree.matter == (("name", "x"), ("list", ["a", "b"]), ("flag", True))
    assert tree.matter_value("list") == ["a", "b"]
    assert tree.matter_value("none") is None
    assert [tree.blocks[leaf.block].kind for leaf in tree.leaves] == ["matter"] * 6 + ["document"]
    assert (tree.fallback, tree.diagnostics) == (0, ())


def test_a_block_scalar_belongs_to_its_key() -> None:
    tree = read("---\na: |\n  one: 1\n\n  # no comment\n  two\nb: 'x'\n---\n")
    assert leaves(tree)[1:3] == [("entry", "a: |\n  one: 1\n\n  # no comment\n  two"), ("entry", "b: 'x'")]
    assert tree.matter_value("a") == "one: 1\n\n# no comment\ntwo\n"


@pytest.mark.parametrize("empty", ["---\n---\n", "---\n\n---\n", "---   \n---\t\n"])
def test_an_empty_one_ends_at_its_second_line(empty: str) -> None:
    tree = read(f"{empty}\n# Head\n\n---\n\ntext: more\n")
    assert [kind for kind, _ in leaves(tree)] == ["delimiter", "delimiter", "heading", "rule", "paragraph"]
    assert (tree.matter, tree.diagnostics) == ((), ())


def test_comments_alone_are_no_fault() -> None:
    tree = read("---\n# a: b\n---\n")
    assert (tree.matter, tree.diagnostics, tree.fallback) == ((), (), 0)


@pytest.mark.parametrize("text", ["---\n---", "---\na: b\n---"])
def test_a_file_may_end_with_it(text: str) -> None:
    assert leaves(read(text))[-1] == ("delimiter", "---")


@pytest.mark.parametrize("text", ["---", "---\n", "---\na: b\n", "---\na: b\n----\n --- \n"])
def test_without_its_end_it_is_text_and_said_so(text: str) -> None:
    tree = read(text)
    assert said(tree) == [("BMC314", 1, 1)]
    assert tree.matter == ()
    assert "matter" not in [block.kind for block in tree.blocks]


@pytest.mark.parametrize(
    "text", ["\n---\na: b\n---\n", " ---\na: b\n---\n", "----\na: b\n---\n", "text\n---\n---\n", ""]
)
def test_it_starts_on_the_first_line_or_not_at_all(text: str) -> None:
    assert read_matter(Text("a.md", text)).end == 0
    assert read(text).diagnostics == ()


def test_of_equal_keys_the_first_wins_and_the_second_is_reported() -> None:
    tree = read("---\nname: x\nname: y\n---\n")
    assert tree.matter == (("name", "x"),)
    assert said(tree) == [("BMC315", 3, 1)]
    assert tree.fallback == 0


def test_what_is_not_yaml_is_read_line_by_line_and_counted() -> None:
    tree = read(
        "---\nname: 'a'\nsay: 'don\\'t'\nnext: \"b.md\"\nits: it's 'so'\n  deep: no\nname: z\n---\n# Head\n"
    )
    assert said(tree) == [("BMC315", 3, 12)]
    assert tree.matter == (("name", "a"), ("say", "don't"), ("next", "b.md"), ("its", "it's 'so'"))
    entries = [text for kind, text in leaves(tree) if kind == "entry"]
    assert tree.fallback == sum(map(len, entries))
    assert leaves(tree)[-1] == ("heading", "# Head")


@pytest.mark.parametrize("body", ["just words", "- a\n- b", "[1, 2]", "12"])
def test_without_keys_it_is_reported(body: str) -> None:
    tree = read(f"---\n\n{body}\n---\n")
    assert said(tree) == [("BMC315", 3, 1)]
    assert tree.matter == ()
    assert tree.fallback == len(body)


def test_a_place_behind_signs_that_only_yaml_takes_for_line_ends() -> None:
    tree = read("---\na: x\rb: y\u2028z\nc: [\n---\n")
    assert [(code, line) for code, line, _ in said(tree)] == [("BMC315", 3)]


def test_a_key_that_is_no_scalar_is_reported_and_the_others_are_read() -> None:
    tree = read("---\na: { { b } }\nc: d\n---\n")
    assert said(tree) == [("BMC315", 2, 6)]
    assert tree.matter_value("c") == "d"


def test_a_bomb_of_aliases_is_not_opened() -> None:
    names = "abcdefghijkl"
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{n}: &{n} [{', '.join([f'*{p}'] * 9)}]" for p, n in pairwise(names)]
    tree = read("---\n" + "\n".join(lines) + "\n---\n")
    assert [code for code, _, _ in said(tree)] == ["BMC315"]
    assert tree.matter_value("a") == "&a [x, x, x, x, x, x, x, x, x]"
