"""One layer of configuration: TOML and YAML text with the lines of its keys, and what is wrong with it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bmadc.frontend.tomlvalues import SIZE_LIMIT, as_text, key_lines, plain, read_toml
from bmadc.frontend.yamlvalues import read_yaml
from bmadc.source import Text


def test_a_toml_layer_knows_the_line_of_each_key() -> None:
    text = Text(
        "c.toml",
        '# first\n[core]\nname = "a # b" # c\n"odd key" = 1\n\n[modules.bmm]\ndotted.key = 2\nlong = """\n'
        'fake = 1\n[fake]\n"""\nafter = 3\n[[agent.menu]]\ncode = "A"\n',
    )
    assert key_lines(text) == {
        ("core",): 2,
        ("core", "name"): 3,
        ("core", "odd key"): 4,
        ("modules", "bmm"): 6,
        ("modules", "bmm", "dotted", "key"): 7,
        ("modules", "bmm", "long"): 8,
        ("modules", "bmm", "after"): 12,
        ("agent", "menu"): 13,
        ("agent", "menu", "code"): 14,
    }


def test_scalars_keep_the_text_a_person_wrote() -> None:
    layer, _ = read_toml(Text("c.toml", "a = 6.10\nb = true\nc = 2026-01-02\nd = ['x', 6.0]\ne = 7\n"), "x")
    assert {key: as_text(value) for key, value in layer.table.items()} == {
        "a": "6.10",
        "b": "true",
        "c": "2026-01-02",
        "d": "x, 6.0",
        "e": "7",
    }
    assert plain(layer.table) == {"a": 6.1, "b": True, "c": "2026-01-02", "d": ["x", 6.0], "e": 7}


def test_yaml_scalars_are_text_whatever_yaml_makes_of_them() -> None:
    text = "a: 6.10\nb: yes\nc: 2026-01-02\nd: ~\ne:\nf: 0x10\ng: '6'\nh: [1, no]\n"
    layer, diagnostics = read_yaml(Text("c.yaml", text), "x")
    assert diagnostics == ()
    assert layer.table == {
        "a": "6.10",
        "b": "yes",
        "c": "2026-01-02",
        "d": "",
        "e": "",
        "f": "0x10",
        "g": "6",
        "h": ["1", "no"],
    }
    assert layer.origin("c") == "c.yaml:3"


@pytest.mark.parametrize(
    ("text", "place"),
    [("[core]\nname = \n", "c.toml:2:8"), ("x = 1\nx = 2\n", "c.toml:2:6"), ('a = "open', "c.toml:1:10")],
)
def test_what_is_not_toml_is_an_empty_layer_and_a_place(text: str, place: str) -> None:
    layer, diagnostics = read_toml(Text("c.toml", text), "team")
    assert layer.table == {}
    assert [(found.code, str(found.span)) for found in diagnostics] == [("BMC331", place)]
    assert diagnostics[0].expected
    assert diagnostics[0].help


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("a: 1\nb: [1\nc: 2\n", "BMC332", "c.yaml:3:2"),
        ("- a\n- b\n", "BMC333", "c.yaml:1:1"),
        ("just words\n", "BMC333", "c.yaml:1:1"),
        ("a: 1\n---\nb: 2\n", "BMC332", "c.yaml:2:1"),
    ],
)
def test_what_is_no_yaml_mapping_is_an_empty_layer_and_a_place(text: str, code: str, place: str) -> None:
    layer, diagnostics = read_yaml(Text("c.yaml", text), "team")
    assert layer.table == {}
    assert [(found.code, str(found.span)) for found in diagnostics] == [(code, place)]


def test_an_empty_yaml_file_says_nothing_and_is_no_mistake() -> None:
    assert read_yaml(Text("c.yaml", "# nothing\n"), "x")[1] == ()
    assert read_yaml(Text("c.yaml", ""), "x")[1] == ()


def test_a_name_that_stands_there_twice_is_reported_and_the_last_counts() -> None:
    layer, diagnostics = read_yaml(Text("c.yaml", "a: 1\nb: 2\na: 3\n"), "x")
    assert layer.table == {"a": "3", "b": "2"}
    assert [(found.code, str(found.span)) for found in diagnostics] == [("BMC333", "c.yaml:3:1")]


BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "a: &a [*a]\n",
        "a: " + "[" * 5000 + "]" * 5000 + "\n",
        "a: " + "- " * 5000 + "x\n",
        "".join(f"{' ' * level}k:\n" for level in range(60)),
        "a: " + "x" * SIZE_LIMIT,
    ],
    ids=["alias bomb", "alias of itself", "deep flow", "deep dashes", "deep block", "large"],
)
def test_a_yaml_file_cannot_stall_or_crash_a_build(text: str) -> None:
    layer, diagnostics = read_yaml(Text("c.yaml", text), "x")
    assert layer.table == {}
    assert len(diagnostics) == 1
    assert diagnostics[0].code in ("BMC339", "BMC332")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5000 + "]" * 5000,
        "[" + ".".join("a" * 2000) + "]\nx = 1\n",
        "a = " + "9" * 5000,
        "a = '" + "x" * SIZE_LIMIT + "'",
    ],
    ids=["deep lists", "deep tables", "a number without end", "large"],
)
def test_a_toml_file_cannot_stall_or_crash_a_build(text: str) -> None:
    layer, diagnostics = read_toml(Text("c.toml", text), "x")
    assert layer.table == {}
    assert len(diagnostics) == 1
    assert diagnostics[0].code in ("BMC339", "BMC331")


PIECES = st.sampled_from(
    [
        "a",
        "b: ",
        "- ",
        "\n",
        "  ",
        "[",
        "]",
        "{",
        "}",
        "=",
        '"',
        "'",
        '"""',
        "&x ",
        "*x",
        "#",
        ".",
        "1",
        "\t",
        "é",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=40))
def test_no_text_makes_a_reader_raise(text: str) -> None:
    for layer, diagnostics in (read_toml(Text("c", text), "x"), read_yaml(Text("c", text), "x")):
        assert isinstance(layer.table, dict)
        for found in diagnostics:
            assert found.span is not None
            assert found.help
