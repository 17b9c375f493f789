"""Options are found where they are offered, nowhere else, and are called by their names."""

from __future__ import annotations

import pytest

from bmadc.passes.options import name_of, options_within


def found(text: str) -> list[tuple[str, str]]:
    return [(one.sign, one.name) for one in options_within(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Select: [T] Tea [W] Water", [("T", "Tea"), ("W", "Water")]),
        ("[T] Tea - hot\n[W] Water - cold", [("T", "Tea"), ("W", "Water")]),
        ("**[T] Tea** - hot\n**[W] Water**", [("T", "Tea"), ("W", "Water")]),
        ("- `[t]` Tea - hot", [("t", "Tea")]),
        ("Ask: `[T] Tea` | `[W] Water`", [("T", "Tea"), ("W", "Water")]),
        ("More tea? [Y] Yes / [N] No, thanks", [("Y", "Yes"), ("N", "No")]),
        ("All is ready! [C] Continue to tasting", [("C", "Continue")]),
        ("Cups:\n[1] Small\n[2) Large", [("1", "Small"), ("2", "Large")]),
        ("[C] Continue - pour\n[Back] - wash", [("C", "Continue"), ("Back", "Back")]),
    ],
)
def test_options_and_their_names(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Mixing [A] with [B] is new",
        "- [x] Boil water",
        "- [X] Boil Water",
        "Mark it as `[x]` complete",
        "Found [N] Cups and [Y] Spoons",
        "See [1] and [2] for teas",
        "stepsCompleted: [1]",
        "The inline `[n]` Mark is a source",
        "[T](tea.md) Tea",
        "Example: [T] Tea [W] Water",
        "Present [C] continue option after tasting",
    ],
)
def test_what_only_looks_like_an_option(text: str) -> None:
    assert found(text) == []


def test_an_option_is_called_as_in_the_nearest_menu_before() -> None:
    text = "[S] Stir\n[P] Pour\n\nIF P: one\n\n[P] Pack\n[S] Sell\n\nIF P: two\n"
    assert name_of(text, text.index("one"), "P") == "Pour"
    assert name_of(text, text.index("two"), "p") == "Pack"


def test_a_usual_letter_has_its_usual_name_where_no_menu_precedes() -> None:
    assert name_of("no menu here", 0, "C") == "Continue"
    assert name_of("first\n[C] Close it\n[D] Drink\n\n[C] Continue\n", 0, "C") == "Continue"
    assert name_of("first\n[C] Close it\n[D] Drink\n", 0, "C") == "Close it"
    assert name_of("no menu here", 0, "4") == "4"
