"""The help table of a module: which workflow stands in which phase, under which code, behind which other one.

Its columns were renamed twice, and rows of several releases lack a comma or have one too many. A row of
another width is fitted so that the two columns with a vocabulary, `phase` and `required`, have words of it;
phases are an open set, so one that other rows of the file have counts too, and any with a number in front.

Only the table of a module is read here. The one that the installer puts together from all of them loses
columns in 6.3 to 6.6: there the new rows stand under the old header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bmadc.diagnostics import Diagnostic, Span
from bmadc.ir.model import HelpRow, Origin
from bmadc.ir.tree import Tree, normal

# The name of each column in some release, and what it is called here.
COLUMNS: dict[str, str] = {
    "phase": "phase",
    "name": "name",
    "display-name": "name",
    "code": "code",
    "menu-code": "code",
    "sequence": "sequence",
    "workflow-file": "target",
    "skill": "target",
    "required": "required",
    "agent": "agent",
    "agent-name": "agent",
    "options": "options",
    "description": "description",
    "action": "action",
    "args": "args",
    "after": "after",
    "preceded-by": "after",
    "before": "before",
    "followed-by": "before",
    "output-location": "output_location",
    "outputs": "outputs",
}
NEEDED = ("target", "code", "phase")

# Phases of the releases so far; a file may have others.
PHASES = frozenset(
    ("anytime", "1-analysis", "2-planning", "3-solutioning", "4-implementation", "plan", "ship")
)
META = "_meta"

_NUMBERED = re.compile(r"\d+-[\w-]+")
_MODE = re.compile(r"(?i)(\w+) mode\b\s*")
_ARGUMENT = re.compile(r"[\[<-]")
_BETWEEN = re.compile(r"[|,;\s]+")
_WORKFLOW_FILE = re.compile(r"workflow(?:-(?P<name>[\w-]+))?\.(?:md|xml|ya?ml)|SKILL\.md")


@dataclass(frozen=True, slots=True)
class _Fitted:
    """The fields of a row under their columns; `how` says what was done to them, `sure` whether it fits."""

    fields: tuple[str, ...]
    how: str = ""
    sure: bool = True


def read_help(tree: Tree, module: str) -> tuple[tuple[HelpRow, ...], tuple[Diagnostic, ...]]:
    """Return the rows of a module's help table in their order, and what had to be mended in them."""
    if not tree.rows:
        return (), ()
    header = [name.strip().casefold() for name in tree.rows[0]]
    columns = [COLUMNS.get(name, name) for name in header]
    while columns and not columns[-1]:
        columns.pop()
    missing = [name for name in NEEDED if name not in columns]
    if missing:
        return (), (_no_column(tree, missing),)
    phases = _phases(tree.rows[1:], columns)
    lines = [tree.line(leaf) for leaf in tree.leaves if leaf.kind == "record"]
    rows: list[HelpRow] = []
    found: list[Diagnostic] = []
    for line, row in list(zip(lines, tree.rows, strict=False))[1:]:
        fitted = _fit(row, columns, phases)
        cells = dict(zip(columns, map(normal, fitted.fields), strict=True))
        if cells["target"] == META:
            continue
        other_width = len(row) != len(header)
        if other_width:
            found.append(_mended(tree, line, fitted))
        rows.append(_row(cells, module, Origin(tree.path, line), other_width))
    return tuple(rows), tuple(found)


def target_name(target: str) -> str:
    """Return the id of the workflow that a path or a skill's name means by itself; agents mean none."""
    target = target.strip().removeprefix("skill:").strip()
    if "/" not in target:
        return target
    folder, _, name = target.rpartition("/")
    if name.endswith(".agent.yaml") or ("agents" in folder.split("/") and name.endswith(".md")):
        return ""
    found = _WORKFLOW_FILE.fullmatch(name)
    above = folder.rpartition("/")[2]
    if found is None or above == "tasks":
        return name.rpartition(".")[0] or name
    return found["name"] or above


def _row(cells: dict[str, str], module: str, origin: Origin, repaired: bool) -> HelpRow:
    action, args = cells.get("action", ""), cells.get("args", "")
    options = cells.get("options", "")
    mode = _MODE.match(options)
    if options:
        # The old column says both in one: a mode, and what goes with it.
        action = mode[1].casefold() if mode else action
        args = options[mode.end() :] if mode else options
    return HelpRow(
        module=module or cells.get("module", ""),
        workflow=target_name(cells["target"]),
        name=cells.get("name", ""),
        code=cells["code"],
        phase=cells["phase"],
        description=cells.get("description", ""),
        origin=origin,
        sequence=cells.get("sequence", ""),
        action=action,
        args=args,
        after=_names(cells.get("after", "")),
        before=_names(cells.get("before", "")),
        required=cells.get("required", "").casefold() == "true",
        agent=cells.get("agent", ""),
        output_location=cells.get("output_location", ""),
        outputs=cells.get("outputs", ""),
        repaired=repaired,
    )


