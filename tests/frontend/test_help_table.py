"""Help tables in every layout, with rows that are whole, short, long, or beyond repair."""

from pathlib import Path

import pytest

from bmadc.frontend.files import read_tree
from bmadc.frontend.help import read_help, target_name
from bmadc.ir.model import HelpRow
from bmadc.source import Text, read_text
from support.releases import module_root, source_root

# Column by column with a value below it, so that this file holds the header of no release as it is.
NEW = {
    "module": "Garden",
    "skill": "gdn-prune",
    "display-name": "Prune",
    "menu-code": "PR",
    "description": "Cut the roses.",
    "action": "cut",
    "args": "[bed]",
    "phase": "2-summer",
    "preceded-by": "gdn-sow:spring",
    "followed-by": "gdn-rake",
    "required": "true",
    "output-location": "shed",
    "outputs": "twigs",
}
OLD = {
    "module": "gdn",
    "phase": "anytime",
    "name": "Sow",
    "code": "SO",
    "sequence": "10",
    "workflow-file": "_bmad/gdn/workflows/1-spring/sow/workflow.yaml",
    "command": "gdn-sow",
    "required": "false",
    "agent": "flora",
    "options": "Create Mode bed=rose",
    "description": "Put the seeds in",
    "output-location": "bed",
    "outputs": "seedlings",
}


def line(cells: list[str]) -> str:
    return ",".join(f'"{cell}"' if "," in cell else cell for cell in cells) + "\n"


def table(header: dict[str, str], *rows: list[str]) -> Text:
    return Text("gdn/module-help.csv", "".join(map(line, ([*header], *rows))))


def read(text: Text) -> tuple[list[HelpRow], list[str]]:
    rows, said = read_help(read_tree(text), "gdn")
    return list(rows), [f"{one.code} {one.severity} {one.span}" for one in said]


def new(**changed: str) -> list[str]:
    return list({**NEW, **changed}.values())


def test_new_layout() -> None:
    (row,), said = read(table(NEW, new()))
    assert said == []
    assert (row.module, row.workflow, row.name, row.code) == ("gdn", "gdn-prune", "Prune", "PR")
    assert (row.phase, row.action, row.args, row.required) == ("2-summer", "cut", "[bed]", True)
    assert (row.after, row.before) == (("gdn-sow:spring",), ("gdn-rake",))
    assert (row.output_location, row.outputs, row.repaired) == ("shed", "twigs", False)
    assert row.origin.line == 2


def test_the_names_of_order_before_6_7() -> None:
    header = {
        {"preceded-by": "after", "followed-by": "before"}.get(name, name): cell for name, cell in NEW.items()
    }
    (row,), _ = read(table(header, new()))
    assert (row.after, row.before) == (("gdn-sow:spring",), ("gdn-rake",))


@pytest.mark.parametrize("comma", [False, True])
def test_old_layout_with_and_without_its_last_comma(comma: bool) -> None:
    header = line([*OLD]).rstrip("\n") + ("," if comma else "") + "\n"
    cells = line([*OLD.values()]).rstrip("\n") + ("," if comma else "") + "\n"
    (row,), said = read(Text("gdn/module-help.csv", header + cells))
    assert said == []
    assert (row.workflow, row.code, row.sequence, row.agent) == ("sow", "SO", "10", "flora")
    assert (row.action, row.args, row.required) == ("create", "bed=rose", False)
    assert (row.output_location, row.outputs, row.repaired) == ("bed", "seedlings", False)


def test_the_row_about_the_module_is_none() -> None:
    rows, said = read(table(NEW, new(skill="_meta", phase=""), new()))
    assert [row.origin.line for row in rows] == [3]
    assert said == []


def test_a_missing_comma_before_the_phase() -> None:
    whole = new(action="", args="", phase="anytime")
    (row,), said = read(table(NEW, whole[:6] + whole[7:]))
    assert (row.action, row.args, row.phase, row.required) == ("", "", "anytime", True)
    assert (row.after, row.outputs, row.repaired) == (("gdn-sow:spring",), "twigs", True)
    assert said == ["BMC359 note gdn/module-help.csv:2:1"]


def test_a_lone_value_in_brackets_is_an_argument_and_a_word_is_an_action() -> None:
    whole = new(phase="anytime")
    rows, _ = read(table(NEW, whole[:5] + whole[6:], whole[:6] + whole[7:]))
    assert [(row.action, row.args, row.phase) for row in rows] == [
        ("", "[bed]", "anytime"),
        ("cut", "", "anytime"),
    ]


def test_a_phase_of_its_own_is_known_from_the_other_rows() -> None:
    whole = new(action="", args="", phase="harvest")
    short = whole[:6] + whole[7:]
    (row,), said = read(table(NEW, short))
    assert said == ["BMC360 warning gdn/module-help.csv:2:1"]
    assert row.repaired
    rows, said = read(table(NEW, whole, short))
    assert [row.phase for row in rows] == ["harvest", "harvest"]
    assert said == ["BMC359 note gdn/module-help.csv:3:1"]


def test_a_missing_last_field_is_added_at_the_end() -> None:
    (row,), said = read(table(NEW, new(phase="anytime")[:-1]))
    assert (row.args, row.phase, row.output_location, row.outputs) == ("[bed]", "anytime", "shed", "")
    assert said == ["BMC359 note gdn/module-help.csv:2:1"]


def test_a_comma_too_many_at_the_end() -> None:
    (row,), said = read(table(NEW, [*new(), ""]))
    assert (row.outputs, row.repaired) == ("twigs", True)
    assert said == ["BMC359 note gdn/module-help.csv:2:1"]


