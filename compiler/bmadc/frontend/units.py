"""Where workflows begin: each unit is found by what stands in its folder, never by the release.

Trees mix: one release has three encodings beside each other, modules lag behind, and an upgraded project
keeps leftovers. So the evidence is looked at per folder, and the rules are few:

- a folder with SKILL.md is a unit, with everything below it;
- outside of those, a folder with workflow.yaml is one, with everything below it;
- outside of those, each workflow.md, workflow-<name>.md or workflow.xml is one; several share a folder;
- each Markdown or XML file directly in a folder `tasks` is one.

An old unit that a skill of the same name has replaced is a leftover, not a unit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass

from bmadc.ir.tree import Tree

PREFIX = "bmad-"

_VARIANT = re.compile(r"workflow(?:-(?P<name>[\w-]+))?\.(?P<form>md|xml)")


@dataclass(frozen=True, slots=True)
class Unit:
    """A workflow's id, its encoding, the folder that it lives in, and the file that it starts with."""

    id: str
    encoding: str
    folder: str
    entry: str
    module: str


@dataclass(frozen=True, slots=True)
class Units:
    """The workflows of a tree by path, and the leftovers, each with the id that replaced it."""

    found: tuple[Unit, ...]
    leftovers: tuple[tuple[Unit, str], ...]


def find_units(
    trees: Mapping[str, Tree], agents: Collection[str], module_of: Callable[[str], str], skip: Collection[str]
) -> Units:
    """Return the workflows of a tree; folders of agents, and folders to skip, hold none."""
    closed = {*agents, *skip}
    paths = [path for path in sorted(trees) if not _below(path, closed)]
    skills = _outermost(folder_of(path) for path in paths if path.rpartition("/")[2] == "SKILL.md")
    units = [_unit(name_of(folder), "skill", folder, f"{folder}/SKILL.md", module_of) for folder in skills]
    paths = [path for path in paths if not _below(path, skills.keys())]

    yamls = _outermost(folder_of(path) for path in paths if path.rpartition("/")[2] == "workflow.yaml")
    old = [_unit(name_of(at), "workflow-yaml", at, f"{at}/workflow.yaml", module_of) for at in yamls]
    paths = [path for path in paths if not _below(path, yamls.keys())]

    tasks = [
        path
        for path in paths
        if name_of(folder_of(path)) == "tasks" and path.endswith((".xml", ".md")) and "/" in path
    ]
    for path in tasks:
        stem, _, form = path.rpartition("/")[2].rpartition(".")
        old.append(_unit(stem, f"task-{form}", folder_of(path), path, module_of))

    variants = [
        (path, found)
        for path in paths
        if path not in tasks and (found := _VARIANT.fullmatch(path.rpartition("/")[2]))
    ]
    folders = _outermost(folder_of(path) for path, _ in variants)
    for path, found in variants:
        folder = folder_of(path)
        if folder in folders:
            id_ = found["name"] or name_of(folder)
            old.append(_unit(id_, f"workflow-{found['form']}", folder, path, module_of))

    by_name = {unit.id.removeprefix(PREFIX): unit for unit in units}
    leftovers = tuple((unit, by_name[unit.id].id) for unit in old if unit.id in by_name)
    units.extend(unit for unit in old if unit.id not in by_name)
    return Units(tuple(sorted(units, key=lambda unit: unit.entry)), leftovers)


def folder_of(path: str) -> str:
    """Return the folder of a path, or the empty text for one at the root."""
    return path.rpartition("/")[0]


def name_of(folder: str) -> str:
    """Return the last part of a folder's path."""
    return folder.rpartition("/")[2]


def _unit(id_: str, encoding: str, folder: str, entry: str, module_of: Callable[[str], str]) -> Unit:
    return Unit(id_, encoding, folder, entry.lstrip("/"), module_of(entry.lstrip("/")))


def folders_above(path: str) -> Iterator[str]:
    """Return the folders that a path lies in, the nearest first."""
    folder = folder_of(path)
    while folder:
        yield folder
        folder = folder_of(folder)


def _below(path: str, folders: Set[str]) -> bool:
    return any(folder in folders for folder in folders_above(path))


def _outermost(folders: Iterable[str]) -> dict[str, None]:
    """Return the folders that do not lie in another one of them, in their order."""
    kept: dict[str, None] = {}
    for folder in sorted(set(folders)):
        if not _below(folder, kept.keys()):
            kept[folder] = None
    return kept
