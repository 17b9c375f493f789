"""Line 1: packs of real releases through the real gh-aw, strict, and what their locks do.

Every wiring with claude and every engine with bus; `make test-full` takes the other combinations too. Locks
are judged once for each different skeleton or shape (see `support.skeleton`): most are alike in all releases.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from bmadc.ghaw.locks import Lock, parse_lock
from bmadc.ghaw.verify import FINE, verify
from bmadc.ghaw.vocabulary.pin import RELEASE
from bmadc.machine.catalogue import ROWS
from support.built import (
    COMBINATIONS,
    FULL,
    HOUSE,
    OTHERS,
    PACKS,
    built,
    compiled,
    known_warnings,
    workflows,
)
from support.packs import write_pack
from support.skeleton import CHECKOUT_PR, shape, skeleton
from support.spine import CHECKS, Subject, reads_only_its_needs, refused_by_github

pytestmark = [pytest.mark.needs("gh-aw"), pytest.mark.needs("bmad-releases")]

ROW_OF = {row.lock: row for row in ROWS}
SIMULATED = tuple(check for check in CHECKS if check is not reads_only_its_needs)
ASKED = bool(os.environ.get(FULL))


def _grouped(release: str, combination: tuple[str, str]) -> object:
    # One process for all packs of a release: its tree is read and lowered once.
    return pytest.param(
        release,
        *combination,
        marks=pytest.mark.xdist_group(f"pack {release}"),
        id="-".join((release, *combination)),
    )


EVERY = [_grouped(release, one) for release in PACKS for one in (*COMBINATIONS, *(OTHERS if ASKED else ()))]


@cache
def _judged() -> dict[object, list[str]]:
    """What was found about each different lock, by what makes it different."""
    return {}


def _behaviour(name: str, text: str) -> list[str]:
    key = (name, skeleton(text))
    if key not in _judged():
        subject = Subject(ROW_OF[name], parse_lock(key[1], name))
        _judged()[key] = [
            f"{name}: {check.__name__}: {said}" for check in SIMULATED for said in check(subject)
        ]
    return _judged()[key]


def _reading(name: str, text: str) -> list[str]:
    key = shape(text)
    if key not in _judged():
        subject = Subject(ROW_OF[name], parse_lock(text, name))
        _judged()[key] = [f"{name}: {said}" for said in reads_only_its_needs(subject)]
    return _judged()[key]


@cache
def _accepted() -> set[object]:
    """The different workflows that GitHub's own parser was asked about in this process."""
    return set()


@pytest.mark.parametrize(("release", "wiring", "engine"), EVERY)
def test_strict_and_silent(release: str, wiring: str, engine: str) -> None:
    pack = built(release, wiring, engine)
    assert [one.code for one in pack.diagnostics if one.severity != "note"] == []
    result = compiled(release, wiring, engine)
    assert result.version == RELEASE
    assert sorted(result.locks) == sorted(one.row.lock for one in pack.made)
    errors = [one for one in result.findings if one.severity == "error"]
    warnings = Counter({one.message: one.count for one in result.findings if one.severity == "warning"})
    counts = f"{len(result.locks)} locks, {len(errors)} errors, {sum(warnings.values())} warnings"
    print(f"{release} {wiring} {engine}: {counts}")
    assert errors == []
    assert warnings == known_warnings()


@pytest.mark.parametrize(("release", "wiring", "engine"), EVERY)
def test_every_lock_does_what_the_spine_does(release: str, wiring: str, engine: str) -> None:
    locks = compiled(release, wiring, engine).locks
    found = [
        said for name, text in locks.items() for said in (*_behaviour(name, text), *_reading(name, text))
    ]
    print(f"{release} {wiring} {engine}: {len(locks)} locks, {len(_judged())} different ones judged so far")
    assert found == []


@pytest.mark.needs("node-oracles")
@pytest.mark.parametrize(("release", "wiring", "engine"), EVERY)
def test_github_takes_every_workflow(release: str, wiring: str, engine: str) -> None:
    texts = {}
    plain = {name: text for name, text in workflows(built(release, wiring, engine)).items() if ".yml" in name}
    assert len(plain) == 4
    for name, text in (*plain.items(), *compiled(release, wiring, engine).locks.items()):
        key = shape(text)
        if key not in _accepted():
            _accepted().add(key)
            texts[name] = text
    assert refused_by_github(texts) == {} if texts else True


