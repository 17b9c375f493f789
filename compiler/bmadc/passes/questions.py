"""All rules on questions: those put to a person in so many words, and orders to ask one."""

from __future__ import annotations

from bmadc.passes import questions_asked, questions_put
from bmadc.passes.rules import Rule
from bmadc.passes.speech import ranked

RULES: tuple[Rule, ...] = ranked(
    (*questions_asked.RULES, *questions_put.RULES), ("person.", "variables.person")
)
