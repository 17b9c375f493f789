"""The handoff under real bash and jq: it moves a state by what was applied, and stops whatever is unclear."""

import json
from pathlib import Path

import pytest

from bmadc.machine import protocol
from support.fakegh import ALWAYS, BOT, PERSON, TOKEN, WAKE_TOKEN
from support.names import APPROVED, BREAKER, CHANGES, DEV, MARK, REVIEW, SWEPT
from support.shell import CONSUMERS, NUMBER, VERDICTS, Bench, environment, lock_of

pytestmark = pytest.mark.needs("jq")

APPROVE, ASK = VERDICTS
PR = 9
ASKED = "bmad-story"
OURS = "[DEV] [STEP-5] Add the login form"
LOOK = "Open the run and read the first failed job."

PUSH = {"MODE": "push", "FROM": DEV, "NEXT": REVIEW}
VERDICT = {"MODE": "verdict", "FROM": REVIEW, "NEXT": "", "SHA": ""}
ENTRY = {"MODE": "entry", "FROM": "", "NEXT": DEV, "SHA": "", "CREATED": str(PR)}
CREDENTIAL = {"WAKING": "credential", "WAKE_TOKEN": WAKE_TOKEN}
MANUAL = {"WAKING": "manual"}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    for worker in protocol.WORKERS:
        bench.github.workflow(lock_of(worker))
    return bench


def dispatched(state: str, number: int = NUMBER) -> list[tuple[str, dict[str, str]]]:
    context = {"item_type": "pull_request", "item_number": str(number), "event_type": "pull_request"}
    inputs = {"pr": str(number), "aw_context": json.dumps(context, separators=(",", ":"))}
    return [(CONSUMERS[state], inputs)]


def assert_stopped(bench: Bench, what: str, todo: str, number: int = NUMBER) -> None:
    assert BREAKER in bench.github.labels(number)
    (comment,) = bench.github.comments(number)
    assert f"- What happened: {what}\n" in comment
    assert f"- What to do: {todo} Then remove the label, or comment `/resume`." in comment
    assert bench.github.dispatches() == []


# What goes well, in each wiring


def test_a_push_leads_to_the_review(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, SWEPT, "bug"], message=OURS)
    result = bench.run("handoff", environment("handoff", **PUSH))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW, "bug"])
    assert bench.github.dispatches() == dispatched(REVIEW)
    assert bench.github.comments(NUMBER) == []
    assert result.told("notice") == ["#7 is now in state bmad-review."]
    assert {call.token for call in bench.github.calls()} == {TOKEN}


def test_the_state_is_set_before_the_next_is_woken(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.run("handoff", environment("handoff", **PUSH))
    done = [(call.method, call.path.removeprefix("repos/octo/demo/")) for call in bench.github.writes()]
    assert done == [
        ("POST", "issues/7/labels"),
        ("DELETE", f"issues/7/labels/{DEV}"),
        ("POST", f"actions/workflows/{CONSUMERS[REVIEW]}/dispatches"),
    ]


@pytest.mark.parametrize(
    ("verdict", "state", "woken"),
    [(APPROVE, APPROVED, False), (ASK, CHANGES, True)],
    ids=["approve", "changes"],
)
def test_a_verdict_leads_to_its_state_and_is_taken_off(
    bench: Bench, verdict: str, state: str, woken: bool
) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, verdict])
    bench.run("handoff", environment("handoff", **VERDICT))
    assert bench.github.labels(NUMBER) == sorted([MARK, state])
    assert bench.github.dispatches() == (dispatched(state) if woken else [])


def test_a_new_pull_request_is_marked_and_put_to_work(bench: Bench) -> None:
    bench.github.issue(NUMBER)
    bench.github.pull(PR)
    bench.run("handoff", environment("handoff", **ENTRY))
    assert bench.github.labels(PR) == sorted([MARK, DEV, ASKED])
    assert bench.github.labels(NUMBER) == []
    assert bench.github.dispatches() == dispatched(DEV, PR)


def test_a_credential_sets_the_next_label_and_nothing_else(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.run("handoff", environment("handoff", **PUSH, **CREDENTIAL))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
    assert bench.github.dispatches() == []
    by_credential = [(call.method, call.body) for call in bench.github.calls() if call.token == WAKE_TOKEN]
    assert by_credential == [("POST", {"labels": [REVIEW]})]


def test_a_credential_raises_an_event_even_where_the_label_is_on(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, REVIEW], message=OURS)
    bench.run("handoff", environment("handoff", **PUSH, **CREDENTIAL))
    last = [event for event in bench.github.events(NUMBER) if event["event"] == "labeled"][-1]
    assert (last["label"]["name"], last["actor"]["login"]) == (REVIEW, PERSON)


