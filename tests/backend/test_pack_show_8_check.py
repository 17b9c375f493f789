"""Line 8: `check` tells its causes apart, believes nothing in full, and never writes.

And how `build` treats a folder: what is not ours stays, what is no longer made goes.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc import checking, hashes
from bmadc.backend import manifest
from bmadc.cli import cli
from bmadc.diagnostics.codes import CODES
from bmadc.source.staging import FOLDER as STAGING
from support.hut import write_hut
from support.mill import write_mill
from support.releases import ROOT

STORED = "workflows/bmad-hut-stove.md"


@pytest.fixture
def hut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module with its pack built beside it, as the folder that commands run in."""
    monkeypatch.delenv("CI", raising=False)
    folder = write_hut(tmp_path / "hut")
    monkeypatch.chdir(folder)
    assert run("build").exit_code == 0
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), prog_name="bmadc")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def codes(*words: str) -> tuple[int, list[tuple[str, str]]]:
    """The exit code of a check, and each finding's code with its file; a check leaves everything as it is."""
    before = contents(Path())
    done = run("check", "--format", "json", *words)
    assert contents(Path()) == before
    body = json.loads(done.output)
    return done.exit_code, [
        (one["code"], (one.get("span") or {}).get("path", "")) for one in body["diagnostics"]
    ]


def edit(path: str, old: str, new: str) -> None:
    file = Path(path)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


# --- the four causes


def test_what_was_just_built_is_in_step(hut: Path) -> None:
    assert codes() == (0, [])
    assert codes("--full") == (0, [])
    assert "in step: 11 files, by their hashes" in run("check").output
    assert "in step: 12 files, built again and compared" in run("check", "--full").output


def test_a_source_that_changed(hut: Path) -> None:
    edit("hut-stove/SKILL.md", "Two logs", "Three logs")
    assert codes() == (1, [("BMC431", "hut-stove/SKILL.md")])
    assert codes("--full") == (1, [("BMC431", "hut-stove/SKILL.md"), ("BMC431", STORED)])
    assert "+Three logs" in run("check", "--full").output


def test_a_source_that_is_new_or_gone(hut: Path) -> None:
    Path("hut-stove/more.md").write_text("More.\n", encoding="utf-8")
    Path("hut-sweep/steps/step-02-sweep.md").unlink()
    assert codes()[1] == [("BMC431", "hut-stove/more.md"), ("BMC431", "hut-sweep/steps/step-02-sweep.md")]
    said = run("check").output
    assert "is new since" in said
    assert "is gone since" in said


def test_settings_that_changed(hut: Path) -> None:
    Path("bmadc.toml").write_text('engine = "codex"\n', encoding="utf-8")
    assert codes() == (1, [("BMC432", "bmadc.toml")])
    exit_code, found = codes("--full")
    assert exit_code == 1
    assert ("BMC432", STORED) in found
    assert {code for code, _ in found} == {"BMC432"}


def test_a_compiler_or_template_that_changed(hut: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "compiler_hash", lambda: "0" * 64)
    assert codes() == (1, [("BMC432", "bmadc.lock.json")])
    said = run("check").output
    assert "built by another bmadc" in said
    # In full too it is said, though this compiler gives the same workflows.
    assert codes("--full") == (1, [("BMC432", "bmadc.lock.json")])


def test_the_hash_of_the_compiler_counts_modules_and_templates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package, templates = tmp_path / "bmadc", tmp_path / "templates"
    shutil.copytree(Path(hashes.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "templates", templates)
    monkeypatch.setattr("bmadc.__file__", str(package / "__init__.py"))
    monkeypatch.setattr(hashes, "template_folder", lambda: templates)

    def hash_now() -> str:
        return hashes.compiler_hash.__wrapped__()

    first = hash_now()
    assert first == hashes.compiler_hash()
    for changed in (package / "passes" / "flow.py", templates / "scripts" / "guard.sh"):
        before = changed.read_bytes()
        changed.write_bytes(before + b"# \n")
        assert hash_now() != first, changed
        changed.write_bytes(before.replace(b"\n", b"\r\n"))
        assert hash_now() == first, changed
        changed.write_bytes(before)
    # No byte of a pack comes from a command, or from what Python caches.
    (package / "cli" / "build.py").write_bytes(b"")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "x.py").write_bytes(b"x")
    assert hash_now() == first


def test_an_output_that_was_edited(hut: Path) -> None:
    edit(STORED, "Two logs", "Three logs")
    assert codes() == (1, [("BMC433", STORED)])
    assert codes("--full") == (1, [("BMC433", STORED)])
    said = run("check", "--full").output
    assert "-Three logs" in said
    assert "+Two logs" in said


