"""`bmadc inspect` as people and programs see it."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.frontend.pack import read_pack
from bmadc.ir.packschema import schema
from bmadc.ir.serial import dump, from_json
from support.hut import HUT, write_hut
from support.releases import installed_root, source_root

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide.md"

WHOLE = """\
BMAD, release unknown, source form

1 agent
id                name  title       module  encoding         menu  files  bytes
hut-agent-keeper  Resi  Hut keeper  hut     skill-customize     1      2  363 B

2 workflows
id         phase  module  encoding  owners            steps  files  bytes
hut-stove  keep   hut     skill     -                     0      1   83 B
hut-sweep  keep   hut     skill     hut-agent-keeper      2      3  384 B
"""

SWEEP = """\
hut-sweep  workflow, hut, keep, skill
  Sweep the floor of the hut

  origin      hut-sweep/SKILL.md:1
  owners      hut-agent-keeper, by menu SW, hut-agent-keeper/customize.toml:10

  steps (2)
    01  Look around
        steps/step-01-look.md:1 · 1 menu, 2 boxes, 1 file to read
    02  Sweep
        steps/step-02-sweep.md:1 · 2 actions, 1 check

  files (3)
    role   bytes  path
    entry  106 B  hut-sweep/SKILL.md
    step   113 B  hut-sweep/steps/step-01-look.md
    step   165 B  hut-sweep/steps/step-02-sweep.md

  help (1)
    SW    Sweep: keep, required, module-help.csv:2
"""

KEEPER = """\
hut-agent-keeper  agent, hut, skill-customize

  origin      hut-agent-keeper/SKILL.md
  who         Resi, Hut keeper
  role        Keeps the hut
  identity    Forty summers above the trees
  speaks      Short

  principles (2)
    - Wood first
    - No guest leaves cold

  menu (1)
    code  kind   leads to   description
    SW    skill  hut-sweep  Sweep

  owns (1)
    hut-sweep

  files (2)
    bytes  path
     88 B  hut-agent-keeper/SKILL.md
    275 B  hut-agent-keeper/customize.toml
"""


@pytest.fixture(autouse=True)
def _in_the_hut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_hut(tmp_path / "hut"))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["inspect", *arguments], prog_name="bmadc")


def on_a_terminal(columns: int, *arguments: str, **environment: str) -> str:
    """Run bmadc on a pseudo-terminal of that many columns and return what it shows."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "bmadc", *arguments],
        stdout=follower,
        env={**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "NO_COLOR": "", **environment},
    ) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        assert process.wait() == 0
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")


def test_the_tables() -> None:
    shown = run()
    assert (shown.exit_code, shown.output) == (0, WHOLE)


def test_one_workflow() -> None:
    shown = run("hut-sweep")
    assert (shown.exit_code, shown.output) == (0, SWEEP)


def test_the_example_of_the_page_is_what_is_printed() -> None:
    assert f"```console\n$ bmadc inspect hut-sweep\n{SWEEP}```\n" in PAGE.read_text(encoding="utf-8")


def test_one_agent() -> None:
    shown = run("hut-agent-keeper")
    assert (shown.exit_code, shown.output) == (0, KEEPER)


def test_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("--root", "hut").output == WHOLE


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("hut-swep", "Error: no workflow or agent is named 'hut-swep'. Perhaps: hut-sweep, hut-stove.\n"),
        ("xyz", "Error: no workflow or agent is named 'xyz'. `bmadc inspect` without an ID lists all.\n"),
    ],
)
def test_an_unknown_id(name: str, said: str) -> None:
    shown = run(name)
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert shown.stderr.endswith(said)


def test_the_json_is_the_pack() -> None:
    shown = run("--json")
    assert shown.exit_code == 0
    document = json.loads(shown.output)
    jsonschema.validate(document, schema())
    assert from_json(document) == read_pack(Path())
    assert shown.output == dump(read_pack(Path()))
    assert [one["id"] for one in document["workflows"]] == ["hut-stove", "hut-sweep"]


def test_the_json_of_one_unit() -> None:
    document = json.loads(run("hut-sweep", "--json").output)
    jsonschema.validate(document, schema())
    assert [one["id"] for one in document["workflows"]] == ["hut-sweep"]
    assert document["agents"] == []
    assert {tree["path"] for tree in document["trees"]} == {
        path for path in HUT if path.startswith("hut-sweep/")
    }
    assert document["facts"]


