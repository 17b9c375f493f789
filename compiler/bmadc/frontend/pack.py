"""A whole BMAD tree, read: from the folder to the pack, one reader after the other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bmadc.diagnostics import Diagnostic, Span, in_reading_order
from bmadc.frontend.agents import agent_aliases, agent_folders, find_agents
from bmadc.frontend.config import read_config
from bmadc.frontend.customize import Customization, apply_agent_override, find_overrides, read_customization
from bmadc.frontend.dialects import dialects_of
from bmadc.frontend.facts import facts_of, name_facts
from bmadc.frontend.files import read_tree, suffix
from bmadc.frontend.filling import fillings, is_rendered
from bmadc.frontend.help import read_help
from bmadc.frontend.includes import include_problems
from bmadc.frontend.inventory import inventory
from bmadc.frontend.ownership import own
from bmadc.frontend.phases import phase_of_path
from bmadc.frontend.references import Place, Reference, resolve
from bmadc.frontend.roots import Root, find_root
from bmadc.frontend.units import find_units, folder_of, name_of
from bmadc.frontend.workflows import (
    Surroundings,
    is_setting,
    named_ids,
    read_workflow,
    role_of,
    surroundings,
    with_alias_of_shims,
)
from bmadc.frontend.yamlvalues import read_yaml as read_yaml_layer
from bmadc.ir.model import Agent, Fact, FileUse, HelpRow, Module, Pack, Workflow
from bmadc.ir.tree import Tree
from bmadc.source import SourceError, read_text

CUSTOM = "_bmad/custom"
MOST_PER_FILE = 100
OVERRIDES = "_bmad/_config/agents"
SKILL_MANIFEST = "_bmad/_config/skill-manifest.csv"

# Formats that hold no text; naming them keeps pictures from being reported as broken text.
_NOT_TEXT = frozenset(
    (".png", ".jpg", ".jpeg", ".gif", ".svg", ".ico", ".webp", ".pdf", ".zip", ".pyc", ".woff2")
)


def read_pack(directory: Path, *, personal: bool = False) -> Pack:
    """Return all that a BMAD tree says; what is malformed in it is in the pack's diagnostics.

    Personal overrides (`*.user.toml`) count only when asked for. Raises SourceError when there is no BMAD
    tree in the folder, or one of a release that is not supported.
    """
    root = find_root(directory)
    said: list[Diagnostic] = list(root.diagnostics)
    trees, unread = _read_trees(root, said)
    homes = _homes(trees)
    module_of = _module_finder(root, homes)

    custom = _customizations(root, trees, personal, said)
    resolved = {folder: one.merged for folder, one in custom.items()} | _overridden(trees, module_of, said)
    agents, problems = find_agents(trees, module_of, resolved)
    said.extend(problems)
    personas = agent_folders(agents)
    units = find_units(trees, personas, module_of, _not_units(root))
    around = surroundings(trees, _folders_by_name(root), units)
    workflows = with_alias_of_shims(read_workflow(unit, around) for unit in units.found)

    rows: list[HelpRow] = []
    for module in root.modules:
        if module.help in trees:
            found, problems = read_help(trees[module.help], module.code)
            rows.extend(found)
            said.extend(problems)
    owned, agents, problems = own(agents, tuple(rows), workflows, agent_aliases(agents, trees))
    said.extend(problems)
    workflows = tuple(_with_phase(workflow, homes, root) for workflow in _with_data(owned, agents, around))

    known = {*(workflow.id for workflow in workflows), *(name_of(folder) for folder in personas)}
    shims = {workflow.id for workflow in workflows if workflow.shim is not None}
    names = [path for path in root.files if folder_of(path) == CUSTOM]
    said.extend(find_overrides(names, known, shims=shims)[1])

    config = read_config(root.base, root.files, personal=personal)
    said.extend(config.diagnostics)
    facts, problems = _facts(around, workflows, custom, config.tree)
    said.extend(problems)
    said.extend(include_problems(facts, trees, workflows))
    return Pack(
        root.form,
        root.release,
        dialects_of(agents, workflows, trees),
        tuple(Module(one.code, one.name, one.version, one.folder) for one in root.modules),
        agents,
        workflows,
        tuple(rows),
        tuple((name, value.value) for name, value in config.values.items()),
        inventory(root.files, _top(root), agents, workflows, units.leftovers, unread),
        facts,
        trees,
        in_reading_order(_once(_weighed(said, workflows))),
    )


def _read_trees(root: Root, said: list[Diagnostic]) -> tuple[dict[str, Tree], dict[str, str]]:
    trees: dict[str, Tree] = {}
    unread: dict[str, str] = {}
    for path in root.files:
        if suffix(path) in _NOT_TEXT:
            unread[path] = "not text"
            continue
        try:
            tree = read_tree(read_text(root.base, path))
        except SourceError as problem:
            said.append(problem.diagnostic)
            unread[path] = f"cannot be read: {problem.diagnostic.message}"
            continue
        trees[path] = tree
        said.extend(_first(tree))
    return trees, unread


def _first(tree: Tree) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a file, up to a number that somebody may still read."""
    if len(tree.diagnostics) <= MOST_PER_FILE:
        return tree.diagnostics
    rest = Diagnostic(
        code="BMC320",
        severity="warning",
        message=f"{len(tree.diagnostics) - MOST_PER_FILE} more findings in this file are not shown",
        span=Span.file(tree.path),
        why="So many findings mostly have one cause, near the first of them.",
        help=("Mend the first ones and look again.",),
    )
    return (*tree.diagnostics[:MOST_PER_FILE], rest)


