"""The tables of the machine agree with each other, with the schema, and with the page for people."""

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmadc.machine import labels, protocol
from bmadc.machine.budgets import BUDGETS, allowed
from bmadc.machine.commits import is_bot_message
from bmadc.machine.config import SETTINGS, schema
from bmadc.machine.labels import LABELS, Role
from bmadc.machine.protocol import NO_STATE, Cause, wakes

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")


@given(st.integers(0, 50), st.integers(0, 50))
def test_n_are_allowed_and_one_more_is_not(n: int, limit: int) -> None:
    assert allowed(n, limit) == (n in range(limit + 1))
    assert allowed(BUDGETS.cycles, BUDGETS.cycles)
    assert not allowed(BUDGETS.cycles + 1, BUDGETS.cycles)


def test_label_names_are_safe_everywhere_they_stand() -> None:
    names = [label.name for label in LABELS]
    assert len(set(names)) == len(names)
    # In a shell word, a row of words, an expression, a path and a key of JSON.
    assert all(re.fullmatch(r"[a-z][a-z-]*[a-z]", name) for name in names)
    assert all(re.fullmatch(r"[0-9a-f]{6}", label.colour) and len(label.meaning) <= 100 for label in LABELS)


def test_every_state_is_taken_up_by_one_worker_or_ends_the_loop() -> None:
    ends = [s for s in LABELS if s.role is Role.STATE and protocol.consumer(s) is None]
    assert ends == [labels.APPROVED]
    taken = [state for worker in protocol.WORKERS for state in worker.takes]
    assert len(set(taken)) == len(taken)


def test_where_runs_lead_is_a_state() -> None:
    states = {label for label in LABELS if label.role is Role.STATE}
    assert {protocol.ENTRY, protocol.AFTER_PUSH, *(state for _, state in protocol.VERDICTS)} <= states
    assert {verdict.name for verdict, _ in protocol.VERDICTS} == set(labels.names(Role.VERDICT))


def test_no_event_wakes_two_workers_in_one_state() -> None:
    rows = [(w.cause, w.state) for worker in protocol.WORKERS for w in wakes(worker)]
    assert len(set(rows)) == len(rows)


def test_a_person_wakes_from_every_state() -> None:
    every = {NO_STATE, *labels.names(Role.STATE)}
    for cause, worker in (
        (Cause.CHANGES_REQUESTED, protocol.DEV_STORY),
        (Cause.PUSHED, protocol.CODE_REVIEW),
    ):
        assert {w.state for w in wakes(worker) if w.cause is cause} == every


@pytest.mark.parametrize(
    ("message", "own"),
    [
        ("[DEV] [DEV-STORY] Add a test", True),
        ("[SM] [CREATE-STORY] Write it\n\nMore", True),
        ("Fix\n[DEV] [DEV-STORY] Add a test", False),
        ("[dev] [DEV-STORY] Add", False),
        ("[DEV] [DEV-STORY]", False),
        ("[DEV] Add", False),
        ('Revert "[DEV] [DEV-STORY] Add"', False),
        ("", False),
    ],
)
def test_own_commits_are_told_by_their_message(message: str, own: bool) -> None:
    assert is_bot_message(message) == own


def test_the_schema_is_committed_as_generated() -> None:
    committed = (ROOT / "schemas" / "bmad-config.schema.json").read_text(encoding="utf-8")
    assert committed == json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    jsonschema.Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize(
    ("settings", "valid"),
    [
        ({}, True),
        (None, True),
        ({"tier": 4, "auto_continue_threshold": 0.8, "skill_level": "mid", "language": "Go"}, True),
        ({"tier": 6}, False),
        ({"tier": 1.5}, False),
        ({"auto_continue_threshold": 1.01}, False),
        ({"skill_level": "expert"}, False),
        ({"langage": "Go"}, False),
        ({"language": "a\nb"}, False),
    ],
)
def test_the_schema_says_what_the_guard_says(settings: object, valid: bool) -> None:
    assert jsonschema.Draft202012Validator(dict(schema())).is_valid(settings) == valid


def test_the_page_names_every_label_and_setting() -> None:
    for name in [*(label.name for label in LABELS), *(s.key for s in SETTINGS)]:
        assert f"`{name}`" in PAGE, name
