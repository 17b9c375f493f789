"""The class that the passes give a unit of dialogue is the one that a person gave it.

A question to be found out, decided or stopped at must have exactly that class. What is no dialogue must have
none; a rule about menus or an arm of one may have been turned into a decision, since the choice is the
agent's then.

The rules were fitted on the first hundred labels. Measured once on the last fifty, before anybody looked at
them, 39 of the 49 that are lowered agreed: 80 %, not the 90 % that was the aim. The misses were looked at and
the rules changed, so these fifty measure nothing any more. Fifty fresh units, labelled before the rules were
run on them, gave 43 of 50: 86 %. After more rules, sixty that were labelled without a look at the rules gave
55 of 59: 93 %. That sample reaches the aim and is held to it; the floor of the others keeps what there is.
"""

import sys
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from bmadc.ir.tree import normal
from support.lowered import lowered
from support.releases import SOURCE

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))

DRAWN = 150
FITTED = 100
CLASSED = ("derive", "decide", "block")
AIM = 0.9
FLOOR = 0.85
BLIND_FLOOR = 0.9


def agrees(label: str, classed: str) -> bool:
    if label in CLASSED:
        return classed == label
    return classed == "" or (classed == "decide" and label in ("arm", "rule"))


def labels(name: str) -> list[tuple[str, str]]:
    found: dict[str, str] = tomllib.loads((HERE / name).read_text(encoding="utf-8"))["labels"]
    return list(found.items())


@cache
def given() -> dict[str, str]:
    """Return the class that each unit of all releases got where it was first met, by the unit's hash."""
    unit_hash = import_module("sample_dialogue").unit_hash
    found: dict[str, str] = {}
    for release in SOURCE:
        for workflow in lowered(release).values():
            for entry in workflow.entries:
                found.setdefault(unit_hash(normal(entry.before)), entry.classed)
    return found


def share(drawn: list[tuple[str, str]]) -> float:
    # A workflow that has no place in a run is not lowered, and its units get no class.
    known = [(name, label) for name, label in drawn if name in given()]
    assert len(known) >= len(drawn) * 0.96
    wrong = [(name, label, given()[name]) for name, label in known if not agrees(label, given()[name])]
    for name, label, classed in wrong:
        print(f"{name}: labelled {label}, classed {classed or 'nothing'}")
    print(f"{len(known) - len(wrong)} of {len(known)} agree")
    return 1 - len(wrong) / len(known)


def test_agreement_is_strict_where_it_matters() -> None:
    assert agrees("block", "block")
    assert agrees("rule", "decide")
    assert agrees("none", "")
    assert not agrees("derive", "decide")
    assert not agrees("block", "")
    assert not agrees("none", "decide")
    assert not agrees("arm", "derive")


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("every release")
def test_the_second_labels_are_of_the_units_that_were_drawn_next() -> None:
    drawn = import_module("sample_dialogue").draw(DRAWN + 50)[DRAWN:]
    assert [unit.hash for unit in drawn] == [name for name, _ in labels("labels_second.toml")]


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("every release")
def test_the_rules_fit_the_labels_that_they_were_made_with() -> None:
    assert share(labels("labels.toml")[:FITTED]) >= AIM


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("every release")
def test_the_rules_keep_what_they_reach_on_the_labels_that_were_looked_at_later() -> None:
    assert share(labels("labels.toml")[FITTED:]) >= FLOOR


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("every release")
def test_the_rules_keep_what_they_reach_on_units_that_nobody_looked_at() -> None:
    assert share(labels("labels_second.toml")) >= FLOOR


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("every release")
def test_the_rules_keep_what_they_reach_on_labels_that_are_blind_to_them() -> None:
    drawn = import_module("sample_dialogue").draw(DRAWN + 110)[DRAWN + 50 :]
    assert [unit.hash for unit in drawn] == [name for name, _ in labels("labels_third.toml")]
    assert share(labels("labels_third.toml")) >= BLIND_FLOOR
