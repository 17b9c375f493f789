"""Writing many files as one: staged first, then moved into place, so that no file is ever half.

1. All new files are written into a folder of their own beside their targets.
2. A journal that says what is to be moved and removed is put there last. From then on the write is decided.
3. The moves and removals are carried out, the last one last; then the folder is removed.

Whoever is interrupted before step 2 has changed nothing. Until the folder is gone, everybody can see that a
write was interrupted, and the journal says how far it came. No later write carries it out: what lies there
may have been put there by anybody, and the files may have changed since. It is cleared away, and whoever
writes compares every file with what it is to be, so that nothing is left undone.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source.text import SourceError, inside, read_bytes

if sys.platform != "win32":
    import fcntl

FOLDER = ".bmadc-staging"
JOURNAL = "journal.json"
_OURS = re.compile(r"[0-9]{4,}|journal\.json(\.new)?")
"""Every name that a write gives to what it puts into its folder."""


class Disk:
    """Every call by which a write changes the disk; a test stands in between to interrupt it."""

    def make_folder(self, path: Path) -> None:
        """Make a folder, with those around it."""
        path.mkdir(parents=True, exist_ok=True)

    def write(self, path: Path, data: bytes) -> None:
        """Write a file that nobody reads yet, down to the disk."""
        with path.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())

    def replace(self, source: Path, target: Path) -> None:
        """Move a file into place, over what is there."""
        source.replace(target)

    def remove(self, path: Path) -> None:
        """Remove a file, if it is there."""
        path.unlink(missing_ok=True)

    def remove_folder(self, path: Path) -> None:
        """Remove an empty folder."""
        path.rmdir()

    def settle(self, folder: Path) -> None:
        """Bring what was moved in a folder down to the disk, where the system can do that."""
        with suppress(OSError):
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


@dataclass(frozen=True, slots=True)
class Write:
    """What is to be done: texts by path below the root, in their order, and paths to be removed."""

    texts: Mapping[str, str]
    removed: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Interruption:
    """How far a write came that was begun and not finished."""

    decided: bool
    """Whether it had begun to change files."""
    undone: tuple[str, ...] = ()
    """The files that are not yet as they were to be, as far as its journal can be believed."""


def is_interrupted(root: Path) -> bool:
    """Whether a write into this folder was begun and not finished."""
    return os.path.lexists(root / FOLDER)


def interruption(root: Path) -> Interruption | None:
    """Return how far a write came that was interrupted, or None if there is none."""
    if not is_interrupted(root):
        return None
    try:
        data = read_bytes(root, f"{FOLDER}/{JOURNAL}")
    except SourceError:
        return Interruption(os.path.lexists(root / FOLDER / JOURNAL))
    try:
        journal = json.loads(data)
        wanted: dict[str, str | None] = {
            **dict.fromkeys(map(str, journal["removed"])),
            **{path: str(digest) for path, digest in journal["moves"].items()},
        }
        undone = tuple(path for path, digest in sorted(wanted.items()) if _digest(root, path) != digest)
    except (SourceError, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        # Whatever wrote this, it was no build; the names in it are nobody's business.
        return Interruption(True)
    return Interruption(True, undone)


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Keep other processes from writing into a folder, making it; raises SourceError if one does already."""
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise SourceError(_failed(root, problem, decided=False)) from None
    handle = _held(root)
    try:
        yield
    finally:
        if handle is not None:
            os.close(handle)


