"""The rules by which Markdown with tags becomes blocks and leaves, each on a small text of our own."""

import pytest

from bmadc.frontend.blocks import MAX_DEPTH, plain_text, read_markdown, read_xml
from bmadc.ir.tree import Block, Tree
from bmadc.source import Text, decode
from support.partition import faults, leaves, said


def markdown(text: str) -> Tree:
    tree = read_markdown(Text("a.md", text))
    assert faults(tree) == []
    return tree


def xml(text: str) -> Tree:
    tree = read_xml(Text("a.xml", text))
    assert faults(tree) == []
    return tree


def outline(tree: Tree, block: int = 0) -> str:
    """Give the blocks in one line: names, with what stands in them in parentheses."""
    inner = [outline(tree, number) for number, child in enumerate(tree.blocks) if child.parent == block]
    name = tree.blocks[block].name or tree.blocks[block].kind
    return f"{name}({' '.join(inner)})" if inner else name


def tags(tree: Tree) -> list[Block]:
    return [block for block in tree.blocks if block.kind == "tag"]


# Headings and sections.


def test_sections_nest_by_level_and_hold_what_follows() -> None:
    tree = markdown("# One\n\ntext\n\n### Deep\n\n## Two\nmore\n# Three\n")
    assert outline(tree) == "document(One(Deep Two) Three)"
    assert [tree.slice(tree.leaves[n]) for n in tree.within(3)] == ["## Two", "more"]
    assert tree.blocks[3].level == 2


def test_a_section_ends_where_the_tag_around_it_closes() -> None:
    tree = markdown('<step n="1">\n## Inside\ntext\n</step>\nbehind\n')
    assert outline(tree) == "document(step(Inside))"
    assert tree.blocks[tree.leaves[-1].block].kind == "document"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("## Closed ##", "Closed"),
        ("# C#", "C#"),
        ("# F # sharp #", "F # sharp"),
        ("###", "section"),
        ("   # Indented", "Indented"),
        ("\t# Tab", "Tab"),
        ("#\tTab behind", "Tab behind"),
        ("# #", "section"),
    ],
)
def test_the_name_of_a_heading(line: str, name: str) -> None:
    tree = markdown(f"{line}\n")
    assert [leaf.kind for leaf in tree.leaves] == ["heading"]
    assert outline(tree) == f"document({name})"


@pytest.mark.parametrize("line", ["#No space", "####### Seven", "#! shebang", "\\# escaped"])
def test_what_is_not_a_heading(line: str) -> None:
    assert leaves(markdown(line)) == [("paragraph", line)]


def test_a_heading_ends_a_paragraph_without_a_blank_line() -> None:
    assert leaves(markdown("text\n# Head\nmore")) == [
        ("paragraph", "text"),
        ("heading", "# Head"),
        ("paragraph", "more"),
    ]


# Paragraphs, items, tables, quotes, rules.


def test_a_paragraph_takes_its_lines_and_ends_at_a_blank_one() -> None:
    assert leaves(markdown("one\n  two\n\t\nthree")) == [("paragraph", "one\n  two"), ("paragraph", "three")]


def test_items_nest_by_indentation_and_take_their_continuation() -> None:
    tree = markdown("- a\n  still a\n  - b\n    - c\n  - d\n* e\nlazy e\n\n  own paragraph\n\nout")
    assert outline(tree) == "document(-(-(-) -) *)"
    assert leaves(tree) == [
        ("item", "- a\n  still a"),
        ("item", "- b"),
        ("item", "- c"),
        ("item", "- d"),
        ("item", "* e\nlazy e"),
        ("paragraph", "own paragraph"),
        ("paragraph", "out"),
    ]
    assert tree.blocks[tree.leaves[5].block].name == "*"
    assert tree.blocks[tree.leaves[6].block].kind == "document"


