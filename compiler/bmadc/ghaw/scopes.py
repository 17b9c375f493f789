"""Which scopes the jobs have that gh-aw makes itself, given a frontmatter; the locks are the judge of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

CARRY_COMMITS = ("create-pull-request", "push-to-pull-request-branch")
"""Outputs that write to the repository's contents."""


def built_in_scopes(front: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the scopes of each job that gh-aw makes, in the order in which they run."""
    on = front["on"]
    command = on.get("label_command")
    activation = {"actions": "read", "contents": "read"}
    if command is not None:
        # It takes the label off again, on whatever kind of item it listens to.
        events: Sequence[str] = command.get("events", ())
        activation |= {"issues": "write"}
        if "pull_request" in events:
            activation |= {"pull-requests": "write"}
    outputs = {"issues": "write", "pull-requests": "write"}
    if any(name in front["safe-outputs"] for name in CARRY_COMMITS):
        outputs = {"contents": "write", **outputs}
    return {
        "pre_activation": dict(on.get("permissions", {})),
        "activation": activation,
        "agent": dict(front["permissions"]),
        "detection": {"contents": "read"},
        "safe_outputs": outputs,
        "conclusion": outputs,
    }
