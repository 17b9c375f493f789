"""Numbers, code, paths, names, severities and negations are found, compared and consumed."""

import pytest

from bmadc.ledger.hard import Hard, hard_words, lost, unconsumed


@pytest.mark.parametrize(
    ("text", "kind", "found"),
    [
        ("Wait 20 minutes, then 3.5 more, 80% at most", "number", ["20", "3.5", "80%"]),
        ("Turn `mill --slow` on", "code", ["mill --slow"]),
        ("Write to out/flour.md and sacks.csv", "path", ["out/flour.md", "sacks.csv"]),
        (
            "Read ./mill, {root}/sacks and _mill/out/ or yes/no",
            "path",
            ["./mill", "{root}/sacks", "_mill/out/"],
        ),
        ("Call it {sack_name} or {{miller}}", "variable", ["{sack_name}", "{{miller}}"]),
        ("Mark it [DUST ALARM] at once", "label", ["dust alarm"]),
        ("A HIGH risk, a critical one, a low wall", "severity", ["high", "critical"]),
        ("Never lift, don't drop, do not spill, cannot be late", "negation", ["never", "not", "not", "not"]),
    ],
)
def test_each_kind_is_found(text: str, kind: str, found: list[str]) -> None:
    assert [one.text for one in hard_words(text) if one.kind == kind] == found


def test_the_number_of_an_item_is_none_of_its_words() -> None:
    assert hard_words("3. Open the door\n   12) Close it") == ()


def test_a_number_belongs_to_the_path_it_stands_in() -> None:
    assert [one.kind for one in hard_words("Read step-02/part-3.md")] == ["path"]


@pytest.mark.parametrize(
    ("before", "after", "gone"),
    [
        ("Turn 3 times", "Turn 3 times to the left", ()),
        ("Turn 3 times", "Turn a few times", (("number", "3"),)),
        ("Turn 3 times", "Turn 30 times", (("number", "3"),)),
        ("Do not lift and do not drop", "Do not lift", (("negation", "not"),)),
        ("You can't lift", "You cannot lift", ()),
        ("Use `sieve -f`", "Use sieve -f", ()),
        ("A [DUST] alarm", "An alarm", (("label", "dust"),)),
        ("Keep {door} shut", "Keep the door shut", (("variable", "{door}"),)),
    ],
)
def test_what_is_lost(before: str, after: str, gone: tuple[tuple[str, str], ...]) -> None:
    assert lost(before, after) == tuple(Hard(*one) for one in gone)  # type: ignore[arg-type]


def test_a_pattern_consumes_whole_words_only() -> None:
    words = (Hard("number", "20"), Hard("negation", "not"))
    assert unconsumed(words, (r"2",)) == words
    assert unconsumed(words, (r"\d+", r"NOT")) == ()
