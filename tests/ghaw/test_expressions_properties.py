"""What holds for every text and every expression."""

import contextlib
from collections.abc import Callable
from typing import TypeVar

from hypothesis import example, given
from hypothesis import strategies as st

from bmadc.ghaw.expressions import (
    CONTEXTS,
    ContextTypes,
    ExpressionError,
    Simple,
    Status,
    calls,
    check_types,
    condition,
    evaluate,
    evaluate_template,
    find_templates,
    parse,
    references,
    render,
    walk,
)

T = TypeVar("T")
STATUS = Status(success=True, failure=False, cancelled=False)
ANY_ENV = ContextTypes(dict.fromkeys(CONTEXTS, Simple.ANY))

atoms = st.sampled_from(
    (
        "null",
        "true",
        "0x1f",
        "-0",
        ".5",
        "1e-7",
        "1e400",
        "NaN",
        "'it''s'",
        "''",
        "'a''b''c'",
        "github",
        "Needs",
    )
)


def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operators = st.sampled_from(("||", "&&", "==", "!=", "<", "<=", ">", ">="))
    return st.one_of(
        st.builds("{} {} {}".format, inner, operators, inner),
        st.builds("({})".format, inner),
        st.builds("!{}".format, inner),
        st.builds("({}){}".format, inner, st.sampled_from((".*", "[*]", ".name", ".null"))),
        st.builds("env[{}].x".format, inner),
        st.builds("format({}, {})".format, inner, inner),
        st.builds("toJSON({})".format, inner),
    )


expressions = st.recursive(atoms, combined, max_leaves=12)
fragments = st.text(st.sampled_from("()[].,*!=<>&|'\"{}$ 01xe+-anNty_\n\u00a0😀"), max_size=30)


def outcome(function: Callable[[str], T], text: str) -> T | ExpressionError:
    try:
        return function(text)
    except ExpressionError as error:
        return error


@given(st.one_of(st.text(), fragments))
@example("1" + "<1" * 10_000)
@example("1" + "==1" * 6_000)
@example("(" * 10_000)
@example("!" * 20_000)
def test_text_is_an_expression_or_an_expression_error_inside_the_text(text: str) -> None:
    node = outcome(parse, text)
    if isinstance(node, ExpressionError):
        assert 0 <= node.offset <= len(text)
        return
    assert all(0 <= part.span.start < part.span.end <= len(text) for part in walk(node))
    render(node)
    references(node)
    calls(node)
    check_types(node, ANY_ENV)
    with contextlib.suppress(ExpressionError):
        evaluate(node, {}, STATUS)


@given(st.text(st.sampled_from("${}' ab"), max_size=30))
def test_text_has_templates_or_an_expression_error(text: str) -> None:
    templates = outcome(find_templates, text)
    if isinstance(templates, ExpressionError):
        assert text[templates.offset :].startswith("${{")
        return
    assert all(text[one.start :].startswith("${{") for one in templates)
    assert all(text[: one.end].endswith("}}") for one in templates)
    with contextlib.suppress(ExpressionError):
        evaluate_template(text, {}, STATUS)
    with contextlib.suppress(ExpressionError):
        condition(text)


@given(expressions)
def test_a_written_tree_reads_as_the_same_tree(text: str) -> None:
    node = parse(text)
    written = render(node)
    assert parse(written) == node
    assert render(parse(written)) == written


@given(expressions)
def test_evaluation_gives_a_value_or_an_expression_error_and_the_same_twice(text: str) -> None:
    contexts = {"github": {"name": ["a", {"name": None}]}, "needs": {"a": {"b": 1}}}
    try:
        first = evaluate(text, contexts)
    except ExpressionError:
        return
    assert repr(evaluate(render(parse(text)), contexts)) == repr(first)
