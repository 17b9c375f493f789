"""The settings of a project, from each form that BMAD gives them."""

import json
from pathlib import Path

import pytest

from bmadc.frontend.config import below_root, collapse_root, read_config


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return root


def codes(root: Path, *, personal: bool = False) -> list[str]:
    return [found.code for found in read_config(root, personal=personal).diagnostics]


TOML = {
    "_bmad/config.toml": (
        '[core]\nproject_name = "shop"\noutput_folder = "out"\n\n'
        '[modules.bmm]\nplanning_artifacts = "{project-root}/out/plans"\n\n'
        '[agents.dev]\nmodule = "bmm"\nname = "Ada"\nteam = "crew"\n'
    ),
    "_bmad/config.user.toml": '[core]\nuser_name = "Eve"\ncommunication_language = "Latin"\n',
    "_bmad/custom/config.toml": (
        '[modules.bmm]\nplanning_artifacts = "{project-root}/team"\n[agents.dev]\nicon = "!"\n'
        '[agents.extra]\nname = "Bo"\nmodule = "ours"\n'
    ),
    "_bmad/custom/config.user.toml": '[core]\nuser_name = "Evelyn"\n',
}


def test_yaml_files_of_the_modules_are_read_as_text(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "_bmad/core/config.yaml": "user_name: Eve\noutput_folder: out\n",
            "_bmad/bmm/config.yaml": "# head\nproject_name: 6.10\nbeta: true\nuser_name: Eve\n",
            "_bmad/_memory/config.yaml": "secret: x\n",
        },
    )
    config = read_config(tmp_path)
    assert config.get("project_name") == "6.10"
    assert config.get("beta") == "true"
    assert config.values["project_name"].origin == "_bmad/bmm/config.yaml:2"
    assert config.values["project_name"].layer == "config.yaml"
    assert (config.get("user_name"), config.values["user_name"].module) == ("Eve", "core")
    assert "secret" not in config.values
    assert list(config.values) == sorted(config.values)
    assert config.tree["core"] == {
        "communication_language": "English",
        "output_folder": "out",
        "user_name": "Eve",
    }
    assert config.tree["modules"]["bmm"] == {
        "beta": "true",
        "project_name": "6.10",
        "user_skill_level": "intermediate",
    }
    assert (config.diagnostics, config.ambiguous) == ((), ())


def test_the_team_layer_wins_and_personal_layers_stay_closed(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, TOML))
    assert config.get("planning_artifacts") == "{project-root}/team"
    assert config.values["planning_artifacts"].origin == "_bmad/custom/config.toml:2"
    assert (config.values["planning_artifacts"].layer, config.values["project_name"].layer) == (
        "team",
        "installed",
    )
    assert (config.get("user_name"), config.values["user_name"].layer) == ("BMad", "default")
    assert config.get("communication_language") == "English"
    assert config.tree["core"]["communication_language"] == "English"
    assert config.diagnostics == ()


def test_personal_layers_are_read_when_asked_for(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, TOML), personal=True)
    assert (config.get("user_name"), config.values["user_name"].layer) == ("Evelyn", "team-personal")
    assert config.get("communication_language") == "Latin"
    assert config.get("user_skill_level") == "intermediate"


def test_a_personal_layer_that_is_broken_is_not_even_opened(tmp_path: Path) -> None:
    write(tmp_path, {**TOML, "_bmad/config.user.toml": "[broken"})
    assert codes(tmp_path) == []
    assert codes(tmp_path, personal=True) == ["BMC331"]


def test_the_roster_merges_over_all_layers(tmp_path: Path) -> None:
    agents = read_config(write(tmp_path, TOML)).agents
    assert [(agent.id, agent.name, agent.icon, agent.team) for agent in agents] == [
        ("dev", "Ada", "!", "crew"),
        ("extra", "Bo", "", "ours"),
    ]
    assert agents[0].origin == "_bmad/config.toml:8"


def test_personal_answers_in_yaml_do_not_leak_beside_toml(tmp_path: Path) -> None:
    write(tmp_path, {**TOML, "_bmad/bmm/config.yaml": "user_name: Root\nspare: yes\n"})
    config = read_config(tmp_path)
    assert config.get("user_name") == "BMad"
    assert config.get("spare") == "yes"
    assert "spare" not in str(config.tree)


