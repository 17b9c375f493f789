"""Writes the vocabulary tables of the `ghaw` room from the pinned gh-aw release and GitHub's workflow schema.

Run it after a change of the pin: `.venv/bin/python scripts/generate_vocabulary.py`. With `--check` it writes
nothing and fails when the committed tables are not what it would write. Only names and numbers are taken
over, never descriptions.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bmadc.ghaw.documents import parse_document
from bmadc.ghaw.vocabulary import pin
from bmadc.source.yamltree import Scalar

ROOT = Path(__file__).resolve().parent.parent
TABLES = ROOT / "compiler" / "bmadc" / "ghaw" / "vocabulary" / "tables.py"
WORKFLOW_PARSER = Path("@actions") / "workflow-parser"
WIDTH = 110

Json = dict[str, Any]


class SourceError(Exception):
    """A source is missing or has lost the shape this script reads."""


class Call:
    """A constructor call in the generated file."""

    def __init__(self, name: str, **arguments: object) -> None:
        self.name = name
        self.arguments = arguments


# --- finding the sources


def find_gh_aw_source(root: Path) -> Path:
    """Ask Go where the pinned module lies; refuse another release than the pinned one."""
    command = ["go", "list", "-m", "-f", "{{.Version}} {{.Dir}}", pin.MODULE]
    try:
        done = subprocess.run(
            command, cwd=root / "tools" / "gh-aw", capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise SourceError("go is not installed; install it or pass --gh-aw-source") from None
    release, _, directory = done.stdout.strip().partition(" ")
    if done.returncode != 0 or not directory:
        raise SourceError(
            f"{' '.join(command)} found no source ({done.stderr.strip()}); "
            "run `go mod download` in tools/gh-aw or pass --gh-aw-source"
        )
    if release != pin.RELEASE:
        raise SourceError(f"tools/gh-aw/go.mod pins {release}, pin.py says {pin.RELEASE}; make them agree")
    return Path(directory)


def load(path: Path) -> Any:
    """Read a JSON file."""
    return json.loads(text_of(path))


def text_of(path: Path) -> str:
    """Read a text file, or say which source is missing."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise SourceError(
            f"{path.name} cannot be read ({error.strerror}); is this the pinned release?"
        ) from None


# --- gh-aw's frontmatter schema


