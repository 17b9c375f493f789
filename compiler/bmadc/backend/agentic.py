"""From a row of the catalogue and a project's choices to the frontmatter of one gh-aw document.

The keys stand in the order in which a reviewer asks: what is it, what starts it, what runs beside the agent,
what may it read, what may it write.
"""

from __future__ import annotations

from dataclasses import dataclass

from bmadc.backend import jobs
from bmadc.backend.hosting import hosted
from bmadc.backend.jobs import braced, number
from bmadc.backend.shipping import shipping_steps
from bmadc.backend.yamltext import Value
from bmadc.machine import protocol
from bmadc.machine.budgets import Time
from bmadc.machine.catalogue import Outcome, Row, Scope
from bmadc.machine.choices import NO_OVERRIDE, Choices, Override
from bmadc.machine.config import AGENT_CHECKS_PATH, AGENT_FOLDER
from bmadc.machine.labels import BREAKER, PIPELINE, Role, names
from bmadc.machine.places import Places
from bmadc.machine.prerequisites import requirements
from bmadc.machine.protocol import Cause
from bmadc.machine.stacks import BUILDING, READING, SCRIPTS, STACKS
from bmadc.machine.wiring import Waking

_READ: dict[str, Value] = {"contents": "read", "issues": "read", "pull-requests": "read"}
_PULL_REQUEST_CAUSES = (Cause.LABELED, Cause.READY, Cause.PUSHED)


@dataclass(frozen=True, slots=True)
class Contents:
    """What the frontmatter has to know about the body that it belongs to."""

    description: str
    skills: bool = False
    """Whether the file holds inline skills."""
    files: tuple[tuple[str, str], ...] = ()
    """Files that its text names, by name and text."""
    installs: bool = False
    """Whether some of these files are scripts that need packages of Python."""
    next_label: str = ""


def time_of(row: Row, override: Override) -> Time:
    """Return how long the agent of a workflow may work."""
    return Time(override.timeout_minutes or row.timeout_minutes, override.max_turns or row.max_turns)


def frontmatter(
    row: Row, choices: Choices, contents: Contents, override: Override = NO_OVERRIDE
) -> dict[str, Value]:
    """What gh-aw is told, in a fixed order."""
    time = time_of(row, override)
    out: dict[str, Value] = {
        "name": row.name,
        "description": contents.description,
        "run-name": f"{row.name} #{braced(number(row))}",
        "on": _on(row, choices),
    }
    # Not `names`: after `permissions`, gh-aw leaves that key in the lock, which GitHub then refuses.
    out["if"] = _is_for_us(row)
    out |= {
        "jobs": _jobs(row, choices, contents.next_label),
        "concurrency": {
            # One group for all workflows of an item: two of them never work on it at the same time.
            "group": f"bmad-{braced(number(row))}",
            "cancel-in-progress": False,
            "queue": "max",
            "job-discriminator": braced("github.run_id"),
        },
        "permissions": _READ,
        "engine": {"id": choices.engine.id, **({"model": override.model} if override.model else {})},
        "max-turns": time.turns,
        "timeout-minutes": time.minutes,
        "network": {"allowed": network(row, choices, override, installs=contents.installs)},
    }
    if choices.runs_on_slim:
        out["runs-on-slim"] = choices.runs_on_slim
    if row.worker:
        # The branch by its name: on a detached head the push would find no branch to push to.
        out["checkout"] = {"ref": braced("needs.pre_activation.outputs.head_ref"), "fetch-depth": 0}
    elif row.history:
        out["checkout"] = {"fetch-depth": 0}
    out |= {
        "tools": _tools(row, choices, contents, override),
        "steps": [
            jobs.settings_step(),
            *([jobs.checks_step()] if jobs.waits(row, choices) else []),
            *(shipping_steps(AGENT_FOLDER, contents.files) if contents.files else []),
        ],
    }
    if contents.skills:
        out["pre-agent-steps"] = [_exclude_step(choices.engine.skill_folder)]
    out["safe-outputs"] = _safe_outputs(row, choices)
    out = hosted(out, choices)
    if choices.runs_on:
        out["runs-on"] = choices.runs_on
    return out


def bash(row: Row, choices: Choices, ships: bool, override: Override) -> list[str]:
    """The commands that a workflow may run; `*` stands for any."""
    if not choices.engine.lists_commands or (row.builds and not choices.stacks):
        return ["*"]
    commands = [*READING, *(SCRIPTS if ships else ()), *row.runs]
    if row.builds:
        commands += [*BUILDING, *(one for stack in choices.built_with for one in stack.commands)]
    return [f"{command}:*" for command in sorted({*commands, *override.bash})]


