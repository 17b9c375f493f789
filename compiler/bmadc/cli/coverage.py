"""`bmadc coverage`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bmadc.cli.layout import Column, count, table
from bmadc.cli.output import write_lines, write_text
from bmadc.cli.reading import complete_workflow, pack_at, perhaps, refuse, room, root_option
from bmadc.diagnostics.as_json import dump
from bmadc.diagnostics.text import Line, Piece
from bmadc.ir.tree import normal
from bmadc.source import SourceError

if TYPE_CHECKING:
    from bmadc.ir.ledger import Entry, Lowered
    from bmadc.ir.model import Pack
    from bmadc.ledger.against import Judged, Judgement, Verdict
    from bmadc.ledger.totals import Totals

FORMAT = 1
_AGENT = "agent:"
_VERDICTS: tuple[Verdict, ...] = ("said", "unsaid", "missing")


@click.command(
    "coverage",
    epilog="""\b
Exit codes:
  0  every unit is accounted for
  1  there are units that nothing explains, or that the pack does not say
  2  there is no BMAD tree, it cannot be read, or nothing has that ID

\b
Examples:
  bmadc coverage
  bmadc coverage dev-story
  bmadc coverage --root vendor/bmad --json > ledger.json
  bmadc coverage --against .
  bmadc coverage --root vendor/bmad --against packs/bmad
  bmadc coverage dev-story --against .github/workflows
