"""The guard under real bash and jq, table by table: who may start, when it refuses, what it says."""

import json
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from bmadc.backend.jobs import wakes
from bmadc.machine import protocol
from bmadc.machine.budgets import BUDGETS, allowed
from support.fakegh import BOT, PERSON, TOKEN, FakeGitHub
from support.names import APPROVED, BREAKER, CHANGES, DEV, MARK, REVIEW
from support.shell import NUMBER, STATES, TITLE, Annotation, Bench, Result, environment

pytestmark = pytest.mark.needs("jq")

APP = "some-app[bot]"
NEW_SHA = "b" * 40
OURS = "[DEV] [STEP-5] Add the login form"

Scene = Callable[[FakeGitHub], None]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def context(item_type: object = "pull_request", item_number: object = str(NUMBER)) -> str:
    return json.dumps({"item_type": item_type, "item_number": item_number})


def cause(of: protocol.Cause, **more: str) -> dict[str, str]:
    """The environment of a run with this cause."""
    if of is protocol.Cause.DISPATCH:
        return {"EVENT": "workflow_dispatch", "ACTION": "", "LABEL": "", "CONTEXT": context()} | more
    event = "pull_request_review" if of is protocol.Cause.CHANGES_REQUESTED else "pull_request"
    return {"EVENT": event, "ACTION": of.value, "LABEL": ""} | more


def labeled(name: str) -> dict[str, str]:
    return cause(protocol.Cause.LABELED, LABEL=name)


DISPATCH = cause(protocol.Cause.DISPATCH)
READY = cause(protocol.Cause.READY)


def started(result: Result) -> bool:
    """Whether the run may start; a start says nothing, everything else says one thing, where people look."""
    go = result.outputs["go"] == "true"
    assert (result.outputs["code"] == "go") is go
    assert not (go and result.outputs["halt"] == "true")
    if go:
        assert result.annotations == ()
        return True
    level = "notice" if result.outputs["code"] == "own-push" else "warning"
    assert result.annotations == (Annotation(level, TITLE, result.outputs["reason"]),)
    return False


# The loop, act by act


def to(github: FakeGitHub, state: str, actor: str = BOT) -> None:
    """Moves the state as a handoff does: the new label on, then the old ones off."""
    github.label(NUMBER, state, actor)
    for name in STATES:
        if name != state and name in github.labels(NUMBER):
            github.unlabel(NUMBER, name, actor)


def strikes(github: FakeGitHub, count: int) -> None:
    """So many rounds of implementation, review, changes."""
    for _ in range(count):
        to(github, REVIEW)
        to(github, CHANGES)


def resumed(github: FakeGitHub) -> None:
    github.label(NUMBER, BREAKER, BOT)
    github.unlabel(NUMBER, BREAKER, PERSON)


@pytest.mark.parametrize("count", range(6))
def test_three_attempts_are_allowed_and_the_fourth_is_refused(bench: Bench, count: int) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    strikes(bench.github, count)
    result = bench.run("guard", environment("guard", **DISPATCH))
    assert result.outputs["cycle"] == str(count + 1)
    assert started(result) is allowed(count + 1, BUDGETS.cycles)
    if not started(result):
        assert result.outputs["code"] == "cycles"
        assert result.outputs["halt"] == "true"
        assert "3 review cycles reached. Halting." in result.outputs["reason"]


def reviews(state: str, login: str, *, dismissed: bool = False) -> Scene:
    """Two strikes with a review each, as the pipeline or a person wrote them."""

    def act(github: FakeGitHub) -> None:
        for _ in range(2):
            to(github, REVIEW)
            review = github.review(NUMBER, state, login)
            if dismissed:
                github.dismiss(NUMBER, review)
            to(github, CHANGES)

    return act


def then(*acts: Scene) -> Scene:
    def act(github: FakeGitHub) -> None:
        for one in acts:
            one(github)

    return act


def by_person(github: FakeGitHub) -> None:
    """A person asks for changes; the run that this starts sets the state."""
    github.review(NUMBER, "CHANGES_REQUESTED", PERSON)
    to(github, CHANGES)


def set_again(github: FakeGitHub) -> None:
    """What a credential does to wake a state that is set already."""
    github.unlabel(NUMBER, CHANGES, BOT)
    github.label(NUMBER, CHANGES, PERSON)


def strike(count: int) -> Scene:
    return lambda github: strikes(github, count)


def move(state: str) -> Scene:
    return lambda github: to(github, state)


