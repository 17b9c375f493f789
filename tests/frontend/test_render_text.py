"""Tokens in the text of a skill are replaced in one pass, and what cannot be replaced is reported."""

import json

import pytest

from bmadc.frontend.customize import Customization, resolve_customization
from bmadc.frontend.render import NO_LAYERS, NONE, Rendered, ReviewLayer, inline, render
from bmadc.source import Text

CONFIG = {
    "core": {"language": "Latin", "empty": " ", "number": 7, "odd": "x/{project-root}/y"},
    "modules": {"bmm": {"plans": "{project-root}/out/plans"}, "a": {"twice": "x"}, "b": {"twice": "x"}},
    "lists": ["x"],
}
DEFAULTS = """\
[workflow]
facts = []
steps = ["one", "two\\nlines"]
on_complete = ""
say = "hello"
open_spec = "yes"
size = 3
flag = true

[workflow.more]
deep = "down"

[[workflow.layers]]
id = "a"
name = "First"
when = "it rains"
instruction = " look up \\n"

[[workflow.layers]]
id = "b"
instruction = "look in {skill-root}/b.md for {{.language}}"
"""


def custom(team: str = "", defaults: str = DEFAULTS) -> Customization:
    return resolve_customization("ours", Text("customize.toml", defaults), Text("ours.toml", team))


def rendered(text: str, team: str = "") -> Rendered:
    return render(
        Text("workflow.md", text),
        config=CONFIG,
        customization=custom(team),
        sources=("workflow.md", "steps/one.md"),
        snapshot=lambda file: f"section {file}",
        skill_root="skills/ours",
    )


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("{{.language}}", "Latin"),
        ("{{.plans}}", "./out/plans"),
        ("{{config.core.language}}", "Latin"),
        ("{workflow.say}", "hello"),
        ("{workflow.more.deep}", "down"),
        ("{workflow.on_complete}", ""),
        ("{workflow.facts}", NONE),
        ("{workflow.steps}", "- one\n- two\n  lines"),
        ("[[bmad-snapshot:steps/one.md]]", "section steps/one.md"),
        (
            "{workflow.layers}",
            "#### First (`a`)\n\nRun only when: it rains\n\nlook up\n\n"
            "#### b (`b`)\n\nlook in skills/ours/b.md for {{.language}}",
        ),
    ],
)
def test_each_token_becomes_its_value(token: str, shown: str) -> None:
    found = rendered(f"before {token} after")
    assert found.text == f"before {shown} after"
    assert found.diagnostics == ()


def test_inserted_text_is_never_looked_at_again() -> None:
    team = '[workflow]\nsay = "{{.language}} {workflow.steps} [[bmad-snapshot:workflow.md]]"\n'
    found = rendered("{workflow.say}", team)
    assert found.text == "{{.language}} {workflow.steps} [[bmad-snapshot:workflow.md]]"
    assert len(found.inserted) == 1


def test_what_was_inserted_can_be_traced() -> None:
    text = (
        "a {{.language}} b {workflow.nope} c {workflow.layers}\n[[bmad-snapshot:workflow.md]] {workflow.say}"
    )
    found = rendered(text)
    assert [(one.origin, one.kind) for one in found.inserted] == [
        ("config.core.language", "config"),
        ("workflow.layers", "layers"),
        ("snapshot.workflow.md", "snapshot"),
        ("workflow.say", "text"),
    ]
    for one in found.inserted:
        assert text[one.source_start : one.source_end] == one.token
    shown = [found.text[one.start : one.end] for one in found.inserted]
    assert shown[0] == "Latin"
    assert shown[1].startswith("#### First")
    assert shown[2:] == ["section workflow.md", "hello"]
    assert found.inserted[1].value[0] == ReviewLayer("a", "First", "it rains", " look up \n")


def test_layers_without_instruction_are_off_and_none_left_is_a_fact() -> None:
    one_off = '[[workflow.layers]]\nid = "a"\ninstruction = ""\n'
    found = rendered("{workflow.layers}", one_off)
    assert "First" not in found.text
    assert [layer.active for layer in found.inserted[0].value] == [False, True]
    both_off = one_off + '[[workflow.layers]]\nid = "b"\ninstruction = " "\n'
    found = rendered("{workflow.layers}", both_off)
    assert (found.text, found.inserted[0].kind) == (NO_LAYERS, "no-layers")


def test_only_one_text_may_be_emptied() -> None:
    assert rendered("<{workflow.open_spec}>", '[workflow]\nopen_spec = ""\n').text == "<>"
    assert rendered("{workflow.say}", '[workflow]\nsay = ""\n').diagnostics[0].code == "BMC347"


