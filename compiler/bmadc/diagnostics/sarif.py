"""Diagnostics as SARIF 2.1.0, the part of it that code scanning reads."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from bmadc.diagnostics.as_json import dump
from bmadc.diagnostics.codes import title
from bmadc.diagnostics.model import Diagnostic, Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render_sarif(diagnostics: Iterable[Diagnostic], version: str) -> str:
    """Return the diagnostics as one SARIF run of this version of bmadc.

    A diagnostic without a file is about the run itself, so it is a notification and not a result: code
    scanning refuses results that have no place.
    """
    every = tuple(diagnostics)
    placed = [diagnostic for diagnostic in every if diagnostic.span is not None]
    unplaced = [diagnostic for diagnostic in every if diagnostic.span is None]
    codes = sorted({diagnostic.code for diagnostic in every})
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "bmadc", "version": version, "rules": [_rule(code) for code in codes]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not any(diagnostic.severity == "error" for diagnostic in unplaced),
                "toolExecutionNotifications": [_notification(diagnostic) for diagnostic in unplaced],
            }
        ],
        "results": [_result(diagnostic, codes) for diagnostic in placed],
    }
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule(code: str) -> dict[str, Any]:
    return {"id": code, "shortDescription": {"text": title(code)}}


def _notification(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "descriptor": {"id": diagnostic.code},
        "level": diagnostic.severity,
        "message": {"text": _text(diagnostic)},
    }


def _result(diagnostic: Diagnostic, codes: list[str]) -> dict[str, Any]:
    assert diagnostic.span is not None
    return {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": _text(diagnostic)},
        "locations": [{"physicalLocation": _place(diagnostic.span)}],
    }


def _place(span: Span) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": _uri(span.path)}}
    if not span.is_file:
        place["region"] = {
            "startLine": span.line,
            "startColumn": max(span.column, 1),
            "endLine": span.end_line,
            "endColumn": max(span.end_column, 1),
        }
    return place


def _uri(path: str) -> str:
    pure = PurePath(path)
    return pure.as_uri() if pure.is_absolute() else quote(pure.as_posix(), errors="surrogateescape")


def _text(diagnostic: Diagnostic) -> str:
    lines = [diagnostic.message, diagnostic.detail]
    if diagnostic.expected:
        lines.append(f"Expected: {diagnostic.expected}")
    if diagnostic.nearest:
        lines.append(f"Nearest: {', '.join(diagnostic.nearest)}")
    lines.append(diagnostic.why)
    lines.extend(diagnostic.help)
    return "\n".join(line for line in lines if line)
