"""`bmadc build`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bmadc.cli.layout import Column, bytes_text, count, table
from bmadc.cli.output import Progress, emit, line_on_disk, write_lines
from bmadc.cli.reading import complete_workflow, perhaps, project_at, refuse, room, root_option
from bmadc.diagnostics import Diagnostic
from bmadc.diagnostics.text import Line
from bmadc.source import SourceError, alone

if TYPE_CHECKING:
    from bmadc.compile import Built
    from bmadc.writing import Plan

NOTHING_WRITTEN = "nothing was written"


@click.command(
    "build",
    epilog="""\b
Exit codes:
  0  the pack is written, or was in step already
  1  there are findings, and nothing was written
  2  something cannot be read or written, or nothing has that ID

\b
Examples:
  bmadc build
  bmadc build dev-story code-review
  bmadc build --root vendor/bmad --out packs/bmad
  bmadc build --dry-run
  bmadc build --adopt
""",
)
@click.argument("names", metavar="[ID]...", nargs=-1, shell_complete=complete_workflow)
@root_option
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder that the pack is written to. Without it: what bmadc.toml says, else that of the tree.",
)
@click.option("--full", is_flag=True, help="Compile even where no hash changed; the default where CI=true.")
@click.option("--dry-run", is_flag=True, help="Say what would be written and removed, and write nothing.")
@click.option(
    "--adopt",
    is_flag=True,
    help="Take over files in the way that bmadc did not make, after showing what would change in them.",
)
@click.pass_context
def command(
    ctx: click.Context,
    names: tuple[str, ...],
    root: Path | None,
    out: Path | None,
    full: bool,
    dry_run: bool,
    adopt: bool,
) -> None:
    """Compile a BMAD tree into a pack of workflows.

    Reads the tree and bmadc.toml, and writes workflows, aw.yml, PERMISSIONS.md and bmadc.lock.json. Files
    that are no longer made are removed. Files that bmadc did not make are never touched: they are listed,
    and nothing is written.

    With IDs only those workflows are made anew; the rest of the pack stays as it is.

    Where the hashes in bmadc.lock.json say that nothing changed, nothing is compiled.
    """
    from bmadc.checking import unchanged

    folder, project, problems = project_at(root)
    if problems:
        _show(folder, problems, NOTHING_WRITTEN)
        ctx.exit(1)
    target = out or folder / project.out
    if not (names or adopt or full or os.environ.get("CI") == "true"):
        lock = unchanged(folder, project, target)
        if lock is not None:
            _show(folder, (), f"{_in_step(len(lock.workflows))} in {target.as_posix()}", fine=True)
            return
    from bmadc.compile import UnknownNameError, compile_pack
    from bmadc.writing import carry_out, plan

    progress = Progress()
    try:
        built = compile_pack(folder, project, names, progress.say)
        progress.done()
        if built.failed:
            _show(folder, built.diagnostics, NOTHING_WRITTEN)
            ctx.exit(1)
        # From the plan to the last move, because a plan holds only for what it looked at.
        with nullcontext() if dry_run else alone(target):
            planned = plan(target, built, partial=bool(names), adopt=adopt)
            if planned.refused:
                _show(folder, planned.refused, NOTHING_WRITTEN)
                ctx.exit(1)
            for text in planned.adopted:
                click.echo(text, nl=False)
            if not dry_run:
                carry_out(target, planned)
    except UnknownNameError as problem:
        progress.done()
        meant = problem.why or perhaps(problem.name, problem.known, "`bmadc inspect` lists all.")
        raise click.UsageError(f"no workflow can be made of {problem.name!r}. {meant}", ctx) from None
    except SourceError as problem:
        progress.done()
        refuse(ctx, problem, folder, False, NOTHING_WRITTEN)
    _summary(built, planned, dry_run)
    _show(folder, built.diagnostics, _closing(built, planned, target, dry_run), fine=True)


def _show(folder: Path, diagnostics: Sequence[Diagnostic], closing: str, *, fine: bool = False) -> None:
    emit(diagnostics, partial(line_on_disk, folder), "text", closing=closing, fine=fine, summary={})


def _summary(built: Built, planned: Plan, dry_run: bool) -> None:
    if sys.stdout.isatty():
        write_lines((*_rows(built), ()))
    if dry_run:
        for path in planned.changed:
            click.echo(f"write   {path}")
        for path in planned.write.removed:
            click.echo(f"remove  {path}")


def _closing(built: Built, planned: Plan, target: Path, dry_run: bool) -> str:
    if not (planned.changed or planned.write.removed):
        return f"{_in_step(len(built.made))} in {target.as_posix()}"
    would = "would be " if dry_run else ""
    parts = [count(len(built.made), "workflow")]
    if planned.changed:
        parts.append(f"{count(len(planned.changed), 'file')} {would}written")
    if planned.write.removed:
        parts.append(f"{len(planned.write.removed)} {would}removed")
    return f"{', '.join(parts)} in {target.as_posix()}"


def _in_step(workflows: int) -> str:
    return f"{count(workflows, 'workflow')}, in step"


def _rows(built: Built) -> Iterator[Line]:
    columns = (
        Column("workflow", style="place", least=20, yields=2),
        Column("label", least=16, yields=1),
        Column("leaves"),
        Column("size", right=True, spare=1),
    )
    rows = [
        (one.row.name, one.row.label, one.row.outcome.value, bytes_text(len(one.text.encode())))
        for one in built.made
    ]
    return table(columns, rows, room())
