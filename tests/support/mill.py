"""A small module in the format of BMAD 6.0, in our own words: workflow.yaml, variants, tasks, an agent."""

from collections.abc import Mapping
from pathlib import Path

from support.helptable import OLD, help_table

MILL: Mapping[str, str] = {
    "mill/module.yaml": "code: mill\nname: Mill\n",
    "mill/module-help.csv": help_table(
        OLD,
        {
            "phase": "2-grinding",
            "name": "Grind",
            "code": "GR",
            "workflow-file": "_bmad/mill/workflows/2-grinding/grind/workflow.yaml",
        },
    ),
    "mill/agents/miller.agent.yaml": (
        "agent:\n"
        "  metadata:\n    id: _bmad/mill/agents/miller.md\n    name: Anton\n    title: Miller\n    icon: 🌾\n"
        "    module: mill\n"
        "  persona:\n    role: Grinds what comes\n    identity: Third of his line\n"
        "    communication_style: Slow and sure\n    principles: |\n"
        "      - Dry corn only\n      - Stop for the wind\n"
        "  critical_actions:\n    - Look at the stones first\n"
        "  menu:\n"
        "    - trigger: GR or fuzzy match on grind\n"
        '      workflow: "{project-root}/_bmad/mill/workflows/2-grinding/grind/workflow.yaml"\n'
        '      data: "{project-root}/_bmad/mill/data/sieves.csv"\n'
        '      description: "[GR] Grind"\n'
        "    - trigger: SK or fuzzy match on sack\n"
        '      exec: "{project-root}/_bmad/mill/workflows/2-grinding/sacks/workflow-fill-sack.md"\n'
        '      description: "[SK] Fill a sack"\n'
        "    - trigger: XX or fuzzy match on nothing\n"
        '      exec: "{project-root}/_bmad/mill/workflows/2-grinding/gring/workflow.md"\n'
        '      description: "[XX] Not there"\n'
    ),
    "mill/data/sieves.csv": "name,width\nfine,1\ncoarse,4\n",
    "mill/workflows/2-grinding/grind/workflow.yaml": (
        "name: grind\ndescription: Grind the corn\n"
        'installed_path: "{project-root}/_bmad/mill/workflows/2-grinding/grind"\n'
        'instructions: "{installed_path}/instructions.xml"\nvalidation: "{installed_path}/checklist.md"\n'
        "template: false\n"
    ),
    "mill/workflows/2-grinding/grind/instructions.xml": (
        '<workflow>\n  <step n="1" goal="Look at the wind">\n'
        '    <check if="the wind is strong"><goto step="3" /></check>\n'
        '    <ask>Is the corn dry?</ask>\n    <goto anchor="stones" />\n  </step>\n'
        '  <step n="2" goal="Grind"><anchor id="stones" />\n'
        "    <action>Read fully and follow: {project-root}/_bmad/mill/tasks/clean.xml</action>\n  </step>\n"
        '  <step n="0.5" goal="Warm up"><action>Turn once</action></step>\n'
        '  <step n="20" goal="Count mode"><template-output file="{sacks}">count</template-output></step>\n'
        '  <goto step="9">nowhere</goto>\n</workflow>\n'
    ),
    "mill/workflows/2-grinding/grind/checklist.md": "# Done?\n\n- [ ] stones clean\n- [x] corn weighed\n",
    "mill/workflows/2-grinding/grind/notes.md": "# Notes of somebody\n",
    "mill/workflows/2-grinding/sacks/workflow-fill-sack.md": (
        "---\nname: fill-sack\ndescription: Fill a sack\n---\n\n# Fill\n\n"
        "- `label` = `{project-root}/_bmad/mill/data/sieves.csv`\n\n"
        "Read fully and follow: `./steps-f/step-01-open.md`\n"
    ),
    "mill/workflows/2-grinding/sacks/workflow-check-sack.md": (
        "---\nname: check-sack\ndescription: Check a sack\n---\n\n# Check\n\n"
        "Load `./steps-k/step-01-weigh.md`.\n"
    ),
    "mill/workflows/2-grinding/sacks/steps-f/step-01-open.md": (
        "---\nname: 'step-01-open'\nnextStepFile: './step-02a-full.md'\n"
        "altStepFile: './step-03-patch.md'\n---\n\n"
        "# Step 1: Open the sack\n\nMenu: [A] All [H] Half\n\nThen load `./step-02a-full.md`.\n"
        "If it has a hole, load `./step-03-patch.md`.\n"
    ),
    "mill/workflows/2-grinding/sacks/steps-f/step-01b-continue.md": "# Step 1b: Go on with a sack\n",
    "mill/workflows/2-grinding/sacks/steps-f/step-02a-full.md": "# Step 2a: Full\n\nSure? (y/n)\n",
    "mill/workflows/2-grinding/sacks/steps-f/step-02b-half.md": "# Step 2b: Half\n",
    "mill/workflows/2-grinding/sacks/steps-f/step-03-patch.md": "# Step 3: Patch the sack\n",
    "mill/workflows/2-grinding/sacks/steps-f/step-10-tie.md": (
        "# Step 10: Tie\n\nAfter it, [V] validate: load `../steps-k/step-01-weigh.md`\n"
    ),
    "mill/workflows/2-grinding/sacks/steps-k/step-01-weigh.md": "# Step 1: Weigh\n",
    "mill/tasks/clean.xml": (
        '<task id="_bmad/mill/tasks/clean.xml" name="Clean" description="Clean the stones">\n'
        '  <flow><step n="1" title="Brush"><action>Brush twice</action></step></flow>\n</task>\n'
    ),
    "core/module.yaml": "code: core\nname: Core\n",
    "core/tasks/workflow.xml": '<task id="_bmad/core/tasks/workflow.xml" name="Engine"><flow /></task>\n',
    "utility/parts.txt": "A part of the engine.\n",
}


def write_mill(folder: Path, more: Mapping[str, str | None] | None = None) -> Path:
    """Write the source tree into a folder, with files more or other, or without some, and return it."""
    for name, text in {**{f"src/{path}": text for path, text in MILL.items()}, **(more or {})}.items():
        if text is None:
            (folder / name).unlink(missing_ok=True)
            continue
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder
