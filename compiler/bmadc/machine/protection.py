"""Which files gh-aw refuses by their name alone, in whatever folder they are.

Manifests are refused too; those stand with the stacks that they belong to.
"""

from __future__ import annotations

PROTECTED_TEXTS = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CODE_OF_CONDUCT.md",
    "CODEOWNERS",
    "DESIGN.md",
    "AGENTS.md",
    "CLAUDE.md",
    "GEMINI.md",
)
"""Files that people or agents go by; the last ones are those of the engines."""
