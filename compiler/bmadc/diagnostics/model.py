"""One diagnostic: what happened, where, why it matters and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bmadc.diagnostics.codes import CODES

Severity: TypeAlias = Literal["error", "warning", "note"]

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of a file: lines and columns from 1, counted in characters, the end column exclusive.

    Line 0 means the file as a whole, for findings that have no place in it.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def file(cls, path: str) -> Span:
        """Return the span that stands for the whole file."""
        return cls(path, 0, 0, 0, 0)

    @classmethod
    def point(cls, path: str, line: int, column: int, width: int = 1) -> Span:
        """Return a span of some characters on one line."""
        return cls(path, line, column, line, column + width)

    @property
    def is_file(self) -> bool:
        """Whether the span names the file and no place in it."""
        return self.line == 0

    def __str__(self) -> str:
        return self.path if self.is_file else f"{self.path}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """Something a person should know; its code is in the registry and never changes its meaning.

    `message` is one sentence about what happened, `detail` longer text that belongs to it, `why` what
    follows from it, `expected` what would have been right, `nearest` names that were perhaps meant, and
    `help` the things to do about it, most likely first.
    """

    code: str
    severity: Severity
    message: str
    span: Span | None = None
    detail: str = ""
    why: str = ""
    expected: str = ""
    nearest: tuple[str, ...] = ()
    help: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"the diagnostic code {self.code} is not in bmadc.diagnostics.codes")


def in_reading_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics as a reader meets them: those without a file first, then by file and place."""

    def key(diagnostic: Diagnostic) -> tuple[str, int, int, int, str, str]:
        span = diagnostic.span or Span.file("")
        rank = SEVERITIES.index(diagnostic.severity)
        return (span.path, span.line, span.column, rank, diagnostic.code, diagnostic.message)

    return tuple(sorted(diagnostics, key=key))


def count(diagnostics: Iterable[Diagnostic], severity: Severity) -> int:
    """Return how many of the diagnostics have this severity."""
    return sum(1 for diagnostic in diagnostics if diagnostic.severity == severity)
