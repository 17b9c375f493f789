"""Line 2: what the compiled lock does, read from its job graph by GitHub's rules."""

import pytest

from bmadc.machine.catalogue import SPINE, Row
from bmadc.machine.wiring import WIRINGS, Wiring
from support.spine import CHECKS, SAMPLES, Check, compiled, compiled_samples, subjects

pytestmark = pytest.mark.needs("gh-aw")


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("row", SPINE, ids=lambda r: r.id)
@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda w: w.waking.value)
def test_lock(wiring: Wiring, row: Row, check: Check) -> None:
    (subject,) = (s for s in subjects(compiled(wiring)) if s.row is row)
    assert list(check(subject)) == []


@pytest.mark.parametrize("check", CHECKS, ids=lambda c: c.__name__)
@pytest.mark.parametrize("row", SAMPLES, ids=lambda r: r.id)
@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda w: w.waking.value)
def test_lock_of_a_sample(wiring: Wiring, row: Row, check: Check) -> None:
    (subject,) = (s for s in subjects(compiled_samples(wiring)) if s.row is row)
    assert list(check(subject)) == []


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda w: w.waking.value)
def test_gh_aw_says_nothing_about_the_samples(wiring: Wiring) -> None:
    assert compiled_samples(wiring).findings == ()
