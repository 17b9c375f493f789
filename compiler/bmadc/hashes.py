"""Hashes of all that decides the bytes of a pack: its sources, its settings, and bmadc itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

import bmadc
from bmadc.backend.scripts import template_folder
from bmadc.frontend.roots import find_root
from bmadc.ghaw.engines import Engine
from bmadc.machine.choices import NO_OVERRIDE
from bmadc.project import Project
from bmadc.source import SourceError, read_bytes

_NONE: Mapping[str, str] = MappingProxyType({})


def input_hashes(source: Path, known: Mapping[str, str] = _NONE) -> dict[str, str]:
    """Return the hash of every file of a BMAD tree, whatever its line ends are.

    `known` are texts that were read already, by path.
    """
    root = find_root(source)
    found: dict[str, str] = {}
    for path in root.files:
        text = known.get(path)
        try:
            data = read_bytes(root.base, path) if text is None else text.encode()
        except SourceError:
            found[path] = ""
            continue
        found[path] = sha256(data.replace(b"\r\n", b"\n").removeprefix(b"\xef\xbb\xbf")).hexdigest()
    return found


def settings_hash(project: Project) -> str:
    """Return the hash of what a project chose; where it reads and writes does not count.

    What is as it usually is does not count either, so that a setting which a later bmadc has changes nothing.
    """
    usual = Project()
    here = replace(project, source=usual.source, out=usual.out)
    return sha256(json.dumps(_unusual(here, usual), sort_keys=True).encode()).hexdigest()


def _unusual(value: Any, usual: Any) -> Any:
    """Return what differs from the usual value, in a form that JSON has."""
    if isinstance(value, Engine):
        return value.id
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        return {name: _unusual(one, NO_OVERRIDE) for name, one in value.items()}
    if not is_dataclass(value):
        return value
    pairs = ((one.name, getattr(value, one.name), getattr(usual, one.name)) for one in fields(value))
    return {name: _unusual(chosen, default) for name, chosen, default in pairs if chosen != default}


@cache
def compiler_hash() -> str:
    """Return the hash of everything in bmadc that can decide a byte: modules and templates."""
    whole = sha256()
    # Commands parse and render, and installing puts sources there; no byte of a pack depends on them.
    passed = ("__pycache__", "cli", "installing")
    for base, ending in ((Path(bmadc.__file__).parent, ".py"), (template_folder(), "")):
        for path, place in sorted(_files(str(base), ending, passed)):
            with open(place, "rb") as file:  # noqa: PTH123
                whole.update(path.encode() + b"\0" + file.read().replace(b"\r\n", b"\n") + b"\0")
    return whole.hexdigest()


def _files(base: str, ending: str, passed: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Return the files below a folder as paths with forward slashes, and where they are."""
    for folder, folders, names in os.walk(base):
        folders[:] = [name for name in folders if name not in passed]
        for name in names:
            if name.endswith(ending):
                place = f"{folder}{os.sep}{name}"
                yield place[len(base) + 1 :].replace(os.sep, "/"), place
