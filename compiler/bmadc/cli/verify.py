"""`bmadc verify`."""

from __future__ import annotations

from pathlib import Path

import click

from bmadc.cli.output import FORMATS, emit


@click.command(
    "verify",
    epilog="""\b
Exit codes:
  0  gh-aw accepts every workflow without a warning
  1  gh-aw has errors or warnings
  2  something cannot be read, run or written, or there is nothing to verify

\b
Examples:
  bmadc verify
  bmadc verify .github/workflows
  bmadc verify workflows --format github
  bmadc verify workflows --locks build/locks
  bmadc verify --gh-aw ~/bin/gh-aw
""",
)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to show the findings: for people, for programs, as workflow commands or as SARIF.",
)
@click.option(
    "--locks",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write the compiled locks into this folder, if there are no errors. Only gh-aw's own locks are "
    "written over.",
)
@click.option(
    "--gh-aw",
    metavar="PATH",
    type=click.Path(path_type=Path),
    help="The gh-aw binary. Without it: $BMADC_GH_AW, .tools/bin/gh-aw here or in a folder above, PATH, or "
    "the extension of the GitHub CLI.",
)
@click.pass_context
def command(
    ctx: click.Context, folder: Path | None, format_: str, locks: Path | None, gh_aw: Path | None
) -> None:
    """Ask the real gh-aw about a pack of workflows.

    Compiles the workflows in DIR with the pinned release of gh-aw, strict, in a scratch repository, and shows
    everything that it finds at the lines of your files. Nothing in DIR is changed. Plain workflows (.yml) lie
    beside the others and are checked for YAML syntax only.

    DIR is `workflows` unless you name another; if only `.github/workflows` is there, that one.
    """
    from bmadc.ghaw.verify import default_folder, save_locks, verify

    found = verify(folder or default_folder(), gh_aw=gh_aw)
    if locks is not None:
        found = save_locks(found, locks)
    emit(
        found.diagnostics,
        found.line_of,
        format_,
        closing=found.closing_line(),
        fine=found.exit_code == 0,
        summary=found.summary(),
    )
    ctx.exit(found.exit_code)
