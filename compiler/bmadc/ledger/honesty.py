"""What keeps the ledger honest: five checks that share nothing with the passes but the list of leaves.

Each is a pure function that returns faults; no fault means that it holds. A rule is known here only by its
state, the hard words that it says it takes away, and its reason to drop much.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bmadc.ir.ledger import Entry, Line, Lowered, Part
from bmadc.ir.model import Pack, Step
from bmadc.ir.tree import CONTENT, Tree, leaf_ids
from bmadc.ledger.detector import ceremony, dialogue
from bmadc.ledger.exceptions import words_id
from bmadc.ledger.hard import lost, unconsumed

# Shares of the units: of a release, of one workflow, of a release by one rule.
OF_RELEASE = 0.15
OF_WORKFLOW = 0.30
OF_RULE = 0.03
# Exceptions from residual dialogue, as a share of the units of the source that have any.
OF_DIALOGUE = 0.01

_GONE = ("dropped", "replaced")
_CHANGED = ("rewritten", "merged", "replaced")
# What an agent picks from is no order to it; the values of settings are no sentences.
_UNSPOKEN = frozenset(("entry", "data", "record"))
_AGENT = "agent:"
_SETTINGS = frozenset(("matter.customize", "matter.customize-help", "matter.file", "matter.script"))
_WORDS = re.compile(r"\w+")
_SPOKEN = re.compile(r"\b(?:if|goal|title|condition|desc|description|step|anchor)\s*=\s*[\"'][^\"']*\w")


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that a check does not accept; `entry` is a unit's id, empty where it is about several."""

    check: str
    workflow: str
    entry: str
    path: str
    line: int
    message: str


class RuleFacts(NamedTuple):
    """What the checks may know of a rule."""

    state: str
    consumes: tuple[str, ...]
    bulk: str


def files_of(pack: Pack, name: str) -> tuple[str, ...]:
    """Return the text files that a ledger is about: those of a workflow, or of an agent named `agent:ID`."""
    if name.startswith(_AGENT):
        agent = pack.agent(name.removeprefix(_AGENT))
        paths: Sequence[str] = () if agent is None else agent.files
    else:
        workflow = next((one for one in pack.workflows if one.id == name), None)
        paths = () if workflow is None else [use.path for use in workflow.files]
    return tuple(path for path in dict.fromkeys(paths) if path in pack.trees)


def partition(name: str, trees: Iterable[Tree], entries: Iterable[Entry]) -> list[Fault]:
    """Check that entries and units of the files are one to one, each with the text that stands there."""
    faults: list[Fault] = []
    by_place: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for entry in entries:
        by_place[entry.path, entry.leaf].append(entry)
    for tree in trees:
        ids = leaf_ids(tree)
        for number, leaf in enumerate(tree.leaves):
            if leaf.kind not in CONTENT:
                continue
            found = by_place.pop((tree.path, number), [])
            if len(found) != 1:
                said = "has no entry" if not found else f"has {len(found)} entries"
                faults.append(
                    Fault("partition", name, ids[number], tree.path, tree.line(leaf), f"this unit {said}")
                )
                continue
            (entry,) = found
            real = (ids[number], leaf.kind, tree.line(leaf), tree.slice(leaf))
            if (entry.id, entry.kind, entry.line, entry.before) != real:
                faults.append(_fault("partition", name, entry, "the entry is not what stands in the file"))
    for left in by_place.values():
        faults.extend(_fault("partition", name, entry, "the entry is about no unit") for entry in left)
    return faults


def residual(
    name: str, entries: Sequence[Entry], parts: Iterable[Part], exceptions: Mapping[str, str]
) -> list[Fault]:
    """Check that nothing in the output addresses a person, offers a choice or waits."""
    faults: list[Fault] = []
    clean: defaultdict[str, set[int]] = defaultdict(set)
    for entry in entries:
        if entry.kind in _UNSPOKEN or entry.state == "dropped" or not entry.after or _is_setting(entry):
            continue
        hits = dialogue(entry.after)
        if not hits:
            clean[entry.path].add(entry.leaf)
            continue
        clean[entry.path].discard(entry.leaf)
        if words_id(entry) not in exceptions:
            said = _quoted(entry.after[hits[0].start : hits[0].end])
            faults.append(_fault("residual", name, entry, f"this still {hits[0].kind}: {said}"))
    for part in parts:
        if part.kind == "file":
            continue
        for number, line in enumerate(part.lines, 1):
            # A line of a unit that is not judged here is a table's, or that of a task which travels along.
            if line.path and not (line.leaves and clean[line.path].issuperset(line.leaves)):
                continue
            for hit in dialogue(line.text)[:1]:
                said = _quoted(line.text[hit.start : hit.end])
                message = f"line {number} of {part.name} {hit.kind}: {said}"
                faults.append(Fault("residual", name, "", line.path, 0, message))
    return faults


