"""Agents as BMAD's installer compiles them up to 6.2: `<agent>` in a fence of a Markdown file.

The tags are searched in the text and not taken from the block tree: the installer writes prompts, actions and
targets into them as they are, so one quote or fence in a prompt breaks every parser of the whole, but not
the order of the sections, which is always the same.

The installer adds things of its own to each agent, and all of them are left out here: the first three steps
and the last five of the activation, the handlers and rules behind them, and four menu items: MH and CH before
the agent's own, PM and DA behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from bmadc.diagnostics import Diagnostic
from bmadc.frontend.agent_parts import (
    KINDS,
    code_of,
    menu_findings,
    menu_item,
    not_an_agent,
    point,
    principles_of,
)
from bmadc.frontend.blocks import plain_text
from bmadc.ir.model import Agent, MenuItem, Origin, Prompt
from bmadc.ir.tree import Tree, normal

# Steps that the installer writes before and behind the agent's own.
STEPS_BEFORE = 3
STEPS_BEHIND = 5

# Codes of the items that it adds.
ITEMS_BEFORE = ("MH", "CH")
ITEMS_BEHIND = ("PM", "DA")

_STEP = re.compile(r"<step n=\"(\d{1,9})\">")
_PROMPT = re.compile(r"<prompt id=\"([^\"\n]*)\">\s*<content>")
_MEMORY = re.compile(r"<memory>")
_ITEM = re.compile(r"<item\b")
_HANDLER = re.compile(r"<handler\b")
# An attribute starts behind the quote that ends the one before it: so a value may hold quotes.
_ATTRIBUTE = re.compile(r"(?:^|(?<=\"))\s+([a-z][\w-]*)=\"")


class _Part(NamedTuple):
    """A stretch of text between an opening and a closing tag; `at` is where the opening tag stands."""

    at: int
    start: int
    text: str
    name: str = ""


def is_compiled_agent(tree: Tree) -> bool:
    """Whether a Markdown file holds an agent that the installer has compiled, not just an example of one."""
    if tree.reader != "markdown" or "agents" not in tree.path.split("/")[:-1]:
        return False
    tags = [block.name for block in tree.blocks if block.kind == "tag"]
    return tags.count("agent") == 1 and ("persona" in tags or "menu" in tags)


def read_agent_compiled(tree: Tree, module: str) -> tuple[Agent | None, tuple[Diagnostic, ...]]:
    """Return the agent of a compiled file, as its YAML had it."""
    whole = _between(tree.text.text, "agent")
    opening = next((block for block in tree.blocks if block.kind == "tag" and block.name == "agent"), None)
    if whole is None or opening is None:
        return None, (not_an_agent(tree, "<agent> is not closed", "</agent> behind the menu"),)
    found: list[Diagnostic] = []
    persona = _between(whole.text, "persona") or _Part(0, 0, "")
    prompts = tuple(_prompts(tree, whole))
    menu = tuple(_menu(tree, whole, found))
    found.extend(menu_findings(tree, menu, [prompt.id for prompt in prompts]))
    agent = Agent(
        id=tree.path.rpartition("/")[2].removesuffix(".md"),
        module=module,
        encoding="agent-compiled",
        origin=Origin(tree.path),
        name=normal(opening.attribute("name") or ""),
        title=normal(opening.attribute("title") or ""),
        icon=normal(opening.attribute("icon") or ""),
        capabilities=normal(opening.attribute("capabilities") or ""),
        role=_field(persona, "role"),
        identity=_field(persona, "identity"),
        communication_style=_field(persona, "communication_style"),
        principles=principles_of(_field(persona, "principles")),
        critical_actions=_critical_actions(tree, whole, found),
        persistent_facts=_memories(whole),
        menu=menu,
        prompts=prompts,
    )
    return agent, tuple(found)


def _between(text: str, tag: str) -> _Part | None:
    """Return what stands between the first opening tag of that name and the last closing one."""
    at = text.find(f"<{tag}")
    while at >= 0 and text[at + len(tag) + 1 : at + len(tag) + 2] not in (">", " ", "\n"):
        at = text.find(f"<{tag}", at + 1)
    start = text.find(">", at) + 1 if at >= 0 else 0
    end = text.rfind(f"</{tag}>")
    return _Part(at, start, text[start:end]) if 0 < start <= end else None


def _each(text: str, opening: re.Pattern[str], closing: str) -> Iterator[_Part]:
    """Return each stretch from an opening tag to the next closing one; linear, whatever the text is."""
    at = 0
    while (found := opening.search(text, at)) is not None:
        end = text.find(closing, found.end())
        if end < 0:
            return
        yield _Part(found.start(), found.end(), text[found.end() : end], found[1] if opening.groups else "")
        at = end + len(closing)


def _field(persona: _Part, name: str) -> str:
    part = _between(persona.text, name)
    return normal(plain_text(part.text)) if part is not None else ""


def _critical_actions(tree: Tree, whole: _Part, found: list[Diagnostic]) -> tuple[str, ...]:
    activation = _between(whole.text, "activation")
    if activation is None:
        return ()
    # The handlers behind the steps show steps of their own in words.
    steps = list(_each(activation.text.partition("<menu-handlers>")[0], _STEP, "</step>"))
    numbers = [int(step.name) for step in steps]
    if numbers != list(range(1, len(steps) + 1)) or len(steps) < STEPS_BEFORE + STEPS_BEHIND:
        line = tree.text.position(whole.start + activation.start)[0]
        found.append(_unknown_activation(tree, line, len(steps)))
        return ()
    return tuple(normal(step.text) for step in steps[STEPS_BEFORE : len(steps) - STEPS_BEHIND])


def _prompts(tree: Tree, whole: _Part) -> Iterator[Prompt]:
    prompts = _between(whole.text, "prompts")
    if prompts is None:
        return
    for prompt in _each(prompts.text, _PROMPT, "</content>"):
        line = tree.text.position(whole.start + prompts.start + prompt.at)[0]
        yield Prompt(prompt.name, prompt.text.strip(), Origin(tree.path, line))


def _memories(whole: _Part) -> tuple[str, ...]:
    memories = _between(whole.text, "memories")
    if memories is None:
        return ()
    return tuple(normal(plain_text(memory.text)) for memory in _each(memories.text, _MEMORY, "</memory>"))


def _menu(tree: Tree, whole: _Part, found: list[Diagnostic]) -> Iterator[MenuItem]:
    # A prompt may speak of a menu, but only the agent's own stands last.
    start = whole.text.rfind("<menu>")
    end = whole.text.rfind("</menu>")
    if start < 0 or end < start:
        line = tree.text.position(whole.start)[0]
        found.append(not_an_agent(tree, "it has no menu", "<menu> with its items", line))
        return
    items = [
        (code_of(_attributes(head).get("cmd", "")), item, head, text)
        for item in _each(whole.text[start:end], _ITEM, "</item>")
        for head, text in [_parted(item.text)]
    ]
    codes = [code for code, *_ in items]
    own = items[_added_before(codes) : len(items) - _added_behind(codes)]
    for code, item, head, text in own:
        line = tree.text.position(whole.start + start + item.at)[0]
        for entry in _entries(code, head, text):
            made, said = menu_item(tree, line, *entry)
            found.extend(said)
            if made is not None:
                yield made


def _parted(body: str) -> tuple[str, str]:
    """Return the attributes and the text of an item; the text is escaped, so it holds no quote."""
    if body.startswith(' type="multi">'):
        head, _, text = body.partition(">")
        return head, text
    head, quote, text = body.rpartition('">')
    return (head + '"' if quote else body.rstrip("> ")), text


def _entries(code: str, head: str, text: str) -> Iterator[tuple[str, dict[str, str], str, str]]:
    """Return code, targets, description and data of an item, or of each handler in it."""
    handlers = list(_each(text, _HANDLER, "</handler>")) if 'type="multi"' in head else []
    if not handlers:
        yield code, _targets(head), normal(plain_text(text)), _attributes(head).get("data", "")
        return
    description = normal(plain_text(text[: handlers[0].at]))
    for handler in handlers:
        head = handler.text.rstrip().removesuffix(">")
        attributes = _attributes(head)
        trigger = code_of(plain_text(attributes.get("match", "")))
        yield trigger, _targets(head), description, attributes.get("data", "")


def _targets(head: str) -> dict[str, str]:
    return {name: value for name, value in _attributes(head).items() if name in KINDS}


def _attributes(head: str) -> dict[str, str]:
    starts = list(_ATTRIBUTE.finditer(head))
    ends = [*(found.start() for found in starts[1:]), len(head)]
    return {
        found[1]: normal(head[found.end() : end].rstrip().removesuffix('"'))
        for found, end in zip(starts, ends, strict=False)
    }


def _added_before(codes: list[str]) -> int:
    return len(ITEMS_BEFORE) if tuple(codes[: len(ITEMS_BEFORE)]) == ITEMS_BEFORE else 0


def _added_behind(codes: list[str]) -> int:
    return len(ITEMS_BEHIND) if tuple(codes[-len(ITEMS_BEHIND) :]) == ITEMS_BEHIND else 0


def _unknown_activation(tree: Tree, line: int, count: int) -> Diagnostic:
    return Diagnostic(
        code="BMC356",
        severity="warning",
        message=f"the {count} activation steps of this agent are not as BMAD's installer writes them",
        span=point(tree, line),
        expected=f"steps from 1 on, {STEPS_BEFORE} before the agent's own and {STEPS_BEHIND} behind them",
        why="Which of them are the agent's own cannot be told, so its critical actions are not known.",
        help=("Install again, and change agents in `_config/agents` instead of here.",),
    )
