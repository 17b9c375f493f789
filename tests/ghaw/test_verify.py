"""Verifying a pack: gh-aw's findings at our lines, the exit code, the locks."""

from pathlib import Path

import pytest

from bmadc.diagnostics import Span
from bmadc.ghaw.verify import Verification, default_folder, save_locks, verify
from support.packs import GH_AW, document, stand_in, write_pack

pytestmark = pytest.mark.needs("gh-aw")

SUMMARY_KEYS = {"workflows", "plain", "errors", "warnings", "notes", "gh_aw"}


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def verified(files: dict[str, str | bytes], folder: str = "pack") -> Verification:
    return verify(write_pack(Path(folder), files), gh_aw=GH_AW)


def places(verification: Verification) -> list[str]:
    return [f"{found.span} {found.code}" for found in verification.diagnostics]


def test_a_good_pack_has_nothing_to_say() -> None:
    found = verified({"greet.md": document(), "README.md": "Words.\n", "sweep.yml": "on: push\njobs: {}\n"})
    assert (found.diagnostics, found.exit_code) == ((), 0)
    assert found.closing_line() == "1 workflow, 1 plain, 0 errors, 0 warnings, gh-aw v0.89.10"
    assert found.summary() == {
        "workflows": 1,
        "plain": 1,
        "errors": 0,
        "warnings": 0,
        "notes": 0,
        "gh_aw": "v0.89.10",
    }


def test_every_finding_is_collected_and_stands_at_its_line() -> None:
    found = verified(
        {
            "a.md": document("A", "permisions: x\n"),
            "b.md": document("B", "network:\n  allowed: [defaults, nodejs.org]\n"),
            "c.md": document("C", "safe-outputs:\n  replace-label:\n"),
            "d.yml": "on: [push\njobs: {}\n",
        }
    )
    assert places(found) == [
        "pack/a.md:7:1 BMC211",
        "pack/b.md:8:23 BMC213",
        "pack/c.md:8:3 BMC212",
        "pack/d.yml:2:5 BMC225",
    ]
    assert found.line_of("pack/a.md", 7) == "permisions: x"
    assert found.line_of("pack/a.md", 99) is None
    assert found.line_of("pack/none.md", 1) is None
    assert found.exit_code == 1


def test_lines_of_a_file_with_crlf_are_the_same() -> None:
    text = document("A", "permisions: x\n").replace("\n", "\r\n")
    found = verified({"a.md": text})
    assert places(found) == ["pack/a.md:7:1 BMC211"]
    assert found.line_of("pack/a.md", 7) == "permisions: x"


def test_notes_alone_are_fine() -> None:
    found = verified({"greet.md": document(), "about.md": "Words.\n"})
    assert places(found) == ["pack/about.md BMC221"]
    assert found.exit_code == 0
    assert found.closing_line() == "1 workflow, 0 errors, 0 warnings, 1 note, gh-aw v0.89.10"


def test_a_missing_import_is_at_its_line_with_what_to_do() -> None:
    (found,) = verified({"a.md": document("A", "imports:\n  - shared/none.md\n")}).diagnostics
    assert found.span == Span.point("pack/a.md", 8, 5, len("shared/none.md"))
    assert "shared/none.md" in found.help[0]


def test_an_unknown_value_says_what_is_known() -> None:
    (found,) = verified({"a.md": document("A").replace("contents: read", "contents: raed")}).diagnostics
    assert found.message == "'contents': value not known"
    assert (found.expected, found.nearest) == ("one of read, write, none", ("read",))


def test_a_shared_file_beside_the_workflows_is_told_how_to_get_away() -> None:
    (found,) = verified({"a.md": document(), "s.md": "---\ntools:\n  bash: true\n---\nWords.\n"}).diagnostics
    assert (found.code, found.severity, str(found.span)) == ("BMC221", "warning", "pack/s.md")
    assert found.help[1] == "Move a file for imports into a folder below the pack."


