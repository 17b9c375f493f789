"""What the documentation shows is what happens: examples, links, paths, commands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from _pytest.mark.structures import ParameterSet
from click.testing import CliRunner

from bmadc.cli import COMMANDS, cli
from bmadc.passes.rules import Found, Made, Nothing, Once, Phrase, Rule, Say, Sentence, Whole
from support.packs import GH_AW
from support.rules import applied

ROOT = Path(__file__).resolve().parents[2]
PAGES = tuple(
    sorted((*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "workflows").glob("README.md")))
)
# The guide shows a small module of its own; its examples are run where that module is made.
SHOWN_ELSEWHERE = {"docs/guide.md"}
PACKAGE = ROOT / "compiler" / "bmadc"


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(language: str) -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for found in re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S):
            yield name(page), found


def consoles() -> list[tuple[str, str, str]]:
    found = []
    for page, block in blocks("console"):
        first, _, shown = block.partition("\n")
        if page not in SHOWN_ELSEWHERE:
            found.append((page, first.removeprefix("$ "), shown))
    return found


def example(page: str, command: str, shown: str) -> ParameterSet:
    """One example; one that sets a repository up has it verified too."""
    marks = [pytest.mark.needs("gh-aw")] if command.startswith("bmadc init") else []
    return pytest.param(page, command, shown, id=f"{page} {command}", marks=marks)


@pytest.mark.parametrize(("page", "command", "shown"), [example(*one) for one in consoles()])
def test_what_a_page_shows_is_printed(
    page: str, command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sets_up = command.startswith("bmadc init")
    monkeypatch.chdir(tmp_path if sets_up else ROOT)
    if sets_up:
        monkeypatch.setenv("BMADC_GH_AW", str(GH_AW))
        (tmp_path / ".git").mkdir()
    program, *arguments = shlex.split(command)
    assert program == "bmadc", page
    printed = CliRunner().invoke(cli, arguments).output
    # A line of three dots stands for lines that the page leaves out.
    pattern = re.escape(shown).replace(re.escape("...\n"), "(?:.*\n)*?")
    assert re.fullmatch(pattern, printed), printed


def test_the_rule_that_is_shown_is_a_rule() -> None:
    shown = [block for page, block in blocks("python") if page == "docs/extending.md"]
    assert shown
    names = {one.__name__: one for one in (Found, Made, Nothing, Once, Phrase, Rule, Say, Sentence, Whole)}
    for block in shown:
        rule = eval(block.strip(), dict(names))
        assert isinstance(rule, Rule)
        assert [applied(rule, before) for before, _ in rule.examples] == [after for _, after in rule.examples]
        assert [applied(rule, text) for text in rule.near] == list(rule.near)


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    found = re.findall(r"^#+ (.*)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", one.lower()).strip().replace(" ", "-") for one in found}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = target.partition("#")
        if path.startswith("https://"):
            continue
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{name(page)}: {target}"
        assert not anchor or anchor in headings(there), f"{name(page)}: {target}"


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name == "docs"], ids=name)
def test_every_module_that_is_named_is_there(page: Path) -> None:
    named = re.findall(r"`((?:[a-z_]+/)+[a-z_]*\.(?:py|sh))`", page.read_text("utf-8"))
    for path in named:
        assert (ROOT / path).exists() or (PACKAGE / path).exists(), f"{name(page)}: {path}"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_examples_of_a_command_can_be_given(command: str) -> None:
    context = click.Context(cli, **cli.context_settings)
    found = cli.get_command(context, command)
    assert found is not None
    _, _, examples = (found.epilog or "").partition("Examples:\n")
    lines = [line.strip() for line in examples.splitlines() if line.strip()]
    assert lines, command
    for line in lines:
        words = shlex.split(re.split(r" [>|] ", line)[0])
        assert words[:2] == ["bmadc", command], line
        # Parsed as it would be, and not run.
        found.make_context(command, words[2:], parent=context)
