"""Diagnostics for programs: JSON, workflow commands of GitHub, SARIF."""

import json

from bmadc.diagnostics import Diagnostic, Span
from bmadc.diagnostics.as_json import render_json
from bmadc.diagnostics.github import render_github
from bmadc.diagnostics.sarif import render_sarif

PLACED = Diagnostic(
    code="BMC211",
    severity="error",
    message="Unknown property: permisions",
    span=Span.point("pack/greet.md", 4, 1, 10),
    detail="more",
    why="There is no lock.",
    expected="a key of gh-aw",
    nearest=("permissions",),
    help=("Rename the key.",),
)
OF_A_FILE = Diagnostic(
    code="BMC221", severity="note", message="passed over", span=Span.file("a folder/größe.md")
)
OF_NOTHING = Diagnostic(code="BMC201", severity="error", message="gh-aw was not found")


def test_json_holds_every_field_and_the_summary() -> None:
    assert json.loads(render_json([PLACED, OF_A_FILE, OF_NOTHING], {"errors": 2})) == {
        "format": 1,
        "summary": {"errors": 2},
        "diagnostics": [
            {
                "code": "BMC211",
                "title": "gh-aw refuses the workflow",
                "severity": "error",
                "message": "Unknown property: permisions",
                "span": {"path": "pack/greet.md", "line": 4, "column": 1, "end_line": 4, "end_column": 11},
                "detail": "more",
                "why": "There is no lock.",
                "expected": "a key of gh-aw",
                "nearest": ["permissions"],
                "help": ["Rename the key."],
            },
            {
                "code": "BMC221",
                "title": "gh-aw passes over the file",
                "severity": "note",
                "message": "passed over",
                "span": {"path": "a folder/größe.md"},
                "detail": "",
                "why": "",
                "expected": "",
                "nearest": [],
                "help": [],
            },
            {
                "code": "BMC201",
                "title": "gh-aw not found",
                "severity": "error",
                "message": "gh-aw was not found",
                "span": None,
                "detail": "",
                "why": "",
                "expected": "",
                "nearest": [],
                "help": [],
            },
        ],
    }


def test_workflow_commands_carry_place_title_and_advice() -> None:
    assert render_github([PLACED, OF_A_FILE, OF_NOTHING]) == (
        "::error file=pack/greet.md,line=4,endLine=4,col=1,endColumn=10,"
        "title=BMC211 gh-aw refuses the workflow"
        "::Unknown property: permisions%0Amore%0Aexpected: a key of gh-aw%0Anearest: permissions"
        "%0Awhy: There is no lock.%0Ado: Rename the key.\n"
        "::notice file=a folder/größe.md,title=BMC221 gh-aw passes over the file::passed over\n"
        "::error title=BMC201 gh-aw not found::gh-aw was not found\n"
    )


def test_a_command_about_several_lines_has_no_end_column() -> None:
    diagnostic = Diagnostic(code="BMC212", severity="warning", message="m", span=Span("a.md", 2, 5, 4, 1))
    assert render_github([diagnostic]) == (
        "::warning file=a.md,line=2,endLine=4,col=5,title=BMC212 gh-aw warns::m\n"
    )


def test_signs_of_the_command_syntax_are_escaped() -> None:
    diagnostic = Diagnostic(
        code="BMC212",
        severity="warning",
        message="100%, a: b\n::error::c",
        span=Span.file("50%,a:b\nc.md"),
    )
    assert render_github([diagnostic]) == (
        "::warning file=50%25%2Ca%3Ab%0Ac.md,title=BMC212 gh-aw warns::100%25, a: b%0A::error::c\n"
    )


def test_sarif_has_results_with_places_and_notifications_without() -> None:
    assert json.loads(render_sarif([PLACED, OF_A_FILE, OF_NOTHING], "1.2.3")) == {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "bmadc",
                        "version": "1.2.3",
                        "rules": [
                            {"id": "BMC201", "shortDescription": {"text": "gh-aw not found"}},
                            {"id": "BMC211", "shortDescription": {"text": "gh-aw refuses the workflow"}},
                            {"id": "BMC221", "shortDescription": {"text": "gh-aw passes over the file"}},
                        ],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "invocations": [
                    {
                        "executionSuccessful": False,
                        "toolExecutionNotifications": [
                            {
                                "descriptor": {"id": "BMC201"},
                                "level": "error",
                                "message": {"text": "gh-aw was not found"},
                            }
                        ],
                    }
                ],
                "results": [
                    {
                        "ruleId": "BMC211",
                        "ruleIndex": 1,
                        "level": "error",
                        "message": {
                            "text": "Unknown property: permisions\nmore\nExpected: a key of gh-aw\n"
                            "Nearest: permissions\nThere is no lock.\nRename the key."
                        },
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "pack/greet.md"},
                                    "region": {
                                        "startLine": 4,
                                        "startColumn": 1,
                                        "endLine": 4,
                                        "endColumn": 11,
                                    },
                                }
                            }
                        ],
                    },
                    {
                        "ruleId": "BMC221",
                        "ruleIndex": 2,
                        "level": "note",
                        "message": {"text": "passed over"},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": "a%20folder/gr%C3%B6%C3%9Fe.md"}
                                }
                            }
                        ],
                    },
                ],
            }
        ],
    }


def test_sarif_of_a_quiet_run_is_a_run_without_results() -> None:
    run = json.loads(render_sarif([], "1"))["runs"][0]
    assert run["results"] == []
    assert run["invocations"][0]["executionSuccessful"] is True


def test_sarif_names_an_absolute_path_as_a_file() -> None:
    diagnostic = Diagnostic(code="BMC212", severity="warning", message="m", span=Span.file("/a b/c.md"))
    run = json.loads(render_sarif([diagnostic], "1"))["runs"][0]
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "file:///a%20b/c.md"
