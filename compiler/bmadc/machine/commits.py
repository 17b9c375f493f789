"""How the pack's own commits are told apart from a person's: by their message, never by their sender.

With a personal token the pack's pushes carry a person's name, so the sender proves nothing. The message has
the form `[PERSONA] [STEP-ID] Description`.
"""

import re

BOT_COMMIT_PATTERN = r"^\[[A-Z][A-Z0-9-]*\] \[[A-Z0-9][A-Z0-9.-]*\] [^ ]"
"""One pattern for Python, for bash's `=~` and for grep -E: no classes or escapes on which they differ."""


def is_bot_message(message: str) -> bool:
    """Whether the first line of a commit message has the form of the pack's own commits."""
    return re.match(BOT_COMMIT_PATTERN, message.split("\n", 1)[0]) is not None
