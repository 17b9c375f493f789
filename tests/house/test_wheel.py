"""The wheel carries everything that bmadc needs: what it emits is the same as from the source tree."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

EMIT = """
import sys
sys.path.insert(0, sys.argv[1])
import bmadc
assert bmadc.__file__.startswith(sys.argv[1]), bmadc.__file__
from support.spinepack import pack
from bmadc.machine.wiring import BUS
for name, text in pack(BUS).items():
    sys.stdout.write(f"{name}\\n{text}")
"""


def test_a_pack_from_the_wheel_is_the_pack_from_the_tree(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(unpacked)
    assert (unpacked / "bmadc" / "schemas" / "bmad-config.schema.json").is_file()
    emitted = subprocess.run(
        [sys.executable, "-c", EMIT, str(unpacked)], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    goldens = ROOT / "tests" / "goldens" / "spine" / "bus"
    files = sorted(goldens.iterdir(), key=lambda file: file.name)
    assert emitted == "".join(f"{file.name}\n{file.read_text(encoding='utf-8')}" for file in files)
