"""gh-aw documents: YAML frontmatter between two ``---`` lines, then a Markdown body."""

from __future__ import annotations

from dataclasses import dataclass

from bmadc.source.yamltree import Mapping, Node, Positions, Problem, parse_yaml

_FENCE = "---"


@dataclass(frozen=True, slots=True)
class Document:
    """A gh-aw document: its frontmatter, none when it cannot be read; its body and the line it starts on."""

    path: str
    frontmatter: Mapping | None
    body: str
    body_line: int
    problems: tuple[Problem, ...]

    def at(self, *path: str | int) -> Node | None:
        """Walk down the frontmatter; give nothing when a part of the path is not there."""
        return self.frontmatter.at(*path) if self.frontmatter else None


def parse_document(text: str, path: str) -> Document:
    """Split a document as gh-aw does and parse its frontmatter; whatever is wrong is in its problems."""
    positions = Positions(text)
    open_end = _line_end(text, 0)
    if text[:open_end].strip() != _FENCE:
        message = (
            f"the first line is not {_FENCE}, so the file has no frontmatter and gh-aw takes all of it for "
            f"text; begin it with a line {_FENCE}, then YAML, then a line {_FENCE}"
        )
        return Document(path, None, text, 1, (Problem(message, positions.span(0, open_end)),))

    close = open_end
    while close < len(text):
        close_end = _line_end(text, close)
        # gh-aw ends the frontmatter at the first such line, even inside an indented block of a script.
        if text[close:close_end].strip() == _FENCE:
            break
        close = close_end
    else:
        message = (
            f"the frontmatter that opens here is never closed, so gh-aw refuses the file; add a line {_FENCE}"
        )
        problem = Problem(message, positions.span(0, len(text[:open_end].rstrip())))
        return Document(path, None, "", positions.span(len(text), len(text)).line, (problem,))

    # gh-aw reads a no-break space as a space; both are one code point, so the spans stay true.
    tree = parse_yaml(text.replace("\u00a0", " "), open_end, close)
    problems = tree.problems
    frontmatter: Mapping | None = None
    if isinstance(tree.root, Mapping):
        frontmatter = tree.root
    elif tree.root is None and not problems:
        frontmatter = Mapping((), positions.span(open_end, open_end))
    elif tree.root is not None:
        message = "the frontmatter is not a mapping of keys to values; gh-aw cannot read anything from it"
        problems = (*problems, Problem(message, tree.root.span))
    return Document(path, frontmatter, text[close_end:], positions.span(close_end, close_end).line, problems)


def _line_end(text: str, start: int) -> int:
    newline = text.find("\n", start)
    return len(text) if newline < 0 else newline + 1
