"""Which gh-aw runs, and that it is the pinned release."""

from pathlib import Path

import pytest

from bmadc.diagnostics import Diagnostic
from bmadc.ghaw.binary import GhAwError, pinned_gh_aw
from bmadc.ghaw.vocabulary.pin import RELEASE
from support.packs import GH_AW, stand_in


@pytest.fixture(autouse=True)
def _nothing_around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here" / "deep")
    monkeypatch.delenv("BMADC_GH_AW", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)


def make(folder: Path, release: str = RELEASE) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return stand_in(folder, "exit 0", release=release)


def refused(explicit: Path | None = None) -> Diagnostic:
    with pytest.raises(GhAwError) as caught:
        pinned_gh_aw(explicit)
    return caught.value.diagnostic


def test_the_order_of_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert refused().code == "BMC201"
    extension = make(tmp_path / "home" / ".local" / "share" / "gh" / "extensions" / "gh-aw")
    assert pinned_gh_aw().path == extension
    moved = make(tmp_path / "data" / "gh" / "extensions" / "gh-aw")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert pinned_gh_aw().path == moved
    on_path = make(tmp_path / "path")
    assert pinned_gh_aw().path == on_path
    above = make(tmp_path / ".tools" / "bin")
    assert pinned_gh_aw().path == above
    nearer = make(tmp_path / "here" / ".tools" / "bin")
    assert pinned_gh_aw().path == nearer
    by_variable = make(tmp_path / "variable")
    monkeypatch.setenv("BMADC_GH_AW", str(by_variable))
    assert pinned_gh_aw().path == by_variable
    explicit = make(tmp_path / "explicit")
    assert pinned_gh_aw(explicit).path == explicit


def test_a_relative_path_still_holds_in_the_scratch_repository(tmp_path: Path) -> None:
    path = make(tmp_path / "here" / "deep")
    assert pinned_gh_aw(Path("gh-aw")).path == path


def test_a_named_gh_aw_is_never_replaced_by_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "path")
    assert refused(Path("none")).message == "--gh-aw names 'none', and there is no such file"
    assert refused(Path("a" * 300)).code == "BMC201"
    monkeypatch.setenv("BMADC_GH_AW", "gone")
    found = refused()
    assert (found.code, found.message) == ("BMC201", "BMADC_GH_AW names 'gone', and there is no such file")


@pytest.mark.parametrize("release", ["v0.1.0", "dev", f"{RELEASE}-dirty", RELEASE.removeprefix("v")])
def test_another_release_is_refused(tmp_path: Path, release: str) -> None:
    found = refused(make(tmp_path / "other", release))
    assert found.code == "BMC202"
    assert found.message.endswith(f"is gh-aw {release}; bmadc compiles for {RELEASE}")


def test_a_file_that_does_not_run_is_said(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_text("text", encoding="utf-8")
    assert refused(path).message.endswith("text cannot be started: Permission denied")
    path.write_text("#!/bin/bash\necho what; exit 7\n", encoding="utf-8")
    path.chmod(0o755)
    found = refused(path)
    assert (found.code, found.message.partition(": ")[2]) == ("BMC203", "`version` exits 7 and says 'what'")


@pytest.mark.needs("gh-aw")
def test_the_real_one_is_the_pinned_release() -> None:
    assert pinned_gh_aw(GH_AW).version == RELEASE
