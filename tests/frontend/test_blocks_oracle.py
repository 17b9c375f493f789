"""Other people's parsers over every release: where the languages agree, the trees agree with them.

markdown-it reads the Markdown that holds no tags, with its rules for indented code, HTML, underlined headings
and link definitions off, as the line rules of `bmadc.frontend.blocks` say. expat reads the XML.
"""

import csv
import io
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
import yaml
from markdown_it import MarkdownIt

from bmadc.frontend.blocks import read_xml
from bmadc.frontend.vocabulary import MARKDOWN_TAGS
from bmadc.ir.tree import Tree
from bmadc.source import Text
from support.releases import MODULES, SOURCE
from support.trees import roots, texts, tree_of

pytestmark = pytest.mark.needs("bmad-releases")

EVERY = [*(("source", name) for name in SOURCE), *(("module", module.name) for module in MODULES)]
IDS = [name for _, name in EVERY]


def trees(kind: str, name: str, reader: str) -> Iterator[Tree]:
    """Give the trees that one reader made of a release; a text of an earlier release is left out."""
    for text in texts(roots(kind, name)):
        tree, _ = tree_of(text)
        if tree.reader == reader and (reader, tree.text.text) not in SEEN:
            SEEN[reader, tree.text.text] = name
        if tree.reader == reader and SEEN[reader, tree.text.text] == name:
            yield tree


SEEN: dict[tuple[str, str], str] = {}


class Mark(NamedTuple):
    """A piece of Markdown: its kind, its line from 1, and a level or last line."""

    kind: str
    line: int
    more: int = 0


MARKDOWN = MarkdownIt("commonmark").enable("table").disable(["code", "html_block", "lheading", "reference"])
HAS_TAGS = re.compile(
    rf"</?(?:{'|'.join(sorted(MARKDOWN_TAGS, key=len, reverse=True))}|agent)[\s/>]|^[ \t]*<!--", re.MULTILINE
)


def without_matter(text: str) -> str:
    lines = text.split("\n")
    if lines[0].rstrip() == "---":
        end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() == "---"), -1)
        lines[: end + 1] = [""] * (end + 1)
    return "\n".join(lines)


def theirs(text: str) -> set[Mark]:
    found: set[Mark] = set()
    quoted = 0
    for token in MARKDOWN.parse(without_matter(text)):
        if token.type == "blockquote_close":
            quoted -= 1
        if token.map is None:
            continue
        line = token.map[0] + 1
        if token.type == "blockquote_open":
            quoted += 1
            if quoted == 1:
                found.add(Mark("quote", line))
        elif quoted:
            continue
        elif token.type == "heading_open":
            found.add(Mark("heading", line, int(token.tag[1])))
        elif token.type == "fence":
            found.add(Mark("fence", line, token.map[1]))
        elif token.type in THEIR_KINDS:
            found.add(Mark(THEIR_KINDS[token.type], line))
    # The paragraph on the line of an item is the item's own text.
    return {mark for mark in found if mark.kind != "paragraph" or Mark("item", mark.line) not in found}


THEIR_KINDS = {"tr_open": "row", "list_item_open": "item", "paragraph_open": "paragraph", "hr": "rule"}


def ours(tree: Tree) -> set[Mark]:
    found: set[Mark] = set()
    opened = 0
    for leaf in tree.leaves:
        line, piece = tree.line(leaf), tree.slice(leaf)
        if tree.blocks[leaf.block].kind == "matter":
            continue
        if leaf.kind == "heading":
            found.add(Mark("heading", line, len(piece) - len(piece.lstrip("#"))))
        elif leaf.kind == "fence":
            if opened:
                found.add(Mark("fence", opened, line))
            opened = 0 if opened else line
        elif leaf.kind in ("item", "paragraph", "quote", "row"):
            found.add(Mark(leaf.kind, line))
        elif leaf.kind == "rule" and not piece.startswith("|"):
            found.add(Mark("rule", line))
    return found


# Where the two may differ: whose mark it is, its kind, what its line is like, in how many places of all
# releases together, and why.
Allowed = tuple[str, str, Callable[[str], object], int, str]
ALLOWED: tuple[Allowed, ...] = (
    ("ours", "item", re.compile(r"\s*(?!1[.)])\d+[.)] ").match, 16, "a list may start with any number"),
    ("theirs", "heading", re.compile(r"\s*- #").match, 1, "a heading in an item is the item's text"),
    ("theirs", "quote", re.compile(r"\s*- >").match, 2, "a quote in an item is the item's text"),
    ("ours", "quote", re.compile(r"\s{4,}>").match, 2, "indentation never hides a quote"),
    ("ours", "row", re.compile(r"\s*\|").match, 1, "a line between bars is a row, also without a table"),
    ("ours", "paragraph", re.compile(r"\{/").match, 1, "a line without bars ends the table"),
    ("theirs", "row", re.compile(r"\{/").match, 1, "a line without bars ends the table"),
    ("theirs", "fence", re.compile(r"```").match, 1, "a fence that is never closed has no last line"),
)