def _held(root: Path) -> int | None:
    """Lock a folder until the handle is closed, by whatever end of the process; None where that cannot be."""
    if sys.platform == "win32":
        return None
    handle = os.open(root, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise SourceError(
            Diagnostic(
                code="BMC110",
                severity="error",
                message="another build is writing into this folder",
                span=Span.file(root.as_posix()),
                why="The files of two builds would be mixed.",
                help=("Wait until it has ended, then build again.",),
            )
        ) from None
    except OSError:
        # Some network drives lock no folders. There the staging folder is all that warns.
        pass
    return handle


def write_all(root: Path, write: Write, disk: Disk | None = None) -> None:
    """Carry out a write as a whole, with what an interrupted one left cleared away, or raise SourceError."""
    disk = disk or Disk()
    # Decided before anything is written: a path out of the root, or one that no file can have, stops it all.
    paths = {relative: inside(root, relative) for relative in (*write.texts, *write.removed)}
    folders = sorted({paths[relative].parent for relative in write.texts})
    _look_ahead(paths)
    staging = root / FOLDER
    decided = False
    try:
        disk.make_folder(root)
        clear(root, disk)
        disk.make_folder(staging)
        for folder in folders:
            disk.make_folder(folder)
            if not os.access(folder, os.W_OK):
                raise PermissionError(13, os.strerror(13), str(folder))
        staged = [(staging / f"{number:04}", relative) for number, relative in enumerate(write.texts)]
        for path, relative in staged:
            disk.write(path, write.texts[relative].encode())
        disk.write(staging / f"{JOURNAL}.new", _journal(write))
        disk.replace(staging / f"{JOURNAL}.new", staging / JOURNAL)
        # No move may reach the disk before the journal, nor the last one before the others.
        disk.settle(staging)
        disk.settle(root)
        decided = True
        for relative in sorted(write.removed):
            disk.remove(paths[relative])
        for path, relative in staged[:-1]:
            disk.replace(path, paths[relative])
        for folder in sorted({path.parent for path in paths.values()}):
            disk.settle(folder)
        for path, relative in staged[-1:]:
            disk.replace(path, paths[relative])
            disk.settle(paths[relative].parent)
        clear(root, disk)
    except OSError as problem:
        if not decided:
            with suppress(OSError, SourceError):
                clear(root, disk)
        raise SourceError(_failed(root, problem, decided=decided)) from None


def abandon(root: Path) -> bool:
    """Clear away a write that was begun; False if it is decided already, so that it can only be finished."""
    if os.path.lexists(root / FOLDER / JOURNAL):
        return False
    clear(root, Disk())
    return True


def clear(root: Path, disk: Disk) -> None:
    """Clear away what a write left in its folder; raises SourceError if others put something there."""
    staging = root / FOLDER
    if not os.path.lexists(staging):
        return
    strange = _strange(staging)
    if strange is not None:
        raise SourceError(
            Diagnostic(
                code="BMC421",
                severity="error",
                message="this is in the way, and bmadc did not make it",
                span=Span.file(strange),
                why="Builds stage their files in this folder; what others put there is never touched.",
                help=("Look at it, and remove it.",),
            )
        )
    # The journal goes last: while it is there, everybody can see how far the write came.
    for path in sorted(staging.iterdir(), key=lambda path: (path.name == JOURNAL, path.name)):
        disk.remove(path)
    disk.remove_folder(staging)


def _strange(staging: Path) -> str | None:
    # Behind a link lies somebody else's folder.
    if staging.is_symlink() or not staging.is_dir():
        return FOLDER
    for path in sorted(staging.iterdir()):
        if not _OURS.fullmatch(path.name) or (path.is_dir() and not path.is_symlink()):
            return f"{FOLDER}/{path.name}"
    return None


def _look_ahead(paths: Mapping[str, Path]) -> None:
    for relative, path in paths.items():
        if path.exists() and not path.is_file():
            raise SourceError(
                Diagnostic(
                    code="BMC103",
                    severity="error",
                    message="this is no regular file, and a file of the pack is to be here",
                    span=Span.file(relative),
                    why="A build writes all files of a pack or none.",
                    help=("Move it away, or choose another folder with --out.",),
                )
            )


def _journal(write: Write) -> bytes:
    moves = {path: sha256(text.encode()).hexdigest() for path, text in write.texts.items()}
    return json.dumps({"moves": moves, "removed": sorted(write.removed)}, indent=1).encode()


def _digest(root: Path, path: str) -> str | None:
    return sha256(read_bytes(root, path)).hexdigest() if inside(root, path).exists() else None


def _failed(root: Path, problem: OSError, *, decided: bool) -> Diagnostic:
    return Diagnostic(
        code="BMC109",
        severity="error",
        message=f"the pack cannot be written: {problem.strerror or type(problem).__name__}",
        span=Span.file(_shown(root, (problem.filename2, problem.filename))),
        why=(
            "Each file is as it was or as it is to be, none is half written; they may not fit together."
            if decided
            else "Every file is as it was; nothing was changed."
        ),
        help=("Make the folder writable and give it room, then build again.",),
    )


def _shown(root: Path, names: Iterable[object]) -> str:
    """Return the file of the pack that a system call was about, or the folder of the pack."""
    for name in names:
        path = Path(str(name))
        for base in (root, root.resolve()):
            if name is not None and path.is_relative_to(base) and path != base and FOLDER not in path.parts:
                return path.relative_to(base).as_posix()
    return root.as_posix()
