"""What it must show 1: every release, in source and installed form, is read without a crash."""

import pytest

from bmadc.diagnostics import count
from bmadc.frontend.pack import read_pack
from bmadc.ir.model import Pack
from bmadc.source import SourceError
from support.readings import installed_pack, source_pack
from support.releases import INSTALLED, SOURCE, UNSUPPORTED, source_root


def _is_read(pack: Pack, release: str, form: str) -> None:
    print(
        f"{release} {form}: {'+'.join(pack.dialects)}, {len(pack.agents)} agents, "
        f"{len(pack.workflows)} workflows, {len(pack.files)} files, "
        f"{count(pack.diagnostics, 'warning')} warnings"
    )
    assert (pack.release, pack.form) == (release, form)
    assert len(pack.agents) >= 5
    assert len(pack.workflows) >= 24
    assert {module.code for module in pack.modules} == {"bmm", "core"}
    assert count(pack.diagnostics, "error") == 0


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("release", SOURCE)
def test_source_form(release: str) -> None:
    _is_read(source_pack(release), release, "source")


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("name", INSTALLED)
def test_installed_form(name: str) -> None:
    _is_read(installed_pack(name), name.removesuffix("-shims"), "installed")


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("archive", UNSUPPORTED, ids=lambda archive: archive.version)
def test_what_is_not_supported_is_said_in_a_sentence(archive: object) -> None:
    version = getattr(archive, "version", "")
    with pytest.raises(SourceError) as caught:
        read_pack(source_root(version))
    said = caught.value.diagnostic
    print(f"{version}: {said.message}; {said.help[0]}")
    assert version in said.message
    assert "not supported" in said.message
    assert said.why
    assert said.help
