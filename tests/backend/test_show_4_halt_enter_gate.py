"""The small scripts around a run: the halt says it, enter sets the labels right, the gate looks once more."""

from pathlib import Path

import pytest

from support.fakegh import BOT, TOKEN
from support.names import BREAKER, CHANGES, DEV, MARK, REVIEW
from support.shell import NUMBER, STATES, VERDICTS, Bench, environment

pytestmark = pytest.mark.needs("jq")

RUN = "https://github.com/octo/demo/actions/runs/4711"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


# halt


TODO = {
    "config": "Correct the settings file on the default branch.",
    "cycles": "Read the last review and decide what is to be done.",
    "conflict": "Leave exactly one state label on.",
    "branch": "Rename the branch.",
    "unreadable": "Wait until GitHub answers again.",
}


@pytest.mark.parametrize("code", TODO)
def test_a_halt_stops_the_item_and_says_what_happened_and_what_to_do(bench: Bench, code: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    result = bench.run("halt", environment("halt", CODE=code, REASON="It went wrong."))
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, BREAKER])
    assert bench.github.comments(NUMBER) == [
        "**Stopped: a person has to decide.**\n"
        "\n"
        "- What happened: `It went wrong.`\n"
        f"- Why it matters: while the label `{BREAKER}` is on this item, "
        "no workflow of the pipeline works on it.\n"
        f"- What to do: {TODO[code]} Then remove the label, or comment `/resume`.\n"
        "\n"
        f"[The run that stopped]({RUN})"
    ]
    assert result.told("warning") == [f"Stopped #7 for a person. `It went wrong.` {TODO[code]}"]


def test_the_sentence_about_cycles_reaches_the_person(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, CHANGES])
    bench.run("halt", environment("halt"))
    assert "3 review cycles reached. Halting." in bench.github.comments(NUMBER)[0]


