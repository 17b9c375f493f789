"""Diagnostics for programs: one JSON document with everything the text shows, and more."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bmadc.diagnostics.codes import title
from bmadc.diagnostics.model import Diagnostic, Span

FORMAT = 1


def render_json(diagnostics: Iterable[Diagnostic], summary: Mapping[str, object]) -> str:
    """Return the diagnostics and a summary as JSON; keys are only ever added to this format."""
    document = {
        "format": FORMAT,
        "summary": dict(summary),
        "diagnostics": [_diagnostic(diagnostic) for diagnostic in diagnostics],
    }
    return dump(document)


def dump(document: Mapping[str, object]) -> str:
    """Return a document as ASCII JSON that can steer neither a terminal nor the log of a GitHub run."""
    # GitHub's runner looks for this mark of a command anywhere in a line; escaped it is the same JSON.
    return json.dumps(document, indent=2).replace("##[", "##\\u005b") + "\n"


def _diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "title": title(diagnostic.code),
        "severity": diagnostic.severity,
        "message": diagnostic.message,
        "span": _span(diagnostic.span),
        "detail": diagnostic.detail,
        "why": diagnostic.why,
        "expected": diagnostic.expected,
        "nearest": list(diagnostic.nearest),
        "help": list(diagnostic.help),
    }


def _span(span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    if span.is_file:
        return {"path": span.path}
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
