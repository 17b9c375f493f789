"""GitHub's rules for jobs: which wiring is dead, which jobs run, which events start a run."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmadc.ghaw.jobgraph import (
    Contexts,
    JobGraph,
    Outcome,
    concurrency_group,
    matches,
    problems,
    run,
    workflow_starts,
)
from bmadc.ghaw.locks import parse_lock

# The wiring of a compiled workflow with a guard, a halt job and a handoff, in the shape gh-aw gives it.
GOOD = """\
on:
  workflow_dispatch:
    inputs:
      pr: {type: string}
concurrency:
  group: mend-${{ github.event.inputs.pr }}
jobs:
  activation:
    needs: pre_activation
    if: needs.pre_activation.outputs.activated == 'true' && needs.pre_activation.outputs.go == 'true'
    runs-on: x
    outputs:
      model: ${{ steps.info.outputs.model }}
    steps:
      - {id: info, run: x}
  agent:
    needs: [activation, pre_activation]
    if: needs.activation.outputs.model != 'none'
    runs-on: x
    steps:
      - uses: actions/checkout@v4
        with:
          ref: ${{ needs.pre_activation.outputs.head }}
  detection:
    needs: [activation, agent]
    if: always() && needs.agent.result != 'skipped'
    runs-on: x
    steps: []
  halt:
    needs: [pre_activation, activation]
    if: always() && needs.pre_activation.outputs.halt == 'true'
    runs-on: x
    steps: []
  handoff:
    needs: [pre_activation, activation, agent, safe_outputs]
    if: always() && needs.pre_activation.outputs.go == 'true'
    runs-on: x
    steps:
      - env:
          APPLIED: ${{ needs.safe_outputs.result }}
        run: x
  pre_activation:
    runs-on: x
    outputs:
      activated: ${{ steps.member.outputs.ok == 'true' }}
      go: ${{ steps.guard.outputs.go }}
      halt: ${{ steps.guard.outputs.halt }}
      head: ${{ steps.guard.outputs.head }}
    steps:
      - {id: member, run: x}
      - {id: guard, run: x}
  safe_outputs:
    needs: [activation, agent, detection]
    if: (!cancelled()) && needs.agent.result != 'skipped' && needs.detection.result == 'success'
    runs-on: x
    steps: []
