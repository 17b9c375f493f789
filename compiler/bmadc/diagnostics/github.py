"""Diagnostics as GitHub workflow commands, so that a run shows them beside the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable

from bmadc.diagnostics.codes import title
from bmadc.diagnostics.model import Diagnostic
from bmadc.diagnostics.visible import visible

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Return one workflow command per diagnostic, escaped so that no text can start another command."""
    return "".join(_command(diagnostic) + "\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties: list[tuple[str, str]] = []
    span = diagnostic.span
    if span is not None:
        properties.append(("file", span.path))
    if span is not None and not span.is_file:
        properties.append(("line", str(span.line)))
        properties.append(("endLine", str(span.end_line)))
        # GitHub shows columns only on one line, and there it counts the last one in.
        properties.append(("col", str(span.column)))
        if span.end_line == span.line:
            properties.append(("endColumn", str(max(span.end_column - 1, span.column))))
    properties.append(("title", f"{diagnostic.code} {title(diagnostic.code)}"))
    attributes = ",".join(f"{name}={_property(value)}" for name, value in properties)
    return f"::{_COMMANDS[diagnostic.severity]} {attributes}::{_data(_body(diagnostic))}"


def _body(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message]
    if diagnostic.detail:
        lines.append(diagnostic.detail)
    if diagnostic.expected:
        lines.append(f"expected: {diagnostic.expected}")
    if diagnostic.nearest:
        lines.append(f"nearest: {', '.join(diagnostic.nearest)}")
    if diagnostic.why:
        lines.append(f"why: {diagnostic.why}")
    lines.extend(f"do: {action}" for action in diagnostic.help)
    return "\n".join(lines)


def _data(text: str) -> str:
    shown = "\n".join(visible(line) for line in text.split("\n"))
    return shown.replace("%", "%25").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
