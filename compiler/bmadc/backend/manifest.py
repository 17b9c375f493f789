"""`bmadc.lock.json`: what a pack was made from and what it consists of. A public contract."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from bmadc.backend.made import Made
from bmadc.machine import protocol
from bmadc.machine.catalogue import Outcome, consumers
from bmadc.source.ours import GENERATOR, MANIFEST

FILE = MANIFEST
FORMAT = 1


def digest(text: str) -> str:
    """Return the hash by which the manifest knows a text."""
    return sha256(text.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the file says; keys are only ever added under one format."""

    compiler: str
    """The version of bmadc."""
    compiler_hash: str
    """Over its modules, templates and schemas."""
    gh_aw: str
    release: str
    settings: str
    """The hash of what the project chose."""
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    workflows: Sequence[Mapping[str, str]] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    edges: Sequence[Mapping[str, str]] = ()
    ledger: Mapping[str, int] = field(default_factory=dict)

    def text(self) -> str:
        """Return the file, one record on a line."""
        body: dict[str, Any] = {
            "format": FORMAT,
            "generator": GENERATOR,
            "compiler": {"version": self.compiler, "hash": self.compiler_hash, "gh-aw": self.gh_aw},
            "release": self.release,
            "settings": self.settings,
            "ledger": dict(self.ledger),
            "workflows": list(self.workflows),
            "left-out": dict(sorted(self.left_out.items())),
            "edges": list(self.edges),
            "outputs": dict(sorted(self.outputs.items())),
            "inputs": dict(sorted(self.inputs.items())),
        }
        return json.dumps(body, indent=1, ensure_ascii=True) + "\n"


class ManifestError(ValueError):
    """A file that is no manifest, said for the person who has it."""


def read(text: str) -> Manifest:
    """Return what a manifest says, or raise ManifestError."""
    try:
        body = json.loads(text)
        if body["generator"] != GENERATOR:
            raise ManifestError("it was not written by bmadc")
        if body["format"] != FORMAT:
            raise ManifestError(f"it has format {body['format']!r}, and this bmadc reads {FORMAT}")
        return Manifest(
            compiler=_text(body["compiler"]["version"]),
            compiler_hash=_text(body["compiler"]["hash"]),
            gh_aw=_text(body["compiler"]["gh-aw"]),
            release=_text(body["release"]),
            settings=_text(body["settings"]),
            inputs={_text(path): _text(one) for path, one in body["inputs"].items()},
            outputs={_text(path): _text(one) for path, one in body["outputs"].items()},
            workflows=tuple(body["workflows"]),
            left_out=dict(body["left-out"]),
            edges=tuple(body["edges"]),
            ledger=dict(body["ledger"]),
        )
    except (KeyError, TypeError, AttributeError, json.JSONDecodeError, RecursionError) as problem:
        raise ManifestError(f"it is not of the form that bmadc writes ({problem})") from None


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is expected")
    return value


def records(made: Sequence[Made]) -> list[dict[str, str]]:
    """Return one record for each workflow."""
    return [
        {
            "file": one.row.document,
            "source": one.source,
            "label": one.row.label,
            "outcome": one.row.outcome.value,
            "next": one.next.label if one.next is not None else "",
        }
        for one in made
    ]


def edges(made: Sequence[Made]) -> list[dict[str, str]]:
    """Return what starts what: labels that people set, states that the pipeline moves, what comes next."""
    found: list[dict[str, str]] = []
    files = {one.row.lock for one in made}
    for one in made:
        row = one.row
        if row.trigger is not None:
            found.append({"from": "person", "label": row.trigger.name, "to": row.name})
        states = [row.enters] if row.enters is not None else []
        if row.outcome is Outcome.PUSH:
            states = [protocol.AFTER_PUSH]
        elif row.outcome is Outcome.VERDICT:
            states = [state for _, state in protocol.VERDICTS]
        for state in states:
            lock = consumers().get(state.name, "")
            to = lock.removesuffix(".lock.yml") if lock in files else ""
            found.append({"from": row.name, "label": state.name, "to": to})
        if one.next is not None:
            found.append({"from": row.name, "label": one.next.label, "to": "person"})
    return found


def schema() -> Mapping[str, object]:
    """Return the form of the file as a JSON Schema, for programs that read it."""
    text: dict[str, object] = {"type": "string"}
    hash_: dict[str, object] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
    by_path = {"type": "object", "additionalProperties": hash_}

    def record(described: Mapping[str, str]) -> dict[str, object]:
        return {
            "type": "array",
            "items": _object({name: {**text, "description": one} for name, one in described.items()}),
        }

    properties: dict[str, object] = {
        "format": {"const": FORMAT, "description": "Keys are only ever added under one format"},
        "generator": {"const": GENERATOR},
        "compiler": _object({"version": text, "hash": hash_, "gh-aw": text}),
        "release": {**text, "description": "The release of BMAD, as its tree says; empty where nothing does"},
        "settings": {**hash_, "description": "Of what bmadc.toml chooses"},
        "ledger": {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 0},
            "description": "How many units of the source there are, and what became of them",
        },
        "workflows": record(
            {
                "file": "Its name in the folder of the pack",
                "source": "The id that the tree has for it",
                "label": "The label that starts it, or the first state that it takes up",
                "outcome": "What a run leaves behind",
                "next": "The label that comes after it, or nothing",
            }
        ),
        "left-out": {
            "type": "object",
            "additionalProperties": text,
            "description": "Workflows of the tree that have no file, with the reason",
        },
        "edges": record(
            {
                "from": "A workflow, or `person`",
                "label": "What is set",
                "to": "The workflow that it starts, `person`, or nothing where the loop has ended",
            }
        ),
        "outputs": {**by_path, "description": "Every other file of the pack"},
        "inputs": {**by_path, "description": "Every file of the tree, with line ends of Unix"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"{FILE}: what a pack was made from and what it consists of",
        **_object(properties),
    }


def _object(properties: Mapping[str, object]) -> dict[str, object]:
    return {"type": "object", "properties": dict(properties), "required": list(properties)}
