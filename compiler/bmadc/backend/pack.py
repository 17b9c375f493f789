"""A whole pack: every file of it, by the name it has in `.github/workflows`."""

from bmadc.backend.agentic import Contents, frontmatter
from bmadc.backend.body import body
from bmadc.backend.plain import RESUME, RESUME_COMMAND, SWEEPER, resume, resume_command, sweeper
from bmadc.backend.yamltext import dump
from bmadc.machine.catalogue import SPINE, Row
from bmadc.machine.choices import Choices
from bmadc.machine.wiring import Wiring


def document(row: Row, wiring: Wiring, text: str) -> str:
    """A workflow whose body is given."""
    head = dump(frontmatter(row, Choices(wiring=wiring), Contents(row.purpose)))
    return f"---\n{head}---\n\n{text}"


def pack(wiring: Wiring) -> dict[str, str]:
    """The texts of all workflows in one wiring, sorted by file name."""
    files = {row.document: document(row, wiring, body(row)) for row in SPINE}
    files |= {
        RESUME: resume(wiring),
        RESUME_COMMAND: resume_command(wiring),
        SWEEPER: sweeper(wiring),
    }
    return dict(sorted(files.items()))
