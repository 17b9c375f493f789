"""Which files of a folder the compiler may read, and why it does not read the others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from bmadc.diagnostics import Diagnostic
from bmadc.source import list_tree

COMPILED = "compiled Python, made from scripts that are read themselves"
TESTS = "tests of helper scripts, no part of the method"
DOT = "dot file, for editors and git"
RENDERED = "snapshot that BMAD rendered at run time from skills that are read themselves"
TOOLING = "folder of git or npm"
FOREIGN = "skill that is not BMAD's"
NO_SKILL = "folder without SKILL.md"
HELD = "copy of, or stub for, what _bmad holds"
SAME = "copy of a skill in another folder"
MADE = "file of a pack that bmadc made"
SETTINGS = "settings of bmadc"

_TOOLING = (".git", "node_modules")


@dataclass(frozen=True, slots=True)
class Excluded:
    """Files, or whole folders, that are there and not read, with the one reason that they share."""

    reason: str
    paths: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many they are."""
        return len(self.paths)


@dataclass(frozen=True, slots=True)
class Members:
    """The files of a folder that may be read, those that may not, links not followed, and problems."""

    files: tuple[str, ...]
    excluded: tuple[tuple[str, str], ...]
    links: tuple[str, ...]
    problems: tuple[Diagnostic, ...]


def why_excluded(path: str) -> str:
    """Return why a path, relative to the folder that is listed, is not read; '' if it is."""
    *folders, name = path.split("/")
    if "__pycache__" in folders or name.endswith(".pyc"):
        return COMPILED
    if "tests" in folders:
        return TESTS
    if any(part.startswith(".") for part in (*folders, name)):
        return DOT
    return ""


def list_members(base: Path, folder: str) -> Members:
    """Return the files below a folder of base, sorted, and what of it is not read."""
    listing = list_tree(base, folder, prune=_TOOLING)
    start = len(folder) + 1 if folder else 0
    files: list[str] = []
    excluded = [(TOOLING, path) for path in listing.pruned]
    for path in listing.files:
        reason = RENDERED if path.startswith("_bmad/render/") else why_excluded(path[start:])
        if reason:
            excluded.append((reason, path))
        else:
            files.append(path)
    return Members(tuple(files), tuple(excluded), listing.links, listing.problems)


def by_reason(excluded: list[tuple[str, str]]) -> tuple[Excluded, ...]:
    """Gather what is excluded by its reason; reasons and paths sorted."""
    reasons = sorted({reason for reason, _ in excluded})
    return tuple(
        Excluded(reason, tuple(sorted(path for other, path in excluded if other == reason)))
        for reason in reasons
    )
