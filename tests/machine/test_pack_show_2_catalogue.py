"""Line 2: every workflow of every release is in the pack, or on the list of what is left out.

And the catalogue itself: one row for each, no label or file twice, the rows of the owner's decision tree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise

import pytest

from bmadc.backend.agentic import Contents, frontmatter
from bmadc.frontend.releases import TESTED
from bmadc.machine import labels
from bmadc.machine.catalogue import (
    ROWS,
    SPINE,
    Artefact,
    Outcome,
    Row,
    Scope,
    all_labels,
    by_id,
    known,
    row_of,
)
from bmadc.machine.choices import Choices
from bmadc.machine.labels import BREAKER, CONSENSUS, PIPELINE, Role
from bmadc.machine.naming import known_ids
from bmadc.machine.protocol import Cause, wakes
from bmadc.machine.stacks import STACKS
from support.built import HOUSE, built
from support.readings import installed_pack, source_pack
from support.releases import INSTALLED, SOURCE

# What each release has and its pack has not. Before prefixes were used, ids had none.
HELP, ENGINE, CUSTOMIZE, ELICITATION = "help", "workflow", "customize", "advanced-elicitation"
PRD = {"create-prd", "edit-prd", "validate-prd"}
MERGED = {
    *("checkpoint-preview", "dev-auto", "document-project", "domain-research", "generate-project-context"),
    *("market-research", "quick-dev", "sprint-status", "technical-research"),
    *("editorial-review", "editorial-review-prose", "editorial-review-structure"),
    *("review-adversarial-general", "review-edge-case-hunter", "review-verification-gap"),
}
SHIMS: dict[str, set[str]] = {
    "6.8.0": PRD,
    "6.10.0": PRD | {"create-architecture"},
    "6.11.0": (PRD | {"create-architecture"} | MERGED) - {"checkpoint-preview"},
    "6.12.0": PRD | {"create-architecture"} | MERGED,
}
WITH_ENGINE = {"6.0.0-Beta.5", "6.0.1", "6.0.4"}
WITH_CUSTOMIZE = {"6.5.0", "6.8.0", "6.10.0", "6.11.0", "6.12.0"}
MADE = {
    "6.0.0-Beta.5": 30,
    "6.0.1": 30,
    "6.0.4": 31,
    "6.1.0": 32,
    "6.2.0": 34,
    "6.3.0": 33,
    "6.5.0": 33,
    "6.8.0": 32,
    "6.10.0": 33,
    "6.11.0": 23,
    "6.12.0": 23,
}


def left_out(release: str) -> set[str]:
    found = {HELP, ELICITATION} | SHIMS.get(release, set())
    if release in WITH_ENGINE:
        found.add(ENGINE)
    if release in WITH_CUSTOMIZE:
        found.add(CUSTOMIZE)
    return found


def bare(ids: Iterable[str]) -> set[str]:
    return {one.removeprefix("bmad-") for one in ids}


# --- line 2


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", SOURCE)
def test_every_workflow_is_in_the_pack_or_left_out_by_name(release: str) -> None:
    pack = built(release)
    ids = Counter(one.id for one in source_pack(release).workflows)
    made = Counter(one.source for one in pack.made)
    assert max(ids.values()) == max(made.values()) == 1
    assert made.keys() | pack.manifest.left_out.keys() == ids.keys()
    assert not made.keys() & pack.manifest.left_out.keys()
    assert bare(pack.manifest.left_out) == left_out(release)
    assert all(why.strip() for why in pack.manifest.left_out.values())
    assert len(made) == MADE[release]
    files = {f"workflows/{one.row.document}" for one in pack.made}
    assert files <= pack.files.keys()
    print(f"{release}: {len(ids)} workflows, {len(made)} made, {len(pack.manifest.left_out)} left out")


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", SOURCE)
def test_a_shim_is_left_out_only_if_its_target_is_made(release: str) -> None:
    pack = built(release)
    made = {one.source for one in pack.made}
    for one in source_pack(release).workflows:
        if one.id in pack.manifest.left_out and one.shim is not None:
            assert one.shim.target in made, one.id


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", SOURCE)
def test_no_workflow_of_a_tested_release_is_unknown(release: str) -> None:
    assert release in TESTED
    assert {one.code for one in built(release).diagnostics} <= {"BMC415", "BMC417"}
    assert all(known(one.source) is one.row for one in built(release).made)


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("name", INSTALLED)
def test_what_is_installed_is_known_too(name: str) -> None:
    extra = left_out(name.removesuffix("-shims"))
    for one in installed_pack(name).workflows:
        assert known(one.id) is not None or one.id.removeprefix("bmad-") in extra, one.id


def test_elicitation_travels_with_those_that_offer_it() -> None:
    pack = built(HOUSE)
    assert pack.manifest.left_out.keys() >= {ELICITATION, ENGINE}
    offering = [one for one in pack.made if "Advanced Elicitation" in one.text]
    assert offering
    # A task of the core that nobody makes lives on in the files that call it.
    assert all("elicitation" in one.text.lower() for one in offering)


# --- the catalogue


def test_no_label_file_source_or_id_is_there_twice() -> None:
    for what in (
        [row.id for row in ROWS],
        [row.document for row in ROWS],
        [row.trigger.name for row in ROWS if row.trigger],
        [source for row in ROWS for source in row.sources],
        [label.name for label in all_labels()],
        [row.title for row in ROWS],
    ):
        assert [one for one, count in Counter(what).items() if count > 1] == []


def test_rows_name_rows_that_there_are() -> None:
    ids = {row.id for row in ROWS}
    for row in ROWS:
        assert set(row.next) <= ids - {row.id}, row.id
        assert not row.became or row.became in ids - {row.id}, row.id
        # Where the work went, and went again, it comes to an end.
        seen, here = {row.id}, row
        while here.became:
            here = by_id(here.became)
            assert here.id not in seen
            seen.add(here.id)
    for artefact in Artefact:
        assert any(artefact in row.leaves for row in ROWS), artefact
        assert any(artefact in row.needs for row in ROWS), artefact


def test_the_vocabulary_is_closed() -> None:
    names = {label.name for label in all_labels()}
    for row in ROWS:
        trigger = {row.trigger.name} if row.trigger else set()
        assert trigger | ({row.enters.name} if row.enters else set()) <= names
        assert row.label in names
        outputs = frontmatter(row, Choices(), Contents(row.purpose))["safe-outputs"]
        assert isinstance(outputs, dict)
        allowed = set(outputs["add-labels"]["allowed"])
        verdicts = set(labels.names(Role.VERDICT)) if row.outcome is Outcome.VERDICT else set()
        # The model may stop its item, and a review may judge; no other label is its to set.
        assert allowed == {BREAKER.name} | verdicts, row.id
        opened = outputs.get("create-pull-request", {}).get("labels", [])
        assert set(opened) <= {PIPELINE.name}
    assert set(known_ids()) >= {source for row in ROWS for source in row.sources}


def test_labels_are_of_the_form_that_people_were_promised() -> None:
    """R2.53: `bmad-{phase}-{workflow}`, with the exceptions that the owner's tree names itself."""
    exceptions = {
        *("bmad-story", "bmad-correct-course", "bmad-party-mode", "bmad-retrospective"),
        *(
            "bmad-sprint-planning",
            "bmad-sprint-status",
            "bmad-build",
            "bmad-build-auto",
            "bmad-build-preview",
        ),
        *("bmad-walkthrough", "bmad-project-context", "bmad-project-document"),
    }
    prefixes = ("analysis", "plan", "solution", "qa", "docs", "review")
    for row in ROWS:
        if row.trigger is None or row.trigger.name in exceptions:
            continue
        prefix, _, rest = row.trigger.name.removeprefix("bmad-").partition("-")
        assert prefix in prefixes, row.trigger.name
        assert rest
        assert row.phase in (prefix, ""), row.trigger.name
        assert re.fullmatch(r"bmad-[a-z]+(-[a-z]+)*", row.trigger.name)
        assert len(row.trigger.name) <= 50


