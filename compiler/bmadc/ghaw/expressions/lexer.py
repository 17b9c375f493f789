"""Expression text to tokens, each with its place in the text."""

import math
import re
from typing import NamedTuple

from bmadc.ghaw.expressions.ast import Span
from bmadc.ghaw.expressions.errors import ExpressionError
from bmadc.ghaw.expressions.values import SPACE, Primitive, parse_number, utf16_length

MAX_LENGTH = 21_000

_BOUNDARY = re.escape("([)],!><=&|") + re.escape(SPACE)
_BLANK = re.compile(r"[ \r\t\n]*")
_PUNCTUATION = re.compile(r"&&|\|\||[=!<>]=|[()\[\],.!<>*]")
_NUMBER = re.compile(rf"[^{_BOUNDARY}]+")
_WORD = re.compile(rf".[^{_BOUNDARY}.]*", re.DOTALL)
_IDENTIFIER = re.compile(r"[a-zA-Z_][a-zA-Z0-9_-]*")
_STRING = re.compile(r"'(?:[^']|'')*+'")

_KEYWORDS: dict[str, Primitive] = {
    "true": True,
    "false": False,
    "null": None,
    "NaN": math.nan,
    "Infinity": math.inf,
}
# A dot that follows none of these cannot select a property, so it starts a number.
_SELECTABLE = frozenset({"identifier", "]", ")", "*"})
_MEANT = {"=": "'=='", "&": "'&&'", "|": "'||'", '"': "a string in single quotes"}


class Token(NamedTuple):
    """A token: `kind` is the punctuation itself, or one of literal, identifier and end."""

    kind: str
    text: str
    span: Span
    value: Primitive = None

    @property
    def description(self) -> str:
        """Name the token for a message."""
        return "end of the expression" if self.kind == "end" else f"'{self.text}'"


def tokenize(text: str, base: int = 0) -> list[Token]:
    """Split an expression into tokens, the last of kind end; `base` is added to every place."""
    if utf16_length(text) > MAX_LENGTH:
        raise ExpressionError("the expression is too long", base, (f"at most {MAX_LENGTH} characters",))
    tokens: list[Token] = []
    position = _after_blank(text, 0)
    while position < len(text):
        previous = tokens[-1].kind if tokens else "end"
        kind, end, value = _read(text, position, previous, base)
        tokens.append(Token(kind, text[position:end], Span(base + position, base + end), value))
        position = _after_blank(text, end)
    tokens.append(Token("end", "", Span(base + position, base + position)))
    return tokens


def unquote(quoted: str) -> str:
    """Return the value of a string in quotes.

    Only the first doubled quote stands for one quote: that is how GitHub's own evaluator reads strings,
    although its documentation has it for every one.
    """
    return quoted[1:-1].replace("''", "'", 1)


def is_string(text: str) -> bool:
    """Tell whether the text is one string literal and nothing else."""
    return _STRING.fullmatch(text) is not None


def _after_blank(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


def _read(text: str, start: int, previous: str, base: int) -> tuple[str, int, Primitive]:
    first = text[start]
    if first == "'":
        if string := _STRING.match(text, start):
            return "literal", string.end(), unquote(string.group())
        raise ExpressionError("the string is not closed", base + start, ("a closing quote",))
    if first in "+-0123456789" or (first == "." and previous not in _SELECTABLE):
        return _read_number(text, start, base)
    if punctuation := _PUNCTUATION.match(text, start):
        return punctuation.group(), punctuation.end(), None
    return _read_word(text, start, previous, base)


def _read_number(text: str, start: int, base: int) -> tuple[str, int, Primitive]:
    match = _NUMBER.match(text, start)
    lexeme = match.group() if match else text[start]
    number = parse_number(lexeme)
    if math.isnan(number):
        raise ExpressionError(f"unexpected symbol '{lexeme}'", base + start, ("a number",))
    return "literal", start + len(lexeme), number


def _read_word(text: str, start: int, previous: str, base: int) -> tuple[str, int, Primitive]:
    match = _WORD.match(text, start)
    lexeme = match.group() if match else text[start]
    if not _IDENTIFIER.fullmatch(lexeme):
        expected = _MEANT.get(lexeme[0], "a name of letters, digits, '_' and '-'")
        raise ExpressionError(f"unexpected symbol '{lexeme}'", base + start, (expected,))
    if previous != "." and lexeme in _KEYWORDS:
        return "literal", start + len(lexeme), _KEYWORDS[lexeme]
    return "identifier", start + len(lexeme), None
