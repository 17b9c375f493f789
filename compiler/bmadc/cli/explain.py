"""`bmadc explain`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from bmadc.cli.layout import Column, count, labelled, paragraph, table
from bmadc.cli.output import write_lines, write_text
from bmadc.cli.reading import pack_at, perhaps, room, root_option
from bmadc.diagnostics.as_json import dump
from bmadc.diagnostics.text import Line, Piece

if TYPE_CHECKING:
    from bmadc.passes.rules import Rule

FORMAT = 1

_FINDS = {
    "Phrase": "some words within a unit",
    "Sentence": "a whole sentence",
    "Whole": "a whole unit",
    "Found": "places that a function finds",
    "ByPass": "places that need the whole workflow to be known",
}
_MAKES = {
    "Say": "puts other words there",
    "Nothing": "takes it out",
    "Once": "takes it out, since the frame of the workflow says it once",
    "Made": "puts there what a function makes of it",
}


def _complete_rule(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from bmadc.passes.registry import rules

    return [CompletionItem(name) for name in sorted(rules()) if name.startswith(incomplete)]


@click.command(
    "explain",
    epilog="""\b
Exit codes:
  0  explained
  2  no rule has that name, or the tree cannot be read

\b
Examples:
  bmadc explain
  bmadc explain layout.empty-section
  bmadc explain layout.empty-section --root vendor/bmad
  bmadc explain --json
""",
)
@click.argument("name", metavar="[RULE]", required=False, shell_complete=_complete_rule)
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print the rule, or all of them, for programs.")
@click.pass_context
def command(ctx: click.Context, name: str | None, root: Path | None, as_json: bool) -> None:
    """Say what a rule does and why, or list all rules.

    Shows the reason, what becomes of a unit, how a question is classed, which rules give way to it, which
    hard words it may take away, examples, and near misses that it leaves alone. With --root also how many
    units of that tree it has to do with.
    """
    from bmadc.passes.registry import rules

    every = rules()
    if name is not None and name not in every:
        ctx.fail(
            f"no rule is named {name!r}. {perhaps(name, every, '`bmadc explain` without a name lists all.')}"
        )
    shown = tuple(every.values()) if name is None else (every[name],)
    counts: Mapping[str, int] | None = None
    if root is not None:
        from bmadc.ledger.totals import rule_counts
        from bmadc.passes.lower import lower_all

        pack = pack_at(ctx, root, as_json, "nothing to count in")
        counts = rule_counts(lower_all(pack)[0].values())
    if as_json:
        write_text(dump({"format": FORMAT, "rules": [_document(rule, counts) for rule in shown]}))
    elif name is None:
        write_lines(tuple(_list(shown, counts, room())))
    else:
        write_lines(tuple(_one(shown[0], counts, room())))


def _list(shown: Sequence[Rule], counts: Mapping[str, int] | None, width: int | None) -> Iterator[Line]:
    columns = [Column("rule", style="place"), Column("state"), Column("class")]
    columns += [Column("units", right=True)] if counts is not None else []
    columns += [Column("reason", least=24, yields=1)]
    rows = []
    for rule in shown:
        number = [str(counts.get(rule.id, 0))] if counts is not None else []
        rows.append((rule.id, rule.state, rule.classed or "-", *number, rule.reason))
    yield from table(columns, rows, width)


def _one(rule: Rule, counts: Mapping[str, int] | None, width: int | None) -> Iterator[Line]:
    yield (Piece("code", rule.id), Piece("quiet", f"  {rule.state}"))
    yield from paragraph(rule.reason, width)
    yield ()
    yield from labelled("finds", _FINDS[type(rule.find).__name__], width)
    yield from labelled("does", _MAKES[type(rule.make).__name__], width)
    optional = (
        ("class", rule.classed),
        ("goes over", ", ".join(rule.over)),
        ("consumes", ", ".join(rule.consumes)),
        ("bulk", rule.bulk),
    )
    for label, text in optional:
        if text:
            yield from labelled(label, text, width)
    if counts is not None:
        yield from labelled("applies to", count(counts.get(rule.id, 0), "unit"), width)
    if rule.examples:
        yield ()
        yield (Piece("label", "  examples"),)
        for before, after in rule.examples:
            yield from labelled("-", before, width, indent=4, column=2)
            yield from labelled("+", after or "(nothing)", width, indent=4, column=2)
    if rule.near:
        yield ()
        yield (Piece("label", "  near misses, left alone"),)
        for text in rule.near:
            yield from labelled("=", text, width, indent=4, column=2)


def _document(rule: Rule, counts: Mapping[str, int] | None) -> dict[str, object]:
    return {
        "id": rule.id,
        "reason": rule.reason,
        "state": rule.state,
        "class": rule.classed,
        "finds": _FINDS[type(rule.find).__name__],
        "does": _MAKES[type(rule.make).__name__],
        "over": list(rule.over),
        "consumes": list(rule.consumes),
        "bulk": rule.bulk,
        "examples": [{"before": before, "after": after} for before, after in rule.examples],
        "near": list(rule.near),
        **({} if counts is None else {"units": counts.get(rule.id, 0)}),
    }
