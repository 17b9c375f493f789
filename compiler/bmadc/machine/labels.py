"""Every label that the pack reads or writes, in one table.

Labels are the public interface of a target repository: people see them, filter by them and set them by
hand. A label that is not here does not exist for the pack.
"""

from dataclasses import dataclass
from enum import Enum


class Role(Enum):
    """What a label is for; a role says who may set it and what it starts."""

    TRIGGER = "trigger"
    """A one-shot command that a person puts on an issue."""
    MARK = "mark"
    """Says that a pull request belongs to the pipeline."""
    STATE = "state"
    """Where a pull request stands; exactly one at a time, moved by jobs without a model."""
    VERDICT = "verdict"
    """What a review concluded; the only labels besides the breaker that a model may set."""
    BREAKER = "breaker"
    """Stops everything on its item until a person takes it off."""
    OUTCOME = "outcome"
    """Says how a discussion or a person's decision ended; set by jobs without a model."""
    SWEEP = "sweep"
    """Says that the sweeper woke this pull request once since its last move."""


@dataclass(frozen=True, slots=True)
class Label:
    """One label: its name, what it is for, and what a person reads when hovering over it."""

    name: str
    role: Role
    meaning: str
    colour: str


STORY = Label("bmad-story", Role.TRIGGER, "Write the story of this issue and open its pull request", "1d76db")
PIPELINE = Label("bmad-pipeline", Role.MARK, "This pull request is worked on by the pipeline", "c5def5")
DEV = Label("bmad-dev", Role.STATE, "The story is to be implemented", "fbca04")
REVIEW = Label("bmad-review", Role.STATE, "The implementation is to be reviewed", "fbca04")
CHANGES = Label("bmad-changes", Role.STATE, "A review asked for changes", "e99695")
APPROVED = Label("bmad-approved", Role.STATE, "The review found nothing left to change", "0e8a16")
VERDICT_PREFIX = "bmad-verdict-"
VERDICT_APPROVE = Label(f"{VERDICT_PREFIX}approve", Role.VERDICT, "Verdict of the running review", "ededed")
VERDICT_CHANGES = Label(f"{VERDICT_PREFIX}changes", Role.VERDICT, "Verdict of the running review", "ededed")
BREAKER = Label(
    "needs-human-intervention",
    Role.BREAKER,
    "Stopped: a person has to decide, then remove this label",
    "b60205",
)
SWEPT = Label("bmad-swept", Role.SWEEP, "Woken once by the sweeper; the next silence stops it", "ededed")
CONSENSUS = Label("bmad-consensus", Role.OUTCOME, "The discussion reached a decision", "0e8a16")
UNVALIDATED = Label(
    "bmad-unvalidated", Role.OUTCOME, "Taken on by a person without an approving review", "d93f0b"
)

LABELS: tuple[Label, ...] = (
    STORY,
    PIPELINE,
    DEV,
    REVIEW,
    CHANGES,
    APPROVED,
    VERDICT_APPROVE,
    VERDICT_CHANGES,
    BREAKER,
    SWEPT,
    CONSENSUS,
    UNVALIDATED,
)


def names(role: Role) -> tuple[str, ...]:
    """The names of all labels of one role, in table order."""
    return tuple(label.name for label in LABELS if label.role is role)
