"""`bmadc build`."""

from __future__ import annotations

import click

NOTHING_TO_BUILD = 3


@click.command(
    "build",
    epilog="""\b
Exit codes:
  0  the pack is written
  1  there are findings
  2  something cannot be read, run or written
  3  nothing to build yet

\b
Examples:
  bmadc build
""",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Compile the BMAD sources into a pack of workflows.

    This release has no reader for BMAD sources yet. Until it has one, build says so, writes nothing and
    exits 3.
    """
    click.echo("bmadc build: there is nothing to build yet, so nothing was written.", err=True)
    ctx.exit(NOTHING_TO_BUILD)
