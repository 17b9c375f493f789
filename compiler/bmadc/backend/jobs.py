"""The jobs and steps around the agent: plain shell, told by environment what to do.

gh-aw orders custom jobs by what their `needs` literally say, and a skipped need skips a job in silence. So
every `needs` here is spelled out: a job beside a refused activation names both jobs before it and has a
status function in its condition; the handoff names everything whose result it reads.
"""

import json
from collections.abc import Mapping, Sequence

from bmadc.backend.scripts import script
from bmadc.backend.yamltext import Value
from bmadc.machine import config, labels, protocol
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.catalogue import Outcome, Row, consumers
from bmadc.machine.choices import Choices
from bmadc.machine.commits import BOT_COMMIT_PATTERN
from bmadc.machine.labels import APPROVED, BREAKER, CONSENSUS, PIPELINE, SWEPT, UNVALIDATED, Label, Role
from bmadc.machine.prerequisites import Requirement
from bmadc.machine.protocol import Worker
from bmadc.machine.wiring import Waking, Wiring

RUNNER = "ubuntu-slim"
JOB_MINUTES = 10
WAITING_RUNNER = "ubuntu-latest"
"""A slim runner ends a job after a quarter of an hour; checks may take longer."""

GO = "needs.pre_activation.outputs.go == 'true'"
_MAY_ACT = "needs.pre_activation.outputs.activated == 'true'"
_STRANGER = (
    "needs.pre_activation.outputs.activated == 'false'"
    " && github.event.action == 'labeled' && github.event.sender.type == 'User'"
)

GUARD_OUTPUTS = ("go", "halt", "code", "reason", "enters", "head_ref")

Block = Mapping[str, Value]


def number(row: Row) -> str:
    """The expression, without braces, that says which item a run of this workflow is about."""
    # A label on the wrong kind of item starts a run too, which then says so there.
    given = "pr" if row.worker else "item_number"
    return f"github.event.pull_request.number || github.event.issue.number || github.event.inputs.{given}"


def go(row: Row) -> str:
    """The condition under which a run may do its work: the guard says so, on the kind of item it is for."""
    return f"github.event_name != '{'issues' if row.on_pulls else 'pull_request'}' && {GO}"


def braced(expression: str) -> str:
    """An expression as it stands in a value."""
    return f"${{{{ {expression} }}}}"


def step(id_: str, name: str, title: str, env: Mapping[str, str]) -> dict[str, Value]:
    """A step that runs the script of that id with the default token and the limits of the API."""
    return {
        "name": name,
        "id": id_,
        "shell": "bash",
        "env": {
            **env,
            "TITLE": title,
            "TRIES": str(BUDGETS.api_tries),
            "PAUSE": str(BUDGETS.api_pause_seconds),
            "GH_TOKEN": braced("github.token"),
        },
        "run": script(id_),
    }


def states() -> str:
    """All states, as the scripts read them."""
    return " ".join(labels.names(Role.STATE))


def _verdict_labels() -> str:
    return " ".join(labels.names(Role.VERDICT))


def wakes(worker: Worker) -> str:
    """The rows of the protocol that let a worker start, as the guard reads them."""
    by_cause: dict[str, list[str]] = {}
    for wake in protocol.wakes(worker):
        by_cause.setdefault(wake.cause.value, []).append(f"{wake.state}>{wake.enters}")
    return " ".join(f"{cause}={','.join(moves)}" for cause, moves in by_cause.items())


def commands(row: Row) -> tuple[str, ...]:
    """The labels that a person sets to start a workflow."""
    return (row.trigger.name,) if row.trigger else tuple(label.name for label in _taken(row))


def _taken(row: Row) -> tuple[Label, ...]:
    return row.worker.takes if row.worker else ()


