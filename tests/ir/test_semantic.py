"""What a pack means: every field counts unless the table says why not."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from bmadc.frontend.files import read_tree
from bmadc.frontend.pack import read_pack
from bmadc.ir import model
from bmadc.ir.model import Agent, Fact, HelpRow, Pack, Prompt, Shim, Workflow
from bmadc.ir.semantic import LEFT_OUT, difference, semantic
from bmadc.ir.tree import Block, Leaf, Tree
from bmadc.source import Text
from support.hut import write_hut

# Records that stand in a field which is left out as a whole.
INSIDE_LEFT_OUT = {"Module", "FileEntry"}
RECORDS = [
    one
    for one in vars(model).values()
    if isinstance(one, type) and is_dataclass(one) and one.__module__ == model.__name__
]
FIELDS = [
    (record, field.name) for record in RECORDS if record.__name__ != "Origin" for field in fields(record)
]


@pytest.fixture
def pack(tmp_path: Path) -> Pack:
    found = read_pack(write_hut(tmp_path))
    agent, *_ = found.agents
    stove, sweep = found.workflows
    stove = replace(
        stove,
        shim=Shim("forwarder", "hut-sweep", "warm"),
        aliases=("old",),
        values=(("a", "1"),),
        steps=sweep.steps,
        owners=sweep.owners,
    )
    return replace(
        found,
        agents=(replace(agent, prompts=(Prompt("p", "Sing", agent.origin),)),),
        workflows=(stove, sweep),
    )


def first(node: Any, record: type) -> tuple[Any, ...] | None:
    """The way to the first record of a kind: names of fields and numbers in tuples."""
    if isinstance(node, record):
        return ()
    if is_dataclass(node):
        steps: Iterator[tuple[Any, Any]] = ((one.name, getattr(node, one.name)) for one in fields(node))
    elif isinstance(node, tuple):
        steps = iter(enumerate(node))
    else:
        return None
    for step, child in steps:
        if step != "trees" and (way := first(child, record)) is not None:
            return (step, *way)
    return None


def changed(node: Any, way: tuple[Any, ...], field: str) -> Any:
    """The same tree of records with one field of one of them changed."""
    if not way:
        return replace(node, **{field: other(type(node), field, getattr(node, field))})
    step, *rest = way
    if isinstance(step, int):
        return (*node[:step], changed(node[step], tuple(rest), field), *node[step + 1 :])
    return replace(node, **{step: changed(getattr(node, step), tuple(rest), field)})


def other(record: type, field: str, value: Any) -> Any:
    hint = get_type_hints(record)[field]
    if get_origin(hint) is Literal:
        return next(one for one in get_args(hint) if one != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{value} more".strip()
    if isinstance(value, tuple):
        # Taking one away works for tuples of anything; an empty one must be of texts.
        return value[1:] if value else ("more",)
    if isinstance(value, dict):
        return dict(list(value.items())[1:])
    assert is_dataclass(value)
    assert not isinstance(value, type)
    inner = fields(value)[0].name
    return replace(value, **{inner: other(type(value), inner, getattr(value, inner))})


@pytest.mark.parametrize(("record", "field"), FIELDS, ids=lambda one: getattr(one, "__name__", one))
def test_a_field_counts_or_is_named_as_left_out(pack: Pack, record: type, field: str) -> None:
    if record.__name__ in INSIDE_LEFT_OUT:
        return
    way = first(pack, record)
    assert way is not None, f"the small pack has no {record.__name__}"
    after = semantic(changed(pack, way, field))
    name = f"{record.__name__}.{field}"
    assert (after == semantic(pack)) == (name in LEFT_OUT), name
    assert bool(difference(semantic(pack), after)) == (name not in LEFT_OUT)


def test_the_table_names_only_what_is_there() -> None:
    records = {one.__name__: {field.name for field in fields(one)} for one in (*RECORDS, Tree, Block)}
    records["Leaf"] = set(Leaf._fields)
    dotted = [name.split(".") for name in LEFT_OUT if "." in name and " " not in name]
    assert len(dotted) > 20
    assert [name for name in dotted if name[1] not in records[name[0]]] == []
    assert all(LEFT_OUT.values())


def with_text(pack: Pack, old: str, new: str) -> Pack:
    path = "hut-sweep/steps/step-01-look.md"
    text = pack.trees[path].text.text
    assert old in text
    return replace(pack, trees={**pack.trees, path: read_tree(Text(path, text.replace(old, new)))})


def test_words_count_and_white_space_and_markup_do_not(pack: Pack) -> None:
    one = semantic(pack)
    assert semantic(with_text(pack, "chairs up", "chairs   up")) == one
    assert semantic(with_text(pack, "\n\nOffer", "\n\n---\n\nOffer")) == one
    assert difference(one, semantic(with_text(pack, "chairs up", "chairs down"))) == [
        "workflows / hut-sweep / files / hut-sweep/steps/step-01-look.md / leaves / 2: "
        "('item', '- [ ] chairs up') in the first, ('item', '- [ ] chairs down') in the second"
    ]


def test_order_counts_within_a_file_and_a_workflow(pack: Pack) -> None:
    stove, sweep = pack.workflows
    turned = replace(pack, workflows=(stove, replace(sweep, steps=tuple(reversed(sweep.steps)))))
    assert semantic(turned) != semantic(pack)
    moved = with_text(pack, "- [ ] chairs up\n- [ ] door open", "- [ ] door open\n- [ ] chairs up")
    assert semantic(moved) != semantic(pack)


def test_the_order_of_units_does_not_count(pack: Pack) -> None:
    turned = replace(pack, workflows=tuple(reversed(pack.workflows)), help=tuple(reversed(pack.help)))
    assert semantic(turned) == semantic(pack)


def moved(pack: Pack, folder: str) -> Pack:
    """The same pack one folder deeper, as a module lies in a larger tree."""

    def deeper(node: Any) -> Any:
        if isinstance(node, str):
            return f"{folder}/{node}" if node in pack.trees else node
        if isinstance(node, Tree):
            return replace(node, text=Text(f"{folder}/{node.path}", node.text.text))
        if is_dataclass(node) and not isinstance(node, type):
            return replace(node, **{one.name: deeper(getattr(node, one.name)) for one in fields(node)})
        if isinstance(node, tuple) and not isinstance(node, Leaf):
            return tuple(map(deeper, node))
        if isinstance(node, dict):
            return {deeper(key): deeper(value) for key, value in node.items()}
        return node

    found = deeper(pack)
    assert isinstance(found, Pack)
    return found


def test_where_it_stands_does_not_count(pack: Pack) -> None:
    away = moved(pack, ".claude/skills")
    assert away != pack
    assert difference(semantic(pack), semantic(away)) == []
    assert semantic(away) == semantic(pack)


def test_what_only_an_installation_has_does_not_count(pack: Pack) -> None:
    extra = Fact("include", "hut-sweep/SKILL.md", 5, target="_bmad/hut/config.yaml")
    stove, sweep = pack.workflows
    use = replace(sweep.files[0], path="_bmad/config.user.toml")
    more = replace(
        pack, facts=(*pack.facts, extra), workflows=(stove, replace(sweep, files=(*sweep.files, use)))
    )
    assert semantic(more) == semantic(pack)
    other_file = replace(extra, target="_bmad/hut/data.yaml")
    assert semantic(replace(pack, facts=(*pack.facts, other_file))) != semantic(pack)


def test_the_switch_for_packaging_does_not_count(pack: Pack) -> None:
    stove, sweep = pack.workflows
    path = "hut-sweep/workflow.yaml"
    uses = (*sweep.files, replace(sweep.files[0], path=path))

    def with_yaml(text: str, *values: tuple[str, str]) -> Pack:
        tree = read_tree(Text(path, text))
        workflow = replace(sweep, files=uses, values=values)
        return replace(pack, workflows=(stove, workflow), trees={**pack.trees, path: tree})

    plain = semantic(with_yaml("name: a\n", ("name", "a")))
    assert (
        semantic(with_yaml("name: a\nweb_bundle: false\n", ("name", "a"), ("web_bundle", "false"))) == plain
    )
    assert semantic(with_yaml("name: a\nweb: false\n", ("name", "a"))) != plain
    assert semantic(with_yaml("name: a\n", ("name", "a"), ("web", "false"))) != plain


def test_units_of_one_name_are_kept_apart(pack: Pack) -> None:
    stove, sweep = pack.workflows
    double = replace(pack, workflows=(stove, sweep, replace(sweep, module="shed")))
    assert difference(semantic(pack), semantic(double)) == ["workflows / hut-sweep (2): only in the second"]


def test_the_words_of_a_difference(pack: Pack) -> None:
    (agent,) = pack.agents
    after = replace(
        pack,
        agents=(replace(agent, role="Cooks", principles=(agent.principles[0], "New", agent.principles[1])),),
        help=(*pack.help, HelpRow("hut", "", "Lost", "LO", "", "", agent.origin)),
        workflows=pack.workflows[1:],
    )
    said = difference(semantic(pack), semantic(after))
    assert said[:2] == [
        "agents / hut-agent-keeper / principles / 2: only in the second: 'New'",
        "agents / hut-agent-keeper / role: 'Keeps the hut' in the first, 'Cooks' in the second",
    ]
    assert said[2].startswith(
        "help / 1: only in the second: {'module': 'hut', 'workflow': '', 'name': 'Lost'"
    )
    assert said[3:] == ["workflows / hut-stove: only in the first"]


def test_an_agent_in_yaml_is_the_agent_that_the_installer_wrote(pack: Pack) -> None:
    (agent,) = pack.agents
    yaml = replace(
        agent, encoding="agent-yaml", files=("hut/a.agent.yaml",), origin=model.Origin("hut/a.agent.yaml")
    )
    compiled = replace(agent, encoding="agent-compiled", files=("x/a.md",), origin=model.Origin("x/a.md"))
    assert semantic(replace(pack, agents=(yaml,))) == semantic(replace(pack, agents=(compiled,)))
    wrong = replace(compiled, identity="Somebody else")
    assert semantic(replace(pack, agents=(yaml,))) != semantic(replace(pack, agents=(wrong,)))


def test_every_record_of_the_model_is_looked_at() -> None:
    assert {Agent, Workflow, Fact, HelpRow} <= set(RECORDS)
    assert len(FIELDS) > 90
