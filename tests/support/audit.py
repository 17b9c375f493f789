"""Cases in a process of their own, under a CPU limit, a memory limit and a watch over what is opened.

`run` writes the cases below a folder and starts this file as a program. The program reads one case after the
other; it says which one it starts, so that the one that crashes, stalls or reaches out is known. The watch is
an audit hook of the interpreter: it sees every file and folder that is opened, every connection and every
process, whoever in the process asks for it, and it ends the process on the spot.
"""

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

REACHED_OUT = 99
CPU_SECONDS = 8
MEMORY = 2 * 1024**3

_FORBIDDEN = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "urllib.")
_WATCHED = ("open", "os.listdir", "os.scandir")


@dataclass(frozen=True, slots=True)
class Case:
    """One case: its files below a folder of its own, and the file to read, or none to read the folder whole.

    `is_large` leaves out the checks of the tree, which cost more than the reading.
    """

    name: str
    files: dict[str, bytes] = field(default_factory=dict)
    read: str | None = None
    is_large: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a case: `read`, the code of the diagnostic that refused it, or what went wrong."""

    name: str
    result: str
    codes: tuple[str, ...] = ()
    is_bad: bool = False


def run(folder: Path, cases: list[Case]) -> list[Outcome]:
    """Read every case in one process and return what became of each; what did not end well is bad."""
    order = []
    for number, case in enumerate(cases):
        root = folder / str(number)
        root.mkdir(parents=True, exist_ok=True)
        for name, data in case.files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
        order.append({"root": str(root), "read": case.read, "large": case.is_large})
    tests = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, str(Path(__file__).resolve())],
        input=json.dumps(order),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, (str(tests), os.environ.get("SPY")))),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    outcomes: list[Outcome] = []
    for line in done.stdout.splitlines():
        said = json.loads(line)
        outcomes.append(
            Outcome(cases[said["case"]].name, said["result"], tuple(said["codes"]), is_bad=said["bad"])
        )
    if len(outcomes) < len(cases):
        name = cases[len(outcomes)].name
        why = {-24: "the CPU limit", REACHED_OUT: "the watch"}.get(done.returncode, f"code {done.returncode}")
        outcomes.append(Outcome(name, f"ended by {why}: {done.stderr[-500:]}", is_bad=True))
    return outcomes


def _is_inside(path: object, root: str) -> bool:
    if isinstance(path, int):
        return True
    real = os.path.realpath(os.fsdecode(path) if isinstance(path, bytes | str | os.PathLike) else ".")
    return real == root or real.startswith(root + os.sep)


class _Watch:
    """An audit hook; it sees nothing until it has a root."""

    def __init__(self) -> None:
        self.root = ""

    def __call__(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self.root:
            return
        is_bad = event.startswith(_FORBIDDEN)
        if event in _WATCHED:
            is_bad = not _is_inside(arguments[0] if arguments[0] is not None else ".", self.root)
            if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
                is_bad = True
        if is_bad:
            os.write(2, f"{event} {arguments!r}\n".encode())
            os._exit(REACHED_OUT)


def _read(root: Path, relative: str | None, *, is_large: bool) -> tuple[str, list[str], bool]:
    from bmadc.frontend.files import read_tree
    from bmadc.frontend.pack import read_pack
    from bmadc.ir.tree import leaf_ids
    from bmadc.source import SourceError, read_text
    from support.partition import faults

    try:
        if relative is None:
            pack = read_pack(root)
            return "read", sorted({said.code for said in pack.diagnostics}), False
        tree = read_tree(read_text(root, relative))
    except SourceError as refused:
        return refused.diagnostic.code, [], not refused.diagnostic.help
    codes = sorted({said.code for said in tree.diagnostics})
    if is_large:
        return "read", codes, False
    leaf_ids(tree)
    wrong = faults(tree)
    for said in tree.diagnostics:
        span = said.span
        if span is None or span.path != relative or not (said.why and said.help):
            wrong.append(f"a diagnostic says too little: {said}")
        elif not 1 <= span.line <= max(tree.text.line_count, 1) + 1 or span.column < 1:
            wrong.append(f"a diagnostic is outside of the file: {said}")
    return ("; ".join(wrong) or "read"), codes, bool(wrong)


def main() -> None:
    """Read the cases that standard input lists, and say a line about each."""
    order = json.load(sys.stdin)
    watch = _Watch()
    sys.addaudithook(watch)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    # What the readers import only when they need it is opened now, outside of the watch.
    _warm_up(Path(order[0]["root"]).parent / "warm")
    for number, case in enumerate(order):
        soft = int(time.process_time()) + CPU_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.RLIM_INFINITY))
        watch.root = os.path.realpath(case["root"])
        try:
            result, codes, is_bad = _read(Path(case["root"]), case["read"], is_large=case["large"])
        except Exception as problem:
            frame = problem.__traceback__
            while frame is not None and frame.tb_next is not None:
                frame = frame.tb_next
            where = f"{frame.tb_frame.f_code.co_name}:{frame.tb_lineno}" if frame else ""
            result, codes, is_bad = f"{type(problem).__name__} in {where}: {problem}"[:300], [], True
        finally:
            watch.root = ""
        print(json.dumps({"case": number, "result": result, "codes": codes, "bad": is_bad}), flush=True)


def _warm_up(folder: Path) -> None:
    from support.sample import NEW, OLD

    broken = {
        "a.md": "---\na: 'b\n---\n# \u00e9\n<step>\n",
        "a.yaml": "a: [",
        "a.toml": "a = ",
        "a.csv": 'a\n"b',
    }
    for number, files in enumerate((OLD, NEW, broken)):
        for name, text in files.items():
            path = folder / str(number) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            _read(folder / str(number), name, is_large=False)
        _read(folder / str(number), None, is_large=False)


if __name__ == "__main__":
    main()
