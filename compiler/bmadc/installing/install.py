"""Setting a project up, as a whole or not at all: the BMAD tree, the settings, the pack.

What is there is never touched: only what is missing is added. Everything is made in a folder of its own
first, the pack too, so that whatever fails, fails before anything has its final name.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bmadc.backend import manifest
from bmadc.backend.package import FILE as PACKAGE
from bmadc.backend.package import FOLDER as WORKFLOWS
from bmadc.backend.permissions import FILE as PERMISSIONS
from bmadc.backend.readme import first_of
from bmadc.checking import check
from bmadc.compile import Built, compile_pack
from bmadc.diagnostics import Diagnostic, Span
from bmadc.frontend.roots import find_root
from bmadc.ghaw.engines import ENGINES
from bmadc.installing import house, npm
from bmadc.installing.answers import HOUSE, Answers
from bmadc.installing.errors import InstallError
from bmadc.installing.settings import settings_text
from bmadc.installing.unpack import unpack
from bmadc.machine.choices import Choices
from bmadc.project import FILE, SCHEMA_FILE, Project, read_project, schema_text
from bmadc.source import SourceError, abandon, exists, is_file, open_folder, real_path, write_text
from bmadc.writing import Plan, carry_out, plan

Report = Callable[[str], None]

NPM_FOLDER = npm.PACKAGE
_NO_TREE = ("BMC101", "BMC301", "BMC302")


@dataclass(frozen=True, slots=True)
class Present:
    """What a folder has of a project: its settings, its tree and what that is, its pack."""

    folder: Path
    project: Project | None
    source: str
    """Where the tree is, from the folder; '' if there is none."""
    tree: str
    """What the tree is, for people."""
    pack: bool

    @property
    def complete(self) -> bool:
        """Whether nothing is missing."""
        return self.project is not None and bool(self.source) and self.pack


@dataclass(frozen=True, slots=True)
class Installed:
    """What was added and what was there, by path with a few words each; the pack if it was built."""

    project: Project
    added: tuple[tuple[str, str], ...]
    kept: tuple[tuple[str, str], ...]
    built: Built | None = None
    remarks: tuple[str, ...] = ()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The secrets that a repository must have to run the pack."""
        choices = self.project.choices
        return (*choices.engine.secrets, *([choices.wiring.secret] if choices.wiring.secret else []))

    @property
    def first_label(self) -> str:
        """The label that people best begin with."""
        return first_of(self.built.made).row.label if self.built is not None else ""

    @property
    def pack_folder(self) -> str:
        """Where the workflows of the pack lie, from the project's folder."""
        return (Path(self.project.out) / WORKFLOWS).as_posix()


def look(directory: Path) -> Present:
    """Return what a folder has of a project; raises InstallError where none can be set up."""
    try:
        return _look(directory, open_folder(directory))
    except SourceError as problem:
        raise InstallError(problem.diagnostic) from None


def _look(directory: Path, folder: Path) -> Present:
    if not _in_repository(folder):
        raise InstallError(_no_repository(directory))
    project: Project | None = None
    if exists(folder, FILE):
        project, problems = read_project(folder, sure=False)
        if problems:
            raise InstallError(*problems)
    candidates = (".", NPM_FOLDER) if project is None else (project.source,)
    source, tree = next(((one, what) for one in candidates if (what := _tree(folder, one))), ("", ""))
    out = folder / (project.out if project is not None else ".")
    return Present(folder, project, source, tree, is_file(out, manifest.FILE))


def install(present: Present, answers: Answers, say: Report) -> Installed:
    """Add what is missing, and return what was done; whoever gets InstallError finds nothing changed."""
    try:
        return _install(present, answers, say)
    except SourceError as problem:
        raise InstallError(problem.diagnostic) from None
    except OSError as problem:
        raise InstallError(_cannot_write(problem)) from None


def _install(present: Present, answers: Answers, say: Report) -> Installed:
    folder = present.folder
    with _Undo() as undo, _staging(folder) as stage:
        place, files, what = _wanted_tree(present, answers, say)
        source = present.source
        if place:
            source = _source_of(place)
            for path, data in files.items():
                _write(stage / place / path, data)
        project = present.project or project_of(answers, source, what or present.tree)
        kept: list[tuple[str, str]] = []
        added: list[tuple[str, str]] = []
        (added if place else kept).append((f"{place}/" if place else _shown(source), what or present.tree))
        settings: dict[str, str] = {}
        if present.project is None:
            settings[FILE] = settings_text(project)
        if not exists(folder, SCHEMA_FILE):
            settings[SCHEMA_FILE] = schema_text()
        for name, meaning in ((FILE, "what is compiled, and how"), (SCHEMA_FILE, "what editors check it by")):
            (added if name in settings else kept).append((name, meaning))
        built, planned, out = None, None, folder / project.out
        remarks = _unheeded(present, answers)
        if present.pack:
            kept.append((_top(project, WORKFLOWS), "the pack"))
            remarks += _out_of_step(present, folder, project)
        else:
            base = stage if place else folder
            built = compile_pack(base, replace(project, source=source), report=say)
            planned = _planned(out, built, project)
            added += _pack_rows(project, built)
        say("writing")
        if place:
            undo.move(stage / place, folder / place)
        if settings:
            undo.write(folder, settings)
        if planned is not None:
            undo.pack(out, planned)
    return Installed(project, tuple(added), tuple(kept), built, remarks)


