"""Which files a text names, and which of them are there.

BMAD names files in many ways: relative to the file, to the workflow, to the installed tree; with variables in
front; with a placeholder in the middle that the run fills in. A name is tried in a fixed order: beside the
file, below the unit's folder, below the tree. What is not found is not a reference: most such names are
documents that the workflow will write.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from posixpath import normpath

from bmadc.frontend.steps import is_step_file
from bmadc.frontend.units import folder_of
from bmadc.ir.tree import Tree

# Looking for the ending first and walking back from it is ten times as fast as trying every word.
_ENDING = re.compile(r"\.(?:md|xml|ya?ml|csv|json|html|py|toml|txt|js|ts|sh)\b")
# A path may hold variables in braces and placeholders in angle brackets.
_IN_PATH = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./{}<>*@~")

_ROOTED = re.compile(r"\{+project[-_]root\}+/(?:_bmad|bmad)/")
_OWN = re.compile(r"\{+(?:installed_path|workflow_path|skill-root|skill_root|shared_path)\}+/")
# The installer makes these; a source tree has none.
_WRITTEN_BY_INSTALLER = ("config.yaml", "config.user.yaml")
_LEADING = re.compile(r"\{+(?!project)([a-z]\w*)\}+/")
_DEFINITION = re.compile(
    r"""^(?:[-*]\s+`|['"]?)([a-z]\w*)(?:`\s*=\s*`|['"]?:\s*['"]?)([^`'"\s]+/[^`'"\s]*)""", re.MULTILINE
)
_HOLE = re.compile(r"\{\{?[.\w-]+\}?\}|<[\w-]+>|\*")


@dataclass(frozen=True, slots=True)
class Place:
    """Where names are looked up: the unit's folder, the module folders by their code, all files by folder.

    `inside` are the files of the unit's folder and of all folders below it.
    """

    folder: str
    modules: Mapping[str, str]
    files: Container[str]
    paths: Mapping[str, tuple[str, ...]]
    inside: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """A name in a text at an offset, and the files of the tree that it means.

    A `broken` one names a place in BMAD's own tree at which there is no such file; if the unit has a file of
    that name in a folder of that name, that one is meant.
    """

    written: str
    offset: int
    targets: tuple[str, ...]
    broken: bool = False


def written_paths(text: str) -> tuple[tuple[str, int], ...]:
    """Return everything in a text that looks like the path of a file, with its offset."""
    found = []
    for ending in _ENDING.finditer(text):
        start = ending.start()
        while start > 0 and text[start - 1] in _IN_PATH:
            start -= 1
        if start < ending.start():
            found.append((text[start : ending.end()], start))
    return tuple(found)


def references(tree: Tree, place: Place) -> Iterator[Reference]:
    """Return each name in a file's text that means files of the tree."""
    here = folder_of(tree.path)
    names: dict[str, str] | None = None
    for path, offset in written_paths(tree.text.text):
        targets = resolve(path, here, place)
        if not targets and (variable := _LEADING.match(path)):
            names = _defined(tree.text.text) if names is None else names
            targets = resolve(_expanded(path, names), here, place) if variable[1] in names else ()
        if targets:
            yield Reference(path, offset, targets)
        elif _names_the_tree(path, place):
            yield Reference(path, offset, _same_tail(path, place), broken=True)
        elif is_step_file(path) and (moved := _step_elsewhere(path, place)):
            # A bare name only says which step; with a path it says where to find it.
            yield Reference(path, offset, moved, broken="/" in path)


