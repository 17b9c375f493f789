"""What it must show 5: what is malformed in the releases is reported at its line and still fully read.

The table holds all that the readers of files report about a release in source form. Each row is checked by a
plain search in the text as well, so a line here is wrong when either the table or the reader is.
"""

import re
from pathlib import PurePosixPath

import pytest

from bmadc.frontend.vocabulary import MARKDOWN_TAGS
from bmadc.ir.tree import Tree
from support.partition import faults
from support.releases import INSTALLED, SOURCE
from support.trees import roots, texts, tree_of

Lines = tuple[int, ...]

OLD = "bmm/workflows"
NEW = "bmm-skills"
DOCUMENT = "document-project"
RETRO = "4-implementation"
TYPES = "data/project-types.csv"
NEEDS = "documentation-requirements.csv"
SEVENTH = "steps-v/step-v-07"
LEAK = f"{OLD}/2-plan-workflows/create-prd/{SEVENTH}-implementation-leakage-validation.md"
FIRST = "steps/step-01"
EPICS = f"{OLD}/3-solutioning/create-epics-and-stories/{FIRST}-validate-prerequisites.md"
CONTEXT = "generate-project-context/project-context-template.md"
UX = "bmad-ux/assets/experience-example"
SHORT_ROWS = (3, 4, 5, 6, 12, 13, 14, 15, 18, 21, 22, 23, 24, 25, 26, 29, 30, 31, 32, 33)
FULL = "workflows/full-scan-instructions.md"

BETA, R601, R604, R610, R620, R630, R650, R680, R6100, R6110, R6120 = (
    "6.0.0-Beta.5",
    *("6.0.1", "6.0.4", "6.1.0", "6.2.0", "6.3.0", "6.5.0", "6.8.0", "6.10.0", "6.11.0", "6.12.0"),
)

# code, file, and per release the lines.
TABLE: tuple[tuple[str, str, dict[str, Lines]], ...] = (
    # A check that no closing tag ends before its step does.
    ("BMC311", f"{OLD}/{DOCUMENT}/instructions.md", {BETA: (62,), R601: (14,), R604: (14,), R610: (12,)}),
    ("BMC311", f"{OLD}/bmad-{DOCUMENT}/instructions.md", {R620: (12,)}),
    (
        "BMC311",
        f"{NEW}/1-analysis/bmad-{DOCUMENT}/instructions.md",
        dict.fromkeys((R630, R650, R680, R6100), (12,)),
    ),
    # The last step of a scan.
    ("BMC311", f"{OLD}/{DOCUMENT}/{FULL}", {BETA: (1054,), R601: (1054,), R604: (1054,), R610: (1053,)}),
    ("BMC311", f"{OLD}/bmad-{DOCUMENT}/{FULL}", {R620: (1055,)}),
    ("BMC311", f"{NEW}/1-analysis/bmad-{DOCUMENT}/{FULL}", dict.fromkeys((R630, R650, R680, R6100), (1055,))),
    # A comparison in an attribute.
    ("BMC313", f"{OLD}/{RETRO}/retrospective/instructions.md", {BETA: (344,), R601: (345,), R604: (345,)}),
    ("BMC313", f"{OLD}/{RETRO}/retrospective/workflow.md", {R610: (385,)}),
    ("BMC313", f"{OLD}/{RETRO}/bmad-retrospective/workflow.md", {R620: (379,)}),
    ("BMC313", f"{NEW}/{RETRO}/bmad-retrospective/workflow.md", {R630: (379,)}),
    ("BMC313", f"{NEW}/{RETRO}/bmad-retrospective/SKILL.md", {R650: (412,), R680: (412,), R6100: (413,)}),
    # An apostrophe with a backslash in single quotes.
    ("BMC315", LEAK, dict.fromkeys((BETA, R601, R604, R610, R620), (3,))),
    # One key twice.
    ("BMC315", EPICS, dict.fromkeys((BETA, R601, R604, R610), (20,))),
    # Placeholders in two pairs of braces, taken apart by a formatter or not.
    ("BMC315", f"{OLD}/{CONTEXT}", dict.fromkeys((BETA, R601, R604, R610), (6,))),
    ("BMC315", f"{OLD}/bmad-{CONTEXT}", {R620: (6,)}),
    ("BMC315", f"{NEW}/3-solutioning/bmad-{CONTEXT}", dict.fromkeys((R630, R650, R680, R6100), (6,))),
    ("BMC315", f"{OLD}/1-analysis/bmad-create-product-brief/product-brief.template.md", {R620: (4, 5)}),
    # List items that start with a placeholder.
    ("BMC315", f"{NEW}/2-plan-workflows/{UX}-mobile.md", {R680: (5,), R6100: (5,)}),
    ("BMC315", f"{NEW}/2-plan-workflows/{UX}-shadcn.md", {R680: (5,), R6100: (5,)}),
    ("BMC315", f"{NEW}/plan/{UX}-mobile.md", {R6110: (5,), R6120: (5,)}),
    ("BMC315", f"{NEW}/plan/{UX}-shadcn.md", {R6110: (5,), R6120: (5,)}),
    # Rows with a comma too few or too many.
    ("BMC319", "core/module-help.csv", dict.fromkeys((BETA, R601, R604, R610, R620), (2, 7))),
    ("BMC319", "core-skills/module-help.csv", {R630: tuple(range(3, 13)), R650: tuple(range(3, 14))}),
    ("BMC319", f"{NEW}/module-help.csv", {R630: SHORT_ROWS, R650: SHORT_ROWS, R680: (32,)}),
    (
        "BMC319",
        f"{OLD}/3-solutioning/create-architecture/{TYPES}",
        dict.fromkeys((BETA, R601, R604, R610), tuple(range(2, 8))),
    ),
    ("BMC319", f"{OLD}/3-solutioning/bmad-create-architecture/{TYPES}", {R620: tuple(range(2, 8))}),
    (
        "BMC319",
        f"{NEW}/3-solutioning/bmad-create-architecture/{TYPES}",
        dict.fromkeys((R630, R650, R680), tuple(range(2, 8))),
    ),
    ("BMC319", f"{OLD}/{DOCUMENT}/{NEEDS}", dict.fromkeys((BETA, R601, R604, R610), (2,))),
    ("BMC319", f"{OLD}/bmad-{DOCUMENT}/{NEEDS}", {R620: (2,)}),
    ("BMC319", f"{NEW}/1-analysis/bmad-{DOCUMENT}/{NEEDS}", dict.fromkeys((R630, R650, R680, R6100), (2,))),
)

