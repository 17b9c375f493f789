"""Markdown, XML, and the mixture of both that BMAD writes, as one block tree.

A CommonMark parser cannot read these files: tags hold blank lines, stand at any indentation and around half a
list, and an HTML block would end at the first blank line. An XML parser cannot either: the text around the
tags is Markdown, some tags are never closed, and some attributes hold a bare `<`. So the text is first cut at
fences, comments and known tags, and what lies between is read line by line.

Whatever the text is, reading takes time in proportion to its length: no pattern here scans ahead for an end
that may be missing, and no line is looked at again for each tag on it.

The line rules are CommonMark's, but for three: indentation never makes code, since it comes from the tags
around; a line of dashes under text is a rule, never a heading; and a list may start with any number.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from bmadc.diagnostics import Diagnostic, Span
from bmadc.frontend.matter import Matter, read_matter
from bmadc.frontend.vocabulary import MARKDOWN_TAGS
from bmadc.ir.tree import Block, BlockKind, Leaf, LeafKind, Tree
from bmadc.source import Text

MAX_DEPTH = 100

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^\n]*)$", re.MULTILINE)
_TICKS = re.compile(r"`+")
_ATTRIBUTE = re.compile(r"""([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|$)(.*)")
_RULE = re.compile(r"([-*_])(?:[ \t]*\1){2,}")
_ITEM = re.compile(r"(?:[-*+]|[0-9]{1,9}[.)])(?=[ \t]|$)")
_TABLE_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_AGENT = re.compile(r"\s*<agent[\s>]")
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos);")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
_MARKERS = frozenset("-*+0123456789")

_NAME = r"[A-Za-z_][\w.:-]*"
_ATTRIBUTES = r"""(?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"]*"|'[^']*'))*"""

_MarkKind: TypeAlias = Literal["comment", "prolog", "open", "void", "shut", "fence", "seal", "code", "data"]

# What starts so and ends so holds no tags, whatever stands in it.
_STRETCHES: dict[str, tuple[str, _MarkKind]] = {
    "<!--": ("-->", "comment"),
    "<![CDATA[": ("]]>", "code"),
    "<?": ("?>", "prolog"),
}


def read_markdown(text: Text) -> Tree:
    """Return the tree of a Markdown file with tags in it; what is malformed is in its diagnostics."""
    return _Reader(text, MARKDOWN_TAGS).read()


def read_xml(text: Text) -> Tree:
    """Return the tree of a file of tags, in which every name is a tag; entities are never expanded."""
    return _Reader(text, None).read()


@cache
def _marks(names: frozenset[str] | None) -> re.Pattern[str]:
    """What a text is cut at: whole tags, and the start of what may take many lines."""
    if names is None:
        name, start = _NAME, r"<!--|<!\[CDATA\[|<\?|<!DOCTYPE"
    else:
        name = "|".join(re.escape(one) for one in sorted(names, key=lambda one: (-len(one), one)))
        # A comment inside a line belongs to its sentence; only one that starts a line stands alone.
        start = r"(?:(?<=\n)|\A)[ \t]*<!--"
    # Behind a name no letter may follow, or <step-one> would be a step; so the end is part of the pattern.
    tag = rf"<(?P<slash>/?)(?P<name>{name})(?P<attributes>{_ATTRIBUTES})\s*(?P<void>/?)>"
    return re.compile(rf"(?P<start>{start})|{tag}")


class _Mark(NamedTuple):
    kind: _MarkKind
    start: int
    end: int
    name: str = ""
    attributes: str = ""
    # Where the attributes start.
    at: int = 0


@dataclass(slots=True)
class _Open:
    """A block that is still open, with the number it will have."""

    number: int
    kind: BlockKind
    name: str
    level: int
    start: int = 0


