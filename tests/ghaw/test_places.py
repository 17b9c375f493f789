"""Where in a workflow a finding belongs, when gh-aw gives no place or one that nobody should believe."""

import pytest

from bmadc.diagnostics import Span
from bmadc.ghaw.findings import Finding
from bmadc.ghaw.places import place
from bmadc.source import Text

SOURCE = Text(
    "a.md",
    """\
---
on:
  issues:
    types: [opened]
engine: claude
network:
  allowed:
    - defaults
    - nodejs.org
tools:
  "quoted-key": x
steps:
  - uses: octo/mend@v1
---

Use ${{ github.odd.thing }} and the issues.
""",
)


def marked(message: str, line: int = 0, column: int = 0) -> str | None:
    """Return the characters that the place of a finding covers, or None for the whole file."""
    span = place(Finding("a.md", line, column, "error", message), SOURCE, "pack/a.md")
    assert span.path == "pack/a.md"
    if span.is_file:
        return None
    assert span.line == span.end_line
    return f"{span.line}:{SOURCE.line(span.line)[span.column - 1 : span.end_column - 1]}"


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [
        (4, 5, "4:types"),
        (4, 11, "4:opened"),
        (4, 99, "4:opened"),
        (15, 1, "15:"),
        (99, 1, None),
        (1, 1, None),
    ],
)
def test_a_place_of_gh_aw_is_widened_to_its_word(line: int, column: int, expected: str | None) -> None:
    assert marked("something", line, column) == expected


def test_the_line_of_the_engine_is_a_fallback_unless_it_is_about_the_engine() -> None:
    assert marked("the bash tool is missing", 5, 1) is None
    assert marked("this engine is not known", 5, 1) == "5:engine"
    assert marked("see 'nodejs.org'", 5, 1) == "9:nodejs.org"


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("do not use 'nodejs.org' here", "9:nodejs.org"),
        ('key "quoted-key" is odd', "11:quoted-key"),
        ("action octo/mend@v1 is not pinned", "13:octo/mend@v1"),
        ("not allowed:\n  - github.odd.thing", "16:github.odd.thing"),
        ("see ${{ github.odd.thing }}", "16:github.odd.thing"),
        ("network.allowed is odd", "7:allowed"),
        ("network.missing is odd", "6:network"),
        ("'issues' is odd", "3:issues"),
        ("'the' is a word of the body only", None),
        ("'default' is a part of a word only", None),
        ("nothing quoted", None),
    ],
)
def test_the_words_of_a_message_are_looked_up(message: str, expected: str | None) -> None:
    assert marked(message) == expected


def test_a_file_without_front_matter_has_no_keys() -> None:
    text = Text("a.md", "no front matter\n")
    assert place(Finding("a.md", 0, 0, "error", "'on' is missing"), text, "a.md") == Span.file("a.md")
    assert place(Finding("a.md", 0, 0, "error", "'on'"), Text("a.md", ""), "a.md") == Span.file("a.md")
