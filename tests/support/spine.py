"""Our workflows through the real gh-aw, and what must hold for each lock.

Three have bodies of their own; the samples stand for every other kind of row, with a body of one line.

One list of checks for the good pack and for its dead forms: what the good pack passes, a dead form fails.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from bmadc.backend.jobs import commands
from bmadc.ghaw.expressions import Status, evaluate_template, holds
from bmadc.ghaw.jobgraph import JobGraph, Outcome, Run, concurrency_group, problems, run, workflow_starts
from bmadc.ghaw.locks import Job, Lock, parse_lock
from bmadc.ghaw.runner import CompileResult, compile_files
from bmadc.machine import catalogue
from bmadc.machine.catalogue import ROWS, Row, by_id
from bmadc.machine.labels import LABELS, PIPELINE
from bmadc.machine.protocol import Cause, wakes
from bmadc.machine.wiring import Wiring
from support.oracles import parse_workflows
from support.spinepack import document, pack

Contexts = Mapping[str, object]

HEAD = "story/7"
MEMBER = {"check_membership": {"is_team_member": "true"}}
STRANGER = {"check_membership": {"is_team_member": "false"}}
GO = {"guard": {"go": "true", "halt": "false", "head_ref": HEAD, "enters": "bmad-dev"}}
HALT = {"guard": {"go": "false", "halt": "true", "code": "cycles", "reason": "enough"}}
NEITHER = {"guard": {"go": "false", "halt": "false", "code": "state"}}
OPEN = {"gate": {"open": "true"}}
FOREIGN = ("question", "bmad", "bmad-devx", "", "' || true || '")
HOME = {"full_name": "octo/demo", "id": 1}
AWAY = {"full_name": "eve/demo", "id": 2}
SAMPLES: tuple[Row, ...] = tuple(
    by_id(id_) for id_ in ("build", "create-architecture", "sprint-status", "party-mode", "walkthrough")
)
"""One row for every outcome and kind of item that the spine has not."""


@cache
def compiled(wiring: Wiring) -> CompileResult:
    """The pack of a wiring as gh-aw compiles it."""
    return compile_files(pack(wiring))


@cache
def compiled_samples(wiring: Wiring) -> CompileResult:
    """The samples of a wiring as gh-aw compiles them."""
    return compile_files({row.document: document(row, wiring, "Do what is asked.\n") for row in SAMPLES})


def locks(result: CompileResult) -> dict[str, Lock]:
    """The locks that gh-aw made, by file name."""
    return {name: parse_lock(text, name) for name, text in result.locks.items()}


# --- events


def _contexts(event_name: str, event: Mapping[str, object]) -> Contexts:
    return {
        "github": {
            "event_name": event_name,
            "event": {"sender": {"type": "User"}, **event},
            "run_id": 1,
            "repository": HOME["full_name"],
            "repository_id": HOME["id"],
        }
    }


def changed(contexts: Contexts, **event: object) -> Contexts:
    """The same event with something else in it."""
    github = contexts["github"]
    assert isinstance(github, dict)
    return {"github": {**github, "event": {**github["event"], **event}}}


def aw_context(number: int) -> str:
    """What the handoff sends beside the number."""
    return json.dumps({"item_type": "pull_request", "item_number": str(number), "event_type": "pull_request"})


def pull(number: int, *names: str, repo: Mapping[str, object] = HOME) -> dict[str, object]:
    """A pull request of the pipeline, as an event shows it."""
    shown = [{"name": name} for name in (PIPELINE.name, *names)]
    return {"number": number, "labels": shown, "head": {"repo": repo}}


def labeled(label: str, number: int, *, on_pull: bool) -> Contexts:
    """A label set on a pull request or an issue."""
    item = {"pull_request": pull(number)} if on_pull else {"issue": {"number": number}}
    name = "pull_request" if on_pull else "issues"
    return _contexts(name, {"action": "labeled", "label": {"name": label}, **item})


def events(row: Row, number: int) -> dict[str, Contexts]:
    """Every event that may start a workflow, named for its cause."""
    if row.worker is None:
        assert row.trigger
        return {"labeled": labeled(row.trigger.name, number, on_pull=row.pulls)}
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


def misplaced(row: Row, number: int) -> dict[str, Contexts]:
    """A workflow's own labels, each on the kind of item where it does not belong."""
    return {name: labeled(name, number, on_pull=not row.on_pulls) for name in commands(row)}


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
    """One workflow with its lock."""

    row: Row
    lock: Lock


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
    """With `halt`, only the halt job runs; with neither, none.

    For a stranger none either, but a person who set a label gets an answer.
    """
    for cause, contexts in events(subject.row, 7).items():
        answered = {"pre_activation", "halt"} if cause.startswith("labeled") else {"pre_activation"}
        for name, steps, expected in (
            ("halt", {**MEMBER, **HALT}, {"pre_activation", "halt"}),
            ("no", {**MEMBER, **NEITHER}, {"pre_activation"}),
            ("a guard that died", MEMBER, {"pre_activation"}),
            ("go for a stranger", {**STRANGER, **GO}, answered),
            ("no for a stranger", {**STRANGER, **NEITHER}, answered),
            ("halt for a stranger", {**STRANGER, **HALT}, answered),
        ):
            ran = set(simulate(subject.lock, contexts, steps).ran)
            if ran != expected:
                yield f"{cause}, {name}: ran {sorted(ran)}"
        for steps in (GO, NEITHER, HALT):
            bot = changed(contexts, sender={"type": "Bot"})
            if (done := set(simulate(subject.lock, bot, {**STRANGER, **steps}).ran)) != {"pre_activation"}:
                yield f"{cause}, a stranger's bot: ran {sorted(done)}"


