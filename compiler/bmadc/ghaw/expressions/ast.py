"""The tree of an expression. Nodes compare by shape: where they stood in the text does not count."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from bmadc.ghaw.expressions.values import Primitive


class Span(NamedTuple):
    """A stretch of the text: from the character at `start` up to, not including, `end`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Placed:
    span: Span = field(default=Span(0, 0), compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Literal(_Placed):
    """A constant: null, true, 42, 'text'."""

    value: Primitive


@dataclass(frozen=True, slots=True)
class Context(_Placed):
    """A context by its name, as written: `github`."""

    name: str


@dataclass(frozen=True, slots=True)
class Property(_Placed):
    """A property by its name: `target.name`."""

    target: "Node"
    name: str


@dataclass(frozen=True, slots=True)
class Index(_Placed):
    """A property or item by a computed key: `target[key]`."""

    target: "Node"
    key: "Node"


@dataclass(frozen=True, slots=True)
class Star(_Placed):
    """Every item or value of the target: `target.*` when dotted, else `target[*]`."""

    target: "Node"
    dotted: bool


@dataclass(frozen=True, slots=True)
class Call(_Placed):
    """A function call: `name(arguments)`."""

    name: str
    arguments: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Not(_Placed):
    """A negation: `!operand`."""

    operand: "Node"


@dataclass(frozen=True, slots=True)
class Compare(_Placed):
    """Operands compared from left to right, so that `a < b < c` means `(a < b) < c`.

    A chain is one flat node because its length, unlike the depth of brackets, has no limit.
    """

    operators: tuple[str, ...]
    operands: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Logical(_Placed):
    """Operands joined by one operator, `&&` or `||`, which stops at the first that decides."""

    operator: str
    operands: tuple["Node", ...]


Node: TypeAlias = Literal | Context | Property | Index | Star | Call | Not | Compare | Logical


def children(node: Node) -> tuple[Node, ...]:
    """Return the direct subexpressions of a node in the order they are written."""
    match node:
        case Property(target=target) | Star(target=target):
            return (target,)
        case Index(target=target, key=key):
            return (target, key)
        case Call(arguments=arguments):
            return arguments
        case Not(operand=operand):
            return (operand,)
        case Compare(operands=operands) | Logical(operands=operands):
            return operands
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, parents first, in the order of the text."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(reversed(children(current)))
