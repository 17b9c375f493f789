"""A pack as JSON: all of it, the same bytes every time, and back again."""

import json
from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bmadc.diagnostics import Diagnostic, Span
from bmadc.diagnostics.as_json import render_json
from bmadc.frontend.files import read_tree
from bmadc.frontend.pack import read_pack
from bmadc.ir.model import Pack, Prompt, Shim
from bmadc.ir.packschema import SENTENCES, schema
from bmadc.ir.serial import dump, from_json, to_json
from bmadc.ir.tree import leaf_ids
from bmadc.source import SourceError, decode
from support.hut import BROKEN, write_hut
from support.readings import installed_pack, source_pack
from support.releases import INSTALLED, SOURCE

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    """A small pack in which nothing is empty that could be filled."""
    found = read_pack(write_hut(tmp_path / "hut", BROKEN))
    agent, *_ = found.agents
    first, *rest = found.workflows
    odd = read_tree(
        decode("odd.md", b"\xef\xbb\xbf# Odd \xe2\x80\xae\t\r\n\r\n  text  \r\n\r\n\r\n##[group]")
    )
    return replace(
        found,
        agents=(replace(agent, prompts=(Prompt("p", "Sing", agent.origin),)),),
        workflows=(
            replace(
                first,
                shim=Shim("forwarder", "hut-sweep", "warm"),
                values=(("a", "1"), ("a", "2")),
                aliases=("old",),
            ),
            *rest,
        ),
        trees={"odd.md": odd, **found.trees},
    )


@cache
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema())


def problems(document: dict[str, Any]) -> list[str]:
    return [f"{list(one.path)}: {one.message:.200}" for one in validator().iter_errors(document)]


def thinned(document: dict[str, Any]) -> dict[str, Any]:
    """Leaves and blocks are all of one make; some of them keep a check of a release quick."""
    trees = [
        {**tree, "leaves": tree["leaves"][::31], "blocks": tree["blocks"][::31], "gaps": tree["gaps"][::31]}
        for tree in document["trees"]
    ]
    return {**document, "trees": trees, "facts": document["facts"][::31]}


def test_there_and_back(pack: Pack) -> None:
    again = from_json(json.loads(dump(pack)))
    assert again == pack
    assert again.trees["odd.md"].text.text == pack.trees["odd.md"].text.text
    assert again.workflows[0].values == (("a", "1"), ("a", "2"))
    assert dump(again) == dump(pack)


def test_the_text_is_the_data(pack: Pack) -> None:
    assert json.loads(dump(pack)) == to_json(pack)


def test_the_order_in_which_files_were_found_does_not_show(pack: Pack) -> None:
    turned = replace(pack, trees=dict(reversed(list(pack.trees.items()))))
    assert dump(turned) == dump(pack)
    assert [tree["path"] for tree in to_json(turned)["trees"]] == sorted(pack.trees)


def test_neither_the_machine_nor_a_command_is_in_it(pack: Pack, tmp_path: Path) -> None:
    text = dump(pack)
    assert text.isascii()
    assert str(tmp_path) not in text
    assert tmp_path.name not in text
    assert "##[" not in text
    assert json.loads(text)["trees"][-1]["path"] == "odd.md"
    assert "##[group]" in json.loads(text)["trees"][-1]["leaves"][-1]["text"]


def test_a_leaf_is_its_slice_and_its_place(pack: Pack) -> None:
    tree = pack.trees["hut-sweep/steps/step-02-sweep.md"]
    (row,) = [one for one in to_json(pack)["trees"] if one["path"] == tree.path]
    assert [leaf["text"] for leaf in row["leaves"]] == [tree.slice(leaf) for leaf in tree.leaves]
    assert [leaf["id"] for leaf in row["leaves"]] == list(leaf_ids(tree))
    behind = next(leaf for leaf in row["leaves"] if "behind the stove" in leaf["text"])
    assert (behind["line"], behind["column"], behind["end_line"], behind["end_column"]) == (4, 9, 4, 31)
    whole = "".join(gap + leaf["text"] for gap, leaf in zip(row["gaps"], row["leaves"], strict=False))
    assert whole + row["gaps"][-1] == tree.text.text


