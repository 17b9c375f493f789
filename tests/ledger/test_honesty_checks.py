"""Each of the five checks accepts an honest ledger and sees each way of being dishonest."""

from dataclasses import replace
from pathlib import Path

import pytest

from bmadc.frontend.files import read_tree
from bmadc.frontend.pack import read_pack
from bmadc.ir.ledger import Entry, Line, Lowered, Part
from bmadc.ir.model import Origin, Step
from bmadc.ir.tree import CONTENT, Tree, leaf_ids
from bmadc.ledger.exceptions import words_id
from bmadc.ledger.honesty import (
    RuleFacts,
    budget,
    files_of,
    hard_lost,
    is_gone,
    order,
    partition,
    residual,
    too_many_exceptions,
    unexplained_drops,
)
from bmadc.source import Text
from support.hut import write_hut

TEXT = "# Bake\n\n## Step 1: Knead\n\nKnead it 12 times.\n\n## Step 2: Rest\n\nDo not open the door.\n"
RULES = {
    "talk.out": RuleFacts("dropped", (), ""),
    "talk.bulk": RuleFacts("dropped", (), "Said on every page."),
    "talk.other": RuleFacts("rewritten", (r"\d+",), ""),
}


def tree_of(text: str = TEXT) -> Tree:
    return read_tree(Text("bake.md", text))


def entries_of(tree: Tree) -> tuple[Entry, ...]:
    ids = leaf_ids(tree)
    return tuple(
        Entry(
            ids[n], tree.path, n, tree.line(leaf), leaf.kind, "kept", (), tree.slice(leaf), tree.slice(leaf)
        )
        for n, leaf in enumerate(tree.leaves)
        if leaf.kind in CONTENT
    )


def lowered_of(tree: Tree, entries: tuple[Entry, ...] | None = None) -> Lowered:
    kept = entries_of(tree) if entries is None else entries
    lines = tuple(Line(one.after, one.path, (one.leaf,)) for one in kept if one.after)
    return Lowered("bake", "Bake", (Part("body", "body", "Bake", (Line("# Ours"), *lines)),), kept)


def changed(entries: tuple[Entry, ...], at: int, **fields: object) -> tuple[Entry, ...]:
    return tuple(one._replace(**fields) if n == at else one for n, one in enumerate(entries))  # type: ignore[arg-type]


def test_an_honest_ledger_has_no_fault() -> None:
    tree = tree_of()
    lowered = lowered_of(tree)
    assert partition("bake", [tree], lowered.entries) == []
    assert residual("bake", lowered.entries, lowered.parts, {}) == []
    assert budget([lowered], RULES) == []
    assert hard_lost(lowered, RULES) == []


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (lambda entries: entries[1:], "this unit has no entry"),
        (lambda entries: (*entries, entries[0]), "this unit has 2 entries"),
        (lambda entries: changed(entries, 1, before="other"), "the entry is not what stands in the file"),
        (lambda entries: changed(entries, 1, id="0"), "the entry is not what stands in the file"),
        (lambda entries: (*entries, entries[0]._replace(leaf=99)), "the entry is about no unit"),
        (lambda entries: (*entries, entries[0]._replace(path="x.md")), "the entry is about no unit"),
    ],
)
def test_partition(broken: object, said: str) -> None:
    tree = tree_of()
    assert callable(broken)
    faults = partition("bake", [tree], broken(entries_of(tree)))
    assert [fault.message for fault in faults] == [said]


