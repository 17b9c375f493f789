"""Each way in which BMAD was ever written, as a small tree of our own: read, named, built, its text held."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from bmadc.cli import cli
from bmadc.frontend.dialects import DIALECTS
from support.fixtures import DIALECTS_OF, FIXTURES, golden, pack_of, said

NAMES = sorted(DIALECTS_OF)


def test_every_dialect_has_a_tree() -> None:
    assert {letter for letters in DIALECTS_OF.values() for letter in letters.split()} == set(DIALECTS)
    assert sorted(one.name for one in FIXTURES.iterdir() if one.is_dir()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_doctor_names_the_dialect_and_mends_nothing(name: str) -> None:
    shown = CliRunner().invoke(cli, ["doctor", "--root", str(FIXTURES / name)])
    assert shown.exit_code == 0
    found = re.findall(r"(?m)^(?:dialects|        )        (\w+): (.*)$", shown.output)
    assert found == [(letter, DIALECTS[letter]) for letter in DIALECTS_OF[name].split()]
    assert shown.output.endswith("\nnothing to mend\n")


@pytest.mark.parametrize("name", NAMES)
def test_its_pack_is_built_and_says_what_was_reviewed(name: str) -> None:
    assert not pack_of(name).failed
    assert said(name) == golden(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["a", "d"])
def test_what_an_agent_never_forgets_is_a_rule(name: str) -> None:
    (made,) = pack_of(name).made
    assert "\n- Open no hive below twelve degrees\n" in made.text


def test_what_the_team_says_wins() -> None:
    assert "docs/book/winter.md" in said("e")
    assert "Say how many hives are closed." in said("e")
