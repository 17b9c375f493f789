"""Types of expressions by what their contexts hold."""

import pytest

from bmadc.ghaw.expressions import (
    ArrayType,
    ContextTypes,
    ExpressionError,
    ObjectType,
    Problem,
    Simple,
    Type,
    check_types,
    infer_type,
)

JOB = ObjectType(
    {"result": Simple.STRING, "outputs": ObjectType({"go": Simple.STRING, "halt": Simple.STRING})}
)
ENV = ContextTypes(
    contexts={
        "needs": ObjectType({"pre_activation": JOB, "agent": JOB}),
        "github": ObjectType(
            {
                "actor": Simple.STRING,
                "event": Simple.ANY,
                "run_number": Simple.NUMBER,
                "retries": Simple.NUMBER,
            }
        ),
        "env": ObjectType(rest=Simple.STRING),
        "matrix": ObjectType({"rows": ArrayType(ObjectType({"n": Simple.NUMBER}))}),
    },
    functions=frozenset({"contains", "format", "fromJSON", "toJSON", "case", "always"}),
)


@pytest.mark.parametrize(
    ("text", "inferred"),
    [
        ("null", Simple.NULL),
        ("'x'", Simple.STRING),
        ("needs.agent.outputs.GO", Simple.STRING),
        ("needs['agent']", JOB),
        ("needs[github.actor].result", Simple.STRING),
        ("needs.*.result", ArrayType(Simple.STRING, filtered=True)),
        ("needs.*.outputs.*", ArrayType(Simple.STRING, filtered=True)),
        ("matrix.rows[0].n", Simple.NUMBER),
        ("matrix.rows.*.n", ArrayType(Simple.NUMBER, filtered=True)),
        ("github.event.anything.at.all", Simple.ANY),
        ("env.ANYTHING", Simple.STRING),
        ("github.*", ArrayType(Simple.ANY, filtered=True)),
        ("1 < 2", Simple.BOOLEAN),
        ("!env.x", Simple.BOOLEAN),
        ("env.x || github.actor", Simple.STRING),
        ("env.x && true", Simple.ANY),
        ("format('x')", Simple.STRING),
        ("contains('a', 'b')", Simple.BOOLEAN),
        ("fromJSON('1')", Simple.ANY),
        ("case(true, 1, 2)", Simple.NUMBER),
        ("case(true, 1, '2')", Simple.ANY),
    ],
)
def test_the_type_of_an_expression_comes_from_its_contexts(text: str, inferred: Type) -> None:
    assert infer_type(text, ENV) == inferred
    assert check_types(text, ENV) == []


@pytest.mark.parametrize(
    ("text", "problem", "pointed_at", "expected"),
    [
        ("secrets.x", Problem.UNKNOWN_CONTEXT, "secrets", ("env", "github", "matrix", "needs")),
        ("needz.agent", Problem.UNKNOWN_CONTEXT, "needz", ("needs",)),
        ("!contain('a', 'b')", Problem.UNKNOWN_FUNCTION, "contain('a', 'b')", ("contains",)),
        ("1 && success()", Problem.UNKNOWN_FUNCTION, "success()", None),
        ("toJSON(1, 2)", Problem.ARGUMENT_COUNT, "toJSON(1, 2)", ("1 argument",)),
        ("needs.agnt.result", Problem.UNKNOWN_PROPERTY, "agnt", ("agent",)),
        ("needs.agent.outputs['goo']", Problem.UNKNOWN_PROPERTY, "'goo'", ("go",)),
        ("needs.*.outputs.hat", Problem.UNKNOWN_PROPERTY, "hat", ("halt",)),
        ("github.actor.name", Problem.UNKNOWN_PROPERTY, "name", ()),
        ("github.run_number.*", Problem.UNKNOWN_PROPERTY, "github.run_number.*", ()),
        ("matrix.rows.n", Problem.UNKNOWN_PROPERTY, "n", ("an index", "'*'")),
        ("env[needs.nobody]", Problem.UNKNOWN_PROPERTY, "nobody", ("agent", "pre_activation")),
    ],
)
def test_a_finding_points_at_the_mistake(
    text: str, problem: Problem, pointed_at: str, expected: tuple[str, ...] | None
) -> None:
    (finding,) = check_types(text, ENV)
    assert (finding.problem, text[slice(*finding.span)]) == (problem, pointed_at)
    assert finding.error.offset == finding.span.start
    assert expected is None or finding.error.expected == expected


def test_all_mistakes_are_found_in_the_order_of_the_text() -> None:
    findings = check_types("needs.a.result == foo(1) || secrets.x && contains(needs.b)", ENV)
    assert [(finding.problem, finding.span.start) for finding in findings] == [
        (Problem.UNKNOWN_PROPERTY, 6),
        (Problem.UNKNOWN_FUNCTION, 18),
        (Problem.UNKNOWN_CONTEXT, 28),
        (Problem.ARGUMENT_COUNT, 41),
        (Problem.UNKNOWN_PROPERTY, 56),
    ]
    assert findings[0].message == "the object has no property 'a'; expected agent or pre_activation"


def test_text_that_is_no_expression_has_no_types() -> None:
    with pytest.raises(ExpressionError):
        check_types("needs.", ENV)
