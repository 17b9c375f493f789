"""gh-aw documents: where the frontmatter ends, what it holds, and what a broken one says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmadc.ghaw.documents import parse_document
from bmadc.source.yamltree import Scalar, to_python

DOCUMENT = """\
---
name: greet
on:
  workflow_dispatch:
permissions: {contents: read}
---

# Greet

Say hello.
"""


def test_frontmatter_and_body_know_their_lines() -> None:
    document = parse_document(DOCUMENT, "greet.md")
    assert document.problems == ()
    assert to_python(document.frontmatter) == {
        "name": "greet",
        "on": {"workflow_dispatch": None},
        "permissions": {"contents": "read"},
    }
    assert document.body == "\n# Greet\n\nSay hello.\n"
    assert document.body_line == 7
    node = document.at("permissions", "contents")
    assert isinstance(node, Scalar)
    assert (node.span.line, node.span.column) == (5, 25)
    assert DOCUMENT[node.span.start : node.span.end] == "read"
    assert str(node.span.in_file("greet.md")) == "greet.md:5:25"


@given(
    keys=st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=6, unique=True),
    body=st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60),
    end=st.sampled_from(["\n", "\r\n"]),
)
def test_the_parts_of_any_document_are_found_again(keys: list[str], body: str, end: str) -> None:
    text = f"---{end}" + "".join(f"{key}: v{end}" for key in keys) + f"---{end}" + body
    document = parse_document(text, "any.md")
    assert document.problems == ()
    assert document.frontmatter is not None
    assert document.frontmatter.names == tuple(keys)
    assert [entry.key.span.line for entry in document.frontmatter] == list(range(2, len(keys) + 2))
    assert document.body == body
    assert document.body_line == len(keys) + 3


def test_a_file_without_frontmatter_is_all_body() -> None:
    document = parse_document("# Title\n---\na: 1\n---\n", "plain.md")
    assert document.frontmatter is None
    assert document.body.startswith("# Title")
    assert document.body_line == 1
    assert [str(problem.span) for problem in document.problems] == ["1:1"]
    assert "no frontmatter" in document.problems[0].message


def test_an_unterminated_frontmatter_is_said_at_its_opening() -> None:
    document = parse_document("---\na: 1\n\n# Title\n", "open.md")
    assert document.frontmatter is None
    assert document.body == ""
    assert [(str(problem.span), problem.span.end_column) for problem in document.problems] == [("1:1", 4)]
    assert "never closed" in document.problems[0].message


@pytest.mark.parametrize(
    "text", ["", "\n", "---", "---\n", "\ufeff---\na: 1\n---\n", "--- \nx", "----\n---\n"]
)
def test_a_fragment_is_one_problem_and_never_a_crash(text: str) -> None:
    document = parse_document(text, "odd.md")
    assert document.frontmatter is None
    assert len(document.problems) == 1


def test_an_empty_frontmatter_is_an_empty_mapping() -> None:
    document = parse_document("---\n---\nbody\n", "empty.md")
    assert document.problems == ()
    assert document.frontmatter is not None
    assert document.frontmatter.entries == ()
    assert (document.body, document.body_line) == ("body\n", 3)


def test_yaml_errors_stand_at_the_line_of_the_file() -> None:
    document = parse_document("---\nname: x\non: [push\n---\nbody\n", "broken.md")
    assert document.frontmatter is None
    assert document.problems[0].span.line in (3, 4)
    assert document.body == "body\n"


def test_frontmatter_that_is_a_list_is_refused() -> None:
    document = parse_document("---\n- a\n---\n", "list.md")
    assert document.frontmatter is None
    assert [str(problem.span) for problem in document.problems] == ["2:1"]


def test_a_separator_inside_an_indented_block_ends_the_frontmatter_as_it_does_for_gh_aw() -> None:
    document = parse_document("---\nrun: |\n  a\n  ---\n  b\n---\nbody\n", "block.md")
    assert to_python(document.frontmatter) == {"run": "a\n"}
    assert document.body == "  b\n---\nbody\n"


def test_a_no_break_space_is_a_space_as_it_is_for_gh_aw() -> None:
    document = parse_document("---\nname:\u00a0greet\n---\n", "space.md")
    assert to_python(document.frontmatter) == {"name": "greet"}


def test_duplicate_keys_are_collected_with_the_rest_still_read() -> None:
    document = parse_document("---\na: 1\nb: 2\na: 3\n---\n", "twice.md")
    assert [str(problem.span) for problem in document.problems] == ["4:1"]
    assert to_python(document.frontmatter) == {"a": 1, "b": 2}
