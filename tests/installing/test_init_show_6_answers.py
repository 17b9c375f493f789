"""Line 6: a bad answer to `init` is told what is wrong, why it matters and what to do; nothing is written."""

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.frontend.releases import TESTED
from bmadc.project import read_project
from support.folders import repository, snapshot
from support.terminal import converse


@pytest.fixture(autouse=True)
def _in_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository(tmp_path / "project"))
    # Neither npm nor gh-aw: none of this may come so far as to need them.
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))
    monkeypatch.delenv("BMADC_GH_AW", raising=False)


def init(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["init", *arguments], prog_name="bmadc")


RANGE = "npm could take it for another package or for any of several releases."
OLD = "Its files are laid out in another way, so much of it would be missing without a word."
NEW = "It was published unfinished: what it holds is in no release that anybody tested with bmadc."
ENGINE = "gh-aw would refuse every workflow."
WIRING = "No workflow would wake the next one."
STACK = "The agents would lack the commands that build and test the project."
SECRET = "It stands inside an expression, so nothing else may be in it."
PLACE = "bmadc writes nothing outside of it."

BAD: dict[str, tuple[tuple[str, ...], str, str, str]] = {
    "a range": (("--bmad", "6.12"), "'6.12' is no release of BMAD", RANGE, "Perhaps: 6.12.0"),
    "a wild card": (("--bmad", "^6"), "'^6' is no release of BMAD", RANGE, "Write all three numbers"),
    "another package": (("--bmad", "left-pad@1.0.0"), "is no release of BMAD", RANGE, "such as 6.12.0."),
    "a path": (("--bmad", "../x.tgz"), "is no release of BMAD", RANGE, "Write all three numbers"),
    "an address": (("--bmad", "https://x.invalid/a.tgz"), "is no release of BMAD", RANGE, "Write all three"),
    "an option": (("--bmad=--registry=x",), "is no release of BMAD", RANGE, "Write all three numbers"),
    "a tag of what is unfinished": (("--bmad", "next"), "'next' is no release of BMAD", RANGE, "Write all"),
    "a word near the tag": (
        ("--bmad", "lastest"),
        "'lastest' is no release of BMAD",
        RANGE,
        "Perhaps: latest",
    ),
    "no release": (("--bmad", ""), "'' is no release of BMAD", RANGE, "Write all three numbers"),
    "much text": (("--bmad", "6" * 99), f"'{'6' * 40}…' is no release", RANGE, "Write all three numbers"),
    "BMAD 4": (("--bmad", "4.44.3"), "BMAD 4.44.3 is not supported", OLD, f"Take {TESTED[0]}, "),
    "an alpha": (("--bmad", "6.0.0-alpha.22"), "BMAD 6.0.0-alpha.22 is not supported", NEW, "or 6.12.0; "),
    "unfinished": (("--bmad", "v6.13.0-next.1"), "BMAD 6.13.0-next.1 is not supported", NEW, "Take 6.0.0"),
    "two methods": (("--house", "--bmad", "6.12.0"), "exclude each other", "only one BMAD", "Leave one"),
    "no engine": (("--engine", "clade"), "there is no engine 'clade'", ENGINE, "Perhaps: claude, codex."),
    "far from an engine": (("--engine", "x"), "no engine 'x'", ENGINE, "There are: claude, copilot,"),
    "no wiring": (("--wiring", "bos"), "there is no wiring 'bos'", WIRING, "Perhaps: bus."),
    "no stack": (("--stack", "nodejs"), "there is no stack 'nodejs'", STACK, "Perhaps: node."),
    "a stack and any": (("--stack", "go,any"), "any and a stack exclude each other", STACK, "or only any."),
    "no secret": (("--secret", "token"), "'token' is no name of a secret", SECRET, "Use capital letters"),
    "GitHub's secret": (("--secret", "GITHUB_TOKEN"), "is no name of a secret", SECRET, "not starting with"),
    "an expression": (("--secret", "A }} x"), "is no name of a secret", SECRET, "Use capital letters"),
    "a secret for nothing": (
        ("--house", "--wiring", "bus", "--secret", "MINE"),
        "wiring bus takes no credential, but one is named",
        "A credential that nothing uses is a secret at risk.",
        "Remove it, or choose wiring credential.",
    ),
    "out of the project": (("--out", "../x"), "'../x' is no folder of the project", PLACE, "Name a folder"),
    "an absolute folder": (("--out", "/x"), "'/x' is no folder of the project", PLACE, "such as packs/bmad"),
    "a way around": (("--out", "a/../../x"), "is no folder of the project", PLACE, "Name a folder below it"),
}


@pytest.mark.parametrize("row", BAD)
def test_a_bad_answer_by_a_flag_says_what_why_and_what_to_do(row: str) -> None:
    arguments, what, why, do = BAD[row]
    shown = init("--yes", *arguments)
    assert (shown.exit_code, shown.stdout, snapshot(Path())) == (2, "", {})
    said = shown.stderr.rpartition("\nError: ")[2]
    assert (what in said, why in said, do in said) == (True, True, True), said


def test_without_a_terminal_it_says_which_flags_answer_and_waits_for_nobody() -> None:
    shown = init("--engine", "claude")
    assert (shown.exit_code, snapshot(Path())) == (2, {})
    assert shown.stderr.endswith(
        "Error: there is no terminal to ask on, and a guess could be wrong. Answer with --house or --bmad "
        "RELEASE, --wiring, --stack; or take the defaults with --yes.\n"
    )


