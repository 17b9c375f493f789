"""A Pack as JSON and back: for `bmadc inspect --json`, for other tools, and for passes that run later.

The shape follows the records of `model` and `tree` field by field, so a new field needs no code here; its
sentence in `packschema` is all. Pairs of a name and a value are objects with these two keys, because their
order counts and a name may come twice.

What does not survive the way there and back, and why:

- the diagnostics of a tree: the pack's own list has them all;
- the type of dates, times and numbers without end in front matter and data: JSON has none, they become text;
- text that is not ASCII survives, but escaped: the same JSON, and it cannot steer a terminal.
"""

from __future__ import annotations

import json
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from math import isfinite
from typing import Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from bmadc.diagnostics import Diagnostic, Span
from bmadc.diagnostics.as_json import render_json
from bmadc.ir.model import Pack
from bmadc.ir.tree import Block, Leaf, Tree, leaf_ids
from bmadc.source import SourceError, Text

FORMAT = 1

# The fields of a pack that are written as their types say; the other two have a form of their own.
PLAIN_FIELDS: tuple[str, ...] = tuple(
    one.name for one in fields(Pack) if one.name not in ("trees", "diagnostics")
)

_T = TypeVar("_T")
_Code = Callable[[Any], Any]
_line = json.JSONEncoder(allow_nan=False, separators=(", ", ": ")).encode


class Codec(NamedTuple):
    """How values of one type become JSON, and JSON such values."""

    encode: _Code
    decode: _Code


def to_json(pack: Pack) -> dict[str, Any]:
    """Return the pack as plain JSON data: equal packs give equal data, in the same order."""
    types_ = get_type_hints(Pack)
    document: dict[str, Any] = {"format": FORMAT}
    document |= {name: codec(types_[name]).encode(getattr(pack, name)) for name in PLAIN_FIELDS}
    document["trees"] = [_tree(pack.trees[path]) for path in sorted(pack.trees)]
    document["diagnostics"] = diagnostics_json(pack.diagnostics)
    return document


def dump(pack: Pack) -> str:
    """Return the pack as JSON text with one record per line, so that two of them can be compared."""
    # GitHub's runner looks for this mark of a command anywhere in a line; escaped it is the same JSON.
    return "".join(_lines(to_json(pack))).replace("##[", "##\\u005b")


def from_json(document: Mapping[str, Any], path: str = "pack.json") -> Pack:
    """Return the pack that was written so, or raise SourceError about `path` if it has another shape."""
    try:
        if document["format"] != FORMAT:
            raise SourceError(_other_shape(path, f"its format is {document['format']!r}"))
        types_ = get_type_hints(Pack)
        values = {name: codec(types_[name]).decode(document[name]) for name in PLAIN_FIELDS}
        trees = {row["path"]: _tree_from(row) for row in document["trees"]}
        diagnostics = tuple(map(_diagnostic_from, document["diagnostics"]))
    except (KeyError, TypeError, ValueError, AttributeError) as problem:
        raise SourceError(_other_shape(path, f"{type(problem).__name__}: {problem}")) from None
    return Pack(**values, trees=trees, diagnostics=diagnostics)


def diagnostics_json(diagnostics: tuple[Diagnostic, ...]) -> list[dict[str, Any]]:
    """Return diagnostics in the one shape that all commands print."""
    found: list[dict[str, Any]] = json.loads(render_json(diagnostics, {}))["diagnostics"]
    return found


@cache
def codec(hint: Any) -> Codec:
    """Return how values of a type that the model uses are written and read."""
    if is_dataclass(hint):
        return _record_codec(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        inner = codec(next(one for one in arguments if one is not type(None)))
        return Codec(
            lambda value: None if value is None else inner.encode(value),
            lambda value: None if value is None else inner.decode(value),
        )
    if origin is Literal:
        return Codec(_same, lambda value: _one_of(value, arguments))
    if is_pairs(hint):
        second = codec(get_args(arguments[0])[1])
        return Codec(
            lambda value: [{"name": name, "value": second.encode(one)} for name, one in value],
            lambda value: tuple((_typed(str)(one["name"]), second.decode(one["value"])) for one in value),
        )
    if origin is tuple:
        inner = codec(arguments[0])
        if inner.encode is _same:
            return Codec(list, lambda value: tuple(map(inner.decode, _typed(list)(value))))
        return Codec(
            lambda value: list(map(inner.encode, value)),
            lambda value: tuple(map(inner.decode, _typed(list)(value))),
        )
    if hint is object:
        return Codec(_plain, _same)
    return Codec(_same, _typed(hint))


def is_pairs(hint: Any) -> bool:
    """Whether a type is a tuple of pairs of a name and a value."""
    inner = get_args(hint)[0] if get_origin(hint) is tuple else None
    return get_origin(inner) is tuple and Ellipsis not in get_args(inner)


def _record_codec(record: Any) -> Codec:
    types_ = get_type_hints(record)
    codecs = tuple((one.name, codec(types_[one.name])) for one in fields(record))

    def encode(value: Any) -> dict[str, Any]:
        return {name: inner.encode(getattr(value, name)) for name, inner in codecs}

    def decode(value: Any) -> Any:
        return record(**{name: inner.decode(value[name]) for name, inner in codecs})

    return Codec(encode, decode)


def _same(value: _T) -> _T:
    return value


@cache
def _typed(kind: type) -> _Code:
    def decode(value: Any) -> Any:
        # A truth value is a number to Python, but not to JSON.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise TypeError(f"{value!r:.60} is not of type {kind.__name__}")
        return value

    return decode


def _one_of(value: Any, valid: tuple[Any, ...]) -> Any:
    if value not in valid:
        raise ValueError(f"{value!r:.60} is none of {', '.join(map(str, valid))}")
    return value


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(child) for key, child in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(child) for child in value]
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


