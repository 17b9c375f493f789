"""Protocols of the old engine: a workflow that calls one gets its text, and the table that it works on."""

from __future__ import annotations

from collections.abc import Iterator

from bmadc.ir.ledger import Line
from bmadc.ir.model import Pack, Workflow
from bmadc.ir.tree import Tree

_KEYS = ("whole", "sharded", "sharded_index", "sharded_single")


def called_protocols(pack: Pack, workflow: Workflow) -> tuple[str, ...]:
    """Return the names of the protocols that a workflow's text calls, each once."""
    paths = {use.path for use in workflow.files}
    return tuple(
        sorted(
            {
                fact.value
                for fact in pack.facts
                if fact.kind == "protocol" and fact.path in paths and fact.value
            }
        )
    )


def protocol_block(pack: Pack, name: str) -> tuple[Tree, int] | None:
    """Return the file and the block in which the engine defines a protocol."""
    for workflow in pack.workflows:
        if not workflow.engine:
            continue
        for use in workflow.files:
            tree = pack.trees[use.path]
            for number, block in enumerate(tree.blocks):
                if block.kind == "tag" and block.name == "protocol" and block.attribute("name") == name:
                    return tree, number
    return None


def input_table(patterns: object) -> Iterator[Line]:
    """Return the table of a workflow's input documents: what they are, where they lie, how to load them."""
    if not isinstance(patterns, dict):
        return
    yield Line("| Input | What it is | Where | How it is loaded |")
    yield Line("|---|---|---|---|")
    for name, value in patterns.items():
        if isinstance(value, dict):
            where = "; ".join(f"{key}: `{value[key]}`" for key in _KEYS if isinstance(value.get(key), str))
            what = str(value.get("description", ""))
            how = str(value.get("load_strategy", "FULL_LOAD"))
            yield Line(f"| `{name}` | {what} | {where} | {how} |")
