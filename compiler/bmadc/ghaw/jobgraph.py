"""The jobs of a workflow as GitHub schedules them: what is wrong with their wiring, and which of them run.

GitHub's rules, as this module applies them:

- a job waits for all of its needs;
- ``success()`` looks at every ancestor, not only at the direct needs: one that failed, was cancelled or was
  skipped makes it false, even when a job in between ran all the same;
- an ``if`` without a status function means ``success() && (...)``;
- ``needs`` holds the direct needs only, and of their outputs only those that the needed job declares;
- everything else that an expression reads is null, silently.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from bmadc.ghaw.expressions import (
    ExpressionError,
    Node,
    Status,
    calls,
    condition,
    evaluate_template,
    find_templates,
    holds,
    references,
    to_string,
)
from bmadc.ghaw.locks import Job, Lock, Trigger
from bmadc.ghaw.vocabulary.places import legal_at
from bmadc.ghaw.vocabulary.tables import LEGAL
from bmadc.source.yamltree import Mapping as YamlMapping
from bmadc.source.yamltree import Scalar, Span, walk

Path: TypeAlias = tuple[str | int, ...]
Contexts: TypeAlias = Mapping[str, object]
Result: TypeAlias = Literal["success", "failure", "cancelled"]
State: TypeAlias = Literal["success", "failure", "cancelled", "skipped"]
Kind: TypeAlias = Literal[
    "unknown-need",
    "cycle",
    "not-a-need",
    "undeclared-output",
    "unknown-step",
    "illegal-context",
    "illegal-function",
    "bad-expression",
]

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class GraphProblem:
    """Something GitHub refuses or silently reads as null; ``path`` leads to it from the file's root."""

    kind: Kind
    job: str | None
    path: Path
    message: str
    span: Span

    def __str__(self) -> str:
        return f"{self.span}: {'.'.join(map(str, self.path))}: {self.message}"


@dataclass(frozen=True, slots=True)
class JobGraph:
    """The jobs of a workflow in the order of the file, with what each directly needs."""

    lock: Lock
    jobs: Mapping[str, Job]
    # Worked out once: whoever simulates a lock asks for it thousands of times.
    _needs: Mapping[str, tuple[str, ...]] = field(repr=False)

    @classmethod
    def of(cls, lock: Lock) -> JobGraph:
        """Build the graph of a workflow."""
        jobs = {job.id: job for job in lock.jobs}
        needs = {
            job.id: tuple(dict.fromkeys(need for need in job.needs if need in jobs)) for job in lock.jobs
        }
        return cls(lock, MappingProxyType(jobs), MappingProxyType(needs))

    def needs(self, job_id: str) -> tuple[str, ...]:
        """Give the direct needs that exist, in the order written."""
        return self._needs.get(job_id, ())

    def ancestors(self, job_id: str) -> tuple[str, ...]:
        """Give all jobs that must end before a job is decided, nearest first."""
        found: dict[str, None] = {}
        row = [job_id]
        while row:
            row = [need for one in row for need in self.needs(one) if need not in found]
            found.update(dict.fromkeys(row))
        found.pop(job_id, None)
        return tuple(found)

    def dependents(self, job_id: str) -> tuple[str, ...]:
        """Give the jobs that directly need a job, in the order of the file."""
        return tuple(other for other in self.jobs if job_id in self.needs(other))

    def order(self) -> tuple[str, ...]:
        """Give the jobs with every job after its needs; jobs on a cycle and those behind it are left out."""
        waiting = dict.fromkeys(self.jobs)
        done: dict[str, None] = {}
        while True:
            ready = [job for job in waiting if all(need in done for need in self.needs(job))]
            if not ready:
                return tuple(done)
            for job in ready:
                done[job] = waiting.pop(job)

    def cycle(self) -> tuple[str, ...]:
        """Give the jobs of one cycle in the order of their needs, or nothing when there is none."""
        behind = set(self.jobs) - set(self.order())
        if not behind:
            return ()
        # Everything that is left needs something that is left, so going up must come round.
        trail = [next(job for job in self.jobs if job in behind)]
        while True:
            above = next(need for need in self.needs(trail[-1]) if need in behind)
            if above in trail:
                return tuple(trail[trail.index(above) :])
            trail.append(above)


# --- what is wrong


@dataclass(frozen=True, slots=True)
class Expression:
    """One expression of a workflow with its place; ``job`` is none outside of the jobs."""

    job: Job | None
    path: Path
    node: Node
    span: Span


