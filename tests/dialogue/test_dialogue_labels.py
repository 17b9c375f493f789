"""The labels of dialogue are of real units, drawn and not chosen."""

import sys
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "scripts"))

CLASSES = {"decide", "derive", "block", "arm", "rule", "none"}


def labels() -> dict[str, str]:
    found: dict[str, str] = tomllib.loads((HERE / "labels.toml").read_text(encoding="utf-8"))["labels"]
    return found


def test_every_label_is_a_class() -> None:
    assert set(labels().values()) == CLASSES
    assert len(labels()) == 150
    print(Counter(labels().values()))


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("every release")
def test_the_labelled_units_are_the_ones_that_were_drawn() -> None:
    script = import_module("sample_dialogue")
    assert [unit.hash for unit in script.draw(150)] == list(labels())
