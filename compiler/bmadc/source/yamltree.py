"""YAML as a frozen tree in which every node, keys included, knows where it stands in the file.

The reader takes libyaml's event stream and builds the tree itself. The library's own composer recurses once
per level in C, and a file of nested brackets would end the process instead of giving an error.

Plain scalars follow the core schema of YAML 1.2, as GitHub's own parser does: only ``true``, ``false``,
``null``, integers and floats become values; ``on``, ``yes`` and ``no`` stay strings. Merge keys and unknown
tags have no meaning.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import yaml

from bmadc import diagnostics

MAX_DEPTH = 100
MAX_NODES = 200_000

Value: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a file: lines and columns from 1, the end exclusive, offsets in code points from 0."""

    line: int
    column: int
    end_line: int
    end_column: int
    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.line}:{self.column}"

    def in_file(self, path: str) -> diagnostics.Span:
        """Give the span a diagnostic about that file carries."""
        return diagnostics.Span(path, self.line, self.column, self.end_line, self.end_column)

    def to(self, other: Span) -> Span:
        """Give the stretch from the start of this span to the end of another one."""
        return Span(self.line, self.column, other.end_line, other.end_column, self.start, other.end)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file, said so that its author can act, at the place where it is wrong."""

    message: str
    span: Span

    def __str__(self) -> str:
        return f"{self.span}: {self.message}"


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single value: ``text`` as YAML reads it, ``value`` as it resolves, ``style`` as it is written."""

    text: str
    value: Value
    style: str
    span: Span

    def at(self, *path: str | int) -> Node | None:
        """Give the node itself for the empty path and nothing for any other."""
        return None if path else self


@dataclass(frozen=True, slots=True)
class Entry:
    """One key of a mapping with its value."""

    key: Scalar
    value: Node

    @property
    def name(self) -> str:
        """The key as GitHub compares it: always a string, as it is written."""
        return self.key.text

    @property
    def span(self) -> Span:
        """The stretch from the key to the end of the value; of an aliased or empty value, the key alone."""
        return self.key.span.to(self.value.span) if self.value.span.end > self.key.span.end else self.key.span


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order of the file."""

    entries: tuple[Entry, ...]
    span: Span

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __contains__(self, name: object) -> bool:
        return any(entry.name == name for entry in self.entries)

    @property
    def names(self) -> tuple[str, ...]:
        """The keys in the order of the file."""
        return tuple(entry.name for entry in self.entries)

    def entry(self, name: str) -> Entry | None:
        """Find the first entry of that name."""
        return next((entry for entry in self.entries if entry.name == name), None)

    def get(self, name: str) -> Node | None:
        """Find the value of the first entry of that name."""
        found = self.entry(name)
        return found.value if found else None

    def at(self, *path: str | int) -> Node | None:
        """Walk down keys and list positions; give nothing when a part of the path is not there."""
        return _at(self, path)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Items in the order of the file."""

    items: tuple[Node, ...]
    span: Span

    def __iter__(self) -> Iterator[Node]:
        return iter(self.items)

    def at(self, *path: str | int) -> Node | None:
        """Walk down keys and list positions; give nothing when a part of the path is not there."""
        return _at(self, path)


Node: TypeAlias = Mapping | Sequence | Scalar


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed text: its root, or none when it is empty or broken, and all that is wrong with it."""

    root: Node | None
    problems: tuple[Problem, ...]

    def at(self, *path: str | int) -> Node | None:
        """Walk down from the root; give nothing when a part of the path is not there."""
        return _at(self.root, path)


def _at(node: Node | None, path: tuple[str | int, ...]) -> Node | None:
    for step in path:
        if isinstance(node, Mapping):
            node = node.get(str(step))
        elif isinstance(node, Sequence) and isinstance(step, int) and 0 <= step < len(node.items):
            node = node.items[step]
        else:
            return None
    return node


def to_python(node: Node | None) -> Any:
    """Turn a node into plain dicts, lists and values; keys are strings; of equal keys the first wins."""
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [to_python(item) for item in node.items]
    plain: dict[str, Any] = {}
    for entry in node.entries:
        plain.setdefault(entry.name, to_python(entry.value))
    return plain


def walk(node: Node, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Scalar]]:
    """Give every scalar value below a node with its path, in the order of the file; keys are not values."""
    if isinstance(node, Scalar):
        yield path, node
    elif isinstance(node, Sequence):
        for number, item in enumerate(node.items):
            yield from walk(item, (*path, number))
    else:
        for entry in node.entries:
            yield from walk(entry.value, (*path, entry.name))


class Positions:
    """Turns offsets of one text into spans; lines end as editors count them: LF, CRLF or CR."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def span(self, start: int, end: int) -> Span:
        """Give the span between two offsets; offsets outside of the text are moved to its nearest end."""
        start = min(max(start, 0), len(self._text))
        end = min(max(end, start), len(self._text))
        line = bisect_right(self._starts, start)
        end_line = bisect_right(self._starts, end)
        return Span(
            line,
            start - self._starts[line - 1] + 1,
            end_line,
            end - self._starts[end_line - 1] + 1,
            start,
            end,
        )


