"""Layers lie over each other by the rules of BMAD 6.11."""

from typing import Any

import pytest

from bmadc.frontend.merge import merge_layers, structural_merge
from bmadc.frontend.tomlvalues import Layer, read_toml
from bmadc.source import Text


def merged(base: Any, over: Any) -> Any:
    value, diagnostics = structural_merge(base, over)
    assert diagnostics == ()
    return value


def test_tables_merge_key_by_key_at_every_depth() -> None:
    base = {"a": {"b": {"x": 1, "y": 2}}, "c": 3}
    assert merged(base, {"a": {"b": {"y": 9, "z": 4}}}) == {"a": {"b": {"x": 1, "y": 9, "z": 4}}, "c": 3}
    assert base == {"a": {"b": {"x": 1, "y": 2}}, "c": 3}


def test_lists_of_anything_are_appended_and_nothing_is_removed() -> None:
    assert merged(["a"], ["a", "b"]) == ["a", "a", "b"]
    assert merged([], []) == []
    assert merged(["a"], []) == ["a"]


def test_an_entry_with_the_same_key_is_replaced_whole_and_in_place() -> None:
    base = [{"code": "A", "text": "one", "more": 1}, {"code": "B"}]
    over = [{"code": "C"}, {"code": "A", "text": "two"}]
    assert merged(base, over) == [{"code": "A", "text": "two"}, {"code": "B"}, {"code": "C"}]


def test_code_is_the_key_before_id() -> None:
    base = [{"code": "A", "id": "1"}]
    assert merged(base, [{"code": "B", "id": "1"}]) == [{"code": "A", "id": "1"}, {"code": "B", "id": "1"}]
    assert merged([{"id": "1", "x": 1}], [{"id": "1"}]) == [{"id": "1"}]


@pytest.mark.parametrize(
    "over", [[{"id": "A"}], [{"other": "A"}], ["a code"]], ids=["other key", "no key", "no table"]
)
def test_one_entry_without_the_key_makes_the_list_a_plain_one(over: list[Any]) -> None:
    assert merged([{"code": "A"}], over) == [{"code": "A"}, *over]


def test_of_two_entries_with_one_key_in_the_base_the_later_is_replaced() -> None:
    base = [{"id": "a", "n": 1}, {"id": "a", "n": 2}]
    assert merged(base, [{"id": "a", "n": 3}]) == [{"id": "a", "n": 1}, {"id": "a", "n": 3}]


def test_another_type_replaces() -> None:
    assert merged({"x": ["a"]}, {"x": "b"}) == {"x": "b"}
    assert merged({"x": "a"}, {"x": {"y": 1}}) == {"x": {"y": 1}}


@pytest.mark.parametrize("bad", ["", 7, None, True], ids=["empty", "number", "nothing", "truth value"])
def test_a_key_that_is_no_text_is_reported_and_the_entries_are_kept(bad: object) -> None:
    layer = Layer("team", "_bmad/custom/x.toml", lines={("w", "list"): 4})
    value, diagnostics = structural_merge(
        {"w": {"list": [{"id": "a"}]}}, {"w": {"list": [{"id": bad}]}}, layer
    )
    assert value == {"w": {"list": [{"id": "a"}, {"id": bad}]}}
    assert [(found.code, str(found.span)) for found in diagnostics] == [("BMC334", "_bmad/custom/x.toml:4:1")]


def test_reading_goes_on_after_a_bad_key() -> None:
    base = {"bad": [{"id": ""}], "good": [{"id": "a"}]}
    value, diagnostics = structural_merge(base, {"bad": [{"id": "b"}], "good": [{"id": "a", "n": 1}]})
    assert value["good"] == [{"id": "a", "n": 1}]
    assert len(diagnostics) == 1


def test_layers_fold_from_the_lowest() -> None:
    low, _ = read_toml(Text("low.toml", "[w]\nfacts = ['one']\nend = 'low'\n"), "low")
    high, _ = read_toml(Text("high.toml", "[w]\nfacts = ['two']\nend = 'high'\n"), "high")
    value, diagnostics = merge_layers((low, high))
    assert value == {"w": {"facts": ["one", "two"], "end": "high"}}
    assert diagnostics == ()
    assert low.table["w"]["facts"] == ["one"]
