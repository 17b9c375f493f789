"""The house edition as bmadc carries it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

FOLDER = "_bmad"
CALLED = "the house edition"


def house_files() -> Mapping[str, bytes]:
    """Return the files of the house edition by their path below `_bmad`, sorted."""
    return dict(sorted(_below(_folder(), "")))


def _folder() -> Traversable:
    """The edition inside the wheel, or beside the source tree in a checkout."""
    packaged = resources.files("bmadc").joinpath(FOLDER)
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / FOLDER


def _below(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _below(entry, f"{path}{entry.name}/")
        else:
            yield f"{path}{entry.name}", entry.read_bytes()
