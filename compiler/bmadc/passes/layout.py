"""An edited tree as Markdown, line by line, each line with the leaves that it came from.

Markdown stays as it was written. Tags become what they mean: a step is a heading, an action a numbered item,
a condition an item with what depends on it below, what is to be said a quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import unescape

from bmadc.ir.ledger import Line
from bmadc.ir.tree import PROSE, Block, Tree
from bmadc.passes.edits import Edits
from bmadc.passes.sheet import has_words
from bmadc.passes.tags import FORMS, TagForm

INDENT = 4
_ORDERED = re.compile(r"(\d+)([.)])(\s)")
_BULLET = re.compile(r"(?:[-*+]|\d+[.)])\s+")
# Signs in front of a line said how loud it was meant; where they head each line, they kept the lines apart.
_EMOJI = re.compile(
    r"(\s*(#+ |(?:[-*+]|\d+[.)]) (?:\[[ xX]\] )?)?(?:\*\*)?)"
    "[\U0001f300-\U0001faff\u2600-\u27bf\u23e9-\u23fa\u2b00-\u2bff\u2139\ufe0f\u200d]+\\s*"
)
# Markup, and what stands elsewhere in the output.
_UNSAID = frozenset(("close", "delimiter", "entry", "tag"))
_CRITERIA = re.compile(r"success|failure")
_BLANK = re.compile(r"\n[ \t]*\n")


class _Page:
    """The lines so far, and what the next one needs to know."""

    __slots__ = ("_gap", "edits", "gone", "lines", "path", "shift", "text", "top", "touched", "tree", "word")

    def __init__(
        self, tree: Tree, edits: Edits, shift: int, top: int, gone: frozenset[int], word: str
    ) -> None:
        self.tree, self.path, self.text = tree, tree.path, tree.text.text
        self.edits, self.gone, self.touched = edits, gone, edits.touched(tree)
        self.shift, self.top, self.word = shift, top, word
        self.lines: list[Line] = []
        self._gap = Line("", tree.path)

    def blank(self) -> None:
        if self.lines and self.lines[-1].text:
            self.lines.append(self._gap)

    def add(self, text: str, indent: int, *leaves: int) -> None:
        space = " " * indent
        if "\n" not in text:
            self.lines.append(Line((space + text).rstrip(), self.path, leaves))
        else:
            self.lines += [Line((space + one).rstrip(), self.path, leaves) for one in text.split("\n")]


def lay_out(
    tree: Tree,
    edits: Edits,
    level: int,
    gone: frozenset[int] = frozenset(),
    within: int = 0,
    word: str = "Step",
) -> tuple[Line, ...]:
    """Return a file's edited text as Markdown lines whose highest heading has the level given.

    `gone` are leaves that stand elsewhere or nowhere; what they were is in the ledger. `within` is the block
    that is laid out, all of the file by default; `word` is what its steps are called.
    """
    levels = [block.level for block in tree.blocks if block.kind == "section"]
    page = _Page(tree, edits, level - min(levels, default=level), level, gone, word)
    children = _children(tree)
    where = _Where(0, 0, "", 0)
    if tree.blocks[within].kind == "tag":
        _tag(page, within, children, where, 0)
    else:
        _block(page, within, children, where)
    return tuple(_trimmed(_renumbered(page.lines)))


@dataclass(frozen=True, slots=True)
class _Where:
    """Where a block stands: how far in, whether within tags, in which quotation, below which heading."""

    indent: int
    column: int
    quote: str
    depth: int
    tagged: bool = False


def _children(tree: Tree) -> dict[int, dict[int, int]]:
    """Return, for each block, its child blocks by the number of their first leaf."""
    found: dict[int, dict[int, int]] = {}
    for number, block in enumerate(tree.blocks):
        if number and block.last > block.first:
            found.setdefault(block.parent, {}).setdefault(block.first, number)
    return found


def _block(
    page: _Page, number: int, children: dict[int, dict[int, int]], where: _Where, counter: int = 0
) -> int:
    """Lay out what a block holds, and return how many numbered items there are by now."""
    blocks = page.tree.blocks
    block = blocks[number]
    below = children.get(number)
    if below is None:
        for at in range(block.first, block.last):
            _leaf(page, at, where)
        return counter
    at, last = block.first, block.last
    while at < last:
        child = below.get(at)
        if child is not None:
            inner = blocks[child]
            if inner.kind == "tag":
                counter = _tag(page, child, children, where, counter)
            elif inner.kind != "matter":
                _block(page, child, children, where)
            at = max(inner.last, at + 1)
            continue
        _leaf(page, at, where)
        at += 1
    return counter


def _leaf(page: _Page, number: int, where: _Where) -> None:
    tree = page.tree
    kind, start, end, block = tree.leaves[number]
    if kind in _UNSAID or number in page.gone:
        return
    text = before = page.text[start:end]
    if number in page.touched:
        text = page.edits.applied(page.text, start, end)
        if text != before and kind in PROSE and _said_nothing(text, before):
            return
    if not text.strip():
        return
    if kind == "item" and text[:1].isdigit():
        text = _counted(page, number, text)
    if kind == "comment":
        text = _comment(text)
        if text:
            page.blank()
            page.add(f"{where.quote}{text}", where.indent, number)
            page.blank()
        return
    if kind == "heading" and where.quote:
        if page.lines:
            page.add(where.quote, where.indent)
        page.add(f"{where.quote}{text}", where.indent, number)
        return
    if kind == "heading":
        text = text if text.isascii() else _EMOJI.sub(r"\1", text, count=1)
        page.blank()
        page.add(_heading(text, page.shift, where), 0 if not where.tagged else where.indent, number)
        page.blank()
        return
    if _parted(page, number):
        if where.quote:
            page.add(where.quote, where.indent)
        else:
            page.blank()
    column = _column(page.text, start)
    indent = where.indent + (max(column - where.column, 0) if not where.tagged else _nesting(tree, number))
    lines = _dedented(text, column, kind == "code") if "\n" in text else text
    if where.tagged and not where.quote and kind in ("paragraph", "item"):
        # Within a tag a new line is only where the author's line was full.
        lines = " ".join(lines.split())
    if tree.reader == "xml" or where.tagged:
        lines = unescape(lines)
    if kind != "code" and not where.quote and not lines.isascii():
        lines = _without_signs(lines, _judged(tree, block))
    if where.quote:
        lines = "\n".join(f"{where.quote}{one}".rstrip() for one in lines.split("\n"))
    page.add(lines, indent, number)


def _tag(page: _Page, number: int, children: dict[int, dict[int, int]], where: _Where, counter: int) -> int:
    """Lay out one tag, and return how many numbered items its parent has by now."""
    tree = page.tree
    block = tree.blocks[number]
    form = FORMS.get(block.name) or TagForm("clear")
    first = block.first
    if first in page.gone:
        return counter
    if block.name == "check" and number in children and not _attribute(page, block, "if"):
        # A condition that was taken away leaves what stood under it where it is.
        return _block(page, number, children, where, counter)
    if form.kind == "clear":
        label = _label(page, block, form)
        if label:
            page.blank()
            page.add(label, where.indent, first)
            page.blank()
        _block(page, number, children, _Where(where.indent, where.column, where.quote, where.depth, True))
        return counter
    if form.kind == "heading":
        depth = where.depth + 1
        page.blank()
        level = min(page.top + depth - 1, 6)
        page.add(f"{'#' * level} {_label(page, block, form)}", 0, first)
        page.blank()
        condition = _attribute(page, block, "if")
        if condition:
            page.add(f"Only if {condition}:", 0, first)
            page.blank()
        _block(page, number, children, _Where(0, 0, "", depth, True))
        page.blank()
        return counter
    return _item(page, number, children, where, counter, form)


def _item(
    page: _Page,
    number: int,
    children: dict[int, dict[int, int]],
    where: _Where,
    counter: int,
    form: TagForm,
) -> int:
    tree = page.tree
    block = tree.blocks[number]
    lead = _label(page, block, form)
    condition = _attribute(page, block, "if")
    if condition:
        lead = f"If {condition}:{f' {lead}' if lead else ''}"
    around, page.lines = page.lines, []
    _block(page, number, children, _Where(0, 0, "> " if form.quoted else "", where.depth, True))
    lines = list(_trimmed(page.lines))
    page.lines = around
    text = ""
    leaves: tuple[int, ...] = (block.first,)
    if lines and not form.quoted and not _BULLET.match(lines[0].text) and _is_prose(lines[0].text):
        text, leaves = lines[0].text, (block.first, *lines[0].leaves)
        lines = lines[1:]
    if lines and not (lead or text) and form.kind != "box" and (mark_ := _BULLET.match(lines[0].text)):
        # A list of one within a tag that is an item anyway.
        text, leaves = lines[0].text[mark_.end() :], (block.first, *lines[0].leaves)
        lines = lines[1:]
    if not (lead or text or lines):
        return counter
    # What is not numbered takes no number from what is.
    counter += form.kind == "item"
    mark = f"{counter}. " if form.kind == "item" else "- [ ] " if form.kind == "box" else "- "
    joint = (": " if block.name == "goto" else " ") if lead and text else ""
    if text and form.stressed:
        text = f"**{text}**" if "**" not in text and not lines else text
    page.add(f"{where.quote}{mark}{lead}{joint}{text}", where.indent, *leaves)
    for line in lines:
        indented = f"{' ' * (where.indent + INDENT)}{line.text}" if line.text else ""
        page.lines.append(Line(indented, line.path, line.leaves))
    return counter


def _label(page: _Page, block: Block, form: TagForm) -> str:
    """Return what a tag says by itself: its words and its attributes, in the order of its form."""
    said = form.label.replace("Step <n>", f"{page.word} <n>")
    if not form.attributes:
        return said
    values = {name: _attribute(page, block, name) for name in form.attributes}
    if not any(values.values()):
        return form.bare
    for name, value in values.items():
        said = said.replace(f"<{name}>", _named(page, block, name, value))
    # What an attribute was to say goes with it where the tag lacks it.
    said = re.sub(r"[,(] ?\w+: (?=[,)])", lambda found: "(" if found[0][0] == "(" else "", said)
    said = re.sub(r"\((?:, )?", "(", said).replace("()", "")
    return re.sub(r"\s+(?=[:.,)])|(?<=\() +", "", re.sub(r"[ ]{2,}", " ", said)).strip(" :") + form.tail


def _named(page: _Page, block: Block, name: str, value: str) -> str:
    """Return an attribute's value as the text says it: steps by their title, anchors in words."""
    if not value:
        return ""
    if block.name == "goto" and name == "step":
        goals = {one.attribute("n"): one for one in page.tree.blocks if one.name in ("step", "substep")}
        goal = goals.get(value)
        title = _attribute(page, goal, "goal") or _attribute(page, goal, "title") if goal else ""
        return f"Step {value} ({title})" if title else f"Step {value}"
    if block.name == "anchor" or (block.name == "goto" and name == "anchor"):
        words = value.replace("_", " ").replace("-", " ").capitalize()
        return words if block.name == "anchor" else f"“{words}”"
    if block.name == "invoke-protocol":
        return value.replace("_", " ").capitalize()
    return value


