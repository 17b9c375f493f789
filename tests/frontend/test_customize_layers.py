"""What a team changes in a skill or an agent, and which of its files have no effect."""

from pathlib import Path
from typing import Any

import pytest

from bmadc.frontend.aliases import ALIASES, alias_of, relatives
from bmadc.frontend.customize import (
    apply_agent_override,
    find_overrides,
    read_customization,
    resolve_customization,
)
from bmadc.frontend.yamlvalues import read_yaml
from bmadc.source import Text

DEFAULTS = Text(
    "skills/ours/customize.toml",
    '[workflow]\nfacts = ["one"]\non_complete = ""\nsize = 3\n\n'
    '[[workflow.layers]]\nid = "a"\nname = "A"\ninstruction = "look"\n',
)
TEAM = Text(
    "_bmad/custom/ours.toml",
    '[workflow]\nfacts = ["two"]\nsize = 4\n[[workflow.layers]]\nid = "a"\ninstruction = ""\n',
)
USER = Text("_bmad/custom/ours.user.toml", '[workflow]\non_complete = "sing"\nfacts = ["three"]\n')


def test_the_team_layer_lies_over_the_defaults() -> None:
    found = resolve_customization("ours", DEFAULTS, TEAM, USER)
    assert found.workflow == {
        "facts": ["one", "two"],
        "on_complete": "",
        "size": 4,
        "layers": [{"id": "a", "instruction": ""}],
    }
    assert found.agent == {}
    assert found.origins == {
        "workflow.facts": ("defaults", "team"),
        "workflow.layers": ("defaults", "team"),
        "workflow.on_complete": ("defaults",),
        "workflow.size": ("team",),
    }
    assert found.defaults["workflow"]["size"] == 3
    assert found.diagnostics == ()


def test_the_personal_layer_counts_only_when_asked_for() -> None:
    found = resolve_customization("ours", DEFAULTS, TEAM, USER, personal=True)
    assert found.workflow["facts"] == ["one", "two", "three"]
    assert found.workflow["on_complete"] == "sing"
    assert found.origins["workflow.on_complete"] == ("personal",)


def test_misspelt_settings_are_reported_with_the_nearest_names() -> None:
    team = Text("_bmad/custom/ours.toml", '[workflow]\non_compete = "x"\n[workflows]\na = 1\n')
    found = resolve_customization("ours", DEFAULTS, team)
    assert [(one.code, str(one.span), one.nearest) for one in found.diagnostics] == [
        ("BMC344", "_bmad/custom/ours.toml:2:1", ("on_complete",)),
        ("BMC344", "_bmad/custom/ours.toml:3:1", ("workflow",)),
    ]


def test_a_broken_layer_is_left_out_and_the_others_count() -> None:
    found = resolve_customization(
        "ours", DEFAULTS, Text("_bmad/custom/ours.toml", "[workflow"), USER, personal=True
    )
    assert [one.code for one in found.diagnostics] == ["BMC331"]
    assert found.workflow["facts"] == ["one", "three"]


def test_broken_defaults_are_one_mistake_and_not_many() -> None:
    found = resolve_customization("ours", Text("skills/ours/customize.toml", "x"), TEAM)
    assert [one.code for one in found.diagnostics] == ["BMC331"]


def test_an_override_of_a_skill_without_defaults_has_no_effect() -> None:
    found = resolve_customization("ours", None, TEAM)
    assert (found.merged, [one.code for one in found.diagnostics]) == ({}, ["BMC343"])
    assert resolve_customization("ours", None).diagnostics == ()


def test_layers_are_found_by_the_name_of_the_skills_folder(tmp_path: Path) -> None:
    for text in (DEFAULTS, TEAM, USER):
        (tmp_path / text.path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / text.path).write_text(text.text, encoding="utf-8")
    assert read_customization(tmp_path, "skills/ours").workflow["facts"] == ["one", "two"]
    assert read_customization(tmp_path, "skills/ours", personal=True).workflow["on_complete"] == "sing"
    elsewhere = read_customization(tmp_path / "skills/ours", "", project=tmp_path)
    assert (elsewhere.skill, elsewhere.workflow["size"]) == ("ours", 4)
    (tmp_path / TEAM.path).write_bytes(b"\xff")
    broken = read_customization(tmp_path, "skills/ours")
    assert [one.code for one in broken.diagnostics] == ["BMC107"]
    assert broken.workflow["size"] == 3


AGENT: dict[str, Any] = {
    "agent": {
        "metadata": {"name": "Ada", "icon": "!"},
        "persona": {"role": "builder", "identity": "calm"},
        "menu": [{"trigger": "A"}],
        "prompts": [{"id": "p", "content": "old"}],
    }
}
EMPTY = (
    'agent:\n  metadata:\n    name: ""\npersona:\n  role: ""\n  principles: []\n'
    "critical_actions: []\nmemories: []\nmenu: []\nprompts: []\n"
)


def override(text: str) -> tuple[dict[str, Any], list[str]]:
    layer, problems = read_yaml(Text("_bmad/_config/agents/bmm-dev.customize.yaml", text), "customize")
    assert problems == ()
    value, found = apply_agent_override(AGENT, layer)
    return value["agent"], [f"{one.code} {one.span}" for one in found]


