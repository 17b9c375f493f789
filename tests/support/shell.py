"""Runs the pack's scripts as a runner does, with the fake `gh` and nothing else that could reach outside.

A test that uses this carries `@pytest.mark.needs("jq")`.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bmadc.backend.jobs import wakes
from bmadc.backend.scripts import script
from bmadc.machine import config, labels, protocol
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.commits import BOT_COMMIT_PATTERN
from bmadc.machine.labels import Role
from support.fakegh import DEFAULT_BRANCH, REPOSITORY, SHA, TOKEN, FakeGitHub

SHELL_BASH = ("--noprofile", "--norc", "-e", "-o", "pipefail")
"""How a runner starts bash for a step with `shell: bash`."""
SHELL_DEFAULT = ("-e",)
"""How a runner starts bash for a step that names no shell."""

TOOLS = ("bash", "date", "dirname", "grep", "jq", "mkdir", "mktemp", "sleep")
"""The programs that a script may call besides `gh`; nothing else is on its path."""

_FAKE = Path(__file__).resolve().parent.parent / "fakes" / "gh"


@dataclass(frozen=True, slots=True)
class Annotation:
    """One line that a run shows above its log."""

    level: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a step left behind."""

    code: int
    outputs: Mapping[str, str]
    annotations: tuple[Annotation, ...]
    summary: str
    stdout: str
    stderr: str
    litter: tuple[str, ...]
    """Files that appeared in the working directory: data that was run as a command."""

    def told(self, level: str) -> list[str]:
        """The texts of the annotations of one level."""
        return [a.text for a in self.annotations if a.level == level]


def variables(name: str) -> frozenset[str]:
    """The variables that a composed script takes from its environment, the runner's own left out."""
    text = script(name)
    read = {
        v
        for form in (
            r"\$\{?([A-Z_]+)\b",
            r"\$e\.([A-Z_]+)",
            r"\benv\.([A-Z_]+)",
            r"\* ?([A-Z_]+)\)\)",
            r"\(\(([A-Z_]+) \*",
        )
        for v in re.findall(form, text)
    }
    return frozenset(v for v in read if not v.startswith(("GITHUB_", "RUNNER_")))


NUMBER = 7
"""The item that the environments below are about."""
TITLE = "BMAD"
STATES = labels.names(Role.STATE)
VERDICTS = labels.names(Role.VERDICT)


def lock_of(worker: protocol.Worker) -> str:
    """The file that a worker is installed as, in these tests."""
    return f"{worker.id}.lock.yml"


CONSUMERS = {
    state.name: lock_of(worker)
    for state in labels.LABELS
    if state.role is Role.STATE and (worker := protocol.consumer(state)) is not None
}