def similar_labels(github: FakeGitHub) -> None:
    for name in ("bmad-changes-requested", "Bmad-Changes", "changes"):
        github.label(NUMBER, name)
        github.unlabel(NUMBER, name)
    github.unlabel(NUMBER, CHANGES)
    github.label(NUMBER, CHANGES)


HISTORIES: dict[str, tuple[Scene, int]] = {
    "reviews of the pipeline": (reviews("CHANGES_REQUESTED", BOT), 3),
    "reviews of an app": (reviews("CHANGES_REQUESTED", APP), 3),
    "reviews downgraded to comments": (reviews("COMMENTED", BOT), 3),
    "reviews dismissed": (reviews("CHANGES_REQUESTED", BOT, dismissed=True), 3),
    "a person's comments reset nothing": (reviews("COMMENTED", PERSON), 3),
    "a person's approval resets nothing": (reviews("APPROVED", PERSON), 3),
    "a person's dismissed request resets nothing": (reviews("CHANGES_REQUESTED", PERSON, dismissed=True), 3),
    "a person's request resets": (then(strike(3), by_person), 1),
    "a person's request in review is no strike of its own": (then(strike(1), move(REVIEW), by_person), 1),
    "two strikes after a person's request": (then(strike(3), by_person, strike(2)), 3),
    "three strikes after a person's request": (then(by_person, strike(3)), 4),
    "resume resets": (then(strike(3), resumed), 1),
    "two strikes after a resume": (then(strike(3), resumed, strike(2)), 3),
    "three strikes after a resume": (then(strike(3), resumed, strike(3)), 4),
    "resumed in review, then a strike": (then(strike(2), move(REVIEW), resumed, move(CHANGES)), 2),
    "the later of two resets counts, resume last": (then(by_person, strike(2), resumed, strike(1)), 2),
    "the later of two resets counts, person last": (then(resumed, strike(2), by_person, strike(1)), 2),
    "setting the label again is no strike": (then(strike(1), set_again, set_again), 2),
    "setting the label again after a resume is no strike": (then(strike(3), resumed, set_again), 1),
    "similar labels are no strikes": (then(strike(1), similar_labels), 2),
}


@pytest.mark.parametrize("history", HISTORIES)
def test_cycles_are_counted_from_the_last_human_act(bench: Bench, history: str) -> None:
    act, cycle = HISTORIES[history]
    bench.github.pull(NUMBER, [MARK, DEV])
    act(bench.github)
    result = bench.run("guard", environment("guard", **DISPATCH))
    assert result.outputs["cycle"] == str(cycle)
    assert started(result) is (cycle <= 3)


@pytest.mark.parametrize("merged", [False, True], ids=["page after page", "one array"])
def test_a_long_history_is_read_to_its_end(bench: Bench, merged: bool) -> None:
    bench.github.state |= {"page_limit": 2, "merge_pages": merged}
    bench.github.pull(NUMBER, [MARK, DEV])
    strikes(bench.github, 3)
    assert bench.run("guard", environment("guard", **DISPATCH)).outputs["code"] == "cycles"


# Who takes what up


@pytest.mark.parametrize("worker", protocol.WORKERS, ids=lambda w: w.id)
@pytest.mark.parametrize(
    ("why", "state"),
    list(product(protocol.Cause, (protocol.NO_STATE, *STATES))),
    ids=lambda v: getattr(v, "value", v),
)
def test_a_worker_starts_on_the_rows_of_the_protocol_and_on_no_other(
    bench: Bench, worker: protocol.Worker, why: protocol.Cause, state: str
) -> None:
    bench.github.pull(NUMBER, [MARK, *([state] if state in STATES else [])], message="A change")
    env = cause(why, LABEL=state if why is protocol.Cause.LABELED else "", WAKES=wakes(worker))
    if why is protocol.Cause.CHANGES_REQUESTED:
        env["REVIEW"] = str(bench.github.review(NUMBER, "CHANGES_REQUESTED"))
    enters = {wake.enters for wake in protocol.wakes(worker) if (wake.cause, wake.state) == (why, state)}

    result = bench.run("guard", environment("guard", **env))

    assert started(result) is bool(enters)
    assert result.outputs["enters"] == "".join(enters)
    assert result.outputs["state"] == state
    assert result.outputs["code"] == ("go" if enters else "state")
    assert result.outputs["halt"] == "false"
    assert result.outputs["head_ref"] == "story/1"


# Every reason to refuse


def pull(*names: str, **more: object) -> Scene:
    return lambda github: github.pull(NUMBER, [MARK, *names], **more)  # type: ignore[arg-type]