@pytest.mark.parametrize("marker", ["-", "*", "+", "1.", "2)", "123456789."])
def test_what_marks_an_item(marker: str) -> None:
    tree = markdown(f"{marker} text")
    assert (tree.blocks[1].kind, tree.blocks[1].name) == ("item", marker)


@pytest.mark.parametrize(
    "line", ["-text", "1.text", "1234567890. text", "² text", "١. text", "1١. text", "– text", "1: a"]
)
def test_what_does_not_mark_an_item(line: str) -> None:
    assert leaves(markdown(line)) == [("paragraph", line)]


def test_a_tab_counts_as_four_columns() -> None:
    assert outline(markdown("- a\n\t- b\n    - c\n")) == "document(-(- -))"


def test_an_empty_item_is_an_item() -> None:
    assert leaves(markdown("-\n- b")) == [("item", "-"), ("item", "- b")]


@pytest.mark.parametrize("line", ["---", "***", "___", "- - -", "* * *", "--------", "-\t-\t-"])
def test_a_rule_is_no_item_and_ends_the_list(line: str) -> None:
    tree = markdown(f"- a\n\n{line}\n\n  text")
    assert leaves(tree)[1] == ("rule", line)
    assert tree.blocks[tree.leaves[2].block].kind == "document"


def test_dashes_under_text_are_a_rule_and_never_a_heading() -> None:
    assert [kind for kind, _ in leaves(markdown("text\n---\nmore\n=====\n"))] == [
        "paragraph",
        "rule",
        "paragraph",
    ]


@pytest.mark.parametrize("line", ["--", "- -", "-*-", "_ _", "--- text"])
def test_what_is_no_rule(line: str) -> None:
    assert "rule" not in [kind for kind, _ in leaves(markdown(line))]


def test_tables_row_by_row() -> None:
    tree = markdown("text\n| a | b |\n|---|:-:|\n| 1 | 2 |\nafter")
    assert leaves(tree) == [
        ("paragraph", "text"),
        ("row", "| a | b |"),
        ("rule", "|---|:-:|"),
        ("row", "| 1 | 2 |"),
        ("paragraph", "after"),
    ]


def test_a_row_of_dashes_in_text_is_still_a_row() -> None:
    assert leaves(markdown("| - | x - |")) == [("row", "| - | x - |")]


def test_a_table_below_an_item_belongs_to_it() -> None:
    tree = markdown("- a\n\n  | x |\n\n| y |")
    assert [tree.blocks[leaf.block].kind for leaf in tree.leaves] == ["item", "item", "document"]


def test_quotes_are_one_leaf_per_run_of_lines() -> None:
    assert leaves(markdown("> a\n> b\n\n> c\ntext\n> d")) == [
        ("quote", "> a\n> b"),
        ("quote", "> c"),
        ("paragraph", "text"),
        ("quote", "> d"),
    ]


# Fences.


def test_a_fence_hides_everything_in_it() -> None:
    tree = markdown("a\n```xml\n<step>\n# no\n\n- no\n```\nb")
    assert leaves(tree) == [
        ("paragraph", "a"),
        ("fence", "```xml"),
        ("code", "<step>\n# no\n\n- no"),
        ("fence", "```"),
        ("paragraph", "b"),
    ]
    assert tree.diagnostics == ()


def test_a_longer_fence_holds_shorter_ones() -> None:
    text = "````md\n```\n<step>\n```\n````\n<step>\n</step>"
    tree = markdown(text)
    assert len(tags(tree)) == 1
    assert leaves(tree)[1] == ("code", "```\n<step>\n```")


def test_only_the_same_sign_closes_a_fence() -> None:
    assert leaves(markdown("~~~\n```\n~~~~\ntext"))[1:] == [
        ("code", "```"),
        ("fence", "~~~~"),
        ("paragraph", "text"),
    ]


def test_a_fence_with_an_info_string_closes_nothing() -> None:
    assert leaves(markdown("```\na\n``` md\nb\n```")) == [
        ("fence", "```"),
        ("code", "a\n``` md\nb"),
        ("fence", "```"),
    ]


