"""Writes the three workflows of our own, with their helpers, in every wiring: FOLDER/<wiring>/<file>."""

import sys
from pathlib import Path

from bmadc.backend.pack import pack
from bmadc.machine.wiring import WIRINGS
from bmadc.source import write_text


def main(folder: Path) -> None:
    for wiring in WIRINGS:
        for name, text in pack(wiring).items():
            write_text(folder, f"{wiring.waking.value}/{name}", text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: emit_spine.py FOLDER")
    main(Path(sys.argv[1]))
