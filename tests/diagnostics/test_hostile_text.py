"""Text of others in a diagnostic steers neither a terminal nor the log of a GitHub run, in any format."""

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmadc.diagnostics import Diagnostic, Span
from bmadc.diagnostics.as_json import render_json
from bmadc.diagnostics.github import render_github
from bmadc.diagnostics.sarif import render_sarif
from bmadc.diagnostics.text import plain, render_text
from bmadc.diagnostics.visible import visible

HOSTILE = (
    "\x1b[31mred\x1b[0m",
    "\x9b31m",
    "a\n::error::b",
    "a\r::error::b",
    "::error::x",
    "  ::stop-commands::x",
    "##[stop-commands]x",
    "a##[error]b",
    "\u202eright to left",
    "\u2028::error::",
    "\x00\x07\x08\x7f",
    "\udc80",
    "\U000e0041",
)


def everywhere(text: str) -> Diagnostic:
    return Diagnostic(
        code="BMC211",
        severity="error",
        message=text,
        span=Span.point(text or "empty", 1, 1),
        detail=text,
        why=text,
        expected=text,
        nearest=(text,),
        help=(text,),
    )


RENDERERS: dict[str, Callable[[str], str]] = {
    "text": lambda text: plain(render_text([everywhere(text)], lambda _path, _line: text)),
    "narrow": lambda text: plain(render_text([everywhere(text)], lambda _path, _line: text, width=40)),
    "json": lambda text: render_json([everywhere(text)], {}),
    "github": lambda text: render_github([everywhere(text)]),
    "sarif": lambda text: render_sarif([everywhere(text)], "1"),
}
# What a terminal obeys or hides: controls, and signs that turn or end a line.
STEERING = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\U000e0041]"
)


def commands(output: str) -> list[str]:
    """Return the lines that GitHub's runner would take for commands."""
    return [line for line in output.split("\n") if line.lstrip().startswith("::") or "##[" in line]


@pytest.mark.parametrize("renderer", [name for name in RENDERERS if name != "narrow"])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_does_not_break_out(renderer: str, text: str) -> None:
    output = RENDERERS[renderer](text)
    assert STEERING.findall(output) == []
    # The renderer for GitHub writes one command per diagnostic, and that one is ours.
    found = commands(output) if renderer != "github" else commands(output)[1:]
    assert found == []


# Bytes that are not UTF-8 come from the system as these surrogates, and no others do.
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]) | st.just("\udc80"), max_size=80))
def test_no_text_at_all_breaks_out(text: str) -> None:
    for name, render in RENDERERS.items():
        output = render(text)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", output), name
    assert render_github([everywhere(text)]).count("\n") == 1


@pytest.mark.parametrize("text", HOSTILE)
def test_json_and_sarif_lose_nothing(text: str) -> None:
    assert json.loads(RENDERERS["json"](text))["diagnostics"][0]["detail"] == text
    sarif = json.loads(RENDERERS["sarif"](text))
    assert sarif["runs"][0]["results"][0]["message"]["text"].startswith(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a\tb", "a    b"),
        ("\x1b[1m", "\\x1b[1m"),
        ("a\nb", "a\\x0ab"),
        ("\u202e", "\\u202e"),
        ("größe 日本", "größe 日本"),
        ("##[group]", "##\\[group]"),
    ],
)
def test_what_is_shown_instead(text: str, expected: str) -> None:
    assert visible(text) == expected
