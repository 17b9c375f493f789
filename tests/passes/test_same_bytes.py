"""What is emitted does not depend on the order in which Python happens to keep a set."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

CODE = """
import sys
from hashlib import sha256
sys.path.insert(0, sys.argv[1])
from bmadc.passes.lower import lower_all
from support.readings import source_pack
said = sha256()
for release in sys.argv[2:]:
    for id_, one in sorted(lower_all(source_pack(release))[0].items()):
        for part in one.parts:
            said.update(part.text.encode())
        for entry in one.entries:
            said.update(repr(entry).encode())
print(said.hexdigest())
"""


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("releases", [("6.0.4", "6.2.0"), ("6.8.0", "6.12.0")])
def test_two_orders_of_sets_give_the_same_bytes(releases: tuple[str, ...]) -> None:
    tests = str(Path(__file__).resolve().parents[1])
    given = set()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", CODE, tests, *releases],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        given.add(done.stdout)
    assert len(given) == 1
