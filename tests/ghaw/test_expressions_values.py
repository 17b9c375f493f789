"""Values of expressions, and the texts that become values."""

import math
from collections.abc import Callable

import pytest

from bmadc.ghaw.expressions import (
    EvaluationError,
    ExpressionError,
    Status,
    condition,
    evaluate,
    evaluate_template,
    find_templates,
    holds,
    to_string,
    truthy,
)

SUCCESS = Status(success=True, failure=False, cancelled=False)
FAILURE = Status(success=False, failure=True, cancelled=False)
LABELS = {"github": {"event": {"labels": [{"name": "a"}, {"id": 1}, {"name": "b"}]}, "Actor": "mona"}}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("github.event.labels.*.name", ["a", "b"]),
        ("github.ACTOR", "mona"),
        ("GITHUB.event.labels[1]", {"id": 1}),
        ("github.event.labels[9].name", None),
        ("needs.anything.result", None),
        ("env.x || 'default'", "default"),
        ("'a' == 'A' && 1 < 2 && !('1' != 1)", True),
        ("null == 0 && '' == 0 && 'x' != 0", True),
        ("format('{0}-{1}', 1.50, true)", "1.5-true"),
    ],
)
def test_an_expression_has_githubs_value(text: str, value: object) -> None:
    assert evaluate(text, LABELS) == value


def test_a_value_is_a_copy_so_that_contexts_stay_as_they_are() -> None:
    value = evaluate("github.event.labels", LABELS)
    assert isinstance(value, list)
    value.clear()
    assert len(LABELS["github"]["event"]["labels"]) == 3  # type: ignore[index]


@pytest.mark.parametrize(
    ("value", "text", "holds_true"),
    [
        (None, "", False),
        (True, "true", True),
        (False, "false", False),
        (0, "0", False),
        (-0.0, "0", False),
        (math.nan, "NaN", False),
        (12, "12", True),
        (0.1 + 0.2, "0.3", True),
        (1e21, "1e+21", True),
        (-math.inf, "-Infinity", True),
        (10**400, "Infinity", True),
        ("", "", False),
        ("false", "false", True),
        ([], "Array", True),
        ({}, "Object", True),
    ],
)
def test_values_become_text_and_truth(value: object, text: str, holds_true: bool) -> None:
    assert to_string(value) == text
    assert truthy(value) is holds_true


def test_a_value_that_is_not_json_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(TypeError, match="object is no JSON value"):
        evaluate("env", {"env": object()})


@pytest.mark.parametrize(
    ("text", "offset", "reason"),
    [
        ("1 && fromJSON('{')", 5, "'fromJSON' failed"),
        ("format('{0}')", 0, "more arguments than it was given"),
        ("format('{x}', 1)", 0, "stray brace at its character 1"),
        ("case('x', 1, 2)", 0, "a predicate is not a boolean"),
        ("hashFiles('**')", 0, "only on a runner"),
        ("!success()", 1, "no status"),
        ("fromJSON('" + "[" * 9000 + "]" * 9000 + "')", 0, "nested too deeply"),
    ],
)
def test_an_expression_without_a_value_says_where_and_why(text: str, offset: int, reason: str) -> None:
    with pytest.raises(EvaluationError, match=reason) as caught:
        evaluate(text, {})
    assert caught.value.offset == offset


def test_functions_can_be_supplied_by_name_whatever_its_case() -> None:
    given: dict[str, Callable[..., object]] = {
        "hashFiles": lambda *patterns: len(patterns),
        "Twice": lambda text: [text, text],
    }
    assert evaluate("hashfiles('a', 'b')", {}, functions=given) == 2
    assert evaluate("twice('x')[1]", {}, functions=given) == "x"


def test_templates_are_found_with_their_places() -> None:
    text = "a ${{ github.x }}b${{'}}'}} }}"
    found = [
        (text[one.start : one.end], one.expression, text[one.offset :][: len(one.expression)])
        for one in find_templates(text)
    ]
    assert found == [("${{ github.x }}", "github.x", "github.x"), ("${{'}}'}}", "'}}'", "'}}'")]


@pytest.mark.parametrize("text", ["x ${{ github.y", "x ${{ 'a }}", "x ${{ }"])
def test_a_template_left_open_is_an_error_at_its_start(text: str) -> None:
    with pytest.raises(ExpressionError, match="not closed; expected a '}}' outside quotes") as caught:
        find_templates(text)
    assert caught.value.offset == 2


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("plain", "plain"),
        ("", ""),
        ("${{ 1 }}", 1),
        ("${{ github.event.labels.*.id }}", [1]),
        (" ${{ 1 }}", " 1"),
        ("${{ 1 }}${{ null }}", "1"),
        ("it's ${{ github.actor }}, isn't {it}?", "it's mona, isn't {it}?"),
        ("${{ github.event }}", LABELS["github"]["event"]),
    ],
)
def test_a_lone_template_keeps_its_kind_and_others_make_a_string(text: str, value: object) -> None:
    result = evaluate_template(text, LABELS)
    assert result == value
    assert isinstance(result, str) is isinstance(value, str)


def test_an_error_inside_a_template_points_into_the_whole_text() -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate_template("ab ${{  1 +}}", {})
    assert caught.value.offset == 10


@pytest.mark.parametrize(
    ("text", "has_status", "after_success", "after_failure"),
    [
        ("", True, True, False),
        ("true", False, True, False),
        ("${{ github.actor == 'mona' }}", False, True, False),
        ("always()", True, True, True),
        ("!cancelled() && github.actor", True, True, True),
        ("failure()", True, False, True),
        ("'always()' != ''", False, True, False),
        ("github.actor == 'x' || failure()", True, False, True),
        # Text around a template makes a string of the condition, and that string is true.
        ("${{ false }} && true", False, True, False),
        ("${{ always() && false }} ", True, True, True),
    ],
)
def test_an_if_without_a_status_function_needs_success(
    text: str, has_status: bool, after_success: bool, after_failure: bool
) -> None:
    assert condition(text).has_status_function is has_status
    assert holds(text, LABELS, SUCCESS) is after_success
    assert holds(text, LABELS, FAILURE) is after_failure


def test_a_condition_that_is_not_reached_is_not_evaluated() -> None:
    assert holds("fromJSON('{')", {}, FAILURE) is False
    with pytest.raises(EvaluationError):
        holds("fromJSON('{')", {}, SUCCESS)
