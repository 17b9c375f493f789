"""The registry of diagnostic codes. A code is stable: it is never reused for something else.

BMC1xx  reading and writing files
BMC2xx  the real gh-aw: finding it, running it, what it says
"""

from __future__ import annotations

CODES: dict[str, str] = {
    "BMC101": "file or folder not found",
    "BMC102": "path leaves its root",
    "BMC103": "not a regular file",
    "BMC104": "cannot read",
    "BMC105": "file too large",
    "BMC106": "NUL byte in a text file",
    "BMC107": "text is not UTF-8",
    "BMC108": "folder expected, file found",
    "BMC109": "cannot write",
    "BMC201": "gh-aw not found",
    "BMC202": "gh-aw is another release than the pinned one",
    "BMC203": "gh-aw cannot be started",
    "BMC204": "nothing to verify",
    "BMC211": "gh-aw refuses the workflow",
    "BMC212": "gh-aw warns",
    "BMC213": "gh-aw remarks",
    "BMC221": "gh-aw passes over the file",
    "BMC222": "gh-aw did not finish",
    "BMC223": "gh-aw's answer cannot be read",
    "BMC224": "gh-aw counts more than it says",
    "BMC225": "plain workflow is not YAML",
    "BMC231": "file in the way is not a gh-aw lock",
}


def title(code: str) -> str:
    """Return the one-line title of a registered code."""
    return CODES[code]