def test_nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    shown = run()
    assert shown.exit_code == 2
    assert "error[BMC" in shown.output
    assert shown.output.endswith("nothing to inspect\n")
    document = json.loads(run("--json").output)
    assert [one["severity"] for one in document["diagnostics"]] == ["error"]
    assert run("--root", "gone").exit_code == 2


def test_words_in_a_table_cannot_steer_the_terminal() -> None:
    path = Path("hut-agent-keeper/customize.toml")
    path.write_text(path.read_text(encoding="utf-8").replace("Resi", "Re\\u001b[2Jsi"), encoding="utf-8")
    shown = run().output
    assert "\x1b" not in shown
    assert "Re\\x1b[2Jsi" in shown


def test_words_of_others_cannot_steer_the_terminal() -> None:
    path = Path("hut-stove/SKILL.md")
    path.write_text(path.read_text(encoding="utf-8").replace("Light", "\x1b[2JLight"), encoding="utf-8")
    shown = run("hut-stove").output
    assert "\x1b" not in shown
    assert "Light" in shown


def test_personal_settings_count_only_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def seen(root: Path, *, personal: bool) -> object:
        asked.append((root, personal))
        return read_pack(root, personal=personal)

    monkeypatch.setattr("bmadc.frontend.pack.read_pack", seen)
    run()
    run("--personal", "--root", ".")
    assert asked == [(Path(), False), (Path(), True)]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("bmadc inspect hut-s", "plain,hut-stove\nplain,hut-sweep\n"),
        ("bmadc inspect --root ../hut hut-sw", "plain,hut-sweep\n"),
        ("bmadc inspect --root gone hut-s", "\n"),
        ("bmadc inspect --root ", "dir,\n"),
    ],
)
def test_completion(words: str, offered: str) -> None:
    asked = subprocess.run(
        [sys.executable, "-m", "bmadc"],
        env={
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split(" ")) - 1),
            "_BMADC_COMPLETE": "bash_complete",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert (asked.stdout, asked.stderr) == (offered, "")


def test_a_narrow_terminal_leaves_columns_out_and_says_so() -> None:
    shown = on_a_terminal(70, "inspect", NO_COLOR="1")
    assert all(len(line) <= 70 for line in shown.split("\n"))
    assert "without encoding: the terminal is narrow" in shown
    assert "\x1b" not in shown
    assert "hut-agent-keeper" in shown


def test_a_wide_terminal_shows_all_in_colour() -> None:
    shown = on_a_terminal(120, "inspect")
    assert "\x1b[1m" in shown
    assert "skill-customize" in shown
    assert "narrow" not in shown


def test_paragraphs_are_wrapped_to_the_terminal() -> None:
    shown = on_a_terminal(60, "inspect", "hut-sweep", NO_COLOR="1")
    assert (
        "  owners      hut-agent-keeper, by menu SW,\n              hut-agent-keeper/customize.toml:10\n"
        in shown
    )


@pytest.mark.needs("bmad-releases")
def test_a_real_workflow_with_its_steps() -> None:
    shown = run("dev-story", "--root", str(source_root("6.0.4"))).output
    assert "\n  steps (10)\n" in shown
    assert "instructions.xml:15 · 33 actions, 14 checks, 4 questions, 2 menus, 3 outputs, 4 gotos\n" in shown
    assert "\n  owners      dev, by menu DS, src/bmm/agents/dev.agent.yaml:32\n" in shown


@pytest.mark.needs("bmad-installed")
def test_an_old_id_finds_what_it_has_become() -> None:
    root = str(installed_root("6.12.0"))
    shown = run("create-prd", "--root", root).output
    assert shown.startswith("bmad-prd  workflow, bmm, ")
    assert "  create-prd is another name of it.\n" in shown
    several = run("bmad-review-x", "--root", root)
    assert several.exit_code == 2


@pytest.mark.needs("bmad-releases")
def test_an_id_that_became_several_is_not_guessed() -> None:
    shown = run("research", "--root", str(source_root("6.0.4")))
    assert shown.exit_code == 2
    assert "Perhaps: domain-research, market-research, technical-research." in shown.stderr


@pytest.mark.needs("bmad-releases")
def test_a_shim_says_where_it_leads() -> None:
    shown = run("bmad-edit-prd", "--root", str(source_root("6.12.0"))).output
    assert "\n  shim        forwarder, leads to bmad-prd" in shown
