"""What is true of single leaves: conditions, jumps, boxes, menus, questions, names of files and workflows.

Facts are found structurally and say nothing about what a run should do with them; that is the passes' work.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator

from bmadc.diagnostics import Diagnostic
from bmadc.ir.model import Fact
from bmadc.ir.tree import PROSE, Leaf, Tree, normal

_BOX = re.compile(r"(?:[-*+]|\d+[.)])\s+\[([ xX])\](?=\s|$)")
# One letter or a small number in brackets, alone or as the first letter of its word; not a link, not a box,
# not part of a longer bracket, not the letter by itself as code.
_OPTION = re.compile(r"(?<![\[\w])\[([A-Za-z]|\d{1,2})\](?![(\[`])")
_STACKED = re.compile(r"(?:(?:[-*+]|\d+[.)])\s+)?(?:\*\*|`)?\[([A-Za-z]|\d{1,2})\](?![(\[])")
_YES_NO = re.compile(r"(?i)[(\[](?:y/n(?:/\w+)*|yes/no)[)\]]")
# Behind such a verb, and before the sentence ends, a path is an order; behind `see` it is a hint.
_FOLLOW = re.compile(
    r"(?i)\b(?:read|load|follow|execute|run|invoke|apply|use)\b(?:(?!\bsee\b)[^.!?]|\.(?=\S))*$"
)


def facts_of(tree: Tree) -> tuple[tuple[Fact, ...], tuple[Diagnostic, ...]]:
    """Return the facts about the leaves of one file, in their order, and what does not fit together."""
    if tree.reader not in ("markdown", "xml"):
        return (), ()
    found = [*_tags(tree), *_prose(tree), *_stacks(tree)]
    said = tuple(_goes_nowhere(tree, fact) for fact in found if fact.kind == "goto" and not fact.target)
    return tuple(sorted(found, key=lambda fact: (fact.leaf, fact.kind, fact.value))), said


def leaf_at(tree: Tree, offset: int) -> int:
    """Return the number of the leaf that holds an offset, or of the last one before it."""
    return max(bisect_right(tree.leaves, offset, key=lambda leaf: leaf.start) - 1, 0)


def name_facts(
    tree: Tree, named: Collection[tuple[int, str, tuple[str, ...]]], ids: Collection[tuple[int, str]]
) -> Iterator[Fact]:
    """Return a fact for each place that names files of the tree or another workflow.

    A sentence that says to read or follow the file includes it; any other one only names it. The fact's value
    is the name as it is written there.
    """
    for offset, written, targets in named:
        number = leaf_at(tree, offset)
        leaf = tree.leaves[number]
        before = tree.text.text[max(leaf.start, offset - 120) : offset]
        told = leaf.kind not in ("entry", "comment") and _FOLLOW.search(before)
        for target in targets:
            yield Fact("include" if told else "names", tree.path, number, written, target)
    for offset, id_ in ids:
        yield Fact("call", tree.path, leaf_at(tree, offset), target=id_)


def _tags(tree: Tree) -> Iterator[Fact]:
    steps = {block.attribute("n"): block.first for block in tree.blocks if block.name == "step"}
    anchors = {block.attribute("id"): block.first for block in tree.blocks if block.name == "anchor"}
    for number, block in enumerate(tree.blocks):
        if block.kind != "tag":
            continue
        at = block.first
        condition = block.attribute("if")
        if condition is not None:
            yield Fact("condition", tree.path, at, normal(condition))
        if block.name in ("step", "substep"):
            title = block.attribute("goal") or block.attribute("title") or ""
            yield Fact("step", tree.path, at, block.attribute("n") or "", normal(title))
        elif block.name == "goto":
            step, anchor = block.attribute("step"), block.attribute("anchor")
            target = steps.get(step) if step is not None else anchors.get(anchor)
            value = f"step={step}" if step is not None else f"anchor={anchor or ''}"
            line = "" if target is None else f"{tree.path}:{tree.line(tree.leaves[target])}"
            yield Fact("goto", tree.path, at, value, line)
        elif block.name == "anchor":
            yield Fact("anchor", tree.path, at, block.attribute("id") or "")
        elif block.name == "check-item":
            yield Fact("check-item", tree.path, at, block.attribute("id") or "")
        elif block.name == "ask":
            yield Fact("ask", tree.path, at)
        elif block.name == "template-output":
            inner = [
                tree.slice(tree.leaves[one]) for one in tree.within(number) if tree.leaves[one].kind in PROSE
            ]
            yield Fact("saves", tree.path, at, normal(" ".join(inner)), block.attribute("file") or "")
        elif block.name == "invoke-protocol":
            yield Fact("protocol", tree.path, at, block.attribute("name") or "")


def _prose(tree: Tree) -> Iterator[Fact]:
    for number, leaf in enumerate(tree.leaves):
        if leaf.kind not in PROSE:
            continue
        text = tree.slice(leaf)
        if leaf.kind == "item" and (box := _BOX.match(text)):
            yield Fact("box", tree.path, number, box[1].lower().strip())
        if "[" in text and leaf.kind != "heading":
            for line in text.split("\n"):
                options = _options(line)
                if len(set(options)) > 1:
                    yield Fact("menu", tree.path, number, ",".join(options))
        if "/" in text and _YES_NO.search(text):
            yield Fact("yes-no", tree.path, number)


def _options(line: str) -> list[str]:
    line = _BOX.sub("", line)
    return [found[1] for found in _OPTION.finditer(line)]


def _stacks(tree: Tree) -> Iterator[Fact]:
    """Find menus with one option per line: two lines or more that each begin with another letter."""
    first, block = -1, -1
    codes: list[str] = []

    def done() -> Iterator[Fact]:
        if len(set(codes)) > 1:
            yield Fact("menu-lines", tree.path, first, ",".join(codes))

    for number, leaf in enumerate(tree.leaves):
        starts = _starts(tree, leaf)
        around = tree.blocks[leaf.block].parent if leaf.kind == "item" else leaf.block
        if starts and (codes == [] or around == block):
            if not codes:
                first, block = number, around
            codes = [*codes, *starts]
            continue
        yield from done()
        first, codes, block = (number, starts, around) if starts else (-1, [], -1)
    yield from done()


def _starts(tree: Tree, leaf: Leaf) -> list[str]:
    if leaf.kind not in ("item", "paragraph", "quote") or tree.text.text.find("[", leaf.start, leaf.end) < 0:
        return []
    lines = [line.strip() for line in tree.slice(leaf).split("\n")]
    found = [match[1] for line in lines if (match := _STACKED.match(line)) and not _BOX.match(line)]
    return found if (found and _STACKED.match(lines[0])) or len(found) > 1 else []


def _goes_nowhere(tree: Tree, fact: Fact) -> Diagnostic:
    return Diagnostic(
        code="BMC321",
        severity="warning",
        message=f"this jump leads nowhere: {fact.value}",
        span=tree.span(tree.leaves[fact.leaf]),
        expected="the number of a step or the id of an anchor of the same file",
        why="The agent would look for a place that is not there, and go on with whatever it thinks is meant.",
        help=("Correct the number or the id, or add the step or the anchor.",),
    )
