"""Issue 4, 4: who deletes a unit from an output is caught by a judge that only reads source and output.

The outputs are the documents of packs, as they are built. Every unit of three workflows of 6.0.4 is deleted
in turn, and units drawn evenly from the other workflows and from other releases. Of the packs themselves, of
all releases, the judge misses nothing: otherwise a deletion would be caught by a judge that cries always.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256

import pytest

from bmadc.ledger.against import has_text
from support.built import built
from support.deletions import Deletion, Judge, deletions
from support.lowered import lowered
from support.readings import source_pack
from support.releases import SOURCE

pytestmark = pytest.mark.needs("bmad-releases")

WHOLE = ("dev-story", "code-review", "create-story")
PER_WORKFLOW = {"6.0.4": 6, "6.2.0": 2, "6.8.0": 2, "6.12.0": 6}


@cache
def _judge(release: str) -> Judge:
    documents = {one.source: one.text for one in built(release).made}
    return Judge(source_pack(release), lowered(release), documents)


def _unseen(release: str, id_: str, tried: list[Deletion]) -> list[tuple[str, str]]:
    judge = _judge(release)
    return [(id_, one.lines[0]) for one in tried if not judge.notices(id_, one)]


def _every(release: str, id_: str) -> list[Deletion]:
    return list(deletions(lowered(release)[id_], _judge(release).texts[id_][1]))


@pytest.mark.parametrize("release", SOURCE)
def test_show_4_nothing_is_missing_from_a_pack(release: str) -> None:
    judge = _judge(release)
    made = {one.id for one in source_pack(release).workflows if has_text(one)}
    assert judge.sources.keys() == made
    found = [judge.judged(id_) for id_ in sorted(made)]
    lost = [
        (one.workflow, unit.path, unit.line)
        for one in found
        for unit in one.units
        if unit.verdict == "missing"
    ]
    print(f"{release}: {sum(one.count('said') for one in found)} units said, {len(lost)} missing")
    assert lost == []


@pytest.mark.parametrize("id_", WHOLE)
def test_show_4_every_unit_of_three_workflows(id_: str) -> None:
    every = _every("6.0.4", id_)
    unseen = _unseen("6.0.4", id_, every)
    print(f"{id_}: {len(every) - len(unseen)} of {len(every)} deletions caught")
    assert len(every) > 150
    assert unseen == []


@pytest.mark.parametrize("release", PER_WORKFLOW)
def test_show_4_a_sample_of_the_rest(release: str) -> None:
    tried = 0
    unseen = []
    for id_ in sorted(_judge(release).sources):
        every = sorted(_every(release, id_), key=_drawn)[: PER_WORKFLOW[release]]
        tried += len(every)
        unseen += _unseen(release, id_, every)
    print(f"{release}: {tried - len(unseen)} of {tried} sampled deletions caught")
    assert tried > 40
    assert unseen == []


def _drawn(one: Deletion) -> str:
    """Return a number as good as drawn, which is the same each time."""
    return sha256(f"{one.path} {one.leaves}".encode()).hexdigest()
