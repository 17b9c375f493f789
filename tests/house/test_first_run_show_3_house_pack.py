"""Line 3: the committed pack of the house edition is verified as it lies there, in step, alive and honest."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from bmadc.cli import cli
from bmadc.frontend.pack import read_pack
from bmadc.ghaw.locks import parse_lock
from bmadc.ghaw.verify import FINE, Verification, verify
from bmadc.ledger.exceptions import EXCEPTIONS
from bmadc.ledger.honesty import RuleFacts, all_faults
from bmadc.machine.catalogue import ROWS
from bmadc.passes.lower import lower_all
from bmadc.passes.registry import rules
from support.spine import CHECKS, Subject

ROOT = Path(__file__).resolve().parents[2]


@cache
def verified() -> Verification:
    return verify(ROOT / "workflows")


@pytest.mark.needs("gh-aw")
def test_first_run_show_3_the_real_gh_aw_says_nothing() -> None:
    assert (verified().exit_code, verified().diagnostics) == (FINE, ())
    print(verified().closing_line())


def test_first_run_show_3_a_build_gives_what_is_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(cli, ["check", "--full"], prog_name="bmadc")
    print(done.output.strip())
    assert (done.exit_code, done.output.partition(":")[0]) == (0, "in step")


@pytest.mark.needs("gh-aw")
def test_first_run_show_3_every_lock_is_alive() -> None:
    result = verified().result
    assert result is not None
    row_of = {row.lock: row for row in ROWS}
    assert len(result.locks) == 11
    assert [
        f"{name}: {said}"
        for name, text in result.locks.items()
        for check in CHECKS
        for said in check(Subject(row_of[name], parse_lock(text, name)))
    ] == []


def test_first_run_show_3_the_account_is_honest() -> None:
    pack = read_pack(ROOT)
    known = {name: RuleFacts(rule.state, rule.consumes, rule.bulk) for name, rule in rules().items()}
    assert tuple(all_faults(pack, lower_all(pack)[0], known, EXCEPTIONS)) == ()
