"""`PERMISSIONS.md`: the page for whoever has to approve what an agent with a token is told to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from string import Template
from typing import Any

from bmadc.backend.made import Made
from bmadc.backend.scripts import template
from bmadc.ghaw.scopes import TAKEN_IF_PRESENT, built_in_scopes
from bmadc.machine.choices import Choices
from bmadc.machine.labels import BREAKER

FILE = "PERMISSIONS.md"
_ENTRY = (
    "pre_activation",
    "activation",
    "enter",
    "checks",
    "agent",
    "detection",
    "gate",
    "safe_outputs",
    "handoff",
    "halt",
    "conclusion",
)
_WHO = {
    "pre_activation": "gh-aw's role check, the settings, the guard",
    "activation": "gh-aw: takes a trigger label off, prepares the prompt",
    "enter": "shows the state while the agent starts",
    "checks": "waits for the project's own checks of the head",
    "agent": "**the model**, in a sandbox",
    "detection": "gh-aw: looks for threats in what the model wants written",
    "gate": "looks once more before anything is written",
    "safe_outputs": "gh-aw: writes what the model asked for, within the limits below",
    "handoff": "moves the state by what was really written, wakes the next",
    "halt": "says on the item why nothing was started",
    "conclusion": "gh-aw: the summary of the run",
}
_BOUNDS = (
    "max",
    "allowed",
    "allowed-events",
    "allowed-files",
    "protected-files",
    "required-labels",
    "title-prefix",
    "target",
)
_QUIET = frozenset(
    (
        "github-token",
        "activation-comments",
        "report-failure-as-issue",
        "report-failed-jobs",
        "noop",
        "missing-tool",
        "missing-data",
        "report-incomplete",
        "threat-detection",
    )
)


def permissions(
    header: str, made: Sequence[Made], plain: Mapping[str, Mapping[str, Any]], choices: Choices
) -> str:
    """Return the page: what starts each workflow, what each of its jobs may do, what the model can reach."""
    return Template(template("pack", FILE)).substitute(
        header=header,
        breaker=BREAKER.name,
        secrets="\n".join(_secrets(choices)),
        taken="\n".join(_taken(choices)),
        tokens="\n\n".join(_tokens(made)),
        workflows="\n\n".join("\n".join(_workflow(one)) for one in made),
        plain="\n".join(_plain(name, tree) for name, tree in sorted(plain.items())),
    )


def _secrets(choices: Choices) -> Iterator[str]:
    yield "| secret | for |"
    yield "|---|---|"
    for name in choices.engine.secrets:
        yield f"| `{name}` | the engine `{choices.engine.id}`; only gh-aw's own steps see it |"
    if choices.wiring.secret:
        yield f"| `{choices.wiring.secret}` | outputs and waking: label events made with it start workflows |"


def _taken(choices: Choices) -> Iterator[str]:
    yield "| secret | what gh-aw does with it |"
    yield "|---|---|"
    for name, use in TAKEN_IF_PRESENT.items():
        if name not in choices.engine.secrets:
            yield f"| `{name}` | {use} |"
    for name in choices.engine.others:
        yield f"| `{name}` | another name for the key of the engine |"


def _scopes(front: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    every = dict(built_in_scopes(front))
    for name, job in front["jobs"].items():
        if "permissions" in job:
            every[name] = dict(job["permissions"])
    return tuple(
        (job, ", ".join(f"{scope}: {level}" for scope, level in sorted(every[job].items())) or "none")
        for job in _ENTRY
        if job in every
    )


def _tokens(made: Sequence[Made]) -> Iterator[str]:
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for one in made:
        groups.setdefault(_scopes(one.front), []).append(f"`{one.row.name}`")
    for scopes, names in groups.items():
        rows = "\n".join(f"| `{job}` | {_WHO[job]} | {said} |" for job, said in scopes)
        yield f"{', '.join(names)}:\n\n| job | what it does | scopes |\n|---|---|---|\n{rows}"


def _workflow(one: Made) -> Iterator[str]:
    front = one.front
    tools = front["tools"]
    network = front["network"]["allowed"]
    web = " and ".join(name for name in ("web-search", "web-fetch") if name in tools)
    shell = ", ".join(f"`{command}`" for command in tools["bash"])
    yield f"### `{one.row.name}`"
    yield ""
    yield f"{one.row.purpose}."
    yield ""
    yield f"- Started by: {one.started_by}"
    yield f"- Shell: {'any command, inside the sandbox' if tools['bash'] == ['*'] else shell}"
    yield f"- Network: {', '.join(f'`{host}`' for host in network)}{f'; tools {web}' if web else ''}"
    yield f"- Limits: {front['timeout-minutes']} minutes, {front['max-turns']} turns"
    yield "- Outputs:"
    for name, bounds in front["safe-outputs"].items():
        if name not in _QUIET:
            yield f"  - `{name}`: {_bounds(bounds)}"


def _bounds(bounds: Mapping[str, Any]) -> str:
    said = []
    for key in _BOUNDS:
        if key in bounds:
            value = bounds[key]
            if key == "target":
                said.append("on the item of the run only")
            elif key == "protected-files":
                opened = value.get("exclude", []) if isinstance(value, Mapping) else []
                tail = f" except {', '.join(f'`{name}`' for name in opened)}" if opened else ""
                said.append(f"protected files refused{tail}")
            elif isinstance(value, (list, tuple)):
                said.append(f"{key} {', '.join(f'`{item}`' for item in value)}")
            else:
                said.append(f"{key} `{value}`")
    return "; ".join(said)


def _plain(name: str, tree: Mapping[str, Any]) -> str:
    on = ", ".join(f"`{event}`" for event in tree["on"])
    (job,) = tree["jobs"].values()
    scopes = ", ".join(f"{scope}: {level}" for scope, level in sorted(job["permissions"].items()))
    return f"| `{name}` | {on} | {scopes} |"
