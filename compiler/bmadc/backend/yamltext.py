"""A small YAML writer: one value, one spelling, the same bytes everywhere.

Keys keep the order they are given in. A string is written plain only where every YAML reader takes it for
that same string; several lines become a literal block; everything else is quoted as JSON would quote it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = "str | int | float | bool | Sequence[Value] | Mapping[str, Value] | None"

# Plain on a line of its own: nothing at the start, and nothing inside, that YAML could read as structure,
# comment or another type. Expressions and conditions stay readable so.
_WORD = r"(?:[A-Za-z0-9_./()${}=!&|'<>*\[\],+;@^~-]|:(?=[A-Za-z0-9_/])|(?<=[A-Za-z0-9])#)+"
_PLAIN = re.compile(rf"(?=[A-Za-z$(/]){_WORD}(?: {_WORD})*")
# Plain in a row of values, where brackets and commas are structure.
_PLAIN_IN_ROW = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
_NOT_STRINGS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
# In a literal block every line stands as it is, so it holds no control characters.
_BLOCK = re.compile(r"[\x20-\x7e\u00a1-\u2027\u2030-\ud7ff\ue000-\ufefe\uff00-\ufffc\n]*")


def dump(value: Mapping[str, Value]) -> str:
    """The mapping as YAML in block style, ending in a newline."""
    return "".join(f"{line}\n" for line in _mapping(value, "")) if value else "{}\n"


def scalar(text: str, plain: re.Pattern[str] = _PLAIN) -> str:
    """A string on one line, as plain as it can safely be."""
    if plain.fullmatch(text) and text.lower() not in _NOT_STRINGS:
        return text
    # JSON leaves a few characters alone that YAML does not print, or reads as ends of lines.
    quoted = json.dumps(text, ensure_ascii=False)
    return re.sub(
        r"[\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]", lambda m: f"\\u{ord(m[0]):04x}", quoted
    )


def _key(text: str) -> str:
    # Every reader of workflows takes `on` for a string, and everybody writes it so.
    return text if text == "on" else scalar(text, _PLAIN_IN_ROW)


def _is_block(text: str) -> bool:
    if "\n" not in text.rstrip("\n") or not _BLOCK.fullmatch(text):
        return False
    lines = text.rstrip("\n").split("\n")
    # gh-aw looks for the end of frontmatter at any depth, so three dashes never stand alone on a line.
    return (
        bool(lines[0])
        and not lines[0].startswith(" ")
        and not any(line.endswith(" ") or line.strip() == "---" for line in lines)
    )


def _block(text: str, indent: str) -> Iterator[str]:
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    yield "|" + {0: "-", 1: ""}.get(ends, "+")
    for line in body.split("\n") + [""] * (ends - 1):
        yield f"{indent}  {line}" if line else ""


def _mapping(value: Mapping[str, Value], indent: str) -> Iterator[str]:
    for key, inner in value.items():
        head, *rest = _value(inner, indent)
        yield f"{indent}{_key(key)}:{head and ' '}{head}"
        yield from rest


def _value(value: Value, indent: str) -> Iterator[str]:
    """The value after its key or dash: what stands on that line, then the lines below."""
    if isinstance(value, str):
        if _is_block(value):
            yield from _block(value, indent)
        else:
            yield scalar(value)
    elif value is None or isinstance(value, (bool, int, float)):
        yield json.dumps(value)
    elif isinstance(value, Mapping):
        yield from ["", *_mapping(value, indent + "  ")] if value else ["{}"]
    else:
        yield from _sequence(value, indent)


def _sequence(value: Sequence[Value], indent: str) -> Iterator[str]:
    if all(isinstance(item, (str, int)) for item in value):
        line = f"[{', '.join(_in_row(item) for item in value)}]"
        if len(indent) + len(line) <= 100:
            yield line
            return
    yield ""
    for item in value:
        head, *rest = _value(item, indent + "  ")
        if head == "" and isinstance(item, Mapping):
            # The first key stands on the line of the dash.
            head, *rest = (
                line.removeprefix(indent + "    ") if n == 0 else line for n, line in enumerate(rest)
            )
        yield f"{indent}  - {head}".rstrip(" ")
        yield from rest


def _in_row(item: object) -> str:
    return scalar(item, _PLAIN_IN_ROW) if isinstance(item, str) else json.dumps(item)
