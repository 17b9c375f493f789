"""Where jobs run and which GitHub they talk to, for those who run their own."""

from __future__ import annotations

from collections.abc import Mapping

from bmadc.backend.yamltext import Value
from bmadc.machine.choices import Choices

_TOKEN = "GH_TOKEN"


def hosted(value: Mapping[str, Value], choices: Choices) -> dict[str, Value]:
    """Return a workflow whose jobs and steps are told the project's own runners and host."""
    found = {key: _inner(key, one, choices) for key, one in value.items()}
    if _TOKEN in found and choices.host:
        # For another host than github.com, `gh` reads another variable.
        found["GH_HOST"] = choices.host
        found["GH_ENTERPRISE_TOKEN"] = found[_TOKEN]
    return found


def _inner(key: str, value: Value, choices: Choices) -> Value:
    if key == "runs-on" and choices.runs_on_slim:
        return choices.runs_on_slim
    if isinstance(value, Mapping):
        return hosted(value, choices)
    if isinstance(value, (list, tuple)):
        return [_inner("", one, choices) for one in value]
    return value
