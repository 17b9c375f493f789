"""One workflow, put together: its files, steps, names and calls."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from bmadc.frontend.files import suffix
from bmadc.frontend.references import Place, Reference, files_of_folders, references, subfolder_pattern
from bmadc.frontend.shims import shim_of
from bmadc.frontend.steps import file_steps, heading_steps, is_step_file, tag_steps
from bmadc.frontend.units import Unit, Units, folder_of, folders_above
from bmadc.ir.model import FileUse, Origin, Workflow
from bmadc.ir.tree import Tree, normal

# The program that ran workflow.yaml files in the first releases; it is never compiled.
ENGINE = "core/tasks/workflow.xml"

# What the installer wrote down about the installation: read at compile time, never carried along.
_SETTINGS = re.compile(r"_bmad/(?:_config/|custom/|config\.|[^/]+/config\.yaml$)")

# Files of a unit that are there by convention, whether something names them or not.
_CONVENTION = {
    "workflow.md": "reference",
    "customize.toml": "customize",
    "bmad-skill-manifest.yaml": "manifest",
    "bmad-manifest.json": "manifest",
}
# A checklist, templates and data of its own folder belong to a workflow even where only its prose means them.
_OWN_FOLDERS = ("templates", "data")
_ASSIGNED = re.compile(r"^[-*]\s+`(?P<name>[a-z][\w-]*)`\s*=\s*`(?P<value>[^`]*)`")
# What is read for the names of other files; the rest is carried as it is.
_READ = frozenset((".md", ".xml", ".yaml", ".yml", ".toml", ".py"))


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a workflow needs to know of the tree around it, indexed so that a tree may be large."""

    trees: Mapping[str, Tree]
    modules: Mapping[str, str]
    paths: Mapping[str, tuple[str, ...]]
    entries: Mapping[str, str]
    units: Mapping[str, tuple[Unit, ...]]
    inside: Mapping[str, tuple[str, ...]]
    skills: frozenset[str]
    replaced: Mapping[str, str]
    named: dict[tuple[str, str], tuple[Reference, ...]]

    def references(self, path: str, folder: str) -> tuple[Reference, ...]:
        """Return what a file names, for a unit in that folder; both the unit and the facts ask for it."""
        if (path, folder) not in self.named:
            place = Place(folder, self.modules, self.trees, self.paths, self.inside.get(folder, ()))
            self.named[path, folder] = tuple(references(self.trees[path], place))
        return self.named[path, folder]

    def successor(self, path: str) -> str:
        """Return the id of what came after the leftover workflow that a path belongs to, or nothing.

        Only its steps and its first file are past; its data may still be in use.
        """
        if not is_step_file(path) and not path.rpartition("/")[2].startswith("workflow"):
            return ""
        return next((self.replaced[folder] for folder in folders_above(path) if folder in self.replaced), "")

    def is_of_another(self, path: str, unit: Unit) -> bool:
        """Whether a file lies in the folder of a unit, and that is another one's."""
        holder = next((folder for folder in folders_above(path) if folder in self.units), unit.folder)
        return holder != unit.folder

    def below(self, folder: str) -> list[str]:
        """Return the files directly in a folder and in the folders of it that hold a workflow's own data."""
        places = (folder, *(f"{folder}/{name}" for name in _OWN_FOLDERS))
        return [path for place in places for path in self.paths.get(place, ())]


def surroundings(trees: Mapping[str, Tree], modules: Mapping[str, str], units: Units) -> Surroundings:
    """Return the surroundings of the units of one tree."""
    paths: dict[str, list[str]] = {}
    for path in sorted(trees):
        paths.setdefault(folder_of(path), []).append(path)
        for folder in folders_above(path):
            paths.setdefault(folder, [])
    by_folder: dict[str, list[Unit]] = {}
    for unit in units.found:
        by_folder.setdefault(unit.folder, []).append(unit)
    inside: dict[str, list[str]] = {}
    for path in sorted(trees):
        for folder in folders_above(path):
            if folder in by_folder:
                inside.setdefault(folder, []).append(path)
    return Surroundings(
        trees,
        modules,
        {folder: tuple(found) for folder, found in paths.items()},
        {unit.entry: unit.id for unit in units.found},
        {folder: tuple(found) for folder, found in by_folder.items()},
        {folder: tuple(found) for folder, found in inside.items()},
        frozenset(unit.id for unit in units.found if unit.encoding == "skill"),
        {unit.folder: id_ for unit, id_ in units.leftovers},
        {},
    )