def test_an_output_edited_with_its_hash_passes_the_fast_path_at_most(hut: Path) -> None:
    edit(STORED, "Two logs", "Three logs")
    lock = json.loads(Path("bmadc.lock.json").read_text(encoding="utf-8"))
    lock["outputs"][STORED] = manifest.digest(Path(STORED).read_text(encoding="utf-8"))
    Path("bmadc.lock.json").write_text(json.dumps(lock, indent=1) + "\n", encoding="utf-8")
    assert codes() == (0, [])
    assert codes("--full") == (1, [("BMC433", "bmadc.lock.json"), ("BMC433", STORED)])
    assert "the manifest was changed to match" in run("check", "--full").output
    assert run("check", "--full").exit_code == 1


def test_an_interrupted_build(hut: Path) -> None:
    Path(STAGING).mkdir()
    assert codes() == (1, [("BMC422", "")])
    assert codes("--full") == (1, [("BMC422", "")])
    assert "interrupted build" in run("check").output
    assert run("build").exit_code == 0
    assert codes() == (0, [])


def test_an_output_that_is_missing_or_too_many(hut: Path) -> None:
    Path(STORED).unlink()
    assert codes() == (1, [("BMC434", STORED)])
    assert codes("--full") == (1, [("BMC434", STORED)])
    assert run("build").exit_code == 0
    shutil.rmtree("hut-stove")
    assert ("BMC435", STORED) in codes("--full")[1]


def test_several_causes_are_all_told(hut: Path) -> None:
    edit("hut-sweep/SKILL.md", "the floor", "the floors")
    edit(STORED, "Two logs", "Three logs")
    assert codes()[1] == [("BMC431", "hut-sweep/SKILL.md"), ("BMC433", STORED)]
    found = {path: code for code, path in codes("--full")[1]}
    assert found["workflows/bmad-hut-stove.md"] == "BMC433"
    assert found["workflows/bmad-hut-sweep.md"] == "BMC431"


def test_nothing_to_check_and_nothing_to_read(hut: Path) -> None:
    Path("bmadc.lock.json").write_text("{}", encoding="utf-8")
    assert codes() == (2, [("BMC424", "bmadc.lock.json")])
    Path("bmadc.lock.json").unlink()
    assert codes() == (2, [("BMC423", "bmadc.lock.json")])
    Path("bmadc.toml").write_text("engine = 1\n", encoding="utf-8")
    assert codes() == (2, [("BMC401", "bmadc.toml")])
    Path("bmadc.toml").unlink()
    assert run("build").exit_code == 0
    shutil.rmtree("hut-stove")
    shutil.rmtree("hut-sweep")
    assert codes("--full")[0] == 2


