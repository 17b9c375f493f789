"""Rooms import in one direction only, so that each can be read, tested and replaced alone."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "compiler" / "bmadc"

# Room: the rooms whose modules it may import. What is not here may not be.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "diagnostics": frozenset(),
    "source": frozenset({"diagnostics"}),
    "ir": frozenset({"diagnostics", "source"}),
    "frontend": frozenset({"ir", "diagnostics", "source"}),
    "ghaw": frozenset({"diagnostics", "source"}),
    "machine": frozenset({"ghaw", "diagnostics"}),
    "passes": frozenset({"ir", "diagnostics", "source", "machine"}),
    "ledger": frozenset({"ir", "diagnostics", "source"}),
    "backend": frozenset({"ir", "machine", "ghaw", "diagnostics", "source"}),
    "installing": frozenset({"backend", "frontend", "machine", "ghaw", "diagnostics", "source"}),
    "cli": frozenset(
        {
            *("backend", "frontend", "ghaw", "installing", "ir", "ledger", "machine", "passes"),
            *("diagnostics", "source"),
        }
    ),
}


def rooms() -> list[str]:
    return sorted(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").exists())


def imports(file: Path) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def wrong(file: Path, room: str) -> list[str]:
    found = []
    for line, module in imports(file):
        if module.startswith("."):
            found.append(f"{file.name}:{line}: relative import")
        parts = module.split(".")
        if parts[0] == "bmadc" and len(parts) > 1 and parts[1] in MAY_IMPORT:
            target = parts[1]
            if target != room and target not in MAY_IMPORT[room]:
                found.append(f"{file.name}:{line}: {room} may not import {target}")
    return found


def test_every_room_has_its_row() -> None:
    assert rooms() == sorted(MAY_IMPORT)


@pytest.mark.parametrize("room", sorted(MAY_IMPORT))
def test_rooms_import_in_one_direction(room: str) -> None:
    files = sorted((PACKAGE / room).rglob("*.py"))
    assert files
    assert [problem for file in files for problem in wrong(file, room)] == []


def test_the_table_has_no_circle() -> None:
    left = dict(MAY_IMPORT)
    while left:
        ready = [room for room, targets in left.items() if not targets & left.keys()]
        assert ready, f"these rooms import each other: {sorted(left)}"
        for room in ready:
            del left[room]


def test_a_wrong_import_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "x.py"
    file.write_text(
        "from bmadc.cli import main\nfrom . import y\nimport bmadc.source.text\n", encoding="utf-8"
    )
    assert wrong(file, "ghaw") == ["x.py:1: ghaw may not import cli", "x.py:2: relative import"]
