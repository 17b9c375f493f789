"""Menus, and what hangs on them: the agent chooses, by the names of the options and not by their letters."""

from __future__ import annotations

from bmadc.passes import menus_choices, menus_letters, menus_offers, menus_waits
from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = (
    *menus_letters.RULES,
    *menus_choices.RULES,
    *menus_offers.RULES,
    *menus_waits.RULES,
)