def test_residual_dialogue_in_a_unit_and_its_exception() -> None:
    tree = tree_of()
    entries = changed(entries_of(tree), 2, after="Ask the user which oven to take.")
    lowered = lowered_of(tree, entries)
    (fault,) = residual("bake", entries, lowered.parts, {})
    assert (fault.entry, fault.line) == (entries[2].id, entries[2].line)
    assert "asks" in fault.message
    assert residual("bake", entries, lowered.parts, {words_id(entries[2]): "Sold to bakers."}) == []
    # What may stay may stay wherever an installer puts the file, and nowhere else.
    moved = [one._replace(path=f"elsewhere/{one.path}") for one in entries]
    assert residual("bake", moved, (), {words_id(entries[2]): "Sold to bakers."}) == []
    renamed = [one._replace(path="other.md") for one in entries]
    assert len(residual("bake", renamed, (), {words_id(entries[2]): "Sold to bakers."})) == 1
    gone = changed(entries, 2, state="dropped")
    assert residual("bake", gone, (), {}) == []


def test_residual_dialogue_in_a_line_of_ours() -> None:
    tree = tree_of()
    lowered = lowered_of(tree)
    part = replace(lowered.parts[0], lines=(*lowered.parts[0].lines, Line("Wait for the user to reply.")))
    (fault,) = residual("bake", lowered.entries, (part,), {})
    assert fault.message.startswith("line 7 of body waits")


def test_exceptions_are_few_and_have_reasons() -> None:
    tree = tree_of("Ask the user for the flour.\n\nWait for the user's reply.\n")
    lowered = lowered_of(tree)
    ids = [words_id(entry) for entry in lowered.entries]
    assert too_many_exceptions([lowered], {}) == []
    (fault,) = too_many_exceptions([lowered], {ids[0]: "A reason."})
    assert fault.message == "1 exceptions for 2 units of dialogue: more than 1%"
    assert "the exception has no reason" in [
        one.message for one in too_many_exceptions([lowered], {ids[0]: " "})
    ]
    assert too_many_exceptions([lowered], {"gone": "Another release has it."}) == []


def many(number: int, gone: int, rule: str = "talk.out") -> Lowered:
    tree = tree_of("\n\n".join(f"Turn sack {n} over." for n in range(number)))
    entries = tuple(
        one._replace(state="dropped", rules=(rule,), after="") if n < gone else one
        for n, one in enumerate(entries_of(tree))
    )
    return Lowered("bake", "Bake", (), entries)


@pytest.mark.parametrize(
    ("lowered", "said"),
    [
        (many(100, 3), []),
        (many(100, 4), ["talk.out takes 4 of 100 units: more than 3%, and it is not bulk"]),
        (many(100, 15, "talk.bulk"), []),
        (many(100, 16, "talk.bulk"), ["16 of 100 units are gone: more than 15%"]),
        (
            many(100, 31, "talk.bulk"),
            ["31 of 100 units are gone: more than 30%", "31 of 100 units are gone: more than 15%"],
        ),
        (many(100, 1, "nobody.knows"), ["this unit is gone, and no rule says why"]),
        (many(100, 1, "talk.other"), ["this unit is gone, and no rule says why"]),
    ],
)
def test_budget(lowered: Lowered, said: list[str]) -> None:
    assert [fault.message for fault in budget([lowered], RULES)] == said


def test_an_agent_may_lose_its_menu() -> None:
    agent = replace(many(100, 40, "talk.bulk"), id="agent:miller")
    assert [fault.message for fault in budget([agent], RULES)] == ["40 of 100 units are gone: more than 15%"]


def test_a_unit_that_only_lost_its_words_is_gone_whatever_it_is_called() -> None:
    lowered = many(100, 16, "talk.other")
    hidden = tuple(one._replace(state="rewritten") if not one.after else one for one in lowered.entries)
    messages = [fault.message for fault in budget([replace(lowered, entries=hidden)], RULES)]
    assert "16 of 100 units are gone: more than 15%" in messages


@pytest.mark.parametrize(
    ("before", "gone"),
    [("<action>", False), ('<check if="the wind is strong">', True), ('<goto step="3">', True)],
)
def test_a_tag_that_says_nothing_itself_cannot_be_gone(before: str, gone: bool) -> None:
    assert is_gone(Entry("0", "x.xml", 0, 1, "tag", "kept", (), before, "")) is gone


