"""The phase of a workflow from the folder it lies in, where no help table says it.

Phases are an open set: a module has its own. Only folders that merely hold things are not phases.
"""

from __future__ import annotations

ANYTIME = "anytime"

_CONTAINERS = frozenset(("workflows", "skills", "tasks", "agents", "src", "testarch", ""))


def phase_of_path(path: str, id_: str) -> str:
    """Return the first folder of a path below its module that is neither a container nor the unit itself."""
    folders = path.split("/")[:-1]
    for folder in folders:
        if folder == id_:
            break
        if folder not in _CONTAINERS:
            return folder
    return ANYTIME