def guard_steps(row: Row, requires: Sequence[Requirement] = ()) -> list[Value]:
    """The three steps that decide, before a model is paid for, whether a run may start."""
    settings = step(
        "config",
        "Read the project's settings",
        row.title,
        {
            "CONFIG_PATH": config.CONFIG_PATH,
            "LIMIT": str(BUDGETS.config_bytes),
            "RULES": _rules(),
        },
    )
    mistake = step(
        "mistake",
        "Look for a mistake of the person who set the label",
        row.title,
        {
            "ACTION": braced("github.event.action"),
            "LABEL": braced("github.event.label.name"),
            "NUMBER": braced(number(row)),
            "KIND": _kind(row),
            "TRIGGERS": " ".join(commands(row)),
            "BODY": "needed" if row.asks and not row.on_pulls else "",
            "REQUIRES": json.dumps([one.as_json() for one in requires]),
            "BREAKER": BREAKER.name,
        },
    )
    guard = step(
        "guard",
        "Guard",
        row.title,
        {
            "EVENT": braced("github.event_name"),
            "ACTION": braced("github.event.action"),
            "LABEL": braced("github.event.label.name"),
            "REVIEW": braced("github.event.review.id"),
            "NUMBER": braced(number(row)),
            "KIND": _kind(row),
            "CONTEXT": braced("github.event.inputs.aw_context"),
            "STATES": states(),
            "WAKES": wakes(row.worker) if row.worker else "",
            "MARK": PIPELINE.name,
            "BREAKER": BREAKER.name,
            "STRIKE": protocol.STRIKE.name,
            "CYCLES": str(BUDGETS.cycles),
            "BOT_COMMIT": BOT_COMMIT_PATTERN,
            "CONFIG_ERROR": braced("steps.config.outputs.error"),
            "MISTAKE": braced("steps.mistake.outputs.mistake"),
        },
    )
    return [settings, mistake, guard]


def _kind(row: Row) -> str:
    """What the API calls the items that a workflow works on."""
    return "pulls" if row.on_pulls else "issues"


