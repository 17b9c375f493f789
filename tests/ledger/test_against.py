"""An emitted text against its source: what it says, what it may leave out, what it has lost."""

from functools import cache
from pathlib import Path

import pytest

from bmadc.frontend.pack import read_pack
from bmadc.ledger.against import Judgement, judge, texts_of
from bmadc.ledger.customs import custom, customs
from bmadc.passes.lower import lower_all
from support.deletions import Judge, deletions
from support.hut import write_hut
from support.lowered import lowered
from support.readings import source_pack

BREAD = """\
---
name: hut-stove
description: Light the stove
---

# Stove

Put two logs and some paper into the stove.

- Open the flap
- Do not leave the match on the floor
- Open the flap

Ask the user which stove to light.

ALWAYS halt and wait for user input once the menu is there

## Rules of the house

Wait for the user's selection.

## Ash

Sweep the ash out before the next guest comes.
"""

SAID = """\
# BMAD Hut Stove Agent

## Instructions

### Stove

Put two logs and some paper into the stove.

- Open the flap
- Do not leave the match on the floor
- Open the flap

Find out which stove to light.

### Ash

Sweep the ash out before the next guest comes.
"""


def judged(tmp_path: Path, text: str, source: str = BREAD) -> Judgement:
    pack = read_pack(write_hut(tmp_path / "hut", {"hut-stove/SKILL.md": source}))
    (found,) = judge(pack, texts_of(pack, {"stove.md": text}), ["hut-stove"])
    return found


def missing(found: Judgement) -> list[str]:
    return [unit.text for unit in found.units if unit.verdict == "missing"]


def test_all_is_said_or_has_a_reason(tmp_path: Path) -> None:
    found = judged(tmp_path, SAID)
    assert found.file == "stove.md"
    assert missing(found) == []
    assert {unit.text: unit.why for unit in found.units if unit.verdict == "unsaid"} == {
        "ALWAYS halt and wait for user input once the menu is there": "waiting",
        "## Rules of the house": "stands over nothing",
        "Wait for the user's selection.": "waiting",
    }
    stove = next(unit for unit in found.units if unit.text.startswith("Put two"))
    assert (stove.at, stove.share, stove.line) == (7, 1.0, 8)


@pytest.mark.parametrize(
    "line",
    [
        "### Stove\n",
        "### Ash\n",
        "Put two logs and some paper into the stove.\n",
        "- Open the flap\n",
        "- Do not leave the match on the floor\n",
        "Find out which stove to light.\n",
        "Sweep the ash out before the next guest comes.\n",
    ],
)
def test_each_line_that_is_taken_out_is_missing(tmp_path: Path, line: str) -> None:
    assert line in SAID
    assert len(missing(judged(tmp_path, SAID.replace(line, "", 1)))) == 1


def test_of_equal_units_each_needs_its_place(tmp_path: Path) -> None:
    lines = SAID.split("\n")
    for number, line in enumerate(lines):
        if line == "- Open the flap":
            text = "\n".join(lines[:number] + lines[number + 1 :])
            assert missing(judged(tmp_path, text)) == ["- Open the flap"]


def test_a_lost_negation_is_seen(tmp_path: Path) -> None:
    found = judged(tmp_path, SAID.replace("Do not leave the match", "Do leave the match"))
    (unit,) = (unit for unit in found.units if unit.verdict == "missing")
    assert unit.why == "said without “not”"


def test_a_lost_number_is_seen(tmp_path: Path) -> None:
    source = BREAD.replace("two logs", "2 logs")
    found = judged(tmp_path, SAID.replace("two logs", "many logs"), source)
    assert [unit.why for unit in found.units if unit.verdict == "missing"] == ["said without “2”"]


def test_units_may_stand_elsewhere(tmp_path: Path) -> None:
    line = "- Do not leave the match on the floor\n"
    moved = SAID.replace(line, "") + f"\n## Critical\n\n{line}"
    assert missing(judged(tmp_path, moved)) == []


def test_words_scattered_over_the_text_do_not_say_a_unit(tmp_path: Path) -> None:
    line = "Sweep the ash out before the next guest comes.\n"
    scattered = "Sweep well.\n\n" + "Nothing else here matters much today.\n\n" * 9 + "The guest comes.\n"
    assert len(missing(judged(tmp_path, SAID.replace(line, scattered)))) == 1