@dataclass(slots=True)
class _Reader:
    text: Text
    names: frozenset[str] | None
    leaves: list[Leaf] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    stack: list[_Open] = field(default_factory=list)
    found: list[Diagnostic] = field(default_factory=list)
    # The prose leaf that the next line may continue: kind, start, end, block.
    pending: Leaf | None = None
    # Whether only white space was read on the current line so far.
    fresh: bool = True
    # Whether it was said that tags nest too deep.
    deep: bool = False
    # How many tags of each name are open below the depth limit: they have no block.
    flat: dict[str, int] = field(default_factory=dict)
    # The height of the stack below which the tags of a fence close nothing.
    floor: int = 0
    # What has no end or no second one, and up to where that is known.
    endless: set[tuple[str, int]] = field(default_factory=set)

    def read(self) -> Tree:
        self._push("document", "", 0)
        source = self.text.text
        start = 0
        matter = Matter()
        if self.names is not None and (matter := read_matter(self.text)).end:
            self._take_matter(matter)
            start = matter.end
        self.found.extend(matter.diagnostics)
        for mark in self._cut(start):
            self._prose(start, mark.start)
            self._take(mark)
            start = mark.end
        self._prose(start, len(source))
        while self.stack:
            self._pop(unclosed=self.stack[-1].kind == "tag")
        return Tree(
            self.text,
            "xml" if self.names is None else "markdown",
            tuple(self.leaves),
            tuple(self.blocks),
            matter.values,
            fallback=matter.fallback,
            diagnostics=tuple(self.found),
        )

    # Cutting the text at fences, comments and tags.

    def _cut(self, start: int) -> list[_Mark]:
        marks: list[_Mark] = []
        source = self.text.text
        if self.names is None:
            self._cut_tags(marks, start, len(source), None)
            return marks
        opening: re.Match[str] | None = None
        for line in _FENCE.finditer(source, start):
            if opening is not None:
                if line[1].startswith(opening[1]) and not line[2].strip():
                    self._cut_fence(marks, opening, line)
                    start, opening = line.end(), None
                continue
            # Text between backticks on one line is inline code, not the start of a fence.
            if line.start() < start or (line[1][0] == "`" and "`" in line[2]):
                continue
            start = self._cut_tags(marks, start, line.start(), self.names)
            # A comment may reach over what looks like a fence.
            if start <= line.start():
                opening = line
        if opening is not None:
            self._cut_fence(marks, opening, None)
        else:
            self._cut_tags(marks, start, len(source), self.names)
        return marks

    def _cut_fence(self, marks: list[_Mark], opening: re.Match[str], closing: re.Match[str] | None) -> None:
        source = self.text.text
        end = closing.start() if closing else len(source)
        body = min(opening.end() + 1, end)
        marks.append(_Mark("fence", opening.start(), opening.end()))
        if closing is None:
            self._say(
                "BMC316",
                "this fence is never closed",
                opening.start(1),
                opening.end(1),
                expected=f"a line of {opening[1]}",
                why="Everything down to the end of the file is code then, and no instruction in it is seen.",
                help_=f"Close it with a line of {opening[1]}.",
            )
        if _AGENT.match(source, body, end):
            # What the installer compiles an agent to is XML in a fence.
            marks.append(_Mark("seal", body, body))
            self._cut_tags(marks, body, end, None)
            marks.append(_Mark("seal", end, end))
        elif source[body:end].strip():
            marks.append(_Mark("code", body, end))
        if closing is not None:
            marks.append(_Mark("fence", closing.start(), closing.end()))

    def _cut_tags(self, marks: list[_Mark], start: int, end: int, names: frozenset[str] | None) -> int:
        """Cut at the tags that start in this stretch, and return where the last one ends, or the stretch."""
        source = self.text.text
        if source.find("<", start, end) < 0:
            return end
        pattern = _marks(names)
        hidden = _Hidden(source)
        # Fences are no concern of a file that is XML, and a comment in Markdown may reach over one.
        limit = end if names is None else len(source)
        at = start
        while found := pattern.search(source, at, end):
            at = found.end()
            if found["name"] is not None:
                if names is not None and (behind := hidden.behind(found.start())):
                    at = behind
                    continue
                kind: _MarkKind = "shut" if found["slash"] else "void" if found["void"] else "open"
                marks.append(
                    _Mark(
                        kind,
                        found.start(),
                        at,
                        found["name"],
                        found["attributes"],
                        found.start("attributes"),
                    )
                )
                continue
            opener = found["start"].lstrip(" \t")
            first = at - len(opener)
            if (opener, limit) in self.endless:
                continue
            if opener == "<!DOCTYPE":
                # A second one is only text.
                self.endless.add((opener, limit))
                at = self._document_type(marks, first, end)
                continue
            closer, kind = _STRETCHES[opener]
            stop = source.find(closer, at, limit)
            if stop < 0:
                self.endless.add((opener, limit))
                self._endless(opener, closer, first)
                continue
            at = stop + len(closer)
            marks.append(_Mark(kind, first, at))
        return max(at, end)

    def _endless(self, opener: str, closer: str, at: int) -> None:
        self._say(
            "BMC311",
            f"{opener} is never closed",
            at,
            at + len(opener),
            expected=closer,
            why="Other readers take all that follows for a part of it; here it is read as text.",
            help_=f"Write {closer} where it ends.",
        )

    def _document_type(self, marks: list[_Mark], start: int, end: int) -> int:
        """Take a document type as it stands: nothing that it declares or names is ever read."""
        source = self.text.text
        shut = source.find(">", start, end)
        if (inner := source.find("[", start, shut if shut >= 0 else end)) >= 0:
            close = source.find("]", inner, end)
            shut = source.find(">", close, end) if close >= 0 else -1
        stop = shut + 1 if shut >= 0 else start + len("<!DOCTYPE")
        marks.append(_Mark("data", start, stop))
        self._say(
            "BMC318",
            "a document type is not read here",
            start,
            start + len("<!DOCTYPE"),
            expected="tags and text alone",
            why="What it declares may grow without end or come from elsewhere; no entity is expanded.",
            help_="Take it away, and write out what its entities stand for.",
        )
        return stop

    # Taking one mark.

    def _take(self, mark: _Mark) -> None:
        self._flush()
        if mark.kind in ("open", "void"):
            self._open_tag(mark)
        elif mark.kind == "shut":
            self._close_tag(mark)
        elif mark.kind == "comment":
            self._leaf("comment", mark.start, mark.end)
        elif mark.kind == "data":
            self._leaf("data", mark.start, mark.end)
        elif mark.kind == "prolog":
            self._leaf("delimiter", mark.start, mark.end)
        elif mark.kind == "seal":
            self._seal()
        else:
            self._trimmed("code" if mark.kind == "code" else "fence", mark.start, mark.end)
        if mark.end > mark.start:
            self.fresh = self.text.text[mark.end - 1] == "\n"

    def _open_tag(self, mark: _Mark) -> None:
        if self.fresh:
            self._close_items(0)
        attributes: tuple[tuple[str, str], ...] = ()
        if mark.attributes:
            attributes = tuple(self._attributes(mark))
        if len(self.stack) >= MAX_DEPTH:
            self._too_deep(mark)
            self._leaf("tag", mark.start, mark.end)
            if mark.kind == "open":
                self.flat[mark.name] = self.flat.get(mark.name, 0) + 1
            return
        self._push("tag", mark.name, 0, attributes, mark.start)
        self._leaf("tag", mark.start, mark.end)
        if mark.kind == "void":
            self._pop()

    def _attributes(self, mark: _Mark) -> Iterator[tuple[str, str]]:
        for found in _ATTRIBUTE.finditer(mark.attributes):
            group = 3 if found[2] is None else 2
            bare = found[group].find("<")
            if bare >= 0:
                at = mark.at + found.start(group) + bare
                self._say(
                    "BMC313",
                    f"the attribute {found[1]} of <{mark.name}> holds a bare <",
                    at,
                    at + 1,
                    why="XML does not allow it, so other readers drop the attribute or the whole tag.",
                    help_="Write it as &lt; or in words.",
                )
            # In an attribute a line end means a space, in every reader of XML.
            yield found[1], plain_text(found[group].replace("\n", " ").replace("\t", " "))

    def _seal(self) -> None:
        """At the start of a fence of XML keep what is around safe from its tags; at its end close them."""
        if not self.floor:
            self.floor = len(self.stack)
            return
        while len(self.stack) > self.floor:
            self._pop(unclosed=self.stack[-1].kind == "tag", place="the end of the fence")
        self.floor = 0

    def _close_tag(self, mark: _Mark) -> None:
        if self.flat.get(mark.name):
            self.flat[mark.name] -= 1
            self._leaf("close", mark.start, mark.end)
            return
        if not any(block.kind == "tag" and block.name == mark.name for block in self.stack[self.floor :]):
            self._say(
                "BMC312",
                f"</{mark.name}> closes nothing",
                mark.start,
                mark.end,
                expected=f"an open <{mark.name}> before it",
                why="Either its opening tag is misspelt or missing, or a tag was closed twice.",
                help_="Take it away, or write the opening tag.",
            )
            self._leaf("close", mark.start, mark.end)
            return
        while not (self.stack[-1].kind == "tag" and self.stack[-1].name == mark.name):
            place = ""
            if self.stack[-1].kind == "tag":
                place = f"</{mark.name}> on line {self.text.position(mark.start)[0]}"
            self._pop(unclosed=bool(place), place=place)
        self._leaf("close", mark.start, mark.end)
        self._pop()

    # Prose, line by line.

    def _prose(self, start: int, end: int) -> None:
        source = self.text.text
        at = start
        while at < end:
            stop = source.find("\n", at, end)
            broken = stop >= 0
            if not broken:
                stop = end
            line = source[at:stop]
            stripped = line.strip()
            if stripped:
                lead = at + len(line) - len(line.lstrip())
                self._line(stripped, lead, lead + len(stripped), self.fresh)
                self.fresh = broken
            else:
                # The rest of a line behind a tag is not a blank line, but then nothing is pending either.
                self._flush()
                self.fresh = self.fresh or broken
            at = stop + 1

    def _line(self, line: str, start: int, end: int, whole: bool) -> None:
        if whole:
            first = line[0]
            if first == "#" and (heading := _HEADING.match(line)):
                self._flush()
                self._open_section(len(heading[1]), _title(heading[2]))
                self._leaf("heading", start, end)
                return
            if first == "|":
                self._flush()
                self._close_items(self._indent(start))
                self._leaf("rule" if _TABLE_RULE.fullmatch(line) else "row", start, end)
                return
            if first == ">":
                self._continue("quote", start, end, whole)
                return
            if first in "-*_" and _RULE.fullmatch(line):
                self._flush()
                self._close_items(0)
                self._leaf("rule", start, end)
                return
            if first in _MARKERS and (item := _ITEM.match(line)):
                self._flush()
                indent = self._indent(start)
                self._close_items(indent)
                if len(self.stack) < MAX_DEPTH:
                    self._push("item", item[0], indent)
                self.pending = Leaf("item", start, end, self.stack[-1].number)
                return
        if self.pending is not None and self.pending.kind != "quote":
            self.pending = self.pending._replace(end=end)
            return
        self._continue("paragraph", start, end, whole)

    def _continue(self, kind: LeafKind, start: int, end: int, whole: bool) -> None:
        if self.pending is not None and self.pending.kind == kind:
            self.pending = self.pending._replace(end=end)
            return
        self._flush()
        if whole:
            self._close_items(self._indent(start))
        self.pending = Leaf(kind, start, end, self.stack[-1].number)

    def _indent(self, start: int) -> int:
        line = self.text.text.rfind("\n", 0, start) + 1
        return len(self.text.text[line:start].expandtabs(4))

    # Blocks and leaves.

    def _open_section(self, level: int, name: str) -> None:
        self._close_items(0)
        while self.stack[-1].kind == "section" and self.stack[-1].level >= level:
            self._pop()
        if len(self.stack) < MAX_DEPTH:
            self._push("section", name, level)

    def _close_items(self, indent: int) -> None:
        while self.stack[-1].kind == "item" and self.stack[-1].level >= indent:
            self._pop()

    def _push(
        self,
        kind: BlockKind,
        name: str,
        level: int,
        attributes: tuple[tuple[str, str], ...] = (),
        start: int = 0,
    ) -> None:
        parent = self.stack[-1].number if self.stack else -1
        self.stack.append(_Open(len(self.blocks), kind, name, level, start))
        self.blocks.append(Block(kind, parent, len(self.leaves), 0, name, level, attributes))

    def _pop(self, *, unclosed: bool = False, place: str = "the end of the file") -> None:
        self._flush()
        block = self.stack.pop()
        was = self.blocks[block.number]
        self.blocks[block.number] = Block(
            was.kind, was.parent, was.first, len(self.leaves), was.name, was.level, was.attributes
        )
        if unclosed:
            self._say(
                "BMC311",
                f"<{block.name}> is not closed before {place}",
                block.start,
                block.start + len(block.name) + 1,
                expected=f"</{block.name}>",
                why="How far it reaches is then a guess: it is taken to end there.",
                help_=f"Write </{block.name}> where its part ends.",
            )

    def _leaf(self, kind: LeafKind, start: int, end: int) -> None:
        self.leaves.append(Leaf(kind, start, end, self.stack[-1].number))

    def _trimmed(self, kind: LeafKind, start: int, end: int) -> None:
        body = self.text.text[start:end]
        lead = len(body) - len(body.lstrip())
        self._leaf(kind, start + lead, start + len(body.rstrip()))

    def _flush(self) -> None:
        if self.pending is not None:
            self.leaves.append(self.pending)
            self.pending = None

    def _take_matter(self, matter: Matter) -> None:
        self._push("matter", "", 0)
        for kind, start, end in matter.leaves:
            self._leaf(kind, start, end)
        self._pop()

    def _too_deep(self, mark: _Mark) -> None:
        if self.deep:
            return
        self.deep = True
        self._say(
            "BMC317",
            f"<{mark.name}> is nested more than {MAX_DEPTH} levels deep",
            mark.start,
            mark.end,
            why="Nobody writes that; what is deeper is read flat.",
            help_="Close the tags around it.",
        )

    def _say(
        self, code: str, message: str, start: int, end: int, *, why: str, help_: str, expected: str = ""
    ) -> None:
        line, column = self.text.position(start)
        end_line, end_column = self.text.position(min(end, len(self.text.text)))
        self.found.append(
            Diagnostic(
                code=code,
                severity="warning",
                message=message,
                span=Span(self.text.path, line, column, end_line, end_column),
                expected=expected,
                why=why,
                help=(help_,),
            )
        )


