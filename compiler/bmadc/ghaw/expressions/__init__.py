"""GitHub's expression language: parse, type and evaluate what stands in `${{ }}` and in `if`."""

from bmadc.ghaw.expressions.ast import Node, Span, walk
from bmadc.ghaw.expressions.errors import EvaluationError, ExpressionError
from bmadc.ghaw.expressions.evaluator import Status, evaluate
from bmadc.ghaw.expressions.functions import FUNCTIONS, STATUS_FUNCTIONS
from bmadc.ghaw.expressions.names import CONTEXTS, Problem, TypeFinding
from bmadc.ghaw.expressions.parser import parse
from bmadc.ghaw.expressions.queries import calls, references
from bmadc.ghaw.expressions.render import render
from bmadc.ghaw.expressions.template import (
    Condition,
    Template,
    condition,
    evaluate_template,
    find_templates,
    holds,
)
from bmadc.ghaw.expressions.types import (
    ArrayType,
    ContextTypes,
    ObjectType,
    Simple,
    Type,
    check_types,
    infer_type,
)
from bmadc.ghaw.expressions.values import to_string, truthy

__all__ = [
    "CONTEXTS",
    "FUNCTIONS",
    "STATUS_FUNCTIONS",
    "ArrayType",
    "Condition",
    "ContextTypes",
    "EvaluationError",
    "ExpressionError",
    "Node",
    "ObjectType",
    "Problem",
    "Simple",
    "Span",
    "Status",
    "Template",
    "Type",
    "TypeFinding",
    "calls",
    "check_types",
    "condition",
    "evaluate",
    "evaluate_template",
    "find_templates",
    "holds",
    "infer_type",
    "parse",
    "references",
    "render",
    "to_string",
    "truthy",
    "walk",
]
