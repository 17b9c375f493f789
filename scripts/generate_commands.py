"""Writes docs/commands.md from the commands themselves: usage, arguments, options, exit codes, examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import click

from bmadc.cli import COMMANDS, cli
from bmadc.project import FILE, KEYS, OVERRIDES, Key

PAGE = Path(__file__).resolve().parents[1] / "docs" / "commands.md"
_HEAD = """\
<!-- Written by scripts/generate_commands.py from the commands. Change their help, then `make goldens`. -->
# Commands

Every command with its options, as `bmadc COMMAND --help` says it. What lies behind them stands in the
[guide](guide.md).

| command | what it does |
|---|---|
"""


def page() -> str:
    """Return the whole page."""
    rows = "\n".join(
        f"| [`bmadc {name}`](#bmadc-{name}) | {short} |" for name, (_, short) in sorted(COMMANDS.items())
    )
    sections = "".join(_section(name) for name in ("", *sorted(COMMANDS)))
    return f"{_HEAD}{rows}\n{sections}{_settings()}"


def _settings() -> str:
    """Return what may stand in the file of a project, from the tables that read it."""
    return "\n".join(
        (
            "",
            f"## {FILE}",
            "",
            "All keys are optional.",
            "",
            *_keys(KEYS),
            "`[workflows.NAME]` changes one workflow, under the name of its file or of its source:",
            "",
            *_keys(OVERRIDES),
        )
    )


def _keys(keys: tuple[Key, ...]) -> Iterator[str]:
    yield "| key | value | meaning |"
    yield "|---|---|---|"
    for key in keys:
        yield f"| `{key.name}` | {_value(key)} | {key.meaning} |"
    yield ""


def _value(key: Key) -> str:
    many = "a list of " if key.kind in ("texts", "choices") else ""
    match key.kind:
        case "flag":
            return "`true` or `false`"
        case "number":
            return f"{key.low} to {key.high}"
        case "choice" | "choices":
            return (many or "one of ") + ", ".join(f"`{choice}`" for choice in key.choices)
    example = f', such as `"{key.example}"`' if key.example else ""
    return (many + "texts" if many else "text") + example


def _section(name: str) -> str:
    context = click.Context(cli, **cli.context_settings)
    command = cli.get_command(context, name) if name else cli
    assert command is not None
    title = f"bmadc {name}".strip()
    inner = click.Context(command, parent=context, info_name=title)
    arguments = " ".join(command.collect_usage_pieces(inner)[1 if name else 0 :])
    lines = ["", f"## {title}", "", "```text", f"{title} [OPTIONS] {arguments}".rstrip(), "```", ""]
    if not name:
        lines[-3] = "bmadc [OPTIONS] COMMAND [ARGUMENTS]..."
    lines += [*_paragraphs(command.help or ""), *_options(command, inner), *_epilog(command.epilog or "")]
    return "\n".join(lines)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        yield " ".join(paragraph.split())
        yield ""


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    yield "| option | meaning |"
    yield "|---|---|"
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None:
            option, meaning = (" ".join(part.split()).replace("|", "\\|") for part in record)
            yield f"| `{option}` | {meaning} |"
    yield ""


def _epilog(text: str) -> Iterator[str]:
    for block in text.split("\b\n"):
        title, _, rest = block.strip("\n").partition("\n")
        if title == "Exit codes:":
            yield "| exit code | meaning |"
            yield "|---|---|"
            for line in rest.splitlines():
                code, _, meaning = line.strip().partition("  ")
                yield f"| {code} | {meaning.strip()} |"
            yield ""
        elif title == "Examples:":
            yield "```sh"
            yield re.sub(r"^  ", "", rest, flags=re.M)
            yield "```"
            yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
