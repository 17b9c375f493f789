"""Two views of a lock, each with only what one kind of check reads, so that equal locks are judged once.

The skeleton decides which jobs run, for whom, and one at a time: what its steps run and are told is left out.
The shape decides whether GitHub reads it, and whether every expression finds what it names: keys, lists and
expressions stay, and every other value is left out. Locks of one row are alike in all releases, and the locks
of many rows have one shape. `tests/backend/test_pack_show_1_verify.py` proves that nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_TOP = re.compile(r"([A-Za-z-]+):")
_STEP_KEY = re.compile(r"(?:      - |        )([A-Za-z-]+):(.*)")
_REF = re.compile(r"          ref: ")
_ENTRY = re.compile(r"( *(?:- )?)([A-Za-z0-9_.-]+|\"[^\"]*\"):(?: (.*))?$")
_EXPRESSION = re.compile(r"\$\{\{.*?\}\}")
_LITERAL = re.compile(r"'[^']*'")
_CHECKOUT = "actions/checkout@"
CHECKOUT_PR = "checkout-pr"
"""The id of the step by which gh-aw checks out a pull request itself."""
_DROPPED_TOP = frozenset({"name", "env"})


def skeleton(lock: str) -> str:
    """Return a lock without its steps, but for those that say what is checked out."""
    out: list[str] = []
    step: list[str] = []
    top, section, key = "", "", ""
    for line in (*lock.split("\n"), "end:"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        depth = len(line) - len(line.lstrip(" "))
        starts = depth <= 4 or line.startswith("      - ")
        if starts and step:
            out += _step(step)
            step = []
        if depth == 0 and (found := _TOP.match(line)):
            top = found[1]
        if depth <= 4:
            section = line.strip().partition(":")[0] if depth == 4 else ""
        if top in _DROPPED_TOP or section == "env" or line == "end:":
            continue
        if section != "steps" or depth <= 4:
            out.append(line)
            continue
        if (found := _STEP_KEY.match(line)) is not None:
            key = found[1]
            line = f"        {key}:{found[2]}"
        if key in ("id", "if", "uses") or _REF.match(line):
            step.append(line)
        elif not step:
            step.append("        shell: bash")
    return "\n".join(out)


def _step(lines: list[str]) -> list[str]:
    """Return what is kept of one step: nothing, if no check can ask about it."""
    checkout = any(_CHECKOUT in line for line in lines)
    if not checkout and f"        id: {CHECKOUT_PR}" not in lines:
        return []
    kept = [line for line in lines if not _REF.match(line)]
    refs = [line for line in lines if _REF.match(line)]
    if checkout and refs:
        kept += ["        with:", refs[0]]
    if not any(line.startswith("        uses:") for line in kept):
        kept.append("        run: x")
    first, *rest = [line for line in kept if line != "        shell: bash"]
    return [f"      - {first.strip()}", *rest]


def shape(lock: str) -> str:
    """Return the keys, list items, ids and expressions of a lock, without any other value."""
    return "\n".join(_shape(lock))


def _shape(lock: str) -> Iterator[str]:
    block = -1
    folded = False
    for line in lock.split("\n"):
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip(" "))
        if 0 <= block < depth:
            if folded or "${{" in line:
                yield from (_LITERAL.sub("''", one) for one in (_EXPRESSION.findall(line) or [line]))
            continue
        block = -1
        if line.lstrip().startswith("#"):
            continue
        entry = _ENTRY.match(line)
        if entry is None:
            yield line
            continue
        lead, key, value = entry[1], entry[2], entry[3] or ""
        if value[:1] in ("|", ">"):
            block, folded = len(lead), key == "if"
        if key in ("id", "needs", "uses"):
            yield line
        elif key == "if":
            yield f"{lead}if: {_LITERAL.sub('', value)}"
        else:
            said = [_LITERAL.sub("''", one) for one in _EXPRESSION.findall(value)]
            yield f"{lead}{key}: {'x' if value and not said else ''}{' '.join(said)}"
