"""`bmadc trace`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from bmadc.cli.layout import labelled, paragraph
from bmadc.cli.output import write_lines, write_text
from bmadc.cli.reading import pack_at, perhaps, quiet_tree, room, root_option
from bmadc.diagnostics.as_json import dump
from bmadc.diagnostics.text import Line, Piece
from bmadc.ir.tree import normal
from bmadc.source import SourceError

if TYPE_CHECKING:
    from bmadc.ir.ledger import Entry, Lowered
    from bmadc.ir.model import Pack
    from bmadc.ledger.tracing import Back, Traced
    from bmadc.passes.rules import Rule

FORMAT = 1


def _complete_file(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the files of the tree; a folder that cannot be read offers none."""
    try:
        from bmadc.frontend.pack import read_pack

        names = sorted(read_pack(quiet_tree(ctx.params.get("root"))).trees)
    except Exception:
        # Whatever is wrong there, the middle of a command line is no place to say it.
        return []
    return [CompletionItem(f"{name}:") for name in names if name.startswith(incomplete)]


@click.command(
    "trace",
    epilog="""\b
Exit codes:
  0  the line has units, and the output says them or a rule says why not
  1  there is no unit on that line, or the emitted line is none of ours
  2  there is no BMAD tree, it cannot be read, or there is no such file

\b
Examples:
  bmadc trace src/bmm/workflows/dev/instructions.xml:15
  bmadc trace dev/instructions.xml:15
  bmadc trace .github/workflows/bmad-dev-story.md:112
  bmadc trace --root vendor/bmad dev/checklist.md:3 --json
""",
)
@click.argument("place", metavar="FILE:LINE", shell_complete=_complete_file)
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print what was found for programs.")
@click.pass_context
def command(ctx: click.Context, place: str, root: Path | None, as_json: bool) -> None:
    """Follow a line of the source to the output, or back.

    FILE is a file of the tree, by its path there or by an end of it that no other file has; then every unit
    on the line is shown with what became of it in each workflow: its rules, their reasons, a near miss that
    they would have left alone, and the lines of the output. Or FILE is an emitted Markdown file; then it is
    the place in the source that is shown.
    """
    path, _, number = place.rpartition(":")
    if not path or not number.isdigit() or int(number) < 1:
        ctx.fail(f"{place!r} is no place in a file. Write FILE:LINE, such as workflow.md:12.")
    line = int(number)
    pack = pack_at(ctx, root, as_json, "nothing to trace")
    source = _source(ctx, pack, path, quiet_tree(root))
    from bmadc.passes.lower import lower_all
    from bmadc.passes.registry import rules

    every, _ = lower_all(pack)
    ledgers = tuple(every.values())
    if source:
        from bmadc.ledger.tracing import from_source

        tree = pack.trees[source]
        if line > tree.text.text.count("\n") + 1:
            ctx.fail(f"{source} has no line {line}: its last one is {tree.text.text.count(chr(10)) + 1}.")
        traced = from_source(ledgers, tree, line)
        if as_json:
            write_text(dump(_traced_document(source, line, traced, rules())))
        else:
            write_lines(tuple(_forward(f"{source}:{line}", traced, rules(), room())))
        ctx.exit(0 if traced else 1)
    back = _emitted(ctx, pack, path, line, ledgers)
    if as_json:
        write_text(dump(_back_document(path, line, back, rules())))
    else:
        write_lines(tuple(_backward(f"{path}:{line}", back, rules(), room())))
    ctx.exit(0 if back.place is not None else 1)


def _source(ctx: click.Context, pack: Pack, path: str, root: Path) -> str:
    """Return the path of a file of the tree, or nothing if it is none."""
    wanted = Path(path).as_posix()
    below = Path(os.path.relpath(path, root)).as_posix()
    for one in (wanted, below):
        if one in pack.trees:
            return one
    ends = sorted(one for one in pack.trees if one.endswith(f"/{wanted}"))
    if len(ends) > 1:
        ctx.fail(f"several files end in {wanted!r}: {', '.join(ends[:6])}. Name more of the path.")
    return ends[0] if ends else ""


