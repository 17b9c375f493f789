"""Who the agent is: the persona of a workflow's owner, or the perspectives of several."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from bmadc.ir.ledger import Entry, Line, State
from bmadc.ir.model import Agent
from bmadc.ir.tree import CONTENT, Tree, normal
from bmadc.passes.rules import Rule, by_pass

RULES: tuple[Rule, ...] = (
    by_pass(
        "agents.persona",
        "personas",
        "moved",
        "Who the agent is stands at the head of each workflow that it owns.",
        consumes=(r".*",),
    ),
    by_pass(
        "agents.menu",
        "personas",
        "dropped",
        "Labels start workflows, so nobody chooses from an agent's menu.",
        bulk="Every agent lists its workflows, and each of them is compiled by itself.",
    ),
    by_pass(
        "agents.machinery",
        "personas",
        "dropped",
        "An agent's activation, greeting and prompts serve a chat that no run has.",
        bulk="Agents of the later releases are mostly activation.",
    ),
)

_COLUMNS = (
    "name",
    "displayName",
    "title",
    "module",
    "icon",
    "role",
    "communicationStyle",
    "identity",
    "principles",
)

Edited = Callable[[str], str]


def owners_of(agents: Iterable[Agent], default: Agent) -> tuple[Agent, ...]:
    """Return the personas of a workflow, or the default where nobody owns it."""
    found = tuple(agents)
    return found or (default,)


def persona(agents: tuple[Agent, ...], edited: Edited) -> Iterator[Line]:
    """Return the lines that say who the agent is."""
    if len(agents) == 1:
        agent = agents[0]
        yield Line("## Your Persona")
        yield Line("")
        yield Line(f"You are {_introduced(agent)}.")
        yield Line("")
        yield from _traits(agent, edited)
        return
    yield Line("## Your Perspectives")
    yield Line("")
    names = [agent.title or agent.name for agent in agents]
    yield Line(
        f"You do this work with the eyes of {', '.join(names[:-1])} and {names[-1]}. Look at it through each "
        "lens in turn, bring together what they find, name gaps, conflicts and misalignments between them, "
        "and give one result."
    )
    for agent in agents:
        yield Line("")
        yield Line(f"### {agent.title or agent.name} Lens ({agent.name})")
        yield Line("")
        yield from _traits(agent, edited)
        if agent.capabilities:
            yield Line(f"- **Focus:** {edited(normal(agent.capabilities))}")


def principles(agents: tuple[Agent, ...], edited: Edited) -> tuple[Line, ...]:
    """Return the principles of all owners, each once, as items."""
    return tuple(Line(f"- {one}") for one in _united((agent.principles for agent in agents), edited))


def critical_actions(agents: tuple[Agent, ...], edited: Edited) -> tuple[Line, ...]:
    """Return the critical actions of all owners, each once, as items."""
    return tuple(Line(f"- {one}") for one in _united((agent.critical_actions for agent in agents), edited))


def facts(agents: tuple[Agent, ...], edited: Edited) -> Iterator[Line]:
    """Return what the owners hold to be true from the start, each once, as items."""
    for one in dict.fromkeys(fact for agent in agents for fact in agent.persistent_facts):
        path = one.removeprefix("file:")
        if path != one:
            place = re.sub(r"^\{project[-_]root\}/", "", path)
            yield Line(f"- Read `{place}`, if it exists, and hold what it says to be true.")
        else:
            yield Line(f"- {edited(normal(one))}")


def kept_files(agents: Iterable[Agent]) -> tuple[str, ...]:
    """Return the files that agents keep for themselves and live by, sorted."""
    found: set[str] = set()
    for agent in agents:
        said = " ".join((*agent.principles, *agent.critical_actions))
        found.update(path for path in agent.files if path.endswith(".md") and path.rpartition("/")[2] in said)
    return tuple(sorted(found))


def manifest(agents: Iterable[Agent], edited: Edited) -> Iterator[Line]:
    """Return the table of all agents of a release, as an installation would have it."""
    yield Line(f"| {' | '.join(_COLUMNS)} |")
    yield Line("|---" * len(_COLUMNS) + "|")
    for agent in agents:
        cells = (
            agent.id.removeprefix("bmad-").removeprefix("agent-"),
            agent.name,
            agent.title,
            agent.module,
            agent.icon,
            edited(normal(agent.role)),
            edited(normal(agent.communication_style)),
            edited(normal(agent.identity)),
            "; ".join(edited(normal(one)) for one in agent.principles),
        )
        yield Line("| " + " | ".join(normal(cell).replace("|", "\\|") for cell in cells) + " |")


def account(agent: Agent, trees: Iterable[tuple[Tree, tuple[str, ...]]]) -> Iterator[Entry]:
    """Return an entry for each leaf of an agent's files; the trees come with the ids of their leaves."""
    own = [
        normal(one)
        for one in (
            agent.role,
            agent.identity,
            agent.communication_style,
            agent.capabilities,
            *agent.principles,
            *agent.critical_actions,
        )
        if one
    ]
    titles = {one for one in (agent.name, agent.title, agent.icon) if one}
    codes = {item.code for item in agent.menu} | {item.target for item in agent.menu if item.target}
    kept = kept_files((agent,))
    for tree, ids in trees:
        for number, leaf in enumerate(tree.leaves):
            if leaf.kind not in CONTENT:
                continue
            text = tree.slice(leaf)
            rule = "agents.persona" if tree.path in kept else _rule_of(normal(text), own, titles, codes)
            state: State = "moved" if rule == "agents.persona" else "dropped"
            yield Entry(
                ids[number],
                tree.path,
                number,
                tree.line(leaf),
                leaf.kind,
                state,
                (rule,),
                text,
                "",
                place="persona",
            )


def _rule_of(text: str, own: list[str], titles: set[str], codes: set[str]) -> str:
    said = re.sub(r"^[\w-]+\s*[:=]\s*|^-\s+|[\"'|>]", "", text).strip()
    bare = [re.sub(r"[\"'|>]", "", one) for one in own]
    if said and any(said in one or one in said for one in bare if len(said) > 8):
        return "agents.persona"
    if said in titles:
        return "agents.persona"
    return "agents.menu" if any(code and code in text for code in codes) else "agents.machinery"


def _introduced(agent: Agent) -> str:
    if agent.name and agent.title:
        return f"{agent.name}, {agent.title}"
    return agent.name or agent.title or agent.id


def _traits(agent: Agent, edited: Edited) -> Iterator[Line]:
    for name, text in (
        ("Role", agent.role),
        ("Identity", agent.identity),
        ("Style", agent.communication_style),
    ):
        if text:
            yield Line(f"- **{name}:** {edited(normal(text))}")


def _united(lists: Iterable[tuple[str, ...]], edited: Edited) -> list[str]:
    found: dict[str, str] = {}
    for items in lists:
        for one in items:
            said = edited(normal(one))
            if said:
                found.setdefault(re.sub(r"\W", "", said.lower()), said)
    return list(found.values())
