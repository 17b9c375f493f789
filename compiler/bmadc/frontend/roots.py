"""Where a BMAD tree is, which release and form it has, which modules it holds, which files belong to it.

Three forms: `source` is the npm package or git checkout, or one module of it; `installed` is a project with
`_bmad`; `skills` is a folder of skills with neither beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NoReturn, TypeAlias

from bmadc.diagnostics import Diagnostic, Span, in_reading_order
from bmadc.frontend.install_manifest import (
    MANIFEST,
    Package,
    Said,
    read_definition,
    read_manifest,
    read_package,
    read_rows,
)
from bmadc.frontend.membership import MADE, SETTINGS, Excluded, Members, by_reason, list_members
from bmadc.frontend.releases import judge, numbers, unsupported
from bmadc.frontend.skill_folders import Chosen, bare_skills, dot_skills_folders, installed_skills
from bmadc.source import (
    SourceError,
    folders_in,
    is_file,
    is_folder,
    of_packs,
    open_folder,
    ours,
    read_text,
    real_path,
)

Form: TypeAlias = Literal["source", "installed", "skills"]

METHOD = "bmad-method"

# Folders of _bmad that belong to the install as a whole.
_NOT_MODULES = ("custom", "render", "scripts")
_MODULE_FILES = ("module.yaml", "module-help.csv", "config.yaml")
_CODE_LINE = re.compile(r"^code\s*:", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Module:
    """A module of BMAD; folder '' is the base itself, definition and help are '' when there are none."""

    code: str
    name: str
    version: str
    folder: str
    definition: str
    help: str


@dataclass(frozen=True, slots=True)
class Root:
    """A BMAD tree; all paths are relative to base, with forward slashes and sorted.

    `release` is '' when nothing says it, `release_from` the file that does. `skills_folders` are those from
    which skills are taken, in the order in which they win. `files` are all files that may be read.
    """

    base: Path
    form: Form
    release: str
    release_from: str
    package: str
    modules: tuple[Module, ...]
    skills_folders: tuple[str, ...]
    files: tuple[str, ...]
    excluded: tuple[Excluded, ...]
    diagnostics: tuple[Diagnostic, ...]


def find_root(directory: Path) -> Root:
    """Return the BMAD tree that a folder holds or is, or raise SourceError with one diagnostic.

    SourceError means that there is none, or that its release is not supported. Everything else that is
    wrong with the tree is in its diagnostics.
    """
    base = open_folder(directory)
    if base.name == "_bmad" and not is_folder(base, "_bmad"):
        base = base.parent
    if is_folder(base, "_bmad"):
        return _installed(base)
    return _source(base, directory) or _skills(base) or _nothing(base, directory)


def _installed(base: Path) -> Root:
    said = Said([])
    if is_folder(base, "_bmad/_cfg") and not is_folder(base, "_bmad/_config"):
        raise SourceError(unsupported("an alpha of BMAD 6.0.0", Span.file("_bmad/_cfg")))
    manifest = read_manifest(base, said)
    if manifest.release:
        said.diagnostics.extend(judge(manifest.release, manifest.span))
    members = list_members(base, "_bmad")
    versions = {module.name: module.version for module in manifest.modules}
    codes = _module_folders(base, tuple(versions), said)
    modules = tuple(_module(base, f"_bmad/{code}", code, versions.get(code, ""), said) for code in codes)
    config = tuple(
        path for path in members.files if re.fullmatch(r"_bmad/_config/[a-z]+-manifest\.csv", path)
    )
    rows = read_rows(base, config, said)
    chosen = installed_skills(base, manifest, rows, {*versions, *codes}, members.files, said)
    for module in manifest.modules:
        if module.name not in codes and not any(row.module == module.name for row in rows):
            said.diagnostics.append(
                Diagnostic(
                    code="BMC309",
                    severity="warning",
                    message=f"the module {module.name!r} is listed and not there",
                    span=module.span,
                    why="None of its agents and workflows can be compiled.",
                    expected=f"the folder _bmad/{module.name}, or skills of it in skill-manifest.csv",
                    help=("Install the module again, or take it off the list.",),
                )
            )
    release = manifest.release if numbers(manifest.release) else ""
    return _root(base, "installed", release, MANIFEST, "", modules, (members,), chosen, said)


def _module_folders(base: Path, listed: tuple[str, ...], said: Said) -> tuple[str, ...]:
    try:
        names = folders_in(base, "_bmad")
    except SourceError as problem:
        said.diagnostics.append(problem.diagnostic)
        return ()
    return tuple(
        name
        for name in names
        if not name.startswith(("_", ".")) and name not in _NOT_MODULES
        if name in listed or any(is_file(base, f"_bmad/{name}/{file}") for file in _MODULE_FILES)
    )


def _module(base: Path, folder: str, code: str, version: str, said: Said) -> Module:
    """Describe the module in a folder; its definition has the last word about its code."""
    definition = f"{folder}/module.yaml" if folder else "module.yaml"
    help_rows = f"{folder}/module-help.csv" if folder else "module-help.csv"
    name = ""
    if is_file(base, definition):
        found = read_definition(base, definition, said)
        code, name = found.code or code, found.name
    else:
        definition = ""
    return Module(code, name, version, folder, definition, help_rows if is_file(base, help_rows) else "")


@dataclass(frozen=True, slots=True)
class _Place:
    """A source tree: the base, the folder below it whose files belong to it, and its module folders."""

    base: Path
    folder: str
    modules: tuple[str, ...]


def _source(folder: Path, directory: Path) -> Root | None:
    said = Said([])
    place = _source_place(folder)
    package = read_package(place.base if place else folder, said)
    is_method = package.name == METHOD
    release = package.version if is_method and numbers(package.version) else ""
    # Judged before the tree is looked at: in old packages the folders have other names.
    if is_method and package.version:
        said.diagnostics.extend(judge(package.version, package.span))
    if not release:
        _refuse_old(folder, directory)
    if place is None:
        return None
    modules = _source_modules(place, package, said)
    return _root(
        place.base,
        "source",
        release,
        "package.json",
        package.name,
        modules,
        (list_members(place.base, place.folder),),
        Chosen(),
        said,
    )


def _source_modules(place: _Place, package: Package, said: Said) -> tuple[Module, ...]:
    found: dict[str, Module] = {}
    for folder in place.modules:
        name = folder.rpartition("/")[2] or place.base.name
        module = _module(place.base, folder, name.removesuffix("-skills"), package.version, said)
        if module.code in found:
            said.unusable(
                Span.file(module.definition or module.help),
                f"the module code {module.code!r} is taken by {found[module.code].folder}",
                "a code of its own for every module",
            )
        else:
            found[module.code] = module
    return tuple(found[code] for code in sorted(found))


def _source_place(directory: Path) -> _Place | None:
    if is_folder(directory, "src"):
        modules = _modules_below(directory, "src", sure=True)
        if modules:
            return _Place(directory, "src", modules)
    modules = _modules_below(directory, "", sure=False)
    if not modules:
        return None
    parent, name = directory.parent, directory.name
    # Whoever names src, or a module in it, means the package around it: only there stands the release.
    if name == "src" and is_file(parent, "package.json"):
        return _Place(parent, name, tuple(f"src/{module}".rstrip("/") for module in modules))
    if modules == ("",) and parent.name == "src" and is_file(parent.parent, "package.json"):
        return _Place(parent.parent, f"src/{name}", (f"src/{name}",))
    return _Place(directory, "", modules)


def _modules_below(base: Path, folder: str, *, sure: bool) -> tuple[str, ...]:
    """Give the folder if it is a module, or else those of its folders that are."""
    if _is_module(base, folder, sure=sure):
        return (folder,)
    try:
        names = folders_in(base, folder)
    except SourceError:
        return ()
    below = (f"{folder}/{name}" if folder else name for name in names if not name.startswith("."))
    return tuple(path for path in below if _is_module(base, path, sure=sure))


def _is_module(base: Path, folder: str, *, sure: bool) -> bool:
    """Say whether a folder is a module; outside of src a module.yaml must look like one of BMAD's."""
    at = f"{folder}/" if folder else ""
    if is_file(base, f"{at}module-help.csv"):
        return True
    if not is_file(base, f"{at}module.yaml"):
        return False
    try:
        return sure or _CODE_LINE.search(read_text(base, f"{at}module.yaml").text) is not None
    except SourceError:
        return False


