"""Files and their text, with a line index: the only door to the disk."""

from bmadc.source.folders import (
    Listing,
    exists,
    folders_in,
    is_file,
    is_folder,
    is_named,
    is_taken,
    list_tree,
    open_folder,
    real_path,
)
from bmadc.source.ours import MARK, has_mark, of_packs
from bmadc.source.staging import (
    Disk,
    Interruption,
    Write,
    abandon,
    alone,
    interruption,
    is_interrupted,
    write_all,
)
from bmadc.source.text import SourceError, Text, decode, list_files, read_bytes, read_text, unreadable
from bmadc.source.write import write_text

__all__ = [
    "MARK",
    "Disk",
    "Interruption",
    "Listing",
    "SourceError",
    "Text",
    "Write",
    "abandon",
    "alone",
    "decode",
    "exists",
    "folders_in",
    "has_mark",
    "interruption",
    "is_file",
    "is_folder",
    "is_interrupted",
    "is_named",
    "is_taken",
    "list_files",
    "list_tree",
    "of_packs",
    "open_folder",
    "read_bytes",
    "read_text",
    "real_path",
    "unreadable",
    "write_all",
    "write_text",
]
