"""Two small BMAD trees in our own words, an old one and a new one: the soil for mutations."""

# Column by column: its name and the value of the first row.
_OLD_ROW = (
    *(("module", "core"), ("phase", "anytime"), ("name", "Sow"), ("code", "SW"), ("sequence", "10")),
    *(
        ("workflow-file", "_bmad/core/workflows/sow/workflow.yaml"),
        ("command", "bmad-sow"),
        ("required", "false"),
    ),
    *(("agent", "farmer"), ("options", ""), ("description", '"Sows, then waters"')),
    *(("output-location", "out"), ("outputs", "rows")),
)
_NEW_ROW = (
    *(("module", "Core"), ("skill", "bmad-sow"), ("display-name", "Sow"), ("menu-code", "SW")),
    *(
        ("description", "Sows."),
        ("action", "dig"),
        ("args", "deep"),
        ("phase", "anytime"),
        ("preceded-by", "rain"),
    ),
    *(("followed-by", "sun"), ("required", "false"), ("output-location", "out"), ("outputs", "rows")),
)


def _table(row: tuple[tuple[str, str], ...]) -> str:
    return "".join(",".join(pair[at] for pair in row) + "\n" for at in (0, 1))


OLD: dict[str, str] = {
    "src/core/module.yaml": (
        "code: core\nname: Barn\nuser_name:\n  prompt: Who?\n  default: Ada\n  result: '{value}'\n"
    ),
    "src/core/module-help.csv": _table(_OLD_ROW) + "core,anytime,Short,SH\n",
    "src/core/agents/farmer.agent.yaml": (
        "agent:\n"
        "  metadata:\n"
        "    id: _bmad/core/agents/farmer.md\n"
        "    name: Ada\n"
        "    title: Farmer\n"
        "    icon: '*'\n"
        "    module: core\n"
        "  persona:\n"
        "    role: Grows things\n"
        "    identity: |\n"
        "      Knows rain.\n"
        "      Knows soil.\n"
        "    communication_style: Short\n"
        "    principles:\n"
        "      - Water first\n"
        "      - Weed later\n"
        "  critical_actions:\n"
        "    - Load the calendar\n"
        "  menu:\n"
        "    - trigger: SW or fuzzy match on sow\n"
        "      workflow: '{project-root}/_bmad/core/workflows/sow/workflow.yaml'\n"
        "      description: '[SW] Sow'\n"
        "    - trigger: TK\n"
        "      exec: '{project-root}/_bmad/core/tasks/dig.xml'\n"
        "      description: '[TK] Dig'\n"
    ),
    "src/core/workflows/sow/workflow.yaml": (
        "name: sow\n"
        "description: 'Sow a row'\n"
        "config_source: '{project-root}/_bmad/core/config.yaml'\n"
        "installed_path: '{project-root}/_bmad/core/workflows/sow'\n"
        "instructions: '{installed_path}/instructions.md'\n"
        "template: '{installed_path}/template.md'\n"
        "checklist: '{installed_path}/checklist.md'\n"
    ),
    "src/core/workflows/sow/instructions.md": (
        "# Sow\n"
        "\n"
        "<critical>Never sow in frost</critical>\n"
        "<workflow>\n"
        "\n"
        "<step n=\"1\" goal='Look at the sky'>\n"
        "  <action>Read {calendar}</action>\n"
        '  <check if="rain < 3 &amp; sun">\n'
        "    <ask>Shall we? [y/n]</ask>\n"
        "    <goto step='2'/>\n"
        "  </check>\n"
        "  <!-- why -->\n"
        "</step>\n"
        "\n"
        '<step n="2" goal="Sow">\n'
        "<output>**Done** {{rows}}\n"
        "\n"
        "- one `<step>`\n"
        "  1. two\n"
        "\n"
        "| a | b |\n"
        "|---|---|\n"
        "| 1 | 2 |\n"
        "</output>\n"
        "<template-output>rows</template-output>\n"
        "```xml\n"
        "<step>\n"
        "```\n"
        "<invoke-task>Run _bmad/core/tasks/dig.xml</invoke-task>\n"
        "</step>\n"
        "</workflow>\n"
    ),
    "src/core/workflows/sow/checklist.md": (
        "# Check\n\n- [ ] Soil is wet\n- [x] Seeds are in\n  > note\n\n---\n"
    ),
    "src/core/workflows/sow/template.md": (
        "---\ntitle: '{{title}}'\n---\n\n# {{title}}\n\n{{#if rows}}\nrows\n{{/if}}\n"
    ),
    "src/core/workflows/reap/workflow.md": (
        "---\n"
        "name: reap\n"
        "description: Reap in steps\n"
        "---\n"
        "\n"
        "# Reap\n"
        "\n"
        "Read `./steps/step-01-cut.md` and follow it.\n"
    ),
    "src/core/workflows/reap/steps/step-01-cut.md": (
        "---\n"
        "name: 'step-01-cut'\n"
        "nextStepFile: './step-02-bind.md'\n"
        "---\n"
        "\n"
        "# Step 1: Cut\n"
        "\n"
        "## MENU\n"
        "\n"
        "Display: **Select:** [A] Again [C] Continue\n"
        "\n"
        "- IF C: load {nextStepFile}\n"
    ),
    "src/core/workflows/reap/steps/step-02-bind.md": ("---\n---\n\n# Step 2: Bind\n\nHALT and wait.\n"),
    "src/core/tasks/dig.xml": (
        '<?xml version="1.0"?>\n'
        '<task id="dig" name="Dig">\n'
        '  <llm critical="true"><i>All of it</i></llm>\n'
        "  <flow>\n"
        "    <step n=\"1\"><action if='a &lt; b'>Dig</action></step>\n"
        "  </flow>\n"
        "</task>\n"
    ),
    "src/core/workflows/reap/data/tools.csv": ('tool,use\nscythe,"cut, long"\nsickle,"cut\nshort"\nrope\n'),
}

