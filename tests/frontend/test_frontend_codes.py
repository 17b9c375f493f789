"""Every code that the readers can say is provoked by a test of theirs."""

from pathlib import Path

from bmadc.diagnostics.codes import CODES

TESTS = Path(__file__).resolve().parents[1]
ROOMS = ("frontend", "ir", "source", "cli")


def test_every_code_of_the_source_stands_in_a_test() -> None:
    texts = [
        path.read_text(encoding="utf-8")
        for room in ROOMS
        for path in sorted((TESTS / room).glob("test_*.py"))
    ]
    codes = [code for code in CODES if code.startswith("BMC3")]
    assert len(codes) > 50
    assert [code for code in codes if not any(code in text for text in texts)] == []
