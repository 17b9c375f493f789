"""Our three workflows through the real gh-aw, and what must hold for each lock.

One list of checks for the good pack and for its dead forms: what the good pack passes, a dead form fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bmadc.ghaw.expressions import Status, evaluate_template, holds
from bmadc.ghaw.jobgraph import JobGraph, Outcome, Run, concurrency_group, problems, run, workflow_starts
from bmadc.ghaw.locks import Job, Lock, parse_lock
from bmadc.ghaw.runner import CompileResult, compile_files
from bmadc.machine import catalogue
from bmadc.machine.catalogue import SPINE, Row
from bmadc.machine.labels import LABELS, PIPELINE
from bmadc.machine.protocol import Cause, wakes
from bmadc.machine.wiring import Wiring
from support.oracles import parse_workflows
from support.spinepack import pack

Contexts = Mapping[str, object]

HEAD = "story/7"
MEMBER = {"check_membership": {"is_team_member": "true"}}
STRANGER = {"check_membership": {"is_team_member": "false"}}
GO = {"guard": {"go": "true", "halt": "false", "head_ref": HEAD, "enters": "bmad-dev"}}
HALT = {"guard": {"go": "false", "halt": "true", "code": "cycles", "reason": "enough"}}
NEITHER = {"guard": {"go": "false", "halt": "false", "code": "state"}}
OPEN = {"gate": {"open": "true"}}
FOREIGN = ("question", "bmad", "bmad-devx", "", "' || true || '")


@cache
def compiled(wiring: Wiring) -> CompileResult:
    """The pack of a wiring as gh-aw compiles it."""
    return compile_files(pack(wiring))


def locks(result: CompileResult) -> dict[str, Lock]:
    """The locks that gh-aw made, by file name."""
    return {name: parse_lock(text, name) for name, text in result.locks.items()}


# --- events


def _contexts(event_name: str, event: Mapping[str, object]) -> Contexts:
    return {"github": {"event_name": event_name, "event": event, "run_id": 1}}


def aw_context(number: int) -> str:
    """What the handoff sends beside the number."""
    return json.dumps({"item_type": "pull_request", "item_number": str(number), "event_type": "pull_request"})


def pull(number: int, *names: str) -> dict[str, object]:
    """A pull request of the pipeline, as an event shows it."""
    return {"number": number, "labels": [{"name": name} for name in (PIPELINE.name, *names)]}


def labeled(label: str, number: int, *, on_pull: bool) -> Contexts:
    """A label set on a pull request or an issue."""
    item = {"pull_request": pull(number)} if on_pull else {"issue": {"number": number}}
    name = "pull_request" if on_pull else "issues"
    return _contexts(name, {"action": "labeled", "label": {"name": label}, **item})


def events(row: Row, number: int) -> dict[str, Contexts]:
    """Every event that may start a workflow, named for its cause."""
    if row.worker is None:
        assert row.trigger
        return {"labeled": labeled(row.trigger.name, number, on_pull=False)}
    found: dict[str, Contexts] = {}
    item: dict[str, object] = {"pull_request": pull(number)}
    for wake in wakes(row.worker):
        match wake.cause:
            case Cause.DISPATCH:
                inputs = {"pr": str(number), "aw_context": aw_context(number)}
                found["dispatch"] = _contexts("workflow_dispatch", {"inputs": inputs})
            case Cause.LABELED:
                found[f"labeled {wake.state}"] = labeled(wake.state, number, on_pull=True)
            case Cause.CHANGES_REQUESTED:
                asked = {"action": "submitted", "review": {"id": 5, "state": "changes_requested"}, **item}
                found["submitted"] = _contexts("pull_request_review", asked)
            case cause:
                found[cause.value] = _contexts("pull_request", {"action": cause.value, **item})
    return found


def started(lock: Lock, contexts: Contexts) -> bool:
    """Whether GitHub creates a run for the event at all."""
    github = contexts["github"]
    assert isinstance(github, Mapping)
    action = github["event"].get("action")
    return workflow_starts(lock, str(github["event_name"]), action, github["event"])


def simulate(lock: Lock, contexts: Contexts, steps: Mapping[str, Mapping[str, str]], **more: Outcome) -> Run:
    """The run of a lock in which the guard says what `steps` has, and everything else goes well."""
    outcomes = {"pre_activation": Outcome(steps=steps), "gate": Outcome(steps=OPEN), **more}
    return run(JobGraph.of(lock), contexts, outcomes)


# --- checks: each yields what is wrong


@dataclass(frozen=True, slots=True)
class Subject:
    """One workflow with its lock, and how gh-aw took it."""

    row: Row
    lock: Lock
    all_locks: Mapping[str, Lock]
    text: str


def agent_chain(row: Row) -> set[str]:
    """Every job that a run has when all goes well."""
    chain = {
        "pre_activation",
        "activation",
        "agent",
        "detection",
        "gate",
        "safe_outputs",
        "handoff",
        "conclusion",
    }
    return chain | ({"enter"} if row.worker else set())


def reads_only_its_needs(subject: Subject) -> Iterator[str]:
    """Every `needs.X` in an expression is in that job's `needs`, and no expression is refused."""
    yield from map(str, subject.lock.problems)
    yield from map(str, problems(JobGraph.of(subject.lock)))


