"""Which skills of which folders belong to the tree.

From 6.3 on the workflow text of an install is not in `_bmad` but in the skills folders of coding tools, which
hold other people's skills too. Releases 6.1 and 6.2 have both: there `_bmad` is complete, and what the skills
folder holds is a copy or a stub that points into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from bmadc.diagnostics import Diagnostic, Span, nearest_names
from bmadc.frontend.install_manifest import InstallManifest, Row, Said
from bmadc.frontend.membership import FOREIGN, HELD, NO_SKILL, SAME, list_members
from bmadc.frontend.releases import numbers
from bmadc.frontend.tools_table import TOOLS, skills_folders_of
from bmadc.source import SourceError, folders_in, is_file, is_folder, read_bytes, real_path

# Their skills are all named bmad-*; a prefix core- or bmm- would claim what is not theirs.
_BUILT_IN = ("bmm", "core")

# Files that only BMAD puts into a skill: evidence where no manifest says whose a skill is.
_EVIDENCE = ("customize.toml", "bmad-skill-manifest.yaml", "bmad-manifest.json")


@dataclass(slots=True)
class Chosen:
    """The skills taken, id -> folder; the skills folders they came from; and what was passed over and why."""

    skills: dict[str, str] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    passed_over: list[tuple[str, str]] = field(default_factory=list)


def installed_skills(
    base: Path,
    manifest: InstallManifest,
    rows: tuple[Row, ...],
    codes: Iterable[str],
    bmad_files: tuple[str, ...],
    said: Said,
) -> Chosen:
    """Choose the skills of an install: those of its manifest and modules, and whatever is named bmad-*."""
    listed = {row.identity: row for row in rows if row.is_skill}
    prefixes = ("bmad-", *(f"{code}-" for code in sorted(codes) if code not in _BUILT_IN))
    named = _named_folders(base, manifest, said)
    others = _other_folders(base, named, listed, said)

    def ours(identity: str, _: str) -> bool:
        return identity in listed or identity.startswith(prefixes)

    chosen = _choose(base, (*named, *others), ours, _held_in_bmad(rows, bmad_files), said)
    _report_missing(manifest, listed, rows, chosen, bmad_files, said)
    return chosen


def bare_skills(base: Path, folders: tuple[str, ...], *, take_all: bool, said: Said) -> Chosen:
    """Choose the skills of folders without an install; take_all says what to do when none looks like BMAD."""

    def ours(identity: str, folder: str) -> bool:
        return identity.startswith("bmad-") or any(is_file(base, f"{folder}/{name}") for name in _EVIDENCE)

    aside = Said([])
    chosen = _choose(base, folders, ours, {}, aside)
    if not chosen.skills and take_all:
        aside = Said([])
        chosen = _choose(base, folders, lambda *_: True, {}, aside)
    said.diagnostics.extend(aside.diagnostics)
    return chosen


def dot_skills_folders(base: Path, said: Said) -> tuple[str, ...]:
    """Return every `.<tool>/skills` folder of base, sorted."""
    try:
        names = folders_in(base, "")
    except SourceError as problem:
        said.diagnostics.append(problem.diagnostic)
        return ()
    found = (f"{name}/skills" for name in names if name.startswith("."))
    return tuple(folder for folder in found if is_folder(base, folder))


def _named_folders(base: Path, manifest: InstallManifest, said: Said) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for tool in manifest.tools:
        folders = skills_folders_of(tool.name, numbers(manifest.release))
        if not folders:
            said.unusable(
                tool.span,
                f"bmadc does not know where the tool {tool.name!r} keeps its skills",
                "one of the tool ids of BMAD's installer",
                nearest_names(tool.name, TOOLS),
            )
        for folder in folders:
            if is_folder(base, folder):
                found[real_path(base, folder)] = None
            else:
                _report_link(base, folder, said)
    return tuple(found)


def _report_link(base: Path, folder: str, said: Said) -> None:
    """Say so when a folder is only missing because it is a link that leads out of the tree."""
    try:
        real_path(base, folder)
    except SourceError as problem:
        said.diagnostics.append(problem.diagnostic)


def _other_folders(base: Path, named: tuple[str, ...], listed: dict[str, Row], said: Said) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for folder in dot_skills_folders(base, said):
        real = real_path(base, folder)
        if real not in named and any(is_file(base, f"{real}/{identity}/SKILL.md") for identity in listed):
            found[real] = None
    return tuple(found)


def _held_in_bmad(rows: tuple[Row, ...], bmad_files: tuple[str, ...]) -> dict[str, str]:
    """Give the ids whose text is in `_bmad`, with the skill's folder there, or '' if it is no skill there."""
    files = frozenset(bmad_files)
    held = {row.identity: "" for row in rows if row.path in files}
    for path in bmad_files:
        folder, _, name = path.rpartition("/")
        if name == "SKILL.md":
            held[folder.rpartition("/")[2]] = folder
    return held


