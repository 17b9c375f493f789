"""Agents in each of their four forms: what is read, what is left out, what is said about broken ones."""

from dataclasses import replace

import pytest

from bmadc.frontend.agent_parts import code_of, principles_of
from bmadc.frontend.agents import agent_aliases, agent_folders, find_agents, is_agent
from bmadc.frontend.files import read_tree
from bmadc.ir.model import Agent, Origin
from bmadc.ir.tree import Tree
from bmadc.source import Text

YAML = """\
agent:
  metadata:
    name: Flora
    title: Head Gardener
    icon: 🌱
    capabilities: "pruning, sowing & <grafting>"
  persona:
    role: Gardener
    identity: |
      Knows every bed.
      Knows   every hedge.
    communication_style: "Says 'dig' often."
    principles: |
      - Water early - never at noon
      - Weeds first
  critical_actions:
    - "Look at the sky <example>`rain?`</example>"
    - Count the
      tools
  memories:
    - The pond is deep & cold
  prompts:
    - id: hello
      content: |
        Good day!

        - a rake
  menu:
    - trigger: PR or fuzzy match on prune
      workflow: "{project-root}/_bmad/gdn/workflows/prune/workflow.yaml"
      description: "[PR] Prune: roses & more"
    - trigger: SO or fuzzy match on sow
      exec: "{project-root}/_bmad/gdn/workflows/sow/workflow.md"
      data: "{project-root}/_bmad/gdn/data/seeds.csv"
      description: "[SO] Sow"
    - trigger: HI or fuzzy match on hi
      action: "#hello"
      description: "[HI] Greet"
    - trigger: SH or fuzzy match on shout
      action: say "rain" and set wet="yes" > run
      description: "[SH] Shout"
    - multi: "[RK] Rake or [DG] Dig"
      triggers:
        - rake:
            - input: RK or fuzzy match rake
            - route: "{project-root}/_bmad/gdn/workflows/rake/workflow.md"
            - data: the lawn
            - type: exec
        - dig:
            - input: DG or fuzzy match dig
            - route: "{project-root}/_bmad/gdn/workflows/dig/workflow.yaml"
"""

COMPILED = """\
---
name: "flora"
description: "Head Gardener"
---

Be this gardener.

```xml
<agent id="flora.agent.yaml" name="Flora" title="Head Gardener" icon="🌱" \
capabilities="pruning, sowing &amp; &lt;grafting&gt;">
<activation critical="MANDATORY">
      <step n="1">First of the frame</step>
      <step n="2">Second of the frame:
          - with a line
      </step>
      <step n="3">Third of the frame</step>
      <step n="4">Look at the sky <example>`rain?`</example></step>
  <step n="5">Count the tools</step>
      <step n="6">Frame again</step>
      <step n="7">And again <example>`x`</example></step>
      <step n="8">And again</step>
      <step n="9">And again</step>
      <step n="10">And again</step>

      <menu-handlers>
        <handlers><handler type="action">As in <step n="1">a step</step></handler></handlers>
      </menu-handlers>
    <rules><r>Be kind</r></rules>
</activation>  <persona>
    <role>Gardener</role>
    <identity>Knows every bed. Knows every hedge.</identity>
    <communication_style>Says &apos;dig&apos; often.</communication_style>
    <principles>- Water early - never at noon - Weeds first</principles>
  </persona>
  <prompts>
    <prompt id="hello">
      <content>
Good day!

- a rake

      </content>
    </prompt>
  </prompts>
  <memories>
    <memory>The pond is deep &amp; cold</memory>
  </memories>
  <menu>
    <item cmd="MH or menu">[MH] Menu</item>
    <item cmd="CH or chat">[CH] Chat</item>
    <item cmd="PR or fuzzy match on prune" \
workflow="{project-root}/_bmad/gdn/workflows/prune/workflow.yaml">[PR] Prune: roses &amp; more</item>
    <item cmd="SO or fuzzy match on sow" exec="{project-root}/_bmad/gdn/workflows/sow/workflow.md" \
data="{project-root}/_bmad/gdn/data/seeds.csv">[SO] Sow</item>
    <item cmd="HI or fuzzy match on hi" action="#hello">[HI] Greet</item>
    <item cmd="SH or fuzzy match on shout" action="say "rain" and set wet="yes" > run">[SH] Shout</item>
    <item type="multi">[RK] Rake or [DG] Dig
      <handler match="RK or fuzzy match rake" exec="{project-root}/_bmad/gdn/workflows/rake/workflow.md" \
data="the lawn"></handler>
      <handler match="DG or fuzzy match dig" \
workflow="{project-root}/_bmad/gdn/workflows/dig/workflow.yaml"></handler>
    </item>
    <item cmd="PM or party" exec="{project-root}/_bmad/core/party.md">[PM] Party</item>
    <item cmd="DA or bye">[DA] Bye</item>
  </menu>
</agent>
```
"""

