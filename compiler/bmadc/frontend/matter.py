"""The front matter of a Markdown file: its entries as leaves, its values as plain data.

What is not YAML is read once more line by line, `key: value`, because a single stray quote must not cost the
step its name and its successor. That way of reading is the fallback and is said in a diagnostic.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from bmadc.diagnostics import Diagnostic, Span
from bmadc.ir.tree import LeafKind
from bmadc.source import Text
from bmadc.source.yamltree import Mapping, parse_yaml, to_python

_LINE = "---"
_KEY = re.compile(r"[^\s#:-][^:\n]*:(?=\s|$)")
_PAIR = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:[ \t]*(.*)")


@dataclass(frozen=True, slots=True)
class Matter:
    """Where the front matter ends (0: there is none), its leaves and values, and what is wrong with it.

    `fallback` counts the characters of what was read line by line.
    """

    end: int = 0
    leaves: tuple[tuple[LeafKind, int, int], ...] = ()
    values: tuple[tuple[str, object], ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    fallback: int = 0


def read_matter(text: Text) -> Matter:
    """Return the front matter at the start of a text; an empty one (`---` `---`) has no values."""
    source = text.text
    opening = _line_end(source, 0)
    if source[:opening].rstrip() != _LINE:
        return Matter()
    close = opening + 1
    while close < len(source):
        stop = _line_end(source, close)
        if source[close:stop].rstrip() == _LINE:
            break
        close = stop + 1
    else:
        return Matter(diagnostics=(_never_closed(text, opening),))
    body = opening + 1
    leaves: list[tuple[LeafKind, int, int]] = [("delimiter", 0, len(_LINE))]
    leaves.extend(_entries(source, body, close))
    leaves.append(("delimiter", close, close + len(_LINE)))
    tree = parse_yaml(source, body, close)
    end = min(stop + 1, len(source))
    said = tuple(
        # By offset: YAML counts more characters as line ends than we do.
        _not_yaml(text, problem.span.start, problem.span.end, problem.message)
        for problem in tree.problems
    )
    if isinstance(tree.root, Mapping):
        return Matter(end, tuple(leaves), tuple(to_python(tree.root).items()), said)
    if tree.root is None and not said:
        return Matter(end, tuple(leaves))
    if not said:
        said = (_not_yaml(text, leaves[1][1], leaves[1][2], "the front matter has no keys"),)
    unread = sum(last - first for kind, first, last in leaves if kind == "entry")
    return Matter(end, tuple(leaves), tuple(_pairs(source[body:close]).items()), said, fallback=unread)


def _entries(source: str, start: int, end: int) -> list[tuple[LeafKind, int, int]]:
    """Return one leaf per top-level key with all that belongs to it, and one per comment between them."""
    found: list[tuple[LeafKind, int, int]] = []
    at = start
    while at < end:
        stop = min(_line_end(source, at), end)
        line = source[at:stop]
        stripped = line.strip()
        if stripped:
            first = at + len(line) - len(line.lstrip())
            last = first + len(stripped)
            if stripped.startswith("#") and not (found and found[-1][0] == "entry" and first > at):
                found.append(("comment", first, last))
            elif found and found[-1][0] == "entry" and not _KEY.match(line):
                found[-1] = ("entry", found[-1][1], last)
            else:
                found.append(("entry", first, last))
        at = stop + 1
    return found


def _pairs(text: str) -> dict[str, object]:
    values: dict[str, object] = {}
    for line in text.split("\n"):
        pair = _PAIR.match(line)
        if pair:
            values.setdefault(pair[1], _unquoted(pair[2].strip()))
    return values


def _unquoted(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        value = value[1:-1]
    return value.replace("\\'", "'")


def _line_end(source: str, start: int) -> int:
    stop = source.find("\n", start)
    return len(source) if stop < 0 else stop


def _never_closed(text: Text, opening: int) -> Diagnostic:
    return Diagnostic(
        code="BMC314",
        severity="warning",
        message="the front matter that opens here is never closed",
        span=Span(text.path, 1, 1, 1, opening + 1),
        expected=f"a line {_LINE} behind its last key",
        why="All of the file is taken for text, its keys too.",
        help=(f"Close it with a line {_LINE}, or take the first line away.",),
    )


def _not_yaml(text: Text, start: int, end: int, message: str) -> Diagnostic:
    return Diagnostic(
        code="BMC315",
        severity="warning",
        message=message.split("; ")[0],
        span=Span(text.path, *text.position(start), *text.position(end)),
        expected="keys and values that every YAML reader understands",
        why="Readers differ in what they make of it; bmadc reads what is not YAML line by line.",
        help=("Correct it at this place; in single quotes an apostrophe is written twice.",),
    )