def _refuse_old(base: Path, directory: Path) -> None:
    """Raise SourceError for layouts of BMAD before 6.0.0-Beta that have no package.json to tell."""
    layouts = (
        ((".bmad-core", "bmad-core"), "BMAD 4"),
        (("bmad/_cfg", "_cfg", "src/modules"), "an alpha of BMAD 6.0.0"),
    )
    for folders, what in layouts:
        for folder in folders:
            if is_folder(base, folder) or base.name == folder:
                where = directory if base.name == folder else directory / folder
                raise SourceError(unsupported(what, Span.file(where.as_posix())))


def _skills(base: Path) -> Root | None:
    said = Said([])
    chosen = bare_skills(base, ("",), take_all=True, said=said)
    if not chosen.skills:
        folders = {real_path(base, folder): None for folder in dot_skills_folders(base, said)}
        if is_folder(base, "skills"):
            folders[real_path(base, "skills")] = None
        chosen = bare_skills(base, tuple(folders), take_all=False, said=said)
    return _root(base, "skills", "", "", "", (), (), chosen, said) if chosen.skills else None


def _nothing(base: Path, directory: Path) -> NoReturn:
    named = directory.as_posix()
    outside = _leads_out(base, "_bmad")
    if outside is not None:
        raise SourceError(outside)
    raise SourceError(
        Diagnostic(
            code="BMC301",
            severity="error",
            message=f"there is no BMAD in {named!r}",
            span=Span.file(named),
            why="Without it there is nothing to read.",
            expected=(
                "a folder _bmad; or src with module.yaml or module-help.csv in it or one level below; "
                "or .<tool>/skills, skills or this folder itself with bmad-*/SKILL.md"
            ),
            help=(
                "Name the folder that holds _bmad with --root.",
                "Install BMAD there: npx bmad-method install",
            ),
        )
    )


