"""The ledger: one entry for each leaf of a workflow's files, with what became of it and by which rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

State: TypeAlias = Literal["kept", "rewritten", "replaced", "moved", "merged", "dropped"]
STATES: tuple[State, ...] = ("kept", "rewritten", "replaced", "moved", "merged", "dropped")

# What only the back end knows stands as a token in lines that say so; anywhere else it means nothing.
ITEM = "⟦item⟧"
"""The issue or pull request that a run is about."""
STATE = "⟦state⟧"
"""The state in which a run takes a pull request up."""
TIME = "⟦time⟧"
"""How long a run may take, in minutes and turns."""
LAST = "⟦last⟧"
"""How much of that a run keeps for handing over what it has."""


def skill_token(name: str) -> str:
    """Return what stands for the path of a skill."""
    return f"⟦skill {name}⟧"


class Entry(NamedTuple):
    """What became of one leaf; a named tuple as the leaf itself, since there are as many.

    `id` is the leaf's own, `before` its text in the source, `after` what stands for it in the output;
    `classed` is how a question in it was classed; `place` names the part of the output that it is in.
    """

    id: str
    path: str
    leaf: int
    line: int
    kind: str
    state: State
    rules: tuple[str, ...]
    before: str
    after: str
    classed: str = ""
    place: str = ""


class Line(NamedTuple):
    """One line of a part, and the leaves that it came from, as paths and numbers; our own lines have none.

    `tokens` is set for our own lines whose tokens are to be filled in; those that quote a source have none.
    """

    text: str
    path: str = ""
    leaves: tuple[int, ...] = ()
    tokens: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a workflow's output: its body, a skill that the agent opens when told to, or a file.

    `name` is unique within the workflow.
    """

    kind: Literal["body", "skill", "file"]
    name: str
    title: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        """The whole text, ending in a newline."""
        return "\n".join([line.text for line in self.lines]) + "\n"


@dataclass(frozen=True, slots=True)
class Lowered:
    """A workflow as instructions for an agent that works alone, and the account of every unit."""

    id: str
    title: str
    parts: tuple[Part, ...]
    entries: tuple[Entry, ...]
    values: tuple[tuple[str, str], ...] = ()
    placeholders: tuple[str, ...] = ()

    @property
    def body(self) -> str:
        """The text of the body alone."""
        return next(part.text for part in self.parts if part.kind == "body")
