"""Tables and paragraphs as lines of styled pieces, cut or wrapped to the width of a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bmadc.diagnostics.text import Line, Piece
from bmadc.diagnostics.visible import visible

GAP = 2
_ELLIPSIS = "…"


class Column(NamedTuple):
    """A column of a table; numbers stand at its right edge.

    Where there is no room, columns with `yields` are narrowed down to `least`, the smallest number first.
    Where that would not do, columns with `spare` are left out, the smallest first. 0 means: not done.
    """

    title: str
    right: bool = False
    style: str = "plain"
    least: int = 0
    yields: int = 0
    spare: int = 0


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int | None, indent: int = 0
) -> Iterator[Line]:
    """Return a table with its titles; what was left out of it for want of room is said below it."""
    cells = [[visible(cell) for cell in row] for row in rows]
    kept = list(range(len(columns)))
    widths = {at: max(_wide(columns[at].title), *(_wide(row[at]) for row in cells)) for at in kept}
    gone: list[str] = []
    if width is not None:
        room = width - indent
        for at in sorted((at for at in kept if columns[at].spare), key=lambda at: columns[at].spare):
            if _narrowest(columns, widths, kept) > room:
                kept.remove(at)
                gone.append(columns[at].title)
        for at in sorted((at for at in kept if columns[at].yields), key=lambda at: columns[at].yields):
            over = sum(widths[one] for one in kept) + GAP * (len(kept) - 1) - room
            if over > 0:
                widths[at] = max(min(widths[at], columns[at].least), widths[at] - over)
    yield _row([columns[at].title for at in kept], ["quiet"] * len(kept), columns, widths, kept, indent)
    for row in cells:
        styles = [columns[at].style for at in kept]
        yield _row([row[at] for at in kept], styles, columns, widths, kept, indent)
    if gone:
        said = f"without {' and '.join(gone)}: the terminal is narrow"
        yield (Piece("quiet", " " * indent + said),)


def labelled(
    label: str, text: str, width: int | None, *, indent: int = 2, column: int = 12
) -> Iterator[Line]:
    """Return a paragraph that hangs beside its label; an empty label continues the one above."""
    lead = indent + column
    rows = wrapped(text, None if width is None else width - lead)
    yield (Piece("label", " " * indent + label.ljust(column)), Piece("plain", rows[0]))
    yield from ((Piece("plain", " " * lead + row),) for row in rows[1:])


def paragraph(text: str, width: int | None, indent: int = 2, style: str = "plain") -> Iterator[Line]:
    """Return a paragraph of its own."""
    for row in wrapped(text, None if width is None else width - indent):
        yield (Piece(style, " " * indent + row),)


def wrapped(text: str, width: int | None) -> list[str]:
    """Return text in rows of at most that many columns; without a width in one."""
    shown = visible(" ".join(text.split()))
    if width is None:
        return [shown]
    return textwrap.wrap(shown, max(width, 20), break_long_words=False, break_on_hyphens=False) or [""]


def count(number: int, one: str, more: str = "") -> str:
    """Return a number with its word."""
    return f"{number} {one if number == 1 else more or one + 's'}"


def bytes_text(number: int) -> str:
    """Return a size as people read it."""
    return f"{number} B" if number < 1000 else f"{number / 1000:.1f} kB"


def _narrowest(columns: Sequence[Column], widths: dict[int, int], kept: Sequence[int]) -> int:
    least = [min(widths[at], columns[at].least) if columns[at].yields else widths[at] for at in kept]
    return sum(least) + GAP * (len(kept) - 1)


def _row(
    cells: Sequence[str],
    styles: Sequence[str],
    columns: Sequence[Column],
    widths: dict[int, int],
    kept: Sequence[int],
    indent: int,
) -> Line:
    pieces = [Piece("plain", " " * indent)]
    for number, (at, cell, style) in enumerate(zip(kept, cells, styles, strict=True)):
        text = _cut(cell, widths[at])
        space = " " * (widths[at] - _wide(text))
        gap = " " * GAP if number else ""
        last = number == len(kept) - 1
        padded = f"{gap}{space}{text}" if columns[at].right else f"{gap}{text}{'' if last else space}"
        pieces.append(Piece(style, padded))
    return tuple(pieces)


def _wide(text: str) -> int:
    return sum(
        0
        if unicodedata.category(one) in ("Mn", "Me")
        else 2
        if unicodedata.east_asian_width(one) in "WF"
        else 1
        for one in text
    )


def _cut(text: str, width: int) -> str:
    if _wide(text) <= width:
        return text
    while text and _wide(text) > width - 1:
        text = text[:-1]
    return text + _ELLIPSIS
