"""The workflows of the tested releases, lowered once per test process."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from bmadc.ir.ledger import Entry, Lowered, Part
from bmadc.ir.model import Workflow
from bmadc.passes.edits import Conflict
from bmadc.passes.lower import lower_all
from bmadc.passes.values import GAPS, RUN_TIME
from support.readings import source_pack

_STEP_HEADING = re.compile(r"(?m)^#{1,6} \**(?:Step|Part) (\d+(?:\.\d+)?[a-z]?)\b", re.IGNORECASE)
_DOUBLE = re.compile(r"\{\{\s*([\w.@-]+)\s*\}\}")


@cache
def lowered(release: str) -> Mapping[str, Lowered]:
    """Return all workflows and agents of a release, lowered, by id."""
    return _lowering(release)[0]


@cache
def conflicts(release: str) -> tuple[Conflict, ...]:
    """Return the places of a release that two rules want and neither names the other."""
    return _lowering(release)[1]


@cache
def used_rules(release: str) -> frozenset[str]:
    """Return the rules that changed or account for something in a release."""
    named = {name for one in lowered(release).values() for entry in one.entries for name in entry.rules}
    return frozenset(named) | _lowering(release)[2]


@cache
def _lowering(release: str) -> tuple[Mapping[str, Lowered], tuple[Conflict, ...], frozenset[str]]:
    found, lowering = lower_all(source_pack(release))
    return found, tuple(lowering.conflicts), frozenset(lowering.used)


def workflows(release: str) -> dict[str, Lowered]:
    """Return the lowered workflows of a release, without the agents."""
    return {id_: one for id_, one in lowered(release).items() if one.parts}


def spoken(one: Lowered) -> list[Part]:
    """Return the parts of a workflow that an agent reads: its body and its skills."""
    return [part for part in one.parts if part.kind != "file"]


def own_text(one: Lowered, workflow: Workflow) -> str:
    """Return what a workflow says itself, without the tasks that travel with it."""
    own = {use.path for use in workflow.files}
    lines = [line.text for part in spoken(one) for line in part.lines if not line.path or line.path in own]
    return "\n".join(lines)


def known_steps(one: Lowered, workflow: Workflow, part: Part) -> set[str]:
    """Return the numbers of all steps that a part may name: the workflow's, and those that it heads."""
    numbers = {re.sub(r"^0+(?=\d)", "", step.number) for step in workflow.steps}
    numbers |= set(_STEP_HEADING.findall(part.text)) | set(_STEP_HEADING.findall(one.body))
    # Of several alternatives with letters, the number alone means whichever is taken.
    return numbers | {re.sub(r"[a-z]$", "", number) for number in numbers}


def documented(one: Lowered) -> set[str]:
    """Return the names in braces that may stand: values of a run, gaps, and all that has double braces."""
    double = {name for part in spoken(one) for name in _DOUBLE.findall(part.text)}
    return set(RUN_TIME) | GAPS | double


def entries_by_place(one: Lowered) -> dict[tuple[str, int], Entry]:
    """Return the entries of a workflow by path and number of their leaf."""
    return {(entry.path, entry.leaf): entry for entry in one.entries}
