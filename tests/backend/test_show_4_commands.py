"""What people say in comments, under real bash and jq: who may, what counts as a command, what it does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bmadc.backend.plain import SPOKEN
from bmadc.machine import protocol
from support.fakegh import BOT, PERSON, TOKEN, WAKE_TOKEN, FakeGitHub
from support.names import APPROVED, BREAKER, CHANGES, DEV, MARK, REVIEW, SWEPT, UNVALIDATED
from support.shell import CONSUMERS, NUMBER, Bench, Result, environment, lock_of

pytestmark = pytest.mark.needs("jq")

CREDENTIAL = {"WAKING": "credential", "WAKE_TOKEN": WAKE_TOKEN}
MANUAL = {"WAKING": "manual"}
Scene = Callable[[FakeGitHub], None]

YOURS = f"so the label `{UNVALIDATED}` is on. It is yours to merge; a review that approves it takes that "
YOURS += "label off."
APPROVES = f"Approved by `{PERSON}` without an approving review, {YOURS}"
SKIPS = f"The review was skipped by `{PERSON}`, {YOURS}"
NO_RIGHT = (
    "Only people with write access give commands here, and it is not known that this one has it. "
    "Ask one who has."
)
NOTHING_TO_CHOOSE = "Nothing to choose: a choice answers what a stopped item asks, and the label "
NOTHING_TO_CHOOSE += f"{BREAKER} is not on this item."
NOTHING_TO_APPROVE = f"Nothing to approve: this is no pull request with the label {MARK}, and nothing on it "
NOTHING_TO_APPROVE += "waits for an answer."
NO_REVIEW = "No review is due: no state label is on this item. To approve it as it is, comment `/approve`."
STOPPED = "This is stopped, so nothing is moved. Comment `/resume` first, then `/skip-review`."
ALREADY_STOPPED = f"Already stopped: the label {BREAKER} is on this item."
ALREADY_APPROVED = f"Already approved: the label {APPROVED} is on this item."
CLOSED = "This is closed. Reopen it, then give the command again."
RELEASED = (
    "Released. To go on, add the label that starts the work again; if it is still on, take it off first."
)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    for worker in protocol.WORKERS:
        bench.github.workflow(lock_of(worker))
    return bench


def command(bench: Bench, text: str, **env: str) -> Result:
    return bench.run("commands", environment("commands", COMMENT=text, **env))


def pull(*names: str) -> Scene:
    return lambda github: github.pull(NUMBER, names)


def issue(*names: str) -> Scene:
    return lambda github: github.issue(NUMBER, names)


def closed(scene: Scene) -> Scene:
    def made(github: FakeGitHub) -> None:
        scene(github)
        github.close(NUMBER)

    return made


GRID: dict[str, tuple[Scene, str, str, list[str]]] = {
    "approve in review": (pull(MARK, REVIEW, SWEPT), "/approve", APPROVES, [MARK, APPROVED, UNVALIDATED]),
    "approve in changes": (pull(MARK, CHANGES), "/approve", APPROVES, [MARK, APPROVED, UNVALIDATED]),
    "approve in two states": (pull(MARK, DEV, REVIEW), "/approve", APPROVES, [MARK, APPROVED, UNVALIDATED]),
    "approve without a state": (pull(MARK), "/approve", APPROVES, [MARK, APPROVED, UNVALIDATED]),
    "approve what is approved": (pull(MARK, APPROVED), "/approve", ALREADY_APPROVED, [MARK, APPROVED]),
    "approve what is approved and more": (
        pull(MARK, APPROVED, DEV),
        "/approve",
        APPROVES,
        [MARK, APPROVED, UNVALIDATED],
    ),
    "approve outside of the pipeline": (pull(REVIEW), "/approve", NOTHING_TO_APPROVE, [REVIEW]),
    "approve an issue": (issue(MARK), "/approve", NOTHING_TO_APPROVE, [MARK]),
    "skip in review": (pull(MARK, REVIEW), "/skip-review", SKIPS, [MARK, APPROVED, UNVALIDATED]),
    "skip in other letters": (
        pull("BMAD-Pipeline", "BMAD-Review"),
        "/Skip-Review",
        SKIPS,
        ["BMAD-Pipeline", APPROVED, UNVALIDATED],
    ),
    "skip without a state": (pull(MARK), "/skip-review", NO_REVIEW, [MARK]),
    "skip what is approved": (pull(MARK, APPROVED), "/skip-review", ALREADY_APPROVED, [MARK, APPROVED]),
    "skip what is stopped": (pull(MARK, REVIEW, BREAKER), "/skip-review", STOPPED, [MARK, REVIEW, BREAKER]),
    "skip on an issue": (issue(), "/skip-review", NOTHING_TO_APPROVE, []),
    "stop what is stopped": (pull(MARK, DEV, BREAKER), "/bmad stop", ALREADY_STOPPED, [MARK, DEV, BREAKER]),
    "choose what is not asked": (pull(MARK, DEV), "/choose a", NOTHING_TO_CHOOSE, [MARK, DEV]),
    "choose on a stopped issue": (issue("bmad-plan-prd", BREAKER), "/choose 2", RELEASED, ["bmad-plan-prd"]),
    "approve on a stopped issue": (issue(BREAKER), "/approve", RELEASED, []),
    **{
        f"{text} on what is closed": (closed(pull(MARK, REVIEW)), text, CLOSED, [MARK, REVIEW])
        for text in ("/approve", "/skip-review", "/bmad stop", "/choose a")
    },
}


@pytest.mark.parametrize("name", GRID)
def test_a_command_gets_one_answer_and_moves_what_it_says(bench: Bench, name: str) -> None:
    scene, text, answer, left = GRID[name]
    scene(bench.github)
    result = command(bench, text)
    assert bench.github.comments(NUMBER) == [answer]
    assert bench.github.labels(NUMBER) == sorted(left)
    assert bench.github.dispatches() == []
    assert f"#{NUMBER}: {answer}" in result.told("notice")
    assert result.told("error") + result.told("warning") == []


@pytest.mark.parametrize("scene", [pull(MARK, DEV), pull(), issue(), issue("bmad-plan-prd")])
def test_a_stop_is_a_stop_on_anything_that_is_open(bench: Bench, scene: Scene) -> None:
    scene(bench.github)
    before = bench.github.labels(NUMBER)
    command(bench, "/bmad stop")
    assert bench.github.labels(NUMBER) == sorted([*before, BREAKER])
    (comment,) = bench.github.comments(NUMBER)
    assert f"- What happened: `{PERSON}` stopped it with `/bmad stop`.\n" in comment
    assert "comment `/resume`" in comment
    assert bench.run("guard", environment("guard", KIND="issues", WAKES="")).outputs["go"] == "false"


@pytest.mark.parametrize("text", ["/choose a", "/approve"])
@pytest.mark.parametrize("wiring", [{}, CREDENTIAL, MANUAL], ids=["bus", "credential", "manual"])
def test_an_answer_to_what_a_stopped_pull_request_asks_lets_it_go_on(
    bench: Bench, text: str, wiring: dict[str, str]
) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, BREAKER], message="[DEV] [STEP-5] Add it")
    command(bench, text, **wiring)
    assert BREAKER not in bench.github.labels(NUMBER)
    woken = [(file, inputs["pr"]) for file, inputs in bench.github.dispatches()]
    assert woken == ([] if wiring else [(CONSUMERS[DEV], "7")])
    # It answers, and approves nothing.
    assert not {APPROVED, UNVALIDATED} & set(bench.github.labels(NUMBER))


def test_the_mark_is_on_before_it_counts_as_approved(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    command(bench, "/approve")
    done = [(call.method, call.body or call.path.split("/")[-1]) for call in bench.github.writes()]
    assert done[:3] == [
        ("POST", {"labels": [UNVALIDATED]}),
        ("POST", {"labels": [APPROVED]}),
        ("DELETE", REVIEW),
    ]
    assert bench.github.comments(NUMBER) == [APPROVES]


@pytest.mark.parametrize("wiring", [{}, CREDENTIAL, MANUAL], ids=["bus", "credential", "manual"])
def test_an_approval_wakes_nobody_and_spends_no_credential(bench: Bench, wiring: dict[str, str]) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    command(bench, "/approve", **wiring)
    assert bench.github.labels(NUMBER) == sorted([MARK, APPROVED, UNVALIDATED])
    assert {call.token for call in bench.github.calls()} == {TOKEN}
    assert bench.github.dispatches() == []


def test_a_review_that_approves_takes_the_mark_off_and_one_that_does_not_leaves_it(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    command(bench, "/skip-review")
    for verdict, marked in (("bmad-verdict-changes", True), ("bmad-verdict-approve", False)):
        # A person sends it into the review after all.
        bench.github.label(NUMBER, REVIEW)
        bench.github.label(NUMBER, verdict, BOT)
        if APPROVED in bench.github.labels(NUMBER):
            bench.github.unlabel(NUMBER, APPROVED)
        env = environment("handoff", MODE="verdict", FROM=REVIEW, NEXT="", SHA="")
        bench.run("handoff", env)
        assert (UNVALIDATED in bench.github.labels(NUMBER)) is marked
        if marked:
            bench.github.unlabel(NUMBER, CHANGES)


# Who may

RIGHTS = [("admin", True), ("maintain", True), ("write", True)]
RIGHTS += [("triage", False), ("read", False), ("none", False), ("", False)]


@pytest.mark.parametrize(("permission", "may"), RIGHTS)
def test_only_people_who_may_write_give_commands(bench: Bench, permission: str, may: bool) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    if permission:
        bench.github.collaborator("eve", permission)
    command(bench, "/bmad stop", ACTOR="eve")
    assert (bench.github.labels(NUMBER) == sorted([MARK, REVIEW])) is not may
    (comment,) = bench.github.comments(NUMBER)
    assert (comment == NO_RIGHT) is not may


@pytest.mark.parametrize("login", ["mona_octo", "A-b-9"])
def test_every_name_that_github_gives_counts(bench: Bench, login: str) -> None:
    # Names of a company's own accounts end with its short name, after an underscore.
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.collaborator(login, "write")
    command(bench, "/approve", ACTOR=login)
    assert APPROVED in bench.github.labels(NUMBER)


@pytest.mark.parametrize(
    "actor", ["", "../admin", "ada/../eve", "$(echo >CANARY)", "a b", "ada\nx", "some-app[bot]", "ada?x"]
)
def test_an_actor_that_is_no_name_changes_nothing(bench: Bench, actor: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    command(bench, "/approve", ACTOR=actor)
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
    assert bench.github.comments(NUMBER) == [NO_RIGHT]
    assert not any("/collaborators/" in call.path for call in bench.github.calls())


def test_while_github_does_not_say_who_may_nobody_does(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.fault("/collaborators/")
    command(bench, "/approve")
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])
    assert bench.github.comments(NUMBER) == [NO_RIGHT]


# What counts as a command

COMMANDS = ["/approve\r\n", "/APPROVE \t\n\n", "/skip-review\r\n", "/BMAD Stop\r\n", "/choose  A"]
COMMANDS += ["/CHOOSE option 2\r\n", f"/choose {'x' * 40}"]
ONLY_LIKE = [
    "/approve it",
    "/approved",
    "/approve\n/bmad stop",
    "> /approve",
    "/bmad",
    "/bmad  stop",
    "/bmad stop!",
]
ONLY_LIKE += [
    "/bmad\nstop",
    "/skip-review please",
    "/choose",
    "/choose ",
    "/choose a\nb",
    "/choose $(echo >CANARY)",
]
ONLY_LIKE += [
    "/choose `id`",
    "/choose a;b",
    "/choose @all",
    f"/choose {'x' * 41}",
    "/approve" + " " * 300,
    "",
    "\n",
]
ONLY_LIKE += ["/approve\x00x"[:8] + "\u00a0", "/approve\n\n---\nMade by an agent", "/approve *", "*", "/*"]


@pytest.mark.parametrize("text", COMMANDS, ids=ascii)
def test_the_whole_comment_is_the_command_in_any_case_with_white_space_around_it(
    bench: Bench, text: str
) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    command(bench, text)
    assert len(bench.github.comments(NUMBER)) == 1
    # The workflow, too, takes it for one.
    assert any(text.lower().startswith(start) for start in SPOKEN)


@pytest.mark.parametrize("text", ONLY_LIKE, ids=ascii)
def test_what_only_begins_like_a_command_is_none(bench: Bench, text: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    result = command(bench, text)
    assert result.told("notice") == ["The comment on #7 only begins like a command. Nothing to do."]
    assert bench.github.calls() == []


def test_a_comment_of_any_length_is_only_data(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    command(bench, "/approve " + "$(echo >CANARY) `echo >CANARY`\n" * 2000)
    assert bench.github.calls() == []


# GitHub fails

BY_HAND = f"Could not approve #7. Set the labels {UNVALIDATED} and {APPROVED} by hand, "
BY_HAND += "and take other state labels off."


@pytest.mark.parametrize("match", ["GET .*/issues/7$", "POST .*/labels", "POST .*/comments", "DELETE"])
@pytest.mark.parametrize("times", [2, 3])
def test_each_call_is_tried_three_times_and_then_said(bench: Bench, match: str, times: int) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.fault(match, times=times)
    result = command(bench, "/approve")
    if times < 3:
        assert bench.github.labels(NUMBER) == sorted([MARK, APPROVED, UNVALIDATED])
        assert bench.github.comments(NUMBER) == [APPROVES]
        return
    said = result.told("error") + result.told("warning")
    assert (
        said
        == {
            "GET .*/issues/7$": ["Could not read #7. Try again: comment once more."],
            "POST .*/labels": [BY_HAND],
            "POST .*/comments": ["Could not comment on #7."],
            "DELETE": [f"Could not remove the label {REVIEW} from #7. Remove it by hand."],
        }[match]
    )


def test_what_is_not_marked_is_not_approved(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    # The first label cannot be set, the second could.
    bench.github.fault("POST .*/labels", times=3)
    command(bench, "/approve")
    assert bench.github.labels(NUMBER) == sorted([MARK, REVIEW])


@pytest.mark.parametrize("body", ["<html>", "", "[]", '{"labels": []}', '{"labels": [], "state": "strange"}'])
@pytest.mark.parametrize("text", ["/approve", "/bmad stop"])
def test_an_answer_that_is_no_answer_changes_nothing(bench: Bench, text: str, body: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.fault("GET .*/issues/7$", 200, body=body)
    result = bench.run("commands", environment("commands", COMMENT=text), noise=True)
    assert bench.github.writes() == []
    assert result.told("error") == ["Could not make sense of #7. Try again: comment once more."]


def test_titles_bodies_and_labels_are_only_data(bench: Bench) -> None:
    text = "a\"b'c\n::error::b $(echo >CANARY) `echo >CANARY` " + "x`'\"\n" * 13000
    bench.github.pull(NUMBER, [MARK, REVIEW, text], title=text, body=text, ref=text)
    command(bench, "/approve")
    assert bench.github.labels(NUMBER) == sorted([MARK, APPROVED, UNVALIDATED, text])


def test_the_rights_that_its_job_has_are_enough(bench: Bench) -> None:
    levels = {"issues": "write", "pull-requests": "write", "contents": "read", "actions": "write"}
    bench.github.token(TOKEN, BOT, levels)
    bench.github.pull(NUMBER, [MARK, REVIEW])
    command(bench, "/approve")
    command(bench, "/bmad stop")
    command(bench, "/choose a")
    # 404: a label that is not on cannot be taken off, and need not be.
    assert {call.status for call in bench.github.calls()} <= {200, 201, 204, 404}
    assert len(bench.github.comments(NUMBER)) == 2