def network(row: Row, choices: Choices, override: Override, *, installs: bool = False) -> list[str]:
    """The hosts and ecosystems that a workflow may reach."""
    found = ["defaults", "github", *row.reaches, *(STACKS["python"].network if installs else ())]
    if row.builds:
        found += sorted({one for stack in choices.built_with for one in stack.network})
    if row.web:
        found += choices.web
    return list(dict.fromkeys((*found, *override.network)))


def checks_rule(row: Row, choices: Choices) -> str:
    """What tells a review how to take the results of the project's checks; empty if it waits for none."""
    if not jobs.waits(row, choices):
        return ""
    return (
        f"The project's own checks ran on the head of the pull request: `{AGENT_CHECKS_PATH}` says how each "
        "ended. One that failed is a finding that has to be mended, unless it fails on the base branch too. "
        "One that is absent or has not ended proves nothing: say so in your comment."
    )


def _tools(row: Row, choices: Choices, contents: Contents, override: Override) -> dict[str, Value]:
    out: dict[str, Value] = {"timeout": 600}
    if row.scope is not Scope.NOTHING:
        out["edit"] = None
    out["bash"] = bash(row, choices, bool(contents.files), override)
    if row.web:
        out["web-fetch"] = None
        if choices.engine.searches:
            out["web-search"] = None
    return {**out, "github": {"toolsets": ["repos", "issues", "pull_requests"]}}


def _exclude_step(folder: str) -> dict[str, Value]:
    """A step that keeps the skills, which gh-aw writes into the workspace, out of commits."""
    return {
        "name": "Keep the skills out of commits",
        "shell": "bash",
        "env": {"FOLDER": folder},
        "run": "printf '%s\\n' \"$FOLDER\" >>.git/info/exclude\n",
    }


def _causes(row: Row) -> tuple[Cause, ...]:
    return tuple(dict.fromkeys(w.cause for w in protocol.wakes(row.worker))) if row.worker else ()


def _on(row: Row, choices: Choices) -> dict[str, Value]:
    """What starts it, with the guard."""
    wiring, places = choices.wiring, choices.places
    out: dict[str, Value] = {}
    if row.trigger:
        # On both kinds of items, because a label on the wrong one is answered in words.
        out["label_command"] = {"name": row.trigger.name, "events": ["issues", "pull_request"]}
        out["status-comment"] = False
        out["reaction"] = "none"
    causes = _causes(row)
    types = [cause.value for cause in _PULL_REQUEST_CAUSES if cause in causes]
    if types:
        out["issues"] = {"types": [Cause.LABELED.value]}
        out["pull_request"] = {"types": types}
    if Cause.CHANGES_REQUESTED in causes:
        out["pull_request_review"] = {"types": [Cause.CHANGES_REQUESTED.value]}
    if Cause.DISPATCH in causes:
        pr: Value = {"description": "Number of the pull request", "required": True, "type": "string"}
        out["workflow_dispatch"] = {"inputs": {"pr": pr}}
    if wiring.waking is Waking.BUS and row.worker:
        # The handoff dispatches as this account; everybody else passes by their role.
        out["bots"] = ["github-actions[bot]"]
    out["permissions"] = _READ
    out["steps"] = jobs.guard_steps(row, requirements(row, places.planning, places.implementation))
    return out


def _is_for_us(row: Row) -> str:
    """Keeps foreign pull requests, foreign labels and other reviews from starting even the first job."""
    if row.worker is None:
        # gh-aw compares the label itself, but lets forks through, where no token could say anything.
        return (
            "github.event.pull_request == null"
            " || github.event.pull_request.head.repo.id == github.repository_id"
        )
    in_pipeline = f"contains(github.event.pull_request.labels.*.name, '{PIPELINE.name}')"
    ours = " || ".join(f"github.event.label.name == '{label.name}'" for label in row.worker.takes)
    # A state on an issue is a mistake that the first job answers.
    condition = (
        f"(github.event_name == 'workflow_dispatch' || github.event_name == 'issues' || {in_pipeline})"
    )
    condition += f" && (github.event.action != '{Cause.LABELED.value}' || {ours})"
    if Cause.CHANGES_REQUESTED in _causes(row):
        asked = "github.event.review.state == 'changes_requested'"
        condition += f" && (github.event_name != 'pull_request_review' || {asked})"
    return condition


