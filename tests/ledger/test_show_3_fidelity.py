"""Issue 4, 3: what 6.0.4 says is found again by a matcher that shares nothing with the compiler."""

from __future__ import annotations

import pytest

from support.fuzzy import Measure, core, measure, source_units, sources, unrelated
from support.lowered import own_text, workflows
from support.readings import source_pack

pytestmark = pytest.mark.needs("bmad-releases")

RELEASE = "6.0.4"


@pytest.fixture(scope="module")
def bodies() -> dict[str, str]:
    pack = source_pack(RELEASE)
    found = {}
    for id_, one in workflows(RELEASE).items():
        workflow = pack.workflow(id_)
        assert workflow is not None
        found[id_] = own_text(one, workflow)
    return found


@pytest.mark.parametrize("fenced", [False, True])
def test_show_3_fidelity(bodies: dict[str, str], fenced: bool) -> None:
    known = sources(RELEASE)
    total = other = Measure(0, 0, 0)
    low = []
    for id_, body in sorted(bodies.items()):
        units = core(source_units(known[id_].paths, fenced=fenced))
        one = measure(units, body, fenced=fenced)
        total += one
        if one.percent70 < 75:
            low.append((id_, one.percent70))
        far = unrelated(id_, {name: known[name].stepped for name in bodies}, bodies)
        strange = measure(units, bodies[far], fenced=fenced)
        other += strange
        assert strange.percent70 < 20, (id_, far)
    print(
        f"{total.units} units: {total.percent70:.1f} % at 70, {total.percent85:.1f} % at 85;"
        f" against an unrelated workflow {other.percent70:.1f} %"
    )
    assert total.percent70 >= 90
    assert total.percent85 >= 85
    assert low == []
