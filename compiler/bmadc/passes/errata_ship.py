"""What is mended in reviews, walkthroughs and builds of later releases: who repairs, and how a run ends."""

from __future__ import annotations

from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = ()