def closed(*, merged: bool) -> Scene:
    def act(github: FakeGitHub) -> None:
        github.pull(NUMBER, [MARK, DEV])
        github.close(NUMBER, merged=merged)

    return act


def foreign(*names: str) -> Scene:
    return lambda github: github.pull(NUMBER, list(names))


def issue(*names: str, **more: object) -> Scene:
    return lambda github: github.issue(NUMBER, names, **more)


def closed_issue(github: FakeGitHub) -> None:
    github.issue(NUMBER)
    github.close(NUMBER)


STORY = {"EVENT": "issues", "ACTION": "labeled", "LABEL": "bmad-story", "KIND": "issues", "WAKES": ""}
STORY_DISPATCH = STORY | {"EVENT": "workflow_dispatch", "ACTION": "", "LABEL": ""}
# A label for any pull request, whether it is in the pipeline or not.
WALK = labeled("bmad-walkthrough") | {"WAKES": ""}
WALK_DISPATCH = DISPATCH | {"WAKES": ""}
MISTAKE = {"MISTAKE": "This is closed. Reopen it."}
PUSHED = cause(protocol.Cause.PUSHED, WAKES=wakes(protocol.CODE_REVIEW))
WRONG_CONFIG = {"CONFIG_ERROR": ".bmad/config.yaml: line 1: Tier must be 0-4, got: 6"}

