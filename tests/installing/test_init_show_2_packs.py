"""Line 2: `bmadc init --yes --bmad RELEASE` in an empty git folder gives a verified pack in one command."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.backend import manifest
from bmadc.cli import cli
from bmadc.frontend.membership import why_excluded
from bmadc.ghaw import verify
from bmadc.ghaw.runner import CompileResult
from bmadc.installing import house
from support.built import HOUSE, built, compiled, workflows
from support.folders import snapshot
from support.packs import GH_AW
from support.releases import source_root

RELEASES = ("6.12.0", "6.0.4")
ROWS = [pytest.param(one, marks=pytest.mark.xdist_group(f"pack {one}")) for one in RELEASES]


@pytest.fixture(autouse=True)
def _in_an_empty_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet", tmp_path / "project"], check=True)
    monkeypatch.chdir(tmp_path / "project")
    monkeypatch.setenv("BMADC_GH_AW", str(GH_AW))


def init(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["init", "--yes", *arguments], prog_name="bmadc")


@pytest.fixture
def _asked_once(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """The real gh-aw is asked about the same workflows once for all tests of this process."""
    release = request.getfixturevalue("release")

    def shared(files: Mapping[str, bytes], **_: object) -> CompileResult:
        agentic = {name: data.decode() for name, data in files.items() if name.startswith("bmad-")}
        assert agentic == workflows(built(release))
        return compiled(release)

    monkeypatch.setattr(verify, "compile_files", shared)


def check_whole(release: str, shown: Result) -> None:
    assert shown.exit_code == 0, shown.output
    last = shown.output.splitlines()[-1]
    assert last.startswith("verified: "), last
    assert last.endswith(", 0 errors, 0 warnings, gh-aw v0.89.10")
    assert f"added  bmad-method/       BMAD {release}\n" in shown.output
    found = {path: data for path, data in snapshot(Path()).items() if isinstance(data, bytes)}
    tree = {path.removeprefix("bmad-method/") for path in found if path.startswith("bmad-method/")}
    source = source_root(release)
    published = {path.relative_to(source).as_posix() for path in source.rglob("*") if path.is_file()}
    read = {path for path in published if path.startswith("src/") and not why_excluded(path[len("src/") :])}
    assert tree == read | {"LICENSE", "package.json"}
    assert all(found[f"bmad-method/{path}"] == (source / path).read_bytes() for path in tree)
    # The same pack as everybody else's of this release, down to the manifest.
    pack = built(release)
    texts = {**pack.files, manifest.FILE: pack.manifest.text()}
    assert {path: found[path].decode() for path in texts} == texts
    others = set(found) - set(texts) - {f"bmad-method/{path}" for path in tree}
    assert others == {"bmadc.toml", "bmadc.schema.json"}


@pytest.mark.needs("npm")
@pytest.mark.needs("gh-aw")
@pytest.mark.needs("bmad-releases")
@pytest.mark.usefixtures("_asked_once")
@pytest.mark.parametrize("release", ROWS)
def test_a_release_from_npm_is_a_verified_pack_in_one_command(release: str) -> None:
    check_whole(release, init("--bmad", release))


@pytest.mark.needs("gh-aw")
@pytest.mark.xdist_group("pack house")
def test_the_house_edition_is_a_verified_pack_without_npm(monkeypatch: pytest.MonkeyPatch) -> None:
    git = next(path for path in os.environ["PATH"].split(os.pathsep) if (Path(path) / "git").exists())
    monkeypatch.setenv("PATH", git)
    shown = init()
    assert shown.exit_code == 0, shown.output
    assert shown.output.splitlines()[-1].startswith("verified: ")
    assert snapshot(Path("_bmad")) == house.house_files()
    pack = built(HOUSE)
    assert Path(manifest.FILE).read_text(encoding="utf-8") == pack.manifest.text()
    assert all(Path(path).read_text(encoding="utf-8") == text for path, text in pack.files.items())
