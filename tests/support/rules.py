"""One rule by itself, on a text of a few words."""

from __future__ import annotations

from bmadc.frontend.files import read_tree
from bmadc.passes.edits import Index, find_edits, settle
from bmadc.passes.rules import Rule
from bmadc.passes.sheet import sheet_of
from bmadc.source import Text


def applied(rule: Rule, text: str) -> str:
    """Return what a rule makes of a text."""
    name = "example.xml" if text.startswith("<") else "example.md"
    tree = read_tree(Text(name, text))
    edits = settle(tree.path, find_edits(Index([rule]), sheet_of(tree, {})), {rule.id: rule})
    return edits.applied(text, 0, len(text))