def _choose(
    base: Path,
    folders: Iterable[str],
    ours: Callable[[str, str], bool],
    held: dict[str, str],
    said: Said,
) -> Chosen:
    chosen = Chosen()
    for folder in folders:
        for identity, place in _children(base, folder, said):
            if not ours(identity, place):
                chosen.passed_over.append((FOREIGN, place))
            elif not is_file(base, f"{place}/SKILL.md"):
                chosen.passed_over.append((NO_SKILL, place))
            elif identity in held:
                chosen.passed_over.append((HELD, place))
                if held[identity]:
                    _compare(base, identity, held[identity], place, said)
            elif identity in chosen.skills:
                if chosen.skills[identity] != place:
                    chosen.passed_over.append((SAME, place))
                    _compare(base, identity, chosen.skills[identity], place, said)
            else:
                chosen.skills[identity] = place
                if folder not in chosen.folders:
                    chosen.folders.append(folder)
    return chosen


def _children(base: Path, folder: str, said: Said) -> tuple[tuple[str, str], ...]:
    """Give the ids and the real folders in a skills folder; a link that leads out of the tree is reported."""
    found: list[tuple[str, str]] = []
    try:
        names = folders_in(base, folder)
    except SourceError as problem:
        said.diagnostics.append(problem.diagnostic)
        return ()
    for name in names:
        if name.startswith("."):
            continue
        try:
            found.append((name, real_path(base, f"{folder}/{name}" if folder else name)))
        except SourceError as problem:
            said.diagnostics.append(problem.diagnostic)
    return tuple(found)


def _compare(base: Path, identity: str, read: str, copy: str, said: Said) -> None:
    """Report that a copy of a skill is not the same as the one that is read."""
    ours = _contents(base, read)
    theirs = _contents(base, copy)
    different = sorted(
        name for name in ours.keys() | theirs.keys() if ours.get(name, b"") != theirs.get(name, b"")
    )
    different += sorted((ours.keys() ^ theirs.keys()) - set(different))
    if not different:
        return
    name = min(different)
    more = f" and {len(different) - 1} more" if len(different) > 1 else ""
    first = f"{copy}/{name}" if name in theirs else f"{copy}: {name} is missing"
    second = f"{read}/{name}" if name in ours else f"{read}: {name} is missing"
    said.diagnostics.append(
        Diagnostic(
            code="BMC307",
            severity="warning",
            message=f"two copies of {identity} differ in {name}{more}",
            span=Span.file(f"{copy}/{name}" if name in theirs else f"{copy}/SKILL.md"),
            detail=f"read: {second}\nnot read: {first}",
            why=f"Only the copy in {read} is read; what somebody changed in the other has no effect.",
            expected="equal copies, as the installer writes them",
            help=("Make the copies equal, remove one, or install BMAD again.",),
        )
    )


def _contents(base: Path, folder: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for path in list_members(base, folder).files:
        try:
            found[path.removeprefix(folder).removeprefix("/")] = read_bytes(base, path)
        except SourceError:
            # Whoever reads the file for its text reports this; here it is only not comparable.
            continue
    return found


def _report_missing(
    manifest: InstallManifest,
    listed: dict[str, Row],
    rows: tuple[Row, ...],
    chosen: Chosen,
    bmad_files: tuple[str, ...],
    said: Said,
) -> None:
    held = _held_in_bmad(rows, bmad_files)
    missing = sorted(i for i in listed if i not in chosen.skills and i not in held)
    if not missing:
        return
    places = {
        f: None for tool in manifest.tools for f in skills_folders_of(tool.name, numbers(manifest.release))
    }
    shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
    said.diagnostics.append(
        Diagnostic(
            code="BMC306",
            severity="error" if len(missing) == len(listed) else "warning",
            message=f"{len(missing)} of {len(listed)} installed skills are nowhere: {shown}",
            span=listed[missing[0]].span,
            why="Their text is in no skills folder and not in _bmad, so it cannot be compiled.",
            expected="a folder with SKILL.md for each, below " + " or ".join(places or (".<tool>/skills",)),
            help=("Commit the skills folder beside _bmad, or install BMAD again.",),
        )
    )
