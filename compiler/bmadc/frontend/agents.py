"""The agents of a tree, whatever form each of them has; forms may mix, so the evidence is looked at per unit.

- `<name>.agent.yaml` is an agent as somebody wrote it;
- a Markdown file in a folder `agents` with `<agent>` in a fence is one that the installer compiled;
- `SKILL.md` beside `customize.toml` with a table [agent] is one;
- `SKILL.md` beside `bmad-skill-manifest.yaml` of the type agent is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bmadc.diagnostics import Diagnostic, Span
from bmadc.frontend.agent_compiled import is_compiled_agent, read_agent_compiled
from bmadc.frontend.agent_skill import CUSTOMIZE, MANIFEST, SKILL, read_agent_customize, read_agent_manifest
from bmadc.frontend.agent_yaml import SUFFIX, read_agent_yaml
from bmadc.ir.model import Agent
from bmadc.ir.tree import Tree

# Of two forms of one agent the first of these is what BMAD would run.
ENCODINGS = ("skill-customize", "skill-manifest", "agent-compiled", "agent-yaml")


def is_agent(path: str, trees: Mapping[str, Tree]) -> str:
    """Return the encoding of the agent that this file is the main file of, or the empty text."""
    folder, _, name = path.rpartition("/")
    if name.endswith(SUFFIX) and name != SUFFIX:
        return "agent-yaml"
    if name == SKILL and folder:
        customize = trees.get(f"{folder}/{CUSTOMIZE}")
        if customize is not None and isinstance(customize.matter_value("agent"), Mapping):
            return "skill-customize"
        manifest = trees.get(f"{folder}/{MANIFEST}")
        if manifest is not None and manifest.matter_value("type") == "agent":
            return "skill-manifest"
        return ""
    return "agent-compiled" if is_compiled_agent(trees[path]) else ""


def find_agents(
    trees: Mapping[str, Tree],
    module_of: Callable[[str], str],
    resolved: Mapping[str, Mapping[str, Any]] | None = None,
) -> tuple[tuple[Agent, ...], tuple[Diagnostic, ...]]:
    """Return all agents of a tree in the order of their paths, and what is wrong with them.

    `resolved` has the values of agents whose overrides were worked in: by the folder of a skill the tables of
    its customize.toml, by the path of an agent's YAML its mapping.
    """
    merged = resolved or {}
    agents: list[Agent] = []
    found: list[Diagnostic] = []
    paths = sorted(trees)
    for path in paths:
        encoding = is_agent(path, trees)
        if not encoding:
            continue
        folder = path.rpartition("/")[0]
        tree, module = trees[path], module_of(path)
        if encoding == "agent-yaml":
            agent, said = read_agent_yaml(tree, module, merged.get(path))
        elif encoding == "agent-compiled":
            agent, said = read_agent_compiled(tree, module)
        elif encoding == "skill-customize":
            agent, said = read_agent_customize(
                tree, trees[f"{folder}/{CUSTOMIZE}"], module, merged.get(folder)
            )
        else:
            agent, said = read_agent_manifest(tree, trees[f"{folder}/{MANIFEST}"], module)
        found.extend(said)
        if agent is not None:
            agents.append(replace(agent, files=_files(agent, paths)))
    return _once(agents, found), tuple(found)


def agent_folders(agents: Iterable[Agent]) -> tuple[str, ...]:
    """Return the folders that belong to one agent with all that is in them."""
    return tuple(
        agent.origin.path.rpartition("/")[0] for agent in agents if agent.encoding.startswith("skill-")
    )


def agent_aliases(agents: Iterable[Agent], trees: Mapping[str, Tree]) -> dict[str, str]:
    """Return the other names that manifests beside old agents give them, each with the agent's id."""
    aliases: dict[str, str] = {}
    for agent in agents:
        folder, _, name = agent.origin.path.rpartition("/")
        manifest = trees.get(f"{folder}/{MANIFEST}")
        if manifest is None or agent.encoding.startswith("skill-"):
            continue
        # A manifest is for all files of its folder by name, also when they were compiled, or for the folder.
        row = manifest.matter_value(f"{agent.id}{SUFFIX}") or manifest.matter_value(name)
        canonical = (
            row.get("canonicalId") if isinstance(row, Mapping) else manifest.matter_value("canonicalId")
        )
        if isinstance(canonical, str) and canonical and canonical != agent.id:
            aliases.setdefault(canonical, agent.id)
    return aliases


def _files(agent: Agent, paths: Sequence[str]) -> tuple[str, ...]:
    """Return the files that an agent consists of: its folder, or its file with manifest and sidecar."""
    folder = agent.origin.path.rpartition("/")[0]
    own = agent.encoding.startswith("skill-") or folder.rpartition("/")[2] == agent.id
    beside = (agent.origin.path, f"{folder}/{MANIFEST}")
    # The installer moves the sidecar out of the agent's folder, so its name alone says whose it is.
    sidecar = f"/{agent.id}-sidecar/"
    return tuple(
        path
        for path in paths
        if path in beside or sidecar in f"/{path}" or (own and path.startswith(f"{folder}/"))
    )


def _once(agents: list[Agent], found: list[Diagnostic]) -> tuple[Agent, ...]:
    """Return the agents, of several with one id in one module only the one that BMAD would run."""
    best: dict[tuple[str, str], Agent] = {}
    for agent in agents:
        key = (agent.module, agent.id)
        other = best.get(key)
        if other is None or _rank(agent) < _rank(other):
            best[key] = agent
    for agent in agents:
        kept = best[agent.module, agent.id]
        if kept is not agent:
            found.append(_twice(agent, kept))
    return tuple(agent for agent in agents if best[agent.module, agent.id] is agent)


def _rank(agent: Agent) -> int:
    return ENCODINGS.index(agent.encoding)


def _twice(agent: Agent, kept: Agent) -> Diagnostic:
    return Diagnostic(
        code="BMC357",
        severity="warning",
        message=f"the agent {agent.id} is there twice; {kept.origin.path} is the one that counts",
        span=Span.file(agent.origin.path),
        expected="one file per agent",
        why="Most likely this is what an older release has left behind.",
        help=("Take away the file that is not used.",),
    )
