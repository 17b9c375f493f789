"""Small packs for gh-aw, and stand-ins for gh-aw itself where the real one cannot be made to misbehave.

A test that uses `GH_AW` carries `@pytest.mark.needs("gh-aw")`.
"""

from collections.abc import Mapping
from pathlib import Path

from bmadc.ghaw.vocabulary.pin import RELEASE

GH_AW = Path(__file__).resolve().parents[2] / ".tools" / "bin" / "gh-aw"


def document(title: str = "Greet", extra: str = "") -> str:
    """Return a workflow that gh-aw accepts without a word, with more front matter if wanted."""
    return (
        "---\n"
        "on:\n"
        "  workflow_dispatch:\n"
        "permissions:\n"
        "  contents: read\n"
        "engine: claude\n"
        f"{extra}"
        "---\n"
        "\n"
        f"# {title}\n"
        "\n"
        "Say good morning.\n"
    )


def write_pack(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a folder, making it, and return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return folder


def stand_in(folder: Path, compile_script: str, *, release: str = RELEASE) -> Path:
    """Return an executable that claims to be a release of gh-aw and runs a bash script to compile."""
    path = folder / "gh-aw"
    path.write_text(
        "#!/bin/bash\n"
        f'if [ "$1" = version ]; then echo "gh aw version {release}" >&2; exit 0; fi\n'
        f"{compile_script}\n",
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path
