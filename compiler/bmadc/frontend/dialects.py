"""The dialects that a tree is written in: names for people, in the order in which BMAD went through them.

Nothing is decided by them. A tree can have several: releases mix them, and modules lag behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bmadc.ir.model import Agent, Workflow
from bmadc.ir.tree import Tree

DIALECTS: dict[str, str] = {
    "A": "workflow.yaml with instructions, run by an engine",
    "B": "workflow.md without an engine, agents in YAML",
    "C": "skill folders with workflow.md, agents in YAML",
    "D": "skill folders without customize.toml, agents as skills",
    "E": "skill folders with customize.toml",
    "E2": "skills that are rendered before they run",
}


def dialects_of(
    agents: Iterable[Agent], workflows: Iterable[Workflow], trees: Mapping[str, Tree]
) -> tuple[str, ...]:
    """Return the letters of the dialects for which there is evidence in the tree."""
    found: set[str] = set()
    personas = {agent.encoding for agent in agents}
    every = tuple(workflows)
    encodings = {workflow.encoding for workflow in every}
    roles = {use.role for workflow in every for use in workflow.files}
    if encodings & {"workflow-yaml", "workflow-xml", "task-xml"}:
        found.add("A")
    elif encodings & {"workflow-md", "task-md"}:
        found.add("B")
    if "skill" in encodings and personas & {"agent-yaml", "agent-compiled"}:
        found.add("C")
    if "customize" in roles or "skill-customize" in personas:
        found.add("E")
    if "skill-manifest" in personas or ("skill" in encodings and not found & {"C", "E"}):
        found.add("D")
    if any("[[bmad-snapshot:" in tree.text.text for tree in trees.values() if tree.reader == "markdown"):
        found.add("E2")
    return tuple(letter for letter in DIALECTS if letter in found)