def too_many_exceptions(ledgers: Iterable[Lowered], exceptions: Mapping[str, str]) -> list[Fault]:
    """Check that exceptions are few beside the dialogue of the source, and that each has a reason."""
    talk: set[str] = set()
    used: set[str] = set()
    for lowered in ledgers:
        for entry in lowered.entries:
            if entry.kind not in _UNSPOKEN and dialogue(entry.before):
                talk.add(entry.id)
                if (excepted := words_id(entry)) in exceptions:
                    used.add(excepted)
    faults = [
        Fault("residual", "", id_, "", 0, "the exception has no reason")
        for id_ in sorted(used)
        if not exceptions[id_].strip()
    ]
    if len(used) > OF_DIALOGUE * len(talk):
        message = f"{len(used)} exceptions for {len(talk)} units of dialogue: more than {OF_DIALOGUE:.0%}"
        faults.append(Fault("residual", "", "", "", 0, message))
    return faults


def budget(ledgers: Sequence[Lowered], rules: Mapping[str, RuleFacts]) -> list[Fault]:
    """Check that little is dropped or replaced: of the release, of each workflow, and by each rule."""
    faults: list[Fault] = []
    units: dict[tuple[str, int], Entry] = {}
    for lowered in ledgers:
        spoken = [entry for entry in lowered.entries if not _is_setting(entry)]
        gone = sum(is_gone(entry) for entry in spoken)
        # An agent is mostly a menu and the talk around it; of its persona and principles nothing may go.
        if gone > OF_WORKFLOW * len(spoken) and not lowered.id.startswith(_AGENT):
            message = f"{gone} of {len(spoken)} units are gone: more than {OF_WORKFLOW:.0%}"
            faults.append(Fault("budget", lowered.id, "", "", 0, message))
        for entry in spoken:
            place = (entry.path, entry.leaf)
            # A file of two workflows is one file of the release; it counts as gone if one of them loses it.
            if place not in units or is_gone(entry):
                units[place] = entry
    gone_units = [entry for entry in units.values() if is_gone(entry)]
    if len(gone_units) > OF_RELEASE * len(units):
        message = f"{len(gone_units)} of {len(units)} units are gone: more than {OF_RELEASE:.0%}"
        faults.append(Fault("budget", "", "", "", 0, message))
    by_rule = Counter(rule for entry in gone_units for rule in _takers(entry, rules))
    for rule, number in sorted(by_rule.items()):
        if number > OF_RULE * len(units) and not rules[rule].bulk:
            message = (
                f"{rule} takes {number} of {len(units)} units: more than {OF_RULE:.0%}, and it is not bulk"
            )
            faults.append(Fault("budget", "", "", "", 0, message))
    for entry in gone_units:
        if not _takers(entry, rules):
            faults.append(_fault("budget", "", entry, "this unit is gone, and no rule says why"))
    return faults


def unexplained_drops(ledgers: Iterable[Lowered]) -> tuple[tuple[str, str], ...]:
    """Return id and rules of each dropped unit in which the detector sees neither dialogue nor ceremony."""
    found = {
        (entry.id, " ".join(entry.rules))
        for lowered in ledgers
        for entry in lowered.entries
        if entry.state == "dropped" and not explained(entry.before)
    }
    return tuple(sorted(found))


def _is_setting(entry: Entry) -> bool:
    """Tell whether a unit is a value of a settings file or a help on it, or a line of a script.

    They are accounted for like all others, but nobody reads them as instructions.
    """
    return bool(entry.rules) and entry.rules[-1] in _SETTINGS


def is_gone(entry: Entry) -> bool:
    """Tell whether a unit was taken out or said differently, whatever its state is called."""
    emptied = entry.state in ("kept", "rewritten") and not _WORDS.search(entry.after)
    # A tag that says nothing by itself is how its content is set.
    spoken = _SPOKEN if entry.kind == "tag" else _WORDS
    return entry.state in _GONE or (emptied and spoken.search(entry.before) is not None)


def explained(text: str) -> bool:
    """Tell whether a unit may be gone because it talks to a person or about the talking."""
    return bool(dialogue(text)) or ceremony(text)


