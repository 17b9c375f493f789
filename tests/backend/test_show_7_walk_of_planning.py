"""Planning, discussions, reports, mistakes and commands, walked through the locks of a whole pack."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bmadc.ghaw.jobgraph import Outcome
from bmadc.machine.catalogue import by_id
from support.fakegh import PERSON
from support.names import APPROVED, BREAKER, CONSENSUS, DEV, MARK, UNVALIDATED
from support.walk import ISSUE, PULL, STRANGER, Act, Walk, house_walk, judges, opens_pull_request, pushes

pytestmark = [pytest.mark.needs("gh-aw"), pytest.mark.needs("jq")]

PRD, ARCHITECTURE, EPICS, SPRINT, STORY = (
    by_id(id_)
    for id_ in ("create-prd", "create-architecture", "create-epics", "sprint-planning", "create-story")
)
PARTY, REPORT = by_id("party-mode"), by_id("review-prose")
PLANNING = "_bmad-output/planning-artifacts"
LEAVES = {
    PRD.id: f"{PLANNING}/prd.md",
    ARCHITECTURE.id: f"{PLANNING}/architecture.md",
    EPICS.id: f"{PLANNING}/epics.md",
    SPRINT.id: "_bmad-output/implementation-artifacts/sprint-status.yaml",
}


@pytest.fixture
def walk(tmp_path: Path) -> Walk:
    begun = house_walk(tmp_path)
    begun.github.issue(ISSUE, body="An app for bakers.")
    return begun


def opens(number: int) -> Act:
    """A document is written and its pull request opened."""

    def act(walk: Walk) -> Outcome:
        walk.github.pull(number, ref=f"doc/{number}", sha=f"{number:040}", body="What was written.")
        return Outcome(outputs={"created_pr_number": str(number)})

    return act


def comments(text: str) -> Act:
    """A comment is written."""

    def act(walk: Walk) -> Outcome:
        return Outcome(outputs={"comment_id": str(walk.github.comment(ISSUE, text))})

    return act


def applied_nothing(walk: Walk) -> Outcome:
    raise AssertionError("an agent ran and its outputs were applied")


def votes(*given: str) -> str:
    cast = [{"role": f"Role {number}", "vote": vote} for number, vote in enumerate(given)]
    return f"We talked.\n\n```json\n{json.dumps({'votes': cast, 'decisions': ['We build it.']})}\n```\n"


# The chain


def test_from_an_idea_to_an_approved_story_by_the_words_of_the_pack_alone(walk: Walk) -> None:
    label, number = PRD.label, PULL
    for row in (PRD, ARCHITECTURE, EPICS, SPRINT):
        assert label == row.label
        walk.plan[row.lock].append(opens(number))
        walk.person_labels(ISSUE, label)
        assert walk.settle() == [f"{row.id}: go agent handoff"]
        # The one-shot label is used up; the pull request carries it, and nothing takes it for the loop's.
        assert walk.github.labels(ISSUE) == []
        assert walk.github.labels(number) == [label]
        body = walk.github.state["items"][str(number)]["body"]
        assert f"This pull request comes from #{ISSUE}." in body
        walk.person_merges(number, {LEAVES[row.id]: "text"})
        (label,) = re.findall(r"After that, the label `([a-z-]+)` on an issue starts what comes next", body)
        number += 1
    assert label == STORY.label
    assert walk.github.comments(ISSUE) == []
    # The issue of a story is a new one; the pull request of the loop is number 101 again.
    del walk.github.state["items"][str(PULL)]
    walk.plan[STORY.lock].append(opens_pull_request)
    walk.plan["bmad-dev-story.lock.yml"].append(pushes("a"))
    walk.plan["bmad-code-review.lock.yml"].append(judges("bmad-verdict-approve"))
    walk.person_labels(ISSUE, label)
    trace = [entry for entry in walk.settle() if "agent" in entry]
    assert trace == [f"{id_}: go agent handoff" for id_ in ("create-story", "dev-story", "code-review")]
    assert APPROVED in walk.github.labels(PULL)
    assert not any(walk.plan.values())


def test_a_run_that_opens_nothing_stops_and_goes_on_after_a_person_says_so(walk: Walk) -> None:
    walk.plan[PRD.lock].append(lambda _: Outcome(outputs={"created_pr_number": ""}))
    walk.person_labels(ISSUE, PRD.label)
    assert walk.settle() == ["create-prd: go agent handoff"]
    assert walk.github.labels(ISSUE) == [BREAKER]
    assert "No pull request was opened." in walk.github.comments(ISSUE)[-1]
    walk.person_comments(ISSUE, "/resume")
    assert walk.settle() == ["resume-command: resume_command"]
    assert "add the label that starts the work again" in walk.github.comments(ISSUE)[-1]
    walk.plan[PRD.lock].append(opens(PULL))
    walk.person_labels(ISSUE, PRD.label)
    assert walk.settle() == ["create-prd: go agent handoff"]
    assert walk.github.labels(PULL) == [PRD.label]


# A person's mistakes


def closed(walk: Walk) -> None:
    walk.github.close(ISSUE)


def emptied(walk: Walk) -> None:
    walk.github.state["items"][str(ISSUE)]["body"] = "<!-- Describe it here. -->\r\n"


def asked_before(walk: Walk) -> None:
    walk.plan[ARCHITECTURE.lock].append(opens(PULL))
    walk.github.content(LEAVES[PRD.id], "text")
    walk.person_labels(ISSUE, ARCHITECTURE.label)
    assert walk.settle() == ["create-architecture: go agent handoff"]


def ready(walk: Walk) -> None:
    walk.github.content(LEAVES[PRD.id], "text")


MISTAKES = {
    "on a closed issue": (closed, ISSUE, PERSON, "This is closed."),
    "on a pull request": (
        lambda walk: walk.github.pull(PULL, sha="1" * 40),
        PULL,
        PERSON,
        "belongs on an issue, and this is a pull request.",
    ),
    "by somebody without write access": (
        ready,
        ISSUE,
        STRANGER,
        "It is not known that whoever set the label",
    ),
    "twice": (asked_before, ISSUE, PERSON, f"#{PULL}, which this label opened from here, is still open."),
    "with an empty body": (emptied, ISSUE, PERSON, "The issue has no text."),
    "before the prerequisite exists": (
        lambda _: None,
        ISSUE,
        PERSON,
        "This needs a PRD, and the default branch",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_gets_exactly_one_comment_that_says_what_to_do(walk: Walk, name: str) -> None:
    scene, number, who, said = MISTAKES[name]
    scene(walk)
    before = {one: len(walk.github.comments(int(one))) for one in walk.github.state["items"]}
    walk.plan[ARCHITECTURE.lock].append(applied_nothing)
    walk.person_labels(number, ARCHITECTURE.label, who)
    trace = walk.settle()
    # One workflow wakes, says it and ends; no other has a job to run.
    assert len(trace) == 1
    assert trace[0].startswith("create-architecture: ")
    assert trace[0].endswith(" halt")
    assert "agent" not in trace[0]
    (comment,) = walk.github.comments(number)[before[str(number)] :]
    assert comment.startswith("**Nothing was started.** ")
    assert said in comment
    assert re.search(
        r"Reopen it|Set it on|may set the label again|Merge or close|Describe what|Set the label", comment
    )
    assert {one: len(walk.github.comments(int(one))) for one in before} == {
        **before,
        str(number): before[str(number)] + 1,
    }
    # The label is off again, so that setting it once more raises an event; nothing is stopped.
    assert ARCHITECTURE.label not in walk.github.labels(ISSUE)
    assert BREAKER not in walk.github.labels(number)
    assert walk.github.dispatches() == []


def test_what_was_wrong_is_mended_and_the_same_label_starts_the_work(walk: Walk) -> None:
    emptied(walk)
    walk.person_labels(ISSUE, PRD.label, STRANGER)
    walk.settle()
    walk.person_labels(ISSUE, PRD.label)
    walk.settle()
    assert len(walk.github.comments(ISSUE)) == 2
    walk.github.state["items"][str(ISSUE)]["body"] = "An app for bakers."
    walk.plan[PRD.lock].append(opens(PULL))
    walk.person_labels(ISSUE, PRD.label)
    assert walk.settle() == ["create-prd: go agent handoff"]
    walk.person_labels(ISSUE, PRD.label)
    assert walk.settle() == ["create-prd: mistake halt"]
    walk.github.close(PULL)
    walk.plan[PRD.lock].append(opens(PULL + 1))
    walk.person_labels(ISSUE, PRD.label)
    assert walk.settle() == ["create-prd: go agent handoff"]


def test_a_state_on_an_issue_is_answered_by_the_one_workflow_that_takes_it(walk: Walk) -> None:
    walk.person_labels(ISSUE, DEV)
    assert walk.settle() == ["dev-story: mistake halt"]
    (comment,) = walk.github.comments(ISSUE)
    assert "belongs on a pull request, and this is an issue." in comment


def test_labels_of_others_and_bots_are_answered_by_nobody(walk: Walk) -> None:
    walk.github.close(ISSUE)
    walk.person_labels(ISSUE, "question")
    walk.person_labels(ISSUE, PRD.label, "some-app[bot]")
    assert walk.settle() == ["create-prd: mistake"]
    assert walk.github.comments(ISSUE) == []


# Discussions and reports


def test_a_discussion_that_agrees_one_that_does_not_and_the_way_on(walk: Walk) -> None:
    walk.plan[PARTY.lock].extend(
        (comments(votes("for", "for", "against")), comments(votes("for", "for", "block")))
    )
    walk.person_labels(ISSUE, PARTY.label)
    assert walk.settle() == ["party-mode: go agent handoff"]
    assert walk.github.labels(ISSUE) == [CONSENSUS]
    walk.person_labels(ISSUE, PARTY.label)
    assert walk.settle() == ["party-mode: go agent handoff"]
    assert walk.github.labels(ISSUE) == [BREAKER]
    assert "somebody blocks it (2 of 3 votes are for it)" in walk.github.comments(ISSUE)[-1]
    # Nothing starts on it until a person has chosen.
    walk.person_labels(ISSUE, PRD.label)
    assert walk.settle() == ["create-prd: halted"]
    walk.person_comments(ISSUE, "/choose 2")
    assert walk.settle() == ["commands: commands"]
    assert walk.github.labels(ISSUE) == [PRD.label]


def test_a_report_is_a_comment_and_nothing_else(walk: Walk) -> None:
    walk.plan[REPORT.lock].append(comments("It reads well."))
    walk.person_labels(ISSUE, REPORT.label)
    assert walk.settle() == ["review-prose: go agent handoff"]
    assert walk.github.comments(ISSUE) == ["It reads well."]
    assert walk.github.labels(ISSUE) == []


# Commands


def in_review(walk: Walk) -> None:
    walk.github.pull(PULL, [MARK, "bmad-review"], ref="story/7", sha="1" * 40)


@pytest.mark.parametrize("text", ["/approve", "/skip-review"])
def test_a_person_approves_it_and_a_review_may_confirm_it_later(walk: Walk, text: str) -> None:
    in_review(walk)
    walk.person_comments(PULL, text)
    assert walk.settle() == ["commands: commands"]
    assert walk.github.labels(PULL) == sorted([MARK, APPROVED, UNVALIDATED])
    if text == "/approve":
        return
    walk.plan["bmad-code-review.lock.yml"].append(judges("bmad-verdict-approve"))
    walk.person_pushes(PULL, "b" * 40, "Correct a word")
    assert [entry for entry in walk.settle() if "agent" in entry] == ["code-review: go agent handoff"]
    assert walk.github.labels(PULL) == sorted([MARK, APPROVED])


def test_a_stop_holds_until_somebody_with_write_access_lets_it_go_on(walk: Walk) -> None:
    in_review(walk)
    walk.person_comments(PULL, "/bmad stop", STRANGER)
    assert walk.settle() == ["commands: commands"]
    assert BREAKER not in walk.github.labels(PULL)
    walk.person_comments(PULL, "/bmad stop")
    walk.settle()
    assert walk.github.labels(PULL) == sorted([MARK, "bmad-review", BREAKER])
    walk.plan["bmad-dev-story.lock.yml"].append(applied_nothing)
    walk.person_reviews(PULL, "CHANGES_REQUESTED")
    walk.person_comments(PULL, "/resume", STRANGER)
    assert [entry for entry in walk.settle() if "agent" in entry] == []
    assert BREAKER in walk.github.labels(PULL)
    walk.plan["bmad-code-review.lock.yml"].append(judges("bmad-verdict-approve"))
    walk.person_comments(PULL, "/resume")
    assert walk.settle()[1:] == ["code-review: go agent handoff"]
    assert walk.github.labels(PULL) == sorted([MARK, APPROVED])


@pytest.mark.parametrize("text", ["/approved", "Please /approve", "/choose", "/skip-review?", "/resume now"])
def test_what_only_looks_like_a_command_changes_nothing(walk: Walk, text: str) -> None:
    in_review(walk)
    walk.person_comments(PULL, text)
    walk.settle()
    assert walk.github.labels(PULL) == sorted([MARK, "bmad-review"])
    assert walk.github.comments(PULL) == []
