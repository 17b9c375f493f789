"""Line 1: the real gh-aw, strict: no errors, and no warning that is not accounted for."""

from collections import Counter

import pytest

from bmadc.ghaw.vocabulary.pin import COMPILE_FLAGS, RELEASE
from bmadc.machine.catalogue import SPINE
from bmadc.machine.wiring import WIRINGS, Wiring
from support.built import known_warnings
from support.spine import compiled

pytestmark = pytest.mark.needs("gh-aw")


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda w: w.waking.value)
def test_strict_and_silent(wiring: Wiring) -> None:
    result = compiled(wiring)
    assert result.version == RELEASE
    assert "--strict" in COMPILE_FLAGS
    assert sorted(result.locks) == sorted(row.lock for row in SPINE)
    errors = [f for f in result.findings if f.severity == "error"]
    warnings = Counter({f.message: f.count for f in result.findings if f.severity == "warning"})
    counts = f"{len(result.locks)} locks, {len(errors)} errors, {sum(warnings.values())} warnings"
    print(f"{wiring.waking.value}: {counts}")
    assert errors == []
    assert warnings == known_warnings()
