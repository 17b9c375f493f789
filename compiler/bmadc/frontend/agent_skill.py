"""Agents that are skills: `SKILL.md` with a manifest and a table as its menu, or with `customize.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.agent_parts import KINDS, menu_findings, menu_item, not_an_agent, text_of, texts_of
from bmadc.ir.model import Agent, MenuItem, Origin
from bmadc.ir.tree import Tree, normal

SKILL = "SKILL.md"
MANIFEST = "bmad-skill-manifest.yaml"
CUSTOMIZE = "customize.toml"

_MENU_TABLE = re.compile(r"\[\[\s*agent\s*\.\s*menu\s*\]\]")
_CODE_LINE = re.compile(r"code\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_KEYED = re.compile(r"(skill|prompt|exec|workflow|action)\s*:\s*(.*)", re.DOTALL)
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s+")
_CELL = re.compile(r"(?<!\\)\|")


def read_agent_manifest(
    skill: Tree, manifest: Tree, module: str
) -> tuple[Agent | None, tuple[Diagnostic, ...]]:
    """Return the agent of a skill whose manifest has its persona and whose text has its menu as a table."""
    values = dict(manifest.matter)
    found: list[Diagnostic] = []
    menu = tuple(_table_menu(skill, found))
    if not menu:
        found.append(not_an_agent(skill, "it has no menu", "a table whose first column is `Code`"))
    found.extend(menu_findings(skill, menu, ()))
    agent = Agent(
        id=_folder_name(skill.path),
        module=module,
        encoding="skill-manifest",
        origin=Origin(skill.path),
        name=text_of(values.get("displayName")),
        title=text_of(values.get("title")),
        icon=text_of(values.get("icon")),
        capabilities=text_of(values.get("capabilities")),
        role=text_of(values.get("role")),
        identity=text_of(values.get("identity")),
        communication_style=text_of(values.get("communicationStyle")),
        principles=texts_of(values.get("principles")),
        critical_actions=_listed_below(skill, "critical actions"),
        menu=menu,
    )
    return agent, tuple(found)


def read_agent_customize(
    skill: Tree, customize: Tree, module: str, resolved: Mapping[str, Any] | None = None
) -> tuple[Agent | None, tuple[Diagnostic, ...]]:
    """Return the agent of a skill with `customize.toml`; `resolved` are its tables with overrides merged."""
    values = resolved if resolved is not None else dict(customize.matter)
    table = values.get("agent")
    if not isinstance(table, Mapping):
        return None, (not_an_agent(customize, "there is no table [agent]", "[agent] with its persona"),)
    found: list[Diagnostic] = []
    menu = tuple(_toml_menu(customize, table.get("menu"), found))
    found.extend(menu_findings(customize, menu, ()))
    agent = Agent(
        id=_folder_name(skill.path),
        module=module,
        encoding="skill-customize",
        origin=Origin(skill.path),
        name=text_of(table.get("name")),
        title=text_of(table.get("title")),
        icon=text_of(table.get("icon")),
        role=text_of(table.get("role")),
        identity=text_of(table.get("identity")),
        communication_style=text_of(table.get("communication_style")),
        principles=texts_of(table.get("principles")),
        critical_actions=_listed_below(skill, "critical actions"),
        persistent_facts=texts_of(table.get("persistent_facts")),
        activation_prepend=texts_of(table.get("activation_steps_prepend")),
        activation_append=texts_of(table.get("activation_steps_append")),
        menu=menu,
    )
    return agent, tuple(found)


def _folder_name(path: str) -> str:
    return path.rpartition("/")[0].rpartition("/")[2]


def _listed_below(tree: Tree, heading: str) -> tuple[str, ...]:
    """Return the outermost list items of the section with that heading."""
    section = next(
        (
            at
            for at, block in enumerate(tree.blocks)
            if block.kind == "section" and _same(block.name, heading)
        ),
        None,
    )
    if section is None:
        return ()
    return tuple(
        normal(_MARKER.sub("", tree.slice(leaf), count=1))
        for leaf in (tree.leaves[number] for number in tree.within(section))
        if leaf.kind == "item" and tree.blocks[leaf.block].parent == section
    )


def _same(name: str, heading: str) -> bool:
    return normal(name).casefold() == heading


def _cells(row: str) -> list[str]:
    cells = [normal(cell.replace("\\|", "|")) for cell in _CELL.split(row.strip())]
    return cells[1:-1] if len(cells) > 1 and not cells[-1] else cells[1:]


def _table_menu(tree: Tree, found: list[Diagnostic]) -> Iterator[MenuItem]:
    rows: list[tuple[int, list[str]]] = []
    for leaf in tree.leaves:
        if leaf.kind == "row":
            rows.append((tree.line(leaf), _cells(tree.slice(leaf))))
        elif leaf.kind != "rule" and rows:
            yield from _rows_menu(tree, rows, found)
            rows = []
    yield from _rows_menu(tree, rows, found)


def _rows_menu(tree: Tree, rows: list[tuple[int, list[str]]], found: list[Diagnostic]) -> Iterator[MenuItem]:
    """Return the items of one table, none if it is another table than a menu."""
    if not rows or not rows[0][1] or not _same(rows[0][1][0], "code") or len(rows[0][1]) < 2:
        return
    for line, row in rows[1:]:
        cells = (*row, "", "", "")
        keyed = _KEYED.fullmatch(last := row[-1] if len(row) > 2 else "")
        kind, target = (keyed[1], keyed[2]) if keyed else ("skill", last)
        made, said = menu_item(tree, line, cells[0].strip("`* "), {kind: target.strip("`")}, cells[1], "")
        found.extend(said)
        if made is not None:
            yield made


def _toml_menu(tree: Tree, menu: object, found: list[Diagnostic]) -> Iterator[MenuItem]:
    lines = _menu_lines(tree)
    for item in menu if isinstance(menu, list) else []:
        if not isinstance(item, Mapping):
            found.append(not_an_agent(tree, "a menu item is no table", "[[agent.menu]] with its keys"))
            continue
        code = text_of(item.get("code"))
        given = {kind: text_of(item.get(kind)) for kind in KINDS}
        # What an override has added stands in no line of this file.
        line = lines.get(code, 0)
        description = text_of(item.get("description"))
        made, said = menu_item(tree, line, code, given, description, text_of(item.get("data")))
        found.extend(said)
        if made is not None:
            yield made


def _menu_lines(tree: Tree) -> dict[str, int]:
    """Return the line of each [[agent.menu]] by the code below it."""
    lines: dict[str, int] = {}
    line = 0
    for leaf in tree.leaves:
        text = tree.slice(leaf)
        if _MENU_TABLE.match(text):
            line = tree.line(leaf)
            # An item without a code is found by the empty one.
            lines.setdefault("", line)
        elif text.startswith("["):
            line = 0
        elif line and (code := _CODE_LINE.match(text)):
            lines.setdefault(code[1] if code[1] is not None else code[2], line)
    return lines
