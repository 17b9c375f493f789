"""What a BMAD tree says about itself: package.json, `_config/manifest.yaml`, module.yaml, the CSV manifests.

Nothing here raises. A file that is missing or broken gives an empty answer and a diagnostic, and the tree is
then read by its structure. The installer's dates are not read: they would differ for equal installs.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source import SourceError, Text, is_file, read_text
from bmadc.source.yamltree import Mapping, Node, Scalar, Sequence, parse_yaml

_T = TypeVar("_T")

MANIFEST = "_bmad/_config/manifest.yaml"
BY_STRUCTURE = "Without it bmadc reads the tree by its structure and may not know its release or modules."


@dataclass(frozen=True, slots=True)
class Package:
    """The name and version of an npm package, with the place of the version."""

    name: str
    version: str
    span: Span


@dataclass(frozen=True, slots=True)
class Listed:
    """A name in a manifest, with its version if it has one, and its place."""

    name: str
    version: str
    span: Span


@dataclass(frozen=True, slots=True)
class InstallManifest:
    """The installer's record: the release, the modules and the coding tools, in its order."""

    release: str
    span: Span
    modules: tuple[Listed, ...]
    tools: tuple[Listed, ...]


@dataclass(frozen=True, slots=True)
class Definition:
    """A module's own code and name, with the place of the code."""

    code: str
    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a CSV manifest: the id of a unit, its module, and where the installer took it from."""

    identity: str
    module: str
    path: str
    is_skill: bool
    span: Span


@dataclass(slots=True)
class Said:
    """Diagnostics in the order in which they came up."""

    diagnostics: list[Diagnostic]

    def broken(self, span: Span, message: str, expected: str) -> None:
        """Report a file that cannot be read as what it should be."""
        self.diagnostics.append(
            Diagnostic(
                code="BMC304",
                severity="warning",
                message=message,
                span=span,
                why=BY_STRUCTURE,
                expected=expected,
                help=("Correct the file, or install BMAD again.",),
            )
        )

    def unusable(self, span: Span, message: str, expected: str, nearest: tuple[str, ...] = ()) -> None:
        """Report an entry that cannot be used; the others of its file are."""
        self.diagnostics.append(
            Diagnostic(
                code="BMC305",
                severity="warning",
                message=message,
                span=span,
                why="bmadc goes on as if the entry were not there.",
                expected=expected,
                nearest=nearest,
                help=("Correct the entry, or install BMAD again.",),
            )
        )


def _read(base: Path, path: str, said: Said, read: Callable[[Text], _T], otherwise: _T) -> _T:
    try:
        return read(read_text(base, path))
    except SourceError as problem:
        said.diagnostics.append(problem.diagnostic)
        return otherwise


def read_package(base: Path, said: Said) -> Package:
    """Return name and version of the npm package at base; both are empty when there is none."""
    path = "package.json"
    nothing = Package("", "", Span.file(path))
    if not is_file(base, path):
        return nothing

    def read(text: Text) -> Package:
        try:
            found = json.loads(text.text)
        except json.JSONDecodeError as problem:
            where = Span.point(path, problem.lineno, problem.colno)
            said.broken(where, f"this is not JSON: {problem.msg}", "an object with name and version")
            return nothing
        except (RecursionError, ValueError):
            said.broken(
                Span.point(path, 1, 1), "this JSON is too deep or has numbers too long", "a small object"
            )
            return nothing
        if not isinstance(found, dict):
            said.broken(
                Span.point(path, 1, 1), "this is not a JSON object", "an object with name and version"
            )
            return nothing
        name, version = found.get("name"), found.get("version")
        place = text.text.find('"version"')
        span = Span.point(path, *text.position(place), 9) if place != -1 else nothing.span
        if version is not None and not isinstance(version, str):
            said.unusable(span, "the version is not a string", 'a version such as "6.12.0"')
        return Package(
            name if isinstance(name, str) else "", version if isinstance(version, str) else "", span
        )

    return _read(base, path, said, read, nothing)


def _mapping(text: Text, said: Said, expected: str) -> Mapping | None:
    tree = parse_yaml(text.text)
    for problem in tree.problems:
        said.broken(problem.span.in_file(text.path), problem.message, expected)
    if isinstance(tree.root, Mapping):
        return tree.root
    if not tree.problems:
        said.broken(Span.point(text.path, 1, 1), "this YAML file holds no mapping", expected)
    return None


def _string(node: Node | None) -> str:
    return node.text.strip() if isinstance(node, Scalar) and node.value is not None else ""


def read_manifest(base: Path, said: Said) -> InstallManifest:
    """Return the installer's record below base; it is empty when there is none."""
    nothing = InstallManifest("", Span.file(MANIFEST), (), ())
    if not is_file(base, MANIFEST):
        said.diagnostics.append(
            Diagnostic(
                code="BMC304",
                severity="note",
                message="there is no manifest of an installer",
                span=Span.file(MANIFEST),
                why=BY_STRUCTURE,
                help=("Nothing, if this tree was written by hand; otherwise install BMAD again.",),
            )
        )
        return nothing

    def read(text: Text) -> InstallManifest:
        expected = "installation.version, and the lists modules and ides"
        root = _mapping(text, said, expected)
        if root is None:
            return nothing
        version = root.at("installation", "version")
        release = _string(version)
        span = version.span.in_file(MANIFEST) if version is not None and release else nothing.span
        if not release:
            said.unusable(Span.point(MANIFEST, 1, 1), "there is no installation.version", expected)
        return InstallManifest(
            release,
            span,
            _listed(root.get("modules"), "modules", said),
            _listed(root.get("ides"), "ides", said),
        )

    return _read(base, MANIFEST, said, read, nothing)