ROWS: dict[str, tuple[Scene, dict[str, str], str, bool]] = {
    # name: (scene, environment, code, halt)
    "a label on the pull request": (pull(DEV), labeled(DEV), "go", False),
    "a label on an issue of the loop": (issue(MARK, DEV), labeled(DEV), "missing", False),
    "nothing there": (issue(), labeled(DEV) | {"NUMBER": "8"}, "missing", False),
    "no number": (pull(DEV), DISPATCH | {"NUMBER": ""}, "number", False),
    "a number that is a path": (pull(DEV), DISPATCH | {"NUMBER": "7/../8"}, "number", False),
    "a number with a second line": (pull(DEV), DISPATCH | {"NUMBER": "7\ngo=true"}, "number", False),
    "a number that is a command": (pull(DEV), DISPATCH | {"NUMBER": "$(echo >CANARY)"}, "number", False),
    "number zero": (pull(DEV), DISPATCH | {"NUMBER": "0"}, "number", False),
    "dispatch on a pull request without labels": (foreign(), DISPATCH, "foreign", False),
    "dispatch on a pull request without a state": (pull(), DISPATCH, "state", False),
    "a state without the mark": (foreign(DEV), labeled(DEV), "foreign", False),
    "the label was taken off again": (pull(), labeled(DEV), "state", False),
    "the label of another worker": (pull(REVIEW), labeled(REVIEW), "state", False),
    "closed": (closed(merged=False), labeled(DEV), "closed", False),
    "merged": (closed(merged=True), DISPATCH, "closed", False),
    "from a fork": (pull(DEV, repo="eve/demo"), labeled(DEV), "fork", False),
    "from a fork that is gone": (pull(DEV, repo=None), labeled(DEV), "fork", False),
    "a draft": (pull(DEV, draft=True), labeled(DEV), "draft", False),
    "a draft by dispatch": (pull(DEV, draft=True), DISPATCH, "draft", False),
    "a draft that ended": (pull(DEV), READY, "go", False),
    "stopped, by label": (pull(DEV, BREAKER), labeled(DEV), "halted", False),
    "stopped, by dispatch": (pull(DEV, BREAKER), DISPATCH, "halted", False),
    "stopped, by the end of a draft": (pull(DEV, BREAKER), READY, "halted", False),
    "stopped, by a push": (pull(DEV, BREAKER), PUSHED, "halted", False),
    "wrong settings": (pull(DEV), labeled(DEV) | WRONG_CONFIG, "config", True),
    "wrong settings do not touch a foreign item": (
        foreign(DEV),
        labeled(DEV) | WRONG_CONFIG,
        "foreign",
        False,
    ),
    "wrong settings and a draft": (pull(DEV, draft=True), DISPATCH | WRONG_CONFIG, "draft", False),
    "a branch that looks like an option": (pull(DEV, ref="-x"), DISPATCH, "branch", True),
    "a branch with a second line": (pull(DEV, ref="a\nb"), DISPATCH, "branch", True),
    "a branch with a blank": (pull(DEV, ref="a b"), DISPATCH, "branch", True),
    "a dash inside a branch": (pull(DEV, ref="story/a-b"), DISPATCH, "go", False),
    "dispatch without context": (pull(DEV), DISPATCH | {"CONTEXT": ""}, "context", False),
    "dispatch with a context that is no JSON": (pull(DEV), DISPATCH | {"CONTEXT": "{"}, "context", False),
    "dispatch with a context that is a text": (pull(DEV), DISPATCH | {"CONTEXT": '"x"'}, "context", False),
    "dispatch with a list as context": (pull(DEV), DISPATCH | {"CONTEXT": "[1]"}, "context", False),
    "dispatch for another item": (
        pull(DEV),
        DISPATCH | {"CONTEXT": context(item_number="8")},
        "context",
        False,
    ),
    "dispatch for an issue": (pull(DEV), DISPATCH | {"CONTEXT": context("issue")}, "context", False),
    "dispatch with a number as a number": (
        pull(DEV),
        DISPATCH | {"CONTEXT": context(item_number=7)},
        "go",
        False,
    ),
    "two states by dispatch": (pull(DEV, REVIEW), DISPATCH, "conflict", True),
    "two states by the end of a draft": (pull(DEV, REVIEW), READY, "conflict", True),
    "two states and a label that is none of them": (pull(DEV, REVIEW), labeled(CHANGES), "conflict", True),
    "two states, the label just set wins": (pull(DEV, REVIEW), labeled(DEV), "go", False),
    "two states, the label just set is another's": (pull(DEV, REVIEW), labeled(REVIEW), "state", False),
    "a person's push": (pull(APPROVED, message="Fix a typo"), PUSHED, "go", False),
    "a push of the pipeline": (pull(DEV, message=OURS), PUSHED, "own-push", False),
    "a push that only quotes the pipeline": (pull(DEV, message=f"Revert\n\n{OURS}"), PUSHED, "go", False),
    "a push with an empty message": (pull(DEV, message=""), PUSHED, "go", False),
    "an event that wakes nobody": (pull(DEV), {"EVENT": "push", "ACTION": ""}, "state", False),
    "a story": (issue("bmad-story"), STORY, "go", False),
    "a story by dispatch": (issue(), STORY_DISPATCH, "go", False),
    "a story on a pull request": (pull(), STORY, "kind", False),
    "a story on a closed issue": (closed_issue, STORY, "closed", False),
    "a story on a stopped issue": (issue(BREAKER), STORY, "halted", False),
    "a story with wrong settings": (issue(), STORY | WRONG_CONFIG, "config", True),
    "a story without an issue": (issue(), STORY | {"NUMBER": "9"}, "missing", False),
    "a mistake": (issue(), STORY | MISTAKE, "mistake", True),
    "a mistake and wrong settings": (issue(), STORY | MISTAKE | WRONG_CONFIG, "mistake", True),
    "a mistake on the wrong kind": (issue(DEV), labeled(DEV) | MISTAKE, "mistake", True),
    "a walkthrough": (foreign("bmad-walkthrough"), WALK, "go", False),
    "a walkthrough of a draft": (lambda g: g.pull(NUMBER, draft=True), WALK, "go", False),
    "a walkthrough in the pipeline, whatever the states": (pull(DEV, REVIEW), WALK, "go", False),
    "a walkthrough of a fork": (pull(repo="eve/demo"), WALK, "fork", False),
    "a walkthrough of a stopped pull request": (foreign(BREAKER), WALK, "halted", False),
    "a walkthrough of an issue": (issue(), WALK, "missing", False),
    "a walkthrough of a branch with a blank": (pull(ref="a b"), WALK, "branch", True),
    "a walkthrough with wrong settings": (foreign(), WALK | WRONG_CONFIG, "config", True),
    "a walkthrough by dispatch": (foreign(), WALK_DISPATCH, "go", False),
    "a walkthrough by hand": (foreign(), WALK_DISPATCH | {"CONTEXT": ""}, "context", False),
}


REASONS = {
    "go": "ok",
    "missing": "No such item of this kind. Label the right one.",
    "number": "The run names no item. Start it with a label.",
    "foreign": "Not in the pipeline. Add the label bmad-pipeline, then the state label.",
    "state": "Not due in state {state}. The state label says who is next.",
    "closed": "The item is closed. Reopen it, then set its label again.",
    "fork": "The branch is in a fork. Use one of this repository.",
    "draft": "Drafts are paused. Mark it as ready for review to go on.",
    "halted": "Waiting for a person. Remove the label needs-human-intervention to go on.",
    "config": ".bmad/config.yaml: line 1: Tier must be 0-4, got: 6",
    "branch": "Unusable branch name. Rename it.",
    "context": "A run by hand lacks its context. Set the label instead.",
    "conflict": "Several state labels: bmad-dev, bmad-review. Leave exactly one, then resume.",
    "own-push": "A push of the pipeline. Its handoff wakes the review.",
    "kind": "This is a pull request. Label an issue.",
    "mistake": "This is closed. Reopen it.",
}


