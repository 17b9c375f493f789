"""The files that travel in the frontmatter of an emitted text, read from the commands that write them."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator

_WRITES = re.compile(r"([ \t]*)(cat|base64 -d) >>(\S+) <<'(\w+)'[ \t]*")
_QUOTED = re.compile(r"[ \t]*(?:- )?run: (\".*\")")


def shipped(front: str) -> dict[str, str]:
    """Return the text of each file that a frontmatter writes, by its path; pieces are put together."""
    found: dict[str, str] = {}
    lines = _lines(front)
    for line in lines:
        match = _WRITES.fullmatch(line)
        if match is None:
            continue
        indent, how, path, end = match.groups()
        piece = []
        for inner in lines:
            if inner.strip() == end:
                break
            piece.append(inner.removeprefix(indent))
        text = "\n".join(piece) + "\n"
        found[path] = found.get(path, "") + (text if how == "cat" else _decoded(text))
    return found


def _lines(front: str) -> Iterator[str]:
    """Return the lines of a frontmatter; a script that stands in quotes comes in its own lines."""
    for line in front.split("\n"):
        match = _QUOTED.fullmatch(line)
        try:
            yield from json.loads(match[1]).split("\n") if match else (line,)
        except ValueError:
            yield line


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return ""
