"""Agents as somebody wrote them up to 6.2: `<name>.agent.yaml`, perhaps with a sidecar folder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.agent_parts import (
    DEFAULT_ICON,
    KINDS,
    code_of,
    menu_findings,
    menu_item,
    not_an_agent,
    principles_of,
    text_of,
    texts_of,
)
from bmadc.ir.model import Agent, MenuItem, Origin, Prompt
from bmadc.ir.tree import Tree
from bmadc.source.yamltree import Node, Sequence, parse_yaml

SUFFIX = ".agent.yaml"

_ROUTED_AS_WORKFLOW = (".yaml", ".yml")


def read_agent_yaml(
    tree: Tree, module: str, resolved: Mapping[str, Any] | None = None
) -> tuple[Agent | None, tuple[Diagnostic, ...]]:
    """Return the agent of a YAML file, with `resolved` as its values where overrides were worked in."""
    values = resolved if resolved is not None else dict(tree.matter)
    body = values.get("agent")
    if not isinstance(body, Mapping):
        return None, (not_an_agent(tree, "there is no section `agent`", "a mapping named `agent`"),)
    root = parse_yaml(tree.text.text).root
    metadata = _table(body, "metadata")
    persona = _table(body, "persona")
    prompts = _prompts(body, _lines(root, "prompts"), tree)
    found: list[Diagnostic] = []
    menu = tuple(_menu(body, _lines(root, "menu"), tree, found))
    found.extend(menu_findings(tree, menu, [prompt.id for prompt in prompts]))
    agent = Agent(
        id=tree.path.rpartition("/")[2].removesuffix(SUFFIX),
        module=module,
        encoding="agent-yaml",
        origin=Origin(tree.path),
        name=text_of(metadata.get("name")),
        title=text_of(metadata.get("title")),
        icon=text_of(metadata.get("icon")) or DEFAULT_ICON,
        capabilities=text_of(metadata.get("capabilities")),
        role=text_of(persona.get("role")),
        identity=text_of(persona.get("identity")),
        communication_style=text_of(persona.get("communication_style")),
        principles=principles_of(persona.get("principles")),
        critical_actions=texts_of(body.get("critical_actions")),
        persistent_facts=texts_of(body.get("memories")),
        menu=menu,
        prompts=prompts,
    )
    return agent, tuple(found)


def _table(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = values.get(name)
    return found if isinstance(found, Mapping) else {}


def _list(values: Mapping[str, Any], name: str) -> list[Any]:
    found = values.get(name)
    return found if isinstance(found, list) else []


def _lines(root: Node | None, name: str) -> list[int]:
    node = root.at("agent", name) if root is not None else None
    return [item.span.line for item in node] if isinstance(node, Sequence) else []


def _line(lines: list[int], number: int) -> int:
    # What an override has appended stands in no line of this file.
    return lines[number] if number < len(lines) else 0


def _prompts(body: Mapping[str, Any], lines: list[int], tree: Tree) -> tuple[Prompt, ...]:
    return tuple(
        Prompt(
            text_of(item.get("id")),
            str(item.get("content") or "").strip(),
            Origin(tree.path, _line(lines, at)),
        )
        for at, item in enumerate(_list(body, "prompts"))
        if isinstance(item, Mapping)
    )


def _menu(
    body: Mapping[str, Any], lines: list[int], tree: Tree, found: list[Diagnostic]
) -> Iterator[MenuItem]:
    for at, item in enumerate(_list(body, "menu")):
        line = _line(lines, at)
        if not isinstance(item, Mapping):
            found.append(not_an_agent(tree, "a menu item is no mapping", "keys such as `trigger`", line))
            continue
        if item.get("multi") and isinstance(item.get("triggers"), list):
            each = _nested(item, tree, line)
        else:
            given = {kind: text_of(item.get(kind)) for kind in KINDS}
            code = code_of(text_of(item.get("trigger")))
            each = iter([(code, given, text_of(item.get("description")), text_of(item.get("data")))])
        for code, given, description, data in each:
            made, said = menu_item(tree, line, code, given, description, data)
            found.extend(said)
            if made is not None:
                yield made


def _nested(item: Mapping[str, Any], tree: Tree, line: int) -> Iterator[tuple[str, dict[str, str], str, str]]:
    """Return code, targets, description and data of each trigger of an item that has several."""
    for group in item["triggers"]:
        if not isinstance(group, Mapping):
            continue
        for name, parts in group.items():
            said: dict[str, str] = {}
            for part in parts if isinstance(parts, list) else []:
                if isinstance(part, Mapping):
                    said.update((str(key), text_of(value)) for key, value in part.items() if text_of(value))
            given = {kind: said.get(kind, "") for kind in KINDS}
            route = said.get("route", "")
            given["workflow" if route.endswith(_ROUTED_AS_WORKFLOW) else "exec"] = route
            code = code_of(said.get("input", "") or str(name))
            yield code, given, text_of(item["multi"]), said.get("data", "")
