"""A module of our own, from its files to what an agent reads and to the account of every unit."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bmadc.frontend.pack import read_pack
from bmadc.ir.ledger import Lowered
from bmadc.ir.tree import CONTENT, Leaf, Tree
from bmadc.passes import names, variables
from bmadc.passes.context import context_of, is_left_out
from bmadc.passes.lower import Lowering, lower_all
from bmadc.passes.sheet import sheet_of
from bmadc.passes.values import GAPS, RUN_TIME
from bmadc.source import Text
from support.hut import write_hut
from support.mill import write_mill


@pytest.fixture
def mill(tmp_path: Path) -> dict[str, Lowered]:
    return dict(lower_all(read_pack(write_mill(tmp_path)))[0])


@pytest.fixture
def hut(tmp_path: Path) -> dict[str, Lowered]:
    return dict(lower_all(read_pack(write_hut(tmp_path)))[0])


def test_the_body_has_its_sections_in_order(mill: dict[str, Lowered]) -> None:
    headings = [line for line in mill["grind"].body.split("\n") if line.startswith(("# ", "## "))]
    assert headings == [
        "# BMAD Grind Agent",
        "## Your Persona",
        "## Principles",
        "## Critical Rules",
        "## Instructions",
        "## Checklist",
        "## Guardrails",
    ]


def test_persona_principles_and_critical_actions_are_there(mill: dict[str, Lowered]) -> None:
    body = mill["grind"].body
    assert "You are Anton, Miller." in body
    assert "- **Role:** Grinds what comes" in body
    assert "- Dry corn only" in body
    assert "- Look at the stones first" in body


def test_several_owners_are_perspectives(tmp_path: Path) -> None:
    agent = (
        "agent:\n  metadata:\n    name: Berta\n    title: Baker\n    module: mill\n    capabilities: baking\n"
        "  persona:\n    role: Bakes\n    principles: |\n      - Dry corn only.\n      - Hot oven\n"
        "  menu:\n    - trigger: GR or fuzzy match on grind\n"
        '      workflow: "{project-root}/_bmad/mill/workflows/2-grinding/grind/workflow.yaml"\n'
        '      description: "[GR] Grind"\n'
    )
    pack = read_pack(write_mill(tmp_path, {"src/mill/agents/baker.agent.yaml": agent}))
    body = lower_all(pack)[0]["grind"].body
    assert "## Your Perspectives" in body
    assert "### Miller Lens (Anton)" in body
    assert "### Baker Lens (Berta)" in body
    assert "- **Focus:** baking" in body
    # The same principle of two owners stands once, though one of them ends it with a full stop.
    assert body.count("Dry corn only") == 1
    assert "- Hot oven" in body


def test_who_owns_nothing_gets_the_default(hut: dict[str, Lowered]) -> None:
    assert "You are a specialist for this work." in hut["hut-stove"].body


def test_every_content_leaf_has_exactly_one_entry(tmp_path: Path) -> None:
    pack = read_pack(write_mill(tmp_path))
    found, _ = lower_all(pack)
    for workflow in pack.workflows:
        if is_left_out(workflow):
            continue
        expected = Counter(
            (use.path, number)
            for use in workflow.files
            for number, leaf in enumerate(pack.trees[use.path].leaves)
            if leaf.kind in CONTENT
        )
        assert Counter((one.path, one.leaf) for one in found[workflow.id].entries) == expected


def test_steps_lead_to_each_other_by_name(mill: dict[str, Lowered]) -> None:
    body = mill["fill-sack"].body
    assert "Go on with Step 1 (Open the sack)" in body
    assert "Go on with Step 2a (Full).\nIf it has a hole, go on with Step 3 (Patch the sack)." in body


def test_steps_beside_the_sequence_say_so(mill: dict[str, Lowered]) -> None:
    body = mill["fill-sack"].body
    after = body.partition("### Step 1b: Go on with a sack\n\n")[2]
    assert after.startswith("*Only when the first step finds work of an earlier run:*")
    after = body.partition("### Step 2a: Full\n\n")[2]
    assert after.startswith("*Only when another step sends you here:*")


def test_a_large_workflow_keeps_its_steps_as_skills(tmp_path: Path) -> None:
    long = "# Step 2: Sweep\n\n" + "\n".join(f"- Corner {number} of the hut" for number in range(4000)) + "\n"
    pack = read_pack(write_hut(tmp_path, {"hut-sweep/steps/step-02-sweep.md": long}))
    one = lower_all(pack)[0]["hut-sweep"]
    assert [part.name for part in one.parts] == ["body", "step-01-look", "step-02-sweep"]
    assert "Open the skill file `⟦skill step-02-sweep⟧`" in one.body
    assert "Corner 17 of the hut" not in one.body
    assert "Corner 17 of the hut" in one.parts[2].text


def test_a_script_travels_as_a_file_and_is_run_where_it_lies(tmp_path: Path) -> None:
    more = {
        "hut-stove/SKILL.md": (
            "---\nname: hut-stove\ndescription: Light the stove\n---\n\n# Stove\n\n"
            "Run `uv run {skill-root}/scripts/logs.py --file {skill-root}/wood.csv`.\n"
        ),
        "hut-stove/scripts/logs.py": "print('two logs')\n",
        "hut-stove/wood.csv": "kind,logs\nbeech,2\n",
    }
    one = lower_all(read_pack(write_hut(tmp_path, more)))[0]["hut-stove"]
    where = "/tmp/gh-aw/agent/hut-stove"
    assert f"`python3 {where}/scripts/logs.py --file {where}/wood.csv`" in one.body
    files = {part.name: part.text for part in one.parts if part.kind == "file"}
    assert files["hut-stove/scripts/logs.py"] == "print('two logs')\n"
    assert files["hut-stove/wood.csv"] == "kind,logs\nbeech,2\n"


def test_templates_stay_as_they_are_but_for_what_gh_aw_would_compute(tmp_path: Path) -> None:
    template = "# {{title}}\n\n<!-- for the smith -->\n{{#if hot}}Glow{{/if}}\n"
    more = {
        "hut-stove/SKILL.md": (
            "---\nname: hut-stove\ndescription: x\n---\n\n# Stove\n\nFill in `note-template.md`.\n"
        ),
        "hut-stove/note-template.md": template,
    }
    body = lower_all(read_pack(write_hut(tmp_path, more)))[0]["hut-stove"].body
    assert "```markdown\n# {{title}}\n\n[note: for the smith]\n[if hot]Glow[end if]\n```" in body
    assert "stands for a comment" in body


def test_values_of_the_run_have_their_row(tmp_path: Path) -> None:
    more = {
        "hut-stove/SKILL.md": (
            "---\nname: hut-stove\ndescription: x\n---\n\n# Stove\n\nWrite {date} and {{logs}}.\n"
        )
    }
    one = lower_all(read_pack(write_hut(tmp_path, more)))[0]["hut-stove"]
    assert f"- `{{date}}`: {RUN_TIME['date']}" in one.body
    assert one.values == (("date", RUN_TIME["date"]),)
    assert one.placeholders == ("date", "logs")


def test_a_name_is_a_value_or_a_gap() -> None:
    assert not GAPS & RUN_TIME.keys()


def test_names_of_workflows_are_labels(tmp_path: Path) -> None:
    more = {
        "hut-stove/SKILL.md": (
            "---\nname: hut-stove\ndescription: x\n---\n\n# Stove\n\nThen run `hut-sweep` workflow. "
            "Not in hut-sweep.md, nor in `*hut-sweep*`. This `hut-stove` ends with /bmad-help.\n"
        )
    }
    body = lower_all(read_pack(write_hut(tmp_path, more)))[0]["hut-stove"].body
    assert "Then suggest the label `bmad-hut-sweep`." in body
    # A pattern for the names of files names no workflow.
    assert "Not in hut-sweep.md, nor in `*hut-sweep*`." in body
    assert "This this workflow ends with a label." in body


def test_lowering_twice_gives_the_same(tmp_path: Path) -> None:
    pack = read_pack(write_mill(tmp_path))
    first, _ = lower_all(pack)
    second, _ = lower_all(pack)
    assert first == second


def test_the_label_of_the_pipeline_is_no_skill(tmp_path: Path) -> None:
    said = "# Stove\n\nLook for `bmad-pipeline` and for `bmad-oven`.\n"
    head = "---\nname: hut-stove\ndescription: Light the stove\n---\n\n"
    found, _ = lower_all(read_pack(write_hut(tmp_path, {"hut-stove/SKILL.md": head + said})))
    assert "Look for `bmad-pipeline` and for `oven` (of another module)." in found["hut-stove"].body


def test_the_settings_of_a_module_are_no_section_of_a_body(tmp_path: Path) -> None:
    # Their values were put in; the file itself names folders of an install that a run does not have.
    for name, text in {
        "_config/manifest.yaml": "installation:\n  version: 6.0.4\nmodules:\n  - name: mill\n",
        "mill/config.yaml": 'sacks: "{project-root}/docs/sacks"\n',
        "mill/workflows/grind/workflow.yaml": (
            "name: grind\ndescription: Grind the corn\n"
            'config_source: "{project-root}/_bmad/mill/config.yaml"\nsacks: "{config_source}:sacks"\n'
            'instructions: "{project-root}/_bmad/mill/workflows/grind/instructions.xml"\n'
        ),
        "mill/workflows/grind/instructions.xml": (
            '<workflow><step n="1" goal="Fill"><action>Fill {sacks}/first</action></step></workflow>\n'
        ),
    }.items():
        path = tmp_path / "_bmad" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    body = lower_all(read_pack(tmp_path))[0]["grind"].body
    assert "Fill docs/sacks/first" in body
    assert "config.yaml" not in body


@pytest.mark.parametrize(
    "text",
    [
        "Keep {stove} warm",
        "Keep [[stove]] warm",
        "See agent-manifest.csv",
        "See agent_manifest",
        "Run resolve_config.py",
        "Keep cook-sidecar/notes.md",
        "Do step-02-light",
        "Look in _bmad/hut",
        "Run bmad-oven",
        "Then hut-sweep",
        "Run /clear",
        "Run /compact",
        "Type `*light`",
    ],
)
def test_a_text_that_workflows_say_in_their_own_way_is_edited_for_each(tmp_path: Path, text: str) -> None:
    pack = read_pack(write_hut(tmp_path))
    workflow = pack.workflows[0]
    context = context_of(pack, workflow)
    sheet = sheet_of(Tree(Text("", text), "markdown", (Leaf("paragraph", 0, len(text), 0),), ()), {})
    assert not (variables.is_quiet(sheet) and names.is_quiet(context, sheet))


def test_a_text_that_names_a_workflow_is_another_in_that_workflow(tmp_path: Path) -> None:
    pack = read_pack(write_hut(tmp_path))
    lowering = Lowering(pack, ())
    said = {
        one.id: lowering.edited(context_of(pack, one), "Then run `hut-sweep` workflow.")
        for one in pack.workflows
    }
    assert len(set(said.values())) > 1
    plain = {lowering.edited(context_of(pack, one), "Ask the user which wood.") for one in pack.workflows}
    assert plain == {"Find out which wood."}
