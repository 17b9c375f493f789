"""Settings put into the text of a skill at compile time, as BMAD's renderer does it at run time.

Tokens are `{{.key}}` and `{{config.a.b}}` for settings of the project, `{workflow.a.b}` and `{agent.a.b}`
for the customization of the skill, and `[[bmad-snapshot:file.md]]` for another file of it. One pass over the
text: what is inserted is never looked at again. No token is the beginning of another one, so the order in
which they are tried does not matter. A token that cannot be resolved stays where it is and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from bmadc.diagnostics import Diagnostic, Span, nearest_names
from bmadc.frontend.config import ROOT, collapse_root
from bmadc.frontend.customize import Customization
from bmadc.frontend.merge import KEY_FIELDS
from bmadc.frontend.tomlvalues import as_text, lookup
from bmadc.source import Text

Kind: TypeAlias = Literal["text", "list", "layers", "no-layers", "tables", "config", "snapshot"]
Snapshot: TypeAlias = Callable[[str], str] | Mapping[str, str]

NONE = "_None._"
NO_LAYERS = "No review layer is active: stop here and report `no active review layers`."
SKILL_ROOT = "{skill-root}"

_CONFIG = r"\{\{config\.(?P<path>[A-Za-z0-9_.-]+)\}\}"
_SHORT = r"\{\{\.(?P<key>[A-Za-z0-9_]+)\}\}"
_CUSTOM = r"\{(?P<section>workflow|agent)\.(?P<field>[A-Za-z0-9_.-]+)\}"
_SNAPSHOT = r"\[\[bmad-snapshot:(?P<file>[A-Za-z0-9_./-]+\.md)\]\]"
_TOKEN = re.compile("|".join((_CONFIG, _SHORT, _CUSTOM, _SNAPSHOT)))

# Upstream's one exception: this text may be emptied although its default is not empty.
_MAY_BE_EMPTY = ("workflow", "open_spec")


@dataclass(frozen=True, slots=True)
class ReviewLayer:
    """One layer of a review; without an instruction it is switched off."""

    id: str
    name: str
    when: str
    instruction: str

    @property
    def active(self) -> bool:
        """Whether the layer has something to do."""
        return bool(self.instruction.strip())


@dataclass(frozen=True, slots=True)
class Inserted:
    """A stretch of the rendered text that stands for a token: where it is, and the value it comes from."""

    start: int
    end: int
    source_start: int
    source_end: int
    token: str
    origin: str
    kind: Kind
    value: Any


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered text, what was inserted into it in order, and what could not be resolved."""

    text: str
    inserted: tuple[Inserted, ...]
    diagnostics: tuple[Diagnostic, ...]


