"""What an expression reads and calls, found without evaluating it."""

from bmadc.ghaw.expressions.ast import Call, Context, Index, Literal, Node, Property, Star, children, walk
from bmadc.ghaw.expressions.parser import parse
from bmadc.ghaw.expressions.values import to_string

ANY_KEY = "*"


def references(node_or_text: Node | str) -> frozenset[tuple[str, ...]]:
    """Return the longest context paths that an expression reads, such as ('needs', 'build', 'result').

    The context is in lower case, the rest as written; a wildcard or a computed key is '*'.
    """
    found: set[tuple[str, ...]] = set()
    pending = [as_node(node_or_text)]
    while pending:
        node = pending.pop()
        path: list[str] = []
        while isinstance(node, Property | Index | Star):
            path.append(_segment(node))
            if isinstance(node, Index):
                pending.append(node.key)
            node = node.target
        if isinstance(node, Context):
            found.add((node.name.lower(), *reversed(path)))
        else:
            pending.extend(children(node))
    return frozenset(found)


def calls(node_or_text: Node | str) -> frozenset[str]:
    """Return the names, in lower case, of the functions that an expression calls."""
    return frozenset(part.name.lower() for part in walk(as_node(node_or_text)) if isinstance(part, Call))


def as_node(node_or_text: Node | str) -> Node:
    """Return the node itself, or the parsed text."""
    return parse(node_or_text) if isinstance(node_or_text, str) else node_or_text


def _segment(node: Property | Index | Star) -> str:
    if isinstance(node, Property):
        return node.name
    if isinstance(node, Index) and isinstance(node.key, Literal):
        return to_string(node.key.value)
    return ANY_KEY