@cache
def _given(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(name)}\s*=\s*([\"'])")


def _attribute(page: _Page, block: Block, name: str) -> str:
    """Return the value of a tag's attribute as it stands after the edits."""
    tree = page.tree
    leaf = tree.leaves[block.first]
    text = tree.text.text
    if text.find(name, leaf.start, leaf.end) < 0:
        return block.attribute(name) or ""
    found = _given(name).search(text, leaf.start, leaf.end)
    if found is None:
        return block.attribute(name) or ""
    end = text.find(found[1], found.end(), leaf.end)
    end = leaf.end if end < 0 else end
    return " ".join(unescape(page.edits.applied(text, found.end(), end)).split())


def _heading(text: str, shift: int, where: _Where) -> str:
    marks, _, words = text.partition(" ")
    if not marks.startswith("#"):
        return text
    level = min(max(len(marks) + shift + where.depth, 1), 6)
    return f"{'#' * level} {words.strip()}"


def _comment(text: str) -> str:
    words = text.strip()
    if words.startswith("<!--"):
        words = words.removeprefix("<!--").removesuffix("-->").strip()
    elif words.startswith("[note:"):
        words = words.removeprefix("[note:").removesuffix("]").strip()
    words = " ".join(words.split())
    return f"*{words}*" if words else ""


def _parted(page: _Page, number: int) -> bool:
    """Whether a blank line stood in front of a leaf."""
    if not page.lines:
        return False
    leaves = page.tree.leaves
    before = leaves[number - 1].end if number else 0
    return _BLANK.search(page.text, before, leaves[number].start) is not None


def _column(text: str, offset: int) -> int:
    start = text.rfind("\n", 0, offset) + 1
    if start == offset:
        return 0
    between = text[start:offset]
    return len(between.expandtabs(4)) if between.isspace() else 0


def _nesting(tree: Tree, number: int) -> int:
    """Return how far in a leaf stands by the items that it lies in, up to the next tag around them."""
    leaf = tree.leaves[number]
    depth = 0
    for outer in tree.around(leaf.block):
        if tree.blocks[outer].kind == "tag":
            break
        depth += tree.blocks[outer].kind == "item"
    if leaf.kind == "item":
        depth -= 1
    return INDENT * max(depth, 0)


def _dedented(text: str, column: int, coded: bool = False) -> str:
    first, *rest = text.split("\n")
    smallest = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    # Behind a tag on its own line the first line has no column; code keeps what is its own.
    cut = min(smallest, column) if column or coded else smallest
    return "\n".join([first, *(line[min(cut, len(line) - len(line.lstrip())) :] for line in rest)])


def _judged(tree: Tree, block: int) -> str:
    """Return what signs mean in a section: they judge `each` line where good and bad stand together."""
    for outer in tree.around(block):
        one = tree.blocks[outer]
        if one.kind == "section":
            start, end = tree.leaves[one.first].start, tree.leaves[one.last - 1].end
            text = tree.text.text
            if text.find("✅", start, end) >= 0 and text.find("❌", start, end) >= 0:
                return "each"
            return "all" if _CRITERIA.search(one.name.lower()) else ""
    return ""


def _without_signs(text: str, judged: str) -> str:
    """Return lines without the signs in front of them; lines that only signs kept apart become items.

    Where signs tell good lines from bad ones they stay.
    """
    lines = text.split("\n")
    signed = [_EMOJI.match(line) for line in lines]
    apart = judged == "all" or sum(one is not None and not one[2] for one in signed) > 1
    result = []
    for line, sign in zip(lines, signed, strict=True):
        if sign is None:
            result.append(line)
            continue
        mark = "- " if apart and not sign[2] else ""
        kept = sign[0][len(sign[1]) :] if judged == "each" and sign[0].strip()[-1:] in "✅❌" else ""
        result.append(f"{sign[1]}{mark}{kept}{line[sign.end() :]}")
    return "\n".join(result)


def _counted(page: _Page, number: int, text: str) -> str:
    """Return an item with the number 1 where all items of its list before it are gone."""
    tree = page.tree
    own = tree.leaves[number].block
    parent = tree.blocks[own].parent
    before = [
        one for one in tree.blocks if one.parent == parent and one.kind == "item" and one.first < number
    ]
    if not before or not text.startswith(f"{len(before) + 1}."):
        return text
    for one in before:
        first = tree.leaves[one.first]
        left, was = page.edits.applied(page.text, first.start, first.end), tree.slice(first)
        if one.first not in page.gone and (left == was or not _said_nothing(left, was)):
            return text
    return "1." + text.partition(".")[2]


def _said_nothing(text: str, before: str) -> bool:
    """Whether nothing but marks is left of what once had words."""
    return not has_words(text) and has_words(before)


def _is_prose(text: str) -> bool:
    return bool(text) and not text.startswith(("#", "|", "```", "> ", "~~~"))


def _renumbered(lines: list[Line]) -> list[Line]:
    """Return the lines with the numbers of each list going up by one, where items of it are gone."""
    expected: dict[int, int] = {}
    fenced = False
    result = []
    for line in lines:
        text = line.text
        stripped = text.lstrip()
        if stripped.startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or not stripped:
            result.append(line)
            continue
        mark = _ORDERED.match(stripped) if stripped[0].isdigit() else None
        indent = len(text) - len(stripped)
        if expected:
            for deeper in [one for one in expected if one > indent or (one == indent and mark is None)]:
                del expected[deeper]
        if mark is not None:
            number = int(mark[1])
            if indent in expected and number > expected[indent] and number - expected[indent] < 9:
                number = expected[indent]
                text = f"{' ' * indent}{number}{mark[2]}{mark[3]}{stripped[mark.end() :]}"
                line = Line(text, line.path, line.leaves)
            expected[indent] = number + 1
        result.append(line)
    return result


def _trimmed(lines: list[Line]) -> Iterator[Line]:
    """Return the lines without blank ones at the start, at the end, and behind another."""
    first, last = 0, len(lines)
    while first < last and not lines[first].text:
        first += 1
    while last > first and not lines[last - 1].text:
        last -= 1
    for number in range(first, last):
        if lines[number].text or lines[number - 1].text:
            yield lines[number]