def test_front_matter_and_frame_of_the_text_do_not_matter(tmp_path: Path) -> None:
    framed = "---\non: push\n---\n\n" + SAID.replace(
        "## Instructions", "Be careful with fire.\n\n## Instructions"
    )
    assert missing(judged(tmp_path, framed)) == []


def test_what_is_said_in_one_place_and_not_in_another_was_lost(tmp_path: Path) -> None:
    twice = BREAD.replace("- Open the flap\n- Do", "- Wait for the user's selection.\n- Open the flap\n- Do")
    told = SAID.replace("- Open the flap\n- Do", "- Wait for the user's selection.\n- Open the flap\n- Do")
    found = judged(tmp_path, told, twice)
    assert [unit.why for unit in found.units if unit.verdict == "missing"] == ["said elsewhere, not here"]


def test_the_persona_of_the_owner_is_judged_too(tmp_path: Path) -> None:
    pack = read_pack(write_hut(tmp_path))
    ledgers, _ = lower_all(pack)
    whole = Judge(pack, ledgers)
    assert whole.judged("hut-sweep").count("missing") == 0
    text = whole.texts["hut-sweep"][1]
    assert "- No guest leaves cold\n" in text
    found = whole.judged("hut-sweep", text.replace("- No guest leaves cold\n", ""))
    (unit,) = (unit for unit in found.units if unit.verdict == "missing")
    assert (unit.kind, unit.path, unit.line) == ("persona", "hut-agent-keeper/customize.toml", 8)


def test_a_workflow_without_a_text_is_missing_whole(tmp_path: Path) -> None:
    pack = read_pack(write_hut(tmp_path))
    found = {one.workflow: one for one in judge(pack, texts_of(pack, {"hut-stove.md": "# Stove\n"}))}
    assert found["hut-sweep"].file == ""
    assert {unit.verdict for unit in found["hut-sweep"].units} == {"missing"}


def test_the_file_of_a_workflow_is_found_by_title_or_by_name(tmp_path: Path) -> None:
    pack = read_pack(write_hut(tmp_path))
    files = {"a.md": "x\n\n# BMAD Hut Sweep Agent\n", "hut-stove.md": "", "b.md": "# BMAD Other Agent\n"}
    assert {id_: name for id_, (name, _) in texts_of(pack, files).items()} == {
        "hut-sweep": "a.md",
        "hut-stove": "hut-stove.md",
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Speak in {communication_language} to everybody", "how to speak"),
        ("Load config from the folder and resolve:", "settings"),
        ("Read the entire step file first. Never load two step files.", "files of steps"),
        ("Read the entire step file first. Then light the stove.", ""),
        ("Ask which stove to light.", ""),
        ("Choose one of the stoves.", ""),
        ("1. Light the stove.", ""),
    ],
)
def test_only_what_speaks_of_nothing_else_need_not_be_said(text: str, why: str) -> None:
    assert customs(text) == why


def test_reasons_are_given_by_sentence() -> None:
    assert custom("- 🛑 **NEVER** load multiple step files at once") == "files of steps"
    assert custom("- Load the flour into the mill") == ""


@cache
def _judge(release: str) -> Judge:
    return Judge(source_pack(release), lowered(release))


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("id_", ["dev-story", "code-review", "create-story"])
def test_taking_any_unit_out_of_a_real_text_is_noticed(id_: str) -> None:
    whole = _judge("6.0.4")
    every = list(deletions(lowered("6.0.4")[id_]))[::4]
    missed = [one for one in every if not whole.notices(id_, one)]
    assert len(every) > 35
    assert len(missed) <= len(every) * 0.02, [(one.path, one.lines) for one in missed]


@pytest.mark.needs("bmad-releases")
def test_a_text_of_another_workflow_says_little() -> None:
    whole = _judge("6.0.4")
    own = whole.judged("dev-story")
    other = whole.judged("dev-story", whole.texts["create-prd"][1])
    assert own.count("said") > 0.8 * len(own.units)
    assert other.count("said") < 0.1 * len(other.units)


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", ["6.0.4"])
def test_a_whole_release_is_nearly_all_said(release: str) -> None:
    whole = _judge(release)
    found = [whole.judged(id_) for id_ in whole.sources]
    units = sum(len(one.units) for one in found)
    lost = [unit for one in found for unit in one.units if unit.verdict == "missing"]
    assert units > 10_000
    assert len(lost) < 0.01 * units, [(unit.path, unit.line) for unit in lost]
