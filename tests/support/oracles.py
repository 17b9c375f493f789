"""GitHub's own expression evaluator and workflow parser, each asked in one node process.

A test that uses them carries `@pytest.mark.needs("node-oracles")`.
"""

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bmadc.ghaw.expressions import Status

_SCRIPTS = Path(__file__).resolve().parent.parent / "oracles"


@dataclass(frozen=True, slots=True)
class Case:
    """An expression, or the text of a job's `if`, with what it can read."""

    text: str
    contexts: Mapping[str, object]
    status: Status | None = None
    is_condition: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an evaluator made of a case; `value` is tagged with its kind."""

    parsed: bool
    evaluated: bool
    value: object = None
    string: str | None = None
    truthy: bool | None = None

    def __str__(self) -> str:
        if not self.parsed:
            return "rejected when parsed"
        return repr(self.value) if self.evaluated else "rejected when evaluated"


@dataclass(frozen=True, slots=True)
class WorkflowError:
    """An error of GitHub's workflow parser, with its place when it knows one."""

    message: str
    line: int | None
    col: int | None


def evaluate_with_oracle(cases: Sequence[Case]) -> list[Verdict]:
    """Return GitHub's verdict on each case, in order."""
    lines = [
        json.dumps(
            {
                "condition" if case.is_condition else "expression": case.text,
                "contexts": json.dumps(dict(case.contexts)),
                "status": asdict(case.status) if case.status else None,
            }
        )
        for case in cases
    ]
    # Every number is a double there, so it is one here: an int of Python would be another number.
    answers = [json.loads(line, parse_int=float) for line in _node("expressions.mjs", (), "\n".join(lines))]
    if len(answers) != len(cases):
        raise AssertionError(f"the oracle gave {len(answers)} answers to {len(cases)} cases")
    fields = ("parsed", "evaluated", "value", "string", "truthy")
    return [Verdict(**{name: answer.get(name) for name in fields}) for answer in answers]


def parse_workflows(paths: Iterable[Path]) -> dict[Path, list[WorkflowError]]:
    """Return the errors GitHub's workflow parser finds in each workflow file."""
    files = list(paths)
    answers = [json.loads(line) for line in _node("workflow_parser.mjs", [str(file) for file in files], "")]
    return {
        Path(answer["file"]): [WorkflowError(**error) for error in answer["errors"]] for answer in answers
    }


def _node(script: str, arguments: Sequence[str], text: str) -> list[str]:
    result = subprocess.run(
        ["node", str(_SCRIPTS / script), *arguments],
        input=text.encode(),
        capture_output=True,
        check=False,
    )
    if result.returncode != 0:
        raise AssertionError(f"{script} failed: {result.stderr.decode(errors='replace')}")
    return [line for line in result.stdout.decode().split("\n") if line]
