"""Line 5: a build that dies anywhere leaves whole files, is seen, and is made good by the next one."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import bmadc
from bmadc.backend import manifest
from bmadc.checking import DRIFT, IN_STEP, check
from bmadc.cli import cli
from bmadc.compile import Built, compile_pack
from bmadc.machine.choices import Choices, Override
from bmadc.machine.wiring import CREDENTIAL
from bmadc.project import Project, read_project
from bmadc.source import Disk, SourceError, alone, is_interrupted
from bmadc.source.staging import FOLDER
from bmadc.writing import carry_out, plan
from support.mortal import Counted, Killed, contents, deadly, failing, linked
from support.releases import ROOT

TESTS = Path(__file__).resolve().parents[1]


def project(disabled: str, **choices: object) -> Project:
    """The house edition without one of its workflows."""
    own, _ = read_project(ROOT)
    return replace(
        own,
        choices=replace(Choices(), **choices),  # type: ignore[arg-type]
        workflows={disabled: Override(disabled=True)},
    )


BEFORE = project("party-mode")
AFTER = project("review-prose", wiring=CREDENTIAL)


@cache
def packs() -> tuple[Built, Built]:
    """An older pack and a newer one: every workflow changed, one is new, one is gone."""
    return compile_pack(ROOT, BEFORE), compile_pack(ROOT, AFTER)


def as_bytes(pack: Built) -> dict[str, bytes]:
    files = {**pack.files, manifest.FILE: pack.manifest.text()}
    return {path: text.encode() for path, text in files.items()}


def build(out: Path, pack: Built, disk: Disk | None = None) -> None:
    carry_out(out, plan(out, pack), disk)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    # Nothing here loses its power, and waiting for the disk is most of the time of a write.
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="module")
def older(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The older pack on the disk, with a file beside it that is none of ours."""
    folder = tmp_path_factory.mktemp("older")
    build(folder, packs()[0])
    (folder / "workflows" / "mine.md").write_text("Mine.\n", encoding="utf-8")
    return folder


def assert_whole(folder: Path, old: Built, new: Built) -> None:
    """Each file is wholly old or wholly new, and what is nobody's is as it was."""
    was, wanted = as_bytes(old), as_bytes(new)
    found = {path: data for path, data in contents(folder).items() if not path.startswith(FOLDER)}
    assert found.pop("workflows/mine.md") == b"Mine.\n"
    for path in {*was, *wanted, *found}:
        assert found.get(path) in (was.get(path), wanted.get(path)), path
    if found[manifest.FILE] == wanted[manifest.FILE]:
        assert found == wanted, "the manifest speaks of files that are not there yet"


def assert_built(folder: Path, pack: Built) -> None:
    """The pack is there to the byte, and nothing else."""
    assert contents(folder) == {**as_bytes(pack), "workflows/mine.md": b"Mine.\n"}
    assert not (folder / FOLDER).exists()


def test_the_two_packs_differ_in_every_way() -> None:
    old, new = map(as_bytes, packs())
    assert set(new) - set(old) == {"workflows/bmad-party-mode.md"}
    assert set(old) - set(new) == {"workflows/bmad-review-prose.md"}
    assert sum(old[path] != new[path] for path in set(old) & set(new)) > 12


def test_killed_before_every_call_the_next_build_makes_it_good(older: Path, tmp_path: Path) -> None:
    old, new = packs()
    planned, number, seen = plan(older, new), 0, []
    while True:
        folder = linked(older, tmp_path / str(number))
        disk, asked = deadly(number)
        try:
            carry_out(folder, planned, disk)
        except Killed:
            pass
        else:
            break
        assert_whole(folder, old, new)
        found = check(ROOT, AFTER, folder, full=False)
        codes = {one.code for one in found.diagnostics}
        assert found.exit_code == DRIFT
        # Before the folder for staging is made nothing has happened; the folder goes last.
        assert (codes == {"BMC422"}) is (number > 1) is is_interrupted(folder), (number, asked)
        # What was changed meanwhile decides, not what the interrupted build meant to write.
        if number % 3 == 0:
            again = linked(folder, tmp_path / f"{number} back")
            build(again, old)
            assert_built(again, old)
        build(folder, new)
        assert_built(folder, new)
        if number % 9 == 0:
            assert check(ROOT, AFTER, folder, full=False).exit_code == IN_STEP
        seen.append(asked[-1])
        number += 1
    assert_built(folder, new)
    assert contents(older) == {**as_bytes(old), "workflows/mine.md": b"Mine.\n"}
    print(f"killed before each of {number} calls: {', '.join(sorted(set(seen)))}")
    assert set(seen) == {"make_folder", "write", "replace", "remove", "remove_folder", "settle"}
    assert number > 2 * len(new.files)


