"""The value of an expression, given its contexts."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bmadc.ghaw.expressions import ast
from bmadc.ghaw.expressions.ast import Node
from bmadc.ghaw.expressions.errors import EvaluationError
from bmadc.ghaw.expressions.functions import STATUS_FUNCTIONS, Function, with_implementations
from bmadc.ghaw.expressions.parser import parse
from bmadc.ghaw.expressions.values import (
    Filtered,
    Value,
    equal,
    from_python,
    is_primitive,
    less,
    lookup,
    to_number,
    to_string,
    truthy,
)


@dataclass(frozen=True, slots=True)
class Status:
    """How things went so far: the answers of the status functions."""

    success: bool
    failure: bool
    cancelled: bool


def evaluate(
    node_or_text: Node | str,
    contexts: Mapping[str, object],
    status: Status | None = None,
    functions: Mapping[str, Callable[..., object]] | None = None,
) -> object:
    """Return the value of an expression as plain JSON-like Python, or raise ExpressionError.

    A context that is not given is null. `functions` adds implementations, over built-in ones of that name.
    """
    table = with_implementations(functions or {})
    node = parse(node_or_text, functions=table) if isinstance(node_or_text, str) else node_or_text
    return _Evaluation(contexts, status, table).value(node)


class _Evaluation:
    def __init__(
        self, contexts: Mapping[str, object], status: Status | None, functions: Mapping[str, Function]
    ) -> None:
        self._given = {name.lower(): value for name, value in contexts.items()}
        self._contexts: dict[str, Value] = {}
        self._status = status
        self._functions = functions

    def value(self, node: Node) -> Value:
        match node:
            case ast.Literal(value=constant):
                return constant
            case ast.Context(name=name):
                return self._context(name.lower())
            case ast.Property(target=target, name=name):
                return _select(self.value(target), name)
            case ast.Index(target=target, key=key):
                return _select(self.value(target), self.value(key))
            case ast.Star(target=target):
                return _spread(self.value(target))
            case ast.Call():
                return self._call(node)
            case ast.Not(operand=operand):
                return not truthy(self.value(operand))
            case ast.Logical(operator=operator, operands=operands):
                return self._logical(operator == "||", operands)
            case ast.Compare(operators=operators, operands=operands):
                result = self.value(operands[0])
                for operator, operand in zip(operators, operands[1:], strict=True):
                    result = _COMPARISONS[operator](result, self.value(operand))
                return result

    def _context(self, name: str) -> Value:
        # Copied once only, because an array or a dictionary is equal to nothing but itself.
        if name not in self._contexts:
            self._contexts[name] = from_python(self._given.get(name))
        return self._contexts[name]

    def _logical(self, decisive: bool, operands: Sequence[Node]) -> Value:
        result: Value = None
        for operand in operands:
            result = self.value(operand)
            if truthy(result) is decisive:
                break
        return result

    def _call(self, node: ast.Call) -> Value:
        arguments = [self.value(argument) for argument in node.arguments]
        name = node.name.lower()
        function = self._functions.get(name)
        if function is None:
            raise EvaluationError(f"unknown function '{node.name}'", node.span.start)
        if function.call is None and name in STATUS_FUNCTIONS:
            return self._status_of(name, node)
        if function.call is None:
            raise EvaluationError(f"'{function.name}' has a value only on a runner", node.span.start)
        try:
            return function.call(*arguments)
        except ValueError as error:
            raise EvaluationError(f"'{function.name}' failed: {error}", node.span.start) from error

    def _status_of(self, name: str, node: ast.Call) -> bool:
        if node.arguments:
            raise EvaluationError(f"'{name}' of named jobs cannot be told here", node.span.start)
        if self._status is None:
            raise EvaluationError(f"'{name}' is called where there is no status", node.span.start)
        answers = {
            "always": True,
            "cancelled": self._status.cancelled,
            "failure": self._status.failure,
            "success": self._status.success,
        }
        return answers[name]


_COMPARISONS: Mapping[str, Callable[[Value, Value], bool]] = {
    "==": equal,
    "!=": lambda left, right: not equal(left, right),
    "<": less,
    "<=": lambda left, right: equal(left, right) or less(left, right),
    ">": lambda left, right: less(right, left),
    ">=": lambda left, right: equal(left, right) or less(right, left),
}


def _select(container: Value, key: Value) -> Value:
    if isinstance(container, Filtered):
        return Filtered(value for item in container for value in _member(item, key))
    return next(iter(_member(container, key)), None)


def _member(container: Value, key: Value) -> Sequence[Value]:
    """Return what the key selects as a sequence of one, or an empty one when it selects nothing."""
    if isinstance(container, dict) and is_primitive(key):
        return lookup(container, to_string(key))
    if isinstance(container, list):
        position = to_number(key)
        if 0 <= position < math.inf:
            return container[math.floor(position) :][:1]
    return ()


def _spread(container: Value) -> Filtered:
    if isinstance(container, Filtered):
        return Filtered(value for item in container for value in _items(item))
    return Filtered(_items(container))


def _items(container: Value) -> Sequence[Value]:
    if isinstance(container, dict):
        return tuple(container.values())
    return container if isinstance(container, list) else ()
