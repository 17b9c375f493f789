"""Who offers which workflow: the menus of the agents joined with the help tables of the modules.

An owner is an agent whose menu leads to a workflow, directly or by naming it in a prompt, or one that the
help table names. Several owners, none, and entries that lead to nothing are facts: they are said, no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from bmadc.diagnostics import Diagnostic, Span, nearest_names
from bmadc.frontend.aliases import relatives
from bmadc.frontend.help import target_name
from bmadc.ir.model import Agent, HelpRow, MenuItem, Origin, Owner, Workflow

PREFIX = "bmad-"
AGENT_PREFIXES = (PREFIX, "bmad-agent-")

# Items whose target is text for the agent; all other targets name a file or a skill.
_TEXT = ("prompt", "action")
_TEMPLATE = "tmpl"

_ROOT = re.compile(r"\{+project[-_]root\}+/+")
_INSTALLED = re.compile(r"(?:_bmad|bmad)/+(?P<module>[\w-]+)/+(?P<below>.+)")
_NAMED = re.compile(r"`(?:skill:)?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)`")
_OWN_FILE = re.compile(r"\{skill[-_]root\}/([\w./-]+\w)|^([\w./-]+\.md)$")


def own(
    agents: Sequence[Agent],
    rows: Sequence[HelpRow],
    workflows: Sequence[Workflow],
    aliases: Mapping[str, str] | None = None,
) -> tuple[tuple[Workflow, ...], tuple[Agent, ...], tuple[Diagnostic, ...]]:
    """Return workflows with owners and help, agents with menus that know their workflows, and what is odd.

    `aliases` are other names that the tree itself has for its agents and workflows, each with the id. Names
    of other releases do not belong there: an entry that uses one leads nowhere in this tree.
    """
    index = _Index(workflows, agents, aliases or {})
    found: list[Diagnostic] = []
    owners: dict[int, list[Owner]] = {}
    resolved = tuple(_resolve_agent(agent, index, owners, found) for agent in agents)
    help_: dict[int, list[HelpRow]] = {}
    for row in rows:
        _take_row(row, index, owners, help_, found)
    found.extend(_repeated_codes(rows))
    joined = []
    for number, workflow in enumerate(workflows):
        whose = tuple(owners.get(number, ()))
        joined.append(replace(workflow, owners=whose, help=tuple(help_.get(number, ()))))
        found.extend(_about_owners(workflow, whose))
    return tuple(joined), resolved, tuple(found)


class _Index:
    """Finds workflows and agents by id, other name or path."""

    def __init__(
        self, workflows: Sequence[Workflow], agents: Sequence[Agent], aliases: Mapping[str, str]
    ) -> None:
        self.workflows = workflows
        self.aliases = aliases
        self.modules = {one.module for one in workflows} | {one.module for one in agents}
        self._by_id: dict[str, list[int]] = {}
        for number, workflow in enumerate(workflows):
            self._by_id.setdefault(workflow.id, []).append(number)
        # By the last two parts of the path: all that starts a workflow first, then what lies beside that.
        self._by_tail: dict[str, list[tuple[str, int]]] = {}
        for number, workflow in enumerate(workflows):
            self._add_path(workflow.origin.path, number)
        for number, workflow in enumerate(workflows):
            folder = workflow.origin.path.rpartition("/")[0]
            for use in workflow.files:
                if use.path.rpartition("/")[0] == folder and use.path != workflow.origin.path:
                    self._add_path(use.path, number)
        self._agents: dict[str, Agent] = {}
        for agent in agents:
            self._agents.setdefault(agent.id, agent)

    @property
    def ids(self) -> list[str]:
        return sorted(self._by_id)

    def agent(self, name: str) -> Agent | None:
        return next(
            (self._agents[one] for one in self._names(name, AGENT_PREFIXES) if one in self._agents), None
        )

    def agent_ids(self) -> list[str]:
        return sorted(self._agents)

    def by_name(self, name: str, module: str) -> int | None:
        """Return the workflow of that id with or without its prefix, the one of the module before others."""
        for one in self._names(name, (PREFIX,)):
            numbers = self._by_id.get(one, [])
            if numbers:
                return next((at for at in numbers if self.workflows[at].module == module), numbers[0])
        return None

    def by_path(self, module: str, below: str) -> int | None:
        """Return the workflow that starts with the file at that path of a module, or has it in its folder."""
        whole = f"/{module}/{below}"
        for path, number in self._by_tail.get(_tail(whole), ()):
            if f"/{path}".endswith(whole):
                return number
        # Without the module's folder in the path, only a workflow of that module can be meant.
        for path, number in self._by_tail.get(_tail(below), ()):
            if f"/{path}".endswith(f"/{below}") and self.workflows[number].module == module:
                return number
        return None

    def _add_path(self, path: str, number: int) -> None:
        self._by_tail.setdefault(_tail(path), []).append((path, number))

    def _names(self, name: str, prefixes: tuple[str, ...]) -> Iterator[str]:
        yield name
        if name in self.aliases:
            yield self.aliases[name]
        for prefix in prefixes:
            yield f"{prefix}{name}"
            if name.startswith(prefix):
                yield name.removeprefix(prefix)


def _tail(path: str) -> str:
    return "/".join(path.rsplit("/", 2)[-2:])


def _resolve_agent(
    agent: Agent, index: _Index, owners: dict[int, list[Owner]], found: list[Diagnostic]
) -> Agent:
    menu = []
    for item in agent.menu:
        numbers, said = _resolve(item, agent, index)
        found.extend(said)
        by: str = "prompt" if item.kind in _TEXT else "menu"
        for number in numbers:
            owner = Owner(agent.id, by, item.code, item.origin)  # type: ignore[arg-type]
            owners.setdefault(number, []).append(owner)
        menu.append(replace(item, workflow=index.workflows[numbers[0]].id if numbers else ""))
    return replace(agent, menu=tuple(menu))


def _resolve(item: MenuItem, agent: Agent, index: _Index) -> tuple[list[int], list[Diagnostic]]:
    """Return the workflows that a menu item leads to, and what is wrong with where it leads."""
    if not item.target or item.kind == _TEMPLATE:
        return [], []
    if item.kind in _TEXT:
        return _named_in_text(item, agent, index)
    target = _ROOT.sub("", item.target, count=1)
    if "{" in target:
        # Only a run knows what a variable stands for.
        return [], []
    installed = _INSTALLED.fullmatch(target)
    if installed:
        number = index.by_path(installed["module"], installed["below"])
        if number is not None:
            return [number], []
    if "/" in target and _is_own(agent, target):
        return [], []
    name = target_name(target)
    number = index.by_name(name, agent.module) if name else None
    if number is not None:
        said = [_elsewhere(item, index.workflows[number])] if "/" in target else []
        return [number], said
    if installed and installed["module"] not in index.modules:
        return [], [_other_module(item, installed["module"])]
    return [], [_dangling(item.target, name or target, item.origin, index, f"the menu item {item.code}")]


def _named_in_text(item: MenuItem, agent: Agent, index: _Index) -> tuple[list[int], list[Diagnostic]]:
    text = item.target
    if text.startswith("#"):
        text = next((prompt.text for prompt in agent.prompts if prompt.id == text[1:]), "")
    numbers: list[int] = []
    said: list[Diagnostic] = []
    for name in _NAMED.findall(text):
        number = index.by_name(name, agent.module)
        if number is not None:
            if number not in numbers:
                numbers.append(number)
        elif name.startswith(PREFIX) and index.agent(name) is None:
            said.append(_dangling(name, name, item.origin, index, f"the menu item {item.code}"))
    for own_file in _OWN_FILE.finditer(text):
        path = own_file[1] or own_file[2]
        if not _among(agent.files, path):
            said.append(_no_file(item, path, agent))
    return numbers, said


def _is_own(agent: Agent, target: str) -> bool:
    """Whether a path means a file of the agent, perhaps in the sidecar that the installer moves."""
    _, sidecar, rest = target.partition(f"{agent.id}-sidecar/")
    return _among(agent.files, target) or (bool(sidecar) and _among(agent.files, sidecar + rest))


def _among(files: Iterable[str], path: str) -> bool:
    below = path.removeprefix("./")
    return any(f"/{one}".endswith(f"/{below}") for one in files)


def _take_row(
    row: HelpRow,
    index: _Index,
    owners: dict[int, list[Owner]],
    help_: dict[int, list[HelpRow]],
    found: list[Diagnostic],
) -> None:
    agent = index.agent(row.agent) if row.agent else None
    if row.agent and agent is None:
        found.append(_unknown_agent(row, index))
    for name in (*row.after, *row.before):
        plain = name.partition(":")[0]
        if index.by_name(plain, row.module) is None and index.agent(plain) is None:
            found.append(_unknown_neighbour(row, name, index))
    if not row.workflow:
        return
    number = index.by_name(row.workflow, row.module)
    if number is None:
        # A row of an agent's own items belongs to the agent and to no workflow.
        if index.agent(row.workflow) is None:
            what = f"the row {row.code or row.name}"
            found.append(_dangling(row.workflow, row.workflow, row.origin, index, what))
        return
    help_.setdefault(number, []).append(row)
    whose = owners.setdefault(number, [])
    if agent is not None and all(owner.agent != agent.id for owner in whose):
        whose.append(Owner(agent.id, "help", row.code, row.origin))


def _place(origin: Origin) -> Span:
    return Span.point(origin.path, origin.line, 1) if origin.line else Span.file(origin.path)


def _dangling(target: str, name: str, origin: Origin, index: _Index, what: str) -> Diagnostic:
    # A name of another release comes before one that only looks like it; the prefix makes all names alike.
    short = {one.removeprefix(PREFIX): one for one in index.ids}
    alike = (short[one] for one in nearest_names(name.removeprefix(PREFIX), short))
    near = dict.fromkeys((*relatives(name, index.ids), *alike))
    return Diagnostic(
        code="BMC362",
        severity="warning",
        message=f"{what} leads to {target}, which does not exist",
        span=_place(origin),
        expected="a workflow of this tree",
        why="Who chooses it gets nothing, and the workflow that was meant seems to have no owner.",
        nearest=tuple(near)[:3],
        help=("Correct the name, or install the module that has it.",),
    )


def _other_module(item: MenuItem, module: str) -> Diagnostic:
    return Diagnostic(
        code="BMC362",
        severity="note",
        message=f"the menu item {item.code} leads into the module {module}, which is not in this tree",
        span=_place(item.origin),
        expected=f"the module {module} beside this one",
        why="Whether the workflow exists cannot be said here.",
        help=("Read the tree of a project in which both are installed.",),
    )


def _no_file(item: MenuItem, path: str, agent: Agent) -> Diagnostic:
    return Diagnostic(
        code="BMC362",
        severity="warning",
        message=f"the menu item {item.code} reads {path}, which {agent.id} does not have",
        span=_place(item.origin),
        expected="a file in the agent's folder",
        why="The agent has no text to follow when the item is chosen.",
        nearest=nearest_names(path, [one.rpartition("/")[2] for one in agent.files]),
        help=("Correct the name, or put the file there.",),
    )


def _elsewhere(item: MenuItem, workflow: Workflow) -> Diagnostic:
    return Diagnostic(
        code="BMC366",
        severity="note",
        message=f"the menu item {item.code} names a file that is not there; its name says {workflow.id}",
        span=_place(item.origin),
        expected=workflow.origin.path,
        why="BMAD itself opens the file by its path and would not find it.",
        help=("Correct the path.",),
    )


def _unknown_agent(row: HelpRow, index: _Index) -> Diagnostic:
    return Diagnostic(
        code="BMC365",
        severity="note",
        message=f"the row {row.code} names the agent {row.agent}, which is not in this tree",
        span=_place(row.origin),
        why="The row says nothing about who owns the workflow then.",
        nearest=nearest_names(row.agent, index.agent_ids()),
        help=("Correct the name, or leave the field empty.",),
    )


def _unknown_neighbour(row: HelpRow, name: str, index: _Index) -> Diagnostic:
    return Diagnostic(
        code="BMC367",
        severity="note",
        message=f"the row {row.code} stands before or behind {name}, which is not in this tree",
        span=_place(row.origin),
        why="The order that the row asks for cannot be kept.",
        nearest=nearest_names(name.partition(":")[0], index.ids),
        help=("Correct the name, or install the module that has it.",),
    )


def _repeated_codes(rows: Sequence[HelpRow]) -> Iterator[Diagnostic]:
    first: dict[str, HelpRow] = {}
    for row in rows:
        if not row.code:
            continue
        before = first.setdefault(row.code, row)
        if before is not row:
            yield Diagnostic(
                code="BMC361",
                severity="note",
                message=f"the code {row.code} is {before.name or before.workflow} at {before.origin} too",
                span=_place(row.origin),
                why="Codes are unique within one agent only, so a code alone does not name a workflow.",
                help=("Give one of them another code if people type codes without an agent.",),
            )


def _about_owners(workflow: Workflow, owners: Sequence[Owner]) -> Iterator[Diagnostic]:
    names = sorted({owner.agent for owner in owners})
    # The machinery needs no owner, and neither does what only leads to another workflow.
    if not names and not workflow.engine and workflow.shim is None:
        yield Diagnostic(
            code="BMC363",
            severity="note",
            message=f"no agent offers {workflow.id}",
            span=Span.file(workflow.origin.path),
            why="It runs without a persona unless one is chosen for it.",
            help=("Nothing, or name it in the menu of an agent.",),
        )
    elif len(names) > 1:
        yield Diagnostic(
            code="BMC364",
            severity="note",
            message=f"{len(names)} agents offer {workflow.id}: {', '.join(names)}",
            span=Span.file(workflow.origin.path),
            why="It can be seen from several sides; a build has to choose one or take them all.",
            help=("Nothing, or choose one in your settings.",),
        )
