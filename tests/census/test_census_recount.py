"""The committed counts are what the census counts in the releases, and the census counts what it says.

After a change of the census or a new release:
`cd tests && python -m census.census --write TARBALL...` with all of them, and read the difference.
"""

import ast
import tarfile
from pathlib import Path
from typing import Any

import pytest

from census import census as counting
from support.releases import MODULES, RELEASES

_READ = [release.archive for release in RELEASES] + [module.archive for module in MODULES]
ARCHIVES = {archive.tarball.removesuffix(".tgz"): archive for archive in _READ}
EXPECTED = counting.expected()


def tree(files: dict[str, str]) -> dict[str, Any]:
    return counting.census_of({name: source.encode() for name, source in files.items()})


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("package", sorted(ARCHIVES))
def test_the_committed_counts_are_those_of_the_package(package: str) -> None:
    found = counting.census_of(counting.files_in(ARCHIVES[package].path))
    assert found == EXPECTED[package]


@pytest.mark.needs("bmad-releases")
def test_a_folder_counts_like_its_tarball(tmp_path: Path) -> None:
    with tarfile.open(ARCHIVES["bmad-method-6.12.0"].path) as opened:
        opened.extractall(tmp_path, filter="data")
    assert counting.census(tmp_path / "package" / "src") == EXPECTED["bmad-method-6.12.0"]


def test_every_release_and_module_has_committed_counts_and_nothing_else_has() -> None:
    assert set(EXPECTED) == set(ARCHIVES)


def test_the_file_of_counts_is_written_as_the_census_writes_it() -> None:
    written = counting.rendered(counting.renamed(EXPECTED, counting.turned))
    assert counting.EXPECTED.read_text(encoding="utf-8") == written


def test_the_census_shares_no_code_with_the_compiler_and_uses_no_parser() -> None:
    parsed = ast.parse(Path(counting.__file__).read_text(encoding="utf-8"))
    names = {
        name.split(".")[0]
        for node in ast.walk(parsed)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""] if isinstance(node, ast.ImportFrom) else [a.name for a in node.names]
        )
    }
    allowed = {
        "argparse",
        "collections",
        "csv",
        "functools",
        "io",
        "json",
        "pathlib",
        "re",
        "tarfile",
        "typing",
    }
    assert names <= allowed


def test_a_tag_counts_outside_fences_inline_code_and_comments_only() -> None:
    source = (
        '<step n="1" goal="a < b">\n'
        "<action\n  if='x > 1'>go</action> and `<action>` in code\n"
        "<!-- <ask>not now</ask> --> <anchor id='here'/>\n"
        "  ~~~~xml\n<check>\n~~~\n<check>\n  ~~~~\n"
        "<branch> is a placeholder, <goto step='1'/> and <goto anchor='gone'/> are not\n</step>\n"
    )
    found = tree({"a/b.md": source, "a/c.xml": "<branch/><goto step='1'/>"})
    assert found["tags"] == {"step": 1, "action": 1, "anchor": 1, "goto": 3, "branch": 1}
    assert found["tags_in_comments"] == {"ask": 1}
    assert found["attributes"]["step"] == {"n": 1, "goal": 1}
    assert found["attributes"]["action"] == {"if": 1}
    assert found["gotos"] == {"step": 2, "anchor": 1, "resolved": 1}


