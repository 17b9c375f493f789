"""From npm's tarball to files in memory: only what bmadc reads, and nothing that could leave its folder."""

from __future__ import annotations

import io
import re
import tarfile
import zlib
from collections.abc import Iterator, Mapping

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.membership import why_excluded
from bmadc.installing.errors import InstallError
from bmadc.source.text import SIZE_LIMIT

MOST_FILES = 20_000
MOST_BYTES = 256 * 1024 * 1024

_TOP = "package/"
_BESIDE = re.compile(r"package\.json|LICEN[CS]E(\.\w+)?", re.IGNORECASE)
_SOURCE = "src/"


def unpack(tarball: bytes, name: str) -> Mapping[str, bytes]:
    """Return the source tree of a package with its licence, by path and sorted, or raise InstallError.

    Tests, dot files and compiled Python of the source tree stay out: no reader looks at them.
    """
    files: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as opened:
            for path, member in _members(opened, name):
                inner = path.removeprefix(_SOURCE)
                if not (inner != path and not why_excluded(inner)) and not _BESIDE.fullmatch(path):
                    continue
                if not member.isfile():
                    raise InstallError(_unsafe(name, f"{path} is a link or a device"))
                if member.size > SIZE_LIMIT:
                    raise InstallError(_unsafe(name, f"{path} has {member.size} bytes"))
                if path in files:
                    raise InstallError(_unsafe(name, f"{path} is in it twice"))
                file = opened.extractfile(member)
                files[path] = file.read() if file is not None else b""
    except (tarfile.TarError, EOFError, OSError, zlib.error, UnicodeError) as problem:
        raise InstallError(_unsafe(name, str(problem) or type(problem).__name__)) from None
    if "package.json" not in files or not any(path.startswith(_SOURCE) for path in files):
        raise InstallError(_unsafe(name, "package.json or the folder src is not in it"))
    return dict(sorted(files.items()))


def _members(opened: tarfile.TarFile, name: str) -> Iterator[tuple[str, tarfile.TarInfo]]:
    """Yield what is in a tarball by its path below the package; folders are made by their files."""
    size = 0
    for number, member in enumerate(opened):
        size += max(member.size, 0)
        if number >= MOST_FILES or size > MOST_BYTES:
            raise InstallError(_unsafe(name, "it holds more than any release ever did"))
        if member.isdir():
            continue
        parts = member.name.split("/")
        # Every path is looked at, also of files that are passed over: one bad path condemns the package.
        if not member.name.startswith(_TOP) or {"", ".", ".."} & set(parts) or not _plain(member.name):
            raise InstallError(_unsafe(name, f"the path {member.name!r} leads out of it"))
        yield "/".join(parts[1:]), member


def _plain(path: str) -> bool:
    return "\\" not in path and ":" not in path and all(character.isprintable() for character in path)


def _unsafe(name: str, what: str) -> Diagnostic:
    return Diagnostic(
        code="BMC506",
        severity="error",
        message=f"the package {name} cannot be unpacked: {what}",
        why="Nothing was written: half a method, or files outside of its folder, would do harm in silence.",
        help=("Run this again; if it stays, take another release with --bmad.",),
    )
