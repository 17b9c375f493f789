"""Writing: whole or not at all, and never out of the root."""

import os
from pathlib import Path

import pytest

from bmadc.source import SourceError, write_text


def refused(root: Path, relative: str) -> str:
    with pytest.raises(SourceError) as caught:
        write_text(root, relative, "new")
    return caught.value.diagnostic.code


def test_a_file_is_written_with_its_folders_and_line_ends_as_they_are(tmp_path: Path) -> None:
    write_text(tmp_path / "new", "a/b.yml", "ä\r\n\n")
    path = tmp_path / "new" / "a" / "b.yml"
    assert path.read_bytes() == "ä\r\n\n".encode()
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_file_is_written_over_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    write_text(tmp_path, "a.yml", "old")
    write_text(tmp_path, "a.yml", "new")
    assert (tmp_path / "a.yml").read_text(encoding="utf-8") == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.yml"]


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yml").write_text("old", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "replace", full)
    assert refused(tmp_path, "a.yml") == "BMC109"
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"a.yml": "old"}


def test_nothing_is_written_through_a_link_out_of_the_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("old", encoding="utf-8")
    (root / "a.yml").symlink_to(tmp_path / "secret")
    assert refused(root, "a.yml") == "BMC102"
    assert refused(root, "../secret") == "BMC102"
    assert (tmp_path / "secret").read_text(encoding="utf-8") == "old"


def test_a_file_in_the_place_of_a_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("", encoding="utf-8")
    assert refused(tmp_path / "a", "b.yml") == "BMC109"
