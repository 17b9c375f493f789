"""Files that travel inside a workflow: written before the agent starts, and checked by their hashes.

A file stands in the step as it is, so that a reviewer can read what an agent will run. Where its text could
mean something to GitHub or to YAML, it is encoded instead.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256

from bmadc.backend.yamltext import Value

_PATH = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(?:/[A-Za-z0-9_][A-Za-z0-9._-]*)*")
_PLAIN = re.compile(r"[\n\x20-\x7e\u00a1-\u2027\u2030-\ud7ff\ue000-\ufefe\uff00-\ufffc]*")
# gh-aw refuses a script above 20.5 KB; a piece of a file is half of that at most, so that two fit together.
_STEP_BYTES = 18_000
_PIECE_BYTES = 9_000
_INDENT = 10
"""What stands before each line of a script in a lock; GitHub's limit counts it."""
_LONGEST = 2_000


def is_shippable(name: str) -> bool:
    """Whether a path can stand in a script as it is."""
    return _PATH.fullmatch(name) is not None


def shipping_steps(folder: str, files: Iterable[tuple[str, str]]) -> list[Value]:
    """Return the steps that write files, given by name and text, below a folder and check each of them."""
    steps: list[list[str]] = [[]]
    size = 0
    sums: list[str] = []
    for name, text in sorted(files):
        if not is_shippable(name):
            raise ValueError(f"{name!r} cannot stand in a script")
        path = f"{folder}/{name}"
        for lines in _pieces(path, text):
            more = sum(len(line.encode()) + 1 + _INDENT for line in lines)
            if steps[-1] and size + more > _STEP_BYTES:
                steps.append([])
                size = 0
            steps[-1] += lines
            size += more
        sums.append(f"{sha256(text.encode()).hexdigest()}  {path}")
    # A file that is not what was compiled stops the run before its agent starts.
    check = ["sha256sum --check --quiet <<'SUMS'", *sums, "SUMS"]
    return [
        *(
            _step(f"Write the files that the instructions name, part {n}", one)
            for n, one in enumerate(steps, 1)
        ),
        _step("Check the files", check),
    ]


def _step(name: str, lines: list[str]) -> dict[str, Value]:
    return {"name": name, "shell": "bash", "run": "\n".join(lines) + "\n"}


def _pieces(path: str, text: str) -> Iterator[list[str]]:
    """Return the commands that write one file, cut so that each fits into a step."""
    end = f"END_{sha256(text.encode()).hexdigest()[:12]}"
    yield [f"mkdir -p {path.rpartition('/')[0]}", f": >{path}"]
    if _stands(text, end):
        for lines in _cut(text.removesuffix("\n").split("\n")):
            yield [f"cat >>{path} <<'{end}'", *lines, end]
    else:
        for lines in _cut(base64.encodebytes(text.encode()).decode().splitlines()):
            yield [f"base64 -d >>{path} <<'{end}'", *lines, end]


def _cut(lines: list[str]) -> Iterator[list[str]]:
    piece: list[str] = []
    size = 0
    for line in lines:
        more = len(line.encode()) + 1
        if piece and size + more > _PIECE_BYTES:
            yield piece
            piece, size = [], 0
        piece.append(line)
        size += more
    yield piece


def _stands(text: str, end: str) -> bool:
    lines = text.split("\n")
    return (
        text.endswith("\n")
        and "${{" not in text
        and _PLAIN.fullmatch(text) is not None
        and end not in lines
        and max(map(len, lines)) < _LONGEST
        and not any(line.endswith(" ") for line in lines)
    )
