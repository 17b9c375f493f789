"""Looking at folders: everything is listed or named, and nothing leads out."""

import os
from pathlib import Path

import pytest

from bmadc.source import (
    SourceError,
    folders_in,
    is_file,
    is_folder,
    list_tree,
    open_folder,
    real_path,
)


def write(base: Path, *names: str) -> None:
    for name in names:
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")


def test_a_tree_is_listed_whole_and_in_one_order(tmp_path: Path) -> None:
    write(tmp_path, "t/b/z.md", "t/b/.hidden", "t/a.md", "t/.dot/x", "t/B.md", "t/node_modules/p/q", "other")
    listing = list_tree(tmp_path, "t", prune=("node_modules",))
    assert listing.files == ("t/.dot/x", "t/B.md", "t/a.md", "t/b/.hidden", "t/b/z.md")
    assert listing.pruned == ("t/node_modules",)
    assert (listing.links, listing.problems) == ((), ())
    assert list_tree(tmp_path, "").files[0] == "other"


def test_links_are_listed_named_or_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(tmp_path, "root/inner/a.md", "outside/secret.md")
    (root / "file.md").symlink_to(root / "inner" / "a.md")
    (root / "folder").symlink_to(root / "inner")
    (root / "circle").symlink_to(root)
    (root / "out.md").symlink_to(tmp_path / "outside" / "secret.md")
    (root / "outfolder").symlink_to(tmp_path / "outside")
    (root / "dangling").symlink_to(root / "nowhere")
    listing = list_tree(root, "")
    assert listing.files == ("file.md", "inner/a.md")
    assert listing.links == ("circle", "folder")
    found = {(problem.code, problem.span.path) for problem in listing.problems if problem.span}
    assert found == {("BMC102", "out.md"), ("BMC102", "outfolder"), ("BMC101", "dangling")}


def test_a_pipe_is_a_problem_and_not_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    listing = list_tree(tmp_path, "")
    assert listing.files == ()
    assert [problem.code for problem in listing.problems] == ["BMC103"]


def test_a_name_that_is_not_utf8_is_a_problem_and_the_rest_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "good.md", "grün.md")
    (tmp_path / os.fsdecode(b"bad\xff.md")).touch()
    listing = list_tree(tmp_path, "")
    assert listing.files == ("good.md", "grün.md")
    assert [problem.code for problem in listing.problems] == ["BMC107"]


def test_a_missing_folder_is_a_problem(tmp_path: Path) -> None:
    assert [problem.code for problem in list_tree(tmp_path, "absent").problems] == ["BMC101"]
    with pytest.raises(SourceError) as caught:
        folders_in(tmp_path, "absent")
    assert caught.value.diagnostic.code == "BMC101"


def test_folders_are_named_in_order_with_links_to_folders(tmp_path: Path) -> None:
    write(tmp_path, "b/x", "a/x", "file")
    (tmp_path / "c").symlink_to(tmp_path / "a")
    assert folders_in(tmp_path, "") == ("a", "b", "c")


def test_questions_about_a_path_stay_inside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(tmp_path, "root/a/x.md", "outside/x.md")
    (root / "link").symlink_to(root / "a")
    (root / "out").symlink_to(tmp_path / "outside")
    assert is_file(root, "a/x.md")
    assert is_folder(root, "link")
    assert real_path(root, "link/x.md") == "a/x.md"
    assert real_path(root, ".") == ""
    assert not is_folder(root, "out")
    assert not is_file(root, "out/x.md")
    assert not is_file(root, "../outside/x.md")
    assert not is_file(root, "a")
    assert not is_folder(root, "a/x.md")
    with pytest.raises(SourceError) as caught:
        real_path(root, "out")
    assert caught.value.diagnostic.code == "BMC102"


def test_only_a_folder_is_opened(tmp_path: Path) -> None:
    write(tmp_path, "a/x.md")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert open_folder(tmp_path / "link") == (tmp_path / "a").resolve()
    for name, code in (("absent", "BMC101"), ("a/x.md", "BMC108"), ("loop", "BMC104")):
        with pytest.raises(SourceError) as caught:
            open_folder(tmp_path / name)
        assert caught.value.diagnostic.code == code, name
