"""Workflows that only lead to another one, which upstream keeps so that old names go on working."""

from __future__ import annotations

import re
from collections.abc import Collection

from bmadc.frontend.aliases import ALIASES
from bmadc.frontend.units import PREFIX
from bmadc.ir.model import Shim
from bmadc.ir.tree import Tree

_DEPRECATED = re.compile(r"(?i)\W*deprecated\b")
_INVOKES = re.compile(r"(?i)\b(?:invoke|forwards? to|redirecting to)\s+(?:the\s+)?`?([a-z][\w-]+)`?")
_INTENT = re.compile(r"\*\*Intent:\*\*\s*`([^`]+)`|\bwith\s+\*\*([\w -]+)\*\*\s+intent")
_OLD_FILE = re.compile(r"_bmad/custom/[\w-]+(?:\.user)?\.toml` becomes")


def shim_of(tree: Tree, id_: str, known: Collection[str], *, whole: bool) -> Shim | None:
    """Return what a skill forwards to, if its front matter says that it is a shim or deprecated.

    `known` are the ids of the tree; `whole` says that the skill has steps of its own, so that it still does
    the work itself.
    """
    lifecycle = tree.matter_value("metadata")
    marked = isinstance(lifecycle, dict) and lifecycle.get("lifecycle") == "shim"
    if not marked and not _DEPRECATED.match(str(tree.matter_value("description") or "")):
        return None
    if whole:
        return Shim("retained")
    named = [found[1] for found in _INVOKES.finditer(tree.text.text) if found[1] != id_]
    row = next((alias for alias in ALIASES if f"{PREFIX}{alias.old}" == id_ and alias.new), None)
    # The first name that the tree has; without one, what the text or else the table of old ids says.
    target = next((name for name in named if name in known), "")
    target = (
        target or next((name for name in named if name.startswith(PREFIX)), "") or (row.new if row else "")
    )
    intent = row.selects if row and row.new == target else ""
    if not intent and (found := _INTENT.search(tree.text.text)):
        intent = f"intent={found[1] or found[2]}"
    kind = "migrating" if _OLD_FILE.search(tree.text.text) else "forwarder"
    return Shim("forwarder" if kind == "forwarder" else "migrating", target, intent)
