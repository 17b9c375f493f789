"""Every rule does to its examples what it says, leaves its near misses alone, and is complete."""

from __future__ import annotations

import re

import pytest

from bmadc.passes.frame import BY_KEY
from bmadc.passes.registry import rules, text_rules
from bmadc.passes.rules import Once, Phrase, Rule, Sentence, Whole
from support.rules import applied

TEXT_RULES = [pytest.param(rule, id=rule.id) for rule in text_rules()]


@pytest.mark.parametrize("rule", TEXT_RULES)
def test_examples_become_what_they_should(rule: Rule) -> None:
    assert rule.examples, "a rule without an example cannot be read or tested"
    for before, after in rule.examples:
        assert applied(rule, before) == after


@pytest.mark.parametrize("rule", TEXT_RULES)
def test_near_misses_stay(rule: Rule) -> None:
    assert rule.near, "a rule without a near miss may match anything"
    for text in rule.near:
        assert applied(rule, text) == text


@pytest.mark.parametrize("rule", TEXT_RULES)
def test_patterns_are_in_small_letters_and_short(rule: Rule) -> None:
    find = rule.find
    if isinstance(find, Phrase | Sentence | Whole):
        # Escapes such as \S mean classes, everything else is compared with small letters.
        assert find.hint == find.hint.lower() != ""
        assert not re.search(r"(?<!\\)[A-Z]", re.sub(r"\(\?P<\w+>|\\.", "", find.pattern)), find.pattern
        assert re.compile(find.pattern).groups >= 0


def test_ids_are_unique_and_families_are_known() -> None:
    table = rules()
    families = {name.partition(".")[0] for name in table}
    for rule in table.values():
        assert re.fullmatch(r"[a-z]+\.[a-z0-9-]+", rule.id)
        assert rule.reason.endswith(".")
        for name in rule.over:
            assert name in table or (name.endswith(".") and name[:-1] in families), (rule.id, name)
        assert not rule.needs or rule.needs in BY_KEY
        if isinstance(rule.make, Once):
            assert rule.make.key in BY_KEY
            assert rule.state == "merged"