def test_one_record_per_line(pack: Pack) -> None:
    lines = dump(pack).split("\n")
    leaves = sum(len(tree.leaves) for tree in pack.trees.values())
    assert sum(line.startswith('        {"id": "') for line in lines) == leaves
    assert sum(line.startswith('    {"id": "hut-') for line in lines) == 3


def test_values_that_json_does_not_know_become_text(pack: Pack) -> None:
    tree = replace(
        pack.trees["module.yaml"],
        matter=(("day", date(2026, 1, 2)), ("more", {"n": float("nan")}), ("x", [1.5])),
    )
    row = to_json(replace(pack, trees={"module.yaml": tree}))["trees"][0]
    assert row["matter"] == [
        {"name": "day", "value": "2026-01-02"},
        {"name": "more", "value": {"n": "nan"}},
        {"name": "x", "value": [1.5]},
    ]


def test_diagnostics_have_the_shape_of_all_commands(pack: Pack) -> None:
    assert pack.diagnostics
    assert to_json(pack)["diagnostics"] == json.loads(render_json(pack.diagnostics, {}))["diagnostics"]
    odd = (
        Diagnostic(code="BMC101", severity="note", message="m"),
        Diagnostic(
            code="BMC102", severity="error", message="m", span=Span.file("a"), nearest=("b",), help=("c",)
        ),
    )
    assert from_json(to_json(replace(pack, diagnostics=odd))).diagnostics == odd


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": 2}, "its format is 2"),
        ({"agents": None}, "is not of type list"),
        ({"form": "zip"}, "is none of source, installed, skills"),
        ({"release": 6}, "6 is not of type str"),
        ({"facts": [{"kind": "a", "path": "b", "leaf": True, "value": "", "target": ""}]}, "not of type int"),
        ({"help": [{}]}, "KeyError: 'module'"),
        ({"trees": [{"path": "a", "gaps": [], "leaves": []}]}, "'a' has 0 leaves and 0 gaps"),
        ({"trees": 7}, "TypeError"),
        ({"diagnostics": [{"code": "BMC999"}]}, "KeyError"),
    ],
)
def test_another_shape_is_a_diagnostic(pack: Pack, change: dict[str, Any], said: str) -> None:
    with pytest.raises(SourceError) as caught:
        from_json({**to_json(pack), **change}, "some.json")
    assert caught.value.diagnostic.code == "BMC371"
    assert said in caught.value.diagnostic.message
    assert caught.value.diagnostic.span == Span.file("some.json")


@pytest.mark.parametrize("key", sorted(SENTENCES["Pack"][1]))
def test_a_missing_key_is_a_diagnostic(pack: Pack, key: str) -> None:
    document = to_json(pack)
    del document[key]
    assert problems(document)
    with pytest.raises(SourceError, match=key):
        from_json(document)


def test_the_schema_is_committed_as_generated() -> None:
    committed = (SCHEMAS / "pack.schema.json").read_text(encoding="utf-8")
    assert committed == json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_schema_is_closed_and_every_field_has_its_sentence() -> None:
    seen = []

    def look(node: Any) -> None:
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node["additionalProperties"] is False
                seen.extend(node["properties"].values())
            for child in node.values():
                look(child)
        elif isinstance(node, list):
            for child in node:
                look(child)

    look(schema())
    assert len(seen) > 120
    assert all(one["description"].endswith(".") for one in seen)
    used = {name: set(one["properties"]) for name, one in schema()["$defs"].items()}
    used["Pack"] = set(schema()["properties"])
    assert {name: set(sentences) for name, (_, sentences) in SENTENCES.items()} == used


def test_the_small_pack_is_valid(pack: Pack) -> None:
    assert problems(to_json(pack)) == []


@pytest.mark.parametrize("place", ["", "agents", "workflows", "trees", "files", "facts", "diagnostics"])
def test_the_schema_refuses_what_is_not_in_it(pack: Pack, place: str) -> None:
    document = to_json(pack)
    (document[place][0] if place else document)["more"] = 1
    assert problems(document)


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", SOURCE)
def test_every_release_is_valid_and_comes_back(version: str) -> None:
    pack = source_pack(version)
    document = json.loads(dump(pack))
    assert problems(thinned(document)) == []
    assert from_json(document) == pack


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("name", INSTALLED)
def test_every_install_is_valid(name: str) -> None:
    assert problems(thinned(to_json(installed_pack(name)))) == []
