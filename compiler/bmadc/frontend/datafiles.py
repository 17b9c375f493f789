"""Files that are data throughout, as trees: YAML, TOML, CSV, and everything else as one piece.

A leaf is a line, or as many lines as one value takes. What a file says is in the tree's `matter` or `rows`.
"""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from bmadc.diagnostics import Diagnostic, Span
from bmadc.frontend.tomlvalues import KEY_PARTS, LONG_KEY
from bmadc.ir.tree import Block, Leaf, LeafKind, Tree
from bmadc.source import Text
from bmadc.source.yamltree import Mapping, Node, Scalar, Sequence, parse_yaml, to_python

_TOML_PIECE = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<string>\"{3}(?:\\.|[^\\])*?(?:\"{3,5}|\Z)|'{3}.*?(?:'{3,5}|\Z)"""
    r"""|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?)|(?P<open>[\[{])|(?P<close>[\]}])""",
    re.DOTALL,
)
_TOML_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")


def read_yaml(text: Text) -> Tree:
    """Return the tree of a YAML file; without a mapping at its top it has no values."""
    parsed = parse_yaml(text.text)
    values = to_python(parsed.root).items() if isinstance(parsed.root, Mapping) else ()
    said = tuple(
        # By offset: YAML counts more characters as line ends than we do.
        _malformed(text, problem.span.start, problem.message)
        for problem in parsed.problems
    )
    joined = _joined_lines(text, parsed.root) if parsed.root is not None else ()
    return _by_lines(text, "yaml", joined, tuple(values), said, broken=parsed.root is None and bool(said))


def read_toml(text: Text) -> Tree:
    """Return the tree of a TOML file; a malformed one has no values but keeps all its lines."""
    values: dict[str, Any] = {}
    said: tuple[Diagnostic, ...] = ()
    if too_long := LONG_KEY.search(text.text):
        said = (_malformed(text, too_long.start(), f"a key of more than {KEY_PARTS} parts is not read"),)
    else:
        try:
            values = tomllib.loads(text.text)
        except RecursionError:
            said = (_malformed(text, 0, "this is nested too deep to be read as TOML"),)
        except ValueError as problem:
            said = (_not_toml(text, str(problem)),)
    return _by_lines(text, "toml", _toml_joined(text), tuple(values.items()), said, broken=bool(said))


def read_csv(text: Text) -> Tree:
    """Return the tree of a CSV file: a record per leaf, the fields in `rows`, the header first.

    A record that cannot be read is kept as data; a quote that is never closed ends with its line.
    """
    lines = text.lines()
    offset = _line_offsets(lines)
    rows: list[tuple[str, ...]] = []
    leaves: list[Leaf] = []
    said: list[Diagnostic] = []
    number = 0
    while number < len(lines):
        last = number
        for fields, taken, problem in _records(lines, number):
            first, last = last, last + taken
            start, end = _trim(text.text, offset[first], offset[last - 1] + len(lines[last - 1]))
            if start == end:
                continue
            if problem:
                said.append(_malformed(text, start, f"this is not CSV: {problem}"))
            if not fields:
                leaves.append(Leaf("data", start, end, 0))
                continue
            leaves.append(Leaf("record", start, end, 0))
            rows.append(fields)
            if len(fields) != len(rows[0]):
                said.append(_other_width(text, first + 1, len(fields), len(rows[0])))
        number = last
    return Tree(text, "csv", tuple(leaves), _document(leaves), rows=tuple(rows), diagnostics=tuple(said))


def _records(lines: tuple[str, ...], number: int) -> Iterator[tuple[tuple[str, ...], int, str]]:
    """Yield the fields of each record, the lines it takes and what is wrong with it, up to the first fault.

    Strict reading alone tells a quote that is never closed from a field of many lines, but it also refuses a
    quote inside a field, which everybody reads alike.
    """
    reader = csv.reader(lines[at] + "\n" for at in range(number, len(lines)))
    taken = 0
    try:
        for fields in reader:
            count = reader.line_num - taken
            at_end = number + reader.line_num == len(lines)
            own = lines[number + taken : number + reader.line_num] if count > 1 or at_end else ()
            if own and _unclosed(own):
                yield _one_line(lines[number + taken])
                return
            yield tuple(fields), count, ""
            taken = reader.line_num
    except csv.Error as problem:
        count = reader.line_num - taken
        if count > 1 and "field limit" in str(problem):
            yield _one_line(lines[number + taken])
        else:
            yield (), count, str(problem).split(" - ")[0]


def _one_line(line: str) -> tuple[tuple[str, ...], int, str]:
    """Read a line alone in which a quote opens and nothing closes it."""
    try:
        # Without a line end the reader closes the quote where the line ends.
        return tuple(next(csv.reader([line]))), 1, "a quote opens here and is never closed"
    except csv.Error as problem:
        return (), 1, str(problem).split(" - ")[0]


def _unclosed(lines: tuple[str, ...]) -> bool:
    """Whether a quote of a record is open at the end of its lines, or was closed where another one opens."""
    try:
        for _ in csv.reader((line + "\n" for line in lines), strict=True):
            pass
    except csv.Error as problem:
        return len(lines) > 1 or "unexpected end of data" in str(problem)
    return False


