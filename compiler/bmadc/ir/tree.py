"""The block tree of one file: lossless, with every leaf at its place.

The leaves stand in the order of the file and do not overlap; between two of them there is only white space.
So the leaves and the gaps together are the file, and nothing can be lost without a leaf that tells of it.

Blocks nest: the document, sections that a heading opens, tags, list items. They hold no text of their own;
the heading, the opening tag and the first text of an item are leaves too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source import Text

LeafKind: TypeAlias = Literal[
    "heading",
    "paragraph",
    "item",
    "row",
    "quote",
    "code",
    "entry",
    "record",
    "tag",
    "comment",
    "data",
    "close",
    "rule",
    "fence",
    "delimiter",
]
BlockKind: TypeAlias = Literal["document", "matter", "section", "tag", "item"]

# Content is what somebody wrote to be read; it must be accounted for.
CONTENT: frozenset[str] = frozenset(
    ("heading", "paragraph", "item", "row", "quote", "code", "entry", "record", "tag", "comment", "data")
)
# Prose is content in sentences: one leaf of it never crosses a blank line or a heading.
PROSE: frozenset[str] = frozenset(("heading", "paragraph", "item", "row", "quote"))
# Markup only marks where something ends or how it is set.
MARKUP: frozenset[str] = frozenset(("close", "rule", "fence", "delimiter"))


class Leaf(NamedTuple):
    """A stretch of the file's text with one meaning; offsets in characters, the end exclusive.

    A named tuple, not a dataclass: a release has tens of thousands of leaves, and this is what makes them
    cheap.
    """

    kind: LeafKind
    start: int
    end: int
    block: int


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of leaves that belong together; `first` and `last` number leaves, the last exclusive.

    `name` is the tag's name, the heading's text, the item's marker; `level` the heading's level or the
    item's indentation; `attributes` those of the tag.
    """

    kind: BlockKind
    parent: int
    first: int
    last: int
    name: str = ""
    level: int = 0
    attributes: tuple[tuple[str, str], ...] = ()

    def attribute(self, name: str) -> str | None:
        """Return the value of the tag's first attribute of that name."""
        return next((value for key, value in self.attributes if key == name), None)


@dataclass(frozen=True, slots=True)
class Tree:
    """One file as blocks and leaves; block 0 is the document.

    `reader` names what read it; `matter` is the front matter as plain values, or all values of a file that is
    data throughout; `rows` are the records of a table, its header first; `fallback` counts the characters
    that only the fallback understood.
    """

    text: Text
    reader: str
    leaves: tuple[Leaf, ...]
    blocks: tuple[Block, ...]
    matter: tuple[tuple[str, object], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    fallback: int = 0
    diagnostics: tuple[Diagnostic, ...] = field(default=(), compare=False)

    @property
    def path(self) -> str:
        """The file's path below its root."""
        return self.text.path

    def slice(self, leaf: Leaf) -> str:
        """Return the leaf's text as it stands in the file."""
        return self.text.text[leaf.start : leaf.end]

    def span(self, leaf: Leaf) -> Span:
        """Return the leaf's place in lines and columns."""
        line, column = self.text.position(leaf.start)
        end_line, end_column = self.text.position(leaf.end)
        return Span(self.path, line, column, end_line, end_column)

    def line(self, leaf: Leaf) -> int:
        """Return the line on which the leaf starts."""
        return self.text.line_at(leaf.start)

    def within(self, block: int) -> range:
        """Return the numbers of the leaves of a block, those of inner blocks included."""
        return range(self.blocks[block].first, self.blocks[block].last)

    def around(self, block: int) -> Iterator[int]:
        """Return the numbers of a block and of all blocks that it stands in, the innermost first."""
        while block >= 0:
            yield block
            block = self.blocks[block].parent

    def matter_value(self, name: str) -> object:
        """Return a value of the front matter, or None."""
        return next((value for key, value in self.matter if key == name), None)


def normal(text: str) -> str:
    """Return text with each run of white space as one space, so that line breaks do not matter."""
    return " ".join(text.split())


def leaf_ids(tree: Tree) -> tuple[str, ...]:
    """Return a stable id per leaf: it changes only when the leaf's own words, kind or file change.

    Leaves with equal words in one file are told apart by their order.
    """
    seen: dict[str, int] = {}
    ids = []
    path, text = tree.path, tree.text.text
    for kind, start, end, _ in tree.leaves:
        words = f"{path}\0{kind}\0{normal(text[start:end])}"
        digest = sha256(words.encode()).hexdigest()[:12]
        number = seen[digest] = seen.get(digest, 0) + 1
        ids.append(digest if number == 1 else f"{digest}.{number}")
    return tuple(ids)
