"""How diagnostics leave the program: plain, coloured on a terminal, or in a format for programs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from bmadc import __version__
from bmadc.diagnostics import Diagnostic
from bmadc.diagnostics.as_json import dump, render_json
from bmadc.diagnostics.github import render_github
from bmadc.diagnostics.sarif import render_sarif
from bmadc.diagnostics.text import Line, LineOf, Piece, plain, render_text
from bmadc.diagnostics.visible import visible
from bmadc.source import SourceError, read_text

FORMATS = ("text", "json", "github", "sarif")
WIDEST = 100

_STYLES: dict[str, dict[str, Any]] = {
    "plain": {},
    "place": {"bold": True},
    "code": {"bold": True},
    "error": {"fg": "red", "bold": True},
    "warning": {"fg": "yellow", "bold": True},
    "note": {"fg": "cyan", "bold": True},
    "fine": {"fg": "green", "bold": True},
    "quiet": {"dim": True},
    "label": {"fg": "cyan"},
}


def emit(
    diagnostics: Sequence[Diagnostic],
    line_of: LineOf,
    format_: str,
    *,
    closing: str,
    fine: bool,
    summary: Mapping[str, object],
    opening: Sequence[Line] = (),
    document: Mapping[str, object] | None = None,
) -> None:
    """Write diagnostics to stdout in one of the formats; people get a closing line, programs a summary.

    `opening` stands above the diagnostics where people read them, `document` in place of the usual JSON.
    """
    closing = visible(closing)
    if format_ == "json":
        _write(render_json(diagnostics, summary) if document is None else dump(document))
    elif format_ == "sarif":
        _write(render_sarif(diagnostics, __version__))
    elif format_ == "github":
        _write(render_github(diagnostics))
        _write(f"{closing}\n")
    else:
        width = terminal_width()
        room = None if width is None else min(width, WIDEST)
        write_lines(
            (
                *opening,
                *render_text(diagnostics, line_of, width=room),
                (Piece("fine" if fine else "code", closing),),
            )
        )


def line_on_disk(root: Path, path: str, line: int) -> str | None:
    """Return a line of a file below root, or None if there is none to show."""
    try:
        return read_text(root, path).line(line)
    except (SourceError, IndexError):
        return None


class Progress:
    """One line on a terminal that says what is being done; nothing elsewhere."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()

    def say(self, what: str) -> None:
        """Show what is being done now."""
        if self.shown:
            click.echo(f"\r\x1b[K{visible(what)} ...", nl=False, err=True)

    def done(self) -> None:
        """Take the line away."""
        if self.shown:
            click.echo("\r\x1b[K", nl=False, err=True)


def terminal_width() -> int | None:
    """Return how many columns stdout has, or None if it is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def write_lines(lines: Iterable[Line]) -> None:
    """Write lines of styled pieces to stdout, coloured on a terminal that wants it."""
    _write(_coloured(lines) if sys.stdout.isatty() and _wants_colour() else plain(lines))


def write_text(text: str) -> None:
    """Write a document for programs to stdout as it is."""
    _write(text)


def _wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _coloured(lines: Iterable[Line]) -> str:
    return "".join("".join(_styled(piece) for piece in line) + "\n" for line in lines)


def _styled(piece: Piece) -> str:
    style = _STYLES[piece.style]
    return click.style(piece.text, **style) if style else piece.text


def _write(text: str) -> None:
    # A narrow locale must not turn a finding into a traceback.
    encoding = sys.stdout.encoding or "utf-8"
    # Colours are in the text only if they are wanted, so click need not decide again.
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False, color=True)
