"""Issue 4, 6: no body is larger than what a prompt can carry."""

from __future__ import annotations

import pytest

from bmadc.machine.budgets import BUDGETS
from support.lowered import workflows
from support.releases import SOURCE

pytestmark = pytest.mark.needs("bmad-releases")


@pytest.mark.parametrize("release", SOURCE)
def test_show_6_size(release: str) -> None:
    sizes = sorted(((len(one.body.encode()), id_) for id_, one in workflows(release).items()), reverse=True)
    merged = sum(
        len(entry.before.encode())
        for one in workflows(release).values()
        for entry in one.entries
        if entry.state == "merged" and not entry.rules[-1].startswith("matter.")
    )
    print(f"{release}: {sizes[:5]}, {merged} bytes saved by merging")
    assert sizes[0][0] <= BUDGETS.prompt_bytes
    assert sizes[0][0] > 20_000
