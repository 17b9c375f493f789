"""The errors of the expression language: what was found, what was expected, and where the caret goes."""

from collections.abc import Iterable
from difflib import get_close_matches


class ExpressionError(Exception):
    """Text that is not an expression; `offset` is the index of the character to point at."""

    def __init__(self, message: str, offset: int, expected: tuple[str, ...] = ()) -> None:
        super().__init__(message, offset, expected)
        self.offset = offset
        self.expected = expected
        self.message = f"{message}; expected {_either(expected)}" if expected else message

    def __str__(self) -> str:
        return self.message


class EvaluationError(ExpressionError):
    """A well-formed expression that has no value in the contexts it was given."""


def nearest(name: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the names a person may have meant by `name`, or all of them when none is close."""
    by_folded = {known.lower(): known for known in names}
    close = get_close_matches(name.lower(), sorted(by_folded))
    return tuple(by_folded[folded] for folded in close or sorted(by_folded))


def _either(alternatives: tuple[str, ...]) -> str:
    *most, last = alternatives
    return f"{', '.join(most)} or {last}" if most else last
