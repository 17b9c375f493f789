"""`bmadc verify` as people and programs see it."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from support.packs import GH_AW, document, stand_in, write_pack

WRONG = document("Wrong", "permisions: x\n")
ODD = document("Odd", "safe-outputs:\n  replace-label:\n")


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("BMADC_GH_AW", str(GH_AW))


def run(*arguments: str) -> Result:
    shown = CliRunner().invoke(cli, ["verify", *arguments], prog_name="bmadc")
    assert shown.stderr == ""
    return shown


@pytest.mark.needs("gh-aw")
def test_a_good_pack() -> None:
    write_pack(Path("workflows"), {"greet.md": document(), "sweep.yml": "on: push\n"})
    shown = run()
    assert (shown.exit_code, shown.output) == (
        0,
        "1 workflow, 1 plain, 0 errors, 0 warnings, gh-aw v0.89.10\n",
    )


@pytest.mark.needs("gh-aw")
def test_a_pack_with_an_error() -> None:
    write_pack(Path("workflows"), {"greet.md": document(), "wrong.md": WRONG})
    shown = run()
    assert shown.exit_code == 1
    assert (
        shown.output
        == """\
workflows/wrong.md:7:1: error[BMC211]: Unknown property: permisions. It belongs under 'on'
  |
7 | permisions: x
  | ^^^^^^^^^^
  |
  = nearest: permissions
  = why:     gh-aw makes no lock for this file, so GitHub cannot run it.

2 workflows, 1 error, 0 warnings, gh-aw v0.89.10
"""
    )


@pytest.mark.needs("gh-aw")
def test_a_pack_with_a_warning() -> None:
    write_pack(Path("pack"), {"odd.md": ODD})
    shown = run("pack")
    assert shown.exit_code == 1
    assert (
        shown.output
        == """\
pack/odd.md:8:3: warning[BMC212]: Using experimental feature: replace-label
  |
8 |   replace-label:
  |   ^^^^^^^^^^^^^

1 workflow, 0 errors, 1 warning, gh-aw v0.89.10
"""
    )


def test_an_empty_folder() -> None:
    Path("pack").mkdir()
    shown = run("pack")
    assert shown.exit_code == 2
    assert (
        shown.output
        == """\
pack: error[BMC204]: there is no workflow to verify in this folder
  |
  = expected: at least one Markdown file other than README.md, directly in the folder
  = do:       Name the folder that holds the workflows: `bmadc verify DIR`.

nothing was verified
"""
    )


@pytest.mark.parametrize(("arguments", "folder"), [((), "workflows"), (("none",), "none")])
def test_a_missing_folder(arguments: tuple[str, ...], folder: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert (
        shown.output
        == f"""\
{folder}: error[BMC101]: there is no such folder
  |
  = do: Name the folder that holds the workflows: `bmadc verify DIR`.

nothing was verified
"""
    )


def test_a_file_in_the_place_of_a_folder() -> None:
    write_pack(Path("pack"), {"greet.md": document()})
    shown = run("pack/greet.md")
    assert shown.exit_code == 2
    assert (
        shown.output
        == """\
pack/greet.md: error[BMC108]: this is a file; verify takes the folder of a pack
  |
  = why: Workflows of a pack name each other, so gh-aw must see them together.
  = do:  Run `bmadc verify pack`.

nothing was verified
"""
    )


def test_a_name_that_no_file_can_have() -> None:
    shown = run("a" * 300)
    assert shown.exit_code == 2
    assert "error[BMC104]: cannot be read: File name too long\n" in shown.output


def test_another_release_of_gh_aw(tmp_path: Path) -> None:
    write_pack(Path("pack"), {"greet.md": document()})
    other = stand_in(tmp_path, "exit 0", release="v0.1.0")
    shown = run("pack", "--gh-aw", str(other))
    assert shown.exit_code == 2
    assert (
        shown.output.replace(str(tmp_path), "HERE")
        == """\
error[BMC202]: HERE/gh-aw is gh-aw v0.1.0; bmadc compiles for v0.89.10
  |
  = why: Each release has its own keys, checks and job graph, so its word would not count here.
  = do:  Run `gh extension remove aw && gh extension install github/gh-aw --pin v0.89.10`.
  = or:  Name a binary of gh-aw v0.89.10 in `BMADC_GH_AW`; `make tools` in bmadc's repository builds one.

nothing was verified
"""
    )


def test_no_gh_aw_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    write_pack(Path("pack"), {"greet.md": document()})
    monkeypatch.delenv("BMADC_GH_AW")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("XDG_DATA_HOME", "nowhere")
    shown = run("pack")
    assert shown.exit_code == 2
    assert (
        shown.output
        == """\
error[BMC201]: gh-aw was not found
  |
  = expected: BMADC_GH_AW, .tools/bin/gh-aw in this folder or one above it, gh-aw on PATH, or gh's own
  = why:      Only the real compiler knows whether it accepts a workflow; nothing was verified.
  = do:       Run `gh extension install github/gh-aw --pin v0.89.10`.
  = or:       Name a binary of gh-aw v0.89.10 in `BMADC_GH_AW`; `make tools` in bmadc's repository builds one.

nothing was verified
"""
    )


@pytest.mark.needs("gh-aw")
def test_locks_are_written_and_a_foreign_file_is_kept() -> None:
    write_pack(Path("pack"), {"greet.md": document(), "other.md": document("Other")})
    shown = run("pack", "--locks", "locks")
    assert (shown.exit_code, shown.output) == (
        0,
        "2 workflows, 0 errors, 0 warnings, gh-aw v0.89.10, 2 locks in locks\n",
    )
    assert sorted(path.name for path in Path("locks").iterdir()) == ["greet.lock.yml", "other.lock.yml"]
    Path("locks/greet.lock.yml").unlink()
    Path("locks/other.lock.yml").write_text("mine: 1\n", encoding="utf-8")
    shown = run("pack", "--locks", "locks")
    assert shown.exit_code == 2
    assert (
        shown.output
        == """\
