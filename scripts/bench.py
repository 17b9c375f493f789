"""Measures a build of a real release and its parts, as seconds and as multiples of floors of the same run.

Nothing here is asserted: a slow machine is not a fault. Read the ratios. Commands and what is called cold are
processes of their own; what is called warm is the same work again in one process.
"""

import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import yaml

from bmadc.cli import collect_rarely
from bmadc.compile import compile_pack
from bmadc.ghaw.binary import pinned_gh_aw
from bmadc.ghaw.vocabulary.pin import COMPILE_FLAGS
from bmadc.project import Project
from bmadc.writing import carry_out, plan

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.releases import source_root

RELEASE = "6.0.4"
PHASES = ("parse", "passes and ledger", "emit and write")
BUDGETS = dict(zip(PHASES, (0.40, 0.25, 0.20), strict=True))
RUN_BMADC = "from bmadc.cli import main; main()"


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; a value without a floor is no time."""

    name: str
    value: float
    budget: float = 0.0
    floor: float = 0.0
    unit: str = "s"

    def __str__(self) -> str:
        ratio = f"{self.value / self.floor:6.1f} x floor" if self.floor else ""
        kept = "within" if self.value <= self.budget else "OVER"
        judged = f"{kept} {self.budget:g} {self.unit}" if self.budget else ""
        return f"{self.name:<42} {self.value:8.3f} {self.unit:<2} {ratio:<14}  {judged}".rstrip()


def seconds(act: Callable[[], object], times: int = 5) -> float:
    """The median of a few runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        act()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


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


def build(root: Path, out: Path | None) -> list[float]:
    """How long each phase of a build takes in this process; without a folder nothing is written."""
    at = [time.perf_counter()]
    built = compile_pack(root, Project(), (), lambda _: at.append(time.perf_counter()))
    if out is not None:
        carry_out(out, plan(out, built))
    # The first phase begins when it is announced, and each ends where the next is announced.
    at = [*at[1:], time.perf_counter()]
    return [end - start for start, end in pairwise(at)]


def tell(root: Path, written: bool, times: int) -> None:
    """In a process of its own: print the phases of some builds, and its largest size."""
    collect_rarely()
    with tempfile.TemporaryDirectory() as place:
        taken = [build(root, Path(place) / str(number) if written else None) for number in range(times)]
    # Not getrusage: there a process that was started inherits the size of the one that started it.
    size = int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1024
    print(json.dumps({"phases": taken, "megabytes": size}))


class Bench:
    """Processes with the bytecode of an installed program, below a folder that is removed afterwards."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(place / "bytecode")}
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.environment.pop("CI", None)

    def python(self, *arguments: str) -> str:
        """Run Python and return what it prints."""
        command = [sys.executable, *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=True)
        return done.stdout

    def bmadc(self, *arguments: str) -> None:
        """Run a command of bmadc as its script does."""
        self.python("-c", RUN_BMADC, *arguments)

    def phases(self, root: Path, written: bool, times: int) -> tuple[list[list[float]], float]:
        """Return the phases of some builds in one new process, and its largest size."""
        told = json.loads(self.python(__file__, str(root), str(int(written)), str(times)))
        return told["phases"], told["megabytes"]

    def gh_aw(self, out: Path) -> float:
        """Return how long the real compiler takes for a pack."""
        repository = self.place / "repository"
        shutil.copytree(out / "workflows", repository / ".github" / "workflows")
        nowhere = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.place), **nowhere}
        subprocess.run(["git", "init", "--quiet"], cwd=repository, check=True)
        command = [str(pinned_gh_aw().path), "compile", *COMPILE_FLAGS]

        def compiled() -> None:
            subprocess.run(command, cwd=repository, env=environment, capture_output=True, check=True)

        return seconds(compiled, 3)

    def growth(self, root: Path) -> tuple[float, float]:
        """Return how many times as long ten copies of a module take as one: to parse, and to build."""
        taken = []
        for copies in (1, 10):
            folder = self.place / f"copies-{copies}"
            for number in range(copies):
                module = folder / "src" / f"m{number}"
                shutil.copytree(root / "src" / "bmm", module)
                definition = module / "module.yaml"
                text = definition.read_text(encoding="utf-8").replace("code: bmm", f"code: m{number}")
                definition.write_text(text, encoding="utf-8")
            # Copies have the same labels, so nothing of them could be written.
            runs = self.phases(folder, False, 4)[0][1:]
            taken.append((min(run[0] for run in runs), min(map(sum, runs))))
        (parse, whole), (parse_ten, whole_ten) = taken
        return parse_ten / parse, whole_ten / whole

    def rows(self, root: Path) -> list[Row]:
        """Measure everything."""
        out = self.place / "out"
        tree = ("--root", str(root), "--out", str(out))
        self.bmadc("build", *tree)
        start = seconds(lambda: self.python("-c", "pass"))
        least = seconds(lambda: tokenise(root))
        rows = [
            Row("floor: start the interpreter", start),
            Row("floor: read the bytes and tokenise them", least),
        ]
        fresh = [self.phases(root, True, 1) for _ in range(3)]
        again = self.phases(root, True, 6)[0][1:]
        for number, name in enumerate(PHASES):
            cold = statistics.median(taken[0][number] for taken, _ in fresh)
            warm = statistics.median(taken[number] for taken in again)
            rows.append(Row(f"{name}, cold", cold, BUDGETS[name], least))
            rows.append(Row(f"{name}, warm", warm, BUDGETS[name], least))

        def cold_build() -> None:
            shutil.rmtree(out)
            self.bmadc("build", *tree)

        whole, theirs = seconds(cold_build), self.gh_aw(out)
        rows += [
            Row("bmadc --help", seconds(lambda: self.bmadc("--help")), 0.15, start),
            Row("bmadc build, cold", whole, 1.0, start + least),
            Row("bmadc build, no change", seconds(lambda: self.bmadc("build", *tree)), 0.3, start + least),
            Row("bmadc check, fast path", seconds(lambda: self.bmadc("check", *tree)), 0.3, start + least),
            Row("gh-aw compile of that pack", theirs, 0.0, start + least),
            Row("bmadc build for one gh-aw compile", whole / theirs, 0.2, unit="x"),
            Row("memory of a build", max(size for _, size in fresh), 150, unit="MB"),
        ]
        parse, build_ = self.growth(root)
        rows.append(Row("ten copies of a module for one, parse", parse, 11, unit="x"))
        rows.append(Row("ten copies of a module for one, build", build_, 11, unit="x"))
        return rows


def main() -> None:
    """Print the table."""
    root = source_root(RELEASE)
    with tempfile.TemporaryDirectory() as place:
        for row in Bench(Path(place)).rows(root):
            print(row)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        tell(Path(sys.argv[1]), bool(int(sys.argv[2])), int(sys.argv[3]))
    else:
        main()
