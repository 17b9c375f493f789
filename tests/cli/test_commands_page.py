"""docs/commands.md is what the commands say of themselves."""

import sys
from pathlib import Path

import click

from bmadc.cli import COMMANDS, cli
from bmadc.project import KEYS, OVERRIDES

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))

from generate_commands import PAGE, page  # type: ignore[import-not-found] # noqa: E402


def test_the_page_is_fresh() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make goldens` and read the difference"


def test_every_command_shows_how_it_ends_and_how_it_is_used() -> None:
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        epilog = command.epilog or ""
        assert f"Examples:\n  bmadc {name}" in epilog, name
        assert name == "completion" or "Exit codes:\n  0  " in epilog, name


def test_every_setting_has_its_row() -> None:
    for key in (*KEYS, *OVERRIDES):
        assert f"\n| `{key.name}` | " in page()