def test_backticks_and_text_on_one_line_are_no_fence() -> None:
    assert leaves(markdown("```inline``` text\nmore")) == [("paragraph", "```inline``` text\nmore")]


def test_an_empty_fence_has_no_code() -> None:
    assert leaves(markdown("```\n\n```\n")) == [("fence", "```"), ("fence", "```")]


def test_a_fence_in_a_tag_and_at_any_indentation() -> None:
    tree = markdown("<action>\n          ```\n    </action>\n          ```\n</action>")
    assert outline(tree) == "document(action)"
    assert [kind for kind, _ in leaves(tree)] == ["tag", "fence", "code", "fence", "close"]


def test_a_fence_in_an_item_belongs_to_it() -> None:
    tree = markdown("1. a\n   ```\n   x\n   ```\n   text\n")
    assert {tree.blocks[leaf.block].kind for leaf in tree.leaves} == {"item"}


def test_an_unclosed_fence_takes_the_rest_and_is_reported() -> None:
    tree = markdown("a\n\n  ```py\ncode\n<step>\n")
    assert said(tree) == [("BMC316", 3, 3)]
    assert leaves(tree)[-1] == ("code", "code\n<step>")


@pytest.mark.parametrize("text", ["```", "a\n```", "```\n"])
def test_an_unclosed_fence_with_nothing_behind_it(text: str) -> None:
    tree = markdown(text)
    assert [code for code, _, _ in said(tree)] == ["BMC316"]
    assert leaves(tree)[-1] == ("fence", "```")


# Comments and inline code.


def test_a_comment_that_starts_a_line_stands_alone() -> None:
    tree = markdown("a\n  <!-- <step> and\n\nmore -->\nb <!-- stays --> c")
    assert leaves(tree) == [
        ("paragraph", "a"),
        ("comment", "<!-- <step> and\n\nmore -->"),
        ("paragraph", "b <!-- stays --> c"),
    ]
    assert tree.diagnostics == ()


def test_text_behind_a_comment_on_its_line_is_no_line_of_its_own() -> None:
    assert leaves(markdown("<!-- a --> # text\n# Head")) == [
        ("comment", "<!-- a -->"),
        ("paragraph", "# text"),
        ("heading", "# Head"),
    ]


def test_a_comment_reaches_over_what_looks_like_a_fence() -> None:
    tree = markdown("<!--\n```\n-->\n<step>\n</step>\n```\n<step>\n```\n")
    assert [kind for kind, _ in leaves(tree)] == ["comment", "tag", "close", "fence", "code", "fence"]
    assert tree.diagnostics == ()


def test_a_fence_hides_the_start_of_a_comment() -> None:
    tree = markdown("```\n<!--\n```\n<step></step>\n-->\n")
    assert outline(tree) == "document(step)"
    assert tree.diagnostics == ()


def test_a_comment_that_is_never_closed_is_text_and_said_once() -> None:
    tree = markdown("a\n <!-- b\n<step></step>\n<!-- c\n")
    assert said(tree) == [("BMC311", 2, 2)]
    assert outline(tree) == "document(step)"


def test_an_unclosed_comment_in_a_fence_of_xml_hides_none_behind_it() -> None:
    tree = markdown("```xml\n<agent>\n<!-- a\n</agent>\n```\n<!-- b -->\n")
    assert said(tree) == [("BMC311", 3, 1)]
    assert leaves(tree)[-1] == ("comment", "<!-- b -->")


@pytest.mark.parametrize(
    "line",
    ["see `<step>` here", "``a ` <step>`` b", "`a` `<step n='1'>`", "`` ` `` `<step>`", "x```<step>```"],
)
def test_inline_code_hides_a_tag(line: str) -> None:
    assert leaves(markdown(line)) == [("paragraph", line)]


