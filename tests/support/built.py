"""Packs of real releases and of the house edition, built once per test process."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from bmadc.compile import Built, make_pack
from bmadc.frontend.pack import read_pack
from bmadc.ghaw.engines import CLAUDE, ENGINES
from bmadc.ghaw.locks import Lock, parse_lock
from bmadc.ghaw.runner import CompileResult, compile_files
from bmadc.hashes import input_hashes
from bmadc.ir.ledger import Lowered
from bmadc.ir.model import Pack
from bmadc.machine.choices import Choices
from bmadc.machine.wiring import BUS, WIRINGS
from bmadc.passes.lower import lower_all
from bmadc.project import Project, read_project
from support import lowered
from support.readings import source_pack
from support.releases import ROOT, source_root

HOUSE = "house"
SHOWN = ("6.0.4", "6.2.0", "6.12.0")
"""The releases whose packs are compiled by the real gh-aw."""
PACKS = (HOUSE, *SHOWN)
COMBINATIONS = (
    *((wiring.waking.value, CLAUDE.id) for wiring in WIRINGS),
    *((BUS.waking.value, engine) for engine in ENGINES if engine != CLAUDE.id),
)
"""Every wiring with claude, and every engine with bus."""
OTHERS = tuple(
    (wiring.waking.value, engine)
    for wiring in WIRINGS
    for engine in ENGINES
    if (wiring.waking.value, engine) not in COMBINATIONS
)
"""What only `make test-full` compiles."""
FULL = "BMADC_TEST_FULL"
"""The environment variable by which `make test-full` asks for everything."""
BY_NAME = {wiring.waking.value: wiring for wiring in WIRINGS}


def folder_of(release: str) -> Path:
    """Return where the tree of a release is, or the house edition."""
    return ROOT if release == HOUSE else source_root(release)


@cache
def tree(release: str) -> tuple[Pack, Mapping[str, Lowered], Mapping[str, str]]:
    """Return the tree of a release, lowered, with the hashes of its files."""
    if release == HOUSE:
        pack = read_pack(ROOT)
        return pack, lower_all(pack)[0], input_hashes(ROOT)
    return source_pack(release), lowered.lowered(release), input_hashes(source_root(release))


@cache
def built(release: str, wiring: str = BUS.waking.value, engine: str = CLAUDE.id) -> Built:
    """Return the pack of a release."""
    project = read_project(ROOT)[0] if release == HOUSE else Project()
    choices = Choices(engine=ENGINES[engine], wiring=BY_NAME[wiring])
    pack, instructions, inputs = tree(release)
    return make_pack(pack, instructions, replace(project, choices=choices), inputs)


def workflows(pack: Built) -> dict[str, str]:
    """Return the files that lie in `.github/workflows` once a pack is installed."""
    found = {
        path.partition("/")[2]: text for path, text in pack.files.items() if path.startswith("workflows/")
    }
    return {name: text for name, text in found.items() if name.startswith("bmad-")}


@cache
def compiled(release: str, wiring: str = BUS.waking.value, engine: str = CLAUDE.id) -> CompileResult:
    """Return what the real gh-aw makes of the pack of a release."""
    return compile_files(workflows(built(release, wiring, engine)))


def locks(result: CompileResult) -> Mapping[str, Lock]:
    """Return the locks of a pack, by file name."""
    return {name: parse_lock(text, name) for name, text in result.locks.items()}


def known_warnings() -> dict[str, int]:
    """Return the warnings of gh-aw that are accepted in a pack, with their number; each has its reason."""
    text = (ROOT / "tests" / "gh-aw-warnings.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text).get("warning", [])
    assert len(entries) <= 3
    for entry in entries:
        assert sorted(entry) == ["count", "message", "why"]
        assert entry["why"].strip()
    return {entry["message"]: entry["count"] for entry in entries}
