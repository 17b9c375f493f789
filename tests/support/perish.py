"""A program that writes a pack many times, each time in a process that ends before another system call.

    python perish.py OLD WORK WRITE

OLD is copied to WORK/0, WORK/1 and so on, and the write, a JSON file, is carried out there. The process of
number k is gone, without any cleaning up, right before its k-th call that touches the folder. The last number
is that of the process that lived; it is printed.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from bmadc.source import Write, write_all
from support.mortal import linked

CALLS = frozenset({"open", "os.listdir", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.scandir"})
DEAD = 9


def perish(folder: Path, write: Write, number: int) -> None:
    """Write, and end the process before the n-th call."""
    seen = 0

    def one_more() -> None:
        nonlocal seen
        if seen == number:
            os._exit(DEAD)
        seen += 1

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in CALLS and str(args[0]).startswith(str(folder)):
            one_more()

    # Each file is brought down to the disk, which takes its time; here it is only counted.
    os.fsync = lambda fd: one_more()
    sys.addaudithook(hook)
    write_all(folder, write)
    os._exit(0)


def main(old: Path, work: Path, write: Write) -> int:
    """Let one process after the other perish, until one lives."""
    number = -1
    status = DEAD
    while status == DEAD:
        number += 1
        folder = linked(old, work / str(number))
        child = os.fork()
        if child == 0:
            perish(folder, write, number)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, status
    return number


if __name__ == "__main__":
    wanted = json.loads(Path(sys.argv[3]).read_text(encoding="utf-8"))
    print(main(Path(sys.argv[1]), Path(sys.argv[2]), Write(wanted["texts"], wanted["removed"])))
