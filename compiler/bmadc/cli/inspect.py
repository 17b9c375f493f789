"""`bmadc inspect`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from bmadc.cli.layout import Column, bytes_text, count, labelled, paragraph, table, wrapped
from bmadc.cli.output import terminal_width, write_lines, write_text
from bmadc.cli.reading import quiet_tree, refuse, root_option, tree_at
from bmadc.diagnostics.text import Line, Piece
from bmadc.ir.model import Agent, Pack, Step, Workflow
from bmadc.ir.outline import contents, nearest_units, offers, only, size, unit, unit_ids
from bmadc.ir.serial import dump
from bmadc.source import SourceError

NARROWEST = 60


def _complete_id(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Offer the ids of the tree; a folder that cannot be read offers none."""
    try:
        from bmadc.frontend.pack import read_pack

        names = unit_ids(read_pack(quiet_tree(ctx.params.get("root"))))
    except Exception:
        # Whatever is wrong there, the middle of a command line is no place to say it.
        return []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command(
    "inspect",
    epilog="""\b
Exit codes:
  0  shown
  2  there is no BMAD tree, it cannot be read, or nothing has that ID

\b
Examples:
  bmadc inspect
  bmadc inspect dev-story
  bmadc inspect --root vendor/bmad bmad-code-review
  bmadc inspect --json > pack.json
  bmadc inspect create-prd --json
""",
)
@click.argument("name", metavar="[ID]", required=False, shell_complete=_complete_id)
@root_option
@click.option("--json", "as_json", is_flag=True, help="Print the tree for programs, all of it or one unit.")
@click.option("--personal", is_flag=True, help="Let the personal settings (`*.user.toml`) count too.")
@click.pass_context
def command(ctx: click.Context, name: str | None, root: Path | None, as_json: bool, personal: bool) -> None:
    """Show a BMAD tree, or one workflow or agent of it.

    Without ID: all agents and workflows in two tables. With ID: where the unit stands, who owns it, its steps
    with what they hold, its files, values and rows of the help table. An ID of an older release finds what
    that workflow has become, and `bmad-` in front may be left out.

    What is wrong with the tree is not said here: `bmadc doctor` does that.
    """
    from bmadc.frontend.aliases import relatives
    from bmadc.frontend.pack import read_pack

    closing = "nothing to inspect"
    folder = tree_at(ctx, root, "json" if as_json else "text", closing)
    try:
        pack = read_pack(folder, personal=personal)
    except SourceError as problem:
        refuse(ctx, problem, folder, as_json, closing)
    chosen = None if name is None else unit(pack, name)
    # A shim that is not installed names nothing here, but what it leads to does the work.
    others = () if name is None or chosen is not None else relatives(name, unit_ids(pack))
    if len(others) == 1:
        chosen = unit(pack, others[0])
    if name is not None and chosen is None:
        near = others or nearest_units(pack, name)
        meant = f"Perhaps: {', '.join(near)}." if near else "`bmadc inspect` without an ID lists all."
        ctx.fail(f"no workflow or agent is named {name!r}. {meant}")
    if as_json:
        write_text(dump(pack if chosen is None else only(pack, chosen)))
        return
    width = terminal_width()
    room = None if width is None else max(width, NARROWEST)
    write_lines(tuple(tables(pack, room) if chosen is None else about(pack, chosen, name or "", room)))


