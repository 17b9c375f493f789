"""The functions an expression can call: how many arguments they take, what they give, what they do."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from bmadc.ghaw.expressions.values import (
    Value,
    dictionary,
    equal,
    from_python,
    is_primitive,
    number_text,
    to_string,
    upper,
)

STATUS_FUNCTIONS = frozenset({"always", "cancelled", "failure", "success"})


@dataclass(frozen=True, slots=True)
class Function:
    """A function by the name GitHub writes; `call` is None when the runner must supply it.

    `returns` names the kind of the result as `kind_of` does, or is "Any".
    """

    name: str
    minimum: int
    maximum: int | None
    returns: str
    call: Callable[..., Value] | None = None
    odd: bool = False

    def accepts(self, count: int) -> bool:
        """Tell whether the function can be called with this many arguments."""
        in_range = self.minimum <= count and (self.maximum is None or count <= self.maximum)
        return in_range and not (self.odd and count % 2 == 0)

    @property
    def arity(self) -> str:
        """Say for a message how many arguments the function takes."""
        if self.odd:
            return f"an odd number, {self.minimum} or more"
        if self.maximum is None:
            return f"at least {self.minimum} arguments"
        if self.maximum == self.minimum:
            return {0: "no arguments", 1: "1 argument"}.get(self.minimum, f"{self.minimum} arguments")
        return f"{self.minimum} to {self.maximum} arguments"


def with_implementations(extra: Mapping[str, Callable[..., object]]) -> Mapping[str, Function]:
    """Return the function table with these implementations added, over built-in ones of the same name."""
    table = dict(FUNCTIONS)
    for name, implementation in extra.items():
        known = table.get(name.lower(), Function(name, 0, None, "Any"))
        table[name.lower()] = replace(known, call=_wrapped(implementation))
    return table


def to_json(value: Value, indent: str = "") -> str:
    """Write a value as JSON over several lines, byte for byte as GitHub does."""
    inner = indent + "  "
    if isinstance(value, str):
        return _json_string(value)
    if isinstance(value, bool) or value is None:
        return to_string(value) or "null"
    if isinstance(value, float):
        text = number_text(value)
        return "null" if text.endswith(("NaN", "Infinity")) else text
    if isinstance(value, dict):
        lines = [f"{_json_string(key)}: {to_json(item, inner)}" for key, item in value.items()]
        opening, closing = "{}"
    else:
        lines = [to_json(item, inner) for item in value]
        opening, closing = "[]"
    if not lines:
        return opening + closing
    return f"{opening}\n{inner}" + f",\n{inner}".join(lines) + f"\n{indent}{closing}"


def _wrapped(implementation: Callable[..., object]) -> Callable[..., Value]:
    return lambda *arguments: from_python(implementation(*arguments))


def _json_string(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half.group()):04x}", quoted)


def _contains(search: Value, item: Value) -> bool:
    if isinstance(search, list):
        return any(equal(item, member) for member in search)
    if not is_primitive(search) or not is_primitive(item):
        return False
    return to_string(item).lower() in to_string(search).lower()


def _starts_with(text: Value, start: Value) -> bool:
    return is_primitive(text) and is_primitive(start) and _upper(text).startswith(_upper(start))


def _ends_with(text: Value, end: Value) -> bool:
    return is_primitive(text) and is_primitive(end) and _upper(text).endswith(_upper(end))


def _upper(value: Value) -> str:
    return upper(to_string(value))


_PIECE = re.compile(r"(?P<text>[^{}]+)|(?P<brace>\{\{|\}\})|\{(?P<index>[0-9]+)[^}]*\}", re.DOTALL)


def _format(template: Value, *arguments: Value) -> str:
    text = to_string(template)
    result: list[str] = []
    position = 0
    while position < len(text):
        piece = _PIECE.match(text, position)
        if piece is None:
            raise ValueError(f"the format string has a stray brace at its character {position + 1}: {text}")
        if piece["index"] is None:
            result.append(piece["text"] or piece["brace"][0])
        else:
            number = float(piece["index"])
            if number >= len(arguments):
                raise ValueError(f"the format string asks for more arguments than it was given: {text}")
            result.append(to_string(arguments[int(number)]))
        position = piece.end()
    return "".join(result)


def _join(items: Value, separator: Value = ",") -> str:
    if isinstance(items, list):
        return (to_string(separator) if is_primitive(separator) else ",").join(map(to_string, items))
    return to_string(items) if is_primitive(items) else ""


def _to_json(value: Value) -> str:
    return to_json(value)


def _from_json(text: Value) -> Value:
    try:
        value: Value = json.loads(
            to_string(text),
            object_pairs_hook=dictionary,
            parse_int=float,
            parse_constant=_no_constant,
        )
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    return value


def _no_constant(name: str) -> Value:
    raise ValueError(f"{name} is not JSON")


def _case(*arguments: Value) -> Value:
    for predicate, value in zip(arguments[:-1:2], arguments[1:-1:2], strict=True):
        if not isinstance(predicate, bool):
            raise ValueError("a predicate is not a boolean")
        if predicate:
            return value
    return arguments[-1]


FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {
        function.name.lower(): function
        for function in (
            Function("always", 0, 0, "Boolean"),
            Function("cancelled", 0, 0, "Boolean"),
            Function("case", 3, None, "Any", _case, odd=True),
            Function("contains", 2, 2, "Boolean", _contains),
            Function("endsWith", 2, 2, "Boolean", _ends_with),
            Function("failure", 0, None, "Boolean"),
            Function("format", 1, 255, "String", _format),
            Function("fromJSON", 1, 1, "Any", _from_json),
            Function("hashFiles", 1, 255, "String"),
            Function("join", 1, 2, "String", _join),
            Function("startsWith", 2, 2, "Boolean", _starts_with),
            Function("success", 0, None, "Boolean"),
            Function("toJSON", 1, 1, "String", _to_json),
        )
    }
)
