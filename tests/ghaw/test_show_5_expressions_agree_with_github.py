"""Issue 2, line 5: our evaluator and GitHub's own agree on what is an expression and on its value."""

from collections import Counter
from collections.abc import Iterator

import pytest

from bmadc.ghaw.expressions import (
    CONTEXTS,
    FUNCTIONS,
    ExpressionError,
    condition,
    evaluate,
    holds,
    parse,
    to_string,
    truthy,
    walk,
)
from bmadc.ghaw.expressions.ast import (
    Call,
    Compare,
    Context,
    Index,
    Literal,
    Logical,
    Node,
    Not,
    Property,
    Star,
)
from bmadc.ghaw.expressions.values import kind_of
from support.expression_corpus import STATUSES, WORLD, corpus
from support.oracles import Case, Verdict, evaluate_with_oracle

AT_LEAST = 50
REQUIRED = (
    *(f"operator {symbol}" for symbol in ("!", "!=", "&&", "<", "<=", "==", ">", ">=", "||")),
    *(f"function {function.name}" for function in FUNCTIONS.values()),
    *(f"context {name}" for name in sorted(CONTEXTS)),
    *(f"filter {form}" for form in (".*", ".name", "[*]", "[key]")),
    *(f"literal {kind}" for kind in ("Boolean", "Null", "Number", "String", "string with a quote")),
    *(
        f"number {form}"
        for form in ("Infinity", "NaN", "binary", "exponent", "fraction", "hex", "negative", "octal")
    ),
)


_SPECIAL = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity", "-0.0": "-0"}


def our_verdict(case: Case) -> Verdict:
    try:
        node = parse(case.text)
    except ExpressionError:
        return Verdict(parsed=False, evaluated=False)
    try:
        value = evaluate(node, case.contexts, case.status, {"hashFiles": hash_files})
    except ExpressionError:
        return Verdict(parsed=True, evaluated=False)
    return Verdict(True, True, tagged(value), to_string(value), truthy(value))


def hash_files(*patterns: object) -> str:
    return "+".join(map(to_string, patterns))


def tagged(value: object) -> object:
    match value:
        case None:
            return ["Null"]
        case float():
            return ["Number", _SPECIAL.get(repr(value), value)]
        case list():
            return ["Array", [tagged(item) for item in value]]
        case dict():
            return ["Object", [[key, tagged(item)] for key, item in value.items()]]
        case _:
            return [kind_of(value), value]


def features(node: Node, text: str) -> Iterator[str]:
    """Name the features that an expression uses, once for every use."""
    for part in walk(node):
        match part:
            case Context(name=name):
                yield f"context {name.lower()}"
            case Call(name=name):
                yield f"function {FUNCTIONS[name.lower()].name}"
            case Not():
                yield "operator !"
            case Logical(operator=operator):
                yield f"operator {operator}"
            case Compare(operators=operators):
                yield from (f"operator {operator}" for operator in operators)
            case Property():
                yield "filter .name"
            case Index():
                yield "filter [key]"
            case Star(dotted=dotted):
                yield "filter .*" if dotted else "filter [*]"
            case Literal(value=value):
                yield f"literal {kind_of(value)}"
                yield from literal_forms(text[slice(*part.span)])


def literal_forms(source: str) -> Iterator[str]:
    if source.startswith("'"):
        if "''" in source[1:-1]:
            yield "literal string with a quote"
        return
    forms = {
        "hex": "0x",
        "octal": "0o",
        "binary": "0b",
        "negative": "-",
        "Infinity": "infinity",
        "NaN": "nan",
    }
    lowered = source.lower()
    yield from (f"number {form}" for form, mark in forms.items() if mark in lowered.replace("e-", "e"))
    if lowered[:1] in "+-.0123456789" and "x" not in lowered and "b" not in lowered:
        if "." in lowered:
            yield "number fraction"
        if "e" in lowered:
            yield "number exponent"


