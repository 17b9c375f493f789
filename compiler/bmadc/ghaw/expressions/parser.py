"""Tokens to a tree. Precedence, limits and the few oddities are those of GitHub's own parser."""

from collections.abc import Collection, Mapping
from functools import lru_cache

from bmadc.ghaw.expressions import ast
from bmadc.ghaw.expressions.ast import Node, Span
from bmadc.ghaw.expressions.errors import ExpressionError
from bmadc.ghaw.expressions.functions import FUNCTIONS, Function
from bmadc.ghaw.expressions.lexer import Token, tokenize
from bmadc.ghaw.expressions.names import CONTEXTS, check_names

MAX_DEPTH = 50

# From the loosest to the tightest; the first two stop early and are n-ary, the others compare.
PRECEDENCE = (("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="))
_LOGICAL = frozenset({"||", "&&"})


def parse(
    text: str,
    *,
    contexts: Collection[str] = CONTEXTS,
    functions: Mapping[str, Function] = FUNCTIONS,
    base: int = 0,
) -> Node:
    """Parse one expression and check the names in it, or raise ExpressionError at the first fault.

    `base` is where the text starts in a larger one; spans and offsets count from there.
    """
    if contexts is CONTEXTS and functions is FUNCTIONS:
        return _usual(text, base)
    return _checked(text, contexts, functions, base)


# A lock says the same conditions many times, and a simulated run asks each of them at every event.
@lru_cache(maxsize=4096)
def _usual(text: str, base: int) -> Node:
    return _checked(text, CONTEXTS, FUNCTIONS, base)


def _checked(text: str, contexts: Collection[str], functions: Mapping[str, Function], base: int) -> Node:
    node = parse_syntax(text, base)
    for finding in check_names(node, contexts, functions):
        raise finding.error
    return node


def parse_syntax(text: str, base: int = 0) -> Node:
    """Parse one expression, whatever contexts and functions it names."""
    parser = _Parser(tokenize(text, base))
    node = parser.expression()
    parser.expect("end", "an operator", "the end of the expression")
    return node


class _Parser:
    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0

    def expression(self) -> Node:
        self._enter()
        node = self._operation(0)
        self._depth -= 1
        return node

    def expect(self, kind: str, *expected: str) -> Token:
        token = self._next
        if token.kind != kind:
            raise self._unexpected(*expected)
        self._position += 1
        return token

    def _operation(self, level: int) -> Node:
        if level == len(PRECEDENCE):
            return self._unary()
        start = self._next.span.start
        operands = [self._operation(level + 1)]
        operators: list[str] = []
        if self._next.kind not in PRECEDENCE[level]:
            return operands[0]
        # GitHub counts a chain of logical operators as one level of depth, but no comparison.
        logical = self._next.kind in _LOGICAL
        if logical:
            self._enter()
        while self._next.kind in PRECEDENCE[level]:
            operators.append(self._advance().kind)
            operands.append(self._operation(level + 1))
        if logical:
            self._depth -= 1
            return ast.Logical(operators[0], tuple(operands), span=self._span(start))
        return ast.Compare(tuple(operators), tuple(operands), span=self._span(start))

    def _unary(self) -> Node:
        if self._next.kind != "!":
            return self._selection()
        start = self._advance().span.start
        self._enter()
        operand = self._unary()
        self._depth -= 1
        return ast.Not(operand, span=self._span(start))

    def _selection(self) -> Node:
        start = self._next.span.start
        selectable = self._next.kind in ("(", "identifier")
        node = self._primary()
        depth = self._depth
        while selectable and self._next.kind in (".", "["):
            if self._advance().kind == ".":
                self._enter()
                node = self._dotted(node, start)
            else:
                node = self._indexed(node, start)
                self._enter()
        self._depth = depth
        return node

    def _dotted(self, target: Node, start: int) -> Node:
        if self._accept("*"):
            return ast.Star(target, dotted=True, span=self._span(start))
        name = self.expect("identifier", "a property name", "'*'")
        return ast.Property(target, name.text, span=self._span(start))

    def _indexed(self, target: Node, start: int) -> Node:
        key = None if self._accept("*") else self.expression()
        self.expect("]", *(("']'",) if key is None else ("an operator", "']'")))
        if key is None:
            return ast.Star(target, dotted=False, span=self._span(start))
        return ast.Index(target, key, span=self._span(start))

    def _primary(self) -> Node:
        token = self._next
        if token.kind == "literal":
            self._position += 1
            return ast.Literal(token.value, span=token.span)
        if token.kind == "identifier":
            self._position += 1
            return self._call(token) if self._accept("(") else ast.Context(token.text, span=token.span)
        if token.kind == "(":
            self._position += 1
            node = self.expression()
            self.expect(")", "an operator", "')'")
            return node
        raise self._unexpected("an operand")

    def _call(self, name: Token) -> Node:
        arguments: list[Node] = []
        # A comma may end the list, as in GitHub's parser.
        while not self._accept(")"):
            arguments.append(self.expression())
            if self._next.kind != ")":
                self.expect(",", "','", "')'")
        return ast.Call(name.text, tuple(arguments), span=self._span(name.span.start))

    @property
    def _next(self) -> Token:
        return self._tokens[self._position]

    def _advance(self) -> Token:
        self._position += 1
        return self._tokens[self._position - 1]

    def _accept(self, kind: str) -> bool:
        if self._next.kind != kind:
            return False
        self._position += 1
        return True

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            offset = self._next.span.start
            raise ExpressionError("the expression is too deep", offset, (f"at most {MAX_DEPTH} levels",))

    def _span(self, start: int) -> Span:
        return Span(start, self._tokens[self._position - 1].span.end)

    def _unexpected(self, *expected: str) -> ExpressionError:
        found = self._next
        return ExpressionError(f"unexpected {found.description}", found.span.start, expected)
