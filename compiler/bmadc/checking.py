"""Is the pack on the disk what a build would give? What differs, and why, file by file. Never writes.

The fast answer compares hashes with the manifest. It believes the manifest, so whoever edits an output and
its hash together passes it. The full answer builds again in memory and believes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bmadc.backend import manifest
from bmadc.backend.manifest import Manifest, ManifestError
from bmadc.backend.package import FOLDER
from bmadc.diagnostics import Diagnostic, Span, in_reading_order
from bmadc.hashes import compiler_hash, input_hashes, settings_hash
from bmadc.project import FILE, Project, seen_from
from bmadc.source import Interruption, SourceError, interruption, is_file, list_files, read_text

IN_STEP, DRIFT, BROKEN = 0, 1, 2
_MOST_LINES = 60


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found; `full` says whether everything was built again."""

    diagnostics: tuple[Diagnostic, ...]
    full: bool
    outputs: int = 0
    broken: bool = False

    @property
    def exit_code(self) -> int:
        """0 in step, 1 drift, 2 broken."""
        if self.broken:
            return BROKEN
        return DRIFT if self.diagnostics else IN_STEP

    def closing_line(self) -> str:
        """Return the verdict, for people."""
        how = "built again and compared" if self.full else "by their hashes"
        if self.broken:
            return "broken: the pack cannot be checked"
        if not self.diagnostics:
            return f"in step: {self.outputs} files, {how}"
        return f"drift: {len(self.diagnostics)} findings, {how}"


def check(folder: Path, project: Project, out: Path, *, full: bool) -> Checked:
    """Return whether the pack in a folder is what the project would build."""
    begun = interruption(out)
    if begun is not None:
        return Checked((_interrupted(begun),), full)
    if not is_file(out, manifest.FILE):
        return Checked((_no_pack(),), full, broken=True)
    try:
        lock = manifest.read(read_text(out, manifest.FILE).text)
        inputs = input_hashes(folder / project.source)
        changed = tuple(seen_from(project, _changed_inputs(lock, inputs)))
    except ManifestError as problem:
        return Checked((_unreadable(str(problem)),), full, broken=True)
    except SourceError as problem:
        return Checked((problem.diagnostic,), full, broken=True)
    compiler = tuple(_changed_compiler(lock, project))
    if not full:
        outputs = tuple(_edited(out, lock))
        return Checked(in_reading_order((*changed, *compiler, *outputs)), False, len(lock.outputs))
    return _full(folder, project, out, lock, changed, compiler)


def unchanged(folder: Path, project: Project, out: Path) -> Manifest | None:
    """Return the manifest of a pack that a build would leave as it is, going by hashes, or None."""
    found = check(folder, project, out, full=False)
    if found.broken or found.diagnostics:
        return None
    lock = manifest.read(read_text(out, manifest.FILE).text)
    # What is no longer made would be removed, and what bmadc did not make may be in the way.
    there = (f"{FOLDER}/{name}" for name in list_files(out / FOLDER, (".md", ".yml")))
    return lock if all(path in lock.outputs for path in there) else None


def _full(
    folder: Path,
    project: Project,
    out: Path,
    lock: Manifest,
    changed: tuple[Diagnostic, ...],
    compiler: tuple[Diagnostic, ...],
) -> Checked:
    # The fast answer needs none of what compiles.
    from bmadc.compile import compile_pack
    from bmadc.writing import fitted

    try:
        built = compile_pack(folder, project)
    except SourceError as problem:
        return Checked((problem.diagnostic,), True, broken=True)
    if built.failed:
        errors = tuple(one for one in built.diagnostics if one.severity == "error")
        return Checked(errors, True, broken=True)
    built = fitted(out, built)
    files = {**built.files, manifest.FILE: built.manifest.text()}
    found: list[Diagnostic] = []
    for path in sorted({*files, *lock.outputs}):
        text = _text(out, path)
        wanted = files.get(path)
        if text == wanted:
            continue
        if text is None:
            found.append(_missing(path))
        elif wanted is None:
            found.append(_extra(path))
        elif path == manifest.FILE and (changed or compiler):
            continue
        else:
            found.append(_differs(path, text, wanted, lock, bool(changed), bool(compiler)))
    # What changed is said once, with what follows from it; if nothing follows, the manifest still is old.
    return Checked(in_reading_order((*changed, *compiler, *found)), True, len(files))


