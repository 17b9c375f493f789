"""The readers and the job graph on what the real gh-aw compiles: wiring that works, and its dead forms."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bmadc.ghaw.documents import parse_document
from bmadc.ghaw.jobgraph import JobGraph, Outcome, concurrency_group, problems, run, workflow_starts
from bmadc.ghaw.locks import Lock, parse_lock
from bmadc.ghaw.runner import compile_files
from bmadc.ghaw.vocabulary import pin
from bmadc.ghaw.vocabulary.tables import BUILTIN_JOBS
from support.oracles import parse_workflows

pytestmark = pytest.mark.needs("gh-aw")

# A worker that is dispatched for one pull request: a guard decides, a halt job explains, a handoff goes on.
MEND = """\
---
name: mend
description: Mends one pull request
on:
  workflow_dispatch:
    inputs:
      pr: {description: number, required: true, type: string}
  bots: ["github-actions[bot]"]
  permissions: {pull-requests: read}
  steps:
    - id: guard
      env:
        PR: ${{ github.event.inputs.pr }}
      run: |
        echo "go=true" >> "$GITHUB_OUTPUT"
jobs:
  pre-activation:
    outputs:
      go: ${{ steps.guard.outputs.go }}
      halt: ${{ steps.guard.outputs.halt }}
      head: ${{ steps.guard.outputs.head }}
  activation:
    if: needs.pre_activation.outputs.go == 'true'
  agent:
    needs: [pre_activation, activation]
  safe_outputs:
    needs: [pre_activation, activation]
  halt:
    needs: [pre_activation, activation]
    if: >-
      always() && needs.pre_activation.outputs.activated == 'true'
      && needs.pre_activation.outputs.halt == 'true'
    runs-on: ubuntu-latest
    permissions: {issues: write}
    steps:
      - run: echo halted
  handoff:
    needs: [pre_activation, activation, agent, safe_outputs]
    if: >-
      always() && needs.pre_activation.outputs.activated == 'true'
      && needs.pre_activation.outputs.go == 'true'
    runs-on: ubuntu-latest
    permissions: {actions: write}
    steps:
      - env:
          APPLIED: ${{ needs.safe_outputs.result }}
        run: echo "$APPLIED"
permissions: {contents: read, pull-requests: read}
concurrency:
  group: mend-${{ github.event.inputs.pr }}
  cancel-in-progress: false
engine: {id: claude}
checkout:
  ref: ${{ needs.pre_activation.outputs.head }}
  fetch-depth: 0
tools:
  github: {toolsets: [repos, pull_requests]}
safe-outputs:
  report-failure-as-issue: false
  push-to-pull-request-branch:
    target: ${{ github.event.inputs.pr }}
    required-labels: [mendable]
---
# Mend

