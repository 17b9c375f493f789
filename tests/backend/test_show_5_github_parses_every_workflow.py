"""Line 5, second half: GitHub's own workflow parser accepts every lock and every plain workflow."""

import pytest

from bmadc.machine.wiring import WIRINGS, Wiring
from support.spine import compiled, compiled_samples, refused_by_github
from support.spinepack import pack

pytestmark = [pytest.mark.needs("gh-aw"), pytest.mark.needs("node-oracles")]


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda w: w.waking.value)
def test_every_workflow_is_accepted(wiring: Wiring) -> None:
    plain = {name: text for name, text in pack(wiring).items() if name.endswith(".yml")}
    texts = {**compiled(wiring).locks, **compiled_samples(wiring).locks, **plain}
    assert len(texts) == 12
    assert refused_by_github(texts) == {}


def test_a_refused_workflow_is_seen() -> None:
    assert list(refused_by_github({"x.yml": "on: push\njobs: {a: {runs-on: x, steps: [{usess: y}]}}\n"})) == [
        "x.yml"
    ]