def test_with_all_flags_nothing_is_asked_and_no_terminal_is_needed() -> None:
    flags = ["--house", "--engine", "codex", "--wiring", "credential", "--stack", "go", "--stack", "node,go"]
    shown = init(*flags, "--out", "packs/bmad")
    assert shown.exit_code == 0, shown.output
    project, problems = read_project(Path())
    assert problems == ()
    assert (project.choices.engine.id, project.choices.stacks) == ("codex", ("node", "go"))
    wiring = project.choices.wiring
    assert (wiring.waking.value, wiring.secret) == ("credential", "BMAD_TOKEN")
    assert Path("packs/bmad/aw.yml").is_file()
    # What init built is what a build from the settings that it wrote gives.
    outputs = [path for path in Path("packs/bmad").rglob("*") if path.is_file()]
    checked = CliRunner().invoke(cli, ["check", "--full"])
    assert (checked.exit_code, checked.output) == (
        0,
        f"in step: {len(outputs)} files, built again and compared\n",
    )


# --- on a terminal

WHICH, RUNS = "Which BMAD? [house]:", "Which engine runs the agents? [claude]:"
WAKES, TOKEN = (
    "How does one workflow wake the next? [bus]:",
    "secret holds the personal access token? [BMAD_TOKEN]:",
)
BUILT = "What is the project built with? [node]:"


def test_on_a_terminal_every_bad_answer_is_asked_again_and_the_last_good_one_counts() -> None:
    Path("package.json").write_text("{}", encoding="utf-8")
    dialogue = [
        (WHICH, "6.12\n"),
        (WHICH, "4.44.3\n"),
        (WHICH, "HOUSE\n"),
        (RUNS, "gpt\n"),
        (RUNS, "copilt\n"),
        (RUNS, "copilot\n"),
        (WAKES, "buss\n"),
        (WAKES, "credential\n"),
        (TOKEN, "my token\n"),
        (TOKEN, "PACK_TOKEN\n"),
        (BUILT, "pyton\n"),
        (BUILT, "python go\n"),
    ]
    code, said = converse(["init"], Path(), dialogue)
    assert code == 0, said
    for what, why, do in (
        ("Error: '6.12' is no release of BMAD.", RANGE, "Perhaps: 6.12.0"),
        ("Error: BMAD 4.44.3 is not supported.", OLD, "Take 6.0.0-Beta.5"),
        ("Error: there is no engine 'gpt'.", ENGINE, "There are: claude, copilot, codex, gemini."),
        ("Error: there is no engine 'copilt'.", ENGINE, "Perhaps: copilot."),
        ("Error: there is no wiring 'buss'.", WIRING, "Perhaps: bus."),
        ("Error: 'my token' is no name of a secret.", SECRET, "Use capital letters, digits"),
        ("Error: there is no stack 'pyton'.", STACK, "Perhaps: python."),
    ):
        assert f"{what} {why} {do}" in " ".join(said.split())
    assert "here are package.json (node)" in said
    assert "not verified: gh-aw was not found; gh extension install github/gh-aw --pin v0.89.10, then" in (
        " ".join(said.split())
    )
    project, problems = read_project(Path())
    assert problems == ()
    assert (project.choices.engine.id, project.choices.stacks) == ("copilot", ("python", "go"))
    assert project.choices.wiring.secret == "PACK_TOKEN"
    assert project.method == "the house edition"


@pytest.mark.parametrize(("typed", "what"), [("\x03", "an interrupt"), ("\x04", "the end of input")])
def test_whoever_leaves_at_a_question_leaves_nothing_behind(typed: str, what: str) -> None:
    code, said = converse(["init"], Path(), [(WHICH, "house\n"), (RUNS, typed)])
    assert (code, snapshot(Path())) == (130, {}), what
    assert said.endswith("\nnothing was written\nbmadc: interrupted\n")


@pytest.mark.parametrize(
    ("flag", "typed", "offered"),
    [
        ("--engine", "c", ["claude", "copilot", "codex"]),
        ("--wiring", "", ["bus", "credential", "manual"]),
        ("--stack", "p", ["python", "php"]),
        ("--bmad", "6.1", ["6.12.0", "6.11.0", "6.10.0", "6.1.0"]),
        ("--secret", "B", ["BMAD_TOKEN"]),
        ("--wi", None, ["--wiring"]),
    ],
)
def test_the_options_complete(
    flag: str, typed: str | None, offered: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = f"bmadc init {flag}" if typed is None else f"bmadc init {flag} {typed}"
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", "2" if typed is None else "3")
    monkeypatch.setenv("_BMADC_COMPLETE", "bash_complete")
    shown = CliRunner().invoke(cli, [], prog_name="bmadc", complete_var="_BMADC_COMPLETE")
    assert [line.partition(",")[2] for line in shown.output.splitlines()] == offered


def test_no_module_of_the_terminal_is_needed_to_say_what_is_wrong() -> None:
    # What stands in the table above is also what editors and scripts see: no colour, no control character.
    shown = init("--yes", "--engine", "\x1b[31mred")
    assert shown.exit_code == 2
    assert "\x1b" not in shown.stderr
    assert sys.stdin is not None
