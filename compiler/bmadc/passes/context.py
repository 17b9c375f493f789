"""What passes know besides the file under work: the pack, the workflow, what each file is called in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from bmadc.ir.model import FileUse, Pack, Step, Workflow
from bmadc.machine import catalogue
from bmadc.machine.catalogue import known, row_of
from bmadc.machine.config import AGENT_FOLDER
from bmadc.machine.naming import known_ids

FILES = AGENT_FOLDER
"""Where helper scripts and what they read lie when the agent starts."""

_READ_BY_SCRIPTS = frozenset(("data", "asset", "customize"))
_ENDINGS = (".md", ".xml", ".csv", ".yaml", ".html", ".json")

# The largest template of a page has a sixth of this; pages with their own scripts have several times as much.
_PAGE = 65_536

# They serve an editor: nobody asks a run for help, and nobody customises from one.
_LEFT_OUT = frozenset(("help", "customize"))
_ONLY_INLINED = frozenset(("advanced-elicitation",))

HELP = "what comes next in the work"
"""What stands for the help of an editor: nobody asks a run what to do next."""

# Keys of a workflow's own settings that are no names for its text.
_NOT_USED = frozenset(
    ("name", "description", "title", "author", "template", "standalone", "instructions", "validation")
)


@dataclass(frozen=True, slots=True)
class Target:
    """What a file or a workflow is called in the output, and what kind of thing it is there.

    A `step` is gone to, a `section` is looked up in the same file, a `task` is carried out and come back
    from, a `script` is run, a `label` asks for another workflow; what is `gone` was used up when the workflow
    was compiled.
    """

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Names:
    """What workflows are called, without their prefix: `everyday` are those that are plain words too."""

    stems: frozenset[str]
    everyday: frozenset[str]


@dataclass(frozen=True, slots=True)
class Context:
    """One workflow under work."""

    pack: Pack
    workflow: Workflow
    targets: Mapping[str, Target]
    values: Mapping[str, str]
    files: Mapping[str, str]
    documents: frozenset[str]
    labels: Mapping[str, str]
    names: Names


def context_of(pack: Pack, workflow: Workflow, called: tuple[Workflow, ...] = ()) -> Context:
    """Return what the passes need to know of a workflow; `called` are those that travel with it."""
    targets: dict[str, Target] = {}
    for one in called:
        name = task_name(one)
        for use in one.files:
            targets[use.path] = Target("task", name)
        targets[one.id] = Target("task", name)
    steps = {step.origin.path: step for step in workflow.steps if step.form == "file"}
    titles = _titles(pack, workflow)
    runs = has_own_scripts(workflow)
    for use in workflow.files:
        path = use.path
        base = path.rpartition("/")[2]
        if path in steps:
            targets[path] = Target("step", step_name(steps[path]))
        elif _is_page(pack, path):
            targets[path] = Target("gone", f"{base} (a page for a browser, which no run has)")
        elif use.role == "script" or (use.role in _READ_BY_SCRIPTS and runs):
            kind = "script" if use.role == "script" else "file"
            targets[path] = Target(kind, f"{FILES}/{shipped_name(path, workflow)}")
        elif use.role in ("customize", "manifest"):
            targets[path] = Target("gone", base)
        elif output_role(use, workflow) in ("entry", "instructions"):
            targets[path] = Target("section", titles.get(path, "Instructions"))
        elif use.role == "checklist":
            targets[path] = Target("section", "Checklist")
        else:
            targets[path] = Target("section", titles.get(path, section_name(path)))
    values = dict(pack.config)
    labels = labels_of(pack)
    for other in pack.workflows:
        targets.setdefault(other.origin.path, Target("label", _work_of(other, labels)))
    defined = [*workflow.values, *_front_matter(pack, workflow)]
    files = {name: value for name, value in defined if value.endswith(_ENDINGS)}
    for name, value in defined:
        if name not in _NOT_USED:
            values.setdefault(name, value)
    documents = frozenset(use.path for use in workflow.files if use.role in ("template", "asset"))
    return Context(pack, workflow, targets, values, files, documents, labels, _names(pack))


def is_left_out(workflow: Workflow) -> bool:
    """Whether a workflow has no output of its own: it serves an editor, or only leads to another one."""
    forwards = workflow.shim is not None and workflow.shim.kind != "retained"
    return workflow.engine or forwards or workflow.id.removeprefix("bmad-") in _LEFT_OUT


def is_only_inlined(workflow: Workflow) -> bool:
    """Whether a workflow travels with those that call it and is never asked for by itself."""
    return workflow.id.removeprefix("bmad-") in _ONLY_INLINED


def labels_of(pack: Pack) -> Mapping[str, str]:
    """Return the label that asks for the work of each id, without prefix; empty where nothing here does it.

    An id that a release no longer has leads to what took its work over.
    """
    made = [one for one in pack.workflows if not is_left_out(one) and not is_only_inlined(one)]
    rows = {one.id.removeprefix("bmad-"): row_of(one.id, one.phase) for one in made}
    by_row = {row.id: row for row in rows.values()}
    found: dict[str, str] = {}
    for stem in known_ids():
        row = known(stem)
        while row is not None and row.id not in by_row:
            row = catalogue.by_id(row.became) if row.became else None
        found[stem] = row.label if row is not None else ""
    for one in made:
        for alias in one.aliases:
            found.setdefault(alias.removeprefix("bmad-"), rows[one.id.removeprefix("bmad-")].label)
    return found | {stem: row.label for stem, row in rows.items()}


def _work_of(other: Workflow, labels: Mapping[str, str]) -> str:
    """Return what a text calls another workflow of its release."""
    stem = other.id.removeprefix("bmad-")
    if stem == "help":
        return HELP
    if other.engine:
        return "workflow"
    label = labels.get(stem, "")
    return f"the work of the label `{label}`" if label else absent(stem)


def absent(stem: str) -> str:
    """Return what a text calls work that nothing in this pack does."""
    return f"{stem.replace('-', ' ')} (not in this pack)"


def _is_page(pack: Pack, path: str) -> bool:
    """Whether a file is a page that a person looks at, rather than the template of a document."""
    tree = pack.trees[path]
    return tree.reader == "page" and len(tree.text.text) > _PAGE


def _names(pack: Pack) -> Names:
    stems = {one.id.removeprefix("bmad-") for one in pack.workflows if not one.engine}
    stems |= {alias.removeprefix("bmad-") for one in pack.workflows for alias in one.aliases}
    stems |= set(known_ids())
    stems.discard("workflow")
    return Names(frozenset(stems), frozenset(one for one in stems if "-" not in one))


def _front_matter(pack: Pack, workflow: Workflow) -> list[tuple[str, str]]:
    """Return the names that a workflow's first file defines in its front matter."""
    tree = pack.trees[workflow.origin.path]
    given = next((block.attributes for block in tree.blocks if block.kind == "tag"), ())
    if tree.reader != "markdown":
        return [(name, value) for name, value in given if value.endswith(_ENDINGS)]
    return [(name, value) for name, value in tree.matter if isinstance(value, str) and value]


