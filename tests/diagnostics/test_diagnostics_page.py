"""docs/diagnostics.md and the registry name the same codes in the same words."""

import re
from pathlib import Path

from bmadc.diagnostics.codes import CODES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "diagnostics.md"


def test_the_page_has_one_full_row_per_code() -> None:
    rows = re.findall(r"^\| (BMC\d+) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = {code: [cell.strip() for cell in rest.split(" | ")] for code, rest in rows}
    assert len(cells) == len(rows)
    assert {code: found[0] for code, found in cells.items()} == CODES
    assert all(len(found) == 3 and all(found) for found in cells.values())
