"""Workflows as GitHub reads them: triggers, permissions, concurrency, jobs, steps, header notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmadc.ghaw.locks import parse_lock

LOCK = """\
# gh-aw-metadata: {"schema_version":"v4","strict":true}
# gh-aw-manifest: {"version":1,"secrets":["A_KEY"]}
#
# A comment.

name: "mend"
on:
  # types: [never]
  workflow_dispatch:
    inputs:
      pr:
        description: number
        required: true
        type: string
      mode:
        type: choice
        options: [fast, slow]
        default: fast
  pull_request:
    types: [labeled, ready_for_review]
    branches: main
  schedule:
    - cron: "5 4 * * *"
    - cron: "0 0 1 * *"

permissions: {}

concurrency:
  group: mend-${{ github.event.inputs.pr }}
  cancel-in-progress: false
  queue: max

env:
  COLOUR: blue
  DEBUG: true

jobs:
  gate:
    if: |
      github.event_name == 'merge_group'
    runs-on: ubuntu-slim
    permissions:
      issues: read
    outputs:
      go: ${{ steps.ask.outputs.go }}
    steps:
      - id: ask
        name: Ask
        env:
          N: ${{ github.event.inputs.pr }}
        run: |
          echo "go=true" >> "$GITHUB_OUTPUT"
      - uses: actions/checkout@v4
        if: always()
        with:
          fetch-depth: 0
  work:
    needs: gate
    runs-on: [self-hosted, linux]
    timeout-minutes: 30
    concurrency: only-one
    permissions: write-all
    steps: []
  call:
    needs: [gate, work]
    uses: ./.github/workflows/other.yml
    permissions: read-all
