"""Tags become what they mean, Markdown stays, and every line knows its leaves."""

from __future__ import annotations

from textwrap import dedent

from bmadc.frontend.files import read_tree
from bmadc.ir.tree import CONTENT, PROSE
from bmadc.passes.edits import Edits
from bmadc.passes.layout import lay_out
from bmadc.source import Text


def laid(text: str, name: str = "x.xml", level: int = 3) -> str:
    tree = read_tree(Text(name, dedent(text)))
    return "\n".join(line.text for line in lay_out(tree, Edits(()), level))


def test_steps_are_headings_and_actions_are_numbered() -> None:
    assert laid(
        """\
        <workflow>
          <step n="1" goal="Light the oven">
            <critical>Never leave it alone</critical>
            <action>Open the flue</action>
            <check if="the wood is wet">
              <action>Fetch dry wood
                from the shed</action>
              <goto step="2">Bake</goto>
            </check>
            <action if="smoke">Air the room</action>
          </step>
          <step n="2" goal="Bake"><action>Wait</action></step>
        </workflow>
        """
    ) == dedent(
        """\
        ### Step 1: Light the oven

        1. **Never leave it alone**
        2. Open the flue
        3. If the wood is wet:
            1. Fetch dry wood from the shed
            2. Go to Step 2 (Bake): Bake
        4. If smoke: Air the room

        ### Step 2: Bake

        1. Wait"""
    )


def test_what_is_to_be_said_is_quoted_line_by_line() -> None:
    assert laid(
        """\
        <workflow><step n="1" goal="Tell">
          <output>🔥 **Hot**
            Mind your hands

            ## Next
            - gloves
          </output>
        </step></workflow>
        """
    ) == dedent(
        """\
        ### Step 1: Tell

        1. Report:
            > 🔥 **Hot**
            > Mind your hands
            >
            > ## Next
            > - gloves"""
    )


def test_lists_in_actions_and_anchors_and_comments() -> None:
    text = laid(
        """\
        <workflow><step n="1" goal="Mix">
          <!-- dry things -->
          <action>Take:
            - flour
            - salt
          </action>
          <anchor id="knead_it" />
          <action>Knead</action>
          <goto anchor="knead_it" />
        </step></workflow>
        """
    )
    assert "*dry things*" in text
    assert "1. Take:\n    - flour\n    - salt" in text
    assert "**Knead it**" in text
    assert "Go to “Knead it”" in text


def test_entities_are_read() -> None:
    assert "1. a < b & c" in laid(
        "<workflow><step n='1' goal='x'><action>a &lt; b &amp; c</action></step></workflow>"
    )


def test_markdown_stays_and_headings_move_to_their_level() -> None:
    source = "# Bread\n\nOne loaf.\n\n- flour\n  - fine\n\n## Crust\n\n```sh\n# no heading\n```\n"
    assert laid(source, "x.md", 3) == (
        "### Bread\n\nOne loaf.\n\n- flour\n  - fine\n\n#### Crust\n\n```sh\n# no heading\n```"
    )


def test_signs_in_front_go_and_lines_that_they_parted_become_items() -> None:
    assert laid("- 🛑 Never\n- ✅ Always\n", "x.md") == "- Never\n- Always"
    assert laid("✅ warm\n✅ dry\n", "x.md") == "- warm\n- dry"
    assert laid("✅ warm\n", "x.md") == "warm"
    assert laid("## 🔥 Heat\n\nMore ✅ inside stays.\n", "x.md") == "### Heat\n\nMore ✅ inside stays."


def test_lists_count_on_where_an_item_is_gone() -> None:
    tree = read_tree(Text("x.md", "1. one\n2. two\n3. three\n"))
    gone = frozenset((1,))
    assert [line.text for line in lay_out(tree, Edits(()), 1, gone)] == ["1. one", "2. three"]


def test_every_line_of_content_names_its_leaves() -> None:
    text = dedent(
        """\
        # Title

        Words.

        | a | b |
        |---|---|
        | 1 | 2 |

        > quoted

        1. one
           more
        """
    )
    tree = read_tree(Text("x.md", text))
    named = {number for line in lay_out(tree, Edits(()), 1) for number in line.leaves}
    assert {number for number, leaf in enumerate(tree.leaves) if leaf.kind in PROSE & CONTENT} <= named


def test_a_save_names_its_file_where_the_tag_does() -> None:
    assert laid(
        """\
        <workflow><step n="1" goal="Count">
          <template-output file="bread/book.md">loaves</template-output>
          <template-output>crumbs</template-output>
        </step></workflow>
        """
    ) == dedent(
        """\
        ### Step 1: Count

        1. Checkpoint: save this part in bread/book.md and read it again before you go on: loaves
        2. Checkpoint: save this part and read it again before you go on: crumbs"""
    )
