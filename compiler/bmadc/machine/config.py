"""What a target repository may say in `.bmad/config.yaml`, in one table.

The file is a flat mapping of scalars. The guard's job reads it from the default branch, so a pull request
cannot change the rules that it is built by; what passes is handed to the agent as JSON. From this table come
the rules of the run-time check, the JSON Schema for editors and the page in the docs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

CONFIG_PATH = ".bmad/config.yaml"
AGENT_FOLDER = "/tmp/gh-aw/agent"
"""A folder that gh-aw lets the agent read: what is written there before it starts, it finds."""
AGENT_CONFIG_PATH = f"{AGENT_FOLDER}/bmad-config.json"
"""Where the agent finds the settings."""
AGENT_CHECKS_PATH = f"{AGENT_FOLDER}/bmad-checks.json"
"""Where the agent of a review finds how the project's own checks ended."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One key: what it means, what it may be, and the exact sentence when it is not."""

    key: str
    kind: str
    """`text`, `choice`, `integer` or `number`."""
    meaning: str
    error: str
    """`{value}` stands for what was found."""
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None


_TEXT = "{key} must be one line of at most 100 characters"

SETTINGS: tuple[Setting, ...] = (
    Setting("language", "text", "Programming language; found out from the repository if absent", _TEXT),
    Setting("framework", "text", "Main framework", _TEXT),
    Setting("test_runner", "text", "Command or name of the test runner; found out if absent", _TEXT),
    Setting(
        "skill_level",
        "choice",
        "For whom the agent explains: it decides how verbose texts are",
        "skill_level must be senior, mid or junior, got: {value}",
        choices=("senior", "mid", "junior"),
    ),
    Setting("project_type", "text", "What is being built, for example web-app", _TEXT),
    Setting(
        "tier", "integer", "How many gates a change passes", "Tier must be 0-4, got: {value}", low=0, high=4
    ),
    Setting(
        "auto_continue_threshold",
        "number",
        "Confidence from which a step goes on by itself; a decimal such as 0.80",
        "auto_continue_threshold must be 0.0-1.0",
        low=0.0,
        high=1.0,
    ),
)


def rules() -> dict[str, dict[str, object]]:
    """The table as the JSON that the run-time check takes, keys in table order."""
    out: dict[str, dict[str, object]] = {}
    for s in SETTINGS:
        rule: dict[str, object] = {"kind": s.kind, "error": s.error.replace("{key}", s.key)}
        if s.choices:
            rule["choices"] = list(s.choices)
        if s.low is not None and s.high is not None:
            rule["low"], rule["high"] = s.low, s.high
        out[s.key] = rule
    return out


def schema() -> Mapping[str, object]:
    """The table as a JSON Schema, for editors in target repositories."""
    properties: dict[str, object] = {}
    for s in SETTINGS:
        prop: dict[str, object] = {"description": s.meaning}
        match s.kind:
            case "text":
                prop |= {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^\\n\\r\\u0000]*$"}
            case "choice":
                prop |= {"enum": list(s.choices)}
            case kind:
                prop |= {"type": kind, "minimum": s.low, "maximum": s.high}
        properties[s.key] = prop
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{CONFIG_PATH}: project settings for the BMAD workflows",
        "type": ["object", "null"],
        "additionalProperties": False,
        "properties": properties,
    }
