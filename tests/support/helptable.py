"""Help tables for trees of our own: each column stands beside what a row has there if it says nothing."""

from collections.abc import Mapping

# Of BMAD 6.7 and later.
NEW: Mapping[str, str] = {
    "module": "Hut",
    "skill": "x",
    "display-name": "X",
    "menu-code": "XX",
    "description": "Do it",
    "action": "",
    "args": "-",
    "phase": "keep",
    "preceded-by": "",
    "followed-by": "",
    "required": "false",
    "output-location": "",
    "outputs": "dust",
}

# Of BMAD 6.0 to 6.2; the header ends with a comma.
OLD: Mapping[str, str] = {
    "module": "mill",
    "phase": "grinding",
    "name": "X",
    "code": "XX",
    "sequence": "10",
    "workflow-file": "x.yaml",
    "command": "x",
    "required": "true",
    "agent": "miller",
    "options": "",
    "description": "Do it",
    "output-location": "sacks",
    "outputs": "flour",
    "": "",
}


def help_table(columns: Mapping[str, str], *rows: Mapping[str, str]) -> str:
    """Return a help table with these rows; what a row does not say has the column's usual value."""
    lines = [tuple(columns), *(tuple({**columns, **row}.values()) for row in rows)]
    return "".join(",".join(line) + "\n" for line in lines)
