"""A whole pack: every file of it, by its path below the folder that it is written to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bmadc.backend import package, permissions, readme
from bmadc.backend.assemble import made_from
from bmadc.backend.hosting import hosted
from bmadc.backend.made import Made
from bmadc.backend.plain import plain_workflows
from bmadc.backend.yamltext import dump
from bmadc.machine import labels
from bmadc.machine.catalogue import ROWS, Row
from bmadc.machine.choices import Choices
from bmadc.machine.labels import Label

ATTRIBUTES = f"{package.FOLDER}/.gitattributes"
_ATTRIBUTES = """\
# {header}
* text eol=lf
bmad-* linguist-generated=true
"""
_MOVED = """\
---
# {header}
redirect: {repository}/{folder}/{new}
---

This work is done by `{name}` now: the label is `{label}`. `gh aw update` follows by itself.
"""


def pack_files(made: Sequence[Made], choices: Choices, method: str, repository: str = "") -> dict[str, str]:
    """Return all files of a pack but its manifest, sorted by path."""
    header = made_from(method)
    plain = {name: hosted(tree, choices) for name, tree in plain_workflows(choices.wiring).items()}
    found = {f"{package.FOLDER}/{one.row.document}": one.text for one in made}
    found |= {f"{package.FOLDER}/{name}": f"# {header}\n{dump(tree)}" for name, tree in plain.items()}
    for old, new in moved(made).items():
        if repository:
            found[f"{package.FOLDER}/{old.document}"] = _MOVED.format(
                header=header,
                repository=repository,
                folder=package.FOLDER,
                new=new.document,
                name=new.name,
                label=new.label,
            )
    documents = [one.row.document for one in made]
    found |= {
        package.FILE: package.package(header, method, documents, plain, used_labels(made), choices),
        package.FRONT_PAGE: package.front_page(header, method),
        permissions.FILE: permissions.permissions(header, made, plain, choices),
        readme.FILE: readme.readme(header, method, made, choices, repository),
        ATTRIBUTES: _ATTRIBUTES.format(header=header),
    }
    return dict(sorted(found.items()))


def plain_texts(choices: Choices) -> dict[str, str]:
    """Return the workflows without a model, by file name."""
    trees = plain_workflows(choices.wiring)
    return {name: dump(hosted(tree, choices)) for name, tree in trees.items()}


def moved(made: Sequence[Made]) -> Mapping[Row, Row]:
    """Return the rows that a pack no longer has, each with the row of the pack that does its work now."""
    here = {one.row.id: one.row for one in made}
    by_id = {row.id: row for row in ROWS}
    found: dict[Row, Row] = {}
    for row in ROWS:
        new = row
        while new.id not in here and new.became:
            new = by_id[new.became]
        if row.id not in here and new.id in here:
            found[row] = here[new.id]
    return found


def used_labels(made: Sequence[Made]) -> tuple[Label, ...]:
    """Return the labels that a pack reads or sets: those of the protocol, then those that start its work."""
    triggers = [one.row.trigger for one in made if one.row.trigger is not None]
    return (
        *(label for label in labels.LABELS if label.role is not labels.Role.TRIGGER),
        *sorted(triggers, key=lambda label: label.name),
    )


def plain_trees(choices: Choices) -> dict[str, dict[str, Any]]:
    """Return the workflows without a model as they are told to a reviewer."""
    return {name: dict(hosted(tree, choices)) for name, tree in plain_workflows(choices.wiring).items()}