def _rules() -> str:
    """The rules as JSON, one setting on a line, for the reader of the workflow."""
    lines = (f"  {json.dumps(key)}: {json.dumps(rule)}" for key, rule in config.rules().items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def guard_outputs() -> dict[str, Value]:
    """What the jobs after the guard may read of it."""
    said: dict[str, Value] = {name: braced(f"steps.guard.outputs.{name}") for name in GUARD_OUTPUTS}
    return {**said, "settings": braced("steps.config.outputs.settings")}


def checks_step() -> dict[str, Value]:
    """A step of the agent's job that puts the results of the checks where the agent can read them."""
    return {
        "name": "Hand the results of the checks to the agent",
        "shell": "bash",
        "env": {"SETTINGS": braced("needs.checks.outputs.checks"), "FILE": config.AGENT_CHECKS_PATH},
        "run": script("settings"),
    }


def settings_step() -> dict[str, Value]:
    """A step of the agent's job that puts the settings where the agent can read them."""
    return {
        "name": "Hand the settings to the agent",
        "shell": "bash",
        "env": {
            "SETTINGS": braced("needs.pre_activation.outputs.settings"),
            "FILE": config.AGENT_CONFIG_PATH,
        },
        "run": script("settings"),
    }


def _job(needs: list[str], condition: str, permissions: Block, steps: list[Value]) -> dict[str, Value]:
    return {
        "needs": needs,
        "if": condition,
        "runs-on": RUNNER,
        "timeout-minutes": JOB_MINUTES,
        "permissions": permissions,
        "steps": steps,
    }


def _before_the_agent(row: Row) -> list[str]:
    return ["pre_activation", "activation", *(["enter"] if row.worker else [])]


def halt(row: Row) -> dict[str, Value]:
    """Says on the item why nothing starts: the guard wants it, or somebody without write access asked."""
    return _job(
        ["pre_activation", "activation"],
        # Not just `not activated`: a first job that was skipped has not been asked anything.
        f"always() && ({_MAY_ACT} && needs.pre_activation.outputs.halt == 'true' || {_STRANGER})",
        {"issues": "write", "pull-requests": "write"},
        [
            step(
                "halt",
                "Stop the item and say why",
                row.title,
                {
                    "NUMBER": braced(number(row)),
                    "CODE": braced(f"{_MAY_ACT} && needs.pre_activation.outputs.code || 'stranger'"),
                    "REASON": braced("needs.pre_activation.outputs.reason"),
                    "LABEL": braced("github.event.label.name"),
                    "TRIGGERS": " ".join(commands(row)),
                    "BREAKER": BREAKER.name,
                },
            )
        ],
    )


def enter(row: Row) -> dict[str, Value]:
    """Makes the labels say what this run works on, while its agent starts."""
    return _job(
        ["pre_activation", "activation"],
        go(row),
        {"issues": "write", "pull-requests": "write"},
        [
            step(
                "enter",
                "Show the state",
                row.title,
                {
                    "NUMBER": braced(number(row)),
                    "ENTERS": braced("needs.pre_activation.outputs.enters"),
                    "STATES": states(),
                    "VERDICTS": _verdict_labels(),
                    "BREAKER": BREAKER.name,
                },
            )
        ],
    )


def waits(row: Row, choices: Choices) -> bool:
    """Whether a workflow waits for the project's own checks before its agent starts."""
    return bool(choices.ci) and row.outcome is Outcome.VERDICT


def checks(row: Row, choices: Choices) -> dict[str, Value]:
    """Waits for the project's own checks of the head; the agent starts after it, however they end."""
    job = _job(
        ["pre_activation", "activation"],
        go(row),
        {"actions": "read", "pull-requests": "read"},
        [
            step(
                "checks",
                "Wait for the checks of the project",
                row.title,
                {
                    "NUMBER": braced(number(row)),
                    "CHECKS": " ".join(choices.ci),
                    "MINUTES": str(BUDGETS.check_minutes),
                    "APPEARS": str(BUDGETS.check_start_seconds),
                    "EVERY": str(BUDGETS.check_pause_seconds),
                },
            )
        ],
    )
    return {
        **job,
        "runs-on": WAITING_RUNNER,
        "timeout-minutes": BUDGETS.check_minutes + JOB_MINUTES,
        "outputs": {"checks": braced("steps.checks.outputs.checks")},
    }


def gate(row: Row) -> dict[str, Value]:
    """Reads the breaker once more, right before anything is written."""
    job = _job(
        # After enter, because only then a verdict that is on is known to be too old.
        [*_before_the_agent(row), "agent", "detection"],
        f"always() && {go(row)} && needs.detection.result == 'success'",
        {"issues": "read", "pull-requests": "read"},
        [
            step(
                "gate",
                "Look once more before writing",
                row.title,
                {
                    "NUMBER": braced(number(row)),
                    "BREAKER": BREAKER.name,
                    "VERDICTS": _verdict_labels() if row.outcome is Outcome.VERDICT else "",
                },
            )
        ],
    )
    return {**job, "outputs": {"open": braced("steps.gate.outputs.open")}}


def waking_env(wiring: Wiring) -> dict[str, str]:
    """What the scripts that wake need to know, in any wiring."""
    return {
        "CONSUMERS": json.dumps(consumers()),
        "WAKING": wiring.waking.value,
        "WAKE_TOKEN": braced(f"secrets.{wiring.secret}") if wiring.secret else "",
        "DEFAULT_BRANCH": braced("github.event.repository.default_branch"),
        "MARK": PIPELINE.name,
        "BREAKER": BREAKER.name,
        "SWEPT": SWEPT.name,
    }


def waking_permissions(wiring: Wiring) -> dict[str, Value]:
    """The scopes that moving a state and waking take: a dispatch needs to write, the rest only to look."""
    return {
        "actions": "write" if wiring.waking is Waking.BUS else "read",
        "contents": "read",
        "issues": "write",
        "pull-requests": "write",
    }


def starts(row: Row, choices: Choices) -> tuple[str, ...]:
    """The project's checks that a handoff starts on what it was told was pushed.

    What a credential pushes starts them by itself, and what is implemented next is pushed to again.
    """
    pushes = row.outcome in (Outcome.ENTRY, Outcome.DOCUMENT, Outcome.PUSH, Outcome.VERDICT)
    if not pushes or row.enters is protocol.ENTRY or choices.wiring.waking is Waking.CREDENTIAL:
        return ()
    return choices.ci


def handoff(row: Row, choices: Choices, next_label: str = "") -> dict[str, Value]:
    """Moves the state by what was really applied, whatever went wrong before, and wakes the next.

    `next_label` is what the pull request of a document tells its reader to set next, if anything.
    """
    wiring = choices.wiring
    wakes_next = row.outcome in (Outcome.ENTRY, Outcome.PUSH, Outcome.VERDICT)
    env = {
        "NUMBER": braced(number(row)),
        "MODE": row.outcome.value,
        "FROM": braced("needs.pre_activation.outputs.enters"),
        "NEXT": _next(row),
        "ACTIVATION": braced("needs.activation.result"),
        "AGENT": braced("needs.agent.result"),
        "DETECTION": braced("needs.detection.result"),
        "GATE": braced("needs.gate.outputs.open"),
        "OUTPUTS": braced("needs.safe_outputs.result"),
        **_applied(row),
        "VERDICTS": json.dumps({verdict.name: state.name for verdict, state in protocol.VERDICTS}),
        "VERDICT_PREFIX": labels.VERDICT_PREFIX,
        "BOT_COMMIT": BOT_COMMIT_PATTERN,
        "ASKED": row.trigger.name if row.trigger else "",
        "NEXT_LABEL": next_label,
        "APPROVED": APPROVED.name,
        "UNVALIDATED": UNVALIDATED.name,
        "CONSENSUS": CONSENSUS.name,
        "CHECKS": " ".join(starts(row, choices)),
        **waking_env(wiring),
        # A job that wakes nobody gets no token for it.
        **({} if wakes_next else {"WAKE_TOKEN": ""}),
    }
    permissions = waking_permissions(wiring) if wakes_next else _saying_permissions(row)
    if starts(row, choices):
        permissions["actions"] = "write"
    return _job(
        [*_before_the_agent(row), "agent", "detection", "gate", "safe_outputs"],
        f"always() && {_MAY_ACT} && {go(row)}",
        permissions,
        [
            step(
                "handoff",
                "Move the state and wake the next" if wakes_next else "See what is left",
                row.title,
                env,
            )
        ],
    )


def _saying_permissions(row: Row) -> dict[str, Value]:
    """The scopes of a handoff that only labels, comments and completes the body of what was opened."""
    return {"issues": "write", **({"pull-requests": "write"} if row.opens or row.on_pulls else {})}


def _next(row: Row) -> str:
    """The state that a run leads to, where its outcome alone says so."""
    if row.enters is not None:
        return row.enters.name
    return protocol.AFTER_PUSH.name if row.outcome is Outcome.PUSH else ""


def _applied(row: Row) -> dict[str, str]:
    """What the safe outputs say they did, as far as this workflow declares it."""
    out = {"CREATED": "", "SHA": "", "PUSH_FAILURES": "", "COMMENT": ""}
    match row.outcome:
        case Outcome.ENTRY | Outcome.DOCUMENT:
            out["CREATED"] = braced("needs.safe_outputs.outputs.created_pr_number")
        case Outcome.PUSH | Outcome.VERDICT:
            out["SHA"] = braced("needs.safe_outputs.outputs.push_commit_sha")
            out["PUSH_FAILURES"] = braced("needs.safe_outputs.outputs.code_push_failure_count")
        case Outcome.REPORT | Outcome.PARTY:
            out["COMMENT"] = braced("needs.safe_outputs.outputs.comment_id")
    return out
