"""Files that are read into others: how deep, and whether somebody comes back to where he started.

A step that leads to another step is a jump, not an include: loops of steps are how a review comes back to the
work. But a text that reads itself in never ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.steps import is_step_file
from bmadc.ir.model import Fact, Workflow
from bmadc.ir.tree import PROSE, Tree

MAX_DEPTH = 3

# What is filled in or looked up is not read on from.
_FOLLOWED = frozenset(("instructions", "reference"))


def include_problems(
    facts: Iterable[Fact], trees: Mapping[str, Tree], workflows: Iterable[Workflow]
) -> Iterator[Diagnostic]:
    """Return a diagnostic for each include that closes a circle or lies too deep."""
    followed = {use.path for one in workflows for use in one.files if use.role in _FOLLOWED}
    edges: dict[str, dict[str, Fact]] = {}
    for fact in facts:
        target = fact.target
        if fact.kind == "include" and target in followed and not is_step_file(target) and target != fact.path:
            edges.setdefault(fact.path, {}).setdefault(target, fact)
    seen: set[tuple[str, str]] = set()
    for start in sorted(edges):
        if start not in followed:
            yield from _walk((start,), edges, trees, seen)
    for start in sorted(edges):
        yield from _walk((start,), edges, trees, seen)


def _walk(
    chain: tuple[str, ...],
    edges: Mapping[str, Mapping[str, Fact]],
    trees: Mapping[str, Tree],
    seen: set[tuple[str, str]],
) -> Iterator[Diagnostic]:
    for target, fact in sorted(edges.get(chain[-1], {}).items()):
        if (chain[-1], target) in seen:
            continue
        seen.add((chain[-1], target))
        if target in chain:
            yield _circle(trees[fact.path], fact, (*chain[chain.index(target) :], target))
        elif len(chain) - _is_pointer(trees[chain[0]]) > MAX_DEPTH:
            yield _too_deep(trees[fact.path], fact, (*chain, target))
        else:
            yield from _walk((*chain, target), edges, trees, seen)


def _is_pointer(tree: Tree) -> bool:
    """Whether a file says nothing but where the text is, as the SKILL.md of one generation does."""
    return sum(leaf.kind in PROSE for leaf in tree.leaves) == 1


def _circle(tree: Tree, fact: Fact, chain: tuple[str, ...]) -> Diagnostic:
    return Diagnostic(
        code="BMC322",
        severity="warning",
        message=f"{fact.target!r} is read in here, and it leads back to this file",
        span=tree.span(tree.leaves[fact.leaf]),
        detail=" > ".join(chain),
        why="Each file waits for the other one; only the first of them is read in.",
        help=("Take one of the two references away, or make it a step that is gone to.",),
    )


def _too_deep(tree: Tree, fact: Fact, chain: tuple[str, ...]) -> Diagnostic:
    return Diagnostic(
        code="BMC323",
        severity="warning",
        message=f"{fact.target!r} is read in more than {MAX_DEPTH} files deep",
        span=tree.span(tree.leaves[fact.leaf]),
        detail=" > ".join(chain),
        why="An agent loses the thread by then; what lies deeper is named, not read in.",
        help=("Name the file in the step or in the workflow itself.",),
    )
