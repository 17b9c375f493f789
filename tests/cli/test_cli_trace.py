"""`bmadc trace`: from a line of the source to the output, and back."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.frontend.pack import read_pack
from bmadc.passes.lower import lower_all
from support.deletions import emitted
from support.hut import write_hut


@pytest.fixture(autouse=True)
def _in_the_hut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_hut(tmp_path / "hut"))


@pytest.fixture
def lines(tmp_path: Path) -> list[str]:
    text = "---\non: push\n---\n\n" + emitted(lower_all(read_pack(Path()))[0]["hut-sweep"])
    (tmp_path / "bmad-hut-sweep.md").write_text(text, encoding="utf-8")
    return text.split("\n")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["trace", *arguments], prog_name="bmadc")


def test_a_line_of_the_source_has_its_lines_in_the_output() -> None:
    shown = run("hut-sweep/steps/step-02-sweep.md:4", "--json")
    assert shown.exit_code == 0
    document = json.loads(shown.stdout)
    said = [unit for unit in document["units"] if unit["before"] == "Begin behind the stove"]
    assert [(unit["workflow"], unit["state"]) for unit in said] == [("hut-sweep", "kept")]
    (place,) = said[0]["output"]
    body = lower_all(read_pack(Path()))[0]["hut-sweep"].body.split("\n")
    assert place["part"] == "body"
    assert body[place["line"] - 1] == place["text"] == "1. Begin behind the stove"


def test_rules_come_with_reason() -> None:
    shown = run("hut-sweep/steps/step-01-look.md:8").stdout
    assert "  hut-sweep  rewritten\n" in shown
    assert (
        "    rule      includes.step: A step of this workflow is called by its number and title.\n" in shown
    )
    assert "Go on with Step 2 (Sweep)." in shown


def test_what_is_dropped_is_nowhere_and_says_why() -> None:
    shown = run("hut-agent-keeper/customize.toml:11").stdout
    assert "  agent:hut-agent-keeper  dropped\n" in shown
    assert "    rule      agents." in shown
    assert "    output    none\n" in shown


@pytest.mark.parametrize(
    "name", ["step-02-sweep.md", "steps/step-02-sweep.md", "../hut/hut-sweep/steps/step-02-sweep.md"]
)
def test_an_end_of_the_path_is_enough(name: str) -> None:
    assert run(f"{name}:4").stdout.startswith("hut-sweep/steps/step-02-sweep.md:4\n")


def test_several_files_with_that_end_are_named() -> None:
    shown = run("SKILL.md:1")
    assert shown.exit_code == 2
    assert "several files end in 'SKILL.md': hut-agent-keeper/SKILL.md, hut-stove/SKILL.md" in shown.stderr


def test_a_line_of_an_emitted_file_has_its_place_in_the_source(lines: list[str]) -> None:
    at = lines.index("Go on with Step 2 (Sweep).") + 1
    shown = run(f"../bmad-hut-sweep.md:{at}")
    assert shown.exit_code == 0
    assert "  from      hut-sweep/steps/step-01-look.md:8\n" in shown.stdout
    document = json.loads(run(f"../bmad-hut-sweep.md:{at}", "--json").stdout)
    assert document["origins"] == [{"path": "hut-sweep/steps/step-01-look.md", "line": 8}]
    assert document["units"][0]["rules"][0]["id"] == "includes.step"


def test_a_line_of_ours_comes_from_no_file(lines: list[str]) -> None:
    at = lines.index("## Instructions") + 1
    assert "bmadc itself" in run(f"../bmad-hut-sweep.md:{at}").stdout


def test_a_line_that_somebody_wrote_is_said_to_be_so(lines: list[str], tmp_path: Path) -> None:
    file = tmp_path / "bmad-hut-sweep.md"
    file.write_text(file.read_text(encoding="utf-8") + "Feed the cat.\n", encoding="utf-8")
    shown = run(f"../bmad-hut-sweep.md:{len(lines)}")
    assert shown.exit_code == 1
    assert "bmadc emits no such line from this tree" in shown.stdout


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("SKILL.md", "is no place in a file. Write FILE:LINE"),
        ("SKILL.md:x", "is no place in a file. Write FILE:LINE"),
        ("SKILL.md:0", "is no place in a file. Write FILE:LINE"),
        ("hut-stove/SKIL.md:1", "Perhaps: hut-stove/SKILL.md"),
        ("hut-stove/SKILL.md:99", "has no line 99: its last one is 9"),
        ("../hut/module-help.csv:99", "has no line 99"),
    ],
)
def test_places_that_are_not_there(place: str, said: str) -> None:
    shown = run(place)
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert said in shown.stderr


def test_a_line_without_a_unit() -> None:
    shown = run("hut-stove/SKILL.md:5")
    assert shown.exit_code == 1
    assert "Nothing on this line is a unit" in shown.stdout
