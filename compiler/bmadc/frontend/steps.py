"""The steps of a workflow, from step files, step tags and step headings, in the order of the source."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from bmadc.frontend.units import folder_of
from bmadc.ir.model import Origin, Step
from bmadc.ir.tree import Tree, normal

STEP_FILE = re.compile(
    r"step-(?:(?P<mode>[a-z])-)?(?:(?P<number>\d+)(?P<letter>[a-z])?(?:-(?P<slug>[\w-]+))?|(?P<word>[a-z][\w-]+))\.md"
)

_RESUME = re.compile(r"continue|resume")
_HEADING = re.compile(r"(?i)step\s+(?P<number>\d+(?:\.\d+)?[a-z]?)\b[\s:.—–-]*(?P<title>.*)")
_LEAD = re.compile(r"(?i)^step\s+[\w.-]*\d+[a-z]?\s*(?:of\s+\d+)?[\s:.—–-]*")

# What a skill does before its own work; its steps are not the workflow's.
_ACTIVATION = "On Activation"

# In sprint-status and its like the tags 20 and 30 are modes of their own: nobody comes there from step 9.
_JUMP = 8


def is_step_file(path: str) -> bool:
    """Whether a file's name says that it is a step."""
    return STEP_FILE.fullmatch(path.rpartition("/")[2]) is not None


def file_steps(
    paths: Iterable[str], trees: Mapping[str, Tree], leads_to: Mapping[str, tuple[str, ...]]
) -> tuple[Step, ...]:
    """Return the steps that are files of their own; `leads_to` says which files each one names."""
    found = sorted((path for path in paths if is_step_file(path)), key=_order)
    detours = _detours(found, trees, leads_to)
    steps = []
    for path in found:
        name = STEP_FILE.fullmatch(path.rpartition("/")[2])
        assert name is not None
        tree = trees[path]
        number = f"{name['number'] or ''}{name['letter'] or ''}" or (name["word"] or "")
        role: str = "step"
        if name["letter"] and _RESUME.search(name["slug"] or ""):
            role = "resume"
        elif _is_alternative(path, found):
            role = "alternative"
        elif path in detours:
            role = "detour"
        elif not name["number"]:
            role = "alternative"
        line, title = _title(tree)
        onward = tuple(one for one in leads_to.get(path, ()) if is_step_file(one) and one != path)
        steps.append(Step(number, title, "file", Origin(path, line), role, next=onward))  # type: ignore[arg-type]
    return tuple(steps)


def tag_steps(tree: Tree) -> tuple[Step, ...]:
    """Return the steps that are tags of one file; steps within steps have a depth."""
    steps: list[Step] = []
    before: dict[int, float] = {}
    for block in tree.blocks:
        if block.kind != "tag" or block.name not in ("step", "substep"):
            continue
        depth = sum(
            1
            for outer in tree.around(block.parent)
            if tree.blocks[outer].kind == "tag" and tree.blocks[outer].name in ("step", "substep")
        )
        number = block.attribute("n") or ""
        condition = block.attribute("if") or ""
        steps.append(
            Step(
                number,
                normal(block.attribute("goal") or block.attribute("title") or ""),
                "tag",
                Origin(tree.path, tree.line(tree.leaves[block.first])),
                "detour" if condition else "step",
                condition=condition,
                tag=block.attribute("tag") or "",
                depth=depth,
            )
        )
        value = _value(number)
        if depth in before and value - before[depth] > _JUMP:
            steps[-1] = replace(steps[-1], role="entry")
        elif value >= 0:
            before[depth] = value
    return tuple(steps)


def heading_steps(tree: Tree) -> tuple[Step, ...]:
    """Return the steps that are headings of one file, such as `Step 3: Review`."""
    steps = []
    for block in tree.blocks:
        found = _HEADING.match(block.name) if block.kind == "section" else None
        if found and not any(tree.blocks[outer].name == _ACTIVATION for outer in tree.around(block.parent)):
            line = tree.line(tree.leaves[block.first])
            steps.append(Step(found["number"], found["title"], "heading", Origin(tree.path, line)))
    return tuple(steps)


def _order(path: str) -> tuple[str, int, int, str, str]:
    name = STEP_FILE.fullmatch(path.rpartition("/")[2])
    assert name is not None
    # A step without a number stands behind those with one.
    number = int(name["number"]) if name["number"] else 1_000
    return (folder_of(path), 0 if name["number"] else 1, number, name["letter"] or "", path)


def _is_alternative(path: str, paths: Sequence[str]) -> bool:
    """Whether a step's number has several letters and no bare form: then a run takes one of them."""
    name = STEP_FILE.fullmatch(path.rpartition("/")[2])
    if name is None or not name["letter"]:
        return False
    letters = {
        other["letter"]
        for one in paths
        if folder_of(one) == folder_of(path)
        and (other := STEP_FILE.fullmatch(one.rpartition("/")[2]))
        and (other["mode"], other["number"]) == (name["mode"], name["number"])
    }
    return None not in letters and len(letters) > 1


def _detours(
    paths: Sequence[str], trees: Mapping[str, Tree], leads_to: Mapping[str, tuple[str, ...]]
) -> frozenset[str]:
    """Return the step files that another one names as its other way."""
    found: set[str] = set()
    for path in paths:
        other = trees[path].matter_value("altStepFile")
        if isinstance(other, str):
            name = other.rpartition("/")[2]
            found.update(one for one in leads_to.get(path, ()) if one.rpartition("/")[2] == name)
    return frozenset(found)


def _title(tree: Tree) -> tuple[int, str]:
    for block in tree.blocks:
        if block.kind == "section":
            line = tree.line(tree.leaves[block.first])
            return line, _LEAD.sub("", block.name) or block.name
    return 1, str(tree.matter_value("name") or "")


def _value(number: str) -> float:
    found = re.match(r"\d+(?:\.\d+)?", number)
    return float(found[0]) if found else -1.0