def test_each_kind_of_unit_is_found_once() -> None:
    found = tree(
        {
            "m/bmad-plan/SKILL.md": "",
            "m/bmad-plan/workflow.md": "",
            "m/bmad-lead/SKILL.md": "",
            "m/bmad-lead/customize.toml": "[agent]\n",
            "m/bmad-chief/SKILL.md": "",
            "m/bmad-chief/bmad-skill-manifest.yaml": "type: agent\n",
            "m/agents/dev.agent.yaml": "",
            "m/plan/workflow.md": "",
            "m/old/workflow.yaml": "",
            "m/old/parts/workflow.md": "",
            "m/paper/workflow.md": "",
            "m/paper/parts/deep-workflow.md": "",
            "m/both/workflow-make.md": "",
            "m/both/workflow-mend.md": "",
            "m/tasks/sort.xml": "",
            "m/tasks/tidy.md": "",
            "m/tasks/data/list.md": "",
            "m/tests/bmad-fixture/SKILL.md": "",
        }
    )
    assert found["workflows"] == {
        "bmad-plan": "skill",
        "old": "yaml",
        "paper": "entry",
        "make": "variant",
        "mend": "variant",
        "sort": "task",
        "tidy": "task",
    }
    assert found["agents"] == {"bmad-lead": "", "bmad-chief": "", "dev": ""}


def test_menus_of_agents_are_read_from_all_three_forms() -> None:
    rows = "| AA | a | bmad-a |\n| BB | b | prompt: b.md |\n\n| no | no | no |\n"
    table = "| Code | Description | Does |\n|---|---|---|\n" + rows
    yaml = "menu:\n  - trigger: AA or more\n    exec: x\n  - trigger: \"bb\"\n    action: 'y'\n"
    found = tree(
        {
            "a/one.agent.yaml": yaml,
            "a/two/SKILL.md": table,
            "a/two/bmad-skill-manifest.yaml": "type: agent\n",
            "a/three/SKILL.md": table,
            "a/three/customize.toml": "[agent]\n[[agent.menu]]\ncode = 'CC'\nskill = 's'\n",
        }
    )
    assert found["agents"] == {"one": "AA bb", "two": "AA BB", "three": "CC"}
    assert found["menu_items"] == {"exec": 1, "action": 1, "skill": 2, "prompt": 1}


def test_steps_belong_to_the_folder_of_a_unit() -> None:
    found = tree(
        {
            "m/bmad-plan/SKILL.md": "",
            "m/bmad-plan/step-01.md": "---\n---\n",
            "m/bmad-plan/steps/step-02.md": "---\nname: two\n---\n",
            "m/bmad-planet/steps-c/step-01.md": "text\n",
            "m/bmad-plan/steps/mis-step-03.md": "",
        }
    )
    assert found["step_files"] == {
        "total": 3,
        "in_units": 2,
        "by_folder": {"root": 1, "steps": 1, "steps-c": 1},
        "without_front_matter": 1,
        "with_empty_front_matter": 1,
    }
    assert found["front_matter"] == {"files": 2, "empty": 1}


def test_boxes_and_options_count_inside_and_outside_of_fences() -> None:
    source = (
        "- [ ] a\n  * [x] b\n[ ] no\n```\n- [ ] c\n[A] x [B] y\n```\n- **[A]** x\n[P] and [P]\n[C] or [1]\n"
    )
    found = tree({"a/checklist.md": source})
    assert found["boxes"] == {
        "open": 2,
        "done": 1,
        "open_outside_fences": 1,
        "done_outside_fences": 1,
        "in_checklists": {"a/checklist.md": 3},
        "check_items": 0,
    }
    assert found["menus_in_text"] == {
        "lines": {"a/checklist.md:10": "C 1"},
        "fenced_lines": {"a/checklist.md:6": "A B"},
        "files": {"a/checklist.md": "A P C"},
    }


def test_headings_fences_and_rows() -> None:
    found = tree(
        {
            "a/b.md": "---\n# no\n---\n# one\n    ## deep\n```\n# no\n```\n~~~\n~~~\n#no\n<!-- c\n-->\n",
            "a/c.csv": 'x,y\r\n1,"two\r\nlines"\r\n\r\n1,2,3\r\n',
        }
    )
    assert found["markdown"] == {"fences": 2, "comments": 1, "headings": 1, "headings_indented": 1}
    assert found["csv"] == {"a/c.csv": {"columns": 2, "rows": 2, "rows_of_other_width": 1}}
    assert found["extensions"][".csv"] == {"files": 1, "bytes": 30}