def test_locks_in_the_folder_change_nothing_and_stay_as_they_are() -> None:
    without = verified(
        {"greet.md": document(), "odd.md": document("Odd", "safe-outputs:\n  replace-label:\n")}
    )
    stale: dict[str, str | bytes] = {
        "greet.lock.yml": "# gh-aw-metadata: {\n[",
        "gone.lock.yml": b"\xff\x00",
        "odd.lock.yml": "x: 1\n",
    }
    with_locks = verified(stale)
    assert with_locks.result == without.result
    assert with_locks.diagnostics == without.diagnostics
    assert Path("pack/greet.lock.yml").read_text(encoding="utf-8") == stale["greet.lock.yml"]
    assert sorted(path.name for path in Path("pack").iterdir()) == sorted({*stale, "greet.md", "odd.md"})


def test_a_finding_speaks_of_the_folder_that_the_user_named() -> None:
    found = verified({"a.md": document("A"), "b.md": document("A")}, folder="here/mine")
    assert all("mine" in str(one.span) for one in found.diagnostics)
    assert not any(".github/workflows" in f"{one.message}{one.detail}{one.help}" for one in found.diagnostics)


def test_all_unreadable_files_are_named_before_gh_aw_runs() -> None:
    found = verified({"a.md": b"\xff", "b.md": b"\0", "c.md": document()})
    assert places(found) == ["pack/a.md:1:1 BMC107", "pack/b.md:1:1 BMC106"]
    assert (found.exit_code, found.closing_line()) == (2, "nothing was verified")
    assert set(found.summary()) == SUMMARY_KEYS


@pytest.mark.parametrize("script", ["exit 3", "echo what"])
def test_a_gh_aw_that_cannot_be_asked_is_exit_code_2(tmp_path: Path, script: str) -> None:
    pack = write_pack(Path("pack"), {"greet.md": document()})
    assert verify(pack, gh_aw=stand_in(tmp_path, script)).exit_code == 2


def test_the_default_folder(tmp_path: Path) -> None:
    assert default_folder() == Path("workflows")
    write_pack(tmp_path / ".github" / "workflows", {})
    assert default_folder() == Path(".github/workflows")
    write_pack(tmp_path / "workflows", {})
    assert default_folder() == Path("workflows")


def test_a_repository_is_told_where_its_workflows_are() -> None:
    write_pack(Path("repo"), {".github/workflows/a.md": document(), "docs.md/x.txt": ""})
    (found,) = verify(Path("repo"), gh_aw=GH_AW).diagnostics
    assert found.code == "BMC204"
    assert found.help == ("Name the folder that holds the workflows: `bmadc verify repo/.github/workflows`.",)


# Locks ------------------------------------------------------------------------------------------------


def test_locks_are_written_and_written_over() -> None:
    found = verified({"a.md": document("A"), "b.md": document("B")})
    assert found.result is not None
    for _ in range(2):
        saved = save_locks(found, Path("locks"))
        assert saved.closing_line().endswith(", 2 locks in locks")
    assert {
        path.name: path.read_text(encoding="utf-8") for path in Path("locks").iterdir()
    } == found.result.locks


def test_a_warning_does_not_keep_locks_back_and_an_error_does() -> None:
    warned = verified({"a.md": document("A", "safe-outputs:\n  replace-label:\n")}, folder="warned")
    assert save_locks(warned, Path("one")).exit_code == 1
    assert Path("one/a.lock.yml").is_file()
    wrong = verified({"a.md": document("A"), "b.md": document("B", "permisions: x\n")}, folder="wrong")
    saved = save_locks(wrong, Path("two"))
    assert saved.closing_line().endswith(", no locks written")
    assert not Path("two").exists()


@pytest.mark.parametrize("kind", ["text", "folder", "link"])
def test_a_foreign_file_keeps_all_locks_back(tmp_path: Path, kind: str) -> None:
    found = verified({"a.md": document("A"), "b.md": document("B")})
    locks = write_pack(Path("locks"), {})
    if kind == "text":
        (locks / "b.lock.yml").write_text("mine: 1\n", encoding="utf-8")
    elif kind == "folder":
        (locks / "b.lock.yml").mkdir()
    else:
        (locks / "b.lock.yml").symlink_to(tmp_path / "pack" / "b.md")
    saved = save_locks(found, locks)
    assert places(saved) == ["locks/b.lock.yml BMC231"]
    assert saved.exit_code == 2
    assert [path.name for path in locks.iterdir()] == ["b.lock.yml"]
