"""What zizmor says about workflows; a test that asks carries `needs("zizmor")`."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path


def medium_or_above(texts: dict[str, str], folder: Path) -> dict[str, Counter[str]]:
    """What zizmor finds in each file, as `audit at severity`."""
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    zizmor = Path(sys.executable).parent / "zizmor"
    flags = ("--offline", "--no-progress", "--no-config", "--format", "json", "--min-severity", "medium")
    done = subprocess.run([zizmor, *flags, *texts], cwd=folder, capture_output=True, check=False, text=True)
    assert done.stdout, done.stderr
    found: dict[str, Counter[str]] = {name: Counter() for name in texts}
    for finding in json.loads(done.stdout):
        name = Path(finding["locations"][0]["symbolic"]["key"]["Local"]["verbatim_path"]).name
        found[name][f"{finding['ident']} at {finding['determinations']['severity']}"] += 1
    return found
