"""Line 6: our steps and jobs add nothing that zizmor finds to be of medium severity or above.

The measure is the same workflow without them: for a lock, the lock that gh-aw makes of the same frontmatter;
for a plain workflow, the same file with an empty step. What is left is gh-aw's own, or the trigger's.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from bmadc.backend.agentic import Contents, frontmatter
from bmadc.backend.yamltext import dump
from bmadc.ghaw.runner import compile_files
from bmadc.machine.catalogue import SPINE
from bmadc.machine.choices import Choices
from bmadc.machine.wiring import WIRINGS, Wiring
from support.spine import compiled
from support.spinepack import pack
from support.zizmor import medium_or_above

pytestmark = [pytest.mark.needs("gh-aw"), pytest.mark.needs("zizmor")]

OURS = ("gate", "halt", "handoff", "enter")


def bare(wiring: Wiring) -> dict[str, str]:
    """The locks of the same frontmatter without our steps and jobs."""
    files = {}
    for row in SPINE:
        head: dict[str, Any] = dict(frontmatter(row, Choices(wiring=wiring), Contents(row.purpose)))
        head["on"] = {key: value for key, value in head["on"].items() if key not in ("steps", "permissions")}
        del head["jobs"], head["steps"]
        head.pop("checkout", None)
        files[row.document] = f"---\n{dump(head)}---\n\n# {row.title}\n"
    result = compile_files(files)
    assert sorted(result.locks) == sorted(row.lock for row in SPINE)
    return dict(result.locks)


def emptied(text: str) -> str:
    """A plain workflow whose one step does nothing."""
    tree = yaml.safe_load(text)
    for job in tree["jobs"].values():
        job["steps"] = [{"run": "true"}]
    tree["on"] = tree.pop(True)
    return dump(tree)


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda w: w.waking.value)
def test_nothing_beyond_what_is_there_without_us(wiring: Wiring, tmp_path: Path) -> None:
    plain = {name: text for name, text in pack(wiring).items() if name.endswith(".yml")}
    ours = medium_or_above({**compiled(wiring).locks, **plain}, tmp_path / "ours")
    without = medium_or_above(
        {**bare(wiring), **{n: emptied(t) for n, t in plain.items()}}, tmp_path / "without"
    )
    assert sorted(ours) == sorted(without)
    for name, found in ours.items():
        print(f"{wiring.waking.value} {name}: ours {dict(found)}, without our steps {dict(without[name])}")
        assert found - without[name] == Counter(), name


def test_an_injection_in_one_of_our_steps_is_seen(tmp_path: Path) -> None:
    text = pack(WIRINGS[0])["bmad-resume-command.yml"].replace(
        "        run: |\n", "        run: |\n          echo ${{ github.event.comment.body }}\n"
    )
    found = medium_or_above({"x.yml": text}, tmp_path / "x")
    assert "template-injection at High" in found["x.yml"]