@pytest.mark.parametrize(
    "line", ["a ` <step></step>", "`a` <step></step> `b`", "`` <step></step> `", "`\n<step></step>\n`"]
)
def test_what_is_not_inline_code_hides_no_tag(line: str) -> None:
    assert outline(markdown(line)) == "document(step)"


def test_a_tag_behind_hidden_ones_on_the_same_line_is_found() -> None:
    tree = markdown("`<step>` and `<check>` <action>x</action>")
    assert outline(tree) == "document(action)"


# Tags.


def test_tags_at_any_indentation_around_half_a_list() -> None:
    tree = markdown("- a\n          <check>\n- b\n  </check>\n- c\n")
    assert outline(tree) == "document(- check(-) -)"
    assert tree.diagnostics == ()


def test_a_tag_inside_a_line_stays_in_its_item() -> None:
    tree = markdown("- do <action>this</action> and\n  that\n- b")
    assert outline(tree) == "document(-(action) -)"
    assert leaves(tree)[:5] == [
        ("item", "- do"),
        ("tag", "<action>"),
        ("paragraph", "this"),
        ("close", "</action>"),
        ("paragraph", "and\n  that"),
    ]


def test_text_behind_a_tag_is_not_the_start_of_a_line() -> None:
    assert leaves(markdown("<action># no heading</action> - no item\n<ask>- no item\n# yes</ask>")) == [
        ("tag", "<action>"),
        ("paragraph", "# no heading"),
        ("close", "</action>"),
        ("paragraph", "- no item"),
        ("tag", "<ask>"),
        ("paragraph", "- no item"),
        ("heading", "# yes"),
        ("close", "</ask>"),
    ]


def test_the_second_tag_of_a_line_does_not_end_the_item() -> None:
    assert outline(markdown("- a\n- <ask>b</ask> <ask>c</ask>")) == "document(- -(ask ask))"


def test_attributes_over_lines_in_both_quotes_with_entities() -> None:
    text = '<step n="1"\n\n  goal=\'say "hi"\'\n\tif = "a &lt; b &amp;&amp; c &#65; &lol;"\n>\nx</step>'
    (tag,) = tags(markdown(text))
    assert tag.attributes == (("n", "1"), ("goal", 'say "hi"'), ("if", "a < b && c &#65; &lol;"))
    assert (tag.attribute("goal"), tag.attribute("none")) == ('say "hi"', None)


def test_an_escaped_bracket_is_not_a_bare_one() -> None:
    tree = markdown('<check if="a &lt; 1">\nx\n</check>')
    assert tree.diagnostics == ()
    assert tags(tree)[0].attribute("if") == "a < 1"


def test_a_bare_bracket_is_reported_where_it_stands() -> None:
    tree = markdown('<step s="x" if="y"\n  if2="{{a}} < 1" if3="<">\nx\n</step>\n<note>z</note>')
    assert said(tree) == [("BMC313", 2, 14), ("BMC313", 2, 24)]
    assert tags(tree)[0].attribute("if2") == "{{a}} < 1"
    assert outline(tree) == "document(step note)"


def test_a_bracket_that_closes_in_an_attribute_does_not_end_the_tag() -> None:
    (tag,) = tags(markdown('<check if="a > 1 and b">x</check>'))
    assert tag.attribute("if") == "a > 1 and b"


@pytest.mark.parametrize("text", ["<goto/>", "<goto />", "<goto step='3'/>", "<goto\n/>"])
def test_a_tag_that_closes_itself(text: str) -> None:
    tree = markdown(f"{text}\nbehind")
    assert tree.blocks[tree.leaves[1].block].kind == "document"
    assert tree.diagnostics == ()


@pytest.mark.parametrize(
    "text", ["<step-one>", "<steps>", "<name>", "< step>", "<step", "<STEP>", "<step n=1>", "a < b > c"]
)
def test_what_is_no_tag_in_markdown(text: str) -> None:
    assert tags(markdown(text)) == []