def _leads_out(base: Path, relative: str) -> Diagnostic | None:
    try:
        real_path(base, relative)
    except SourceError as problem:
        return problem.diagnostic
    return None


def _root(
    base: Path,
    form: Form,
    release: str,
    release_from: str,
    package: str,
    modules: tuple[Module, ...],
    listed: tuple[Members, ...],
    chosen: Chosen,
    said: Said,
) -> Root:
    files: set[str] = set()
    excluded = list(chosen.passed_over)
    links: list[str] = []
    for members in (*listed, *(list_members(base, folder) for folder in chosen.skills.values())):
        files.update(members.files)
        excluded.extend(members.excluded)
        links.extend(members.links)
        said.diagnostics.extend(members.problems)
    said.diagnostics.extend(_not_followed(link) for link in links)
    # The pack may lie where its source lies; it is never read as such.
    own = dict.fromkeys(of_packs(base, files), MADE) | dict.fromkeys(files & {ours.SETTINGS}, SETTINGS)
    excluded.extend((reason, path) for path, reason in own.items())
    files -= own.keys()
    return Root(
        base=base,
        form=form,
        release=release,
        release_from=release_from if release else "",
        package=package,
        modules=modules,
        skills_folders=tuple(chosen.folders),
        files=tuple(sorted(files)),
        excluded=by_reason(excluded),
        diagnostics=in_reading_order(dict.fromkeys(said.diagnostics)),
    )


def _not_followed(link: str) -> Diagnostic:
    return Diagnostic(
        code="BMC308",
        severity="warning",
        message="this is a link to a folder, and links to folders are not followed",
        span=Span.file(link),
        why="They can go in a circle or bring in the same file twice.",
        expected="a folder",
        help=("Put the folder itself there, or remove the link.",),
    )