@pytest.mark.parametrize("row", ROWS)
def test_each_reason_has_its_code_and_its_words(bench: Bench, row: str) -> None:
    scene, env, code, halt = ROWS[row]
    scene(bench.github)
    result = bench.run("guard", environment("guard", **env))
    assert (result.outputs["code"], result.outputs["halt"]) == (code, str(halt).lower())
    assert result.outputs["reason"] == REASONS[code].format(state=result.outputs["state"])
    assert set(result.outputs) == {"go", "halt", "code", "reason", "state", "enters", "cycle", "head_ref"}
    started(result)
    assert bench.github.writes() == []


SUBMITTED = cause(protocol.Cause.CHANGES_REQUESTED)


@pytest.mark.parametrize(
    ("state", "login", "dismissed", "code"),
    [
        ("CHANGES_REQUESTED", PERSON, False, "go"),
        ("CHANGES_REQUESTED", PERSON, True, "review"),
        ("CHANGES_REQUESTED", BOT, False, "review"),
        ("CHANGES_REQUESTED", APP, False, "review"),
        ("COMMENTED", PERSON, False, "review"),
        ("COMMENTED", BOT, False, "review"),
        ("APPROVED", PERSON, False, "review"),
    ],
)
def test_only_a_persons_standing_request_for_changes_wakes(
    bench: Bench, state: str, login: str, dismissed: bool, code: str
) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    review = bench.github.review(NUMBER, state, login)
    if dismissed:
        bench.github.dismiss(NUMBER, review)
    result = bench.run("guard", environment("guard", **SUBMITTED, REVIEW=str(review)))
    assert result.outputs["code"] == code
    assert started(result) is (code == "go")
    assert result.outputs["enters"] == CHANGES


@pytest.mark.parametrize("review", ["", "99999", "1;touch CANARY", "../8"])
def test_a_review_that_is_not_there_wakes_nobody(bench: Bench, review: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    result = bench.run("guard", environment("guard", **SUBMITTED, REVIEW=review))
    assert (result.outputs["code"], started(result)) == ("review", False)


# GitHub fails


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("endpoint", ["/pulls/7$", "/timeline", "/reviews/", "/commits/"])
def test_each_call_is_tried_three_times_and_then_stops_the_item(
    bench: Bench, endpoint: str, times: int
) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message="A change")
    bench.github.fault(endpoint, times=times)
    env = PUSHED
    if endpoint == "/reviews/":
        env = SUBMITTED | {"REVIEW": str(bench.github.review(NUMBER, "CHANGES_REQUESTED"))}
    result = bench.run("guard", environment("guard", **env))
    assert started(result) is (times < 3)
    assert (result.outputs["code"], result.outputs["halt"]) == (
        ("go", "false") if times < 3 else ("unreadable", "true")
    )


@pytest.mark.parametrize("endpoint", ["/timeline", "/commits/"])
@pytest.mark.parametrize(
    ("scene", "code"),
    [
        (foreign(DEV), "foreign"),
        (pull(DEV, repo="eve/demo"), "fork"),
        (pull(DEV, draft=True), "draft"),
        (pull(DEV, BREAKER), "halted"),
    ],
    ids=["foreign", "fork", "draft", "halted"],
)
def test_a_failure_never_stops_an_item_that_is_not_worked_on(
    bench: Bench, scene: Scene, code: str, endpoint: str
) -> None:
    scene(bench.github)
    bench.github.fault(endpoint)
    result = bench.run("guard", environment("guard", **PUSHED))
    assert (result.outputs["code"], result.outputs["halt"]) == (code, "false")


