"""Diagnostics for people: the excerpt, the carets, the notes, and wrapping to a terminal."""

import pytest

from bmadc.diagnostics import Diagnostic, Span
from bmadc.diagnostics.text import DETAIL_LIMIT, LineOf, plain, render_text

FULL = Diagnostic(
    code="BMC211",
    severity="error",
    message="Unknown property: permisions",
    span=Span.point("pack/greet.md", 12, 3, 10),
    detail="first line\n  second line",
    why="There is no lock.",
    expected="a key of gh-aw",
    nearest=("permissions", "persona"),
    help=("Rename the key.", "Remove the key."),
)


def lines(text: str) -> LineOf:
    return lambda _path, _line: text


def shown(diagnostic: Diagnostic, source: str = "", width: int | None = None) -> str:
    return plain(render_text([diagnostic], lines(source), width=width))


def at(column: int, end: int) -> Diagnostic:
    return Diagnostic(code="BMC212", severity="warning", message="m", span=Span("a.md", 1, column, 1, end))


def caret_row(source: str, column: int, end: int, width: int | None = None) -> tuple[str, str]:
    rows = shown(at(column, end), source, width).splitlines()
    return rows[2], rows[3]


def test_everything_is_shown_in_its_order() -> None:
    assert (
        shown(FULL, "  permisions: read")
        == """\
pack/greet.md:12:3: error[BMC211]: Unknown property: permisions
   |
12 |   permisions: read
   |   ^^^^^^^^^^
   |
   | first line
   |   second line
   |
   = expected: a key of gh-aw
   = nearest:  permissions, persona
   = why:      There is no lock.
   = do:       Rename the key.
   = or:       Remove the key.

"""
    )


def test_a_finding_about_a_file_has_no_excerpt() -> None:
    diagnostic = Diagnostic(code="BMC204", severity="error", message="empty", span=Span.file("pack"))
    assert shown(diagnostic, "never shown") == "pack: error[BMC204]: empty\n\n"


def test_a_finding_about_nothing_has_no_place() -> None:
    diagnostic = Diagnostic(code="BMC201", severity="error", message="not found")
    assert shown(diagnostic) == "error[BMC201]: not found\n\n"


def test_a_line_that_is_not_there_is_left_out() -> None:
    assert plain(render_text([at(1, 2)], lambda _path, _line: None)) == "a.md:1:1: warning[BMC212]: m\n\n"


@pytest.mark.parametrize(
    ("source", "column", "end", "carets"),
    [
        ("abc", 2, 3, "  |  ^"),
        ("abc", 1, 4, "  | ^^^"),
        ("abc", 4, 5, "  |    ^"),
        ("abc", 9, 12, "  |    ^"),
        ("", 1, 2, "  | ^"),
        ("\tkey: x", 2, 5, "  |     ^^^"),
        ("日本 key", 4, 7, "  |      ^^^"),
        ("日本", 1, 3, "  | ^^^^"),
        ("e\u0301 key", 4, 7, "  |   ^^^"),
        ("⚠\ufe0f key", 4, 7, "  |   ^^^"),
    ],
)
def test_carets_stand_under_the_marked_characters(source: str, column: int, end: int, carets: str) -> None:
    assert caret_row(source, column, end)[1] == carets


def test_a_span_over_several_lines_is_marked_to_the_end_of_its_first() -> None:
    diagnostic = Diagnostic(code="BMC212", severity="warning", message="m", span=Span("a.md", 1, 3, 4, 2))
    assert shown(diagnostic, "abcdef").splitlines()[3] == "  |   ^^^^"


@pytest.mark.parametrize(
    ("column", "row", "carets"),
    [
        (1, "1 | MARK" + "x" * 31 + "…", "  | ^^^^"),
        (61, "1 | …" + "x" * 31 + "MARK", "  | " + " " * 32 + "^^^^"),
    ],
)
def test_a_long_line_is_cut_and_the_mark_stays(column: int, row: str, carets: str) -> None:
    source = "x" * (column - 1) + "MARK" + "x" * (96 - column)
    assert caret_row(source, column, column + 4, width=40) == (row, carets)


def test_a_long_detail_is_cut_and_says_where_the_rest_is() -> None:
    detail = "\n".join(f"row {number}" for number in range(DETAIL_LIMIT + 5))
    diagnostic = Diagnostic(code="BMC211", severity="error", message="m", detail=detail)
    assert shown(diagnostic).splitlines()[-3:-1] == [
        "  | row 11",
        "  | … 5 more lines; --format json has them all",
    ]


def test_a_terminal_gets_wrapped_rows_that_keep_their_indent() -> None:
    diagnostic = Diagnostic(
        code="BMC211",
        severity="error",
        message="one two three four five six seven eight",
        detail="  nine ten eleven twelve thirteen fourteen",
        why="fifteen sixteen seventeen eighteen nineteen",
    )
    assert (
        shown(diagnostic, width=40)
        == """\
error[BMC211]: one two three four five
    six seven eight
  |
  |   nine ten eleven twelve thirteen
  |   fourteen
  |
  = why: fifteen sixteen seventeen
         eighteen nineteen

"""
    )


def test_a_message_after_a_long_path_starts_on_its_own_row() -> None:
    diagnostic = Diagnostic(
        code="BMC211",
        severity="error",
        message="one two three four five",
        span=Span.file("a/rather/long/path.md"),
    )
    assert (
        shown(diagnostic, width=40)
        == "a/rather/long/path.md: error[BMC211]:\n    one two three four five\n\n"
    )
