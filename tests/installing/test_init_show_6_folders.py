"""Line 6: whatever a folder holds, `init` changes nothing that is there, and fails whole or not at all."""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import bmadc
from bmadc.cli import cli
from bmadc.installing import install
from bmadc.project import FILE
from bmadc.source import staging
from support.folders import repository, snapshot
from support.npm import FakeNpm
from support.packs import stand_in

RELEASE, OTHER = "6.9.9", "6.9.8"


@pytest.fixture(autouse=True)
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeNpm:
    monkeypatch.chdir(repository(tmp_path / "project"))
    fake = FakeNpm(tmp_path / "bin", monkeypatch)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "empty"))
    monkeypatch.delenv("BMADC_GH_AW", raising=False)
    fake.has(RELEASE)
    fake.has(OTHER)
    return fake


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, [*arguments], prog_name="bmadc")


def init(*arguments: str) -> Result:
    return run("init", "--yes", *arguments)


def write(path: str, text: str = "mine\n") -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


def test_a_second_run_changes_nothing_and_says_so() -> None:
    assert init("--bmad", RELEASE).exit_code == 0
    before = snapshot(Path())
    shown = init("--bmad", RELEASE)
    assert (shown.exit_code, snapshot(Path())) == (0, before)
    assert (
        shown.output
        == """\
kept   bmad-method/       BMAD 6.9.9
kept   bmadc.toml         what is compiled, and how
kept   bmadc.schema.json  what editors check it by
kept   workflows/         the pack

nothing to do: everything is there
"""
    )


def test_a_second_run_with_other_wishes_says_that_and_how_they_come_true() -> None:
    assert init("--bmad", RELEASE).exit_code == 0
    before = snapshot(Path())
    shown = init("--bmad", OTHER, "--engine", "codex", "--stack", "go", "--wiring", "bus")
    assert (shown.exit_code, snapshot(Path())) == (0, before)
    assert (
        "note  bmadc.toml is there and stays as it is: change engine and stacks in it, then `bmadc build`.\n"
        in shown.output
    )
    assert (
        "note  BMAD 6.9.9 is there and stays. For another one, remove bmad-method/, then run this again and "
        "`bmadc build`.\n" in shown.output
    )


def test_an_upgrade_is_a_new_tree_and_a_build() -> None:
    assert init("--bmad", RELEASE).exit_code == 0
    shutil.rmtree("bmad-method")
    before = snapshot(Path())
    shown = init("--bmad", OTHER)
    assert shown.exit_code == 0
    assert "added  bmad-method/       BMAD 6.9.8\n" in shown.output
    assert "`bmadc build` makes it anew from the new tree." in shown.output
    now = snapshot(Path())
    assert {path: data for path, data in now.items() if not path.startswith("bmad-method/")} == before
    assert run("build").exit_code == 0
    assert run("check").exit_code == 0


def test_what_is_missing_is_added_and_the_rest_kept() -> None:
    assert init("--bmad", RELEASE).exit_code == 0
    whole = snapshot(Path())
    Path("bmadc.schema.json").unlink()
    Path("bmadc.lock.json").unlink()
    shown = init()
    assert (shown.exit_code, snapshot(Path())) == (0, whole)
    assert "added  bmadc.schema.json" in shown.output
    assert "kept   bmadc.toml" in shown.output


def test_a_pack_out_of_step_is_said_and_left() -> None:
    assert init("--bmad", RELEASE).exit_code == 0
    write("workflows/bmad-hut-stove.md")
    shown = init()
    assert shown.exit_code == 0
    assert "`bmadc check` says: drift: 1 findings, by their hashes." in shown.output
    assert Path("workflows/bmad-hut-stove.md").read_text(encoding="utf-8") == "mine\n"


def test_a_tree_that_is_there_is_taken_and_not_touched(fake: FakeNpm) -> None:
    shutil.copytree(Path(bmadc.__file__).parents[2] / "_bmad", "_bmad")
    write("_bmad/bmm/team-notes.md")
    before = snapshot(Path())
    shown = init()
    assert shown.exit_code == 0
    assert "kept   _bmad/             the house edition\n" in shown.output
    now = snapshot(Path())
    assert {path: now[path] for path in before} == before
    assert fake.calls() == []


def test_a_front_page_of_the_repository_stays(fake: FakeNpm) -> None:
    write("README.md")
    shown = init("--bmad", RELEASE)
    assert (shown.exit_code, "README.md " in shown.output) == (0, False)
    assert Path("README.md").read_text(encoding="utf-8") == "mine\n"
    assert run("check", "--full").exit_code == 0


