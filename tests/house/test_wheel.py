"""What is shipped: a wheel that works without the source tree, and a source distribution that gives it."""

import hashlib
import os
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from email.parser import Parser
from pathlib import Path

import pytest

from bmadc import __version__
from bmadc.backend import manifest
from bmadc.ghaw.vocabulary.pin import RELEASE
from support.built import HOUSE, built
from support.packs import GH_AW

ROOT = Path(__file__).resolve().parents[2]

# Runs bmadc, and says at the end which files of the source tree it opened or listed.
WATCH = """
import os, sys
seen, tree = set(), sys.argv.pop(1)
def watch(event, arguments):
    if event in ("open", "os.listdir", "os.scandir") and arguments and isinstance(arguments[0], (str, bytes)):
        path = os.path.realpath(os.fsdecode(arguments[0]))
        parts = os.path.relpath(path, tree).split(os.sep)
        if parts[0] in ("_bmad", "compiler", "schemas", "templates", "tests", "scripts"):
            seen.add(path)
sys.addaudithook(watch)
from bmadc.cli import main
try:
    main()
finally:
    print("OPENED", *sorted(seen), file=sys.stderr)
"""


def build(source: Path, kind: str, folder: Path) -> Path:
    """Build a distribution of a source tree into a folder and return its file."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    unpacked = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    return unpacked


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scratch")
    subprocess.run(["git", "init", "--quiet", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def run(installed: Path, project: Path) -> Callable[..., str]:
    """Run bmadc from the wheel in one scratch repository, far from the source tree."""

    def command(*arguments: str, code: int = 0, **environment: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", WATCH, str(ROOT), *arguments],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(installed), "BMADC_GH_AW": str(GH_AW), **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert done.stderr.splitlines()[-1] == "OPENED", done.stderr
        return done.stdout

    return command


@pytest.mark.needs("gh-aw")
@pytest.mark.xdist_group("wheel")
def test_a_new_user_gets_a_verified_pack_from_the_wheel_alone(run: Callable[..., str], project: Path) -> None:
    assert run("--version") == f"bmadc {__version__}, for gh-aw {RELEASE}\n"
    said = run("init", "--yes").splitlines()[-1]
    assert said.startswith("verified: ")
    assert said.endswith(f" 0 errors, 0 warnings, gh-aw {RELEASE}")
    assert run("build").splitlines()[-1].endswith(" workflows, in step in .")
    assert run("check", "--full").startswith("in step: ")
    assert "nothing to mend" in run("doctor")
    assert run("init", "--yes").endswith("\nnothing to do: everything is there\n")
    # Down to the hash of the compiler it is the pack that the source tree gives.
    lock = (project / manifest.FILE).read_text(encoding="utf-8")
    assert lock == built(HOUSE).manifest.text()


@pytest.mark.xdist_group("wheel")
@pytest.mark.parametrize(
    ("shell", "words", "at", "offered"),
    [
        ("bash", "bmadc init --en", "2", "plain,--engine\n"),
        ("bash", "bmadc init --engine co", "3", "plain,copilot\nplain,codex\n"),
        ("zsh", "bmadc init --wiring ma", "3", "plain\nmanual\n_\n"),
        ("fish", "bmadc init --stack ru", "ru", "plain,rust\n"),
    ],
)
def test_the_shells_complete_from_the_wheel(
    run: Callable[..., str], shell: str, words: str, at: str, offered: str
) -> None:
    shown = run(COMP_WORDS=words, COMP_CWORD=at, _BMADC_COMPLETE=f"{shell}_complete")
    assert shown.strip("\n").split("\n")[: offered.count("\n")] == offered.strip("\n").split("\n")


@pytest.mark.xdist_group("wheel")
def test_the_source_distribution_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    packed = build(ROOT, "sdist", tmp_path / "sdist")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    again = build(source, "wheel", tmp_path / "again")
    assert _hashes(again) == _hashes(wheel)
    tops = {path.name for path in source.iterdir()}
    assert {"_bmad", "compiler", "pyproject.toml", "schemas", "templates"} <= tops
    assert tops & {"tests", "workflows", "tools", ".tools", "docs"} == set()


def _hashes(wheel: Path) -> dict[str, str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


@pytest.mark.xdist_group("wheel")
def test_the_wheel_holds_the_edition_the_templates_and_the_schemas_as_they_are(installed: Path) -> None:
    for folder in ("_bmad", "schemas", "templates"):
        tracked = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()}
        assert tracked
        for path in tracked:
            assert (installed / "bmadc" / path).read_bytes() == (ROOT / path).read_bytes(), path
    assert not any("__pycache__" in path.parts for path in installed.rglob("*"))


@pytest.mark.xdist_group("wheel")
def test_the_metadata_is_whole_and_names_no_host(installed: Path) -> None:
    (info,) = installed.glob("bmadc-*.dist-info")
    said = Parser().parsestr((info / "METADATA").read_text(encoding="utf-8"))
    assert (said["Name"], said["Version"], said["License-Expression"]) == ("bmadc", __version__, "MIT")
    assert said["Requires-Python"] == ">=3.11"
    assert said["Summary"]
    assert not said.get_all("Project-URL")
    needed = {
        line.split(";")[0].split(">=")[0]
        for line in said.get_all("Requires-Dist") or ()
        if "extra" not in line
    }
    assert needed == {"jinja2", "pyyaml", "click"}
    for licence in ROOT.glob("LICENSE*"):
        assert (info / "licenses" / licence.name).read_bytes() == licence.read_bytes()
    entry = (info / "entry_points.txt").read_text(encoding="utf-8")
    assert "bmadc = bmadc.cli:main" in entry