def test_in_a_file_of_tags_every_name_counts() -> None:
    tree = xml('<?xml version="1.0"?>\n<my-task id="x"><ns:a.b/>text</my-task>\n')
    assert outline(tree) == "document(my-task(ns:a.b))"
    assert leaves(tree)[0] == ("delimiter", '<?xml version="1.0"?>')


def test_a_file_of_tags_has_no_front_matter_no_fences_and_no_inline_code() -> None:
    tree = xml("<a>\n---\nx: 1\n---\n```\n<b>`<c/>`</b>\n</a>")
    assert outline(tree) == "document(a(b(c)))"
    assert tree.matter == ()


def test_cdata_holds_no_tags() -> None:
    tree = xml("<a><![CDATA[ <b> & </c> ]]></a>")
    assert outline(tree) == "document(a)"
    assert leaves(tree)[1] == ("code", "<![CDATA[ <b> & </c> ]]>")


@pytest.mark.parametrize("opener", ["<!--", "<![CDATA[", "<?"])
def test_what_has_no_end_is_said_once_and_the_tags_behind_it_are_read(opener: str) -> None:
    tree = xml(f"<a>\n{opener} x\n<b/>\n{opener} y\n</a>")
    assert said(tree) == [("BMC311", 2, 1)]
    assert outline(tree) == "document(a(b))"


def test_a_document_type_is_kept_and_never_read() -> None:
    declared = '<!DOCTYPE a [\n  <!ENTITY x "<evil/>">\n  <!ENTITY y SYSTEM "b.xml">\n]>'
    tree = xml(f"{declared}\n<a i='&x;'>&x;&y;</a>")
    assert leaves(tree) == [
        ("data", declared),
        ("tag", "<a i='&x;'>"),
        ("paragraph", "&x;&y;"),
        ("close", "</a>"),
    ]
    assert tags(tree)[0].attribute("i") == "&x;"
    assert said(tree) == [("BMC318", 1, 1)]


@pytest.mark.parametrize(
    "text", ["<!DOCTYPE", "<!DOCTYPE a", "<!DOCTYPE a [", "<!DOCTYPE a [ ] <a/>", "<!DOCTYPE a>"]
)
def test_half_a_document_type(text: str) -> None:
    assert [code for code, _, _ in said(xml(text))] == ["BMC318"]


def test_a_tag_that_is_never_closed_ends_where_the_one_around_it_does() -> None:
    tree = markdown("<step>\n  <check>\n  a\n</step>\n<note>b</note>\n")
    assert said(tree) == [("BMC311", 2, 3)]
    assert "</step> on line 4" in tree.diagnostics[0].message
    assert tree.diagnostics[0].expected == "</check>"
    assert outline(tree) == "document(step(check) note)"


def test_a_tag_that_is_never_closed_at_all_ends_with_the_file() -> None:
    tree = markdown("a\n<workflow>\n<step>\nb")
    assert said(tree) == [("BMC311", 3, 1), ("BMC311", 2, 1)]
    assert "the end of the file" in tree.diagnostics[0].message
    assert outline(tree) == "document(workflow(step))"


def test_a_closing_tag_without_its_opening_one() -> None:
    tree = markdown("<step>\na</check>\nb</step>\n")
    assert said(tree) == [("BMC312", 2, 2)]
    assert outline(tree) == "document(step)"
    assert ("close", "</check>") in leaves(tree)


def test_depth_has_a_limit_that_is_said_once_and_what_is_deeper_is_flat() -> None:
    deep = 3 * MAX_DEPTH
    tree = xml("<a>" * deep + "x" + "</a>" * deep + "<b/>")
    assert [code for code, _, _ in said(tree)] == ["BMC317"]
    assert len(tags(tree)) == MAX_DEPTH
    assert [kind for kind, _ in leaves(tree)].count("close") == deep
    assert tree.blocks[tree.leaves[-1].block].parent == 0


