"""What bmadc works out at compile time is what BMAD's own scripts work out at run time.

The scripts come out of the real releases and run as they are, over projects made here.
"""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bmadc.frontend.config import Config, below_root, read_config
from bmadc.frontend.customize import Customization, read_customization
from bmadc.frontend.merge import structural_merge
from bmadc.frontend.render import inline, render
from bmadc.source import list_files, read_text
from support.releases import INSTALLED, SOURCE, installed_root, source_root

pytestmark = pytest.mark.needs("bmad-releases")

NEWEST = "6.12.0"


def source(release: str) -> Path:
    return source_root(release) / "src"


def script(release: str, name: str) -> Path:
    return source(release) / "scripts" / name


@cache
def config_utils() -> ModuleType:
    # Compiled here, because an import would leave its cache beside the source.
    path = script(NEWEST, "config_utils.py")
    module = ModuleType("real_config_utils")
    exec(compile(path.read_text(encoding="utf-8"), path.name, "exec"), module.__dict__)
    return module


def run(program: Path, project: Path, *arguments: str | Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-B", str(program), *map(str, arguments)],
        # Some releases look for the project around the skill, others around the working folder.
        cwd=project,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


LEAVES = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["", "a", "b", "c"]))
KEYS = st.sampled_from(["code", "id", "x", "y"])
KEYED = st.lists(st.fixed_dictionaries({"id": st.sampled_from("abc"), "x": LEAVES}), max_size=4)
VALUES = st.recursive(
    LEAVES | KEYED,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=400, deadline=None)
@given(base=VALUES, over=VALUES)
def test_the_merge_is_the_real_one(base: Any, over: Any) -> None:
    utils = config_utils()
    before = json.dumps([base, over])
    ours, diagnostics = structural_merge(base, over)
    assert json.dumps([base, over]) == before
    try:
        real = utils.structural_merge(base, over)
    except utils.ConfigError:
        assert diagnostics
    else:
        assert ours == real
        assert json.dumps(ours) == json.dumps(real)
        assert diagnostics == ()


LAYERS = {
    "_bmad/config.toml": (
        '[core]\nproject_name = "6.10"\noutput_folder = "out"\ndocument_output_language = "Greek"\n'
        '[modules.bmm]\nplanning_artifacts = "{project-root}/out/plans"\n'
        'implementation_artifacts = "{project-root}/out/work"\nproject_knowledge = "{project-root}/docs"\n'
        '[agents.one]\nname = "Ada"\nicon = "🏗"\n[[things]]\nid = "a"\nx = 1\n'
    ),
    "_bmad/config.user.toml": (
        '[core]\nuser_name = "Eve"\ncommunication_language = "Latin"\n'
        '[modules.bmm]\nuser_skill_level = "expert"\n'
    ),
    "_bmad/custom/config.toml": (
        '[agents.one]\nname = "Bo"\n[[things]]\nid = "b"\n[[things]]\nid = "a"\nx = 2.5\n'
    ),
    "_bmad/custom/config.user.toml": '[core]\nuser_name = "Evelyn"\n',
}


def test_the_central_configuration_is_the_real_one(tmp_path: Path) -> None:
    write(tmp_path, LAYERS)
    code, said = run(script(NEWEST, "resolve_config.py"), tmp_path, "--project-root", tmp_path)
    assert code == 0
    config = read_config(tmp_path, personal=True)
    assert config.tree == json.loads(said)
    assert config.diagnostics == ()
    assert config.get("user_name") == "Evelyn"


