"""Which reader takes a file: by its name, and nothing else."""

from __future__ import annotations

from collections.abc import Callable

from bmadc.frontend.blocks import read_markdown, read_xml
from bmadc.frontend.datafiles import read_csv, read_toml, read_whole, read_yaml
from bmadc.ir.tree import Tree
from bmadc.source import Text

READERS: dict[str, Callable[[Text], Tree]] = {
    ".md": read_markdown,
    ".xml": read_xml,
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".toml": read_toml,
    ".csv": read_csv,
}

# Kept whole on purpose: they are carried to where they are needed and never read as instructions.
WHOLE: dict[str, str] = {
    ".py": "script",
    ".js": "script",
    ".mjs": "script",
    ".ts": "script",
    ".sh": "script",
    ".html": "page",
    ".json": "json",
}


def read_tree(text: Text) -> Tree:
    """Return the tree of any text file; what has no reader is kept whole and marked as fallback."""
    ending = suffix(text.path)
    if ending in READERS:
        return READERS[ending](text)
    return read_whole(text, WHOLE.get(ending, "fallback"))


def suffix(path: str) -> str:
    """Return the ending of a file name with its dot, in small letters."""
    name = path.rpartition("/")[2]
    return name[name.rfind(".") :].lower() if "." in name else ""
