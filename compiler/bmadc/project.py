"""`bmadc.toml`: what a project says about the pack that it wants.

All keys are optional. One table says what each may be and what is to be done when it is not; the schema for
editors is made from it too.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from bmadc.diagnostics import Diagnostic, Span, nearest_names
from bmadc.frontend.tomlvalues import Layer, read_toml
from bmadc.ghaw.engines import CLAUDE, ENGINES
from bmadc.machine.choices import Choices, Override
from bmadc.machine.stacks import STACKS
from bmadc.machine.wiring import BUS, Waking, Wiring, WiringError
from bmadc.source import SourceError, Text, exists, is_named, read_text
from bmadc.source.ours import SETTINGS

FILE = SETTINGS
SCHEMA_FILE = "bmadc.schema.json"
"""What `bmadc init` writes beside it, for editors; the schema that the tables below give."""

_HOST = r"(?:\*\.)?[A-Za-z0-9](?:[A-Za-z0-9.-]{0,250}[A-Za-z0-9])?"
_COMMAND = r"[A-Za-z0-9_./][A-Za-z0-9_./+-]{0,60}"
_RUNNER = r"[A-Za-z0-9][\w. -]{0,80}"
_FOLDER = r"(?!/)[^\x00-\x1f\\]{1,200}"


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the file: what it is, what it means, and the form that its text must have."""

    name: str
    kind: str
    """`text`, `texts`, `number`, `flag` or `choice`, `choices`."""
    meaning: str
    form: str = ".*"
    choices: tuple[str, ...] = ()
    low: int = 0
    high: int = 0
    example: str = ""

    def example_text(self) -> str:
        """A value as it could stand in the file."""
        value = self.example or self.choices[0]
        if self.kind in ("texts", "choices"):
            return json.dumps([value])
        return json.dumps(value) if self.kind in ("text", "choice") else value

    def fits(self, value: object) -> bool:
        """Whether a value is a text that the key takes, alone or in a list."""
        if not isinstance(value, str):
            return False
        return value in self.choices if self.choices else re.fullmatch(self.form, value) is not None


OUT = Key("out", "text", "The folder that the pack is written to, from here", _FOLDER, example=".")

KEYS: tuple[Key, ...] = (
    Key("source", "text", "The folder with the BMAD tree, from here", _FOLDER, example="."),
    OUT,
    Key("engine", "choice", "The engine that runs the agents", choices=tuple(ENGINES)),
    Key("wiring", "choice", "How one workflow wakes the next", choices=tuple(way.value for way in Waking)),
    Key(
        "secret",
        "text",
        "With wiring credential: the secret that holds a personal access token",
        r"(?!GITHUB_)[A-Z_][A-Z0-9_]*",
        example="BMAD_TOKEN",
    ),
    Key(
        "stacks",
        "choices",
        "What the project is built with; without it, tools and packages of every stack",
        choices=tuple(STACKS),
    ),
    Key(
        "web",
        "texts",
        "Hosts that research may fetch from; without it, common domains",
        _HOST,
        example="docs.example.com",
    ),
    Key(
        "repository",
        "text",
        "Where this pack is published, as owner/repository; needed to redirect renamed workflows",
        r"[A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}",
        example="acme/bmad-pack",
    ),
    Key(
        "method",
        "text",
        "What the pack calls the method that it was made from; without it, BMAD and its release",
        r"[A-Za-z0-9][\w. -]{0,60}",
        example="the house edition",
    ),
    Key(
        "ci",
        "texts",
        "Workflow files of the project that check a pull request; what the pack pushes starts them",
        r"[A-Za-z0-9_][A-Za-z0-9._-]{0,80}\.ya?ml",
        example="ci.yml",
    ),
    Key(
        "runs-on", "text", "The runner of the agents, where it is not GitHub's", _RUNNER, example="big-runner"
    ),
    Key("runs-on-slim", "text", "The runner of all other jobs", _RUNNER, example="small-runner"),
    Key(
        "host",
        "text",
        "The host of GitHub Enterprise Server",
        _HOST.replace(r"(?:\*\.)?", ""),
        example="github.example.com",
    ),
)

OVERRIDES: tuple[Key, ...] = (
    Key("disabled", "flag", "Leave this workflow out of the pack", example="true"),
    Key("timeout-minutes", "number", "How long the agent may work", low=1, high=360, example="60"),
    Key("max-turns", "number", "How many turns the agent may take", low=1, high=1000, example="200"),
    Key(
        "model", "text", "The model that the engine uses", r"[A-Za-z0-9][\w.:/-]{0,100}", example="some-model"
    ),
    Key("bash", "texts", "Commands that it may run besides its own", _COMMAND, example="terraform"),
    Key(
        "network",
        "texts",
        "Hosts or ecosystems that it may reach besides its own",
        _HOST,
        example="terraform",
    ),
    Key(
        "guardrail",
        "text",
        "One more sentence among its guardrails",
        r"[^\x00-\x1f]{1,500}",
        example="Never touch the folder legal/.",
    ),
)


