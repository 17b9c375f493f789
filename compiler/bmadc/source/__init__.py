"""Files and their text, with a line index: the only door to the disk."""

from bmadc.source.text import SourceError, Text, decode, list_files, read_bytes, read_text, unreadable
from bmadc.source.write import write_text

__all__ = [
    "SourceError",
    "Text",
    "decode",
    "list_files",
    "read_bytes",
    "read_text",
    "unreadable",
    "write_text",
]
