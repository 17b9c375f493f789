"""Staging: what lies in its folder is believed by nobody, and the order in which things reach the disk."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest

from bmadc.source import SourceError, Write, interruption, is_interrupted, write_all
from bmadc.source.staging import FOLDER, JOURNAL
from support.mortal import Counted, Killed, contents

NEW = Write({"a.yml": "new a", "sub/b.md": "new b", "last.json": "new last"}, ("sub/gone.md",))
NEW_FILES = {"a.yml": b"new a", "sub/b.md": b"new b", "last.json": b"new last"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "sub").mkdir(parents=True)
    (root / ".git").mkdir()
    for name in ("a.yml", "sub/gone.md", ".git/config", "mine"):
        (root / name).write_text(f"old {name}", encoding="utf-8")
    (tmp_path / "outside").write_text("old outside", encoding="utf-8")
    return root


BESIDE = {".git/config": b"old .git/config", "mine": b"old mine"}

HOSTILE: dict[str, bytes] = {
    "empty": b"",
    "no JSON": b"{",
    "no object": b"[]",
    "no keys": b"{}",
    "other types": b'{"moves": 7, "removed": null}',
    "bytes": b"\xff\xfe\x00",
    "deep": b"[" * 100_000,
    "out of the root": json.dumps({"moves": {"../outside": "x"}, "removed": ["../outside"]}).encode(),
    "absolute": json.dumps({"moves": {"/etc/passwd": "x"}, "removed": ["/etc/passwd"]}).encode(),
    "files of others": json.dumps({"moves": {".git/config": "x"}, "removed": ["mine"]}).encode(),
    # The form of the first releases, in which it said what to carry out.
    "staged elsewhere": json.dumps({"moves": [["../mine", ".git/config"]], "removed": ["mine"]}).encode(),
    "a list in a key": json.dumps({"moves": {"a.yml": ["x"]}, "removed": [["a.yml"]]}).encode(),
    "NUL": json.dumps({"moves": {"a\0b": "x"}, "removed": []}).encode(),
    "half a character": b'{"moves": {"\\ud800": "x"}, "removed": []}',
    "a name of 5,000 characters": json.dumps({"moves": {"n" * 5000: "x"}, "removed": []}).encode(),
    "huge": b'{"moves": {}, "removed": [' + b'"a",' * 1_200_000 + b'"a"]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_journal_is_never_carried_out_whatever_it_says(root: Path, name: str) -> None:
    staging = root / FOLDER
    staging.mkdir()
    (staging / JOURNAL).write_bytes(HOSTILE[name])
    (staging / "0000").write_text("evil", encoding="utf-8")
    before = contents(root)
    begun = interruption(root)
    assert begun is not None
    assert begun.decided
    assert all(not path.startswith(("/", "..")) for path in begun.undone)
    assert contents(root) == before
    write_all(root, NEW)
    assert contents(root) == NEW_FILES | BESIDE
    assert (root.parent / "outside").read_text(encoding="utf-8") == "old outside"
    assert not is_interrupted(root)


def test_a_journal_says_what_is_left_undone(root: Path) -> None:
    (root / FOLDER).mkdir()
    moves = {"a.yml": sha256(b"old a.yml").hexdigest(), "sub/b.md": sha256(b"new").hexdigest()}
    journal = json.dumps({"moves": moves, "removed": ["mine", "sub/none.md"]})
    (root / FOLDER / JOURNAL).write_text(journal, encoding="utf-8")
    begun = interruption(root)
    assert begun is not None
    assert begun.undone == ("mine", "sub/b.md")


STRANGE = {
    "a link to a folder of others": lambda root: (root / FOLDER).symlink_to(root.parent / "theirs"),
    "a link to nothing": lambda root: (root / FOLDER).symlink_to(root.parent / "nothing"),
    "a link to a file": lambda root: (root / FOLDER).symlink_to(root.parent / "outside"),
    "a file": lambda root: (root / FOLDER).write_text("theirs", encoding="utf-8"),
    "a folder with something of others": lambda root: (root / FOLDER / "notes").mkdir(parents=True),
    "a folder in the place of a file": lambda root: (root / FOLDER / "0000").mkdir(parents=True),
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_others_put_in_the_place_of_the_folder_is_left_alone_and_said(root: Path, name: str) -> None:
    theirs = root.parent / "theirs"
    theirs.mkdir()
    (theirs / "0000").write_text("theirs", encoding="utf-8")
    STRANGE[name](root)
    before = contents(root.parent)
    assert is_interrupted(root)
    assert interruption(root) is not None
    with pytest.raises(SourceError) as caught:
        write_all(root, NEW)
    said = caught.value.diagnostic
    assert (said.code, said.help) == ("BMC421", ("Look at it, and remove it.",))
    assert said.span is not None
    assert said.span.path.startswith(FOLDER)
    assert contents(root.parent) == before
    assert os.path.lexists(root / FOLDER)


def test_a_link_or_a_pipe_among_the_staged_files_is_removed_and_not_followed(root: Path) -> None:
    (root / FOLDER).mkdir()
    (root / FOLDER / "0000").symlink_to(root.parent / "outside")
    (root / FOLDER / "0001").symlink_to(root / ".git")
    os.mkfifo(root / FOLDER / JOURNAL)
    begun = interruption(root)
    assert begun is not None
    assert (begun.decided, begun.undone) == (True, ())
    write_all(root, NEW)
    assert contents(root) == NEW_FILES | BESIDE
    assert (root.parent / "outside").read_text(encoding="utf-8") == "old outside"


@pytest.mark.parametrize("path", ["../outside", "/etc/passwd", "link/x.md"])
@pytest.mark.parametrize("removes", [False, True])
def test_nothing_is_written_or_removed_out_of_the_root(root: Path, path: str, removes: bool) -> None:
    (root / "link").symlink_to(root.parent)
    before = contents(root)
    write = Write({}, (path,)) if removes else Write({"a.yml": "new", path: "new"})
    with pytest.raises(SourceError) as caught:
        write_all(root, write)
    assert caught.value.diagnostic.code == "BMC102"
    assert contents(root) == before
    assert not is_interrupted(root)


def calls(root: Path) -> list[tuple[str, str]]:
    """What a write does, call by call, with paths below the root."""
    found: list[tuple[str, str]] = []
    base = root.resolve()

    def listen(name: str, path: Path) -> None:
        found.append((name, "." if path == base else path.resolve().relative_to(base).as_posix()))

    write_all(root, NEW, Counted(listen))
    return found


def test_what_must_not_be_lost_reaches_the_disk_first(root: Path) -> None:
    done = calls(root)
    print(done)
    journal = done.index(("replace", f"{FOLDER}/{JOURNAL}"))
    changes = [
        number
        for number, (name, path) in enumerate(done)
        if name in ("replace", "remove") and not path.startswith(FOLDER)
    ]
    last = done.index(("replace", "last.json"))
    # All is staged before the journal says so, and the journal is down before the first change.
    assert all(number < journal for number, (name, _) in enumerate(done) if name == "write")
    assert {("settle", FOLDER), ("settle", ".")} <= set(done[journal : changes[0]])
    # All other changes are down before the last file, the manifest, can be.
    assert changes[-1] == last
    assert {("settle", "."), ("settle", "sub")} <= set(done[changes[-2] : last])
    # And that one before the folder for staging is gone.
    assert done[last + 1] == ("settle", ".")
    assert done[-1] == ("remove_folder", FOLDER)
    # The journal is what is left longest.
    assert done[-2] == ("remove", f"{FOLDER}/{JOURNAL}")


def test_a_new_file_is_brought_down_before_it_is_moved(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    down: list[str] = []
    sync = os.fsync

    def watched(handle: int) -> None:
        down.append(Path(f"/proc/self/fd/{handle}").readlink().relative_to(root.resolve()).as_posix())
        sync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    write_all(root, NEW)
    staged = [f"{FOLDER}/000{number}" for number in range(3)]
    assert down[:4] == [*staged, f"{FOLDER}/{JOURNAL}.new"]
    assert down[4:] == [FOLDER, ".", ".", "sub", "."]


def test_a_folder_that_cannot_be_brought_down_is_no_error(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def refusing(path: object, flags: int, *more: object, **others: object) -> int:
        if Path(str(path)).is_dir():
            raise PermissionError(13, os.strerror(13))
        return opened(path, flags, *more, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refusing)
    write_all(root, NEW)
    assert contents(root) == NEW_FILES | BESIDE


def test_a_write_of_nothing_clears_away_what_was_left(root: Path) -> None:
    def die(name: str, _: Path) -> None:
        if name == "replace":
            raise Killed

    with pytest.raises(Killed):
        write_all(root, NEW, Counted(die))
    assert is_interrupted(root)
    write_all(root, Write({}))
    assert not is_interrupted(root)