TABLE = """\
---
name: gdn-agent-flora
---
# Flora

## Critical Actions

- Look at the sky
- Count the tools
  twice
  - one by one

## What the words mean

| Word | Meaning |
|---|---|
| PR | not an item |

## Capabilities

| Code | Description | Skill or Prompt |
|---|---|---|
| PR | Prune \\| trim | gdn-prune |
| SO | Sow | skill: gdn-sow |
| HI | Greet | prompt: hello.md |
"""

MANIFEST = """\
type: agent
displayName: Flora
title: Head Gardener
icon: "🌱"
capabilities: pruning
role: Gardener
identity: Knows every bed.
communicationStyle: Short.
principles: Water early. Weeds first.
"""

CUSTOMIZE = """\
[agent]
name = "Flora"
title = "Head Gardener"
icon = "🌱"
role = "Gardener"
identity = "Knows every bed."
communication_style = "Short."
principles = ["Water early.", "Weeds first."]
persistent_facts = ["The pond is deep."]
activation_steps_prepend = ["Look up."]
activation_steps_append = ["Look down."]

[[agent.menu]]
code = "PR"
description = "Prune"
skill = "gdn-prune"

[[agent.menu]]
code = "HI"
description = "Greet"
prompt = "Read {skill-root}/hello.md"
"""


def trees(**files: str) -> dict[str, Tree]:
    return {path: read_tree(Text(path, text)) for path, text in files.items()}


def agents(files: dict[str, str], **more: object) -> tuple[Agent, ...]:
    found, said = find_agents(trees(**files), lambda path: "gdn", **more)  # type: ignore[arg-type]
    assert said == ()
    return found


def codes(files: dict[str, str]) -> list[str]:
    _, said = find_agents(trees(**files), lambda path: "gdn")
    return [f"{one.code} {one.span}" for one in said]


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def bare(agent: Agent) -> Agent:
    """The agent without what must differ between two files."""
    nowhere = Origin("")
    return replace(
        agent,
        encoding="",
        origin=nowhere,
        files=(),
        menu=tuple(replace(item, origin=nowhere) for item in agent.menu),
        prompts=tuple(replace(prompt, origin=nowhere) for prompt in agent.prompts),
    )


def test_yaml() -> None:
    (flora,) = agents({"gdn/agents/flora.agent.yaml": YAML})
    assert (flora.id, flora.module, flora.encoding) == ("flora", "gdn", "agent-yaml")
    assert (flora.name, flora.title, flora.icon) == ("Flora", "Head Gardener", "🌱")
    assert flora.identity == "Knows every bed. Knows every hedge."
    assert flora.principles == ("Water early - never at noon", "Weeds first")
    assert flora.critical_actions == ("Look at the sky <example>`rain?`</example>", "Count the tools")
    assert flora.persistent_facts == ("The pond is deep & cold",)
    assert [(one.id, one.text, one.origin.line) for one in flora.prompts] == [
        ("hello", "Good day!\n\n- a rake", line_of(YAML, "- id: hello"))
    ]
    assert [(item.code, item.kind, item.origin.line) for item in flora.menu] == [
        ("PR", "workflow", line_of(YAML, "- trigger: PR")),
        ("SO", "exec", line_of(YAML, "- trigger: SO")),
        ("HI", "action", line_of(YAML, "- trigger: HI")),
        ("SH", "action", line_of(YAML, "- trigger: SH")),
        ("RK", "exec", line_of(YAML, "- multi")),
        ("DG", "workflow", line_of(YAML, "- multi")),
    ]
    assert flora.menu[1].data == "{project-root}/_bmad/gdn/data/seeds.csv"
    assert flora.menu[3].target == 'say "rain" and set wet="yes" > run'
    assert flora.menu[4].target == "{project-root}/_bmad/gdn/workflows/rake/workflow.md"


