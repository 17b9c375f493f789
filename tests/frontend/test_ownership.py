"""Menus and help tables joined: who owns what, and what is said about entries that lead nowhere."""

from dataclasses import replace

import pytest

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.ownership import own
from bmadc.ir.model import Agent, FileUse, HelpRow, MenuItem, Origin, Owner, Prompt, Shim, Workflow

INSTALLED = "{project-root}/_bmad/gdn/workflows"


def workflow(path: str, id_: str = "", module: str = "gdn", files: tuple[str, ...] = ()) -> Workflow:
    name = id_ or path.split("/")[-2]
    return Workflow(
        name, module, "", "skill", Origin(path), files=tuple(FileUse(one, "text") for one in files)
    )


def agent(*items: tuple[str, str, str], id_: str = "flora", **more: object) -> Agent:
    path = f"gdn/agents/{id_}.agent.yaml"
    menu = tuple(
        MenuItem(code, kind, target, "", Origin(path, line))
        for line, (code, kind, target) in enumerate(items, 1)
    )
    return Agent(id_, "gdn", "agent-yaml", Origin(path), menu=menu, **more)  # type: ignore[arg-type]


def row(workflow: str, code: str = "X", line: int = 2, **more: object) -> HelpRow:
    return HelpRow("gdn", workflow, workflow, code, "anytime", "", Origin("h.csv", line), **more)  # type: ignore[arg-type]


def said(diagnostics: tuple[Diagnostic, ...], *but: str) -> list[str]:
    quiet = but or ("BMC363", "BMC364")
    return [f"{one.code} {one.severity} {one.span}" for one in diagnostics if one.code not in quiet]


SOW = workflow("src/gdn/workflows/1-spring/sow/workflow.yaml")


@pytest.mark.parametrize(
    ("path", "kind", "target"),
    [
        ("src/gdn/workflows/sow/workflow.yaml", "workflow", f"{INSTALLED}/sow/workflow.yaml"),
        ("_bmad/gdn/workflows/sow/workflow.yaml", "workflow", f"{INSTALLED}/sow/workflow.yaml"),
        ("src/workflows/sow/workflow.md", "exec", f"{INSTALLED}/sow/workflow.md"),
        ("src/gdn/workflows/sow/workflow.md", "exec", "{project_root}/_bmad/gdn/workflows/sow/workflow.md"),
        ("src/gdn/workflows/sow/workflow.md", "validate-workflow", f"{INSTALLED}/sow/workflow.md"),
        ("src/gdn-skills/1-spring/sow/SKILL.md", "skill", "sow"),
        ("src/gdn-skills/1-spring/sow/SKILL.md", "exec", "skill:sow"),
        ("src/gdn-skills/1-spring/sow/SKILL.md", "exec", "skill:bmad-sow"),
        ("src/gdn-skills/1-spring/sow/SKILL.md", "prompt", "Call the skill `sow-now` of `the-shed`."),
    ],
)
def test_every_kind_of_target(path: str, kind: str, target: str) -> None:
    sow = workflow(path, "sow-now" if kind == "prompt" else "sow")
    found, agents, diagnostics = own([agent(("SO", kind, target))], [], [sow])
    assert found[0].owners == (
        Owner(
            "flora", "prompt" if kind == "prompt" else "menu", "SO", Origin("gdn/agents/flora.agent.yaml", 1)
        ),
    )
    assert agents[0].menu[0].workflow == found[0].id
    assert agents[0].menu[0].target == target
    assert said(diagnostics) == []


def test_variants_of_one_folder_are_told_apart() -> None:
    folder = "src/gdn/workflows/sow"
    units = [workflow(f"{folder}/workflow-{name}.md", name) for name in ("rose", "oak")]
    _, agents, _ = own([agent(("OK", "exec", f"{INSTALLED}/sow/workflow-oak.md"))], [], units)
    assert agents[0].menu[0].workflow == "oak"


