"""The fuzzy matcher, before it judges anybody: what is a unit to it, what it leaves out, what it finds."""

from pathlib import Path

import pytest

from support import fuzzy
from support.fuzzy import (
    Measure,
    core,
    family,
    measure,
    misses,
    ratio,
    read_output,
    source_units,
    sources,
    units,
)

ROOM = """\
---
title: The front matter of this file is no text
---

# How we keep the mill

Grind the corn before noon. Never open the lower sluice, e.g. after heavy rain!
> A quoted line is read like any other

- [ ] **Grease** the `main_axle` twice a week
* 🎯 Count the sacks that came in today
1) Write [the sum of the day](./book.md) into the ledger
ℹ️ Each sack was weighed before it left
❌ Nobody knows where the flour went

| what we grind | who brings it to us |
|---------------|---------------------|
| wheat and rye from the valley | two words |

<!-- nobody reads what stands -> after an arrow in a comment -->
```markdown
A fenced line is a form to fill in
```
too few words
The flour's price isn't ours to set
"""

MILL = """\
<?xml version="1.0"?>
<task id="grind the corn in the mill">
  <step n="1" goal="Look at the river first">
    <check if="the water is < 3 feet deep">
      <action>Close the upper sluice and write down the hour of the day, the height of the
        water and the name of whoever closed it,
        Sundays too, and whatever else the miller has to know every week
        Mondays first</action>
      <action if='the wheel stands still'>Tell the &quot;miller of the day&quot; at once</action>
      <goto step="2"/>
    </check>
    <i>First of all look up</i><i>Second of all look down</i>
    Name the <sluice> that you have closed
  </step>
</task>
"""


def test_markdown_is_cut_into_sentences_items_cells_and_headings() -> None:
    assert units(ROOM) == (
        "how we keep the mill",
        "grind the corn before noon",
        "never open the lower sluice eg after heavy rain",
        "a quoted line is read like any other",
        "grease the main axle twice a week",
        "count the sacks that came in today",
        "write the sum of the day into the ledger",
        "each sack was weighed before it left",
        "nobody knows where the flour went",
        "who brings it to us",
        "wheat and rye from the valley",
        "the flours price isnt ours to set",
    )


def test_fenced_text_is_read_when_it_is_asked_for() -> None:
    assert set(units(ROOM, fenced=True)) - set(units(ROOM)) == {"a fenced line is a form to fill in"}


def test_a_fence_ends_only_at_a_mark_of_its_own_kind_and_length() -> None:
    text = (
        "````md\nhidden words in here one\n```\nhidden words in here two\n````\nseen again after the fence\n"
    )
    assert units(text) == ("seen again after the fence",)


def test_tags_are_cut_at_their_edges_and_speak_by_conditions_and_goals() -> None:
    assert units(MILL) == (
        "look at the river first",
        "the water is 3 feet deep",
        "close the upper sluice and write down the hour of the day the height of the water and the name of"
        " whoever closed it sundays too and whatever else the miller has to know every week mondays first",
        "the wheel stands still",
        "tell the miller of the day at once",
        "first of all look up",
        "second of all look down",
        "name the sluice that you have closed",
    )


def test_a_tag_that_is_only_spoken_of_cuts_nothing() -> None:
    assert units("Put it into a `<step>` of the book\n<step>Then go on with work</step>") == (
        "put it into a step of the book",
        "then go on with work",
    )


def test_only_markdown_and_xml_files_have_units_and_each_unit_once(tmp_path: Path) -> None:
    for name, text in (
        ("a.md", "Grind the corn before noon."),
        ("b.xml", "<action>GRIND the corn, before noon</action><action>Then sweep the floor</action>"),
        ("c.yaml", "note: these are words of a setting"),
        ("d.csv", "these,are,words,of,a,table"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert source_units(sorted(tmp_path.iterdir())) == ("grind the corn before noon", "then sweep the floor")


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("c continue to the mill", "menu"),
        ("p party mode with all the millers", "menu"),
        ("if c store the sum and walk on", "menu"),
        ("open the gate again y n", "menu"),
        ("ask the user which sluice to open", "ask"),
        ("would you like more flour for the bread", "ask"),
        ("wait for user confirmation of the sum", "wait"),
        ("never grind anything without user input", "wait"),
        ("if the user agrees open the gate", "answer"),
        ("greet whoever comes through the door", "greeting"),
        ("you are a facilitator of the millers", "facilitation"),
        ("add the mill to stepscompleted at once", "books"),
        ("then read fully and follow the second", "steps"),
        ("continue to step 4 of the day", "steps"),
        ("answer in communication language at the mill", "config"),
    ],
)
def test_dialogue_and_bookkeeping_are_told_by_family(unit: str, expected: str) -> None:
    assert family(unit) == expected
    assert core([unit, "grind the corn before noon"]) == ("grind the corn before noon",)


@pytest.mark.parametrize(
    "unit",
    [
        "halt if the wheel does not turn",
        "choose a sluice that is easy to reach",
        "give a complete list of the sacks",
        "users can select a sack by its colour",
        "the menu of the bakery lists every bread",
        "if a sack is torn sew it up",
        "read the complete ledger of the last year",
        "if the wheel breaks return to step 2 and look at the river before anything else is done",
        "mark every sack in the ledger with an x complete with its weight",
        "show the sum of the day to the miller",
        "the next steps of the miller are listed",
        "users wait for the bread less than a minute",
        "ask the user for the ledger and compare the weight of every sack with what the miller wrote down in"
        " spring because a wrong sum is found only when two people count the same sacks",
    ],
)
def test_substance_is_not_taken_for_dialogue(unit: str) -> None:
    assert family(unit) == ""