def plain_text(text: str) -> str:
    """Return text with the five named entities of XML as characters; no other entity has a meaning."""
    return _ENTITY.sub(lambda found: _ENTITIES[found[1]], text) if "&" in text else text


def _title(text: str) -> str:
    """Return a heading's text without the signs that may close it; those of a word such as C# stay."""
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else text


class _Hidden:
    """The inline code of a text, looked up line by line: what stands in it is no tag."""

    __slots__ = ("_line", "_source", "_spans")

    def __init__(self, source: str) -> None:
        self._source = source
        self._line = (0, -1)
        self._spans: list[tuple[int, int]] = []

    def behind(self, at: int) -> int:
        """Return the end of the inline code in which this place stands, or 0."""
        if not self._line[0] <= at <= self._line[1]:
            self._look(at)
        found = bisect_right(self._spans, (at, len(self._source))) - 1
        return self._spans[found][1] if found >= 0 and at < self._spans[found][1] else 0

    def _look(self, at: int) -> None:
        start = self._source.rfind("\n", 0, at) + 1
        end = self._source.find("\n", at)
        self._line = (start, len(self._source) if end < 0 else end)
        self._spans = []
        runs = [(run.start(), run.end()) for run in _TICKS.finditer(self._source, *self._line)]
        # The next run of the same length closes; without one the backticks are only text.
        ahead: dict[int, list[int]] = {}
        for start, end in reversed(runs):
            ahead.setdefault(end - start, []).append(start)
        behind = 0
        for start, end in runs:
            width = end - start
            ahead[width].pop()
            if start >= behind and ahead[width]:
                behind = ahead[width][-1] + width
                self._spans.append((start, behind))
