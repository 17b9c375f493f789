"""One small tree of our own per dialect, in `tests/fixtures`, and what the pack of each says to an agent.

The golden file beside each tree holds what comes from the tree: persona, principles, instructions, checklist.
What every body says is left out, so that a change of the frame changes none of them.
`python -m support.fixtures` writes them anew.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from bmadc.compile import Built, compile_pack
from bmadc.project import Project

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

DIALECTS_OF = {"a": "A", "b": "B", "c": "C", "d": "D", "e": "E", "e2": "E E2"}
"""The folders, and the dialects for which there is evidence in each."""

_OWN = ("Your Persona", "Principles", "Instructions", "Checklist")
_VALUES = re.compile(r"### Values of this run\n.*?(?=^### )", re.DOTALL | re.MULTILINE)


@cache
def pack_of(name: str) -> Built:
    """Return the pack of a fixture."""
    return compile_pack(FIXTURES / name, Project())


def golden(name: str) -> Path:
    """Return where the reviewed text of a fixture is."""
    return FIXTURES / f"{name}.md"


def said(name: str) -> str:
    """Return what the bodies of a fixture's pack say that other bodies do not."""
    return "".join(f"# {one.row.name}\n\n{_own(one.text)}" for one in pack_of(name).made)


def _own(document: str) -> str:
    body = document.split("\n---\n", 1)[1]
    sections = re.split(r"(?m)^## ", body)[1:]
    kept = [f"## {one}" for one in sections if one.partition("\n")[0] in _OWN]
    return _VALUES.sub("", "".join(kept)).rstrip("\n") + "\n\n"


if __name__ == "__main__":
    for fixture in DIALECTS_OF:
        golden(fixture).write_text(said(fixture), encoding="utf-8")
