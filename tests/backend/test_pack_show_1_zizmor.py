"""Line 1, for the security reviewer: zizmor finds nothing in locks of real packs that gh-aw alone has not.

One lock of each outcome stands for all: what is ours in a lock depends on the outcome and on nothing else.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from bmadc.backend.made import Made
from bmadc.backend.yamltext import dump
from bmadc.ghaw.runner import compile_files
from bmadc.machine.catalogue import Outcome
from support.built import built, compiled
from support.zizmor import medium_or_above

pytestmark = [
    pytest.mark.needs("gh-aw"),
    pytest.mark.needs("zizmor"),
    pytest.mark.needs("bmad-releases"),
    pytest.mark.xdist_group("pack 6.12.0"),
]


def samples() -> list[Made]:
    """The first workflow of each outcome and kind of item, and one whose scripts travel with it."""
    found: dict[object, Made] = {}
    for one in built("6.12.0").made:
        found.setdefault((one.row.outcome, one.row.on_pulls), one)
        if "Check the files" in one.text:
            found.setdefault("files", one)
    assert {key[0] for key in found if isinstance(key, tuple)} == set(Outcome)
    return list({one.row.id: one for one in found.values()}.values())


def bare(one: Made) -> str:
    """The same frontmatter without our steps and jobs."""
    front: dict[str, Any] = dict(one.front)
    front["on"] = {key: value for key, value in front["on"].items() if key not in ("steps", "permissions")}
    for key in ("jobs", "steps", "pre-agent-steps", "checkout"):
        front.pop(key, None)
    return f"---\n{dump(front)}---\n\n# {one.row.title}\n"


def test_no_lock_of_a_pack_has_more_than_gh_aw_alone(tmp_path: Path) -> None:
    chosen = samples()
    locks = compiled("6.12.0").locks
    without = compile_files({one.row.document: bare(one) for one in chosen}).locks
    assert sorted(without) == sorted(one.row.lock for one in chosen)
    ours = medium_or_above({name: locks[name] for name in without}, tmp_path / "ours")
    theirs = medium_or_above(dict(without), tmp_path / "theirs")
    for name, found in ours.items():
        print(f"{name}: ours {dict(found)}, without our steps {dict(theirs[name])}")
        assert found - theirs[name] == Counter(), name
