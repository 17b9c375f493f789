"""Facts about events and tokens: what a write raises, and which writes start workflow runs.

None of this can be read from a workflow file, and getting it wrong gives workflows that compile and then
never wake each other. Each fact has its reason beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

Token: TypeAlias = Literal["default", "credential", "person"]
Write: TypeAlias = Literal[
    "add-label",
    "remove-label",
    "comment",
    "open",
    "close",
    "reopen",
    "push",
    "submit-review",
    "mark-ready",
    "convert-to-draft",
    "dispatch-workflow",
    "dispatch-repository",
]


@dataclass(frozen=True, slots=True)
class Raised:
    """An event that a write raises; ``action`` is none for events that have no activity types."""

    event: str
    action: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What a write raises on an issue and on a pull request; none where the write does not exist."""

    on_issue: Raised | None
    on_pull: Raised | None


_LABEL = "Labels of a pull request are kept on its issue, but the event is the pull request's own."
_COMMENT = (
    "A comment on the conversation of a pull request is an issue comment; review comments are another event."
)
_DISPATCH = "A dispatch names its workflow or type itself; what it is about travels in its inputs or payload."
_STATE = "Opening and closing raise the event of the kind of item."
_REVIEW = "Only pull requests are reviewed; the verdict is in the review's state, not in the action."
_DRAFT = "Only pull requests have drafts; the change of the flag is an action of its own."
_PUSH = "Commits on the head branch of an open pull request; the branch's push event is raised beside it."
_PUSH_ALONE = "Without a pull request there is only the push event of the branch."

EFFECTS: Mapping[Write, Effect] = MappingProxyType(
    {
        "add-label": Effect(Raised("issues", "labeled", _LABEL), Raised("pull_request", "labeled", _LABEL)),
        "remove-label": Effect(
            Raised("issues", "unlabeled", _LABEL), Raised("pull_request", "unlabeled", _LABEL)
        ),
        "comment": Effect(
            Raised("issue_comment", "created", _COMMENT), Raised("issue_comment", "created", _COMMENT)
        ),
        "open": Effect(Raised("issues", "opened", _STATE), Raised("pull_request", "opened", _STATE)),
        "close": Effect(Raised("issues", "closed", _STATE), Raised("pull_request", "closed", _STATE)),
        "reopen": Effect(Raised("issues", "reopened", _STATE), Raised("pull_request", "reopened", _STATE)),
        "push": Effect(Raised("push", None, _PUSH_ALONE), Raised("pull_request", "synchronize", _PUSH)),
        "submit-review": Effect(None, Raised("pull_request_review", "submitted", _REVIEW)),
        "mark-ready": Effect(None, Raised("pull_request", "ready_for_review", _DRAFT)),
        "convert-to-draft": Effect(None, Raised("pull_request", "converted_to_draft", _DRAFT)),
        "dispatch-workflow": Effect(
            Raised("workflow_dispatch", None, _DISPATCH), Raised("workflow_dispatch", None, _DISPATCH)
        ),
        "dispatch-repository": Effect(
            Raised("repository_dispatch", None, _DISPATCH), Raised("repository_dispatch", None, _DISPATCH)
        ),
    }
)


@dataclass(frozen=True, slots=True)
class TokenRule:
    """Which events start runs when a token made the write; ``events`` is none when all of them do."""

    events: frozenset[str] | None
    reason: str


TOKENS: Mapping[Token, TokenRule] = MappingProxyType(
    {
        "default": TokenRule(
            frozenset({"workflow_dispatch", "repository_dispatch"}),
            "GitHub drops events made with the workflow's own token, so that workflows cannot wake each "
            "other for ever; the two dispatches are asked for by name and are let through. A pull request "
            "opened or pushed to with it gets at most a run that waits for a person's approval.",
        ),
        "credential": TokenRule(
            None, "A personal access token or an App acts as somebody else than the workflow."
        ),
        "person": TokenRule(None, "What a person does always raises its events."),
    }
)


def raises(write: Write, on_pull: bool) -> tuple[str, str | None]:
    """Give the event and action that a write raises; ValueError for a write that item cannot have."""
    effect = EFFECTS.get(write)
    if effect is None:
        raise ValueError(f"{write!r} is no write this table knows; it knows {', '.join(get_args(Write))}")
    raised = effect.on_pull if on_pull else effect.on_issue
    if raised is None:
        raise ValueError(f"{write!r} exists for pull requests only; pass on_pull=True")
    return raised.event, raised.action


def starts_runs(token: Token, event: str) -> bool:
    """Say whether a write made with a token starts the workflows that listen to its event."""
    events = TOKENS[token].events
    return events is None or event in events