def hard_lost(lowered: Lowered, rules: Mapping[str, RuleFacts]) -> list[Fault]:
    """Check that numbers, code, paths, names, severities and negations of a changed unit are in the output.

    A rule that takes one away names it. What was merged is looked for in the whole text.
    """
    faults: list[Fault] = []
    whole: list[str] = []
    for entry in lowered.entries:
        if entry.state not in _CHANGED:
            continue
        missing = lost(entry.before, entry.after)
        if missing:
            named = [one for rule in entry.rules if rule in rules for one in rules[rule].consumes]
            missing = unconsumed(missing, named)
        if missing and entry.state == "merged":
            if not whole:
                whole.append("\n".join(part.text for part in lowered.parts))
            missing = tuple(one for one in missing if one in lost(one.text, whole[0]))
        for one in missing:
            message = f"the {one.kind} {_quoted(one.text)} is lost by {' '.join(entry.rules) or 'no rule'}"
            faults.append(_fault("hard", lowered.id, entry, message))
    return faults


def order(lowered: Lowered, steps: Sequence[Step], trees: Mapping[str, Tree]) -> list[Fault]:
    """Check that every step has a heading of its own in the output, in the order of the source."""
    faults: list[Fault] = []
    places: dict[tuple[str, int], int] = {}
    lines: list[Line] = []
    for part in lowered.parts:
        if part.kind != "file":
            for line in part.lines:
                for number in line.leaves:
                    places.setdefault((line.path, number), len(lines))
                lines.append(line)
    last = -1
    for step in steps:
        tree = trees.get(step.origin.path)
        leaf = None if tree is None else _leaf_of(tree, step)
        at = None if leaf is None else places.get((step.origin.path, leaf))
        called = f"step {step.number} ({step.title})" if step.title else f"step {step.number}"
        if at is None:
            faults.append(_step_fault(lowered.id, step, f"{called} has no line in the output"))
            continue
        if not lines[at].text.lstrip("> ").startswith("#") and not _titled(lines[at].text, step):
            faults.append(_step_fault(lowered.id, step, f"{called} has no heading in the output"))
        if at <= last:
            said = "shares its heading with another step" if at == last else "stands before an earlier step"
            faults.append(_step_fault(lowered.id, step, f"{called} {said}"))
        last = max(last, at)
    return faults


def all_faults(
    pack: Pack,
    ledgers: Mapping[str, Lowered],
    rules: Mapping[str, RuleFacts],
    exceptions: Mapping[str, str],
) -> list[Fault]:
    """Return the faults of all five checks over a pack."""
    faults: list[Fault] = []
    for name, lowered in ledgers.items():
        trees = [pack.trees[path] for path in files_of(pack, name)]
        faults += partition(name, trees, lowered.entries)
        faults += residual(name, lowered.entries, lowered.parts, exceptions)
        faults += hard_lost(lowered, rules)
        workflow = next((one for one in pack.workflows if one.id == name), None)
        if workflow is not None:
            faults += order(lowered, workflow.steps, pack.trees)
    faults += too_many_exceptions(ledgers.values(), exceptions)
    faults += budget(tuple(ledgers.values()), rules)
    return faults


def _fault(check: str, workflow: str, entry: Entry, message: str) -> Fault:
    return Fault(check, workflow, entry.id, entry.path, entry.line, message)


def _step_fault(workflow: str, step: Step, message: str) -> Fault:
    return Fault("order", workflow, "", step.origin.path, step.origin.line, message)


def _takers(entry: Entry, rules: Mapping[str, RuleFacts]) -> list[str]:
    """Return the rules of an entry that may take a unit away: a rule that only rewrites is no reason."""
    return [rule for rule in dict.fromkeys(entry.rules) if rule in rules and rules[rule].state in _GONE]


def _leaf_of(tree: Tree, step: Step) -> int | None:
    """Return the number of the leaf that opens a step: a tag, a heading, or the first heading of its file."""
    if step.form == "file":
        heading = next((n for n, leaf in enumerate(tree.leaves) if leaf.kind == "heading"), None)
        if heading is not None:
            return heading
        return next((n for n, leaf in enumerate(tree.leaves) if leaf.kind in ("tag", "paragraph")), None)
    wanted = "tag" if step.form == "tag" else "heading"
    for number, leaf in enumerate(tree.leaves):
        if leaf.kind == wanted and tree.line(leaf) == step.origin.line:
            return number
    return None


def _titled(text: str, step: Step) -> bool:
    words = set(_WORDS.findall(text.lower()))
    return bool(step.title) and words >= set(_WORDS.findall(step.title.lower()))


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return f"“{words[:77]}…”" if len(words) > 78 else f"“{words}”"
