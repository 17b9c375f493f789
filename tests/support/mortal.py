"""Disks that fail or die at a chosen call, and what a folder holds afterwards."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from bmadc.source import Disk


class Killed(BaseException):
    """The process is gone: nothing may catch this."""


class Counted(Disk):
    """A disk that names its calls to a listener before it makes them."""

    def __init__(self, listen: Callable[[str, Path], None]) -> None:
        self.listen = listen

    def make_folder(self, path: Path) -> None:
        self.listen("make_folder", path)
        super().make_folder(path)

    def write(self, path: Path, data: bytes) -> None:
        try:
            self.listen("write", path)
        except (Killed, OSError):
            # What was begun is on the disk.
            path.write_bytes(data[: len(data) // 2])
            raise
        path.write_bytes(data)

    def replace(self, source: Path, target: Path) -> None:
        self.listen("replace", target)
        super().replace(source, target)

    def remove(self, path: Path) -> None:
        self.listen("remove", path)
        super().remove(path)

    def remove_folder(self, path: Path) -> None:
        self.listen("remove_folder", path)
        super().remove_folder(path)

    def settle(self, folder: Path) -> None:
        self.listen("settle", folder)


def deadly(number: int) -> tuple[Counted, list[str]]:
    """A disk that dies before its n-th call and stays dead, and the names of the calls it was asked for."""
    asked: list[str] = []

    def listen(name: str, _: Path) -> None:
        asked.append(name)
        if len(asked) > number:
            raise Killed

    return Counted(listen), asked


def failing(number: int, problem: int) -> Counted:
    """A disk whose n-th call fails with an error of the system; the others work."""
    asked: list[str] = []

    def listen(name: str, path: Path) -> None:
        asked.append(name)
        if len(asked) == number + 1:
            raise OSError(problem, os.strerror(problem), str(path))

    return Counted(listen)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path; what lies in a folder for staging too."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.is_symlink()
    }


def linked(source: Path, target: Path) -> Path:
    """A copy of a folder whose files are the same files: whoever writes into one of them changes both."""
    for path in sorted(source.rglob("*")):
        if path.is_file():
            there = target / path.relative_to(source)
            there.parent.mkdir(parents=True, exist_ok=True)
            os.link(path, there)
    return target