def test_a_credential_is_not_spent_where_nobody_is_woken(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, APPROVE])
    bench.run("handoff", environment("handoff", **VERDICT, **CREDENTIAL))
    assert bench.github.labels(NUMBER) == sorted([MARK, APPROVED])
    assert {call.token for call in bench.github.calls()} == {TOKEN}


def test_by_hand_the_next_label_is_named_and_left_to_a_person(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.run("handoff", environment("handoff", **PUSH, **MANUAL))
    assert bench.github.labels(NUMBER) == [MARK]
    assert bench.github.dispatches() == []
    assert bench.github.comments(NUMBER) == [
        "Next: add the label `bmad-review` to go on. Nothing happens until a person does."
    ]


def test_by_hand_an_end_is_set_at_once(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, APPROVE])
    bench.run("handoff", environment("handoff", **VERDICT, **MANUAL))
    assert bench.github.labels(NUMBER) == sorted([MARK, APPROVED])
    assert bench.github.comments(NUMBER) == []


@pytest.mark.parametrize("wiring", [{}, CREDENTIAL, MANUAL], ids=["bus", "credential", "manual"])
def test_a_consumer_that_is_not_installed_is_a_notice(bench: Bench, wiring: dict[str, str]) -> None:
    del bench.github.state["workflows"][CONSUMERS[REVIEW]]
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    result = bench.run("handoff", environment("handoff", **PUSH, **wiring))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
    assert bench.github.comments(NUMBER) == []
    assert bench.github.dispatches() == []
    assert result.told("notice") == [
        "No installed workflow takes up bmad-review, so #7 waits for a person. "
        "Install code-review.lock.yml to go on by itself.",
        "#7 is now in state bmad-review.",
    ]
    assert {call.token for call in bench.github.calls()} == {TOKEN}


def test_a_consumer_that_is_switched_off_stops_the_item(bench: Bench) -> None:
    bench.github.workflow(CONSUMERS[REVIEW], state="disabled_manually")
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.run("handoff", environment("handoff", **PUSH))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW, BREAKER])


# What did not happen


@pytest.mark.parametrize(
    ("changes", "what", "todo"),
    [
        (
            {
                "ACTIVATION": "failure",
                "AGENT": "skipped",
                "DETECTION": "skipped",
                "OUTPUTS": "skipped",
                "GATE": "",
            },
            "The run failed before its agent started (failure).",
            f"{LOOK} Often a secret is missing.",
        ),
        ({"ACTIVATION": "cancelled"}, "The run failed before its agent started (cancelled).", None),
        (
            {"AGENT": "failure", "DETECTION": "skipped", "OUTPUTS": "skipped", "GATE": ""},
            "The agent did not finish its work (failure).",
            LOOK,
        ),
        ({"AGENT": "cancelled"}, "The agent did not finish its work (cancelled).", LOOK),
        (
            {"DETECTION": "failure", "OUTPUTS": "skipped", "GATE": ""},
            "Threat detection stopped the outputs (failure).",
            f"{LOOK} Judge what it found.",
        ),
        (
            {"GATE": "false", "OUTPUTS": "failure"},
            "The last look at the item before writing did not allow it, so nothing was written.",
            "Open the run and read its warnings.",
        ),
        (
            {"GATE": ""},
            "The last look at the item before writing did not allow it, so nothing was written.",
            None,
        ),
        (
            {"OUTPUTS": "failure"},
            "The outputs were not applied, or only in part (failure).",
            f"{LOOK} Check what is on the item.",
        ),
        ({"OUTPUTS": "skipped"}, "The outputs were not applied, or only in part (skipped).", None),
        ({"OUTPUTS": ""}, "The outputs were not applied, or only in part ().", None),
    ],
)
def test_a_run_that_failed_anywhere_stops_its_item(
    bench: Bench, changes: dict[str, str], what: str, todo: str | None
) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    result = bench.run("handoff", environment("handoff", **(PUSH | changes)))
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, BREAKER])
    (comment,) = bench.github.comments(NUMBER)
    assert f"- What happened: {what}\n" in comment
    if todo is not None:
        assert_stopped(bench, what, todo)
    assert len(result.told("warning")) == 1
    assert result.told("warning")[0].startswith(f"Stopped #7 for a person. {what} ")


