"""Draws units of all releases that look like dialogue, for labelling by hand.

    python scripts/sample_dialogue.py [NUMBER]

Prints hash, release, workflow, place and text; nothing of it is to be committed but the hash. The draw
depends on the words alone, so it is the same on every machine, and a larger one begins with the smaller.
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from bmadc.ir.tree import PROSE, normal
from support.readings import source_pack
from support.releases import SOURCE

NUMBER = 150

# Wide on purpose: what is no dialogue must be in the sample too, or nobody sees false alarms.
_LOOKS_LIKE_DIALOGUE = re.compile(
    r"(?i)\bask\b|\bwait(?:s|ing)?\b|\bhalt\b|\bconfirm\b|approval|approve|\(y/n\)|\[[a-z]\]|your choice"
    r"|user (?:selects|chooses|confirm|input|response|wants|provides)|would you like|let me know"
    r"|please (?:provide|choose|select|specify)|\?(?:\"|\*\*|\s|$)"
)
_PASSED_OVER = frozenset(("template", "data", "script", "asset", "customize", "manifest"))
_SHORTEST = 12


class Unit(NamedTuple):
    """One unit: its hash, where it was first met, and its words."""

    hash: str
    place: str
    words: str


def units() -> Iterator[Unit]:
    """Give every unit that looks like dialogue, each of its words once, in the order of the releases."""
    seen = set()
    for release in SOURCE:
        pack = source_pack(release)
        for workflow in pack.workflows:
            if workflow.engine or (workflow.shim is not None and workflow.shim.target):
                continue
            for use in workflow.files:
                tree = pack.trees[use.path]
                if use.role in _PASSED_OVER or tree.reader not in ("markdown", "xml"):
                    continue
                for leaf in tree.leaves:
                    words = normal(tree.slice(leaf))
                    if leaf.kind not in PROSE or leaf.kind == "heading" or len(words) < _SHORTEST:
                        continue
                    name = unit_hash(words)
                    if name not in seen and _LOOKS_LIKE_DIALOGUE.search(words):
                        seen.add(name)
                        yield Unit(name, f"{release} {workflow.id} {use.path}:{tree.line(leaf)}", words)


def unit_hash(words: str) -> str:
    """Return the name of a unit with these words."""
    return sha256(words.encode()).hexdigest()[:16]


def draw(number: int) -> list[Unit]:
    """Return that many units, drawn by a hash of their hash."""
    return _in_order()[:number]


@cache
def _in_order() -> list[Unit]:
    return sorted(units(), key=lambda unit: sha256(f"sample{unit.hash}".encode()).hexdigest())


if __name__ == "__main__":
    for unit in draw(int(sys.argv[1]) if len(sys.argv) > 1 else NUMBER):
        print(f"{unit.hash} {unit.place}\n  {unit.words}\n")
