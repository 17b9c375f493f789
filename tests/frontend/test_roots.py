"""Where a BMAD tree is and what belongs to it, on trees in our own words."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.membership import COMPILED, DOT, FOREIGN, HELD, NO_SKILL, RENDERED, SAME, TESTS, TOOLING
from bmadc.frontend.releases import TESTED, judge, numbers
from bmadc.frontend.roots import Root, find_root
from bmadc.source import SourceError

MANIFEST = "_bmad/_config/manifest.yaml"
SKILLS = "_bmad/_config/skill-manifest.csv"
HEADER = "canonicalId,name,description,module,path\n"


def plant(base: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = base / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return base


def record(release: str = "6.12.0", modules: str = "core bmm", tools: str = "claude-code") -> str:
    lines = ["installation:", f"  version: {release}", "  installDate: 2001-02-03T04:05:06.789Z", "modules:"]
    for name in modules.split():
        lines += [f"  - name: {name}", f"    version: {release}", "    installDate: 2001-02-03T04:05:06.789Z"]
    return "\n".join([*lines, "ides:", *(f"  - {tool}" for tool in tools.split())]) + "\n"


def rows(*ids: str, module: str = "bmm") -> str:
    return HEADER + "".join(f'"{i}","{i}","a, b","{module}","_bmad/{module}/{i}/SKILL.md"\n' for i in ids)


def installed(base: Path, more: dict[str, str] | None = None) -> Path:
    """A small install as 6.3 and later write it."""
    files = {
        MANIFEST: record(),
        SKILLS: rows("bmad-sow", "bmad-reap"),
        "_bmad/bmm/config.yaml": "a: b\n",
        "_bmad/bmm/module-help.csv": "module\n",
        "_bmad/core/config.yaml": "a: b\n",
        ".claude/skills/bmad-sow/SKILL.md": "Sow.\n",
        ".claude/skills/bmad-reap/SKILL.md": "Reap.\n",
        ".claude/skills/bmad-reap/steps/one.md": "One.\n",
    }
    return plant(base, {**files, **(more or {})})


def source(base: Path, version: str = "6.12.0", name: str = "bmad-method") -> Path:
    return plant(
        base,
        {
            "package.json": f'{{\n  "name": "{name}",\n  "version": "{version}"\n}}\n',
            "src/bmm-skills/module.yaml": "code: bmm\nname: Farm\n",
            "src/bmm-skills/module-help.csv": "module\n",
            "src/bmm-skills/plan/bmad-sow/SKILL.md": "Sow.\n",
            "src/core-skills/module.yaml": 'code: core\nname: "Barn"\n',
            "src/scripts/run.py": "pass\n",
            "test/fixtures/src/module.yaml": "code: fake\n",
            "docs/page.md": "Page.\n",
        },
    )


def refused(directory: Path) -> Diagnostic:
    with pytest.raises(SourceError) as caught:
        find_root(directory)
    return caught.value.diagnostic


def codes(root: Root) -> list[str]:
    return [diagnostic.code for diagnostic in root.diagnostics]


def left_out(root: Root) -> dict[str, tuple[str, ...]]:
    return {excluded.reason: excluded.paths for excluded in root.excluded}


# Source form


def test_a_package_in_source_form(tmp_path: Path) -> None:
    root = find_root(source(tmp_path))
    assert (root.base, root.form) == (tmp_path, "source")
    assert (root.release, root.release_from, root.package) == ("6.12.0", "package.json", "bmad-method")
    bmm, core = root.modules
    assert (bmm.code, bmm.name, bmm.version, bmm.folder) == ("bmm", "Farm", "6.12.0", "src/bmm-skills")
    assert bmm.definition == "src/bmm-skills/module.yaml"
    assert bmm.help == "src/bmm-skills/module-help.csv"
    assert (core.code, core.name, core.help) == ("core", "Barn", "")
    assert root.files == (
        "src/bmm-skills/module-help.csv",
        "src/bmm-skills/module.yaml",
        "src/bmm-skills/plan/bmad-sow/SKILL.md",
        "src/core-skills/module.yaml",
        "src/scripts/run.py",
    )
    assert (root.skills_folders, root.excluded, root.diagnostics) == ((), (), ())


def test_naming_src_is_naming_the_package(tmp_path: Path) -> None:
    assert find_root(source(tmp_path) / "src") == find_root(tmp_path)


def test_naming_a_module_of_a_package_reads_only_that_module(tmp_path: Path) -> None:
    root = find_root(source(tmp_path) / "src" / "core-skills")
    assert (root.base, root.release) == (tmp_path, "6.12.0")
    assert [module.code for module in root.modules] == ["core"]
    assert root.files == ("src/core-skills/module.yaml",)


def test_a_module_with_a_repository_of_its_own(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            "package.json": '{"name": "bmad-orchard", "version": "4.5.6"}',
            "src/module.yaml": "code: orc\nname: Orchard\n",
            "src/skills/orc-prune/SKILL.md": "Prune.\n",
            "src/skills/orc-prune/assets/module.yaml": "code: template\n",
        },
    )
    root = find_root(tmp_path)
    # The version is the module's: version 4 of a module is not version 4 of the method.
    assert (root.release, root.release_from, root.package) == ("", "", "bmad-orchard")
    assert [(m.code, m.version, m.folder) for m in root.modules] == [("orc", "4.5.6", "src")]
    assert len(root.files) == 3


def test_a_module_folder_with_nothing_around_it(tmp_path: Path) -> None:
    root = find_root(
        plant(tmp_path, {"module.yaml": "name: N\ncode: orc\n", "agents/a.agent.yaml": "a: b\n"})
    )
    assert (root.base, root.form, root.package) == (tmp_path, "source", "")
    assert [(m.code, m.folder, m.definition) for m in root.modules] == [("orc", "", "module.yaml")]
    assert root.files == ("agents/a.agent.yaml", "module.yaml")


def test_a_folder_of_modules_with_nothing_around_it(tmp_path: Path) -> None:
    root = find_root(plant(tmp_path, {"one/module-help.csv": "module\n", "two/module.yaml": "code: two\n"}))
    assert [(m.code, m.folder) for m in root.modules] == [("one", "one"), ("two", "two")]


def test_somebody_elses_module_yaml_is_no_bmad(tmp_path: Path) -> None:
    assert refused(plant(tmp_path, {"plugin/module.yaml": "type: theme\n"})).code == "BMC301"


def test_what_is_in_a_source_tree_and_not_read(tmp_path: Path) -> None:
    source(tmp_path)
    plant(
        tmp_path / "src",
        {
            "scripts/__pycache__/run.cpython-311.pyc": "",
            "scripts/tests/__pycache__/test_run.cpython-311.pyc": "",
            "scripts/tests/test_run.py": "",
            "scripts/loose.pyc": "",
            "bmm-skills/.DS_Store": "",
            "bmm-skills/plan/bmad-sow/tests.md": "read\n",
            "node_modules/left/pad.js": "",
        },
    )
    root = find_root(tmp_path)
    assert left_out(root) == {
        COMPILED: (
            "src/scripts/__pycache__/run.cpython-311.pyc",
            "src/scripts/loose.pyc",
            "src/scripts/tests/__pycache__/test_run.cpython-311.pyc",
        ),
        TESTS: ("src/scripts/tests/test_run.py",),
        DOT: ("src/bmm-skills/.DS_Store",),
        TOOLING: ("src/node_modules",),
    }
    assert next(excluded.count for excluded in root.excluded if excluded.reason == COMPILED) == 3
    assert len(root.files) == 6


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        ('{\n  "name" "bmad-method"\n}\n', "package.json:2:10", "not JSON"),
        ("[1]", "package.json:1:1", "not a JSON object"),
        ("[" * 100_000, "package.json:1:1", "too deep"),
    ],
)
def test_a_broken_package_is_read_by_its_structure(tmp_path: Path, text: str, place: str, said: str) -> None:
    plant(source(tmp_path), {"package.json": text})
    root = find_root(tmp_path)
    (problem,) = root.diagnostics
    assert (problem.code, str(problem.span)) == ("BMC304", place)
    assert said in problem.message
    assert (root.form, root.release, root.release_from, len(root.files)) == ("source", "", "", 5)


@pytest.mark.parametrize(("version", "said"), [("6.12", "not a release"), ("six", "not a release")])
def test_a_version_that_is_none(tmp_path: Path, version: str, said: str) -> None:
    root = find_root(source(tmp_path, version))
    (problem,) = root.diagnostics
    assert (problem.code, str(problem.span)) == ("BMC305", "package.json:3:3")
    assert said in problem.message
    assert root.release == ""


def test_modules_with_broken_definitions_are_still_modules(tmp_path: Path) -> None:
    source(tmp_path)
    plant(
        tmp_path / "src",
        {
            "bmm-skills/module.yaml": "code: bmm\nname: [unclosed\n",
            "core-skills/module.yaml": "name: Nameless\n",
            "twin/module.yaml": "code: core\n",
        },
    )
    root = find_root(tmp_path)
    assert [(m.code, m.name) for m in root.modules] == [("bmm", ""), ("core", "Nameless")]
    assert [(d.code, str(d.span)) for d in root.diagnostics] == [
        ("BMC304", "src/bmm-skills/module.yaml:3:1"),
        ("BMC305", "src/core-skills/module.yaml:1:1"),
        ("BMC305", "src/twin/module.yaml"),
    ]


# Installed form


def test_an_install_with_its_skills_folder(tmp_path: Path) -> None:
    root = find_root(installed(tmp_path))
    assert (root.base, root.form) == (tmp_path, "installed")
    assert (root.release, root.release_from, root.package) == ("6.12.0", MANIFEST, "")
    assert [(m.code, m.version, m.folder, m.definition, m.help) for m in root.modules] == [
        ("bmm", "6.12.0", "_bmad/bmm", "", "_bmad/bmm/module-help.csv"),
        ("core", "6.12.0", "_bmad/core", "", ""),
    ]
    assert root.skills_folders == (".claude/skills",)
    assert root.files == (
        ".claude/skills/bmad-reap/SKILL.md",
        ".claude/skills/bmad-reap/steps/one.md",
        ".claude/skills/bmad-sow/SKILL.md",
        SKILLS.replace("skill-manifest.csv", "manifest.yaml"),
        SKILLS,
        "_bmad/bmm/config.yaml",
        "_bmad/bmm/module-help.csv",
        "_bmad/core/config.yaml",
    )
    assert (root.excluded, root.diagnostics) == ((), ())


def test_bmad_itself_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = find_root(installed(tmp_path))
    assert find_root(tmp_path / "_bmad") == whole
    monkeypatch.chdir(tmp_path / "_bmad")
    assert find_root(Path()) == whole


def test_the_dates_of_the_installer_change_nothing(tmp_path: Path) -> None:
    first = find_root(installed(tmp_path))
    plant(tmp_path, {MANIFEST: record().replace("2001", "2026")})
    assert find_root(tmp_path) == first
    assert "2001" not in repr(first)


def test_what_is_in_an_install_and_not_read(tmp_path: Path) -> None:
    installed(
        tmp_path,
        {
            "_bmad/render/bmad-sow/x/workflow.md": "",
            "_bmad/custom/.gitignore": "",
            "_bmad/custom/bmad-sow.toml": "read\n",
            "_bmad/scripts/tests/t.py": "",
            ".claude/skills/bmad-sow/scripts/__pycache__/a.pyc": "",
            ".claude/skills/my-own/SKILL.md": "",
            ".claude/skills/core-values/SKILL.md": "",
            ".claude/skills/bmad-empty/notes.md": "",
            ".claude/skills/.system/SKILL.md": "",
            ".claude/commands/bmad-x.md": "",
            ".cursor/skills/another/SKILL.md": "",
            "_bmad-output/plan.md": "",
        },
    )
    root = find_root(tmp_path)
    assert left_out(root) == {
        RENDERED: ("_bmad/render/bmad-sow/x/workflow.md",),
        DOT: ("_bmad/custom/.gitignore",),
        TESTS: ("_bmad/scripts/tests/t.py",),
        COMPILED: (".claude/skills/bmad-sow/scripts/__pycache__/a.pyc",),
        FOREIGN: (".claude/skills/core-values", ".claude/skills/my-own"),
        NO_SKILL: (".claude/skills/bmad-empty",),
    }
    assert len(root.files) == 9
    assert "_bmad/custom/bmad-sow.toml" in root.files
    assert root.diagnostics == ()


def test_skills_of_a_module_are_known_by_its_code(tmp_path: Path) -> None:
    installed(
        tmp_path,
        {
            MANIFEST: record(modules="core bmm orc"),
            "_bmad/orc/config.yaml": "",
            ".claude/skills/orc-prune/SKILL.md": "",
            ".claude/skills/orchid/SKILL.md": "",
            ".claude/skills/bmad-stale/SKILL.md": "",
        },
    )
    root = find_root(tmp_path)
    assert ".claude/skills/orc-prune/SKILL.md" in root.files
    assert ".claude/skills/bmad-stale/SKILL.md" in root.files
    assert left_out(root) == {FOREIGN: (".claude/skills/orchid",)}


def test_the_first_folder_of_the_manifest_wins(tmp_path: Path) -> None:
    installed(
        tmp_path,
        {
            MANIFEST: record(tools="codex claude-code"),
            ".agents/skills/bmad-sow/SKILL.md": "Sow.\n",
            ".roo/skills/bmad-reap/SKILL.md": "Reap.\n",
            ".roo/skills/bmad-reap/steps/one.md": "One.\n",
        },
    )
    root = find_root(tmp_path)
    assert root.skills_folders == (".agents/skills", ".claude/skills")
    assert [path for path in root.files if path.startswith(".")] == [
        ".agents/skills/bmad-sow/SKILL.md",
        ".claude/skills/bmad-reap/SKILL.md",
        ".claude/skills/bmad-reap/steps/one.md",
    ]
    assert left_out(root) == {SAME: (".claude/skills/bmad-sow", ".roo/skills/bmad-reap")}
    assert root.diagnostics == ()


def test_copies_that_differ_are_both_named(tmp_path: Path) -> None:
    installed(
        tmp_path,
        {
            MANIFEST: record(tools="claude-code codex"),
            ".agents/skills/bmad-sow/SKILL.md": "Sow twice.\n",
            ".agents/skills/bmad-reap/SKILL.md": "Reap.\n",
        },
    )
    first, second = find_root(tmp_path).diagnostics
    assert (first.code, str(first.span)) == ("BMC307", ".agents/skills/bmad-reap/SKILL.md")
    assert "steps/one.md" in first.message
    assert ".agents/skills/bmad-reap: steps/one.md is missing" in first.detail
    assert ".claude/skills/bmad-reap/steps/one.md" in first.detail
    assert (second.code, str(second.span)) == ("BMC307", ".agents/skills/bmad-sow/SKILL.md")
    assert ".claude/skills/bmad-sow/SKILL.md" in second.detail
    assert ".agents/skills/bmad-sow/SKILL.md" in second.detail


def test_an_empty_file_more_is_a_difference(tmp_path: Path) -> None:
    installed(
        tmp_path,
        {
            MANIFEST: record(tools="claude-code codex"),
            ".agents/skills/bmad-sow/SKILL.md": "Sow.\n",
            ".agents/skills/bmad-sow/empty.md": "",
        },
    )
    assert codes(find_root(tmp_path)) == ["BMC307"]


def test_a_folder_that_no_tool_names_is_found_by_its_skills(tmp_path: Path) -> None:
    installed(tmp_path, {MANIFEST: record(tools="")})
    root = find_root(tmp_path)
    assert (root.skills_folders, root.diagnostics) == ((".claude/skills",), ())


def test_an_old_folder_of_a_tool_is_used_when_the_new_one_is_missing(tmp_path: Path) -> None:
    plant(
        tmp_path,
        {
            MANIFEST: record(tools="cursor"),
            SKILLS: HEADER,
            "_bmad/core/config.yaml": "",
            "_bmad/bmm/config.yaml": "",
            ".cursor/skills/bmad-sow/SKILL.md": "",
        },
    )
    assert find_root(tmp_path).skills_folders == (".cursor/skills",)


def test_an_install_that_holds_its_text_twice_is_read_once(tmp_path: Path) -> None:
    """As 6.1 and 6.2 write it: the skills folder has copies of skills, and stubs for everything else."""
    plant(
        tmp_path,
        {
            MANIFEST: record("6.2.0"),
            SKILLS: rows("bmad-sow"),
            "_bmad/_config/agent-manifest.csv": "path,canonicalId\n_bmad/bmm/agents/x.md,bmad-x\n",
            "_bmad/bmm/agents/x.md": "X.\n",
            "_bmad/bmm/bmad-sow/SKILL.md": "Sow.\n",
            "_bmad/core/config.yaml": "",
            ".claude/skills/bmad-sow/SKILL.md": "Sow.\n",
            ".claude/skills/bmad-x/SKILL.md": "See agents/x.md.\n",
        },
    )
    root = find_root(tmp_path)
    assert root.skills_folders == ()
    assert all(path.startswith("_bmad/") for path in root.files)
    assert left_out(root) == {HELD: (".claude/skills/bmad-sow", ".claude/skills/bmad-x")}
    assert root.diagnostics == ()
    plant(tmp_path, {".claude/skills/bmad-sow/SKILL.md": "Changed.\n"})
    (problem,) = find_root(tmp_path).diagnostics
    assert (problem.code, str(problem.span)) == ("BMC307", ".claude/skills/bmad-sow/SKILL.md")
    assert "_bmad/bmm/bmad-sow/SKILL.md" in problem.detail


def test_skills_that_are_nowhere_are_named(tmp_path: Path) -> None:
    installed(tmp_path, {SKILLS: rows("bmad-sow", "bmad-reap", "bmad-lost")})
    (problem,) = find_root(tmp_path).diagnostics
    assert (problem.code, problem.severity, str(problem.span)) == ("BMC306", "warning", f"{SKILLS}:4:1")
    assert "1 of 3" in problem.message
    assert "bmad-lost" in problem.message


def test_a_missing_skills_folder_is_an_error_and_the_rest_is_read(tmp_path: Path) -> None:
    plant(tmp_path, {MANIFEST: record(), SKILLS: rows("bmad-sow"), "_bmad/bmm/x": "", "_bmad/core/x": ""})
    root = find_root(tmp_path)
    (problem,) = root.diagnostics
    assert (problem.code, problem.severity) == ("BMC306", "error")
    assert ".claude/skills" in problem.expected
    assert len(root.files) == 4


def test_an_unknown_tool_has_its_nearest_names(tmp_path: Path) -> None:
    installed(tmp_path, {MANIFEST: record(tools="claude-code copilot")})
    (problem,) = find_root(tmp_path).diagnostics
    assert (problem.code, str(problem.span)) == ("BMC305", f"{MANIFEST}:13:5")
    assert problem.nearest[0] == "github-copilot"


def test_a_listed_module_that_is_not_there(tmp_path: Path) -> None:
    installed(tmp_path, {MANIFEST: record(modules="core bmm orc")})
    (problem,) = find_root(tmp_path).diagnostics
    assert (problem.code, str(problem.span)) == ("BMC309", f"{MANIFEST}:11:5")
    assert "'orc'" in problem.message


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [("BMC304", f"{MANIFEST}:1:1")]),
        ("- a\n- b\n", [("BMC304", f"{MANIFEST}:1:1")]),
        ("installation:\n  version: [6\nides: x: y\n", [("BMC304", f"{MANIFEST}:3:5")]),
        ("modules: 7\n", [("BMC305", f"{MANIFEST}:1:1"), ("BMC305", f"{MANIFEST}:1:10")]),
        ("installation: {version: 6.12.0}\nides: [[a]]\n", [("BMC305", f"{MANIFEST}:2:8")]),
        ("installation: {version: 6.2}\n", [("BMC305", f"{MANIFEST}:1:25")]),
    ],
)
def test_a_broken_manifest_is_read_by_its_structure(
    tmp_path: Path, text: str, found: list[tuple[str, str]]
) -> None:
    installed(tmp_path, {MANIFEST: text})
    root = find_root(tmp_path)
    assert [(d.code, str(d.span)) for d in root.diagnostics] == found
    assert [module.code for module in root.modules] == ["bmm", "core"]
    assert len(root.files) == 8


def test_a_manifest_in_another_encoding_is_reported(tmp_path: Path) -> None:
    installed(tmp_path)
    (tmp_path / MANIFEST).write_bytes(b"installation:\n  version: \xff\n")
    root = find_root(tmp_path)
    assert [(d.code, str(d.span)) for d in root.diagnostics] == [("BMC107", f"{MANIFEST}:2:12")]
    assert len(root.files) == 8


def test_a_tree_without_manifest_is_a_note(tmp_path: Path) -> None:
    root = find_root(
        plant(tmp_path, {"_bmad/farm/module.yaml": "code: farm\nname: Farm\n", "_bmad/junk/x": ""})
    )
    assert [(d.code, d.severity) for d in root.diagnostics] == [("BMC304", "note")]
    assert [(m.code, m.name) for m in root.modules] == [("farm", "Farm")]
    assert (root.release, root.release_from) == ("", "")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (HEADER + '"bmad-sow"\n', [("BMC305", f"{SKILLS}:2:1")]),
        (HEADER + "x" * 200_000 + "\n", [("BMC304", f"{SKILLS}:2:1")]),
        ("other,columns\n1,2\n", []),
        ("", []),
    ],
)
def test_a_broken_skill_manifest_costs_nothing(
    tmp_path: Path, text: str, found: list[tuple[str, str]]
) -> None:
    installed(tmp_path, {SKILLS: text})
    root = find_root(tmp_path)
    assert [(d.code, str(d.span)) for d in root.diagnostics] == found
    assert len(root.files) == 8


# Links


def test_linked_skills_are_read_once_at_their_real_place(tmp_path: Path) -> None:
    installed(tmp_path, {MANIFEST: record(tools="codex claude-code")})
    (tmp_path / ".claude").rename(tmp_path / ".agents")
    (tmp_path / ".claude" / "skills").mkdir(parents=True)
    for name in ("bmad-sow", "bmad-reap"):
        (tmp_path / ".claude" / "skills" / name).symlink_to(tmp_path / ".agents" / "skills" / name)
    (tmp_path / ".roo").mkdir()
    (tmp_path / ".roo" / "skills").symlink_to(tmp_path / ".agents" / "skills")
    root = find_root(tmp_path)
    assert root.skills_folders == (".agents/skills",)
    assert len([path for path in root.files if path.startswith(".agents/skills/")]) == 3
    assert (root.excluded, root.diagnostics) == ((), ())


def test_a_skills_folder_that_is_a_link_is_called_by_its_real_name(tmp_path: Path) -> None:
    installed(tmp_path)
    (tmp_path / ".claude" / "skills").rename(tmp_path / "shared")
    (tmp_path / ".claude" / "skills").symlink_to(tmp_path / "shared")
    root = find_root(tmp_path)
    assert (root.skills_folders, root.excluded, root.diagnostics) == (("shared",), (), ())
    assert len(root.files) == 8


def test_links_out_of_the_tree_are_refused(tmp_path: Path) -> None:
    base = installed(tmp_path / "base", {MANIFEST: record(tools="claude-code codex")})
    plant(tmp_path / "outside", {"bmad-evil/SKILL.md": "Evil.\n", "x.md": "X.\n"})
    (base / ".claude" / "skills" / "bmad-evil").symlink_to(tmp_path / "outside" / "bmad-evil")
    (base / ".claude" / "skills" / "bmad-sow" / "x.md").symlink_to(tmp_path / "outside" / "x.md")
    (base / ".agents").mkdir()
    (base / ".agents" / "skills").symlink_to(tmp_path / "outside")
    (base / "_bmad" / "loop").symlink_to(base / "_bmad")
    root = find_root(base)
    assert [(d.code, str(d.span)) for d in root.diagnostics] == [
        ("BMC102", ".agents/skills"),
        ("BMC102", ".claude/skills/bmad-evil"),
        ("BMC102", ".claude/skills/bmad-sow/x.md"),
        ("BMC308", "_bmad/loop"),
    ]
    assert len(root.files) == 8


def test_a_tree_that_is_a_link_out_is_refused(tmp_path: Path) -> None:
    installed(tmp_path / "elsewhere")
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "_bmad").symlink_to(tmp_path / "elsewhere" / "_bmad")
    assert refused(tmp_path / "here").code == "BMC102"


# Skills form


def test_a_folder_of_skills(tmp_path: Path) -> None:
    plant(
        tmp_path / ".claude" / "skills",
        {
            "bmad-sow/SKILL.md": "Sow.\n",
            "orc-prune/SKILL.md": "Prune.\n",
            "orc-prune/customize.toml": "",
            "my-own/SKILL.md": "Mine.\n",
        },
    )
    inner = find_root(tmp_path / ".claude" / "skills")
    assert (inner.form, inner.skills_folders, inner.modules, inner.release) == ("skills", ("",), (), "")
    assert inner.files == ("bmad-sow/SKILL.md", "orc-prune/SKILL.md", "orc-prune/customize.toml")
    assert left_out(inner) == {FOREIGN: ("my-own",)}
    outer = find_root(tmp_path)
    assert outer.skills_folders == (".claude/skills",)
    assert outer.files == tuple(f".claude/skills/{path}" for path in inner.files)
    assert find_root(tmp_path / ".claude").skills_folders == ("skills",)


def test_a_named_folder_of_skills_of_nobody_we_know_is_read_whole(tmp_path: Path) -> None:
    plant(tmp_path / ".claude" / "skills", {"mine/SKILL.md": "", "yours/SKILL.md": "", "notes/x.md": ""})
    root = find_root(tmp_path / ".claude" / "skills")
    assert root.files == ("mine/SKILL.md", "yours/SKILL.md")
    assert refused(tmp_path).code == "BMC301"


# What is not supported


@pytest.mark.parametrize("version", ["4.44.3", "5.0.0", "6.0.0-alpha.22", "6.11.1-next.24", "7.0.0-Beta.1"])
@pytest.mark.parametrize("form", ["source", "installed"])
def test_unsupported_releases_are_refused_in_a_sentence(tmp_path: Path, version: str, form: str) -> None:
    if form == "source":
        source(tmp_path, version)
    else:
        installed(tmp_path, {MANIFEST: record(version)})
    problem = refused(tmp_path)
    assert (problem.code, problem.severity) == ("BMC302", "error")
    assert problem.message == f"this is BMAD {version}, which is not supported"
    assert "6.12.0" in problem.expected
    assert problem.why
    assert problem.help
    assert problem.span is not None
    assert problem.span.line > 0


@pytest.mark.parametrize(
    ("folder", "named", "what"),
    [
        (".bmad-core/agents", ".", "BMAD 4"),
        ("bmad-core/agents", ".", "BMAD 4"),
        (".bmad-core/agents", ".bmad-core", "BMAD 4"),
        ("bmad/_cfg/agents", ".", "alpha"),
        ("bmad/_cfg/agents", "bmad", "alpha"),
        ("_bmad/_cfg/agents", ".", "alpha"),
        ("src/modules/bmm", ".", "alpha"),
    ],
)
def test_old_layouts_are_refused_without_a_version(
    tmp_path: Path, folder: str, named: str, what: str
) -> None:
    plant(tmp_path, {f"{folder}/x.md": "", "src/core/module.yaml": "code: core\n"})
    problem = refused(tmp_path / named)
    assert problem.code == "BMC302"
    assert what in problem.message


def test_leftovers_of_an_old_release_do_not_hide_a_new_one(tmp_path: Path) -> None:
    plant(installed(tmp_path / "a"), {".bmad-core/x.md": ""})
    plant(source(tmp_path / "b"), {"bmad-core/x.md": ""})
    assert find_root(tmp_path / "a").release == "6.12.0"
    assert find_root(tmp_path / "b").release == "6.12.0"


@pytest.mark.parametrize(
    ("version", "severity"),
    [
        ("6.13.0", "warning"),
        ("7.0.0", "warning"),
        ("6.12.1", "warning"),
        ("6.4.0", "note"),
        ("6.0.0-Beta.4", "note"),
    ],
)
def test_unknown_releases_are_read_by_their_structure(tmp_path: Path, version: str, severity: str) -> None:
    root = find_root(source(tmp_path, version))
    (problem,) = root.diagnostics
    assert (problem.code, problem.severity) == ("BMC303", severity)
    assert version in problem.message
    assert ("newer than this compiler knows" in problem.message) == (severity == "warning")
    assert (root.release, len(root.files)) == (version, 5)


def test_tested_releases_need_no_word(tmp_path: Path) -> None:
    span = find_root(source(tmp_path, "6.13.0")).diagnostics[0].span
    assert span is not None
    assert [judge(release, span) for release in TESTED] == [()] * len(TESTED)
    assert sorted(TESTED, key=numbers) == list(TESTED)


# Nothing there


def test_nothing_found_says_what_was_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {"src/main.py": "", "package.json": '{"name": "shop", "version": "4.0.0"}'})
    monkeypatch.chdir(tmp_path)
    problem = refused(Path())
    assert (problem.code, str(problem.span)) == ("BMC301", ".")
    for looked_for in ("_bmad", "module.yaml", "module-help.csv", "skills", "SKILL.md"):
        assert looked_for in problem.expected
    assert problem.help[0] == "`bmadc init` puts one there."
    assert "--root" in problem.help[1]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    plant(tmp_path, {"file": ""})
    assert refused(tmp_path / "absent").code == "BMC101"
    assert refused(tmp_path / "file").code == "BMC108"


@pytest.mark.parametrize("form", ["source", "installed"])
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_no_manifest_is_so_broken_that_reading_stops(
    tmp_path_factory: pytest.TempPathFactory, form: str, data: st.DataObject
) -> None:
    base = tmp_path_factory.mktemp("broken")
    if form == "source":
        names, planted = ("package.json", "src/bmm-skills/module.yaml"), source(base)
    else:
        names, planted = (MANIFEST, SKILLS), installed(base)
    kept = len(find_root(planted).files)
    name = data.draw(st.sampled_from(names))
    whole = (base / name).read_bytes()
    start = data.draw(st.integers(0, len(whole)))
    end = data.draw(st.integers(start, len(whole)))
    signs = st.text(alphabet="{}[]:,-\"'\n #&*!|>", max_size=12)
    junk = data.draw(st.binary(max_size=12) | signs.map(str.encode))
    (base / name).write_bytes(whole[:start] + junk + whole[end:])
    try:
        found: int | str = len(find_root(base).files)
    except SourceError as problem:
        found = problem.diagnostic.code
    # A changed digit may make it a release that is refused; nothing else may stop the reading.
    assert found in (kept, "BMC302")