"""

MAIN = ("pre_activation", "activation", "agent", "detection", "safe_outputs", "handoff")


def graph(text: str) -> JobGraph:
    lock = parse_lock(text, "x.lock.yml")
    assert lock.problems == ()
    return JobGraph.of(lock)


def guard(**outputs: str) -> Mapping[str, Outcome]:
    return {"pre_activation": Outcome(steps={"member": {"ok": "true"}, "guard": outputs})}


def kinds(text: str) -> list[tuple[str, str | None, str]]:
    return [(p.kind, p.job, ".".join(map(str, p.path))) for p in problems(graph(text))]


# --- a workflow that works


def test_a_go_runs_everything_but_the_halt() -> None:
    done = run(graph(GOOD), {}, guard(go="true"))
    assert done.ran == MAIN
    assert done.state("halt") == "skipped"
    assert done.jobs["halt"].reason.startswith("its condition is false: always() && ")


def test_a_halt_runs_the_halt_alone() -> None:
    done = run(graph(GOOD), {}, guard(go="false", halt="true"))
    assert done.ran == ("pre_activation", "halt")
    assert done.jobs["agent"].reason == (
        "'activation', which it needs, was skipped, and its condition has no status function"
    )


def test_a_refused_member_stops_all() -> None:
    done = run(graph(GOOD), {}, {"pre_activation": Outcome(steps={"guard": {"go": "false"}})})
    assert done.ran == ("pre_activation",)


def test_a_failed_agent_still_reaches_the_handoff_without_outputs_being_blocked() -> None:
    done = run(graph(GOOD), {}, {**guard(go="true"), "agent": Outcome("failure")})
    assert done.ran == MAIN
    assert done.state("agent") == "failure"


def test_a_failed_guard_starts_nothing() -> None:
    done = run(graph(GOOD), {}, {"pre_activation": Outcome("failure")})
    assert done.ran == ("pre_activation",)
    assert done.jobs["activation"].reason == (
        "'pre_activation', which it needs, failed, and its condition has no status function"
    )


def test_the_good_wiring_has_no_problems() -> None:
    assert kinds(GOOD) == []


# --- the same workflow with one edit


def changed(before: str, after: str) -> str:
    assert GOOD.count(before) == 1
    return GOOD.replace(before, after)


def test_a_halt_that_activation_waits_for_kills_the_run_it_is_not_needed_in() -> None:
    dead = changed(
        "    needs: [pre_activation, activation]\n    if: always() && needs.pre_activation.outputs.halt",
        ("    needs: [pre_activation]\n    if: always() && needs.pre_activation.outputs.halt"),
    ).replace("    needs: pre_activation\n", "    needs: [halt, pre_activation]\n")
    done = run(graph(dead), {}, guard(go="true"))
    assert done.ran == ("pre_activation", "handoff")
    assert done.jobs["activation"].reason == (
        "'halt', which it needs, was skipped, and its condition has no status function"
    )
    # Nothing is wrong with the expressions: only running the graph shows it.
    assert kinds(dead) == []


def test_outputs_read_without_the_need_are_found_and_null() -> None:
    dead = changed("    needs: [activation, pre_activation]\n", "    needs: [activation]\n")
    assert kinds(dead) == [("not-a-need", "agent", "jobs.agent.steps.0.with.ref")]
    (problem,) = problems(graph(dead))
    assert dead.splitlines()[problem.span.line - 1].strip() == "ref: ${{ needs.pre_activation.outputs.head }}"
    assert problem.span.column == 16

    gated = dead.replace(
        "if: needs.activation.outputs.model != 'none'", "if: needs.pre_activation.outputs.go == 'true'"
    )
    assert run(graph(gated), {}, guard(go="true")).state("agent") == "skipped"


def test_an_output_that_is_not_declared_is_found_and_null() -> None:
    dead = changed("      go: ${{ steps.guard.outputs.go }}\n", "")
    assert kinds(dead) == [
        ("undeclared-output", "activation", "jobs.activation.if"),
        ("undeclared-output", "handoff", "jobs.handoff.if"),
    ]
    assert run(graph(dead), {}, guard(go="true")).ran == ("pre_activation",)


def test_a_handoff_with_only_the_outputs_as_need_reads_null() -> None:
    dead = changed(
        "    needs: [pre_activation, activation, agent, safe_outputs]\n", "    needs: [safe_outputs]\n"
    )
    assert kinds(dead) == [("not-a-need", "handoff", "jobs.handoff.if")]
    assert run(graph(dead), {}, guard(go="true")).state("handoff") == "skipped"


def test_without_a_status_function_the_handoff_dies_with_the_agent() -> None:
    dead = changed(
        "if: always() && needs.pre_activation.outputs.go == 'true'",
        "if: needs.pre_activation.outputs.go == 'true'",
    )
    done = run(graph(dead), {}, {**guard(go="true"), "agent": Outcome("failure")})
    assert done.state("handoff") == "skipped"
    assert run(graph(dead), {}, guard(go="true")).state("handoff") == "success"


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "needs: pre_activation\n",
            "needs: pre_activatoin\n",
            ("unknown-need", "activation", "jobs.activation.needs"),
        ),
        (
            "steps.guard.outputs.head",
            "steps.gaurd.outputs.head",
            ("unknown-step", "pre_activation", "jobs.pre_activation.outputs.head"),
        ),
        (
            "mend-${{ github.event.inputs.pr }}",
            "mend-${{ needs.agent.result }}",
            ("illegal-context", None, "concurrency.group"),
        ),
        (
            "APPLIED: ${{ needs.safe_outputs.result }}",
            "APPLIED: ${{ always() }}",
            ("illegal-function", "handoff", "jobs.handoff.steps.0.env.APPLIED"),
        ),
        (
            "APPLIED: ${{ needs.safe_outputs.result }}",
            "APPLIED: ${{ needs.safe_outputs. }}",
            ("bad-expression", "handoff", "jobs.handoff.steps.0.env.APPLIED"),
        ),
        (
            "if: needs.activation.outputs.model != 'none'",
            "if: env.X == ''",
            ("illegal-context", "agent", "jobs.agent.if"),
        ),
    ],
)
def test_each_mistake_is_found_where_it_is(
    before: str, after: str, expected: tuple[str, str | None, str]
) -> None:
    assert expected in kinds(changed(before, after))


def test_names_are_compared_as_github_compares_them() -> None:
    assert (
        kinds(
            changed(
                "ref: ${{ needs.pre_activation.outputs.head }}",
                "ref: ${{ needs.PRE_activation.Outputs.HEAD }}",
            )
        )
        == []
    )


def test_computed_and_whole_reads_are_not_judged() -> None:
    for read in (
        "toJSON(needs)",
        "needs.*.result",
        "needs[github.job].result",
        "needs.pre_activation.outputs",
    ):
        assert (
            kinds(changed("ref: ${{ needs.pre_activation.outputs.head }}", f"ref: ${{{{ {read} }}}}")) == []
        )


def test_every_place_of_a_job_is_looked_at() -> None:
    text = """\