def test_the_compiled_form_is_the_same_agent() -> None:
    (written,) = agents({"gdn/agents/flora.agent.yaml": YAML})
    (compiled,) = agents({"_bmad/gdn/agents/flora.md": COMPILED})
    assert compiled.encoding == "agent-compiled"
    assert bare(compiled) == bare(written)
    assert [item.origin.line for item in compiled.menu] == [
        line_of(COMPILED, words)
        for words in ('"PR or', '"SO or', '"HI or', '"SH or', 'type="multi"', 'type="multi"')
    ]
    assert compiled.prompts[0].origin.line == line_of(COMPILED, "<prompt id")


def test_the_four_items_of_the_installer_are_left_out_only_at_their_places() -> None:
    own = '    <item cmd="DA or x" action="dance">[DA] Dance</item>\n    <item cmd="HI or'
    (flora,) = agents({"a/agents/flora.md": COMPILED.replace('    <item cmd="HI or', own)})
    assert [item.code for item in flora.menu] == ["PR", "SO", "DA", "HI", "SH", "RK", "DG"]


def test_steps_that_the_installer_would_not_write_are_said() -> None:
    text = COMPILED.replace('<step n="5">', '<step n="6">')
    found, said = find_agents(trees(**{"a/agents/flora.md": text}), lambda path: "gdn")
    assert [(one.code, str(one.span)) for one in said] == [("BMC356", "a/agents/flora.md:10:1")]
    assert found[0].critical_actions == ()
    assert len(found[0].menu) == 6


def test_broken_items_of_a_compiled_menu_are_said_and_the_others_read() -> None:
    text = COMPILED.replace(
        '    <item cmd="HI or', '    <item>x</item>\n    <item cmd=">y</item>\n    <item cmd="HI or'
    )
    found, said = find_agents(trees(**{"a/agents/flora.md": text}), lambda path: "gdn")
    first = line_of(text, "<item>x")
    assert [(one.code, one.span and one.span.line) for one in said] == [
        ("BMC352", first),
        ("BMC352", first + 1),
    ]
    assert [item.code for item in found[0].menu] == ["PR", "SO", "HI", "SH", "RK", "DG"]


def test_a_fence_in_a_prompt_does_not_cost_the_menu() -> None:
    text = COMPILED.replace("- a rake\n", "```sh\nrake\n```\n")
    found, _ = find_agents(trees(**{"a/agents/flora.md": text}), lambda path: "gdn")
    assert [item.code for item in found[0].menu] == ["PR", "SO", "HI", "SH", "RK", "DG"]
    assert "```sh" in found[0].prompts[0].text


def test_an_example_of_an_agent_is_none() -> None:
    example = "# How agents look\n\n```xml\n<agent>\n</agent>\n```\n"
    files = trees(**{"docs/agent.md": COMPILED, "a/agents/how.md": example, "a/agents/plain.md": "# Hi\n"})
    assert [is_agent(path, files) for path in files] == ["", "", ""]


def test_table_menu() -> None:
    folder = "gdn-skills/gdn-agent-flora"
    files = {
        f"{folder}/SKILL.md": TABLE,
        f"{folder}/bmad-skill-manifest.yaml": MANIFEST,
        f"{folder}/hello.md": "x\n",
    }
    (flora,) = agents(files)
    assert (flora.id, flora.encoding, flora.name) == ("gdn-agent-flora", "skill-manifest", "Flora")
    assert (flora.communication_style, flora.capabilities) == ("Short.", "pruning")
    assert flora.principles == ("Water early. Weeds first.",)
    assert flora.critical_actions == ("Look at the sky", "Count the tools twice")
    assert [(item.code, item.kind, item.target, item.origin.line) for item in flora.menu] == [
        ("PR", "skill", "gdn-prune", 23),
        ("SO", "skill", "gdn-sow", 24),
        ("HI", "prompt", "hello.md", 25),
    ]
    assert flora.menu[0].description == "Prune | trim"
    assert flora.files == tuple(sorted(files))
    assert agent_folders([flora]) == (folder,)


