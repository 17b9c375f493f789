"""Takes single units out of an emitted text, to see whether somebody who only reads notices."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bmadc.backend.neutral import neutral
from bmadc.ir.ledger import Lowered
from bmadc.ir.model import Pack
from bmadc.ledger.against import Judgement, Prepared, Weighed, judgement, prepare, texts_of, weigh
from bmadc.ledger.words import words
from bmadc.passes.corrigenda import corrected

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


def deletions(lowered: Lowered, document: str = "") -> Iterator[Deletion]:
    """Return the text once for each of its units with words, without that unit.

    The text is the document of a pack, or all parts of the workflow as one.
    """
    text = document or emitted(lowered)
    shown = text.split("\n")
    own = {entry.path for entry in lowered.entries}
    # A tag without words of its own is said in ours, and nothing of the source is lost with it.
    silent = {
        (entry.path, entry.leaf)
        for entry in lowered.entries
        if entry.kind == "tag" and not _SPOKEN.search(entry.before)
    }
    groups: dict[tuple[str, tuple[int, ...]], list[int]] = {}
    for path, leaves, number in _lines(lowered, shown):
        ours = all((path, leaf) in silent for leaf in leaves)
        if leaves and path in own and shown[number].strip() and not ours:
            groups.setdefault((path, leaves), []).append(number)
    for (path, leaves), numbers in groups.items():
        gone = frozenset(numbers)
        taken = tuple(shown[number] for number in numbers)
        if words("\n".join(taken)):
            left = "\n".join(line for number, line in enumerate(shown) if number not in gone)
            yield Deletion(left, taken, path, leaves)


_NEAR = 12


def _lines(lowered: Lowered, shown: list[str]) -> Iterator[tuple[str, tuple[int, ...], int]]:
    """Return the leaves of each line, and its number in the text that is shown."""
    at = shown.index("---", 1) + 1 if shown[0] == "---" else 0
    parts = [part for part in lowered.parts if part.kind != "file"]
    for part in sorted(parts, key=lambda part: part.kind != "body"):
        for line in part.lines:
            text = neutral(line.text)
            found = next((one for one in range(at, min(at + _NEAR, len(shown))) if shown[one] == text), None)
            if found is None:
                # Only lines of our own are filled in later.
                assert not line.leaves, line.text
                continue
            yield line.path, line.leaves, found
            at = found + 1


class Judge:
    """The judge of `coverage --against` over one pack, made ready for one text after the other.

    `documents` are those of a pack as it is built, by the id of their workflow.
    """

    def __init__(
        self, pack: Pack, ledgers: Mapping[str, Lowered], documents: Mapping[str, str] | None = None
    ) -> None:
        self._elsewhere: dict[str, frozenset[tuple[str, ...]]] = {}
        self._missing: dict[str, int] = {}
        if documents is None:
            files = {f"{id_}.md": emitted(one) for id_, one in ledgers.items() if one.parts}
            self.texts = texts_of(pack, files)
        else:
            self.texts = {id_: (f"{id_}.md", text) for id_, text in documents.items()}
        self.sources: dict[str, Prepared] = {
            one.id: prepare(pack, one, corrected) for one in pack.workflows if one.id in self.texts
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
