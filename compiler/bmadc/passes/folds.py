"""Choices that only one answer fits: the arm of that answer stays, and the ledger has the others.

A question with arms is mostly left to the agent. Where a run can only go one way, because the others need a
person or would do what another workflow is for, the table says which.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bmadc.passes.rules import Edit, Rule, by_pass
from bmadc.passes.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Fold:
    """A question by its first words, the answer that a run gives, and why."""

    begins: str
    answer: str
    why: str


FOLDS: tuple[Fold, ...] = (
    Fold(
        "what should i do with these issues", "2", "Who reviews does not repair; the developer does it next."
    ),
    Fold(
        "choose option [1], [2], [3]",
        "1",
        "Without a story there is nothing to develop; the label makes one.",
    ),
    Fold("what would you like to do? choose", "1", "Without a story there is nothing to develop."),
    Fold("do you approve this sprint change", "yes", "Merging the pull request is the approval."),
)

RULES: tuple[Rule, ...] = (
    by_pass(
        "flow.folded-arm",
        "folds",
        "dropped",
        "A run can only go one way here; what belongs to the other answers is left out.",
    ),
    by_pass(
        "flow.chosen-arm",
        "folds",
        "rewritten",
        "A run can only go one way here, so its actions need no condition.",
        "menus.",
        "questions.",
        "person.",
        "variables.",
        "names.",
        "includes.",
        consumes=(r".*",),
    ),
)

_ASKED = re.compile(r"(?:choose|select|pick)\b")
_ARM = re.compile(r"\b(?:user|choice)\b|^(?:yes|no)\b")


def folded(sheet: Sheet) -> tuple[dict[int, tuple[str, str]], list[Edit]]:
    """Return the leaves that belong to answers that no run gives, and the edits of the arms that stay."""
    gone: dict[int, tuple[str, str]] = {}
    edits: list[Edit] = []
    tree = sheet.tree
    for block in tree.blocks:
        if block.kind != "tag" or block.name != "ask":
            continue
        fold = _fold_of(sheet, range(block.first + 1, block.last))
        if fold is None:
            continue
        for number in range(block.first + 1, block.last):
            leaf = tree.leaves[number]
            mark = re.compile(rf"{re.escape(fold.answer)}[.)]\s+").match(tree.text.text, leaf.start)
            if mark:
                edits.append(Edit(mark.start(), mark.end(), "", "flow.chosen-arm"))
        dropped = set(_unsaid(sheet, range(block.first + 1, block.last), fold))
        inner = {one for one in range(block.first + 1, block.last) if tree.leaves[one].kind != "close"}
        if inner <= dropped:
            dropped.update(range(block.first, block.last))
        for arm in tree.blocks:
            condition = arm.attribute("if") if arm.kind == "tag" and arm.parent == block.parent else None
            if condition is None or arm.first < block.last or not _ARM.search(condition.lower()):
                continue
            if re.search(rf"(?<!\w){re.escape(fold.answer)}(?!\w)", condition.lower()):
                edits.append(_freed(sheet, arm.first))
            else:
                dropped.update(range(arm.first, arm.last))
        gone.update((one, ("flow.folded-arm", "")) for one in dropped)
    return gone, edits


def _fold_of(sheet: Sheet, leaves: range) -> Fold | None:
    words = next((sheet.plain(one) for one in leaves if sheet.plain(one)), "")
    return next((fold for fold in FOLDS if words.startswith(fold.begins)), None)


def _unsaid(sheet: Sheet, leaves: range, fold: Fold) -> Iterator[int]:
    """Return the leaves of a question that offer another answer or only ask for one."""
    for number in leaves:
        leaf = sheet.tree.leaves[number]
        text = sheet.lower[leaf.start : leaf.end]
        mark = re.match(r"(\d+)[.)]\s", text)
        words = sheet.plain(number)
        asks = leaf.kind == "paragraph" and _ASKED.match(words.partition("? ")[2] or words)
        if asks or (mark is not None and mark[1] != fold.answer):
            yield number


def _freed(sheet: Sheet, number: int) -> Edit:
    """Return the edit that takes the condition of an arm away."""
    leaf = sheet.tree.leaves[number]
    found = re.compile(r"\bif\s*=\s*([\"'])").search(sheet.lower, leaf.start, leaf.end)
    assert found is not None
    end = sheet.lower.find(found[1], found.end(), leaf.end)
    return Edit(found.end(), leaf.end if end < 0 else end, "", "flow.chosen-arm")
