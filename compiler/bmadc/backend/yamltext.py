"""A small YAML writer: one value, one spelling, the same bytes everywhere.

Keys keep the order they are given in. A string is written plain only where every YAML reader takes it for
that same string; several lines become a literal block; everything else is quoted as JSON would quote it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
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
    return "".join([f"{line}\n" for line in _mapping(value, "")]) if value else "{}\n"


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


@lru_cache(maxsize=256)
def _block(text: str, indent: str) -> str | None:
    """A text of several lines as it stands behind its key, or nothing where it must be quoted.

    Kept, because all workflows of a pack hold the same few scripts.
    """
    body = text.rstrip("\n")
    if "\n" not in body or not _BLOCK.fullmatch(text):
        return None
    lines = body.split("\n")
    # gh-aw looks for the end of frontmatter at any depth, so three dashes never stand alone on a line.
    if not lines[0] or lines[0].startswith(" "):
        return None
    if any(line.endswith(" ") or line.strip() == "---" for line in lines):
        return None
    ends = len(text) - len(body)
    sign = "|" + {0: "-", 1: ""}.get(ends, "+")
    lines += [""] * (ends - 1)
    return "\n".join([sign, *(f"{indent}  {line}" if line else "" for line in lines)])


def _mapping(value: Mapping[str, Value], indent: str) -> list[str]:
    lines: list[str] = []
    for key, inner in value.items():
        head, *rest = _value(inner, indent)
        lines.append(f"{indent}{_key(key)}:{head and ' '}{head}")
        lines += rest
    return lines


def _value(value: Value, indent: str) -> list[str]:
    """The value after its key or dash: what stands on that line, then the lines below."""
    if isinstance(value, str):
        return [_block(value, indent) or scalar(value)] if "\n" in value else [scalar(value)]
    if value is None or isinstance(value, (bool, int, float)):
        return [json.dumps(value)]
    if isinstance(value, Mapping):
        return ["", *_mapping(value, indent + "  ")] if value else ["{}"]
    return _sequence(value, indent)


def _sequence(value: Sequence[Value], indent: str) -> list[str]:
    if all(isinstance(item, (str, int)) for item in value):
        line = f"[{', '.join([_in_row(item) for item in value])}]"
        if len(indent) + len(line) <= 100:
            return [line]
    lines = [""]
    for item in value:
        head, *rest = _value(item, indent + "  ")
        if head == "" and isinstance(item, Mapping):
            # The first key stands on the line of the dash.
            head, *rest = rest
            head = head.removeprefix(indent + "    ")
        lines.append(f"{indent}  - {head}".rstrip(" "))
        lines += rest
    return lines


def _in_row(item: object) -> str:
    return scalar(item, _PLAIN_IN_ROW) if isinstance(item, str) else json.dumps(item)
