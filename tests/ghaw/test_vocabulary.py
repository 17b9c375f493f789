"""The generated tables hold what the room and its users rely on, and the places of expressions are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bmadc.ghaw.vocabulary import tables
from bmadc.ghaw.vocabulary.places import legal_at
from support.oracles import parse_workflows


def test_the_keys_we_write_are_keys_of_the_release() -> None:
    assert {"on", "jobs", "permissions", "concurrency", "engine", "safe-outputs", "strict", "tools"} <= set(
        tables.FRONTMATTER_KEYS
    )
    assert {"bots", "steps", "permissions", "label_command", "slash_command"} <= set(tables.ON_KEYS)
    assert {"issues", "pull_request", "workflow_dispatch", "schedule"} <= set(tables.EVENT_OPTIONS)
    assert "names" in tables.EVENT_OPTIONS["issues"]
    assert "names" in tables.EVENT_OPTIONS["pull_request"]
    assert "names" not in tables.EVENT_OPTIONS["pull_request_target"]


def test_the_two_lists_under_on_do_not_overlap() -> None:
    assert not set(tables.ON_KEYS) & set(tables.EVENT_OPTIONS)
    assert set(tables.EVENT_OPTIONS) <= set(tables.EVENT_TYPES)


@pytest.mark.parametrize(
    ("name", "default", "collected"),
    [
        ("create-issue", 1, 1),
        ("add-comment", 1, 1),
        ("add-labels", 3, 5),
        ("create-pull-request-review-comment", 10, 1),
        ("missing-tool", -1, 20),
        ("push-to-pull-request-branch", 1, 1),
        ("replace-label", 5, 5),
        ("staged", None, None),
    ],
)
def test_safe_outputs_with_their_limits(name: str, default: int | None, collected: int | None) -> None:
    output = tables.SAFE_OUTPUTS[name]
    assert (output.default_max, output.collected_max) == (default, collected)


def test_options_of_all_forms_of_an_output_are_there() -> None:
    assert {"target", "required-labels", "if-no-changes", "max"} <= set(
        tables.SAFE_OUTPUTS["push-to-pull-request-branch"].options
    )
    # Its forms are alternatives inside of alternatives.
    assert tables.SAFE_OUTPUTS["linear-update-issue"].options != ()


def test_deprecated_fields_name_their_successor() -> None:
    assert tables.DEPRECATED_FIELDS["max-runs"] == "max-turns"
    assert tables.DEPRECATED_FIELDS["engine.max-turns"] == "max-turns"
    assert tables.DEPRECATED_FIELDS["safe-outputs.close-issue.title-prefix"] == "required-title-prefix"


def test_toolsets_permissions_and_engines_fit_together() -> None:
    assert set(tables.DEFAULT_GITHUB_TOOLSETS) <= set(tables.GITHUB_TOOLSETS)
    for toolset in tables.GITHUB_TOOLSETS.values():
        assert {*toolset.reads, *toolset.writes} <= set(tables.FRONTMATTER_PERMISSIONS)
    assert tables.GITHUB_TOOLSETS["pull_requests"].reads == ("pull-requests",)
    assert {"claude", "copilot"} <= set(tables.ENGINES)
    assert {"defaults", "github", "node", "python"} <= set(tables.NETWORK_ECOSYSTEMS)
    assert {"pre_activation", "activation", "agent", "safe_outputs", "conclusion"} <= set(tables.BUILTIN_JOBS)
    assert "replace-label" in tables.EXPERIMENTAL_FEATURES


def test_activity_types_come_with_their_events() -> None:
    assert {"opened", "synchronize", "labeled", "ready_for_review"} <= set(tables.EVENT_TYPES["pull_request"])
    assert tables.EVENT_TYPES["pull_request_review"] == ("submitted", "edited", "dismissed")
    assert tables.EVENT_TYPES["push"] == ()


def test_the_allow_list_of_bodies() -> None:
    assert "github.event.issue.number" in tables.BODY_EXPRESSIONS
    assert "github.event.issue.body" not in tables.BODY_EXPRESSIONS
    # A word of a comment in the source is no entry.
    assert all(expression.startswith("github.") for expression in tables.BODY_EXPRESSIONS)

    def allowed(expression: str) -> bool:
        return any(re.search(pattern, expression) for pattern in tables.BODY_EXPRESSION_PATTERNS)

    assert allowed("needs.pre_activation.outputs.go")
    assert allowed("github.event.inputs.pr")
    assert not allowed("secrets.KEY")
    assert not allowed("github.event.comment.body")


@pytest.mark.parametrize(
    ("path", "context", "legal"),
    [
        (("jobs", "a", "if"), "needs", True),
        (("jobs", "a", "if"), "env", False),
        (("jobs", "a", "if"), "secrets", False),
        (("jobs", "a", "steps", 0, "if"), "env", True),
        (("jobs", "a", "steps", 0, "if"), "secrets", False),
        (("jobs", "a", "steps", 0, "run"), "secrets", True),
        (("jobs", "a", "steps", 0, "env", "X"), "steps", True),
        (("jobs", "a", "env", "X"), "secrets", True),
        (("jobs", "a", "env", "X"), "steps", False),
        (("jobs", "a", "outputs", "x"), "steps", True),
        (("jobs", "a", "concurrency", "group"), "needs", True),
        (("concurrency",), "github", True),
        (("concurrency", "group"), "needs", False),
        (("env", "X"), "secrets", True),
        (("env", "X"), "needs", False),
        (("run-name",), "github", True),
        (("jobs", "a", "services", "db", "env", "X"), "secrets", True),
        (("jobs", "a", "runs-on"), "needs", True),
        (("jobs", "a", "permissions", "contents"), "github", False),
        (("name",), "github", False),
    ],
)
def test_contexts_by_place(path: tuple[str | int, ...], context: str, legal: bool) -> None:
    assert (context in legal_at(path).contexts) is legal


def test_functions_by_place() -> None:
    assert legal_at(("jobs", "a", "if")).functions == ("always", "cancelled", "failure", "success")
    assert legal_at(("jobs", "a", "steps", 3, "run")).functions == ("hashFiles",)
    assert legal_at(("jobs", "a", "env", "X")).functions == ()


# Where each expression goes; every one of them is at a place that the table knows.
_SLOTS = {
    ("run-name",): "run-name: {e}\n",
    ("env", "X"): "env:\n  X: {e}\n",
    ("concurrency", "group"): "concurrency:\n  group: {e}\n",
    ("jobs", "a", "if"): "    if: {e}\n",
    ("jobs", "a", "env", "X"): "    env:\n      X: {e}\n",
    ("jobs", "a", "outputs", "x"): "    outputs:\n      x: {e}\n",
    ("jobs", "a", "concurrency", "group"): "    concurrency:\n      group: {e}\n",
    ("jobs", "a", "steps", 0, "if"): "        if: {e}\n",
    ("jobs", "a", "steps", 0, "env", "X"): "        env:\n          X: {e}\n",
    ("jobs", "a", "steps", 0, "name"): "        name: {e}\n",
}
_CONTEXTS = (
    "github",
    "inputs",
    "vars",
    "needs",
    "secrets",
    "steps",
    "job",
    "runner",
    "env",
    "matrix",
    "strategy",
)


@pytest.mark.needs("node-oracles")
def test_the_table_says_what_githubs_parser_says(tmp_path: Path) -> None:
    expected: dict[Path, bool] = {}
    for path, slot in _SLOTS.items():
        for word in (*(f"{context}.x" for context in _CONTEXTS), "always()", "hashFiles('x')"):
            written = slot.format(e=f"${{{{ {word} }}}}")
            top = written if path[0] != "jobs" else ""
            job = written if path[0] == "jobs" and "steps" not in path else ""
            step = written if "steps" in path else ""
            legal = legal_at(path)
            file = tmp_path / f"{len(expected)}.yml"
            file.write_text(
                f"on: push\n{top}jobs:\n  a:\n    runs-on: x\n{job}    steps:\n      - run: x\n{step}",
                encoding="utf-8",
            )
            expected[file] = word.partition("(")[0].partition(".")[0] in (*legal.contexts, *legal.functions)
    answers = parse_workflows(expected)
    wrong = {
        file.read_text(encoding="utf-8"): [error.message for error in answers[file]]
        for file, legal in expected.items()
        if legal is bool([error for error in answers[file] if "Unrecognized" in error.message])
    }
    assert wrong == {}
    assert {True, False} == set(expected.values())