locks/other.lock.yml: error[BMC231]: this file is not a lock of gh-aw, so it is not written over
  |
  = why: No lock was written: a folder with half of them would be worse than none.
  = do:  Move the file away, or name another folder with `--locks`.

2 workflows, 1 error, 0 warnings, gh-aw v0.89.10
"""
    )
    assert [path.name for path in Path("locks").iterdir()] == ["other.lock.yml"]
    assert Path("locks/other.lock.yml").read_text(encoding="utf-8") == "mine: 1\n"


@pytest.mark.needs("gh-aw")
def test_the_formats_for_programs_say_the_same() -> None:
    write_pack(Path("pack"), {"greet.md": document(), "wrong.md": WRONG})
    as_json = run("pack", "--format", "json")
    told = json.loads(as_json.output)
    assert told["summary"] == {
        "workflows": 2,
        "plain": 0,
        "errors": 1,
        "warnings": 0,
        "notes": 0,
        "gh_aw": "v0.89.10",
    }
    assert [(one["code"], one["span"]["path"], one["span"]["line"]) for one in told["diagnostics"]] == [
        ("BMC211", "pack/wrong.md", 7)
    ]
    as_sarif = run("pack", "--format", "sarif")
    (result,) = json.loads(as_sarif.output)["runs"][0]["results"]
    assert (result["ruleId"], result["locations"][0]["physicalLocation"]["region"]["startLine"]) == (
        "BMC211",
        7,
    )
    as_github = run("pack", "--format", "github")
    assert as_github.output == (
        "::error file=pack/wrong.md,line=7,endLine=7,col=1,endColumn=10,"
        "title=BMC211 gh-aw refuses the workflow"
        "::Unknown property: permisions. It belongs under 'on'%0Anearest: permissions"
        "%0Awhy: gh-aw makes no lock for this file, so GitHub cannot run it.\n"
        "2 workflows, 1 error, 0 warnings, gh-aw v0.89.10\n"
    )
    assert {as_json.exit_code, as_sarif.exit_code, as_github.exit_code} == {1}


@pytest.mark.parametrize("format_", ["text", "json", "github", "sarif"])
@pytest.mark.needs("gh-aw")
def test_hostile_names_and_words_do_not_break_out(format_: str) -> None:
    extra = 'tools:\n  "\\e[31m::error::x\\n::stop-commands::y": 1\n'
    files = {
        "::error::a.md": document("A", extra),
        "b\n::error::b.md": document("B", extra),
        "c\x1b[31m.md": document("C", extra),
        "d%,##[error].md": document("D", extra),
    }
    write_pack(Path("workflows\n::error::"), files)
    shown = run("workflows\n::error::", "--format", format_, "--locks", "locks\n::error::")
    assert shown.exit_code == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown.output)
    lines = shown.output.split("\n")
    if format_ == "github":
        ours = [line for line in lines if line.startswith("::error file=workflows%0A%3A%3Aerror%3A%3A/")]
        assert len(ours) == 4
        lines = [line for line in lines if line not in ours]
    assert [line for line in lines if line.lstrip().startswith("::") or "##[" in line] == []


@pytest.mark.parametrize("format_", ["text", "github"])
@pytest.mark.needs("gh-aw")
def test_the_closing_line_is_one_line(format_: str) -> None:
    write_pack(Path("pack"), {"greet.md": document()})
    shown = run("pack", "--format", format_, "--locks", "locks\n::error::")
    assert shown.output == (
        "1 workflow, 0 errors, 0 warnings, gh-aw v0.89.10, 1 lock in locks\\x0a::error::\n"
    )


def test_a_narrow_encoding_is_no_crash() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "bmadc", "verify", "größe"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert (shown.returncode, shown.stderr) == (2, b"")
    assert shown.stdout.startswith(b"gr\\xf6\\xdfe: error[BMC101]")


def test_a_reader_that_leaves_early_is_no_traceback() -> None:
    read, write = os.pipe()
    os.close(read)
    shown = subprocess.run(
        [sys.executable, "-m", "bmadc", "verify", "none"], stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (shown.returncode, shown.stderr) == (1, b"")


def on_a_terminal(**environment: str) -> str:
    """Return what bmadc writes if its stdout is a terminal of 60 columns."""
    import pty

    master, slave = pty.openpty()
    asked = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": "60", **environment}
    subprocess.run([sys.executable, "-m", "bmadc", "verify", "none"], env=asked, stdout=slave, check=False)
    os.close(slave)
    shown = b""
    while True:
        try:
            chunk = os.read(master, 4096)
        except OSError:
            # So Linux says that the other end is closed.
            break
        if not chunk:
            break
        shown += chunk
    os.close(master)
    return shown.decode().replace("\r\n", "\n")


def test_a_terminal_gets_colours_and_wrapped_lines() -> None:
    shown = on_a_terminal()
    assert shown.startswith("\x1b[1mnone: \x1b[0m\x1b[31m\x1b[1merror[BMC101]\x1b[0m: ")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert max(len(line) for line in plain.splitlines()) <= 60
    assert "bmadc\n        verify DIR`" in plain


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_colours_can_be_refused(environment: dict[str, str]) -> None:
    assert "\x1b" not in on_a_terminal(**environment)
