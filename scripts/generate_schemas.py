"""Writes the JSON Schemas that are derived from tables and records: schemas/*.schema.json."""

import json
from collections.abc import Mapping
from pathlib import Path

from bmadc import project
from bmadc.backend import manifest
from bmadc.ir import packschema
from bmadc.machine import config

SCHEMAS = Path(__file__).resolve().parents[1] / "schemas"


def text(schema: Mapping[str, object]) -> str:
    """A schema as committed."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    (SCHEMAS / "bmad-config.schema.json").write_text(text(config.schema()), encoding="utf-8")
    (SCHEMAS / "pack.schema.json").write_text(text(packschema.schema()), encoding="utf-8")
    (SCHEMAS / "bmadc.schema.json").write_text(project.schema_text(), encoding="utf-8")
    (SCHEMAS / "manifest.schema.json").write_text(text(manifest.schema()), encoding="utf-8")
