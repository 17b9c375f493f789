"""x."""

from __future__ import annotations

from bmadc.passes.errata import erratum
from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = ()
