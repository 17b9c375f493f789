"""What it must show 2: the pack's counts are those of a program that shares nothing with the readers."""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from bmadc.frontend.facts import facts_of
from bmadc.frontend.steps import is_step_file
from bmadc.ir.model import Fact, Pack
from census.census import expected
from support.readings import module_pack, source_pack
from support.releases import MODULES, SOURCE

pytestmark = pytest.mark.needs("bmad-releases")

RELEASES = [f"bmad-method-{version}" for version in SOURCE]
EVERY = [*RELEASES, *(f"{module.name}-{module.archive.version}" for module in MODULES)]

# In Markdown, a name that could be a placeholder in prose is no tag; the census counts as the sheet does.
NOT_TAGS_IN_MARKDOWN = frozenset(("model", "file", "path", "name", "branch", "example", "i", "if", "rule"))


def pack(name: str) -> Pack:
    if name in RELEASES:
        return source_pack(name.removeprefix("bmad-method-"))
    return module_pack(next(one.name for one in MODULES if name.startswith(f"{one.name}-")))


def counted(name: str) -> dict[str, Any]:
    found: dict[str, Any] = expected()[name]
    return found


def below_src(path: str) -> str:
    return path.removeprefix("src/")


@pytest.mark.parametrize("name", EVERY)
def test_agents_and_their_menus(name: str) -> None:
    found = {agent.id: " ".join(item.code for item in agent.menu) for agent in pack(name).agents}
    assert found == counted(name)["agents"]
    assert (
        Counter(item.kind for agent in pack(name).agents for item in agent.menu)
        == counted(name)["menu_items"]
    )


@pytest.mark.parametrize("name", EVERY)
def test_workflows(name: str) -> None:
    assert sorted(workflow.id for workflow in pack(name).workflows) == sorted(counted(name)["workflows"])


@pytest.mark.parametrize("name", EVERY)
def test_step_files(name: str) -> None:
    steps = [path for path in pack(name).trees if is_step_file(path)]
    used = {step.origin.path for one in pack(name).workflows for step in one.steps if step.form == "file"}
    assert len(steps) == counted(name)["step_files"]["total"]
    assert len(used) == counted(name)["step_files"]["in_units"]


@pytest.mark.parametrize("name", EVERY)
def test_tags_by_kind(name: str) -> None:
    trees = [tree for tree in pack(name).trees.values() if tree.reader in ("markdown", "xml")]
    found = Counter(block.name for tree in trees for block in tree.blocks if block.kind == "tag")
    census = {tag: number for tag, number in counted(name)["tags"].items() if number}
    in_xml = Counter(
        block.name for tree in trees if tree.reader == "xml" for block in tree.blocks if block.kind == "tag"
    )
    differing = {
        tag: (found[tag], census.get(tag, 0))
        for tag in sorted({*found, *census})
        if found[tag] != census.get(tag, 0)
        and not (tag in NOT_TAGS_IN_MARKDOWN and found[tag] == in_xml[tag])
    }
    assert differing == {}


@pytest.mark.parametrize("name", EVERY)
def test_boxes_and_check_items(name: str) -> None:
    facts = Counter((fact.kind, fact.value) for fact in _all_facts(name) if _is_counted(name, fact))
    boxes = counted(name)["boxes"]
    assert facts["box", ""] == boxes["open_outside_fences"]
    assert facts["box", "x"] == boxes["done_outside_fences"]
    assert sum(number for (kind, _), number in facts.items() if kind == "check-item") == boxes["check_items"]


@pytest.mark.parametrize("name", EVERY)
def test_gotos_and_how_many_resolve(name: str) -> None:
    gotos = [fact for fact in _all_facts(name) if fact.kind == "goto"]
    found = Counter(fact.value.partition("=")[0] for fact in gotos)
    resolved = sum(1 for fact in gotos if fact.target)
    assert {"anchor": found["anchor"], "step": found["step"], "resolved": resolved} == counted(name)["gotos"]


@pytest.mark.parametrize("name", EVERY)
def test_rows_of_tables(name: str) -> None:
    trees = {below_src(path): tree for path, tree in pack(name).trees.items() if tree.reader == "csv"}
    found = {path: max(len(tree.rows) - 1, 0) for path, tree in trees.items()}
    assert found == {path: row["rows"] for path, row in counted(name)["csv"].items()}
    odd = {path: sum(one.code == "BMC319" for one in tree.diagnostics) for path, tree in trees.items()}
    assert odd == {path: row["rows_of_other_width"] for path, row in counted(name)["csv"].items()}


@pytest.mark.parametrize("name", EVERY)
def test_headings_and_fences(name: str) -> None:
    markdown = [tree for tree in pack(name).trees.values() if tree.reader == "markdown"]
    kinds = Counter(leaf.kind for tree in markdown for leaf in tree.leaves)
    census = counted(name)["markdown"]
    assert kinds["heading"] == census["headings"] + census["headings_indented"]
    assert (kinds["fence"] + 1) // 2 == census["fences"]


@pytest.mark.parametrize("name", EVERY)
def test_menus_in_step_text(name: str) -> None:
    """Differences are listed by file and line with a reason, at most ten per release."""
    found: set[str] = set()
    for path, tree in pack(name).trees.items():
        for fact in _facts_of(name, path):
            if fact.kind == "menu":
                first = tree.line(tree.leaves[fact.leaf])
                lines = tree.slice(tree.leaves[fact.leaf]).split("\n")
                codes = fact.value.split(",")
                found.update(
                    f"{below_src(path)}:{first + number}"
                    for number, line in enumerate(lines)
                    if all(f"[{code}]" in line for code in codes)
                )
    census = set(counted(name)["menus_in_text"]["lines"])
    differing = sorted(found ^ census)
    assert differing == sorted(DIFFERENT_MENUS.get(name, {})), f"only here {sorted(found - census)}"
    assert len(differing) <= 10


# File and line below src: why one program sees a menu there and the other does not.
_SAMPLE = "a sample of the output within a fence in an XML file: the letters stand for numbers"
DIFFERENT_MENUS: dict[str, dict[str, str]] = {
    f"bmad-method-{release}": {f"core/tasks/editorial-review-structure.xml:{line}": _SAMPLE for line in lines}
    for release, lines in {"6.0.0-Beta.5": (184, 197), "6.0.1": (184, 197), "6.0.4": (183, 196)}.items()
}


def _is_counted(name: str, fact: Fact) -> bool:
    """Whether the census counts it too: check-items, and boxes behind a bullet, not behind a number."""
    if fact.kind != "box":
        return fact.kind == "check-item"
    tree = pack(name).trees[fact.path]
    return not tree.slice(tree.leaves[fact.leaf])[0].isdigit()


@cache
def _facts_by_path(name: str) -> dict[str, list[Fact]]:
    # Of all files: those of no workflow are counted too.
    return {path: list(facts_of(tree)[0]) for path, tree in pack(name).trees.items()}


def _facts_of(name: str, path: str) -> list[Fact]:
    return _facts_by_path(name)[path]


def _all_facts(name: str) -> list[Fact]:
    return [fact for facts in _facts_by_path(name).values() for fact in facts]
