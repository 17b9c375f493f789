"""How diagnostics leave the program: plain, coloured on a terminal, or in a format for programs."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from bmadc import __version__
from bmadc.diagnostics import Diagnostic
from bmadc.diagnostics.as_json import render_json
from bmadc.diagnostics.github import render_github
from bmadc.diagnostics.sarif import render_sarif
from bmadc.diagnostics.text import Line, LineOf, Piece, plain, render_text
from bmadc.diagnostics.visible import visible

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
) -> None:
    """Write diagnostics to stdout in one of the formats; people get a closing line, programs a summary."""
    closing = visible(closing)
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
        _write(_coloured(lines) if terminal and _wants_colour() else plain(lines))


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
