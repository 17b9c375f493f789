"""Fetch the real BMAD that tests/releases.toml lists: npm packages, and what their installers write.

What is already there is not fetched again, so a second run takes no time. Whatever npm or an installer
refuses ends the run with its own words and exit code 1. npm's usual cache is used: it outlives a clone.
"""

import base64
import hashlib
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import termios
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.releases import ARCHIVES, FETCHED, RELEASES, Archive, Release, installed_root

AT_ONCE = 2
SECONDS = 300
QUIET = 1.0
ESCAPES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
# The signs of a question that waits, and of one that was answered wrongly.
WAITING = ("\N{BLACK DIAMOND}", "\N{BLACK UP-POINTING TRIANGLE}")


class FetchError(Exception):
    """Something could not be fetched; the text says what and shows what was said."""


def integrity(path: Path) -> str:
    """Return the hash of a file as npm writes it."""
    digest = hashlib.sha512(path.read_bytes()).digest()
    return "sha512-" + base64.b64encode(digest).decode()


def fetch_tarballs() -> None:
    """Fetch the tarballs that are missing or are not what the list says."""
    missing = [a for a in ARCHIVES if not a.path.is_file() or integrity(a.path) != a.integrity]
    if not missing:
        return
    FETCHED.mkdir(parents=True, exist_ok=True)
    specs = [f"{archive.package}@{archive.version}" for archive in missing]
    print(f"npm pack {' '.join(specs)}", flush=True)
    with tempfile.TemporaryDirectory(dir=FETCHED, prefix=".packing-") as folder:
        run(["npm", "pack", "--silent", *specs], Path(folder))
        for archive in missing:
            accept(archive, Path(folder) / archive.tarball)


def accept(archive: Archive, packed: Path) -> None:
    """Move a tarball to its place if it is the one that the list names."""
    found = integrity(packed)
    if found != archive.integrity:
        raise FetchError(f"{archive.tarball} has {found}; tests/releases.toml says {archive.integrity}")
    name = archive.version if archive.package == "bmad-method" else f"{archive.package}-{archive.version}"
    shutil.rmtree(FETCHED / "unpacked" / name, ignore_errors=True)
    packed.replace(archive.path)


def install(release: Release) -> None:
    """Write the installs of a release that are missing, one after the other: they share npm's folder."""
    for name, options in release.installs:
        place = installed_root(name)
        if (place / "_bmad" / "_config" / "manifest.yaml").is_file():
            continue
        print(f"install bmad-method@{release.version} {' '.join(options)}".rstrip(), flush=True)
        with tempfile.TemporaryDirectory(dir=FETCHED, prefix=".installing-") as folder:
            # The installer takes the project's name from the folder's, so the folder has its final name.
            target = Path(folder) / name
            target.mkdir()
            command = ["npx", "--yes", f"bmad-method@{release.version}", "install"]
            if release.dialogue:
                converse(command, target)
            else:
                chosen = ["--modules", "bmm", "--tools", "claude-code", "--yes", *options]
                run([*command, "--directory", str(target), *chosen], target)
            if not (target / "_bmad" / "_config" / "manifest.yaml").is_file():
                raise FetchError(f"the installer of {release.version} ended well and wrote no manifest")
            shutil.rmtree(place, ignore_errors=True)
            place.parent.mkdir(parents=True, exist_ok=True)
            target.rename(place)


def run(command: list[str], folder: Path) -> None:
    """Run a program that asks nothing, or say what it said."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise FetchError(f"{command[0]} is not installed") from None
    except subprocess.TimeoutExpired as late:
        raise FetchError(
            f"{' '.join(command)} took more than {SECONDS} s\n{tail(late.stdout or b'')}"
        ) from None
    if done.returncode:
        raise FetchError(f"{' '.join(command)} ended with {done.returncode}\n{tail(done.stdout)}")


def converse(command: list[str], folder: Path) -> None:
    """Run a program that only asks, on a terminal of its own, and take the default of every question.

    A list that wants at least one choice has no default: there the first entry is chosen.
    """
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (60, 200))
    child = subprocess.Popen(
        command,
        cwd=folder,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
        start_new_session=True,
    )
    os.close(theirs)
    said, question = b"", b""
    end = time.monotonic() + SECONDS
    try:
        while time.monotonic() < end:
            if select.select([ours], [], [], QUIET)[0]:
                try:
                    heard = os.read(ours, 65536)
                except OSError:
                    # So Linux says that the other side of a terminal was closed.
                    break
                said, question = said + heard, question + heard
                continue
            text = ESCAPES.sub(b"", question).decode("utf-8", "replace")
            if any(sign in text for sign in WAITING):
                question = b""
                if "at least one" in text:
                    os.write(ours, b" ")
                    time.sleep(QUIET / 2)
                os.write(ours, b"\r")
        else:
            raise FetchError(f"{' '.join(command)} took more than {SECONDS} s\n{tail(said)}")
        if child.wait(timeout=SECONDS):
            raise FetchError(f"{' '.join(command)} ended with {child.returncode}\n{tail(said)}")
    finally:
        os.close(ours)
        if child.poll() is None:
            child.kill()
            child.wait()


def tail(said: bytes) -> str:
    """Return the last lines of what a program said, without what steers a terminal."""
    lines = ESCAPES.sub(b"", said).decode("utf-8", "replace").replace("\r", "").splitlines()
    return "\n".join(lines[-20:])


def main() -> int:
    """Fetch everything and return the exit code."""
    try:
        fetch_tarballs()
        # The slowest first, so that the two workers end together.
        order = sorted(RELEASES, key=lambda release: (not release.dialogue, -len(release.installs)))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            for _ in pool.map(install, order):
                pass
    except FetchError as problem:
        print(f"fetch_releases: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
