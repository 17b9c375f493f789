"""Packs of real releases and of the house edition, built once per test process."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from bmadc.compile import Built, compile_pack
from bmadc.ghaw.engines import CLAUDE, ENGINES
from bmadc.ghaw.locks import Lock, parse_lock
from bmadc.ghaw.runner import CompileResult, compile_files
from bmadc.machine.choices import Choices
from bmadc.machine.wiring import BUS, WIRINGS
from bmadc.project import Project, read_project
from support.releases import ROOT, source_root

HOUSE = "house"
SHOWN = ("6.0.4", "6.2.0", "6.12.0")
"""The releases whose packs are compiled by the real gh-aw."""
BY_NAME = {wiring.waking.value: wiring for wiring in WIRINGS}


def folder_of(release: str) -> Path:
    """Return where the tree of a release is, or the house edition."""
    return ROOT if release == HOUSE else source_root(release)


@cache
def built(release: str, wiring: str = BUS.waking.value, engine: str = CLAUDE.id) -> Built:
    """Return the pack of a release."""
    project = read_project(ROOT)[0] if release == HOUSE else Project()
    choices = Choices(engine=ENGINES[engine], wiring=BY_NAME[wiring])
    return compile_pack(folder_of(release), replace(project, choices=choices))


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