def test_toml_and_yaml_that_disagree_are_a_note(tmp_path: Path) -> None:
    write(tmp_path, {**TOML, "_bmad/bmm/config.yaml": "\nproject_name: other\n"})
    config = read_config(tmp_path)
    assert config.get("project_name") == "shop"
    assert [(found.code, found.severity, str(found.span)) for found in config.diagnostics] == [
        ("BMC336", "note", "_bmad/bmm/config.yaml:2:1")
    ]
    assert [value.value for value in config.ambiguous[0].values] == ["shop", "other"]


def test_two_modules_with_two_answers_are_a_fact_and_core_counts_first(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "_bmad/abc/config.yaml": "place: third\n",
            "_bmad/bmm/config.yaml": "place: second\nuser_name: Eve\n",
            "_bmad/core/config.yaml": "place: first\nuser_name: Eve\n",
        },
    )
    config = read_config(tmp_path)
    assert config.get("place") == "first"
    assert [value.value for value in config.ambiguous[0].values] == ["first", "second", "third"]
    assert [found.code for found in config.diagnostics] == ["BMC335"]
    assert "_bmad/abc/config.yaml" in config.diagnostics[0].message
    assert config.tree["modules"]["bmm"]["place"] == "second"


def test_project_name_is_found_in_core_and_in_bmm(tmp_path: Path) -> None:
    for module, table in (("core", "core"), ("bmm", "modules.bmm")):
        root = write(tmp_path / module, {"_bmad/config.toml": f'[{table}]\nproject_name = "shop"\n'})
        assert read_config(root).values["project_name"].module == module


def test_a_layer_without_its_base_is_reported(tmp_path: Path) -> None:
    write(tmp_path, {"_bmad/custom/config.toml": '[core]\noutput_folder = "x"\n'})
    config = read_config(tmp_path)
    assert config.get("output_folder") == "x"
    assert [found.code for found in config.diagnostics] == ["BMC340"]


CORE = """\
code: core
name: ours
project_name: {prompt: q, default: "{directory_name}", result: "{value}"}
output_folder: {prompt: q, default: out, result: "{project-root}/{value}"}
"""
OTHER = """\
code: abc
plans:
  prompt: q
  default: "{output_folder}/plans"
  result: "{project-root}/{value}"
deep: {prompt: q, default: more, result: "{plans}/{value}"}
on: {prompt: q, single-select: [{value: false}, {value: true}], default: true, result: "{value}"}
fixed: {result: 6.10}
directories: ["{plans}"]
agents:
  - {code: abc-one, name: Ada}
  - {code: abc-two, team: crew}
"""
ODD = """\
code: abc
plans: {prompt: q, default: "{outptu_folder}/x", result: "{value}"}
level:
  prompt: q
  default: none
  result: "{value}"
  single-select: [{value: low}, high]
agents: nobody
"""


def test_the_defaults_of_sources_are_worked_out_and_roots_are_joined_once(tmp_path: Path) -> None:
    write(tmp_path, {"src/core-skills/module.yaml": CORE, "src/abc/module.yaml": OTHER})
    config = read_config(tmp_path, directory_name="shop")
    assert {name: value.value for name, value in config.values.items()} == {
        "communication_language": "English",
        "deep": "{project-root}/out/plans/more",
        "fixed": "6.10",
        "on": "true",
        "output_folder": "{project-root}/out",
        "plans": "{project-root}/out/plans",
        "project_name": "shop",
        "user_name": "BMad",
        "user_skill_level": "intermediate",
    }
    assert config.values["plans"].origin == "src/abc/module.yaml:2"
    assert [(agent.id, agent.team, agent.module) for agent in config.agents] == [
        ("abc-one", "abc", "abc"),
        ("abc-two", "crew", "abc"),
    ]
    assert config.tree["modules"]["abc"]["plans"] == "{project-root}/out/plans"
    assert config.tree["agents"]["abc-one"] == {"module": "abc", "team": "abc", "name": "Ada"}
    assert config.diagnostics == ()


def test_a_module_alone_gets_what_core_would_say(tmp_path: Path) -> None:
    config = read_config(write(tmp_path, {"src/module.yaml": OTHER}))
    assert config.get("plans") == "{project-root}/_bmad-output/plans"
    assert config.get("project_name") == "project"
    assert config.diagnostics == ()


