"""Files of data: a leaf per line or value, the values as the format's own parser gives them."""

import pytest

from bmadc.frontend.datafiles import read_csv, read_toml, read_yaml
from bmadc.frontend.files import read_tree, suffix
from bmadc.frontend.tomlvalues import KEY_PARTS
from bmadc.ir.tree import Tree, leaf_ids, normal
from bmadc.source import Text
from support.partition import faults, leaves, said


def yaml(text: str) -> Tree:
    return checked(read_yaml(Text("a.yaml", text)))


def toml(text: str) -> Tree:
    return checked(read_toml(Text("a.toml", text)))


def csv(text: str) -> Tree:
    return checked(read_csv(Text("a.csv", text)))


def checked(tree: Tree) -> Tree:
    assert faults(tree) == []
    return tree


# YAML.


def test_yaml_by_lines_with_comments_and_delimiters() -> None:
    tree = yaml("# head\n---\na: 1\n\nb:\n  - x # why\n  # inner\n  - y\n...\n")
    assert leaves(tree) == [
        ("comment", "# head"),
        ("delimiter", "---"),
        ("entry", "a: 1"),
        ("entry", "b:"),
        ("entry", "- x # why"),
        ("comment", "# inner"),
        ("entry", "- y"),
        ("delimiter", "..."),
    ]
    assert tree.matter == (("a", 1), ("b", ["x", "y"]))
    assert (tree.reader, tree.fallback, tree.diagnostics) == ("yaml", 0, ())


@pytest.mark.parametrize(
    "value",
    [
        "|\n  # one\n\n  two: 2",
        ">-\n  one\n  two",
        "'one\n\n  two'",
        '"one\n  two"',
        "one\n  two",
        "\n  one",
        "\n  one\n  two",
        "[one,\n  two\n  ]",
        "{one: 1,\n  two: [\n  3]}",
    ],
)
def test_a_yaml_value_of_several_lines_is_one_leaf(value: str) -> None:
    tree = yaml(f"a: {value}\nb: 1\n")
    assert leaves(tree) == [("entry", f"a: {value}".strip()), ("entry", "b: 1")]
    assert tree.matter_value("b") == 1


def test_a_yaml_value_may_start_on_the_last_line_of_another() -> None:
    tree = yaml("- ['a\n  b', 'c\n  d']\n- e\n")
    assert [text for _, text in leaves(tree)] == ["- ['a\n  b', 'c\n  d']", "- e"]
    assert tree.matter == ()


def test_a_second_yaml_document_is_reported_and_kept() -> None:
    tree = yaml("a: 1\n---\nb: 2\n")
    assert said(tree) == [("BMC318", 2, 1)]
    assert [text for _, text in leaves(tree)] == ["a: 1", "---", "b: 2"]
    assert (tree.matter, tree.fallback) == ((), len("a: 1") + len("b: 2"))


def test_broken_yaml_keeps_its_lines() -> None:
    tree = yaml("a: 1\nb: [1, 2\nc: x: y\n# end\n")
    assert [code for code, _, _ in said(tree)] == ["BMC318"]
    assert [text for _, text in leaves(tree)] == ["a: 1", "b: [1, 2", "c: x: y", "# end"]
    assert tree.fallback > 0


def test_a_yaml_key_twice_is_said_and_the_rest_is_read() -> None:
    tree = yaml("a: 1\na: 2\nb: 3\n")
    assert said(tree) == [("BMC318", 2, 1)]
    assert (tree.matter, tree.fallback) == ((("a", 1), ("b", 3)), 0)


def test_lines_of_yaml_are_counted_as_everywhere_else() -> None:
    tree = yaml("a: 'x\r\u2028\x85y'\nb: 1\nb: 2\n")
    assert said(tree) == [("BMC318", 3, 1)]
    assert len(tree.leaves) == 3


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "- a\n", "word\n"])
def test_yaml_without_a_mapping_has_no_values(text: str) -> None:
    tree = yaml(text)
    assert (tree.matter, tree.diagnostics, tree.fallback) == ((), (), 0)


