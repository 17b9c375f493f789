"""The door to the disk for reading: text with its lines, and what is refused."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source import SourceError, Text, decode, list_files, read_bytes, read_text


def refused(root: Path, relative: str, *, limit: int = 1000) -> Diagnostic:
    with pytest.raises(SourceError) as caught:
        read_text(root, relative, limit=limit)
    return caught.value.diagnostic


def test_lines_and_positions() -> None:
    text = Text("a", "one\n\nthree")
    assert text.lines() == ("one", "", "three")
    assert [text.position(offset) for offset in (0, 3, 4, 5, 10)] == [(1, 1), (1, 4), (2, 1), (3, 1), (3, 6)]


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("a\n\n", 2), ("\n", 1)])
def test_an_empty_rest_is_no_line(text: str, count: int) -> None:
    assert Text("a", text).line_count == count


@given(st.text(alphabet="ab\n"))
def test_lines_are_those_that_python_sees(text: str) -> None:
    assert list(Text("a", text).lines()) == text.splitlines()


@pytest.mark.parametrize("number", [0, 3, -1])
def test_a_line_outside_the_text_is_an_error(number: int) -> None:
    with pytest.raises(IndexError, match=f"line {number} is outside the 2 lines of a"):
        Text("a", "one\ntwo\n").line(number)


@pytest.mark.parametrize("offset", [-1, 4])
def test_an_offset_outside_the_text_is_an_error(offset: int) -> None:
    with pytest.raises(IndexError, match=f"offset {offset} is outside"):
        Text("a", "one").position(offset)


def test_byte_order_mark_and_crlf_go_and_a_lone_cr_stays() -> None:
    assert decode("a", b"\xef\xbb\xbfone\r\ntwo\rthree\r\n").text == "one\ntwo\rthree\n"


def test_bytes_come_unchanged(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"\xef\xbb\xbfa\r\n\xff")
    assert read_bytes(tmp_path, "a.md") == b"\xef\xbb\xbfa\r\n\xff"


def test_bytes_that_are_not_utf8_have_their_place(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes("\ufeffä\r\nöx".encode() + b"\xff")
    found = refused(tmp_path, "a.md")
    assert (found.code, found.span) == ("BMC107", Span.point("a.md", 2, 3))
    assert found.message == "byte 0xFF at offset 10 is not UTF-8"


def test_a_nul_byte_has_its_place(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"one\r\nt\0o")
    found = refused(tmp_path, "a.md")
    assert (found.code, found.span) == ("BMC106", Span.point("a.md", 2, 2))


def test_the_limit_is_the_largest_size_that_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * 1025)
    assert len(read_bytes(tmp_path, "a.md", limit=1025)) == 1025
    found = refused(tmp_path, "a.md", limit=1024)
    assert (found.code, found.message) == ("BMC105", "the file has 1.0 KB; the limit is 1.0 KB")


@pytest.mark.parametrize(
    "relative", ["../secret.md", "link.md", "folder/../../secret.md", "through/secret.md"]
)
def test_no_path_leaves_its_root(tmp_path: Path, relative: str) -> None:
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    root = tmp_path / "root"
    (root / "folder").mkdir(parents=True)
    (root / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "through").symlink_to(tmp_path)
    assert refused(root, relative).code == "BMC102"


def test_a_sibling_with_the_same_beginning_is_outside(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root2").mkdir()
    (tmp_path / "root2" / "a.md").write_text("a", encoding="utf-8")
    assert refused(tmp_path / "root", "../root2/a.md").code == "BMC102"


def test_a_link_inside_the_root_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("a", encoding="utf-8")
    (tmp_path / "b.md").symlink_to("a.md")
    assert read_text(tmp_path, "b.md") == Text("b.md", "a")


def test_links_in_a_circle_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    found = refused(tmp_path, "a.md")
    assert (found.code, found.message) == ("BMC104", "cannot be read: Too many levels of symbolic links")


def test_pipes_and_folders_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.md").mkdir()
    assert refused(tmp_path, "pipe.md").message == "this is a named pipe, not a regular file"
    assert refused(tmp_path, "folder.md").message == "this is a folder, not a regular file"
    assert refused(tmp_path, "folder.md").code == "BMC103"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    found = refused(tmp_path, "a.md")
    assert (found.code, found.message) == ("BMC101", "'a.md' does not exist")


def test_a_name_that_is_too_long_is_no_crash(tmp_path: Path) -> None:
    assert refused(tmp_path, "a" * 300).code == "BMC104"


def test_a_name_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    assert refused(tmp_path, "a\udc80.md").code == "BMC107"


def test_files_are_listed_in_one_order_and_hidden_folders_left_out(tmp_path: Path) -> None:
    for name in ("b.md", "a.md", "a/z.md", "a-b.md", "B/c.md", ".git/x.md", "a/.x/y.md", "c.txt", ".d.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("", encoding="utf-8")
    assert list_files(tmp_path, [".md"]) == (".d.md", "B/c.md", "a-b.md", "a.md", "a/z.md", "b.md")
    assert list_files(tmp_path, [".md"], deep=False) == (".d.md", "a-b.md", "a.md", "b.md")
    assert list_files(tmp_path, [".txt", ".md"], deep=False)[-1] == "c.txt"


def test_folders_behind_links_are_not_listed(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.md").write_text("", encoding="utf-8")
    (tmp_path / "root" / "link").symlink_to(tmp_path / "other")
    assert list_files(tmp_path / "root", [".md"]) == ()


def test_a_missing_root_is_an_error_and_not_an_empty_list(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        list_files(tmp_path / "none", [".md"])
    assert caught.value.diagnostic.code == "BMC101"
