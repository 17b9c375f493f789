"""The schema of bmadc.lock.json is what is committed, and manifests are of that form."""

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from bmadc.backend import manifest
from bmadc.ghaw.engines import ENGINES
from bmadc.hashes import settings_hash
from bmadc.machine.choices import Choices, Override
from bmadc.machine.wiring import MANUAL
from bmadc.project import Project

ROOT = Path(__file__).resolve().parents[2]


def schema() -> Any:
    return json.loads((ROOT / "schemas" / "manifest.schema.json").read_text(encoding="utf-8"))


def test_the_committed_schema_is_the_one_of_the_code() -> None:
    assert schema() == json.loads(json.dumps(manifest.schema())), "run `make goldens`"


def test_the_manifest_of_the_house_pack_has_that_form() -> None:
    found = json.loads((ROOT / manifest.FILE).read_text(encoding="utf-8"))
    check = jsonschema.Draft202012Validator(schema())
    check.validate(found)
    assert set(found) == set(schema()["properties"])
    for broken in ({"format": 2}, {"settings": "x"}, {"outputs": {"a": "b"}}, {"edges": [{"from": "x"}]}):
        with pytest.raises(jsonschema.ValidationError):
            check.validate(copy.deepcopy(found) | broken)


def test_only_what_a_project_chooses_decides_the_hash_of_its_settings() -> None:
    plain = settings_hash(Project())
    assert settings_hash(Project(source="vendor/bmad", out="packs")) == plain
    chosen = (
        Project(method="ours"),
        Project(choices=Choices(engine=ENGINES["codex"])),
        Project(choices=Choices(wiring=MANUAL)),
        Project(choices=Choices(stacks=("go",))),
        Project(choices=Choices(ci=("ci.yml",))),
        Project(workflows={"dev-story": Override(timeout_minutes=5)}),
        Project(workflows={"code-review": Override(timeout_minutes=5)}),
    )
    assert len({plain, *map(settings_hash, chosen)}) == 1 + len(chosen)
