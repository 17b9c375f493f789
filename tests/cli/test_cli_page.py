"""docs/guide.md has a section for every command, and shows what is really printed."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from bmadc.cli import COMMANDS, cli
from bmadc.ghaw.runner import TIMEOUT
from support.packs import GH_AW, document, write_pack

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "guide.md").read_text(encoding="utf-8")


def parameters() -> list[tuple[str, click.Parameter]]:
    context = click.Context(cli, **cli.context_settings)
    found: list[tuple[str, click.Parameter]] = [("", parameter) for parameter in cli.get_params(context)]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        found.extend(
            (name, parameter) for parameter in command.get_params(click.Context(command, parent=context))
        )
    return found


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_its_section(name: str) -> None:
    assert f"\n## `bmadc {name}" in PAGE


def test_the_page_names_no_option_that_is_not_there() -> None:
    known = {option for _, parameter in parameters() for option in parameter.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", PAGE)) - known == set()


def test_the_limit_of_time_is_the_one_that_holds() -> None:
    assert TIMEOUT == 120.0
    assert "longer than two minutes" in PAGE


@pytest.mark.needs("gh-aw")
def test_the_example_is_what_is_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"greet.md": document(), "wrong.md": document("Wrong", "permisions: x\n")}
    write_pack(tmp_path / "workflows", files)
    monkeypatch.chdir(tmp_path)
    shown = CliRunner().invoke(cli, ["verify", "--gh-aw", str(GH_AW)]).output
    assert f"```console\n$ bmadc verify\n{shown}```\n" in PAGE