on: push
jobs:
  b: {runs-on: x, steps: []}
  a:
    if: ${{ needs.b.result }}
    runs-on: ${{ needs.b.result }}
    timeout-minutes: ${{ needs.b.result }}
    concurrency: {group: "${{ needs.b.result }}"}
    env: {X: "${{ needs.b.result }}"}
    environment: {name: "${{ needs.b.result }}"}
    outputs: {x: "a ${{ github.x }} ${{ needs.b.result }}"}
    steps:
      - if: needs.b.result
        name: ${{ needs.b.result }}
        env: {X: "${{ needs.b.result }}"}
        run: |
          echo
          echo ${{ needs.b.result }}
      - uses: x
        with: {y: "${{ format('{0}', needs.b.result) }}"}
"""
    found = problems(graph(text))
    assert {p.kind for p in found} == {"not-a-need"}
    assert [".".join(map(str, p.path[2:])) for p in found] == [
        "if",
        "runs-on",
        "timeout-minutes",
        "concurrency.group",
        "env.X",
        "environment.name",
        "outputs.x",
        "steps.0.if",
        "steps.0.name",
        "steps.0.env.X",
        "steps.0.run",
        "steps.1.with.y",
    ]
    assert problems(graph(text.replace("    if: ${{", "    needs: [b]\n    if: ${{"))) == ()


def test_a_step_sees_only_the_steps_above_it() -> None:
    text = """\
on: push
jobs:
  a:
    runs-on: x
    steps:
      - {id: one, run: "${{ steps.two.outputs.x }}"}
      - {id: two, run: "${{ steps.one.outputs.x }} ${{ steps.two.outputs.x }}"}