def test_defaults_that_cannot_be_worked_out_are_reported(tmp_path: Path) -> None:
    write(tmp_path, {"src/core/module.yaml": CORE, "src/abc/module.yaml": ODD})
    config = read_config(tmp_path)
    assert config.get("plans") == "{outptu_folder}/x"
    assert config.get("level") == "none"
    assert [(found.code, str(found.span)) for found in config.diagnostics] == [
        ("BMC337", "src/abc/module.yaml:2:1"),
        ("BMC338", "src/abc/module.yaml:5:1"),
        ("BMC333", "src/abc/module.yaml:8:1"),
    ]
    assert "output_folder" in config.diagnostics[0].nearest


def test_module_files_deep_in_the_tree_are_not_taken_for_modules(tmp_path: Path) -> None:
    write(tmp_path, {"src/core/module.yaml": CORE, "src/core/skills/x/assets/module.yaml": OTHER})
    assert "plans" not in read_config(tmp_path).values


def test_files_that_cannot_be_read_are_reported_and_reading_goes_on(tmp_path: Path) -> None:
    write(tmp_path, TOML)
    (tmp_path / "_bmad/config.toml").write_bytes(b"\xff")
    config = read_config(tmp_path)
    assert config.get("planning_artifacts") == "{project-root}/team"
    assert [found.code for found in config.diagnostics] == ["BMC107"]


def test_a_link_out_of_the_root_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    outside.write_text('[core]\nuser_name = "Mallory"\nstolen = "x"\n', encoding="utf-8")
    root = write(tmp_path / "root", {"_bmad/custom/config.toml": ""})
    (root / "_bmad/config.toml").symlink_to(outside)
    config = read_config(root)
    assert "stolen" not in config.values
    assert [found.code for found in config.diagnostics] == ["BMC102"]


def test_a_list_of_files_is_taken_instead_of_looking(tmp_path: Path) -> None:
    write(tmp_path, TOML)
    assert (
        read_config(tmp_path, ["_bmad/config.toml"]).get("planning_artifacts") == "{project-root}/out/plans"
    )


def test_roots_are_joined_once_and_taken_off() -> None:
    assert collapse_root("{project-root}/{project-root}/a") == "{project-root}/a"
    assert collapse_root("{project-root}/a/b") == "{project-root}/a/b"
    assert below_root("{project-root}/{project-root}/a/b") == "a/b"
    assert below_root("a/b") == "a/b"
    assert below_root("{project-root}") == "."


@pytest.mark.parametrize(
    "files",
    [
        {"_bmad/config.toml": 'core = 3\nmodules = "x"\nagents = [1]\n'},
        {"_bmad/config.toml": "[core]\nx = [[1], [2]]\n[modules]\nbmm = 1\n[agents]\na = 1\n"},
        {"_bmad/config.toml": "[core.deep.deeper]\nuser_name = 1\n[modules.bmm.user_skill_level]\nx = 1\n"},
        {"_bmad/core/config.yaml": "a: {b: c}\nd: [1, {e: f}]\n? [x]\n: y\n"},
        {"_bmad/core/config.yaml": "modules: x\n", "_bmad/bmm/config.yaml": "x: 1\n"},
        {"src/module.yaml": "code: [x]\na: {prompt: q, default: {b: c}, result: [d]}\n"},
        {"src/module.yaml": "agents: [1, {code: ''}]\n"},
        {"src/module.yaml": "a: {prompt: q, default: '{a}{b', result: '{value}{value}{a}'}\n"},
        {"module.yaml": "a: {prompt: q, single-select: {x: y}}\nb: {result: ''}\n"},
        {"_bmad/config.toml/x.toml": "a directory where a file should be\n"},
    ],
)
def test_no_shape_of_configuration_makes_it_raise(tmp_path: Path, files: dict[str, str]) -> None:
    config = read_config(write(tmp_path, files), ["_bmad/config.toml", *files])
    assert config.get("communication_language") == "English"
    assert all(isinstance(value.value, str) for value in config.values.values())
    json.dumps(config.tree)


def test_the_defaults_of_a_module_contradict_no_answer_but_fill_what_is_missing(tmp_path: Path) -> None:
    write(tmp_path, {**TOML, "src/core/module.yaml": CORE, "src/abc/module.yaml": OTHER})
    config = read_config(tmp_path)
    assert (config.get("project_name"), config.get("output_folder")) == ("shop", "out")
    assert (config.get("plans"), config.values["plans"].layer) == ("{project-root}/out/plans", "module.yaml")
    assert config.diagnostics == ()
