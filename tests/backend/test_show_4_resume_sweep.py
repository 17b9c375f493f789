"""Going on after a stop, and finding what fell silent, under real bash and jq."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bmadc.machine import protocol
from bmadc.machine.budgets import BUDGETS
from support.fakegh import BOT, PERSON, TOKEN, WAKE_TOKEN, FakeGitHub
from support.names import APPROVED, BREAKER, CHANGES, DEV, MARK, REVIEW, SWEPT
from support.shell import CONSUMERS, NUMBER, STATES, Bench, environment, lock_of

pytestmark = pytest.mark.needs("jq")

COMMAND = {"MODE": "command"}
CREDENTIAL = {"WAKING": "credential", "WAKE_TOKEN": WAKE_TOKEN}
MANUAL = {"WAKING": "manual"}
Scene = Callable[[FakeGitHub], None]
SILENCE = BUDGETS.silence_minutes * 60


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    for worker in protocol.WORKERS:
        bench.github.workflow(lock_of(worker))
    return bench


def woken(github: FakeGitHub) -> list[tuple[str, str]]:
    return [(file, inputs["pr"]) for file, inputs in github.dispatches()]


# resume


@pytest.mark.parametrize("mode", ["unlabeled", "command"])
@pytest.mark.parametrize("state", CONSUMERS)
def test_resume_wakes_the_state_that_is_on(bench: Bench, state: str, mode: str) -> None:
    bench.github.pull(NUMBER, [MARK, state, SWEPT, *([BREAKER] if mode == "command" else [])])
    result = bench.run("resume", environment("resume", MODE=mode))
    assert bench.github.labels(NUMBER) == sorted([MARK, state])
    assert woken(bench.github) == [(CONSUMERS[state], "7")]
    assert result.told("notice") == [f"#7 goes on in state {state}."]


def test_after_a_resume_the_count_starts_again(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    for _ in range(3):
        for old, new in ((DEV, REVIEW), (REVIEW, CHANGES), (CHANGES, DEV)):
            bench.github.label(NUMBER, new, BOT)
            bench.github.unlabel(NUMBER, old, BOT)
    guard = environment("guard", LABEL=DEV)
    assert bench.run("guard", guard).outputs["code"] == "cycles"
    bench.run("halt", environment("halt"))
    assert bench.run("guard", guard).outputs["code"] == "halted"
    bench.run("resume", environment("resume", **COMMAND))
    after = bench.run("guard", guard)
    assert (after.outputs["code"], after.outputs["cycle"]) == ("go", "1")


@pytest.mark.parametrize(
    ("permission", "may"),
    [
        ("admin", True),
        ("maintain", True),
        ("write", True),
        ("triage", False),
        ("read", False),
        ("none", False),
        (None, False),
    ],
)
def test_only_people_who_may_write_resume_by_comment(bench: Bench, permission: str | None, may: bool) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, BREAKER])
    if permission is not None:
        bench.github.collaborator("eve", permission)
    result = bench.run("resume", environment("resume", **COMMAND, ACTOR="eve"))
    assert (BREAKER in bench.github.labels(NUMBER)) is not may
    assert bool(bench.github.dispatches()) is may
    assert bool(result.told("warning")) is not may


@pytest.mark.parametrize(
    "actor", ["", "../admin", "ada/../eve", "$(echo >CANARY)", "a b", "ada\nx", "some-app[bot]"]
)
def test_an_actor_that_is_no_name_resumes_nothing(bench: Bench, actor: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, BREAKER])
    result = bench.run("resume", environment("resume", **COMMAND, ACTOR=actor))
    assert bench.github.writes() == []
    assert len(result.told("warning")) == 1


def closed(github: FakeGitHub) -> None:
    github.pull(NUMBER, [MARK, DEV])
    github.close(NUMBER)


LEFT_ALONE: dict[str, tuple[Scene, dict[str, str], str]] = {
    "stopped again": (
        lambda g: g.pull(NUMBER, [MARK, DEV, BREAKER]),
        {},
        "#7 was stopped again. Nothing to do.",
    ),
    "closed": (closed, {}, "#7 is closed. To go on, reopen it and set its label again."),
    "not in the pipeline": (
        lambda g: g.pull(NUMBER, [DEV]),
        {},
        "#7 is not in the pipeline. To take it in, add the label bmad-pipeline and a state label.",
    ),
}


@pytest.mark.parametrize("row", LEFT_ALONE)
def test_resume_leaves_alone_what_is_not_its_business(bench: Bench, row: str) -> None:
    scene, env, said = LEFT_ALONE[row]
    scene(bench.github)
    result = bench.run("resume", environment("resume", **env))
    assert bench.github.writes() == []
    assert result.told("notice") == [said]


SAID: dict[str, tuple[Scene, dict[str, str], str]] = {
    "nothing to resume": (
        lambda g: g.pull(NUMBER, [MARK, DEV]),
        COMMAND,
        "Nothing to resume: the label needs-human-intervention is not on this item.",
    ),
    "an issue": (
        lambda g: g.issue(NUMBER),
        {},
        "Released. To go on, add the label that starts the work again; if it is still on, take it off first.",
    ),
    "no state": (
        lambda g: g.pull(NUMBER, [MARK]),
        {},
        "Released, but 0 state labels are on. Take off what is on, then add exactly one of: "
        + " ".join(STATES)
        + ".",
    ),
    "two states": (
        lambda g: g.pull(NUMBER, [MARK, DEV, CHANGES]),
        {},
        "Released, but 2 state labels are on. Take off what is on, then add exactly one of: "
        + " ".join(STATES)
        + ".",
    ),
}


@pytest.mark.parametrize("row", SAID)
def test_resume_says_on_the_item_what_a_person_has_to_do(bench: Bench, row: str) -> None:
    scene, env, said = SAID[row]
    scene(bench.github)
    before = bench.github.labels(NUMBER)
    result = bench.run("resume", environment("resume", **env))
    assert bench.github.comments(NUMBER) == [said]
    assert bench.github.labels(NUMBER) == before
    assert bench.github.dispatches() == []
    assert result.told("notice") == [f"#7: {said}"]


def test_resume_with_a_credential_sets_the_label_anew(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, CHANGES])
    bench.run("resume", environment("resume", **CREDENTIAL))
    last = bench.github.events(NUMBER)[-2:]
    assert [(e["event"], e["actor"]["login"]) for e in last] == [("unlabeled", BOT), ("labeled", PERSON)]
    assert bench.github.labels(NUMBER) == sorted([MARK, CHANGES])


def test_resume_by_hand_names_the_label(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, CHANGES])
    bench.run("resume", environment("resume", **MANUAL))
    assert bench.github.labels(NUMBER) == [MARK]
    assert bench.github.comments(NUMBER) == [
        "Next: add the label `bmad-changes` to go on. Nothing happens until a person does."
    ]


def test_resume_after_the_end_of_the_loop_wakes_nobody(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, APPROVED])
    bench.run("resume", environment("resume"))
    assert bench.github.labels(NUMBER) == sorted([MARK, APPROVED])
    assert bench.github.dispatches() == []


@pytest.mark.parametrize(
    ("match", "left", "level"),
    [
        ("GET .*/issues/7$", [MARK, DEV, BREAKER], "error"),
        ("/collaborators/", [MARK, DEV, BREAKER], "warning"),
        ("DELETE .*/needs-human-intervention", [MARK, DEV, BREAKER], "error"),
        ("/dispatches", [MARK, DEV], "error"),
    ],
)
def test_resume_says_which_call_failed(bench: Bench, match: str, left: list[str], level: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, BREAKER])
    bench.github.fault(match)
    result = bench.run("resume", environment("resume", **COMMAND))
    assert bench.github.labels(NUMBER) == sorted(left)
    assert len(result.told(level)) == 1
    assert bench.github.dispatches() == []


@pytest.mark.parametrize("body", ["<html>", "", "[]", "{}", '{"labels": []}', "null"])
def test_resume_does_nothing_on_an_answer_that_is_no_answer(bench: Bench, body: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.fault("GET .*/issues/7$", 200, body=body)
    bench.run("resume", environment("resume"), noise=True)
    assert bench.github.writes() == []


# sweep


def sweep(bench: Bench, later: int = SILENCE, env: dict[str, str] | None = None) -> list[str]:
    result = bench.run("sweep", environment("sweep", NOW=str(bench.github.now + later), **(env or {})))
    return [f"{a.level}: {a.text}" for a in result.annotations]


def test_a_silent_state_is_woken_once_and_then_stopped(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    assert sweep(bench) == ["notice: #7 was silent in state bmad-dev and was woken once."]
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, SWEPT])
    assert woken(bench.github) == [(CONSUMERS[DEV], "7")]
    (said,) = sweep(bench)
    assert said.startswith("warning: Stopped #7 for a person. Nothing happened in state bmad-dev")
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, SWEPT, BREAKER])
    assert "Look for a failed run of dev-story.lock.yml." in bench.github.comments(NUMBER)[0]
    assert sweep(bench) == []
    assert len(bench.github.dispatches()) == 1


@pytest.mark.parametrize(("later", "woken_now"), [(0, False), (SILENCE - 1, False), (SILENCE, True)])
def test_silence_has_a_length(bench: Bench, later: int, woken_now: bool) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    sweep(bench, later)
    assert bool(bench.github.dispatches()) is woken_now


def test_silence_counts_from_the_last_state_that_was_set(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, APPROVED])
    bench.github.tick(SILENCE)
    bench.github.label(NUMBER, DEV)
    assert sweep(bench, 0) == []
    assert bench.github.writes() == []


@pytest.mark.parametrize("status", ["queued", "in_progress", "waiting", "pending", "requested"])
def test_a_run_that_works_on_it_is_no_silence(bench: Bench, status: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.run("bmad-dev-story #7", status)
    assert sweep(bench) == []
    assert bench.github.writes() == []


@pytest.mark.parametrize(
    ("title", "status"),
    [
        ("bmad-dev-story #7", "completed"),
        ("Dev story #77", "queued"),
        ("x#7", "queued"),
        ("$(x) `", "queued"),
    ],
)
def test_a_run_of_something_else_is_silence(bench: Bench, title: str, status: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.run(title, status)
    sweep(bench)
    assert len(bench.github.dispatches()) == 1


def test_a_run_on_a_later_page_is_found(bench: Bench) -> None:
    bench.github.state["page_limit"] = 2
    bench.github.pull(NUMBER, [MARK, DEV])
    for title in ("a", "b", "c", "d", "bmad-dev-story #7"):
        bench.github.run(title)
    assert sweep(bench) == []


@pytest.mark.parametrize("merged", [False, True], ids=["page after page", "one array"])
def test_every_item_is_looked_at(bench: Bench, merged: bool) -> None:
    bench.github.state |= {"page_limit": 2, "merge_pages": merged}
    for number in (11, 12, 13):
        bench.github.pull(number, [MARK, REVIEW])
    bench.github.issue(14, [MARK, REVIEW])
    sweep(bench)
    assert sorted(woken(bench.github)) == [(CONSUMERS[REVIEW], str(n)) for n in (11, 12, 13)]


IGNORED: dict[str, Scene] = {
    "the end of the loop": lambda g: g.pull(NUMBER, [MARK, APPROVED]),
    "stopped": lambda g: g.pull(NUMBER, [MARK, DEV, BREAKER]),
    "stopped with two states": lambda g: g.pull(NUMBER, [MARK, DEV, REVIEW, BREAKER]),
    "a draft": lambda g: g.pull(NUMBER, [MARK, DEV], draft=True),
    "not in the pipeline": lambda g: g.pull(NUMBER, [DEV]),
    "closed": closed,
    "an issue": lambda g: g.issue(NUMBER, [MARK, DEV]),
}


@pytest.mark.parametrize("row", IGNORED)
def test_the_sweeper_leaves_alone_what_waits_rightly(bench: Bench, row: str) -> None:
    IGNORED[row](bench.github)
    assert sweep(bench) == []
    assert bench.github.writes() == []


def test_a_state_without_an_installed_consumer_waits_rightly(bench: Bench) -> None:
    bench.github.state["workflows"] = {}
    bench.github.pull(NUMBER, [MARK, DEV])
    assert sweep(bench) == []
    assert bench.github.writes() == []


def test_two_states_and_silence_are_stopped(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, REVIEW])
    sweep(bench)
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, REVIEW, BREAKER])
    assert "Leave exactly one state label on." in bench.github.comments(NUMBER)[0]
    assert bench.github.dispatches() == []


def test_the_sweeper_with_a_credential_sets_the_label_anew_and_that_is_no_strike(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.label(NUMBER, CHANGES, BOT)
    bench.github.unlabel(NUMBER, REVIEW, BOT)
    before = bench.run("guard", environment("guard", LABEL=CHANGES)).outputs["cycle"]
    sweep(bench, env=CREDENTIAL)
    after = bench.run("guard", environment("guard", LABEL=CHANGES)).outputs["cycle"]
    assert [c.body for c in bench.github.writes() if c.token == WAKE_TOKEN] == [{"labels": [CHANGES]}]
    assert before == after == "2"


def test_the_sweeper_by_hand_asks_a_person_once(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    sweep(bench, env=MANUAL)
    assert bench.github.labels(NUMBER) == sorted([MARK, SWEPT])
    assert len(bench.github.comments(NUMBER)) == 1
    assert sweep(bench, env=MANUAL) == []


@pytest.mark.parametrize(
    ("match", "said", "stopped"),
    [
        ("GET .*/issues\\?", "error: Could not list the pull requests of the pipeline.", False),
        ("GET .*/runs\\?status=waiting", "error: Could not list the runs, so silence cannot be told", False),
        ("GET .*/issues/7/timeline", "warning: Could not read the history of #7.", False),
        (
            "/dispatches",
            "warning: Stopped #7 for a person. It was silent in state bmad-dev and could not",
            True,
        ),
    ],
)
def test_the_sweeper_guesses_nothing(bench: Bench, match: str, said: str, stopped: bool) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.fault(match)
    (told,) = sweep(bench)
    assert told.startswith(said)
    assert (BREAKER in bench.github.labels(NUMBER)) is stopped
    assert stopped or bench.github.writes() == []


def test_the_sweeper_outlives_short_failures(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    for match in ("GET .*/issues", "/runs", "/timeline", "POST .*/labels", "/dispatches"):
        bench.github.fault(match, times=2)
    sweep(bench)
    assert woken(bench.github) == [(CONSUMERS[DEV], "7")]


@pytest.mark.parametrize("match", ["/issues\\?", "/runs", "/timeline"])
@pytest.mark.parametrize("body", ["", "null", "[1]"])
def test_the_sweeper_does_nothing_on_an_answer_that_is_no_answer(bench: Bench, match: str, body: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.fault(match, 200, body=body)
    bench.run("sweep", environment("sweep", NOW=str(bench.github.now + SILENCE)), noise=True)
    assert bench.github.writes() == []


def test_without_a_given_time_the_clock_of_the_machine_is_read(bench: Bench) -> None:
    bench.github.state["clock"] = 0
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.run("sweep", environment("sweep"))
    assert len(bench.github.dispatches()) == 1


def test_a_schedule_that_names_no_branch_wakes_on_its_own(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    sweep(bench, env={"DEFAULT_BRANCH": ""})
    assert [call.body["ref"] for call in bench.github.writes() if "dispatches" in call.path] == ["main"]


def test_the_rights_that_the_sweeper_needs(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    bench.github.token(TOKEN, BOT, {"issues": "write", "actions": "write"})
    sweep(bench)
    assert len(bench.github.dispatches()) == 1


def test_who_may_only_label_cannot_resume_by_taking_the_label_off(bench: Bench) -> None:
    bench.github.collaborator("eve", "triage")
    bench.github.pull(NUMBER, [MARK, DEV])
    result = bench.run("resume", environment("resume", ACTOR="eve"))
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, BREAKER])
    assert woken(bench.github) == []
    assert "Only people with write access may resume #7" in result.told("warning")[0]


@pytest.mark.parametrize("state", [DEV, CHANGES, APPROVED])
def test_what_a_person_pushed_meanwhile_is_reviewed_first(bench: Bench, state: str) -> None:
    bench.github.pull(NUMBER, [MARK, state], message="My own fix")
    bench.run("resume", environment("resume"))
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
    assert woken(bench.github) == [(CONSUMERS[REVIEW], str(NUMBER))]


def test_the_sweeper_starts_nothing_for_who_may_only_label(bench: Bench) -> None:
    bench.github.collaborator("eve", "triage")
    bench.github.pull(NUMBER, [MARK])
    bench.github.label(NUMBER, DEV, "eve")
    sweep(bench)
    assert bench.github.writes() == []


@pytest.mark.parametrize("waking", ["bus", "credential", "manual"])
def test_a_pull_request_that_lost_its_state_is_stopped_where_jobs_set_it(bench: Bench, waking: str) -> None:
    bench.github.pull(NUMBER, [MARK])
    sweep(bench, env={"WAKING": waking})
    assert (BREAKER in bench.github.labels(NUMBER)) == (waking != "manual")


@pytest.mark.parametrize("spelling", ["Needs-Human-Intervention", "NEEDS-HUMAN-INTERVENTION"])
def test_a_label_counts_in_any_case(bench: Bench, spelling: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, spelling])
    assert bench.run("guard", environment("guard")).outputs["code"] == "halted"
    assert bench.run("gate", environment("gate")).outputs["open"] == "false"
    sweep(bench)
    assert bench.github.writes() == []