# Files whose front matter is there and empty.
EMPTY = {R610: 1, R620: 11, R630: 3, R650: 3, R680: 3, R6100: 4, R6110: 4, R6120: 4}


def reported(tree: Tree) -> dict[str, Lines]:
    found: dict[str, list[int]] = {}
    for diagnostic in tree.diagnostics:
        assert diagnostic.span is not None
        found.setdefault(diagnostic.code, []).append(diagnostic.span.line)
    return {code: tuple(lines) for code, lines in found.items()}


def expected(version: str) -> dict[tuple[str, str], Lines]:
    return {(code, path): lines[version] for code, path, lines in TABLE if version in lines}


def trees(kind: str, name: str) -> dict[str, Tree]:
    return {text.path: tree_of(text)[0] for text in texts(roots(kind, name))}


def outside_fences(text: str) -> list[str]:
    """The lines of a text, empty where a fence or the front matter is."""
    lines = text.split("\n")
    fence = ""
    for number, line in enumerate(lines):
        mark = line.strip()
        if fence:
            lines[number] = ""
            if mark and not mark.strip(fence[0]) and len(mark) >= len(fence):
                fence = ""
        elif mark.startswith(("```", "~~~")) and mark[0] not in mark.lstrip(mark[0]):
            lines[number] = ""
            fence = mark[: len(mark) - len(mark.lstrip(mark[0]))]
    return lines