def tables(pack: Pack, width: int | None) -> Iterator[Line]:
    """Return all agents and all workflows as two tables."""

    release = f"BMAD {pack.release}" if pack.release else "BMAD, release unknown"
    yield (Piece("code", f"{release}, {pack.form} form"),)
    yield ()
    yield (Piece("code", count(len(pack.agents), "agent")),)
    if pack.agents:
        yield from table(
            (
                Column("id", style="place", least=20, yields=2),
                Column("name"),
                Column("title", least=18, yields=1),
                Column("module", spare=2),
                Column("encoding", spare=1),
                Column("menu", right=True),
                Column("files", right=True),
                Column("bytes", right=True),
            ),
            [
                (
                    agent.id,
                    agent.name,
                    agent.title,
                    agent.module,
                    agent.encoding,
                    str(len(agent.menu)),
                    str(len(agent.files)),
                    bytes_text(size(pack, agent.files)),
                )
                for agent in pack.agents
            ],
            width,
        )
    yield ()
    yield (Piece("code", count(len(pack.workflows), "workflow")),)
    if pack.workflows:
        yield from table(
            (
                Column("id", style="place", least=24, yields=2),
                Column("phase"),
                Column("module", spare=2),
                Column("encoding", spare=1),
                Column("owners", least=12, yields=1),
                Column("steps", right=True),
                Column("files", right=True),
                Column("bytes", right=True),
            ),
            [
                (
                    one.id,
                    one.phase,
                    one.module,
                    one.encoding,
                    _owners(one),
                    str(len(one.steps)),
                    str(len(one.files)),
                    bytes_text(size(pack, tuple(use.path for use in one.files))),
                )
                for one in pack.workflows
            ],
            width,
        )


def about(pack: Pack, chosen: Workflow | Agent, asked: str, width: int | None) -> Iterator[Line]:
    """Return everything about one unit as a tree."""

    if isinstance(chosen, Agent):
        yield from _agent(pack, chosen, width)
    else:
        yield from _workflow(pack, chosen, asked, width)


def _workflow(pack: Pack, workflow: Workflow, asked: str, width: int | None) -> Iterator[Line]:

    kind = ", ".join(
        part for part in ("workflow", workflow.module, workflow.phase, workflow.encoding) if part
    )
    yield (Piece("code", workflow.id), Piece("quiet", f"  {kind}"))
    if asked.removeprefix("bmad-") != workflow.id.removeprefix("bmad-"):
        yield from paragraph(f"{asked} is another name of it.", width, style="note")
    if workflow.description:
        yield from paragraph(workflow.description, width)
    yield ()
    if workflow.name and workflow.name != workflow.id:
        yield from labelled("name", workflow.name, width)
    yield from labelled("origin", str(workflow.origin), width)
    owners = [
        f"{one.agent}, by {one.by} {one.code}".rstrip() + f", {one.origin}" for one in workflow.owners
    ] or ["none"]
    for number, text in enumerate(owners):
        yield from labelled("" if number else "owners", text, width)
    if workflow.shim is not None:
        shim = workflow.shim
        leads = f", leads to {shim.target}" if shim.target else ""
        yield from labelled("shim", f"{shim.kind}{leads}{f', {shim.intent}' if shim.intent else ''}", width)
    if workflow.engine:
        yield from labelled("engine", "it runs other workflows", width)
    if workflow.aliases:
        yield from labelled("aliases", ", ".join(workflow.aliases), width)
    if workflow.calls:
        yield from labelled("calls", ", ".join(workflow.calls), width)
    yield from _steps(pack, workflow, width)
    yield from _files(pack, tuple((use.role, use.path) for use in workflow.files), width)
    if workflow.values:
        yield from _heading("values", len(workflow.values))
        column = min(max(len(name) for name, _ in workflow.values) + 2, 28)
        for name, value in workflow.values:
            shown = value or "(empty)"
            yield from labelled(name, shown, width, indent=4, column=max(column, len(name) + 2))
    if workflow.help:
        yield from _heading("help", len(workflow.help))
        for row in workflow.help:
            more = [row.phase, f"sequence {row.sequence}" if row.sequence else "", row.action]
            more += ["required" if row.required else "", "repaired" if row.repaired else "", str(row.origin)]
            text = f"{row.name}: {', '.join(part for part in more if part)}"
            yield from labelled(row.code or "-", text, width, indent=4, column=6)