class Schema:
    """A JSON schema whose references are followed."""

    def __init__(self, root: Json) -> None:
        self.root = root

    def resolve(self, node: Json) -> Json:
        """Follow references; what stands beside a reference wins over what it refers to."""
        while "$ref" in node:
            target: Any = self.root
            for part in node["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
        return node

    def forms(self, node: Json) -> Iterator[Json]:
        """Give every alternative form of a node, alternatives of alternatives included."""
        node = self.resolve(node)
        yield node
        for keyword in ("oneOf", "anyOf", "allOf"):
            for form in node.get(keyword, ()):
                yield from self.forms(form)

    def options(self, node: Json) -> dict[str, Json]:
        """Give the properties of all forms of a node by name."""
        found: dict[str, Json] = {}
        for form in self.forms(node):
            for name, option in form.get("properties", {}).items():
                found.setdefault(name, self.resolve(option))
        return found


def default_max(schema: Schema, node: Json) -> int | None:
    """Give the default of an output's `max`; the schema states most of them only in words."""
    option = schema.options(node).get("max")
    if option is None:
        return None
    for form in schema.forms(option):
        if isinstance(form.get("default"), int):
            return int(form["default"])
    stated = re.search(r"default(?:s to)?:? *(\d+|unlimited)", str(option.get("description", "")))
    if stated is None:
        return None
    return -1 if stated.group(1) == "unlimited" else int(stated.group(1))


def deprecated(schema: Schema) -> dict[str, str]:
    """Give the path of every deprecated field and the name to write in its place, empty if there is none."""
    found: dict[str, str] = {}

    def visit(node: Json, path: str, refs: frozenset[str]) -> None:
        ref = node.get("$ref")
        if ref in refs:
            return
        refs = refs | {ref} if ref else refs
        node = schema.resolve(node)
        if node.get("deprecated") is True and path:
            stated = re.search(
                r"[Uu]se (?:the )?(?:top-level )?(?:workflow )?'([^']+?):?'", replacement_text(node)
            )
            found.setdefault(path, stated.group(1) if stated else "")
        for keyword in ("oneOf", "anyOf", "allOf"):
            for form in node.get(keyword, ()):
                visit(form, path, refs)
        for name, option in node.get("properties", {}).items():
            visit(option, f"{path}.{name}" if path else name, refs)
        for option in (*node.get("patternProperties", {}).values(), node.get("additionalProperties")):
            if isinstance(option, dict):
                visit(option, f"{path}.*", refs)
        if isinstance(node.get("items"), dict):
            visit(node["items"], f"{path}[]", refs)

    def replacement_text(node: Json) -> str:
        return str(node.get("x-deprecation-message") or node.get("description", ""))

    visit(schema.root, "", frozenset())
    return found


# --- gh-aw's Go sources: only literal lists, read by their names


def go_block(source: str, opening: str) -> str:
    """Give the text between the braces of a composite literal that starts with the given words."""
    start = source.find(opening)
    if start < 0:
        raise SourceError(f"gh-aw's sources no longer contain {opening!r}; adapt the generator")
    end = re.compile(r"^\}|(?<=[^\n{])\}$", re.MULTILINE).search(source, start + len(opening))
    if end is None:
        raise SourceError(f"the literal after {opening!r} does not end; adapt the generator")
    return source[start + len(opening) : end.start()]


def go_strings(source: str, opening: str) -> tuple[str, ...]:
    """Give the string literals of a Go list, comments left out."""
    block = re.sub(r"//[^\n]*", "", go_block(source, opening))
    found = tuple(re.findall(r'"([^"\\]*)"', block))
    if not found:
        raise SourceError(f"the list after {opening!r} holds no strings; adapt the generator")
    return found


def go_pattern(source: str, name: str) -> str:
    """Give the regular expression of a named Go variable."""
    found = re.search(rf"\b{name} = regexp\.MustCompile\(`([^`]*)`\)", source)
    if not found:
        raise SourceError(f"gh-aw's sources no longer define {name}; adapt the generator")
    return found.group(1)


def collected_maxima(source: str) -> dict[str, int]:
    """Give the collector's default limit per output, by the output's frontmatter name."""
    found = re.findall(r'^\t"([a-z_]+)": \{\n\t\tDefaultMax: +(\d+),', source, re.MULTILINE)
    if len(found) < 20:
        raise SourceError("the collector's table has another shape than before; adapt the generator")
    return {name.replace("_", "-"): int(number) for name, number in found}


def builtin_jobs(source: str) -> tuple[str, ...]:
    """Give the names gh-aw keeps for its own jobs."""
    names = dict(re.findall(r'const (\w+JobName) JobName = "([^"]+)"', source))
    used = re.findall(r"string\((\w+)\)", go_block(source, "KnownBuiltInJobNames = map[string]struct{}{"))
    return tuple(sorted(names[name] for name in used))


def experimental(source: str) -> tuple[str, ...]:
    """Give the features whose use the compiler counts as a warning."""
    return tuple(sorted(set(re.findall(r'"Using experimental feature: ([^"]+)"', source))))


def engine_ids(folder: Path) -> tuple[str, ...]:
    """Give the ids of the built-in engines."""
    ids: list[str] = []
    for path in sorted(folder.glob("*.md")):
        node = parse_document(text_of(path), path.name).at("engine", "id")
        if not isinstance(node, Scalar):
            raise SourceError(f"the engine file {path.name} names no id; adapt the generator")
        ids.append(node.text)
    if not ids:
        raise SourceError("the release has no engine files; adapt the generator")
    return tuple(ids)


# --- GitHub's workflow schema


class WorkflowSchema:
    """The schema GitHub's own parser reads workflows with."""

    def __init__(self, definitions: Json) -> None:
        self.definitions = definitions

    def legal(self) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
        """Give what expressions may use, at each place where it differs from the place around it."""
        places: dict[str, set[str]] = {}
        self._visit("workflow-root-strict", "", frozenset(), frozenset(), places)
        found = {}
        for place, words in places.items():
            contexts = tuple(sorted(word for word in words if "(" not in word))
            functions = tuple(sorted(word.partition("(")[0] for word in words if "(" in word))
            found[place] = (contexts, functions)
        return found

    def _visit(
        self,
        name: str,
        place: str,
        allowed: frozenset[str],
        seen: frozenset[str],
        places: dict[str, set[str]],
    ) -> None:
        if name in seen or name not in self.definitions:
            return
        definition = self.definitions[name]
        inherited = allowed
        allowed = allowed | frozenset(definition.get("context", ()))
        if allowed != inherited:
            places.setdefault(place, set()).update(allowed)
        seen = seen | {name}
        for form in definition.get("one-of", ()):
            self._visit(form, place, allowed, seen, places)
        mapping = definition.get("mapping", {})
        for key, value in mapping.get("properties", {}).items():
            inner = value if isinstance(value, str) else value["type"]
            self._visit(inner, f"{place}.{key}" if place else key, allowed, seen, places)
        if "loose-value-type" in mapping:
            self._visit(mapping["loose-value-type"], f"{place}.*", allowed, seen, places)
        if "sequence" in definition:
            self._visit(definition["sequence"]["item-type"], place, allowed, seen, places)

    def event_types(self) -> dict[str, tuple[str, ...]]:
        """Give every event and the activity types it has, in the order of the schema."""
        events = self.definitions["on-mapping-strict"]["mapping"]["properties"]
        found: dict[str, tuple[str, ...]] = {}
        for event in events:
            types = self.definitions.get(f"{event.replace('_', '-')}-activity-type", {})
            found[event] = tuple(types.get("allowed-values", ()))
        return found

    def permissions(self) -> dict[str, tuple[str, ...]]:
        """Give every scope of the job token and the levels it can have."""
        found: dict[str, tuple[str, ...]] = {}
        for scope, value in self.definitions["permissions-mapping"]["mapping"]["properties"].items():
            found[scope] = self._levels(value if isinstance(value, str) else value["type"])
        return found

    def _levels(self, name: str) -> tuple[str, ...]:
        definition = self.definitions[name]
        if "one-of" in definition:
            return tuple(level for form in definition["one-of"] for level in self._levels(form))
        if "allowed-values" in definition:
            return tuple(definition["allowed-values"])
        return (definition["string"]["constant"],)


# --- writing


def render(value: object, indent: int = 0, used: int = 0) -> str:
    """Write a value as Python as the formatter would; `used` is what else stands on its first line."""
    flat = _flat(value)
    if indent + used + len(flat) <= WIDTH:
        return flat
    inner = " " * (indent + 4)
    if isinstance(value, Mapping):
        lines = [
            f"{inner}{_flat(key)}: {render(item, indent + 4, len(_flat(key)) + 3)},\n"
            for key, item in value.items()
        ]
        return "{\n" + "".join(lines) + " " * indent + "}"
    if isinstance(value, Call):
        lines = [
            f"{inner}{key}={render(item, indent + 4, len(key) + 2)},\n"
            for key, item in value.arguments.items()
        ]
        return f"{value.name}(\n" + "".join(lines) + " " * indent + ")"
    if isinstance(value, tuple):
        return (
            "(\n" + "".join(f"{inner}{render(item, indent + 4, 1)},\n" for item in value) + " " * indent + ")"
        )
    return flat


def _flat(value: object) -> str:
    if isinstance(value, str):
        return json.dumps(value) if "\\" not in value else f'r"{value}"'
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flat(key)}: {_flat(item)}" for key, item in value.items()) + "}"
    if isinstance(value, Call):
        return f"{value.name}({', '.join(f'{key}={_flat(item)}' for key, item in value.arguments.items())})"
    if isinstance(value, tuple):
        inner = ", ".join(_flat(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def assignment(name: str, kind: str, value: object) -> str:
    """Write one table."""
    head = f"{name}: Final[{kind}] = "
    return head + render(value, 0, len(head)) + "\n"


NAMES = "tuple[str, ...]"
LISTS = "Mapping[str, tuple[str, ...]]"


def generate(source: Path, oracles: Path) -> str:
    """Give the text of the tables."""
    package = source / "pkg"
    schema = Schema(load(package / "parser" / "schemas" / "main_workflow_schema.json"))
    data = package / "workflow" / "data"
    tool_constants = text_of(package / "constants" / "tool_constants.go")
    patterns = text_of(package / "workflow" / "expression_patterns.go")
    toolsets = load(data / "github_toolsets_permissions.json")["toolsets"]
    collected = collected_maxima(text_of(package / "workflow" / "safe_outputs_validation_config.go"))
    parser = oracles / WORKFLOW_PARSER
    workflow = WorkflowSchema(load(parser / "dist" / "workflow-v1.0.min.json")["definitions"])
    parser_version = load(parser / "package.json")["version"]

    frontmatter = schema.root["properties"]
    events = workflow.event_types()
    triggers = schema.options(frontmatter["on"])
    outputs = {
        name: Call(
            "SafeOutput",
            options=tuple(sorted(schema.options(node))),
            default_max=default_max(schema, node),
            collected_max=collected.get(name),
        )
        for name, node in sorted(frontmatter["safe-outputs"]["properties"].items())
    }
    allowed_patterns = (
        "NeedsStepsPattern",
        "InputsPattern",
        "WorkflowCallInputsPattern",
        "AWInputsPattern",
        "AWImportInputsPattern",
        "EnvPattern",
    )
    scopes = schema.root["$defs"]["github_actions_permissions"]["properties"]

    parts = [
        '"""Names and numbers of the pinned gh-aw release and of GitHub\'s workflow schema.\n\n'
        "Written by scripts/generate_vocabulary.py, never by hand, from\n"
        f"{pin.MODULE} {pin.RELEASE} and @actions/workflow-parser {parser_version}.\n"
        '"""\n\n'
        "from __future__ import annotations\n\n"
        "from collections.abc import Mapping\n"
        "from typing import Final\n\n"
        "from bmadc.ghaw.vocabulary.records import Legal, SafeOutput, Toolset\n",
        assignment("FRONTMATTER_KEYS", NAMES, tuple(sorted(frontmatter))),
        "# Keys under `on` that are GitHub's own events, with the option names gh-aw accepts for them.\n"
        + assignment(
            "EVENT_OPTIONS", LISTS, _options(schema, {k: v for k, v in triggers.items() if k in events})
        ),
        "# Keys under `on` that only gh-aw knows.\n"
        + assignment(
            "ON_KEYS", LISTS, _options(schema, {k: v for k, v in triggers.items() if k not in events})
        ),
        assignment("SAFE_OUTPUTS", "Mapping[str, SafeOutput]", outputs),
        "# Their use is counted as a warning.\n"
        + assignment(
            "EXPERIMENTAL_FEATURES",
            NAMES,
            experimental(text_of(package / "workflow" / "compiler_validators.go")),
        ),
        "# Deprecated field -> the name to write in its place, empty if there is none. Strict refuses them.\n"
        + assignment("DEPRECATED_FIELDS", "Mapping[str, str]", dict(sorted(deprecated(schema).items()))),
        "# Scopes of `permissions` in gh-aw's frontmatter and the levels each can have.\n"
        + assignment(
            "FRONTMATTER_PERMISSIONS",
            LISTS,
            {scope: tuple(node["enum"]) for scope, node in sorted(scopes.items())},
        ),
        "# Scopes of `permissions` in a workflow and the levels each can have.\n"
        + assignment("TOKEN_PERMISSIONS", LISTS, dict(sorted(workflow.permissions().items()))),
        assignment(
            "GITHUB_TOOLSETS",
            "Mapping[str, Toolset]",
            {
                name: Call(
                    "Toolset", reads=tuple(node["read_permissions"]), writes=tuple(node["write_permissions"])
                )
                for name, node in sorted(toolsets.items())
            },
        ),
        "# What `tools.github.toolsets` accepts; `default` stands for the second list.\n"
        + assignment(
            "GITHUB_TOOLSET_NAMES", NAMES, tuple(sorted(schema.root["$defs"]["github_toolset_name"]["enum"]))
        ),
        assignment(
            "DEFAULT_GITHUB_TOOLSETS",
            NAMES,
            go_strings(
                text_of(package / "workflow" / "github_toolsets.go"), "DefaultGitHubToolsets = []string{"
            ),
        ),
        assignment(
            "NETWORK_ECOSYSTEMS", NAMES, tuple(sorted(load(data / "ecosystem_domains.json")["ecosystems"]))
        ),
        assignment("ENGINES", NAMES, engine_ids(data / "engines")),
        "# What `${{ }}` in a Markdown body may hold: these, and what the patterns match, with no part\n"
        "# of it named as in the third list.\n"
        + assignment(
            "BODY_EXPRESSIONS", NAMES, go_strings(tool_constants, "var AllowedExpressions = []string{")
        ),
        assignment(
            "BODY_EXPRESSION_PATTERNS", NAMES, tuple(go_pattern(patterns, name) for name in allowed_patterns)
        ),
        assignment(
            "BODY_FORBIDDEN_PROPERTIES",
            NAMES,
            go_strings(tool_constants, "var DangerousPropertyNames = []string{"),
        ),
        assignment("BUILTIN_JOBS", NAMES, builtin_jobs(text_of(package / "constants" / "job_constants.go"))),
        "# GitHub's events and the activity types each has.\n"
        + assignment("EVENT_TYPES", LISTS, dict(sorted(events.items()))),
        "# What expressions may use, by place; `*` is any name, list positions are left out, a place that\n"
        "# is not listed is ruled by the nearest one around it.\n"
        + assignment(
            "LEGAL",
            "Mapping[str, Legal]",
            {
                place: Call("Legal", contexts=contexts, functions=functions)
                for place, (contexts, functions) in sorted(workflow.legal().items())
            },
        ),
    ]
    return "\n".join(parts)


def _options(schema: Schema, nodes: Mapping[str, Json]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(sorted(schema.options(node))) for name, node in sorted(nodes.items())}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write or check the tables; give the exit code."""
    parser = argparse.ArgumentParser(description="Write the vocabulary tables of the ghaw room.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail when the tables are stale")
    parser.add_argument("--gh-aw-source", type=Path, help="folder with the pinned gh-aw source")
    parser.add_argument("--oracles", type=Path, default=ROOT / "tools" / "oracles" / "node_modules")
    options = parser.parse_args(arguments)
    try:
        text = generate(options.gh_aw_source or find_gh_aw_source(ROOT), options.oracles)
    except SourceError as error:
        print(f"generate_vocabulary: {error}", file=sys.stderr)
        return 2
    if not options.check:
        TABLES.write_text(text, encoding="utf-8")
        return 0
    if not TABLES.is_file() or TABLES.read_text(encoding="utf-8") != text:
        print(
            f"generate_vocabulary: {TABLES.relative_to(ROOT)} is not what {pin.RELEASE} gives; "
            "run the script without --check and review the difference",
            file=sys.stderr,
        )
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
