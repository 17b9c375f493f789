"""Line 7: the loop, walked through the compiled locks with the real scripts, in every wiring."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bmadc.ghaw.jobgraph import Outcome
from bmadc.machine.catalogue import CODE_REVIEW_ROW, CREATE_STORY_ROW, DEV_STORY_ROW
from bmadc.machine.wiring import WIRINGS, Wiring
from support.walk import ISSUE, PULL, Act, Walk, judges, opens_pull_request, pushes

pytestmark = [pytest.mark.needs("gh-aw"), pytest.mark.needs("jq")]

APPROVE, CHANGES = "bmad-verdict-approve", "bmad-verdict-changes"
BREAKER = "needs-human-intervention"

STORY_RUN = "create-story: go agent handoff"
DEV_RUN = "dev-story: go agent handoff"
REVIEW_RUN = "code-review: go agent handoff"


@pytest.fixture(params=WIRINGS, ids=lambda w: w.waking.value)
def walk(request: pytest.FixtureRequest, tmp_path: Path) -> Walk:
    wiring: Wiring = request.param
    begun = Walk(wiring, tmp_path)
    begun.github.issue(ISSUE, body="An app for bakers.")
    return begun


def plan(walk: Walk, *acts: tuple[str, Act]) -> None:
    files = {"story": CREATE_STORY_ROW.lock, "dev": DEV_STORY_ROW.lock, "review": CODE_REVIEW_ROW.lock}
    for who, act in acts:
        walk.plan[files[who]].append(act)


def agent_runs(trace: list[str]) -> list[str]:
    """The runs in which a model was paid for, or that ended in a halt or a resume."""
    return [entry for entry in trace if {"agent", "halt", "resume", "resume_command"} & set(entry.split())]


def nothing_left(walk: Walk) -> bool:
    return not any(walk.plan.values())


def until_the_first_verdict(walk: Walk, verdict: str) -> list[str]:
    plan(walk, ("story", opens_pull_request), ("dev", pushes("a")), ("review", judges(verdict)))
    walk.person_labels(ISSUE, "bmad-story")
    return agent_runs(walk.settle())


def test_story_dev_changes_dev_approved(walk: Walk) -> None:
    plan(walk, ("story", opens_pull_request), ("dev", pushes("a")), ("review", judges(CHANGES)))
    plan(walk, ("dev", pushes("b")), ("review", judges(APPROVE)))
    walk.person_labels(ISSUE, "bmad-story")
    trace = agent_runs(walk.settle())
    print(f"{walk.wiring.waking.value}: {' > '.join(trace)}")
    assert trace == [STORY_RUN, DEV_RUN, REVIEW_RUN, DEV_RUN, REVIEW_RUN]
    assert nothing_left(walk)
    assert walk.github.labels(PULL) == ["bmad-approved", "bmad-pipeline", "bmad-story"]
    assert walk.github.labels(ISSUE) == []


def strikes(walk: Walk) -> list[str]:
    plan(walk, ("story", opens_pull_request))
    for sha in "abc":
        plan(walk, ("dev", pushes(sha)), ("review", judges(CHANGES)))
    walk.person_labels(ISSUE, "bmad-story")
    return agent_runs(walk.settle())


def by_label(walk: Walk) -> None:
    walk.person_unlabels(PULL, BREAKER)


def by_comment(walk: Walk) -> None:
    walk.person_comments(PULL, "/resume")


@pytest.mark.parametrize("resumes", [by_label, by_comment])
def test_three_strikes_halt_human_resume_approved(walk: Walk, resumes: Callable[[Walk], None]) -> None:
    trace = strikes(walk)
    assert trace == [STORY_RUN, *[DEV_RUN, REVIEW_RUN] * 3, "dev-story: cycles halt"]
    assert walk.github.labels(PULL) == ["bmad-changes", "bmad-pipeline", "bmad-story", BREAKER]
    assert "3 review cycles reached. Halting." in walk.github.comments(PULL)[-1]
    # Whatever happens to it now, nothing starts.
    walk.person_reviews(PULL, "CHANGES_REQUESTED")
    walk.person_labels(PULL, "bmad-dev")
    walk.person_unlabels(PULL, "bmad-dev")
    assert agent_runs(walk.settle()) == []

    plan(walk, ("dev", pushes("e")), ("review", judges(APPROVE)))
    resumes(walk)
    trace = agent_runs(walk.settle())
    print(f"{walk.wiring.waking.value}, {resumes.__name__}: {' > '.join(trace)}")
    assert trace[0].startswith("resume")
    assert trace[1:] == [DEV_RUN, REVIEW_RUN]
    assert nothing_left(walk)
    assert walk.github.labels(PULL) == ["bmad-approved", "bmad-pipeline", "bmad-story"]


def test_a_person_reviews_pushes_and_ends_a_draft_in_between(walk: Walk) -> None:
    assert until_the_first_verdict(walk, APPROVE) == [STORY_RUN, DEV_RUN, REVIEW_RUN]

    plan(walk, ("dev", pushes("b")), ("review", judges(APPROVE)))
    walk.person_reviews(PULL, "CHANGES_REQUESTED")
    assert agent_runs(walk.settle()) == [DEV_RUN, REVIEW_RUN]
    assert walk.github.labels(PULL) == ["bmad-approved", "bmad-pipeline", "bmad-story"]

    plan(walk, ("review", judges(APPROVE)))
    walk.person_pushes(PULL, "c" * 40, "Correct a word")
    assert agent_runs(walk.settle()) == [REVIEW_RUN]
    assert walk.github.labels(PULL) == ["bmad-approved", "bmad-pipeline", "bmad-story"]

    # A draft pauses everything; its end goes on with what the labels say, or from the start.
    walk.github.state["items"][str(PULL)]["draft"] = True
    walk.github.unlabel(PULL, "bmad-approved")
    walk.person_reviews(PULL, "CHANGES_REQUESTED")
    assert agent_runs(walk.settle()) == []
    plan(walk, ("dev", pushes("d")), ("review", judges(APPROVE)))
    walk.person_ends_draft(PULL)
    trace = agent_runs(walk.settle())
    print(f"{walk.wiring.waking.value}: {' > '.join(trace)}")
    assert trace == [DEV_RUN, REVIEW_RUN]
    assert nothing_left(walk)

    # What the pipeline itself pushes, and reviews that ask for nothing, wake nobody.
    walk.person_pushes(PULL, "e" * 40, "[DEV] [DEV-STORY] A commit of the pipeline's form")
    walk.person_reviews(PULL, "COMMENTED")
    walk.person_reviews(PULL, "APPROVED")
    walk.person_labels(PULL, "question")
    assert agent_runs(walk.settle()) == []


def test_a_push_while_it_is_stopped_is_reviewed_after_the_resume(walk: Walk) -> None:
    assert until_the_first_verdict(walk, APPROVE) == [STORY_RUN, DEV_RUN, REVIEW_RUN]
    walk.person_labels(PULL, BREAKER)
    walk.person_pushes(PULL, "d" * 40, "Try something")
    assert agent_runs(walk.settle()) == []
    plan(walk, ("review", judges(APPROVE)))
    walk.person_unlabels(PULL, BREAKER)
    assert agent_runs(walk.settle())[1:] == [REVIEW_RUN]
    assert walk.github.labels(PULL) == ["bmad-approved", "bmad-pipeline", "bmad-story"]


def test_a_person_who_stops_it_while_the_agent_works_is_obeyed(walk: Walk) -> None:
    def stopped(walk: Walk) -> Outcome:
        raise AssertionError("outputs were applied behind the breaker")

    plan(walk, ("story", opens_pull_request), ("dev", stopped))
    original = walk._script  # the last look happens after the agent, so the label is set just before it

    def script(lock, job, step, contexts):  # type: ignore[no-untyped-def]
        if step.id == "gate" and "dev-story" in lock.path:
            walk.github.label(PULL, BREAKER)
        return original(lock, job, step, contexts)

    walk._script = script  # type: ignore[method-assign]
    walk.person_labels(ISSUE, "bmad-story")
    walk.settle()
    assert BREAKER in walk.github.labels(PULL)
    assert not any(entry.startswith("code-review") for entry in agent_runs(walk.trace))


def test_the_sweeper_wakes_a_lost_state_once_and_then_stops_it(walk: Walk) -> None:
    until_the_first_verdict(walk, APPROVE)
    walk.github.unlabel(PULL, "bmad-approved")
    walk.github.label(PULL, "bmad-review", "github-actions[bot]")
    for _ in range(2):
        walk.github.tick(3600)
        walk.events.append(("schedule", {"sender": {"login": "ada", "type": "User"}}, None))
        # The event that would have followed is lost.
        lost, walk.locks = walk.locks, {"bmad-sweeper.yml": walk.locks["bmad-sweeper.yml"]}
        walk.settle()
        walk.locks = lost
    if walk.wiring.waking.value != "manual":
        assert walk.github.labels(PULL) == [
            "bmad-pipeline",
            "bmad-review",
            "bmad-story",
            "bmad-swept",
            BREAKER,
        ]
        assert "even after it was woken once more" in walk.github.comments(PULL)[-1]
