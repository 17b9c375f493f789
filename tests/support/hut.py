"""A small module of BMAD in our own words: an agent, two workflows, an orphan, a thing to mend."""

from collections.abc import Mapping
from pathlib import Path

from support.helptable import NEW, help_table

HUT: Mapping[str, str] = {
    "module.yaml": "code: hut\nname: Hut keeping\n",
    "module-help.csv": help_table(
        NEW,
        {"skill": "hut-sweep", "display-name": "Sweep", "menu-code": "SW", "required": "true"},
        {"skill": "hut-stove", "display-name": "Stove", "menu-code": "ST", "outputs": "fire"},
    ),
    "hut-agent-keeper/SKILL.md": (
        "---\nname: hut-agent-keeper\ndescription: Keeps the hut\n---\n\n# Keeper\n\nKeep the hut warm.\n"
    ),
    "hut-agent-keeper/customize.toml": (
        '[agent]\nname = "Resi"\ntitle = "Hut keeper"\nicon = "🏔"\nrole = "Keeps the hut"\n'
        'identity = "Forty summers above the trees"\ncommunication_style = "Short"\n'
        'principles = ["Wood first", "No guest leaves cold"]\n'
        '\n[[agent.menu]]\ncode = "SW"\ndescription = "Sweep"\nskill = "hut-sweep"\n'
    ),
    "hut-sweep/SKILL.md": (
        "---\nname: hut-sweep\ndescription: Sweep the floor of the hut\n---\n\n# Sweep\n\n"
        "Follow `steps/step-01-look.md`.\n"
    ),
    "hut-sweep/steps/step-01-look.md": (
        "# Step 1: Look around\n\n- [ ] chairs up\n- [ ] door open\n\n"
        "Offer: [S] Sweep [W] Wait\n\nThen read `step-02-sweep.md`.\n"
    ),
    "hut-sweep/steps/step-02-sweep.md": (
        '# Step 2: Sweep\n\n<step n="1" goal="Corners">\n<action>Begin behind the stove</action>\n'
        '<check if="the dust is wet">\n<action>Wait for the sun</action>\n</check>\n</step>\n'
    ),
    "hut-stove/SKILL.md": (
        "---\nname: hut-stove\ndescription: Light the stove\n---\n\n# Stove\n\nTwo logs and paper.\n"
    ),
}

BROKEN: Mapping[str, str] = {
    "hut-stove/SKILL.md": (
        "---\nname: hut-stove\ndescription: 'the keeper\\'s stove'\n---\n\n# Stove\n\nTwo logs and paper.\n"
    )
}


def write_hut(folder: Path, more: Mapping[str, str] | None = None) -> Path:
    """Write the module into a folder, with some files more or other, and return the folder."""
    for name, text in {**HUT, **(more or {})}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    return folder
