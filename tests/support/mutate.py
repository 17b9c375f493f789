"""Random damage to a text, from a seed: what an editor, a merge or an attacker might leave behind."""

import random

PIECES = (
    *(
        "<step>",
        "</step>",
        '<check if="a < b">',
        "<action",
        "</workflow>",
        "<goto/>",
        "<agent>",
        "<x:y z='1'/>",
    ),
    *(
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?x",
        "?>",
        "<!DOCTYPE a [",
        "&lt;",
        "&x;",
        "&#0;",
        "<",
        ">",
        '"',
        "'",
    ),
    *(
        "\n```\n",
        "\n````xml\n",
        "~~~",
        "`",
        "``",
        "---\n",
        "\n---\n",
        "\n...\n",
        "# ",
        "\n## x\n",
        "- ",
        "1. ",
        "> ",
    ),
    *(
        "|",
        "\n|---|\n",
        "\t",
        "    ",
        "\n\n",
        "\r",
        "\r\n",
        "\x0c",
        "\x0b",
        "\x85",
        "\u2028",
        "\u00a0",
        "\ufeff",
        "\u200b",
    ),
    *(
        "{{#if x}}",
        "{x}",
        "${{ x }}",
        "[[",
        "]]",
        "{",
        "}",
        "[",
        "]",
        ": ",
        ":",
        ",",
        '""',
        '"""',
        "'''",
        "\\",
        "\\'",
    ),
    *(
        "*a",
        "&a ",
        "!!x ",
        "%YAML 9\n",
        "? ",
        "|\n",
        ">-\n",
        " = ",
        "a.b.c = 1\n",
        "[a]\n",
        "[[a]]\n",
        "=",
        "é",
        "\U0001f33e",
    ),
    *(
        "../../../etc/passwd",
        "file:///etc/passwd",
        "{project-root}/../../x.md",
        "{installed_path}/../..",
        "/etc/passwd",
    ),
    *("0x", "1e999", "9" * 50, "true", "null", "\ud7ff", "\x00", "\x1b[31m", "::error::x"),
)


def mutated(text: str, other: str, chance: random.Random) -> bytes:
    """Return the text with some damage, now and then with a piece of another one or with broken bytes."""
    for _ in range(chance.randint(1, 8)):
        first = chance.randint(0, len(text))
        last = min(len(text), first + int(chance.expovariate(1 / 40)))
        match chance.randrange(8):
            case 0:
                text = text[:first] + text[last:]
            case 1:
                text = text[:last] + text[first:last] * chance.randint(1, 3) + text[last:]
            case 2:
                text = text[:first]
            case 3:
                start = chance.randint(0, len(other))
                text = text[:first] + other[start : start + 80] + text[last:]
            case 4:
                text = text[first:last] + text[:first] + text[last:]
            case 5:
                text = text[:first] + " " * chance.randint(1, 9) + text[first:]
            case _:
                text = text[:first] + chance.choice(PIECES) + text[first:]
    data = text.encode()
    if chance.random() < 0.05:
        at = chance.randint(0, len(data))
        data = data[:at] + bytes((chance.randrange(256),)) + data[at + 1 :]
    return data


def scrambled(chance: random.Random) -> bytes:
    """Return pieces in no order at all."""
    return "".join(chance.choices((*PIECES, "a", "word ", "\n"), k=chance.randint(1, 120))).encode()
