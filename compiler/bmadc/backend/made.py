"""One workflow of a pack, made: its row, what gh-aw is told, and its whole text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bmadc.machine.catalogue import Row


@dataclass(frozen=True, slots=True)
class Made:
    """What the other files of a pack tell about a workflow comes from here."""

    row: Row
    source: str
    """The id that the BMAD tree has for it."""
    text: str
    front: Mapping[str, Any] = field(repr=False)
    next: Row | None = None
    """What comes after it in this pack."""
    size: int = 0
    """The bytes of its instructions, which travel as one argument of a command line."""

    @property
    def started_by(self) -> str:
        """What a person does to start it, in words."""
        row = self.row
        if row.trigger is not None:
            item = "a pull request" if row.pulls else "an issue"
            return f"somebody with write access puts the label `{row.trigger.name}` on {item}"
        assert row.worker is not None
        states = " or ".join(f"`{state.name}`" for state in row.worker.takes)
        return (
            f"the pipeline, when a pull request reaches the state {states}; or somebody with write access "
            f"who sets that label, {_PERSON[row.worker.person.value]} or ends a draft"
        )


_PERSON = {"submitted": "requests changes", "synchronize": "pushes"}
