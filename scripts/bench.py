"""Measures in one run, as seconds and as multiples of a floor taken in the same run: starting Python.

Nothing here is asserted: a slow machine is not a fault. Read the ratios.
"""

import csv
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

from bmadc.cli import collect_rarely
from bmadc.frontend.pack import read_pack
from bmadc.ghaw.jobgraph import JobGraph, problems
from bmadc.ghaw.locks import parse_lock
from bmadc.ghaw.runner import compile_files
from bmadc.machine.wiring import BUS
from bmadc.passes.lower import lower_all
from support.spinepack import pack

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.releases import source_root

PARSE_BUDGET = 0.40
PASSES_BUDGET = 0.25
MEMORY_BUDGET = 150
GROWTH_BUDGET = 11.0
RELEASE = "6.0.4"

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


def tokenise(root: Path) -> int:
    """What no reader can do without: read the bytes, and cut them up with the libraries that bmadc uses."""
    tokens = 0
    for path in sorted((root / "src").rglob("*")):
        if not path.is_file():
            continue
        text = path.read_bytes().decode()
        if path.suffix == ".yaml":
            tokens += sum(1 for _ in yaml.scan(text, Loader=yaml.CSafeLoader))
        elif path.suffix == ".csv":
            tokens += sum(len(row) for row in csv.reader(text.splitlines(keepends=True)))
        else:
            tokens += len(re.findall(r"<[^<>]*>|[^\s<>]+", text))
    return tokens


def growth(root: Path) -> float:
    """How many times as long ten copies of a module take as one."""
    with tempfile.TemporaryDirectory() as place:
        one, ten = Path(place) / "one", Path(place) / "ten"
        for folder, copies in ((one, 1), (ten, 10)):
            for number in range(copies):
                module = folder / "src" / f"m{number}"
                shutil.copytree(root / "src" / "bmm", module)
                definition = module / "module.yaml"
                text = definition.read_text(encoding="utf-8").replace("code: bmm", f"code: m{number}")
                definition.write_text(text, encoding="utf-8")
        return seconds(lambda: read_pack(ten), 3) / seconds(lambda: read_pack(one))


def memory(root: Path) -> float:
    """The largest size of a process that does nothing but read a release, in MB."""
    # Not getrusage: there a process that was started inherits the size of the one that started it.
    code = (
        "import sys\nfrom pathlib import Path\nfrom bmadc.frontend.pack import read_pack\n"
        "read_pack(Path(sys.argv[1]))\nprint(Path('/proc/self/status').read_text())"
    )
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True)
    return int(re.findall(r"VmHWM:\s+(\d+)", done.stdout)[0]) / 1024


def reading() -> None:
    """Prints what reading a release costs, beside what nobody could do it without."""
    root = source_root(RELEASE)
    least = seconds(lambda: tokenise(root))
    taken = seconds(lambda: read_pack(root), 9)
    print(f"\nread BMAD {RELEASE}, {sum(1 for one in (root / 'src').rglob('*') if one.is_file())} files")
    print(f"{'read the bytes and tokenise':<32} {least:7.3f} s     1.0 x")
    kept = within(taken, PARSE_BUDGET)
    print(f"{'read it all into a pack':<32} {taken:7.3f} s  {taken / least:6.1f} x  {kept} s")
    pack_ = read_pack(root)
    lowered = seconds(lambda: lower_all(pack_))
    kept = within(lowered, PASSES_BUDGET)
    print(f"{'passes and ledger':<32} {lowered:7.3f} s  {lowered / least:6.1f} x  {kept} s")
    times, size = growth(root), memory(root)
    print(f"{'ten copies of bmm for one':<32} {times:7.2f} x            {within(times, GROWTH_BUDGET)} x")
    print(f"{'memory':<32} {size:7.0f} MB           {within(size, MEMORY_BUDGET)} MB")


def within(value: float, budget: float) -> str:
    """Says whether a value keeps its budget."""
    return f"{'within' if value <= budget else 'OVER'} {budget:g}"


def main() -> None:
    """Prints the table."""
    collect_rarely()
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
    reading()


if __name__ == "__main__":
    main()