class _Unresolved(Exception):  # noqa: N818
    def __init__(self, code: str, message: str, expected: str, nearest: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.expected = expected
        self.nearest = nearest


@dataclass(frozen=True, slots=True)
class _Context:
    config: Mapping[str, Any] | None
    customization: Customization | None
    sections: tuple[str, ...]
    sources: Collection[str]
    snapshot: Snapshot | None
    project_root: str | None
    skill_root: str | None
    strict: bool


def render(
    text: Text,
    *,
    config: Mapping[str, Any],
    customization: Customization | None = None,
    sources: Collection[str] = (),
    snapshot: Snapshot | None = None,
    project_root: str | None = ".",
    skill_root: str | None = None,
) -> Rendered:
    """Return a source of a rendered skill (6.11 and later) with its tokens resolved, typed as upstream does.

    `snapshot` says what stands for a file among `sources`, its path if nothing is given. `project_root` takes
    the place of `{project-root}` in settings, `skill_root` that of `{skill-root}` in customized text; with
    None they stay.
    """
    return _render(
        text,
        _Context(
            config, customization, ("workflow",), sources, snapshot or str, project_root, skill_root, True
        ),
    )


def inline(text: Text, customization: Customization, *, skill_root: str | None = None) -> Rendered:
    """Return a text of any other skill with `{workflow.x}` and `{agent.x}` resolved; other tokens stay.

    Formatted like `render`, but here a model would read the value, so numbers, truth values and tables of
    every shape are welcome.
    """
    return _render(
        text, _Context(None, customization, ("workflow", "agent"), (), None, None, skill_root, False)
    )


def format_list(items: list[str]) -> str:
    """Return texts as a Markdown list, further lines of an item indented below it."""
    if not items:
        return NONE
    return "\n".join("- " + "\n  ".join(item.splitlines() or [""]) for item in items)


def format_layers(layers: tuple[ReviewLayer, ...]) -> str:
    """Return the active layers of a review as sections, or one sentence if there are none."""
    sections = []
    for layer in layers:
        if layer.active:
            when = f"Run only when: {layer.when}\n\n" if layer.when else ""
            sections.append(f"#### {layer.name} (`{layer.id}`)\n\n{when}{layer.instruction.strip()}")
    return "\n\n".join(sections) or NO_LAYERS


def format_table(table: Mapping[str, Any]) -> str:
    """Return a table as a Markdown list of names and values."""
    rows = []
    for key, value in table.items():
        if isinstance(value, Mapping) or (isinstance(value, list) and value):
            inner = format_table(value) if isinstance(value, Mapping) else _format_items(value)
            rows.append(f"{key}:\n{inner}")
        else:
            rows.append(f"{key}: {as_text(value)}")
    return format_list(rows)


def format_tables(tables: list[Mapping[str, Any]]) -> str:
    """Return a list of tables as a Markdown list, each entry under its code or id where it has one."""
    rows = []
    for table in tables:
        named = next((key for key in KEY_FIELDS if table.get(key)), None)
        rest = format_table({key: value for key, value in table.items() if key != named})
        rows.append(rest if named is None else f"`{as_text(table[named])}`\n{rest}")
    return format_list(rows)


def _format_items(items: list[Any]) -> str:
    if all(isinstance(item, Mapping) for item in items):
        return format_tables(items)
    return format_list([as_text(item) for item in items])


def _render(text: Text, context: _Context) -> Rendered:
    pieces: list[str] = []
    inserted: list[Inserted] = []
    found: list[Diagnostic] = []
    done = length = 0
    for match in _TOKEN.finditer(text.text):
        try:
            resolved = _resolve(match, context)
        except _Unresolved as problem:
            found.append(_diagnostic(text, match, problem))
            continue
        if resolved is None:
            continue
        origin, kind, value, shown = resolved
        before = text.text[done : match.start()]
        start = length + len(before)
        pieces += (before, shown)
        length = start + len(shown)
        done = match.end()
        inserted.append(
            Inserted(start, length, match.start(), match.end(), match.group(), origin, kind, value)
        )
    pieces.append(text.text[done:])
    return Rendered("".join(pieces), tuple(inserted), tuple(found))


def _resolve(match: re.Match[str], context: _Context) -> tuple[str, Kind, Any, str] | None:
    if match["file"] is not None:
        return None if context.snapshot is None else _snapshot(match["file"], context)
    if match["section"] is not None:
        if match["section"] not in context.sections:
            return None
        return _custom(match["section"], match["field"], context)
    if context.config is None:
        return None
    if match["key"] is not None:
        path, value = _short(context.config, match["key"])
    else:
        path = match["path"]
        there, value = lookup(context.config, tuple(path.split(".")))
        if not there:
            every = [".".join(keys) for keys, _ in _scalars(context.config, ())]
            raise _unknown(f"config.{path}", nearest_names(path, every))
    shown = _setting(f"config.{path}", value, context.project_root)
    return f"config.{path}", "config", value, shown


def _snapshot(file: str, context: _Context) -> tuple[str, Kind, Any, str]:
    if file not in context.sources:
        raise _Unresolved(
            "BMC348",
            f"{file!r} is not one of the files of this skill",
            "the path of a Markdown file of the skill other than SKILL.md",
            nearest_names(file, context.sources),
        )
    assert context.snapshot is not None
    if isinstance(context.snapshot, Mapping):
        return f"snapshot.{file}", "snapshot", file, context.snapshot.get(file, file)
    return f"snapshot.{file}", "snapshot", file, context.snapshot(file)


def _short(config: Mapping[str, Any], key: str) -> tuple[str, Any]:
    every = list(_scalars(config, ()))
    matches = [(".".join(keys), value) for keys, value in every if keys[-1] == key]
    if not matches:
        raise _unknown(f"config.{key}", nearest_names(key, {keys[-1] for keys, _ in every}))
    if len(matches) > 1:
        paths = ", ".join(path for path, _ in matches)
        raise _Unresolved(
            "BMC346", f"there are several settings {key!r}: {paths}", "a name that is there once"
        )
    return matches[0]


def _scalars(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _scalars(value, (*above, key))
        elif not isinstance(value, list):
            yield (*above, key), value


def _setting(label: str, value: Any, project_root: str | None) -> str:
    text = _text(label, value)
    if ROOT not in text:
        return text
    if not text.startswith((ROOT, "/")):
        raise _misfit(label, f"has {ROOT} in its middle", f"a path that begins with {ROOT}")
    text = collapse_root(text)
    return text if project_root is None else text.replace(ROOT, project_root)


def _custom(section: str, field: str, context: _Context) -> tuple[str, Kind, Any, str]:
    origin = f"{section}.{field}"
    keys = (section, *field.split("."))
    custom = context.customization
    if custom is None:
        raise _Unresolved(
            "BMC345", f"{origin!r} needs a customize.toml", "a customize.toml in the skill's folder"
        )
    there, value = lookup(custom.merged, keys)
    has_default, default = lookup(custom.defaults, keys)
    if not there or (context.strict and not has_default):
        siblings = lookup(custom.defaults, keys[:-1])[1]
        raise _unknown(origin, nearest_names(keys[-1], siblings if isinstance(siblings, Mapping) else ()))
    if context.strict:
        kind, structured, shown = _typed(origin, keys, value, default)
    else:
        kind, structured, shown = _untyped(value)
    if context.skill_root is not None:
        shown = shown.replace(SKILL_ROOT, context.skill_root)
    return origin, kind, structured, shown


def _typed(origin: str, keys: tuple[str, ...], value: Any, default: Any) -> tuple[Kind, Any, str]:
    """By upstream's rules: the default says what the value must be."""
    if isinstance(default, str):
        text = _text(origin, value, empty=not default.strip() or keys == _MAY_BE_EMPTY)
        return "text", text, text
    if not isinstance(default, list):
        raise _misfit(origin, f"has a default that is {_name(default)}", "a text or a list as the default")
    if not isinstance(value, list):
        raise _misfit(origin, f"is {_name(value)}", "a list")
    if default and all(isinstance(item, Mapping) for item in default):
        layers = _layers(origin, value)
        return _layers_kind(layers), layers, format_layers(layers)
    items = [_text(f"{origin}[{at}]", item) for at, item in enumerate(value)]
    return "list", tuple(items), format_list(items)


def _untyped(value: Any) -> tuple[Kind, Any, str]:
    if isinstance(value, Mapping):
        return "tables", value, format_table(value)
    if not isinstance(value, list):
        return "text", value, as_text(value)
    if value and all(isinstance(item, Mapping) for item in value):
        try:
            layers = _layers("", value)
        except _Unresolved:
            return "tables", tuple(value), format_tables(value)
        return _layers_kind(layers), layers, format_layers(layers)
    return "list", tuple(value), _format_items(value) if value else NONE


def _layers_kind(layers: tuple[ReviewLayer, ...]) -> Kind:
    return "layers" if any(layer.active for layer in layers) else "no-layers"


def _layers(origin: str, value: list[Any]) -> tuple[ReviewLayer, ...]:
    layers: list[ReviewLayer] = []
    for at, item in enumerate(value):
        label = f"{origin}[{at}]"
        if not isinstance(item, Mapping):
            raise _misfit(label, f"is {_name(item)}", "a table with id, name and instruction")
        identifier = _text(f"{label}.id", item.get("id"))
        if any(layer.id == identifier for layer in layers):
            raise _misfit(
                f"{label}.id", f"is {identifier!r} a second time", "an id of its own for each layer"
            )
        layers.append(
            ReviewLayer(
                id=identifier,
                name=_text(f"{label}.name", item.get("name", identifier)),
                when=_text(f"{label}.when", item["when"]) if "when" in item else "",
                instruction=_text(f"{label}.instruction", item.get("instruction"), empty=True),
            )
        )
    return tuple(layers)


def _text(label: str, value: Any, *, empty: bool = False) -> str:
    if not isinstance(value, str):
        raise _misfit(label, f"is {_name(value)}", "a text in quotes")
    if not empty and not value.strip():
        raise _misfit(label, "is empty", "a text that is not empty")
    return value


def _name(value: Any) -> str:
    if value is None:
        return "missing"
    names: tuple[tuple[type | tuple[type, ...], str], ...] = (
        (bool, "a truth value"),
        ((int, float, Decimal), "a number"),
        (str, "a text"),
        (list, "a list"),
        (Mapping, "a table"),
    )
    return next((name for kind, name in names if isinstance(value, kind)), "a date or time")


def _unknown(origin: str, nearest: tuple[str, ...]) -> _Unresolved:
    return _Unresolved("BMC345", f"there is no value {origin!r}", "the name of a value that is set", nearest)


def _misfit(label: str, message: str, expected: str) -> _Unresolved:
    return _Unresolved("BMC347", f"{label} {message}", expected)


def _diagnostic(text: Text, match: re.Match[str], problem: _Unresolved) -> Diagnostic:
    line, column = text.position(match.start())
    return Diagnostic(
        code=problem.code,
        severity="error",
        message=problem.message,
        span=Span.point(text.path, line, column, len(match.group())),
        expected=problem.expected,
        nearest=problem.nearest,
        why="The token stays in the text, and an agent would read it as words; BMAD stops here.",
        help=("Set the value in the configuration or the override, or correct the name in the text.",),
    )