def _listed(node: Node | None, key: str, said: Said) -> tuple[Listed, ...]:
    """Give the names of a list whose items are names, or mappings with a name."""
    if node is None or (isinstance(node, Scalar) and node.value is None):
        return ()
    if not isinstance(node, Sequence):
        said.unusable(node.span.in_file(MANIFEST), f"{key} is not a list", f"{key}: a list")
        return ()
    found: list[Listed] = []
    for item in node:
        name = _string(item.get("name")) if isinstance(item, Mapping) else _string(item)
        version = _string(item.get("version")) if isinstance(item, Mapping) else ""
        span = item.span.in_file(MANIFEST)
        if name:
            found.append(Listed(name, version, span))
        else:
            said.unusable(span, f"this entry of {key} has no name", "a name, or a mapping with a name")
    return tuple(found)


def read_definition(base: Path, path: str, said: Said) -> Definition:
    """Return the code and name in a module.yaml; both are empty when it cannot be read."""
    nothing = Definition("", "", Span.file(path))

    def read(text: Text) -> Definition:
        root = _mapping(text, said, "code and name of the module")
        if root is None:
            return nothing
        code = root.get("code")
        if not _string(code):
            said.unusable(Span.point(path, 1, 1), "this module has no code", "code: a short id such as bmm")
        span = code.span.in_file(path) if code is not None else nothing.span
        return Definition(_string(code), _string(root.get("name")), span)

    return _read(base, path, said, read, nothing)


def read_rows(base: Path, paths: tuple[str, ...], said: Said) -> tuple[Row, ...]:
    """Return the rows of CSV manifests that have a canonicalId; manifests without the column give none."""
    none: tuple[Row, ...] = ()
    return tuple(row for path in paths for row in _read(base, path, said, lambda t: _rows(t, said), none))


def _rows(text: Text, said: Said) -> tuple[Row, ...]:
    reader = csv.reader(io.StringIO(text.text, newline=""))
    found: list[Row] = []
    line = 1
    try:
        header = next(reader, [])
        if "canonicalId" not in header or "path" not in header:
            return ()
        identity, path = header.index("canonicalId"), header.index("path")
        module = header.index("module") if "module" in header else -1
        line = reader.line_num + 1
        for values in reader:
            span = Span.point(text.path, line, 1)
            line = reader.line_num + 1
            if not values:
                continue
            if len(values) <= max(identity, path, module):
                said.unusable(
                    span, f"this row has {len(values)} of {len(header)} columns", "a value for every column"
                )
            elif values[identity].strip():
                found.append(
                    Row(
                        values[identity].strip(),
                        values[module].strip() if module >= 0 else "",
                        values[path].strip(),
                        text.path.endswith("/skill-manifest.csv"),
                        span,
                    )
                )
    except csv.Error as problem:
        said.broken(Span.point(text.path, line, 1), f"this is not CSV: {problem}", "rows as in its header")
    return tuple(found)
