"""Line 4: two builds are the same bytes, whatever machine they run on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from bmadc.compile import Built
from bmadc.machine.catalogue import row_of
from support import otherwise
from support.built import HOUSE, PACKS, built, folder_of
from support.hut import write_hut
from support.mill import write_mill
from support.releases import ROOT

# What differs from the process that runs the tests, all of it at once: any one of them would be seen.
ELSEWHERE = {
    "PYTHONHASHSEED": "4711",
    "LC_ALL": "C",
    "LANG": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "TZ": "Pacific/Kiritimati",
    "COLUMNS": "40",
    "HOME": "/nonexistent",
}
TEXT = {".md", ".yaml", ".yml", ".xml", ".csv", ".toml", ".json", ".txt", ".py", ".sh"}
RESERVED = {"con", "prn", "aux", "nul", *(f"{kind}{n}" for kind in ("com", "lpt") for n in range(1, 10))}


Result = tuple[dict[str, str], list[str]]


def builds(folders: Iterable[Path], kinds: str, cwd: Path, **environment: str) -> list[Result]:
    """The hashes of packs and what was said, from a process of its own."""
    done = subprocess.run(
        [sys.executable, otherwise.__file__, *map(str, folders)],
        env={**os.environ, "OTHERWISE": kinds, **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [(files, said) for files, said in map(json.loads, done.stdout.splitlines())]


def hashes(pack: Built) -> dict[str, str]:
    files = {**pack.files, "bmadc.lock.json": pack.manifest.text()}
    return {path: sha256(text.encode()).hexdigest() for path, text in files.items()}


def moved(release: str, to: Path) -> Path:
    """The tree of a release in another place, with the line ends of Windows."""
    names = ["_bmad", "bmadc.toml"] if release == HOUSE else ["."]
    for name in names:
        source = folder_of(release) / name
        if source.is_dir():
            shutil.copytree(source, to / name, dirs_exist_ok=True)
        else:
            shutil.copy(source, to / name)
    for path in to.rglob("*"):
        if path.is_file() and path.suffix in TEXT:
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    return to


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", [HOUSE, "6.0.4", "6.12.0"])
def test_another_machine_gives_the_same_bytes(release: str, tmp_path: Path) -> None:
    folder = tmp_path / "a folder of another name, with späces"
    folder.mkdir()
    ((files, said),) = builds([moved(release, folder)], "shuffled", tmp_path, **ELSEWHERE)
    assert files == hashes(built(release))
    assert said == [f"{one.code} {one.message} {one.span}" for one in built(release).diagnostics]


@pytest.mark.parametrize("kinds", ["reversed folded", ""])
def test_another_order_and_a_system_without_case(kinds: str, tmp_path: Path) -> None:
    ((files, _),) = builds([ROOT], kinds, tmp_path, PYTHONHASHSEED="0", LC_ALL="C.UTF-8", TZ="UTC")
    assert files == hashes(built(HOUSE))


# --- systems that do not tell names apart by their case


def renamed(folder: Path, old: str, new: str) -> Path:
    (folder / old).rename(folder / new)
    return folder


TREES: dict[str, Callable[[Path], Path]] = {
    "as it is": write_hut,
    "module.yaml": lambda at: renamed(write_hut(at), "module.yaml", "Module.yaml"),
    "SKILL.md": lambda at: renamed(write_hut(at), "hut-stove/SKILL.md", "hut-stove/Skill.md"),
    "a reference": lambda at: renamed(
        write_hut(at), "hut-sweep/steps/step-01-look.md", "hut-sweep/steps/Step-01-Look.md"
    ),
    "the help table": lambda at: renamed(
        write_mill(at), "src/mill/module-help.csv", "src/mill/module-help.CSV"
    ),
    "a folder": lambda at: renamed(write_mill(at), "src/mill/agents", "src/mill/Agents"),
    "the settings": lambda at: write_hut(at, {"BMADC.TOML": "engine = 'codex'\n"}),
}


def test_a_name_in_another_case_is_not_there_anywhere(tmp_path: Path) -> None:
    folders = [make(tmp_path / f"tree {number}") for number, make in enumerate(TREES.values())]
    here = builds(folders, "", tmp_path)
    there = builds(folders, "folded", tmp_path)
    assert [what for what, one, other in zip(TREES, here, there, strict=True) if one != other] == []


def test_the_shim_folds_case(tmp_path: Path) -> None:
    (tmp_path / "Some").mkdir()
    (tmp_path / "Some" / "File.txt").write_text("x", encoding="utf-8")
    code = (
        "import sys; from pathlib import Path; from support.otherwise import folded; folded()\n"
        "base = Path(sys.argv[1]); from bmadc.source import is_file, is_folder, is_taken\n"
        "print((base / 'sOME' / 'file.TXT').read_text(), is_taken(base, 'some/file.txt'),\n"
        "is_file(base, 'some/file.txt'), is_file(base, 'Some/File.txt'), is_folder(base, 'some'))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT / "tests", ROOT / "compiler")))},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["x", "True", "False", "True", "False"]


def paths(release: str) -> Iterator[str]:
    yield from built(release).files
    yield from (f".github/workflows/{one.row.lock}" for one in built(release).made)


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", PACKS)
def test_every_path_of_a_pack_can_be_checked_out_everywhere(release: str) -> None:
    folded = Counter(path.casefold() for path in paths(release))
    assert [path for path, count in folded.items() if count > 1] == []
    for path in paths(release):
        for part in path.split("/"):
            assert part.isascii()
            assert not set(part) & set('<>:"\\|?*'), path
            assert part == part.rstrip(". "), path
            assert part.partition(".")[0].casefold() not in RESERVED, path
        assert len(path) < 100


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", PACKS)
def test_no_two_sources_differ_only_in_case(release: str) -> None:
    folded = Counter(path.casefold() for path in built(release).manifest.inputs)
    assert [path for path, count in folded.items() if count > 1] == []


@pytest.mark.parametrize("id_", [*sorted(RESERVED), "nul.", "con ", "aux.md", "A" * 300])
def test_no_id_becomes_a_name_that_windows_keeps_for_itself(id_: str) -> None:
    stem = row_of(id_).document.removesuffix(".md")
    assert stem.startswith("bmad-")
    assert stem == stem.lower().rstrip(". ")
    assert len(stem) < 60