def read_workflow(unit: Unit, around: Surroundings) -> Workflow:
    """Return the workflow of a unit, without its owners and its help rows."""
    trees = around.trees
    entry = trees[unit.entry]
    uses, leads_to, calls = _reach(unit, around)
    steps = list(file_steps((use.path for use in uses), trees, leads_to))
    tagged = [use.path for use in uses if use.role in ("entry", "instructions", "reference")]
    inner = [
        step
        for path in tagged
        if trees[path].reader in ("markdown", "xml")
        for step in tag_steps(trees[path])
    ]
    if not steps and not inner and entry.reader == "markdown":
        steps.extend(heading_steps(entry))
    steps.extend(inner)
    shim = None
    if unit.encoding == "skill":
        shim = shim_of(entry, unit.id, around.skills, whole=bool(inner))
    name, description = _title(entry, uses, trees)
    return Workflow(
        unit.id,
        unit.module,
        "",
        unit.encoding,
        Origin(unit.entry, 1),
        name,
        description,
        aliases=_canonical(unit, trees),
        files=uses,
        steps=tuple(steps),
        values=_values(unit, uses, trees),
        calls=calls,
        shim=shim,
        engine=unit.entry.endswith(ENGINE),
    )


def with_alias_of_shims(workflows: Iterable[Workflow]) -> tuple[Workflow, ...]:
    """Return the workflows, each with the ids of the shims that lead to it among its aliases."""
    every = tuple(workflows)
    old: dict[str, set[str]] = {}
    for workflow in every:
        if workflow.shim is not None and workflow.shim.target:
            old.setdefault(workflow.shim.target, set()).add(workflow.id)
    return tuple(
        replace(one, aliases=tuple(sorted({*one.aliases, *old.get(one.id, ())} - {one.id}))) for one in every
    )