NEW: dict[str, str] = {
    "_bmad/_config/manifest.yaml": (
        "installation:\n"
        "  version: 6.12.0\n"
        "modules:\n"
        "  - name: core\n"
        "    version: 6.12.0\n"
        "    source: built-in\n"
        "ides:\n"
        "  - claude-code\n"
    ),
    "_bmad/_config/skill-manifest.csv": (
        "canonicalId,name,description,module,path\n"
        '"bmad-sow","bmad-sow","Sow, then water","core","_bmad/core/bmad-sow/SKILL.md"\n'
        '"bmad-agent-farmer","bmad-agent-farmer","Farmer","core",'
        '"_bmad/core/bmad-agent-farmer/SKILL.md"\n'
    ),
    "_bmad/core/config.yaml": ("user_name: Ada\noutput_folder: '{project-root}/out'\n"),
    "_bmad/core/module-help.csv": _table(_NEW_ROW)
    + "Core,bmad-gone,Gone,GO,Short.,,anytime,,,false,out,rows\n",
    "_bmad/config.toml": (
        '[core]\nuser_name = "Ada"\noutput_folder = "{project-root}/out"\n[agents.farmer]\nname = "Ada"\n'
    ),
    "_bmad/custom/bmad-sow.toml": (
        '[workflow]\npersistent_facts = ["file:{project-root}/a.md"]\non_complete = """\nRest.\n"""\n'
    ),
    ".claude/skills/bmad-sow/SKILL.md": (
        "---\n"
        "name: bmad-sow\n"
        "description: Sow a row.\n"
        "---\n"
        "\n"
        "# Sow\n"
        "\n"
        "## On Activation\n"
        "\n"
        "1. Load `{workflow.on_complete}`\n"
        "2. Greet {user_name}\n"
        "\n"
        "Then follow `./step-01-look.md`.\n"
        "\n"
        "- {workflow.persistent_facts}\n"
    ),
    ".claude/skills/bmad-sow/step-01-look.md": (
        "---\n---\n\n# Step 1: Look\n\n<frozen-after-approval>\nSky\n</frozen-after-approval>\n"
    ),
    ".claude/skills/bmad-sow/customize.toml": (
        "[workflow]\n"
        "activation_steps_prepend = []\n"
        "persistent_facts = [\n"
        '  "file:{project-root}/**/a.md",\n'
        "]\n"
        'on_complete = ""\n'
    ),
    ".claude/skills/bmad-agent-farmer/SKILL.md": (
        "---\n"
        "name: bmad-agent-farmer\n"
        "description: A farmer.\n"
        "---\n"
        "\n"
        "# Ada\n"
        "\n"
        "## Identity\n"
        "\n"
        "You are Ada.\n"
        "\n"
        "| Code | What | Skill |\n"
        "|---|---|---|\n"
        "| SW | Sow | bmad-sow |\n"
    ),
    ".claude/skills/bmad-agent-farmer/customize.toml": (
        "[agent]\n"
        'name = "Ada"\n'
        'title = "Farmer"\n'
        'icon = "*"\n'
        'role = "Grows"\n'
        'principles = ["Water first"]\n'
        "\n"
        "[[agent.menu]]\n"
        'code = "SW"\n'
        'description = "Sow"\n'
        'skill = "bmad-sow"\n'
        "\n"
        "[[agent.menu]]\n"
        'code = "PR"\n'
        'description = "Ask"\n'
        "prompt = '''\n"
        "Ask with `bmad-sow`.\n"
        "'''\n"
    ),
}
