"""The settings of a BMAD project, from whatever form they have: what its installer and resolver work out.

Lowest to highest: defaults of our own for what only a person can say, the variables of `module.yaml`, the
`config.yaml` of each module, and the four TOML layers of `TOML_LAYERS`. Two of these are personal and are
read only when asked for, because a build must not depend on who runs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bmadc.diagnostics import Diagnostic, Span, in_reading_order, nearest_names
from bmadc.frontend.merge import merge_layers
from bmadc.frontend.tomlvalues import SIZE_LIMIT, Layer, as_text, lookup, plain, read_toml
from bmadc.frontend.yamlvalues import read_yaml
from bmadc.source import SourceError, Text, list_files, read_text

ROOT = "{project-root}"

INSTALLED = "installed"
PERSONAL = "personal"
TEAM = "team"
TEAM_PERSONAL = "team-personal"
MODULE_CONFIG = "config.yaml"
MODULE_DEFAULT = "module.yaml"
DEFAULT = "default"

# Where the layer lies below the folder of BMAD, its name, and whether it belongs to one person.
TOML_LAYERS: tuple[tuple[str, str, bool], ...] = (
    ("config.toml", INSTALLED, False),
    ("config.user.toml", PERSONAL, True),
    ("custom/config.toml", TEAM, False),
    ("custom/config.user.toml", TEAM_PERSONAL, True),
)

# Settings that BMAD keeps in a personal layer: the module that owns them, and what a build takes instead.
PERSONAL_DEFAULTS: Mapping[str, tuple[str, str]] = {
    "communication_language": ("core", "English"),
    "user_name": ("core", "BMad"),
    "user_skill_level": ("bmm", "intermediate"),
}

# What core would say in the repository of a module that has no core beside it.
CORE_DEFAULTS: Mapping[str, str] = {
    "project_name": "{directory_name}",
    "document_output_language": "English",
    "user_name": "BMad",
    "output_folder": "{project-root}/_bmad-output",
    "communication_language": "English",
}

_SOURCE_MODULE = re.compile(r"(?:src/(?:modules/)?)?(?:[^/]+/)?module\.yaml")
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_TWICE = re.compile(r"(?:\{project-root\}/+)+(?=\{project-root\})")


@dataclass(frozen=True, slots=True)
class ConfigValue:
    """A setting as text: where it stands (`path:line` where known), in which layer, and whose it is."""

    value: str
    origin: str
    layer: str
    module: str


@dataclass(frozen=True, slots=True)
class RosterAgent:
    """An agent as the configuration lists it, for those who route, show or play it."""

    id: str
    module: str
    team: str
    name: str
    title: str
    icon: str
    description: str
    origin: str


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A setting that two modules or two forms answer differently; the first of the values is used."""

    name: str
    values: tuple[ConfigValue, ...]


@dataclass(frozen=True, slots=True)
class Config:
    """All settings of a project: flat by name, the roster, and the tables for dotted paths."""

    values: Mapping[str, ConfigValue]
    agents: tuple[RosterAgent, ...]
    tree: Mapping[str, Any]
    ambiguous: tuple[Ambiguity, ...]
    diagnostics: tuple[Diagnostic, ...]

    def get(self, name: str, default: str = "") -> str:
        """Return a setting as text."""
        found = self.values.get(name)
        return default if found is None else found.value


def collapse_root(text: str) -> str:
    """Return a path in which `{project-root}/` stands at most once, however often it was joined."""
    return _TWICE.sub("", text)


def below_root(text: str) -> str:
    """Return a path as it is seen from the project's folder, without a leading `{project-root}/`."""
    path = collapse_root(text)
    return path[len(ROOT) :].lstrip("/") or "." if path.startswith(ROOT) else path


def read_config(
    root: Path,
    files: Iterable[str] | None = None,
    *,
    bmad: str = "_bmad",
    personal: bool = False,
    directory_name: str = "project",
) -> Config:
    """Return the settings of the project at root, in every form that is there; nothing makes it raise.

    `files` are the relative paths of the tree where somebody has listed them already. `directory_name` is
    what BMAD takes from the name of the folder, which differs from machine to machine.
    """
    found: list[Diagnostic] = []
    paths = sorted(set(files)) if files is not None else list(_listed(root, bmad, found))
    present = set(paths)

    toml = []
    for below, name, own in TOML_LAYERS:
        path = f"{bmad}/{below}"
        if path in present and (personal or not own):
            toml.append(_layer(root, path, name, found))
    if toml and f"{bmad}/config.toml" not in present:
        found.append(_no_base(toml[0].path, f"{bmad}/config.toml"))

    per_module = [
        (parts[1], _layer(root, path, MODULE_CONFIG, found))
        for path in paths
        for parts in [path.split("/")]
        if len(parts) == 3 and parts[0] == bmad and parts[2] == "config.yaml" and parts[1][:1] not in "_."
    ]
    schemas = [
        _layer(root, path, MODULE_DEFAULT, found)
        for path in paths
        if _SOURCE_MODULE.fullmatch(path.removeprefix(f"{bmad}/"))
    ]
    return _combine(toml, per_module, schemas, personal, directory_name, found)


