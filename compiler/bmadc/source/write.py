"""Writing files: whole or not at all, and never out of their root."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source.text import SourceError, inside


def write_text(root: Path, relative: str, text: str) -> None:
    """Write a UTF-8 file below root, making its folders, or raise SourceError and leave it as it was."""
    path = inside(root, relative)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as problem:
        raise SourceError(
            Diagnostic(
                code="BMC109",
                severity="error",
                message=f"cannot be written: {problem.strerror or type(problem).__name__}",
                span=Span.file(relative),
                why="The file is as it was before; nothing half written is left.",
                help=("Make the folder writable for the user who runs bmadc, or choose another one.",),
            )
        ) from None