def _homes(trees: Mapping[str, Tree]) -> dict[str, str]:
    """Return where each installed skill stood in its module: the installer wrote that down."""
    manifest = trees.get(SKILL_MANIFEST)
    if manifest is None or not manifest.rows:
        return {}
    header = manifest.rows[0]
    if "canonicalId" not in header or "path" not in header:
        return {}
    at, where = header.index("canonicalId"), header.index("path")
    return {row[at]: row[where] for row in manifest.rows[1:] if len(row) == len(header)}


def _module_finder(root: Root, homes: Mapping[str, str]) -> Callable[[str], str]:
    folders = sorted(((one.folder, one.code) for one in root.modules), reverse=True)

    def module_of(path: str) -> str:
        for folder, code in folders:
            if not folder or path.startswith(f"{folder}/"):
                return code
        for skills in root.skills_folders:
            if path.startswith(f"{skills}/"):
                home = homes.get(path[len(skills) + 1 :].partition("/")[0], "")
                found = re.match(r"_bmad/([\w-]+)/", home)
                return found[1] if found else ""
        return ""

    return module_of


def _customizations(
    root: Root, trees: Mapping[str, Tree], personal: bool, said: list[Diagnostic]
) -> dict[str, Customization]:
    """Return what each skill that can be customized is after its overrides, by its folder."""
    found: dict[str, Customization] = {}
    for path in sorted(trees):
        folder = folder_of(path)
        if path.rpartition("/")[2] == "customize.toml" and f"{folder}/SKILL.md" in trees:
            found[folder] = read_customization(root.base, folder, personal=personal)
            said.extend(found[folder].diagnostics)
    return found


def _overridden(
    trees: Mapping[str, Tree], module_of: Callable[[str], str], said: list[Diagnostic]
) -> dict[str, Mapping[str, Any]]:
    """Return the values of each agent in YAML that has an override, by its path."""
    merged: dict[str, Mapping[str, Any]] = {}
    for path in sorted(trees):
        if path.endswith(".agent.yaml"):
            # The installer works these into the agents that it compiles; an agent in YAML has them beside it.
            stem = path.rpartition("/")[2].removesuffix(".agent.yaml")
            override = trees.get(f"{OVERRIDES}/{module_of(path)}-{stem}.customize.yaml")
            if override is not None:
                layer, problems = read_yaml_layer(override.text, "override")
                said.extend(problems)
                merged[path], problems = apply_agent_override(dict(trees[path].matter), layer)
                said.extend(problems)
    return merged


def _not_units(root: Root) -> tuple[str, ...]:
    """Return the folders in which no workflow is looked for."""
    top = _top(root)
    names = ("_config", "custom", "scripts", "_memory", "render", "utility")
    return tuple(f"{top}/{name}" if top else name for name in names)


def _top(root: Root) -> str:
    """Return the folder that the modules lie in."""
    if root.form == "installed":
        return "_bmad"
    tops = {folder_of(module.folder) for module in root.modules}
    return tops.pop() if len(tops) == 1 else ""


def _folders_by_name(root: Root) -> dict[str, str]:
    """Return what stands for `_bmad/<name>` in this tree: the modules, and the folder of run-time scripts."""
    top = _top(root)
    scripts = f"{top}/scripts" if top else "scripts"
    # A module by itself has none, and that is no fault of what it names.
    there = {"scripts": scripts} if any(path.startswith(f"{scripts}/") for path in root.files) else {}
    return there | {one.code: one.folder for one in root.modules}