@pytest.mark.parametrize(
    ("token", "team", "code"),
    [
        ("{{.langauge}}", "", "BMC345"),
        ("{{config.core.langauge}}", "", "BMC345"),
        ("{{.lists}}", "", "BMC345"),
        ("{{.twice}}", "", "BMC346"),
        ("{{.empty}}", "", "BMC347"),
        ("{{.number}}", "", "BMC347"),
        ("{{.odd}}", "", "BMC347"),
        ("{{config.core}}", "", "BMC347"),
        ("{workflow.sya}", "", "BMC345"),
        ("{workflow.mine}", '[workflow]\nmine = "x"\n', "BMC345"),
        ("{workflow.size}", "", "BMC347"),
        ("{workflow.more}", "", "BMC347"),
        ("{workflow.steps}", '[workflow]\nsteps = "x"\n', "BMC347"),
        ("{workflow.steps}", "[workflow]\nsteps = [1]\n", "BMC347"),
        ("{workflow.layers}", '[[workflow.layers]]\nname = "x"\ninstruction = "y"\n', "BMC347"),
        ("{workflow.layers}", '[[workflow.layers]]\nid = "c"\n', "BMC347"),
        ("{workflow.layers}", '[[workflow.layers]]\nid = "c"\nwhen = ""\ninstruction = "y"\n', "BMC347"),
        ("[[bmad-snapshot:steps/tow.md]]", "", "BMC348"),
        ("[[bmad-snapshot:../out.md]]", "", "BMC348"),
    ],
)
def test_a_token_that_cannot_be_resolved_stays_and_is_reported_at_its_place(
    token: str, team: str, code: str
) -> None:
    found = rendered(f"line one\n  {token} {{{{.language}}}}", team)
    assert found.text == f"line one\n  {token} Latin"
    (diagnostic,) = found.diagnostics
    assert (diagnostic.code, str(diagnostic.span)) == (code, "workflow.md:2:3")
    assert diagnostic.span is not None
    assert diagnostic.span.end_column == 3 + len(token)
    assert diagnostic.expected
    assert diagnostic.help


def test_nearest_names_are_offered() -> None:
    assert rendered("{{.langauge}}").diagnostics[0].nearest == ("language",)
    assert rendered("{workflow.step}").diagnostics[0].nearest == ("steps",)
    assert rendered("[[bmad-snapshot:step/one.md]]").diagnostics[0].nearest == ("steps/one.md",)
    assert "modules.a.twice, modules.b.twice" in rendered("{{.twice}}").diagnostics[0].message


def test_a_layer_twice_is_refused() -> None:
    defaults = DEFAULTS + '\n[[workflow.layers]]\nid = "a"\ninstruction = "z"\n'
    found = render(Text("w.md", "{workflow.layers}"), config={}, customization=custom(defaults=defaults))
    assert [one.code for one in found.diagnostics] == ["BMC347"]


def test_a_skill_without_customization_cannot_have_its_tokens() -> None:
    found = render(Text("w.md", "{workflow.say}"), config={})
    assert [one.code for one in found.diagnostics] == ["BMC345"]


def test_roots_stay_when_nobody_says_what_they_are() -> None:
    text = Text("w.md", "{{.plans}} {workflow.layers}")
    found = render(text, config=CONFIG, customization=custom(), project_root=None)
    assert found.text.startswith("{project-root}/out/plans ")
    assert "{skill-root}/b.md" in found.text


def test_snapshots_may_be_a_table_and_are_paths_otherwise() -> None:
    text = Text("w.md", "[[bmad-snapshot:a.md]] [[bmad-snapshot:b.md]]")
    assert render(text, config={}, sources=("a.md", "b.md")).text == "a.md b.md"
    assert (
        render(text, config={}, sources=("a.md", "b.md"), snapshot={"a.md": "part A"}).text == "part A b.md"
    )


def test_other_braces_are_none_of_our_business() -> None:
    text = "{workflow.<name>} {{name}} {spec_file} {{#if x}} {workflow.} [[bmad-snapshot:a.txt]] {agent.icon}"
    assert rendered(text) == Rendered(text, (), ())


AGENT = """\
[agent]
icon = "!"
size = 3
flag = true
facts = []
[[agent.menu]]
code = "BD"
description = "Build it"
skill = "our-build"
[[agent.menu]]
code = "TK"
prompt = "first\\nsecond"
[agent.more]
a = "x"
b = ["y", "z"]
"""


@pytest.mark.parametrize(
    ("token", "kind", "shown"),
    [
        ("{agent.icon}", "text", "!"),
        ("{agent.size}", "text", "3"),
        ("{agent.flag}", "text", "true"),
        ("{agent.facts}", "list", NONE),
        (
            "{agent.menu}",
            "tables",
            "- `BD`\n  - description: Build it\n  - skill: our-build\n- `TK`\n  - prompt: first\n    second",
        ),
        ("{agent.more}", "tables", "- a: x\n- b:\n  - y\n  - z"),
    ],
)
def test_other_skills_take_values_of_every_shape(token: str, kind: str, shown: str) -> None:
    found = inline(Text("SKILL.md", f"<{token}>"), custom(defaults=AGENT))
    assert found.text == f"<{shown}>"
    assert [one.kind for one in found.inserted] == [kind]
    assert found.diagnostics == ()


def test_other_skills_format_review_layers_alike_and_know_no_other_tokens() -> None:
    text = "{workflow.layers} {{.language}} [[bmad-snapshot:a.md]]"
    found = inline(Text("SKILL.md", text), custom(), skill_root="s")
    assert found.text == rendered("{workflow.layers}").text.replace("skills/ours", "s") + text[17:]
    assert found.diagnostics == ()


def test_other_skills_report_unknown_values_too() -> None:
    found = inline(Text("SKILL.md", "a\n{agent.icno}"), custom(defaults=AGENT))
    assert [(one.code, str(one.span), one.nearest) for one in found.diagnostics] == [
        ("BMC345", "SKILL.md:2:1", ("icon",))
    ]


def test_values_are_plain_data() -> None:
    found = inline(Text("SKILL.md", "{agent.menu} {agent.more}"), custom(defaults=AGENT))
    assert json.loads(json.dumps([one.value for one in found.inserted]))[1] == {"a": "x", "b": ["y", "z"]}