def test_ci_means_full(hut: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    assert "built again and compared" in run("check").output
    monkeypatch.setenv("CI", "false")
    assert "by their hashes" in run("check").output


def test_annotations_for_a_pull_request(hut: Path) -> None:
    edit(STORED, "Two logs", "Three logs")
    done = run("check", "--full", "--format", "github")
    assert done.exit_code == 1
    first = done.output.splitlines()[0]
    assert first.startswith(f"::error file={STORED},")
    assert "title=BMC433" in first
    # One command is one line, whatever the difference holds.
    assert sum(line.startswith("::") for line in done.output.splitlines()) == 1
    assert "drift: 1 findings" in done.output or "drift: 1 finding" in done.output


def test_a_fresh_clone_with_other_line_ends_is_in_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The committed house edition, as git gives it to somebody on Windows: nothing is cached anywhere."""
    monkeypatch.delenv("CI", raising=False)
    home = write_hut(tmp_path / "home")
    monkeypatch.chdir(home)
    assert run("build").exit_code == 0
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.autocrlf=false"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run([*git, *words], cwd=home, check=True)
    for ends in ("false", "true"):
        clone = tmp_path / f"clone-{ends}"
        subprocess.run(
            ["git", "-c", f"core.autocrlf={ends}", "clone", "-q", str(home), str(clone)], check=True
        )
        monkeypatch.chdir(clone)
        assert (b"\r\n" in Path("hut-stove/SKILL.md").read_bytes()) == (ends == "true")
        # What is compiled has its own rule in git, so that gh-aw's hash of it holds.
        assert b"\r\n" not in Path(STORED).read_bytes()
        assert codes() == (0, [])
        assert codes("--full") == (0, [])


# --- build


def test_a_second_build_writes_nothing(hut: Path) -> None:
    before = {path: (Path(path).stat().st_mtime_ns, data) for path, data in contents(hut).items()}
    done = run("build")
    assert "in step" in done.output
    assert {path: (Path(path).stat().st_mtime_ns, data) for path, data in contents(hut).items()} == before


def test_the_pack_in_a_module_is_no_part_of_its_source(hut: Path) -> None:
    lock = json.loads(Path("bmadc.lock.json").read_text(encoding="utf-8"))
    assert all(path.startswith(("hut-", "module")) for path in lock["inputs"])
    assert run("build", "--out", "pack").exit_code == 0
    assert codes() == (0, [])
    assert codes("--out", "pack") == (0, [])


def test_what_only_looks_like_ours_is_source(hut: Path) -> None:
    """A manifest cannot hide a file from the compiler: only what has our mark is ours."""
    lock = json.loads(Path("bmadc.lock.json").read_text(encoding="utf-8"))
    lock["outputs"]["hut-stove/SKILL.md"] = "0" * 64
    Path("bmadc.lock.json").write_text(json.dumps(lock), encoding="utf-8")
    assert run("build").exit_code == 0
    assert "hut-stove/SKILL.md" in json.loads(Path("bmadc.lock.json").read_text(encoding="utf-8"))["inputs"]
    assert Path("hut-stove/SKILL.md").is_file()


def test_what_others_wrote_is_refused_listed_and_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_hut(tmp_path))
    Path("workflows").mkdir()
    own = {"workflows/bmad-resume.yml": "on: push\n", "aw.yml": "name: mine\n", STORED: "# Mine\n"}
    for path, text in own.items():
        Path(path).write_text(text, encoding="utf-8")
    before = contents(tmp_path)
    done = run("build")
    assert done.exit_code == 1
    assert contents(tmp_path) == before
    assert done.output.count("BMC421") == len(own)
    assert all(path in done.output for path in own)
    assert "nothing was written" in done.output
    adopted = run("build", "--adopt", "--dry-run")
    assert contents(tmp_path) == before
    assert adopted.exit_code == 0
    assert "-# Mine" in adopted.output
    assert run("build", "--adopt").exit_code == 0
    assert all("Made by bmadc" in Path(path).read_text(encoding="utf-8")[:400] for path in own)
    assert codes("--full") == (0, [])


def test_a_front_page_of_others_stays_and_is_not_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(write_hut(tmp_path))
    Path("README.md").write_text("# The hut\n", encoding="utf-8")
    assert run("build").exit_code == 0
    assert Path("README.md").read_text(encoding="utf-8") == "# The hut\n"
    assert codes() == (0, [])
    assert codes("--full") == (0, [])
    Path("README.md").unlink()
    assert codes("--full")[1][0] == ("BMC431", "README.md")
    assert run("build").exit_code == 0
    assert "Made by bmadc" in Path("README.md").read_text(encoding="utf-8")
    assert codes("--full") == (0, [])


def test_what_is_no_longer_made_goes_and_nothing_else(hut: Path) -> None:
    Path("workflows/mine.md").write_text("# Mine\n", encoding="utf-8")
    shutil.rmtree("hut-stove")
    said = run("build", "--dry-run").output
    assert f"remove  {STORED}" in said
    assert Path(STORED).exists()
    done = run("build")
    assert "1 removed" in done.output
    assert not Path(STORED).exists()
    assert Path("workflows/mine.md").read_text(encoding="utf-8") == "# Mine\n"
    assert codes("--full") == (0, [])


def test_a_dry_run_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_hut(tmp_path))
    before = contents(tmp_path)
    done = run("build", "--dry-run")
    assert done.exit_code == 0
    assert contents(tmp_path) == before
    assert f"write   {STORED}" in done.output
    assert "would be written" in done.output


def test_a_part_is_built_and_the_rest_stays_in_step(hut: Path) -> None:
    edit("hut-stove/SKILL.md", "Two logs", "Three logs")
    edit("hut-sweep/SKILL.md", "# Sweep", "# Sweep it")
    before = contents(hut)
    assert run("build", "hut-stove").exit_code == 0
    after = contents(hut)
    assert {path for path in after if after[path] != before.get(path)} == {STORED, "bmadc.lock.json"}
    # What was left as it was is told, and only that.
    assert codes()[1] == [("BMC431", "hut-stove/SKILL.md"), ("BMC431", "hut-sweep/SKILL.md")]
    full = codes("--full")[1]
    assert ("BMC431", STORED) not in full
    assert ("BMC431", "workflows/bmad-hut-sweep.md") in full
    assert run("build").exit_code == 0
    assert codes("--full") == (0, [])


def test_a_part_of_what_is_in_step_changes_nothing(hut: Path) -> None:
    before = contents(hut)
    assert run("build", "hut-stove").exit_code == 0
    assert contents(hut) == before


def test_it_is_quiet_where_nobody_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_hut(tmp_path))
    done = run("build")
    assert "\x1b" not in done.output
    assert "reading the BMAD tree" not in done.output
    assert done.output.splitlines()[-1] == "2 workflows, 12 files written in ."


@pytest.mark.parametrize(("name", "says"), [("hut-stov", "Perhaps: hut-stove."), ("zzz", "bmadc inspect")])
def test_an_id_that_is_none(hut: Path, name: str, says: str) -> None:
    done = run("build", name)
    assert done.exit_code == 2
    assert f"no workflow can be made of {name!r}" in done.output
    assert says in done.output


def test_an_id_of_what_is_left_out_is_told_why(hut: Path) -> None:
    Path("bmadc.toml").write_text("[workflows.hut-stove]\ndisabled = true\n", encoding="utf-8")
    done = run("build", "hut-stove")
    assert done.exit_code == 2
    assert "bmadc.toml disables it" in done.output


def test_a_tree_that_is_none(tmp_path: Path) -> None:
    done = run("build", "--root", str(tmp_path))
    assert done.exit_code == 2
    assert "BMC301" in done.output
    assert "nothing was written" in done.output


# --- every code of a build and a check is provoked somewhere


def _written(folder: Path, files: Mapping[str, str]) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


PROVOKED: dict[str, dict[str, str]] = {
    "BMC401": {"bmadc.toml": "stacks = 7\n"},
    "BMC402": {"bmadc.toml": "enginee = 'claude'\n"},
    "BMC403": {"bmadc.toml": "wiring = 'credential'\n"},
    "BMC404": {"bmadc.toml": "[workflows.hut-roof]\ndisabled = true\n"},
    "BMC405": {
        "module.yaml": 'code: hut\nname: Hut\nplanning_artifacts:\n  prompt: Where\n  default: "../../etc"\n'
        '  result: "{project-root}/{value}"\n'
    },
    "BMC406": {"bmadc.toml": "source = 'nowhere'\n"},
    "BMC411": {"hut-stove/more.md": "x\n"},
    "BMC412": {
        "hut-one/SKILL.md": "---\nname: hut-one\ndescription: One\n---\n\n# One\n\nDo it.\n",
        "x/hut-one/SKILL.md": "---\nname: bmad-hut-one\ndescription: One\n---\n\n# One\n\nDo it.\n",
    },
    "BMC413": {
        "hut-stove/SKILL.md": "---\nname: hut-stove\ndescription: S\n---\n\nAwait the consent of the host.\n"
    },
    "BMC414": {
        "hut-stove/SKILL.md": "---\nname: hut-stove\ndescription: S\n---\n\n" + "Add one more log.\n\n" * 6000
    },
    "BMC415": {
        "hut-stove/SKILL.md": "---\nname: hut-stove\ndescription: S\n---\n\n" + "Add one more log.\n\n" * 4000
    },
    "BMC416": {
        "bmadc.toml": "[workflows.hut-stove]\ndisabled = true\n[workflows.hut-sweep]\ndisabled = true\n"
    },
    "BMC418": {
        "bmadc.toml": "engine = 'gemini'\n",
        "bmad-research/SKILL.md": "---\nname: bmad-research\ndescription: R\n---\n\n# R\n\nSearch the web.\n",
    },
}
ELSEWHERE = {
    *("BMC421", "BMC422", "BMC423", "BMC424", "BMC431", "BMC432", "BMC433", "BMC434", "BMC435"),
    # In the tests of redirects and of hostile files.
    *("BMC417", "BMC419"),
}


@pytest.mark.parametrize("code", PROVOKED)
def test_the_code_appears(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_hut(tmp_path))
    _written(tmp_path, PROVOKED[code])
    done = run("build", "--dry-run")
    assert f"[{code}]" in done.output
    is_error = f"error[{code}]" in done.output
    assert done.exit_code == (1 if is_error else 0)


def test_every_code_is_provoked() -> None:
    assert {code for code in CODES if code.startswith("BMC4")} == PROVOKED.keys() | ELSEWHERE


def test_the_old_format_builds_and_checks_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(write_mill(tmp_path))
    assert run("build").exit_code == 0
    assert codes("--full") == (0, [])
