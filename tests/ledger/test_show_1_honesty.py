"""Issue 4, 1: the five honesty checks hold for every release, and what they allow is listed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from bmadc.compile import compile_pack
from bmadc.ledger.detector import dialogue
from bmadc.ledger.exceptions import EXCEPTIONS, words_id
from bmadc.ledger.honesty import Fault, RuleFacts, all_faults, unexplained_drops
from bmadc.passes.registry import rules
from bmadc.project import Project
from support.lowered import conflicts, lowered, used_rules
from support.readings import source_pack
from support.releases import SOURCE, installed_root

pytestmark = pytest.mark.needs("bmad-releases")

DROPS = Path(__file__).parent / "drops.txt"


@cache
def faults(release: str) -> tuple[Fault, ...]:
    known = {name: RuleFacts(rule.state, rule.consumes, rule.bulk) for name, rule in rules().items()}
    return tuple(all_faults(source_pack(release), lowered(release), known, EXCEPTIONS))


@pytest.mark.parametrize("check", ["partition", "residual", "budget", "hard", "order"])
@pytest.mark.parametrize("release", SOURCE)
def test_show_1_no_fault(release: str, check: str) -> None:
    assert [fault for fault in faults(release) if fault.check == check] == []


@pytest.mark.xdist_group("every release")
def test_show_1_every_exception_is_still_needed() -> None:
    needed = {
        words_id(entry)
        for release in SOURCE
        for one in lowered(release).values()
        for entry in one.entries
        if dialogue(entry.after) and words_id(entry) in EXCEPTIONS
    }
    assert needed == set(EXCEPTIONS)


@pytest.mark.parametrize("release", ["6.0.4", "6.12.0"])
def test_show_1_an_install_has_no_dialogue_left_that_its_source_has_not(release: str) -> None:
    # An installer puts the same files elsewhere, and adds its own.
    built = compile_pack(installed_root(release), Project())
    assert [one.message for one in built.diagnostics if one.severity == "error"] == []


@pytest.mark.xdist_group("every release")
def test_show_1_drops_that_nothing_explains_are_listed() -> None:
    found = {drop for release in SOURCE for drop in unexplained_drops(lowered(release).values())}
    listed = DROPS.read_text(encoding="utf-8").splitlines()
    assert sorted(f"{id_} {names}" for id_, names in found) == [line for line in listed if line[:1] != "#"]


@pytest.mark.parametrize("release", SOURCE)
def test_no_two_rules_want_the_same_words(release: str) -> None:
    assert conflicts(release) == ()


@pytest.mark.xdist_group("every release")
def test_every_rule_matches_somewhere() -> None:
    used = {name for release in SOURCE for name in used_rules(release)}
    assert sorted(set(rules()) - used) == []