""",
)
@click.argument("name", metavar="[ID]", required=False, shell_complete=complete_workflow)
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print totals and all entries for programs.")
@click.option(
    "--against",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Judge the pack in this folder, or in its workflows/, by its text alone: does it say each unit?",
)
@click.pass_context
def command(
    ctx: click.Context, name: str | None, root: Path | None, as_json: bool, against: Path | None
) -> None:
    """Account for every unit of the source.

    Says what became of each and by which rule.
    Without ID: a table with the units of each workflow by what became of them. With ID: that row, and every
    unit with its place in the source, its state and its rules. Unexplained are units that are changed or gone
    without a rule, and units that still talk to a person.

    With --against nothing is compiled and no manifest is read: the files of a pack are compared with the
    source, word by word. A unit is said; or it is not said, because it speaks only of the talking that no
    run does; or it is missing. A workflow without a file is missing whole.
    """
    pack = pack_at(ctx, root, as_json, "nothing to account for")
    chosen = None if name is None else _chosen(ctx, pack, name)
    if against is not None:
        _judge(ctx, pack, chosen, against, as_json)
    from bmadc.ledger.exceptions import EXCEPTIONS
    from bmadc.ledger.totals import summed, totals
    from bmadc.passes.lower import lower_all
    from bmadc.passes.registry import rules

    every, _ = lower_all(pack)
    ledgers = [one for id_, one in every.items() if chosen is None or id_ == chosen]
    rows = [totals(one, rules(), EXCEPTIONS) for one in ledgers]
    whole = summed(rows)
    if as_json:
        write_text(dump(_document(pack, ledgers, rows, whole)))
    else:
        write_lines(
            (
                *_rows(rows, whole if chosen is None else None, room()),
                *(_entries(ledgers[0].entries, room()) if chosen is not None else ()),
                *_talking(whole, room()),
                (),
                (Piece("code" if whole.unexplained else "fine", _closing(whole)),),
            )
        )
    ctx.exit(1 if whole.unexplained else 0)


def _chosen(ctx: click.Context, pack: Pack, name: str) -> str:
    found = pack.workflow(name)
    if found is not None and not found.engine:
        return found.id
    agent = pack.agent(name.removeprefix(_AGENT))
    if agent is not None:
        return f"{_AGENT}{agent.id}"
    ids = [one.id for one in pack.workflows if not one.engine]
    meant = perhaps(name, ids, "`bmadc coverage` without an ID lists all.")
    raise click.UsageError(f"no workflow is named {name!r}. {meant}", ctx)


def _rows(rows: Sequence[Totals], whole: Totals | None, width: int | None) -> Iterator[Line]:
    from bmadc.ir.ledger import STATES

    columns = (
        Column("workflow", style="place", least=24, yields=1),
        Column("units", right=True),
        *(Column(state, right=True) for state in STATES),
        Column("unexplained", right=True),
    )
    every = [*rows, *([whole] if whole is not None else [])]
    cells = [
        (
            row.workflow or "all",
            str(row.units),
            *(str(number) if number else "-" for _, number in row.states),
            str(row.unexplained) if row.unexplained else "-",
        )
        for row in every
    ]
    return table(columns, cells, width)


def _entries(entries: Sequence[Entry], width: int | None) -> Iterator[Line]:
    path = ""
    held: list[tuple[str, str, str, str]] = []
    for entry in entries:
        if entry.path != path:
            yield from _held(path, held, width)
            path, held = entry.path, []
        rule = ", ".join(entry.rules) + (f" ({entry.classed})" if entry.classed else "")
        held.append((str(entry.line), entry.state, rule, normal(entry.before)))
    yield from _held(path, held, width)


def _held(path: str, rows: Sequence[tuple[str, str, str, str]], width: int | None) -> Iterator[Line]:
    if rows:
        yield ()
        yield (Piece("code", path),)
        yield from table(
            (
                Column("line", right=True, style="quiet"),
                Column("state"),
                Column("rules", style="label", least=20, yields=2),
                Column("source", least=20, yields=1),
            ),
            rows,
            width,
            indent=2,
        )


def _talking(whole: Totals, width: int | None) -> Iterator[Line]:
    """Return what still talks to a person, with its place."""
    if whole.talking:
        yield ()
        yield (Piece("code", "still talking to a person"),)
        yield from table(
            (
                Column("workflow"),
                Column("place", style="place", least=30, yields=2),
                Column("what", least=20, yields=1),
            ),
            [
                (one.workflow, f"{one.path}:{one.line}" if one.line else one.path or "-", one.message)
                for one in whole.talking
            ],
            width,
            indent=2,
        )


def _closing(whole: Totals) -> str:
    said = f"{count(whole.units, 'unit')}, {whole.unexplained} unexplained"
    if whole.unexplained:
        said += f": {whole.unruled} without a rule, {whole.residual} still talking to a person"
    return said


def _document(
    pack: Pack, ledgers: Sequence[Lowered], rows: Sequence[Totals], whole: Totals
) -> dict[str, object]:
    return {
        "format": FORMAT,
        "release": pack.release,
        "unexplained": whole.unexplained,
        "totals": _numbers(whole),
        "workflows": [{"id": row.workflow, **_numbers(row)} for row in rows],
        "talking": [
            {
                "workflow": one.workflow,
                "id": one.entry,
                "path": one.path,
                "line": one.line,
                "message": one.message,
            }
            for one in whole.talking
        ],
        "entries": [
            {
                "workflow": lowered.id,
                "id": entry.id,
                "path": entry.path,
                "line": entry.line,
                "kind": entry.kind,
                "state": entry.state,
                "rules": list(entry.rules),
                "class": entry.classed,
                "place": entry.place,
                "before": entry.before,
                "after": entry.after,
            }
            for lowered in ledgers
            for entry in lowered.entries
        ],
    }


def _numbers(row: Totals) -> dict[str, object]:
    return {
        "units": row.units,
        **dict(row.states),
        "unruled": row.unruled,
        "residual": row.residual,
        "unexplained": row.unexplained,
    }


def _judge(ctx: click.Context, pack: Pack, chosen: str | None, folder: Path, as_json: bool) -> None:
    """Judge the files of a folder, show the result and leave."""
    from bmadc.ledger.against import has_text, judge, texts_of
    from bmadc.machine.catalogue import row_of
    from bmadc.passes.corrigenda import corrected

    if chosen is not None and chosen.startswith(_AGENT):
        ctx.fail(f"{chosen.removeprefix(_AGENT)!r} is an agent: the texts of its workflows say who it is.")
    try:
        files = _emitted(folder)
    except SourceError as problem:
        refuse(ctx, problem, folder, as_json, "nothing to judge")
    wanted = [one.id for one in pack.workflows if has_text(one) and chosen in (None, one.id)]
    if not wanted:
        ctx.fail(f"{chosen!r} has no text of its own: it leads to others, or stands in those that call it.")
    names = {one.id: row_of(one.id, one.phase).document for one in pack.workflows}
    texts = texts_of(pack, files, names)
    if not any(id_ in texts for id_ in wanted):
        ctx.fail(_nothing(folder, files, [names[id_] for id_ in wanted], chosen))
    found = judge(pack, texts, wanted, corrected)
    missing = sum(one.count("missing") for one in found)
    if as_json:
        write_text(dump(_judged_document(pack, found)))
    else:
        said = sum(one.count("said") for one in found)
        unsaid = sum(one.count("unsaid") for one in found)
        closing = f"{count(said, 'unit')} said, {unsaid} not said with a reason, {missing} missing"
        write_lines(
            (
                *_verdicts(found, room()),
                *_absent(found, room(), whole=chosen is not None),
                (),
                (Piece("code" if missing else "fine", closing),),
            )
        )
    ctx.exit(1 if missing else 0)


_INNER = "workflows"


def _emitted(folder: Path) -> dict[str, str]:
    """Return the Markdown files of a pack: of the folder itself, or of `workflows/` in it."""
    from bmadc.source import list_files, open_folder, read_text

    root = open_folder(folder)
    found = list_files(root, (".md",), deep=False)
    inner = root / _INNER
    if inner.is_dir():
        found = (*found, *(f"{_INNER}/{path}" for path in list_files(inner, (".md",), deep=False)))
    # Of two files of one name that of the pack counts, which comes last.
    return {path.rpartition("/")[2]: read_text(root, path).text for path in found}


def _nothing(folder: Path, files: Mapping[str, str], names: Sequence[str], chosen: str | None) -> str:
    """Say that a folder has no text of what was asked for, and what was looked for in vain."""
    where = folder.as_posix()
    looked = f"`{names[0]}`" if len(names) == 1 else f"{len(names)} files such as `{names[0]}`"
    has = f"{count(len(files), 'Markdown file')} of other names" if files else "no Markdown file"
    return (
        f"no file in {where!r} belongs to {chosen or 'a workflow of this tree'}: looked for {looked} there "
        f"and in its workflows/, and found {has}. name the folder that holds the emitted Markdown files, as "
        "`bmadc build` wrote them."
    )


def _verdicts(found: Sequence[Judgement], width: int | None) -> Iterator[Line]:
    columns = (
        Column("workflow", style="place", least=24, yields=2),
        Column("file", least=20, yields=1),
        Column("units", right=True),
        Column("said", right=True),
        Column("unsaid", right=True),
        Column("missing", right=True),
    )
    cells = [
        (
            one.workflow,
            one.file or "none",
            str(len(one.units)),
            *(str(one.count(verdict) or "-") for verdict in _VERDICTS),
        )
        for one in found
    ]
    return table(columns, cells, width)


def _absent(found: Sequence[Judgement], width: int | None, *, whole: bool) -> Iterator[Line]:
    """Return the units that are missing, and for one workflow also those that are left out for a reason."""
    for one in found:
        if not one.file:
            continue
        shown = [
            unit for unit in one.units if unit.verdict == "missing" or (whole and unit.verdict == "unsaid")
        ]
        if not shown:
            continue
        yield ()
        yield (Piece("code", one.workflow),)
        yield from table(
            (
                Column("source", style="place", least=30, yields=2),
                Column("verdict"),
                Column("why", style="label"),
                Column("unit", least=20, yields=1),
            ),
            [
                (f"{unit.path}:{unit.line}", unit.verdict, unit.why or "-", unit.text)
                for unit in sorted(shown, key=lambda unit: (unit.path, unit.line))
            ],
            width,
            indent=2,
        )


def _judged_document(pack: Pack, found: Sequence[Judgement]) -> dict[str, object]:
    return {
        "format": FORMAT,
        "release": pack.release,
        **{verdict: sum(one.count(verdict) for one in found) for verdict in _VERDICTS},
        "workflows": [
            {
                "id": one.workflow,
                "file": one.file,
                **{verdict: one.count(verdict) for verdict in _VERDICTS},
                "units": [_unit(unit) for unit in one.units],
            }
            for one in found
        ],
    }


def _unit(unit: Judged) -> dict[str, object]:
    return {
        "id": unit.id,
        "path": unit.path,
        "line": unit.line,
        "kind": unit.kind,
        "verdict": unit.verdict,
        "why": unit.why,
        "share": unit.share,
        "at": unit.at,
        "text": unit.text,
    }