def _emitted(ctx: click.Context, pack: Pack, path: str, line: int, ledgers: Sequence[Lowered]) -> Back:
    from bmadc.ledger.against import texts_of
    from bmadc.ledger.tracing import from_output
    from bmadc.source import read_text

    where = Path(path)
    try:
        text = read_text(where.parent, where.name).text
    except SourceError:
        ctx.fail(
            f"there is no file {path!r} in the tree and none on disk. "
            + perhaps(path, pack.trees, "`bmadc inspect ID` lists the files of a workflow.")
        )
    ids = list(texts_of(pack, {where.name: text}))
    if not ids:
        ctx.fail(f"{path!r} is neither a file of the tree nor the emitted file of one of its workflows.")
    lines = text.split("\n")
    if line > len(lines):
        ctx.fail(f"{path} has no line {line}: its last one is {len(lines)}.")
    return from_output(pack, ledgers, ids[0], lines, line)


def _forward(
    place: str, traced: Sequence[Traced], rules: Mapping[str, Rule], width: int | None
) -> Iterator[Line]:
    yield (Piece("code", place),)
    if not traced:
        yield from paragraph("Nothing on this line is a unit of a workflow or an agent.", width)
        return
    last = None
    for one in traced:
        entry = one.entry
        if entry.id != last:
            yield ()
            yield from paragraph(normal(entry.before), width)
            last = entry.id
        yield ()
        classed = f", {entry.classed}" if entry.classed else ""
        yield (Piece("place", f"  {one.workflow}"), Piece("plain", f"  {entry.state}{classed}"))
        yield from _reasons(entry, rules, width)
        if not one.places:
            yield from labelled("output", "none", width, indent=4, column=10)
        for at in one.places:
            yield from labelled(f"{at.part}:{at.line}", at.text.strip(), width, indent=4, column=10)


def _reasons(entry: Entry, rules: Mapping[str, Rule], width: int | None) -> Iterator[Line]:
    for name in entry.rules:
        rule = rules.get(name)
        reason = rule.reason if rule is not None else "This rule is not known."
        yield from labelled("rule", f"{name}: {reason}", width, indent=4, column=10)
        if rule is not None and rule.near:
            yield from labelled("near miss", f"{normal(rule.near[0])} (stays)", width, indent=4, column=10)


def _backward(place: str, back: Back, rules: Mapping[str, Rule], width: int | None) -> Iterator[Line]:
    yield (Piece("code", place),)
    if back.place is None:
        yield from paragraph(
            "bmadc emits no such line from this tree: the file was changed, or made from another tree.", width
        )
        return
    yield from paragraph(back.place.text.strip() or "(an empty line)", width)
    yield ()
    if not back.origins:
        yield from labelled("from", "bmadc itself: the frame of every workflow", width, indent=2, column=10)
    for origin in back.origins:
        yield from labelled("from", str(origin), width, indent=2, column=10)
    for workflow, entry in back.entries:
        yield ()
        yield (Piece("place", f"  {workflow}"), Piece("plain", f"  {entry.state}"))
        yield from labelled("source", normal(entry.before), width, indent=4, column=10)
        yield from _reasons(entry, rules, width)


def _traced_document(
    path: str, line: int, traced: Sequence[Traced], rules: Mapping[str, Rule]
) -> dict[str, object]:
    return {
        "format": FORMAT,
        "path": path,
        "line": line,
        "units": [
            {
                **_unit(one.workflow, one.entry, rules),
                "output": [{"part": at.part, "line": at.line, "text": at.text} for at in one.places],
            }
            for one in traced
        ],
    }


def _back_document(path: str, line: int, back: Back, rules: Mapping[str, Rule]) -> dict[str, object]:
    at = back.place
    return {
        "format": FORMAT,
        "path": path,
        "line": line,
        "output": None
        if at is None
        else {"workflow": at.workflow, "part": at.part, "line": at.line, "text": at.text},
        "origins": [{"path": origin.path, "line": origin.line} for origin in back.origins],
        "units": [_unit(workflow, entry, rules) for workflow, entry in back.entries],
    }


def _unit(workflow: str, entry: Entry, rules: Mapping[str, Rule]) -> dict[str, object]:
    return {
        "workflow": workflow,
        "id": entry.id,
        "path": entry.path,
        "line": entry.line,
        "state": entry.state,
        "class": entry.classed,
        "before": entry.before,
        "after": entry.after,
        "rules": [
            {
                "id": name,
                "reason": rules[name].reason if name in rules else "",
                "near": list(rules[name].near) if name in rules else [],
            }
            for name in entry.rules
        ],
    }
