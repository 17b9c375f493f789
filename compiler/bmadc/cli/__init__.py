"""One file per command: parse arguments, call one function, render."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from bmadc import __version__
from bmadc.diagnostics.nearest import nearest_names

# Name: (module, short help). The help stands here so that `bmadc --help` need not import the commands.
COMMANDS: dict[str, tuple[str, str]] = {
    "build": ("bmadc.cli.build", "Compile a BMAD tree into a pack of workflows."),
    "check": ("bmadc.cli.check", "Say whether the pack is what a build would give."),
    "completion": ("bmadc.cli.completion", "Print the completion script of a shell."),
    "coverage": ("bmadc.cli.coverage", "Account for every unit of the source."),
    "doctor": ("bmadc.cli.doctor", "Say what a BMAD tree holds and what is broken in it."),
    "explain": ("bmadc.cli.explain", "Say what a rule does and why, or list all rules."),
    "init": ("bmadc.cli.init", "Set a repository up: BMAD, settings and a pack."),
    "inspect": ("bmadc.cli.inspect", "Show a BMAD tree, or one workflow or agent of it."),
    "trace": ("bmadc.cli.trace", "Follow a line of the source to the output, or back."),
    "verify": ("bmadc.cli.verify", "Ask the real gh-aw about a pack of workflows."),
}

INTERRUPTED = 130
CANNOT = 2


class LazyGroup(click.Group):
    """A group that imports a command only when it is run or asked for its own help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-") and not ctx.resilient_parsing:
            near = nearest_names(name, COMMANDS)
            meant = f"Perhaps: {', '.join(near)}." if near else f"There are: {', '.join(sorted(COMMANDS))}."
            ctx.fail(f"there is no command {name!r}. {meant}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, short) for name, (_, short) in sorted(COMMANDS.items())])


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from bmadc.ghaw.vocabulary.pin import RELEASE

    click.echo(f"bmadc {__version__}, for gh-aw {RELEASE}")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""\b
Exit codes:
  0  fine
  1  there are findings
  2  something cannot be read, run or written

\b
Examples:
  bmadc init
  bmadc build
  bmadc check
  bmadc doctor
  bmadc verify .github/workflows --format github
  bmadc verify --help
""",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version of bmadc and the gh-aw release that it compiles for.",
)
def cli() -> None:
    """Compile the BMAD Method into GitHub Agentic Workflows."""


def collect_rarely() -> None:
    """Let Python look for garbage hardly ever: what a build makes is much, and lives to its end."""
    gc.set_threshold(500_000, 20, 20)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run bmadc and leave the process with one of the documented exit codes."""
    collect_rarely()
    try:
        code = cli.main(args=arguments, prog_name="bmadc", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo("bmadc: interrupted", err=True)
        sys.exit(INTERRUPTED)
    except click.ClickException as problem:
        problem.show()
        sys.exit(CANNOT)
    except Exception:
        import traceback

        traceback.print_exc()
        click.echo(
            "bmadc: this is a fault in bmadc, not in your files. Please report it with the lines above.",
            err=True,
        )
        sys.exit(CANNOT)
    sys.exit(code if isinstance(code, int) else 0)
