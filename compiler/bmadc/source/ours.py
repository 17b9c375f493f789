"""What bmadc itself wrote: the mark by which its files are known, and packs that lie in a tree.

A module's own folder is a tree and the natural place for its pack. Then the pack must not be read as source:
a build would change what it is made from, and never be in step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from bmadc.source.text import SourceError, read_text

MARK = "Made by bmadc"
"""What every file of a pack says in its first lines; a file without it is not ours."""
MANIFEST = "bmadc.lock.json"
"""The one file of a pack that has no place for the mark."""
GENERATOR = "bmadc"
SETTINGS = "bmadc.toml"
_HEAD = 400


def has_mark(text: str) -> bool:
    """Whether bmadc made a file, going by what it says in its first lines."""
    return MARK in text[:_HEAD]


def of_packs(root: Path, files: Iterable[str]) -> frozenset[str]:
    """Return those files of a folder that belong to packs in it: named by a manifest, and with the mark.

    What has no mark is somebody else's, whatever a manifest says, and is not here.
    """
    listed = frozenset(files)
    found: set[str] = set()
    for path in listed:
        folder, _, name = path.rpartition("/")
        if name != MANIFEST:
            continue
        outputs = _outputs(root, path)
        if outputs is None:
            continue
        found.add(path)
        at = f"{folder}/" if folder else ""
        found.update(
            one for one in (at + output for output in outputs) if one in listed and _marked(root, one)
        )
    return frozenset(found)


def _outputs(root: Path, path: str) -> list[str] | None:
    try:
        body = json.loads(read_text(root, path).text)
    except (SourceError, ValueError, RecursionError):
        return None
    if not isinstance(body, dict) or body.get("generator") != GENERATOR:
        return None
    outputs = body.get("outputs")
    return list(map(str, outputs)) if isinstance(outputs, dict) else []


def _marked(root: Path, path: str) -> bool:
    try:
        return has_mark(read_text(root, path).text)
    except SourceError:
        return False
