"""What a BMAD tree says, as views over its files: agents, workflows, steps, and who owns what.

Every value here stands in a file, and where it does is kept: `path` is below the root, `line` from 1.
Nothing in here depends on the machine, the clock or the order in which files were found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bmadc.diagnostics import Diagnostic
from bmadc.ir.tree import Tree

Form: TypeAlias = Literal["source", "installed", "skills"]


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """Where something stands; line 0 means the file as a whole."""

    path: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class MenuItem:
    """One line of an agent's menu; `workflow` is the id of the workflow that it leads to, or empty.

    `kind` is the key that says what it does (exec, workflow, action, skill, prompt, ...), `target` that
    key's value as it is written, `data` a file that goes with it.
    """

    code: str
    kind: str
    target: str
    description: str
    origin: Origin
    workflow: str = ""
    data: str = ""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text of an agent that its menu calls by id."""

    id: str
    text: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Agent:
    """A persona: who speaks, by which principles, and what it offers.

    `encoding` names the reader that found it: agent-yaml, agent-compiled, skill-manifest, skill-customize.
    """

    id: str
    module: str
    encoding: str
    origin: Origin
    name: str = ""
    title: str = ""
    icon: str = ""
    capabilities: str = ""
    role: str = ""
    identity: str = ""
    communication_style: str = ""
    principles: tuple[str, ...] = ()
    critical_actions: tuple[str, ...] = ()
    persistent_facts: tuple[str, ...] = ()
    activation_prepend: tuple[str, ...] = ()
    activation_append: tuple[str, ...] = ()
    menu: tuple[MenuItem, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a workflow, as a file, a tag or a heading, in the order of the source.

    `number` is as it is written, since 0.5, 13a and 01b are numbers too. `role` is `step` for the ordinary
    sequence, `resume` for the entry of a session that is continued, `alternative` for one of several of which
    a run takes one, `detour` for one that is left out unless its condition holds, `entry` for a mode of its
    own. `next` names the files that it leads to.
    """

    number: str
    title: str
    form: Literal["file", "tag", "heading"]
    origin: Origin
    role: Literal["step", "resume", "alternative", "detour", "entry"] = "step"
    condition: str = ""
    tag: str = ""
    next: tuple[str, ...] = ()
    depth: int = 0


@dataclass(frozen=True, slots=True)
class FileUse:
    """A file that belongs to a workflow; `by` is the file that names it, empty where a convention does."""

    path: str
    role: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Owner:
    """An agent that offers a workflow, and where it says so."""

    agent: str
    by: Literal["menu", "prompt", "help"]
    code: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class HelpRow:
    """One row of a module's help table, whatever its columns were called in that release."""

    module: str
    workflow: str
    name: str
    code: str
    phase: str
    description: str
    origin: Origin
    sequence: str = ""
    action: str = ""
    args: str = ""
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    required: bool = False
    agent: str = ""
    output_location: str = ""
    outputs: str = ""
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class Shim:
    """A workflow that only leads to another one; `intent` is what it chooses there, `kind` how it does it.

    A `forwarder` names its target; a `migrating` one first asks for old customisations to be renamed; a
    `retained` one is deprecated but still whole, so it has no target.
    """

    kind: Literal["forwarder", "migrating", "retained"]
    target: str = ""
    intent: str = ""


@dataclass(frozen=True, slots=True)
class Workflow:
    """Something that an agent can be asked to do, with all files it consists of.

    `encoding` names the reader that found it: workflow-yaml, workflow-md, workflow-xml, skill, task-xml,
    task-md. `values` are the names that it defines for its own text. `engine` says that it is the machinery
    that runs other workflows, not one of them.
    """

    id: str
    module: str
    phase: str
    encoding: str
    origin: Origin
    name: str = ""
    description: str = ""
    aliases: tuple[str, ...] = ()
    files: tuple[FileUse, ...] = ()
    steps: tuple[Step, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    owners: tuple[Owner, ...] = ()
    help: tuple[HelpRow, ...] = ()
    calls: tuple[str, ...] = ()
    shim: Shim | None = None
    engine: bool = False


@dataclass(frozen=True, slots=True)
class Module:
    """A module of BMAD: bmm, core, or somebody's own."""

    code: str
    name: str
    version: str
    folder: str


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of the tree: what it is to whom, and if it is nothing to anybody, why.

    `role` is workflow, agent, module, config, engine, asset or orphan; the last three carry a reason.
    """

    path: str
    role: str
    units: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is true of one leaf of a file, such as: it is a menu, it goes to step 9.

    `leaf` numbers the leaves of the file's tree; `value` is what it says and `target` what it leads to: a
    step's number, an anchor, a path, a workflow's id.
    """

    kind: str
    path: str
    leaf: int
    value: str = ""
    target: str = ""


@dataclass(frozen=True, slots=True)
class Pack:
    """All of a BMAD tree, read."""

    form: Form
    release: str
    dialects: tuple[str, ...]
    modules: tuple[Module, ...]
    agents: tuple[Agent, ...]
    workflows: tuple[Workflow, ...]
    help: tuple[HelpRow, ...]
    config: tuple[tuple[str, str], ...]
    files: tuple[FileEntry, ...]
    facts: tuple[Fact, ...]
    trees: Mapping[str, Tree] = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = ()

    def workflow(self, name: str) -> Workflow | None:
        """Return the workflow of that id or alias; `bmad-` in front may be left out or added."""
        wanted = {name, name.removeprefix("bmad-"), f"bmad-{name}"}
        for workflow in self.workflows:
            if workflow.id in wanted:
                return workflow
        return next((one for one in self.workflows if wanted & set(one.aliases)), None)

    def agent(self, name: str) -> Agent | None:
        """Return the agent of that id."""
        wanted = {name, f"bmad-{name}", f"bmad-agent-{name}"}
        return next((agent for agent in self.agents if agent.id in wanted), None)