def _starts(row: Row) -> set[str]:
    on = frontmatter(row, Choices(), Contents(row.purpose))["on"]
    assert isinstance(on, dict)
    return set(on)


def _outputs(row: Row) -> set[str]:
    found = frontmatter(row, Choices(), Contents(row.purpose))["safe-outputs"]
    assert isinstance(found, dict)
    return set(found)


# Id, label and what has to be among its outputs, as the owner's tree has them by their real names.
PULL, SAY, MARK = "create-pull-request", "add-comment", "add-labels"
TREE = {
    "product-brief": ("bmad-analysis-brief", {PULL, SAY}),
    "create-prd": ("bmad-plan-prd", {PULL, SAY}),
    "create-ux-design": ("bmad-plan-ux", {PULL, SAY}),
    "create-architecture": ("bmad-solution-arch", {PULL, SAY}),
    "create-epics": ("bmad-solution-epics", {PULL, SAY}),
    "qa-automate": ("bmad-qa-automate", {PULL, SAY}),
    "create-story": ("bmad-story", {PULL, SAY}),
    "correct-course": ("bmad-correct-course", {PULL, SAY, MARK}),
    "sprint-status": ("bmad-sprint-status", {SAY}),
    # The file that all others read has to be written, so these open a pull request beside the comment.
    "sprint-planning": ("bmad-sprint-planning", {PULL, SAY}),
    "retrospective": ("bmad-retrospective", {PULL, SAY}),
    "party-mode": ("bmad-party-mode", {SAY}),
}


@pytest.mark.parametrize("id_", TREE)
def test_the_decision_tree_of_labels(id_: str) -> None:
    """R2.41 to R2.45 and R2.48 to R2.50, with I-3, I-11, I-12 and I-23 as resolved."""
    label, outputs = TREE[id_]
    row = by_id(id_)
    assert row.label == label
    front = frontmatter(row, Choices(), Contents(row.purpose))
    on = front["on"]
    assert isinstance(on, dict)
    # A command: exactly that name, and gh-aw takes the label off again.
    assert on["label_command"] == {"name": label, "events": ["issues", "pull_request"]}
    assert _outputs(row) >= outputs | {SAY, MARK}
    assert not row.on_pulls
    assert (PULL in _outputs(row)) == (PULL in outputs)