def test_the_breaker_comes_before_the_words(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.run("halt", environment("halt"))
    assert [call.path.split("/")[-1] for call in bench.github.writes()] == ["labels", "comments"]


@pytest.mark.parametrize(
    ("match", "left", "error"),
    [
        ("/labels", [DEV, MARK], "Could not set the label needs-human-intervention on #7. Set it by hand"),
        ("/comments", [DEV, MARK, BREAKER], "Could not comment on #7. What happened:"),
    ],
)
def test_half_a_halt_is_done_and_the_other_half_is_said(
    bench: Bench, match: str, left: list[str], error: str
) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.fault(match)
    result = bench.run("halt", environment("halt"))
    assert bench.github.labels(NUMBER) == sorted(left)
    assert len(result.told("error")) == 1
    assert result.told("error")[0].startswith(error)
    assert len(bench.github.writes()) == 1


@pytest.mark.parametrize(
    "reason",
    [
        "` @octo/all `",
        "a\n- @octo/all\n::error::x",
        "``` @octo/all ```",
        "$(echo >CANARY) `echo >CANARY`",
        "x" * 30000,
    ],
    ids=["code span", "newlines", "fence", "command", "long"],
)
def test_a_reason_stays_inside_its_code_span(bench: Bench, reason: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    result = bench.run("halt", environment("halt", REASON=reason))
    lines = bench.github.comments(NUMBER)[0].split("\n")
    assert len(lines) == 7
    assert lines[2].startswith("- What happened: `")
    assert (lines[2].count("`"), lines[2][-1]) == (2, "`")
    assert len(result.annotations) == 1
    assert "@" not in result.summary


def test_an_issue_is_stopped_in_the_same_way_with_the_right_to_write_issues_alone(bench: Bench) -> None:
    bench.github.issue(NUMBER)
    bench.github.token(TOKEN, BOT, {"issues": "write"})
    bench.run("halt", environment("halt", CODE="config"))
    assert bench.github.labels(NUMBER) == [BREAKER]
    assert len(bench.github.comments(NUMBER)) == 1


# enter


ENTER = {
    "nothing to change": ([MARK, DEV], DEV, [MARK, DEV]),
    "no state": ([MARK], DEV, [MARK, DEV]),
    "another state": ([MARK, REVIEW], CHANGES, [MARK, CHANGES]),
    "all states": ([MARK, *STATES], REVIEW, [MARK, REVIEW]),
    "an old verdict": ([MARK, REVIEW, VERDICTS[0]], REVIEW, [MARK, REVIEW]),
    "all verdicts": ([MARK, DEV, *VERDICTS], REVIEW, [MARK, REVIEW]),
    "labels of others stay": ([MARK, DEV, "bug", "bmad-dev-x"], DEV, [MARK, DEV, "bug", "bmad-dev-x"]),
    "stopped meanwhile": ([MARK, DEV, BREAKER], CHANGES, [MARK, DEV, BREAKER]),
}


@pytest.mark.parametrize("row", ENTER)
def test_enter_leaves_exactly_the_state_that_is_worked_on(bench: Bench, row: str) -> None:
    before, enters, after = ENTER[row]
    bench.github.pull(NUMBER, before)
    bench.run("enter", environment("enter", ENTERS=enters))
    assert bench.github.labels(NUMBER) == sorted(after)


def test_enter_writes_nothing_when_all_is_right(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    result = bench.run("enter", environment("enter"))
    assert bench.github.writes() == []
    assert result.annotations == ()


@pytest.mark.parametrize(
    ("match", "said"),
    [
        ("POST", "Could not set the label bmad-changes on #7. The handoff sets the next one."),
        ("DELETE", "Could not remove the label bmad-review from #7. Remove it by hand."),
        (
            "GET",
            "Could not read the labels of #7; the state shown there may be old. The handoff sets it right.",
        ),
    ],
)
def test_enter_says_what_it_could_not_do(bench: Bench, match: str, said: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.fault(match)
    assert bench.run("enter", environment("enter", ENTERS=CHANGES)).told("warning") == [said]


def test_a_label_that_somebody_else_took_off_is_no_failure(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.fault("DELETE", times=1, applied=True)
    result = bench.run("enter", environment("enter", ENTERS=CHANGES))
    assert bench.github.labels(NUMBER) == sorted([MARK, CHANGES])
    assert result.annotations == ()


# gate


def test_the_gate_is_open_for_an_open_item_and_says_nothing(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    result = bench.run("gate", environment("gate"))
    assert result.outputs == {"open": "true"}
    assert result.annotations == ()


def test_the_gate_is_open_for_an_issue(bench: Bench) -> None:
    bench.github.issue(NUMBER, ["$(echo >CANARY)"])
    assert bench.run("gate", environment("gate", VERDICTS="")).outputs == {"open": "true"}


@pytest.mark.parametrize("names", [[BREAKER], [BREAKER, MARK, DEV], [MARK, REVIEW, BREAKER]])
def test_the_gate_is_shut_for_a_stopped_item(bench: Bench, names: list[str]) -> None:
    bench.github.pull(NUMBER, names)
    result = bench.run("gate", environment("gate"))
    assert result.outputs == {"open": "false"}
    assert result.told("notice") == [
        "#7 was stopped while the agent worked. Its work is not written; resume to do it again."
    ]


@pytest.mark.parametrize("merged", [False, True])
def test_the_gate_is_shut_for_a_closed_item(bench: Bench, merged: bool) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.close(NUMBER, merged=merged)
    result = bench.run("gate", environment("gate"))
    assert result.outputs == {"open": "false"}
    assert "reopen it" in result.told("notice")[0]


@pytest.mark.parametrize("verdict", VERDICTS)
def test_the_gate_is_shut_when_an_old_verdict_would_count_for_this_review(bench: Bench, verdict: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, verdict])
    result = bench.run("gate", environment("gate"))
    assert result.outputs == {"open": "false"}
    assert result.told("warning") == [
        f"#7 carries the verdict {verdict} from before, so nothing is written. Remove that label."
    ]


@pytest.mark.parametrize("times", [1, 2, 3])
def test_the_gate_is_shut_when_github_does_not_answer(bench: Bench, times: int) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.fault(".", times=times)
    result = bench.run("gate", environment("gate"))
    assert result.outputs == {"open": "true" if times < 3 else "false"}
    assert len(result.told("warning")) == (times == 3)


@pytest.mark.parametrize("body", ["<html>", "", "[]", "{}", '{"state": "open"}', '{"labels": []}', "null"])
def test_the_gate_is_shut_on_an_answer_that_is_no_answer(bench: Bench, body: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.fault(".", 200, body=body)
    result = bench.run("gate", environment("gate"), noise=True)
    assert result.outputs == {"open": "false"}
    assert len(result.told("warning")) == 1
