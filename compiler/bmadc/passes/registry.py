"""All passes in their order, and all rules by their id."""

from __future__ import annotations

from functools import cache

from bmadc.passes import (
    ceremony,
    errata_build,
    errata_dev,
    errata_elicitation,
    errata_files,
    errata_party,
    errata_plans,
    errata_prd,
    errata_prd_steps,
    errata_review,
    errata_ship,
    errata_skills,
    flow,
    folds,
    matter,
    menus,
    names,
    person,
    personas,
    questions,
    structural,
    writes,
)
from bmadc.passes.edits import Index
from bmadc.passes.rules import Rule

# The order in which a reader meets them; where two rules want the same words, one of them names the other.
TABLES: tuple[tuple[str, tuple[Rule, ...]], ...] = (
    ("includes and variables", structural.RULES),
    ("front matter", matter.RULES),
    ("control flow", (*flow.RULES, *folds.RULES)),
    ("errata of building and of documents", (*errata_build.RULES, *errata_prd.RULES, *errata_skills.RULES)),
    ("menus", menus.RULES),
    ("questions", questions.RULES),
    ("ceremony", ceremony.RULES),
    ("writes", writes.RULES),
    ("names", names.RULES),
    ("person", person.RULES),
    ("agents", personas.RULES),
    ("errata of stories", (*errata_dev.RULES, *errata_review.RULES)),
    ("errata of plans in steps", (*errata_prd_steps.RULES, *errata_plans.RULES)),
    ("errata of later work", (*errata_ship.RULES, *errata_files.RULES)),
    ("errata of what is shared", (*errata_elicitation.RULES, *errata_party.RULES)),
)


@cache
def rules() -> dict[str, Rule]:
    """Return every rule by its id, in the order of the passes."""
    return {rule.id: rule for _, table in TABLES for rule in table}


@cache
def index() -> Index:
    """Return the rules that look at nothing but a file's own text, by the words that they look for."""
    return Index(text_rules())


@cache
def text_rules() -> tuple[Rule, ...]:
    """Return the rules that look at nothing but a file's own text."""
    return tuple(rule for rule in rules().values() if not rule.by_context)
