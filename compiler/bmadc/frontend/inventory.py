"""Every file of the tree, with what it is to whom; and if it is nothing to anybody, why.

A file that no workflow reaches is not an error, but nobody should have to wonder whether it was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bmadc.frontend.files import suffix
from bmadc.frontend.units import Unit, folder_of
from bmadc.ir.model import Agent, FileEntry, Workflow

# Folders of BMAD's own machinery, by the name below the source root or below _bmad.
_ENGINE = {
    "utility": "parts from which the installer compiles agents",
    "scripts": "programs that BMAD runs at run time and bmadc at compile time",
    "_module-installer": "programs of the installer",
}
_CONFIG = ("_config", "custom", "_memory")
_TEAMS = "names agents for installing or inviting them together; no workflow reads it"


def inventory(
    paths: Iterable[str],
    top: str,
    agents: Iterable[Agent],
    workflows: Iterable[Workflow],
    leftovers: Iterable[tuple[Unit, str]],
    unread: Mapping[str, str],
) -> tuple[FileEntry, ...]:
    """Return an entry per file; `top` is the folder that the modules lie in, `unread` says why for some."""
    used: dict[str, list[str]] = {}
    engine: set[str] = set()
    for workflow in workflows:
        for use in workflow.files:
            used.setdefault(use.path, []).append(workflow.id)
        if workflow.engine:
            engine.add(workflow.origin.path)
    personas: dict[str, list[str]] = {}
    for agent in agents:
        for path in agent.files:
            personas.setdefault(path, []).append(agent.id)
    folders = {workflow.id: folder_of(workflow.origin.path) for workflow in workflows}
    replaced = {unit.folder: id_ for unit, id_ in leftovers}
    entries = []
    for path in sorted(paths):
        if path in unread:
            entries.append(FileEntry(path, "asset", reason=unread[path]))
        elif path in engine:
            entries.append(FileEntry(path, "engine", reason="the program that ran workflow.yaml files"))
        elif path in used:
            entries.append(FileEntry(path, "workflow", tuple(sorted(used[path]))))
        elif path in personas:
            entries.append(FileEntry(path, "agent", tuple(sorted(personas[path]))))
        else:
            entries.append(_other(path, path.removeprefix(f"{top}/") if top else path, folders, replaced))
    return tuple(entries)


def _other(path: str, below: str, folders: Mapping[str, str], replaced: Mapping[str, str]) -> FileEntry:
    first = below.partition("/")[0]
    name = path.rpartition("/")[2]
    parts = below.split("/")[:-1]
    if name in ("module.yaml", "module-help.csv"):
        return FileEntry(path, "module")
    if name == "bmad-skill-manifest.yaml":
        return FileEntry(path, "module", reason="names of the units beside it")
    if first in _CONFIG or name in ("config.yaml", "config.toml", "config.user.toml"):
        return FileEntry(path, "config")
    for part in parts:
        if part in _ENGINE:
            return FileEntry(path, "engine", reason=_ENGINE[part])
    if "teams" in parts:
        return FileEntry(path, "asset", reason=_TEAMS)
    for folder, id_ in replaced.items():
        if path.startswith(f"{folder}/"):
            return FileEntry(path, "orphan", reason=f"left over from before {id_}")
    if name.upper().startswith(("README", "LICENSE", "CHANGELOG")):
        return FileEntry(path, "asset", reason="written for people, not for agents")
    owner = next((id_ for id_, folder in sorted(folders.items()) if path.startswith(f"{folder}/")), None)
    if owner is not None:
        return FileEntry(path, "orphan", (owner,), f"lies in the folder of {owner}, but nothing names it")
    if suffix(path) in (".md", ".xml", ".yaml", ".csv", ".toml", ".txt", ".json"):
        return FileEntry(path, "orphan", reason="belongs to no workflow and no agent")
    return FileEntry(path, "asset", reason="not a format that workflows are written in")
