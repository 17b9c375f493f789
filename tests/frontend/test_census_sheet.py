"""The census against the project's reference sheet on BMAD's dialects, release by release.

The sheet was written before the census and by other means. Where both count the same thing they agree, or
the difference is in DIFFERENCES with its reason. The numbers compared are the committed ones; that they are
those of the releases is the business of tests/census.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from census.census import expected
from support.releases import SOURCE

COUNTED = expected()
VERSIONS = SOURCE

# (what, version) -> (sheet, census)
DIFFERENCES: dict[tuple[str, str], tuple[object, object]] = {
    # The sheet counts a mention of the tag inside a comment of the spec template.
    ("tag frozen-after-approval", "6.12.0"): (2, 1),
    # The sheet's pattern for front matter took six of the ten empty blocks for full ones.
    ("step files without front matter", "6.2.0"): (85, 91),
    # The sheet counts the header as a row here (elsewhere it does not).
    ("rows of bmm-skills/module-help.csv", "6.3.0"): (33, 32),
    ("rows of bmm-skills/module-help.csv", "6.5.0"): (33, 32),
    ("rows of core-skills/module-help.csv", "6.3.0"): (12, 11),
    ("rows of core-skills/module-help.csv", "6.5.0"): (13, 12),
    # One item was added to this checklist, which the sheet does not say.
    ("boxes in the checklist of sprint-planning", "6.10.0"): (7, 8),
    # The tables grew, which the sheet does not say.
    ("rows of methods.csv", "6.8.0"): (50, 69),
    ("rows of methods.csv", "6.10.0"): (50, 71),
    ("rows of methods.csv", "6.11.0"): (50, 71),
    ("rows of methods.csv", "6.12.0"): (50, 71),
    ("rows of brain-methods.csv", "6.10.0"): (61, 108),
    ("rows of brain-methods.csv", "6.11.0"): (61, 108),
    ("rows of brain-methods.csv", "6.12.0"): (61, 108),
    # The sheet calls its menu counts approximate. From 6.5.0 on it has three lines more: they are comments in
    # customize.toml, which is no step text. In 6.0.4 it has one line of the placeholders [X] and [Y] less. In
    # 6.2.0 it has two more, of the four in fences, which the census lists apart.
    ("menu lines", "6.0.4"): (39, 40),
    ("menu lines", "6.2.0"): (42, 40),
    ("menu lines", "6.5.0"): (33, 30),
    ("menu lines", "6.8.0"): (18, 15),
    ("menu lines", "6.12.0"): (8, 5),
    ("menu shapes", "6.2.0"): (17, 15),
    ("menu shapes", "6.5.0"): (15, 12),
    ("menu shapes", "6.8.0"): (13, 10),
    ("menu shapes", "6.12.0"): (7, 4),
}

# What is compared, in which release, what the sheet says, what the census says.
Compared = tuple[str, str, object, object]


def of(version: str) -> dict[str, Any]:
    counted: dict[str, Any] = COUNTED[f"bmad-method-{version}"]
    return counted


def row(what: str, sheet: str, census: dict[str, int]) -> Iterator[Compared]:
    """A row of the sheet that has a column for each release."""
    for version, number in zip(VERSIONS, sheet.split(), strict=True):
        yield what, version, int(number), census[version]


# The sheet gives no number of units for 6.0.1, 6.1.0 and 6.11.0; theirs follow from its list of changes.
AGENTS = "10 10 10 10 9 6 6 6 6 5 5"
WORKFLOWS = "33 33 34 34 36 35 36 38 40 44 45"


def units() -> Iterator[Compared]:
    yield from row("agents", AGENTS, {version: len(of(version)["agents"]) for version in VERSIONS})
    yield from row("workflows", WORKFLOWS, {version: len(of(version)["workflows"]) for version in VERSIONS})


# agent.yaml, workflow.yaml, .xml, SKILL.md, *workflow.md, skill manifest, customize.toml; Beta.5 is not there
STRUCTURE = {
    "6.0.1": "10 9 10 0 10 0 0",
    "6.0.4": "10 9 11 0 10 0 0",
    "6.1.0": "10 0 0 10 30 33 0",
    "6.2.0": "9 0 0 36 36 38 0",
    "6.3.0": "0 0 0 41 24 6 0",
    "6.5.0": "0 0 0 42 3 0 30",
    "6.8.0": "0 0 0 44 3 0 33",
    "6.10.0": "0 0 0 46 2 0 37",
    "6.11.0": "0 0 0 49 2 0 35",
    "6.12.0": "0 0 0 50 2 0 35",
}
STRUCTURE_COLUMNS = (
    ".agent.yaml",
    "workflow.yaml",
    ".xml",
    "SKILL.md",
    "workflow.md",
    "bmad-skill-manifest.yaml",
    "customize.toml",
)


def structure() -> Iterator[Compared]:
    for version, row in STRUCTURE.items():
        found = of(version)["structure"]
        yield ("structure", version, row, " ".join(str(found[column]) for column in STRUCTURE_COLUMNS))


STEP_FILES = "115 117 117 122 146 112 112 63 50 23 23"
STEP_FILES_WITHOUT_FRONT_MATTER = "56 56 56 56 85 80 80 50 34 18 18"
RESEARCH = {"domain-steps": 6, "market-steps": 6, "technical-steps": 6}
STEP_FOLDERS = {
    "6.0.0-Beta.5": {"steps": 65, "steps-c": 13, "steps-e": 5, "steps-v": 14, **RESEARCH},
    "6.0.1": {"steps": 65, "steps-c": 15, "steps-e": 5, "steps-v": 14, **RESEARCH},
    "6.0.4": {"steps": 65, "steps-c": 15, "steps-e": 5, "steps-v": 14, **RESEARCH},
    "6.1.0": {"steps": 70, "steps-c": 15, "steps-e": 5, "steps-v": 14, **RESEARCH},
    "6.2.0": {"steps": 80, "steps-c": 15, "steps-e": 5, "steps-v": 28, **RESEARCH},
    "6.10.0": {"root": 15, "steps": 23, "domain-steps": 6, "technical-steps": 6},
    "6.11.0": {"root": 15, "steps": 8},
    "6.12.0": {"root": 15, "steps": 8},
}


def step_files() -> Iterator[Compared]:
    found = {version: of(version)["step_files"] for version in VERSIONS}
    yield from row("step files", STEP_FILES, {version: each["total"] for version, each in found.items()})
    without = {v: each["without_front_matter"] + each["with_empty_front_matter"] for v, each in found.items()}
    yield from row("step files without front matter", STEP_FILES_WITHOUT_FRONT_MATTER, without)
    for version, folders in STEP_FOLDERS.items():
        yield ("step folders", version, folders, found[version]["by_folder"])
    # 14 of validate-prd and 6 of market research are leftovers in 6.2.0; everything else belongs to a unit.
    outside = {version: each["total"] - each["in_units"] for version, each in found.items()}
    yield from row("step files outside units", "0 0 0 0 20 0 0 0 0 0 0", outside)


def empty_front_matter() -> Iterator[Compared]:
    empty = {version: of(version)["front_matter"]["empty"] for version in VERSIONS}
    yield from row("empty front matter", "0 0 0 1 11 3 3 3 4 4 4", empty)


# One column for each release.
TAGS = {
    "action": "983 982 990 856 802 802 811 816 821 336 339",
    "check": "180 172 172 156 142 142 142 145 145 62 62",
    "output": "118 110 110 108 102 102 102 102 102 40 40",
    "step": "113 111 114 77 72 72 72 72 72 22 22",
    "critical": "92 90 90 42 45 44 46 44 43 25 25",
    "template-output": "68 68 68 68 68 68 68 68 69 13 13",
    "ask": "30 28 28 24 23 23 23 23 23 8 6",
    "i": "160 160 169 0 0 0 0 0 0 0 0",
    "prompt": "26 26 26 26 26 26 26 26 26 26 26",
    "check-item": "26 26 26 26 26 26 26 26 26 26 26",
    "status": "26 26 26 26 26 26 26 26 26 26 26",
    "section": "6 6 6 6 6 6 6 6 6 6 6",
    "halt-condition": "2 2 2 2 2 2 2 2 2 2 2",
    "guideline": "17 17 17 17 17 17 17 17 17 0 0",
    "note": "14 14 14 8 8 8 8 8 8 6 6",
    "input": "11 11 13 0 0 0 0 0 0 0 0",
    "mandate": "11 11 12 0 0 0 0 0 0 0 0",
    "substep": "10 10 10 0 0 0 0 0 0 0 0",
    "workflow": "10 10 10 10 9 9 9 9 9 3 3",
    "llm": "8 8 9 0 0 0 0 0 0 0 0",
    "condition": "8 8 9 0 0 0 0 0 0 0 0",
    "flow": "8 8 9 0 0 0 0 0 0 0 0",
    "task": "7 7 8 0 0 0 0 0 0 0 0",
    "goto": "8 8 8 8 8 8 8 8 8 8 8",
    "anchor": "1 1 1 1 1 1 1 1 1 1 1",
    "param": "7 0 0 0 0 0 0 0 0 0 0",
    "objective": "6 6 7 0 0 0 0 0 0 0 0",
    "halt-conditions": "5 5 6 0 0 0 0 0 0 0 0",
    "case": "6 6 6 0 0 0 0 0 0 0 0",
    "model": "5 5 5 0 0 0 0 0 0 0 0",
    "if": "5 5 5 0 0 0 0 0 0 0 0",
    "invoke-protocol": "5 5 5 0 0 0 0 0 0 0 0",
    "invoke-workflow": "3 0 0 0 0 0 0 0 0 0 0",
    "invoke-task": "2 2 2 0 0 0 0 0 0 0 0",
    "desc": "4 4 4 0 0 0 0 0 0 0 0",
    "inputs": "3 3 4 0 0 0 0 0 0 0 0",
    "example": "4 4 4 0 0 0 0 0 0 0 0",
    "output-format": "3 3 4 0 0 0 0 0 0 0 0",
    "phase": "4 4 4 0 0 0 0 0 0 0 0",
    "rule": "3 3 3 0 0 0 0 0 0 0 0",
    "strategy": "3 3 3 0 0 0 0 0 0 0 0",
    "mode": "2 2 2 0 0 0 0 0 0 0 0",
    "iterate": "2 2 2 0 0 0 0 0 0 0 0",
    "tag": "23 23 23 0 0 0 0 0 0 0 0",
    "reference": "0 0 0 0 0 0 0 0 0 3 6",
    "frozen-after-approval": "0 0 0 1 1 1 1 1 1 1 2",
    "intent-contract": "0 0 0 0 0 0 0 0 1 1 1",
    "facilitation-guidelines": "1 1 1 1 1 1 1 1 1 0 0",
    "execution-notes": "1 1 1 1 1 1 1 1 1 1 1",
    "checklist": "1 1 1 1 1 1 1 1 1 1 1",
}


def tags() -> Iterator[Compared]:
    for tag in TAGS:
        yield from row(
            f"tag {tag}", TAGS[tag], {version: of(version)["tags"].get(tag, 0) for version in VERSIONS}
        )


def test_the_tag_counted_in_a_comment_is_the_one_that_the_sheet_has_more() -> None:
    commented = {version: of(version)["tags_in_comments"] for version in VERSIONS}
    assert {version: tags for version, tags in commented.items() if tags} == {
        "6.12.0": {"frozen-after-approval": 1}
    }


# The most uses of each attribute in any release; a tag that is not here has none.
ATTRIBUTES = {
    "action": "if 69",
    "check": "if 171",
    "step": "n 114, goal 81, tag 3, if 15, title 35, critical 4",
    "template-output": "file 13",
    "ask": "if 1",
    "i": "critical 4",
    "check-item": "id 26",
    "section": "n 6, title 6",
    "input": "name 13, required 11, desc 13, default 2",
    "substep": "n 10, title 10, if 1",
    "llm": "critical 8, final 1",
    "task": "id 8, name 8, description 7, standalone 7, webskip 2, methods 1, agent-party 1, internal 1",
    "goto": "step 5, anchor 3",
    "anchor": "id 1",
    "halt-conditions": "critical 2",
    "case": "n 6",
    "model": "name 5, applicability 5",
    "if": "tag 1, response 4",
    "invoke-protocol": "name 5",
    "invoke-workflow": "path 3",
    "example": "title 1",
    "phase": "n 4",
    "rule": "n 3",
    "strategy": "name 3",
    "mode": "name 2",
    "reference": "path 6",
    "frozen-after-approval": "reason 1",
}


def attributes() -> Iterator[Compared]:
    for tag in TAGS:
        most: Counter[str] = Counter()
        for version in VERSIONS:
            most |= Counter(of(version)["attributes"].get(tag, {}))
        sheet = dict(each.split() for each in ATTRIBUTES[tag].split(", ")) if tag in ATTRIBUTES else {}
        yield (f"attributes of {tag}", "all", {key: int(number) for key, number in sheet.items()}, dict(most))


def gotos() -> Iterator[Compared]:
    for version in VERSIONS:
        yield ("gotos", version, {"step": 5, "anchor": 3, "resolved": 8}, of(version)["gotos"])


OLD = VERSIONS[:9]
# Workflow -> boxes in its checklist, and the releases that ship it.
CHECKLISTS = {
    "document-project": (149, OLD),
    "dev-story": (26, VERSIONS),
    "code-review": (19, VERSIONS[:4]),
    "sprint-planning": (7, OLD),
}


def checklists() -> Iterator[Compared]:
    for workflow, (number, versions) in CHECKLISTS.items():
        for version in VERSIONS:
            found = of(version)["boxes"]["in_checklists"]
            folders = Counter({path.split("/")[-2].removeprefix("bmad-"): n for path, n in found.items()})
            sheet = number if version in versions else 0
            yield (f"boxes in the checklist of {workflow}", version, sheet, folders[workflow])


def boxes() -> Iterator[Compared]:
    for version, done, opened in (("6.0.4", 19, 286), ("6.12.0", 3, 44)):
        yield ("boxes", version, (opened, done), (of(version)["boxes"]["open"], of(version)["boxes"]["done"]))
    for version in VERSIONS:
        yield ("check items", version, 26, of(version)["boxes"]["check_items"])
        qa = [
            n for path, n in of(version)["boxes"]["in_checklists"].items() if "e2e" in path or "/qa/" in path
        ]
        yield ("boxes in the checklist of qa", version, [13], qa)


MENU_ITEMS = {
    "6.0.0-Beta.5": {"exec": 12, "workflow": 12, "action": 7},
    "6.0.1": {"exec": 14, "workflow": 12, "action": 7},
    "6.0.4": {"exec": 14, "workflow": 12, "action": 7},
    "6.1.0": {"exec": 27, "action": 7},
    "6.2.0": {"exec": 27, "action": 5},
    "6.3.0": {"skill": 24, "prompt": 4},
    "6.5.0": {"skill": 24, "prompt": 4},
    "6.8.0": {"skill": 23, "prompt": 4},
    "6.10.0": {"skill": 22, "prompt": 4},
    "6.11.0": {"skill": 16, "prompt": 6},
    "6.12.0": {"skill": 16, "prompt": 6},
}
_YAML_MENUS = {
    "analyst": "BP MR DR TR CB DP",
    "architect": "CA IR",
    "bmad-master": "LT LW",
    "dev": "DS CR",
    "pm": "CP VP EP CE IR CC",
    "qa": "QA",
    "quick-flow-solo-dev": "QS QD CR",
    "sm": "SP CS ER CC",
    "tech-writer": "DP WD US MG VD EC",
    "ux-designer": "CU",
}
_SKILL_MENUS = {
    "bmad-agent-analyst": "BP MR DR TR CB WB DP",
    "bmad-agent-architect": "CA IR",
    "bmad-agent-dev": "DS QD QA CR SP CS ER",
    "bmad-agent-pm": "CP VP EP CE IR CC",
    "bmad-agent-tech-writer": "DP WD MG VD EC",
    "bmad-agent-ux-designer": "CU",
}
_PRD_MENUS = _SKILL_MENUS | {"bmad-agent-pm": "PRD CE IR CC"}
_LAST_MENUS = {
    "bmad-agent-analyst": "BP MR DR TR TS CR UV CB WB PC",
    "bmad-agent-architect": "CA IR",
    "bmad-agent-dev": "BD QA CR SP ER",
    "bmad-agent-pm": "PRD CE IR CC",
    "bmad-agent-ux-designer": "CU",
}


def _without(menus: dict[str, str], agent: str) -> dict[str, str]:
    return {name: codes for name, codes in menus.items() if name != agent}


_QUICK = _YAML_MENUS | {"quick-flow-solo-dev": "QS QD QQ CR"}
MENUS = {
    "6.0.0-Beta.5": _without(_YAML_MENUS, "qa") | {"analyst": "BP RS CB DP", "quinn": "qa"},
    "6.0.1": _YAML_MENUS,
    "6.0.4": _YAML_MENUS,
    "6.1.0": _QUICK,
    "6.2.0": _without(_QUICK, "bmad-master"),
    "6.3.0": _SKILL_MENUS,
    "6.5.0": _SKILL_MENUS,
    "6.8.0": _PRD_MENUS | {"bmad-agent-dev": "DS QD QA CR SP CS ER IN"},
    "6.10.0": _PRD_MENUS,
    "6.11.0": _LAST_MENUS,
    "6.12.0": _LAST_MENUS,
}


def menus_of_agents() -> Iterator[Compared]:
    for version in VERSIONS:
        yield ("menu items", version, MENU_ITEMS[version], of(version)["menu_items"])
        yield ("menus", version, MENUS[version], of(version)["agents"])


# version -> file -> columns, rows where the sheet gives them, rows of another width
HELP: dict[str, dict[str, tuple[int, int | None, int]]] = {
    "6.0.1": {"bmm/module-help.csv": (14, None, 0), "core/module-help.csv": (13, None, 2)},
    "6.0.4": {"bmm/module-help.csv": (14, None, 0), "core/module-help.csv": (13, None, 2)},
    "6.2.0": {"bmm/module-help.csv": (14, None, 0), "core/module-help.csv": (13, None, 2)},
    "6.3.0": {"bmm-skills/module-help.csv": (13, 33, 20), "core-skills/module-help.csv": (13, 12, 10)},
    "6.5.0": {"bmm-skills/module-help.csv": (13, 33, 20), "core-skills/module-help.csv": (13, 13, 11)},
    "6.8.0": {"bmm-skills/module-help.csv": (13, 31, 1), "core-skills/module-help.csv": (13, None, 0)},
    "6.12.0": {"bmm-skills/module-help.csv": (13, None, 0), "core-skills/module-help.csv": (13, None, 0)},
}


def help_tables() -> Iterator[Compared]:
    for version in HELP:
        for name, (columns, rows, odd) in HELP[version].items():
            found = of(version)["csv"][name]
            yield (f"columns of {name}", version, columns, found["columns"])
            yield (f"odd rows of {name}", version, odd, found["rows_of_other_width"])
            if rows is not None:
                yield (f"rows of {name}", version, rows, found["rows"])


def phases_of_the_help_tables() -> Iterator[Compared]:
    found = of("6.0.4")["csv"]
    rows = found["bmm/module-help.csv"]["rows"] + found["core/module-help.csv"]["rows"]
    yield ("rows with a phase", "6.0.4", 19 + 5 + 4 + 3 + 8, rows)


def data_tables() -> Iterator[Compared]:
    for version in VERSIONS:
        for path, found in of(version)["csv"].items():
            name = path.split("/")[-1]
            shape = (found["columns"], found["rows"], found["rows_of_other_width"])
            if name in {"methods.csv", "brain-methods.csv"}:
                yield (f"rows of {name}", version, 50 if name == "methods.csv" else 61, found["rows"])
            elif name == "documentation-requirements.csv":
                yield (f"shape of {name}", version, (24, 11, 1), shape)
            elif name == "project-types.csv" and "create-architecture" in path:
                yield (f"shape of {path}", version, (4, 6, 6), shape)
            elif name == "project-types.csv":
                yield (f"shape of {path}", version, (7, 10, 0), shape)


# Lines with two or more options, their shapes, lines of elicit/party/continue, of back/continue, and files
# that have elicit/party/continue one below the other.
MENU_LINES = {
    "6.0.4": (39, 16, 21, 4, 19),
    "6.2.0": (42, 17, 22, 4, 19),
    "6.5.0": (33, 15, 15, 4, 19),
    "6.8.0": (18, 13, 2, 4, 7),
    "6.12.0": (8, 7, 2, 0, 0),
}


def menus_in_text() -> Iterator[Compared]:
    for version in MENU_LINES:
        found = of(version)["menus_in_text"]
        shapes = Counter(found["lines"].values())
        below = sum({"A", "P", "C"} <= set(options.split()) for options in found["files"].values())
        census = (len(found["lines"]), len(shapes), shapes["A P C"], shapes["B C"], below)
        names = ("menu lines", "menu shapes", "lines of A P C", "lines of B C", "files of A P C")
        for name, sheet, counted in zip(names, MENU_LINES[version], census, strict=True):
            yield (name, version, sheet, counted)


TOPICS: tuple[Callable[[], Iterator[Compared]], ...] = (
    units,
    structure,
    step_files,
    empty_front_matter,
    tags,
    attributes,
    gotos,
    checklists,
    boxes,
    menus_of_agents,
    help_tables,
    phases_of_the_help_tables,
    data_tables,
    menus_in_text,
)


@pytest.mark.parametrize("topic", TOPICS)
def test_sheet_and_census_differ_only_where_listed(topic: Callable[[], Iterator[Compared]]) -> None:
    compared = list(topic())
    assert compared
    listed = {(what, version): DIFFERENCES.get((what, version)) for what, version, _, _ in compared}
    found = {(what, version): (sheet, census) for what, version, sheet, census in compared if sheet != census}
    assert found == {key: difference for key, difference in listed.items() if difference is not None}


def test_every_listed_difference_is_compared() -> None:
    assert set(DIFFERENCES) <= {(what, version) for topic in TOPICS for what, version, _, _ in topic()}


def test_the_modules_are_as_the_sheet_says() -> None:
    builder = COUNTED["bmad-builder-1.1.0"]
    assert (len(builder["agents"]), sorted(builder["workflows"])) == (
        0,
        ["bmad-agent-builder", "bmad-workflow-builder"],
    )
    assert builder["csv"]["module-help.csv"]["columns"] == 14
    architecture = COUNTED["bmad-method-test-architecture-enterprise-1.23.2"]
    assert architecture["step_files"]["total"] == architecture["step_files"]["in_units"] == 102
    assert (architecture["structure"]["SKILL.md"], architecture["structure"]["customize.toml"]) == (10, 10)
    assert list(architecture["agents"]) == ["bmad-tea"]