@pytest.mark.needs("node-oracles")
def test_our_evaluator_and_githubs_agree_on_every_expression() -> None:
    cases = corpus()
    theirs = evaluate_with_oracle(cases)
    ours = [our_verdict(case) for case in cases]

    counts: Counter[str] = Counter()
    for case, verdict in zip(cases, ours, strict=True):
        if verdict.evaluated:
            counts.update(set(features(parse(case.text), case.text)))
    disagreements = [
        f"{case.text!r}: ours {mine} {mine.string!r}, GitHub's {their} {their.string!r}"
        for case, mine, their in zip(cases, ours, theirs, strict=True)
        if mine != their
    ]
    outcomes = Counter(
        "a value" if verdict.evaluated else "an error when evaluated" if verdict.parsed else "no expression"
        for verdict in theirs
    )
    distinct = len({case.text for case in cases})
    print_table(distinct, outcomes, counts, len(disagreements))

    assert disagreements == []
    assert distinct >= 2000
    assert min(outcomes.values()) >= 200
    assert {name: counts[name] for name in REQUIRED if counts[name] < AT_LEAST} == {}


def print_table(distinct: int, outcomes: Counter[str], counts: Counter[str], disagreements: int) -> None:
    print(f"\n{distinct} different expressions")
    for outcome, count in sorted(outcomes.items()):
        print(f"  {outcome:<28}{count:>6}")
    print("expressions with a value that use")
    for name in REQUIRED:
        print(f"  {name:<28}{counts[name]:>6}")
    print(f"disagreements: {disagreements}")


CONDITIONS = (
    *(
        "",
        "  ",
        "true",
        "false",
        "success()",
        "always()",
        "failure()",
        "cancelled()",
        "!cancelled()",
        "FAILURE()",
    ),
    *(
        "github.actor == 'octocat'",
        "github.actor == 'nobody'",
        "needs.agent.result == 'skipped'",
        "needs.agent",
    ),
    *("always() && needs.agent.result", "contains('always()', 'always')", "github.always", "!success()"),
    *(
        "contains(github.actor, format('{0}', failure()))",
        "github.event.labels[cancelled()]",
        "(((always())))",
    ),
    *("${{ true }}", "${{ false }}", "${{ always() }}", "${{ failure() || 0 }}", "  true  ", "${{ '' }}"),
    *(
        "${{ false }} ",
        "${{ false }} && true",
        "${{ false }}${{ '' }}",
        "x: ${{ always() }}",
        "{0} ${{ false }}",
    ),
    *(
        "${{ 'false' }}",
        "${{ 'true' }}",
        "${{ 'always()' }}",
        "${{ ' ' }}",
        "${{ 'it''s' }}",
        "${{ ('false') }}",
    ),
    *(
        "${{ true",
        "${{ }}",
        "${{",
        "true }}",
        "${{ 'a }}",
        "${{ 'a }} b' }}",
        "${{ a.b }}",
        "foo()",
        "1 +",
        "'",
    ),
    *(
        "null",
        "0",
        "''",
        "'x'",
        "NaN",
        "github",
        "secrets.TOKEN",
        "!",
        "!false",
        "needs.*.result",
        "1 == 1 == 1",
    ),
)


@pytest.mark.needs("node-oracles")
def test_a_jobs_if_holds_when_github_says_so() -> None:
    # The four contexts that a job's `if` may read; ours knows them all, so `secrets` is left to the types.
    contexts = {name: WORLD[name] for name in ("github", "inputs", "needs", "vars")}
    cases = [
        Case(text, contexts, status, is_condition=True)
        for text in CONDITIONS
        if "secrets" not in text
        for status in STATUSES
    ]
    theirs = [verdict.truthy for verdict in evaluate_with_oracle(cases)]
    ours = [holds_or_none(case) for case in cases]

    differing = {case.text for case, mine, their in zip(cases, ours, theirs, strict=True) if mine != their}
    assert differing == set()
    assert {True, False, None} == set(theirs)


def holds_or_none(case: Case) -> bool | None:
    assert case.status is not None
    try:
        condition(case.text)
    except ExpressionError:
        return None
    return holds(case.text, case.contexts, case.status)