_TREE_TYPES = get_type_hints(Tree)


def _tree(tree: Tree) -> dict[str, Any]:
    gaps, leaves, at = [], [], 0
    source, position = tree.text.text, tree.text.position
    for leaf, identity in zip(tree.leaves, leaf_ids(tree), strict=True):
        kind, start, end, block = leaf
        gaps.append(source[at:start])
        at = end
        line, column = position(start)
        end_line, end_column = position(end)
        leaves.append(
            {
                "id": identity,
                "kind": kind,
                "block": block,
                "line": line,
                "column": column,
                "end_line": end_line,
                "end_column": end_column,
                "text": source[start:end],
            }
        )
    gaps.append(source[at:])
    return {
        "path": tree.path,
        "reader": tree.reader,
        "fallback": tree.fallback,
        "matter": codec(_TREE_TYPES["matter"]).encode(tree.matter),
        "rows": codec(_TREE_TYPES["rows"]).encode(tree.rows),
        "blocks": codec(tuple[Block, ...]).encode(tree.blocks),
        "gaps": gaps,
        "leaves": leaves,
    }


def _tree_from(row: Mapping[str, Any]) -> Tree:
    gaps, rows = row["gaps"], row["leaves"]
    if len(gaps) != len(rows) + 1:
        raise ValueError(f"{row['path']!r} has {len(rows)} leaves and {len(gaps)} gaps")
    pieces: list[str] = []
    leaves, at = [], 0
    for gap, leaf in zip(gaps, rows, strict=False):
        start = at + len(gap)
        at = start + len(leaf["text"])
        pieces += (gap, leaf["text"])
        leaves.append(Leaf(leaf["kind"], start, at, leaf["block"]))
    pieces.append(gaps[-1])
    return Tree(
        text=Text(row["path"], "".join(pieces)),
        reader=row["reader"],
        leaves=tuple(leaves),
        blocks=codec(tuple[Block, ...]).decode(row["blocks"]),
        matter=codec(_TREE_TYPES["matter"]).decode(row["matter"]),
        rows=codec(_TREE_TYPES["rows"]).decode(row["rows"]),
        fallback=row["fallback"],
    )


def _diagnostic_from(row: Mapping[str, Any]) -> Diagnostic:
    place = row["span"]
    span = None
    if place is not None:
        span = Span(**place) if "line" in place else Span.file(place["path"])
    return Diagnostic(
        code=row["code"],
        severity=row["severity"],
        message=row["message"],
        span=span,
        detail=row["detail"],
        why=row["why"],
        expected=row["expected"],
        nearest=tuple(row["nearest"]),
        help=tuple(row["help"]),
    )


def _lines(document: Mapping[str, Any]) -> Iterator[str]:
    # The encoder of the standard library is quick only without indentation, and a leaf per line reads well.
    yield "{"
    for number, (name, value) in enumerate(document.items()):
        yield f"{',' if number else ''}\n  {_line(name)}: "
        yield from _trees(value) if name == "trees" else _listed(value, "    ", "  ")
    yield "\n}\n"


def _trees(trees: list[dict[str, Any]]) -> Iterator[str]:
    yield "["
    for number, tree in enumerate(trees):
        yield f"{',' if number else ''}\n    {{"
        for at, (name, value) in enumerate(tree.items()):
            yield f"{',' if at else ''}\n      {_line(name)}: "
            wide = name in ("blocks", "leaves", "rows", "matter")
            yield from _listed(value, "        ", "      ") if wide else (_line(value),)
        yield "\n    }"
    yield "\n  ]" if trees else "]"


def _listed(value: Any, inside: str, outside: str) -> Iterator[str]:
    if not isinstance(value, list) or not value:
        yield _line(value)
        return
    yield "["
    yield ",".join(f"\n{inside}{_line(one)}" for one in value)
    yield f"\n{outside}]"


def _other_shape(path: str, said: str) -> Diagnostic:
    return Diagnostic(
        code="BMC371",
        severity="error",
        message=f"this is not a pack as bmadc writes it: {said}",
        span=Span.file(path),
        expected=f"the output of `bmadc inspect --json`, format {FORMAT}",
        why="Half a pack would give a result that looks complete and is not.",
        help=("Write the file again with this version of bmadc.",),
    )