def test_every_line_of_what_was_added_says_what_it_is() -> None:
    added = [line for line in init("--bmad", RELEASE).output.splitlines() if line.startswith("added ")]
    assert len(added) == 8
    assert all(len(line.split(maxsplit=2)) == 3 for line in added), added
    assert max(map(len, added)) <= 80


def test_another_release_goes_beside_a_tree_that_is_there() -> None:
    write("_bmad/_config/manifest.yaml", "installation:\n  version: 6.8.0\n")
    before = snapshot(Path())
    shown = init("--bmad", RELEASE)
    assert shown.exit_code == 0, shown.output
    now = snapshot(Path())
    assert {path: now[path] for path in before} == before
    assert 'source = "bmad-method"' in Path(FILE).read_text(encoding="utf-8")


def _foreign_outputs() -> None:
    write("workflows/README.md")
    write("aw.yml")


def _link_out() -> None:
    Path("../elsewhere").mkdir()
    Path("bmad-method").symlink_to("../elsewhere")


WAY = "= do:  Move it away, or choose another folder for the pack with --out."
IN_THE_WAY: dict[str, tuple[Callable[[], None], tuple[str, ...], int, tuple[str, ...]]] = {
    "outputs of others": (
        _foreign_outputs,
        ("--bmad", RELEASE),
        1,
        ("aw.yml: error[BMC421]", "workflows/README.md: error[BMC421]", "= why: bmadc never touches", WAY),
    ),
    "a tree of another release": (
        lambda: write("bmad-method/package.json", '{"name": "bmad-method", "version": "6.9.8"}'),
        ("--bmad", RELEASE),
        1,
        ("bmad-method: error[BMC508]", "= why: bmadc never touches", "= do:  Move it away", "without --bmad"),
    ),
    "a file where the tree goes": (
        lambda: write("bmad-method"),
        ("--bmad", RELEASE),
        1,
        ("bmad-method: error[BMC508]", "= do:  Move it away"),
    ),
    "a link where the tree goes": (_link_out, ("--bmad", RELEASE), 1, ("bmad-method: error[BMC508]",)),
    "a tree where the house edition goes": (
        lambda: write("_bmad/_config/manifest.yaml", "installation:\n  version: 6.8.0\n"),
        ("--house",),
        1,
        ("_bmad: error[BMC508]", "`bmadc init` without --house compiles the tree that is there."),
    ),
    "a file where the house edition goes": (lambda: write("_bmad"), (), 1, ("_bmad: error[BMC508]",)),
    "settings that are wrong": (
        lambda: write(FILE, "engin = 3\n"),
        (),
        1,
        ("bmadc.toml:1:1: error[BMC402]: there is no setting 'engin'", "Perhaps: engine."),
    ),
    "settings that lead elsewhere": (
        lambda: write(FILE, 'source = "../elsewhere"\n'),
        ("--bmad", RELEASE),
        2,
        ("error[BMC102]", "leads out of its folder"),
    ),
    "settings without room for a package": (
        lambda: write(FILE, 'source = "."\n'),
        ("--bmad", RELEASE),
        1,
        ("bmadc.toml: error[BMC508]", 'Write source = "bmad-method" into bmadc.toml'),
    ),
    "a folder of the pack that is a file": (
        lambda: write("packs"),
        ("--bmad", RELEASE, "--out", "packs"),
        2,
        ("error[BMC109]", "= why: Nothing was changed."),
    ),
    "no git": (
        lambda: shutil.rmtree(".git"),
        (),
        2,
        (".: error[BMC507]: this is not in a git repository", "= why: A pack is committed", "`git init`"),
    ),
    "no folder": (
        lambda: None,
        ("nowhere",),
        2,
        ("nowhere: error[BMC101]: 'nowhere' does not exist", "= do: "),
    ),
    "a file for a folder": (
        lambda: write("there"),
        ("there",),
        2,
        ("there: error[BMC108]: this is a file, not a folder", "= do: "),
    ),
}


@pytest.mark.parametrize("row", IN_THE_WAY)
def test_what_is_in_the_way_stays_as_it_is_and_is_named(row: str) -> None:
    prepare, arguments, code, said = IN_THE_WAY[row]
    prepare()
    before = snapshot(Path())
    shown = init(*arguments)
    assert (shown.exit_code, snapshot(Path())) == (code, before), shown.output
    for words in said:
        assert words in shown.output, shown.output
    assert shown.output.endswith("\nnothing was written\n")


