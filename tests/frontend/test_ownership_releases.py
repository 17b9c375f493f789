"""The owners of every workflow of the real releases, as the project's reference sheet lists them.

Ids are shown without the prefix `bmad-`, agents without `bmad-agent-` too.
"""

from functools import cache

import pytest

from bmadc.frontend.pack import read_pack
from bmadc.ir.model import Pack, Workflow
from support.releases import module_root, source_root

pytestmark = pytest.mark.needs("bmad-releases")

# What the menus of a release offer; a dash is an item that leads to no workflow.
OLD_ARCHITECT = "CA=create-architecture IR=check-implementation-readiness"
OLD_PM = (
    "CP=create-prd VP=validate-prd EP=edit-prd CE=create-epics-and-stories IR=check-implementation-readiness"
    " CC=correct-course"
)
OLD_ANALYST = (
    "BP=brainstorming MR=market-research DR=domain-research TR=technical-research CB=create-product-brief"
    " DP=document-project"
)
NEW_ANALYST = OLD_ANALYST.replace("CB=create-product-brief", "CB=product-brief WB=prfaq")
LAST_ANALYST = (
    "BP=brainstorming MR=deep-recon DR=deep-recon TR=deep-recon TS=deep-recon CR=deep-recon UV=deep-recon"
    " CB=product-brief WB=prfaq PC=project-context"
)
NEW_DEV = (
    "DS=dev-story QD=quick-dev QA=qa-generate-e2e-tests CR=code-review SP=sprint-planning CS=create-story"
    " ER=retrospective"
)
WRITER = "DP=document-project WD=- MG=- VD=- EC=-"

OLD_MENUS = {
    "analyst": OLD_ANALYST,
    "architect": OLD_ARCHITECT,
    "dev": "DS=dev-story CR=code-review",
    "pm": OLD_PM,
    "qa": "QA=qa-generate-e2e-tests",
    "quick-flow-solo-dev": "QS=quick-spec QD=quick-dev CR=code-review",
    "sm": "SP=sprint-planning CS=create-story ER=retrospective CC=correct-course",
    "tech-writer": "DP=document-project WD=- US=- MG=- VD=- EC=-",
    "ux-designer": "CU=create-ux-design",
    "master": "LT=- LW=-",
}
PREVIEW = {"quick-flow-solo-dev": "QS=quick-spec QD=quick-dev QQ=quick-dev-new-preview CR=code-review"}
NEW_MENUS = {
    "analyst": NEW_ANALYST,
    "tech-writer": WRITER,
    "pm": OLD_PM,
    "ux-designer": "CU=create-ux-design",
    "architect": OLD_ARCHITECT,
    "dev": NEW_DEV,
}
PRD_MENUS = {
    **NEW_MENUS,
    "pm": "PRD=prd CE=create-epics-and-stories IR=check-implementation-readiness CC=correct-course",
    "ux-designer": "CU=ux",
}
LAST_MENUS = {
    "analyst": LAST_ANALYST,
    "architect": "CA=architecture IR=sprint-planning",
    "dev": "BD=build QA=qa-generate-e2e-tests CR=code-review SP=sprint-planning ER=retrospective",
    "pm": "PRD=prd CE=create-epics-and-stories IR=sprint-planning CC=correct-course",
    "ux-designer": "CU=ux",
}

MENUS: dict[str, dict[str, str]] = {
    "6.0.0-Beta.5": {
        **{name: menu for name, menu in OLD_MENUS.items() if name != "qa"},
        "analyst": "BP=brainstorming RS=research CB=create-product-brief DP=document-project",
        "pm": OLD_PM.replace("validate-prd", "create-prd").replace("edit-prd", "create-prd"),
        "quinn": "qa=automate",
    },
    "6.0.1": {**OLD_MENUS, "qa": "QA=automate"},
    "6.0.4": OLD_MENUS,
    "6.1.0": {**OLD_MENUS, **PREVIEW},
    "6.2.0": {**{name: menu for name, menu in OLD_MENUS.items() if name != "master"}, **PREVIEW},
    "6.3.0": {**NEW_MENUS, "analyst": NEW_ANALYST.replace("CB=product-brief", "CB=-")},
    "6.5.0": NEW_MENUS,
    "6.8.0": {**PRD_MENUS, "dev": f"{NEW_DEV} IN=investigate"},
    "6.10.0": {**PRD_MENUS, "architect": "CA=architecture IR=check-implementation-readiness"},
    "6.11.0": LAST_MENUS,
    "6.12.0": LAST_MENUS,
}

OLD_SEVERAL = {
    "document-project": "analyst tech-writer",
    "check-implementation-readiness": "architect pm",
    "code-review": "dev quick-flow-solo-dev",
    "correct-course": "pm sm",
}
NEW_SEVERAL = {"document-project": "analyst tech-writer", "check-implementation-readiness": "architect pm"}
LAST_SEVERAL = {"sprint-planning": "architect dev pm"}
SEVERAL: dict[str, dict[str, str]] = {
    **dict.fromkeys(("6.0.0-Beta.5", "6.0.1", "6.0.4", "6.1.0", "6.2.0"), OLD_SEVERAL),
    **dict.fromkeys(("6.3.0", "6.5.0", "6.8.0", "6.10.0"), NEW_SEVERAL),
    **dict.fromkeys(("6.11.0", "6.12.0"), LAST_SEVERAL),
}

