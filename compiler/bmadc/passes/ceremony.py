"""Rules for ceremony: what the text says about its own reading, roles and start, not about the work."""

from __future__ import annotations

from bmadc.passes import ceremony_activation, ceremony_roles, ceremony_steps
from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = (*ceremony_steps.RULES, *ceremony_roles.RULES, *ceremony_activation.RULES)