def environment(name: str, **changes: str) -> dict[str, str]:
    """A whole environment for one script, from the tables of the machine: a run where all went well."""
    calls = {"TRIES": str(BUDGETS.api_tries), "PAUSE": "0", "TITLE": TITLE}
    item = calls | {"NUMBER": str(NUMBER), "BREAKER": labels.BREAKER.name}
    moving = item | {
        "MARK": labels.PIPELINE.name,
        "SWEPT": labels.SWEPT.name,
        "WAKING": "bus",
        "WAKE_TOKEN": "",
        "CONSUMERS": json.dumps(CONSUMERS),
        "DEFAULT_BRANCH": DEFAULT_BRANCH,
    }
    states = {"STATES": " ".join(STATES)}
    going_on = (
        moving | states | {"ACTOR": "ada", "PUSHED": labels.REVIEW.name, "BOT_COMMIT": BOT_COMMIT_PATTERN}
    )
    env: dict[str, dict[str, str]] = {
        "config": {k: v for k, v in calls.items() if k != "TITLE"}
        | {
            "CONFIG_PATH": config.CONFIG_PATH,
            "RULES": json.dumps(config.rules()),
            "LIMIT": str(BUDGETS.config_bytes),
        },
        "guard": item
        | states
        | {
            "EVENT": "pull_request",
            "ACTION": "labeled",
            "LABEL": labels.DEV.name,
            "REVIEW": "",
            "KIND": "pulls",
            "CONTEXT": "",
            "WAKES": wakes(protocol.DEV_STORY),
            "MARK": labels.PIPELINE.name,
            "STRIKE": protocol.STRIKE.name,
            "CYCLES": str(BUDGETS.cycles),
            "BOT_COMMIT": BOT_COMMIT_PATTERN,
            "CONFIG_ERROR": "",
            "MISTAKE": "",
        },
        "mistake": {k: v for k, v in item.items() if k != "TITLE"}
        | {
            "ACTION": "labeled",
            "LABEL": labels.STORY.name,
            "KIND": "issues",
            "TRIGGERS": labels.STORY.name,
            "BODY": "",
            "REQUIRES": "[]",
        },
        "enter": item | states | {"ENTERS": labels.DEV.name, "VERDICTS": " ".join(VERDICTS)},
        "gate": item | {"VERDICTS": " ".join(VERDICTS)},
        "halt": item
        | {"CODE": "cycles", "REASON": "3 review cycles reached. Halting."}
        | {"LABEL": labels.DEV.name, "TRIGGERS": " ".join(state.name for state in protocol.DEV_STORY.takes)},
        "handoff": moving
        | {
            "MODE": "push",
            "FROM": labels.DEV.name,
            "NEXT": labels.REVIEW.name,
            "ACTIVATION": "success",
            "AGENT": "success",
            "DETECTION": "success",
            "GATE": "true",
            "OUTPUTS": "success",
            "CREATED": "",
            "SHA": SHA,
            "PUSH_FAILURES": "",
            "COMMENT": "",
            "ASKED": labels.STORY.name,
            "NEXT_LABEL": "",
            "APPROVED": labels.APPROVED.name,
            "UNVALIDATED": labels.UNVALIDATED.name,
            "CONSENSUS": labels.CONSENSUS.name,
            "CHECKS": "",
            "VERDICTS": json.dumps({verdict.name: state.name for verdict, state in protocol.VERDICTS}),
            "VERDICT_PREFIX": "bmad-verdict-",
            "BOT_COMMIT": BOT_COMMIT_PATTERN,
        },
        "checks": {k: v for k, v in item.items() if k != "BREAKER"}
        | {"CHECKS": "ci.yml", "MINUTES": "1", "APPEARS": "60", "EVERY": "0"},
        "resume": going_on | {"MODE": "unlabeled"},
        "commands": going_on
        | {"COMMENT": "/bmad stop"}
        | {"APPROVED": labels.APPROVED.name, "UNVALIDATED": labels.UNVALIDATED.name},
        "sweep": {k: v for k, v in moving.items() if k != "NUMBER"}
        | states
        | {"SILENCE": str(BUDGETS.silence_minutes), "NOW": ""},
    }
    unknown = set(changes) - set(env[name]) - {"GH_TOKEN"}
    if unknown:
        raise AssertionError(f"{name} takes no {', '.join(sorted(unknown))}")
    return env[name] | changes


def parse_outputs(text: str) -> dict[str, str]:
    """Reads GITHUB_OUTPUT as the runner does: `name=value` lines and `name<<END` blocks, else an error."""
    outputs: dict[str, str] = {}
    lines = iter(text.split("\n"))
    for line in lines:
        if not line:
            continue
        equals, block = line.find("="), line.find("<<")
        if equals >= 0 and (block < 0 or equals < block):
            name, value = line.split("=", 1)
        elif block >= 0:
            name, end = line.split("<<", 1)
            taken: list[str] = []
            for inner in lines:
                if inner == end:
                    break
                taken.append(inner)
            else:
                raise AssertionError(f"matching delimiter not found: {end!r}")
            value = "\n".join(taken)
        else:
            raise AssertionError(f"invalid format of an output: {line!r}")
        if not name:
            raise AssertionError(f"an output without a name: {line!r}")
        outputs[name] = value
    return outputs


