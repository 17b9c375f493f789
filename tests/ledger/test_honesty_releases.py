"""The ledgers of real releases: partition and order hold, and nothing is changed without a rule."""

import pytest

from bmadc.ledger.honesty import files_of, order, partition
from bmadc.ledger.totals import is_unruled
from bmadc.passes.registry import rules
from support.lowered import lowered
from support.readings import source_pack

pytestmark = pytest.mark.needs("bmad-releases")

RELEASES = ("6.0.4", "6.12.0")


@pytest.mark.parametrize("release", RELEASES)
def test_partition(release: str) -> None:
    pack = source_pack(release)
    for name, one in lowered(release).items():
        assert partition(name, [pack.trees[path] for path in files_of(pack, name)], one.entries) == []
        assert one.entries


@pytest.mark.parametrize("release", RELEASES)
def test_order(release: str) -> None:
    pack = source_pack(release)
    steps = 0
    for workflow in pack.workflows:
        if workflow.id in lowered(release):
            assert order(lowered(release)[workflow.id], workflow.steps, pack.trees) == []
            steps += len(workflow.steps)
    assert steps > 50


@pytest.mark.parametrize("release", RELEASES)
def test_a_change_has_a_rule(release: str) -> None:
    unruled = [
        (entry.path, entry.line, entry.state)
        for one in lowered(release).values()
        for entry in one.entries
        if is_unruled(entry, rules())
    ]
    assert unruled == []