def test_broken_rows_of_a_table_menu_are_said_and_the_others_read() -> None:
    text = TABLE + "|\n| AB |\n| CD | Only words |\n| EF | Words | gdn-e |\n"
    files = {"s/x/SKILL.md": text, "s/x/bmad-skill-manifest.yaml": MANIFEST}
    first = line_of(text, "|\n| AB")
    assert codes(files) == [f"BMC352 s/x/SKILL.md:{first + at}:1" for at in (0, 1, 2)]
    found, _ = find_agents(trees(**files), lambda path: "gdn")
    assert [item.code for item in found[0].menu] == ["PR", "SO", "HI", "AB", "CD", "EF"]


def test_a_skill_with_another_manifest_is_no_agent() -> None:
    files = trees(**{"s/x/SKILL.md": TABLE, "s/x/bmad-skill-manifest.yaml": "type: skill\n"})
    assert find_agents(files, lambda path: "gdn") == ((), ())


def test_customize() -> None:
    folder = "gdn-skills/gdn-agent-flora"
    (flora,) = agents({f"{folder}/SKILL.md": "# Flora\n", f"{folder}/customize.toml": CUSTOMIZE})
    assert (flora.encoding, flora.name, flora.capabilities) == ("skill-customize", "Flora", "")
    assert flora.principles == ("Water early.", "Weeds first.")
    assert flora.persistent_facts == ("The pond is deep.",)
    assert (flora.activation_prepend, flora.activation_append) == (("Look up.",), ("Look down.",))
    assert [(item.code, item.kind, item.target, item.origin) for item in flora.menu] == [
        ("PR", "skill", "gdn-prune", Origin(f"{folder}/customize.toml", 13)),
        ("HI", "prompt", "Read {skill-root}/hello.md", Origin(f"{folder}/customize.toml", 18)),
    ]


def test_merged_tables_come_before_those_of_the_file() -> None:
    folder = "s/gdn-agent-flora"
    merged = {
        "agent": {
            "name": "Flora",
            "role": "Boss",
            "menu": [
                {"code": "HI", "description": "Greet", "prompt": "Nod."},
                {"code": "NW", "description": "New", "skill": "gdn-new"},
            ],
        }
    }
    files = {f"{folder}/SKILL.md": "# Flora\n", f"{folder}/customize.toml": CUSTOMIZE}
    (flora,) = agents(files, resolved={folder: merged})
    assert flora.role == "Boss"
    assert [(item.code, item.target, item.origin.line) for item in flora.menu] == [
        ("HI", "Nod.", 18),
        ("NW", "gdn-new", 0),
    ]


def test_a_workflow_with_customize_is_no_agent() -> None:
    files = trees(**{"s/x/SKILL.md": "# X\n", "s/x/customize.toml": '[workflow]\nname = "x"\n'})
    assert find_agents(files, lambda path: "gdn") == ((), ())


def test_files_of_an_agent_with_a_sidecar() -> None:
    files = {
        "gdn/agents/flora/flora.agent.yaml": YAML,
        "gdn/agents/flora/flora-sidecar/notes.md": "x\n",
        "_memory/flora-sidecar/more.md": "x\n",
        "gdn/agents/bmad-skill-manifest.yaml": "flora.agent.yaml:\n  canonicalId: gdn-flora\n",
        "gdn/agents/other.md": "x\n",
    }
    (flora,) = agents(files)
    assert flora.files == (
        "_memory/flora-sidecar/more.md",
        "gdn/agents/flora/flora-sidecar/notes.md",
        "gdn/agents/flora/flora.agent.yaml",
    )


