"""How each of BMAD's tags is written in Markdown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class TagForm:
    """What a tag becomes: nothing but its content, a heading, a numbered item, a bullet, a box.

    `label` is what it says itself, with `<name>` for an attribute of it; `bare` what it says when it has none
    of them. `quoted` content is what is to be said, `stressed` content a rule.
    """

    kind: Literal["clear", "heading", "item", "bullet", "box"]
    label: str = ""
    attributes: tuple[str, ...] = ()
    bare: str = ""
    tail: str = ""
    quoted: bool = False
    stressed: bool = False


def _titled(kind: Literal["clear", "heading"], label: str, *attributes: str) -> TagForm:
    return TagForm(kind, label, attributes)


_SECTION = TagForm("heading", "<n> <title> <name>", ("n", "title", "name"), bare="Section")

FORMS: dict[str, TagForm] = {
    "step": TagForm("heading", "Step <n>: <goal><title>", ("n", "goal", "title"), bare="Step"),
    "substep": TagForm("heading", "Step <n>: <goal><title>", ("n", "goal", "title"), bare="Step"),
    "section": _SECTION,
    "phase": TagForm("bullet", "**<n> <name> <title>**", ("n", "name", "title")),
    "action": TagForm("item"),
    "check": TagForm("item"),
    "if": TagForm("item", "If <condition>:", ("condition",)),
    "ask": TagForm("item"),
    "output": TagForm("item", "Report:", quoted=True),
    "critical": TagForm("item", stressed=True),
    "mandate": TagForm("item", stressed=True),
    "note": TagForm("item", "Note:"),
    "example": TagForm("item", "Example <title>:", ("title",), bare="Example:", tail=":"),
    "goto": TagForm("item", "Go to <step><anchor>", ("step", "anchor")),
    "anchor": TagForm("clear", "**<id>**", ("id",)),
    "template-output": TagForm(
        "item",
        "Checkpoint: save this part in <file> and read it again before you go on",
        ("file",),
        bare="Checkpoint: save this part and read it again before you go on:",
        tail=":",
    ),
    "invoke-task": TagForm("item", "Carry out <name>", ("name",)),
    "invoke-workflow": TagForm("item", "Carry out <path>", ("path",)),
    "invoke-protocol": TagForm("item", "Carry out the protocol “<name>”", ("name",)),
    "i": TagForm("item"),
    "guideline": TagForm("bullet"),
    "rule": TagForm("bullet"),
    "halt-condition": TagForm("bullet"),
    "condition": TagForm("bullet"),
    "check-item": TagForm("box", "**<id>**", ("id",)),
    "prompt": TagForm("bullet"),
    "status": TagForm("bullet", "Status:"),
    "tag": TagForm("bullet"),
    "desc": TagForm("bullet"),
    "case": TagForm("item", "<n>", ("n",)),
    "input": TagForm(
        "bullet",
        "`<name>` <desc> (required: <required>, default: <default>)",
        ("name", "desc", "required", "default"),
    ),
    "model": TagForm("bullet", "**<name>**", ("name",)),
    "mode": TagForm("bullet", "**<name>**", ("name",)),
    "strategy": TagForm("bullet", "**<name>**", ("name",)),
    "iterate": TagForm("item"),
    "objective": TagForm("clear", "**Objective**"),
    "inputs": TagForm("clear", "**Inputs**"),
    "halt-conditions": TagForm("clear", "**Halt conditions**"),
    "output-format": TagForm("clear", "**Output format**"),
    "execution-notes": TagForm("clear", "**Notes on the work**"),
    "facilitation-guidelines": TagForm("clear", "**Guidelines**"),
    "human-reader-principles": TagForm("clear", "**Principles for human readers**"),
    "llm-reader-principles": TagForm("clear", "**Principles for model readers**"),
    "structure-models": TagForm("clear", "**Structure models**"),
    "principles": TagForm("clear", "**Principles**"),
    "critical-context": TagForm("clear", "**Context**"),
    "validation": TagForm("clear", "**Validation**"),
    "llm": TagForm("clear", "**Rules**"),
    "critical-rules": TagForm("clear", "**Rules**"),
    "csv-structure": TagForm("clear", "**Columns of the table**"),
    "context-analysis": TagForm("clear", "**Analysis of the context**"),
    "smart-selection": TagForm("clear", "**Selection**"),
    "response-handling": TagForm("clear", "**What follows**"),
    "integration": TagForm(
        "clear", "**Where this is used: <description>**", ("description",), bare="**Where this is used**"
    ),
    "format": TagForm("clear", "**Format**"),
}
