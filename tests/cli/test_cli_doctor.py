"""`bmadc doctor` as people and programs see it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.cli.doctor import folded, verdict
from bmadc.diagnostics import Diagnostic, Severity, Span
from support.hut import BROKEN, write_hut
from support.releases import UNSUPPORTED, installed_root, module_root, source_root

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide.md"

CLEAN = """\
release         unknown
form            source
dialects        E: skill folders with customize.toml
modules         hut: Hut keeping
units           1 agent, 2 workflows, 2 steps, 2 step files
files           8 files, 8 of them text; 0.0 % of it read by the fallback only
no owner        hut-stove

hut-stove/SKILL.md: note[BMC363]: no agent offers hut-stove
  |
  = why: It runs without a persona unless one is chosen for it.
  = do:  Nothing, or name it in the menu of an agent.

nothing to mend, 1 note
"""


@pytest.fixture(autouse=True)
def _in_the_hut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_hut(tmp_path / "hut"))


def run(*arguments: str) -> Result:
    shown = CliRunner().invoke(cli, ["doctor", *arguments], prog_name="bmadc")
    assert shown.stderr == ""
    return shown


def test_a_module_by_itself_with_nothing_to_mend() -> None:
    shown = run()
    assert (shown.exit_code, shown.output) == (0, CLEAN)


def test_something_to_mend() -> None:
    write_hut(Path(), BROKEN)
    shown = run()
    assert shown.exit_code == 1
    assert (
        """\
hut-stove/SKILL.md:3:27: warning[BMC315]: this is not YAML: while parsing a block mapping did not find \
expected key
  |
3 | description: 'the keeper\\'s stove'
  |                           ^
"""
        in shown.output
    )
    assert shown.output.endswith("0 errors, 1 warning, 1 note\n")
    assert f"```console\n$ bmadc doctor\n{shown.output}```\n" in PAGE.read_text(encoding="utf-8")
    assert shown.output.index("BMC315") < shown.output.index("BMC363")


def test_for_programs() -> None:
    write_hut(Path(), {**BROKEN, "hut-sweep/lost.md": "# Lost\n"})
    shown = run("--json")
    assert shown.exit_code == 1
    document = json.loads(shown.output)
    diagnostics = document.pop("diagnostics")
    assert document == {
        "format": 1,
        "readable": True,
        "release": "",
        "release_from": "",
        "form": "source",
        "dialects": ["E"],
        "modules": [{"code": "hut", "name": "Hut keeping", "version": "", "folder": ""}],
        "counts": {
            "agents": 1,
            "workflows": 2,
            "steps": 2,
            "step_files": 2,
            "files": 9,
            "text_files": 9,
            "characters": document["counts"]["characters"],
            "fallback": document["counts"]["fallback"],
        },
        "fallback_percent": document["fallback_percent"],
        "owners": {"none": ["hut-stove"], "several": {}},
        "orphans": document["orphans"],
        "shims": [],
        "overlays": [],
    }
    assert 0 < document["fallback_percent"] < 10
    assert [one["path"] for one in document["orphans"]] == ["hut-sweep/lost.md"]
    assert document["orphans"][0]["reason"]
    assert [one["code"] for one in diagnostics if one["severity"] == "warning"] == ["BMC315"]
    assert run("--format", "json").output == shown.output


def test_an_orphan_is_named_with_its_reason() -> None:
    write_hut(Path(), {"hut-sweep/lost.md": "# Lost\n"})
    assert "\norphans         hut-sweep/lost.md (" in run().output


def test_as_workflow_commands_and_sarif() -> None:
    write_hut(Path(), BROKEN)
    github = run("--format", "github")
    assert github.exit_code == 1
    assert github.output.startswith("::warning file=hut-stove/SKILL.md,line=3,")
    assert json.loads(run("--format", "sarif").output)["runs"][0]["results"]


@pytest.mark.parametrize("format_", ["text", "json"])
def test_nothing_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format_: str) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    shown = run("--format", format_)
    assert shown.exit_code == 2
    if format_ == "text":
        assert shown.output.endswith("\ncannot be read\n")
    else:
        document = json.loads(shown.output)
        assert (document["readable"], sorted(document)) == (False, ["diagnostics", "format", "readable"])
        assert [one["severity"] for one in document["diagnostics"]] == ["error"]


def said(line: int, message: str = "odd", severity: Severity = "warning") -> Diagnostic:
    return Diagnostic(code="BMC319", severity=severity, message=message, span=Span.point("a.csv", line, 1))


def test_the_same_about_one_file_is_said_once_with_all_lines() -> None:
    first, other, second = folded(
        (
            said(2),
            said(3),
            said(4, "other"),
            said(9),
            Diagnostic(code="BMC319", severity="warning", message="odd", span=Span.point("b.csv", 1, 1)),
        )
    )
    assert (first.span, first.detail) == (Span.point("a.csv", 2, 1), "the same in lines 3, 9")
    assert (other.message, other.detail) == ("other", "")
    assert second.span == Span.point("b.csv", 1, 1)


@pytest.mark.parametrize(
    ("severities", "line"),
    [
        ((), "nothing to mend"),
        (("note", "note"), "nothing to mend, 2 notes"),
        (("error", "note"), "1 error, 0 warnings, 1 note"),
    ],
)
def test_the_verdict(severities: tuple[Severity, ...], line: str) -> None:
    assert verdict(tuple(said(1, severity=one) for one in severities)) == line


@pytest.mark.needs("bmad-releases")
def test_a_release_names_itself() -> None:
    shown = run("--root", str(source_root("6.0.4")))
    assert shown.exit_code == 1
    assert shown.output.startswith("release         6.0.4, from package.json\nform            source\n")
    assert "\nunits           10 agents, 34 workflows, " in shown.output
    assert "  | the same in lines 3, 4, 5, 6, 7\n" in shown.output


@pytest.mark.needs("bmad-installed")
def test_an_installation_names_its_manifest() -> None:
    document = json.loads(run("--root", str(installed_root("6.12.0")), "--json").output)
    assert (document["release"], document["form"]) == ("6.12.0", "installed")
    assert document["release_from"] == "_bmad/_config/manifest.yaml"
    assert document["dialects"] == ["E", "E2"]
    assert (document["counts"]["agents"], document["counts"]["workflows"]) == (5, 24)


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("name", ["bmad-builder", "bmad-method-test-architecture-enterprise"])
def test_a_module_from_npm_by_itself(name: str) -> None:
    shown = run("--root", str(module_root(name)))
    assert shown.exit_code in (0, 1)
    assert " workflows, " in shown.output


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", [archive.version for archive in UNSUPPORTED])
def test_a_release_that_is_not_supported(version: str) -> None:
    shown = run("--root", str(source_root(version)))
    assert shown.exit_code == 2
    assert version in shown.output
    assert "not supported" in shown.output
    assert f'"version": "{version}"' in shown.output
