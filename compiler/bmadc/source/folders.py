"""Looking at folders: what is there, without opening a file and without leaving the root.

A link to a file is listed when the file is inside the root. A link to a folder is named and not followed, so
that no circle can arise and no file is listed twice; whoever means to follow one asks `real_path` first.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source.text import SourceError, inside, not_regular, unreadable


@dataclass(frozen=True, slots=True)
class Listing:
    """All files below a folder, sorted, with forward slashes; and what was not entered or not listed."""

    files: tuple[str, ...]
    pruned: tuple[str, ...]
    links: tuple[str, ...]
    problems: tuple[Diagnostic, ...]


def open_folder(path: Path) -> Path:
    """Return the real path of a folder that somebody named, or raise SourceError."""
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError) as problem:
        cause = problem if isinstance(problem, OSError) else OSError(str(problem))
        raise SourceError(unreadable(path.as_posix(), cause)) from None
    if not real.is_dir():
        raise SourceError(
            Diagnostic(
                code="BMC108",
                severity="error",
                message="this is a file, not a folder",
                span=Span.file(path.as_posix()),
                expected="a folder",
                help=("Name the folder that holds it.",),
            )
        )
    return real


def exists(root: Path, relative: str) -> bool:
    """Say whether anything has this name, even a link that leads nowhere or out of the root."""
    return os.path.lexists(root / relative)


def is_named(root: Path, relative: str) -> bool:
    """Say whether anything has this name, spelled so, whatever it is."""
    return exists(root, relative) and _is_spelled_so(root, relative)


def is_folder(root: Path, relative: str) -> bool:
    """Say whether there is a folder at this path, spelled so, links followed, inside the root."""
    try:
        return inside(root, relative).is_dir() and _is_spelled_so(root, relative)
    except (SourceError, OSError):
        return False


def is_file(root: Path, relative: str) -> bool:
    """Say whether there is a regular file at this path, spelled so, links followed, inside the root."""
    try:
        return inside(root, relative).is_file() and _is_spelled_so(root, relative)
    except (SourceError, OSError):
        return False


def is_taken(root: Path, relative: str) -> bool:
    """Say whether a file written at this path would replace one, however that one is spelled."""
    try:
        return inside(root, relative).is_file()
    except (SourceError, OSError):
        return False


def _is_spelled_so(root: Path, relative: str) -> bool:
    """Whether a path that is there has this very spelling: on some systems a.md is there if A.md is.

    Only so the same tree is read alike everywhere. Where names are told apart by case, the swapped spelling
    leads nowhere, and nothing is listed.
    """
    plain = os.path.normpath(relative)
    if not os.path.lexists(root / plain.swapcase()):
        return True
    folder = root
    for part in Path(plain).parts:
        if part != os.pardir and part not in {one.name for one in folder.iterdir()}:
            return False
        folder /= part
    return True


def real_path(root: Path, relative: str) -> str:
    """Return the path below root to which a path leads when its links are followed, or raise SourceError."""
    found = inside(root, relative).relative_to(root.resolve()).as_posix()
    return "" if found == "." else found


def folders_in(root: Path, relative: str) -> tuple[str, ...]:
    """Return the sorted names of the folders in a folder, links to folders included, or raise SourceError."""
    try:
        with os.scandir(inside(root, relative)) as entries:
            return tuple(sorted(entry.name for entry in entries if entry.is_dir()))
    except OSError as problem:
        raise SourceError(unreadable(relative or ".", problem)) from None


def list_tree(root: Path, relative: str, *, prune: Iterable[str] = ()) -> Listing:
    """Return all files below a folder, dot files included, not entering folders with the names in prune.

    Whatever cannot be listed (an unreadable folder, a link out of the root, a pipe) is a problem in the
    answer, and the rest is listed.
    """
    closed = frozenset(prune)
    files: list[str] = []
    pruned: list[str] = []
    links: list[str] = []
    problems: list[Diagnostic] = []
    waiting = [relative]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(inside(root, folder)) as scanned:
                entries = sorted(scanned, key=lambda entry: entry.name)
        except SourceError as problem:
            problems.append(problem.diagnostic)
            continue
        except OSError as problem:
            problems.append(unreadable(folder or ".", problem))
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                if not entry.is_symlink() and entry.is_dir():
                    (pruned if entry.name in closed else waiting).append(path)
                    continue
                # Checks links and names that are not UTF-8; a name alone cannot lead out of the folder.
                target = inside(root, path) if entry.is_symlink() or not entry.name.isascii() else None
                if entry.is_symlink() and entry.is_dir():
                    links.append(path)
                elif entry.is_file():
                    files.append(path)
                else:
                    problems.append(_neither(path, target or Path(entry.path)))
            except SourceError as problem:
                problems.append(problem.diagnostic)
            except OSError as problem:
                problems.append(unreadable(path, problem))
    return Listing(tuple(sorted(files)), tuple(sorted(pruned)), tuple(sorted(links)), tuple(problems))


def _neither(path: str, target: Path) -> Diagnostic:
    try:
        return not_regular(path, target.stat().st_mode)
    except OSError as problem:
        return unreadable(path, problem)
