"""`bmadc explain`: one rule with all that it has, or all rules."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.passes.registry import rules
from support.hut import write_hut

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guide.md"

EMPTY = """\
layout.empty-section  dropped
  A heading under which nothing is left.

  finds       places that need the whole workflow to be known
  does        takes it out
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["explain", *arguments], prog_name="bmadc")


def test_one_rule_and_the_example_of_the_page() -> None:
    shown = run("layout.empty-section")
    assert (shown.exit_code, shown.stdout) == (0, EMPTY)
    assert f"```console\n$ bmadc explain layout.empty-section\n{EMPTY}```\n" in PAGE.read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("name", sorted(rules()))
def test_every_rule_is_explained_with_its_examples_and_near_misses(name: str) -> None:
    rule = rules()[name]
    shown = run(name)
    assert shown.exit_code == 0
    assert rule.reason in shown.stdout
    assert shown.stdout.count("\n    - ") == len(rule.examples)
    assert shown.stdout.count("\n    = ") == len(rule.near)


def test_all_rules() -> None:
    shown = run().stdout
    assert [line.split()[0] for line in shown.split("\n")[1:] if line] == list(rules())


def test_the_json() -> None:
    document = json.loads(run("--json").stdout)
    assert [one["id"] for one in document["rules"]] == list(rules())
    assert "units" not in document["rules"][0]


def test_a_tree_tells_how_often_it_applies(tmp_path: Path) -> None:
    root = str(write_hut(tmp_path))
    assert "  applies to  2 units\n" in run("includes.step", "--root", root).stdout
    assert "  applies to  0 units\n" in run("layout.empty-section", "--root", root).stdout
    document = json.loads(run("includes.step", "--root", root, "--json").stdout)
    assert document["rules"][0]["units"] == 2
    assert run("includes.step", "--root", str(tmp_path / "gone")).exit_code == 2


def test_an_unknown_rule_gets_the_nearest() -> None:
    shown = run("layout.empty")
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert "no rule is named 'layout.empty'. Perhaps: layout.empty-section" in shown.stderr
    assert run("xyz").stderr.endswith("`bmadc explain` without a name lists all.\n")
