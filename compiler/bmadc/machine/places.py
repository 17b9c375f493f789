"""Where the method keeps its documents in a target repository, as the settings of a BMAD tree say it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_ROOT = re.compile(r"^\{project[-_]root\}/?")
# A folder that can stand in a pattern, a path and a sentence without meaning anything else there.
_FOLDER = re.compile(r"(?!\.)[\w][\w. -]*(?:/[\w][\w. -]*)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Places:
    """Folders of a target repository, without a slash at the end."""

    output: str = "_bmad-output"
    planning: str = "_bmad-output/planning-artifacts"
    implementation: str = "_bmad-output/implementation-artifacts"
    knowledge: str = "docs"

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that hold all the others, each once, sorted."""
        every = sorted({self.output, self.planning, self.implementation, self.knowledge})
        return tuple(one for one in every if not any(one.startswith(f"{other}/") for other in every))


_KEYS = {
    "output": "output_folder",
    "planning": "planning_artifacts",
    "implementation": "implementation_artifacts",
    "knowledge": "project_knowledge",
}


def places_of(config: Iterable[tuple[str, str]]) -> tuple[Places, tuple[str, ...]]:
    """The folders that settings name, and the names of settings that name no usable folder."""
    values: Mapping[str, str] = dict(config)
    found: dict[str, str] = {}
    wrong: list[str] = []
    for field, key in _KEYS.items():
        if key not in values:
            continue
        folder = _ROOT.sub("", values[key]).strip("/")
        if _FOLDER.fullmatch(folder):
            found[field] = folder
        else:
            wrong.append(key)
    return Places(**found), tuple(wrong)
