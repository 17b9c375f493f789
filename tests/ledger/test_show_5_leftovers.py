"""Issue 4, 5: nothing of BMAD's own machinery is left in what an agent reads."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from bmadc.ir.tree import leaf_ids
from bmadc.ledger.leftovers import leftovers
from bmadc.machine.labels import LABELS
from bmadc.machine.naming import known_labels, label_of
from support.lowered import documented, known_steps, lowered, spoken, workflows
from support.readings import source_pack
from support.releases import SOURCE

EXCEPTIONS = Path(__file__).parent / "leftovers.toml"


def allowed() -> dict[str, str]:
    with EXCEPTIONS.open("rb") as file:
        found: dict[str, str] = tomllib.load(file)["units"]
    return found


def found_in(release: str) -> list[tuple[str, str, str]]:
    """Return each leftover of a release: its kind, the id of its unit, and what it is."""
    pack = source_pack(release)
    ids = {path: leaf_ids(tree) for path, tree in pack.trees.items()}
    labels = {label_of(workflow.id) for workflow in pack.workflows} | set(known_labels())
    labels |= {label.name for label in LABELS}
    result = []
    for id_, one in workflows(release).items():
        workflow = pack.workflow(id_)
        assert workflow is not None
        for part in spoken(one):
            steps = known_steps(one, workflow, part)
            for left in leftovers(part.text, steps=steps, placeholders=documented(one) | labels):
                line = part.lines[left.line - 1]
                unit = ids[line.path][line.leaves[0]] if line.leaves else ""
                result.append((left.kind, unit, f"{id_}/{part.name}:{left.line}: {left.text}"))
    return result


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", SOURCE)
def test_show_5_no_leftovers(release: str) -> None:
    known = allowed()
    bad = [(kind, unit, text) for kind, unit, text in found_in(release) if unit not in known]
    assert bad == []


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("every release")
def test_show_5_every_exception_is_still_needed() -> None:
    needed = {unit for release in SOURCE for _, unit, _ in found_in(release)}
    assert set(allowed()) <= needed


@pytest.mark.needs("bmad-releases")
def test_show_5_a_leftover_is_seen() -> None:
    body = lowered("6.0.4")["dev-story"].body
    for text in (
        "Wait for user input.",
        "{project-root}/x",
        "Read `_bmad/core/x.md`.",
        "see Step 77",
        "<ask>",
    ):
        assert leftovers(f"{body}\n{text}\n", steps={"1"}), text
