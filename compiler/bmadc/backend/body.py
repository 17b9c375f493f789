"""The prompt of a workflow: one frame for all, the steps of each, and the outputs that it must end with."""

import jinja2

from bmadc.backend.jobs import braced, number
from bmadc.backend.scripts import template
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.catalogue import Outcome, Row
from bmadc.machine.config import AGENT_CONFIG_PATH
from bmadc.machine.labels import BREAKER, VERDICT_APPROVE, VERDICT_CHANGES
from bmadc.machine.protocol import STRIKE

_JINJA = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)
_ROLES = {"SM": "scrum master", "DEV": "developer", "REVIEWER": "reviewer"}
_ENDINGS = {
    Outcome.ENTRY: "Exactly one pull request is asked for with `create_pull_request`, or a person is.",
    Outcome.PUSH: "The commits are asked for with `push_to_pull_request_branch`, or a person is.",
    Outcome.VERDICT: "Exactly one review and exactly one verdict are given, or a person is asked for.",
}


def body(row: Row) -> str:
    """The whole Markdown body, ending in a newline; ValueError if it is too large to be handed over."""
    steps = _render(
        ("bodies", f"{row.id}.md.j2"),
        number=braced(number(row)),
        commit=f"[{row.persona}] [{row.step}]",
        state=braced("needs.pre_activation.outputs.enters"),
        strike=STRIKE.name,
        approve=VERDICT_APPROVE.name,
        changes=VERDICT_CHANGES.name,
    )
    text = _render(
        ("body.md.j2",),
        title=row.title,
        role=_ROLES[row.persona],
        item=f"{'pull request' if row.worker else 'issue'} #{braced(number(row))}",
        settings=AGENT_CONFIG_PATH,
        steps=steps.rstrip("\n"),
        breaker=BREAKER.name,
        ending=_ENDINGS[row.outcome],
    )
    size = len(text.encode())
    if size > BUDGETS.prompt_bytes:
        raise ValueError(
            f"the body of {row.name} has {size} bytes, but a prompt travels as one argument of at most "
            f"{BUDGETS.prompt_bytes}. Shorten its steps."
        )
    return text


def _render(path: tuple[str, ...], **values: str) -> str:
    return _JINJA.from_string(template(*path)).render(values)