def _combine(
    toml: list[Layer],
    per_module: list[tuple[str, Layer]],
    schemas: list[Layer],
    personal: bool,
    directory_name: str,
    found: list[Diagnostic],
) -> Config:
    merged, problems = merge_layers(toml)
    found.extend(problems)

    # What each form says, by module; the better form first.
    from_toml = _by_module_toml(merged, toml)
    from_yaml: dict[str, dict[str, ConfigValue]] = {}
    for module, layer in sorted(per_module, key=lambda pair: _rank(pair[0])):
        own = {
            key: ConfigValue(as_text(value), layer.origin(key), MODULE_CONFIG, module)
            for key, value in layer.table.items()
            if not isinstance(value, Mapping)
        }
        if toml and not personal:
            # Beside TOML the installer still writes these files, with the answers of whoever ran it.
            own = {key: value for key, value in own.items() if key not in PERSONAL_DEFAULTS}
        from_yaml[module] = own
    alone = not toml and not per_module
    from_schema, roster = _by_module_schema(schemas, directory_name, alone, found)

    ambiguous: list[Ambiguity] = []
    values: dict[str, ConfigValue] = {}
    for form in (from_toml, from_yaml, from_schema):
        _take(form, values, ambiguous)
    for item in ambiguous:
        found.append(_differs(item))
    for name, (module, text) in PERSONAL_DEFAULTS.items():
        values.setdefault(name, ConfigValue(text, "", DEFAULT, module))

    tree = plain(merged)
    forms = () if toml else (from_yaml, from_schema)
    _fill_tree(tree, values, forms)
    agents = _roster(merged, toml) or tuple(roster)
    if "agents" not in tree and agents:
        tree["agents"] = {agent.id: _descriptor(agent) for agent in agents}
    return Config(
        values=dict(sorted(values.items())),
        agents=agents,
        tree=tree,
        ambiguous=tuple(ambiguous),
        diagnostics=in_reading_order(found),
    )


def _take(
    form: Mapping[str, Mapping[str, ConfigValue]],
    values: dict[str, ConfigValue],
    ambiguous: list[Ambiguity],
) -> None:
    by_name: dict[str, list[ConfigValue]] = {}
    for module in sorted(form, key=_rank):
        for name, value in form[module].items():
            by_name.setdefault(name, []).append(value)
    for name, candidates in sorted(by_name.items()):
        better = values.get(name)
        all_of_them = ([better] if better is not None else []) + candidates
        distinct = list({candidate.value: candidate for candidate in reversed(all_of_them)}.values())[::-1]
        # Defaults of modules that were never installed contradict nobody.
        if len(distinct) > 1 and not (
            better is not None and candidates[0].layer in (MODULE_DEFAULT, DEFAULT)
        ):
            ambiguous.append(Ambiguity(name, tuple(distinct)))
        values.setdefault(name, candidates[0])


def _by_module_toml(merged: Mapping[str, Any], layers: list[Layer]) -> dict[str, dict[str, ConfigValue]]:
    found: dict[str, dict[str, ConfigValue]] = {}
    for keys, value in _leaves(merged, ()):
        if keys[0] == "agents":
            continue
        skip = 2 if keys[0] == "modules" and len(keys) > 2 else 1 if len(keys) > 1 else 0
        module = keys[skip - 1] if skip else ""
        source = next((layer for layer in reversed(layers) if lookup(layer.table, keys)[0]), layers[-1])
        found.setdefault(module, {})[".".join(keys[skip:])] = ConfigValue(
            as_text(value), source.origin(*keys), source.name, module
        )
    return found


def _leaves(table: Mapping[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*above, key))
        elif not isinstance(value, list) or not any(isinstance(item, dict | list) for item in value):
            yield (*above, key), value


def _fill_tree(
    tree: dict[str, Any],
    values: Mapping[str, ConfigValue],
    forms: Iterable[Mapping[str, Mapping[str, ConfigValue]]],
) -> None:
    """Put the settings of other forms where TOML would have them; beside TOML only defaults are added."""
    owners: dict[str, list[ConfigValue]] = {}
    for form in forms:
        for module in sorted(form, key=_rank):
            for name, value in form[module].items():
                owners.setdefault(name, []).append(value)
    for name, chosen in sorted(values.items()):
        candidates = [value for value in owners.get(name, ()) if value.layer == chosen.layer]
        if chosen.layer == DEFAULT:
            candidates = [chosen]
        seen: set[str] = set()
        for value in candidates:
            # The installer copies the settings of core into each module; that is not a second answer.
            if value.value not in seen:
                seen.add(value.value)
                _table_of(tree, value.module)[name] = value.value


