"""Values as GitHub sees them: six kinds, held as plain JSON-like Python, and the rules between kinds.

Numbers are always floats. Arrays and dictionaries are equal only to themselves.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import TypeAlias

Primitive: TypeAlias = bool | float | str | None
Value: TypeAlias = "Primitive | list[Value] | dict[str, Value]"

# What JavaScript calls white space; Python's own idea of it has five characters more and one less.
SPACE = (
    "\t\n\v\f\r \u00a0\u1680"
    + "".join(map(chr, range(0x2000, 0x200B)))
    + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)

_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_RADIX = re.compile(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")
_ARRAY_INDEX = re.compile(r"0|[1-9][0-9]{0,9}")
_FIFTEEN_PLACES = Decimal("1e-15")
_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)

# GitHub's evaluator keeps its keys in an object of JavaScript, whose inherited names shadow these two.
_LOST_KEYS = frozenset({"constructor", "__proto__"})


class Filtered(list[Value]):
    """The array a `*` gives: a property of it is the property of each of its items."""


def from_python(value: object) -> Value:
    """Copy a JSON-like Python value into the form that the rules of this module expect."""
    match value:
        case None | bool() | str():
            return value
        case int() | float():
            return _float(value)
        case Mapping():
            return dictionary((key, from_python(item)) for key, item in value.items())
        case Sequence():
            return [from_python(item) for item in value]
    raise TypeError(f"{type(value).__name__} is no JSON value, so no expression can read it")


def dictionary(pairs: Iterable[tuple[str, Value]]) -> dict[str, Value]:
    """Build a dictionary as GitHub does: integer keys first, one entry for keys that differ only in case."""
    entries = dict(pairs)
    integers = sorted((key for key in entries if _is_array_index(key)), key=int)
    folded: dict[str, str] = {}
    for key in (*integers, *entries):
        folded.setdefault(key.lower(), key)
    return {key: entries[key] for lower, key in folded.items() if lower not in _LOST_KEYS}


def lookup(entries: Mapping[str, Value], name: str) -> Sequence[Value]:
    """Return the value under a name, whatever its case, as a sequence of one; else an empty one."""
    if name in entries:
        return (entries[name],)
    folded = name.lower()
    return next(((value,) for key, value in entries.items() if key.lower() == folded), ())


def kind_of(value: object) -> str:
    """Return GitHub's name for the kind of a value."""
    match value:
        case None:
            return "Null"
        case bool():
            return "Boolean"
        case int() | float():
            return "Number"
        case str():
            return "String"
        case Mapping():
            return "Object"
        case _:
            return "Array"


def is_primitive(value: object) -> bool:
    """Tell whether a value is neither an array nor a dictionary."""
    return value is None or isinstance(value, bool | int | float | str)


def truthy(value: object) -> bool:
    """Tell whether a condition with this value holds: all but null, false, 0, NaN and '' do."""
    if not is_primitive(value):
        return True
    return bool(value) and value == value


def to_string(value: object) -> str:
    """Return the text that a value becomes inside a string."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return _display_number(_float(value))
        case str():
            return value
        case _:
            return kind_of(value)


def to_number(value: object) -> float:
    """Return the number that a value stands for in a comparison; NaN when it stands for none."""
    match value:
        case None:
            return 0.0
        case int() | float():
            return _float(value)
        case str():
            return parse_number(value.strip(SPACE) or "0")
        case _:
            return math.nan


def parse_number(text: str) -> float:
    """Read a number without surrounding space as JavaScript does; NaN when the text is none."""
    if _DECIMAL.fullmatch(text):
        return float(text)
    if _RADIX.fullmatch(text):
        return _float(int(text, 0))
    return math.nan


def number_text(number: float) -> str:
    """Write a number as JavaScript does: the shortest digits that read back as the same number."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    _, digit_tuple, exponent = Decimal(repr(abs(number))).normalize(_EXACT).as_tuple()
    digits = "".join(map(str, digit_tuple))
    point = len(digits) + int(exponent)
    sign = "-" if number < 0 else ""
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{point - 1:+d}"


def upper(text: str) -> str:
    """Fold a string for comparison; the dotless i stays, so that it is not taken for an i."""
    return "ı".join(part.upper() for part in text.split("ı"))


def equal(left: Value, right: Value) -> bool:
    """Decide `left == right`: strings whatever their case, other kinds as numbers, NaN equal to nothing."""
    left, right = _coerced(left, right)
    if kind_of(left) != kind_of(right):
        return False
    if isinstance(left, str) and isinstance(right, str):
        return upper(left) == upper(right)
    return left == right if is_primitive(left) else left is right


def less(left: Value, right: Value) -> bool:
    """Decide `left < right`; values that have no order are not less."""
    left, right = _coerced(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return _utf16(upper(left)) < _utf16(upper(right))
    if kind_of(left) != kind_of(right) or not isinstance(left, bool | float):
        return False
    return to_number(left) < to_number(right)


def utf16_length(text: str) -> int:
    """Count characters as JavaScript does, where one beyond the basic plane counts twice."""
    return len(_utf16(text)) // 2


def _coerced(left: Value, right: Value) -> tuple[Value, Value]:
    kinds = {kind_of(left), kind_of(right)}
    if len(kinds) == 1 or kinds & {"Array", "Object"}:
        return left, right
    return to_number(left), to_number(right)


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def _display_number(number: float) -> str:
    # At most fifteen places, so that 0.1 + 0.2 would not show its error; ties go away from zero.
    if abs(number) < 1e21:
        number = float(Decimal(number).quantize(_FIFTEEN_PLACES, context=_EXACT))
    return number_text(number)


def _float(number: float) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def _is_array_index(key: str) -> bool:
    return _ARRAY_INDEX.fullmatch(key) is not None and int(key) < 2**32 - 1
