"""The names an expression may use: which contexts exist, and which functions with how many arguments."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from bmadc.ghaw.expressions.ast import Call, Context, Node, Span, walk
from bmadc.ghaw.expressions.errors import ExpressionError, nearest
from bmadc.ghaw.expressions.functions import Function

CONTEXTS = frozenset(
    {
        *("env", "github", "inputs", "job", "jobs", "matrix", "needs"),
        *("runner", "secrets", "steps", "strategy", "vars"),
    }
)


class Problem(Enum):
    """The kinds of mistakes in an expression that parses."""

    UNKNOWN_CONTEXT = "unknown-context"
    UNKNOWN_FUNCTION = "unknown-function"
    ARGUMENT_COUNT = "argument-count"
    UNKNOWN_PROPERTY = "unknown-property"


@dataclass(frozen=True, slots=True)
class TypeFinding:
    """One mistake: what it is, where it stands, and what would have been right."""

    problem: Problem
    span: Span
    error: ExpressionError

    @property
    def message(self) -> str:
        """Say what was found and what was expected."""
        return self.error.message

    @classmethod
    def at(cls, span: Span, problem: Problem, message: str, expected: tuple[str, ...]) -> "TypeFinding":
        """Make a finding that points at a span."""
        return cls(problem, span, ExpressionError(message, span.start, expected))


def check_names(
    node: Node, contexts: Collection[str], functions: Mapping[str, Function]
) -> Iterator[TypeFinding]:
    """Yield every unknown context, unknown function and wrong argument count, in the order of the text.

    `contexts` and the keys of `functions` are in lower case; names in expressions have no case.
    """
    for part in walk(node):
        if isinstance(part, Context) and part.name.lower() not in contexts:
            message = f"unknown context '{part.name}'"
            yield TypeFinding.at(part.span, Problem.UNKNOWN_CONTEXT, message, nearest(part.name, contexts))
        elif isinstance(part, Call):
            function = functions.get(part.name.lower())
            if function is None:
                known = nearest(part.name, (function.name for function in functions.values()))
                message = f"unknown function '{part.name}'"
                yield TypeFinding.at(part.span, Problem.UNKNOWN_FUNCTION, message, known)
            elif not function.accepts(len(part.arguments)):
                message = f"wrong number of arguments for '{function.name}': {len(part.arguments)}"
                yield TypeFinding.at(part.span, Problem.ARGUMENT_COUNT, message, (function.arity,))
