"""The command line as such: help, version, names that do not exist, completion, a lean start."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from bmadc import __version__
from bmadc.cli import COMMANDS, cli, main
from bmadc.ghaw.vocabulary.pin import RELEASE


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="bmadc")


def leave(*arguments: str) -> int | str | None:
    """Run the entry point itself and return the exit code that it leaves the process with."""
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    return caught.value.code


def test_the_help_names_every_command_with_its_own_first_sentence() -> None:
    shown = run("--help")
    assert shown.exit_code == 0
    for name, (_, short) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(short)}$", shown.output, re.MULTILINE)
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert (command.help or "").startswith(short)


@pytest.mark.parametrize("name", sorted(COMMANDS))
@pytest.mark.parametrize("option", ["-h", "--help"])
def test_every_command_has_help_with_an_example(name: str, option: str) -> None:
    shown = run(name, option)
    assert shown.exit_code == 0
    assert shown.output.startswith(f"Usage: bmadc {name} ")
    assert f"  Examples:\n    bmadc {name}" in shown.output
    assert all(len(line) <= 80 for line in shown.output.splitlines())


def test_without_a_command_the_help_is_shown() -> None:
    shown = run()
    assert shown.exit_code == 2
    assert "Commands:" in shown.output


def test_the_version_names_the_release_of_gh_aw() -> None:
    assert run("--version").output == f"bmadc {__version__}, for gh-aw {RELEASE}\n"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("verfy", "Error: there is no command 'verfy'. Perhaps: verify.\n"),
        (
            "xyz",
            "Error: there is no command 'xyz'. There are: build, check, completion, coverage, doctor, "
            "explain, inspect, trace, verify.\n",
        ),
    ],
)
def test_an_unknown_command_gets_the_nearest_name(
    name: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert leave(name) == 2
    assert capsys.readouterr().err.endswith(said)


def test_an_unknown_option_gets_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert leave("verify", "--formt", "json") == 2
    assert "--format" in capsys.readouterr().err


def test_build_without_a_tree_says_so_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert leave("build") == 2
    said = capsys.readouterr().out
    assert "error[BMC301]" in said
    assert said.endswith("nothing was written\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_ask_bmadc(shell: str) -> None:
    shown = run("completion", shell)
    assert shown.exit_code == 0
    assert f"_BMADC_COMPLETE={shell}_complete" in shown.output


def test_the_completion_script_is_valid_bash_and_completes() -> None:
    script = run("completion", "bash").output
    checked = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")
    asked = subprocess.run(
        [sys.executable, "-c", "from bmadc.cli import main; main()"],
        env={"COMP_WORDS": "bmadc ver", "COMP_CWORD": "1", "_BMADC_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.stdout == "plain,verify\n"


def test_another_shell_is_refused() -> None:
    assert run("completion", "tcsh").exit_code == 2


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_the_start_is_lean(argument: str) -> None:
    code = (
        "import sys\n"
        "from bmadc.cli import main\n"
        "try:\n"
        f"    main([{argument!r}])\n"
        "except SystemExit:\n"
        "    print('MODULES', *sorted(sys.modules))\n"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = set(output.partition("MODULES")[2].split())
    assert "bmadc.cli" in loaded
    heavy = {"yaml", "jsonschema", "rich", "bmadc.ghaw.verify", "bmadc.ghaw.vocabulary.tables", "subprocess"}
    heavy |= {"bmadc.frontend.pack", "bmadc.ir.serial", "tomllib"}
    assert loaded & heavy == set()


def test_a_fault_of_ours_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("odd")

    monkeypatch.setattr("bmadc.ghaw.verify.verify", broken)
    assert leave("verify", ".") == 2
    shown = capsys.readouterr().err
    assert "RuntimeError: odd" in shown
    assert shown.endswith(
        "bmadc: this is a fault in bmadc, not in your files. Please report it with the lines above.\n"
    )


def test_an_interrupt_has_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bmadc.ghaw.verify.verify", interrupted)
    assert leave("verify", ".") == 130
    assert capsys.readouterr().err.endswith("bmadc: interrupted\n")


def test_python_dash_m_is_the_same_program() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "bmadc", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == run("--version").output
