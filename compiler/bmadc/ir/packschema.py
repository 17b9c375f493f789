"""The JSON Schema of a serialised Pack: the shape from the records, one sentence per field from here."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from bmadc.diagnostics.model import SEVERITIES
from bmadc.ir.model import Pack
from bmadc.ir.serial import FORMAT, PLAIN_FIELDS, is_pairs
from bmadc.ir.tree import Block, LeafKind

# Record: what it is, then field: what it holds.
SENTENCES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "Pack": (
        "All of a BMAD tree, as bmadc reads it.",
        {
            "format": "The number of this format; keys may be added under the same number, never taken away.",
            "form": "Where the tree comes from: a source tree, an installed project, or a folder of skills.",
            "release": "The release of BMAD, or an empty text where nothing names it.",
            "dialects": "The ways of writing BMAD that were found, by their letters.",
            "modules": "The modules of the tree.",
            "agents": "The agents of all modules.",
            "workflows": "The workflows of all modules, tasks and skills included.",
            "help": "All rows of the help tables, those that lead nowhere too.",
            "config": "The settings of the project, each as text.",
            "files": "Every file of the tree and what it is to whom.",
            "facts": "What is true of single leaves.",
            "trees": "Every text file as blocks and leaves, sorted by path.",
            "diagnostics": "Everything there is to say about the tree, in reading order.",
        },
    ),
    "Origin": (
        "Where something stands.",
        {"path": "The file below the root.", "line": "The line from 1; 0 means the file as a whole."},
    ),
    "Module": (
        "A module of BMAD: bmm, core, or somebody's own.",
        {
            "code": "The short name that its parts refer to.",
            "name": "The name for people.",
            "version": "Its version, or an empty text where nothing names it.",
            "folder": "The folder that holds it, below the root.",
        },
    ),
    "Agent": (
        "A persona: who speaks, by which principles, and what it offers.",
        {
            "id": "The name by which others refer to it.",
            "module": "The code of its module.",
            "encoding": "The reader that found it, such as agent-yaml, agent-compiled or skill-customize.",
            "origin": "Where it stands.",
            "name": "The name of the person that it plays.",
            "title": "What it is by profession.",
            "icon": "The sign shown beside its name.",
            "capabilities": "What it can do, in one line.",
            "role": "The role that it takes.",
            "identity": "The experience and views that it speaks from.",
            "communication_style": "How it speaks.",
            "principles": "What it holds to, one text each.",
            "critical_actions": "What it must do whenever it is started.",
            "persistent_facts": "What it keeps in mind throughout.",
            "activation_prepend": "What is done before it greets.",
            "activation_append": "What is done after it has greeted.",
            "menu": "What it offers, in the order of its menu.",
            "prompts": "The texts that its menu calls by id.",
            "files": "The files that it consists of, below the root.",
        },
    ),
    "MenuItem": (
        "One line of an agent's menu.",
        {
            "code": "The letters that choose it.",
            "kind": "The key that says what it does, such as exec, workflow, action, skill or prompt.",
            "target": "The value of that key as it is written.",
            "description": "The text shown for it.",
            "origin": "Where it stands.",
            "workflow": "The id of the workflow that it leads to, or an empty text.",
            "data": "A file that goes with it, or an empty text.",
        },
    ),
    "Prompt": (
        "A text of an agent that its menu calls by id.",
        {"id": "The name that the menu uses.", "text": "The text.", "origin": "Where it stands."},
    ),
    "Workflow": (
        "Something that an agent can be asked to do, with all files it consists of.",
        {
            "id": "The name by which others refer to it.",
            "module": "The code of its module.",
            "phase": "The phase that it belongs to; phases are an open set.",
            "encoding": "The reader that found it, such as workflow-yaml, workflow-md, skill or task-xml.",
            "origin": "Where it stands.",
            "name": "The name for people.",
            "description": "What it is for, in its own words.",
            "aliases": "Names that other releases gave it.",
            "files": "The files that it consists of.",
            "steps": "Its steps in the order of the source.",
            "values": "The names that it defines for its own text.",
            "owners": "The agents that offer it.",
            "help": "The rows of the help tables that lead to it.",
            "calls": "The ids of the workflows that it starts.",
            "shim": "What it stands in for, or null if it is a workflow of its own.",
            "engine": "Whether it is the machinery that runs others.",
        },
    ),
    "FileUse": (
        "A file that belongs to a workflow.",
        {
            "path": "The file below the root.",
            "role": "What it is to the workflow.",
            "by": "The file that names it, or an empty text where a convention does.",
        },
    ),
    "Step": (
        "One step of a workflow.",
        {
            "number": "The number as it is written, such as 3, 0.5 or 13a.",
            "title": "Its goal or title.",
            "form": "Whether a file, a tag or a heading makes it a step.",
            "origin": "Where it starts.",
            "role": "Its place in the sequence: an ordinary step or one that only some runs take.",
            "condition": "When it is taken, in the words of the source; empty means always.",
            "tag": "The name that it carries for other parts to refer to.",
            "next": "The files that it leads to.",
            "depth": "How deep it stands inside other steps.",
        },
    ),
    "Owner": (
        "An agent that offers a workflow, and where it says so.",
        {
            "agent": "The id of the agent.",
            "by": "Whether its menu, one of its prompts or the help table says so.",
            "code": "The letters that choose the workflow there.",
            "origin": "Where that stands.",
        },
    ),
    "HelpRow": (
        "One row of a module's help table, whatever its columns were called in that release.",
        {
            "module": "The module as the row names it.",
            "workflow": "The id of the workflow that it leads to, or an empty text.",
            "name": "The name for people.",
            "code": "The letters that choose it.",
            "phase": "The phase as the row names it.",
            "description": "What the row says about it.",
            "origin": "Where the row stands.",
            "sequence": "Its place within the phase.",
            "action": "What to do with the workflow, where it can do several things.",
            "args": "What to hand over.",
            "after": "What comes before it.",
            "before": "What comes after it.",
            "required": "Whether a project cannot do without it.",
            "agent": "The agent as the row names it.",
            "output_location": "Where its results go.",
            "outputs": "What its results are.",
            "repaired": "Whether the row had another width than its header and was put right.",
        },
    ),
    "Shim": (
        "What a workflow is that only leads to another one.",
        {
            "kind": "Whether it forwards, first asks for a migration, or is deprecated but whole.",
            "target": "The id of the workflow that it leads to, or an empty text.",
            "intent": "What it chooses there.",
        },
    ),
    "FileEntry": (
        "One file of the tree.",
        {
            "path": "The file below the root.",
            "role": "What it is: workflow, agent, module, config, engine, asset or orphan.",
            "units": "The ids of the agents and workflows that it belongs to.",
            "reason": "Why it belongs to none, where it does not.",
        },
    ),
    "Fact": (
        "Something that is true of one leaf.",
        {
            "kind": "What is said of the leaf.",
            "path": "The file of the leaf.",
            "leaf": "The number of the leaf in its tree, from 0.",
            "value": "What the leaf says.",
            "target": "What it leads to: a step's number, an anchor, a path, a workflow's id.",
        },
    ),
    "Block": (
        "A stretch of leaves that belong together.",
        {
            "kind": "What holds them together.",
            "parent": "The number of the block that it stands in, or -1.",
            "first": "The number of its first leaf.",
            "last": "The number of the leaf behind its last one.",
            "name": "The tag's name, the heading's text or the item's marker.",
            "level": "The heading's level or the item's indentation.",
            "attributes": "The attributes of the tag.",
        },
    ),
    "Tree": (
        "One text file; gaps and leaves in turn, a gap first and last, are the file.",
        {
            "path": "The file below the root.",
            "reader": "What read it.",
            "fallback": "How many of its characters only the fallback understood.",
            "matter": "Its front matter, or all values of a file that is data throughout.",
            "rows": "The records of a table, its header first.",
            "blocks": "Its blocks; block 0 is the document.",
            "gaps": "The white space before each leaf, and behind the last one.",
            "leaves": "Its leaves in the order of the file.",
        },
    ),
    "Leaf": (
        "A stretch of a file with one meaning.",
        {
            "id": "A name that changes only when its words, kind or file change.",
            "kind": "What it is.",
            "block": "The number of the innermost block that it stands in.",
            "line": "The line on which it starts, from 1.",
            "column": "The column in which it starts, from 1, in characters.",
            "end_line": "The line on which it ends.",
            "end_column": "The column behind its last character.",
            "text": "The text as it stands in the file.",
        },
    ),
    "Diagnostic": (
        "Something a person should know.",
        {
            "code": "The stable code.",
            "title": "What the code stands for.",
            "severity": "How much it matters.",
            "message": "What happened, in one sentence.",
            "span": "Where, or null if it has no place in a file.",
            "detail": "Longer text that belongs to it.",
            "why": "What follows from it.",
            "expected": "What would have been right.",
            "nearest": "Names that were perhaps meant.",
            "help": "What to do, most likely first.",
        },
    ),
    "Span": (
        "A stretch of a file; with the path alone it is the whole file.",
        {
            "path": "The file below the root.",
            "line": "The first line, from 1.",
            "column": "The first column, from 1, in characters.",
            "end_line": "The last line.",
            "end_column": "The column behind the last character.",
        },
    ),
}

_TEXT: Mapping[str, Any] = {"type": "string"}
_COUNT: Mapping[str, Any] = {"type": "integer", "minimum": 0}
_ORDINAL: Mapping[str, Any] = {"type": "integer", "minimum": 1}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a serialised pack; a field without its sentence is a KeyError."""
    definitions: dict[str, Any] = {}
    types_ = get_type_hints(Pack)
    shapes: dict[str, Any] = {"format": {"const": FORMAT}}
    shapes |= {name: _shape(types_[name], definitions) for name in PLAIN_FIELDS}
    shapes["trees"] = _list({"$ref": "#/$defs/Tree"})
    shapes["diagnostics"] = _list({"$ref": "#/$defs/Diagnostic"})
    _shape(Block, definitions)
    definitions["Leaf"] = _object("Leaf", _LEAF)
    definitions["Tree"] = _object("Tree", _TREE)
    definitions["Diagnostic"] = _object("Diagnostic", _DIAGNOSTIC)
    definitions["Span"] = _object("Span", _SPAN, required=("path",))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A BMAD tree, read: what `bmadc inspect --json` prints",
        **_object("Pack", shapes),
        "$defs": dict(sorted(definitions.items())),
    }


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": dict(items)}