def has_own_scripts(workflow: Workflow) -> bool:
    """Whether a workflow comes with scripts of its own, so that its data are read by them and not by eyes."""
    folder = workflow.origin.path.rpartition("/")[0]
    return any(use.role == "script" and use.path.startswith(f"{folder}/") for use in workflow.files)


def shipped_name(path: str, workflow: Workflow) -> str:
    """Return where a file lies when the agent starts, below the folder of all such files."""
    folder = workflow.origin.path.rpartition("/")[0]
    if path.startswith(f"{folder}/"):
        return f"{workflow.id.removeprefix('bmad-')}/{path[len(folder) + 1 :]}"
    return f"scripts/{path.rpartition('/')[2]}"


def output_role(use: FileUse, workflow: Workflow) -> str:
    """Return what a file is in the output: what only stands behind a forwarding entry are instructions."""
    name = use.path.rpartition("/")[2]
    beside = use.path.rpartition("/")[0] == workflow.origin.path.rpartition("/")[0]
    if use.role == "reference" and ((name == "workflow.md" and beside) or name.endswith("instructions.md")):
        return "instructions"
    return use.role


def _titles(pack: Pack, workflow: Workflow) -> dict[str, str]:
    """Return the title of each file that has one of its own, as its first heading says it."""
    found: dict[str, str] = {}
    for use in workflow.files:
        tree = pack.trees[use.path]
        if tree.reader == "markdown" and use.role not in ("step", "template", "checklist"):
            title = next((block.name for block in tree.blocks if block.kind == "section"), "")
            if title and "{" not in title and len(title) < 80:
                found[use.path] = title.strip("*` ")
    names = list(found.values())
    return {path: title for path, title in found.items() if names.count(title) == 1}


def step_name(step: Step) -> str:
    """Return what a step is called wherever the text names it."""
    number = step_number(step)
    if not number[:1].isdigit():
        return f"“{step.title or number}”"
    return f"Step {number} ({step.title})" if step.title else f"Step {number}"


def step_number(step: Step) -> str:
    """Return a step's number as people write it: without the zeros of file names."""
    return re.sub(r"^0+(?=\d)", "", step.number)


def skill_name(text: str) -> str:
    """Return a name that gh-aw takes for an inline skill."""
    name = re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-_")
    return name if name[:1].isalpha() else f"part-{name}"


def section_name(path: str) -> str:
    """Return what the section of a file is called: its name, without its ending where that is Markdown."""
    return path.rpartition("/")[2].removesuffix(".md")


def task_name(workflow: Workflow) -> str:
    """Return a workflow's name in words."""
    words = workflow.id.removeprefix("bmad-").replace("-", " ")
    return words.title()