def parse_yaml(text: str, start: int = 0, end: int | None = None) -> Tree:
    """Read one YAML document from ``text[start:end]``; spans are those of the whole text; never raises."""
    stop = len(text) if end is None else end
    if text.startswith("\ufeff", start, stop):
        start += 1
    positions = Positions(text)
    unreadable = _UNREADABLE.search(text, start, stop)
    if unreadable:
        code = ord(unreadable.group())
        message = f"the character U+{code:04X} is not allowed in YAML; remove it or write it as an escape"
        return Tree(None, (Problem(message, positions.span(unreadable.start(), unreadable.end())),))
    builder = _Builder(text, start, positions)
    try:
        for event in yaml.parse(text[start:stop], Loader=yaml.CSafeLoader):
            builder.take(event)
    except _StopReadingError as stopped:
        builder.problems.append(stopped.problem)
        builder.root = None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = start + (mark.index if mark else 0)
        what = " ".join(part for part in (error.context, error.problem) if part)
        message = f"this is not YAML: {what}; nothing of it is read"
        builder.problems.append(Problem(message, positions.span(at, at + 1)))
        builder.root = None
    except yaml.YAMLError as error:
        problem = Problem(
            f"this is not YAML: {error}; nothing of it is read", positions.span(start, start + 1)
        )
        builder.problems.append(problem)
        builder.root = None
    return Tree(builder.root, tuple(builder.problems))


_LINE_END = re.compile(r"\r\n|\n|\r")
_UNREADABLE = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NULL = re.compile(r"(?:null|Null|NULL|~|)")
_TRUE = re.compile(r"(?:true|True|TRUE)")
_FALSE = re.compile(r"(?:false|False|FALSE)")
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEX = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")

# A number of more digits is no number anybody means, and converting it takes quadratic time.
_MAX_DIGITS = 400

_TAG = "tag:yaml.org,2002:"
_KNOWN_TAGS = frozenset(_TAG + name for name in ("str", "int", "float", "bool", "null", "seq", "map"))


def resolve(text: str) -> Value:
    """Give the value of a plain scalar by the core schema of YAML 1.2."""
    if _NULL.fullmatch(text):
        return None
    if _TRUE.fullmatch(text):
        return True
    if _FALSE.fullmatch(text):
        return False
    if len(text) > _MAX_DIGITS:
        return text
    if _DECIMAL.fullmatch(text):
        return int(text)
    if _OCTAL.fullmatch(text):
        return int(text, 8)
    if _HEX.fullmatch(text):
        return int(text, 16)
    if _FLOAT.fullmatch(text):
        return float(text)
    infinity = _INFINITY.fullmatch(text)
    if infinity:
        return float(infinity.group(1) + "inf")
    return float("nan") if _NAN.fullmatch(text) else text


class _StopReadingError(Exception):
    def __init__(self, problem: Problem) -> None:
        self.problem = problem


@dataclass(slots=True)
class _Built:
    """A node with the size and the height it would have if every alias in it were written out."""

    node: Node
    size: int
    height: int


@dataclass(slots=True)
class _Open:
    is_mapping: bool
    start: int
    anchor: str | None
    children: list[_Built]


