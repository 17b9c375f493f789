"""A stand-in for npm where the real one cannot be made to misbehave, and tarballs as npm makes them."""

from __future__ import annotations

import io
import json
import os
import sys
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from bmadc.installing.npm import integrity
from support.hut import HUT

PROGRAM = """#!{python}
import json, shutil, sys
from pathlib import Path
here = Path(__file__).parent
state = json.loads((here / "state.json").read_text())
with (here / "calls").open("a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
def fail(code, text):
    print(json.dumps({{"error": {{"code": code, "summary": text, "detail": ""}}}}))
    print("npm error code " + code, "npm error " + text, sep="\\n", file=sys.stderr)
    sys.exit(1)
command, spec = sys.argv[1:3]
if state["fails"].get(command):
    fail(*state["fails"][command])
if command in state["says"]:
    print(state["says"][command])
    sys.exit(0)
wanted = state["tags"].get(spec.partition("@")[2], spec.partition("@")[2])
if command == "view" and not wanted:
    print(json.dumps(list(state["releases"])))
elif wanted not in state["releases"]:
    fail("E404" if command == "view" else "ETARGET", "No match found for version " + wanted)
elif command == "view":
    print(json.dumps({{"version": wanted, "dist.integrity": state["releases"][wanted]}}))
else:
    into = sys.argv[sys.argv.index("--pack-destination") + 1]
    shutil.copy(here / (wanted + ".tgz"), Path(into, "bmad-method-" + wanted + ".tgz"))
    print("[]")
"""


def tarball(
    files: Mapping[str, str | bytes], more: Iterable[tarfile.TarInfo] = (), top: str = "package/"
) -> bytes:
    """Return a package as npm packs it, with members of any kind at its end."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as archive:
        for name, content in files.items():
            raw = content.encode() if isinstance(content, str) else content
            member = tarfile.TarInfo(f"{top}{name}")
            member.size = len(raw)
            archive.addfile(member, io.BytesIO(raw))
        for member in more:
            archive.addfile(member, io.BytesIO(b"x" * member.size))
    return data.getvalue()


def method(release: str) -> dict[str, str | bytes]:
    """Return a small package that says it is a release of BMAD, in our own words."""
    return {
        "package.json": json.dumps({"name": "bmad-method", "version": release}),
        "LICENSE": "Do as you like.\n",
        "README.md": "Not needed.\n",
        **{f"src/hut/{name}": text for name, text in HUT.items()},
        "src/hut/hut-sweep/tests/test_broom.py": "no test of ours",
    }


class FakeNpm:
    """An npm of its own at the front of PATH, which has the releases that a test gives it."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.releases: dict[str, str] = {}
        self.tags: dict[str, str] = {}
        self.fails: dict[str, tuple[str, str]] = {}
        self.says: dict[str, str] = {}
        folder.mkdir(parents=True)
        program = folder / "npm"
        program.write_text(PROGRAM.format(python=sys.executable), encoding="utf-8")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        self.keep()

    def has(self, release: str, data: bytes | None = None, *, listed: str = "") -> None:
        """Publish a release, under another hash than its own if one is listed."""
        packed = tarball(method(release)) if data is None else data
        (self.folder / f"{release}.tgz").write_bytes(packed)
        self.releases[release] = listed or integrity(packed)
        self.keep()

    def keep(self) -> None:
        """Write down what it has and how it fails."""
        state = {"releases": self.releases, "tags": self.tags, "fails": self.fails, "says": self.says}
        (self.folder / "state.json").write_text(json.dumps(state), encoding="utf-8")

    def calls(self) -> list[list[str]]:
        """Return the arguments of every call so far."""
        file = self.folder / "calls"
        return (
            [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
            if file.is_file()
            else []
        )
