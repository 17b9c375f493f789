"""Writes the JSON Schemas that are derived from tables: schemas/bmad-config.schema.json."""

import json
from pathlib import Path

from bmadc.machine.config import schema

TARGET = Path(__file__).resolve().parents[1] / "schemas" / "bmad-config.schema.json"


def text() -> str:
    """The schema of a target repository's settings, as committed."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