def expressions(lock: Lock) -> Iterator[Expression | GraphProblem]:
    """Give every expression that GitHub evaluates, in the order of the file, or why one cannot be read."""
    for path, scalar in walk(lock.root) if lock.root else ():
        job = lock.job(str(path[1])) if path[0] == "jobs" and len(path) > 1 else None
        try:
            nodes = _nodes(path, scalar)
        except ExpressionError as error:
            yield GraphProblem(
                "bad-expression",
                job.id if job else None,
                path,
                f"this expression cannot be read: {error}; GitHub refuses the file",
                scalar.span,
            )
        else:
            for node in nodes:
                yield Expression(job, path, node, scalar.span)


def _nodes(path: Path, scalar: Scalar) -> list[Node]:
    if path[-1] == "if" and legal_at(path).contexts and scalar.value is not None:
        return [condition(scalar.text).node]
    return [template.parse() for template in find_templates(scalar.text)]


def problems(graph: JobGraph) -> tuple[GraphProblem, ...]:
    """Find unknown needs, cycles, and expressions that read what is not there for them, in file order."""
    found = [*_unknown_needs(graph), *_cycles(graph)]
    for expression in expressions(graph.lock):
        if isinstance(expression, GraphProblem):
            found.append(expression)
            continue
        job_id = expression.job.id if expression.job else None
        for kind, message in _judge_all(graph, expression):
            found.append(GraphProblem(kind, job_id, expression.path, message, expression.span))
    return tuple(sorted(found, key=lambda problem: problem.span.start))


def _unknown_needs(graph: JobGraph) -> Iterator[GraphProblem]:
    for job in graph.jobs.values():
        for need in job.needs:
            if need not in graph.jobs:
                message = f"the job needs {need!r}, which does not exist; GitHub refuses the file"
                node = job.node.get("needs")
                yield GraphProblem(
                    "unknown-need",
                    job.id,
                    ("jobs", job.id, "needs"),
                    message,
                    node.span if node else job.span,
                )


def _cycles(graph: JobGraph) -> Iterator[GraphProblem]:
    cycle = graph.cycle()
    if cycle:
        job = graph.jobs[cycle[0]]
        message = (
            f"these jobs wait for each other: {' -> '.join((*cycle, cycle[0]))}; GitHub refuses the file"
        )
        yield GraphProblem("cycle", job.id, ("jobs", job.id, "needs"), message, job.span)


def _judge_all(graph: JobGraph, expression: Expression) -> Iterator[tuple[Kind, str]]:
    legal = {name.lower() for name in legal_at(expression.path).functions}
    for name in sorted(calls(expression.node) & _FUNCTIONS_OF_PLACES - legal):
        yield "illegal-function", f"{name}() is not available here; GitHub refuses the file"
    for reference in sorted(references(expression.node)):
        problem = _judge(graph, expression, reference)
        if problem:
            yield problem


# Every other function can be called at any place.
_FUNCTIONS_OF_PLACES = frozenset(name.lower() for legal in LEGAL.values() for name in legal.functions)


def _judge(graph: JobGraph, expression: Expression, reference: tuple[str, ...]) -> tuple[Kind, str] | None:
    context, *rest = reference
    legal = legal_at(expression.path).contexts
    if context not in legal:
        allowed = f"only {', '.join(legal)} are" if legal else "nothing is"
        return "illegal-context", f"{context!r} is not available here, {allowed}; GitHub refuses the file"
    if expression.job is None or not rest or rest[0] == "*":
        return None
    if context == "steps":
        return _judge_step(expression.job, expression.path, rest[0])
    return _judge_need(graph, expression.job, rest) if context == "needs" else None


def _judge_need(graph: JobGraph, job: Job, rest: list[str]) -> tuple[Kind, str] | None:
    known = {need.lower(): need for need in graph.needs(job.id)}
    need = known.get(rest[0].lower())
    if need is None:
        return "not-a-need", (
            f"the expression reads needs.{rest[0]}, but job {job.id!r} does not need it itself: null; "
            f"add {rest[0]!r} to its needs"
        )
    needed = graph.jobs[need]
    if len(rest) > 2 and rest[1].lower() == "outputs" and rest[2] != "*" and needed.uses is None:
        declared = {name.lower() for name in needed.outputs}
        if rest[2].lower() not in declared:
            return "undeclared-output", (
                f"job {need!r} declares no output {rest[2]!r}, so needs.{need}.outputs.{rest[2]} is null; "
                f"add it to the outputs of {need!r}"
            )
    return None