def test_a_process_that_ends_before_every_call_of_the_system_leaves_whole_files(
    older: Path, tmp_path: Path
) -> None:
    old, new = packs()
    planned = plan(older, new)
    write = tmp_path / "write.json"
    write.write_text(json.dumps({"texts": dict(planned.write.texts), "removed": planned.write.removed}))
    done = subprocess.run(
        [sys.executable, str(TESTS / "support" / "perish.py"), str(older), str(tmp_path), str(write)],
        env={"PYTHONPATH": os.pathsep.join((str(Path(bmadc.__file__).parents[1]), str(TESTS)))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lived = int(done.stdout)
    assert_built(tmp_path / str(lived), new)
    for number in range(lived):
        assert_whole(tmp_path / str(number), old, new)
    for number in range(0, lived, 12):
        folder = tmp_path / str(number)
        build(folder, new)
        assert_built(folder, new)
    # No file was written into: the older pack, whose files these are, is as it was.
    assert contents(older) == {**as_bytes(old), "workflows/mine.md": b"Mine.\n"}
    print(f"ended before each of {lived} calls of the system")
    assert lived > 3 * len(planned.write.texts)


def test_check_says_what_an_interrupted_build_left_undone(older: Path, tmp_path: Path) -> None:
    old, new = packs()
    folder = linked(older, tmp_path / "pack")
    moved: list[str] = []

    def listen(name: str, path: Path) -> None:
        if name == "replace" and FOLDER not in path.parts:
            moved.append(path.relative_to(folder).as_posix())
            if len(moved) == 4:
                raise Killed

    with pytest.raises(Killed):
        build(folder, new, Counted(listen))
    (said,) = check(ROOT, AFTER, folder, full=False).diagnostics
    left = [line.removeprefix("not as it is to be: ") for line in said.detail.splitlines()]
    was, wanted = as_bytes(old), as_bytes(new)
    # What was to be removed is gone already, and three files are in their places.
    assert left == sorted(path for path in wanted if path not in moved[:3] and wanted[path] != was.get(path))
    assert "may not fit together" in said.why
    begun = linked(older, tmp_path / "begun")
    with pytest.raises(Killed):
        build(begun, new, deadly(6)[0])
    (said,) = check(ROOT, AFTER, begun, full=False).diagnostics
    assert (said.detail, said.why[:42]) == ("", "It ended before it changed a file of the p")


def test_single_workflows_are_not_built_into_an_interrupted_pack(older: Path, tmp_path: Path) -> None:
    _, new = packs()
    folder = linked(older, tmp_path / "pack")
    with pytest.raises(Killed):
        build(folder, new, deadly(30)[0])
    before = contents(folder)
    planned = plan(folder, compile_pack(ROOT, AFTER, ["dev-story"]), partial=True)
    assert [one.code for one in planned.refused] == ["BMC422"]
    assert (planned.write.texts, contents(folder)) == ({}, before)


def test_a_full_disk_changes_nothing_or_is_seen_and_made_good(older: Path, tmp_path: Path) -> None:
    old, new = packs()
    planned, lived, number = plan(older, new), False, 0
    while not lived:
        folder = linked(older, tmp_path / str(number))
        try:
            carry_out(folder, planned, failing(number, errno.ENOSPC))
            lived = True
        except SourceError as problem:
            said = problem.diagnostic
            assert said.code == "BMC109"
            assert "No space left on device" in said.message
            assert_whole(folder, old, new)
            if "nothing was changed" in said.why:
                # Not even the folder for staging is left.
                assert contents(folder) == contents(older)
                assert not is_interrupted(folder)
            else:
                assert is_interrupted(folder)
                if number % 3 == 0:
                    build(folder, new)
                    assert_built(folder, new)
        number += 1
    assert_built(folder, new)
    assert number > 2 * len(new.files)


def test_a_folder_that_cannot_be_written_stops_it_before_anything_is_changed(
    older: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = linked(older, tmp_path / "pack")
    before = contents(folder)
    # A test may run as somebody whom no permission holds back.
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).endswith("workflows"))
    with pytest.raises(SourceError) as caught:
        build(folder, packs()[1])
    said = caught.value.diagnostic
    assert (said.code, str(said.span)) == ("BMC109", "workflows")
    assert said.message == "the pack cannot be written: Permission denied"
    assert "nothing was changed" in said.why
    assert contents(folder) == before
    assert not is_interrupted(folder)


def test_something_that_is_no_file_in_the_place_of_one_stops_it_before_anything_is_changed(
    older: Path, tmp_path: Path
) -> None:
    folder = linked(older, tmp_path / "pack")
    (folder / "aw.yml").unlink()
    (folder / "aw.yml").mkdir()
    before = contents(folder)
    with pytest.raises(SourceError) as caught:
        build(folder, packs()[1])
    assert (caught.value.diagnostic.code, str(caught.value.diagnostic.span)) == ("BMC103", "aw.yml")
    assert contents(folder) == before
    assert not is_interrupted(folder)


def test_of_two_builds_at_once_the_second_is_refused_at_every_moment(older: Path, tmp_path: Path) -> None:
    _, new = packs()
    folder = linked(older, tmp_path / "pack")
    refused = 0

    def listen(*_: object) -> None:
        nonlocal refused
        with pytest.raises(SourceError) as caught, alone(folder):
            raise AssertionError("two builds write into one folder")
        assert caught.value.diagnostic.code == "BMC110"
        refused += 1

    with alone(folder):
        build(folder, new, Counted(listen))
    assert refused > 2 * len(new.files)
    assert_built(folder, new)
    with alone(folder):
        pass


def test_the_command_holds_the_folder_and_says_who_is_in_the_way(tmp_path: Path) -> None:
    out = tmp_path / "pack"
    words = ["build", "--root", str(ROOT), "--out", str(out)]
    with alone(out):
        said = CliRunner().invoke(cli, words)
    assert said.exit_code == 2
    assert "BMC110" in said.output
    assert list(out.iterdir()) == []
    assert CliRunner().invoke(cli, words).exit_code == 0
    before = contents(out)
    # Whoever only looks is in nobody's way, and an end by any means gives the folder free.
    holder = "import os, sys; from pathlib import Path; from bmadc.source import alone\n"
    holder += "held = alone(Path(sys.argv[1])); held.__enter__(); os._exit(9)"
    env = {"PYTHONPATH": str(Path(bmadc.__file__).parents[1])}
    assert subprocess.run([sys.executable, "-c", holder, str(out)], env=env, check=False).returncode == 9
    with alone(out):
        assert CliRunner().invoke(cli, [*words, "--dry-run"]).exit_code == 0
    assert contents(out) == before