def _names(cell: str) -> tuple[str, ...]:
    return tuple(name for name in _BETWEEN.split(cell) if name)


def _phases(rows: Sequence[Sequence[str]], columns: Sequence[str]) -> frozenset[str]:
    at = columns.index("phase")
    fitting = (row[at].strip() for row in rows if len(row) >= len(columns) and _says_required(row, columns))
    return PHASES | {phase for phase in fitting if phase}


def _says_required(fields: Sequence[str], columns: Sequence[str]) -> bool:
    if "required" not in columns:
        return True
    return fields[columns.index("required")].strip().casefold() in ("true", "false")


def _plausible(fields: Sequence[str], columns: Sequence[str], phases: frozenset[str]) -> bool:
    phase = fields[columns.index("phase")].strip()
    known = phase in phases or _NUMBERED.fullmatch(phase) is not None
    return known and _says_required(fields, columns)


def _fit(row: Sequence[str], columns: Sequence[str], phases: frozenset[str]) -> _Fitted:
    width = len(columns)
    if len(row) == width:
        return _Fitted(tuple(row))
    if len(row) > width:
        if not any(field.strip() for field in row[width:]):
            return _Fitted(tuple(row[:width]), "the empty fields at its end were left out")
        joined = _joined(row, columns)
        if joined is not None and _plausible(joined, columns, phases):
            return _Fitted(joined, "the fields of its description were put together again")
        return _Fitted(tuple(row[:width]), "what stands behind the last column was left out", sure=False)
    for at, fields in _widened(row, columns):
        if _plausible(fields, columns, phases):
            name = columns[at] if at < width else columns[-1]
            return _Fitted(fields, f"an empty field was put in for `{name}`")
    padded = (*row, *("",) * (width - len(row)))
    return _Fitted(padded, "empty fields were added at its end", sure=False)


def _joined(row: Sequence[str], columns: Sequence[str]) -> tuple[str, ...] | None:
    if "description" not in columns:
        return None
    at, more = columns.index("description"), len(row) - len(columns)
    return (*row[:at], ",".join(row[at : at + more + 1]), *row[at + more + 1 :])


def _widened(row: Sequence[str], columns: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Return the row with empty fields put in at one place after the other, the likeliest first."""
    gap = ("",) * (len(columns) - len(row))
    places = list(range(len(row), -1, -1))
    if "args" in columns and "action" in columns:
        action = columns.index("action")
        # Action and args are mostly both empty, and one comma is forgotten; a lone value in brackets is args.
        alone = row[action].strip() if action < len(row) else ""
        places.insert(0, action if _ARGUMENT.match(alone) else columns.index("args"))
    for at in places:
        if at <= len(row):
            yield at, (*row[:at], *gap, *row[at:])


def _no_column(tree: Tree, missing: Sequence[str]) -> Diagnostic:
    names = {"target": "`skill` or `workflow-file`", "code": "`menu-code` or `code`", "phase": "`phase`"}
    return Diagnostic(
        code="BMC358",
        severity="warning",
        message="this help table has no column " + ", ".join(names[name] for name in missing),
        span=Span(tree.path, 1, 1, 1, len(tree.text.line(1)) + 1) if tree.text.line_count else None,
        expected="the columns that BMAD's own modules have",
        why="No row of it can be read, so phases and order of its workflows are not known.",
        help=("Give the table the header of a recent BMAD release.",),
    )


def _mended(tree: Tree, line: int, fitted: _Fitted) -> Diagnostic:
    span = Span(tree.path, line, 1, line, len(tree.text.line(line)) + 1)
    if fitted.sure:
        return Diagnostic(
            code="BMC359",
            severity="note",
            message=f"this row was mended: {fitted.how}",
            span=span,
            why="With it phase and requirement are in their columns again.",
            help=("Mend it in the file too: other readers take the values as they stand.",),
        )
    return Diagnostic(
        code="BMC360",
        severity="warning",
        message=f"this row fits the header in no way that makes sense: {fitted.how}",
        span=span,
        expected="a known phase in the column `phase`, true or false in `required`",
        why="Its values may stand under wrong names.",
        help=("Count the commas, and quote a field that holds one.",),
    )
