"""`bmadc coverage`: the ledger in numbers and entries, and emitted files against their source."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.frontend.pack import read_pack
from bmadc.ir.ledger import STATES
from bmadc.ledger.detector import Hit
from bmadc.passes.lower import lower_all
from support.deletions import emitted
from support.hut import write_hut
from support.releases import source_root


@pytest.fixture(autouse=True)
def _in_the_hut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_hut(tmp_path / "hut"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    for id_, lowered in lower_all(read_pack(Path()))[0].items():
        if lowered.parts:
            (folder / f"bmad-{id_}.md").write_text(
                f"---\non: push\n---\n\n{emitted(lowered)}", encoding="utf-8"
            )
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["coverage", *arguments], prog_name="bmadc")


def test_the_table_has_a_row_for_each_and_one_for_all() -> None:
    shown = run().stdout.split("\n")
    assert shown[0].split() == ["workflow", "units", *STATES, "unexplained"]
    rows = {line.split()[0]: line.split()[1] for line in shown[1:5]}
    assert rows == {"hut-stove": "4", "hut-sweep": "16", "agent:hut-agent-keeper": "16", "all": "36"}


def test_one_workflow_lists_every_unit_with_its_place_and_rules() -> None:
    shown = run("hut-sweep").stdout
    assert "agent:" not in shown
    assert "\nhut-sweep/steps/step-01-look.md\n" in shown
    (line,) = (one for one in shown.split("\n") if "step-02-sweep.md`" in one)
    assert line.split()[:3] == ["8", "rewritten", "includes.step"]
    assert sum(one.split()[:1] in ([str(n)] for n in range(1, 9)) for one in shown.split("\n")) == 16


def test_the_json_has_numbers_and_entries() -> None:
    shown = run("hut-sweep", "--json")
    document = json.loads(shown.stdout)
    assert document["format"] == 1
    assert isinstance(document["unexplained"], int)
    assert shown.exit_code == (1 if document["unexplained"] else 0)
    assert document["totals"]["units"] == len(document["entries"]) == 16
    assert sum(document["totals"][state] for state in STATES) == 16
    assert document["unexplained"] == document["totals"]["unruled"] + len(document["talking"])
    entry = next(one for one in document["entries"] if one["before"].startswith("Then read"))
    assert (entry["path"], entry["line"]) == ("hut-sweep/steps/step-01-look.md", 8)
    assert (entry["state"], entry["rules"]) == ("rewritten", ["includes.step"])


def test_what_still_talks_to_a_person_is_unexplained_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(text: str) -> tuple[Hit, ...]:
        return (Hit("asks", 0, 8),) if text.startswith("Two logs") else ()

    monkeypatch.setattr("bmadc.ledger.honesty.dialogue", found)
    shown = run()
    assert shown.exit_code == 1
    assert json.loads(run("--json").stdout)["unexplained"] == 1
    assert json.loads(run("hut-sweep", "--json").stdout)["unexplained"] == 0
    assert "hut-stove/SKILL.md:8  this still asks: “Two logs”" in shown.stdout
    assert shown.stdout.endswith("1 unexplained: 0 without a rule, 1 still talking to a person\n")
    assert run("hut-sweep").exit_code == 0


def test_an_agent_has_its_ledger_too() -> None:
    assert "agent:hut-agent-keeper" in run("hut-agent-keeper").stdout


def test_an_unknown_id_gets_the_nearest() -> None:
    shown = run("hut-swep")
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert shown.stderr.endswith("no workflow is named 'hut-swep'. Perhaps: hut-sweep, hut-stove.\n")
    assert run("xyz").stderr.endswith("`bmadc coverage` without an ID lists all.\n")


def test_nothing_there(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    shown = run("--root", str(tmp_path / "empty"))
    assert shown.exit_code == 2
    assert shown.stdout.endswith("nothing to account for\n")


def test_against_says_that_all_is_there(out: Path) -> None:
    shown = run("--against", str(out))
    assert shown.exit_code == 0
    assert "hut-sweep  bmad-hut-sweep.md" in shown.stdout
    assert shown.stdout.endswith(", 0 missing\n")


def test_against_names_what_was_taken_out(out: Path) -> None:
    file = out / "bmad-hut-sweep.md"
    text = file.read_text(encoding="utf-8")
    assert "- [ ] door open\n" in text
    file.write_text(text.replace("- [ ] door open\n", ""), encoding="utf-8")
    shown = run("--against", str(out))
    assert shown.exit_code == 1
    assert "hut-sweep/steps/step-01-look.md:4  missing" in shown.stdout
    assert shown.stdout.endswith(", 1 missing\n")
    assert run("hut-stove", "--against", str(out)).exit_code == 0
    document = json.loads(run("--against", str(out), "--json").stdout)
    assert document["missing"] == 1
    (unit,) = (unit for one in document["workflows"] for unit in one["units"] if unit["verdict"] == "missing")
    assert (unit["path"], unit["line"]) == ("hut-sweep/steps/step-01-look.md", 4)


def test_against_compiles_nothing(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("the judge must not ask the passes")

    monkeypatch.setattr("bmadc.passes.lower.lower_all", never)
    assert run("--against", str(out)).exit_code == 0


def test_a_file_that_is_gone_is_missing_whole(out: Path) -> None:
    (out / "bmad-hut-sweep.md").unlink()
    shown = run("--against", str(out))
    assert shown.exit_code == 1
    assert "hut-sweep  none" in shown.stdout


def test_a_folder_with_nothing_of_ours(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x.md").write_text("# Other\n", encoding="utf-8")
    shown = run("--against", str(tmp_path / "other"))
    assert shown.exit_code == 2
    assert "name the folder that holds the emitted Markdown files" in shown.stderr
    assert run("--against", str(tmp_path / "gone")).exit_code == 2


@pytest.mark.needs("bmad-releases")
def test_a_real_release() -> None:
    document = json.loads(run("dev-story", "--root", str(source_root("6.0.4")), "--json").stdout)
    assert document["release"] == "6.0.4"
    assert document["totals"]["units"] > 400
    assert {one["workflow"] for one in document["entries"]} == {"dev-story"}
    assert document["totals"]["unruled"] == 0
