"""Two texts side by side: words in their order, each used once."""

from hypothesis import given
from hypothesis import strategies as st

from bmadc.ledger.alignment import NOWHERE, align

WORDS = st.lists(st.sampled_from("abcdefg"), max_size=40)


@given(WORDS, WORDS)
def test_places_go_up_and_words_are_equal(first: list[str], second: list[str]) -> None:
    found = align(first, second)
    assert len(found) == len(first)
    places = [place for place in found if place != NOWHERE]
    assert places == sorted(set(places))
    assert all(first[at] == second[place] for at, place in enumerate(found) if place != NOWHERE)


@given(WORDS)
def test_a_text_is_itself(text: list[str]) -> None:
    assert align(text, text) == list(range(len(text)))


@given(WORDS, st.integers(0, 40), st.integers(1, 5))
def test_what_was_cut_out_is_as_much_as_is_missing(text: list[str], at: int, size: int) -> None:
    left = text[:at] + text[at + size :]
    assert align(text, left).count(NOWHERE) >= len(text) - len(left)


def test_of_two_equal_runs_one_that_is_gone_is_missing() -> None:
    first = ["turn", "the", "key", "then", "knock", "turn", "the", "key", "then", "go"]
    second = ["turn", "the", "key", "then", "knock", "then", "go"]
    found = align(first, second)
    assert [word for word, place in zip(first, found, strict=True) if place == NOWHERE] == [
        "turn",
        "the",
        "key",
    ]


def test_text_in_between_does_not_matter() -> None:
    first = ["open", "the", "door", "and", "look", "around"]
    second = ["first", "open", "the", "big", "door", "and", "then", "look", "around", "you"]
    assert NOWHERE not in align(first, second)
