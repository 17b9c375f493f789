"""What holds for every script of the pack, and proof that the bench would notice if it did not."""

import copy
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bmadc.backend.scripts import script
from bmadc.machine.budgets import BUDGETS
from support.fakegh import BOT, TOKEN
from support.shell import (
    NUMBER,
    SHELL_BASH,
    SHELL_DEFAULT,
    Bench,
    environment,
    parse_annotations,
    parse_outputs,
    variables,
)

SCRIPTS = (
    "checks",
    "commands",
    "config",
    "enter",
    "gate",
    "guard",
    "halt",
    "handoff",
    "mistake",
    "resume",
    "sweep",
)
"""The scripts that ask GitHub; `settings` only writes a file and is proven with `config`."""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_the_list_above_is_complete() -> None:
    folder = Path(__file__).resolve().parents[2] / "templates" / "scripts"
    assert tuple(sorted(p.stem for p in folder.glob("*.sh"))) == tuple(sorted((*SCRIPTS, "settings")))


@pytest.mark.needs("shellcheck")
@pytest.mark.parametrize("name", [*SCRIPTS, "settings"])
def test_shellcheck_finds_nothing(name: str) -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "shellcheck"), "--norc", "-S", "style", "-s", "bash", "-"],
        input=script(name),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "")


def test_the_guard_fits_its_budget() -> None:
    assert len(script("guard").encode()) <= BUDGETS.guard_bytes


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_is_plain_text_that_runs_no_text_as_code(name: str) -> None:
    text = script(name)
    assert text.endswith("\nexit 0\n")
    assert "${{" not in text
    assert "\t" not in text
    assert not re.search(r"(?<!\.)\b(eval|source|exec|trap|xargs|curl|wget)\b|bash -c|sh -c", text)


@pytest.mark.parametrize("name", SCRIPTS)
def test_each_script_reads_exactly_the_variables_of_the_protocol(name: str) -> None:
    assert variables(name) == set(environment(name))


@pytest.mark.needs("jq")
@pytest.mark.parametrize(
    ("shell", "status"), [(SHELL_BASH, 502), (SHELL_DEFAULT, 403)], ids=["shell-bash", "default-shell"]
)
@pytest.mark.parametrize("name", SCRIPTS)
def test_without_github_each_script_ends_well_says_so_and_opens_nothing(
    bench: Bench, name: str, shell: tuple[str, ...], status: int
) -> None:
    bench.github.pull(NUMBER, ["bmad-pipeline", "bmad-dev"])
    bench.github.fault(".", status)
    before = bench.github.labels(NUMBER)

    result = bench.run(name, environment(name), shell)

    assert bench.github.writes() == []
    assert bench.github.labels(NUMBER) == before
    if name == "config":
        assert result.outputs == {
            "error": ".bmad/config.yaml could not be read: GitHub did not answer.",
            "settings": "{}",
        }
        return
    if name == "mistake":
        # What GitHub does not answer is the guard's to tell.
        assert result.outputs == {"mistake": ""}
        return
    assert result.told("error") + result.told("warning")
    assert result.outputs.get("go", "false") == result.outputs.get("open", "false") == "false"


@pytest.mark.needs("jq")
@pytest.mark.parametrize("name", sorted(set(SCRIPTS) - {"sweep"}))
def test_without_a_token_each_script_ends_well(bench: Bench, name: str) -> None:
    bench.github.pull(NUMBER, ["bmad-pipeline", "bmad-dev"])
    result = bench.run(name, environment(name, GH_TOKEN=""))
    assert bench.github.calls() == []
    assert result.outputs.get("go", "false") == result.outputs.get("open", "false") == "false"


@pytest.mark.needs("jq")
@pytest.mark.parametrize("times", [2, 3])
@pytest.mark.parametrize("name", sorted(set(SCRIPTS) - {"config", "sweep"}))
def test_two_failures_in_a_row_are_outlived_and_a_third_is_not(bench: Bench, name: str, times: int) -> None:
    bench.github.pull(NUMBER, ["bmad-pipeline", "bmad-dev"], message="[DEV] [STEP-5] Add it")
    bench.github.workflow("code-review.lock.yml")
    bench.github.workflow("dev-story.lock.yml")
    calm = Bench(bench.place / "calm")
    calm.place.mkdir()
    calm.github.state = copy.deepcopy(bench.github.state)
    bench.github.fault(".", times=times)

    result, expected = bench.run(name, environment(name)), calm.run(name, environment(name))

    same = (result.outputs, result.annotations) == (expected.outputs, expected.annotations)
    assert same is (times < BUDGETS.api_tries)