def test_the_decision_tree_of_the_loop() -> None:
    """R2.46 and R2.47: pull requests start these two, and nothing else starts their work."""
    dev, review = SPINE[1:]
    assert dev.worker is not None
    assert review.worker is not None
    assert {"pull_request", "pull_request_review", "workflow_dispatch"} <= _starts(dev)
    assert Cause.READY in {one.cause for one in wakes(dev.worker)}
    assert Cause.CHANGES_REQUESTED in {one.cause for one in wakes(dev.worker)}
    assert Cause.PUSHED in {one.cause for one in wakes(review.worker)}
    assert _outputs(dev) >= {"push-to-pull-request-branch", SAY, MARK}
    assert _outputs(review) >= {"submit-pull-request-review", "create-pull-request-review-comment", SAY, MARK}
    assert "label_command" not in _starts(dev) | _starts(review)


def test_the_chain_of_planning() -> None:
    """R2.52: each names the next, and a person merges in between."""
    chain = ("product-brief", "create-prd", "create-ux-design", "create-architecture", "create-epics")
    for one, after in pairwise(chain):
        assert after in by_id(one).next[:1], one
    assert by_id("create-epics").next == ("check-readiness", "sprint-planning")


def test_nobody_but_a_job_without_a_model_says_that_they_agree() -> None:
    """R2.55 with I-22: the label of a consensus belongs to the handoff."""
    front = frontmatter(by_id("party-mode"), Choices(), Contents("x"))
    assert CONSENSUS.name not in str(front["safe-outputs"])
    jobs = front["jobs"]
    assert isinstance(jobs, dict)
    assert CONSENSUS.name in str(jobs["handoff"])


def test_every_row_can_stop_and_ask() -> None:
    """R2.54, R2.56 and R2.74: both outputs of the blocker protocol, on the item of the run only."""
    for row in ROWS:
        outputs = frontmatter(row, Choices(), Contents(row.purpose))["safe-outputs"]
        assert isinstance(outputs, dict)
        for name in (SAY, MARK):
            assert outputs[name]["target"].startswith("${{"), row.id
            assert outputs[name]["max"] >= 1
        assert BREAKER.name in outputs[MARK]["allowed"]


def test_scopes_are_enforced_where_a_path_can_tell() -> None:
    """R2.30 and R2.77."""
    manifests = sorted({one for stack in STACKS.values() for one in stack.manifests})
    for row in ROWS:
        outputs = frontmatter(row, Choices(), Contents(row.purpose))["safe-outputs"]
        assert isinstance(outputs, dict)
        for name in ("create-pull-request", "push-to-pull-request-branch"):
            if name in outputs:
                held = "allowed-files" in outputs[name]
                assert held == (row.scope in (Scope.ARTEFACTS, Scope.TEXTS)), row.id
                protected = outputs[name]["protected-files"]
                # Who writes code may change the manifests of the project's stacks, and nobody else.
                if row.scope is Scope.CODE:
                    assert protected == {"policy": "blocked", "exclude": manifests}, row.id
                elif row.id == "create-ux-design":
                    assert protected == {"policy": "blocked", "exclude": ["DESIGN.md"]}
                else:
                    assert protected == "blocked", row.id
                assert outputs[name]["max"] == 1
        assert (row.scope is Scope.NOTHING) == (not {PULL, "push-to-pull-request-branch"} & outputs.keys())


# --- what no row knows


def test_an_unknown_workflow_gets_a_row_by_its_phase() -> None:
    row = row_of("bmad-invent-things", "2-plan-workflows")
    assert (row.label, row.outcome, row.document) == (
        "bmad-plan-invent-things",
        Outcome.DOCUMENT,
        "bmad-invent-things.md",
    )
    assert row_of("bmad-invent-things").label == "bmad-invent-things"


@pytest.mark.parametrize(
    "id_", ["Ünïcode Straße", "a b", "x" * 200, "../../etc", "CON", "$(id)", "`id`", "-", ""]
)
def test_a_strange_id_becomes_a_safe_label_and_file(id_: str) -> None:
    row = row_of(id_, "4-implementation")
    assert re.fullmatch(r"bmad-[a-z0-9-]+\.md", row.document)
    assert len(row.label) <= 50
    assert re.fullmatch(r"bmad-[a-z0-9-]+", row.label)
    others = {one.document for one in ROWS}
    assert row.document not in others


def test_an_unknown_id_never_takes_the_name_of_a_row() -> None:
    for row in ROWS:
        if row.id not in row.sources:
            other = row_of(row.id)
            assert (other.document != row.document) or other is row, row.id


def test_what_differs_only_in_signs_is_told_apart() -> None:
    names = ["a.b", "a_b", "a b", "A-B", "a-b", "ä-b"]
    assert len({row_of(name).document for name in names}) == len(names)
