"""Files that travel beside the text: scripts, what they import and call, and what a text has others read.

A script finds its settings by BMAD's own tools, in a tree that no target repository has. So where one asks
for them, a small tree travels too, with the agents and overrides as they were when the workflow was made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bmadc.ir.ledger import Line, Part
from bmadc.ir.model import Agent, FileUse, Pack, Workflow
from bmadc.ir.tree import Tree
from bmadc.passes.context import FILES, Context, Target, has_own_scripts, output_role, shipped_name

PROJECT = f"{FILES}/project"
"""The tree that stands for an installation where a script asks for one."""

_TREE = "project/_bmad"
_IMPORT = re.compile(r"(?m)^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+(\w+))")
_DATA = re.compile(r"""["']([\w-]+\.(?:csv|json|toml|ya?ml))["']""")
_LITERAL = re.compile(r"""["']([\w-]+(?:\.py)?)["']""")
_NEEDED = re.compile(r"(?m)^# dependencies = \[(?P<packages>[^\]]+)\]")
_PACKAGE = re.compile(r"[\"']([\w.-]+)")


def named_files(workflow: Workflow, said: str) -> Iterator[FileUse]:
    """Return the files of a workflow that a text names by where they lie, and the settings of its scripts."""
    for use in workflow.files:
        name = shipped_name(use.path, workflow)
        if f"{FILES}/{name}" in said or (use.role == "customize" and has_own_scripts(workflow)):
            yield use


def for_readers(context: Context) -> Context:
    """Return a context for a file that somebody else reads: what is a section to others is a file to them."""
    targets = dict(context.targets)
    for use in context.workflow.files:
        if is_handed_out(use, context.workflow):
            targets[use.path] = Target("file", f"{FILES}/{shipped_name(use.path, context.workflow)}")
    return replace(context, targets=targets)


def is_handed_out(use: FileUse, workflow: Workflow) -> bool:
    """Whether a file is prose that can be handed to a reader by its path."""
    return use.path.endswith(".md") and output_role(use, workflow) == "reference"


def as_it_is(tree: Tree, name: str) -> Part:
    """Return a file whose bytes are those of the source."""
    lines = tree.text.text.rstrip("\n").split("\n")
    return Part("file", name, name, tuple(Line(line, tree.path) for line in lines))


def called_by_scripts(pack: Pack, parts: Iterable[Part]) -> Iterator[Part]:
    """Return what scripts import from beside them, and the tree in which they look for settings."""
    todo = [part for part in parts if part.name.endswith(".py")]
    seen = {part.name for part in todo}
    asks = False
    while todo:
        script = todo.pop()
        text = script.text
        folder = script.lines[0].path.rpartition("/")[0]
        found = [(f"{folder}/{name}.py", script.name.rpartition("/")[0]) for name in _imported(text)]
        for literal in _LITERAL.findall(text):
            if literal.endswith(".py") and (shared := _shared(pack, literal)):
                found.append((shared, f"{_TREE}/scripts"))
                asks = True
            elif "customize.toml" in text and (settings := _settings(pack, literal)) is not None:
                yield as_it_is(pack.trees[settings], f"{_TREE}/skills/{literal}/customize.toml")
        # What a script opens beside the tables that it has.
        root, beside = folder.rpartition("/")[0], script.name.rpartition("/scripts/")[0]
        found += [(f"{root}/assets/{name}", f"{beside}/assets") for name in _DATA.findall(text)]
        for path, place in found:
            name = f"{place}/{path.rpartition('/')[2]}"
            if path in pack.trees and name not in seen:
                seen.add(name)
                more = as_it_is(pack.trees[path], name)
                yield more
                if name.endswith(".py"):
                    todo.append(more)
    if asks:
        yield _agents(pack)
        yield from _overrides(pack)


def packages(parts: Iterable[Part]) -> tuple[str, ...]:
    """Return the packages that scripts say they need, sorted."""
    return tuple(
        sorted(
            {
                name
                for part in parts
                if part.name.endswith(".py") and (found := _NEEDED.search(part.text))
                for name in _PACKAGE.findall(found["packages"])
            }
        )
    )


def _imported(text: str) -> Iterator[str]:
    for found in _IMPORT.finditer(text):
        yield found[1] or found[2]


def _shared(pack: Pack, name: str) -> str:
    """Return the script of that name that an installation has for all workflows."""
    inside = {
        use.path.rpartition("/")[0] for one in pack.workflows for use in one.files if use.role == "entry"
    }
    return next(
        (
            path
            for path in pack.trees
            if path.endswith(f"scripts/{name}") and path.rpartition("/scripts/")[0] not in inside
        ),
        "",
    )


def _settings(pack: Pack, literal: str) -> str | None:
    """Return the settings of the workflow whose id a script writes out."""
    workflow = next((one for one in pack.workflows if one.id == literal and "-" in literal), None)
    uses = workflow.files if workflow is not None else ()
    return next((use.path for use in uses if use.role == "customize"), None)


def _agents(pack: Pack) -> Part:
    lines = ["# The agents of this release, as they were when this workflow was made."]
    for agent in pack.agents:
        lines += ["", f"[agents.{_quoted(agent.id)}]"]
        lines += [f"{key} = {_quoted(value)}" for key, value in _fields(agent).items() if value]
    return Part("file", f"{_TREE}/config.toml", "config.toml", tuple(map(Line, lines)))


def _fields(agent: Agent) -> Mapping[str, str]:
    return {
        "module": agent.module,
        "name": agent.name,
        "title": agent.title,
        "icon": agent.icon,
        "description": " ".join((agent.role, agent.communication_style)).strip(),
    }


def _quoted(value: str) -> str:
    return json.dumps(" ".join(value.split()), ensure_ascii=False)


def _overrides(pack: Pack) -> Iterator[Part]:
    """Return what a team changed in workflows; personal settings do not count."""
    for path in sorted(pack.trees):
        folder, _, name = path.rpartition("/")
        if folder == "_bmad/custom" and name.endswith(".toml") and not name.endswith(".user.toml"):
            # Skills lie in folders without the prefix here, and are looked for by the name of the folder.
            names = {name, name.removeprefix("bmad-")} if name != "config.toml" else {name}
            for one in sorted(names):
                yield as_it_is(pack.trees[path], f"{_TREE}/custom/{one}")
