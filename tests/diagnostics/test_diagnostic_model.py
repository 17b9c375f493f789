"""The model of a diagnostic, the order of reading, and names that were perhaps meant."""

import re

import pytest

from bmadc.diagnostics import Diagnostic, Severity, Span, count, in_reading_order, nearest_names
from bmadc.diagnostics.codes import CODES


def test_codes_have_their_form_and_each_its_own_title() -> None:
    assert all(re.fullmatch(r"BMC\d{3}", code) for code in CODES)
    assert list(CODES) == sorted(CODES)
    assert len(set(CODES.values())) == len(CODES)


def test_a_code_that_is_not_registered_is_refused() -> None:
    with pytest.raises(ValueError, match="BMC999 is not in"):
        Diagnostic(code="BMC999", severity="error", message="m")


def test_reading_order_is_by_file_place_and_weight() -> None:
    def one(message: str, severity: Severity, span: Span | None) -> Diagnostic:
        return Diagnostic(code="BMC212", severity=severity, message=message, span=span)

    ordered = [
        one("no file", "note", None),
        one("whole file", "warning", Span.file("a.md")),
        one("error first", "error", Span.point("a.md", 2, 1)),
        one("note later", "note", Span.point("a.md", 2, 1)),
        one("column", "error", Span.point("a.md", 2, 9)),
        one("line 10 after 2", "error", Span.point("a.md", 10, 1)),
        one("other file", "error", Span.file("b.md")),
    ]
    assert in_reading_order(reversed(ordered)) == tuple(ordered)
    assert [count(ordered, severity) for severity in ("error", "warning", "note")] == [4, 1, 2]


def test_a_span_is_written_as_editors_read_it() -> None:
    assert str(Span.point("a.md", 3, 7)) == "a.md:3:7"
    assert str(Span.file("a.md")) == "a.md"


@pytest.mark.parametrize(
    ("name", "valid", "expected"),
    [
        ("verfy", ["verify", "build"], ("verify",)),
        ("VERIFY", ["verify", "build"], ("verify",)),
        ("zzz", ["verify", "build"], ()),
        ("verfy", ["verify", "Verify"], ("Verify",)),
        ("ab", ["abd", "abc", "abe", "abf"], ("abf", "abe", "abd")),
    ],
)
def test_nearest_names(name: str, valid: list[str], expected: tuple[str, ...]) -> None:
    assert nearest_names(name, valid) == expected
    assert nearest_names(name, reversed(valid)) == expected
