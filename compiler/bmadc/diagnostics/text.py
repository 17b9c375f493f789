"""Diagnostics for people: the place, the line, a caret run, what was expected, what to do.

The renderer makes lines of styled pieces and knows nothing of terminals; joining the pieces gives plain text,
and whoever has a terminal may colour them by style.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from bmadc.diagnostics.model import Diagnostic, Span
from bmadc.diagnostics.visible import visible

DETAIL_LIMIT = 12

_INDENT = 4
_NARROWEST = 40
_ELLIPSIS = "…"


class Piece(NamedTuple):
    """Some text with the name of its style: plain, place, code, error, warning, note, quiet or label."""

    style: str
    text: str


Line: TypeAlias = tuple[Piece, ...]
LineOf: TypeAlias = Callable[[str, int], str | None]


def plain(lines: Iterable[Line]) -> str:
    """Return the lines as text without any style, each with its line end."""
    return "".join("".join(piece.text for piece in line).rstrip() + "\n" for line in lines)


def render_text(
    diagnostics: Iterable[Diagnostic], line_of: LineOf, *, width: int | None = None
) -> tuple[Line, ...]:
    """Return all diagnostics as lines, one blank line after each; without a width nothing is wrapped."""
    room = None if width is None else max(width, _NARROWEST)
    lines: list[Line] = []
    for diagnostic in diagnostics:
        lines.extend(_one(diagnostic, line_of, room))
        lines.append(())
    return tuple(lines)


def _one(diagnostic: Diagnostic, line_of: LineOf, width: int | None) -> Iterator[Line]:
    yield from _headline(diagnostic, width)
    span = diagnostic.span
    source = None if span is None or span.is_file else line_of(span.path, span.line)
    gutter = " " * (len(str(span.line)) if span is not None and source is not None else 1)
    if span is not None and source is not None:
        yield from _excerpt(span, source, gutter, diagnostic.severity, width)
    yield from _detail(diagnostic.detail, gutter, width)
    yield from _notes(diagnostic, gutter, width)


def _headline(diagnostic: Diagnostic, width: int | None) -> Iterator[Line]:
    place = f"{_place(diagnostic.span)}: " if diagnostic.span is not None else ""
    label = f"{diagnostic.severity}[{diagnostic.code}]"
    head = (Piece("place", place), Piece(diagnostic.severity, label), Piece("plain", ": "))
    taken = sum(len(piece.text) for piece in head)
    rows = _wrap(visible(diagnostic.message), width, first=taken, rest=_INDENT)
    # A message that would start at the right edge reads better on lines of its own.
    if width is not None and len(rows) > 1 and taken > width // 2:
        yield (*head[:2], Piece("plain", ":"))
        rows = _wrap(visible(diagnostic.message), width, first=_INDENT, rest=_INDENT)
        yield from ((Piece("code", " " * _INDENT + row),) for row in rows)
        return
    yield (*head, Piece("code", rows[0]))
    yield from ((Piece("code", " " * _INDENT + row),) for row in rows[1:])


def _place(span: Span) -> str:
    shown = visible(str(span))
    # In a GitHub run a line that starts with two colons would be a workflow command.
    return f"./{shown}" if shown.lstrip().startswith("::") else shown


def _excerpt(span: Span, source: str, gutter: str, severity: str, width: int | None) -> Iterator[Line]:
    start = min(max(span.column, 1), len(source) + 1) - 1
    last = span.end_column - 1 if span.end_line == span.line else len(source)
    end = max(min(last, len(source)), start)
    # Cut after it is made visible: a sequence that the cut would split must be seen whole.
    shown, start, end = visible(source), len(visible(source[:start])), len(visible(source[:end]))
    before, marked, after = shown[:start], shown[start:end], shown[end:]
    room = None if width is None else width - len(gutter) - 3
    before, marked, after = _clip(before, marked, after, room)
    carets = "^" * max(_columns(marked), 1)
    quiet = f"{gutter} |"
    yield (Piece("quiet", quiet),)
    yield (Piece("quiet", f"{span.line} | "), Piece("plain", before + marked + after))
    yield (Piece("quiet", f"{quiet} "), Piece(severity, " " * _columns(before) + carets))


def _clip(before: str, marked: str, after: str, room: int | None) -> tuple[str, str, str]:
    """Cut a long source line around the marked part, so that the carets stay under it."""
    if room is None or _columns(before + marked + after) <= room:
        return before, marked, after
    if _columns(before + marked) > room:
        keep = max(room - _columns(marked) - 1, room // 4)
        if len(before) > keep:
            before = _ELLIPSIS + before[len(before) - keep :]
        spare = room - _columns(before)
        if _columns(marked) > spare:
            return before, _cut(marked, spare - 1) + _ELLIPSIS, ""
    spare = room - _columns(before + marked)
    if _columns(after) > spare:
        after = _cut(after, spare - 1) + _ELLIPSIS if spare > 0 else ""
    return before, marked, after


def _detail(detail: str, gutter: str, width: int | None) -> Iterator[Line]:
    if not detail:
        return
    rows = [
        row
        for line in detail.split("\n")
        for row in _wrap(visible(line), width, first=len(gutter) + 3, rest=len(gutter) + 3)
    ]
    kept = rows if len(rows) <= DETAIL_LIMIT + 1 else rows[:DETAIL_LIMIT]
    yield (Piece("quiet", f"{gutter} |"),)
    yield from ((Piece("quiet", f"{gutter} | "), Piece("plain", row)) for row in kept)
    if len(kept) < len(rows):
        more = f"{_ELLIPSIS} {len(rows) - len(kept)} more lines; --format json has them all"
        yield (Piece("quiet", f"{gutter} | {more}"),)


def _notes(diagnostic: Diagnostic, gutter: str, width: int | None) -> Iterator[Line]:
    notes = [
        ("expected", diagnostic.expected),
        ("nearest", ", ".join(diagnostic.nearest)),
        ("why", diagnostic.why),
        *(("do" if number == 0 else "or", action) for number, action in enumerate(diagnostic.help)),
    ]
    notes = [(label, text) for label, text in notes if text]
    if not notes:
        return
    yield (Piece("quiet", f"{gutter} |"),)
    widest = max(len(label) for label, _ in notes) + 1
    for label, text in notes:
        lead = f"{gutter} = "
        indent = len(lead) + widest + 1
        first, *rest = _wrap(visible(text), width, first=indent, rest=indent)
        yield (Piece("quiet", lead), Piece("label", f"{label}:".ljust(widest) + " "), Piece("plain", first))
        yield from ((Piece("plain", " " * indent + row),) for row in rest)


def _wrap(text: str, width: int | None, *, first: int, rest: int) -> list[str]:
    if width is None:
        return [text]
    words = text.lstrip()
    leading = " " * (len(text) - len(words))
    rows = textwrap.wrap(
        words,
        width=width,
        initial_indent=" " * first + leading,
        subsequent_indent=" " * rest + leading,
        break_long_words=False,
        break_on_hyphens=False,
    )
    if not rows:
        return [""]
    return [rows[0][first:], *(row[rest:] for row in rows[1:])]


def _columns(text: str) -> int:
    return sum(_column(character) for character in text)


def _column(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


def _cut(text: str, columns: int) -> str:
    taken = 0
    for index, character in enumerate(text):
        taken += _column(character)
        if taken > columns:
            return text[:index]
    return text
