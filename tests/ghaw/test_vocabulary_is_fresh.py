"""The committed vocabulary is what the pinned release gives, byte for byte."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from bmadc.ghaw.vocabulary import pin

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "generate_vocabulary", ROOT / "scripts" / "generate_vocabulary.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_go_mod_and_the_pin_name_the_same_release() -> None:
    go_mod = (ROOT / "tools" / "gh-aw" / "go.mod").read_text(encoding="utf-8")
    assert re.findall(rf"^\s*(?:require )?{re.escape(pin.MODULE)} (\S+)", go_mod, re.MULTILINE) == [
        pin.RELEASE
    ]
    assert pin.COMPILE_FLAGS[pin.COMPILE_FLAGS.index("--action-tag") + 1] == pin.RELEASE


@pytest.mark.needs("gh-aw-source")
@pytest.mark.needs("node-oracles")
def test_regenerating_gives_the_committed_bytes(generator: ModuleType) -> None:
    source = generator.find_gh_aw_source(ROOT)
    text = generator.generate(source, ROOT / "tools" / "oracles" / "node_modules")
    assert text.encode() == generator.TABLES.read_bytes()
    assert generator.main(["--check"]) == 0


@pytest.mark.needs("gh-aw-source")
@pytest.mark.needs("node-oracles")
def test_no_prose_of_the_sources_is_in_the_tables(generator: ModuleType) -> None:
    strings = re.findall(r'r?"([^"]*)"', generator.TABLES.read_text(encoding="utf-8").split('"""', 2)[2])
    assert len(strings) > 500
    # Names have no spaces; three of the features have two or three words.
    assert all(len(string.split()) <= 3 for string in strings)


@pytest.mark.needs("gh-aw-source")
def test_a_stale_table_is_told(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stale = tmp_path / "tables.py"
    stale.write_text(
        generator.TABLES.read_text(encoding="utf-8").replace('"agent",', '"agent2",', 1), encoding="utf-8"
    )
    monkeypatch.setattr(generator, "TABLES", stale)
    monkeypatch.setattr(generator, "ROOT", tmp_path)
    source = generator.find_gh_aw_source(ROOT)
    oracles = ROOT / "tools" / "oracles" / "node_modules"
    arguments = ["--check", "--gh-aw-source", str(source), "--oracles", str(oracles)]
    assert generator.main(arguments) == 1
    assert pin.RELEASE in capsys.readouterr().err
    assert '"agent2",' in stale.read_text(encoding="utf-8")
    assert generator.main(arguments[1:]) == 0
    assert generator.main(arguments) == 0


def test_a_source_that_is_not_there_is_named(
    generator: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generator.main(["--check", "--gh-aw-source", str(tmp_path)]) == 2
    assert "main_workflow_schema.json" in capsys.readouterr().err


def test_a_list_that_lost_its_shape_is_an_error_and_not_an_empty_table(generator: ModuleType) -> None:
    assert generator.go_strings(
        'var Names = []string{\n\t"a", // "b"\n\t"c",\n} // "d"\n', "var Names = []string{"
    ) == (
        "a",
        "c",
    )
    assert generator.go_strings('var Names = []string{"a", "b"}\nvar x = "c"\n', "var Names = []string{") == (
        "a",
        "b",
    )
    with pytest.raises(generator.SourceError, match="no longer contain"):
        generator.go_strings("package x", "var Names = []string{")
    with pytest.raises(generator.SourceError, match="holds no strings"):
        generator.go_strings("var Names = []string{\n}\n", "var Names = []string{")
    with pytest.raises(generator.SourceError, match="another shape"):
        generator.collected_maxima('\t"a": {\n\t\tDefaultMax: 1,\n')
