"""What several commands do first: read the tree, and find the unit or the rule that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

from bmadc.cli.output import emit, line_on_disk, terminal_width
from bmadc.diagnostics import Diagnostic, nearest_names
from bmadc.ir.model import Pack
from bmadc.source import SourceError

if TYPE_CHECKING:
    from bmadc.project import Project

NARROWEST = 60

T = TypeVar("T")


def root_option(command: Callable[..., T]) -> Callable[..., T]:
    """Give a command the option that names the tree."""
    return click.option(
        "--root",
        metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="The folder that holds `_bmad`, a source tree of BMAD or of a module, or a folder of skills; or "
        "a project, whose bmadc.toml says where its tree is. Without it: the project that is here or above, "
        "or else here.",
    )(command)


def project_at(root: Path | None) -> tuple[Path, Project, tuple[Diagnostic, ...]]:
    """Return the folder that a command is about, what its bmadc.toml says, and what is wrong in that."""
    from bmadc.project import find_project, read_project

    folder = find_project(Path()) if root is None else root
    return (folder, *read_project(folder))


def tree_at(
    ctx: click.Context,
    root: Path | None,
    format_: str,
    closing: str,
    document: Callable[[tuple[Diagnostic, ...]], Mapping[str, object]] | None = None,
) -> Path:
    """Return the folder of the tree, or say what is wrong with the settings that name it and leave with 2."""
    folder, project, problems = project_at(root)
    if problems:
        whole = document(problems) if document is not None else None
        shown = partial(line_on_disk, folder)
        emit(problems, shown, format_, closing=closing, fine=False, summary={}, document=whole)
        ctx.exit(2)
    return folder / project.source


def quiet_tree(root: Path | None) -> Path:
    """Return the folder of the tree where nobody can be told what is wrong: when completing a word."""
    folder, project, _ = project_at(root)
    return folder / project.source


def pack_at(ctx: click.Context, root: Path | None, as_json: bool, closing: str) -> Pack:
    """Return the pack of a tree, or say why it cannot be read and leave with 2."""
    from bmadc.frontend.pack import read_pack

    folder = tree_at(ctx, root, "json" if as_json else "text", closing)
    try:
        return read_pack(folder)
    except SourceError as problem:
        refuse(ctx, problem, folder, as_json, closing)


def refuse(ctx: click.Context, problem: SourceError, folder: Path, as_json: bool, closing: str) -> NoReturn:
    """Show what cannot be read and leave with 2."""
    emit(
        (problem.diagnostic,),
        partial(line_on_disk, folder),
        "json" if as_json else "text",
        closing=closing,
        fine=False,
        summary={},
    )
    ctx.exit(2)


def perhaps(name: str, valid: Iterable[str], otherwise: str) -> str:
    """Return the sentence that helps somebody who named what is not there."""
    near = nearest_names(name, valid)
    return f"Perhaps: {', '.join(near)}." if near else otherwise


def room() -> int | None:
    """Return how many columns there are for a table; None means as many as it needs."""
    width = terminal_width()
    return None if width is None else max(width, NARROWEST)


def complete_workflow(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the ids of the tree's workflows; a folder that cannot be read offers none."""
    try:
        from bmadc.frontend.pack import read_pack

        names = sorted(one.id for one in read_pack(quiet_tree(ctx.params.get("root"))).workflows)
    except Exception:
        # Whatever is wrong there, the middle of a command line is no place to say it.
        return []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
