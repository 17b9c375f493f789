"""The type of an expression, given what each context holds, and what is wrong with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from bmadc.ghaw.expressions import ast
from bmadc.ghaw.expressions.ast import Node, Span
from bmadc.ghaw.expressions.errors import nearest
from bmadc.ghaw.expressions.functions import FUNCTIONS
from bmadc.ghaw.expressions.names import Problem, TypeFinding, check_names
from bmadc.ghaw.expressions.parser import parse_syntax
from bmadc.ghaw.expressions.values import kind_of, to_number, to_string


class Simple(Enum):
    """The types without parts; ANY stands for a value that only the run can tell."""

    ANY = "Any"
    NULL = "Null"
    BOOLEAN = "Boolean"
    NUMBER = "Number"
    STRING = "String"


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array; a filtered one, as `*` gives it, passes a property on to its items."""

    item: "Type"
    filtered: bool = False


@dataclass(frozen=True, slots=True)
class ObjectType:
    """A dictionary with these properties; any other has the type `rest`, or is unknown without it."""

    properties: Mapping[str, "Type"] = field(default_factory=dict)
    rest: "Type | None" = None


Type: TypeAlias = Simple | ArrayType | ObjectType


@dataclass(frozen=True, slots=True)
class ContextTypes:
    """What an expression may use at one place: contexts with their types, and functions by name."""

    contexts: Mapping[str, Type]
    functions: frozenset[str] = frozenset(FUNCTIONS)


def check_types(node_or_text: Node | str, env: ContextTypes) -> list[TypeFinding]:
    """Return every unknown name or property and every wrong argument count, in the order of the text.

    Text with a syntax error raises ExpressionError: it has no parts to look at.
    """
    node = _as_syntax(node_or_text)
    contexts = {name.lower() for name in env.contexts}
    functions = {name.lower(): FUNCTIONS[name.lower()] for name in env.functions}
    inference = _Inference(env)
    inference.type_of(node)
    findings = [*check_names(node, contexts, functions), *inference.findings]
    return sorted(findings, key=lambda finding: finding.span)


def infer_type(node_or_text: Node | str, env: ContextTypes) -> Type:
    """Return the type of an expression's value, ANY where it is wrong or open."""
    return _Inference(env).type_of(_as_syntax(node_or_text))


def _as_syntax(node_or_text: Node | str) -> Node:
    return parse_syntax(node_or_text) if isinstance(node_or_text, str) else node_or_text


class _Inference:
    def __init__(self, env: ContextTypes) -> None:
        self._contexts = {name.lower(): held for name, held in env.contexts.items()}
        self.findings: list[TypeFinding] = []

    def type_of(self, node: Node) -> Type:
        match node:
            case ast.Literal(value=value):
                return Simple(kind_of(value))
            case ast.Context(name=name):
                return self._contexts.get(name.lower(), Simple.ANY)
            case ast.Property(target=target, name=name):
                name_span = Span(node.span.end - len(name), node.span.end)
                return self._selected(self.type_of(target), name, name_span)
            case ast.Index(target=target, key=key):
                container = self.type_of(target)
                self.type_of(key)
                name_or_any = to_string(key.value) if isinstance(key, ast.Literal) else None
                return self._selected(container, name_or_any, key.span)
            case ast.Star(target=target):
                container = self.type_of(target)
                selected = self._selected(container, None, node.span)
                return selected if _is_filtered(container) else ArrayType(selected, filtered=True)
            case ast.Call(name=name, arguments=arguments):
                return _result(name.lower(), [self.type_of(argument) for argument in arguments])
            case ast.Logical(operands=operands):
                return _common([self.type_of(operand) for operand in operands])
            case ast.Not() | ast.Compare():
                for operand in ast.children(node):
                    self.type_of(operand)
                return Simple.BOOLEAN

    def _selected(self, container: Type, key: str | None, span: Span) -> Type:
        selected = _member(container, key)
        if selected is not None:
            return selected
        part = "parts" if key is None else f"property '{key}'"
        message = f"{_described(container)} has no {part}"
        expected = _keys_like(key or "", container)
        self.findings.append(TypeFinding.at(span, Problem.UNKNOWN_PROPERTY, message, expected))
        return Simple.ANY


def _member(container: Type, key: str | None) -> Type | None:
    """Return the type under a key, any key when it is None; None when there can be nothing."""
    match container:
        case Simple():
            return Simple.ANY if container is Simple.ANY else None
        case ArrayType(item=item, filtered=True):
            inner = _member(item, key)
            return None if inner is None else ArrayType(inner, filtered=True)
        case ArrayType(item=item):
            return item if key is None or to_number(key) >= 0 else None
        case ObjectType(properties=properties, rest=rest):
            if key is None:
                return _common([*properties.values(), *([rest] if rest else [])])
            return next((held for name, held in properties.items() if name.lower() == key.lower()), rest)


def _result(function: str, arguments: list[Type]) -> Type:
    if function == "case":
        return _common([*arguments[1:-1:2], *arguments[-1:]])
    return Simple(FUNCTIONS[function].returns) if function in FUNCTIONS else Simple.ANY


def _common(types: list[Type]) -> Type:
    return types[0] if types and all(other == types[0] for other in types) else Simple.ANY


def _is_filtered(container: Type) -> bool:
    return isinstance(container, ArrayType) and container.filtered


def _keys_like(key: str, container: Type) -> tuple[str, ...]:
    match container:
        case ArrayType(item=item, filtered=True):
            return _keys_like(key, item)
        case ArrayType():
            return ("an index", "'*'")
        case ObjectType(properties=properties):
            return nearest(key, properties)
        case Simple():
            return ()


def _described(container: Type) -> str:
    match container:
        case Simple():
            return f"a value of type {container.value}"
        case ArrayType(item=item, filtered=filtered):
            return _described(item) if filtered else "an array"
        case ObjectType():
            return "the object"