# TOML.


def test_toml_strings_arrays_and_comments_of_several_lines() -> None:
    text = (
        '[a]  # not [open\nb = """\n# text [\n\\""" still ]"""\nc = \'\'\'\nx\n\'\'\'\nd = [ # ] no\n'
        '  1, "]",\n\n  2,\n]\ne = "a # b [" # c\n[[f]]\ng = {h = 1}\n'
    )
    tree = toml(text)
    assert [piece for _, piece in leaves(tree)] == [
        "[a]  # not [open",
        'b = """\n# text [\n\\""" still ]"""',
        "c = '''\nx\n'''",
        'd = [ # ] no\n  1, "]",\n\n  2,\n]',
        'e = "a # b [" # c',
        "[[f]]",
        "g = {h = 1}",
    ]
    assert tree.matter == (
        ("a", {"b": '# text [\n""" still ]', "c": "x\n", "d": [1, "]", 2], "e": "a # b ["}),
        ("f", [{"g": {"h": 1}}]),
    )
    assert tree.diagnostics == ()


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a = 1\nb = \nc = 2\n", 2, 5),
        ("a = 1\nb\n", 2, 2),
        ("a = 1\na = 2\n", 2, 6),
        ('a = """x\n', 2, 1),
        ("a = [1,\n", 2, 1),
        ("é = 1\n", 1, 1),
        ("a = 2026-13-45\n", 1, 9),
    ],
)
def test_broken_toml_is_reported_and_keeps_its_lines(text: str, line: int, column: int) -> None:
    tree = toml(text)
    assert said(tree) == [("BMC318", line, column)]
    assert tree.matter == ()
    assert tree.fallback == sum(leaf.end - leaf.start for leaf in tree.leaves)


@pytest.mark.parametrize(
    "text",
    [
        f"a = {'9' * 5000}\n",
        f"a = {'[' * 5000}\n",
        f"{'a.' * KEY_PARTS}b = 1\n",
        f"[{'a . ' * KEY_PARTS}b]\n",
        "a = { " + '"x".' * KEY_PARTS + "b = 1 }\n",
    ],
)
def test_toml_that_would_stall_or_stop_the_parser(text: str) -> None:
    tree = toml(text)
    assert [code for code, _, _ in said(tree)] == ["BMC318"]
    assert tree.matter == ()


def test_a_key_of_many_parts_is_still_a_key() -> None:
    assert toml(f"{'a.' * (KEY_PARTS - 1)}b = 1\n").diagnostics == ()


# CSV.


def test_csv_rows_with_quoted_line_ends_and_quotes() -> None:
    tree = csv('a,b\n"x\n\ny","say ""hi"""\n\n  \n1,2\n')
    assert tree.rows == (("a", "b"), ("x\n\ny", 'say "hi"'), ("1", "2"))
    assert leaves(tree) == [
        ("record", "a,b"),
        ("record", '"x\n\ny","say ""hi"""'),
        ("record", "1,2"),
    ]
    assert tree.diagnostics == ()


def test_csv_rows_of_another_width_are_kept_as_they_are_and_reported() -> None:
    tree = csv('a,b,c\n1,2\n"x\ny",2,3\n1,2,3,4\n1,2,\n')
    assert said(tree) == [("BMC319", 2, 1), ("BMC319", 5, 1)]
    assert tree.rows[1:] == (("1", "2"), ("x\ny", "2", "3"), ("1", "2", "3", "4"), ("1", "2", ""))
    assert "2 fields" in tree.diagnostics[0].message
    assert tree.diagnostics[0].expected == "3 fields"


def test_a_quote_that_is_never_closed_costs_one_line() -> None:
    tree = csv('a,b\n1,"x\n2,y\n3,"z ""q"""\n')
    assert said(tree) == [("BMC318", 2, 1)]
    assert tree.rows == (("a", "b"), ("1", "x"), ("2", "y"), ("3", 'z "q"'))
    assert len(tree.leaves) == 4


