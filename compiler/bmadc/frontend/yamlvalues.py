"""One layer of configuration read from YAML, every scalar as the text that stands in the file.

YAML would turn a project named 6.10 into the number 6.1, `on` into a truth value and a date into a date;
configuration of BMAD means text in all these places.
"""

from __future__ import annotations

from typing import Any

from bmadc.diagnostics import Diagnostic, Span
from bmadc.frontend.tomlvalues import DEPTH_LIMIT, Layer, too_much
from bmadc.source import Text
from bmadc.source.yamltree import Mapping, Node, Scalar, Sequence, parse_yaml

YAML_LIMIT = 64 * 1024
# Aliases may multiply a small file; what they add up to is limited like the file itself.
NODE_LIMIT = 20_000


class _TooMuchError(Exception):
    pass


def read_yaml(text: Text, name: str) -> tuple[Layer, tuple[Diagnostic, ...]]:
    """Return a YAML mapping as a layer; a text that is no YAML mapping is an empty layer and a diagnostic."""
    empty = Layer(name, text.path)
    if len(text.text) > YAML_LIMIT:
        return empty, (too_much(Span.file(text.path), f"{len(text.text)} characters", YAML_LIMIT),)
    tree = parse_yaml(text.text)
    if tree.root is None and tree.problems:
        problem = tree.problems[0]
        return empty, (_not_yaml(problem.span.in_file(text.path), problem.message),)
    if tree.root is None or (isinstance(tree.root, Scalar) and tree.root.value is None):
        return empty, ()
    if not isinstance(tree.root, Mapping):
        return empty, (_not_a_mapping(tree.root.span.in_file(text.path), tree.root),)
    reader = _Reader(text.path)
    try:
        table = reader.mapping(tree.root, ())
    except _TooMuchError:
        return empty, (
            too_much(Span.file(text.path), f"more than {NODE_LIMIT} values once aliases are read"),
        )
    # A key that is no word has no entry in the tree; the tree's own problem says where it stands.
    odd = [one for one in tree.problems if "list or a mapping" in one.message]
    reader.diagnostics.extend(_odd_key(one.span.in_file(text.path)) for one in odd)
    return Layer(name, text.path, table, reader.lines), tuple(reader.diagnostics)


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.count = 0
        self.lines: dict[tuple[str, ...], int] = {}
        self.diagnostics: list[Diagnostic] = []

    def value(self, node: Node, keys: tuple[str, ...], depth: int = 0) -> Any:
        self.count += 1
        if self.count > NODE_LIMIT or depth > DEPTH_LIMIT:
            raise _TooMuchError
        if isinstance(node, Mapping):
            return self.mapping(node, keys, depth)
        if isinstance(node, Sequence):
            return [self.value(item, (*keys, str(at)), depth + 1) for at, item in enumerate(node.items)]
        return "" if node.value is None else node.text

    def mapping(self, node: Mapping, keys: tuple[str, ...], depth: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for entry in node.entries:
            place = entry.key.span.in_file(self.path)
            if entry.name in found:
                self.diagnostics.append(_twice(place, entry.name))
            below = (*keys, entry.name)
            self.lines.setdefault(below, place.line)
            found[entry.name] = self.value(entry.value, below, depth + 1)
        return found


def _not_yaml(span: Span, message: str) -> Diagnostic:
    return Diagnostic(
        code="BMC332",
        severity="error",
        message=message.split("; ")[0],
        span=span,
        expected="one mapping of names to values",
        why="Nothing of this file is used, as if it were not there.",
        help=("Correct the syntax at this place; put text with special signs into double quotes.",),
    )


def _not_a_mapping(span: Span, node: Node) -> Diagnostic:
    return Diagnostic(
        code="BMC333",
        severity="error",
        message=f"this file holds {'a list' if isinstance(node, Sequence) else 'a single value'}",
        span=span,
        expected="one mapping of names to values",
        why="Nothing of this file is used, as if it were not there.",
        help=("Write each setting on its own line, as in `project_name: shop`.",),
    )


def _odd_key(place: Span) -> Diagnostic:
    return Diagnostic(
        code="BMC333",
        severity="error",
        message="the name of this setting is a list or a mapping",
        span=place,
        expected="a word as the name of a setting",
        why="Nobody can ask for a setting without a name, so it is not used.",
        help=("Give the setting a name.",),
    )


def _twice(place: Span, key: str) -> Diagnostic:
    return Diagnostic(
        code="BMC333",
        severity="warning",
        message=f"{key!r} stands here a second time; the last one counts",
        span=place,
        expected="each name once",
        why="BMAD's installer refuses such a file, and a reader may look at the wrong line.",
        help=("Take out one of the two.",),
    )
