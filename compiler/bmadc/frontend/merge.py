"""How one layer of configuration lies over another, by the rules of BMAD 6.11 and later.

Tables merge key by key. A list of tables in which every entry has a `code`, or else every entry has an `id`,
merges by that key: an entry of the override takes the place of the whole entry with its key, others are
appended. All other lists are appended. In all other cases the override replaces what was there, whatever
its type. Nothing can be taken away.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bmadc.diagnostics import Diagnostic, Span
from bmadc.frontend.tomlvalues import Layer

KEY_FIELDS = ("code", "id")


def structural_merge(base: Any, over: Any, layer: Layer | None = None) -> tuple[Any, tuple[Diagnostic, ...]]:
    """Return the override laid over the base, and what is wrong in lists with keys; neither is changed."""
    found: list[Diagnostic] = []
    merged = _merge(base, over, (), layer, found)
    return merged, tuple(found)


def merge_layers(layers: Iterable[Layer]) -> tuple[dict[str, Any], tuple[Diagnostic, ...]]:
    """Return all layers laid over each other, the lowest first."""
    merged: Any = {}
    found: list[Diagnostic] = []
    for layer in layers:
        merged = _merge(merged, dict(layer.table), (), layer, found)
    return merged, tuple(found)


def _merge(base: Any, over: Any, keys: tuple[str, ...], layer: Layer | None, found: list[Diagnostic]) -> Any:
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        result = dict(base)
        for key, value in over.items():
            result[key] = _merge(result[key], value, (*keys, key), layer, found) if key in result else value
        return result
    if isinstance(base, list) and isinstance(over, list):
        return _merge_lists(base, over, keys, layer, found)
    return over


def _merge_lists(
    base: list[Any], over: list[Any], keys: tuple[str, ...], layer: Layer | None, found: list[Diagnostic]
) -> list[Any]:
    items = base + over
    field = _key_field(items)
    if field is None:
        return items
    bad = [item[field] for item in items if not isinstance(item[field], str) or not item[field]]
    if bad:
        found.append(_unusable_key(field, bad[0], keys, layer))
        return items
    result: list[Any] = []
    place: dict[str, int] = {}
    for item in base:
        # Of two entries with one key in the base both stay, and an override finds the later one.
        place[item[field]] = len(result)
        result.append(dict(item))
    for item in over:
        if item[field] in place:
            result[place[item[field]]] = dict(item)
        else:
            place[item[field]] = len(result)
            result.append(dict(item))
    return result


def _key_field(items: list[Any]) -> str | None:
    if not items or not all(isinstance(item, Mapping) for item in items):
        return None
    return next((field for field in KEY_FIELDS if all(field in item for item in items)), None)


def _unusable_key(field: str, value: Any, keys: tuple[str, ...], layer: Layer | None) -> Diagnostic:
    name = ".".join(keys) or "the list"
    is_text = isinstance(value, str)
    said = f"an empty `{field}`" if is_text else f"a `{field}` that is no text: {str(value)[:40]}"
    span: Span | None = layer.span(*keys) if layer is not None else None
    return Diagnostic(
        code="BMC334",
        severity="error",
        message=f"an entry of {name} has {said}",
        span=span,
        expected=f"a `{field}` of at least one character, in quotes",
        why="Entries find each other by this key; BMAD stops here, and bmadc appends the entries unmerged.",
        help=(f"Give each entry its own `{field}`.",),
    )
