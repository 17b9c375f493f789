"""Takes single units out of an emitted text, to see whether somebody who only reads notices."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bmadc.ir.ledger import Lowered
from bmadc.ir.model import Pack
from bmadc.ledger.against import Judgement, Prepared, Weighed, judgement, prepare, texts_of, weigh
from bmadc.ledger.words import words

_SPOKEN = re.compile(r"\b(?:if|goal|title|condition|desc|description|name|path|step|anchor|n|id)\s*=")


@dataclass(frozen=True, slots=True)
class Deletion:
    """A text without the lines of one unit, and those lines."""

    text: str
    lines: tuple[str, ...]
    path: str
    leaves: tuple[int, ...]


def emitted(lowered: Lowered) -> str:
    """Return all parts of a workflow as one text."""
    return "".join(part.text for part in lowered.parts if part.kind != "file")


def deletions(lowered: Lowered) -> Iterator[Deletion]:
    """Return the text once for each of its units with words, without that unit."""
    own = {entry.path for entry in lowered.entries}
    lines = [line for part in lowered.parts if part.kind != "file" for line in part.lines]
    # A tag without words of its own is said in ours, and nothing of the source is lost with it.
    silent = {
        (entry.path, entry.leaf)
        for entry in lowered.entries
        if entry.kind == "tag" and not _SPOKEN.search(entry.before)
    }
    groups: dict[tuple[str, tuple[int, ...]], list[int]] = {}
    for number, line in enumerate(lines):
        ours = all((line.path, leaf) in silent for leaf in line.leaves)
        if line.leaves and line.path in own and line.text.strip() and not ours:
            groups.setdefault((line.path, line.leaves), []).append(number)
    for (path, leaves), numbers in groups.items():
        gone = frozenset(numbers)
        taken = tuple(lines[number].text for number in numbers)
        if words("\n".join(taken)):
            left = "\n".join(line.text for number, line in enumerate(lines) if number not in gone)
            yield Deletion(f"{left}\n", taken, path, leaves)


class Judge:
    """The judge of `coverage --against` over one pack, made ready for one text after the other."""

    def __init__(self, pack: Pack, ledgers: Mapping[str, Lowered]) -> None:
        self._elsewhere: dict[str, frozenset[tuple[str, ...]]] = {}
        self._missing: dict[str, int] = {}
        files = {f"{id_}.md": emitted(one) for id_, one in ledgers.items() if one.parts}
        self.texts = texts_of(pack, files)
        self.sources: dict[str, Prepared] = {
            one.id: prepare(pack, one) for one in pack.workflows if one.id in self.texts
        }
        self.weighed: dict[str, Weighed] = {
            id_: weigh(source, *self.texts[id_]) for id_, source in self.sources.items()
        }

    def judged(self, id_: str, text: str | None = None) -> Judgement:
        """Return the verdicts over a workflow, with its own text or another one."""
        here = self.weighed[id_] if text is None else weigh(self.sources[id_], "changed.md", text)
        if id_ not in self._elsewhere:
            others = (one for other, one in self.weighed.items() if other != id_)
            self._elsewhere[id_] = frozenset(key for one in others for key in one.said)
        return judgement(here, self._elsewhere[id_].union(here.said))

    def notices(self, id_: str, one: Deletion) -> bool:
        """Tell whether more units are missing from the text without a unit than from the whole one."""
        if id_ not in self._missing:
            self._missing[id_] = self.judged(id_).count("missing")
        return self.judged(id_, one.text).count("missing") > self._missing[id_]
