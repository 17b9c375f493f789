"""`bmadc check`."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import click

from bmadc.cli.output import FORMATS, emit, line_on_disk
from bmadc.cli.reading import project_at, root_option


@click.command(
    "check",
    epilog="""\b
Exit codes:
  0  in step
  1  drift: something is not what a build would give
  2  broken: there is no pack, or something cannot be read

\b
Examples:
  bmadc check
  bmadc check --full
  bmadc check --format github
""",
)
@root_option
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of the pack. Without it: what bmadc.toml says, else that of the tree.",
)
@click.option("--full", is_flag=True, help="Build again in memory and compare; the default where CI=true.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to show the findings: for people, for programs, as workflow commands or as SARIF.",
)
@click.pass_context
def command(ctx: click.Context, root: Path | None, out: Path | None, full: bool, format_: str) -> None:
    """Say whether the pack is what a build would give.

    Compares the hashes of sources, outputs, bmadc and its templates with bmadc.lock.json. With --full, and
    where CI=true, it builds again in memory instead, and shows what differs. Nothing is ever written.
    """
    from bmadc.checking import check

    folder, project, problems = project_at(root)
    target = out or folder / project.out
    if problems:
        closing = "broken: the settings cannot be read"
        emit(problems, partial(line_on_disk, folder), format_, closing=closing, fine=False, summary={})
        ctx.exit(2)
    found = check(folder, project, target, full=full or os.environ.get("CI") == "true")
    emit(
        found.diagnostics,
        partial(line_on_disk, folder),
        format_,
        closing=found.closing_line(),
        fine=found.exit_code == 0,
        summary={"findings": len(found.diagnostics), "full": found.full, "outputs": found.outputs},
    )
    ctx.exit(found.exit_code)
