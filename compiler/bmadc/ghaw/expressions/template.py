"""Expressions inside text: `${{ }}` in a string, and the rule for `if`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from bmadc.ghaw.expressions.ast import Call, Literal, Node, Span
from bmadc.ghaw.expressions.errors import ExpressionError
from bmadc.ghaw.expressions.evaluator import Status, evaluate
from bmadc.ghaw.expressions.functions import STATUS_FUNCTIONS
from bmadc.ghaw.expressions.lexer import is_string
from bmadc.ghaw.expressions.parser import parse
from bmadc.ghaw.expressions.queries import calls
from bmadc.ghaw.expressions.values import SPACE, to_string, truthy

_OPEN = "${{"
# Up to the first `}}` outside quotes; a quote that is doubled closes and opens again.
_REST = re.compile(r"((?:[^'}]|'[^']*'|\}(?!\}))*+)\}\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Template:
    """One `${{ expression }}` at text[start:end]; the trimmed expression is at `offset`."""

    start: int
    end: int
    expression: str
    offset: int

    def parse(self) -> Node:
        """Parse the expression, with spans that count in the text around it."""
        return parse(self.expression, base=self.offset)


@dataclass(frozen=True, slots=True)
class Condition:
    """The expression of an `if`; without a status function it holds only after success."""

    node: Node
    has_status_function: bool


def find_templates(text: str) -> tuple[Template, ...]:
    """Find every `${{ }}` in a text from left to right, or raise ExpressionError at one left open."""
    templates: list[Template] = []
    end = 0
    while (start := text.find(_OPEN, end)) >= 0:
        rest = _REST.match(text, start + len(_OPEN))
        if rest is None:
            raise ExpressionError("the expression is not closed", start, ("a '}}' outside quotes",))
        end = rest.end()
        inner = rest.group(1)
        offset = rest.start() + len(inner) - len(inner.lstrip(SPACE))
        templates.append(Template(start, end, inner.strip(SPACE), offset))
    return tuple(templates)


def evaluate_template(text: str, contexts: Mapping[str, object], status: Status | None = None) -> object:
    """Return the value of a string with templates: the raw value of a lone one, else a string."""
    templates = find_templates(text)
    values = [evaluate(template.parse(), contexts, status) for template in templates]
    if _is_lone(templates, text):
        return values[0]
    return "".join(
        part if isinstance(part, str) else to_string(values[part]) for part in _parts(text, templates)
    )


@lru_cache(maxsize=4096)
def condition(text: str) -> Condition:
    """Parse the text of an `if` as GitHub does, or raise ExpressionError."""
    node = _condition_node(text)
    return Condition(node, bool(calls(node) & STATUS_FUNCTIONS))


def holds(text: str, contexts: Mapping[str, object], status: Status) -> bool:
    """Tell whether an `if` lets its job or step run, given how its needs went."""
    parsed = condition(text)
    if not parsed.has_status_function and not status.success:
        return False
    return truthy(evaluate(parsed.node, contexts, status))


def _condition_node(text: str) -> Node:
    templates = find_templates(text)
    if not templates:
        return _bare_condition(text, 0)
    if not _is_lone(templates, text):
        return _formatted(text, templates)
    only = templates[0]
    if is_string(only.expression):
        # GitHub first takes a lone string literal for plain text, and plain text for an expression.
        return _bare_condition(only.expression[1:-1].replace("''", "'"), only.offset + 1)
    return only.parse()


def _bare_condition(text: str, base: int) -> Node:
    lead = len(text) - len(text.lstrip(SPACE))
    return parse(text.strip(SPACE) or "success()", base=base + lead)


def _formatted(text: str, templates: tuple[Template, ...]) -> Node:
    """Return the string that text around templates makes of a condition: one that is hardly ever false."""
    pattern = "".join(
        part.replace("{", "{{").replace("}", "}}") if isinstance(part, str) else f"{{{part}}}"
        for part in _parts(text, templates)
    )
    span = Span(0, len(text))
    arguments = (template.parse() for template in templates)
    return Call("format", (Literal(pattern, span=span), *arguments), span=span)


def _is_lone(templates: tuple[Template, ...], text: str) -> bool:
    return len(templates) == 1 and (templates[0].start, templates[0].end) == (0, len(text))


def _parts(text: str, templates: tuple[Template, ...]) -> list[str | int]:
    """Cut a text into its literal pieces and the numbers of its templates."""
    parts: list[str | int] = []
    end = 0
    for number, template in enumerate(templates):
        parts += [text[end : template.start], number]
        end = template.end
    return [*parts, text[end:]]
