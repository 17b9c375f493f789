"""What must be in a repository before a workflow can start, as patterns over the paths of its files."""

import re
from dataclasses import dataclass

from bmadc.machine.catalogue import ROWS, Artefact, Row
from bmadc.machine.places import Places

_USUAL = Places()


@dataclass(frozen=True, slots=True)
class Requirement:
    """One document: how its path is known, what people call it, and the label that asks for it."""

    pattern: str
    """A regular expression without anything on which Python and jq differ."""
    what: str
    label: str

    def as_json(self) -> dict[str, str]:
        """The requirement as the scripts read it."""
        return {"pattern": self.pattern, "what": self.what, "label": self.label}


_WORDS = {Artefact.PRD: "prd", Artefact.ARCHITECTURE: "architecture", Artefact.EPICS: "epic"}
"""What the name of a document, or of a folder that it was split into, holds."""


def requirements(
    row: Row, planning: str = _USUAL.planning, implementation: str = _USUAL.implementation
) -> list[Requirement]:
    """What a workflow needs, in the order of its row; the folders are those of the project."""
    return [
        Requirement(_pattern(artefact, planning, implementation), artefact.value, _asked_for_with(artefact))
        for artefact in row.needs
    ]


def _pattern(artefact: Artefact, planning: str, implementation: str) -> str:
    if artefact is Artefact.SPRINT:
        return rf"^{re.escape(implementation)}/(.*/)?sprint-status\.yaml$"
    return rf"^{re.escape(planning)}/(?i:.*{_WORDS[artefact]}.*\.md)$"


def _asked_for_with(artefact: Artefact) -> str:
    return next((row.label for row in ROWS if artefact in row.leaves), "")
