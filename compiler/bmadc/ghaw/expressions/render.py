"""A tree back to text."""

import math

from bmadc.ghaw.expressions import ast
from bmadc.ghaw.expressions.ast import Node
from bmadc.ghaw.expressions.lexer import is_string, unquote
from bmadc.ghaw.expressions.parser import PRECEDENCE
from bmadc.ghaw.expressions.values import Primitive, number_text, to_string

_LEVEL = {operator: level for level, operators in enumerate(PRECEDENCE) for operator in operators}
_UNARY = len(PRECEDENCE)


def render(node: Node) -> str:
    """Write a node as text that parses to an equal node, with only the brackets it needs.

    Only the spaces around operators can make a text too long that was not.
    """
    match node:
        case ast.Literal(value=value):
            return _literal(value)
        case ast.Context(name=name):
            return name
        case ast.Property(target=target, name=name):
            return f"{_target(target)}.{name}"
        case ast.Index(target=target, key=key):
            return f"{_target(target)}[{render(key)}]"
        case ast.Star(target=target, dotted=dotted):
            return f"{_target(target)}{'.*' if dotted else '[*]'}"
        case ast.Call(name=name, arguments=arguments):
            return f"{name}({', '.join(map(render, arguments))})"
        case ast.Not(operand=operand):
            return f"!{_operand(operand, _UNARY)}"
        case ast.Logical(operator=operator, operands=operands):
            tighter = _LEVEL[operator] + 1
            return f" {operator} ".join(_operand(operand, tighter) for operand in operands)
        case ast.Compare(operators=operators, operands=operands):
            tighter = _LEVEL[operators[0]] + 1
            first, *others = (_operand(operand, tighter) for operand in operands)
            return first + "".join(f" {op} {other}" for op, other in zip(operators, others, strict=True))


def _operand(node: Node, loosest: int) -> str:
    match node:
        case ast.Logical(operator=operator) | ast.Compare(operators=(operator, *_)):
            level = _LEVEL[operator]
        case _:
            level = _UNARY
    return f"({render(node)})" if level < loosest else render(node)


def _target(node: Node) -> str:
    selectable = isinstance(node, ast.Context | ast.Property | ast.Index | ast.Star | ast.Call)
    return render(node) if selectable else f"({render(node)})"


def _literal(value: Primitive) -> str:
    if isinstance(value, str):
        quoted = "'" + value.replace("'", "''", 1) + "'"
        if not is_string(quoted) or unquote(quoted) != value:
            raise ValueError(f"no string literal has the value {value!r}: pass its quotes through format()")
        return quoted
    if value is None or isinstance(value, bool):
        return to_string(value) or "null"
    return "-0" if value == 0 and math.copysign(1, value) < 0 else number_text(value)
