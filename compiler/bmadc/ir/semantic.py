"""What a pack means, whatever form it has and wherever it stands.

A release is written as sources, as an installed project and as a folder of skills; an agent as YAML or as
what the installer makes of it. `semantic` gives the same for all of them, and `LEFT_OUT` names each thing
that it does not look at. What is not in that table is compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from typing import Any, TypeAlias

from bmadc.ir.model import Agent, Fact, FileUse, HelpRow, MenuItem, Owner, Pack, Step, Workflow
from bmadc.ir.tree import CONTENT, Tree, normal

# Plain dictionaries, tuples, texts and truth values: compared with ==, shown by `difference`.
Meaning: TypeAlias = dict[str, Any]

# The field that is left out: why. Fields of records, and of the trees behind them.
LEFT_OUT: Mapping[str, str] = {
    "Pack.form": "the form is what shall not matter",
    "Pack.release": "a name for the whole; two releases that say the same mean the same",
    "Pack.dialects": "the way of writing, not what is written",
    "Pack.modules": "an installation adds versions and folders; each unit names its module itself",
    "Pack.config": "a source tree has only defaults, an installation has answers of a person",
    "Pack.files": "files that no unit uses: an installer adds manifests and leaves out documentation",
    "Pack.diagnostics": "what is said about the tree, not what it says",
    "Origin.path": "where it stands; of a step the file counts, by its name",
    "Origin.line": "where it stands",
    "Agent.encoding": "the way of writing, not what is written",
    "Agent.origin": "where it stands",
    "MenuItem.origin": "where it stands",
    "Prompt.origin": "where it stands",
    "Workflow.encoding": "the way of writing, not what is written",
    "Workflow.origin": "where it stands",
    "Owner.origin": "where it stands",
    "HelpRow.origin": "where it stands; rows are compared without their order between files",
    "HelpRow.repaired": "a repaired row says what a whole one says",
    "Tree.reader": "the way of writing, not what is written",
    "Tree.blocks": "how leaves nest follows from the leaves",
    "Tree.matter": "the front matter is among the leaves, as text",
    "Tree.rows": "the records are among the leaves, as text",
    "Tree.fallback": "how it was read",
    "Tree.diagnostics": "what is said about the tree, not what it says",
    "Leaf.start": "where it stands",
    "Leaf.end": "where it stands",
    "Leaf.block": "how leaves nest follows from the leaves",
    "leaves that are markup": "closing tags, rules, fences and delimiters carry no words",
    "white space": "runs of it count as one space, line breaks do not matter",
    "web_bundle": "how a workflow was once packed for the web; the installer of the beta takes the line out",
    "settings and manifests": "only an installation has them; files, and facts that lead to them",
    "the folder of a sidecar": "the installer moves it from the agent's folder to one of its own",
    "the text of an agent's own file, up to 6.2": "the installer writes it anew; the fields count",
}

# These are written by people in one form and by the installer in the other.
_REWRITTEN = frozenset(("agent-yaml", "agent-compiled"))
# These are written by the installer, and a source tree has nothing in their place.
_INSTALLER = re.compile(r"_bmad/(?:_config|custom)/.*|_bmad/(?:[^/]+/)?config(?:\.user)?\.(?:yaml|toml)")
_PACKING = "web_bundle"
_SIDECAR = re.compile(r"(?:.*/)?([^/]+-sidecar/.*)")


def semantic(pack: Pack) -> Meaning:
    """Return what the pack says, as plain values that are equal exactly when nothing but LEFT_OUT differs."""
    names = _Names(pack)
    facts: dict[str, list[Fact]] = {}
    for fact in pack.facts:
        facts.setdefault(fact.path, []).append(fact)
    return {
        "agents": _keyed((one.id, _agent(one, pack, names, facts)) for one in pack.agents),
        "workflows": _keyed((one.id, _workflow(one, pack, names, facts)) for one in pack.workflows),
        "help": tuple(sorted(map(_help, pack.help), key=_row_order)),
    }


def difference(one: Meaning, other: Meaning) -> list[str]:
    """Return in words where two meanings differ, one sentence each; an empty list if they are equal."""
    return list(_different(one, other, ()))


class _Names:
    """Names for files that do not depend on where the tree stands: the folder of their unit, and below it."""

    def __init__(self, pack: Pack) -> None:
        origins = [one.origin for one in pack.workflows] + [one.origin for one in pack.agents]
        self._folders = {origin.path.rpartition("/")[0] for origin in origins} - {""}
        self._personas = {
            one.origin.path: f"agent {one.id}" for one in pack.agents if one.encoding in _REWRITTEN
        }
        self._known = {entry.path for entry in pack.files} | set(pack.trees)

    def name(self, path: str) -> str:
        """Return the name of a file: from the innermost folder of a unit on, or else its last two parts."""
        if path in self._personas:
            return self._personas[path]
        if moved := _SIDECAR.fullmatch(path):
            return moved[1]
        folder = path.rpartition("/")[0]
        while folder:
            if folder in self._folders:
                return path[len(folder.rpartition("/")[0]) :].lstrip("/")
            folder = folder.rpartition("/")[0]
        return "/".join(path.split("/")[-2:])

    def target(self, text: str) -> str:
        """Return what a fact or step leads to, by name where it is a file of the tree or a line of one."""
        path, colon, line = text.rpartition(":")
        if colon and line.isdigit() and path in self._known:
            return f"{self.name(path)}:{line}"
        return self.name(text) if text in self._known else text


def _keyed(pairs: Iterable[tuple[str, Any]]) -> Meaning:
    """Return the pairs as a dictionary that keeps those with the same key apart."""
    by_key: dict[str, list[Any]] = {}
    for key, value in pairs:
        by_key.setdefault(key, []).append(value)
    found: Meaning = {}
    for key, values in sorted(by_key.items()):
        found[key], *more = sorted(values, key=repr) if len(values) > 1 else values
        found |= {f"{key} ({number})": value for number, value in enumerate(more, 2)}
    return found


def _agent(agent: Agent, pack: Pack, names: _Names, facts: Mapping[str, list[Fact]]) -> Meaning:
    own = agent.origin.path if agent.encoding in _REWRITTEN else None
    return {
        "module": agent.module,
        "name": normal(agent.name),
        "title": normal(agent.title),
        "icon": agent.icon,
        "capabilities": normal(agent.capabilities),
        "role": normal(agent.role),
        "identity": normal(agent.identity),
        "communication_style": normal(agent.communication_style),
        "principles": _texts(agent.principles),
        "critical_actions": _texts(agent.critical_actions),
        "persistent_facts": _texts(agent.persistent_facts),
        "activation_prepend": _texts(agent.activation_prepend),
        "activation_append": _texts(agent.activation_append),
        "menu": tuple(map(_menu_item, agent.menu)),
        "prompts": _keyed((prompt.id, normal(prompt.text)) for prompt in agent.prompts),
        "files": _keyed(
            (names.name(path), _file(path, pack, names, facts)) for path in agent.files if path != own
        ),
    }


def _menu_item(item: MenuItem) -> Meaning:
    return {
        "code": item.code,
        "kind": item.kind,
        "target": normal(item.target),
        "description": normal(item.description),
        "workflow": item.workflow,
        "data": item.data,
    }


def _workflow(workflow: Workflow, pack: Pack, names: _Names, facts: Mapping[str, list[Fact]]) -> Meaning:
    shim = workflow.shim
    return {
        "module": workflow.module,
        "phase": workflow.phase,
        "name": normal(workflow.name),
        "description": normal(workflow.description),
        "aliases": tuple(sorted(workflow.aliases)),
        "steps": tuple(_step(step, names) for step in workflow.steps),
        "values": tuple((name, normal(value)) for name, value in workflow.values if name != _PACKING),
        "owners": tuple(sorted(map(_owner, workflow.owners))),
        "help": tuple(sorted(map(_help, workflow.help), key=_row_order)),
        "calls": tuple(sorted(workflow.calls)),
        "shim": None if shim is None else {"kind": shim.kind, "target": shim.target, "intent": shim.intent},
        "engine": workflow.engine,
        "files": _keyed(
            (names.name(use.path), _used(use, names) | _file(use.path, pack, names, facts))
            for use in workflow.files
            if not _INSTALLER.fullmatch(use.path)
        ),
    }


def _used(use: FileUse, names: _Names) -> Meaning:
    return {"role": use.role, "by": names.name(use.by) if use.by else ""}


def _step(step: Step, names: _Names) -> Meaning:
    return {
        "number": step.number,
        "title": normal(step.title),
        "form": step.form,
        "file": names.name(step.origin.path),
        "role": step.role,
        "condition": normal(step.condition),
        "tag": step.tag,
        "next": tuple(map(names.target, step.next)),
        "depth": step.depth,
    }


def _owner(owner: Owner) -> tuple[str, str, str]:
    return owner.agent, owner.by, owner.code


def _help(row: HelpRow) -> Meaning:
    return {
        "module": row.module,
        "workflow": row.workflow,
        "name": normal(row.name),
        "code": row.code,
        "phase": row.phase,
        "description": normal(row.description),
        "sequence": row.sequence,
        "action": row.action,
        "args": normal(row.args),
        "after": row.after,
        "before": row.before,
        "required": row.required,
        "agent": row.agent,
        "output_location": normal(row.output_location),
        "outputs": normal(row.outputs),
    }


def _row_order(row: Meaning) -> str:
    return repr(list(row.values()))


def _file(path: str, pack: Pack, names: _Names, facts: Mapping[str, list[Fact]]) -> Meaning:
    tree = pack.trees.get(path)
    said = [
        (one.leaf, one.kind, normal(one.value), names.target(one.target))
        for one in facts.get(path, ())
        if not _INSTALLER.fullmatch(one.target)
    ]
    return {"leaves": () if tree is None else _leaves(tree), "facts": tuple(sorted(said))}


def _leaves(tree: Tree) -> tuple[tuple[str, str], ...]:
    said = ((leaf.kind, normal(tree.slice(leaf))) for leaf in tree.leaves if leaf.kind in CONTENT)
    return tuple(one for one in said if one[0] != "entry" or not one[1].startswith(f"{_PACKING}:"))


def _texts(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(normal, texts))


def _different(one: Any, other: Any, place: tuple[str, ...]) -> Iterator[str]:
    if one == other:
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted({*one, *other}):
            if key not in other:
                yield f"{_at((*place, key))}: only in the first"
            elif key not in one:
                yield f"{_at((*place, key))}: only in the second"
            else:
                yield from _different(one[key], other[key], (*place, key))
    elif isinstance(one, tuple) and isinstance(other, tuple):
        yield from _different_lists(one, other, place)
    else:
        yield f"{_at(place)}: {_short(one)} in the first, {_short(other)} in the second"


def _different_lists(one: tuple[Any, ...], other: tuple[Any, ...], place: tuple[str, ...]) -> Iterator[str]:
    matcher = SequenceMatcher(None, [repr(item) for item in one], [repr(item) for item in other], False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind == "replace" and last - first == end - start:
            for at in range(last - first):
                yield from _different_items(one[first + at], other[start + at], (*place, str(first + at + 1)))
        elif kind != "equal":
            for at, item in enumerate(one[first:last], first + 1):
                yield f"{_at((*place, str(at)))}: only in the first: {_short(item)}"
            for at, item in enumerate(other[start:end], start + 1):
                yield f"{_at((*place, str(at)))}: only in the second: {_short(item)}"


def _different_items(one: Any, other: Any, place: tuple[str, ...]) -> Iterator[str]:
    if isinstance(one, dict) and isinstance(other, dict):
        yield from _different(one, other, place)
    else:
        yield f"{_at(place)}: {_short(one)} in the first, {_short(other)} in the second"


def _at(place: tuple[str, ...]) -> str:
    return " / ".join(place)


def _short(value: Any, limit: int = 160) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