@pytest.mark.parametrize("failed", ["ACTIVATION", "AGENT", "DETECTION", "OUTPUTS"])
def test_what_a_failed_run_left_behind_counts_for_nothing(bench: Bench, failed: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, APPROVE])
    bench.github.pull(PR)
    bench.run("handoff", environment("handoff", **VERDICT, **{failed: "failure"}))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW, BREAKER])
    bench.github.unlabel(NUMBER, BREAKER)
    bench.run("handoff", environment("handoff", **ENTRY, **{failed: "failure"}))
    assert bench.github.labels(PR) == []


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"SHA": ""}, "Nothing was pushed."),
        ({"SHA": "a" * 39}, "Nothing was pushed."),
        ({"SHA": "$(echo >CANARY)"}, "Nothing was pushed."),
        ({"SHA": "a" * 40 + "\n"}, "Nothing was pushed."),
        ({"PUSH_FAILURES": "1"}, "Nothing was pushed."),
        ({"PUSH_FAILURES": "unknown"}, "Nothing was pushed."),
        ({"SHA": "c" * 40}, f"The pushed commit {'c' * 40} is not there."),
    ],
)
def test_a_push_that_failed_stops_the_item(bench: Bench, changes: dict[str, str], what: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.run("handoff", environment("handoff", **(PUSH | changes)))
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, BREAKER])
    assert_stopped(bench, what, LOOK)


@pytest.mark.parametrize("failures", ["", "0"])
def test_no_failed_push_is_none_or_zero(bench: Bench, failures: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.run("handoff", environment("handoff", **PUSH, PUSH_FAILURES=failures))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])


@pytest.mark.parametrize(
    "message", ["Add the login form", "", "\n" + OURS, "$(echo >CANARY)\n::error::x", "x`'\"\n" * 13000]
)
def test_a_commit_message_of_another_form_is_a_warning(bench: Bench, message: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=message)
    result = bench.run("handoff", environment("handoff", **PUSH))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
    assert len(result.told("warning")) == 1
    assert "not of the pipeline's form" in result.told("warning")[0]


JUDGE = "Read the review, then leave the one state label that it calls for."


@pytest.mark.parametrize(
    ("verdicts", "what", "todo", "left"),
    [
        ([], "The review ended without a verdict.", JUDGE, []),
        ([APPROVE, ASK], "The review set more than one verdict.", JUDGE, []),
        (["bmad-verdict-maybe"], "A verdict label is on that does not exist.", f"Remove it. {JUDGE}", None),
        (
            ["bmad-verdict-maybe", APPROVE],
            "The review set more than one verdict.",
            JUDGE,
            ["bmad-verdict-maybe"],
        ),
        (
            ["bmad-verdict-$(echo >CANARY)"],
            "A verdict label is on that does not exist.",
            f"Remove it. {JUDGE}",
            None,
        ),
        (
            ["bmad-verdict-`'\"\n @all"],
            "A verdict label is on that does not exist.",
            f"Remove it. {JUDGE}",
            None,
        ),
        (["verdict-approve", "xbmad-verdict-approve"], "The review ended without a verdict.", JUDGE, None),
    ],
    ids=["missing", "double", "unknown", "unknown and known", "a command", "quotes", "similar"],
)
def test_an_unclear_verdict_stops_the_item(
    bench: Bench, verdicts: list[str], what: str, todo: str, left: list[str] | None
) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, *verdicts])
    bench.run("handoff", environment("handoff", **VERDICT))
    rest = verdicts if left is None else left
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW, BREAKER, *rest])
    assert_stopped(bench, what, todo)


@pytest.mark.parametrize("created", ["", "0", "9\n8", "$(echo >CANARY)", "9/../8", "-1"])
def test_a_story_without_a_pull_request_stops_the_issue(bench: Bench, created: str) -> None:
    bench.github.issue(NUMBER)
    bench.run("handoff", environment("handoff", **(ENTRY | {"CREATED": created})))
    assert bench.github.labels(NUMBER) == [BREAKER]
    assert_stopped(bench, "No pull request was opened.", LOOK)


def test_a_pull_request_that_cannot_be_marked_stops_the_issue(bench: Bench) -> None:
    bench.github.issue(NUMBER)
    bench.github.pull(PR)
    bench.github.fault("POST .*/issues/9/labels")
    bench.run("handoff", environment("handoff", **ENTRY))
    assert_stopped(
        bench,
        "The new pull request #9 could not be labelled bmad-pipeline.",
        "Set bmad-pipeline there, then bmad-dev.",
    )


# A person was faster


@pytest.mark.parametrize("mode", [PUSH, VERDICT, ENTRY], ids=["push", "verdict", "entry"])
@pytest.mark.parametrize("agent", ["success", "failure"])
def test_a_stopped_item_is_not_moved(bench: Bench, mode: dict[str, str], agent: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, ASK, BREAKER], message=OURS)
    bench.github.pull(PR)
    result = bench.run("handoff", environment("handoff", **mode, AGENT=agent))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW, BREAKER])
    assert bench.github.labels(PR) == []
    assert bench.github.comments(NUMBER) == []
    assert bench.github.dispatches() == []
    assert result.told("notice") == [
        "#7 waits for a person; its state was not moved. Remove the label needs-human-intervention to go on."
    ]