def test_no_family_takes_out_plain_words_or_nothing_at_all() -> None:
    # An empty branch of a pattern matches everything, and would empty the measure without a sound.
    for name, pattern in fuzzy.FAMILIES.items():
        assert not pattern.search("grind the corn before noon"), name
        assert not pattern.search(""), name


def found(unit: str, text: str) -> float:
    return ratio(unit, read_output(text))


def test_the_same_words_are_found_whatever_their_marks() -> None:
    assert found("grind the corn before noon", "1. **Grind** the corn, before noon!") == 100


def test_a_small_change_is_verbatim_a_larger_one_strict_another_sentence_neither() -> None:
    unit = "write the sum of the day into the ledger"
    assert fuzzy.VERBATIM <= found(unit, "Write the sum of each day into the ledger.") < 100
    assert fuzzy.STRICT <= found(unit, "Write down the sum of a week into that ledger.") < fuzzy.VERBATIM
    assert found(unit, "Sweep the floor of the mill when nobody is in it.") == 0


def test_a_unit_inside_a_longer_sentence_or_paragraph_is_found() -> None:
    unit = "write the sum of the day into the ledger"
    long = "When the last sack has left the mill, write the sum of the day into the ledger, and then go home."
    assert found(unit, long) >= fuzzy.VERBATIM
    halves = "Close the upper sluice. Then walk along the river. To the village with you!"
    assert found("close the upper sluice then walk along the river to the village", halves) >= fuzzy.VERBATIM


def test_part_of_a_sentence_must_be_closer_than_a_whole_one() -> None:
    unit = "write the sum of the day into the ledger"
    tail = (
        " and after that sweep all of the floors, close every sluice of the mill and walk home by the river"
    )
    whole = found(unit, "Write down the sum of a week into that ledger")
    assert whole >= fuzzy.STRICT
    assert found(unit, "Write down the sum of a week into that ledger" + tail) < fuzzy.STRICT


def test_a_short_unit_is_not_found_inside_something_longer() -> None:
    long = (
        "Whenever it rains in spring close the lower sluice and call the miller, then walk along the river."
    )
    assert found("close the lower sluice", long) == 0
    assert found("close the lower sluice and call", long) >= fuzzy.STRICT


def test_a_fragment_of_a_unit_does_not_stand_for_the_unit() -> None:
    unit = "write the sum of the day into the ledger and lock it away in the chest below the stairs"
    assert found(unit, "Write the sum of the day into the ledger.") < fuzzy.STRICT


def test_a_measure_counts_both_thresholds_and_lists_what_is_missing() -> None:
    looked_for = (
        "grind the corn before noon",
        "write the sum of the day into the ledger",
        "sweep the floor of the lower room",
    )
    body = "Grind the corn before noon.\n\nWrite down the sum of a week into that ledger.\n"
    assert measure(looked_for, body) == Measure(3, 2, 1)
    assert [unit for _, unit in misses(looked_for, body)] == list(looked_for[1:])
    assert measure(looked_for, "") == Measure(3, 0, 0)
    assert Measure(3, 2, 1) + Measure(1, 1, 1) == Measure(4, 3, 2)
    assert Measure(4, 3, 2).percent70 == 75
    assert Measure(4, 3, 2).percent85 == 50


def test_unrelated_is_the_longest_body_of_the_other_family() -> None:
    stepped = {"a": True, "b": True, "c": False, "d": False, "e": False}
    bodies = {"a": "long enough", "b": "short", "d": "same", "c": "same", "e": "s"}
    assert fuzzy.unrelated("a", stepped, bodies) == "c"
    assert fuzzy.unrelated("e", stepped, bodies) == "a"
    assert fuzzy.unrelated("a", stepped, {"a": "alone", "b": "too"}) == ""


@pytest.mark.needs("bmad-releases")
def test_a_release_is_found_in_itself_and_not_in_what_is_unrelated() -> None:
    known = sources("6.0.4")
    bodies = {
        name: "\n\n".join(path.read_text(encoding="utf-8") for path in source.paths if path.suffix != ".yaml")
        for name, source in known.items()
    }
    stepped = {name: source.stepped for name, source in known.items()}
    looked_for = {name: core(source_units(source.paths)) for name, source in known.items()}
    assert len(known) == 33
    assert [path.name for source in known.values() for path in source.paths if "template" in path.name] == []
    for name, body in bodies.items():
        assert measure(looked_for[name], body).percent85 == 100, name
        far = fuzzy.unrelated(name, stepped, bodies)
        assert measure(looked_for[name], bodies[far]).percent70 < 10, (name, far)


@pytest.mark.needs("bmad-releases")
def test_half_of_a_source_is_about_half_found() -> None:
    source = sources("6.0.4")["dev-story"]
    looked_for = core(source_units(source.paths))
    kept = "\n\n".join(looked_for[::2])
    assert 45 <= measure(looked_for, kept).percent85 <= 60


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", ["6.0.4", "6.12.0"])
def test_most_of_a_release_is_substance(release: str) -> None:
    all_units = [unit for source in sources(release).values() for unit in source_units(source.paths)]
    assert 0.80 <= len(core(all_units)) / len(all_units) <= 0.95