def test_a_comma_in_a_description_without_quotes() -> None:
    cells = new(phase="anytime")
    (row,), said = read(table(NEW, [*cells[:4], "Cut", " trim", " tie.", *cells[5:]]))
    assert (row.description, row.phase, row.outputs) == ("Cut, trim, tie.", "anytime", "twigs")
    assert said == ["BMC359 note gdn/module-help.csv:2:1"]


def test_what_fits_in_no_way_is_said_and_kept() -> None:
    rows, said = read(table(NEW, ["a", "b"], ["x"] * 15, new()))
    assert [(row.code, row.repaired) for row in rows] == [("", True), ("x", True), ("PR", False)]
    assert said == ["BMC360 warning gdn/module-help.csv:2:1", "BMC360 warning gdn/module-help.csv:3:1"]


def test_other_tables_and_empty_ones() -> None:
    assert read(Text("x.csv", "")) == ([], [])
    assert read(Text("x.csv", "a,b\n1,2\n")) == ([], ["BMC358 warning x.csv:1:1"])


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("_bmad/gdn/workflows/1-spring/sow/workflow.yaml", "sow"),
        ("_bmad/gdn/workflows/sow/workflow.md", "sow"),
        ("_bmad/gdn/workflows/sow/workflow-sow-rose.md", "sow-rose"),
        ("_bmad/core/tasks/help.md", "help"),
        ("_bmad/core/tasks/shard.xml", "shard"),
        ("_bmad/core/tasks/workflow.xml", "workflow"),
        ("_bmad/gdn/sow/SKILL.md", "sow"),
        ("skill:gdn-sow", "gdn-sow"),
        ("gdn-sow", "gdn-sow"),
        ("_bmad/gdn/agents/flora/flora.agent.yaml", ""),
        ("_bmad/gdn/agents/flora.md", ""),
        ("", ""),
    ],
)
def test_what_a_target_names(target: str, name: str) -> None:
    assert target_name(target) == name


# Version: rows of bmm and core, and how many of them had to be mended.
REAL = {
    "6.0.0-Beta.5": ("bmm", "core", 37, 8, 0, 2),
    "6.0.1": ("bmm", "core", 30, 8, 0, 2),
    "6.0.4": ("bmm", "core", 30, 9, 0, 2),
    "6.1.0": ("bmm", "core", 31, 9, 0, 2),
    "6.2.0": ("bmm", "core", 31, 10, 0, 2),
    "6.3.0": ("bmm-skills", "core-skills", 31, 10, 20, 10),
    "6.5.0": ("bmm-skills", "core-skills", 31, 11, 20, 11),
    "6.8.0": ("bmm-skills", "core-skills", 30, 11, 1, 0),
    "6.10.0": ("bmm-skills", "core-skills", 29, 12, 0, 0),
    "6.11.0": ("bmm-skills", "core-skills", 17, 8, 0, 0),
    "6.12.0": ("bmm-skills", "core-skills", 17, 8, 0, 0),
}
# Phases of both tables together, from the sheet.
PHASES = {
    "6.0.4": {"anytime": 19, "1-analysis": 5, "2-planning": 4, "3-solutioning": 3, "4-implementation": 8},
    "6.3.0": {"anytime": 19, "1-analysis": 6, "2-planning": 4, "3-solutioning": 3, "4-implementation": 9},
    "6.8.0": {"anytime": 20, "1-analysis": 6, "2-planning": 2, "3-solutioning": 3, "4-implementation": 10},
    "6.12.0": {"anytime": 12, "plan": 6, "ship": 5, "2-planning": 2},
}


def real(root: Path, path: str) -> tuple[tuple[HelpRow, ...], list[str]]:
    rows, said = read_help(read_tree(read_text(root, path)), "m")
    return rows, [one.code for one in said]


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", sorted(REAL))
def test_real_tables(version: str) -> None:
    bmm, core, bmm_rows, core_rows, bmm_mended, core_mended = REAL[version]
    root = source_root(version) / "src"
    rows, said = real(root, f"{bmm}/module-help.csv")
    more, more_said = real(root, f"{core}/module-help.csv")
    assert (len(rows), len(more)) == (bmm_rows, core_rows)
    assert (said, more_said) == (["BMC359"] * bmm_mended, ["BMC359"] * core_mended)
    assert [sum(row.repaired for row in each) for each in (rows, more)] == [bmm_mended, core_mended]
    assert all(row.phase and row.code and row.name for row in (*rows, *more))
    if version in PHASES:
        phases = [row.phase for row in (*rows, *more)]
        assert {phase: phases.count(phase) for phase in phases} == PHASES[version]


@pytest.mark.needs("bmad-releases")
def test_a_mended_table_says_what_the_next_release_says() -> None:
    """6.8 has the commas that 6.5 lacks: rows of the same words mean the same there."""
    tables = {}
    for version in ("6.5.0", "6.8.0"):
        root = source_root(version) / "src"
        rows = [row for name in ("bmm", "core") for row in real(root, f"{name}-skills/module-help.csv")[0]]
        tables[version] = {
            (row.workflow, row.code): (row.action, row.args, row.phase, row.required) for row in rows
        }
    same = tables["6.5.0"].keys() & tables["6.8.0"].keys()
    assert len(same) > 30
    assert {key: tables["6.5.0"][key] for key in same} == {key: tables["6.8.0"][key] for key in same}


@pytest.mark.needs("bmad-releases")
def test_tables_of_other_modules() -> None:
    rows, said = real(module_root("bmad-builder") / "src", "module-help.csv")
    assert ({row.workflow for row in rows}, said) == ({"bmad-agent-builder", "bmad-workflow-builder"}, [])
    rows, said = real(module_root("bmad-method-test-architecture-enterprise") / "src", "module-help.csv")
    assert ({row.phase for row in rows}, said) == ({"0-learning", "3-solutioning", "4-implementation"}, [])
