"""The project's own checks: started on what the pack pushes, waited for by the review, told to its agent."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bmadc.backend import jobs
from bmadc.backend.agentic import Contents, checks_rule, frontmatter
from bmadc.backend.yamltext import dump
from bmadc.ghaw.jobgraph import JobGraph, Outcome, run
from bmadc.ghaw.runner import compile_files
from bmadc.machine.catalogue import CODE_REVIEW_ROW, CREATE_STORY_ROW, DEV_STORY_ROW, Row, by_id
from bmadc.machine.choices import Choices
from bmadc.machine.config import AGENT_CHECKS_PATH
from bmadc.machine.wiring import WIRINGS, Waking, Wiring
from support.fakegh import SHA
from support.names import APPROVED, CHANGES, DEV, MARK, REVIEW
from support.shell import CONSUMERS, NUMBER, VERDICTS, Bench, environment
from support.spine import GO, MEMBER, OPEN, events, locks, refused_by_github

CI = ("ci.yml", "lint.yaml")
CHOICES = Choices(ci=CI)
BRANCH = "story/1"
OURS = "[DEV] [STEP-5] Add the login form"
NOTES = "b" * 40


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    for file in CONSUMERS.values():
        bench.github.workflow(file)
    for file in CI:
        bench.github.workflow(file, inputs=())
    return bench


def started(bench: Bench) -> list[tuple[str, str]]:
    """The checks that were started, each with its branch."""
    return [
        (file, call.body["ref"])
        for call in bench.github.writes()
        if call.path.endswith("/dispatches") and (file := call.path.split("/")[-2]) in CI
    ]


# The handoff starts them


@pytest.mark.needs("jq")
def test_a_push_starts_the_checks_before_it_wakes_the_review(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS, ref=BRANCH)
    bench.run("handoff", environment("handoff", MODE="push", FROM=DEV, NEXT=REVIEW, CHECKS=" ".join(CI)))
    assert started(bench) == [("ci.yml", BRANCH), ("lint.yaml", BRANCH)]
    order = [file for file, _ in bench.github.dispatches()]
    assert order == [*CI, CONSUMERS[REVIEW]]


@pytest.mark.needs("jq")
@pytest.mark.parametrize(
    ("verdict", "sha", "expected"),
    [(0, NOTES, 2), (0, "", 0), (1, NOTES, 0)],
    ids=["approved with notes", "approved as it was", "to be changed"],
)
def test_notes_of_a_review_are_checked_only_if_nothing_is_pushed_after_them(
    bench: Bench, verdict: int, sha: str, expected: int
) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW, VERDICTS[verdict]], message=OURS)
    changes = {"MODE": "verdict", "FROM": REVIEW, "NEXT": "", "SHA": sha, "CHECKS": " ".join(CI)}
    bench.run("handoff", environment("handoff", **changes))
    assert (APPROVED if verdict == 0 else CHANGES) in bench.github.labels(NUMBER)
    assert len(started(bench)) == expected


@pytest.mark.needs("jq")
def test_the_pull_request_of_a_document_is_checked(bench: Bench) -> None:
    bench.github.issue(NUMBER)
    bench.github.pull(9, ref=BRANCH)
    changes = {"MODE": "document", "FROM": "", "NEXT": "", "SHA": "", "CREATED": "9", "CHECKS": "ci.yml"}
    bench.run("handoff", environment("handoff", **changes))
    assert started(bench) == [("ci.yml", BRANCH)]


@pytest.mark.needs("jq")
def test_a_check_that_cannot_be_started_is_said_and_stops_nothing(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, DEV], message=OURS)
    changes = {"MODE": "push", "FROM": DEV, "NEXT": REVIEW, "CHECKS": "absent.yml ci.yml"}
    result = bench.run("handoff", environment("handoff", **changes))
    assert result.told("warning") == [
        "Could not start absent.yml for #7. It needs workflow_dispatch among its events, on that branch."
    ]
    assert started(bench) == [("ci.yml", BRANCH)]
    assert REVIEW in bench.github.labels(NUMBER)


# The review waits for them


def check(state: str, result: str = "", file: str = "ci.yml") -> dict[str, str]:
    return {"check": file, "state": state, "result": result, "url": ""}


@pytest.mark.needs("jq")
@pytest.mark.parametrize("result", ["success", "failure", "cancelled"])
def test_how_each_check_of_the_head_ended_is_handed_on(bench: Bench, result: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.run("old", "completed", file="ci.yml", head_sha=SHA, conclusion="skipped")
    bench.github.run("new", "completed", file="ci.yml", head_sha=SHA, conclusion=result)
    bench.github.run("other", "completed", file="ci.yml", head_sha=NOTES, conclusion="neutral")
    done = bench.run("checks", environment("checks"))
    assert json.loads(done.outputs["checks"]) == [check("completed", result)]
    said = (
        []
        if result == "success"
        else [f"The check ci.yml of #7 did not succeed: {result}. The review is told."]
    )
    assert done.told("warning") == said


@pytest.mark.needs("jq")
def test_a_running_check_is_waited_for(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    running = json.dumps({"workflow_runs": [{"status": "in_progress"}]})
    bench.github.fault("workflows/ci.yml/runs", status=200, times=3, body=running)
    bench.github.run("new", "completed", file="ci.yml", head_sha=SHA, conclusion="success")
    done = bench.run("checks", environment("checks"))
    assert json.loads(done.outputs["checks"]) == [check("completed", "success")]
    assert sum("runs?" in call.path for call in bench.github.calls()) == 4


@pytest.mark.needs("jq")
@pytest.mark.parametrize(
    ("changes", "runs", "state"),
    [({"MINUTES": "0"}, ["queued"], "queued"), ({"APPEARS": "0"}, [], "absent")],
    ids=["runs too long", "never appears"],
)
def test_nobody_waits_for_ever(bench: Bench, changes: dict[str, str], runs: list[str], state: str) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    for status in runs:
        bench.github.run("new", status, file="ci.yml", head_sha=SHA)
    done = bench.run("checks", environment("checks", **changes))
    assert json.loads(done.outputs["checks"]) == [check(state)]


@pytest.mark.needs("jq")
def test_what_cannot_be_read_is_said_and_the_review_goes_on(bench: Bench) -> None:
    bench.github.pull(NUMBER, [MARK, REVIEW])
    bench.github.fault("workflows/ci.yml/runs")
    done = bench.run("checks", environment("checks", CHECKS="ci.yml absent.yml"))
    assert json.loads(done.outputs["checks"]) == [check("unreadable"), check("unreadable", file="absent.yml")]
    bench.github.fault("pulls/7")
    done = bench.run("checks", environment("checks"))
    assert json.loads(done.outputs["checks"]) == []
    assert done.told("warning") == ["Could not read #7, so nobody waited for its checks."]


# What is wired


def front(row: Row, choices: Choices = CHOICES) -> dict[str, Any]:
    return dict(frontmatter(row, choices, Contents(row.purpose)))


def test_only_what_is_read_next_starts_them_and_only_a_review_waits() -> None:
    starting = {DEV_STORY_ROW, CODE_REVIEW_ROW, by_id("build"), by_id("create-prd")}
    for row in (*starting, CREATE_STORY_ROW, by_id("sprint-status"), by_id("party-mode")):
        assert bool(jobs.starts(row, CHOICES)) == (row in starting), row.id
        assert jobs.waits(row, CHOICES) == (row is CODE_REVIEW_ROW), row.id
        assert (AGENT_CHECKS_PATH in checks_rule(row, CHOICES)) == (row is CODE_REVIEW_ROW), row.id
        # Without the setting there is no trace of it.
        assert not jobs.starts(row, Choices())
        assert not jobs.waits(row, Choices())


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda wiring: wiring.waking.value)
def test_only_a_token_that_starts_nothing_by_itself_gets_the_scope_to_start_checks(wiring: Wiring) -> None:
    for row in (DEV_STORY_ROW, by_id("create-prd")):
        found = front(row, replace(CHOICES, wiring=wiring))["jobs"]["handoff"]
        expected = wiring.waking is not Waking.CREDENTIAL
        assert (found["permissions"].get("actions") == "write") == expected
        assert found["steps"][0]["env"]["CHECKS"] == (" ".join(CI) if expected else "")


@pytest.mark.needs("gh-aw")
@pytest.mark.needs("node-oracles")
@pytest.mark.xdist_group("checks")
def test_the_agent_of_a_review_starts_after_the_checks_however_they_end() -> None:
    text = f"---\n{dump(front(CODE_REVIEW_ROW))}---\n\n# Review\n"
    result = compile_files({CODE_REVIEW_ROW.document: text})
    assert result.findings == ()
    assert refused_by_github(result.locks) == {}
    lock = locks(result)[CODE_REVIEW_ROW.lock]
    graph = JobGraph.of(lock)
    assert "checks" in graph.needs("agent")
    assert "checks" not in graph.needs("activation")
    for cause, contexts in events(CODE_REVIEW_ROW, 7).items():
        outcomes = {"pre_activation": Outcome(steps={**MEMBER, **GO}), "gate": Outcome(steps=OPEN)}
        good = run(graph, contexts, outcomes)
        assert {"checks", "agent", "handoff"} <= set(good.ran), cause
        # A job that dies takes the agent with it, and then the handoff says so on the item.
        dead = run(graph, contexts, {**outcomes, "checks": Outcome("failure")})
        assert dead.state("agent") == "skipped"
        assert dead.state("handoff") == "success"
    job = lock.job("checks")
    token = lock.permissions_of(job) if job else None
    assert token is not None
    assert not token.writes