"""


def test_the_head_of_a_lock() -> None:
    lock = parse_lock(LOCK, "mend.lock.yml")
    assert lock.problems == ()
    assert lock.name == "mend"
    assert dict(lock.env) == {"COLOUR": "blue", "DEBUG": "true"}
    assert lock.permissions is not None
    assert lock.permissions.level("contents") == "none"
    assert lock.concurrency is not None
    assert (lock.concurrency.group, lock.concurrency.cancel_in_progress, lock.concurrency.queue) == (
        "mend-${{ github.event.inputs.pr }}",
        "false",
        "max",
    )


def test_the_notes_gh_aw_leaves_in_the_header() -> None:
    lock = parse_lock(LOCK, "mend.lock.yml")
    assert dict(lock.metadata or {}) == {"schema_version": "v4", "strict": True}
    assert (lock.manifest or {})["secrets"] == ["A_KEY"]


def test_a_note_below_the_header_is_not_one() -> None:
    lock = parse_lock('on: push\n# gh-aw-metadata: {"strict":true}\njobs: {}\n', "x.yml")
    assert lock.metadata is None
    assert lock.manifest is None


def test_a_broken_note_is_a_problem_at_its_place() -> None:
    lock = parse_lock("\n# gh-aw-metadata: {oops\non: push\njobs: {}\n", "x.yml")
    assert lock.metadata is None
    assert [str(problem.span) for problem in lock.problems] == ["2:19"]


def test_triggers_with_their_filters_and_inputs() -> None:
    triggers = parse_lock(LOCK, "mend.lock.yml").triggers
    assert list(triggers) == ["workflow_dispatch", "pull_request", "schedule"]
    assert triggers["pull_request"].types == ("labeled", "ready_for_review")
    assert triggers["pull_request"].branches == ("main",)
    assert triggers["pull_request"].branches_ignore is None
    assert triggers["schedule"].crons == ("5 4 * * *", "0 0 1 * *")
    inputs = triggers["workflow_dispatch"].inputs
    assert [(one.name, one.type, one.required, one.default, one.options) for one in inputs.values()] == [
        ("pr", "string", True, None, ()),
        ("mode", "choice", False, "fast", ("fast", "slow")),
    ]


@pytest.mark.parametrize(
    ("on", "events"),
    [
        ("push", ["push"]),
        ("[push, issues]", ["push", "issues"]),
        ("{push: , issues: {types: labeled, names: [a, b]}}", ["push", "issues"]),
    ],
)
def test_the_three_forms_of_on_are_one(on: str, events: list[str]) -> None:
    lock = parse_lock(f"on: {on}\njobs: {{}}\n", "x.yml")
    assert list(lock.triggers) == events
    assert lock.triggers["push"].types is None
    if "names" in on:
        assert lock.triggers["issues"].types == ("labeled",)
        assert lock.triggers["issues"].names == ("a", "b")


def test_jobs_in_order_with_what_they_need() -> None:
    lock = parse_lock(LOCK, "mend.lock.yml")
    assert [(job.id, job.needs, job.runs_on, job.timeout, job.uses) for job in lock.jobs] == [
        ("gate", (), ("ubuntu-slim",), None, None),
        ("work", ("gate",), ("self-hosted", "linux"), "30", None),
        ("call", ("gate", "work"), (), None, "./.github/workflows/other.yml"),
    ]
    gate, work, _ = lock.jobs
    assert gate.condition == "github.event_name == 'merge_group'\n"
    assert work.condition is None
    assert dict(gate.outputs) == {"go": "${{ steps.ask.outputs.go }}"}
    assert work.concurrency is not None
    assert (work.concurrency.group, work.concurrency.queue) == ("only-one", "single")
    assert lock.job("gate") is gate
    assert lock.job("nobody") is None


def test_a_job_span_reaches_from_its_name_to_its_last_value() -> None:
    job = parse_lock(LOCK, "mend.lock.yml").job("work")
    assert job is not None
    source = LOCK[job.span.start : job.span.end]
    assert source.startswith("work:\n")
    assert source.endswith("steps: []")


def test_steps_with_their_parts() -> None:
    gate = parse_lock(LOCK, "mend.lock.yml").jobs[0]
    ask, checkout = gate.steps
    assert (ask.id, ask.name, ask.uses, ask.condition) == ("ask", "Ask", None, None)
    assert ask.run == 'echo "go=true" >> "$GITHUB_OUTPUT"\n'
    assert dict(ask.env) == {"N": "${{ github.event.inputs.pr }}"}
    assert (checkout.uses, checkout.condition, dict(checkout.with_)) == (
        "actions/checkout@v4",
        "always()",
        {"fetch-depth": "0"},
    )
    assert gate.step("ask") is ask
    assert LOCK[checkout.span.start :].startswith("uses: actions/checkout@v4")


def test_the_token_of_a_job_is_its_own_or_the_workflows() -> None:
    lock = parse_lock(
        "on: push\npermissions: {contents: read}\njobs:\n  a: {permissions: {issues: write, checks: read}}\n"
        "  b: {}\n  c: {permissions: write-all}\n",
        "x.yml",
    )
    tokens = [lock.permissions_of(job) for job in lock.jobs]
    assert [token.writes if token else None for token in tokens] == [("issues",), (), ("*",)]
    a, b, c = tokens
    assert a is not None
    assert b is not None
    assert c is not None
    assert (a.level("contents"), b.level("contents"), c.level("contents")) == ("none", "read", "write")
    open_lock = parse_lock("on: push\njobs: {a: {}}\n", "x.yml")
    assert open_lock.permissions_of(open_lock.jobs[0]) is None


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("- a\n", "1:1", "not a mapping"),
        ("name: x\njobs: {}\n", "1:1", "'on'"),
        ("on: push\n", "1:1", "'jobs'"),
        ("on: push\njobs: [a]\n", "2:7", "jobs are not a mapping"),
        ("on: push\njobs:\n  a: x\n", "3:3", "'a' is not a mapping"),
        ("on: push\njobs:\n  a:\n    steps: x\n", "4:12", "steps are not a list"),
        ("on: push\njobs:\n  a:\n    steps:\n      - x\n", "5:9", "step is not a mapping"),
        ("on: push\npermissions: {issues: maybe}\njobs: {}\n", "2:23", "'maybe'"),
        ("on: push\npermissions: all\njobs: {}\n", "2:14", "neither a mapping"),
        ("on: push\nconcurrency: {cancel-in-progress: true}\njobs: {}\n", "2:14", "no group"),
        ("on: [push, [x]]\njobs: {}\n", "1:12", "not a word"),
        ("on: push\njobs: {a: {}, a: {}}\n", "2:15", "second time"),
        ("a: b: c\n", "1:5", "not YAML"),
    ],
)
def test_what_is_wrong_is_collected_with_its_place(text: str, place: str, words: str) -> None:
    problems = parse_lock(text, "x.yml").problems
    assert [(str(problem.span), words in problem.message) for problem in problems] == [(place, True)]


_KEYS = [
    "on",
    "jobs",
    "steps",
    "needs",
    "if",
    "env",
    "with",
    "permissions",
    "concurrency",
    "types",
    "inputs",
    "outputs",
    "runs-on",
    "labels",
    "group",
    "schedule",
    "cron",
    "push",
]
_NODE = st.recursive(
    st.sampled_from(["", "a", "true", "1", "${{ x }}", "read-all"]),
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(item or '~' for item in items)}]")
        | st.dictionaries(
            st.sampled_from(_KEYS),
            inner,
            max_size=4,
        ).map(lambda items: "{" + ", ".join(f"{key}: {item}" for key, item in items.items()) + "}")
    ),
    max_leaves=25,
)


@given(on=_NODE, jobs=_NODE, rest=_NODE)
def test_no_shape_of_a_workflow_makes_the_reader_raise(on: str, jobs: str, rest: str) -> None:
    text = f"on: {on}\njobs: {jobs}\nenv: {rest}\npermissions: {rest}\nconcurrency: {rest}\n"
    lock = parse_lock(text, "any.yml")
    assert all(problem.span.line <= 6 for problem in lock.problems)