def test_a_skill_is_found_by_the_workflow_file_in_its_folder() -> None:
    folder = "src/gdn/workflows/bmad-sow"
    sow = workflow(f"{folder}/SKILL.md", files=(f"{folder}/SKILL.md", f"{folder}/workflow.md"))
    # Another workflow that reads the same file does not own it.
    rake = workflow("src/gdn/workflows/bmad-rake/SKILL.md", files=(f"{folder}/workflow.md",))
    _, agents, diagnostics = own(
        [agent(("SO", "exec", f"{INSTALLED}/bmad-sow/workflow.md"))], [], [rake, sow]
    )
    assert agents[0].menu[0].workflow == "bmad-sow"
    assert said(diagnostics) == []


def test_the_same_path_in_another_module_is_another_workflow() -> None:
    units = [
        workflow("x/core/workflows/sow/workflow.md", module="core"),
        workflow("x/workflows/sow/workflow.md"),
    ]
    found, _, _ = own([agent(("SO", "exec", f"{INSTALLED}/sow/workflow.md"))], [], units)
    assert [len(one.owners) for one in found] == [0, 1]


def test_a_name_is_looked_up_in_the_agents_module_first() -> None:
    units = [workflow("core/sow/SKILL.md", module="core"), workflow("gdn/sow/SKILL.md")]
    found, _, _ = own([agent(("SO", "skill", "sow"))], [], units)
    assert [len(one.owners) for one in found] == [0, 1]


def test_a_moved_workflow_is_found_by_its_name_and_that_is_said() -> None:
    _, agents, diagnostics = own([agent(("SO", "exec", f"{INSTALLED}/old/sow/workflow.yaml"))], [], [SOW])
    assert agents[0].menu[0].workflow == "sow"
    assert said(diagnostics) == ["BMC366 note gdn/agents/flora.agent.yaml:1:1"]


def test_dangling_items_are_said_at_their_line_with_names_that_were_meant() -> None:
    units = [workflow("s/bmad-product-brief/SKILL.md"), workflow("s/bmad-prune/SKILL.md")]
    items = [
        ("A", "skill", "bmad-prune"),
        ("B", "skill", "bmad-product-brief-preview"),
        ("C", "exec", f"{INSTALLED}/prone/workflow.md"),
        ("D", "prompt", "Use `bmad-pruned` or `a-shovel`."),
        ("E", "workflow", "todo"),
    ]
    found, agents, diagnostics = own([agent(*items)], [], units)
    assert said(diagnostics) == [
        f"BMC362 warning gdn/agents/flora.agent.yaml:{line}:1" for line in (2, 3, 4, 5)
    ]
    assert [item.workflow for item in agents[0].menu] == ["bmad-prune", "", "", "", ""]
    near = [one.nearest[:1] for one in diagnostics if one.code == "BMC362"]
    assert near == [("bmad-product-brief",), ("bmad-prune",), ("bmad-prune",), ()]
    assert found[0].owners == ()


def test_a_module_that_is_not_there_is_only_noted() -> None:
    target = "{project-root}/_bmad/core/workflows/party/workflow.md"
    _, _, diagnostics = own([agent(("PM", "exec", target))], [], [SOW])
    assert said(diagnostics) == ["BMC362 note gdn/agents/flora.agent.yaml:1:1"]


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        ("action", "say a word"),
        ("tmpl", f"{INSTALLED}/none/template.md"),
        ("exec", "{some_folder}/x.md"),
        ("exec", "{project-root}/_bmad/_memory/flora-sidecar/notes.md"),
        ("prompt", "notes.md"),
        ("prompt", "Read {skill-root}/notes.md."),
        ("", ""),
    ],
)
def test_items_that_lead_to_no_workflow_and_need_none(kind: str, target: str) -> None:
    flora = agent(("A", kind, target), files=("src/gdn/agents/flora-sidecar/notes.md",))
    found, agents, diagnostics = own([flora], [], [SOW])
    assert (found[0].owners, agents[0].menu[0].workflow) == ((), "")
    assert said(diagnostics) == []