def _pairs(value: Mapping[str, Any]) -> dict[str, Any]:
    return _list(
        {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "value"],
            "properties": {
                "name": {"description": "The name.", "type": "string"},
                "value": {"description": "What it stands for.", **value},
            },
        }
    )


_LEAF: Mapping[str, Any] = {
    "id": {"type": "string", "pattern": "^[0-9a-f]{12}(\\.[0-9]+)?$"},
    "kind": {"enum": list(get_args(LeafKind))},
    "block": _COUNT,
    "line": _ORDINAL,
    "column": _ORDINAL,
    "end_line": _ORDINAL,
    "end_column": _ORDINAL,
    "text": _TEXT,
}
_TREE: Mapping[str, Any] = {
    "path": _TEXT,
    "reader": _TEXT,
    "fallback": _COUNT,
    "matter": _pairs({}),
    "rows": _list(_list(_TEXT)),
    "blocks": _list({"$ref": "#/$defs/Block"}),
    "gaps": {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": "^\\s*$"}},
    "leaves": _list({"$ref": "#/$defs/Leaf"}),
}
_DIAGNOSTIC: Mapping[str, Any] = {
    "code": {"type": "string", "pattern": "^BMC[0-9]{3}$"},
    "title": _TEXT,
    "severity": {"enum": list(SEVERITIES)},
    "message": _TEXT,
    "span": {"anyOf": [{"$ref": "#/$defs/Span"}, {"type": "null"}]},
    "detail": _TEXT,
    "why": _TEXT,
    "expected": _TEXT,
    "nearest": _list(_TEXT),
    "help": _list(_TEXT),
}
_SPAN: Mapping[str, Any] = {
    "path": _TEXT,
    "line": _ORDINAL,
    "column": _ORDINAL,
    "end_line": _ORDINAL,
    "end_column": _ORDINAL,
}


def _object(name: str, shapes: Mapping[str, Any], required: tuple[str, ...] | None = None) -> dict[str, Any]:
    what, sentences = SENTENCES[name]
    return {
        "description": what,
        "type": "object",
        "additionalProperties": False,
        "required": list(shapes if required is None else required),
        "properties": {field: {"description": sentences[field], **shape} for field, shape in shapes.items()},
    }


def _shape(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if is_dataclass(hint):
        assert isinstance(hint, type)
        if hint.__name__ not in definitions:
            types_ = get_type_hints(hint)
            shapes = {one.name: _shape(types_[one.name], definitions) for one in fields(hint)}
            definitions[hint.__name__] = _object(hint.__name__, shapes)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        inner = next(one for one in arguments if one is not type(None))
        return {"anyOf": [_shape(inner, definitions), {"type": "null"}]}
    if origin is Literal:
        return {"enum": list(arguments)}
    if is_pairs(hint):
        return _pairs(_shape(get_args(arguments[0])[1], definitions))
    if origin is tuple:
        return _list(_shape(arguments[0], definitions))
    return {"type": {str: "string", int: "integer", bool: "boolean"}[hint]}
