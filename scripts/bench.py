"""Measures in one run, as seconds and as multiples of a floor taken in the same run: starting Python.

Nothing here is asserted: a slow machine is not a fault. Read the ratios.
"""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bmadc.backend.pack import pack
from bmadc.ghaw.jobgraph import JobGraph, problems
from bmadc.ghaw.locks import parse_lock
from bmadc.ghaw.runner import compile_files
from bmadc.machine.wiring import BUS

BMADC = str(Path(sys.executable).parent / "bmadc")


def seconds(act: Callable[[], object], times: int = 5) -> float:
    """The median of a few runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def command(*arguments: str) -> Callable[[], object]:
    """A run of a program, its output thrown away."""
    return lambda: subprocess.run(arguments, capture_output=True, check=False)


def main() -> None:
    """Prints the table."""
    files = pack(BUS)
    locks = compile_files(files).locks
    floor = seconds(command(sys.executable, "-c", "pass"))
    rows = [
        ("start the interpreter (floor)", floor),
        ("bmadc --help", seconds(command(BMADC, "--help"))),
        ("bmadc build (exits 3)", seconds(command(BMADC, "build"))),
        ("emit one pack, 6 files", seconds(lambda: pack(BUS))),
        (
            "read and judge 3 locks",
            seconds(lambda: [problems(JobGraph.of(parse_lock(t, n))) for n, t in locks.items()]),
        ),
        ("gh-aw over one pack, twice", seconds(lambda: compile_files(files), 3)),
    ]
    for name, taken in rows:
        print(f"{name:<32} {taken:7.3f} s  {taken / floor:6.1f} x floor")


if __name__ == "__main__":
    main()
