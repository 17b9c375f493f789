"""Where in a workflow a finding of gh-aw belongs.

gh-aw knows the place of a schema error. For most of its other checks it has none and puts 1:1, or the line
of `engine:`, or nothing. A caret under a line that has nothing to do with the message sends people the wrong
way, so such a place is not believed; instead the words that the message quotes are looked up in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bmadc.diagnostics import Span
from bmadc.ghaw.findings import Finding
from bmadc.source import Text

_QUOTED = re.compile(r"'([^'\n]{2,80})'|`([^`\n]{2,80})`|\"([^\"\n]{2,80})\"|\$\{\{\s*(.+?)\s*\}\}")
_LISTED = re.compile(r"^\s+- (\S{2,80})$", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.][A-Za-z0-9]+)+")
_REFERENCE = re.compile(r"(?<!\S)([\w.-]+/[\w./-]+@[\w.-]*\w)")
_KEY = re.compile(r"^(\s*)(?:- )?(?:\"([^\"]+)\"|'([^']+)'|([A-Za-z0-9_.-]+))\s*:(?:\s|$)")
_WORD = re.compile(r"[^\s:,\[\]{}\"']+")
_TELLING = 4


def place(finding: Finding, text: Text, path: str) -> Span:
    """Return the best known place of a finding: gh-aw's, that of a word of the message, or the whole file."""
    if _believable(finding, text):
        return _at(text, path, finding.line, finding.col)
    found = _look_up(finding.message, text)
    if found is None:
        return Span.file(path)
    line, column, width = found
    return Span.point(path, line, column, width)


def _believable(finding: Finding, text: Text) -> bool:
    if not 1 <= finding.line <= text.line_count:
        return False
    if (finding.line, finding.col) == (1, 1):
        return False
    fallback = text.line(finding.line).startswith("engine:") and finding.col == 1
    return not fallback or re.search(r"\bengine\b(?!-)", finding.message) is not None


def _at(text: Text, path: str, line: int, column: int) -> Span:
    source = text.line(line)
    start = min(max(column, 1), len(source) + 1)
    # A column at the space before a value means the value; one past the end means the line's last word.
    ahead = _WORD.search(source, start - 1)
    if ahead is not None:
        return Span.point(path, line, ahead.start() + 1, len(ahead[0]))
    words = list(_WORD.finditer(source))
    if words:
        return Span.point(path, line, words[-1].start() + 1, len(words[-1][0]))
    return Span.point(path, line, 1)


def _look_up(message: str, text: Text) -> tuple[int, int, int] | None:
    lines = text.lines()
    end = next((number for number, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), len(lines))
    keys = [(number, *_key(lines[number - 1])) for number in range(2, end) if _KEY.match(lines[number - 1])]
    for words in _spelt_out(message):
        # Only words with a sign in them are telling enough to be looked for below the front matter too.
        telling = any(not character.isalnum() for character in words)
        found = _literal(words, lines) if telling else None
        found = found or _key_path(words, keys)
        if found is None and len(words) >= _TELLING:
            found = _literal(words, lines[: end - 1])
        if found is not None:
            return found
    names = (match[0] for match in _NAME.finditer(message))
    return next((found for name in names if (found := _key_path(name, keys))), None)


def _spelt_out(message: str) -> Iterator[str]:
    for pattern in (_LISTED, _REFERENCE, _QUOTED):
        for match in pattern.finditer(message):
            yield next(group for group in match.groups() if group is not None).strip().rstrip(":")


def _literal(words: str, lines: tuple[str, ...]) -> tuple[int, int, int] | None:
    pattern = re.compile(rf"(?<![\w-]){re.escape(words)}(?![\w-])")
    for number, line in enumerate(lines, 1):
        match = pattern.search(line)
        if match is not None:
            return number, match.start() + 1, len(words)
    return None


def _key(line: str) -> tuple[int, str]:
    match = _KEY.match(line)
    assert match is not None
    name = next(group for group in match.groups()[1:] if group is not None)
    return line.index(name) + 1, name


def _key_path(dotted: str, keys: list[tuple[int, int, str]]) -> tuple[int, int, int] | None:
    """Return the place of the deepest key of a path such as network.allowed, if its first part is there."""
    found: tuple[int, int, int] | None = None
    start, indent = 0, 0
    for part in re.split(r"[./]", dotted):
        for index in range(start, len(keys)):
            line, column, name = keys[index]
            if found is not None and column <= indent:
                break
            if name == part:
                found, start, indent = (line, column, len(name)), index + 1, column
                break
        else:
            return found
        if found is None or keys[start - 1][2] != part:
            return found
    return found