def _differs(path: str, text: str, wanted: str, lock: Manifest, source: bool, compiler: bool) -> Diagnostic:
    from bmadc.writing import difference

    edited = path in lock.outputs and manifest.digest(text) != lock.outputs[path]
    shown = difference(path, text, wanted).splitlines()
    if len(shown) > _MOST_LINES:
        shown = [*shown[:_MOST_LINES], f"... {len(shown) - _MOST_LINES} more lines"]
    detail = "\n".join(shown)
    if edited or not (source or compiler):
        hidden = "" if edited else ", and the manifest was changed to match"
        return Diagnostic(
            code="BMC433",
            severity="error",
            message=f"this file was edited after it was built{hidden}",
            span=Span.file(path),
            detail=detail,
            why="The next build takes the change away without a word.",
            help=(
                "Change the source or bmadc.toml instead.",
                f"`bmadc build{hidden and ' --full'}` takes it back.",
            ),
        )
    cause = "the source" if source else "bmadc or its settings"
    return Diagnostic(
        code="BMC431" if source else "BMC432",
        severity="error",
        message=f"this file is not what a build gives, because {cause} changed",
        span=Span.file(path),
        detail=detail,
        why="What runs is not what the source says.",
        help=("`bmadc build`, read the difference, and commit it.",),
    )


def _changed_inputs(lock: Manifest, now: Mapping[str, str]) -> Iterator[Diagnostic]:
    for path in sorted({*lock.inputs, *now}):
        was, is_ = lock.inputs.get(path), now.get(path)
        if was != is_:
            what = "is new" if was is None else "is gone" if is_ is None else "changed"
            yield Diagnostic(
                code="BMC431",
                severity="error",
                message=f"this source {what} since the pack was built",
                span=Span.file(path),
                why="The pack says what the source said before.",
                help=("`bmadc build`, read the difference, and commit it.",),
            )


def _changed_compiler(lock: Manifest, project: Project) -> Iterator[Diagnostic]:
    if lock.compiler_hash != compiler_hash():
        yield Diagnostic(
            code="BMC432",
            severity="error",
            message=f"the pack was built by another bmadc ({lock.compiler}, hash {lock.compiler_hash[:12]})",
            span=Span.file(manifest.FILE),
            why="Another compiler, or other templates, may give other workflows.",
            help=("`bmadc build` with this one, or check with that one.",),
        )
    if lock.settings != settings_hash(project):
        yield Diagnostic(
            code="BMC432",
            severity="error",
            message="the settings changed since the pack was built",
            span=Span.file(FILE),
            why="The pack does what the settings said before.",
            help=("`bmadc build`, read the difference, and commit it.",),
        )


def _edited(out: Path, lock: Manifest) -> Iterator[Diagnostic]:
    for path, digest in sorted(lock.outputs.items()):
        text = _text(out, path)
        if text is None:
            yield _missing(path)
        elif manifest.digest(text) != digest:
            yield Diagnostic(
                code="BMC433",
                severity="error",
                message="this file was edited after it was built",
                span=Span.file(path),
                why="The next build takes the change away without a word.",
                help=(
                    "Change the source or bmadc.toml instead, then `bmadc build`.",
                    "`bmadc check --full` shows the difference.",
                ),
            )


def _text(out: Path, path: str) -> str | None:
    try:
        return read_text(out, path).text if is_file(out, path) else None
    except SourceError:
        return ""


def _missing(path: str) -> Diagnostic:
    return Diagnostic(
        code="BMC434",
        severity="error",
        message="this file of the pack is missing",
        span=Span.file(path),
        why="What is not there cannot be installed.",
        help=("`bmadc build` writes it again.",),
    )


def _extra(path: str) -> Diagnostic:
    return Diagnostic(
        code="BMC435",
        severity="error",
        message="this file is no longer made from the source",
        span=Span.file(path),
        why="Whoever installs the pack would still get it.",
        help=("`bmadc build` removes it.",),
    )


def _interrupted(begun: Interruption) -> Diagnostic:
    shown = [f"not as it is to be: {path}" for path in begun.undone[:_MOST_LINES]]
    if len(begun.undone) > _MOST_LINES:
        shown.append(f"... {len(begun.undone) - _MOST_LINES} more files")
    return Diagnostic(
        code="BMC422",
        severity="error",
        message="interrupted build: it was begun and never came to its end",
        detail="\n".join(shown),
        why=(
            "Each file is as it was before or as it is to be, but they may not fit together."
            if begun.decided
            else "It ended before it changed a file of the pack, so what the source says is not there."
        ),
        help=("`bmadc build` finishes it.", "If one is running just now, wait for its end."),
    )


def _no_pack() -> Diagnostic:
    return Diagnostic(
        code="BMC423",
        severity="error",
        message="there is no pack to check",
        span=Span.file(manifest.FILE),
        why="Without its manifest nobody can tell what belongs to a pack.",
        help=("`bmadc build` makes one.", "If it lies elsewhere, name its folder with --out."),
    )


def _unreadable(problem: str) -> Diagnostic:
    return Diagnostic(
        code="BMC424",
        severity="error",
        message=f"the manifest cannot be read: {problem}",
        span=Span.file(manifest.FILE),
        why="Without it nobody can tell what belongs to the pack.",
        help=("`bmadc build` writes it again.",),
    )