def widths(text: str) -> list[int]:
    """The number of fields of each line, by counting the commas that stand outside of quotes."""
    found = []
    for line in text.split("\n"):
        if line.strip():
            found.append(1 + sum(part.count(",") for part in line.split('"')[::2]))
    return found


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", SOURCE)
def test_show_5_all_that_is_malformed_is_reported_at_its_line(version: str) -> None:
    found = {
        (code, path): lines
        for path, tree in trees("source", version).items()
        for code, lines in reported(tree).items()
    }
    assert found == expected(version)


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", SOURCE)
def test_show_5_the_lines_are_those_that_a_plain_search_finds(version: str) -> None:
    read = trees("source", version)
    for (code, path), lines in expected(version).items():
        source = read[path].text.text.split("\n")
        if code == "BMC311":
            (line,) = lines
            name = "check" if path.endswith("/instructions.md") else "step"
            plain = outside_fences(read[path].text.text)
            assert plain[line - 1].startswith(f"<{name} ")
            opened = [number for number, one in enumerate(plain, 1) if re.search(rf"<{name}[ >]", one)]
            closed = [number for number, one in enumerate(plain, 1) if f"</{name}>" in one]
            assert len(opened) == len(closed) + 1
            # None of the same name opens behind it that is not closed, so it is this one.
            assert sum(n > line for n in opened) == sum(n > line for n in closed)
        elif code == "BMC313":
            assert lines == tuple(n for n, one in enumerate(source, 1) if re.search(r'="[^"]* < 1">', one))
        elif code == "BMC319":
            wide = widths(read[path].text.text)
            assert lines == tuple(n for n, width in enumerate(wide, 1) if width != wide[0])
        elif path == LEAK:
            assert lines == tuple(n for n, one in enumerate(source[:20], 1) if "\\'" in one)
        elif path == EPICS:
            assert lines == tuple(n for n, one in enumerate(source[:30], 1) if one.startswith("epicsT"))[1:]
        elif UX in path:
            assert (
                lines == tuple(n for n, one in enumerate(source[:20], 1) if one.strip().startswith("- {"))[:1]
            )
        else:
            end = source.index("---", 1)
            assert lines == tuple(n for n, one in enumerate(source[:end], 1) if re.search(r": \{ ?\{", one))


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", SOURCE)
def test_show_5_what_is_malformed_is_still_fully_read(version: str) -> None:
    read = trees("source", version)
    for (code, path), lines in expected(version).items():
        tree = read[path]
        assert faults(tree) == []
        if code in ("BMC311", "BMC313"):
            starts = {tree.line(leaf) for leaf in tree.leaves if leaf.kind == "tag"}
            behind = [
                number
                for number, line in enumerate(outside_fences(tree.text.text), 1)
                if number > lines[0]
                and (tag := re.match(r"\s*<([a-z-]+)[ >]", line))
                and tag[1] in MARKDOWN_TAGS
            ]
            assert behind or path.endswith(FULL)
            assert starts.issuperset(behind)
        elif code == "BMC319":
            assert [len(row) for row in tree.rows] == widths(tree.text.text)
        else:
            # Keys at the start of a line, in the order of the file, each once.
            end = tree.text.text.index("\n---", 3)
            keys = re.findall(r"^(\w+):", tree.text.text[:end], re.MULTILINE)
            assert [key for key, _ in tree.matter] == list(dict.fromkeys(keys))
            if PurePosixPath(path).name.startswith("step-") and "name" in keys:
                assert tree.matter_value("name") == PurePosixPath(path).stem
            assert (tree.fallback > 0) == (path == LEAK or UX in path)


@pytest.mark.needs("bmad-installed")
@pytest.mark.parametrize("name", INSTALLED)
def test_show_5_an_install_has_the_same_faults_as_its_source(name: str) -> None:
    found = {
        (code, PurePosixPath(path).name, line)
        for path, tree in trees("installed", name).items()
        for code, lines in reported(tree).items()
        for line in lines
    }
    version = name.removesuffix("-shims")
    wanted = {
        (code, PurePosixPath(path).name, line)
        for (code, path), lines in expected(version).items()
        for line in lines
    }
    assert found == wanted


@pytest.mark.needs("bmad-releases")
@pytest.mark.parametrize("version", SOURCE)
def test_show_5_an_empty_front_matter_takes_nothing_of_the_body(version: str) -> None:
    empty = {
        path: tree
        for path, tree in trees("source", version).items()
        if path.endswith(".md") and tree.text.text.startswith("---\n---\n")
    }
    assert len(empty) == EMPTY.get(version, 0)
    for tree in empty.values():
        assert [leaf.kind for leaf in tree.leaves[:2]] == ["delimiter", "delimiter"]
        assert (tree.leaves[1].end, tree.matter) == (7, ())
        headings = [
            n for n, line in enumerate(outside_fences(tree.text.text), 1) if re.match(r"#{1,6} ", line)
        ]
        assert headings
        assert [tree.line(leaf) for leaf in tree.leaves if leaf.kind == "heading"] == headings