# The bench itself


@pytest.mark.needs("jq")
@pytest.mark.parametrize(
    "call",
    [
        "gh api repos/octo/demo/isues/7",
        "gh api user",
        "gh pr list",
        "gh api --jq .x repos/octo/demo",
        "gh api",
    ],
)
def test_a_call_that_the_fake_does_not_know_is_loud(bench: Bench, call: str) -> None:
    with pytest.raises(AssertionError, match="not known here"):
        bench.run_text(f"{call} || true", {})


@pytest.mark.needs("jq")
def test_data_run_as_a_command_would_be_seen(bench: Bench) -> None:
    result = bench.run_text('eval "echo $DATA"', {"DATA": "$(echo >CANARY)"})
    assert result.litter == ("CANARY",)


@pytest.mark.needs("jq")
def test_a_script_runs_as_a_runner_would_run_it(bench: Bench) -> None:
    assert bench.run_text("false | true; echo reached", {}).code == 1
    assert bench.run_text("false | true; echo reached", {}, SHELL_DEFAULT).stdout == "reached\n"
    assert bench.run_text("curl --version", {}).code == 127


@pytest.mark.parametrize("text", ["no equals sign", "=no name", "name<<END\nnever closed"])
def test_a_broken_output_file_is_an_error(text: str) -> None:
    with pytest.raises(AssertionError):
        parse_outputs(text)


def test_outputs_are_read_as_the_runner_reads_them() -> None:
    assert parse_outputs("a=b=c\nd<<E\n1\n2\nE\ne=x<<y\n") == {"a": "b=c", "d": "1\n2", "e": "x<<y"}


@pytest.mark.parametrize(
    "line", ["::set-output name=x::y", "  ::add-mask::x", "text ##[error]x", "ok\r::debug::x"]
)
def test_a_command_that_no_script_may_send_is_an_error(line: str) -> None:
    with pytest.raises(AssertionError):
        parse_annotations(line)


@pytest.mark.needs("jq")
@pytest.mark.parametrize(
    ("permissions", "call", "status"),
    [
        ({"issues": "write"}, "-X POST repos/octo/demo/issues/7/labels --input body", 200),
        ({"pull-requests": "write"}, "-X POST repos/octo/demo/issues/7/labels --input body", 200),
        ({"pull-requests": "write"}, "-X POST repos/octo/demo/issues/8/labels --input body", 403),
        ({"issues": "read", "actions": "write"}, "-X DELETE repos/octo/demo/issues/7/labels/x", 403),
        ({"issues": "write"}, "-X DELETE repos/octo/demo/issues/7/labels/x", 404),
        ({"issues": "write"}, "-X POST repos/octo/demo/actions/workflows/a.yml/dispatches --input body", 403),
        (
            {"actions": "write"},
            "-X POST repos/octo/demo/actions/workflows/a.yml/dispatches --input body",
            404,
        ),
        ({"contents": "read"}, "repos/octo/demo/pulls/7", 403),
        ({"pull-requests": "read"}, "repos/octo/demo/pulls/7", 200),
        ({"pull-requests": "read"}, "repos/octo/demo/pulls/8", 404),
        ({"issues": "read"}, f"repos/octo/demo/commits/{'a' * 40}", 403),
        ({"issues": "read"}, "repos/octo/demo/actions/runs", 403),
    ],
)
def test_the_fake_asks_for_the_permissions_that_github_asks_for(
    bench: Bench, permissions: dict[str, str], call: str, status: int
) -> None:
    bench.github.pull(7)
    bench.github.issue(8)
    bench.github.token(TOKEN, BOT, permissions)
    result = bench.run_text(f'echo \'{{"labels": ["x"]}}\' >body; gh api {call}', {})
    assert bench.github.calls()[-1].status == status
    assert result.code == (0 if status < 400 else 1)
    assert status == 200 or f"(HTTP {status})" in result.stderr