# --- what gh-aw says at the end


@pytest.mark.parametrize(
    ("release", "code", "last"),
    [
        (
            None,
            0,
            "not verified: gh-aw was not found; gh extension install github/gh-aw --pin v0.89.10, then",
        ),
        (
            "v0.1.0",
            0,
            "bmadc compiles for v0.89.10; gh extension remove aw && gh extension install github/gh-aw",
        ),
        ("v0.89.10", 2, "not verified: "),
    ],
    ids=["none", "another release", "one that breaks"],
)
def test_where_nobody_verified_the_last_line_says_so_and_how_to_change_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str | None, code: int, last: str
) -> None:
    if release is not None:
        monkeypatch.setenv("BMADC_GH_AW", str(stand_in(tmp_path, "echo no; exit 9", release=release)))
    shown = init("--bmad", RELEASE)
    line = shown.output.splitlines()[-1]
    assert (shown.exit_code, line.startswith("not verified: "), last in line) == (code, True, True), line
    if code == 0:
        assert line.endswith("then `bmadc verify workflows`")
    # The pack itself is whole in any case.
    assert run("check", "--full").exit_code == 0


# --- when the disk fails, or a person interrupts


class Broken(staging.Disk):
    """A disk that fails before its n-th change."""

    def __init__(self, left: int, problem: BaseException) -> None:
        self.left = left
        self.problem = problem

    def _count(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise self.problem

    def make_folder(self, path: Path) -> None:
        self._count()
        super().make_folder(path)

    def write(self, path: Path, data: bytes) -> None:
        self._count()
        super().write(path, data)

    def replace(self, source: Path, target: Path) -> None:
        self._count()
        super().replace(source, target)


@pytest.mark.parametrize("problem", [OSError(28, os.strerror(28)), KeyboardInterrupt()], ids=["full", "^C"])
@pytest.mark.parametrize("left", [0, 3, 12])
def test_a_write_that_fails_before_it_is_decided_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, left: int, problem: BaseException
) -> None:
    # At least as many changes come before a pack of this size is decided.
    monkeypatch.setattr(staging, "Disk", lambda: Broken(left, problem))
    write("mine.md")
    shown = init("--bmad", RELEASE, "--out", "deep/packs")
    assert snapshot(Path()) == {"mine.md": b"mine\n"}, shown.output
    assert shown.exit_code != 0
    if isinstance(problem, OSError):
        assert "No space left" in shown.output


def test_a_write_that_is_decided_is_kept_and_the_next_run_finishes_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Late(staging.Disk):
        def replace(self, source: Path, target: Path) -> None:
            if target.name == "aw.yml":
                raise OSError(5, os.strerror(5))
            super().replace(source, target)

    with monkeypatch.context() as patched:
        patched.setattr(staging, "Disk", Late)
        shown = init("--bmad", RELEASE)
    assert (shown.exit_code, "error[BMC109]" in shown.output) == (2, True)
    assert Path(FILE).is_file()
    assert Path("bmad-method/LICENSE").is_file()
    assert init().exit_code == 0
    assert run("check", "--full").exit_code == 0
    assert not list(Path().glob(".bmadc*"))


def test_settings_that_cannot_be_written_take_the_tree_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(install, "write_text", full)
    shown = init("--bmad", RELEASE)
    assert (shown.exit_code, snapshot(Path())) == (2, {})
    assert "error[BMC109]: cannot be written: No space left on device" in shown.output


def _like_everybody() -> None:
    """Take away from root what lets it write everywhere, where the test runs as root."""
    drop, override = 24, 1
    ctypes.CDLL(None).prctl(drop, override, 0, 0, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="takes root's power away as Linux does it")
def test_a_folder_that_may_not_be_written_is_said() -> None:
    project = Path.cwd()
    project.chmod(0o555)
    try:
        shown = subprocess.run(
            [sys.executable, "-m", "bmadc", "init", "--yes"],
            cwd=project,
            env={**os.environ, "PYTHONPATH": str(Path(bmadc.__file__).parents[1])},
            preexec_fn=_like_everybody,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        project.chmod(0o755)
    assert (shown.returncode, snapshot(project)) == (2, {}), shown.stdout + shown.stderr
    assert "error[BMC109]: cannot be written: Permission denied" in shown.stdout
    assert "= why: Nothing was changed." in shown.stdout
