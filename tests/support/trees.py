"""Every text file of a real release as a tree, each different text read once per test process."""

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bmadc.frontend.files import read_tree, suffix
from bmadc.ir.tree import Tree
from bmadc.source import SourceError, Text, read_text
from support.releases import installed_root, module_root, source_root

# Files of the packages that no text editor opens; anything else must be readable.
BINARY = frozenset((".pyc", ".ico", ".png", ".jpg", ".gif", ".webp", ".woff", ".woff2"))


def texts(root: Path) -> Iterator[Text]:
    """Give every text file below a folder, hidden folders too, in order."""
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in ("node_modules", ".git"))
        for name in sorted(names):
            relative = (Path(folder) / name).relative_to(root).as_posix()
            if suffix(relative) in BINARY:
                continue
            try:
                yield read_text(root, relative)
            except SourceError as problem:
                raise AssertionError(f"{relative} is not in BINARY and not text: {problem}") from None


@cache
def _known() -> dict[tuple[str, str], Tree]:
    return {}


def tree_of(text: Text) -> tuple[Tree, bool]:
    """Return the tree of a text, and whether it is the first of these words; copies share one tree."""
    known = _known()
    key = (suffix(text.path), text.text)
    is_new = key not in known
    if is_new:
        known[key] = read_tree(text)
    return known[key], is_new


def source(version: str) -> Path:
    """Return the folder of a release that holds its modules."""
    return source_root(version) / "src"


def roots(kind: str, name: str) -> Path:
    """Return the folder to read for a release in source form, an install or a module."""
    return {"source": source, "installed": installed_root, "module": module_root}[kind](name)