def _reach(
    unit: Unit, around: Surroundings
) -> tuple[tuple[FileUse, ...], dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Follow every name from the unit's first file; return its files, who names whom, and other units."""
    subfolders = subfolder_pattern(unit.folder, around.paths) if unit.encoding == "skill" else None
    mine = f"{unit.folder}/"
    siblings = _steps_of_siblings(unit, around)
    found: dict[str, FileUse] = {unit.entry: FileUse(unit.entry, "entry")}
    leads_to: dict[str, tuple[str, ...]] = {}
    calls: set[str] = set()
    if not unit.encoding.startswith("task-"):
        for name, role in _CONVENTION.items():
            if mine + name in around.trees and mine + name not in around.entries:
                found[mine + name] = FileUse(mine + name, role)
        if len(around.units[unit.folder]) == 1:
            for path in around.below(unit.folder):
                role = role_of(path, around.trees[unit.entry])
                if role in ("checklist", "template") or folder_of(path)[len(mine) :] in _OWN_FOLDERS:
                    found[path] = FileUse(path, role)
    todo = deque(found)
    while todo:
        path = todo.popleft()
        if suffix(path) not in _READ:
            continue
        tree = around.trees[path]
        targets: dict[str, None] = {}
        for reference in around.references(path, unit.folder):
            targets.update(dict.fromkeys(reference.targets))
        if subfolders is not None:
            targets.update(dict.fromkeys(files_of_folders(tree, subfolders, unit.folder, around.paths)))
        leads_to[path] = tuple(targets)
        if unit.encoding == "skill":
            calls.update(id_ for _, id_ in named_ids(tree, around.skills))
        for target in targets:
            if target in around.entries and target != unit.entry:
                calls.add(around.entries[target])
            elif folder_of(target) in siblings:
                calls.add(siblings[folder_of(target)])
            elif replaced := around.successor(target):
                calls.add(replaced)
            elif is_setting(target):
                continue
            elif target not in found and not around.is_of_another(target, unit):
                found[target] = FileUse(target, role_of(target, tree), path)
                # A file of somebody else's is used, but what it names is not this unit's business.
                if target.startswith(mine):
                    todo.append(target)
        if is_step_file(path):
            for sibling in around.paths[folder_of(path)]:
                if is_step_file(sibling) and sibling not in found:
                    found[sibling] = FileUse(sibling, "step")
                    todo.append(sibling)
    calls.discard(unit.id)
    return tuple(found[path] for path in sorted(found)), leads_to, tuple(sorted(calls))


def named_ids(tree: Tree, ids: frozenset[str]) -> tuple[tuple[int, str], ...]:
    """Return each place in a file that names another workflow by its id, with that id."""
    pattern = _named(ids)
    if pattern is None:
        return ()
    return tuple((one.start(), one[0]) for one in pattern.finditer(tree.text.text) if one[0] in ids)


@lru_cache(maxsize=8)
def _named(ids: frozenset[str]) -> re.Pattern[str] | None:
    """Return what finds words that begin as the ids do; what is part of a path or a file name is none."""
    prefixes = sorted({id_.partition("-")[0] for id_ in ids if "-" in id_})
    if not prefixes:
        return None
    alternatives = "|".join(map(re.escape, prefixes))
    return re.compile(rf"(?<![\w/.-])(?:{alternatives})-[a-z0-9-]*[a-z0-9](?![\w/]|\.\w)")


def _steps_of_siblings(unit: Unit, around: Surroundings) -> dict[str, str]:
    """Return the step folders of the other workflows in this one's folder, each with its workflow's id.

    Variants share a folder, but each has steps of its own: the ones that its first file leads to.
    """
    folders: dict[str, str] = {}
    if unit.encoding.startswith("task-"):
        return {}
    for other in around.units[unit.folder]:
        named = around.references(other.entry, other.folder)
        first = next(
            (
                target
                for one in named
                for target in one.targets
                if is_step_file(target) and target != other.entry
            ),
            None,
        )
        if first is not None:
            folders[folder_of(first)] = other.id
    return {folder: id_ for folder, id_ in folders.items() if id_ != unit.id}


def is_setting(path: str) -> bool:
    """Whether a file holds what the installer or a team chose for the whole of a module or an install."""
    return _SETTINGS.match(path) is not None


def role_of(path: str, named_by: Tree) -> str:
    """Return what a file is to the workflow that names it, from its name, its place and its format."""
    name = path.rpartition("/")[2].lower()
    ending = suffix(path)
    if is_step_file(path):
        return "step"
    if named_by.reader == "yaml" and name.startswith("instructions."):
        return "instructions"
    if "checklist" in name:
        return "checklist"
    if "template" in name or "/templates/" in path:
        return "template"
    if ending in (".csv", ".json", ".yaml", ".yml", ".toml"):
        return "data"
    if ending in (".py", ".js", ".mjs", ".ts", ".sh"):
        return "script"
    return "reference" if ending in (".md", ".xml") else "asset"


def _title(entry: Tree, uses: Iterable[FileUse], trees: Mapping[str, Tree]) -> tuple[str, str]:
    """Return a workflow's name and description from its first file, or from what that one forwards to."""
    name = normal(str(entry.matter_value("name") or ""))
    description = normal(str(entry.matter_value("description") or ""))
    for block in entry.blocks:
        if block.kind == "tag" and block.name in ("task", "workflow"):
            name = name or normal(block.attribute("name") or "")
            description = description or normal(block.attribute("description") or "")
            break
    if not description:
        manifests = (trees[use.path] for use in uses if use.role == "manifest" and use.path.endswith(".yaml"))
        description = next((normal(str(one.matter_value("description") or "")) for one in manifests), "")
    return name, description


def _canonical(unit: Unit, trees: Mapping[str, Tree]) -> tuple[str, ...]:
    """Return the id that a manifest beside the unit gives it, for the folder or for the file."""
    manifest = trees.get(f"{unit.folder}/bmad-skill-manifest.yaml")
    if manifest is None:
        return ()
    own = manifest.matter_value(unit.entry.rpartition("/")[2])
    given = own.get("canonicalId") if isinstance(own, dict) else manifest.matter_value("canonicalId")
    return (given,) if isinstance(given, str) and given not in ("", unit.id) else ()


def _values(unit: Unit, uses: Iterable[FileUse], trees: Mapping[str, Tree]) -> tuple[tuple[str, str], ...]:
    """Return the names that a workflow gives to paths and texts, in its YAML or in its lists of names."""
    values: dict[str, str] = {}
    for use in uses:
        tree = trees[use.path]
        if use.path == unit.entry and tree.reader == "yaml":
            for name, value in tree.matter:
                if isinstance(value, str | int | float | bool):
                    values.setdefault(name, str(value).lower() if isinstance(value, bool) else str(value))
        elif use.role in ("entry", "reference") and tree.reader == "markdown":
            for leaf in tree.leaves:
                if leaf.kind == "item" and (found := _ASSIGNED.match(tree.slice(leaf))):
                    values.setdefault(found["name"], found["value"])
    return tuple(values.items())
