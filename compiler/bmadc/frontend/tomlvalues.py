"""One layer of configuration read from TOML: its tables, and the line on which each key stands.

`tomllib` gives no places, so a small scanner over the lines finds them; it only ever serves to say where a
value comes from and decides no value.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source import Text

SIZE_LIMIT = 256 * 1024
DEPTH_LIMIT = 32

# Reading a key of many parts takes tomllib quadratic time, and nobody means it.
KEY_PARTS = 64
LONG_KEY = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{KEY_PARTS}}}""", re.ASCII
)

_AT = re.compile(r"\(at line (\d+), column (\d+)\)$")
_KEY_PART = r"(?:[A-Za-z0-9_-]+|\"[^\"\\\n]*\"|'[^'\n]*')"
_KEY = rf"{_KEY_PART}(?:[ \t]*\.[ \t]*{_KEY_PART})*"
_TABLE = re.compile(rf"[ \t]*\[(\[?)[ \t]*({_KEY})[ \t]*\]")
_PAIR = re.compile(rf"[ \t]*({_KEY})[ \t]*=")
_STRING = re.compile(r'"""|\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#')


@dataclass(frozen=True, slots=True)
class Layer:
    """A named layer of configuration: plain nested tables, and the lines of their keys where known."""

    name: str
    path: str
    table: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    def span(self, *keys: str) -> Span:
        """Return the line of a key, or of the nearest table around it, or the file as a whole."""
        for length in range(len(keys), 0, -1):
            line = self.lines.get(keys[:length])
            if line is not None:
                return Span.point(self.path, line, 1)
        return Span.file(self.path)

    def origin(self, *keys: str) -> str:
        """Return `path:line` of a key, or the path alone where the line is not known."""
        line = self.lines.get(keys)
        return self.path if line is None else f"{self.path}:{line}"


def read_toml(text: Text, name: str) -> tuple[Layer, tuple[Diagnostic, ...]]:
    """Return a TOML text as a layer; a text that is not TOML is an empty layer and a diagnostic."""
    empty = Layer(name, text.path)
    if len(text.text) > SIZE_LIMIT:
        return empty, (too_much(Span.file(text.path), f"{len(text.text)} characters"),)
    if long_key := LONG_KEY.search(text.text):
        place = Span.point(text.path, *text.position(long_key.start()))
        return empty, (too_much(place, f"a key of more than {KEY_PARTS} parts"),)
    try:
        # As a float, a value written 6.10 would come back as 6.1.
        table = tomllib.loads(text.text, parse_float=Decimal)
    except RecursionError:
        return empty, (too_much(Span.file(text.path), "lists or tables nested without end"),)
    except ValueError as problem:
        return empty, (_not_toml(text, str(problem)),)
    if deeper_than(table, DEPTH_LIMIT):
        return empty, (too_much(Span.file(text.path), f"more than {DEPTH_LIMIT} levels of tables"),)
    return Layer(name, text.path, table, key_lines(text)), ()


def too_much(span: Span, what: str, limit: int = SIZE_LIMIT) -> Diagnostic:
    """Return the diagnostic for configuration that is too large or too deep to be read safely."""
    return Diagnostic(
        code="BMC339",
        severity="error",
        message=f"this configuration is too large to be read: {what}",
        span=span,
        expected=f"at most {limit // 1024} KB and {DEPTH_LIMIT} levels",
        why="Configuration is a page of text; more than that is a mistake or an attempt to stall a build.",
        help=("Put the right file there, or take out what does not belong into it.",),
    )


def deeper_than(value: object, limit: int) -> bool:
    """Whether tables and lists nest deeper than the limit."""
    level = [value]
    for _ in range(limit):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return any(isinstance(parent, dict | list) for parent in level)


def plain(value: Any) -> Any:
    """Return a value of TOML as plain JSON data: decimals as floats, dates and times as their text."""
    if isinstance(value, Mapping):
        return {key: plain(child) for key, child in value.items()}
    if isinstance(value, list):
        return [plain(child) for child in value]
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, str | bool | int | float):
        return value
    return value.isoformat()


def as_text(value: Any) -> str:
    """Return a scalar as the text a person wrote: booleans in lower case, decimals with all their digits."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(as_text(item) for item in value)
    if isinstance(value, str | int | float | Decimal):
        return str(value)
    return str(plain(value))


def lookup(table: Mapping[str, Any], keys: tuple[str, ...]) -> tuple[bool, Any]:
    """Return whether there is something under these keys, and what."""
    current: Any = table
    for key in keys:
        if not isinstance(current, Mapping) or key not in current:
            return False, None
        current = current[key]
    return True, current


def key_lines(text: Text) -> dict[tuple[str, ...], int]:
    """Return the first line of each table and key; entries of lists of tables are not told apart."""
    found: dict[tuple[str, ...], int] = {}
    table: tuple[str, ...] = ()
    for number, line in _lines_outside_strings(text):
        header = _TABLE.match(line)
        if header is not None:
            table = _parts(header.group(2))
            found.setdefault(table, number)
            continue
        pair = _PAIR.match(line)
        if pair is not None:
            found.setdefault(table + _parts(pair.group(1)), number)
    return found


def _lines_outside_strings(text: Text) -> Iterator[tuple[int, str]]:
    closing = ""
    for number, line in enumerate(text.lines(), 1):
        start = 0
        if closing:
            end = line.find(closing)
            if end == -1:
                continue
            start, closing = end + 3, ""
        else:
            yield number, line
        closing = _opened(line, start)


def _opened(line: str, start: int) -> str:
    while True:
        mark = _STRING.search(line, start)
        if mark is None or mark.group() == "#":
            return ""
        if mark.group() in ('"""', "'''"):
            end = line.find(mark.group(), mark.end())
            if end == -1:
                return mark.group()
            start = end + 3
        else:
            start = mark.end()


def _parts(key: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_KEY_PART, key))


def _children(value: object) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list) else []


def _not_toml(text: Text, said: str) -> Diagnostic:
    place = _AT.search(said)
    what = said[: place.start()].strip() if place else said.removesuffix("(at end of document)").strip()
    if place is not None:
        span = Span.point(text.path, int(place.group(1)), int(place.group(2)))
    else:
        span = Span.point(text.path, *text.position(len(text.text)))
    return Diagnostic(
        code="BMC331",
        severity="error",
        message=f"this is not TOML: {what[:1].lower()}{what[1:]}",
        span=span,
        expected="tables in brackets, and lines of the form key = value",
        why="Nothing of this layer is used, as if the file were not there; BMAD would stop here.",
        help=("Correct the syntax at this place.",),
    )