@dataclass(frozen=True, slots=True)
class Project:
    """A project's wishes, all valid."""

    source: str = "."
    out: str = "."
    repository: str = ""
    method: str = ""
    choices: Choices = field(default_factory=Choices)
    workflows: Mapping[str, Override] = field(default_factory=dict)

    def override(self, *names: str) -> Override:
        """What the project changes about a workflow, under any of its names."""
        return next((self.workflows[name] for name in names if name in self.workflows), Override())


def seen_from(project: Project, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Return diagnostics about files of the tree with their paths as they are from the project's folder."""
    prefix = PurePosixPath(project.source)
    if prefix.name == "_bmad":
        prefix = prefix.parent
    for one in diagnostics:
        if one.span is None or one.span.path == FILE:
            yield one
        else:
            yield replace(one, span=replace(one.span, path=(prefix / one.span.path).as_posix()))


def find_project(start: Path) -> Path:
    """Return the nearest folder upward that has the file, within one repository, or else the start itself."""
    here = start.resolve()
    for folder in (here, *here.parents):
        if is_named(folder, FILE):
            return start / os.path.relpath(folder, here) if folder != here else start
        if exists(folder, ".git"):
            break
    return start


def read_project(folder: Path, *, sure: bool = True) -> tuple[Project, tuple[Diagnostic, ...]]:
    """Return what the file of a folder says, with everything that is wrong in it; without a file, nothing.

    It is wrong too that the tree which it names is not there, unless `sure` is False.
    """
    # Not is_file(): a folder of that name, or a link that leads out, would be passed over in silence.
    if not is_named(folder, FILE):
        return Project(), ()
    try:
        text = read_text(folder, FILE)
    except SourceError as problem:
        return Project(), (replace(problem.diagnostic, why=problem.diagnostic.why or _NOTHING_BUILT),)
    layer, problems = read_toml(text, FILE)
    if problems:
        return Project(), tuple(replace(one, why=_NOTHING_BUILT) for one in problems)
    project, problems = project_of(layer)
    if sure and not problems and not (folder / project.source).is_dir():
        project, problems = Project(), (_no_tree(layer, project.source),)
    return project, tuple(_sharp(text, one) for one in problems)


_NOTHING_BUILT = "Nothing was built: a guess would end up in workflows that run with a token."


def _no_tree(layer: Layer, source: str) -> Diagnostic:
    return Diagnostic(
        code="BMC406",
        severity="error",
        message=f"there is no folder {source!r}",
        span=layer.span("source"),
        expected="the folder that holds the BMAD tree, from here",
        why="Without it there is nothing to build from.",
        help=("Correct the name.", "`bmadc init --bmad RELEASE` puts a release of BMAD there."),
    )


_PAIR = re.compile(r"[ \t]*(?P<key>[^=\"'#]+?|\"[^\"]*\"|'[^']*')[ \t]*=[ \t]*(?P<value>.*)")
_COMMENT = re.compile(r"""((?:[^"'#]|"(?:[^"\\]|\\.)*"|'[^']*')*?)[ \t]*(?:#.*)?""")


def _sharp(text: Text, problem: Diagnostic) -> Diagnostic:
    """Let a problem that knows its line point at the name of a setting, or at its value."""
    span = problem.span
    if span is None or span.is_file:
        return problem
    line = text.line(span.line)
    found = _PAIR.fullmatch(line)
    if found is None:
        start, end = len(line) - len(line.lstrip()), len(line.rstrip())
    elif problem.code == "BMC402":
        start, end = found.span("key")
    else:
        start = found.start("value")
        value = _COMMENT.fullmatch(found["value"])
        end = start + len(value[1] if value else found["value"])
    return replace(problem, span=Span.point(span.path, span.line, start + 1, max(end - start, 1)))


def project_of(layer: Layer) -> tuple[Project, tuple[Diagnostic, ...]]:
    """Return a project from the tables of its file, with everything that is wrong in them."""
    problems: list[Diagnostic] = []
    values = dict(_checked(layer, layer.table, KEYS, (), problems))
    workflows = layer.table.get("workflows", {})
    overrides: dict[str, Override] = {}
    if not isinstance(workflows, Mapping):
        problems.append(_wrong(layer, ("workflows",), "tables such as [workflows.dev-story]"))
    else:
        for name, table in workflows.items():
            if not isinstance(table, Mapping):
                problems.append(_wrong(layer, ("workflows", name), f"a table: [workflows.{name}]"))
                continue
            inner = dict(_checked(layer, table, OVERRIDES, ("workflows", name), problems))
            overrides[name.removeprefix("bmad-")] = Override(**inner)
    wiring = BUS
    try:
        waking = Waking(values.pop("wiring", BUS.waking.value))
        wiring = Wiring(waking, values.pop("secret", None))
    except WiringError as problem:
        message, _, rest = str(problem).partition(". ")
        keys = ("secret",) if "secret" in layer.table else ("wiring",)
        problems.append(
            Diagnostic(
                code="BMC403",
                severity="error",
                message=message,
                span=layer.span(*keys),
                why="Without a wiring that holds, no workflow wakes the next.",
                help=(rest,),
            )
        )
    engine = ENGINES[values.pop("engine", CLAUDE.id)]
    if problems:
        return Project(), tuple(problems)
    own = {name: values.pop(name) for name in ("source", "out", "repository", "method") if name in values}
    return Project(choices=Choices(engine=engine, wiring=wiring, **values), workflows=overrides, **own), ()


def _checked(
    layer: Layer,
    table: Mapping[str, Any],
    keys: tuple[Key, ...],
    above: tuple[str, ...],
    problems: list[Diagnostic],
) -> Iterator[tuple[str, Any]]:
    known = {key.name: key for key in keys}
    for name, value in table.items():
        if not above and name == "workflows":
            continue
        place = (*above, name)
        if name not in known:
            near = nearest_names(name, known)
            meant = f"Perhaps: {', '.join(near)}." if near else f"There are: {', '.join(known)}."
            problems.append(
                Diagnostic(
                    code="BMC402",
                    severity="error",
                    message=f"there is no setting {name!r}",
                    span=layer.span(*place),
                    why="A setting that nothing reads would be wrong in silence.",
                    help=(meant,),
                )
            )
            continue
        key = known[name]
        found = _value(key, value)
        if found is None:
            problems.append(_wrong(layer, place, _expected(key), _nearest(key, value)))
        else:
            yield name.replace("-", "_"), found


def _value(key: Key, value: object) -> Any:
    """The value as the project holds it, or None if it is not what the key takes."""
    match key.kind:
        case "flag":
            return value if isinstance(value, bool) else None
        case "number":
            fits = isinstance(value, int) and not isinstance(value, bool) and key.low <= value <= key.high
            return value if fits else None
        case "text" | "choice":
            return value if key.fits(value) else None
        case _:
            if not isinstance(value, list) or not all(key.fits(one) for one in value):
                return None
            return tuple(dict.fromkeys(value))


def _expected(key: Key) -> str:
    match key.kind:
        case "flag":
            return "true or false"
        case "number":
            return f"a whole number from {key.low} to {key.high}"
        case "choice":
            return f"one of {', '.join(key.choices)}"
        case "choices":
            return f"a list of some of {', '.join(key.choices)}"
        case "texts":
            return f"a list of texts: {key.meaning[0].lower()}{key.meaning[1:]}"
    return f"a text: {key.meaning[0].lower()}{key.meaning[1:]}" + (
        f", such as {key.example!r}" if key.example else ""
    )


def _nearest(key: Key, value: object) -> tuple[str, ...]:
    """What was perhaps meant by the texts of a choice that are none of it."""
    texts = [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
    return tuple(
        dict.fromkeys(
            near for one in texts if one not in key.choices for near in nearest_names(one, key.choices)
        )
    )


def _wrong(layer: Layer, keys: tuple[str, ...], expected: str, nearest: tuple[str, ...] = ()) -> Diagnostic:
    return Diagnostic(
        code="BMC401",
        severity="error",
        message=f"{'.'.join(keys)} has a value that cannot be used",
        span=layer.span(*keys),
        expected=expected,
        nearest=nearest,
        why=_NOTHING_BUILT,
        help=(f"Give {keys[-1]} a value of that kind, or remove the line.",),
    )


def schema() -> Mapping[str, object]:
    """The tables as a JSON Schema, for editors."""
    override = {"type": "object", "additionalProperties": False, "properties": _properties(OVERRIDES)}
    properties = _properties(KEYS)
    properties["workflows"] = {
        "description": "Changes for single workflows, by their name",
        "type": "object",
        "additionalProperties": override,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FILE}: the pack that a project wants",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
    }


def _properties(keys: tuple[Key, ...]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key in keys:
        one: dict[str, object] = {"description": key.meaning}
        pattern = f"^(?:{key.form})$"
        match key.kind:
            case "flag":
                one["type"] = "boolean"
            case "number":
                one |= {"type": "integer", "minimum": key.low, "maximum": key.high}
            case "choice":
                one["enum"] = list(key.choices)
            case "choices":
                one |= {"type": "array", "items": {"enum": list(key.choices)}}
            case "texts":
                one |= {"type": "array", "items": {"type": "string", "pattern": pattern}}
            case _:
                one |= {"type": "string", "pattern": pattern}
        found[key.name] = one
    return found


def schema_text() -> str:
    """The schema as a file."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
