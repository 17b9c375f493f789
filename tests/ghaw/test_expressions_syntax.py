"""Trees, spans and errors of the expression language."""

import pytest

from bmadc.ghaw.expressions import ExpressionError, calls, parse, references, render, walk
from bmadc.ghaw.expressions.ast import Call, Compare, Context, Index, Literal, Logical, Not, Property, Star


def test_a_tree_follows_githubs_precedence() -> None:
    assert parse("!github.a == 1 < 2 && env.b || null") == Logical(
        "||",
        (
            Logical(
                "&&",
                (
                    Compare(
                        ("==",),
                        (
                            Not(Property(Context("github"), "a")),
                            Compare(("<",), (Literal(1.0), Literal(2.0))),
                        ),
                    ),
                    Property(Context("env"), "b"),
                ),
            ),
            Literal(None),
        ),
    )


def test_every_way_to_select_is_its_own_node() -> None:
    assert parse("github.a[0].*[*]") == Star(
        Star(Index(Property(Context("github"), "a"), Literal(0.0)), dotted=True), dotted=False
    )


def test_every_node_spans_its_own_text() -> None:
    text = " contains( needs.*.result , 'a' ) && (1 < github['x']) "
    spanned = [(type(node), text[slice(*node.span)]) for node in walk(parse(text))]
    assert spanned == [
        (Logical, "contains( needs.*.result , 'a' ) && (1 < github['x'])"),
        (Call, "contains( needs.*.result , 'a' )"),
        (Property, "needs.*.result"),
        (Star, "needs.*"),
        (Context, "needs"),
        (Literal, "'a'"),
        (Compare, "1 < github['x']"),
        (Literal, "1"),
        (Index, "github['x']"),
        (Context, "github"),
        (Literal, "'x'"),
    ]


def test_spans_count_from_the_base() -> None:
    assert [node.span for node in walk(parse("github.a", base=10))] == [(10, 18), (10, 16)]


@pytest.mark.parametrize(
    ("text", "offset", "found", "expected"),
    [
        ("", 0, "unexpected end of the expression", ("an operand",)),
        ("1 ==", 4, "unexpected end of the expression", ("an operand",)),
        ("1 == )", 5, "unexpected ')'", ("an operand",)),
        ("(1", 2, "unexpected end of the expression", ("an operator", "')'")),
        ("1 2", 2, "unexpected '2'", ("an operator", "the end of the expression")),
        ("github.", 7, "unexpected end of the expression", ("a property name", "'*'")),
        ("github[1", 8, "unexpected end of the expression", ("an operator", "']'")),
        ("github[*1]", 8, "unexpected '1'", ("']'",)),
        ("format('a' 'b')", 11, "unexpected ''b''", ("','", "')'")),
        ("github.a = 'x'", 9, "unexpected symbol '='", ("'=='",)),
        ("1 & 2", 2, "unexpected symbol '&'", ("'&&'",)),
        ("1 | 2", 2, "unexpected symbol '|'", ("'||'",)),
        ('github.a == "x"', 12, "unexpected symbol '\"x\"'", ("a string in single quotes",)),
        ("1 == 2x", 5, "unexpected symbol '2x'", ("a number",)),
        ("env.é", 4, "unexpected symbol 'é'", ("a name of letters, digits, '_' and '-'",)),
        ("1 == 'abc", 5, "the string is not closed", ("a closing quote",)),
        ("needs.a && gihub.b", 11, "unknown context 'gihub'", ("github",)),
        ("1 && containz('a', 'b')", 5, "unknown function 'containz'", ("contains",)),
        ("!contains('a')", 1, "wrong number of arguments for 'contains': 1", ("2 arguments",)),
        ("toJSON()", 0, "wrong number of arguments for 'toJSON': 0", ("1 argument",)),
        ("always(1)", 0, "wrong number of arguments for 'always': 1", ("no arguments",)),
        ("join()", 0, "wrong number of arguments for 'join': 0", ("1 to 2 arguments",)),
        ("case(1, 2)", 0, "wrong number of arguments for 'case': 2", ("an odd number, 3 or more",)),
        ("!" * 50 + "1", 50, "the expression is too deep", ("at most 50 levels",)),
        ("'" + "x" * 21_000 + "'", 0, "the expression is too long", ("at most 21000 characters",)),
    ],
)  # fmt: skip
def test_an_error_names_what_was_found_and_expected_and_where(
    text: str, offset: int, found: str, expected: tuple[str, ...]
) -> None:
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert (caught.value.offset, caught.value.expected) == (offset, expected)
    assert caught.value.message.startswith(f"{found}; expected ")
    assert all(alternative in str(caught.value) for alternative in expected)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("((1))", "1"),
        ("( github.a )[ 'b' ] . *", "github.a['b'].*"),
        ("('a')[0]", "('a')[0]"),
        ("(1 || 2) && !(3 == 4)", "(1 || 2) && !(3 == 4)"),
        ("1 || (2 && 3)", "1 || 2 && 3"),
        ("(1 && 2) && 3", "(1 && 2) && 3"),
        ("1 == (2 == 3) != 4", "1 == (2 == 3) != 4"),
        ("(1 < 2) == 3", "1 < 2 == 3"),
        ("format('it''s',null,-0,1e21,0xff,.5,)", "format('it''s', null, -0, 1e+21, 255, 0.5)"),
        ("NaN == -Infinity", "NaN == -Infinity"),
    ],
)
def test_a_tree_is_written_with_the_brackets_it_needs(text: str, written: str) -> None:
    assert render(parse(text)) == written


def test_a_string_that_no_literal_can_hold_is_refused() -> None:
    assert render(Literal("it's")) == "'it''s'"
    with pytest.raises(ValueError, match="format"):
        render(Literal("a'b'c"))


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("needs.pre_activation.outputs.go == 'true'", {("needs", "pre_activation", "outputs", "go")}),
        ("Needs['a'].Result && github", {("needs", "a", "Result"), ("github",)}),
        ("needs.*.result", {("needs", "*", "result")}),
        ("needs[matrix.job].outputs[*].x", {("needs", "*", "outputs", "*", "x"), ("matrix", "job")}),
        ("github.event.labels[0].name", {("github", "event", "labels", "0", "name")}),
        ("fromJSON(env.list)[github.run_number].x", {("env", "list"), ("github", "run_number")}),
        ("(vars.a || inputs.b).c", {("vars", "a"), ("inputs", "b")}),
        ("!success() && 'github.actor'", set()),
    ],
)
def test_references_are_the_paths_an_expression_reads(text: str, paths: set[tuple[str, ...]]) -> None:
    assert references(text) == paths == references(parse(text))


def test_calls_are_found_wherever_they_stand_in_lower_case() -> None:
    assert calls("!Always() && github[toJSON(1)] == format('success()')") == {"always", "tojson", "format"}