def project_of(answers: Answers, source: str, tree: str) -> Project:
    """Return the project that answers describe, with its tree in a folder."""
    return Project(
        source=source,
        out=answers.out,
        method=house.CALLED if tree == house.CALLED else "",
        choices=Choices(engine=ENGINES[answers.engine], wiring=answers.wiring, stacks=answers.stacks),
    )


# --- the tree


def _tree(folder: Path, source: str) -> str:
    """Say what tree a folder below the project's holds; '' if it has none that can be read."""
    try:
        root = find_root(folder / source)
    except SourceError as problem:
        if problem.diagnostic.code in _NO_TREE:
            return ""
        raise
    if root.form == "installed" and _is_house(root.base):
        return house.CALLED
    return f"BMAD {root.release}" if root.release else "BMAD, release unknown"


def _is_house(base: Path) -> bool:
    return all(
        is_file(base, f"{house.FOLDER}/{path}") and (base / house.FOLDER / path).read_bytes() == data
        for path, data in house.house_files().items()
    )


def _wanted_tree(present: Present, answers: Answers, say: Report) -> tuple[str, Mapping[str, bytes], str]:
    """Return where a tree is to be put, its files, and what it is; nothing where one is there to be used."""
    wanted = answers.method
    if not wanted or (present.source and present.project is not None):
        return "", {}, ""
    around = present.project.source if present.project is not None else "."
    if wanted == HOUSE:
        if present.tree == house.CALLED:
            return "", {}, ""
        place = Path(os.path.normpath(Path(around) / house.FOLDER)).as_posix()
        _require_free(present.folder, place, "`bmadc init` without --house compiles the tree that is there.")
        return place, house.house_files(), house.CALLED
    place = NPM_FOLDER if present.project is None else Path(os.path.normpath(around)).as_posix()
    if place == ".":
        raise InstallError(_source_is_here())
    say(f"asking npm for {npm.PACKAGE} {wanted}")
    package = npm.find_package(wanted, present.folder)
    what = f"BMAD {package.release}"
    if present.source == place and present.tree == what:
        return "", {}, ""
    _require_free(present.folder, place, "`bmadc init` without --bmad compiles the tree that is there.")
    say(f"fetching {npm.PACKAGE} {package.release}")
    return place, unpack(npm.fetch(package, present.folder), f"{npm.PACKAGE}-{package.release}"), what


def _source_of(place: str) -> str:
    """Return how settings name a tree at a place: the house edition by the folder around it."""
    path = Path(place)
    return (path.parent if path.name == house.FOLDER else path).as_posix()


def _require_free(folder: Path, place: str, otherwise: str) -> None:
    if not exists(folder, place):
        real_path(folder, place)
    else:
        raise InstallError(
            Diagnostic(
                code="BMC508",
                severity="error",
                message="something else is here already",
                span=Span.file(place),
                why="bmadc never touches what others wrote; nothing was changed.",
                help=("Move it away, and run this again.", otherwise),
            )
        )


# --- the pack


def _planned(out: Path, built: Built, project: Project) -> Plan:
    if built.failed:
        raise InstallError(*(one for one in built.diagnostics if one.severity == "error"))
    planned = plan(out, built)
    if planned.refused:
        way = "Move it away, or choose another folder for the pack with --out."
        below = Path(project.out)
        raise InstallError(
            *(
                replace(
                    one, span=Span.file((below / (one.span.path if one.span else "")).as_posix()), help=(way,)
                )
                for one in planned.refused
            )
        )
    return planned


def _pack_rows(project: Project, built: Built) -> Iterator[tuple[str, str]]:
    """Yield what the pack consists of, as rows: its folder, and the files beside that."""
    tops = sorted({path.partition("/")[0] for path in built.files} | {manifest.FILE})
    for name in sorted(tops, key=lambda one: (one != WORKFLOWS, one)):
        yield _top(project, name), _MEANINGS.get(name, "").format(workflows=len(built.made))


_MEANINGS = {
    WORKFLOWS: "the pack: {workflows} workflows, and a README for those who install it",
    PACKAGE: "what `gh aw add-wizard` installs",
    PERMISSIONS: "what each workflow may do, for reviewers",
    manifest.FILE: "what it was made from, for `bmadc check`",
}


