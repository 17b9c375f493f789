"""Real agents as they were written and as the installer compiled them are the same agents.

What `bare` takes away is all that may differ: the form, the places, and the files.
"""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bmadc.frontend.agents import agent_aliases, find_agents
from bmadc.frontend.files import read_tree
from bmadc.ir.model import Agent, Origin
from bmadc.ir.tree import Tree
from bmadc.source import list_files, read_text
from support.releases import installed_root, source_root

pytestmark = [pytest.mark.needs("bmad-releases"), pytest.mark.needs("bmad-installed")]

BOTH_FORMS = ("6.0.0-Beta.5", "6.0.1", "6.0.4", "6.1.0", "6.2.0")
AGENTS = (
    "analyst",
    "architect",
    "dev",
    "pm",
    "qa",
    "quick-flow-solo-dev",
    "sm",
    "tech-writer",
    "ux-designer",
)


def read(root: Path) -> dict[str, Tree]:
    # Agents are in folders `agents`; the rest of the tree would only make the test slow.
    paths = [
        path
        for path in list_files(root, (".md", ".yaml"))
        if "agents" in path.split("/") or "-sidecar" in path
    ]
    return {path: read_tree(read_text(root, path)) for path in paths}


@cache
def both(version: str) -> tuple[dict[str, Agent], dict[str, Agent], dict[str, str]]:
    written, said = find_agents(read(source_root(version) / "src"), lambda path: path.split("/")[0])
    assert said == ()
    trees = read(installed_root(version) / "_bmad")
    compiled, said = find_agents(trees, lambda path: path.split("/")[0])
    assert said == ()
    return (
        {agent.id: agent for agent in written},
        {agent.id: agent for agent in compiled},
        agent_aliases(compiled, trees),
    )


def bare(agent: Agent) -> Agent:
    nowhere = Origin("")
    return replace(
        agent,
        encoding="",
        origin=nowhere,
        files=(),
        menu=tuple(replace(item, origin=nowhere) for item in agent.menu),
        prompts=tuple(replace(prompt, origin=nowhere) for prompt in agent.prompts),
    )


@pytest.mark.parametrize("version", BOTH_FORMS)
def test_written_and_compiled_agents_are_equal(version: str) -> None:
    written, compiled, _ = both(version)
    assert {agent.encoding for agent in written.values()} == {"agent-yaml"}
    assert {agent.encoding for agent in compiled.values()} == {"agent-compiled"}
    names = {*AGENTS, *(() if version == "6.2.0" else ("bmad-master",))}
    if version == "6.0.0-Beta.5":
        names = names - {"qa"} | {"quinn"}
    assert set(written) == set(compiled) == names
    for name in sorted(names):
        assert bare(written[name]) == bare(compiled[name])


@pytest.mark.parametrize("version", BOTH_FORMS)
def test_what_the_comparison_is_about_is_there(version: str) -> None:
    _, agents, _ = both(version)
    tester = "quinn" if version == "6.0.0-Beta.5" else "qa"
    assert len(agents["dev"].critical_actions) == 8
    assert len(agents[tester].critical_actions) == 4
    assert [prompt.id for prompt in agents[tester].prompts] == ["welcome"]
    assert agents["analyst"].menu[0].data.endswith("project-context-template.md")
    assert {len(agent.critical_actions) for name, agent in agents.items() if name not in ("dev", tester)} <= {
        0,
        1,
    }
    assert all(agent.name and agent.title and agent.icon and agent.role for agent in agents.values())
    assert {bool(agent.capabilities) for agent in agents.values()} == {version != "6.0.0-Beta.5"}
    assert any(path.endswith("documentation-standards.md") for path in agents["tech-writer"].files)


@pytest.mark.parametrize("version", BOTH_FORMS)
def test_principles_are_parted_where_their_author_parted_them(version: str) -> None:
    """Read in one line, as the installer has them, they come apart at the lines of the source again."""
    root = source_root(version) / "src"
    written, _, _ = both(version)
    for agent in written.values():
        text = read_text(root, agent.origin.path).text
        lines = text.partition("principles: |\n")[2].partition("\n\n")[0].split("\n")
        if lines != [""]:
            assert len(agent.principles) == len(lines), agent.id


def test_manifests_name_the_agents() -> None:
    for version in ("6.1.0", "6.2.0"):
        _, _, aliases = both(version)
        assert aliases == {f"bmad-{name}": name for name in AGENTS}
    assert both("6.0.4")[2] == {}