def _steps(pack: Pack, workflow: Workflow, width: int | None) -> Iterator[Line]:

    if not workflow.steps:
        return
    yield from _heading("steps", len(workflow.steps))
    wide = max(len(step.number) for step in workflow.steps)
    for step in workflow.steps:
        indent = 4 + 2 * step.depth
        lead = indent + wide + 2
        first, *rest = wrapped(step.title or "(no title)", None if width is None else width - lead)
        number = Piece("place", " " * indent + step.number.rjust(wide) + "  ")
        yield (number, Piece("plain", first), *_marks(step))
        yield from ((Piece("plain", " " * lead + row),) for row in rest)
        if step.condition:
            yield from paragraph(f"if {step.condition}", width, lead, "note")
        held = ", ".join(f"{number} {word}" for number, word in contents(pack, step))
        said = " · ".join(part for part in (_short(str(step.origin), workflow), held) if part)
        yield from paragraph(said, width, lead, "quiet")


def _marks(step: Step) -> tuple[Piece, ...]:

    return (Piece("warning", f"  {step.role}"),) if step.role != "step" else ()


def _agent(pack: Pack, agent: Agent, width: int | None) -> Iterator[Line]:

    who = ", ".join(part for part in (agent.name, agent.title) if part)
    kind = ", ".join(part for part in ("agent", agent.module, agent.encoding) if part)
    yield (Piece("code", agent.id), Piece("quiet", f"  {kind}"))
    yield ()
    persona = (
        ("who", who),
        ("can", agent.capabilities),
        ("role", agent.role),
        ("identity", agent.identity),
        ("speaks", agent.communication_style),
    )
    yield from labelled("origin", str(agent.origin), width)
    for label, text in persona:
        if text:
            yield from labelled(label, text, width)
    lists = (
        ("principles", agent.principles),
        ("critical actions", agent.critical_actions),
        ("persistent facts", agent.persistent_facts),
        ("before the greeting", agent.activation_prepend),
        ("after the greeting", agent.activation_append),
    )
    for title, texts in lists:
        if texts:
            yield from _heading(title, len(texts))
            for text in texts:
                yield from labelled("-", text, width, indent=4, column=2)
    if agent.menu:
        yield from _heading("menu", len(agent.menu))
        yield from table(
            (
                Column("code", style="place"),
                Column("kind"),
                Column("leads to", least=20, yields=2),
                Column("description", least=16, yields=1, spare=1),
            ),
            [(item.code, item.kind, item.workflow or item.target, item.description) for item in agent.menu],
            width,
            indent=4,
        )
    if agent.prompts:
        yield from _heading("prompts", len(agent.prompts))
        for prompt in agent.prompts:
            yield from labelled(prompt.id, str(prompt.origin), width, indent=4, column=len(prompt.id) + 2)
    owned = offers(pack, agent)
    if owned:
        yield from _heading("owns", len(owned))
        yield from labelled("", ", ".join(owned), width, indent=4, column=0)
    yield from _files(pack, tuple(("", path) for path in agent.files), width)


def _files(pack: Pack, files: tuple[tuple[str, str], ...], width: int | None) -> Iterator[Line]:

    if not files:
        return
    yield from _heading("files", len(files))
    roles = any(role for role, _ in files)
    yield from table(
        (*((Column("role"),) if roles else ()), Column("bytes", right=True), Column("path")),
        [(*((role,) if roles else ()), bytes_text(size(pack, (path,))), path) for role, path in files],
        width,
        indent=4,
    )


def _heading(title: str, number: int) -> Iterator[Line]:

    yield ()
    yield (Piece("code", f"  {title}"), Piece("quiet", f" ({number})"))


def _owners(workflow: Workflow) -> str:
    return ", ".join(sorted({owner.agent for owner in workflow.owners})) or "-"


def _short(place: str, workflow: Workflow) -> str:
    """Return a place as it is seen from the workflow's folder."""
    folder = workflow.origin.path.rpartition("/")[0]
    return place.removeprefix(f"{folder}/") if folder else place