class _Builder:
    """Takes events one by one and keeps the open collections on its own stack."""

    def __init__(self, text: str, shift: int, positions: Positions) -> None:
        self.root: Node | None = None
        self.problems: list[Problem] = []
        self._text = text
        self._shift = shift
        self._positions = positions
        self._stack: list[_Open] = []
        self._anchors: dict[str, _Built] = {}
        self._documents = 0

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._open(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._close(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                message = "a second YAML document starts here; only one is read, so remove this separator"
                raise _StopReadingError(Problem(message, self._span(event)))

    def _span(self, event: Any) -> Span:
        return self._positions.span(self._shift + event.start_mark.index, self._shift + event.end_mark.index)

    def _check_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag != "!" and event.tag not in _KNOWN_TAGS:
            message = f"the tag {event.tag} has no meaning here; remove it"
            self.problems.append(Problem(message, self._span(event)))

    def _scalar(self, event: Any) -> None:
        self._check_tag(event)
        style = event.style or ""
        is_plain = event.tag is None and not style
        is_tagged = event.tag in _KNOWN_TAGS and event.tag != _TAG + "str"
        value: Value = resolve(event.value) if is_plain or is_tagged else event.value
        span = self._span(event)
        if style in ("|", ">"):
            # The scanner counts the blank lines after a block to it, even where the block does not keep them.
            kept = len(self._text[span.start : span.end].rstrip(" \t\r\n"))
            span = self._positions.span(span.start, span.start + kept)
        self._add(_Built(Scalar(event.value, value, style, span), 1, 0), event.anchor)

    def _open(self, event: Any) -> None:
        self._check_tag(event)
        self._check_depth(1, self._span(event))
        start = self._shift + event.start_mark.index
        self._stack.append(_Open(isinstance(event, yaml.MappingStartEvent), start, event.anchor, []))

    def _close(self, event: Any) -> None:
        done = self._stack.pop()
        nodes = [child.node for child in done.children]
        end = self._shift + event.end_mark.index
        if event.start_mark.index == event.end_mark.index:
            # A block collection has no closing bracket: its end event stands beyond blank lines and comments.
            end = nodes[-1].span.end if nodes else done.start
        span = self._positions.span(done.start, end)
        node: Node = Mapping(self._entries(nodes), span) if done.is_mapping else Sequence(tuple(nodes), span)
        size = 1 + sum(child.size for child in done.children)
        height = 1 + max((child.height for child in done.children), default=0)
        self._add(_Built(node, size, height), done.anchor)

    def _entries(self, nodes: list[Node]) -> tuple[Entry, ...]:
        entries: list[Entry] = []
        seen: dict[str, Span] = {}
        for key, value in zip(nodes[::2], nodes[1::2], strict=True):
            if not isinstance(key, Scalar):
                message = "this key is a list or a mapping; write a single value, or the entry is ignored"
                self.problems.append(Problem(message, key.span))
                continue
            if key.text in seen:
                message = (
                    f"the key {key.text!r} is here a second time (first at {seen[key.text]}); "
                    "GitHub refuses such a file; remove one of them"
                )
                self.problems.append(Problem(message, key.span))
            seen.setdefault(key.text, key.span)
            entries.append(Entry(key, value))
        return tuple(entries)

    def _alias(self, event: Any) -> None:
        span = self._span(event)
        target = self._anchors.get(event.anchor)
        if target is None:
            message = f"the alias *{event.anchor} names nothing that ends above it; write the value out"
            raise _StopReadingError(Problem(message, span))
        self._check_depth(target.height, span)
        self._add(_Built(replace(target.node, span=span), target.size, target.height), None)

    def _check_depth(self, height: int, span: Span) -> None:
        if len(self._stack) + height > MAX_DEPTH:
            message = f"more than {MAX_DEPTH} levels of nesting; no workflow needs them, so nothing is read"
            raise _StopReadingError(Problem(message, span))

    def _add(self, built: _Built, anchor: str | None) -> None:
        if built.size > MAX_NODES:
            message = f"more than {MAX_NODES} values, aliases written out; nothing is read"
            raise _StopReadingError(Problem(message, built.node.span))
        if anchor:
            self._anchors[anchor] = built
        if self._stack:
            self._stack[-1].children.append(built)
        else:
            self.root = built.node
