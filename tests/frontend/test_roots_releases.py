"""Roots of the real releases: every form of each, counted by a walk that shares nothing with the compiler."""

import csv
import json
import os
import subprocess
import tomllib
from pathlib import Path

import pytest

from bmadc.frontend.releases import TESTED, numbers
from bmadc.frontend.roots import find_root
from bmadc.frontend.tools_table import TOOLS, skills_folders_of
from bmadc.source import SourceError
from bmadc.source.yamltree import Mapping, parse_yaml, to_python
from support import releases

MODULE_CODES = ["bmm", "core"]


def walked(folder: Path) -> list[str]:
    """The files below a folder, without those that the sheet of the formats calls junk."""
    found = []
    for where, _, names in os.walk(folder):
        parts = Path(where).relative_to(folder).parts
        if {"__pycache__", "tests"} & set(parts) or parts[:1] == ("render",):
            continue
        found += [os.path.join(where, name) for name in names if not name.startswith(".")]  # noqa: PTH118
    return sorted(found)


def paths(base: Path, files: tuple[str, ...]) -> list[str]:
    return sorted(str(base / file) for file in files)


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", releases.SOURCE)
def test_the_source_form_of_every_release(release: str) -> None:
    package = releases.source_root(release)
    root = find_root(package)
    assert (root.form, root.release, root.release_from) == ("source", release, "package.json")
    assert [module.code for module in root.modules] == MODULE_CODES
    assert all(module.definition and module.help and module.name for module in root.modules)
    assert paths(package, root.files) == walked(package / "src")
    assert root.diagnostics == ()
    assert find_root(package / "src") == root


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("install", releases.INSTALLED)
def test_the_installed_form_of_every_release(install: str) -> None:
    folder = releases.installed_root(install)
    root = find_root(folder)
    assert (root.form, root.release) == ("installed", install.removesuffix("-shims"))
    assert [(module.code, module.version) for module in root.modules] == [
        (code, root.release) for code in MODULE_CODES
    ]
    text_is_in_skills = numbers(root.release) >= (6, 3, 0)
    expected = walked(folder / "_bmad")
    if text_is_in_skills:
        expected += walked(folder / ".claude" / "skills")
    assert paths(folder, root.files) == sorted(expected)
    assert root.skills_folders == ((".claude/skills",) if text_is_in_skills else ())
    assert root.diagnostics == ()


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("install", [name for name in releases.INSTALLED if numbers(name) >= (6, 3, 0)])
def test_the_skills_read_are_those_of_the_manifest(install: str) -> None:
    folder = releases.installed_root(install)
    with (folder / "_bmad" / "_config" / "skill-manifest.csv").open(encoding="utf-8", newline="") as file:
        listed = sorted(row["canonicalId"] for row in csv.DictReader(file))
    read = [path.split("/")[2] for path in find_root(folder).files if path.startswith(".claude/skills/")]
    assert sorted(set(read)) == listed


@pytest.mark.needs("bmad-installed")
def test_shims_are_a_matter_of_how_one_installs() -> None:
    def skills(install: str) -> int:
        files = find_root(releases.installed_root(install)).files
        return sum(path.endswith("/SKILL.md") for path in files)

    assert (skills("6.12.0"), skills("6.12.0-shims")) == (29, 50)


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("install", ["6.3.0", "6.12.0"])
def test_the_skills_folder_of_an_install_alone(install: str) -> None:
    folder = releases.installed_root(install) / ".claude" / "skills"
    root = find_root(folder)
    assert (root.form, root.release, root.modules, root.diagnostics) == ("skills", "", (), ())
    assert paths(folder, root.files) == walked(folder)


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("module", releases.MODULES, ids=lambda module: module.name)
def test_a_module_alone(module: releases.ModulePackage) -> None:
    package = releases.module_root(module.name)
    root = find_root(package)
    assert (root.form, root.release, root.package) == ("source", "", module.name)
    assert [(m.code, m.version, m.folder) for m in root.modules] == [
        (module.code, module.archive.version, "src")
    ]
    assert paths(package, root.files) == walked(package / "src")
    assert root.diagnostics == ()


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("archive", releases.UNSUPPORTED, ids=lambda archive: archive.version)
def test_unsupported_releases_are_refused(archive: releases.Archive) -> None:
    with pytest.raises(SourceError) as caught:
        find_root(releases.source_root(archive.version))
    assert caught.value.diagnostic.code == "BMC302"
    assert archive.version in caught.value.diagnostic.message


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", [r for r in releases.SOURCE if numbers(r) >= (6, 1, 0)])
def test_the_table_of_tools_is_that_of_the_installers(release: str) -> None:
    (table,) = (releases.source_root(release) / "tools").rglob("ide/platform-codes.yaml")
    root = parse_yaml(table.read_text(encoding="utf-8")).root
    assert isinstance(root, Mapping)
    folders = {
        tool: platform["installer"]["target_dir"]
        for tool, platform in to_python(root.get("platforms")).items()
        if "target_dir" in (platform.get("installer") or {})
    }
    assert len(folders) > 15
    ours = {tool: skills_folders_of(tool, numbers(release))[:1] for tool in folders}
    assert ours == {tool: (folder,) for tool, folder in folders.items()}


@pytest.mark.needs("bmad-releases")
def test_the_table_of_tools_has_no_tool_too_many() -> None:
    known: set[str] = set()
    for release in releases.SOURCE:
        for table in (releases.source_root(release) / "tools").rglob("ide/platform-codes.yaml"):
            platforms = parse_yaml(table.read_text(encoding="utf-8")).at("platforms")
            known.update(to_python(platforms))
    assert set(TOOLS) <= known
    assert skills_folders_of("no-such-tool") == ()
    assert skills_folders_of("cursor")[0] == ".agents/skills"


def test_the_compiler_knows_the_releases_of_the_list() -> None:
    assert tuple(release.version for release in releases.RELEASES) == TESTED


def test_the_list_is_whole() -> None:
    listed = tomllib.loads(releases.LIST.read_text(encoding="utf-8"))
    assert sorted(listed) == ["module", "release", "unsupported"]
    names = [archive.tarball for archive in releases.ARCHIVES]
    assert len(set(names)) == len(names)
    for archive in releases.ARCHIVES:
        assert archive.tarball == f"{archive.package}-{archive.version}.tgz"
        assert archive.integrity.startswith("sha512-")
    assert all(release.forms == ("source", "installed") for release in releases.RELEASES)


@pytest.mark.needs("bmad-releases")
@pytest.mark.needs("npm")
def test_npm_has_no_stable_release_that_the_list_lacks() -> None:
    asked = subprocess.run(
        ["npm", "view", "bmad-method", "versions", "--json"], capture_output=True, text=True, check=True
    )
    stable = [v for v in json.loads(asked.stdout) if v.startswith("6.") and "-" not in v]
    assert len(stable) >= 10
    assert [version for version in stable if version not in TESTED] == []