def test_drops_that_nothing_explains_are_listed() -> None:
    tree = tree_of("Knead well.\n\nWait for the user's reply.\n")
    entries = tuple(one._replace(state="dropped", rules=("talk.out",), after="") for one in entries_of(tree))
    assert unexplained_drops([lowered_of(tree, entries)]) == ((entries[0].id, "talk.out"),)


def test_hard_words() -> None:
    tree = tree_of()
    entries = entries_of(tree)
    bad = changed(entries, 2, after="Knead it often.", state="rewritten", rules=("talk.out",))
    (fault,) = hard_lost(lowered_of(tree, bad), RULES)
    assert fault.message == "the number “12” is lost by talk.out"
    consumed = changed(entries, 2, after="Knead it often.", state="rewritten", rules=("talk.other",))
    assert hard_lost(lowered_of(tree, consumed), RULES) == []
    negation = changed(entries, 4, after="Open the door.", state="rewritten", rules=("talk.other",))
    assert [one.message for one in hard_lost(lowered_of(tree, negation), RULES)] == [
        "the negation “not” is lost by talk.other"
    ]


def test_what_was_merged_is_looked_for_in_the_whole_text() -> None:
    tree = tree_of()
    entries = changed(entries_of(tree), 4, after="", state="merged", rules=("talk.other",))
    lowered = lowered_of(tree, entries)
    assert [fault.message for fault in hard_lost(lowered, RULES)] == [
        "the negation “not” is lost by talk.other"
    ]
    said = replace(lowered.parts[0], lines=(*lowered.parts[0].lines, Line("Doors are not to be opened.")))
    assert hard_lost(replace(lowered, parts=(said,)), RULES) == []


STEPS = (
    Step("1", "Knead", "heading", Origin("bake.md", 3)),
    Step("2", "Rest", "heading", Origin("bake.md", 7)),
)


def test_order() -> None:
    tree = tree_of()
    lowered = lowered_of(tree)
    trees = {tree.path: tree}
    assert order(lowered, STEPS, trees) == []
    body = lowered.parts[0]
    swapped = (*body.lines[:2], *body.lines[4:6], *body.lines[2:4])
    (fault,) = order(replace(lowered, parts=(replace(body, lines=swapped),)), STEPS, trees)
    assert fault.message == "step 2 (Rest) stands before an earlier step"
    cut = tuple(line for line in body.lines if "Step 2" not in line.text)
    (fault,) = order(replace(lowered, parts=(replace(body, lines=cut),)), STEPS, trees)
    assert fault.message == "step 2 (Rest) has no line in the output"
    one = Line("## Both", "bake.md", (1, 3))
    merged = tuple(one if "Step 1" in line.text else line for line in body.lines)
    (fault,) = order(replace(lowered, parts=(replace(body, lines=merged),)), STEPS, trees)
    assert fault.message == "step 2 (Rest) shares its heading with another step"
    flat = tuple(line._replace(text="Now rest.") if "Step 2" in line.text else line for line in body.lines)
    assert [
        fault.message for fault in order(replace(lowered, parts=(replace(body, lines=flat),)), STEPS, trees)
    ] == []
    flat = tuple(line._replace(text="And so on.") if "Step 2" in line.text else line for line in body.lines)
    (fault,) = order(replace(lowered, parts=(replace(body, lines=flat),)), STEPS, trees)
    assert fault.message == "step 2 (Rest) has no heading in the output"


def test_the_files_of_a_ledger(tmp_path: Path) -> None:
    pack = read_pack(write_hut(tmp_path))
    assert files_of(pack, "hut-stove") == ("hut-stove/SKILL.md",)
    assert files_of(pack, "agent:hut-agent-keeper") == (
        "hut-agent-keeper/SKILL.md",
        "hut-agent-keeper/customize.toml",
    )
    assert files_of(pack, "nothing") == ()