# Workflows that no menu offers.
COMMON = {"advanced-elicitation", "generate-project-context", "help", "party-mode", "sprint-status"}
CORE = COMMON | {
    "editorial-review-prose",
    "editorial-review-structure",
    "index-docs",
    "review-adversarial-general",
    "shard-doc",
}
EDGE = CORE | {"review-edge-case-hunter"}
EXCALIDRAW = {"create-dataflow", "create-diagram", "create-flowchart", "create-wireframe"}
PRD_SHIMS = {"create-prd", "edit-prd", "validate-prd"}
LAST = (
    EDGE - {"index-docs", "shard-doc"}
    | PRD_SHIMS
    | {"build-auto", "checkpoint-preview", "create-architecture", "create-story", "customize", "dev-auto"}
    | {"dev-story", "document-project", "domain-research", "editorial-review", "forge-idea"}
    | {"market-research", "quick-dev", "review", "review-verification-gap", "spec", "technical-research"}
)
NONE: dict[str, set[str]] = {
    "6.0.0-Beta.5": CORE | EXCALIDRAW | {"workflow"},
    "6.0.1": CORE | {"workflow"},
    "6.0.4": EDGE | {"workflow"},
    "6.1.0": EDGE,
    "6.2.0": EDGE | {"distillator", "product-brief-preview"},
    "6.3.0": EDGE | {"checkpoint-preview", "distillator", "product-brief"},
    "6.5.0": EDGE | {"checkpoint-preview", "customize", "distillator"},
    "6.8.0": EDGE | PRD_SHIMS | {"checkpoint-preview", "customize", "spec"},
    "6.10.0": EDGE
    | PRD_SHIMS
    | {"checkpoint-preview", "customize", "spec", "create-architecture", "dev-auto", "forge-idea"},
    "6.11.0": LAST,
    "6.12.0": LAST | {"walkthrough"},
}

# Owners whom only the help table names.
OLD_HELP = {"generate-project-context": "analyst", "sprint-status": "sm"}
HELP: dict[str, dict[str, str]] = {
    **dict.fromkeys(("6.0.1", "6.0.4", "6.1.0", "6.2.0"), OLD_HELP),
    "6.0.0-Beta.5": OLD_HELP | dict.fromkeys(EXCALIDRAW, "ux-designer"),
}

VERSIONS = tuple(MENUS)


@cache
def pack(version: str) -> Pack:
    return read_pack(source_root(version))


def short(name: str) -> str:
    return name.removeprefix("bmad-").removeprefix("agent-")


def owners(workflow: Workflow, *by: str) -> list[str]:
    return sorted({short(owner.agent) for owner in workflow.owners if owner.by in by})


@pytest.mark.parametrize("version", VERSIONS)
def test_menus(version: str) -> None:
    found = {
        short(agent.id): " ".join(f"{item.code}={short(item.workflow) or '-'}" for item in agent.menu)
        for agent in pack(version).agents
    }
    assert found == MENUS[version]


@pytest.mark.parametrize("version", VERSIONS)
def test_several_owners(version: str) -> None:
    every = {short(one.id): owners(one, "menu", "prompt") for one in pack(version).workflows}
    several = {name: " ".join(whose) for name, whose in every.items() if len(whose) > 1}
    assert several == SEVERAL[version]
    noted = {one.message.split(": ")[0] for one in pack(version).diagnostics if one.code == "BMC364"}
    assert {short(message.split()[-1]) for message in noted} == set(SEVERAL[version])


@pytest.mark.parametrize("version", VERSIONS)
def test_no_owner(version: str) -> None:
    workflows = pack(version).workflows
    assert {short(one.id) for one in workflows if not owners(one, "menu", "prompt")} == NONE[version]
    only_help = {short(one.id): owners(one, "help") for one in workflows if owners(one, "help")}
    assert {name: " ".join(whose) for name, whose in only_help.items()} == HELP.get(version, {})
    noted = {one.message.split()[-1] for one in pack(version).diagnostics if one.code == "BMC363"}
    assert noted == {one.id for one in workflows if not one.owners and not one.engine and one.shim is None}


@pytest.mark.parametrize("version", VERSIONS)
def test_dangling(version: str) -> None:
    said = [one for one in pack(version).diagnostics if one.code in ("BMC362", "BMC366")]
    if version != "6.3.0":
        assert said == []
        return
    (one,) = said
    assert one.severity == "warning"
    assert str(one.span).endswith("/bmad-agent-analyst/SKILL.md:38:1")
    assert "bmad-product-brief-preview" in one.message
    assert one.nearest[0] == "bmad-product-brief"


@pytest.mark.parametrize("version", VERSIONS)
def test_every_row_belongs_to_a_workflow_or_to_the_technical_writer(version: str) -> None:
    attached = {row.origin for workflow in pack(version).workflows for row in workflow.help}
    left = [row for row in pack(version).help if row.origin not in attached]
    assert [row.code for row in left] == (
        [] if version in ("6.11.0", "6.12.0") else ["WD", "US", "MG", "VD", "EC"]
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_codes_that_stand_twice(version: str) -> None:
    said = [one.message.split()[2] for one in pack(version).diagnostics if one.code == "BMC361"]
    before = ("6.0.1", "6.0.4", "6.1.0", "6.2.0", "6.3.0", "6.5.0")
    assert said == (["EP"] if version in before else ["SP"] if version in ("6.8.0", "6.10.0") else [])


def test_a_module_alone() -> None:
    tea = read_pack(module_root("bmad-method-test-architecture-enterprise"))
    (agent,) = tea.agents
    assert (agent.id, agent.encoding, agent.module) == ("bmad-tea", "skill-customize", "tea")
    assert [item.code for item in agent.menu if not item.workflow] == ["GATE"]
    assert all([owner.agent for owner in one.owners] == ["bmad-tea"] for one in tea.workflows)
    # It orders its workflows among those of another module, which is not here.
    said = [one for one in tea.diagnostics if "BMC351" <= one.code <= "BMC369"]
    assert [(one.code, one.severity) for one in said] == [("BMC367", "note")] * 2