def files_of_folders(
    tree: Tree, subfolders: re.Pattern[str], folder: str, paths: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    """Return the files of the folders that a text names alone: it means all that is in them."""
    for name in sorted({found[1] for found in subfolders.finditer(tree.text.text)}):
        yield from paths[f"{folder}/{name}"]


def subfolder_pattern(folder: str, folders: Iterable[str]) -> re.Pattern[str] | None:
    """Return what finds the names of the folders below a unit's, standing alone in a text."""
    names = sorted(one[len(folder) + 1 :] for one in folders if one.startswith(f"{folder}/"))
    if not names:
        return None
    alternatives = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<![\w-])({alternatives})/(?![\w{{<*.-])")


def resolve(written: str, here: str, place: Place) -> tuple[str, ...]:
    """Return the files that a written path means, seen from a folder; one with holes may mean several."""
    for candidate in _candidates(written, here, place):
        if candidate in place.files:
            return (candidate,)
    folder, _, name = written.rpartition("/")
    if folder and _HOLE.search(name):
        for candidate in _candidates(written, here, place):
            matched = _matching(candidate, place)
            if matched:
                return matched
    return ()


def _candidates(written: str, here: str, place: Place) -> Iterator[str]:
    rooted = _ROOTED.match(written)
    if rooted or written.startswith(("_bmad/", "bmad/")):
        rest = written[rooted.end() :] if rooted else written.partition("/")[2]
        module, _, below = rest.partition("/")
        if module in place.modules and below:
            yield from _installed_names(f"{place.modules[module]}/{below}")
        yield f"_bmad/{rest}"
        return
    own = _OWN.match(written)
    if own:
        # In a file of a folder below, the workflow's own path may mean that folder.
        yield _clean(f"{place.folder}/{written[own.end() :]}")
        yield _clean(f"{here}/{written[own.end() :]}")
        return
    yield _clean(f"{here}/{written}" if here else written)
    yield _clean(f"{place.folder}/{written}" if place.folder else written)
    module, _, below = written.partition("/")
    if module in place.modules and below:
        yield from _installed_names(f"{place.modules[module]}/{below}")


def _installed_names(path: str) -> Iterator[str]:
    """Return the names that a path of the installed tree has there and in the source."""
    path = _clean(path)
    yield path
    if "/agents/" in path and path.endswith(".md"):
        yield f"{path[:-3]}.agent.yaml"
    if path.endswith(".agent.yaml"):
        yield f"{path.removesuffix('.agent.yaml')}.md"


def _defined(text: str) -> dict[str, str]:
    """Return the names that a text gives to paths, in a list of names or as keys of YAML."""
    return {found[1]: found[2] for found in reversed(list(_DEFINITION.finditer(text)))}


def _expanded(path: str, names: Mapping[str, str]) -> str:
    # A name may be defined by another one, which may be defined by a third; no deeper.
    for _ in range(3):
        variable = _LEADING.match(path)
        if variable is None or variable[1] not in names:
            break
        path = f"{names[variable[1]].rstrip('/')}/{path[variable.end() :]}"
    return path


def _names_the_tree(path: str, place: Place) -> bool:
    """Whether a path names one certain file of a module, and not one that only an installation has."""
    rooted = _ROOTED.match(path)
    if rooted is None or _HOLE.search(path, rooted.end()) or path.endswith(_WRITTEN_BY_INSTALLER):
        return False
    return path[rooted.end() :].partition("/")[0] in place.modules


def _same_tail(path: str, place: Place) -> tuple[str, ...]:
    candidate = f"{place.folder}/{'/'.join(path.split('/')[-2:])}"
    return (candidate,) if candidate in place.files else ()


def _step_elsewhere(path: str, place: Place) -> tuple[str, ...]:
    """Return the one step file of the unit that has this name, wherever it lies."""
    name = f"/{path.rpartition('/')[2]}"
    found = [one for one in place.inside if one.endswith(name)]
    return (found[0],) if len(found) == 1 else ()


def _clean(path: str) -> str:
    return normpath(path).lstrip("/")


def _matching(path: str, place: Place) -> tuple[str, ...]:
    """Return the files that a path with holes in its name means, in the folder that it names.

    Without a folder, or with holes in that too, it names a document that the run will write or look for.
    """
    candidates = place.paths.get(folder_of(path), ())
    if not candidates:
        return ()
    pattern = _pattern(path)
    return tuple(one for one in candidates if pattern.fullmatch(one))


@lru_cache(maxsize=1024)
def _pattern(path: str) -> re.Pattern[str]:
    parts, at = [], 0
    for hole in _HOLE.finditer(path):
        parts += [re.escape(path[at : hole.start()]), r"[^/]+"]
        at = hole.end()
    return re.compile("".join([*parts, re.escape(path[at:])]))
