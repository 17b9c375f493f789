"""Line 1: in a fresh clone `make build` sets all up, makes the house pack and leaves the tree clean."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOT_HANDED_DOWN = ("VIRTUAL_ENV", "PYTHONPATH", "MAKE", "MFLAGS")


def run(folder: Path, *command: str) -> str:
    # Nothing of the environment that these tests run in may set the clone up, nor may the make that started
    # them hand its flags down: under it a make is another one's child, and says which folder it leaves.
    kept = {key: value for key, value in os.environ.items() if not key.startswith(NOT_HANDED_DOWN)}
    done = subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone of the tree as it would be if all that is tracked were committed now."""
    folder = tmp_path_factory.mktemp("fresh") / "clone"
    for name in run(ROOT, "git", "ls-files", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    run(folder, "git", "init", "--quiet")
    run(folder, "git", "add", "--all")
    run(folder, "git", *who, "commit", "--quiet", "--message", "All of it")
    return folder


@pytest.mark.needs("npm")  # What answers npm also answers pip: `make build` installs from the registries.
def test_a_fresh_clone_builds_the_house_pack_and_stays_clean(clone: Path) -> None:
    assert not (clone / ".venv").exists()
    said = run(clone, "make", "build").splitlines()[-1]
    assert said.endswith(" workflows, in step in .")
    # Neither changed nor new: what was installed and made lies in ignored folders.
    assert run(clone, "git", "status", "--porcelain") == ""
    assert run(clone, ".venv/bin/bmadc", "check", "--full").startswith("in step: ")


@pytest.mark.needs("npm")
def test_what_is_taken_out_of_the_pack_is_made_again_by_make_build(clone: Path) -> None:
    (clone / "workflows" / "bmad-dev-story.md").unlink()
    assert run(clone, "git", "status", "--porcelain") != ""
    run(clone, "make", "build")
    assert run(clone, "git", "status", "--porcelain") == ""
