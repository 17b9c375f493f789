"""How a text says what cannot stay as it is in the source: a phrase book for the two to be compared by.

What talks to a person is said differently where nobody is. Mostly that is a few words of a sentence, and the
rest tells what it was. Where hardly a word is left, the source is read as if it said what a text makes of it.
The book is a closed list that shares nothing with the rules which rewrite such words: what a rule makes of
them otherwise is not found, and so is missing.
"""

from __future__ import annotations

import re
from functools import lru_cache

FORMS: tuple[tuple[str, str], ...] = (
    (r"\bhandle menu selection\b", "act on the choice"),
    (r"\bpresent menu options\b", "choose how to go on"),
    (r"\bif 'a' \(", "if you choose ("),
    (r"\bif 'p' \(", "if you choose ("),
    (r"\bif 'c' \(", "if you choose ("),
    (r"(\bprogress: step \w+) of \d+", r"\1"),
    (r"\bwhat would be most helpful\?", "take what serves the issue best"),
    (r"\bhow would you like to proceed\?", "choose how to go on and record why"),
    (r"\bwould you like me to:", "decide which of these to do:"),
    (r"\bwould you like to:", "choose one of these and record why:"),
    (r"\bprompt for decision\b", "decide"),
    (r"\bextract the `\w+` value from the frontmatter", "take the step after it"),
    (r"\buser presented with (\w+) options\b", r"options weighed: \1"),
    (r"\buser confirms 'n'", "you choose no"),
    (r"\bwait for \{user_name\} final validation of\b", "validate"),
    (r"\ballow the user to:", "you may:"),
    (r"\buser approval not obtained\b", "the issue does not approve what it wants to approve first"),
    (r"\bcongratulate the user on completion\b", "sum up what was completed"),
    (
        r"\boffer to push and/or\b.{0,12}\bpull request\b",
        "hand your commits over with the outputs of this workflow",
    ),
    (r"(`autonomous` = `)false` \(requires user input[^)]*\)", r"\1true`"),
    (r"(\bautonomous mode\**): if the user passes\b.*", r"\1 (the mode of this run)"),
    (r"\bstep-11-complete\b", "step 12 (workflow completion)"),
    (r"\buv run(?: --no-cache)?", "python3"),
    (r"`python3 \S+/resolve_config\.py\b.*", "agent manifest"),
    (
        r"\b(?:load persistent facts\W+)?treat (?:each |every |entry |in )*"
        r"`?\{workflow\.persistent_facts\}.*?"
        r"(?=\s`\{workflow|\n\n|$)",
        "read every file that matches {paths} and treat it as foundational context for the whole run.",
    ),
    (r"\bload this file only when\b.*", "follow it for the whole run."),
    (
        r"\*\*if launched headless\*\* \([^)]*\): load",
        "in this run, read",
    ),
)
_FORMS = tuple((re.compile(pattern, re.DOTALL), said) for pattern, said in FORMS)


@lru_cache(1 << 15)
def as_said(text: str) -> str:
    """Return a text of the source as an emitted text says it, where the book has a form for it."""
    lowered = text.lower()
    if len(lowered) != len(text):
        return text
    for pattern, said in _FORMS:
        if pattern.search(lowered):
            lowered = text = pattern.sub(said, lowered)
    return text
