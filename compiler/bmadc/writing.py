"""What a build changes on the disk: which files are ours, which are in the way, which go."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bmadc.backend import manifest
from bmadc.backend.manifest import Manifest, ManifestError
from bmadc.backend.package import FOLDER, FRONT_PAGE
from bmadc.compile import Built
from bmadc.diagnostics import Diagnostic, Span
from bmadc.source import (
    Disk,
    SourceError,
    Write,
    has_mark,
    is_interrupted,
    is_taken,
    list_files,
    read_text,
    write_all,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a build would do; with anything refused it does nothing."""

    write: Write
    changed: tuple[str, ...]
    refused: tuple[Diagnostic, ...] = ()
    adopted: tuple[str, ...] = ()
    """What would change in files that are taken over, as differences."""


def fitted(out: Path, built: Built) -> Built:
    """Return the pack as it belongs into a folder: without a front page, where somebody else's stands."""
    text = _present(out, FRONT_PAGE)
    if text is None or is_ours(FRONT_PAGE, text):
        return built

    def without(entries: Mapping[str, str]) -> dict[str, str]:
        return {path: one for path, one in entries.items() if path != FRONT_PAGE}

    lock = replace(built.manifest, outputs=without(built.manifest.outputs))
    return replace(built, files=without(built.files), manifest=lock)


def plan(out: Path, built: Built, *, partial: bool = False, adopt: bool = False) -> Plan:
    """Return what is to be written to a folder and removed from it, so that it holds this pack."""
    if partial and is_interrupted(out):
        return Plan(Write({}), (), (_unfinished(),))
    built = fitted(out, built)
    old = read_manifest(out)
    files = dict(built.files)
    lock = built.manifest
    if partial and old is not None:
        wanted = {f"{FOLDER}/{one.row.document}" for one in built.made}
        files = {path: text for path, text in files.items() if path in wanted}
        lock = replace(old, outputs={**old.outputs, **{path: manifest.digest(files[path]) for path in files}})
        removed: tuple[str, ...] = ()
    else:
        removed = tuple(sorted(_stale(out, files)))
    # Last, so that a manifest never speaks of files that are not there yet.
    files[manifest.FILE] = lock.text()
    present = {path: text for path in files if (text := _present(out, path)) is not None}
    foreign = [path for path, text in present.items() if not is_ours(path, text)]
    if foreign and adopt:
        # What is taken over was read as source, and is none from now on.
        own = {path for path in foreign if lock.inputs.get(path) == manifest.digest(present[path])}
        lock = replace(lock, inputs={path: one for path, one in lock.inputs.items() if path not in own})
        files[manifest.FILE] = lock.text()
    changed = tuple(path for path, text in files.items() if present.get(path) != text)
    write = Write({path: files[path] for path in changed}, removed)
    if foreign and not adopt:
        return Plan(write, changed, tuple(map(_in_the_way, foreign)))
    adopted = tuple(difference(path, present[path], files[path]) for path in foreign)
    return Plan(write, changed, (), adopted)


def carry_out(out: Path, planned: Plan, disk: Disk | None = None) -> None:
    """Write what was planned, all of it or nothing; a pack in step is left alone."""
    if planned.write.texts or planned.write.removed or is_interrupted(out):
        write_all(out, planned.write, disk)


def is_ours(path: str, text: str) -> bool:
    """Whether bmadc made a file, going by what it says in its first lines."""
    if path == manifest.FILE:
        try:
            manifest.read(text)
        except ManifestError:
            return False
        return True
    return has_mark(text)


def read_manifest(out: Path) -> Manifest | None:
    """Return the manifest of a folder, or None if there is none that can be read."""
    text = _present(out, manifest.FILE)
    if text is None:
        return None
    try:
        return manifest.read(text)
    except ManifestError:
        return None


def difference(path: str, old: str, new: str) -> str:
    """Return what changes in a file, as a unified difference."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    lines = difflib.unified_diff(before, after, f"{path} (on the disk)", f"{path} (built)")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _stale(out: Path, files: Mapping[str, str]) -> Iterator[str]:
    """Return files of ours in the pack's folder that are no longer made."""
    if not (out / FOLDER).is_dir():
        return
    for name in list_files(out / FOLDER, (".md", ".yml")):
        path = f"{FOLDER}/{name}"
        if path not in files and (text := _present(out, path)) is not None and is_ours(path, text):
            yield path


def _present(out: Path, path: str) -> str | None:
    if not is_taken(out, path):
        return None
    try:
        return read_text(out, path).text
    except SourceError:
        # Something that is no text stands there: certainly not ours.
        return ""


def _unfinished() -> Diagnostic:
    return Diagnostic(
        code="BMC422",
        severity="error",
        message="an interrupted build lies here, so single workflows cannot be built",
        why="They would be put among files that may not fit together.",
        help=("`bmadc build` without an ID finishes it.",),
    )


def _in_the_way(path: str) -> Diagnostic:
    return Diagnostic(
        code="BMC421",
        severity="error",
        message="this file is in the way, and bmadc did not make it",
        span=Span.file(path),
        why="bmadc never touches what others wrote.",
        help=(
            "Move it away, or choose another folder with --out.",
            "`bmadc build --adopt` takes it over, after showing what changes in it.",
        ),
    )