def test_depth_counts_items_and_sections_too() -> None:
    tree = markdown("".join(f"{' ' * level}- a\n" for level in range(2 * MAX_DEPTH)) + "# Head\n")
    assert len(tree.leaves) == 2 * MAX_DEPTH + 1
    assert max(len(list(tree.around(leaf.block))) for leaf in tree.leaves) == MAX_DEPTH


# The compiled agent.

AGENT = """---
name: "sample"
---

```xml
<agent id="x" name="Sam">
<activation>
  <step n="1">Load it</step>
  <r>Stay &amp; work</r>
</activation>
</agent>
```

Behind <r> it.
"""


def test_the_fence_of_a_compiled_agent_is_read_as_tags() -> None:
    tree = markdown(AGENT)
    assert outline(tree) == "document(matter agent(activation(step r)))"
    assert [kind for kind, _ in leaves(tree)].count("fence") == 2
    assert leaves(tree)[-1] == ("paragraph", "Behind <r> it.")
    assert tree.diagnostics == ()


def test_tags_of_the_fence_end_with_it_and_close_nothing_around_it() -> None:
    tree = markdown("<step>\n```xml\n<agent>\n</step>\n<menu>\n```\nin step\n</step>\n")
    assert said(tree) == [("BMC312", 4, 1), ("BMC311", 5, 1), ("BMC311", 3, 1)]
    assert "the end of the fence" in tree.diagnostics[1].message
    assert outline(tree) == "document(step(agent(menu)))"
    assert tree.blocks[tree.leaves[-2].block].name == "step"


def test_another_tag_in_a_fence_is_code() -> None:
    assert tags(markdown("```xml\n<agents>\n</agents>\n```\n")) == []
    assert tags(markdown("```xml\n<step>\n</step>\n```\n")) == []


# Characters that only look like line ends.


@pytest.mark.parametrize("end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e", "\r"])
def test_only_a_line_feed_ends_a_line(end: str) -> None:
    tree = markdown(f"a{end}# b{end}<step>\nc</step>{end}d")
    assert [kind for kind, _ in leaves(tree)] == ["paragraph", "tag", "paragraph", "close", "paragraph"]
    assert [tree.line(leaf) for leaf in tree.leaves] == [1, 1, 2, 2, 2]


@pytest.mark.parametrize("space", ["\x0c", "\u00a0", "\u2028", "\t", "\u3000"])
def test_a_line_of_any_white_space_is_blank(space: str) -> None:
    assert leaves(markdown(f"a\n{space}\nb")) == [("paragraph", "a"), ("paragraph", "b")]


def test_byte_order_mark_crlf_and_a_missing_line_end_change_nothing() -> None:
    text = "---\nname: x\n---\n\n# Head\n- a\n<step>\nb\n</step>\n```\ncode\n```\n"
    plain = read_markdown(decode("a.md", text.encode()))
    other = decode("a.md", b"\xef\xbb\xbf" + text.rstrip().replace("\n", "\r\n").encode())
    tree = read_markdown(other)
    assert faults(tree) == []
    assert (leaves(tree), tree.blocks, tree.matter) == (leaves(plain), plain.blocks, plain.matter)


@pytest.mark.parametrize("text", ["", "\n", " \n\t\n", "\x0c"])
def test_a_file_of_nothing(text: str) -> None:
    for tree in (markdown(text), xml(text)):
        assert (tree.leaves, len(tree.blocks), tree.diagnostics) == ((), 1, ())


def test_entities_are_replaced_once_and_only_the_five_of_xml() -> None:
    assert plain_text("&amp;lt; &lt;&gt;&quot;&apos; &nbsp; &x;") == "&lt; <>\"' &nbsp; &x;"


def test_a_span_tells_lines_and_columns() -> None:
    tree = markdown("a\n\n  - two\n    lines\n")
    span = tree.span(tree.leaves[1])
    assert (span.line, span.column, span.end_line, span.end_column) == (3, 3, 4, 10)
