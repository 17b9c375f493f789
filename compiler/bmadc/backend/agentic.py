"""From a row of the catalogue and a wiring to one gh-aw document.

The keys stand in the order in which a reviewer asks: what is it, what starts it, what runs beside the agent,
what may it read, what may it write.
"""

from bmadc.backend import jobs
from bmadc.backend.jobs import braced, number
from bmadc.backend.yamltext import Value, dump
from bmadc.machine import protocol
from bmadc.machine.catalogue import Outcome, Row
from bmadc.machine.labels import BREAKER, PIPELINE, Role, names
from bmadc.machine.protocol import Cause
from bmadc.machine.wiring import Waking, Wiring

_READING = ("cat", "find", "git", "grep", "head", "ls", "mkdir", "sed", "tail", "wc")
_READ: dict[str, Value] = {"contents": "read", "issues": "read", "pull-requests": "read"}
_PULL_REQUEST_CAUSES = (Cause.LABELED, Cause.READY, Cause.PUSHED)


def document(row: Row, wiring: Wiring, body: str) -> str:
    """The whole text of a workflow, as gh-aw compiles it."""
    return f"---\n{dump(frontmatter(row, wiring))}---\n\n{body}"


def frontmatter(row: Row, wiring: Wiring) -> dict[str, Value]:
    """What gh-aw is told, in a fixed order."""
    out: dict[str, Value] = {
        "name": row.name,
        "description": row.purpose,
        "run-name": f"{row.name} #{braced(number(row))}",
        "on": _on(row, wiring),
    }
    if row.worker:
        # Not `names`: after `permissions`, gh-aw leaves that key in the lock, which GitHub then refuses.
        out["if"] = _is_for_us(row)
    out |= {
        "jobs": _jobs(row, wiring),
        "concurrency": {
            # One group for all workflows of an item: two of them never work on it at the same time.
            "group": f"bmad-{braced(number(row))}",
            "cancel-in-progress": False,
            "queue": "max",
            "job-discriminator": braced("github.run_id"),
        },
        "permissions": _READ,
        "engine": {"id": "claude"},
        "max-turns": row.max_turns,
        "timeout-minutes": row.timeout_minutes,
        "network": {"allowed": ["defaults", "github"]},
    }
    if row.worker:
        # The branch by its name: on a detached head the push would find no branch to push to.
        out["checkout"] = {"ref": braced("needs.pre_activation.outputs.head_ref"), "fetch-depth": 0}
    out |= {
        "tools": {
            "timeout": 600,
            "edit": None,
            "bash": ["*"] if row.builds else list(_READING),
            "github": {"toolsets": ["repos", "issues", "pull_requests"]},
        },
        "steps": [jobs.settings_step()],
        "safe-outputs": _safe_outputs(row, wiring),
    }
    return out


def _causes(row: Row) -> tuple[Cause, ...]:
    return tuple(dict.fromkeys(w.cause for w in protocol.wakes(row.worker))) if row.worker else ()


def _on(row: Row, wiring: Wiring) -> dict[str, Value]:
    out: dict[str, Value] = {}
    if row.trigger:
        out["label_command"] = {"name": row.trigger.name, "events": ["issues"]}
        out["status-comment"] = False
        out["reaction"] = "none"
    causes = _causes(row)
    types = [cause.value for cause in _PULL_REQUEST_CAUSES if cause in causes]
    if types:
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
    out["steps"] = jobs.guard_steps(row)
    return out


def _is_for_us(row: Row) -> str:
    """Keeps foreign pull requests, foreign labels and other reviews from starting even the first job."""
    assert row.worker
    in_pipeline = f"contains(github.event.pull_request.labels.*.name, '{PIPELINE.name}')"
    ours = " || ".join(f"github.event.label.name == '{label.name}'" for label in row.worker.takes)
    condition = f"(github.event_name == 'workflow_dispatch' || {in_pipeline})"
    condition += f" && (github.event.action != '{Cause.LABELED.value}' || {ours})"
    if Cause.CHANGES_REQUESTED in _causes(row):
        asked = "github.event.review.state == 'changes_requested'"
        condition += f" && (github.event_name != 'pull_request_review' || {asked})"
    return condition


def _jobs(row: Row, wiring: Wiring) -> dict[str, Value]:
    out: dict[str, Value] = {
        "pre-activation": {"outputs": jobs.guard_outputs()},
        "activation": {"if": jobs.GO},
        "agent": {"needs": ["pre_activation", "activation"]},
        "gate": jobs.gate(row),
        "safe_outputs": {
            "needs": ["pre_activation", "activation", "gate"],
            "if": "needs.gate.outputs.open == 'true'",
        },
        "halt": jobs.halt(row),
        "handoff": jobs.handoff(row, wiring),
    }
    if row.worker:
        out["enter"] = jobs.enter(row)
    return out


def _safe_outputs(row: Row, wiring: Wiring) -> dict[str, Value]:
    target: dict[str, Value] = {"target": braced(number(row))}
    marked: dict[str, Value] = {"required-labels": [PIPELINE.name]} if row.worker else {}
    out: dict[str, Value] = {}
    if wiring.secret:
        out["github-token"] = braced(f"secrets.{wiring.secret}")
    match row.outcome:
        case Outcome.ENTRY:
            out["create-pull-request"] = {
                "title-prefix": "[story] ",
                # At once, so that the sweeper finds a pull request that the handoff never reached.
                "labels": [PIPELINE.name],
                "draft": False,
                "max": 1,
                "if-no-changes": "error",
                "fallback-as-issue": False,
                "protected-files": "blocked",
            }
        case Outcome.PUSH:
            out["push-to-pull-request-branch"] = {
                **target,
                **marked,
                "max": 1,
                "if-no-changes": "error",
                "fallback-as-pull-request": False,
                "protected-files": "blocked",
            }
        case Outcome.VERDICT:
            out["create-pull-request-review-comment"] = {**target, **marked, "max": 20}
            out["submit-pull-request-review"] = {**target, **marked, "max": 1, "allowed-events": ["COMMENT"]}
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
        "threat-detection": {"continue-on-error": False},
    }
    return out
