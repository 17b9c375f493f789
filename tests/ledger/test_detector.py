"""Dialogue is found in sentences of our own, near misses are not, and the labels of real units agree."""

import re
import sys
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from bmadc.ledger.detector import Hit, ceremony, dialogue
from support.readings import source_pack

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS.parent / "scripts"))

FOUND: dict[str, tuple[str, ...]] = {
    "waits": (
        "Then wait for the user.",
        "WAIT for {user_name} to name a pear",
        "Stop and wait.",
        "Await human approval of the pears.",
        "Halt for confirmation of the harvest",
        "Pause until the human answers.",
        "Do not pick anything until the user confirms it.",
        "Wait\n   for a\n reply",
        "Picking pears without user approval",
        "Proceed only after approval",
        "Proceeding with 'C' too early",
        "Wait for the requester to respond",
    ),
    "asks": (
        "Ask the user which pear is ripe.",
        "Ask if any pears are missing",
        "Ask: which tree?",
        "<ask>the basket",
        "If pears are rotten, re-ask",
        "Prompt for a basket",
        "**Ask** them about the orchard",
        "Confirm the list of trees with the user.",
        "Prompt the human for a basket.",
        "Request a basket from the user",
        "Elicit the pear count from the user",
        "Would you like a pear?",
        "Which tree do you want to climb?",
        "Shall we pick this one?",
        "Ready to climb the tree?",
        "Does this look right?",
        "Pick it? (y/n)",
        "Pick it? [y/n/edit]",
        "Please provide the basket.",
        "Let me know about the pears.",
        "Get explicit approval for the harvest",
    ),
    "offers": (
        "[A] Apples [P] Pears [C] Continue",
        "[C] Continue to the orchard",
        "Show the [C] continue option",
        "Apples [a], Pears [p]",
        "Take option [1], [2] or [3]:",
        "Take one: [1/2/3]",
        "**Select an option:** pears",
        "Choose option two",
        "Present the menu of pears",
        "Redisplay menu",
        "Present the two options",
        "Show A/P/C here",
        "If pears are ripe, offer to pick them",
        "- Offer baskets",
        "- IF C: go on picking",
        "#### If 'P' (Pears):",
        "If the user chooses pears, pick them",
        "Only once 'C' is selected",
        "Offer to pick the pears.",
    ),
    "addresses": (
        "Greet everybody warmly.",
        "Welcome the user to the orchard.",
        "Hi {user_name}, the pears are ripe",
        "Tell the user that pears are out.",
        "Help the user find a tree",
        "Discuss the harvest with the user.",
        "Present the pears to the user.",
        "The user provides a basket",
        "Depends on the user's answer",
        "Based on user input, pick pears",
        "Trees approved by the user",
        'Bob: "{user_name}, the tree is yours."',
        "If they decline, skip the tree.",
        "When the user types 'pears'",
        "Summary to the user:",
        "The user can override the count",
        "Pears for the user to weigh",
    ),
}

NOT_DIALOGUE = (
    # The classed forms.
    "Find out which story file to review.",
    "Find out whether the pears are ripe, and list what was inferred under Assumptions.",
    "Decide how many trees to climb and record why.",
    "Choose one of these and record why: Advanced Elicitation; Party Mode; Continue to pears (the default).",
    "If the basket is missing, HALT.",
    'HALT: "No basket can be found."',
    "Present the pears with their weights.",
    "Show the requester's goals first.",
    "Report which trees were climbed.",
    # Orders not to have a dialogue.
    "Do not ask the user; look into the orchard.",
    "Never wait for approval between trees.",
    # Users of the product.
    "Write a user story for each tree.",
    "Map the user journey to the orchard.",
    "The user can log in with a pear.",
    "Users complete the form and select a tree.",
    "What do users love about pears?",
    "Epics deliver user value.",
    "Show user flows, then present the user journey.",
    "The app asks whether to save the pear.",
    "- Authentication: what may each user type see",
    # Bare questions are answered by the agent.
    "Are all pears counted?",
    "What could go wrong? What is the way back?",
    "Have you checked every tree?",
    # Waits and choices of machines.
    "Wait for the tests to finish.",
    "Wait for all subagents, then merge what they found.",
    "Select the ripest tree and pick its pears.",
    "Stop at the first rotten pear.",
    # Brackets that are no menu.
    "- [ ] Every pear is counted",
    "- [x] Done",
    "- [x] Pears\n- [x] Plums",
    "Only [N] Pears are left",
    "[A](a.md)\n[B](b.md)",
    "[HIGH] The basket leaks",
    "- [ ] [AI-Review][LOW] Wash the pears",
    "[Problem statement of the orchard]",
    "[Rules](rules.md) and [more][C]",
    "Combining [A] with [B] gives perry.",
    "Pears float [1]. Apples do too [2].",
    "Found [X] pears and [N] apples",
    "steps_done: [1]",
    "Store `user_name` in the header",
    "Set `offer_to_pick` to false",
    "author: {user_name}",
    "Basket size [N/A]",
    "Example: [A] Apples [B] Pears",
    "Is every pear ripe? (Yes/No/Partial)",
)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in FOUND.items() for text in texts])
def test_dialogue_is_found(kind: str, text: str) -> None:
    assert kind in {hit.kind for hit in dialogue(text)}


