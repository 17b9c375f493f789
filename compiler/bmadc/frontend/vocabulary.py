"""The tags of BMAD's instruction language, and which of them Markdown may carry.

In Markdown most things in angle brackets are placeholders in prose, such as a name or a path, so only names
of this table count as tags there. A file that is XML throughout has no placeholders: every name counts.
"""

from __future__ import annotations

# Steps and what stands in them.
INSTRUCTIONS = (
    "workflow",
    "task",
    "flow",
    "step",
    "substep",
    "action",
    "check",
    "ask",
    "output",
    "critical",
    "goto",
    "anchor",
    "template-output",
    "invoke-protocol",
    "invoke-task",
    "invoke-workflow",
    "param",
    "note",
    "guideline",
    "facilitation-guidelines",
    "execution-notes",
    "mandate",
    "llm",
    "objective",
)

# Checklists that are written in tags.
CHECKLISTS = ("checklist", "section", "check-item", "prompt", "status", "halt-condition", "halt-conditions")

# Marks that belong to the documents which a workflow writes; they must survive as they are.
DOCUMENT_MARKS = ("frozen-after-approval", "intent-contract")

# Text of another file that upstream has already put in place.
INLINED = ("reference",)

MARKDOWN_TAGS = frozenset((*INSTRUCTIONS, *CHECKLISTS, *DOCUMENT_MARKS, *INLINED))
