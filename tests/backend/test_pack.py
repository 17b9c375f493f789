"""The pack as a whole: its bytes, its scripts in place, and what every file must have."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from bmadc.backend.scripts import script
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.catalogue import SPINE, consumers
from bmadc.machine.labels import LABELS
from bmadc.machine.wiring import BUS, WIRINGS, Waking, Wiring, WiringError
from support.shell import variables
from support.spinepack import pack

# Given by the runner or by a test, or there for every script whether it speaks or not.
OPTIONAL = {"NOW", "GH_TOKEN", "TITLE"}


def tree(name: str, text: str) -> dict[str, Any]:
    found: dict[Any, Any] = yaml.safe_load(text.split("---\n")[1] if name.endswith(".md") else text)
    found["on"] = found.pop(True)
    return found


def steps(name: str, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    top = tree(name, text)
    yield from ((f"{name} on.steps", step) for step in top["on"].get("steps", []))
    for job, inner in top["jobs"].items():
        yield from ((f"{name} {job}", step) for step in inner.get("steps", []))


@pytest.mark.parametrize("wiring", WIRINGS, ids=lambda w: w.waking.value)
def test_every_script_gets_what_it_reads_and_nothing_else(wiring: Wiring) -> None:
    seen = 0
    for name, text in pack(wiring).items():
        for place, step in steps(name, text):
            assert step["run"] == script(step["id"]), place
            assert set(step["env"]) - OPTIONAL == variables(step["id"]) - OPTIONAL, place
            seen += 1
    # Guard steps, jobs of every row, enter, plain workflows.
    assert seen == 3 * 3 + 3 * 3 + 2 + 4


def test_no_expression_stands_in_a_script() -> None:
    for name, text in pack(BUS).items():
        for place, step in steps(name, text):
            assert "${{" not in step["run"], place


def test_the_guard_is_the_same_bytes_everywhere_and_small() -> None:
    guards = {
        step["run"]
        for wiring in WIRINGS
        for name, text in pack(wiring).items()
        for _, step in steps(name, text)
        if step["id"] == "guard"
    }
    assert len(guards) == 1
    size = len(guards.pop().encode())
    print(f"the guard has {size} of {BUDGETS.guard_bytes} bytes")
    assert size <= BUDGETS.guard_bytes


def test_only_the_credential_wiring_names_a_secret() -> None:
    for wiring in WIRINGS:
        named = any("secrets." in text for text in pack(wiring).values())
        assert named == (wiring.waking is Waking.CREDENTIAL)


def test_a_consumer_is_a_lock_of_the_pack() -> None:
    assert set(consumers().values()) <= {row.lock for row in SPINE}
    assert {label.name for label in LABELS} > set(consumers())


def test_every_label_in_the_pack_is_in_the_table() -> None:
    known = {label.name for label in LABELS}
    files = {name.rsplit(".", 1)[0] for name in pack(BUS)} | {"bmad-config", "bmad-verdict", "bmad"}
    for name, text in pack(BUS).items():
        words = {word.rstrip("-") for word in re.findall(r"\bbmad-[a-z-]+", text)}
        assert words <= known | files, name


@pytest.mark.parametrize("secret", ["", "bmad_token", "GITHUB_TOKEN", "A}} x", "A\n"])
def test_a_secret_that_is_no_name_is_refused(secret: str) -> None:
    with pytest.raises(WiringError, match="is no name of a secret"):
        Wiring(Waking.CREDENTIAL, secret)


def test_a_wiring_has_the_credential_that_it_needs_and_no_other() -> None:
    with pytest.raises(WiringError, match="needs the name of a secret"):
        Wiring(Waking.CREDENTIAL)
    with pytest.raises(WiringError, match="takes no credential"):
        Wiring(Waking.BUS, "BMAD_TOKEN")