@pytest.mark.parametrize("text", NOT_DIALOGUE)
def test_what_is_no_dialogue_is_left_alone(text: str) -> None:
    assert dialogue(text) == ()


def test_a_hit_tells_its_place() -> None:
    text = "Count the pears. Then wait for the user. Go on."
    assert dialogue(text) == (Hit("waits", 22, 39),)
    assert text[22:39] == "wait for the user"


def test_places_stay_true_where_a_capital_grows() -> None:
    text = "İİİİ Ask the user."
    assert [text[hit.start : hit.end] for hit in dialogue(text)] == ["Ask the user"]


def test_a_long_unit_is_searched_line_by_line() -> None:
    filler = "Pears are counted.\n" * 200
    text = f"{filler}Ask the user.\n{filler}"
    (hit,) = dialogue(text)
    assert text[hit.start : hit.end] == "Ask the user"


@pytest.mark.parametrize(
    "text",
    [
        "Greet everybody in `{communication_language}`.",
        "## MANDATORY EXECUTION RULES",
        "Load config and resolve every path in it",
        "You are a facilitator here",
        "Read the whole step file before you pick",
        "Never skip steps",
        "Follow the menu of pears",
    ],
)
def test_ceremony_is_known(text: str) -> None:
    assert ceremony(text)


@pytest.mark.parametrize(
    "text",
    [
        "Count every pear in the orchard.",
        "Add this number to `stepsCompleted` before loading the next step.",
        "# Core principles",
        "[Pears, based on the dialogue]",
        "Bottom bar or hamburger menu?",
        "Weigh each pear, sort them by weight, and pack the heavy ones into the lower basket. Greet nobody.",
        "- [ ] Every pear is counted",
        "If there is no basket, HALT.",
    ],
)
def test_work_is_no_ceremony(text: str) -> None:
    assert not ceremony(text)


@pytest.mark.needs("bmad-releases")
def test_the_detector_agrees_with_the_labels() -> None:
    labels = tomllib.loads((TESTS / "dialogue" / "labels.toml").read_text(encoding="utf-8"))["labels"]
    units = import_module("sample_dialogue").draw(len(labels))
    known = {unit.hash: bool(dialogue(unit.words)) or ceremony(unit.words) for unit in units}
    words = {unit.hash: unit.words for unit in units}
    hits = Counter(label for name, label in labels.items() if known[name])
    print(hits, Counter(labels.values()))

    # Not for the detector: questions that speak to nobody, and HALT, which a body may say.
    outside = {
        name
        for name, label in labels.items()
        if not known[name]
        and ((label == "derive" and "?" in words[name]) or (label == "block" and "HALT" in words[name]))
    }
    assert not any(re.search(r"(?i)\byour?\b|\bthe user\b", words[name]) for name in outside)
    assert len(outside) <= 34

    judged = [name for name, label in labels.items() if label != "none" and name not in outside]
    assert len(judged) >= 85
    assert sum(known[name] for name in judged) / len(judged) >= 0.95
    assert hits["none"] <= 4


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize(("release", "fewest", "most"), [("6.0.4", 2200, 2900), ("6.12.0", 600, 950)])
def test_hits_over_a_release_stay_where_they_were_read(release: str, fewest: int, most: int) -> None:
    pack = source_pack(release)
    paths = sorted({use.path for workflow in pack.workflows for use in workflow.files} & pack.trees.keys())
    number = sum(
        bool(dialogue(pack.trees[path].slice(leaf))) for path in paths for leaf in pack.trees[path].leaves
    )
    assert fewest <= number <= most
