"""From a folder with a BMAD tree to all files of its pack. Nothing is written here; only files decide.

The order is the order of the rooms: read the project and its tree, lower the workflows, hold the ledger to
account, give each workflow its row, and make the pack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from bmadc import __version__
from bmadc.backend import manifest
from bmadc.backend.agentic import Contents, checks_rule, frontmatter, time_of
from bmadc.backend.assemble import Origin, body, describe, document, guarded, method_of
from bmadc.backend.made import Made
from bmadc.backend.manifest import Manifest
from bmadc.backend.pack import moved, pack_files
from bmadc.backend.shipping import is_shippable
from bmadc.diagnostics import Diagnostic, Span, in_reading_order
from bmadc.frontend.pack import read_pack
from bmadc.frontend.releases import TESTED
from bmadc.ghaw.vocabulary.pin import RELEASE
from bmadc.hashes import compiler_hash, input_hashes, settings_hash
from bmadc.ir.ledger import STATES, Lowered
from bmadc.ir.model import Pack, Workflow
from bmadc.ledger.exceptions import EXCEPTIONS
from bmadc.ledger.honesty import Fault, residual
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.catalogue import Row, known, row_of
from bmadc.machine.choices import Choices
from bmadc.machine.places import places_of
from bmadc.passes.context import is_left_out, is_only_inlined
from bmadc.passes.lower import lower_all
from bmadc.passes.shipped import packages
from bmadc.project import FILE, Project, seen_from

Report = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Built:
    """A pack as it would be written, and everything there is to say about it."""

    files: Mapping[str, str]
    """All files but the manifest, by path below the pack's folder."""
    manifest: Manifest
    made: tuple[Made, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def failed(self) -> bool:
        """Whether nothing may be written."""
        return any(one.severity == "error" for one in self.diagnostics)


class UnknownNameError(ValueError):
    """A workflow that was asked for and is not made; `why` says so where there is a reason."""

    def __init__(self, name: str, known_names: Iterable[str], why: str = "") -> None:
        super().__init__(name)
        self.name = name
        self.known = tuple(known_names)
        self.why = why


def compile_pack(
    folder: Path, project: Project, only: Sequence[str] = (), report: Report | None = None
) -> Built:
    """Return the pack of the tree that a project names; raises SourceError if there is none to read.

    `only` names workflows; without it all are made.
    """
    say = report or (lambda _: None)
    source = folder / project.source
    say("reading the BMAD tree")
    pack = read_pack(source)
    say(f"lowering {len(pack.workflows)} workflows")
    lowered, lowering = lower_all(pack, lambda one: [astuple(fault) for fault in _left_in(one)])
    say("making the pack")
    texts = {path: tree.text.text for path, tree in pack.trees.items()}
    left = {id_: [Fault(*row) for row in said] for id_, said in lowering.judged.items()}  # type: ignore[arg-type]
    return make_pack(pack, lowered, project, input_hashes(source, texts), only, left)


def make_pack(
    pack: Pack,
    lowered: Mapping[str, Lowered],
    project: Project,
    inputs: Mapping[str, str],
    only: Sequence[str] = (),
    left: Mapping[str, Sequence[Fault]] | None = None,
) -> Built:
    """Return the pack of a tree that was read and lowered; `inputs` are the hashes of its files.

    `left` is the dialogue that is left in each workflow, where somebody has looked already.
    """
    problems: list[Diagnostic] = [one for one in pack.diagnostics if one.severity == "error"]
    places, unusable = places_of(pack.config)
    problems += map(_unusable_folder, unusable)
    choices = replace(project.choices, places=places)
    chosen, left_out = _chosen(pack, project)
    chosen = _asked_for(pack, chosen, left_out, only)
    problems += _overrides(pack, project)
    rows = {workflow.id: row_of(workflow.id, workflow.phase) for workflow in chosen}
    problems += _unknown(chosen)
    problems += _doubled(chosen, rows)
    for workflow in chosen:
        found = _left_in(lowered[workflow.id]) if left is None else left[workflow.id]
        problems += _residual(found, tested=pack.release in TESTED)
    made = tuple(
        _made(pack, workflow, rows, lowered[workflow.id], choices, project)
        for workflow in sorted(chosen, key=lambda one: _order(rows[one.id]))
        if not any(map(_unshippable, _files(lowered[workflow.id])))
    )
    problems += [
        _cannot_ship(workflow, name) for workflow in chosen for name in _bad_names(lowered[workflow.id])
    ]
    problems += _sizes(made)
    if not made:
        problems.append(_nothing())
        nothing = _manifest(inputs, project, pack, lowered, (), {}, left_out)
        return Built({}, nothing, (), tuple(seen_from(project, problems)))
    problems += _remarks(made, choices, project, whole=not only)
    method = method_of(pack.release, project.method)
    files = pack_files(made, choices, method, project.repository)
    return Built(
        files,
        _manifest(inputs, project, pack, lowered, made, files, left_out),
        made,
        in_reading_order(seen_from(project, problems)),
    )


def _made(
    pack: Pack,
    workflow: Workflow,
    rows: Mapping[str, Row],
    lowered: Lowered,
    choices: Choices,
    project: Project,
) -> Made:
    row = rows[workflow.id]
    override = project.override(row.id, workflow.id.removeprefix("bmad-"))
    here = {one.id: one for one in rows.values()}
    after = next((here[id_] for id_ in row.next if id_ in here), None)
    agents = tuple(
        dict.fromkeys(
            agent.title or agent.name for owner in workflow.owners if (agent := pack.agent(owner.agent))
        )
    )
    purpose = "" if known(workflow.id) else workflow.description
    origin = Origin(method_of(pack.release, project.method), workflow.id, agents, purpose)
    next_label = after.label if after is not None else ""
    contents = Contents(
        describe(row, origin),
        skills=bool(_skills(lowered)),
        files=tuple(_files(lowered)),
        installs=bool(packages(part for part in lowered.parts if part.kind == "file")),
        next_label=next_label,
    )
    front = frontmatter(row, choices, contents, override)
    instructions = body(row, lowered, choices.engine, time_of(row, override))
    guardrails = [one for one in (checks_rule(row, choices), override.guardrail) if one]
    text = document(row, lowered, choices.engine, origin, front, guarded(instructions, guardrails))
    return Made(row, workflow.id, text, front, after, len(instructions.encode()))


def _files(lowered: Lowered) -> Iterator[tuple[str, str]]:
    return ((part.name, part.text) for part in lowered.parts if part.kind == "file")


def _skills(lowered: Lowered) -> list[str]:
    return [part.name for part in lowered.parts if part.kind == "skill"]


def _unshippable(file: tuple[str, str]) -> bool:
    return not is_shippable(file[0])


def _bad_names(lowered: Lowered) -> list[str]:
    return [name for name, _ in _files(lowered) if not is_shippable(name)]


def _order(row: Row) -> tuple[str, str]:
    return (row.document, row.label)


def _asked_for(
    pack: Pack, chosen: list[Workflow], left_out: Mapping[str, str], only: Sequence[str]
) -> list[Workflow]:
    """Return those workflows that were named, or all; raises UnknownNameError."""
    made = {workflow.id for workflow in chosen}
    by_row = {row_of(workflow.id, workflow.phase).id: workflow for workflow in chosen}
    wanted: set[str] = set()
    for name in only:
        found = pack.workflow(name) or by_row.get(name.removeprefix("bmad-"))
        if found is None or found.id not in made:
            why = left_out.get(found.id, "") if found is not None else ""
            raise UnknownNameError(
                name, sorted(made), f"{found.id}: {why}." if found is not None and why else ""
            )
        wanted.add(found.id)
    return [workflow for workflow in chosen if not only or workflow.id in wanted]


def _chosen(pack: Pack, project: Project) -> tuple[list[Workflow], dict[str, str]]:
    """Return the workflows that are made, and why the others are not."""
    chosen: list[Workflow] = []
    left_out: dict[str, str] = {}
    for workflow in pack.workflows:
        row_id = row_of(workflow.id, workflow.phase).id
        if workflow.engine:
            left_out[workflow.id] = "it is the engine that runs the others in an editor"
        elif workflow.shim is not None and workflow.shim.kind != "retained":
            left_out[workflow.id] = f"it only leads to {workflow.shim.target}"
        elif is_left_out(workflow):
            left_out[workflow.id] = "it serves a person in an editor"
        elif is_only_inlined(workflow):
            left_out[workflow.id] = "it travels with the workflows that call it"
        elif project.override(row_id, workflow.id.removeprefix("bmad-")).disabled:
            left_out[workflow.id] = f"{FILE} disables it"
        else:
            chosen.append(workflow)
    return chosen, left_out


def _manifest(
    inputs: Mapping[str, str],
    project: Project,
    pack: Pack,
    lowered: Mapping[str, Lowered],
    made: Sequence[Made],
    files: Mapping[str, str],
    left_out: Mapping[str, str],
) -> Manifest:
    totals: dict[str, int] = dict.fromkeys(STATES, 0)
    for one in lowered.values():
        for entry in one.entries:
            totals[entry.state] += 1
    return Manifest(
        compiler=__version__,
        compiler_hash=compiler_hash(),
        gh_aw=RELEASE,
        release=pack.release,
        settings=settings_hash(project),
        inputs=inputs,
        outputs={path: manifest.digest(text) for path, text in files.items()},
        workflows=manifest.records(made),
        left_out=left_out,
        edges=manifest.edges(made),
        ledger={"units": sum(totals.values()), **totals},
    )


# --- what there is to say


def _unusable_folder(key: str) -> Diagnostic:
    return Diagnostic(
        code="BMC405",
        severity="warning",
        message=f"the setting {key} of the BMAD tree names no folder that a workflow can be held to",
        why="Which files an agent may write is enforced by folder; the usual one is taken instead.",
        expected="a folder below the project's root, of letters, digits, spaces, dots and hyphens",
        help=(f"Give {key} such a folder in the settings of BMAD.",),
    )


def _overrides(pack: Pack, project: Project) -> Iterator[Diagnostic]:
    names = {workflow.id.removeprefix("bmad-") for workflow in pack.workflows}
    names |= {row_of(workflow.id, workflow.phase).id for workflow in pack.workflows}
    for name in project.workflows:
        if name not in names:
            yield Diagnostic(
                code="BMC404",
                severity="warning",
                message=f"[workflows.{name}] changes a workflow that this tree does not have",
                span=Span.file(FILE),
                why="What it says has no effect; after an upgrade of BMAD a workflow may have another name.",
                help=("`bmadc inspect` lists the workflows of the tree.",),
            )


def _unknown(chosen: Iterable[Workflow]) -> Iterator[Diagnostic]:
    for workflow in chosen:
        if known(workflow.id) is None:
            row = row_of(workflow.id, workflow.phase)
            yield Diagnostic(
                code="BMC411",
                severity="note",
                message=f"the catalogue has no row for {workflow.id}: its label is {row.label}",
                span=Span.file(workflow.origin.path),
                why="It gets a pull request with documents, by its phase; it may need more, or less.",
                help=("Read what was made of it before you install it.",),
            )


def _doubled(chosen: Sequence[Workflow], rows: Mapping[str, Row]) -> Iterator[Diagnostic]:
    # Not by id: two folders of one name give two workflows with one id.
    seen: dict[str, Workflow] = {}
    for workflow in chosen:
        row = rows[workflow.id]
        for name in dict.fromkeys((row.document, row.label)):
            if (other := seen.setdefault(name, workflow)) is not workflow:
                yield Diagnostic(
                    code="BMC412",
                    severity="error",
                    message=f"{other.origin.path} and {workflow.origin.path} would both be {name}",
                    span=Span.file(workflow.origin.path),
                    why="One label would start two workflows, or one file would overwrite the other.",
                    help=(f"Disable one of them in {FILE}: [workflows.{workflow.id}] disabled = true",),
                )
                break


def _left_in(lowered: Lowered) -> list[Fault]:
    return residual(lowered.id, lowered.entries, lowered.parts, EXCEPTIONS)


def _residual(faults: Iterable[Fault], *, tested: bool) -> Iterator[Diagnostic]:
    for fault in faults:
        shown = (f"`bmadc trace {fault.path}:{fault.line}` shows what became of it.",) if fault.path else ()
        yield Diagnostic(
            code="BMC413",
            severity="error" if tested else "warning",
            message=f"{fault.workflow}: {fault.message}",
            span=Span.point(fault.path, fault.line, 1) if fault.path else None,
            why="Nobody answers in a run: the agent would wait, or make an answer up.",
            help=shown,
        )


def _cannot_ship(workflow: Workflow, name: str) -> Diagnostic:
    return Diagnostic(
        code="BMC419",
        severity="error",
        message=f"{workflow.id} needs the file {name!r}, whose name cannot stand in a script",
        span=Span.file(workflow.origin.path),
        why="The file is written by a script before the agent starts, and the name would be part of it.",
        expected="letters, digits, dots, hyphens and underscores",
        help=("Rename the file in the BMAD tree.",),
    )


def _sizes(made: Iterable[Made]) -> Iterator[Diagnostic]:
    for one in made:
        size = one.size
        if size > BUDGETS.prompt_warning_bytes:
            too_large = size > BUDGETS.prompt_bytes
            yield Diagnostic(
                code="BMC414" if too_large else "BMC415",
                severity="error" if too_large else "note",
                message=f"{one.source} has instructions of {size:,} bytes; {BUDGETS.prompt_bytes:,} can be",
                why="They travel to the engine as one argument of the command line.",
                help=("Shorten its steps, or split them into files: those become skills.",),
            )


def _remarks(
    made: Sequence[Made], choices: Choices, project: Project, *, whole: bool
) -> Iterator[Diagnostic]:
    searching = [one.row.name for one in made if one.row.web]
    if searching and not choices.engine.searches:
        yield Diagnostic(
            code="BMC418",
            severity="note",
            message=f"the engine {choices.engine.id} cannot search the web, only fetch pages",
            why=f"Research suffers: {', '.join(searching)}.",
            help=("Choose the engine claude or codex for research.",),
        )
    gone = moved(made)
    if gone and whole and not project.repository:
        names = ", ".join(row.name for row in gone)
        yield Diagnostic(
            code="BMC417",
            severity="note",
            message=f"{len(gone)} workflows of other releases moved, and nothing leads from them: {names}",
            why="A repository that installed one of them does not learn of it by `gh aw update`.",
            help=(f'If you publish this pack, say where in {FILE}: repository = "owner/name"',),
        )


def _nothing() -> Diagnostic:
    return Diagnostic(
        code="BMC416",
        severity="error",
        message="there is no workflow to build",
        why="The tree has none, or none of those that were asked for.",
        help=("`bmadc inspect` lists the workflows of the tree.",),
    )
