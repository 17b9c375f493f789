"""The account of a file: one entry for each leaf, from the edits that were made of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bmadc.ir.ledger import Entry, State
from bmadc.ir.model import FileUse
from bmadc.ir.tree import CONTENT, Tree
from bmadc.passes.edits import Edits
from bmadc.passes.matter import rule_of_entry
from bmadc.passes.rules import Edit, Rule
from bmadc.passes.sheet import has_words

_TAG_MARKS = re.compile(r"^<[\w-]+|/?>$")
_ORDER: tuple[State, ...] = ("dropped", "replaced", "merged", "moved", "rewritten")


def entries_of(
    tree: Tree,
    ids: tuple[str, ...],
    edits: Edits,
    use: FileUse,
    rules: Mapping[str, Rule],
    places: Mapping[int, tuple[str, str]],
) -> Iterator[Entry]:
    """Return the account of a file; `places` are leaves that stand elsewhere or nowhere, each with its rule.

    The value of a place is the rule's id and the name of the part, empty where the leaf is in no part.
    """
    text, path, line_at = tree.text.text, tree.path, tree.text.line_at
    touched = edits.touched(tree)
    for number, (kind, start, end, block) in enumerate(tree.leaves):
        if kind not in CONTENT:
            continue
        if kind == "entry" or (kind == "comment" and tree.blocks[block].kind == "matter"):
            yield _of_value(tree, number, ids[number], use, rules)
            continue
        before = after = text[start:end]
        names: tuple[str, ...] = ()
        state: State = "kept"
        classed, place = "", use.path
        if number in touched:
            found = edits.within(start, end)
            after = edits.applied(text, start, end)
            names = tuple(dict.fromkeys(edit.rule for edit in found))
            classed = next((rules[name].classed for name in names if rules[name].classed), "")
            state = _state(found, start, end, rules)
            if not has_words(after) and has_words(before):
                state, after = _weakest(rules[name].state for name in names), ""
            if after == before:
                # Some edits change no word; they only say how a question is classed.
                state = "kept"
        if kind == "tag":
            # What a tag says stands in its attributes; its name only says how it is laid out.
            after = _TAG_MARKS.sub("", after).strip()
        if number in places:
            rule, place = places[number]
            names = (*names, rule)
            if not place:
                state, after = "dropped", ""
            elif state == "kept":
                state = "moved"
        line = line_at(start)
        yield Entry(ids[number], path, number, line, kind, state, names, before, after, classed, place)


def _state(found: Sequence[Edit], start: int, end: int, rules: Mapping[str, Rule]) -> State:
    """Return what edits made of a leaf: a rule speaks for all of it only where its place is all of it."""
    whole = any(edit.start <= start and edit.end >= end for edit in found)
    return rules[found[0].rule].state if whole else "rewritten"


def entries_of_values(
    tree: Tree, ids: tuple[str, ...], use: FileUse, rules: Mapping[str, Rule], *, shipped: bool = False
) -> Iterator[Entry]:
    """Return the account of a file that holds values or a script, none of which is text for the agent."""
    for number, leaf in enumerate(tree.leaves):
        if leaf.kind in CONTENT:
            if use.role == "script" or shipped:
                rule = "matter.script" if use.role == "script" else "matter.file"
                text = tree.slice(leaf)
                yield Entry(
                    ids[number],
                    tree.path,
                    number,
                    tree.line(leaf),
                    leaf.kind,
                    "moved",
                    (rule,),
                    text,
                    text,
                    place=use.path,
                )
            else:
                yield _of_value(tree, number, ids[number], use, rules)


def _of_value(tree: Tree, number: int, id_: str, use: FileUse, rules: Mapping[str, Rule]) -> Entry:
    leaf = tree.leaves[number]
    before = tree.slice(leaf)
    if leaf.kind == "comment":
        rule = "matter.customize-help" if use.role == "customize" else "matter.comment"
    else:
        name = before.partition(":")[0].partition("=")[0].strip()
        rule = rule_of_entry(name, tree.matter_value(name), use.role)
    return Entry(id_, tree.path, number, tree.line(leaf), leaf.kind, rules[rule].state, (rule,), before, "")


def _weakest(states: Iterator[State]) -> State:
    found = set(states)
    return next((one for one in _ORDER if one in found and one != "rewritten"), "dropped")