def reason(whose: str, mark: Mark, line: str) -> str | None:
    return next(
        (why for who, kind, like, _, why in ALLOWED if (who, kind) == (whose, mark.kind) and like(line)), None
    )


def test_markdown_it_sees_the_same_lines() -> None:
    files = 0
    compared: Counter[str] = Counter()
    excused: Counter[tuple[str, str, str]] = Counter()
    unexcused: list[str] = []
    for kind, name in EVERY:
        for tree in trees(kind, name, "markdown"):
            if HAS_TAGS.search(tree.text.text):
                continue
            files += 1
            left, right = theirs(tree.text.text), ours(tree)
            compared.update(mark.kind for mark in left & right)
            for whose, marks in (("theirs", left - right), ("ours", right - left)):
                for mark in sorted(marks):
                    why = reason(whose, mark, tree.text.line(mark.line))
                    if why is None:
                        unexcused.append(f"{name} {tree.path}: {whose} {mark}")
                    else:
                        excused[whose, mark.kind, why] += 1
    assert unexcused == []
    assert dict(excused) == {(who, kind, why): most for who, kind, _, most, why in ALLOWED}
    assert files > 1000
    assert min(compared.values()) > 100
    assert set(compared) == {"heading", "fence", "row", "item", "paragraph", "quote", "rule"}


Element = tuple[str, tuple[tuple[str, str], ...], int]


def elements(text: str) -> list[Element]:
    """The elements as expat sees them, in order, with their attributes and their depth."""
    found: list[Element] = []
    depth = 0
    for event, element in ElementTree.iterparse(io.BytesIO(text.encode()), ("start", "end")):
        if event == "start":
            found.append((element.tag, tuple(element.attrib.items()), depth))
        depth += 1 if event == "start" else -1
    return found


def tags(tree: Tree) -> list[Element]:
    def depth(number: int) -> int:
        return sum(1 for around in tree.around(number) if tree.blocks[around].kind == "tag") - 1

    return [
        (block.name, block.attributes, depth(number))
        for number, block in enumerate(tree.blocks)
        if block.kind == "tag"
    ]


def test_expat_sees_the_same_elements_in_every_xml_file() -> None:
    files = count = 0
    for version in SOURCE:
        for text in texts(roots("source", version)):
            if text.path.endswith(".xml"):
                tree, _ = tree_of(text)
                assert tree.diagnostics == ()
                assert tags(tree) == elements(text.text)
                files += 1
                count += len(tags(tree))
    assert files == 31
    assert count > 1000


@pytest.mark.needs("bmad-installed")
def test_expat_sees_the_same_elements_in_every_compiled_agent() -> None:
    count = 0
    for version in ("6.0.1", "6.0.4", "6.1.0", "6.2.0"):
        for text in texts(roots("installed", version)):
            fence = re.search(r"^```xml\n(<agent .*?)^```$", text.text, re.MULTILINE | re.DOTALL)
            if fence and text.path.endswith(".md") and "/agents/" in text.path:
                tree, _ = tree_of(text)
                assert tree.diagnostics == ()
                assert tags(tree) == elements(fence[1])
                count += 1
    assert count == 10 + 10 + 10 + 9


@pytest.mark.parametrize(
    "text",
    [
        "<a><b x='1' y=\"2\">t</b><!-- <c/> --><d/></a>",
        "<a>\n<b\n  x = '&lt;&amp;&quot;'\n/>\n</a>",
        "<a><![CDATA[<b></c>]]><b/></a>",
        "<?xml version='1.0'?><a><?b <c> ?><d>&lt;e&gt;</d></a>",
        "<a x='a > b'><b.c/><d-e/><_f/></a>",
    ],
)
def test_expat_sees_the_same_elements_in_what_no_release_has(text: str) -> None:
    assert tags(read_xml(Text("a.xml", text))) == elements(text)


class Core(yaml.SafeLoader):
    """YAML as the 1.2 core schema has it: no dates, and only true and false are truth values."""


Core.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag not in ("tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool", "tag:yaml.org,2002:merge")
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Core.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("true|True|TRUE|false|False|FALSE"), list("tTfF")
)


def as_text_keys(value: object) -> object:
    if isinstance(value, dict):
        # A key is what stands in the file.
        plain = {True: "true", False: "false"}
        return {plain.get(key, str(key)): as_text_keys(child) for key, child in value.items()}
    return [as_text_keys(child) for child in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("kind", "name"), EVERY, ids=IDS)
def test_the_values_are_those_of_the_formats_own_parsers(kind: str, name: str) -> None:
    for tree in trees(kind, name, "yaml"):
        if not tree.diagnostics:
            loaded = Core(tree.text.text).get_single_data()
            assert dict(tree.matter) == (as_text_keys(loaded) if isinstance(loaded, dict) else {}), tree.path
    for tree in trees(kind, name, "toml"):
        assert dict(tree.matter) == tomllib.loads(tree.text.text), tree.path
        assert tree.diagnostics == ()
    for tree in trees(kind, name, "csv"):
        rows = [tuple(row) for row in csv.reader(io.StringIO(tree.text.text, newline="")) if row]
        assert list(tree.rows) == rows, tree.path