def test_a_file_that_the_agent_lacks_is_said() -> None:
    flora = agent(
        ("A", "prompt", "note.md"), ("B", "prompt", "See {skill-root}/b.md"), files=("s/flora/notes.md",)
    )
    _, _, diagnostics = own([flora], [], [])
    assert said(diagnostics) == [f"BMC362 warning gdn/agents/flora.agent.yaml:{line}:1" for line in (1, 2)]
    assert diagnostics[0].nearest == ("notes.md",)


def test_the_text_of_a_prompt_counts_for_the_item_that_calls_it() -> None:
    prompt = Prompt("go", "First `bmad-sow`, then `bmad-rake` and `bmad-sow`.", Origin("x", 9))
    units = [workflow("s/bmad-rake/SKILL.md"), workflow("s/bmad-sow/SKILL.md")]
    found, agents, _ = own([agent(("GO", "action", "#go"), prompts=(prompt,))], [], units)
    assert [len(one.owners) for one in found] == [1, 1]
    assert agents[0].menu[0].workflow == "bmad-sow"


def test_owners_are_those_of_menus_and_the_one_of_the_table() -> None:
    flora, fern = agent(("SO", "skill", "sow"), ("S2", "skill", "sow")), agent(id_="fern")
    rows = [row("sow", "SO", agent="flora"), row("sow", "VS", 3, agent="fern")]
    found, _, diagnostics = own([flora, fern], rows, [SOW])
    assert [(one.agent, one.by, one.code) for one in found[0].owners] == [
        ("flora", "menu", "SO"),
        ("flora", "menu", "S2"),
        ("fern", "help", "VS"),
    ]
    assert found[0].help == tuple(rows)
    assert said(diagnostics, "none") == [f"BMC364 note {SOW.origin.path}"]


def test_rows_of_agents_attach_to_nothing_and_are_no_error() -> None:
    rows = [row("", agent="flora"), row("flora", "Y"), row("bmad-agent-flora", "Z")]
    found, _, diagnostics = own([agent()], rows, [SOW])
    assert found[0].help == ()
    assert said(diagnostics) == []


def test_rows_that_name_what_is_not_there() -> None:
    rows = [
        row("sown", "A"),
        row("sow", "B", 3, agent="nobody"),
        row("sow", "C", 4, after=("sow:fast",), before=("rake:fast",)),
    ]
    found, _, diagnostics = own([], rows, [SOW])
    assert said(diagnostics) == [
        "BMC362 warning h.csv:2:1",
        "BMC365 note h.csv:3:1",
        "BMC367 note h.csv:4:1",
    ]
    assert len(found[0].help) == 2


def test_codes_that_stand_twice_are_noted_at_the_second() -> None:
    _, _, diagnostics = own(
        [], [row("sow", "EP"), row("sow", "", 3), row("sow", "EP", 4), row("sow", "", 5)], [SOW]
    )
    assert said(diagnostics) == ["BMC361 note h.csv:4:1"]


def test_other_names_of_the_tree_count() -> None:
    rows = [row("sowing", agent="gdn-flora")]
    found, agents, diagnostics = own(
        [agent(("SO", "skill", "sowing"))], rows, [SOW], {"sowing": "sow", "gdn-flora": "flora"}
    )
    assert (agents[0].menu[0].workflow, len(found[0].help)) == ("sow", 1)
    assert said(diagnostics) == []


def test_names_of_other_releases_do_not_count() -> None:
    old = replace(SOW, id="bmad-product-brief", aliases=("bmad-product-brief-preview",))
    found, _, diagnostics = own([agent(("CB", "skill", "bmad-product-brief-preview"))], [], [old])
    assert found[0].owners == ()
    assert [one.code for one in diagnostics] == ["BMC362", "BMC363"]


def test_machinery_and_shims_need_no_owner() -> None:
    units = [replace(SOW, engine=True), replace(SOW, shim=Shim("forwarder", "rake")), SOW]
    _, _, diagnostics = own([], [], units)
    assert said(diagnostics, "none") == [f"BMC363 note {SOW.origin.path}"]
