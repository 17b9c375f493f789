"""A whole tree of our own: what is found, what belongs to whom, what is reported."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bmadc.frontend.pack import read_pack
from bmadc.ir.model import Pack, Workflow
from support.helptable import NEW, help_table
from support.hut import write_hut
from support.mill import MILL, write_mill

GRIND = "src/mill/workflows/2-grinding/grind"
SACKS = "src/mill/workflows/2-grinding/sacks"


@pytest.fixture
def mill(tmp_path: Path) -> Pack:
    return read_pack(write_mill(tmp_path))


def workflow(pack: Pack, id_: str) -> Workflow:
    found = pack.workflow(id_)
    assert found is not None, id_
    return found


def files(found: Workflow) -> dict[str, str]:
    return {use.path.rpartition("/")[2]: use.role for use in found.files}


def said(pack: Pack) -> list[str]:
    return [f"{one.code} {one.span}" for one in pack.diagnostics if one.severity != "note"]


def test_units_and_their_encodings(mill: Pack) -> None:
    assert {one.id: one.encoding for one in mill.workflows} == {
        "grind": "workflow-yaml",
        "fill-sack": "workflow-md",
        "check-sack": "workflow-md",
        "clean": "task-xml",
        "workflow": "task-xml",
    }
    assert [one.id for one in mill.workflows if one.engine] == ["workflow"]
    assert {one.module for one in mill.workflows} == {"mill", "core"}
    assert mill.dialects == ("A",)


def test_a_workflow_in_yaml_has_its_instructions_its_checklist_and_what_its_menu_hands_it(mill: Pack) -> None:
    grind = workflow(mill, "grind")
    assert files(grind) == {
        "workflow.yaml": "entry",
        "instructions.xml": "instructions",
        "checklist.md": "checklist",
        "sieves.csv": "data",
    }
    assert grind.calls == ("clean",)
    assert grind.phase == "2-grinding"
    assert [(one.agent, one.by, one.code) for one in grind.owners] == [("miller", "menu", "GR")]
    assert ("template", "false") in grind.values


def test_steps_keep_the_order_of_the_file_and_a_far_number_is_an_entry(mill: Pack) -> None:
    steps = workflow(mill, "grind").steps
    assert [(one.number, one.title, one.role, one.form) for one in steps] == [
        ("1", "Look at the wind", "step", "tag"),
        ("2", "Grind", "step", "tag"),
        ("0.5", "Warm up", "step", "tag"),
        ("20", "Count mode", "entry", "tag"),
    ]
    assert str(steps[0].origin) == f"{GRIND}/instructions.xml:2"


def test_step_files_have_roles_and_an_order_by_number(mill: Pack) -> None:
    steps = workflow(mill, "fill-sack").steps
    assert [(one.number, one.role) for one in steps] == [
        ("01", "step"),
        ("01b", "resume"),
        ("02a", "alternative"),
        ("02b", "alternative"),
        ("03", "detour"),
        ("10", "step"),
    ]
    assert steps[0].title == "Open the sack"
    assert [path.rpartition("/")[2] for path in steps[0].next] == ["step-02a-full.md", "step-03-patch.md"]


def test_variants_share_a_folder_but_not_their_steps(mill: Pack) -> None:
    fill, check = workflow(mill, "fill-sack"), workflow(mill, "check-sack")
    assert not any("steps-k" in use.path for use in fill.files)
    assert fill.calls == ("check-sack",)
    assert [one.number for one in check.steps] == ["01"]


def test_facts(mill: Pack) -> None:
    found = [(fact.kind, fact.value, fact.target) for fact in mill.facts]
    assert ("condition", "the wind is strong", "") in found
    assert ("goto", "anchor=stones", f"{GRIND}/instructions.xml:7") in found
    assert ("goto", "step=9", "") in found
    assert ("saves", "count", "{sacks}") in found
    assert ("menu", "A,H", "") in found
    assert [value for kind, value, _ in found if kind == "box"] == ["", "x"]
    assert sum(kind == "yes-no" for kind, _, _ in found) == 1
    assert sum(kind == "ask" for kind, _, _ in found) == 1
    written = "{project-root}/_bmad/mill/tasks/clean.xml"
    assert ("include", written, "src/mill/tasks/clean.xml") in found
    assert ("include", "./steps-f/step-01-open.md", f"{SACKS}/steps-f/step-01-open.md") in found
    assert ("names", "./step-02a-full.md", f"{SACKS}/steps-f/step-02a-full.md") in found


def test_what_does_not_fit_together_is_reported_at_its_line(mill: Pack) -> None:
    assert said(mill) == [
        "BMC362 src/mill/agents/miller.agent.yaml:25:1",
        f"BMC321 {GRIND}/instructions.xml:3:36",
        f"BMC321 {GRIND}/instructions.xml:12:3",
    ]


def test_every_file_has_a_role_and_orphans_a_reason(mill: Pack) -> None:
    roles = {entry.path: (entry.role, entry.reason) for entry in mill.files}
    assert roles[f"{GRIND}/notes.md"] == (
        "orphan",
        "lies in the folder of grind, but nothing names it",
    )
    assert roles["src/utility/parts.txt"][0] == "engine"
    assert roles["src/core/tasks/workflow.xml"][0] == "engine"
    assert roles["src/mill/module.yaml"][0] == "module"
    assert roles["src/mill/data/sieves.csv"][0] == "workflow"
    assert {entry.role for entry in mill.files if not entry.reason} <= {
        "workflow",
        "agent",
        "module",
        "config",
    }


def test_a_file_full_of_findings_shows_the_first_hundred(tmp_path: Path) -> None:
    pack = read_pack(write_mill(tmp_path, {f"{GRIND}/checklist.md": "# Done?\n\n" + "</step>\n" * 250}))
    about = [one for one in pack.diagnostics if one.span and one.span.path.endswith("checklist.md")]
    assert [one.code for one in about].count("BMC312") == 100
    assert [one.message for one in about if one.code == "BMC320"] == [
        "150 more findings in this file are not shown"
    ]


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    root = write_mill(tmp_path)
    assert read_pack(root) == read_pack(root)


# Skills, overlays, shims.


def installed(tmp_path: Path, more: Mapping[str, str]) -> Path:
    """Write the hut as an installed tree, with a skills folder beside `_bmad`."""
    skills = write_hut(tmp_path / ".claude" / "skills")
    (skills / "module.yaml").unlink()
    (skills / "module-help.csv").unlink()
    ids = sorted(path.parent.name for path in skills.glob("*/SKILL.md"))
    written: dict[str, str] = {
        "_bmad/_config/manifest.yaml": (
            "installation:\n  version: 6.12.0\n"
            "modules:\n  - name: hut\n    version: 1.0.0\nides:\n  - claude-code\n"
        ),
        "_bmad/_config/skill-manifest.csv": "canonicalId,name,description,module,path\n"
        + "".join(f'"{id_}","{id_}","","hut","_bmad/hut/keep/{id_}/SKILL.md"\n' for id_ in ids),
        "_bmad/hut/module-help.csv": help_table(NEW),
        "_bmad/config.toml": '[core]\noutput_folder = "out"\n[modules.hut]\nwood = "birch"\n',
        **more,
    }
    for name, text in written.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def test_an_installed_skill_has_the_module_and_phase_that_the_installer_wrote_down(tmp_path: Path) -> None:
    pack = read_pack(installed(tmp_path, {}))
    assert (pack.form, pack.release) == ("installed", "6.12.0")
    assert {one.id: (one.module, one.phase) for one in pack.workflows} == {
        "hut-stove": ("hut", "keep"),
        "hut-sweep": ("hut", "keep"),
    }
    assert dict(pack.config)["wood"] == "birch"


def test_team_overrides_count_and_personal_ones_only_when_asked_for(tmp_path: Path) -> None:
    root = installed(
        tmp_path,
        {
            "_bmad/custom/hut-agent-keeper.toml": (
                '[agent]\nrole = "Keeps two huts"\nprinciples = ["Snow first"]\n'
            ),
            "_bmad/custom/hut-agent-keeper.user.toml": '[agent]\nrole = "Keeps my hut"\n',
        },
    )
    team = read_pack(root).agents[0]
    assert team.role == "Keeps two huts"
    assert team.principles == ("Wood first", "No guest leaves cold", "Snow first")
    assert read_pack(root, personal=True).agents[0].role == "Keeps my hut"


def test_an_override_under_an_unknown_or_old_id_is_reported(tmp_path: Path) -> None:
    more = {
        "_bmad/custom/hut-stov.toml": "[workflow]\n",
        "_bmad/custom/bmad-quick-dev.toml": "[workflow]\n",
        ".claude/skills/bmad-build/SKILL.md": "---\nname: bmad-build\ndescription: Build\n---\n\n# Build\n",
    }
    pack = read_pack(installed(tmp_path, more))
    found = {one.code: one for one in pack.diagnostics}
    assert found["BMC342"].nearest == ("hut-stove",)
    assert "bmad-build" in " ".join((found["BMC341"].message, *found["BMC341"].help))


def test_an_agent_in_yaml_takes_the_override_beside_it(tmp_path: Path) -> None:
    more = {f"_bmad/{name}": text for name, text in MILL.items() if name.startswith("mill/")}
    more["_bmad/_config/agents/mill-miller.customize.yaml"] = (
        "agent:\n  metadata:\n    name: Berta\ncritical_actions:\n  - Grease the axle\n"
    )
    more["_bmad/_config/manifest.yaml"] = "installation:\n  version: 6.0.4\nmodules:\n  - name: mill\n"
    for name, text in more.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    miller = read_pack(tmp_path).agents[0]
    assert miller.name == "Berta"
    assert miller.critical_actions == ("Look at the stones first", "Grease the axle")


SHIM = "metadata:\n  lifecycle: shim\n"
FORWARDER = "---\nname: {id}\ndescription: {description}\n{lifecycle}---\n\n# Old name\n\n{text}\n"


@pytest.mark.parametrize(
    ("description", "lifecycle", "text", "expected"),
    [
        ("Old", SHIM, "Invoke the `hut-stove` skill.", ("forwarder", "hut-stove", "")),
        (
            "Deprecated for good",
            "",
            "Then invoke `hut-stove` with **warm** intent.",
            ("forwarder", "hut-stove", "intent=warm"),
        ),
        (
            "Old",
            SHIM,
            "1. `_bmad/custom/hut-oven.toml` becomes `hut-stove.toml`\n2. invoke `hut-stove` once",
            ("migrating", "hut-stove", ""),
        ),
        ("Old", SHIM, '<step n="1" goal="x"><action>y</action></step>', ("retained", "", "")),
        ("Not so old", "", "Invoke the `hut-stove` skill.", None),
    ],
)
def test_shims(
    tmp_path: Path, description: str, lifecycle: str, text: str, expected: tuple[str, str, str] | None
) -> None:
    content = FORWARDER.format(id="hut-oven", description=description, lifecycle=lifecycle, text=text)
    pack = read_pack(write_hut(tmp_path, {"hut-oven/SKILL.md": content}))
    shim = workflow(pack, "hut-oven").shim
    assert (shim and (shim.kind, shim.target, shim.intent)) == expected
    aliases = workflow(pack, "hut-stove").aliases
    assert ("hut-oven" in aliases) == (expected is not None and expected[1] == "hut-stove")


# References that are broken, circles, depth.

STOVE = "---\nname: hut-stove\n---\n\n# Stove\n\n"


def test_a_leftover_of_a_skill_is_an_orphan_but_its_data_may_be_in_use(tmp_path: Path) -> None:
    pack = read_pack(
        write_mill(
            tmp_path,
            {
                "src/mill/workflows/bmad-check-sack/SKILL.md": (
                    "---\nname: bmad-check-sack\ndescription: Check\n---\n\n# Check\n\nRead "
                    "`{project-root}/_bmad/mill/workflows/2-grinding/sacks/scales.md`, then "
                    "`{project-root}/_bmad/mill/workflows/2-grinding/sacks/steps-k/step-01-weigh.md`.\n"
                ),
                f"{SACKS}/scales.md": "# Scales\n",
                f"{SACKS}/workflow-fill-sack.md": None,
            },
        )
    )
    assert pack.workflow("fill-sack") is None
    assert workflow(pack, "check-sack").id == "bmad-check-sack"
    roles = {entry.path: entry for entry in pack.files}
    assert roles[f"{SACKS}/workflow-check-sack.md"].reason == "left over from before bmad-check-sack"
    assert roles[f"{SACKS}/steps-k/step-01-weigh.md"].role == "orphan"
    assert roles[f"{SACKS}/scales.md"].units == ("bmad-check-sack",)


def test_a_path_into_the_tree_that_is_not_there_is_reported_and_its_namesake_taken(tmp_path: Path) -> None:
    pack = read_pack(
        write_mill(
            tmp_path,
            {
                f"{GRIND}/checklist.md": (
                    "# Done?\n\nLoad `{project-root}/_bmad/mill/workflows/2-grinding/gring/extra/how.md` and "
                    "`{project-root}/_bmad/mill/tasks/gone.xml`, not `{project-root}/docs/mine.md`.\n"
                ),
                f"{GRIND}/extra/how.md": "# How\n",
            },
        )
    )
    assert files(workflow(pack, "grind"))["how.md"] == "reference"
    broken = [one for one in pack.diagnostics if one.code == "BMC324"]
    assert [(one.span.line, one.span.column) for one in broken if one.span] == [(3, 7), (3, 79)]
    assert "is taken instead" in broken[0].why
    assert "Nothing is read" in broken[1].why


def test_a_step_named_by_a_wrong_folder_is_found(tmp_path: Path) -> None:
    text = "---\nname: check-sack\n---\n\n# Check\n\nLoad `./step-01-weigh.md`.\n"
    pack = read_pack(write_mill(tmp_path, {f"{SACKS}/workflow-check-sack.md": text}))
    assert [one.number for one in workflow(pack, "check-sack").steps] == ["01"]
    assert [str(one.span) for one in pack.diagnostics if one.code == "BMC324"] == [
        f"{SACKS}/workflow-check-sack.md:7:7"
    ]


def test_circles_are_named_and_depth_is_limited(tmp_path: Path) -> None:
    chain = {
        f"hut-stove/deep-{n}.md": f"# {n}\n\nRead and follow `deep-{n + 1}.md` now.\n" for n in range(1, 5)
    }
    pack = read_pack(
        write_hut(
            tmp_path,
            {
                "hut-stove/SKILL.md": f"{STOVE}One.\n\nRead `deep-1.md`.\n\nRead `ring-a.md`.\n",
                **chain,
                "hut-stove/deep-5.md": "# 5\n\nThe end.\n",
                "hut-stove/ring-a.md": "# A\n\nFollow `ring-b.md`.\n",
                "hut-stove/ring-b.md": "# B\n\nFollow `ring-a.md`.\n",
            },
        )
    )
    circle = next(one for one in pack.diagnostics if one.code == "BMC322")
    assert circle.detail.endswith("ring-a.md > hut-stove/ring-b.md > hut-stove/ring-a.md")
    deep = [one for one in pack.diagnostics if one.code == "BMC323"]
    assert [one.span.path for one in deep if one.span] == ["hut-stove/deep-3.md"]


def test_a_path_with_a_hole_means_all_files_that_fit(tmp_path: Path) -> None:
    pack = read_pack(
        write_hut(
            tmp_path,
            {
                "hut-stove/SKILL.md": STOVE + "Load `woods/{kind}-wood.md` and all of `papers/`.\n",
                "hut-stove/woods/birch-wood.md": "# Birch\n",
                "hut-stove/woods/pine-wood.md": "# Pine\n",
                "hut-stove/woods/stones.md": "# Stones\n",
                "hut-stove/papers/news.md": "# News\n",
            },
        )
    )
    assert set(files(workflow(pack, "hut-stove"))) == {"SKILL.md", "birch-wood.md", "pine-wood.md", "news.md"}
    orphan = next(entry for entry in pack.files if entry.path.endswith("stones.md"))
    assert orphan.role == "orphan"


# What tokens stand for.


def test_a_token_keeps_its_place_and_a_fact_says_what_it_stands_for(tmp_path: Path) -> None:
    root = installed(
        tmp_path,
        {
            ".claude/skills/hut-stove/SKILL.md": STOVE
            + "Burn:\n\n{workflow.woods}\n\nNever {workflow.coal}.\n",
            ".claude/skills/hut-stove/customize.toml": '[workflow]\nwoods = ["birch"]\n',
            "_bmad/custom/hut-stove.toml": '[workflow]\nwoods = ["pine"]\n',
        },
    )
    pack = read_pack(root)
    filled = [fact for fact in pack.facts if fact.kind == "fills"]
    assert [(fact.value, fact.target) for fact in filled] == [("{workflow.woods}", "- birch\n- pine")]
    tree = pack.trees[filled[0].path]
    assert tree.slice(tree.leaves[filled[0].leaf]) == "{workflow.woods}"
    unknown = [one for one in pack.diagnostics if one.code == "BMC345"]
    assert [str(one.span) for one in unknown] == [".claude/skills/hut-stove/SKILL.md:11:7"]


def test_a_skill_that_bmad_renders_has_its_settings_and_its_other_files_filled_in(tmp_path: Path) -> None:
    root = installed(
        tmp_path,
        {
            ".claude/skills/hut-stove/workflow.md": "# Fire\n\nUse {{.wood}}: [[bmad-snapshot:ash.md]]\n",
            ".claude/skills/hut-stove/ash.md": "# Ash\n",
        },
    )
    filled = {fact.value: fact.target for fact in read_pack(root).facts if fact.kind == "fills"}
    assert filled == {
        "{{.wood}}": "birch",
        "[[bmad-snapshot:ash.md]]": ".claude/skills/hut-stove/ash.md",
    }


# Names, calls, steps that are headings, menus line by line.


def test_names_and_descriptions_come_from_the_first_file(mill: Pack) -> None:
    found = {one.id: (one.name, one.description) for one in mill.workflows}
    assert found["grind"] == ("grind", "Grind the corn")
    assert found["clean"] == ("Clean", "Clean the stones")
    assert found["fill-sack"] == ("fill-sack", "Fill a sack")


def test_a_skill_calls_another_one_by_its_id_and_not_itself(tmp_path: Path) -> None:
    text = STOVE + "First `hut-sweep`, then back to hut-stove; `hut-sweeper` is somebody else.\n"
    pack = read_pack(write_hut(tmp_path, {"hut-stove/SKILL.md": text}))
    assert workflow(pack, "hut-stove").calls == ("hut-sweep",)
    assert [fact.target for fact in pack.facts if fact.kind == "call"] == ["hut-sweep"]


def test_headings_are_steps_where_there_are_no_others_but_those_of_the_activation_are_not(
    tmp_path: Path,
) -> None:
    text = STOVE + "## On Activation\n\n### Step 1: Greet\n\n## Step 1: Lay wood\n\n## Step 2 - Light it\n"
    pack = read_pack(write_hut(tmp_path, {"hut-stove/SKILL.md": text}))
    steps = workflow(pack, "hut-stove").steps
    assert [(one.number, one.title, one.form) for one in steps] == [
        ("1", "Lay wood", "heading"),
        ("2", "Light it", "heading"),
    ]
    assert {one.form for one in workflow(pack, "hut-sweep").steps} == {"file"}


def test_steps_within_steps_have_a_depth(tmp_path: Path) -> None:
    text = '<step n="1" goal="A"><step n="1a" goal="B"></step></step><step n="2" goal="C"></step>'
    pack = read_pack(write_mill(tmp_path, {f"{GRIND}/instructions.xml": text}))
    assert [(one.number, one.depth) for one in workflow(pack, "grind").steps] == [
        ("1", 0),
        ("1a", 1),
        ("2", 0),
    ]


def test_a_menu_may_have_an_option_per_line(tmp_path: Path) -> None:
    text = STOVE + "Choose:\n\n- [B] Birch\n- [P] Pine\n\nBurn [X] logs.\n\n- [ ] open\n- [x] done\n"
    pack = read_pack(write_hut(tmp_path, {"hut-stove/SKILL.md": text}))
    found = [(one.kind, one.value) for one in pack.facts if one.path == "hut-stove/SKILL.md"]
    assert [one for one in found if one[0].startswith("menu")] == [("menu-lines", "B,P")]


@pytest.mark.parametrize(
    "written", ["{name}.md", "ash-{day}.md", "{cellar}/ash-{day}.md", "{cellar}/*ash*.md"]
)
def test_a_document_that_the_run_will_write_is_no_file_that_its_name_fits(
    tmp_path: Path, written: str
) -> None:
    more = {"hut-stove/SKILL.md": STOVE + f"Write `{written}`.\n", "hut-stove/ash-grey.md": "# Ash\n"}
    pack = read_pack(write_hut(tmp_path, more))
    assert set(files(workflow(pack, "hut-stove"))) == {"SKILL.md"}