@pytest.mark.parametrize(
    "manifest",
    ["flora.agent.yaml:\n  canonicalId: gdn-flora\n  type: agent\n", "canonicalId: gdn-flora\ntype: agent\n"],
)
@pytest.mark.parametrize("name", ["flora.agent.yaml", "flora.md"])
def test_names_from_the_manifest_beside(manifest: str, name: str) -> None:
    text = YAML if name.endswith("yaml") else COMPILED
    files = trees(**{f"gdn/agents/{name}": text, "gdn/agents/bmad-skill-manifest.yaml": manifest})
    found, _ = find_agents(files, lambda path: "gdn")
    assert agent_aliases(found, files) == {"gdn-flora": "flora"}
    assert "gdn/agents/bmad-skill-manifest.yaml" in found[0].files


def test_of_two_forms_the_one_that_bmad_runs_counts() -> None:
    files = {"gdn/agents/flora.agent.yaml": YAML, "gdn/agents/flora.md": COMPILED}
    found, said = find_agents(trees(**files), lambda path: "gdn")
    assert [agent.encoding for agent in found] == ["agent-compiled"]
    assert [(one.code, str(one.span)) for one in said] == [("BMC357", "gdn/agents/flora.agent.yaml")]
    both, said = find_agents(trees(**files), lambda path: path)
    assert (len(both), said) == (2, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("agent: 1\n", ["BMC351 a/x.agent.yaml"]),
        ("- a\n", ["BMC351 a/x.agent.yaml"]),
        ("", ["BMC351 a/x.agent.yaml"]),
        ("agent:\n  menu:\n    - just words\n", ["BMC351 a/x.agent.yaml:3:5"]),
        ("agent:\n  menu:\n    - exec: x\n", ["BMC352 a/x.agent.yaml:3:5"]),
        ("agent:\n  menu:\n    - trigger: AB or so\n", ["BMC352 a/x.agent.yaml:3:5"]),
        ("agent:\n  menu:\n    - {trigger: A, exec: x, tmpl: y}\n", ["BMC353 a/x.agent.yaml:3:5"]),
        (
            "agent:\n  menu:\n    - {trigger: A, exec: x}\n    - {trigger: a b, exec: y}\n",
            ["BMC354 a/x.agent.yaml:4:5"],
        ),
        ("agent:\n  menu:\n    - {trigger: A, action: '#no'}\n", ["BMC355 a/x.agent.yaml:3:5"]),
        ("agent:\n  menu: 7\n  persona: [1]\n  prompts: [a]\n  critical_actions: {a: 1}\n", []),
    ],
)
def test_broken_agents_are_said_and_read_on(text: str, expected: list[str]) -> None:
    assert codes({"a/x.agent.yaml": text, "b/flora.agent.yaml": YAML}) == expected


def test_of_several_targets_the_first_of_the_order_counts() -> None:
    files = trees(
        **{"a/x.agent.yaml": "agent:\n  menu:\n    - {trigger: A, tmpl: y, exec: x, workflow: w}\n"}
    )
    found, _ = find_agents(files, lambda path: "gdn")
    assert (found[0].menu[0].kind, found[0].menu[0].target) == ("workflow", "w")


def test_a_skill_without_its_menu_is_said() -> None:
    files = {"s/x/SKILL.md": "# X\n", "s/x/bmad-skill-manifest.yaml": MANIFEST}
    assert codes(files) == ["BMC351 s/x/SKILL.md"]


def test_an_agent_without_a_face_gets_the_installers() -> None:
    (plain,) = agents({"a/x.agent.yaml": "agent:\n  metadata: {name: X}\n"})
    assert plain.icon == "🤖"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, ()),
        ("", ()),
        ("All of one.\nPiece.", ("All of one. Piece.",)),
        ("- One\n- Two - with a dash\n", ("One", "Two - with a dash")),
        ("- `code` first\n- 3 more\n", ("`code` first", "3 more")),
        (["One", "Two"], ("One Two",)),
        (["- One", "- Two"], ("One", "Two")),
    ],
)
def test_principles(value: object, expected: tuple[str, ...]) -> None:
    assert principles_of(value) == expected


def test_codes_of_triggers() -> None:
    assert [code_of(one) for one in ("DS or fuzzy", "qa", " *help x", "")] == ["DS", "qa", "help", ""]
