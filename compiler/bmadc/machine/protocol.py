"""The implementation loop as data: who works in which state, what wakes whom, where each run leads.

Everything that moves a pull request stands here once. The guard gets its rows by environment, the triggers of
the workflows are derived from the causes, the handoff gets its next states, resume and sweeper get the
consumer of each state, and the tests walk the same rows.
"""

from dataclasses import dataclass
from enum import Enum

from bmadc.machine import labels
from bmadc.machine.labels import Label

NO_STATE = "-"
"""Stands for "no state label" in the rows that the guard reads."""


class Cause(Enum):
    """What may wake a workflow; the value is what the guard sees as the cause."""

    DISPATCH = "workflow_dispatch"
    """The handoff, resume or the sweeper on the bus."""
    LABELED = "labeled"
    """A state label set by a person, or by a credential."""
    READY = "ready_for_review"
    """A person ends a draft."""
    CHANGES_REQUESTED = "submitted"
    """A person's review that requests changes."""
    PUSHED = "synchronize"
    """A person pushes to the branch."""


@dataclass(frozen=True, slots=True)
class Worker:
    """A workflow that works on a pull request: the states it takes up and where its run leads."""

    id: str
    takes: tuple[Label, ...]
    """States in which it is woken by dispatch, label or the end of a draft."""
    ready: tuple[tuple[Label | None, Label], ...]
    """Further states, none for no state, in which the end of a draft starts it, and what it enters."""
    person: Cause
    """The act of a person that wakes it from any state."""
    person_enters: Label
    """The state that this act puts the pull request in."""


DEV_STORY = Worker(
    id="dev-story",
    takes=(labels.DEV, labels.CHANGES),
    ready=((None, labels.DEV),),
    person=Cause.CHANGES_REQUESTED,
    person_enters=labels.CHANGES,
)
CODE_REVIEW = Worker(
    id="code-review",
    takes=(labels.REVIEW,),
    # What was pushed to a draft has been seen by nobody.
    ready=((labels.APPROVED, labels.REVIEW),),
    person=Cause.PUSHED,
    person_enters=labels.REVIEW,
)
WORKERS: tuple[Worker, ...] = (DEV_STORY, CODE_REVIEW)

STRIKE = labels.CHANGES
"""Each time this label is set, one cycle of the loop is used up."""

ENTRY = labels.DEV
"""The state that a new pipeline pull request starts in."""

AFTER_PUSH = labels.REVIEW
"""The state after an implementation was pushed."""

VERDICTS: tuple[tuple[Label, Label], ...] = (
    (labels.VERDICT_APPROVE, labels.APPROVED),
    (labels.VERDICT_CHANGES, labels.CHANGES),
)
"""What each verdict of a review leads to."""


@dataclass(frozen=True, slots=True)
class Wake:
    """One row: this cause, in this state, starts the worker in that state."""

    cause: Cause
    state: str
    enters: str


def wakes(worker: Worker) -> tuple[Wake, ...]:
    """All rows that let a worker start, in a fixed order; whatever is not here does not start it."""
    taken = [label.name for label in worker.takes]
    rows = [Wake(cause, s, s) for cause in (Cause.DISPATCH, Cause.LABELED, Cause.READY) for s in taken]
    rows += [Wake(Cause.READY, s.name if s else NO_STATE, enters.name) for s, enters in worker.ready]
    every = (NO_STATE, *labels.names(labels.Role.STATE))
    rows += [Wake(worker.person, s, worker.person_enters.name) for s in every]
    return tuple(rows)


def consumer(state: Label) -> Worker | None:
    """The worker that takes a state up, or None where the loop has ended."""
    return next((w for w in WORKERS if state in w.takes), None)
