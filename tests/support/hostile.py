"""Texts that are made to crash, stall or fill the memory of a reader, each as large as one is asked for."""

from collections.abc import Callable


def _fill(piece: str, size: int) -> str:
    return piece * (size // len(piece.encode()))


def _repeated(piece: str, before: str = "", behind: str = "") -> Callable[[int], str]:
    return lambda size: before + _fill(piece, size - len(before) - len(behind)) + behind


def _runs_of_ticks(size: int) -> str:
    """No two runs of backticks are of the same length, so none of them closes another."""
    parts, taken, width = [], 0, 1
    while taken + width + 1 < size:
        parts.append("`" * width)
        taken += width + 1
        width += 1
    return "<" + "<".join(parts)


def _stairs(piece: str) -> Callable[[int], str]:
    """Each line stands deeper than the one before."""

    def text(size: int) -> str:
        lines, taken, depth = [], 0, 0
        while taken + depth + len(piece) + 1 < size:
            lines.append(" " * depth + piece)
            taken += depth + len(piece) + 1
            depth += 1
        return "\n".join(lines)

    return text


def _laughs(size: int) -> str:
    """Entities that name others ten times each; few bytes, and a billion words if they were expanded."""
    lines = [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12)]
    head = '<!DOCTYPE a [\n<!ENTITY e0 "ha">\n' + "\n".join(lines) + "\n]>\n<a>"
    return head + _fill("&e11;", size - len(head) - 4) + "</a>"


def _aliases(size: int) -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    head = "\n".join(lines) + "\n"
    return head + _fill("y: *a11\n", size - len(head))


