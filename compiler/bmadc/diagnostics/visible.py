"""Text that somebody else wrote, made safe to show."""

from __future__ import annotations

import unicodedata

TAB_WIDTH = 4


def visible(text: str) -> str:
    """Return text of one line that can steer neither a terminal nor the log of a GitHub run."""
    # GitHub's runner looks for this older mark of a command anywhere in a line.
    text = text.replace("##[", "##\\[")
    if text.isascii() and text.isprintable():
        return text
    return "".join(_character(character) for character in text)


def _character(character: str) -> str:
    if character == "\t":
        return " " * TAB_WIDTH
    category = unicodedata.category(character)
    if category == "Cc":
        return f"\\x{ord(character):02x}"
    if category in ("Cf", "Cs", "Co", "Zl", "Zp"):
        return f"\\u{ord(character):04x}"
    return character
