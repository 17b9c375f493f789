"""Issue 4, 4: who deletes a unit from an output is caught by a judge that only reads source and output.

Every unit of three workflows of 6.0.4 is deleted in turn, and units drawn evenly from the other workflows of
two releases. The few that the judge does not miss are counted, so that their number can only fall.
"""

from __future__ import annotations

import pytest

from support.deletions import Judge, deletions
from support.lowered import lowered
from support.readings import source_pack

pytestmark = pytest.mark.needs("bmad-releases")

WHOLE = ("dev-story", "code-review", "create-story")
# An arm of a choice that the excuses of the judge cover, and a heading that its file has twice.
UNSEEN = {"dev-story": 2, "code-review": 0, "create-story": 1}
PER_WORKFLOW = 4
# Mostly rules about choices, of which the output has another one that says the same.
UNSEEN_OF_SAMPLE = {"6.0.4": 4, "6.12.0": 3}


@pytest.mark.parametrize("id_", WHOLE)
def test_show_4_every_unit_of_three_workflows(id_: str) -> None:
    judge = Judge(source_pack("6.0.4"), lowered("6.0.4"))
    every = list(deletions(lowered("6.0.4")[id_]))
    unseen = [one.lines[0] for one in every if not judge.notices(id_, one)]
    print(f"{id_}: {len(every) - len(unseen)} of {len(every)} deletions caught")
    assert len(every) > 150
    assert len(unseen) <= UNSEEN[id_], unseen


@pytest.mark.parametrize("release", ["6.0.4", "6.12.0"])
def test_show_4_a_sample_of_the_rest(release: str) -> None:
    judge = Judge(source_pack(release), lowered(release))
    tried = 0
    unseen = []
    for id_ in sorted(judge.sources):
        every = list(deletions(lowered(release)[id_]))
        for one in every[:: max(1, len(every) // PER_WORKFLOW)][:PER_WORKFLOW]:
            tried += 1
            if not judge.notices(id_, one):
                unseen.append((id_, one.lines[0]))
    print(f"{release}: {tried - len(unseen)} of {tried} sampled deletions caught")
    assert tried > 80
    assert len(unseen) <= UNSEEN_OF_SAMPLE[release], unseen
