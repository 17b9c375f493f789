"""From a lowered workflow and its row to the text of one gh-aw document.

Lines of our own may hold tokens, which are filled in here; lines of a source are made neutral and never
filled in, so nothing in a source can become an expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bmadc.backend.jobs import braced, number
from bmadc.backend.neutral import neutral, one_line
from bmadc.backend.yamltext import Value, dump
from bmadc.ghaw.engines import Engine
from bmadc.ir.ledger import ITEM, LAST, STATE, TIME, Line, Lowered, Part
from bmadc.machine.budgets import Time
from bmadc.machine.catalogue import Row
from bmadc.source import MARK

_SKILL = re.compile(r"⟦skill ([a-z][a-z0-9_-]*)⟧")
_PURPOSE = 200


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a workflow comes from, as far as it shows in its file; all of it text of a source."""

    method: str
    workflow: str
    agents: tuple[str, ...] = ()
    purpose: str = ""


def document(
    row: Row,
    lowered: Lowered,
    engine: Engine,
    origin: Origin,
    front: Mapping[str, Value],
    instructions: str,
) -> str:
    """Return the whole text of a workflow, as gh-aw compiles it, around the instructions of its body."""
    skills = [part for part in lowered.parts if part.kind == "skill"]
    return "\n".join(
        (
            "---",
            f"# {made_from(origin.method, origin.workflow)}",
            f"{dump(front)}---",
            "",
            instructions.rstrip("\n"),
            *(line for skill in skills for line in _skill(row, skill, engine)),
            "",
        )
    )


def method_of(release: str, called: str = "") -> str:
    """Return what a pack calls the method that it was made from."""
    return called or one_line(f"BMAD {release}".strip(), 60)


def made_from(method: str, workflow: str = "") -> str:
    """Return the sentence that marks a file as ours."""
    source = f"{method}, {workflow}" if workflow else method
    return f"{MARK} from {one_line(source, 120)}. Changes here are lost at the next build."


def body(row: Row, lowered: Lowered, engine: Engine, time: Time) -> str:
    """Return what the agent reads at once, with the time that it has: everything but skills and files."""
    (part,) = (one for one in lowered.parts if one.kind == "body")
    limits = {TIME: str(time), LAST: str(time.last())}
    return "\n".join(_filled(row, part.lines, engine, limits)) + "\n"


def guarded(instructions: str, guardrails: Sequence[str]) -> str:
    """Return the instructions of a body with more guardrails before its own."""
    if not guardrails:
        return instructions
    lines = instructions.split("\n")
    first = lines.index("## Guardrails") + 2
    lines[first:first] = [f"- {neutral(one)}" for one in guardrails]
    return "\n".join(lines)


def item_of(row: Row) -> str:
    """Return what a run of a workflow is about, as its text calls it."""
    return f"{'pull request' if row.on_pulls else 'issue'} #{braced(number(row))}"


def _filled(
    row: Row, lines: Iterable[Line], engine: Engine, limits: Mapping[str, str] | None = None
) -> Iterable[str]:
    values = {ITEM: item_of(row), STATE: braced("needs.pre_activation.outputs.enters"), **(limits or {})}
    for line in lines:
        text = neutral(line.text)
        if line.tokens:
            for token, value in values.items():
                text = text.replace(token, value)
            text = _SKILL.sub(lambda found: engine.skills.format(name=found[1]), text)
        yield text


def _skill(row: Row, part: Part, engine: Engine) -> Iterable[str]:
    lines = list(_filled(row, part.lines, engine))
    yield ""
    yield f"## skill: `{part.name}`"
    yield ""
    # Three dashes first would be taken for the frontmatter of the skill.
    if next((line for line in lines if line), "").startswith("---"):
        yield f"### {one_line(part.title, 100)}"
        yield ""
    yield from lines
    yield ""
    yield f"## end skill: `{part.name}`"


def describe(row: Row, origin: Origin) -> str:
    """Return the description of a workflow: what it does, and as whom."""
    who = one_line(" and ".join(origin.agents), 80)
    purpose = row.purpose if not origin.purpose else one_line(origin.purpose, _PURPOSE)
    return f"BMAD {row.title}{f' ({who})' if who else ''}: {purpose}"