def read_whole(text: Text, reader: str) -> Tree:
    """Return the tree of a file that is kept as it is: a script, a page, a picture in words."""
    start, end = _trim(text.text, 0, len(text.text))
    leaves = (Leaf("data", start, end, 0),) if start < end else ()
    return Tree(text, reader, leaves, _document(leaves), fallback=end - start if reader == "fallback" else 0)


def _by_lines(
    text: Text,
    reader: str,
    joined: Iterable[tuple[int, int]],
    values: tuple[tuple[str, object], ...],
    diagnostics: tuple[Diagnostic, ...],
    *,
    broken: bool,
) -> Tree:
    """Make a leaf of each line, and one of all the lines from the first to the last of each joined range."""
    until: dict[int, int] = {}
    for first, last in joined:
        until[first] = max(last, until.get(first, first))
    lines = text.lines()
    offset = _line_offsets(lines)
    leaves: list[Leaf] = []
    number = 1
    while number <= len(lines):
        last = line = number
        # A value may start on the last line of another one.
        while line <= last:
            last = max(last, min(until.get(line, line), len(lines)))
            line += 1
        start, end = _trim(text.text, offset[number - 1], offset[last - 1] + len(lines[last - 1]))
        if start < end:
            kind: LeafKind = "entry"
            if text.text.startswith("#", start):
                kind = "comment"
            elif text.text[start:end] in ("---", "..."):
                kind = "delimiter"
            leaves.append(Leaf(kind, start, end, 0))
        number = last + 1
    unread = sum(leaf.end - leaf.start for leaf in leaves if leaf.kind == "entry") if broken else 0
    return Tree(
        text, reader, tuple(leaves), _document(leaves), values, fallback=unread, diagnostics=diagnostics
    )


def _joined_lines(text: Text, root: Node) -> list[tuple[int, int]]:
    """Return the first and last line of every scalar and flow collection that takes several lines."""
    found: list[tuple[int, int]] = []
    todo: list[Node] = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, Scalar) or text.text.startswith(("[", "{"), node.span.start):
            first = text.position(node.span.start)[0]
            # A block scalar ends at the start of the line behind it.
            last = text.position(max(node.span.end - 1, node.span.start))[0]
            if last > first:
                found.append((first, last))
        elif isinstance(node, Sequence):
            todo.extend(node.items)
        else:
            todo.extend(entry.value for entry in node.entries)
            # A value on the lines below its key belongs to it.
            found.extend(
                (text.position(entry.key.span.start)[0], text.position(entry.value.span.start)[0])
                for entry in node.entries
                if isinstance(entry.value, Scalar) and entry.value.span.line > entry.key.span.line
            )
    return found


def _toml_joined(text: Text) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    depth = opened = 0
    for piece in _TOML_PIECE.finditer(text.text):
        first = text.position(piece.start())[0]
        if piece["string"]:
            last = text.position(piece.end())[0]
            if last > first:
                found.append((first, last))
        elif piece["open"]:
            opened = first if depth == 0 else opened
            depth += 1
        elif piece["close"]:
            depth = max(depth - 1, 0)
            if depth == 0 and first > opened > 0:
                found.append((opened, first))
    return found


def _document(leaves: Iterable[Leaf]) -> tuple[Block, ...]:
    return (Block("document", -1, 0, len(tuple(leaves))),)


def _line_offsets(lines: tuple[str, ...]) -> list[int]:
    offsets, at = [], 0
    for line in lines:
        offsets.append(at)
        at += len(line) + 1
    return offsets


def _trim(source: str, start: int, end: int) -> tuple[int, int]:
    piece = source[start:end]
    if not piece.strip():
        return start, start
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _not_toml(text: Text, problem: str) -> Diagnostic:
    place = _TOML_PLACE.search(problem)
    message = problem[: place.start()] if place else problem.removesuffix(" (at end of document)")
    # Our lines are tomllib's: both count line feeds alone.
    at = sum(map(len, text.lines()[: int(place[1]) - 1])) + int(place[1]) + int(place[2]) - 2 if place else -1
    return _malformed(text, at if at >= 0 else len(text.text), f"this is not TOML: {message}")


def _malformed(text: Text, at: int, message: str) -> Diagnostic:
    at = min(at, len(text.text))
    return Diagnostic(
        code="BMC318",
        severity="warning",
        message=message.split("; ")[0],
        span=Span.point(text.path, *text.position(at)),
        expected="what every reader of this format understands",
        why="Its values are not known, so what they say cannot be taken into account; its text is kept.",
        help=("Correct it at this place.",),
    )


def _other_width(text: Text, line: int, width: int, header: int) -> Diagnostic:
    return Diagnostic(
        code="BMC319",
        severity="warning",
        message=f"this row has {width} fields, the header {header}",
        span=Span(text.path, line, 1, line, len(text.line(line)) + 1),
        expected=f"{header} fields",
        why="Behind the missing or additional comma every value stands under another name.",
        help=("Put the comma in or take it out; quote a field that holds a comma.",),
    )
