"""What it must show 4: a release means the same as sources and as an installation."""

import pytest

from bmadc.ir.semantic import difference, semantic
from support.readings import installed_pack, source_pack
from support.releases import RELEASES

# 6.12.0 installs its shims only when asked, so the whole of it is compared with the variant that has them.
BOTH = [
    (release.version, release.installs[-1][0])
    for release in RELEASES
    if {"source", "installed"} <= set(release.forms)
]


def test_every_stable_release_is_compared() -> None:
    assert len(BOTH) >= 10
    assert ("6.0.4", "6.0.4") in BOTH
    assert ("6.12.0", "6.12.0-shims") in BOTH


@pytest.mark.needs("bmad-releases")
@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize(("version", "install"), BOTH, ids=[install for _, install in BOTH])
def test_source_and_installed_form_mean_the_same(version: str, install: str) -> None:
    source, installed = source_pack(version), installed_pack(install)
    one, other = semantic(source), semantic(installed)
    leaves = sum(len(file["leaves"]) for unit in one["workflows"].values() for file in unit["files"].values())
    print(
        f"{version}: {len(one['agents'])} agents ({source.agents[0].encoding} and "
        f"{installed.agents[0].encoding}), {len(one['workflows'])} workflows, {len(one['help'])} rows, "
        f"{leaves} leaves"
    )
    assert difference(one, other) == []
    assert one == other
    assert source.form != installed.form
    assert len(one["agents"]) == len(source.agents) >= 5
    assert len(one["workflows"]) == len(source.workflows) >= 24
    assert leaves > 5000


@pytest.mark.needs("bmad-releases")
@pytest.mark.needs("bmad-installed")
def test_an_installation_without_shims_lacks_only_them() -> None:
    source, installed = source_pack("6.12.0"), installed_pack("6.12.0")
    shims = {one.id for one in source.workflows if one.shim is not None}
    there = {one.id for one in installed.workflows}
    assert {one.id for one in source.workflows} - there == shims
    assert len(shims) == 21
    whole, part = semantic(source), semantic(installed)
    assert whole["agents"] == part["agents"]
    assert whole["help"] == part["help"]
    for id_ in sorted(there):
        one, other = whole["workflows"][id_], part["workflows"][id_]
        assert one["steps"] == other["steps"]
        assert {name: file["leaves"] for name, file in one["files"].items()} == {
            name: file["leaves"] for name, file in other["files"].items()
        }