MARKUP: dict[str, Callable[[int], str]] = {
    "brackets": _repeated("<"),
    "brackets and spaces": _repeated("< "),
    "open tags": _repeated("<step>"),
    "open tags by line": _repeated("<step>\n"),
    "closing tags": _repeated("</step>"),
    "tags in pairs": lambda size: _fill("<step>", size // 2) + _fill("</step>", size // 2),
    "tags one after the other": _repeated("<action>a</action>"),
    "half a tag": _repeated("<step "),
    "a tag without end": _repeated('a="b" ', before="<step "),
    "a name without end": _repeated("a", before="<step "),
    "spaces in a tag": _repeated(" ", before="<step"),
    "spaces in many tags": _repeated("<step" + " " * 50),
    "an attribute without end": _repeated("a ", before='<step a="'),
    "many attributes without end": _repeated('<step a="b" c=\''),
    "attributes with brackets": _repeated("<check if='<'>x</check>"),
    "open comments": _repeated("<!--\n"),
    "open comments on a line": _repeated("<!-- "),
    "comments that nearly end": _repeated("<!--->-- >\n"),
    "open instructions": _repeated("<?\n"),
    "open data": _repeated("<![CDATA[\n"),
    "document types": _repeated("<!DOCTYPE [\n"),
    "document types without end": _repeated("<!DOCTYPE a\n"),
    "entities": _laughs,
    "an entity of a file": lambda size: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    "a document type of a host": lambda size: '<!DOCTYPE a SYSTEM "http://127.0.0.1:1/a.dtd"><a/>',
    "entities of parameters": lambda size: (
        '<!DOCTYPE a [<!ENTITY % x SYSTEM "http://127.0.0.1:1/"> %x; <!ENTITY % y "%x;%x;"> %y;]><a/>'
    ),
    "backticks": _repeated("`"),
    "backticks and spaces": _repeated("` "),
    "runs of backticks": _runs_of_ticks,
    "backticks around tags": _repeated("`<step>` <step> ``"),
    "backticks on one line of tags": _repeated("<step>`</step>``"),
    "fences": _repeated("```\n"),
    "fences with words": _repeated("``` a\n"),
    "fences of two kinds": _repeated("```\n~~~\n````\n"),
    "fences that grow": lambda size: "\n".join("`" * (3 + n) for n in range(int((2 * size) ** 0.5) - 4)),
    "a fence of an agent": _repeated("<i>", before="```xml\n<agent>\n"),
    "fences of agents": _repeated("```\n<agent>\n<i>\n```\n"),
    "spaces": _repeated(" "),
    "line ends": _repeated("\n"),
    "tabs before an item": _repeated("\t", behind="- a"),
    "items": _repeated("- a\n"),
    "items ever deeper": _stairs("- a"),
    "markers on a line": _repeated("- "),
    "quotes": _repeated("> "),
    "quotes by line": _repeated(">\n"),
    "headings": _repeated("# a\n"),
    "a heading of signs": _repeated(" #", before="# a"),
    "a heading of spaces": _repeated(" ", before="# a", behind="b"),
    "rows": _repeated("|a"),
    "rules of a table": _repeated("|-", behind="x"),
    "rules of a table by line": _repeated("|:-:|\n"),
    "a rule that is none": _repeated("- ", behind="x"),
    "stars": _repeated("*"),
    "a word": _repeated("a"),
    "words by line": _repeated("a\n"),
    "a digit": _repeated("1"),
    "returns": _repeated("\r"),
    "separators": _repeated("\u2028"),
    "front matter without end": _repeated("a: b\n", before="---\n"),
    "front matters": _repeated("---\n"),
    "front matter of brackets": _repeated("[", before="---\na: ", behind="\n---\n"),
    "front matter of aliases": lambda size: "---\n" + _aliases(min(size, 100_000)) + "\n---\n",
    "front matter of colons": _repeated(":", before="---\n", behind="\n---\n"),
    "braces": _repeated("{{#if "),
    "entities of numbers": _repeated("&#65;&lt;"),
}

YAML: dict[str, Callable[[int], str]] = {
    "aliases": _aliases,
    "brackets": _repeated("["),
    "braces": _repeated("{"),
    "pairs of brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "dashes": _repeated("- "),
    "questions": _repeated("? "),
    "colons": _repeated(": "),
    "keys": _repeated("a: 1\n"),
    "keys ever deeper": _stairs("a:"),
    "items": _repeated("- a\n"),
    "documents": _repeated("---\n"),
    "a quote without end": _repeated("a\n", before='a: "'),
    "quotes": _repeated('"\n'),
    "flow over lines": _repeated("'a\n',", before="[", behind="]"),
    "a block": _repeated(" a\n", before="a: |\n"),
    "comments": _repeated("#\n"),
    "anchors": _repeated("&a "),
    "tags": _repeated("!!python/object/apply:os.system ['true']\n"),
    "a number": _repeated("9", before="a: "),
    "directives": _repeated("%YAML 1.1\n"),
    "a merge of itself": lambda size: "a: &a\n  <<: *a\n",
    "returns": _repeated("a: 1\r"),
}

TOML: dict[str, Callable[[int], str]] = {
    "brackets": _repeated("[", before="a = "),
    "braces": _repeated("{a=", before="a = "),
    "dots": _repeated("a.", behind="b = 1"),
    "dots in quotes": _repeated('"a".', behind="b = 1"),
    "dots in a table": _repeated("a.", before="[", behind="b]"),
    "tables": _repeated("[a]\n"),
    "lists of tables": _repeated("[[a]]\n"),
    "keys": lambda size: "".join(f"a{n} = 1\n" for n in range(size // 14)),
    "a number": _repeated("9", before="a = "),
    "a string without end": _repeated("a\n", before='a = """'),
    "strings over lines": _repeated('"""\n""",', before="a = [", behind="]"),
    "backslashes": _repeated("\\", before='a = """'),
    "escapes": _repeated("\\n", before='a = "', behind='"'),
    "quotes": _repeated('"'),
    "apostrophes": _repeated("'"),
    "comments": _repeated("#[\n"),
    "a list": _repeated("1,", before="a = [", behind="]"),
    "a list over lines": _repeated("1,\n", before="a = [", behind="]"),
    "a word": _repeated("a"),
    "returns": _repeated("a = 1\r"),
}

CSV: dict[str, Callable[[int], str]] = {
    "commas": _repeated(","),
    "quotes": _repeated('"'),
    "quotes by line": _repeated('"\n'),
    "quotes in pairs": _repeated('""\n', before='a\n"'),
    "quotes in threes": _repeated('"""\n'),
    "quotes that close badly": _repeated('a,"b\n"c,d\n'),
    "a quote without end": _repeated("a,b\n", before='"'),
    "a field": _repeated("a"),
    "returns": _repeated("a\r"),
    "returns by line": _repeated("a\rb\n"),
    "rows that are too long": _repeated("1,2\n", before="a\n"),
    "line ends": _repeated("\n"),
}

BY_SUFFIX: dict[str, dict[str, Callable[[int], str]]] = {
    ".md": MARKUP,
    ".xml": MARKUP,
    ".yaml": YAML,
    ".toml": TOML,
    ".csv": CSV,
}
