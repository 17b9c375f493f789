"""Whether a tree accounts for its file: written against the characters, not against the readers."""

from collections.abc import Iterator

from bmadc.ir.tree import CONTENT, MARKUP, PROSE, Tree

BLOCKS = frozenset(("document", "matter", "section", "tag", "item"))


def faults(tree: Tree) -> list[str]:
    """Return a sentence for each way in which the leaves and blocks do not partition the file."""
    return [f"{tree.path}: {fault}" for fault in (*_leaf_faults(tree), *_block_faults(tree))]


def _leaf_faults(tree: Tree) -> Iterator[str]:
    source = tree.text.text
    before = 0
    for number, leaf in enumerate(tree.leaves):
        piece = source[leaf.start : leaf.end]
        said = f"leaf {number} ({leaf.kind} at {leaf.start})"
        if not 0 <= leaf.start < leaf.end <= len(source):
            yield f"{said} is empty or outside"
            continue
        if leaf.start < before:
            yield f"{said} overlaps the one before"
        elif source[before : leaf.start].strip():
            yield f"no leaf holds {source[before : leaf.start].strip()[:40]!r} before {said}"
        before = leaf.end
        if piece != piece.strip():
            yield f"{said} is not trimmed"
        if tree.slice(leaf) != piece:
            yield f"{said} has another text than its place"
        if leaf.kind not in CONTENT and leaf.kind not in MARKUP:
            yield f"{said} is of no declared kind"
        if leaf.kind in PROSE:
            lines = piece.split("\n")
            if not all(line.strip() for line in lines):
                yield f"{said} crosses a blank line"
            if any(_is_heading(line) for line in lines[1:]) or (leaf.kind == "heading" and len(lines) > 1):
                yield f"{said} crosses a heading"
    if source[before:].strip():
        yield f"no leaf holds {source[before:].strip()[:40]!r} at the end"


def _block_faults(tree: Tree) -> Iterator[str]:
    blocks = tree.blocks
    if not blocks or (blocks[0].kind, blocks[0].parent) != ("document", -1):
        yield "block 0 is not the document"
        return
    if (blocks[0].first, blocks[0].last) != (0, len(tree.leaves)):
        yield "the document does not hold all leaves"
    reached: dict[int, int] = {}
    for number, block in enumerate(blocks[1:], 1):
        said = f"block {number} ({block.kind} {block.name[:20]!r})"
        if block.kind not in BLOCKS:
            yield f"{said} is of no declared kind"
        if not 0 <= block.parent < number:
            yield f"{said} does not come behind its parent"
            continue
        parent = blocks[block.parent]
        if not parent.first <= block.first < block.last <= parent.last:
            yield f"{said} is empty or does not nest in its parent"
        if block.first < reached.get(block.parent, 0):
            yield f"{said} overlaps the block before it in the same parent"
        reached[block.parent] = block.last
    innermost = [0] * len(tree.leaves)
    for number, block in enumerate(blocks):
        innermost[block.first : block.last] = [number] * (block.last - block.first)
    for number, (leaf, inner) in enumerate(zip(tree.leaves, innermost, strict=False)):
        if leaf.block != inner:
            yield f"leaf {number} names block {leaf.block}, but stands in {inner}"


def _is_heading(line: str) -> bool:
    signs = line.strip()
    level = len(signs) - len(signs.lstrip("#"))
    return 1 <= level <= 6 and (len(signs) == level or signs[level] in " \t")


def leaves(tree: Tree) -> list[tuple[str, str]]:
    """Return the kind and the text of each leaf."""
    return [(leaf.kind, tree.slice(leaf)) for leaf in tree.leaves]


def said(tree: Tree) -> list[tuple[str, int, int]]:
    """Return code, line and column of each diagnostic of a tree; each says why it matters and what to do."""
    places = []
    for diagnostic in tree.diagnostics:
        assert diagnostic.span is not None
        assert diagnostic.why
        assert diagnostic.help
        places.append((diagnostic.code, diagnostic.span.line, diagnostic.span.column))
    return places