def _table_of(tree: dict[str, Any], module: str) -> dict[str, Any]:
    above = tree if module == "core" else tree.setdefault("modules", {})
    if not isinstance(above, dict):
        return {}
    table = above.setdefault(module, {})
    return table if isinstance(table, dict) else {}


def _by_module_schema(
    schemas: list[Layer], directory_name: str, alone: bool, found: list[Diagnostic]
) -> tuple[dict[str, dict[str, ConfigValue]], list[RosterAgent]]:
    modules: dict[str, dict[str, ConfigValue]] = {}
    roster: list[RosterAgent] = []
    coded = sorted(
        ((_code(layer), layer) for layer in schemas), key=lambda pair: (_rank(pair[0]), pair[1].path)
    )
    if coded and alone and all(module != "core" for module, _ in coded):
        modules["core"] = {
            key: ConfigValue(text.replace("{directory_name}", directory_name), "", DEFAULT, "core")
            for key, text in CORE_DEFAULTS.items()
        }
    for module, layer in coded:
        own = modules.setdefault(module, {})
        for key, item in layer.table.items():
            if isinstance(item, Mapping) and ("prompt" in item or "result" in item):
                text = _evaluate(key, item, module, modules, layer, directory_name, found)
                own[key] = ConfigValue(text, layer.origin(key), MODULE_DEFAULT, module)
        roster.extend(_schema_agents(layer, module, found))
    return modules, roster


def _evaluate(
    key: str,
    item: Mapping[str, Any],
    module: str,
    modules: Mapping[str, Mapping[str, ConfigValue]],
    layer: Layer,
    directory_name: str,
    found: list[Diagnostic],
) -> str:
    """What the installer stores for a variable when its default is taken as the answer."""

    def known(name: str) -> str | None:
        order = [module, *sorted((other for other in modules if other != module), key=_rank)]
        return next((modules[one][name].value for one in order if name in modules.get(one, {})), None)

    def fill(template: str) -> str:
        def one(match: re.Match[str]) -> str:
            name = match.group(1)
            if name in ("project-root", "value"):
                return match.group()
            if name == "directory_name":
                return directory_name
            value = known(name)
            if value is None:
                found.append(_unknown_variable(layer, key, name, sorted(set().union(*modules.values()))))
                return match.group()
            return value

        return _PLACEHOLDER.sub(one, template)

    default = as_text(item.get("default", "")) if not isinstance(item.get("default"), Mapping) else ""
    options = _options(item)
    if options and default not in options:
        found.append(_not_an_option(layer, key, default, options))
    answer = fill(default)
    result = item.get("result")
    if not isinstance(result, str) or isinstance(item.get("default"), list):
        return answer
    # The answer already names the root when it was built from a setting that does.
    filled = fill(result.replace("{value}", "\0")).replace("\0", answer)
    return collapse_root(filled)


def _options(item: Mapping[str, Any]) -> list[str]:
    listed = item.get("single-select")
    if not isinstance(listed, list):
        return []
    return [as_text(one.get("value", "")) if isinstance(one, Mapping) else as_text(one) for one in listed]


def _schema_agents(layer: Layer, module: str, found: list[Diagnostic]) -> Iterator[RosterAgent]:
    listed = layer.table.get("agents")
    if listed is None or listed == "":
        return
    if not isinstance(listed, list) or not all(
        isinstance(one, Mapping) and one.get("code") for one in listed
    ):
        found.append(_bad_roster(layer))
    for at, one in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(one, Mapping) and one.get("code"):
            yield _agent(
                as_text(one["code"]), {"module": module, **one}, layer.origin("agents", str(at), "code")
            )


def _roster(merged: Mapping[str, Any], layers: list[Layer]) -> tuple[RosterAgent, ...]:
    tables = merged.get("agents")
    if not isinstance(tables, Mapping):
        return ()
    agents = []
    for identifier, table in tables.items():
        if isinstance(table, Mapping):
            keys = ("agents", identifier)
            source = next((layer for layer in layers if lookup(layer.table, keys)[0]), layers[0])
            agents.append(_agent(identifier, table, source.origin(*keys)))
    return tuple(agents)