def _judge_step(job: Job, path: Path, step_id: str) -> tuple[Kind, str] | None:
    # A step sees only the steps above it; the job's outputs see them all.
    position = path[3] if len(path) > 3 and path[2] == "steps" else None
    steps = job.steps[:position] if isinstance(position, int) else job.steps
    if any(step.id is not None and step.id.lower() == step_id.lower() for step in steps):
        return None
    return "unknown-step", (
        f"the expression reads steps.{step_id}, but no earlier step of job {job.id!r} has that id, "
        "so it is null; check the id"
    )


# --- which jobs run


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ends if it runs.

    ``steps`` holds outputs by step id, and the job's declared outputs are evaluated from them. ``outputs``
    gives declared outputs directly, for jobs whose steps do not matter; names that the job does not declare
    are lost, as they are on GitHub. A cancelled job means that somebody cancelled the run.
    """

    result: Result = "success"
    outputs: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    steps: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))


Outcomes: TypeAlias = Mapping[str, Outcome | Callable[[Contexts], Outcome]]


@dataclass(frozen=True, slots=True)
class JobRun:
    """What became of a job and why; outputs as dependents read them."""

    id: str
    state: State
    reason: str
    outputs: Mapping[str, str]

    @property
    def ran(self) -> bool:
        """Whether a runner was started for the job."""
        return self.state != "skipped"


@dataclass(frozen=True, slots=True)
class Run:
    """What became of every job of one run, needs before dependents."""

    jobs: Mapping[str, JobRun]

    def state(self, job_id: str) -> State:
        """Give how a job ended."""
        return self.jobs[job_id].state

    @property
    def ran(self) -> tuple[str, ...]:
        """The jobs a runner was started for, needs before dependents."""
        return tuple(job.id for job in self.jobs.values() if job.ran)


def run(graph: JobGraph, contexts: Contexts, outcomes: Outcomes | None = None) -> Run:
    """Decide job by job what runs, given the event's contexts and how each job would end; default is success.

    Raises ValueError for a graph that GitHub refuses: a need that does not exist, or a cycle.
    """
    refused = [*_unknown_needs(graph), *_cycles(graph)]
    if refused:
        raise ValueError(f"GitHub would not start this workflow: {refused[0]}")
    done: dict[str, JobRun] = {}
    for job_id in graph.order():
        done[job_id] = _decide(graph, graph.jobs[job_id], contexts, outcomes or {}, done)
    return Run(MappingProxyType(done))


def _decide(
    graph: JobGraph, job: Job, contexts: Contexts, outcomes: Outcomes, done: Mapping[str, JobRun]
) -> JobRun:
    ancestors = [done[ancestor] for ancestor in graph.ancestors(job.id)]
    cancelled = any(other.state == "cancelled" for other in done.values())
    blockers = [ancestor for ancestor in ancestors if ancestor.state != "success"]
    status = Status(
        success=not blockers and not cancelled,
        failure=any(ancestor.state == "failure" for ancestor in ancestors),
        cancelled=cancelled,
    )
    seen = {**contexts, "needs": _needs_context(graph, job, done)}
    text = job.condition or "success()"
    try:
        starts = holds(text, _legal(seen, ("jobs", job.id, "if")), status)
        has_status = condition(text).has_status_function if job.condition else False
    except ExpressionError as error:
        return JobRun(job.id, "failure", f"its condition has no value: {error}", _NOTHING)
    if not starts:
        return JobRun(job.id, "skipped", _why_skipped(graph, job, blockers, cancelled, has_status), _NOTHING)
    outcome = outcomes.get(job.id, Outcome())
    if callable(outcome):
        outcome = outcome(seen)
    try:
        outputs = _outputs(job, outcome, seen)
    except ExpressionError as error:
        return JobRun(job.id, "failure", f"an output has no value: {error}", _NOTHING)
    tolerated = outcome.result == "failure" and _is_true(job.node, "continue-on-error")
    state: State = "success" if tolerated else outcome.result
    return JobRun(job.id, state, "failed, which it may" if tolerated else "ran", outputs)


def _why_skipped(graph: JobGraph, job: Job, blockers: list[JobRun], cancelled: bool, has_status: bool) -> str:
    if not has_status and blockers:
        nearest = blockers[0]
        ended = {"failure": "failed"}.get(nearest.state, f"was {nearest.state}")
        where = "which it needs" if nearest.id in graph.needs(job.id) else "which stands above its needs"
        return f"{nearest.id!r}, {where}, {ended}, and its condition has no status function"
    if not has_status and cancelled:
        return "the run was cancelled, and its condition has no status function"
    return f"its condition is false: {(job.condition or 'success()').strip()}"


def _needs_context(graph: JobGraph, job: Job, done: Mapping[str, JobRun]) -> dict[str, object]:
    return {
        need: {"result": done[need].state, "outputs": dict(done[need].outputs)}
        for need in graph.needs(job.id)
    }


def _outputs(job: Job, outcome: Outcome, contexts: Contexts) -> Mapping[str, str]:
    if job.uses is not None:
        return MappingProxyType(dict(outcome.outputs))
    given = {name.lower(): value for name, value in outcome.outputs.items()}
    steps = {step: {"outputs": dict(outputs)} for step, outputs in outcome.steps.items()}
    found: dict[str, str] = {}
    for name, text in job.outputs.items():
        if name.lower() in given:
            found[name] = given[name.lower()]
        else:
            legal = _legal({**contexts, "steps": steps}, ("jobs", job.id, "outputs", name))
            found[name] = to_string(evaluate_template(text, legal))
    return MappingProxyType(found)


def _legal(contexts: Contexts, path: Path) -> Contexts:
    names = legal_at(path).contexts
    return {name: value for name, value in contexts.items() if name in names}


def _is_true(node: YamlMapping, key: str) -> bool:
    value = node.get(key)
    return isinstance(value, Scalar) and value.value is True


# --- which events start a run

_DEFAULT_TYPES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    dict.fromkeys(("pull_request", "pull_request_target"), ("opened", "synchronize", "reopened"))
)


def workflow_starts(
    lock: Lock, event: str, action: str | None = None, payload: Mapping[str, object] | None = None
) -> bool:
    """Say whether GitHub creates a run for an event; all its jobs may be skipped. Paths are not looked at."""
    trigger = lock.triggers.get(event)
    if trigger is None:
        return False
    types = trigger.types or _DEFAULT_TYPES.get(event)
    if types is not None and action is not None and action not in types:
        return False
    return _branch_matches(trigger, payload or {}) and _source_matches(trigger, payload or {})


def _source_matches(trigger: Trigger, payload: Mapping[str, object]) -> bool:
    if trigger.workflows is None:
        return True
    return _read(payload, "workflow_run", "name") in trigger.workflows


def _branch_matches(trigger: Trigger, payload: Mapping[str, object]) -> bool:
    if trigger.branches is None and trigger.branches_ignore is None:
        return True
    branch = _branch(trigger.event, payload)
    if branch is None:
        return False
    if trigger.branches_ignore is not None:
        return not matches(branch, trigger.branches_ignore)
    return matches(branch, trigger.branches or ())


def _branch(event: str, payload: Mapping[str, object]) -> str | None:
    if event in ("pull_request", "pull_request_target"):
        return _read(payload, "pull_request", "base", "ref")
    if event == "workflow_run":
        return _read(payload, "workflow_run", "head_branch")
    ref = _read(payload, "merge_group", "base_ref") if event == "merge_group" else _read(payload, "ref")
    return ref.removeprefix("refs/heads/") if ref and not ref.startswith("refs/tags/") else None


def _read(payload: object, *path: str) -> str | None:
    for key in path:
        payload = payload.get(key) if isinstance(payload, Mapping) else None
    return payload if isinstance(payload, str) else None


def matches(name: str, patterns: tuple[str, ...]) -> bool:
    """Say whether a branch passes a list of GitHub's filter patterns; the last one that matches decides."""
    passes = False
    for pattern in patterns:
        if _pattern_matches(pattern.removeprefix("!"), name):
            passes = not pattern.startswith("!")
    return passes


def _pattern_matches(pattern: str, name: str) -> bool:
    # In these patterns `?`, `+` and `[]` mean what they mean in a regular expression.
    kept = {"**": ".*", "*": "[^/]*", "?": "?", "+": "+"}
    regex = ""
    for part in re.findall(r"\*\*|\[[^\]]+\]|\\.|.", pattern, re.DOTALL):
        is_class = part.startswith("[") and len(part) > 1
        regex += kept.get(part) or (part if is_class else re.escape(part[-1]))
    try:
        return re.fullmatch(regex, name) is not None
    except re.error:
        return False


def concurrency_group(lock: Lock, contexts: Contexts) -> str | None:
    """Evaluate the workflow's concurrency group for a run, none when it has no concurrency."""
    if lock.concurrency is None:
        return None
    legal = _legal(contexts, ("concurrency", "group"))
    return to_string(evaluate_template(lock.concurrency.group, legal))
