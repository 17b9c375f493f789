"""Customised values in a skill's start: what is set becomes an order, what is empty leaves nothing behind."""

from __future__ import annotations

import pytest

from bmadc.frontend.files import read_tree
from bmadc.ir.model import Fact
from bmadc.passes.ceremony_activation import RULES
from bmadc.passes.edits import Index, find_edits, settle
from bmadc.passes.sheet import sheet_of
from bmadc.source import Text

TABLE = {rule.id: rule for rule in RULES}
# Only these are under test: the others have their own examples, and settle() needs no rule that is not here.
OWN = {name: rule for name, rule in TABLE.items() if name.startswith(("ceremony.empty-", "ceremony.fact"))}


def told(text: str, **values: str) -> str:
    """Return a text after the rules for customised values, with these values filled in."""
    tree = read_tree(Text("skill.md", text))
    facts = {
        number: tuple(
            Fact("fills", "skill.md", number, f"{{workflow.{name}}}", value)
            for name, value in values.items()
            if f"{{workflow.{name}}}" in tree.slice(leaf)
        )
        for number, leaf in enumerate(tree.leaves)
    }
    edits = settle("skill.md", find_edits(Index(OWN.values()), sheet_of(tree, facts)), OWN)
    assert not edits.conflicts
    return edits.applied(text, 0, len(text))


FACTS = (
    "Treat `{workflow.persistent_facts}` as salt. Entries prefixed `file:` are jars. "
    "All other entries are facts on soup.\n"
)


def test_a_file_among_the_facts_is_an_order_to_read_it() -> None:
    said = told(FACTS, persistent_facts="- file:{project-root}/docs/**/soup.md")
    assert "Read every file that matches `docs/**/soup.md`" in said
    assert "{" not in said
    assert "Entries prefixed" not in said


def test_a_fact_that_is_no_file_holds_as_it_is_written() -> None:
    said = told(FACTS, persistent_facts="- Soup is hot.\n- file:soup.md")
    assert "Soup is hot." in said
    assert "`soup.md`" in said


@pytest.mark.parametrize("value", ["", "_None._"])
def test_no_facts_leave_no_sentence(value: str) -> None:
    assert told(FACTS, persistent_facts=value).strip() == ""


def test_an_order_stays_where_an_override_fills_its_list() -> None:
    text = "Stir. Run each `{workflow.activation_steps_append}` entry.\n"
    assert told(text, activation_steps_append="- Taste it.") == text
    assert told(text, activation_steps_append="_None._") == "Stir. \n"


def test_an_introduction_stays_where_an_override_fills_its_list() -> None:
    text = "Stir these:\n\n{workflow.soups}\n"
    assert told(text, soups="- leek") == text
    assert told(text, soups="_None._").strip() == ""


def test_the_mark_of_a_list_item_stays_with_what_is_left_of_it() -> None:
    assert told("2. Run `{workflow.soups}`. Eat.\n", soups="") == "2. Eat.\n"