def go_reaches_the_handoff(subject: Subject) -> Iterator[str]:
    """With the guard's outputs true, every job from pre_activation to handoff runs."""
    for cause, contexts in events(subject.row, 7).items():
        if not started(subject.lock, contexts):
            yield f"{cause}: GitHub starts no run"
            continue
        done = simulate(subject.lock, contexts, {**MEMBER, **GO})
        if set(done.ran) != agent_chain(subject.row):
            why = {job: done.jobs[job].reason for job in agent_chain(subject.row) - set(done.ran)}
            yield f"{cause}: ran {sorted(done.ran)}; missing {why}"


def halt_runs_alone(subject: Subject) -> Iterator[str]:
    """With `halt`, only the halt job runs; with neither, none; for a stranger, none."""
    for cause, contexts in events(subject.row, 7).items():
        for name, steps, expected in (
            ("halt", {**MEMBER, **HALT}, {"pre_activation", "halt"}),
            ("no", {**MEMBER, **NEITHER}, {"pre_activation"}),
            ("a guard that died", MEMBER, {"pre_activation"}),
            ("go for a stranger", {**STRANGER, **GO}, {"pre_activation"}),
            ("halt for a stranger", {**STRANGER, **HALT}, {"pre_activation"}),
        ):
            ran = set(simulate(subject.lock, contexts, steps).ran)
            if ran != expected:
                yield f"{cause}, {name}: ran {sorted(ran)}"


def handoff_outlives_failures(subject: Subject) -> Iterator[str]:
    """Whatever fails after the guard said go, the handoff runs, and nothing is written past the gate."""
    contexts = next(iter(events(subject.row, 7).values()))
    for failing in ("activation", "agent", "detection", "gate", "safe_outputs"):
        outcome = Outcome("failure")
        done = simulate(subject.lock, contexts, {**MEMBER, **GO}, **{failing: outcome})
        if done.state("handoff") != "success":
            yield f"{failing} fails: handoff {done.jobs['handoff'].reason}"
        if failing in ("activation", "detection", "gate") and done.state("safe_outputs") != "skipped":
            yield f"{failing} fails: outputs are applied all the same"
    shut = Outcome(steps={"gate": {"open": "false"}})
    if simulate(subject.lock, contexts, {**MEMBER, **GO}, gate=shut).state("safe_outputs") != "skipped":
        yield "the gate is shut, and outputs are applied all the same"


def foreign_labels_start_nothing(subject: Subject) -> Iterator[str]:
    """A label that is not this workflow's starts no job, on an issue or on a pull request."""
    own = {subject.row.trigger.name} if subject.row.trigger else set()
    for on_pull in (False, True):
        if on_pull and subject.row.worker:
            own = {label.name for label in subject.row.worker.takes}
        for name in (*FOREIGN, *(label.name for label in LABELS)):
            contexts = labeled(name, 7, on_pull=on_pull)
            if name in own and on_pull == bool(subject.row.worker):
                continue
            if started(subject.lock, contexts) and (
                ran := simulate(subject.lock, contexts, {**MEMBER, **GO}).ran
            ):
                yield f"label {name!r} on {'a pull request' if on_pull else 'an issue'} starts {ran}"


def foreign_pull_requests_start_nothing(subject: Subject) -> Iterator[str]:
    """What happens to a pull request outside of the pipeline starts no job."""
    for cause, contexts in events(subject.row, 7).items():
        github = contexts["github"]
        assert isinstance(github, dict)
        if "pull_request" in github["event"]:
            event = {**github["event"], "pull_request": {"number": 7, "labels": [{"name": "bmad-dev"}]}}
            foreign = {"github": {**github, "event": event}}
            if ran := simulate(subject.lock, foreign, {**MEMBER, **GO}).ran:
                yield f"{cause} on a foreign pull request starts {ran}"


