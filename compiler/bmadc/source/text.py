"""Reading files: the text with its line index, and the only door to the disk for reading.

What the door decides:

- a relative path is resolved, symlinks included, and must end inside its root;
- only regular files are opened, so that a pipe or a device cannot hang or flood a build;
- a byte order mark at the start and the CR of a CRLF line end are taken away, because they are habits of
  editors and carry no meaning here; a CR alone stays, since nothing says that it was meant as a line end;
- NUL bytes and bytes that are not UTF-8 are errors: guessing an encoding would change the text silently.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bmadc.diagnostics import Diagnostic, Span

SIZE_LIMIT = 4 * 1024 * 1024

_BOM = "\ufeff"


class SourceError(Exception):
    """A file cannot be read or written; the diagnostic says why and what to do."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text, with offsets in characters from 0 and lines and columns from 1."""

    path: str
    text: str
    _starts: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        starts = (0, *(found.end() for found in re.finditer("\n", self.text)))
        object.__setattr__(self, "_starts", starts)

    @property
    def line_count(self) -> int:
        """The number of lines; text after the last line end counts as one, an empty rest does not."""
        ends_clean = self._starts[-1] == len(self.text)
        return len(self._starts) - 1 if ends_clean else len(self._starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the line and column of an offset; the offset after the last character is valid."""
        if not 0 <= offset <= len(self.text):
            raise IndexError(f"offset {offset} is outside the {len(self.text)} characters of {self.path}")
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line_at(self, offset: int) -> int:
        """Return the number of the line that an offset within the text stands on."""
        return bisect_right(self._starts, offset)

    def lines(self) -> tuple[str, ...]:
        """Return all lines without their line ends."""
        return tuple(self.line(number) for number in range(1, self.line_count + 1))

    def line(self, number: int) -> str:
        """Return a line without its line end."""
        if not 1 <= number <= self.line_count:
            raise IndexError(f"line {number} is outside the {self.line_count} lines of {self.path}")
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end]


def read_text(root: Path, relative: str, *, limit: int = SIZE_LIMIT) -> Text:
    """Return the text of a file below root, normalised as the module says, or raise SourceError."""
    return decode(relative, read_bytes(root, relative, limit=limit))


def decode(path: str, data: bytes) -> Text:
    """Return bytes as text, without byte order mark and CRLF, or raise SourceError."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        place = _place(path, data[: problem.start].decode("utf-8"))
        byte = data[problem.start]
        raise SourceError(
            Diagnostic(
                code="BMC107",
                severity="error",
                message=f"byte 0x{byte:02X} at offset {problem.start} is not UTF-8",
                span=place,
                why="In another encoding the same bytes are other words, so bmadc does not guess.",
                help=("Save the file as UTF-8.",),
            )
        ) from None
    nul = text.find("\0")
    if nul != -1:
        raise SourceError(
            Diagnostic(
                code="BMC106",
                severity="error",
                message="there is a NUL byte in the text",
                span=_place(path, text[:nul]),
                why="Text files have none: this is binary data or UTF-16, and gh-aw would cut or refuse it.",
                help=("Save the file as UTF-8 text, or take it out of the folder if it is binary.",),
            )
        )
    return Text(path, text.removeprefix(_BOM).replace("\r\n", "\n"))


def read_bytes(root: Path, relative: str, *, limit: int = SIZE_LIMIT) -> bytes:
    """Return the bytes of a regular file below root, unchanged, or raise SourceError."""
    path = inside(root, relative)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(not_regular(relative, status.st_mode))
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as problem:
        raise SourceError(unreadable(relative, problem)) from None
    if len(data) > limit:
        raise SourceError(
            Diagnostic(
                code="BMC105",
                severity="error",
                message=f"the file has {_size(max(status.st_size, len(data)))}; the limit is {_size(limit)}",
                span=Span.file(relative),
                why="Prompts and workflows are small; a file of this size is most likely here by mistake.",
                help=("Take the file out of the folder, or split it.",),
            )
        )
    return data


def inside(root: Path, relative: str) -> Path:
    """Return the real path of a relative path that stays below root, or raise SourceError."""
    try:
        relative.encode("utf-8")
        base = root.resolve()
        path = (base / relative).resolve()
    except UnicodeEncodeError:
        raise SourceError(
            Diagnostic(
                code="BMC107",
                severity="error",
                message="the name of this file is not UTF-8",
                span=Span.file(relative),
                why="It could not be written into a lock or a report as it is.",
                help=("Rename the file.",),
            )
        ) from None
    except RuntimeError:
        # So pathlib says that links go in a circle; where it does not, reading fails with this error.
        raise SourceError(unreadable(relative, OSError(errno.ELOOP, os.strerror(errno.ELOOP)))) from None
    except OSError as problem:
        raise SourceError(unreadable(relative, problem)) from None
    if not path.is_relative_to(base):
        raise SourceError(
            Diagnostic(
                code="BMC102",
                severity="error",
                message=f"{relative!r} leads out of its folder",
                span=Span.file(relative),
                why="It would bring in text that nobody sees who reviews the folder.",
                help=("Copy the file into the folder instead of linking to it.",),
            )
        )
    return path


def list_files(root: Path, suffixes: Iterable[str], *, deep: bool = True) -> tuple[str, ...]:
    """Return the files below root whose names end so, as sorted relative paths with forward slashes."""
    endings = tuple(suffixes)
    found: list[str] = []

    def stop(problem: OSError) -> None:
        where = Path(problem.filename or root)
        name = where.relative_to(root).as_posix() if where.is_relative_to(root) else where.as_posix()
        raise SourceError(unreadable(name, problem)) from None

    for folder, folders, names in os.walk(root, onerror=stop):
        # Sorted and cut in place: os.walk then goes on in this order and into these folders only.
        folders[:] = sorted(name for name in folders if not name.startswith(".")) if deep else []
        below = Path(folder).relative_to(root)
        found.extend((below / name).as_posix() for name in names if name.endswith(endings))
    return tuple(sorted(found))


def _place(path: str, before: str) -> Span:
    text = Text(path, before.removeprefix(_BOM).replace("\r\n", "\n"))
    return Span.point(path, *text.position(len(text.text)))


def unreadable(relative: str, problem: OSError) -> Diagnostic:
    """Return the diagnostic for a file or folder that the system does not let us read."""
    if isinstance(problem, FileNotFoundError | NotADirectoryError):
        return Diagnostic(
            code="BMC101",
            severity="error",
            message=f"{relative!r} does not exist",
            span=Span.file(relative),
            help=("Check the spelling, and the folder from which you run bmadc.",),
        )
    return Diagnostic(
        code="BMC104",
        severity="error",
        message=f"cannot be read: {problem.strerror or type(problem).__name__}",
        span=Span.file(relative),
        why="Going on without this file would give a result that looks complete and is not.",
        help=("Make it readable for the user who runs bmadc, or take it out of the folder.",),
    )


def not_regular(relative: str, mode: int) -> Diagnostic:
    """Return the diagnostic for something that has the name of a file and is none."""
    kinds = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"))
    kind = next((name for test, name in kinds if test(mode)), "a device")
    return Diagnostic(
        code="BMC103",
        severity="error",
        message=f"this is {kind}, not a regular file",
        span=Span.file(relative),
        why="Reading it could wait for ever or return other bytes each time.",
        help=("Put a regular file there, or rename it so that it is not taken for one.",),
    )


def _size(number: int) -> str:
    if number < 1024:
        return f"{number} bytes"
    if number < 1024 * 1024:
        return f"{number / 1024:.1f} KB"
    return f"{number / (1024 * 1024):.1f} MB"