@pytest.mark.parametrize("merged", [False, True])
def test_a_closed_item_is_not_moved(bench: Bench, merged: bool) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.github.close(NUMBER, merged=merged)
    result = bench.run("handoff", environment("handoff", **PUSH))
    assert bench.github.writes() == []
    assert result.told("notice") == [
        "#7 was closed; its state was not moved. To go on, reopen it and set its label again."
    ]


# GitHub fails

CALLS = {
    "reading the item": ("GET .*/issues/7$", [MARK, DEV]),
    "reading the commit": ("GET .*/commits/", [MARK, DEV, BREAKER]),
    "setting the next state": ("POST .*/labels", [MARK, DEV]),
    "taking the old state off": ("DELETE .*/labels/bmad-dev", [MARK, DEV, REVIEW]),
    "waking": ("POST .*/dispatches", [MARK, REVIEW, BREAKER]),
    "asking for the consumer": ("GET .*/workflows/", [MARK, REVIEW]),
}


@pytest.mark.parametrize("times", [1, 2, ALWAYS])
@pytest.mark.parametrize("call", CALLS)
def test_each_call_is_tried_three_times_and_then_nothing_is_guessed(
    bench: Bench, call: str, times: int
) -> None:
    match, left = CALLS[call]
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.github.fault(match, times=times)
    result = bench.run("handoff", environment("handoff", **PUSH))
    if times != ALWAYS or call == "asking for the consumer":
        assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
        assert bench.github.dispatches() == dispatched(REVIEW)
        return
    assert bench.github.labels(NUMBER) == sorted(left)
    assert result.told("error") + result.told("warning")
    woken = call == "taking the old state off"
    assert bool(bench.github.dispatches()) is woken


def test_an_item_that_cannot_be_read_is_left_and_said(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.github.fault("GET .*/issues/7$")
    result = bench.run("handoff", environment("handoff", **PUSH))
    assert bench.github.writes() == []
    assert result.told("error") == [
        "Could not read #7, so its state was not moved. The sweeper finds it, or set the next label by hand."
    ]


@pytest.mark.parametrize("body", ["<html>", "", "[]", "{}", '{"labels": []}', "null"])
def test_an_answer_that_is_no_answer_moves_nothing(bench: Bench, body: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.github.fault("GET .*/issues/7$", 200, body=body)
    result = bench.run("handoff", environment("handoff", **PUSH), noise=True)
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV])
    assert bench.github.dispatches() == []
    assert len(result.told("error")) == 1


def test_a_verdict_that_stays_on_stops_the_item(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, APPROVE])
    bench.github.fault("DELETE .*/bmad-verdict-approve")
    bench.run("handoff", environment("handoff", **VERDICT))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW, APPROVE, BREAKER])
    assert_stopped(
        bench,
        "The verdict could not be taken off again.",
        "Remove the label bmad-verdict-approve, which would count for the next review.",
    )


@pytest.mark.parametrize("token", ["", "expired", "weak"])
def test_a_credential_that_does_not_work_leaves_the_state_right_and_stops(bench: Bench, token: str) -> None:
    bench.github.token("weak", PERSON, {"issues": "read"})
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.run("handoff", environment("handoff", **PUSH, WAKING="credential", WAKE_TOKEN=token))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW, BREAKER])
    assert_stopped(
        bench,
        "#7 could not be moved to bmad-review, or the next workflow could not be woken.",
        "Check the token and its permissions.",
    )


def test_a_dispatch_that_was_taken_but_reported_as_failed_is_sent_again_and_is_no_stop(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.github.fault("/dispatches", times=1, applied=True)
    bench.run("handoff", environment("handoff", **PUSH))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])


def test_the_rights_that_a_handoff_needs(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    bench.github.token(TOKEN, BOT, {"issues": "write", "contents": "read", "actions": "write"})
    bench.run("handoff", environment("handoff", **PUSH))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
    assert bench.github.dispatches() == dispatched(REVIEW)


@pytest.mark.parametrize(
    "text", ["a\"b'c", "a\n::error::b\ngo=true", "$(echo >CANARY)", "`echo >CANARY`", "x`'\"\n" * 13000]
)
def test_titles_bodies_and_labels_are_only_data(bench: Bench, text: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, ASK, text], title=text, body=text, ref=text)
    result = bench.run("handoff", environment("handoff", **VERDICT))
    assert bench.github.labels(NUMBER) == sorted([MARK, CHANGES, text])
    assert [a.text for a in result.annotations] == ["#7 is now in state bmad-changes."]