def the_head_is_checked_out(subject: Subject) -> Iterator[str]:
    """The agent and the outputs of a workflow in the loop work on the pull request's head."""
    if subject.row.worker is None:
        return
    for job_id in ("agent", "safe_outputs"):
        job = subject.lock.job(job_id)
        checkouts = (
            [step for step in job.steps if (step.uses or "").startswith("actions/checkout@")] if job else []
        )
        needs = JobGraph.of(subject.lock).needs(job_id)
        given = {"pre_activation": {"outputs": {"head_ref": HEAD}}}
        seen = {"needs": {need: given[need] for need in needs if need in given}}
        refs = [evaluate_template(step.with_.get("ref", ""), seen) for step in checkouts]
        # Only outputs that write code check anything out.
        pushes = subject.row.outcome in (catalogue.Outcome.PUSH, catalogue.Outcome.VERDICT)
        works_on_code = job_id == "agent" or pushes
        if refs != ([HEAD] if works_on_code else []):
            yield f"{job_id} checks out {refs}"
    agent = subject.lock.job("agent")
    restore = agent.step("checkout-pr") if agent else None
    for cause, contexts in events(subject.row, 7).items():
        # Only this step makes gh-aw restore the trusted agent files of the base branch.
        if restore is None or not holds(restore.condition or "", contexts, Status(True, False, False)):
            yield f"{cause}: gh-aw does not check out the pull request itself"


def one_at_a_time(subject: Subject) -> Iterator[str]:
    """Two events for one item never run at the same time, and none is lost while one runs."""
    for number in (7, 8):
        groups = {
            concurrency_group(lock, contexts)
            for row in SPINE
            if (lock := subject.all_locks.get(row.lock)) is not None
            for contexts in events(row, number).values()
        }
        if groups != {f"bmad-{number}"}:
            yield f"events for #{number} run in the groups {groups}"
    concurrency = subject.lock.concurrency
    if concurrency is None or (concurrency.cancel_in_progress, concurrency.queue) != ("false", "max"):
        yield f"waiting runs are dropped or running ones cancelled: {concurrency}"


def the_agent_only_reads(subject: Subject) -> Iterator[str]:
    """The agent's token is read-only, and so is the guard's."""
    for job_id in ("agent", "pre_activation", "detection", "gate"):
        job = subject.lock.job(job_id)
        token = subject.lock.permissions_of(job) if job else None
        if token is None or token.writes:
            yield f"the token of {job_id} may write: {token and token.writes}"


Check = Callable[[Subject], Iterator[str]]
CHECKS: tuple[Check, ...] = (
    reads_only_its_needs,
    go_reaches_the_handoff,
    halt_runs_alone,
    handoff_outlives_failures,
    foreign_labels_start_nothing,
    foreign_pull_requests_start_nothing,
    the_head_is_checked_out,
    one_at_a_time,
    the_agent_only_reads,
)


def subjects(result: CompileResult) -> Iterator[Subject]:
    """Every workflow of a pack that gh-aw made a lock of."""
    all_locks = locks(result)
    for row in SPINE:
        if row.lock in all_locks:
            yield Subject(row, all_locks[row.lock], all_locks, result.locks[row.lock])


def findings(files: Mapping[str, str]) -> dict[str, list[str]]:
    """Everything that is wrong with a pack, by the check that found it."""
    result = compile_files(files)
    found: dict[str, list[str]] = {}
    for said in result.findings:
        found.setdefault(f"gh-aw {said.severity}", []).append(f"{said.file}: {said.message}")
    for subject in subjects(result):
        for check in CHECKS:
            if wrong := list(check(subject)):
                found.setdefault(check.__name__, []).extend(f"{subject.row.id}: {one}" for one in wrong)
    for name, errors in refused_by_github(result.locks).items():
        found.setdefault("refused by GitHub", []).extend(f"{name}: {error}" for error in errors)
    return found


def refused_by_github(texts: Mapping[str, str]) -> dict[str, list[str]]:
    """What GitHub's own parser says against each workflow; those it accepts are not here."""
    with TemporaryDirectory() as folder:
        paths = {Path(folder) / name: name for name in texts}
        for path, name in paths.items():
            path.write_text(texts[name], encoding="utf-8")
        answers = parse_workflows(paths)
    return {paths[p]: [f"{e.line}: {e.message}" for e in errors] for p, errors in answers.items() if errors}


def job(lock: Lock, job_id: str) -> Job:
    """A job that must be there."""
    found = lock.job(job_id)
    assert found is not None, job_id
    return found
