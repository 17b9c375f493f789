"""What is mended in the documentation of a project, and in the editing and checking of its PRD."""

from __future__ import annotations

from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = ()
