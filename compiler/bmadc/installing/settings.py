"""The bmadc.toml that a new project gets: what was chosen, and every other key as a comment."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bmadc.project import KEYS, OVERRIDES, SCHEMA_FILE, Key, Project


def settings_text(project: Project) -> str:
    """Return the file that says what a project chose; reading it gives the same project again."""
    chosen = dict(_chosen(project))
    lines = [
        f"#:schema ./{SCHEMA_FILE}",
        "# What bmadc compiles here, and how. Every key may be left out.",
        "# After a change: `bmadc build`, read the difference, commit it.",
        "# `bmadc check` says whether the pack is in step with this file and with the BMAD tree.",
    ]
    for key in KEYS:
        mark = "" if key.name in chosen else "# "
        value = chosen.get(key.name, key.example_text())
        lines += ["", f"# {key.meaning}{_may_be(key)}.", f"{mark}{key.name} = {value}"]
    lines += ["", "# Changes for a single workflow, by its name. They outlive an upgrade of BMAD.", "#"]
    lines += ["# [workflows.dev-story]"]
    for key in OVERRIDES:
        lines.append(f"# {key.name} = {key.example_text()}  # {key.meaning}{_may_be(key)}")
    return "\n".join(lines) + "\n"


def _chosen(project: Project) -> Iterator[tuple[str, str]]:
    """Yield what stands in the file of a new project, as it is written."""
    yield "source", json.dumps(project.source)
    if project.out != ".":
        yield "out", json.dumps(project.out)
    yield "engine", json.dumps(project.choices.engine.id)
    yield "wiring", json.dumps(project.choices.wiring.waking.value)
    if project.choices.wiring.secret is not None:
        yield "secret", json.dumps(project.choices.wiring.secret)
    if project.choices.stacks:
        yield "stacks", json.dumps(list(project.choices.stacks))
    if project.method:
        yield "method", json.dumps(project.method)


def _may_be(key: Key) -> str:
    if key.choices:
        return f": {', '.join(key.choices)}"
    return f", {key.low} to {key.high}" if key.kind == "number" else ""
