"""A whole pack: every file of it, by the name it has in `.github/workflows`."""

from bmadc.backend.agentic import document
from bmadc.backend.plain import RESUME, RESUME_COMMAND, SWEEPER, resume, resume_command, sweeper
from bmadc.machine.catalogue import ROWS
from bmadc.machine.wiring import Wiring


def pack(wiring: Wiring) -> dict[str, str]:
    """The texts of all workflows in one wiring, sorted by file name."""
    files = {row.document: document(row, wiring) for row in ROWS}
    files |= {
        RESUME: resume(wiring),
        RESUME_COMMAND: resume_command(wiring),
        SWEEPER: sweeper(wiring),
    }
    return dict(sorted(files.items()))
