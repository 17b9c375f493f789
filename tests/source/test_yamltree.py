"""YAML with spans: what is read, where it stands, and what a hostile or broken file gives."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bmadc.source.yamltree import (
    MAX_DEPTH,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Span,
    parse_yaml,
    resolve,
    to_python,
    walk,
)


def messages(text: str) -> list[str]:
    return [str(problem) for problem in parse_yaml(text).problems]


def nodes(node: Node | None) -> Iterator[Node]:
    if node is None:
        return
    yield node
    if isinstance(node, Sequence):
        for item in node:
            yield from nodes(item)
    elif isinstance(node, Mapping):
        for entry in node:
            yield entry.key
            yield from nodes(entry.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("yes", "yes"),
        ("No", "No"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-7", -7),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("1.50", 1.5),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("-.inf", -math.inf),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("2026-11-18", "2026-11-18"),
        ("<<", "<<"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_plain_scalars_follow_yaml_1_2(text: str, value: object) -> None:
    assert resolve(text) == value
    assert type(resolve(text)) is type(value)


def test_quoted_scalars_and_block_scalars_stay_strings() -> None:
    tree = parse_yaml("a: 'true'\nb: \"1\"\nc: |-\n  2\nd: !!str 3\n")
    assert to_python(tree.root) == {"a": "true", "b": "1", "c": "2", "d": "3"}
    assert tree.problems == ()


def test_a_key_is_always_a_string() -> None:
    tree = parse_yaml("on: push\ntrue: x\n1: y\n")
    assert to_python(tree.root) == {"on": "push", "true": "x", "1": "y"}


def test_paths_lead_through_keys_and_positions() -> None:
    tree = parse_yaml("jobs:\n  agent:\n    if: always()\n    steps:\n      - run: a\n      - run: b\n")
    node = tree.at("jobs", "agent", "steps", 1, "run")
    assert isinstance(node, Scalar)
    assert node.value == "b"
    assert str(node.span) == "6:14"
    for gone in (
        ("jobs", "nobody"),
        ("jobs", "agent", "steps", 2),
        ("jobs", "agent", "if", "x"),
        ("jobs", 0),
    ):
        assert tree.at(*gone) is None


def test_walk_gives_values_with_their_paths_in_file_order() -> None:
    tree = parse_yaml("b:\n  - 1\n  - c: 2\na: 3\n")
    assert tree.root is not None
    assert [(path, scalar.value) for path, scalar in walk(tree.root)] == [
        (("b", 0), 1),
        (("b", 1, "c"), 2),
        (("a",), 3),
    ]


def test_a_block_collection_ends_with_its_last_value_not_with_the_comment_after_it() -> None:
    text = "a:\n  - 1\n  - 2\n\n# about b\nb: {x: 1}  # c\n"
    tree = parse_yaml(text)
    spans = {name: tree.at(name) for name in "ab"}
    assert {name: text[node.span.start : node.span.end] for name, node in spans.items() if node} == {
        "a": "- 1\n  - 2",
        "b": "{x: 1}",
    }


def test_a_block_scalar_ends_before_the_blank_lines_after_it() -> None:
    text = "a: |\n  x\n\n  y\n\n\nb: 1\n"
    node = parse_yaml(text).at("a")
    assert node is not None
    assert text[node.span.start : node.span.end] == "|\n  x\n\n  y"
    assert (node.span.line, node.span.end_line) == (1, 4)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_editors_count_them(end: str) -> None:
    node = parse_yaml(f"# \u2028 \x85{end}a: 1{end}b: é{end}").at("b")
    assert node is not None
    assert (node.span.line, node.span.column, node.span.end_column) == (3, 4, 5)


def test_a_part_of_a_text_has_the_spans_of_the_whole() -> None:
    text = "---\na: [1,\n  x y]\n---\nbody\n"
    node = parse_yaml(text, 4, text.index("---\nbody")).at("a", 1)
    assert node is not None
    assert node.span == Span(3, 3, 3, 6, 13, 16)
    assert text[13:16] == "x y"


def test_a_byte_order_mark_moves_nothing() -> None:
    text = "\ufeffa: 1\n"
    node = parse_yaml(text).at("a")
    assert node is not None
    assert text[node.span.start : node.span.end] == "1"


def test_duplicate_keys_are_reported_at_the_second_and_the_first_wins() -> None:
    tree = parse_yaml("a: 1\nb:\n  c: 1\n  c: 2\na: 3\n")
    assert [(str(problem.span), problem.message.split("(")[0]) for problem in tree.problems] == [
        ("4:3", "the key 'c' is here a second time "),
        ("5:1", "the key 'a' is here a second time "),
    ]
    assert to_python(tree.root) == {"a": 1, "b": {"c": 1}}


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: b: c\n", "1:5", "mapping values are not allowed"),
        ("a: 1\nb: [x\nc: 2\n", "3:2", "flow"),
        ("a: 'x\n", "2:1", "end of stream"),
        ("a: 1\n\tb: 2\n", "2:1", "tab"),
        ("a: *nobody\n", "1:4", "the alias *nobody"),
        ("a: &x [*x]\n", "1:8", "the alias *x"),
        ("a: 1\n---\nb: 2\n", "2:1", "second YAML document"),
        ("a: 1\nb: \x07\n", "2:4", "U+0007"),
        ("a: \ud800\n", "1:4", "U+D800"),
        ("a: !!python/object/apply:os.system [x]\n", "1:4", "the tag tag:yaml.org,2002:python"),
        ("? [a, b]\n: 1\n", "1:3", "this key is a list"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, place: str, words: str) -> None:
    found = messages(text)
    assert len(found) == 1
    assert found[0].startswith(f"{place}: ")
    assert words in found[0]


def test_an_alias_is_the_anchors_value_at_its_own_place() -> None:
    tree = parse_yaml("a: &x [1, 2]\nb: *x\n")
    node = tree.at("b")
    assert to_python(node) == [1, 2]
    assert node is not None
    assert (str(node.span), node.span.end_column) == ("2:4", 6)


def test_a_merge_key_merges_nothing() -> None:
    assert to_python(parse_yaml("a: &x {k: 1}\nb:\n  <<: *x\n").at("b")) == {"<<": {"k": 1}}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 300_000,
        "[" * 300_000 + "]" * 300_000,
        "".join(f"{' ' * level}a:\n" for level in range(2 * MAX_DEPTH)),
        "- " * 2000 + "x",
        # Ten levels of nine aliases each would be three and a half thousand million values.
        "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9 if i else ['x'])}]\n" for i in range(10)),
        # A chain of anchors deeper than any single nesting in the text.
        "".join(f"a{i}: &a{i} [[[[[{f'*a{i - 1}' if i else 'x'}]]]]]\n" for i in range(50)),
    ],
)
def test_a_hostile_file_gives_one_problem_and_no_tree(text: str) -> None:
    tree = parse_yaml(text)
    assert tree.root is None
    assert len(tree.problems) == 1


def test_empty_text_is_no_problem() -> None:
    for text in ("", "\n", "# only a comment\n"):
        assert parse_yaml(text).root is None
        assert parse_yaml(text).problems == ()


_PRINTABLE = st.characters(
    codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufeff\u2028\u2029"
)
_STRINGS = st.text(_PRINTABLE | st.sampled_from("\n :#'\"{}[],&*!|>%@`-?"), max_size=30)
_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | _STRINGS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_STRINGS, inner, max_size=4),
    max_leaves=20,
)


@given(
    data=st.dictionaries(_STRINGS, _DATA, min_size=1, max_size=4),
    style=st.sampled_from([None, "'", '"', "|", ">"]),
    flow=st.sampled_from([None, True, False]),
    lead=st.sampled_from(["", "# é\n\n", "---\n# x\n"]),
)
def test_spans_slice_back_to_the_source_of_every_node(
    data: object, style: str | None, flow: bool | None, lead: str
) -> None:
    text = lead + yaml.safe_dump(
        data, default_style=style, default_flow_style=flow, allow_unicode=True, explicit_start=False
    )
    tree = parse_yaml(text)
    assert tree.problems == ()
    for node in nodes(tree.root):
        start, end = node.span.start, node.span.end
        source = text[start:end]
        assert (node.span.line, node.span.column) == (
            text.count("\n", 0, start) + 1,
            start - text.rfind("\n", 0, start),
        )
        assert (node.span.end_line, node.span.end_column) == (
            text.count("\n", 0, end) + 1,
            end - text.rfind("\n", 0, end),
        )
        if isinstance(node, Scalar) and not (node.style in ("|", ">") and _has_indent(source)):
            again = parse_yaml(source).root
            assert (again.text if isinstance(again, Scalar) else "").rstrip("\n") == node.text.rstrip("\n")


def _has_indent(source: str) -> bool:
    # An explicit indentation counts from the parent's, which the slice has lost.
    return any(character.isdigit() for character in source.split("\n", 1)[0])


@given(
    st.text(
        st.sampled_from("ab:- \n\t'\"[]{},&*!|>#?%@\x00\x85\ufeff\ud800é1~") | st.characters(), max_size=60
    )
)
def test_no_text_makes_the_reader_raise(text: str) -> None:
    tree = parse_yaml(text)
    to_python(tree.root)
    for problem in tree.problems:
        assert 1 <= problem.span.line <= text.count("\n") + text.count("\r") + 1
        assert 0 <= problem.span.start <= problem.span.end <= len(text)


@given(st.text(max_size=40))
def test_it_reads_the_same_text_as_the_library(text: str) -> None:
    quoted = yaml.safe_dump(text, default_style='"')
    node = parse_yaml(quoted).root
    assert isinstance(node, Scalar)
    assert node.value == text
