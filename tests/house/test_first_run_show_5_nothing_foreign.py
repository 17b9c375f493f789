"""Line 5: nothing in the repository that is not ours, and nothing that speaks of a machine.

The text of every BMAD package that bmadc reads is fetched into an ignored folder; no tracked file may share a
run of eight words with it. There is no list of exceptions.
"""

import re
import subprocess
import tarfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from support import releases

ROOT = Path(__file__).resolve().parents[2]
RUN = 8
TEXT = (".md", ".yaml", ".yml", ".xml", ".csv", ".txt", ".toml", ".json", ".mdx")
# Spelled apart, so that this file passes its own test.
MACHINE = re.compile(
    r"(?<![\w$.])/(?:wo"
    r"rk|ro"
    r"ot|ho"
    r"me|Us"
    r"ers)/|/tm"
    r"p/(?!gh-aw/)"
    r"|registry\.np"
    r"mjs|py"
    r"pi\.org|proxy\.go"
    r"lang|crates\.i"
    r"o"
)


_PATH = re.compile(r"[\w.{}-]+(?:/[\w.{}-]+){2,}")


@cache
def tracked() -> tuple[Path, ...]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    names = listed.stdout.decode().split("\0")
    return tuple(ROOT / name for name in names if name and (ROOT / name).is_file())


def words(text: str) -> list[str]:
    """The words of a text, without what belongs to its format: tags, marks and signs.

    The folders of a path are one word: they are a fact about where files lie, and nobody's prose. Words with
    one stroke between them are as many words.
    """
    told = _PATH.sub(_joined, re.sub(r"</?[a-zA-Z][^<>\n]*>", " ", text))
    return re.findall(r"[a-z0-9]+(?:'[a-z]+)?", told.lower())


def _joined(path: re.Match[str]) -> str:
    return path[0].replace("/", "")


def runs(text: str) -> Iterator[str]:
    found = words(text)
    return (" ".join(found[i : i + RUN]) for i in range(len(found) - RUN + 1))


@cache
def bmad_runs() -> set[int]:
    """The runs of eight words of every release, by their hash within this process."""
    known: set[int] = set()
    for archive in releases.READ:
        with tarfile.open(archive.path) as opened:
            for member in opened:
                file = opened.extractfile(member) if member.name.endswith(TEXT) else None
                if file is not None:
                    known.update(map(hash, runs(file.read().decode("utf-8", "replace"))))
    return known


@pytest.mark.needs("bmad-releases")
def test_no_run_of_eight_words_is_shared_with_a_release() -> None:
    known = bmad_runs()
    assert len(known) > 300_000
    shared = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", "replace")
        # A run of numbers, or one word over and over, is nobody's prose.
        shared += [
            f"{path.relative_to(ROOT)}: {run}"
            for run in runs(text)
            if hash(run) in known and len({w for w in run.split() if not w.isdigit()}) > 2
        ]
    assert shared == []


@pytest.mark.needs("bmad-releases")
def test_a_shared_run_would_be_seen() -> None:
    known = bmad_runs()
    for archive in releases.READ:
        with tarfile.open(archive.path) as opened:
            file = opened.extractfile("package/README.md")
            assert file is not None
            sample = list(runs(file.read().decode()))[100]
        assert hash(sample) in known, archive.tarball


def test_no_tracked_file_speaks_of_a_machine_or_a_registry() -> None:
    found = []
    for path in tracked():
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").split("\n"), 1):
            if MACHINE.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}")
    assert found == []


def test_no_tracked_file_is_large() -> None:
    large = {str(path.relative_to(ROOT)) for path in tracked() if path.stat().st_size > 512 * 1024}
    assert large == set()