def test_the_template_that_the_installer_writes_changes_nothing() -> None:
    assert override(EMPTY) == (AGENT["agent"], [])


def test_metadata_is_replaced_by_field_and_lists_are_appended() -> None:
    value, found = override(
        "agent:\n  metadata: {name: Bo, icon: ''}\ncritical_actions: [stop, '']\nmemories: [likes tea]\n"
        "menu: [{trigger: B}]\nprompts: [{id: p, content: new}, {id: q, content: more}]\n"
    )
    assert value["metadata"] == {"name": "Bo", "icon": "!"}
    assert value["critical_actions"] == ["stop"]
    assert value["memories"] == ["likes tea"]
    assert value["menu"] == [{"trigger": "A"}, {"trigger": "B"}]
    assert value["prompts"] == [{"id": "p", "content": "new"}, {"id": "q", "content": "more"}]
    assert value["persona"] == AGENT["agent"]["persona"]
    assert found == []
    assert AGENT["agent"]["menu"] == [{"trigger": "A"}]


def test_a_persona_takes_the_place_of_the_whole_one_and_that_is_said() -> None:
    value, found = override("\npersona:\n  role: painter\n  identity: ''\n")
    assert value["persona"] == {"role": "painter"}
    assert found == ["BMC349 _bmad/_config/agents/bmm-dev.customize.yaml:2:1"]
    assert override("persona: {role: painter, identity: wild}\n")[1] == []


def test_other_shapes_and_unknown_sections_are_reported_and_left_out() -> None:
    value, found = override("menu: all of it\npersona: painter\nmenus: [x]\n")
    assert value == AGENT["agent"]
    path = "_bmad/_config/agents/bmm-dev.customize.yaml"
    assert found == [f"BMC344 {path}:3:1", f"BMC333 {path}:2:1", f"BMC333 {path}:1:1"]


KNOWN = {"bmad-build", "bmad-prd", "bmad-agent-dev", "bmad-quick-dev", "bmad-create-story", "our-skill"}
SHIMS = {"bmad-quick-dev", "bmad-create-story"}


def targets(*names: str, known: set[str] = KNOWN, shims: set[str] = SHIMS) -> tuple[list[str], list[str]]:
    overrides, found = find_overrides(names, known, shims=shims)
    return [one.target for one in overrides], [one.code for one in found]


def test_overrides_of_skills_that_are_there_are_fine() -> None:
    assert targets("our-skill.toml", "bmad-build.user.toml") == (["bmad-build", "our-skill"], [])
    assert targets("config.toml", "config.user.toml", ".gitignore", "readme.md") == ([], [])


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("bmad-quick-dev.toml", "bmad-build"),
        ("bmad-quick-spec.user.toml", "bmad-build"),
        ("bmad-edit-prd.toml", "bmad-prd"),
        ("bmad-agent-sm.toml", "bmad-agent-dev"),
        ("_bmad/custom/bmad-dev.toml", "bmad-agent-dev"),
    ],
)
def test_overrides_under_an_old_id_are_found_and_the_new_name_is_said(name: str, target: str) -> None:
    overrides, found = find_overrides([name], KNOWN, shims=SHIMS)
    assert [one.target for one in overrides] == [target]
    assert [one.code for one in found] == ["BMC341"]
    suffix = ".user.toml" if overrides[0].personal else ".toml"
    assert found[0].expected.endswith(f" {target}{suffix}")
    assert str(found[0].span) == f"_bmad/custom/{name.split('/')[-1]}"


def test_what_the_old_id_did_is_kept_as_a_selection() -> None:
    assert find_overrides(["bmad-edit-prd.toml"], KNOWN)[0][0].selects == "intent=update"


def test_an_old_id_that_is_still_a_real_skill_is_no_alias() -> None:
    assert targets("bmad-quick-dev.toml", shims=set()) == (["bmad-quick-dev"], [])
    assert targets("bmad-create-story.toml") == (["bmad-create-story"], [])


def test_overrides_of_nothing_name_what_was_perhaps_meant() -> None:
    overrides, found = find_overrides(["bmad-biuld.toml", "bmad-shard-doc.toml"], KNOWN, shims=SHIMS)
    assert [one.target for one in overrides] == ["", ""]
    assert [(one.code, one.nearest[:1]) for one in found] == [("BMC342", ("bmad-build",)), ("BMC342", ())]
    assert found[1].detail == "no successor"


def test_an_id_of_a_later_release_names_its_forerunner() -> None:
    found = find_overrides(["bmad-build.toml"], {"bmad-quick-dev", "bmad-built"})[1]
    assert [(one.code, one.nearest) for one in found] == [("BMC342", ("bmad-quick-dev",))]


def test_the_table_of_old_ids_is_sound() -> None:
    assert len({row.old for row in ALIASES}) == len(ALIASES)
    for row in ALIASES:
        assert row.new == "" or alias_of(row.new) is None, f"{row.old} leads to another old id"
        assert row.new or row.note, f"{row.old} leads nowhere and nobody says why"
    assert alias_of("bmad-agent-dev") is None
    assert relatives("bmad-prd", {"bmad-edit-prd", "bmad-build"}) == ("bmad-edit-prd",)