def _agent(identifier: str, table: Mapping[str, Any], origin: str) -> RosterAgent:
    def text(key: str) -> str:
        value = table.get(key, "")
        return "" if isinstance(value, Mapping) else as_text(value)

    module = text("module")
    return RosterAgent(
        id=identifier,
        module=module,
        team=text("team") or module,
        name=text("name"),
        title=text("title"),
        icon=text("icon"),
        description=text("description"),
        origin=origin,
    )


def _descriptor(agent: RosterAgent) -> dict[str, str]:
    fields = ("module", "team", "name", "title", "icon", "description")
    return {field: getattr(agent, field) for field in fields if getattr(agent, field)}


def _rank(module: str) -> tuple[int, str]:
    return ({"core": 0, "bmm": 1}.get(module, 2), module)


def _code(layer: Layer) -> str:
    code = layer.table.get("code")
    if isinstance(code, str) and code:
        return code
    parts = layer.path.split("/")
    return parts[-2].removesuffix("-skills") if len(parts) > 1 else "module"


def _listed(root: Path, bmad: str, found: list[Diagnostic]) -> tuple[str, ...]:
    try:
        every = list_files(root, ("config.toml", "config.user.toml", "config.yaml", "module.yaml"))
    except SourceError as problem:
        found.append(problem.diagnostic)
        return ()
    return tuple(
        path for path in every if path.startswith(f"{bmad}/") or path.split("/")[-1] == "module.yaml"
    )


def _layer(root: Path, path: str, name: str, found: list[Diagnostic]) -> Layer:
    try:
        text = read_text(root, path, limit=SIZE_LIMIT)
    except SourceError as problem:
        found.append(problem.diagnostic)
        return Layer(name, path)
    layer, problems = _parse(text, name)
    found.extend(problems)
    return layer


def _parse(text: Text, name: str) -> tuple[Layer, tuple[Diagnostic, ...]]:
    return read_toml(text, name) if text.path.endswith(".toml") else read_yaml(text, name)


def _no_base(path: str, base: str) -> Diagnostic:
    return Diagnostic(
        code="BMC340",
        severity="warning",
        message=f"this layer lies over {base!r}, which is not there",
        span=Span.file(path),
        expected=f"{base!r}, as the installer of BMAD writes it",
        why="The settings of the installation are missing; BMAD's own scripts stop here.",
        help=("Commit the file, or run the installer of BMAD again.",),
    )


def _differs(item: Ambiguity) -> Diagnostic:
    first, *others = item.values
    said = "; ".join(f"{value.value!r} in {value.origin or value.layer}" for value in others)
    other_form = all(value.layer == MODULE_CONFIG != first.layer for value in others)
    path, _, line = others[0].origin.rpartition(":")
    span = Span.point(path, int(line), 1) if path and line.isdigit() else Span.file(others[0].origin)
    if other_form:
        return Diagnostic(
            code="BMC336",
            severity="note",
            message=f"{item.name!r} is {first.value!r} in {first.origin}, and {said}",
            span=span,
            expected="the same answer in both forms",
            why="bmadc takes the TOML layers; skills of BMAD that read config.yaml see the other value.",
            help=("Run the installer of BMAD again, or set the value in both places.",),
        )
    return Diagnostic(
        code="BMC335",
        severity="warning",
        message=f"{item.name!r} is {first.value!r} in {first.origin}, and {said}",
        span=span,
        expected="one value for each name",
        why="A text that asks for this name cannot say which of them it means; the first one is used.",
        help=("Give both modules the same value, or rename one of the settings.",),
    )


def _unknown_variable(layer: Layer, key: str, name: str, valid: list[str]) -> Diagnostic:
    return Diagnostic(
        code="BMC337",
        severity="warning",
        message=f"{key!r} refers to {{{name}}}, which no module defines before it",
        span=layer.span(key),
        expected="a setting of core or one that stands above in the same file",
        nearest=nearest_names(name, valid),
        why="The braces stay in the value, and an agent would look for a folder of that name.",
        help=("Define the setting first, or write the value out.",),
    )


def _not_an_option(layer: Layer, key: str, default: str, options: list[str]) -> Diagnostic:
    return Diagnostic(
        code="BMC338",
        severity="warning",
        message=f"the default {default!r} of {key!r} is not one of its options",
        span=layer.span(key, "default"),
        expected=f"one of {', '.join(options)}",
        why="Nobody can choose this value when installing, but a build takes it.",
        help=("Make the default one of the options.",),
    )


def _bad_roster(layer: Layer) -> Diagnostic:
    return Diagnostic(
        code="BMC333",
        severity="error",
        message="the list of agents has entries without a code",
        span=layer.span("agents"),
        expected="a list of agents, each with a `code`",
        why="An agent without a code cannot be found, so it is left out.",
        help=("Give each agent the id of its skill as `code`.",),
    )