"""
    assert [(p.kind, p.path[3]) for p in problems(graph(text))] == [("unknown-step", 0), ("unknown-step", 1)]


# --- cycles and order


def test_a_cycle_is_named_and_refused() -> None:
    wheel = chain("d: {needs: c}", "a: {needs: b}", "b: {needs: [c]}", "c: {needs: [e, a]}", "e: {}")
    (problem,) = problems(wheel)
    assert problem.kind == "cycle"
    assert "c -> a -> b -> c" in problem.message
    assert wheel.order() == ("e",)
    with pytest.raises(ValueError, match="wait for each other"):
        run(wheel, {})


def test_a_job_that_needs_itself_is_a_cycle() -> None:
    assert graph("on: push\njobs: {a: {needs: a}}\n").cycle() == ("a",)


def test_an_unknown_need_is_refused() -> None:
    with pytest.raises(ValueError, match="'gone'"):
        run(graph("on: push\njobs: {a: {needs: gone}}\n"), {})


def test_neighbours() -> None:
    good = graph(GOOD)
    assert good.ancestors("detection") == ("activation", "agent", "pre_activation")
    assert good.dependents("agent") == ("detection", "handoff", "safe_outputs")
    assert good.order() == (
        "pre_activation",
        "activation",
        "agent",
        "halt",
        "detection",
        "safe_outputs",
        "handoff",
    )


# --- the rules one by one


def chain(*jobs: str) -> JobGraph:
    return graph("on: push\njobs:\n" + "".join(f"  {job}\n" for job in jobs))


def test_success_looks_at_all_ancestors() -> None:
    rope = chain(
        "a: {if: 'false'}", "b: {needs: a, if: always()}", "c: {needs: b}", "d: {needs: c, if: '!failure()'}"
    )
    done = run(rope, {})
    assert [job.state for job in done.jobs.values()] == ["skipped", "success", "skipped", "success"]
    assert done.jobs["c"].reason == (
        "'a', which stands above its needs, was skipped, and its condition has no status function"
    )
    assert run(chain("a: {}", "b: {needs: a, if: always()}", "c: {needs: b}"), {}).state("c") == "success"


@pytest.mark.parametrize(
    ("condition", "after_success", "after_failure", "after_skip", "after_cancel"),
    [
        ("success()", True, False, False, False),
        ("failure()", False, True, False, False),
        ("always()", True, True, True, True),
        ("cancelled()", False, False, False, True),
        ("'!cancelled()'", True, True, True, False),
        ("'!failure()'", True, False, True, True),
        ("'true'", True, False, False, False),
        ("${{ true }}", True, False, False, False),
        ("needs.a.result == 'failure'", False, False, False, False),
        ("failure() && needs.a.result == 'failure'", False, True, False, False),
        ("\"contains('always()', 'x')\"", False, False, False, False),
    ],
)
def test_conditions_after_each_kind_of_end(
    condition: str, after_success: bool, after_failure: bool, after_skip: bool, after_cancel: bool
) -> None:
    pair = chain(
        "a: {if: github.run}",
        f"b: {{needs: a, if: {condition}}}"
        if "{" not in condition
        else "b:\n    needs: a\n    if: " + condition,
    )
    ends = {
        "success": (True, Outcome()),
        "failure": (True, Outcome("failure")),
        "skipped": (False, Outcome()),
        "cancelled": (True, Outcome("cancelled")),
    }
    found = [
        run(pair, {"github": {"run": starts}}, {"a": outcome}).jobs["b"].ran
        for starts, outcome in ends.values()
    ]
    assert found == [after_success, after_failure, after_skip, after_cancel]


def test_needs_are_the_direct_ones_only() -> None:
    done = run(
        chain(
            "a: {outputs: {x: '${{ steps.s.outputs.x }}'}}",
            "b: {needs: a}",
            "c: {needs: b, if: needs.a.outputs.x == null && needs.b.result == 'success'}",
            "d: {needs: [a, b], if: needs.a.outputs.x == 'set'}",
        ),
        {},
        {"a": Outcome(steps={"s": {"x": "set"}})},
    )
    assert done.ran == ("a", "b", "c", "d")


def test_a_skipped_job_has_no_outputs() -> None:
    done = run(
        chain(
            "a: {if: 'false', outputs: {x: set}}", "b: {needs: a, if: always() && needs.a.outputs.x == null}"
        ),
        {},
    )
    assert done.state("b") == "success"
    assert dict(done.jobs["a"].outputs) == {}


def test_outputs_that_the_job_does_not_declare_are_lost() -> None:
    done = run(chain("a: {outputs: {x: unset}}"), {}, {"a": Outcome(outputs={"x": "1", "y": "2"})})
    assert dict(done.jobs["a"].outputs) == {"x": "1"}


def test_a_called_workflow_gives_the_outputs_it_is_said_to_give() -> None:
    done = run(
        chain("a: {uses: ./w.yml}", "b: {needs: a, if: needs.a.outputs.x == '1'}"),
        {},
        {"a": Outcome(outputs={"x": "1"})},
    )
    assert done.state("b") == "success"


def test_a_condition_without_a_value_fails_the_job_and_those_after_it() -> None:
    done = run(chain("a: {if: fromJSON('nope').x}", "b: {needs: a}", "c: {needs: a, if: failure()}"), {})
    assert [job.state for job in done.jobs.values()] == ["failure", "skipped", "success"]
    assert done.jobs["a"].reason.startswith("its condition has no value: ")


def test_contexts_that_a_job_condition_cannot_see_are_null() -> None:
    seen: Contexts = {"github": {"x": "1"}, "vars": {"x": "1"}, "env": {"x": "1"}, "secrets": {"x": "1"}}
    done = run(
        chain(
            "a: {if: github.x == '1' && vars.x == '1'}", "b: {if: env.x == '1'}", "c: {if: secrets.x == '1'}"
        ),
        seen,
    )
    assert done.ran == ("a",)


def test_a_failure_that_may_happen_is_a_success_for_others() -> None:
    done = run(chain("a: {continue-on-error: true}", "b: {needs: a}"), {}, {"a": Outcome("failure")})
    assert done.state("b") == "success"


def test_an_outcome_may_be_computed_from_what_the_job_sees() -> None:
    asked: list[Contexts] = []

    def script(contexts: Contexts) -> Outcome:
        asked.append(contexts)
        github = contexts["github"]
        assert isinstance(github, dict)
        return Outcome(steps={"s": {"double": github["number"] * 2}})

    done = run(
        chain("a: {}", "b: {needs: a, outputs: {x: 'n${{ steps.s.outputs.double }}'}}", "c: {if: 'false'}"),
        {"github": {"number": "4"}},
        {"b": script, "c": script},
    )
    assert dict(done.jobs["b"].outputs) == {"x": "n44"}
    # A job that does not run is not asked.
    assert [contexts["needs"] for contexts in asked] == [{"a": {"result": "success", "outputs": {}}}]


@given(
    edges=st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20),
    skipped=st.sets(st.integers(0, 7)),
    failed=st.sets(st.integers(0, 7)),
)
def test_without_conditions_a_job_runs_exactly_when_all_its_ancestors_succeed(
    edges: list[tuple[int, int]], skipped: set[int], failed: set[int]
) -> None:
    needs = {job: sorted({low for low, high in edges if high == job and low < high}) for job in range(8)}
    wiring = chain(
        *(
            f"j{job}: {{needs: [{', '.join(f'j{need}' for need in needs[job])}]"
            + (", if: 'false'" if job in skipped else "")
            + "}"
            for job in reversed(range(8))
        )
    )
    done = run(wiring, {}, {f"j{job}": Outcome("failure") for job in failed})

    def succeeds(job: int) -> bool:
        return runs(job) and job not in failed

    def runs(job: int) -> bool:
        return job not in skipped and all(succeeds(need) for need in needs[job])

    assert {job: done.jobs[f"j{job}"].ran for job in range(8)} == {job: runs(job) for job in range(8)}
    order = list(done.jobs)
    assert all(order.index(f"j{need}") < order.index(f"j{job}") for job in range(8) for need in needs[job])


# --- events


@pytest.mark.parametrize(
    ("on", "event", "action", "starts"),
    [
        ("pull_request", "pull_request", "opened", True),
        ("pull_request", "pull_request", "synchronize", True),
        ("pull_request", "pull_request", "reopened", True),
        ("pull_request", "pull_request", "labeled", False),
        ("pull_request", "pull_request", "ready_for_review", False),
        ("{pull_request: {types: [labeled]}}", "pull_request", "labeled", True),
        ("{pull_request: {types: [labeled]}}", "pull_request", "opened", False),
        ("pull_request_target", "pull_request_target", "closed", False),
        ("issues", "issues", "labeled", True),
        ("issues", "issues", "pinned", True),
        ("{issues: {types: [opened]}}", "issues", "labeled", False),
        ("issue_comment", "issue_comment", "created", True),
        ("pull_request_review", "pull_request_review", "submitted", True),
        ("{pull_request_review: {types: [submitted]}}", "pull_request_review", "dismissed", False),
        ("{repository_dispatch: {types: [go]}}", "repository_dispatch", "go", True),
        ("{repository_dispatch: {types: [go]}}", "repository_dispatch", "stop", False),
        ("workflow_dispatch", "workflow_dispatch", None, True),
        ("[push, issues]", "issue_comment", "created", False),
    ],
)
def test_events_and_their_types(on: str, event: str, action: str | None, starts: bool) -> None:
    assert workflow_starts(parse_lock(f"on: {on}\njobs: {{}}\n", "x.yml"), event, action) is starts


@pytest.mark.parametrize(
    ("on", "event", "payload", "starts"),
    [
        ("{push: {branches: [main]}}", "push", {"ref": "refs/heads/main"}, True),
        ("{push: {branches: [main]}}", "push", {"ref": "refs/heads/other"}, False),
        ("{push: {branches: [main]}}", "push", {"ref": "refs/tags/main"}, False),
        ("{push: {branches-ignore: ['wip/**']}}", "push", {"ref": "refs/heads/wip/a/b"}, False),
        ("{push: {branches-ignore: ['wip/**']}}", "push", {"ref": "refs/heads/main"}, True),
        (
            "{pull_request: {branches: main}}",
            "pull_request",
            {"pull_request": {"base": {"ref": "main"}}},
            True,
        ),
        (
            "{pull_request: {branches: main}}",
            "pull_request",
            {"pull_request": {"base": {"ref": "dev"}}},
            False,
        ),
        ("{pull_request: {branches: main}}", "pull_request", {}, False),
        ("{workflow_run: {workflows: [CI]}}", "workflow_run", {"workflow_run": {"name": "CI"}}, True),
        ("{workflow_run: {workflows: [CI]}}", "workflow_run", {"workflow_run": {"name": "Docs"}}, False),
    ],
)
def test_events_and_their_branches(on: str, event: str, payload: dict[str, object], starts: bool) -> None:
    assert workflow_starts(parse_lock(f"on: {on}\njobs: {{}}\n", "x.yml"), event, None, payload) is starts


@pytest.mark.parametrize(
    ("name", "patterns", "passes"),
    [
        ("main", ("main",), True),
        ("maine", ("main",), False),
        ("a/b", ("*",), False),
        ("a/b", ("**",), True),
        ("release/1", ("release/*",), True),
        ("release/1/x", ("release/*",), False),
        ("release/1-alpha", ("release/**", "!release/**-alpha"), False),
        ("release/1-alpha", ("!release/**-alpha", "release/**"), True),
        ("v10", ("v[0-9]+",), True),
        ("v", ("v[0-9]+",), False),
        ("color", ("colou?r",), True),
        ("a.b", ("a.b",), True),
        ("axb", ("a.b",), False),
        ("a*b", (r"a\*b",), True),
        ("x", ("?", "[z-a]"), False),
    ],
)
def test_branch_patterns(name: str, patterns: tuple[str, ...], passes: bool) -> None:
    assert matches(name, patterns) is passes


def test_the_concurrency_group_of_a_run() -> None:
    lock = parse_lock(GOOD, "x.lock.yml")
    assert concurrency_group(lock, {"github": {"event": {"inputs": {"pr": "7"}}}}) == "mend-7"
    assert concurrency_group(lock, {"github": {"event": {"inputs": {"pr": 7}}}}) == "mend-7"
    assert concurrency_group(lock, {}) == "mend-"
    assert concurrency_group(parse_lock("on: push\njobs: {}\n", "x.yml"), {}) is None
