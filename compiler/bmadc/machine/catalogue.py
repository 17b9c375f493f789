"""Which workflows there are: what starts each, who works in it, what it may write and what it costs at most.

Labels and file names are the public interface of a target repository, so they stand in these rows and never
follow from what a source calls a thing.
"""

from dataclasses import dataclass
from enum import Enum

from bmadc.machine import labels
from bmadc.machine.labels import Label
from bmadc.machine.protocol import CODE_REVIEW, DEV_STORY, Worker

ENGINE = "claude"


class Outcome(Enum):
    """What a run has to leave behind for the handoff to go on; the value is the handoff's mode."""

    ENTRY = "entry"
    """A new pull request."""
    PUSH = "push"
    """Commits on the pull request's branch."""
    VERDICT = "verdict"
    """One verdict label."""


@dataclass(frozen=True, slots=True)
class Row:
    """One agentic workflow."""

    id: str
    title: str
    description: str
    persona: str
    """The first word of its commits, and who the agent is."""
    outcome: Outcome
    trigger: Label | None
    """The one-shot label on an issue that starts it, where no worker of the loop does the work."""
    worker: Worker | None
    """Its part in the loop, where it works on a pull request."""
    bash: tuple[str, ...]
    """Commands that its instructions call for; `*` stands for any."""
    timeout_minutes: int
    max_turns: int

    @property
    def name(self) -> str:
        """The name that people see, and the stem of its file."""
        return f"bmad-{self.id}"

    @property
    def document(self) -> str:
        """The file that gh-aw compiles."""
        return f"{self.name}.md"

    @property
    def lock(self) -> str:
        """The file that GitHub runs, which is what a dispatch names."""
        return f"{self.name}.lock.yml"

    @property
    def step(self) -> str:
        """The second word of its commits."""
        return self.id.upper()


_READING = ("cat", "find", "git", "grep", "head", "ls", "mkdir", "sed", "tail", "wc")

CREATE_STORY_ROW = Row(
    id="create-story",
    title="Create the story",
    description="Writes the story of a labelled issue and opens its pull request",
    persona="SM",
    outcome=Outcome.ENTRY,
    trigger=labels.STORY,
    worker=None,
    bash=_READING,
    timeout_minutes=20,
    max_turns=80,
)
DEV_STORY_ROW = Row(
    id=DEV_STORY.id,
    title="Implement the story",
    description="Implements the story of a pull request, or what its review asked for",
    persona="DEV",
    outcome=Outcome.PUSH,
    trigger=None,
    worker=DEV_STORY,
    bash=("*",),
    timeout_minutes=45,
    max_turns=200,
)
CODE_REVIEW_ROW = Row(
    id=CODE_REVIEW.id,
    title="Review the implementation",
    description="Reviews the implementation of a pull request and gives one verdict",
    persona="REVIEWER",
    outcome=Outcome.VERDICT,
    trigger=None,
    worker=CODE_REVIEW,
    bash=("*",),
    timeout_minutes=30,
    max_turns=120,
)
ROWS: tuple[Row, ...] = (CREATE_STORY_ROW, DEV_STORY_ROW, CODE_REVIEW_ROW)


def consumers() -> dict[str, str]:
    """Which lock takes each state up; states in which the loop has ended are not here."""
    return {state.name: row.lock for row in ROWS if row.worker for state in row.worker.takes}
