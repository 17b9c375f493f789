"""Which scopes the jobs have that gh-aw makes itself, given a frontmatter; the locks are the judge of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CARRY_COMMITS = ("create-pull-request", "push-to-pull-request-branch")
"""Outputs that write to the repository's contents."""

TAKEN_IF_PRESENT: Mapping[str, str] = {
    "GH_AW_GITHUB_TOKEN": "used in place of the default token, outputs included; its events start workflows",
    "GH_AW_GITHUB_MCP_SERVER_TOKEN": "what the agent reads GitHub with, in place of the default token",
    "GH_AW_CI_TRIGGER_TOKEN": "an empty commit after a push, so that CI starts",
    "GH_AW_DEFAULT_OTLP_ENDPOINT": "where traces of runs are sent",
    "GH_AW_DEFAULT_OTLP_HEADERS": "how that place knows the sender",
    "COPILOT_GITHUB_TOKEN": "looked at when an engine's secrets are checked",
}
"""Secrets that every lock names and no pack asks for: gh-aw takes them where a repository has them."""


def built_in_scopes(front: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Return the scopes of each job that gh-aw makes, in the order in which they run."""
    on = front["on"]
    activation = {"actions": "read", "contents": "read"}
    if "label_command" in on:
        # It takes the label off again; on pull requests too that is a matter of issues.
        activation |= {"issues": "write"}
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