def the_wrong_kind_is_only_answered(subject: Subject) -> Iterator[str]:
    """A workflow's label on the wrong kind of item starts no work, whatever the guard says."""
    for label, contexts in misplaced(subject.row, 7).items():
        if not started(subject.lock, contexts):
            yield f"{label}: GitHub starts no run"
        for name, steps, expected in (
            ("go", {**MEMBER, **GO}, {"pre_activation"}),
            ("halt", {**MEMBER, **HALT}, {"pre_activation", "halt"}),
            ("no", {**MEMBER, **NEITHER}, {"pre_activation"}),
            ("a stranger", {**STRANGER, **NEITHER}, {"pre_activation", "halt"}),
        ):
            ran = set(simulate(subject.lock, contexts, steps).ran)
            if ran != expected:
                yield f"{label} on the wrong kind, {name}: ran {sorted(ran)}"
        if (group := concurrency_group(subject.lock, contexts)) != "bmad-7":
            yield f"{label} on the wrong kind runs in the group {group}"


def forks_start_nothing(subject: Subject) -> Iterator[str]:
    """On a pull request from a fork the token may not even comment, so no job starts."""
    for cause, contexts in {**events(subject.row, 7), **misplaced(subject.row, 7)}.items():
        github = contexts["github"]
        assert isinstance(github, dict)
        # gh-aw lets a review through; there the guard says no, and nothing is to be said on the item.
        if github["event_name"] == "pull_request":
            fork = changed(contexts, pull_request=pull(7, repo=AWAY))
            if ran := simulate(subject.lock, fork, {**MEMBER, **GO}).ran:
                yield f"{cause} on a pull request from a fork starts {ran}"


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
    others = {*FOREIGN, *(label.name for label in LABELS), *(row.label for row in ROWS)}
    for on_pull in (False, True):
        for name in sorted(others - set(commands(subject.row))):
            contexts = labeled(name, 7, on_pull=on_pull)
            if started(subject.lock, contexts) and (
                ran := simulate(subject.lock, contexts, {**MEMBER, **GO}).ran
            ):
                yield f"label {name!r} on {'a pull request' if on_pull else 'an issue'} starts {ran}"


def foreign_pull_requests_start_nothing(subject: Subject) -> Iterator[str]:
    """What happens to a pull request outside of the pipeline starts no job of the loop."""
    if subject.row.worker is None:
        return
    for cause, contexts in events(subject.row, 7).items():
        github = contexts["github"]
        assert isinstance(github, dict)
        if "pull_request" in github["event"]:
            outside = {**pull(7), "labels": [{"name": "bmad-dev"}]}
            foreign = changed(contexts, pull_request=outside)
            if ran := simulate(subject.lock, foreign, {**MEMBER, **GO}).ran:
                yield f"{cause} on a foreign pull request starts {ran}"


def the_head_is_checked_out(subject: Subject) -> Iterator[str]:
    """The agent and the outputs of a workflow on pull requests work on the pull request's head."""
    if not subject.row.on_pulls:
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
        works_on_code = job_id == "agent" or subject.row.outcome in (
            catalogue.Outcome.PUSH,
            catalogue.Outcome.VERDICT,
        )
        if subject.row.worker is None:
            # Outside of the loop gh-aw's own checkout is enough, because nothing is pushed.
            continue
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
        # The same group for every workflow, so that two of them never work on one item either.
        groups = {concurrency_group(subject.lock, one) for one in events(subject.row, number).values()}
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
    the_wrong_kind_is_only_answered,
    forks_start_nothing,
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
    for row in ROWS:
        if row.lock in all_locks:
            yield Subject(row, all_locks[row.lock])


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
