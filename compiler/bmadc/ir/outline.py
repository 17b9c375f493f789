"""Parts and sums of a pack, for those who look at it: one unit with its files, one step, all of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from bmadc.diagnostics import nearest_names
from bmadc.ir.model import Agent, FileEntry, Module, Pack, Step, Workflow
from bmadc.ir.tree import Tree

# Tag or fact: what one of it is called and what several are, in the order in which they are told.
COUNTED: tuple[tuple[str, str, str], ...] = (
    ("action", "action", "actions"),
    ("check", "check", "checks"),
    ("ask", "question", "questions"),
    ("yes-no", "yes or no", "yes or no"),
    ("menu", "menu", "menus"),
    ("menu-lines", "list of options", "lists of options"),
    ("output", "output", "outputs"),
    ("saves", "save", "saves"),
    ("goto", "goto", "gotos"),
    ("box", "box", "boxes"),
    ("check-item", "check item", "check items"),
    ("include", "file to read", "files to read"),
    ("names", "file named", "files named"),
    ("call", "call", "calls"),
    ("protocol", "protocol", "protocols"),
)
_TAGS = frozenset(("action", "check", "output"))

_OVERLAY = re.compile(r"_bmad/custom/[^/]+\.toml|_bmad/_config/agents/[^/]+\.customize\.yaml")


@dataclass(frozen=True, slots=True)
class Survey:
    """A pack in numbers and names, for `bmadc doctor`.

    `several` and `unowned` are ids of workflows with more than one owner and with none; `orphans` files that
    nothing reaches; `shims` workflows that lead to others, with their kind and target; `overlays` files that
    change a release from outside. `characters` are those of all text files, `fallback` those of them that
    only the fallback understood.
    """

    form: str
    release: str
    dialects: tuple[str, ...]
    modules: tuple[Module, ...]
    agents: int
    workflows: int
    steps: int
    step_files: int
    files: int
    text_files: int
    characters: int
    fallback: int
    several: tuple[tuple[str, tuple[str, ...]], ...]
    unowned: tuple[str, ...]
    orphans: tuple[FileEntry, ...]
    shims: tuple[tuple[str, str, str], ...]
    overlays: tuple[str, ...]

    @property
    def fallback_percent(self) -> float:
        """The share of the text that only the fallback understood, with two digits."""
        return round(100 * self.fallback / self.characters, 2) if self.characters else 0.0


def survey(pack: Pack) -> Survey:
    """Return the pack in numbers and names."""
    own = [one for one in pack.workflows if not one.engine and not _forwards(one)]
    owners = {one.id: tuple(sorted({owner.agent for owner in one.owners})) for one in own}
    every = [step for one in pack.workflows for step in one.steps]
    return Survey(
        form=pack.form,
        release=pack.release,
        dialects=pack.dialects,
        modules=pack.modules,
        agents=len(pack.agents),
        workflows=len(pack.workflows),
        steps=len(every),
        step_files=len({step.origin.path for step in every if step.form == "file"}),
        files=len(pack.files),
        text_files=len(pack.trees),
        characters=sum(len(tree.text.text) for tree in pack.trees.values()),
        fallback=sum(tree.fallback for tree in pack.trees.values()),
        several=tuple((id_, names) for id_, names in sorted(owners.items()) if len(names) > 1),
        unowned=tuple(id_ for id_, names in sorted(owners.items()) if not names),
        orphans=tuple(entry for entry in pack.files if entry.role == "orphan"),
        shims=tuple(
            (one.id, one.shim.kind, one.shim.target) for one in pack.workflows if one.shim is not None
        ),
        overlays=tuple(
            entry.path for entry in pack.files if _OVERLAY.fullmatch(entry.path) and _says(pack, entry.path)
        ),
    )


def unit(pack: Pack, name: str) -> Workflow | Agent | None:
    """Return the workflow or agent of that id, or of that older id."""
    return pack.workflow(name) or pack.agent(name)


def nearest_units(pack: Pack, name: str) -> tuple[str, ...]:
    """Return the ids of units that somebody perhaps meant."""
    return nearest_names(name, unit_ids(pack))


def unit_ids(pack: Pack) -> tuple[str, ...]:
    """Return the ids of all workflows and agents, sorted."""
    return tuple(sorted({one.id for one in pack.workflows} | {one.id for one in pack.agents}))


def only(pack: Pack, chosen: Workflow | Agent) -> Pack:
    """Return the pack with this one unit, and of files, trees, facts and diagnostics only what is its own."""
    paths = {use.path for use in chosen.files} if isinstance(chosen, Workflow) else set(chosen.files)
    paths.add(chosen.origin.path)
    return replace(
        pack,
        agents=(chosen,) if isinstance(chosen, Agent) else (),
        workflows=(chosen,) if isinstance(chosen, Workflow) else (),
        help=chosen.help if isinstance(chosen, Workflow) else (),
        files=tuple(entry for entry in pack.files if entry.path in paths),
        facts=tuple(fact for fact in pack.facts if fact.path in paths),
        trees={path: tree for path, tree in pack.trees.items() if path in paths},
        diagnostics=tuple(one for one in pack.diagnostics if one.span is not None and one.span.path in paths),
    )


def offers(pack: Pack, agent: Agent) -> tuple[str, ...]:
    """Return the ids of the workflows that the agent owns, sorted."""
    found = {one.id for one in pack.workflows if any(owner.agent == agent.id for owner in one.owners)}
    return tuple(sorted(found))


def size(pack: Pack, paths: tuple[str, ...]) -> int:
    """Return how many bytes of text these files have together."""
    return sum(len(pack.trees[path].text.text.encode()) for path in paths if path in pack.trees)


def contents(pack: Pack, step: Step) -> tuple[tuple[int, str], ...]:
    """Return what a step holds, inner steps included, as numbers with the word for it."""
    tree = pack.trees.get(step.origin.path)
    if tree is None:
        return ()
    leaves = _leaves_of(tree, step)
    found = Counter(
        block.name
        for block in tree.blocks
        if block.kind == "tag" and block.name in _TAGS and block.first in leaves
    )
    found.update(fact.kind for fact in pack.facts if fact.path == step.origin.path and fact.leaf in leaves)
    return tuple(
        (found[kind], one if found[kind] == 1 else more) for kind, one, more in COUNTED if found[kind]
    )


def _leaves_of(tree: Tree, step: Step) -> range:
    if step.form != "file":
        for number, block in enumerate(tree.blocks):
            is_step = block.kind == ("tag" if step.form == "tag" else "section") and block.first < block.last
            if is_step and tree.line(tree.leaves[block.first]) == step.origin.line:
                return tree.within(number)
    return range(len(tree.leaves))


def _forwards(workflow: Workflow) -> bool:
    return workflow.shim is not None and workflow.shim.kind != "retained"


def _says(pack: Pack, path: str) -> bool:
    """Whether an overlay sets anything: the installer writes empty ones for people to fill in."""
    tree = pack.trees.get(path)
    return tree is not None and any(_scalars(value for _, value in tree.matter))


def _scalars(values: Iterator[object]) -> Iterator[object]:
    for value in values:
        if isinstance(value, dict):
            yield from _scalars(iter(value.values()))
        elif isinstance(value, list | tuple):
            yield from _scalars(iter(value))
        elif value is not None and value != "":
            yield True
