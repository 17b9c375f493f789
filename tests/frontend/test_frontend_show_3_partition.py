"""What it must show 3, first half: the leaves partition every file of every release."""

from collections import Counter
from typing import get_args

import pytest

from bmadc.frontend.blocks import read_markdown
from bmadc.ir.tree import CONTENT, MARKUP, PROSE, Block, BlockKind, Leaf, LeafKind, Tree
from bmadc.source import Text
from support.partition import BLOCKS, faults
from support.releases import INSTALLED, MODULES, SOURCE
from support.trees import roots, texts, tree_of

EVERY = [
    *(pytest.param("source", name, marks=pytest.mark.needs("bmad-releases")) for name in SOURCE),
    *(pytest.param("installed", name, marks=pytest.mark.needs("bmad-installed")) for name in INSTALLED),
    *(pytest.param("module", module.name, marks=pytest.mark.needs("bmad-releases")) for module in MODULES),
]

# No release has fewer of either; a walk that finds nothing would prove nothing.
FEWEST = {"source": 190, "installed": 190, "module": 40}


def test_the_kinds_are_the_declared_ones() -> None:
    assert not CONTENT & MARKUP
    assert frozenset(get_args(LeafKind)) == CONTENT | MARKUP
    assert frozenset(("close", "rule", "fence", "delimiter")) == MARKUP
    assert frozenset(("heading", "paragraph", "item", "row", "quote")) == PROSE
    assert PROSE < CONTENT
    assert frozenset(get_args(BlockKind)) == BLOCKS


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_show_3_the_leaves_partition_every_file(kind: str, name: str) -> None:
    count = 0
    found: list[str] = []
    for text in texts(roots(kind, name)):
        count += 1
        tree, is_new = tree_of(text)
        if is_new:
            found += faults(tree)
    assert found == []
    assert count >= FEWEST[kind]


@pytest.mark.needs("bmad-releases")
def test_every_kind_of_leaf_and_block_is_in_some_release() -> None:
    kinds: Counter[str] = Counter()
    blocks: Counter[str] = Counter()
    for name in ("6.0.4", "6.12.0"):
        for text in texts(roots("source", name)):
            tree, _ = tree_of(text)
            kinds.update(leaf.kind for leaf in tree.leaves)
            blocks.update(block.kind for block in tree.blocks)
    assert set(kinds) == CONTENT | MARKUP
    assert set(blocks) == BLOCKS


SAMPLE = "# A\n\ntwo\nlines\n\n- b\n- c\n"


def _broken(tree: Tree, **change: object) -> list[str]:
    parts = {"leaves": tree.leaves, "blocks": tree.blocks, **change}
    return faults(Tree(tree.text, tree.reader, **parts))  # type: ignore[arg-type]


def test_the_check_itself_sees_what_is_wrong() -> None:
    tree = read_markdown(Text("a.md", SAMPLE))
    assert faults(tree) == []
    head, pair, first, second = tree.leaves
    others = (first, second)
    cases: dict[str, list[str]] = {
        "no leaf holds": _broken(tree, leaves=(head, *others)),
        "at the end": _broken(tree, leaves=(head, pair, first)),
        "overlaps the one": _broken(tree, leaves=(head, pair._replace(start=2), *others)),
        "not trimmed": _broken(tree, leaves=(head, pair._replace(end=pair.end + 1), *others)),
        "is empty or outside": _broken(tree, leaves=(head, pair, first._replace(end=first.start), second)),
        "crosses a blank": _broken(tree, leaves=(head, pair._replace(end=first.end), second)),
        "crosses a heading": _broken(tree, leaves=(Leaf("heading", head.start, pair.end, 0), *others)),
        "no declared kind": _broken(tree, leaves=(head._replace(kind="prose"), pair, *others)),  # type: ignore[arg-type]
        "but stands in": _broken(tree, leaves=(head, pair._replace(block=0), *others)),
        "does not hold all": _broken(tree, blocks=(Block("document", -1, 0, 3), *tree.blocks[1:])),
        "does not nest": _broken(tree, blocks=(*tree.blocks[:-1], Block("item", 1, 3, 5, "-"))),
        "same parent": _broken(tree, blocks=(*tree.blocks[:-1], Block("item", 1, 2, 4, "-"))),
    }
    for expected, said in cases.items():
        assert any(expected in one for one in said), (expected, said)
