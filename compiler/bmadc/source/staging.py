"""Writing many files as one: staged first, then moved into place by a journal, so that no file is ever half.

1. All new files are written into a folder of their own beside their targets.
2. A journal that says what is to be moved and removed is put there last. From then on the write is decided.
3. The moves and removals are carried out, the last one last; then the folder is removed.

Whoever is interrupted before step 2 has changed nothing; after it, the next write carries the journal out
again. Until the folder is gone, everybody can see that a write was interrupted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source.text import SourceError, inside

FOLDER = ".bmadc-staging"
JOURNAL = "journal.json"


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
        """Remove an empty folder, if it is there."""
        if path.is_dir():
            path.rmdir()


@dataclass(frozen=True, slots=True)
class Write:
    """What is to be done: texts by path below the root, in their order, and paths to be removed."""

    texts: Mapping[str, str]
    removed: Sequence[str] = ()


def is_interrupted(root: Path) -> bool:
    """Whether a write into this folder was begun and not finished."""
    return (root / FOLDER).exists()


def write_all(root: Path, write: Write, disk: Disk | None = None) -> None:
    """Carry out a write as a whole, after finishing or clearing away an interrupted one."""
    disk = disk or Disk()
    # Decided before anything is written: a path out of the root stops it all.
    paths = {relative: inside(root, relative) for relative in (*write.texts, *write.removed)}
    try:
        disk.make_folder(root)
        clear(root, disk)
        staging = root / FOLDER
        disk.make_folder(staging)
        moves = []
        for number, (relative, text) in enumerate(write.texts.items()):
            staged = f"{number:04}"
            disk.write(staging / staged, text.encode())
            moves.append([staged, relative])
        journal = {"moves": moves, "removed": sorted(write.removed)}
        disk.write(staging / f"{JOURNAL}.new", json.dumps(journal).encode())
        for folder in sorted({paths[relative].parent for relative in write.texts}):
            disk.make_folder(folder)
        disk.replace(staging / f"{JOURNAL}.new", staging / JOURNAL)
        _carry_out(root, disk)
    except OSError as problem:
        raise SourceError(
            Diagnostic(
                code="BMC109",
                severity="error",
                message=f"the pack cannot be written: {problem.strerror or type(problem).__name__}",
                span=Span.file(Path(problem.filename).name if problem.filename else FOLDER),
                why="Every file is as it was or as it is to be; none is half written.",
                help=("Make the folder writable and give it room, then build again.",),
            )
        ) from None


def abandon(root: Path) -> bool:
    """Clear away a write that was begun; False if it is decided already, so that it can only be finished."""
    if (root / FOLDER / JOURNAL).exists():
        return False
    if (root / FOLDER).exists():
        _clear_away(root / FOLDER, Disk())
    return True


def clear(root: Path, disk: Disk) -> None:
    """Finish an interrupted write if it was decided, and clear it away if it was not."""
    staging = root / FOLDER
    if not staging.exists():
        return
    if (staging / JOURNAL).exists():
        _carry_out(root, disk)
    else:
        _clear_away(staging, disk)


def _carry_out(root: Path, disk: Disk) -> None:
    staging = root / FOLDER
    journal = json.loads((staging / JOURNAL).read_bytes())
    for relative in journal["removed"]:
        disk.remove(inside(root, relative))
    for staged, relative in journal["moves"]:
        source = staging / staged
        # What is no longer staged was moved before the interruption.
        if source.exists():
            target = inside(root, relative)
            disk.make_folder(target.parent)
            disk.replace(source, target)
    _clear_away(staging, disk)


def _clear_away(staging: Path, disk: Disk) -> None:
    # The journal goes last: while it is there, carrying it out again does no harm.
    for path in sorted(staging.iterdir(), key=lambda path: (path.name == JOURNAL, path.name)):
        disk.remove(path)
    disk.remove_folder(staging)