@pytest.mark.parametrize("text", ['a\n"x', 'a\n"x\n', '"', '"\n'])
def test_a_quote_that_opens_on_the_last_line(text: str) -> None:
    tree = csv(text)
    assert [code for code, _, _ in said(tree)] == ["BMC318"]
    assert len(tree.rows) == len(tree.leaves) == text.count("\n", 0, -1) + 1


def test_quotes_inside_a_field_are_no_fault() -> None:
    tree = csv('a,b\nx "y" z,"q"\n5\'2",w\n')
    assert tree.diagnostics == ()
    assert tree.rows[1:] == (('x "y" z', "q"), ("5'2\"", "w"))


def test_a_carriage_return_in_a_field_costs_its_record_only() -> None:
    tree = csv("a,b\nx\ry,2\n1,2\n")
    assert said(tree) == [("BMC318", 2, 1)]
    assert tree.rows == (("a", "b"), ("1", "2"))
    assert leaves(tree)[1] == ("data", "x\ry,2")


def test_a_field_without_end_costs_one_line() -> None:
    filler = "".join(f"{number},y\n" for number in range(40_000))
    tree = csv(f'a,b\n1,"x\n{filler}2,"z"\n')
    assert said(tree)[0] == ("BMC318", 2, 1)
    assert tree.rows[1:3] == (("1", "x"), ("0", "y"))
    assert tree.rows[-1] == ("2", "z")


def test_only_a_line_feed_ends_a_record() -> None:
    assert csv("a,b\nx\u2028y\x0b\x0cz\x85,2\n").rows[1] == ("x\u2028y\x0b\x0cz\x85", "2")


# Which reader takes a file, and what has none.


@pytest.mark.parametrize(
    ("path", "reader", "kind"),
    [
        ("a/b.md", "markdown", "paragraph"),
        ("a/B.MD", "markdown", "paragraph"),
        ("a.b/c.xml", "xml", "paragraph"),
        ("x.agent.yaml", "yaml", "entry"),
        ("x.yml", "yaml", "entry"),
        ("x.toml", "toml", "entry"),
        ("x.csv", "csv", "record"),
        ("x.py", "script", "data"),
        ("x.json", "json", "data"),
        ("x.html", "page", "data"),
        ("LICENSE", "fallback", "data"),
        ("a.md/notes", "fallback", "data"),
        (".hidden", "fallback", "data"),
    ],
)
def test_the_name_chooses_the_reader(path: str, reader: str, kind: str) -> None:
    tree = checked(read_tree(Text(path, "\n  word = 1\n\n")))
    assert (tree.reader, [leaf.kind for leaf in tree.leaves]) == (reader, [kind])
    assert tree.fallback == (len("word = 1") if reader == "fallback" else 0)


@pytest.mark.parametrize(("path", "ending"), [("a.B/c", ""), ("a.tar.GZ", ".gz"), ("x.", "."), ("", "")])
def test_endings(path: str, ending: str) -> None:
    assert suffix(path) == ending


def test_an_empty_file_of_any_kind_has_no_leaves() -> None:
    for path in ("a.md", "a.xml", "a.yaml", "a.toml", "a.csv", "a.py", "a"):
        assert checked(read_tree(Text(path, " \n"))).leaves == ()


# Ids of leaves.


def test_an_id_depends_on_the_words_alone() -> None:
    def ids(path: str, text: str) -> tuple[str, ...]:
        return leaf_ids(read_tree(Text(path, text)))

    plain = ids("a.md", "one two\n\n- three\n\none two\n")
    moved = ids("a.md", "# New\n\none\n  two\n\n\n- three\n\none two\n")
    assert plain == moved[1:]
    assert len(set(plain)) == 3
    assert plain[2] == f"{plain[0]}.2"
    assert set(ids("b.md", "one two\n")).isdisjoint(plain)
    assert ids("a.md", "one two!\n")[0] not in plain
    assert normal(" a\n\t b ") == "a b"
