"""Any row of the catalogue as a workflow with a short body of ours: for what does not depend on a source."""

from __future__ import annotations

from bmadc.backend.agentic import Contents, frontmatter
from bmadc.backend.assemble import item_of
from bmadc.backend.pack import plain_texts
from bmadc.backend.yamltext import dump
from bmadc.machine.catalogue import SPINE, Row
from bmadc.machine.choices import Choices
from bmadc.machine.wiring import Wiring


def document(row: Row, wiring: Wiring, body: str = "") -> str:
    """Return a workflow whose body is given, or says only which item it is about."""
    head = dump(frontmatter(row, Choices(wiring=wiring), Contents(row.purpose)))
    return (
        f"---\n{head}---\n\n{body or f'# {row.title}{chr(10)}{chr(10)}Your work is {item_of(row)}.{chr(10)}'}"
    )


def pack(wiring: Wiring, rows: tuple[Row, ...] = SPINE) -> dict[str, str]:
    """Return rows with short bodies, and the workflows without a model, by file name."""
    files = {row.document: document(row, wiring) for row in rows}
    return dict(sorted((files | plain_texts(Choices(wiring=wiring))).items()))
