"""What a person who sets a label gets wrong, found under real bash and jq, and said once by the halt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bmadc.machine.catalogue import ROWS, by_id
from bmadc.machine.prerequisites import requirements
from support.fakegh import BOT, REPOSITORY, TOKEN, FakeGitHub
from support.names import BREAKER, CHANGES, DEV, MARK
from support.shell import NUMBER, Bench, environment

pytestmark = pytest.mark.needs("jq")

PRD = "bmad-plan-prd"
PLAN = {"LABEL": PRD, "TRIGGERS": PRD, "BODY": "needed"}
WALK = {"LABEL": "bmad-walkthrough", "TRIGGERS": "bmad-walkthrough", "KIND": "pulls", "BODY": ""}
LOOP = {"LABEL": DEV, "TRIGGERS": f"{DEV} {CHANGES}", "KIND": "pulls", "BODY": ""}
PR = 9
RUN = "https://github.com/octo/demo/actions/runs/4711"
Scene = Callable[[FakeGitHub], None]

CLOSED = "This is closed. Work on it would reach nobody, so nothing was started. "
CLOSED += f"Reopen it, then set the label `{PRD}` again."
EMPTY = "The issue has no text. The work begins with what the issue says, so nothing was started. "
EMPTY += f"Describe what is wanted, then set the label `{PRD}` again."
TWICE = (
    f"#{PR}, which this label opened from here, is still open. A second one would do the same work again, "
)
TWICE += f"so nothing was started. Merge or close #{PR}, then set the label `{PRD}` again."


def on_a(wrong: str, right: str, label: str) -> str:
    start = (
        f"The label `{label}` belongs on {right}, and this is {wrong}. There is nothing here that it could "
    )
    return f"{start}work on, so nothing was started. Set it on {right} instead."


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def said(bench: Bench, **env: str) -> str:
    return answered(bench, env)


def answered(bench: Bench, env: dict[str, str], *, noise: bool = False) -> str:
    result = bench.run("mistake", environment("mistake", **(PLAN | env)), noise=noise)
    assert list(result.outputs) == ["mistake"]
    assert bench.github.writes() == []
    return result.outputs["mistake"]


def issue(**more: object) -> Scene:
    return lambda github: github.issue(NUMBER, [PRD], **({"body": "An app for bakers."} | more))


def closed(scene: Scene) -> Scene:
    def made(github: FakeGitHub) -> None:
        scene(github)
        github.close(NUMBER)

    return made


def opened(*, state: str = "open", label: str = PRD, issue_too: bool = False, refers: int = NUMBER) -> Scene:
    """An issue from which something was opened already."""

    def made(github: FakeGitHub) -> None:
        issue()(github)
        github.issue(refers, body="x") if refers != NUMBER else None
        if issue_too:
            github.issue(PR, [label])
        else:
            github.pull(PR, [label])
        if state == "closed":
            github.close(PR)
        github.refer(refers, PR)

    return made


def of_another_repository(github: FakeGitHub) -> None:
    issue()(github)
    shown = {
        "number": PR,
        "state": "open",
        "pull_request": {},
        "labels": [{"name": PRD}],
        "repository": {"full_name": "eve/demo"},
    }
    github.refer(NUMBER, shown)


def opened_twice(github: FakeGitHub) -> None:
    opened(state="closed")(github)
    for number in (10, 11):
        github.pull(number, [PRD])
        github.refer(NUMBER, number)


FOUND: dict[str, tuple[Scene, dict[str, str], str]] = {
    "closed": (closed(issue()), {}, CLOSED),
    "closed and empty": (closed(issue(body="")), {}, CLOSED),
    "a label in other letters": (closed(issue()), {"LABEL": "BMAD-Plan-PRD"}, CLOSED),
    "a pull request": (lambda g: g.pull(NUMBER), {}, on_a("a pull request", "an issue", PRD)),
    "a closed pull request": (
        closed(lambda g: g.pull(NUMBER)),
        {},
        on_a("a pull request", "an issue", PRD),
    ),
    "an issue instead of a pull request": (
        issue(),
        WALK,
        on_a("an issue", "a pull request", "bmad-walkthrough"),
    ),
    "a state on an issue": (issue(), LOOP, on_a("an issue", "a pull request", DEV)),
    "the second state on an issue": (
        issue(),
        LOOP | {"LABEL": CHANGES},
        on_a("an issue", "a pull request", CHANGES),
    ),
    "no text": (issue(body=""), {}, EMPTY),
    "no body": (issue(body=None), {}, EMPTY),
    "white space": (issue(body=" \r\n\t\n"), {}, EMPTY),
    "a comment": (issue(body="<!-- Describe it here. -->\r\n"), {}, EMPTY),
    "several comments": (issue(body="<!-- a -->\r\n<!-- b\r\nc --> \n<!---->"), {}, EMPTY),
    "a comment without its end": (issue(body="\n<!-- Describe it here."), {}, EMPTY),
    "asked for twice": (opened(), {}, TWICE),
    "asked for twice, labels in other letters": (opened(label="Bmad-Plan-Prd"), {}, TWICE),
    "asked for twice, one of them closed": (opened_twice, {}, TWICE.replace("#9", "#10")),
}

FINE: dict[str, tuple[Scene, dict[str, str]]] = {
    "all is well": (issue(), {}),
    "one letter": (issue(body="x"), {}),
    "text after a comment": (issue(body="<!-- a --> <!-- b -->\r\nA shop."), {}),
    "text before a comment without its end": (issue(body="A shop. <!-- more"), {}),
    "an arrow": (issue(body="a --> b"), {}),
    "work that asks for no text": (issue(body=""), {"BODY": ""}),
    "stopped": (lambda g: g.issue(NUMBER, [PRD, BREAKER]), {}),
    "stopped, in other letters": (lambda g: g.issue(NUMBER, [PRD, "Needs-Human-Intervention"]), {}),
    "what it opened is closed": (opened(state="closed"), {}),
    "what it opened has another label": (opened(label="bmad-plan-ux"), {}),
    "an issue with the label refers to it": (opened(issue_too=True), {}),
    "it was opened from another issue": (opened(refers=8), {}),
    "a pull request elsewhere refers to it": (of_another_repository, {}),
    "a state on a pull request": (lambda g: g.pull(NUMBER, [MARK, DEV]), LOOP),
}


@pytest.mark.parametrize("name", FOUND)
def test_a_mistake_is_found_and_said_in_full(bench: Bench, name: str) -> None:
    scene, env, sentence = FOUND[name]
    scene(bench.github)
    assert said(bench, **env) == sentence


@pytest.mark.parametrize("name", FINE)
def test_what_is_no_mistake_is_left_to_the_guard(bench: Bench, name: str) -> None:
    scene, env = FINE[name]
    scene(bench.github)
    assert said(bench, **env) == ""


@pytest.mark.parametrize(
    "env",
    [{"ACTION": ""}, {"ACTION": "synchronize"}, {"LABEL": ""}, {"LABEL": "question"}, {"LABEL": f"{PRD}x"}]
    + [{"NUMBER": n} for n in ("", "0", "07", "7 8", "7/labels", "../7", "$(echo >CANARY)", "99999999999")],
    ids=str,
)
def test_without_a_label_of_its_own_on_an_item_nobody_is_asked(bench: Bench, env: dict[str, str]) -> None:
    closed(issue(body=""))(bench.github)
    assert said(bench, **env) == ""
    assert bench.github.calls() == []


# What has to be there first

ARCHITECTURE = json.dumps([one.as_json() for one in requirements(by_id("create-architecture"))])
EPICS = json.dumps([one.as_json() for one in requirements(by_id("create-epics"))])
STATUS = json.dumps([one.as_json() for one in requirements(by_id("sprint-status"))])
PLANNING = "_bmad-output/planning-artifacts"
NEEDS_PRD = (
    "This needs a PRD, and the default branch has none. Without it the work would rest on guesses, so "
)
NEEDS_PRD += f"nothing was started. Set the label `{PRD}` on an issue and merge its pull request, then set "
NEEDS_PRD += "the label `bmad-solution-arch` again."


NO_PRD = [
    "prd.md",
    f"{PLANNING}/prd.txt",
    f"{PLANNING}/prd.md.bak",
    f"{PLANNING}/prd.md/x",
    f"{PLANNING}/architecture.md",
    f"{PLANNING.upper()}/prd.md",
    f"old/{PLANNING}/prd.md",
]
A_PRD = ["prd.md", "PRD.MD", "shop-prd-v2.md", "prd/01-goals.md", "2026/prd.md", "$(echo >CANARY)prd.md"]


def test_a_document_is_known_by_its_folder_and_its_name(bench: Bench) -> None:
    issue()(bench.github)
    for path in NO_PRD:
        bench.github.content(path, "")
    # On a branch it does not count.
    bench.github.content(f"{PLANNING}/prd.md", "", "story/7")
    env = {"LABEL": "bmad-solution-arch", "TRIGGERS": "bmad-solution-arch", "REQUIRES": ARCHITECTURE}
    assert said(bench, **env) == NEEDS_PRD
    (needed,) = json.loads(ARCHITECTURE)
    for name in A_PRD:
        assert re.search(needed["pattern"], f"{PLANNING}/{name}"), name
    for name in A_PRD[1::2]:
        bench.github.content(f"{PLANNING}/{name}", "")
        assert said(bench, **env) == "", name
        del bench.github.state["contents"]["main"][f"{PLANNING}/{name}"]


def test_the_first_of_several_that_is_missing_is_named_and_the_label_that_asks_for_it(bench: Bench) -> None:
    issue()(bench.github)
    env = {"LABEL": "bmad-solution-epics", "TRIGGERS": "bmad-solution-epics", "REQUIRES": EPICS}
    assert "needs a PRD" in said(bench, **env)
    bench.github.content(f"{PLANNING}/prd.md", "")
    assert "needs an architecture document" in said(bench, **env)
    assert "Set the label `bmad-solution-arch` on an issue" in said(bench, **env)
    bench.github.content(f"{PLANNING}/architecture.md", "")
    assert said(bench, **env) == ""


def test_the_sprint_status_is_one_file(bench: Bench) -> None:
    issue()(bench.github)
    env = {"LABEL": "bmad-sprint-status", "TRIGGERS": "bmad-sprint-status", "REQUIRES": STATUS}
    bench.github.content("_bmad-output/implementation-artifacts/sprint-statusXyaml", "")
    assert "needs a sprint status file" in said(bench, **env)
    bench.github.content("_bmad-output/implementation-artifacts/sprint-status.yaml", "")
    assert said(bench, **env) == ""


def test_what_no_label_asks_for_is_to_be_written(bench: Bench) -> None:
    issue()(bench.github)
    needed = json.dumps([{"pattern": "^a$", "what": "a map", "label": ""}])
    assert said(bench, REQUIRES=needed).endswith(
        f"so nothing was started. Write it, then set the label `{PRD}` again."
    )


def test_every_row_asks_for_what_some_other_row_leaves() -> None:
    needing = [row for row in ROWS if row.needs]
    assert len(needing) >= 7
    for row in needing:
        for one in requirements(row):
            assert one.label.startswith("bmad-"), row.id


def test_a_second_one_is_said_before_what_is_missing(bench: Bench) -> None:
    opened()(bench.github)
    assert said(bench, REQUIRES=ARCHITECTURE) == TWICE


# GitHub fails, and texts of others

WEIRD = ["<html>", "", "[]", '{"labels": []}', '{"labels": null, "state": "closed"}']
WEIRD += ['{"labels": [], "state": "open", "body": 7}', '{"labels": [], "state": "strange"}', "[" * 20_000]
ONCE = {"TRIES": "1"}


@pytest.mark.parametrize("body", WEIRD)
def test_an_item_that_is_no_answer_is_no_mistake(bench: Bench, body: str) -> None:
    issue()(bench.github)
    bench.github.fault("GET .*/issues/7$", 200, body=body)
    assert answered(bench, {}, noise=True) == ""


@pytest.mark.parametrize("body", ["<html>", "{}", '[{"event": "cross-referenced"}]'])
@pytest.mark.parametrize("match", ["/timeline", "/git/trees"])
def test_a_history_or_a_tree_that_is_no_answer_is_no_mistake(bench: Bench, match: str, body: str) -> None:
    opened()(bench.github) if match == "/timeline" else issue()(bench.github)
    bench.github.fault(match, 200, body=body)
    bench.github.content(f"{PLANNING}/prd.md", "")
    assert answered(bench, {"REQUIRES": ARCHITECTURE}, noise=True) == ""


@pytest.mark.parametrize("status", [404, 409])
@pytest.mark.parametrize("match", ["/issues/7$", "/timeline", "/git/trees"])
def test_what_github_does_not_tell_is_no_mistake(bench: Bench, match: str, status: int) -> None:
    scene = {"/issues/7$": closed(issue()), "/timeline": opened(), "/git/trees": issue()}[match]
    scene(bench.github)
    bench.github.content(f"{PLANNING}/prd.md", "") if match == "/timeline" else None
    bench.github.fault(match, status)
    assert said(bench, REQUIRES=ARCHITECTURE, **ONCE) == ""


def test_a_tree_that_was_cut_short_proves_nothing(bench: Bench) -> None:
    issue()(bench.github)
    bench.github.state["truncated"] = True
    assert said(bench, REQUIRES=ARCHITECTURE) == ""


@pytest.mark.parametrize("merged", [False, True])
def test_a_history_of_many_pages_is_read_to_its_end(bench: Bench, merged: bool) -> None:
    issue()(bench.github)
    for number in range(250):
        bench.github.event(NUMBER, "mentioned", actor={"login": f"u{number}"})
    bench.github.pull(PR, [PRD])
    bench.github.refer(NUMBER, PR)
    bench.github.state["merge_pages"] = merged
    assert said(bench) == TWICE


HOSTILE = [
    "$(echo >CANARY)",
    "`echo >CANARY`",
    "'; echo >CANARY #",
    "a\n::error::b\nmistake=x",
    "\x1b[31m",
    "%0A%25",
]


def test_texts_of_others_are_only_data(bench: Bench) -> None:
    opened()(bench.github)
    text = "\n".join(HOSTILE)
    for number in (NUMBER, PR):
        bench.github.state["items"][str(number)] |= {"title": text, "user": {"login": text, "type": "User"}}
        for name in HOSTILE:
            bench.github.label(number, name)
            bench.github.comment(number, name)
    assert said(bench) == TWICE
    bench.github.state["items"][str(NUMBER)]["body"] = text
    bench.github.close(PR)
    assert said(bench) == ""


def test_reading_is_all_it_needs_to_be_allowed(bench: Bench) -> None:
    opened()(bench.github)
    bench.github.token(TOKEN, BOT, {"issues": "read", "pull-requests": "read", "contents": "read"})
    assert said(bench) == TWICE
    bench.github.close(PR)
    assert said(bench, LABEL=PRD, REQUIRES=ARCHITECTURE).startswith("This needs a PRD")


# The halt says it

STRANGER = (
    "It is not known that whoever set the label has write access. Work here costs money and changes the "
    "repository, so nothing was started. Somebody with write access may set the label again."
)


def halted(bench: Bench, **env: str) -> list[str]:
    given = {"CODE": "mistake", "REASON": CLOSED, "LABEL": PRD, "TRIGGERS": PRD} | env
    result = bench.run("halt", environment("halt", **given))
    return [one.level for one in result.annotations]


@pytest.mark.parametrize(("code", "sentence"), [("mistake", CLOSED), ("stranger", STRANGER)])
@pytest.mark.parametrize("label", [PRD, PRD.upper()])
def test_one_comment_says_what_to_do_and_the_label_can_be_set_again(
    bench: Bench, code: str, sentence: str, label: str
) -> None:
    bench.github.issue(NUMBER, [label, "bug"])
    assert halted(bench, CODE=code, REASON=CLOSED if code == "mistake" else "", LABEL=label) == ["notice"]
    assert bench.github.comments(NUMBER) == [f"**Nothing was started.** {sentence}\n\n[The run]({RUN})"]
    # It is not stopped: the next try is free.
    assert bench.github.labels(NUMBER) == ["bug"]


def test_a_stranger_is_told_nothing_but_that(bench: Bench) -> None:
    issue()(bench.github)
    halted(bench, CODE="stranger", REASON="3 review cycles reached. Halting.")
    (comment,) = bench.github.comments(NUMBER)
    assert "cycles" not in comment


@pytest.mark.parametrize(
    ("match", "levels", "comments", "left"),
    [
        ("POST .*/comments", ["error", "notice"], 0, []),
        ("DELETE", ["warning", "notice"], 1, [PRD]),
        (".", ["error", "warning", "notice"], 0, [PRD]),
    ],
)
def test_what_could_not_be_said_or_taken_off_is_said_in_the_run(
    bench: Bench, match: str, levels: list[str], comments: int, left: list[str]
) -> None:
    bench.github.issue(NUMBER, [PRD])
    bench.github.fault(match)
    assert halted(bench) == levels
    assert len(bench.github.comments(NUMBER)) == comments
    assert bench.github.labels(NUMBER) == left


def test_only_labels_of_the_workflow_are_taken_off(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV, "question"])
    halted(bench, TRIGGERS=f"{DEV} {CHANGES}", LABEL="question")
    assert bench.github.labels(NUMBER) == sorted([MARK, DEV, "question"])
    halted(bench, TRIGGERS=f"{DEV} {CHANGES}", LABEL=DEV)
    assert bench.github.labels(NUMBER) == sorted([MARK, "question"])


@pytest.mark.parametrize(
    "reason", ["@octo/all [x](https://evil.example) <img src=x>", "a\n\n# b\n@c", "$(echo >CANARY)"]
)
def test_words_that_are_not_ours_could_neither_call_nor_link(bench: Bench, reason: str) -> None:
    bench.github.issue(NUMBER, [PRD])
    halted(bench, REASON=reason)
    (comment,) = bench.github.comments(NUMBER)
    first, *rest = comment.split("\n")
    assert rest == ["", f"[The run]({RUN})"]
    assert not set("@<[") & set(first)


def test_the_rights_of_its_job_are_enough_on_both_kinds(bench: Bench) -> None:
    bench.github.token(TOKEN, BOT, {"issues": "write", "pull-requests": "write"})
    bench.github.issue(NUMBER, [PRD])
    bench.github.pull(PR, [PRD])
    halted(bench)
    halted(bench, NUMBER=str(PR))
    assert len(bench.github.comments(NUMBER)) == len(bench.github.comments(PR)) == 1
    assert REPOSITORY in bench.github.comments(PR)[0]
