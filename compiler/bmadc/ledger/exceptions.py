"""Units in which the detector finds dialogue that may stay: the id of their words, and the reason.

The id knows the file's name and not its folder, because an installer puts the same file elsewhere.
"""

from __future__ import annotations

from hashlib import sha256

from bmadc.ir.ledger import Entry
from bmadc.ir.tree import normal

_REASONING = "a question that the agent puts to itself before each idea"
_TEMPLATE = "a template: a heading or a note of the document that is to be written"
_SAMPLE = "a sample of a finished document"
_AMONG_AGENTS = "what agents of a party say to each other"
_SKIPPED = "says that what a person would pick is skipped"
_QUOTED = "quotes what a reader of a document may look for"

EXCEPTIONS: dict[str, str] = {
    "476d22c14a79": _REASONING,
    "5ce7971ab394": "a questionnaire in a fence of code; its answers are found out",
    "8b4d55baf108": _TEMPLATE,
    "98935b10d4fe": _SAMPLE,
    "c62bc2ca3e42": _SAMPLE,
    "3f41801fb1ef": _QUOTED,
    "5c6e4d1b5353": _AMONG_AGENTS,
    "8532ff79c6a2": _AMONG_AGENTS,
    "b864c1e7fb55": _AMONG_AGENTS,
    "9d0000e14af8": _SKIPPED,
    "88443e75327f": "lists what a document is to leave open",
    "c6d55c441d38": "names of roles in an idea, as code",
}


def words_id(entry: Entry) -> str:
    """Return the id of a unit's words: the same wherever a file of that name lies."""
    words = f"{entry.path.rpartition('/')[2]}\0{entry.kind}\0{normal(entry.before)}"
    return sha256(words.encode()).hexdigest()[:12]
