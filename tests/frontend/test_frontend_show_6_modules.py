"""What it must show 6: other modules from npm are read, alone and beside bmm."""

import shutil
from pathlib import Path

import pytest

from bmadc.diagnostics import count
from bmadc.frontend.pack import read_pack
from support.readings import module_pack, source_pack
from support.releases import MODULES, ModulePackage, module_root, source_root

pytestmark = pytest.mark.needs("bmad-releases")
BESIDE = "6.12.0"


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_alone(module: ModulePackage) -> None:
    pack = module_pack(module.name)
    print(
        f"{module.name}: {len(pack.agents)} agents, {len(pack.workflows)} workflows, "
        f"{len(pack.files)} files, {count(pack.diagnostics, 'warning')} warnings"
    )
    assert [one.code for one in pack.modules] == [module.code]
    assert {workflow.module for workflow in pack.workflows} == {module.code}
    assert len(pack.workflows) >= 2
    assert count(pack.diagnostics, "error") == 0


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_beside_bmm(module: ModulePackage, tmp_path: Path) -> None:
    shutil.copytree(source_root(BESIDE) / "src", tmp_path / "src")
    shutil.copytree(module_root(module.name) / "src", tmp_path / "src" / module.code)
    pack = read_pack(tmp_path)
    alone, bmm = module_pack(module.name), source_pack(BESIDE)
    assert {one.code for one in pack.modules} == {"bmm", "core", module.code}
    assert {one.id for one in pack.workflows} == {one.id for one in (*alone.workflows, *bmm.workflows)}
    assert {one.id for one in pack.agents} == {one.id for one in (*alone.agents, *bmm.agents)}
    for workflow in alone.workflows:
        beside = pack.workflow(workflow.id)
        assert beside is not None
        assert [(step.number, step.title) for step in beside.steps] == [
            (step.number, step.title) for step in workflow.steps
        ]
        assert len(beside.files) >= len(workflow.files)


def test_phases_are_an_open_set() -> None:
    phases = {workflow.phase for module in MODULES for workflow in module_pack(module.name).workflows}
    assert "0-learning" in phases
