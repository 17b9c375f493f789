"""Issue 4, 2: checklist items, critical actions, principles and steps are kept, rewritten or replaced."""

from __future__ import annotations

import pytest

from bmadc.ir.ledger import Entry
from bmadc.ir.model import Fact
from support.lowered import lowered
from support.readings import source_pack
from support.releases import SOURCE

pytestmark = pytest.mark.needs("bmad-releases")

MOST_REPLACED = 0.05
HARD = ("box", "check-item", "step")


def hard_entries(release: str) -> list[tuple[str, Entry]]:
    """Return the entries of a release whose leaf is a checklist item, a critical tag or a step."""
    pack = source_pack(release)
    facts: set[tuple[str, int]] = {(fact.path, fact.leaf) for fact in pack.facts if _is_hard(fact)}
    found = []
    for id_, one in lowered(release).items():
        for entry in one.entries:
            if (entry.path, entry.leaf) in facts:
                found.append((id_, entry))
    return found


def _is_hard(fact: Fact) -> bool:
    return fact.kind in HARD


@pytest.mark.parametrize("release", SOURCE)
def test_show_2_nothing_hard_is_dropped(release: str) -> None:
    entries = hard_entries(release)
    assert len(entries) > 40
    gone = [(id_, entry.path, entry.line, entry.rules) for id_, entry in entries if entry.state == "dropped"]
    assert gone == []
    replaced = [entry for _, entry in entries if entry.state == "replaced"]
    assert len(replaced) <= MOST_REPLACED * len(entries)


@pytest.mark.parametrize("release", SOURCE)
def test_show_2_principles_and_critical_actions_are_in_every_body(release: str) -> None:
    pack = source_pack(release)
    bodies = {id_: one.body for id_, one in lowered(release).items() if one.parts}
    asked = 0
    for workflow in pack.workflows:
        if workflow.id not in bodies:
            continue
        for name in {owner.agent for owner in workflow.owners}:
            agent = pack.agent(name)
            assert agent is not None
            for said in (*agent.principles, *agent.critical_actions):
                words = [word for word in said.split() if word.isalpha() and len(word) > 4]
                there = [word for word in words if word in bodies[workflow.id]]
                # A principle may lose a word that addresses somebody, but not its sense.
                assert len(there) >= 0.75 * len(words), (workflow.id, name, said)
                asked += 1
    assert asked > 20
