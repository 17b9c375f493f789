"""The frame of a body: what it says for each outcome, and only what exists there."""

from __future__ import annotations

import pytest

from bmadc.machine.catalogue import ROWS, Outcome, Row, Scope, by_id
from bmadc.machine.config import AGENT_CONFIG_PATH, SETTINGS
from bmadc.machine.labels import BREAKER, CHANGES, PIPELINE
from bmadc.passes.frame import blocker, default_title, ending, statements

CONFIG = (("communication_language", "English"), ("user_skill_level", "expert"))
OUTPUTS = {
    Outcome.ENTRY: "create_pull_request",
    Outcome.DOCUMENT: "create_pull_request",
    Outcome.PUSH: "push_to_pull_request_branch",
    Outcome.VERDICT: "submit_pull_request_review",
    Outcome.REPORT: "add_comment",
    Outcome.PARTY: "add_comment",
}
EVERY = pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)


def said(row: Row, *keys: str) -> str:
    return "\n".join(statements(row, frozenset(keys), CONFIG))


@EVERY
def test_things_are_told_where_the_outcome_has_a_place_for_them(row: Row) -> None:
    """Only who opens a pull request writes its description."""
    assert ("the description of your pull request" in said(row)) == row.opens
    assert ("the summary of your review" in said(row)) == (row.outcome is Outcome.VERDICT)
    assert OUTPUTS[row.outcome] in "\n".join(ending(row))


@EVERY
def test_nothing_is_left_to_fill_in(row: Row) -> None:
    keys = ("language", "skill-level", "headless", "tests", "storyless", "detour")
    text = "\n".join((said(row, *keys), *blocker(row), *ending(row)))
    for name in ("{told}", "{opened}", "{level}", "{communication_language}", "{breaker}", "{item}"):
        assert name not in text


@EVERY
def test_the_settings_are_named_once_with_their_keys(row: Row) -> None:
    text = said(row, "settings")
    assert text.count(AGENT_CONFIG_PATH) == 1
    for setting in SETTINGS:
        assert (f"`{setting.key}`" in text) == (setting.kind in ("text", "choice"))


@EVERY
def test_a_stop_says_what_becomes_of_the_work(row: Row) -> None:
    lines = blocker(row)
    numbered = [line for line in lines if line[:1].isdigit()]
    assert [int(line.partition(".")[0]) for line in numbered] == list(range(1, len(numbered) + 1))
    assert f"`{BREAKER.name}`" in numbered[-2]
    pushes = [number for number, line in enumerate(numbered) if "push_to_pull_request_branch" in line]
    # What was committed is pushed before the comment and the label; other outcomes have nothing to push to.
    assert pushes == ([0] if row.outcome is Outcome.PUSH else [])
    assert ("Nothing else of this run is kept" in "\n".join(lines)) == row.opens


def test_points_of_a_review_come_before_what_the_text_says() -> None:
    text = said(by_id("dev-story"))
    assert f"In `{CHANGES.name}` a review asked for changes" in text
    assert "comes before all others" in text
    assert f"In `{CHANGES.name}`" not in said(by_id("code-review"))


@pytest.mark.parametrize(
    "id_", ["create-story", "sprint-planning", "sprint-status", "correct-course", "retrospective"]
)
def test_what_is_under_way_is_looked_up_where_stories_are_read(id_: str) -> None:
    assert f"open pull requests with the label `{PIPELINE.name}`" in said(by_id(id_))


@pytest.mark.parametrize("id_", ["dev-story", "code-review", "create-prd", "party-mode", "review-prose"])
def test_and_nowhere_else(id_: str) -> None:
    assert "open pull requests" not in said(by_id(id_))


def test_a_search_of_the_web_is_told_of_or_ruled_out() -> None:
    assert "cannot search the web" in said(by_id("create-epics"), "searches")
    assert "cannot search the web" not in said(by_id("create-epics"))
    with_web = said(by_id("market-research"), "searches")
    assert "cannot search the web" not in with_web
    assert "tools for searching" in with_web


def test_the_level_is_one_of_the_settings() -> None:
    assert "explain for `senior`." in said(by_id("create-prd"), "skill-level")
    assert "explain for the level wizard." in "\n".join(
        statements(by_id("create-prd"), frozenset(["skill-level"]), (("user_skill_level", "wizard"),))
    )


def test_a_review_comment_stands_where_github_takes_it() -> None:
    (told,) = [one for one in ending(by_id("code-review")) if "`create_pull_request_review_comment`" in one]
    assert "at a line of the pull request's difference" in told


def test_a_text_may_say_which_status_counts() -> None:
    assert "unless the text says otherwise, its file in that pull request" in said(by_id("sprint-planning"))


@EVERY
def test_a_finished_document_has_a_branch(row: Row) -> None:
    revised = row.outcome is Outcome.DOCUMENT and row.scope is Scope.ARTEFACTS
    assert ("exists already and is finished" in said(row)) == revised


def test_who_owns_nothing_is_somebody_all_the_same() -> None:
    titles = {row.persona: default_title(row) for row in ROWS}
    assert all(title.startswith(("a ", "an ", "the ")) for title in titles.values())
    assert len(set(titles.values())) == len(titles)
