"""gh-aw's two voices read: the JSON answer, and what it prints on stderr."""

import json

import pytest

from bmadc.ghaw.findings import AnswerError, Finding, Heard, hear, join, read_answer

SCRATCH = "/scratch/repository"
IN_PACK = f"{SCRATCH}/.github/workflows"


def answer(*entries: object) -> str:
    return json.dumps(entries)


def heard(stderr: str, about: str = "") -> tuple[Finding, ...]:
    return hear(stderr, SCRATCH, about=about).findings


def test_an_answer_without_issues() -> None:
    verdict = read_answer(answer({"workflow": "a.md", "errors": [], "warnings": None}), SCRATCH)
    assert (verdict.seen, verdict.skipped, verdict.findings) == (("a.md",), (), ())


def test_an_error_takes_its_place_from_the_head_of_the_message() -> None:
    message = f"{IN_PACK}/sub/b.md:3:7: error: bad key"
    verdict = read_answer(answer({"workflow": "a.md", "errors": [{"message": message}]}), SCRATCH)
    assert verdict.findings == (Finding("sub/b.md", 3, 7, "error", "bad key"),)


def test_a_line_of_its_own_is_used_if_the_message_has_none() -> None:
    verdict = read_answer(answer({"workflow": "a.md", "errors": [{"message": "bad", "line": 4}]}), SCRATCH)
    assert verdict.findings == (Finding("a.md", 4, 1, "error", "bad"),)


def test_the_inner_place_is_the_better_one() -> None:
    message = f"{IN_PACK}/a.md:1:1: error: '/on' (line 2, col 5): bad"
    (found,) = read_answer(answer({"workflow": "a.md", "errors": [{"message": message}]}), SCRATCH).findings
    assert (found.line, found.col) == (2, 5)


def test_a_shared_file_is_skipped() -> None:
    entry = {"workflow": "a.md", "warnings": [{"type": "shared_workflow", "message": "no on"}]}
    verdict = read_answer(answer(entry), SCRATCH)
    assert verdict.skipped == ("a.md",)
    assert verdict.findings == (Finding("a.md", 0, 0, "warning", "no on", kind="skipped"),)


@pytest.mark.parametrize(
    ("stdout", "reason"),
    [
        ("", "Expecting value"),
        ("{}", "it is not a list"),
        ("[1]", "an entry names no workflow"),
        ('[{"workflow": 1}]', "an entry names no workflow"),
        ('[{"workflow": "a.md", "errors": ["x"]}]', "errors of a.md is not a list of objects"),
    ],
)
def test_another_answer_is_refused_with_its_reason(stdout: str, reason: str) -> None:
    with pytest.raises(AnswerError, match=reason):
        read_answer(stdout, SCRATCH)


@pytest.mark.parametrize(
    ("stderr", "expected"),
    [
        ("⚠ careful\n", Finding("", 0, 0, "warning", "careful")),
        ("✗ no\n", Finding("", 0, 0, "error", "no")),
        ("i by the way\n", Finding("", 0, 0, "note", "by the way")),
        ("⚠ one\n  more of it\n", Finding("", 0, 0, "warning", "one\n  more of it")),
        ("Warning: careful\n", Finding("", 0, 0, "warning", "Warning: careful")),
        ("a stray line\n", Finding("", 0, 0, "warning", "a stray line")),
        (".github/workflows/a.md: warning: careful\n", Finding("a.md", 0, 0, "warning", "careful")),
        (f"{IN_PACK}/a.md:2:3: info: see\n", Finding("a.md", 2, 3, "note", "see")),
        (
            "⚠ in .github/workflows/a.lock.yml\n",
            Finding("a.md", 0, 0, "warning", "in .github/workflows/a.lock.yml"),
        ),
        (f"⚠ {SCRATCH}/x is odd\n", Finding("", 0, 0, "warning", "x is odd")),
        ("⚠ [2026-01-02T03:04:05Z] careful\n", Finding("", 0, 0, "warning", "careful")),
        ("⚠ bad\n  1 | on:\n> 2 | x:\n    ^\n  after\n", Finding("", 0, 0, "warning", "bad\n  after")),
    ],
)
def test_what_is_printed_is_heard(stderr: str, expected: Finding) -> None:
    assert heard(stderr) == (expected,)


def test_progress_is_no_finding_and_a_stray_line_after_it_is() -> None:
    assert heard("✓ done\n▸ going\n» on\n") == ()
    assert heard("✓ done\nsomething new\n") == (Finding("", 0, 0, "warning", "something new"),)


def test_the_summary_gives_the_count_and_ends_the_reading() -> None:
    stderr = "⚠ careful\n✓ Compiled 2 workflows: 1 succeeded, 1 error, 3 warnings\n✗ said again\n"
    assert hear(stderr, SCRATCH) == Heard((Finding("", 0, 0, "warning", "careful"),), 3)
    assert hear("", SCRATCH) == Heard((), None)


def test_the_list_of_experimental_features_is_one_finding_each() -> None:
    stderr = "⚠ Experimental features in use:\n  • lsp: 1 workflow\n  • replace-label: 2 workflows\n  what?\n"
    assert heard(stderr) == (
        Finding("", 0, 0, "warning", "Using experimental feature: lsp"),
        Finding("", 0, 0, "warning", "Using experimental feature: replace-label", 2),
        Finding("", 0, 0, "warning", "what?"),
    )


def test_a_run_about_one_file_names_it() -> None:
    assert heard("⚠ careful\n", about="a.md") == (Finding("a.md", 0, 0, "warning", "careful"),)


def test_equal_findings_are_counted() -> None:
    one = Finding("a.md", 0, 0, "warning", "careful")
    assert join([one, one]) == (Finding("a.md", 0, 0, "warning", "careful", 2),)
