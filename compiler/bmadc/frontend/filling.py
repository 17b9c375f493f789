"""What the tokens in a skill's text stand for: found out at compile time, kept as facts about their leaves.

The tree keeps the token, so that a leaf is what stands in the file; the fact says what a run would have seen
there. A token that nothing answers is reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.customize import Customization
from bmadc.frontend.facts import leaf_at
from bmadc.frontend.render import inline, render
from bmadc.ir.model import Fact
from bmadc.ir.tree import Tree

_RENDERED = ("{{.", "{{config.", "[[bmad-snapshot:")
_INLINED = ("{workflow.", "{agent.")


def fillings(
    tree: Tree,
    folder: str,
    files: frozenset[str],
    custom: Customization | None,
    config: Mapping[str, Any],
    *,
    rendered: bool,
) -> tuple[tuple[Fact, ...], tuple[Diagnostic, ...]]:
    """Return a fact per token of one file of a skill, and what is wrong with the tokens.

    `files` are the skill's own files; `rendered` says that the skill is one of those that BMAD renders.
    """
    text = tree.text.text
    if rendered and any(mark in text for mark in (*_RENDERED, *_INLINED)):
        below = frozenset(path.removeprefix(f"{folder}/") for path in files)
        done = render(
            tree.text,
            config=config,
            customization=custom,
            sources=below,
            snapshot=lambda path: f"{folder}/{path}",
            project_root=None,
        )
    elif custom is not None and any(mark in text for mark in _INLINED):
        done = inline(tree.text, custom)
    else:
        return (), ()
    facts = tuple(
        Fact("fills", tree.path, leaf_at(tree, one.source_start), one.token, done.text[one.start : one.end])
        for one in done.inserted
    )
    return facts, done.diagnostics


def is_rendered(trees: Mapping[str, Tree], folder: str) -> bool:
    """Whether BMAD renders the skill in a folder: then it has a workflow.md with tokens of that kind."""
    workflow = trees.get(f"{folder}/workflow.md")
    return workflow is not None and any(mark in workflow.text.text for mark in _RENDERED)