def _top(project: Project, name: str) -> str:
    return (Path(project.out) / name).as_posix() + ("/" if name == WORKFLOWS else "")


def _out_of_step(present: Present, folder: Path, project: Project) -> tuple[str, ...]:
    if not present.source:
        return ("The pack is there and was not touched: `bmadc build` makes it anew from the new tree.",)
    found = check(folder, project, folder / project.out, full=False)
    if found.exit_code == 0:
        return ()
    return (f"The pack was not touched. `bmadc check` says: {found.closing_line()}.",)


def _unheeded(present: Present, answers: Answers) -> tuple[str, ...]:
    """Say which wishes have no effect, because what they are about is there already."""
    said: list[str] = []
    if present.project is not None:
        before, choices = present.project, present.project.choices
        pairs = (
            ("engine", answers.engine, choices.engine.id),
            ("wiring", answers.wiring, choices.wiring),
            ("stacks", answers.stacks, choices.stacks),
            ("out", answers.out, before.out),
        )
        names = [name for name, wish, is_ in pairs if name in answers.given and wish != is_]
        if names:
            keys = " and ".join(names)
            said.append(f"{FILE} is there and stays as it is: change {keys} in it, then `bmadc build`.")
    wished = house.CALLED if answers.method == HOUSE else f"BMAD {answers.method}"
    if present.source and present.project is not None and answers.method and wished != present.tree:
        said.append(
            f"{present.tree} is there and stays. For another one, remove {_shown(present.source)}, "
            "then run this again and `bmadc build`."
        )
    return tuple(said)


def _shown(source: str) -> str:
    return f"{house.FOLDER}/" if source == "." else f"{source}/"


# --- the disk


@contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """A folder beside the final places, so that a move into place is one step; gone at the end."""
    stage = Path(tempfile.mkdtemp(dir=folder, prefix=".bmadc-init-"))
    try:
        # Should the process be killed here, what is left must not end up in a commit.
        (stage / ".gitignore").write_text("*\n", encoding="utf-8")
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


@dataclass(slots=True)
class _Undo:
    """Steps that are taken back if a later one fails, unless the pack is decided: then all of it is right."""

    trees: list[Path] = field(default_factory=list)
    made: list[Path] = field(default_factory=list)
    out: Path | None = None

    def __enter__(self) -> _Undo:
        return self

    def move(self, source: Path, target: Path) -> None:
        """Give a tree its final name."""
        self._make_folders(target.parent)
        self.trees.append(target)
        source.rename(target)

    def write(self, folder: Path, texts: Mapping[str, str]) -> None:
        """Write settings that are not there yet."""
        for name, text in texts.items():
            self.made.append(folder / name)
            write_text(folder, name, text)

    def pack(self, out: Path, planned: Plan) -> None:
        """Write the pack."""
        self._make_folders(out)
        self.out = out
        carry_out(out, planned)

    def _make_folders(self, folder: Path) -> None:
        missing = [one for one in (folder, *folder.parents) if not one.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        self.made += reversed(missing)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None or (self.out is not None and not abandon(self.out)):
            return
        for tree in self.trees:
            shutil.rmtree(tree, ignore_errors=True)
        for path in reversed(self.made):
            if path.is_dir():
                if not any(path.iterdir()):
                    path.rmdir()
            else:
                path.unlink(missing_ok=True)


def _in_repository(folder: Path) -> bool:
    return any(exists(one, ".git") for one in (folder, *folder.parents))


def _no_repository(directory: Path) -> Diagnostic:
    return Diagnostic(
        code="BMC507",
        severity="error",
        message="this is not in a git repository",
        span=Span.file(directory.as_posix()),
        why="A pack is committed and installed from its repository; elsewhere it would only be in the way.",
        help=("Run `git init` there first, or name the folder of a repository: `bmadc init DIR`.",),
    )


def _source_is_here() -> Diagnostic:
    return Diagnostic(
        code="BMC508",
        severity="error",
        message=f"{FILE} says that the tree lies in this folder itself, where a package of npm has no place",
        span=Span.file(FILE),
        why="Its files would be mixed with yours; nothing was changed.",
        help=(f'Write source = "{NPM_FOLDER}" into {FILE}, and run this again.',),
    )


def _cannot_write(problem: OSError) -> Diagnostic:
    return Diagnostic(
        code="BMC109",
        severity="error",
        message=f"cannot be written: {problem.strerror or type(problem).__name__}",
        span=Span.file(Path(problem.filename).name) if isinstance(problem.filename, str) else None,
        why="Nothing was changed.",
        help=(
            "Make the folder writable for the user who runs bmadc and give it room, or choose another one.",
        ),
    )