def _with_data(
    workflows: Iterable[Workflow], agents: Iterable[Agent], around: Surroundings
) -> Iterable[Workflow]:
    """Return the workflows, each with the files that menus hand to it."""
    handed: dict[str, dict[str, FileUse]] = {}
    for agent in agents:
        for item in agent.menu:
            if item.workflow and item.data:
                place = Place(folder_of(agent.origin.path), around.modules, around.trees, around.paths)
                for path in resolve(item.data, place.folder, place):
                    if not is_setting(path):
                        role = role_of(path, around.trees[path])
                        handed.setdefault(item.workflow, {})[path] = FileUse(path, role, agent.origin.path)
    for workflow in workflows:
        own_paths = {use.path for use in workflow.files}
        more = [use for path, use in handed.get(workflow.id, {}).items() if path not in own_paths]
        files = tuple(sorted((*workflow.files, *more), key=lambda use: use.path))
        yield replace(workflow, files=files) if more else workflow


def _with_phase(workflow: Workflow, homes: Mapping[str, str], root: Root) -> Workflow:
    """Return the workflow with its phase: what the help table says, else what its folder says."""
    phase = next((row.phase for row in workflow.help if row.phase), "")
    if not phase:
        home = homes.get(workflow.id, workflow.origin.path)
        folder = next((one.folder for one in root.modules if workflow.module == one.code), "")
        home = (
            re.sub(r"^_bmad/[\w-]+/", "", home) if home in homes.values() else home.removeprefix(f"{folder}/")
        )
        phase = phase_of_path(home, workflow.id)
    return replace(workflow, phase=phase)


def _facts(
    around: Surroundings,
    workflows: Iterable[Workflow],
    custom: Mapping[str, Customization],
    config: Mapping[str, Any],
) -> tuple[tuple[Fact, ...], tuple[Diagnostic, ...]]:
    """Return the facts about all files that workflows consist of."""
    folders: dict[str, str] = {}
    for workflow in workflows:
        for use in workflow.files:
            folders.setdefault(use.path, folder_of(workflow.origin.path))
    rendered = {folder for folder in around.units if is_rendered(around.trees, folder)}
    facts: list[Fact] = []
    said: list[Diagnostic] = []
    for path, folder in sorted(folders.items()):
        tree = around.trees[path]
        if not tree.leaves:
            continue
        found, problems = facts_of(tree)
        facts.extend(found)
        said.extend(problems)
        if tree.reader in ("markdown", "xml"):
            named = [(one.offset, one.written, one.targets) for one in around.references(path, folder)]
            said.extend(_not_there(tree, one) for one in around.references(path, folder) if one.broken)
            # A skill's name in its own text is its title, not a call.
            called = [one for one in named_ids(tree, around.skills) if one[1] != name_of(folder)]
            facts.extend(name_facts(tree, named, called))
            filled, problems = fillings(
                tree,
                folder,
                frozenset(around.inside.get(folder, ())),
                custom.get(folder),
                config,
                rendered=folder in rendered,
            )
            facts.extend(filled)
            said.extend(problems)
    return tuple(
        sorted(set(facts), key=lambda one: (one.path, one.leaf, one.kind, one.value, one.target))
    ), tuple(said)


def _not_there(tree: Tree, reference: Reference) -> Diagnostic:
    line, column = tree.text.position(reference.offset)
    meant = f"{reference.targets[0]!r} is taken instead." if reference.targets else "Nothing is read in here."
    return Diagnostic(
        code="BMC324",
        severity="warning",
        message=f"{reference.written!r} is not there",
        span=Span.point(tree.path, line, column, len(reference.written)),
        why=f"An agent that is told to read it finds nothing. {meant}",
        help=("Correct the path, or take the reference away.",),
    )


def _weighed(diagnostics: Iterable[Diagnostic], workflows: Iterable[Workflow]) -> Iterator[Diagnostic]:
    """Return the diagnostics, those about the front matter of documents to be written only as notes.

    A template's front matter is text with gaps; that it is not YAML before they are filled is no fault.
    """
    roles: dict[str, set[str]] = {}
    for workflow in workflows:
        for use in workflow.files:
            roles.setdefault(use.path, set()).add(use.role)
    for one in diagnostics:
        path = one.span.path if one.span is not None else ""
        if one.code == "BMC315" and (roles.get(path) == {"template"} or "/assets/" in path):
            why = "It belongs to a document that a run writes, so it is kept as it is and never read as keys."
            one = replace(one, severity="note", why=why)
        yield one


def _once(diagnostics: Iterable[Diagnostic]) -> Iterable[Diagnostic]:
    """Return each diagnostic once: layers of configuration are read by several readers."""
    return dict.fromkeys(diagnostics)
