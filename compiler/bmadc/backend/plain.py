"""The workflows without a model: resume, commands in comments, the sweeper. Bash and `gh`, no actions."""

from typing import TypeAlias

from bmadc.backend.jobs import JOB_MINUTES, RUNNER, braced, states, step, waking_env, waking_permissions
from bmadc.backend.yamltext import Value
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.commits import BOT_COMMIT_PATTERN
from bmadc.machine.labels import APPROVED, BREAKER, UNVALIDATED
from bmadc.machine.protocol import CODE_REVIEW
from bmadc.machine.wiring import Wiring

RESUME = "bmad-resume.yml"
RESUME_COMMAND = "bmad-resume-command.yml"
COMMANDS = "bmad-commands.yml"
SWEEPER = "bmad-sweeper.yml"

SPOKEN = ("/choose ", "/approve", "/skip-review", "/bmad stop")
"""How a comment begins that may be a command; the script reads it exactly."""

_ITEM = "github.event.issue.number || github.event.pull_request.number"

Tree: TypeAlias = dict[str, Value]


def plain_workflows(wiring: Wiring) -> dict[str, Tree]:
    """All workflows without a model, by file name."""
    return {
        RESUME: resume(wiring),
        RESUME_COMMAND: resume_command(wiring),
        COMMANDS: commands(wiring),
        SWEEPER: sweeper(wiring),
    }


def resume(wiring: Wiring) -> Tree:
    """Goes on when a person takes the breaker off."""
    types: Value = {"types": ["unlabeled"]}
    env = {"MODE": "unlabeled", "NUMBER": braced(_ITEM), "ACTOR": braced("github.event.sender.login")}
    return _workflow(
        name="bmad-resume",
        run_name=f"bmad-resume of #{braced(_ITEM)}",
        on={"issues": types, "pull_request": types},
        group=f"bmad-resume-{braced(_ITEM)}",
        # A bot that takes the label off is not a person who decided.
        condition=f"github.event.label.name == '{BREAKER.name}' && github.event.sender.type == 'User'",
        step_=step("resume", "Resume", "Resume", {**env, **_resume_env(wiring)}),
        wiring=wiring,
    )


def resume_command(wiring: Wiring) -> Tree:
    """Goes on when somebody with write access says so in a comment."""
    item = "github.event.issue.number"
    env = {"MODE": "command", "NUMBER": braced(item), "ACTOR": braced("github.event.comment.user.login")}
    return _workflow(
        name="bmad-resume-command",
        run_name=f"bmad-resume-command of #{braced(item)}",
        on={"issue_comment": {"types": ["created"]}},
        group=f"bmad-resume-{braced(item)}",
        # The whole comment and nothing else: what an agent writes has a footer, with any token.
        condition="github.event.comment.user.type == 'User' && contains("
        r"""fromJSON('["/resume", "/resume ", "/resume\n", "/resume\r\n"]'), github.event.comment.body)""",
        step_=step("resume", "Resume", "Resume", {**env, **_resume_env(wiring)}),
        wiring=wiring,
    )


def commands(wiring: Wiring) -> Tree:
    """Does what somebody with write access says in a comment."""
    item = "github.event.issue.number"
    spoken = " || ".join(f"startsWith(github.event.comment.body, '{start}')" for start in SPOKEN)
    env = {
        "NUMBER": braced(item),
        "ACTOR": braced("github.event.comment.user.login"),
        "COMMENT": braced("github.event.comment.body"),
        "APPROVED": APPROVED.name,
        "UNVALIDATED": UNVALIDATED.name,
        **_resume_env(wiring),
    }
    return _workflow(
        name="bmad-commands",
        run_name=f"bmad-commands of #{braced(item)}",
        on={"issue_comment": {"types": ["created"]}},
        group=f"bmad-resume-{braced(item)}",
        condition=f"github.event.comment.user.type == 'User' && ({spoken})",
        step_=step("commands", "Do what the comment says", "Commands", env),
        wiring=wiring,
    )


def sweeper(wiring: Wiring) -> Tree:
    """Finds states with no run behind them, wakes each once, then stops it."""
    env = {
        "STATES": states(),
        "SILENCE": str(BUDGETS.silence_minutes),
        **waking_env(wiring),
    }
    return _workflow(
        name="bmad-sweeper",
        run_name="bmad-sweeper",
        # Not on the hour: GitHub drops scheduled runs when everybody's are due.
        on={"schedule": [{"cron": f"7/{BUDGETS.sweep_minutes} * * * *"}], "workflow_dispatch": None},
        group="bmad-sweeper",
        condition=None,
        step_=step("sweep", "Sweep", "Sweeper", env),
        wiring=wiring,
    )


def _resume_env(wiring: Wiring) -> dict[str, str]:
    return {
        "STATES": states(),
        "PUSHED": CODE_REVIEW.person_enters.name,
        "BOT_COMMIT": BOT_COMMIT_PATTERN,
        **waking_env(wiring),
    }


def _workflow(
    *,
    name: str,
    run_name: str,
    on: Value,
    group: str,
    condition: str | None,
    step_: Value,
    wiring: Wiring,
) -> Tree:
    job: dict[str, Value] = {"if": condition} if condition else {}
    job |= {
        "runs-on": RUNNER,
        "timeout-minutes": JOB_MINUTES,
        "permissions": waking_permissions(wiring),
        "steps": [step_],
    }
    return {
        "name": name,
        "run-name": run_name,
        "on": on,
        "permissions": {},
        # Every comment starts a run, most of them without a job: none may push a waiting one out.
        "concurrency": {"group": group, "cancel-in-progress": False, "queue": "max"},
        "jobs": {name.removeprefix("bmad-").replace("-", "_"): job},
    }
