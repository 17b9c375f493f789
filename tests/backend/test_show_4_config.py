"""The project's settings, read and judged under real bash and jq."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from bmadc.machine.budgets import BUDGETS
from bmadc.machine.config import CONFIG_PATH, SETTINGS, schema
from support.fakegh import BOT, TOKEN
from support.shell import Bench, environment

pytestmark = pytest.mark.needs("jq")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def read(bench: Bench, text: str | None) -> tuple[dict[str, object], str]:
    """The settings that the agent gets and the error, of which one is empty."""
    if text is not None:
        bench.github.content(CONFIG_PATH, text)
    outputs = bench.run("config", environment("config")).outputs
    assert set(outputs) == {"settings", "error"}
    settings = json.loads(outputs["settings"])
    assert not (settings and outputs["error"])
    assert outputs["error"] == "" or outputs["error"].startswith(CONFIG_PATH)
    return settings, outputs["error"].removeprefix(f"{CONFIG_PATH}: ")


WHOLE = """\
# What the workflows should know about this project
---
language: TypeScript
framework: 'it''s "Next"'   # quoted
test_runner: "npm \\"run\\" test"
skill_level: senior
project_type: web-app
tier: 3 # of 4
auto_continue_threshold: 0.80
"""

GOOD: dict[str, tuple[str | None, dict[str, object]]] = {
    "no file": (None, {}),
    "an empty file": ("", {}),
    "only remarks": ("# nothing\n\n   # here\n", {}),
    "everything": (
        WHOLE,
        {
            "language": "TypeScript",
            "framework": 'it\'s "Next"',
            "test_runner": 'npm "run" test',
            "skill_level": "senior",
            "project_type": "web-app",
            "tier": 3,
            "auto_continue_threshold": 0.8,
        },
    ),
    "line ends of Windows": ("tier: 1\r\nlanguage: Go\r\n", {"tier": 1, "language": "Go"}),
    "a byte order mark": ("\ufefftier: 2\n", {"tier": 2}),
    "no last line end": ("tier: 0", {"tier": 0}),
    "a hash inside": ("language: C#\n", {"language": "C#"}),
    "a remark behind": ("language: C # or so\n", {"language": "C"}),
    "a colon inside": ("test_runner: npm:test\n", {"test_runner": "npm:test"}),
    "blanks around": ("tier:    4   \n", {"tier": 4}),
    "the lowest": ("tier: 0\nauto_continue_threshold: 0.0\n", {"tier": 0, "auto_continue_threshold": 0}),
    "the highest": ("tier: 4\nauto_continue_threshold: 1\n", {"tier": 4, "auto_continue_threshold": 1}),
    "a quoted number is a text": ('language: "7"\n', {"language": "7"}),
    "other alphabets": ("language: Пайтон 💥\n", {"language": "Пайтон 💥"}),
    "a hundred characters": (f"language: {'x' * 100}\n", {"language": "x" * 100}),
}


@pytest.mark.parametrize("row", GOOD)
def test_good_settings_reach_the_agent_as_the_schema_and_yaml_read_them(bench: Bench, row: str) -> None:
    text, expected = GOOD[row]
    assert read(bench, text) == (expected, "")
    if text is not None:
        loaded = yaml.safe_load(text.removeprefix("\ufeff"))
        assert (loaded or {}) == expected
        jsonschema.validate(loaded, schema())


KNOWN = ", ".join(setting.key for setting in SETTINGS)
ONE = "expected one setting such as language: TypeScript"

BAD = {
    "tier: 6": "line 1: Tier must be 0-4, got: 6",
    "tier: -1": "line 1: Tier must be 0-4, got: -1",
    "tier: 5": "line 1: Tier must be 0-4, got: 5",
    "tier: 1.0": "line 1: Tier must be 0-4, got: 1.0",
    "tier: two": "line 1: Tier must be 0-4, got: two",
    'tier: "3"': "line 1: Tier must be 0-4, got: 3",
    "tier: 3e0": "line 1: Tier must be 0-4, got: 3e0",
    "tier: 99999999999999999999": "line 1: Tier must be 0-4, got: 99999999999999999999",
    "auto_continue_threshold: 1.1": "line 1: auto_continue_threshold must be 0.0-1.0",
    "auto_continue_threshold: -0.1": "line 1: auto_continue_threshold must be 0.0-1.0",
    "auto_continue_threshold: 80%": "line 1: auto_continue_threshold must be 0.0-1.0",
    "auto_continue_threshold: .nan": "line 1: auto_continue_threshold must be 0.0-1.0",
    "skill_level: Senior": "line 1: skill_level must be senior, mid or junior, got: Senior",
    "skill_level: expert": "line 1: skill_level must be senior, mid or junior, got: expert",
    "language: 7": "line 1: language must be one line of at most 100 characters",
    "language: true": "line 1: language must be one line of at most 100 characters",
    "language: Null": "line 1: language must be one line of at most 100 characters",
    'language: ""': "line 1: language must be one line of at most 100 characters",
    'language: "a\\nb"': "line 1: language must be one line of at most 100 characters",
    "language: " + "x" * 101: "line 1: language must be one line of at most 100 characters",
    "language:": "line 1: language has no value",
    "language: # later": "line 1: language has no value",
    "language: [a]": "line 1: language must be a single value",
    "language: {a: b}": "line 1: language must be a single value",
    "language: |": "line 1: language must be a single value",
    "language: &x y": "line 1: language must be a single value",
    "language: !!str y": "line 1: language must be a single value",
    "language: *x": "line 1: language must be a single value",
    "language: a: b": "line 1: language must be a single value",
    "language: 'open": "line 1: language must be a single value",
    'language: "a" b': "line 1: language must be a single value",
    'language: "\\x41"': "line 1: language must be a single value",
    "\n\ntier: 1\ntier: 2": "line 4: tier is set twice",
    "colour: red": f"line 1: unknown setting colour; known: {KNOWN}",
    "Tier: 3": f"line 1: {ONE}",
    "tier:3": f"line 1: {ONE}",
    "  tier: 3": f"line 1: {ONE}",
    "- tier": f"line 1: {ONE}",
    "just text": f"line 1: {ONE}",
    "{tier: 3}": f"line 1: {ONE}",
    "tier: 1\nstages:\n  - a": f"line 2: unknown setting stages; known: {KNOWN}",
    "%YAML 1.2\n---\ntier: 1": f"line 1: {ONE}",
}


@pytest.mark.parametrize("text", BAD)
def test_wrong_settings_are_refused_with_their_line_and_reason(bench: Bench, text: str) -> None:
    assert read(bench, text) == ({}, BAD[text])


@pytest.mark.parametrize("end", ["", "\n"])
@pytest.mark.parametrize("over", [0, 1])
def test_a_file_may_be_as_large_as_the_budget_and_no_larger(bench: Bench, over: int, end: str) -> None:
    text = "tier: 1\n" + ("# " + "é" * 40 + "\n") * 190
    text += "#" * (BUDGETS.config_bytes - len(text.encode()) + over) + end
    settings, error = read(bench, text)
    if over:
        assert (settings, error) == ({}, "is larger than 16384 bytes")
    else:
        assert (settings, error) == ({"tier": 1}, "")


def test_only_the_default_branch_counts(bench: Bench) -> None:
    bench.github.content(CONFIG_PATH, "tier: 9\n", ref="story/1")
    assert read(bench, "tier: 1\n") == ({"tier": 1}, "")


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_file_that_cannot_be_read_is_an_error_and_not_an_empty_file(bench: Bench, times: int) -> None:
    bench.github.fault(".", times=times)
    settings, error = read(bench, "tier: 1\n")
    if times < 3:
        assert (settings, error) == ({"tier": 1}, "")
    else:
        assert (settings, error) == ({}, f"{CONFIG_PATH} could not be read: GitHub did not answer.")


def test_the_right_to_read_contents_is_needed_and_enough(bench: Bench) -> None:
    bench.github.token(TOKEN, BOT, {"contents": "read"})
    assert read(bench, "tier: 1\n") == ({"tier": 1}, "")
    bench.github.token(TOKEN, BOT, {"issues": "write"})
    assert read(bench, "tier: 1\n")[1].endswith("GitHub did not answer.")


HOSTILE = [
    "$(echo >CANARY)",
    "`echo >CANARY`",
    "@octo/all",
    "<!-- x",
    "${{ secrets.X }}",
    "::error::x",
    "%0A::error::x",
]


@pytest.mark.parametrize("value", HOSTILE)
def test_a_text_is_handed_on_unchanged_and_run_by_nobody(bench: Bench, value: str) -> None:
    assert read(bench, f"language: {json.dumps('x' + value)}\n") == ({"language": "x" + value}, "")


@pytest.mark.parametrize("value", [*HOSTILE, "www.example.com [x](y)", "#1 \x1b[31m\u202e", "x" * 5000])
def test_what_an_error_quotes_can_neither_link_nor_call_anybody(bench: Bench, value: str) -> None:
    settings, error = read(bench, f"skill_level: {json.dumps('x' + value, ensure_ascii=False)}\n")
    assert settings == {}
    assert len(error) < 120
    assert not set(error) & set("@`<[]$%#/\n\x1b\u202e")


@pytest.mark.parametrize("value", ["", "{}", '{"language":"$(echo >CANARY) `x` \\"y\\" %s \\\\n"}'])
def test_the_agent_finds_the_settings_as_a_file(bench: Bench, value: str) -> None:
    file = bench.place / "agent" / "deep" / "settings.json"
    bench.run("settings", {"SETTINGS": value, "FILE": str(file)})
    assert json.loads(file.read_text(encoding="utf-8")) == json.loads(value or "{}")
