"""Units in which the detector finds dialogue that may stay: the id of each, and the reason."""

from __future__ import annotations

_REASONING = "a question that the agent puts to itself before each idea"
_TEMPLATE = "a template: a heading or a note of the document that is to be written"
_SAMPLE = "a sample of a finished document"
_AMONG_AGENTS = "what agents of a party say to each other"
_SKIPPED = "says that what a person would pick is skipped"
_QUOTED = "quotes what a reader of a document may look for"

EXCEPTIONS: dict[str, str] = {
    "46f9768b664f": _REASONING,
    "a3b11fb57f53": _REASONING,
    "272660cd96e0": _REASONING,
    "68c186288f0e": _REASONING,
    "749486c26732": "a questionnaire in a fence of code; its answers are found out",
    "4b15725377f3": _TEMPLATE,
    "42d1d1f9e1ac": _TEMPLATE,
    "ae382e9db345": _SAMPLE,
    "937308ec6e11": _SAMPLE,
    "d35ef7388490": _SAMPLE,
    "e85fe3fa9b87": _SAMPLE,
    "37315b4e0f18": _QUOTED,
    "6b2bc509df9e": _QUOTED,
    "97b37778a185": _AMONG_AGENTS,
    "95efe5e455cc": _AMONG_AGENTS,
    "05b84d30d52d": _AMONG_AGENTS,
    "12f2d0cacd3c": _SKIPPED,
    "a0539c11f45e": _SKIPPED,
    "77aa48e85baf": "lists what a document is to leave open",
    "288d9d34345d": "names of roles in an idea, as code",
}