def _jobs(row: Row, choices: Choices, next_label: str) -> dict[str, Value]:
    waits = jobs.waits(row, choices)
    out: dict[str, Value] = {
        "pre-activation": {"outputs": jobs.guard_outputs()},
        "activation": {"if": jobs.go(row)},
        "agent": {"needs": ["pre_activation", "activation", *(["checks"] if waits else [])]},
        "gate": jobs.gate(row),
        "safe_outputs": {
            "needs": ["pre_activation", "activation", "gate"],
            "if": "needs.gate.outputs.open == 'true'",
        },
        "halt": jobs.halt(row),
        "handoff": jobs.handoff(row, choices, next_label),
    }
    if row.worker:
        out["enter"] = jobs.enter(row)
    if waits:
        out["checks"] = jobs.checks(row, choices)
    return out


def allowed_files(row: Row, places: Places) -> list[str]:
    """The patterns of all files that a workflow may change, where that can be told by path."""
    match row.scope:
        case Scope.ARTEFACTS:
            return [f"{folder}/**" for folder in places.folders]
        case Scope.TEXTS:
            return ["**/*.md"]
        case _:
            return []


def _written(row: Row, choices: Choices) -> dict[str, Value]:
    """What bounds every output that carries commits."""
    files = allowed_files(row, choices.places)
    manifests = {one for stack in choices.built_with for one in stack.manifests}
    opened = sorted({*row.frees, *(manifests if row.scope is Scope.CODE else ())})
    return {
        **({"allowed-files": files} if files else {}),
        "protected-files": {"policy": "blocked", "exclude": opened} if opened else "blocked",
    }


def _safe_outputs(row: Row, choices: Choices) -> dict[str, Value]:
    wiring, written = choices.wiring, _written(row, choices)
    target: dict[str, Value] = {"target": braced(number(row))}
    marked: dict[str, Value] = {"required-labels": [PIPELINE.name]} if row.worker else {}
    out: dict[str, Value] = {}
    if wiring.secret:
        out["github-token"] = braced(f"secrets.{wiring.secret}")
    match row.outcome:
        case Outcome.ENTRY | Outcome.DOCUMENT:
            out["create-pull-request"] = {
                "title-prefix": f"[{row.id}] ",
                # At once, so that the sweeper finds a pull request that the handoff never reached. The label
                # that asked for it is set by the handoff: here a credential would start the row with it.
                **({"labels": [PIPELINE.name]} if row.outcome is Outcome.ENTRY else {}),
                "draft": False,
                "max": 1,
                "if-no-changes": "error",
                "fallback-as-issue": False,
                # A plan is one of several steps on its issue; merging it must not end the others.
                **({"auto-close-issue": False} if row.outcome is Outcome.DOCUMENT else {}),
                **written,
            }
        case Outcome.PUSH:
            out["push-to-pull-request-branch"] = {
                **target,
                **marked,
                "max": 1,
                "if-no-changes": "error",
                "fallback-as-pull-request": False,
                **written,
            }
        case Outcome.VERDICT:
            out["create-pull-request-review-comment"] = {**target, **marked, "max": 20}
            out["submit-pull-request-review"] = {**target, **marked, "max": 1, "allowed-events": ["COMMENT"]}
            # What a review notes in the story; it never touches what it reviews.
            out["push-to-pull-request-branch"] = {
                **target,
                **marked,
                "max": 1,
                "if-no-changes": "ignore",
                "fallback-as-pull-request": False,
                **written,
            }
    allowed = [*(names(Role.VERDICT) if row.outcome is Outcome.VERDICT else ()), BREAKER.name]
    out["add-comment"] = {**target, **marked, "max": 2}
    out["add-labels"] = {**target, **marked, "allowed": allowed, "max": 1}
    # What goes wrong is said by the handoff, on the item itself, and not in issues of their own.
    out |= {
        "activation-comments": False,
        "report-failure-as-issue": False,
        "report-failed-jobs": False,
        "noop": {"report-as-issue": False},
        "missing-tool": {"create-issue": False},
        "missing-data": {"create-issue": False},
        "report-incomplete": {"create-issue": False},
        "threat-detection": {
            "continue-on-error": False,
            **({"engine": choices.engine.detection} if choices.engine.detection else {}),
        },
    }
    return out
