"""What writes raise and which tokens wake workflows."""

from __future__ import annotations

from typing import get_args

import pytest

from bmadc.ghaw.events import EFFECTS, TOKENS, Token, Write, raises, starts_runs
from bmadc.ghaw.vocabulary.tables import EVENT_TYPES


@pytest.mark.parametrize(
    ("write", "on_pull", "raised"),
    [
        ("add-label", True, ("pull_request", "labeled")),
        ("add-label", False, ("issues", "labeled")),
        ("remove-label", True, ("pull_request", "unlabeled")),
        ("remove-label", False, ("issues", "unlabeled")),
        ("comment", True, ("issue_comment", "created")),
        ("comment", False, ("issue_comment", "created")),
        ("push", True, ("pull_request", "synchronize")),
        ("push", False, ("push", None)),
        ("submit-review", True, ("pull_request_review", "submitted")),
        ("mark-ready", True, ("pull_request", "ready_for_review")),
        ("dispatch-workflow", True, ("workflow_dispatch", None)),
        ("dispatch-workflow", False, ("workflow_dispatch", None)),
    ],
)
def test_the_event_of_a_write(write: Write, on_pull: bool, raised: tuple[str, str | None]) -> None:
    assert raises(write, on_pull) == raised


@pytest.mark.parametrize("write", ["submit-review", "mark-ready", "convert-to-draft"])
def test_an_issue_has_no_reviews_and_no_drafts(write: Write) -> None:
    with pytest.raises(ValueError, match="pull requests only"):
        raises(write, on_pull=False)


def test_an_unknown_write_is_told_with_those_that_exist() -> None:
    with pytest.raises(ValueError, match="add-label"):
        raises("wave", True)  # type: ignore[arg-type]


def test_every_event_and_action_of_the_table_exists_on_github() -> None:
    assert set(EFFECTS) == set(get_args(Write))
    for effect in EFFECTS.values():
        for raised in (effect.on_issue, effect.on_pull):
            if raised is not None:
                assert raised.action is None or raised.action in EVENT_TYPES[raised.event]
                assert raised.event in EVENT_TYPES
                assert raised.reason.endswith(".")


def test_the_default_token_wakes_by_dispatch_only() -> None:
    assert {event for event in EVENT_TYPES if starts_runs("default", event)} == {
        "workflow_dispatch",
        "repository_dispatch",
    }


def test_everybody_else_wakes_by_everything() -> None:
    assert set(TOKENS) == set(get_args(Token))
    for token in ("credential", "person"):
        assert all(starts_runs(token, event) for event in EVENT_TYPES)
