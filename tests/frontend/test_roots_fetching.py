"""The script that fetches the real releases: loud when something fails, idle when everything is there."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from support import releases

SCRIPT = releases.ROOT / "scripts" / "fetch_releases.py"

# Asks three things on a terminal: one with a default, one that wants a choice, one with a default again.
ASKING = """
import os, sys, termios, tty
tty.setraw(0)
def ask(sign, text, stop):
    sys.stdout.write(f"{sign}  {text}\\r\\n"); sys.stdout.flush()
    heard = b""
    while not heard.endswith(b"\\r"):
        heard += os.read(0, 1)
    return heard
first = ask("\\u25c6", "Where?", b"\\r")
second = ask("\\u25b2", "Please take at least one.", b"\\r")
third = ask("\\u25c6", "Sure?", b"\\r")
open("heard", "wb").write(first + second + third)
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", list(sys.path))
    spec = importlib.util.spec_from_file_location("fetch_releases", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "QUIET", 0.1)
    return module


@pytest.mark.needs("bmad-releases")
@pytest.mark.needs("bmad-installed")
def test_nothing_is_fetched_twice() -> None:
    # Without a PATH there is no npm, so any attempt to fetch would fail.
    done = subprocess.run(
        [sys.executable, SCRIPT], env={"PATH": ""}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.needs("bmad-releases")
def test_the_tarballs_are_those_of_the_list(script: ModuleType) -> None:
    assert [a.tarball for a in releases.ARCHIVES if script.integrity(a.path) != a.integrity] == []


def test_another_tarball_than_the_listed_one_is_refused(script: ModuleType, tmp_path: Path) -> None:
    packed = tmp_path / "x.tgz"
    packed.write_bytes(b"something else")
    archive = releases.Archive("bmad-method", "0.0.0", "x.tgz", "sha512-other")
    with pytest.raises(script.FetchError, match=r"x\.tgz has sha512-.* says sha512-other"):
        script.accept(archive, packed)
    assert packed.exists()


def test_a_program_that_fails_is_quoted(script: ModuleType, tmp_path: Path) -> None:
    failing = [sys.executable, "-c", "print('no such package'); raise SystemExit(3)"]
    with pytest.raises(script.FetchError, match=r"(?s)ended with 3.*no such package"):
        script.run(failing, tmp_path)
    with pytest.raises(script.FetchError, match="is not installed"):
        script.run(["no-such-program-anywhere"], tmp_path)


def test_questions_get_their_defaults_and_a_choice_where_one_is_wanted(
    script: ModuleType, tmp_path: Path
) -> None:
    script.converse([sys.executable, "-c", ASKING, "0"], tmp_path)
    assert (tmp_path / "heard").read_bytes() == b"\r \r\r"


def test_a_dialogue_that_fails_is_quoted(script: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(script.FetchError, match=r"(?s)ended with 4.*Sure\?"):
        script.converse([sys.executable, "-c", ASKING, "4"], tmp_path)
