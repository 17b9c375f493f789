"""What a team changes in agents and workflows of BMAD without editing them.

Since 6.4 a skill has `customize.toml` with its defaults, and `_bmad/custom/<skill>.toml` and, for one person,
`<skill>.user.toml` lie over it. Up to 6.2 an agent has a `<module>-<agent>.customize.yaml` in
`_bmad/_config/agents/`, which the installer works into the compiled agent; only a build from sources must do
that itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from bmadc.diagnostics import Diagnostic, Span, in_reading_order, nearest_names
from bmadc.frontend.aliases import alias_of, relatives
from bmadc.frontend.merge import merge_layers
from bmadc.frontend.tomlvalues import SIZE_LIMIT, Layer, plain, read_toml
from bmadc.source import SourceError, Text, read_text

DEFAULTS = "defaults"
TEAM = "team"
PERSONAL = "personal"

_APPENDED = ("critical_actions", "memories", "menu", "prompts")
_AGENT_SECTIONS = ("agent", "persona", *_APPENDED, "customized_fields")


@dataclass(frozen=True, slots=True)
class Customization:
    """The merged tables of a skill, its defaults, and for `section.key` the layers that had a say in it."""

    skill: str
    defaults: Mapping[str, Any]
    merged: Mapping[str, Any]
    origins: Mapping[str, tuple[str, ...]]
    layers: tuple[Layer, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def workflow(self) -> Mapping[str, Any]:
        """The merged table of a workflow, empty if there is none."""
        return _section(self.merged, "workflow")

    @property
    def agent(self) -> Mapping[str, Any]:
        """The merged table of an agent, empty if there is none."""
        return _section(self.merged, "agent")


@dataclass(frozen=True, slots=True)
class Override:
    """An override file: the id in its name, whether it is personal, and the skill it is for, '' if none.

    `selects` is the intent, action, type or lens of the new skill that did the work under the old id.
    """

    path: str
    skill: str
    personal: bool
    target: str
    selects: str = ""


def resolve_customization(
    skill: str,
    defaults: Text | None,
    team: Text | None = None,
    user: Text | None = None,
    *,
    personal: bool = False,
) -> Customization:
    """Return the layers of a skill merged as BMAD does it; the personal layer counts only when asked for."""
    given = [(defaults, DEFAULTS), (team, TEAM), (user if personal else None, PERSONAL)]
    found: list[Diagnostic] = []
    layers: list[Layer] = []
    broken = False
    for text, name in given:
        if text is None:
            continue
        layer, problems = read_toml(text, name)
        broken = broken or (name == DEFAULTS and bool(problems))
        found.extend(problems)
        layers.append(layer)
    if defaults is None:
        found.extend(_takes_none(layer, skill) for layer in layers)
        return Customization(skill, {}, {}, {}, tuple(layers), in_reading_order(found))
    if not broken:
        for layer in layers[1:]:
            found.extend(_unread(layer, layers[0]))
    merged, problems = merge_layers(layers)
    found.extend(problems)
    return Customization(
        skill=skill,
        defaults=plain(layers[0].table),
        merged=plain(merged),
        origins=_origins(layers),
        layers=tuple(layers),
        diagnostics=in_reading_order(found),
    )


def read_customization(
    root: Path,
    folder: str,
    *,
    project: Path | None = None,
    bmad: str = "_bmad",
    personal: bool = False,
) -> Customization:
    """Return the customization of the skill in a folder below root, with the overrides of its project."""
    skill = PurePosixPath(folder).name or root.name
    custom = f"{bmad}/custom/{skill}"
    found: list[Diagnostic] = []
    base = root if project is None else project
    defaults = _optional(root, f"{folder}/customize.toml" if folder else "customize.toml", found)
    team = _optional(base, f"{custom}.toml", found)
    user = _optional(base, f"{custom}.user.toml", found) if personal else None
    done = resolve_customization(skill, defaults, team, user, personal=personal)
    if not found:
        return done
    every = in_reading_order((*found, *done.diagnostics))
    return Customization(skill, done.defaults, done.merged, done.origins, done.layers, every)


def apply_agent_override(
    agent: Mapping[str, Any], override: Layer
) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """Return an agent's YAML with its customize.yaml worked in as the installer up to 6.2 does it.

    Empty values say nothing. Metadata is replaced field by field, but a persona with any field in it takes
    the place of the whole persona; lists are appended, and a prompt replaces the one with its id.
    """
    found: list[Diagnostic] = []
    custom = override.table
    body: dict[str, Any] = dict(_section(agent, "agent"))
    for key in custom:
        if key not in _AGENT_SECTIONS:
            found.append(_unread_key(override, (key,), _AGENT_SECTIONS))

    metadata = _section(_section(custom, "agent"), "metadata")
    if _filled(metadata):
        body["metadata"] = {**_section(body, "metadata"), **_filled(metadata)}

    persona = custom.get("persona")
    if isinstance(persona, Mapping):
        fields = _filled(persona)
        lost = sorted(set(_filled(_section(body, "persona"))) - set(fields))
        if fields:
            body["persona"] = fields
            if lost:
                found.append(_persona_lost(override, lost))
    elif persona:
        found.append(_wrong_shape(override, "persona", "a mapping of persona fields"))

    for key in _APPENDED:
        added = custom.get(key)
        if not added:
            continue
        if not isinstance(added, list):
            found.append(_wrong_shape(override, key, "a list"))
            continue
        before = body.get(key)
        items = list(before) if isinstance(before, list) else []
        for item in added:
            if item is None or item == "":
                continue
            place = _same_id(items, item) if key == "prompts" else None
            if place is None:
                items.append(item)
            else:
                items[place] = item
        if items:
            body[key] = items
    return {**agent, "agent": body}, tuple(found)


def find_overrides(
    names: Iterable[str],
    known: Collection[str],
    *,
    shims: Collection[str] = (),
    folder: str = "_bmad/custom",
) -> tuple[tuple[Override, ...], tuple[Diagnostic, ...]]:
    """Return the override files among the names with the skills they are for, and what is wrong with them.

    `known` are the ids of all skills, `shims` those of them that only forward to another one.
    """
    real = set(known) - set(shims)
    overrides: list[Override] = []
    found: list[Diagnostic] = []
    for name in sorted({PurePosixPath(name).name for name in names}):
        if not name.endswith(".toml") or name in ("config.toml", "config.user.toml"):
            continue
        personal = name.endswith(".user.toml")
        skill = name.removesuffix(".toml").removesuffix(".user")
        path = f"{folder}/{name}"
        row = alias_of(skill)
        if skill in real:
            overrides.append(Override(path, skill, personal, skill))
        elif row is not None and row.new in real:
            overrides.append(Override(path, skill, personal, row.new, row.selects))
            found.append(_old_id(path, skill, row.new, row.selects, row.note, personal))
        elif skill in known:
            overrides.append(Override(path, skill, personal, skill))
        else:
            overrides.append(Override(path, skill, personal, ""))
            gone = row is not None and not row.new
            # Names that look alike would mislead whoever overrides a skill that nothing carries on.
            near = () if gone else relatives(skill, known) or nearest_names(skill, known)
            found.append(_unknown_skill(path, skill, near, row.note if row is not None else ""))
    return tuple(overrides), tuple(found)


def _origins(layers: list[Layer]) -> dict[str, tuple[str, ...]]:
    origins: dict[str, tuple[str, ...]] = {}
    last: dict[str, Any] = {}
    for layer in layers:
        for section, table in layer.table.items():
            pairs = table.items() if isinstance(table, Mapping) else [("", table)]
            for key, value in pairs:
                name = f"{section}.{key}" if key else section
                adds = name in last and any(
                    isinstance(last[name], kind) and isinstance(value, kind) for kind in (list, dict)
                )
                origins[name] = (*origins[name], layer.name) if adds else (layer.name,)
                last[name] = value
    return dict(sorted(origins.items()))


def _unread(layer: Layer, defaults: Layer) -> Iterable[Diagnostic]:
    for section, table in layer.table.items():
        valid = defaults.table.get(section)
        if valid is None:
            yield _unread_key(layer, (section,), defaults.table)
        elif isinstance(table, Mapping) and isinstance(valid, Mapping):
            for key in table:
                if key not in valid:
                    yield _unread_key(layer, (section, key), valid)


def _optional(root: Path, path: str, found: list[Diagnostic]) -> Text | None:
    try:
        return read_text(root, path, limit=SIZE_LIMIT)
    except SourceError as problem:
        if problem.diagnostic.code != "BMC101":
            found.append(problem.diagnostic)
        return None


def _section(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = table.get(key)
    return value if isinstance(value, Mapping) else {}


def _filled(table: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        kept = _filled(value) if isinstance(value, Mapping) else value
        if kept is not None and kept != "" and kept != [] and kept != {}:
            found[key] = kept
    return found


def _same_id(items: list[Any], item: Any) -> int | None:
    wanted = item.get("id") if isinstance(item, Mapping) else None
    for place, one in enumerate(items):
        if (one.get("id") if isinstance(one, Mapping) else None) == wanted:
            return place
    return None


def _takes_none(layer: Layer, skill: str) -> Diagnostic:
    return Diagnostic(
        code="BMC343",
        severity="warning",
        message=f"the skill {skill!r} has no customize.toml, so nothing reads this override",
        span=Span.file(layer.path),
        expected="an override of a skill that has a customize.toml",
        why="What the team decided here has no effect.",
        help=("Delete the file, or put the text into an override of the agent that runs the skill.",),
    )


def _unread_key(layer: Layer, keys: tuple[str, ...], valid: Iterable[str]) -> Diagnostic:
    return Diagnostic(
        code="BMC344",
        severity="warning",
        message=f"{'.'.join(keys)!r} is not a setting of what this file customizes",
        span=layer.span(*keys),
        expected="a setting that has a default",
        nearest=nearest_names(keys[-1], valid),
        why="Nothing reads it, so what the team decided here has no effect.",
        help=("Check the spelling; the settings of a skill are in its customize.toml.",),
    )


def _persona_lost(layer: Layer, lost: list[str]) -> Diagnostic:
    return Diagnostic(
        code="BMC349",
        severity="warning",
        message=f"this persona takes the place of the whole one; {', '.join(lost)} fall away",
        span=layer.span("persona"),
        expected="all fields of the persona, or none",
        why="BMAD does not fill up what is left empty, so the agent forgets the rest of itself.",
        help=("Copy the fields that shall stay from the agent into this file.",),
    )


def _wrong_shape(layer: Layer, key: str, expected: str) -> Diagnostic:
    return Diagnostic(
        code="BMC333",
        severity="error",
        message=f"{key!r} has another shape than BMAD reads",
        span=layer.span(key),
        expected=expected,
        why="It is not used.",
        help=(f"Write {key!r} as {expected}.",),
    )


def _old_id(path: str, skill: str, new: str, selects: str, note: str, personal: bool) -> Diagnostic:
    more = f" ({selects})" if selects else ""
    return Diagnostic(
        code="BMC341",
        severity="warning",
        message=f"{skill!r} is an old id; its work is done by {new!r}{more} now",
        span=Span.file(path),
        detail=note,
        expected=f"an override named {new}{'.user' if personal else ''}.toml",
        why="BMAD looks for overrides under the id of the skill, so what is set here has no effect.",
        help=("Rename the file, and check that the new skill has the settings it makes.",),
    )


def _unknown_skill(path: str, skill: str, near: tuple[str, ...], note: str) -> Diagnostic:
    return Diagnostic(
        code="BMC342",
        severity="warning",
        message=f"there is no skill {skill!r} to override",
        span=Span.file(path),
        detail=note,
        expected="a file named like the folder of a skill",
        nearest=near,
        why="What the team decided here has no effect.",
        help=("Name the file like the skill, or delete it.",),
    )