def parse_annotations(stdout: str) -> tuple[Annotation, ...]:
    """Reads workflow commands as the runner does; any command but an annotation is an error."""
    found: list[Annotation] = []
    for line in stdout.replace("\r", "\n").split("\n"):
        start = line.lstrip()
        if "##[" in line and not start.startswith("::"):
            raise AssertionError(f"a workflow command of the old form: {line!r}")
        if not start.startswith("::"):
            continue
        head, _, text = start[2:].partition("::")
        level, _, rest = head.partition(" ")
        if level not in ("error", "warning", "notice"):
            raise AssertionError(f"a workflow command that no script may send: {line!r}")
        title = rest.removeprefix("title=")
        for code, plain in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            text = text.replace(code, plain)
        found.append(Annotation(level, title, text))
    return tuple(found)


_KEPT = tempfile.TemporaryDirectory(prefix="bmadc-tools-")


@cache
def _tools() -> Path:
    """A folder with the fake `gh` and the tools, once per process."""
    folder = Path(_KEPT.name)
    for tool in TOOLS:
        found = shutil.which(tool)
        if found is None:
            raise AssertionError(f"{tool} is not installed, so no script can run. Install it.")
        (folder / tool).symlink_to(found)
    source = _FAKE.read_text(encoding="utf-8").split("\n", 1)[1]
    # The interpreter of the tests, not whatever `python3` is: a version manager's costs more than the script.
    gh = folder / "gh"
    gh.write_text(f"#!{sys.executable} -IS\n{source}", encoding="utf-8")
    gh.chmod(0o755)
    return folder


class Bench:
    """A place to run scripts one after the other against one repository."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.github = FakeGitHub(place / "state.json")

    def run(
        self, name: str, env: Mapping[str, str], shell: Iterable[str] = SHELL_BASH, *, noise: bool = False
    ) -> Result:
        """Runs one composed script of the pack with this environment and the runner's own.

        What holds for every script on every input is asserted here: it ends with 0, runs nothing from its
        data, leaves no error on the terminal (with `noise`, a tool may complain about a broken answer), and
        says in the summary what it says in its annotations.
        """
        result = self.run_text(script(name), env, shell)
        assert (result.code, result.litter) == (0, ()), result
        assert noise or result.stderr == "", result
        assert result.summary.count(f"**{TITLE}.** ") == len(result.annotations), result
        return result

    def run_text(self, text: str, env: Mapping[str, str], shell: Iterable[str] = SHELL_BASH) -> Result:
        """Runs the text of a step."""
        tools = _tools()
        work, temp = self.place / "work", self.place / "temp"
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(temp, ignore_errors=True)
        work.mkdir()
        temp.mkdir()
        step, outputs, summary = temp / "step.sh", temp / "outputs", temp / "summary"
        step.write_text(text, encoding="utf-8")
        outputs.touch()
        summary.touch()
        self.github.save()
        runner = {
            "PATH": str(tools),
            "HOME": str(temp),
            "TMPDIR": str(temp),
            "RUNNER_TEMP": str(temp),
            "LANG": "C.UTF-8",
            "GITHUB_OUTPUT": str(outputs),
            "GITHUB_STEP_SUMMARY": str(summary),
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_RUN_ID": "4711",
            "GITHUB_REF_NAME": DEFAULT_BRANCH,
            "FAKE_GH_STATE": str(self.github.file),
        }
        done = subprocess.run(
            [str(tools / "bash"), *shell, str(step)],
            env=runner | {"GH_TOKEN": TOKEN} | dict(env),
            cwd=work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=60,
        )
        self.github.load()
        stdout = done.stdout.decode("utf-8", "replace")
        return Result(
            code=done.returncode,
            outputs=parse_outputs(outputs.read_text(encoding="utf-8")),
            annotations=parse_annotations(stdout),
            summary=summary.read_text(encoding="utf-8"),
            stdout=stdout,
            stderr=done.stderr.decode("utf-8", "replace"),
            litter=tuple(sorted(str(p.relative_to(work)) for p in work.rglob("*"))),
        )