def test_without_the_personal_layers_it_is_the_real_one_and_three_defaults(tmp_path: Path) -> None:
    write(tmp_path, {name: text for name, text in LAYERS.items() if "user" not in name})
    _, said = run(script(NEWEST, "resolve_config.py"), tmp_path, "--project-root", tmp_path)
    write(tmp_path, LAYERS)
    expected = json.loads(said)
    expected["core"] |= {"user_name": "BMad", "communication_language": "English"}
    expected["modules"]["bmm"] |= {"user_skill_level": "intermediate"}
    assert read_config(tmp_path).tree == expected


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {toml(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(toml(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def changed(value: Any, mark: str) -> Any:
    """Something else in the place of a default, of a shape that the renderer accepts too."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return f"{mark} {{skill-root}}/x {{{{.user_name}}}} {value[:20]}"
    if value and isinstance(value[0], dict):
        key = "code" if "code" in value[0] else "id"
        rest = {name: one for name, one in value[0].items() if name != "when"}
        return [{**rest, "name": mark}, {**rest, key: f"new-{mark}"}]
    return [f"{mark}\nsecond line", "{workflow.on_complete}"]


def overrides(skill: str, defaults: Any) -> dict[str, str]:
    files = {}
    for mark, suffix in (("team", ".toml"), ("me", ".user.toml")):
        lines = []
        for section, table in defaults.items():
            lines.append(f"[{section}]")
            lines += [f"{key} = {toml(changed(value, mark))}" for key, value in table.items()]
        files[f"_bmad/custom/{skill}{suffix}"] = "\n".join(lines) + "\n"
    return files


def installed(tree: Path, project: Path, skill: str) -> Path:
    """A skill copied to where an installer puts it; returns its folder."""
    (found,) = [path for path in tree.rglob(skill) if (path / "customize.toml").is_file()]
    target = project / "skills" / skill
    for name in list_files(found, (".md", ".toml")):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes((found / name).read_bytes())
    return target


@pytest.mark.parametrize(("release", "at_least"), [("6.5.0", 30), ("6.12.0", 35)])
def test_the_customization_of_every_real_skill_is_the_real_one(
    tmp_path: Path, release: str, at_least: int
) -> None:
    skills = sorted(path.parent.name for path in source(release).rglob("customize.toml"))
    assert len(skills) >= at_least
    write(tmp_path, LAYERS)
    for skill in skills:
        folder = installed(source(release), tmp_path, skill)
        plain = read_customization(tmp_path, f"skills/{skill}", personal=True)
        assert plain.diagnostics == ()
        assert plain.merged == plain.defaults
        write(tmp_path, overrides(skill, plain.defaults))
        _, said = run(script(release, "resolve_customization.py"), tmp_path, "--skill", folder)
        ours = read_customization(tmp_path, f"skills/{skill}", personal=True)
        assert json.dumps(ours.merged, indent=2, ensure_ascii=False) + "\n" == said, skill
        assert ours.diagnostics == ()
        assert set(ours.origins) == {
            f"{section}.{key}" for section, table in ours.merged.items() for key in table
        }


def both(project: Path, skill: str) -> tuple[dict[str, str], dict[str, str], list[str], str]:
    """What BMAD renders, what we render with its places, our diagnostics, and what BMAD said."""
    folder = project / "skills" / skill
    _, said = run(script(NEWEST, "render_skill.py"), project, "--project-root", project, "--skill", folder)
    entry = re.fullmatch(r"read and follow (.*)/workflow\.md\n", said)
    place = Path(entry.group(1)) if entry else Path("nowhere")
    theirs = {}
    if entry:
        theirs = {name: (place / name).read_text(encoding="utf-8") for name in list_files(place, (".md",))}
    config = read_config(project, personal=True)
    customization: Customization | None = read_customization(project, f"skills/{skill}", personal=True)
    sources = [name for name in list_files(folder, (".md",)) if Path(name).name != "SKILL.md"]
    uses = any("{workflow." in read_text(folder, name).text for name in sources)
    found = [*config.diagnostics, *(customization.diagnostics if customization is not None and uses else ())]
    if not (folder / "customize.toml").exists():
        customization = None
    ours = {}
    for name in sources:
        done = render(
            read_text(folder, name),
            config=config.tree,
            customization=customization,
            sources=sources,
            snapshot=lambda file: f"{place}/{file}",
            project_root=str(project),
            skill_root=str(place),
        )
        found.extend(done.diagnostics)
        ours[name] = done.text
    return theirs, ours, [one.code for one in found if one.severity == "error"], said


@pytest.mark.parametrize("with_overrides", [False, True], ids=["defaults", "overrides"])
@pytest.mark.parametrize("skill", ["bmad-build", "bmad-build-auto"])
def test_the_real_skills_are_rendered_as_the_real_renderer_does(
    tmp_path: Path, skill: str, with_overrides: bool
) -> None:
    write(tmp_path, LAYERS)
    installed(source(NEWEST), tmp_path, skill)
    if with_overrides:
        defaults = read_customization(tmp_path, f"skills/{skill}").defaults
        write(tmp_path, overrides(skill, defaults))
    theirs, ours, codes, said = both(tmp_path, skill)
    assert said.startswith("read and follow ")
    assert len(theirs) >= 5
    assert ours == theirs
    assert codes == []


OURS = {
    "skills/ours/SKILL.md": "never a source {{.nothing}}\n",
    "skills/ours/workflow.md": (
        "{{{.user_name}}} {{.planning_artifacts}} {{config.core.output_folder}}|{workflow.t}|\n"
    ),
    "skills/ours/steps/one.md": (
        "{{workflow.t}} {workflow.l}\n{workflow.r}\n[[bmad-snapshot:workflow.md]] {agent.x}\n"
    ),
    "skills/ours/customize.toml": (
        '[workflow]\nt = "text"\nl = []\ne = ""\nn = 1\n[[workflow.r]]\nid = "a"\ninstruction = "do"\n'
    ),
}
TEAM = "_bmad/custom/ours.toml"
WORKFLOW = "skills/ours/workflow.md"


def team(text: str) -> dict[str, str]:
    return {TEAM: f"[workflow]\n{text}\n"}


@pytest.mark.parametrize(
    "files",
    [
        {},
        team('t = "{skill-root} {project-root} {{.user_name}} {workflow.l} [[bmad-snapshot:none.md]]"'),
        team('l = ["", "x"]'),
        team('l = ["one\\ntwo\\n\\nthree", " x "]'),
        team('l = "text"'),
        team("l = [1]"),
        team('t = ""'),
        team('t = " "'),
        team("t = 1"),
        team('t = ["x"]'),
        team('[[workflow.r]]\nid = "b"\nname = "B"\nwhen = "so"\ninstruction = " x\\ny "'),
        team('[[workflow.r]]\nid = "a"\nname = "A"\ninstruction = "{skill-root}/z"'),
        team('[[workflow.r]]\nid = "b"\nwhen = ""\ninstruction = "x"'),
        team('[[workflow.r]]\nid = "b"'),
        team('[[workflow.r]]\nid = ""\ninstruction = "x"'),
        team('[[workflow.r]]\nid = 3\ninstruction = "x"'),
        team('[[workflow.r]]\nname = "x"\ninstruction = "x"'),
        team('[[workflow.r]]\nid = "b"\nname = ""\ninstruction = "x"'),
        team('r = "x"'),
        team('r = ["x"]'),
        {TEAM: "[workflow"},
        {WORKFLOW: "{{.missing}}"},
        {WORKFLOW: "{{config.core.missing}} "},
        {WORKFLOW: "{{config.core}}"},
        {WORKFLOW: "{{config.things}}"},
        {WORKFLOW: "{{.name}} {{config.agents.one.name}}"},
        {WORKFLOW: "{{.name}}", TEAM: "", "_bmad/custom/config.toml": '[agents.two]\nname = "Cy"\n'},
        {WORKFLOW: "{{.n}}", "_bmad/custom/config.toml": "[core]\nn = 3\n"},
        {WORKFLOW: "{{.n}}", "_bmad/custom/config.toml": '[core]\nn = ""\n'},
        {WORKFLOW: "{{.n}}", "_bmad/custom/config.toml": '[core]\nn = "x/{project-root}"\n'},
        {WORKFLOW: "{{.n}}", "_bmad/custom/config.toml": '[core]\nn = "{project-root}"\n'},
        {WORKFLOW: "{{.n}}", "_bmad/custom/config.toml": "[core\n"},
        {WORKFLOW: "{workflow.e}|{workflow.e}"},
        {WORKFLOW: "{workflow.n}"},
        {WORKFLOW: "{workflow.missing}"},
        {WORKFLOW: "{workflow.new}", **team('new = "x"')},
        {WORKFLOW: "{workflow.t.deeper}"},
        {WORKFLOW: "[[bmad-snapshot:missing.md]]"},
        {WORKFLOW: "[[bmad-snapshot:SKILL.md]]"},
        {WORKFLOW: "[[bmad-snapshot:./workflow.md]]"},
        {WORKFLOW: "[[bmad-snapshot:steps/one.md]][[bmad-snapshot:steps/one.md]] [[bmad-snapshot:x.txt]]"},
        {WORKFLOW: "{{ .user_name }} {{.user_name} {.user_name}} {{{{.user_name}}}} {workflow.}"},
    ],
)
def test_our_own_skills_are_rendered_alike_and_refused_alike(tmp_path: Path, files: dict[str, str]) -> None:
    write(tmp_path, {**LAYERS, **OURS, **files})
    theirs, ours, codes, said = both(tmp_path, "ours")
    if said.startswith("HALT"):
        assert codes, said
    else:
        assert codes == []
        assert ours == theirs


def test_without_active_layers_only_our_own_sentence_differs(tmp_path: Path) -> None:
    off = team('[[workflow.r]]\nid = "a"\ninstruction = ""')
    write(tmp_path, {**LAYERS, **OURS, **off, "skills/ours/steps/one.md": "<\n{workflow.r}\n>"})
    theirs, ours, codes, _ = both(tmp_path, "ours")
    assert codes == []
    assert ours["workflow.md"] == theirs["workflow.md"]
    for text in (theirs["steps/one.md"], ours["steps/one.md"]):
        assert re.fullmatch(r"<\n.*`no active review layers`\.\n>", text)


@pytest.mark.parametrize(
    ("release", "config", "snapshots", "custom"),
    [
        ("6.5.0", 0, 0, 139),
        ("6.8.0", 0, 0, 193),
        ("6.10.0", 0, 0, 254),
        ("6.11.0", 62, 39, 292),
        ("6.12.0", 65, 41, 292),
    ],
)
def test_every_token_of_every_real_skill_is_resolved(
    release: str, config: int, snapshots: int, custom: int
) -> None:
    root = source(release)
    tree = read_config(root.parent).tree
    kinds = {"config": 0, "snapshot": 0, "custom": 0}
    for skill in list_files(root, ("SKILL.md",)):
        folder = skill.rpartition("/")[0]
        values = read_customization(root, folder)
        names = list_files(root / folder, (".md",))
        files = [name for name in names if not name.endswith("SKILL.md")]
        is_rendered = any("[[bmad-snapshot:" in read_text(root, f"{folder}/{name}").text for name in files)
        for name in names:
            text = read_text(root, f"{folder}/{name}")
            if is_rendered and name in files:
                done = render(text, config=tree, customization=values, sources=files)
            else:
                done = inline(text, values)
            assert done.diagnostics == (), text.path
            for one in done.inserted:
                kinds[one.kind if one.kind in kinds else "custom"] += 1
    assert kinds == {"config": config, "snapshot": snapshots, "custom": custom}


ANSWERS = {
    "communication_language": "English",
    "document_output_language": "English",
    "implementation_artifacts": "_bmad-output/implementation-artifacts",
    "output_folder": "_bmad-output",
    "planning_artifacts": "_bmad-output/planning-artifacts",
    "project_knowledge": "docs",
    "user_skill_level": "intermediate",
}


def answers(config: Config) -> dict[str, str]:
    own = ("project_name", "user_name")
    return {name: below_root(value.value) for name, value in config.values.items() if name not in own}


@pytest.mark.parametrize("release", SOURCE)
def test_the_defaults_of_every_release_are_worked_out(release: str) -> None:
    config = read_config(source_root(release), directory_name="shop")
    assert config.diagnostics == ()
    assert answers(config) == ANSWERS
    assert (config.get("project_name"), config.get("user_name")) == ("shop", "BMad")
    old = release.startswith(("6.0.", "6.1.", "6.2.", "6.3."))
    assert len(config.agents) == (0 if old else 5 if release in ("6.11.0", "6.12.0") else 6)


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("name", INSTALLED)
def test_the_answers_of_every_install_are_the_defaults_of_its_source(name: str) -> None:
    config = read_config(installed_root(name))
    assert config.diagnostics == ()
    assert answers(config) == ANSWERS
    assert all(":" in value.origin or value.layer == "default" for value in config.values.values())