@pytest.mark.parametrize("endpoint", ["/pulls/7$", "/timeline", "/commits/"])
@pytest.mark.parametrize("body", ["<html>", "", "[]", '{"state": "open"}', "{} {}"])
def test_an_answer_that_is_no_answer_never_starts_a_run(bench: Bench, endpoint: str, body: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    strikes(bench.github, 3)
    bench.github.fault(endpoint, 200, body=body)
    env = DISPATCH if endpoint == "/timeline" else PUSHED
    result = bench.run("guard", environment("guard", **env), noise=True)
    assert result.outputs["go"] == "false"
    assert result.annotations != ()


@pytest.mark.parametrize(
    ("permissions", "code"),
    [
        ({"pull-requests": "read", "contents": "read"}, "go"),
        ({"pull-requests": "read"}, "unreadable"),
        ({"contents": "read", "issues": "write"}, "unreadable"),
    ],
)
def test_the_guard_needs_to_read_and_nothing_else(
    bench: Bench, permissions: dict[str, str], code: str
) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message="A change")
    bench.github.token(TOKEN, BOT, permissions)
    assert bench.run("guard", environment("guard", **PUSHED)).outputs["code"] == code


# Data that would like to be something else

HOSTILE = {
    "quotes": "a\"b'c\"\"d''",
    "newlines": "a\n::error::b\r\ngo=true\n",
    "command substitution": "$(echo >CANARY)",
    "backticks": "`echo >CANARY`",
    "separators and globs": "; echo >CANARY & echo >CANARY | echo >CANARY * ? [a-z] ~ {a,b}",
    "expressions and jq": '${{ secrets.GITHUB_TOKEN }}" | error("x") | "\\(env)',
    "workflow commands": "%0A::error::b %25 ##[error]b",
    "unicode": "\u202e\u2028é💥\x7f\x1b[31m",
    "65 KB": "x$(echo >CANARY)`'\"\n" * 3000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_titles_bodies_labels_and_messages_are_only_data(bench: Bench, text: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, text], title=text, body=text, message=text)
    bench.github.review(NUMBER, "COMMENTED", PERSON, text)
    result = bench.run("guard", environment("guard", **PUSHED))
    assert result.outputs == {
        "go": "true",
        "halt": "false",
        "code": "go",
        "reason": "ok",
        "state": DEV,
        "enters": REVIEW,
        "cycle": "1",
        "head_ref": "story/1",
    }


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_event_is_only_data(bench: Bench, text: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    result = bench.run("guard", environment("guard", ACTION=text, LABEL=text, CONTEXT=text, REVIEW=text))
    assert (result.outputs["code"], result.outputs["go"], result.outputs["halt"]) == (
        "state",
        "false",
        "false",
    )
    result = bench.run("guard", environment("guard", **(DISPATCH | {"CONTEXT": text})))
    assert result.outputs["code"] == "context"


@pytest.mark.parametrize(
    "ref",
    [
        "a\"b'c",
        "$(echo>CANARY)",
        "`echo>CANARY`",
        "${{github.token}}",
        "a;echo>CANARY",
        "é💥",
        "%0Ago=true",
        "a<<b",
    ],
)
def test_a_branch_name_is_handed_on_unchanged_on_one_line(bench: Bench, ref: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], ref=ref)
    result = bench.run("guard", environment("guard", **DISPATCH))
    assert (result.outputs["code"], result.outputs["head_ref"]) == ("go", ref)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_reason_is_one_line_and_can_call_nobody(bench: Bench, text: str) -> None:
    bench.github.pull(NUMBER, [MARK, DEV])
    said = f"{text} @octo/all <img src=x> [x](https://example.com)"[:30000]
    result = bench.run("guard", environment("guard", **DISPATCH, CONFIG_ERROR=said))
    assert (result.outputs["code"], result.outputs["go"]) == ("config", "false")
    assert [a.level for a in result.annotations] == ["warning"]
    assert not set(result.annotations[0].text) & set("\r\n\x1b\x7f")
    assert not set(result.summary.removesuffix("\n\n")) & set("`@<[\r\n\x1b\x7f")


@pytest.mark.parametrize(
    ("association", "code"), [("MEMBER", "go"), ("CONTRIBUTOR", "cycles"), ("NONE", "cycles")]
)
def test_only_a_review_of_the_project_starts_the_count_anew(
    bench: Bench, association: str, code: str
) -> None:
    bench.github.pull(NUMBER, [MARK])
    for _ in range(3):
        bench.github.label(NUMBER, REVIEW, BOT)
        bench.github.unlabel(NUMBER, REVIEW, BOT)
        bench.github.label(NUMBER, CHANGES, BOT)
        bench.github.unlabel(NUMBER, CHANGES, BOT)
    bench.github.review(NUMBER, "CHANGES_REQUESTED", "eve", association=association)
    bench.github.label(NUMBER, DEV)
    assert bench.run("guard", environment("guard")).outputs["code"] == code
