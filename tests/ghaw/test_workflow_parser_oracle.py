"""GitHub's workflow parser, as the tests of locks ask it: it accepts what is sound and says what is not."""

from pathlib import Path

import pytest

from support.oracles import WorkflowError, parse_workflows

SOUND = """\
on: {workflow_dispatch: {inputs: {pr: {type: string}}}}
concurrency: {group: "pr-${{ inputs.pr }}", queue: max}
jobs:
  first: {runs-on: ubuntu-slim, steps: [{run: "true"}]}
  second:
    needs: first
    if: always() && needs.first.result == 'success'
    runs-on: ubuntu-slim
    steps: [{run: "true", env: {PR: "${{ inputs.pr }}"}}]
"""


@pytest.mark.needs("node-oracles")
def test_sound_workflows_have_no_errors_and_others_say_where(tmp_path: Path) -> None:
    texts = {
        "sound": SOUND,
        "unknown need": SOUND.replace("needs: first", "needs: zeroth"),
        "context not allowed": SOUND.replace("needs.first.result", "secrets.first"),
        "unknown key": SOUND.replace("runs-on: ubuntu-slim\n", "runs-on: ubuntu-slim\n    unknown: 1\n"),
        "not YAML": "on: [",
    }
    paths = {name: tmp_path / f"{name}.yml" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name], encoding="utf-8")

    errors = parse_workflows(paths.values())

    assert errors[paths["sound"]] == []
    missing = WorkflowError("Job 'second' depends on unknown job 'zeroth'.", line=6, col=12)
    assert errors[paths["unknown need"]] == [missing]
    assert [error.line for error in errors[paths["context not allowed"]]] == [7]
    assert [error.line for error in errors[paths["unknown key"]]] == [9]
    assert errors[paths["not YAML"]] != []