Mend pull request ${{ github.event.inputs.pr }}.
"""

# A judge is the same worker with other outputs, none of which needs the guard's answers.
JUDGE = (
    MEND.replace("mend", "judge")
    .replace("  safe_outputs:\n    needs: [pre_activation, activation]\n", "")
    .replace(
        "  push-to-pull-request-branch:\n    target: ${{ github.event.inputs.pr }}\n"
        "    required-labels: [judgeable]\n",
        "  submit-pull-request-review:\n    target: ${{ github.event.inputs.pr }}\n  add-labels: {max: 1}\n",
    )
)

# The same guard behind a label on an issue.
LABELLED = MEND.replace(
    "  workflow_dispatch:\n    inputs:\n      pr: {description: number, required: true, type: string}\n",
    "  issues: {types: [labeled], names: [mend-me]}\n",
).replace("github.event.inputs.pr", "github.event.issue.number")

DOCUMENTS = {
    "mend.md": MEND,
    "judge.md": JUDGE,
    "labelled.md": LABELLED,
    # The dead forms, each by the smallest edit.
    "dead-halt.md": MEND.replace(
        "    needs: [pre_activation, activation]\n    if: >-", "    needs: [pre_activation]\n    if: >-"
    ),
    "dead-read.md": MEND.replace("  agent:\n    needs: [pre_activation, activation]\n", ""),
    "dead-filter.md": LABELLED.replace(
        "  activation:\n    if: needs.pre_activation.outputs.go == 'true'\n", ""
    ).replace("engine: {id", "if: needs.pre_activation.outputs.go == 'true'\nengine: {id"),
}

GO = {"guard": {"go": "true", "head": "fix/7"}, "check_membership": {"is_team_member": "true"}}
HALT = {"guard": {"go": "false", "halt": "true"}, "check_membership": {"is_team_member": "true"}}
DISPATCH = {"github": {"event_name": "workflow_dispatch", "event": {"inputs": {"pr": "7"}}}}


@pytest.fixture(scope="module")
def texts() -> Mapping[str, str]:
    assert len(set(DOCUMENTS.values())) == len(DOCUMENTS)
    result = compile_files(DOCUMENTS)
    assert [finding for finding in result.findings if finding.severity == "error"] == []
    return result.locks


@pytest.fixture(scope="module")
def locks(texts: Mapping[str, str]) -> Mapping[str, Lock]:
    return {name.removesuffix(".lock.yml"): parse_lock(text, name) for name, text in texts.items()}


def ran(
    lock: Lock, steps: Mapping[str, Mapping[str, str]], contexts: Mapping[str, object] = DISPATCH
) -> set[str]:
    return set(run(JobGraph.of(lock), contexts, {"pre_activation": Outcome(steps=steps)}).ran)


def labelled(name: str) -> Mapping[str, object]:
    event = {"action": "labeled", "label": {"name": name}, "issue": {"number": 7}}
    return {"github": {"event_name": "issues", "event": event}}


ALL = {"pre_activation", "activation", "agent", "detection", "safe_outputs", "handoff", "conclusion"}


def test_the_documents_are_read_with_spans_true_to_the_file() -> None:
    for name, text in DOCUMENTS.items():
        document = parse_document(text, name)
        assert document.problems == ()
        assert text.splitlines()[document.body_line - 1].startswith("# ")


def test_locks_are_read_completely(locks: Mapping[str, Lock]) -> None:
    assert set(locks) == {name.removesuffix(".md") for name in DOCUMENTS}
    for lock in locks.values():
        assert lock.problems == ()
        assert (lock.metadata or {})["strict"] is True
        assert "ANTHROPIC_API_KEY" in (lock.manifest or {})["secrets"]
        assert {job.id for job in lock.jobs} <= {*BUILTIN_JOBS, "halt", "handoff"}
        assert all(step.uses or step.run for job in lock.jobs for step in job.steps)
        assert any(
            step.uses and step.uses.endswith(f"@{pin.RELEASE}") for job in lock.jobs for step in job.steps
        )


def test_every_scalar_of_a_lock_is_where_its_span_says(
    texts: Mapping[str, str], locks: Mapping[str, Lock]
) -> None:
    lock, text = locks["mend"], texts["mend.lock.yml"]
    for job in lock.jobs:
        assert text[job.span.start :].startswith(f"{job.id}:\n")
        for step in job.steps:
            assert text[: step.span.start].endswith("- ")


@pytest.mark.needs("node-oracles")
def test_githubs_parser_accepts_what_has_no_problems(
    texts: Mapping[str, str], locks: Mapping[str, Lock], tmp_path: Path
) -> None:
    files = {}
    for name, text in texts.items():
        files[tmp_path / name] = name
        (tmp_path / name).write_text(text, encoding="utf-8")
    answers = parse_workflows(files)
    for file, name in files.items():
        refused = {"cycle", "unknown-need", "illegal-context", "illegal-function", "bad-expression"}
        found = [p for p in problems(JobGraph.of(locks[name.removesuffix(".lock.yml")])) if p.kind in refused]
        assert (answers[file], found) == ([], [])


@pytest.mark.parametrize("name", ["mend", "judge"])
def test_wiring_that_works(locks: Mapping[str, Lock], name: str) -> None:
    lock = locks[name]
    assert problems(JobGraph.of(lock)) == ()
    assert ran(lock, GO) == ALL
    assert ran(lock, HALT) == {"pre_activation", "halt"}
    assert ran(lock, {**GO, "check_membership": {"is_team_member": "false"}}) == {"pre_activation"}
    agent = lock.job("agent")
    assert agent is not None
    token = lock.permissions_of(agent)
    assert token is not None
    assert token.writes == ()
    assert concurrency_group(lock, DISPATCH) == f"{name}-7"
    assert workflow_starts(lock, "workflow_dispatch")
    assert not workflow_starts(lock, "pull_request", "labeled")


def test_the_handoff_runs_after_every_failure(locks: Mapping[str, Lock]) -> None:
    for failing in ("activation", "agent", "detection", "safe_outputs"):
        outcomes = {"pre_activation": Outcome(steps=GO), failing: Outcome("failure")}
        done = run(JobGraph.of(locks["mend"]), DISPATCH, outcomes)
        assert done.state("handoff") == "success", failing


def test_a_foreign_label_creates_a_run_without_jobs(locks: Mapping[str, Lock]) -> None:
    lock = locks["labelled"]
    assert workflow_starts(lock, "issues", "labeled")
    assert not workflow_starts(lock, "issues", "opened")
    assert ran(lock, GO, labelled("mend-me")) == ALL
    assert ran(lock, GO, labelled("question")) == set()


def test_a_guard_in_the_top_level_if_loses_the_label_filter(locks: Mapping[str, Lock]) -> None:
    assert "pre_activation" in ran(locks["dead-filter"], GO, labelled("question"))


def test_a_halt_that_needs_only_pre_activation_kills_the_agent(locks: Mapping[str, Lock]) -> None:
    lock = locks["dead-halt"]
    activation = lock.job("activation")
    assert activation is not None
    assert "halt" in activation.needs
    assert "agent" not in ran(lock, GO)
    assert "halt" in ran(lock, HALT)


def test_an_agent_without_the_need_reads_nothing(locks: Mapping[str, Lock]) -> None:
    found = problems(JobGraph.of(locks["dead-read"]))
    assert {(problem.kind, problem.job) for problem in found} == {("not-a-need", "agent")}
    assert all(problem.path[:3] == ("jobs", "agent", "steps") for problem in found)
