"""The writer gives back what it was given, to any YAML reader, and spells it in one way."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from bmadc.backend.yamltext import dump, scalar

TEXT = st.one_of(
    st.text(),
    st.text(alphabet="ab \n:#-(/'\"{}[]|>&*!%@`\t\\$,?~=.0123456789"),
    st.sampled_from(
        ["yes", "No", "null", "~", "1", "0x1f", "1e3", "2026-11-18", "<<", "=", "---", "...", ""]
    ),
)
KEYS = TEXT.filter(lambda key: key != "on")
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), TEXT),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(KEYS, inner, max_size=4)),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_whatever_is_written_is_read_back(value: dict[str, object]) -> None:
    text = dump(value)  # type: ignore[arg-type]
    assert yaml.safe_load(text) == value
    assert all(line == line.rstrip(" ") for line in text.split("\n"))


@given(TEXT)
def test_a_scalar_is_one_line(text: str) -> None:
    line = scalar(text)
    assert len(line.splitlines()) <= 1
    assert yaml.safe_load(f"- {line}") == [text]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a": {"b": 1, "c": []}, "d": {}}, "a:\n  b: 1\n  c: []\nd: {}\n"),
        ({"run": "one\n\n  two\n"}, "run: |\n  one\n\n    two\n"),
        ({"steps": [{"id": "x", "run": "a\nb"}]}, "steps:\n  - id: x\n    run: |-\n      a\n      b\n"),
        ({"on": ["labeled", "a, b", True]}, 'on: [labeled, "a, b", true]\n'),
        ({"if": "${{ x == 'y' }}", "n": "7"}, 'if: ${{ x == \'y\' }}\n"n": "7"\n'),
    ],
)
def test_one_spelling(value: dict[str, object], text: str) -> None:
    assert dump(value) == text  # type: ignore[arg-type]
