"""How diagnostics leave the program: plain, coloured on a terminal, or in a format for programs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence

import click

from bmadc import __version__
from bmadc.diagnostics import Diagnostic
from bmadc.diagnostics.as_json import render_json
from bmadc.diagnostics.github import render_github
from bmadc.diagnostics.sarif import render_sarif
from bmadc.diagnostics.text import Line, LineOf, Piece, plain, render_text

FORMATS = ("text", "json", "github", "sarif")
WIDEST = 100

_STYLES = {
    "plain": "",
    "place": "bold",
    "code": "bold",
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "fine": "bold green",
    "quiet": "dim",
    "label": "cyan",
}


def emit(
    diagnostics: Sequence[Diagnostic],
    line_of: LineOf,
    format_: str,
    *,
    closing: str,
    fine: bool,
    summary: Mapping[str, object],
) -> None:
    """Write diagnostics to stdout in one of the formats; people get a closing line, programs a summary."""
    if format_ == "json":
        _write(render_json(diagnostics, summary))
    elif format_ == "sarif":
        _write(render_sarif(diagnostics, __version__))
    elif format_ == "github":
        _write(render_github(diagnostics))
        _write(f"{closing}\n")
    else:
        terminal = sys.stdout.isatty()
        width = min(shutil.get_terminal_size().columns, WIDEST) if terminal else None
        lines = (
            *render_text(diagnostics, line_of, width=width),
            (Piece("fine" if fine else "code", closing),),
        )
        _write_lines(lines, colour=terminal and _wants_colour())


def _wants_colour() -> bool:
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _write_lines(lines: Iterable[Line], *, colour: bool) -> None:
    if not colour:
        _write(plain(lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=sys.stdout, highlight=False, soft_wrap=True)
    for line in lines:
        console.print(Text.assemble(*((piece.text, _STYLES[piece.style]) for piece in line)))


def _write(text: str) -> None:
    # A narrow locale must not turn a finding into a traceback.
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)