@pytest.mark.parametrize(
    "release", [pytest.param(one, marks=pytest.mark.xdist_group(f"pack {one}")) for one in PACKS]
)
def test_the_other_combinations(release: str) -> None:
    """Says out loud what this run leaves unproven."""
    left = ", ".join("-".join(one) for one in OTHERS)
    if not ASKED:
        pytest.skip(f"not proven: packs of {release} with {left}; run `make test-full`")
    for wiring, engine in OTHERS:
        assert compiled(release, wiring, engine).findings == ()


@pytest.mark.xdist_group("pack house")
def test_verify_says_so_too(tmp_path: Path) -> None:
    files = {path: text for path, text in built(HOUSE).files.items() if path.startswith("workflows/")}
    write_pack(tmp_path, files)
    found = verify(tmp_path / "workflows")
    assert (found.exit_code, found.diagnostics) == (FINE, ())
    assert found.closing_line() == f"11 workflows, 4 plain, 0 errors, 0 warnings, gh-aw {RELEASE}"
    broken = (tmp_path / "workflows" / "bmad-create-prd.md").read_text(encoding="utf-8")
    writes = broken.replace("\npermissions:\n  contents: read", "\npermissions:\n  contents: write")
    write_pack(tmp_path, {"workflows/bmad-create-prd.md": writes})
    assert verify(tmp_path / "workflows").exit_code != FINE


@pytest.mark.xdist_group("pack 6.12.0")
@pytest.mark.parametrize(("name", "depth"), [("build", "0"), ("create-prd", None)])
def test_who_builds_on_earlier_work_has_its_history(name: str, depth: str | None) -> None:
    lock = parse_lock(compiled("6.12.0").locks[f"bmad-{name}.lock.yml"], name)
    agent = next(job for job in lock.jobs if job.id == "agent")
    [own] = [step for step in agent.steps if (step.uses or "").startswith("actions/checkout@")]
    assert own.with_.get("fetch-depth") == depth
    assert "ref" not in own.with_


# --- the skeleton is honest


def _seen(lock: Lock) -> Iterator[object]:
    """Everything that the simulated checks read of a lock."""
    yield lock.triggers.keys()
    for event, trigger in lock.triggers.items():
        yield event, trigger.types, trigger.names, tuple(trigger.inputs)
    concurrency = lock.concurrency
    yield concurrency and (concurrency.group, concurrency.cancel_in_progress, concurrency.queue)
    for job in lock.jobs:
        token = lock.permissions_of(job)
        yield job.id, job.needs, job.condition, dict(job.outputs), token and dict(token.levels)
        for step in job.steps:
            checkout = (step.uses or "").startswith("actions/checkout@")
            if step.id == CHECKOUT_PR or checkout:
                yield step.id, step.condition, step.uses, step.with_.get("ref") if checkout else None


@pytest.mark.parametrize(
    "release", [pytest.param(one, marks=pytest.mark.xdist_group(f"pack {one}")) for one in (HOUSE, "6.12.0")]
)
def test_a_skeleton_keeps_what_the_checks_read(release: str) -> None:
    some = ("bmad-create-prd.lock.yml", "bmad-code-review.lock.yml", "bmad-create-architecture.lock.yml")
    locks = compiled(release).locks
    for name in some:
        if name in locks:
            cut = skeleton(locks[name])
            assert list(_seen(parse_lock(cut, name))) == list(_seen(parse_lock(locks[name], name))), name
            assert len(cut) < len(locks[name]) / 4


@pytest.mark.xdist_group("pack house")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    needs:\n      - activation\n      - pre_activation\n", "    needs:\n      - activation\n"),
        ("issues: write", "contents: write"),
        ("github.event.label.name == 'bmad-plan-prd'", "github.event.label.name != 'bmad-plan-prd'"),
        ("          NUMBER: ${{ ", "          NUMBER: ${{ secrets.X || "),
    ],
)
def test_a_change_that_counts_makes_another_lock(old: str, new: str) -> None:
    text = compiled(HOUSE).locks["bmad-create-prd.lock.yml"]
    assert old in text
    changed = text.replace(old, new, 1)
    assert (skeleton(changed), shape(changed)) != (skeleton(text), shape(text))


@pytest.mark.xdist_group("pack house")
def test_a_dead_form_of_a_plan_is_seen() -> None:
    name = "bmad-create-prd.lock.yml"
    text = compiled(HOUSE).locks[name]
    tree = yaml.safe_load(text)
    assert "pre_activation" in tree["jobs"]["handoff"]["needs"]
    for dead in (
        text.replace("needs.gate.outputs.open == 'true'", "always()"),
        text.replace("github.event.label.name == 'bmad-plan-prd'", "true"),
        text.replace("queue: max", "queue: single"),
    ):
        assert dead != text
        assert _behaviour(name, dead) != [] or _reading(name, dead) != []
