"""Compiled workflows (``.lock.yml``), and any other Actions workflow, as typed data with spans."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from bmadc.source.yamltree import Entry, Mapping, Node, Positions, Problem, Scalar, Sequence, Span, parse_yaml

Texts = AbstractMapping[str, str]


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a dispatched or called workflow."""

    name: str
    type: str
    required: bool
    default: str | None
    options: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Trigger:
    """One event that starts the workflow; a filter that is not written is none, not empty."""

    event: str
    types: tuple[str, ...] | None
    names: tuple[str, ...] | None
    branches: tuple[str, ...] | None
    branches_ignore: tuple[str, ...] | None
    paths: tuple[str, ...] | None
    paths_ignore: tuple[str, ...] | None
    workflows: tuple[str, ...] | None
    crons: tuple[str, ...]
    inputs: AbstractMapping[str, Input]
    span: Span


@dataclass(frozen=True, slots=True)
class Permissions:
    """What a token may do: levels by scope; ``blanket`` is the level of every scope that is not listed."""

    levels: Texts
    blanket: str
    span: Span

    def level(self, scope: str) -> str:
        """Give ``write``, ``read`` or ``none`` for a scope."""
        return self.levels.get(scope, self.blanket)

    @property
    def writes(self) -> tuple[str, ...]:
        """The scopes that may write, sorted; ``*`` when all may."""
        if self.blanket == "write":
            return ("*",)
        return tuple(sorted(scope for scope, level in self.levels.items() if level == "write"))


@dataclass(frozen=True, slots=True)
class Concurrency:
    """A concurrency key as written: the group, what happens to its holder, and how many may wait."""

    group: str
    cancel_in_progress: str
    queue: str
    span: Span


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a job; texts are as written, expressions included."""

    id: str | None
    name: str | None
    condition: str | None
    uses: str | None
    run: str | None
    env: Texts
    with_: Texts
    span: Span
    node: Mapping


@dataclass(frozen=True, slots=True)
class Job:
    """One job; ``uses`` is set for a call of another workflow; texts are as written, expressions included."""

    id: str
    needs: tuple[str, ...]
    condition: str | None
    permissions: Permissions | None
    outputs: Texts
    concurrency: Concurrency | None
    runs_on: tuple[str, ...]
    timeout: str | None
    env: Texts
    uses: str | None
    steps: tuple[Step, ...]
    span: Span
    node: Mapping

    def step(self, id: str) -> Step | None:  # noqa: A002 - the name the workflow file uses
        """Find a step by its id."""
        return next((step for step in self.steps if step.id == id), None)


@dataclass(frozen=True, slots=True)
class Lock:
    """A workflow as GitHub reads it, with gh-aw's own notes from its header."""

    path: str
    name: str | None
    triggers: AbstractMapping[str, Trigger]
    permissions: Permissions | None
    concurrency: Concurrency | None
    env: Texts
    jobs: tuple[Job, ...]
    metadata: AbstractMapping[str, Any] | None
    manifest: AbstractMapping[str, Any] | None
    problems: tuple[Problem, ...]
    root: Mapping | None

    def job(self, id: str) -> Job | None:  # noqa: A002 - the name the workflow file uses
        """Find a job by its id."""
        return next((job for job in self.jobs if job.id == id), None)

    def permissions_of(self, job: Job) -> Permissions | None:
        """Give what the token of a job may do; none when the file does not say and the repository decides."""
        return job.permissions or self.permissions


def parse_lock(text: str, path: str) -> Lock:
    """Read a workflow; what is wrong with it is in its problems and the rest is read all the same."""
    tree = parse_yaml(text)
    reader = _Reader(list(tree.problems))
    metadata = _header_note(text, "gh-aw-metadata", reader.problems)
    manifest = _header_note(text, "gh-aw-manifest", reader.problems)
    root = tree.root if isinstance(tree.root, Mapping) else None
    if root is None:
        if not tree.problems:
            message = "the file is not a mapping of keys to values; GitHub cannot read a workflow from it"
            reader.problems.append(Problem(message, Positions(text).span(0, 0)))
        root_or_empty = Mapping((), Positions(text).span(0, 0))
    else:
        root_or_empty = root
        for key in ("on", "jobs"):
            if key not in root:
                message = f"the workflow has no {key!r}; GitHub refuses it; add the key"
                reader.problems.append(Problem(message, root.span))
    return Lock(
        path=path,
        name=_text(root_or_empty.get("name")),
        triggers=read_triggers(root_or_empty.get("on"), reader.problems),
        permissions=reader.permissions(root_or_empty.get("permissions")),
        concurrency=reader.concurrency(root_or_empty.get("concurrency")),
        env=reader.texts(root_or_empty.get("env")),
        jobs=reader.jobs(root_or_empty.get("jobs")),
        metadata=metadata,
        manifest=manifest,
        problems=tuple(reader.problems),
        root=root,
    )


def read_triggers(node: Node | None, problems: list[Problem]) -> AbstractMapping[str, Trigger]:
    """Bring a word, a list or a mapping under ``on`` into one form: events in order, with their filters."""
    triggers: dict[str, Trigger] = {}
    if isinstance(node, Scalar) and node.text:
        triggers[node.text] = _trigger(node.text, None, node.span)
    elif isinstance(node, Sequence):
        for item in node.items:
            if isinstance(item, Scalar):
                triggers.setdefault(item.text, _trigger(item.text, None, item.span))
            else:
                problems.append(Problem("an event in this list is not a word; write its name", item.span))
    elif isinstance(node, Mapping):
        for entry in node:
            triggers.setdefault(entry.name, _trigger(entry.name, entry.value, entry.key.span))
    return MappingProxyType(triggers)


def _trigger(event: str, node: Node | None, span: Span) -> Trigger:
    config = node if isinstance(node, Mapping) else Mapping((), span)
    crons = node.items if isinstance(node, Sequence) and event == "schedule" else ()
    inputs = config.get("inputs")
    return Trigger(
        event=event,
        types=_list(config.get("types")),
        names=_list(config.get("names")),
        branches=_list(config.get("branches")),
        branches_ignore=_list(config.get("branches-ignore")),
        paths=_list(config.get("paths")),
        paths_ignore=_list(config.get("paths-ignore")),
        workflows=_list(config.get("workflows")),
        crons=tuple(text for item in crons if (text := _text(item.at("cron"))) is not None),
        inputs=MappingProxyType(
            {entry.name: _input(entry) for entry in (inputs if isinstance(inputs, Mapping) else ())}
        ),
        span=span,
    )


def _input(entry: Entry) -> Input:
    required = entry.value.at("required")
    return Input(
        name=entry.name,
        type=_text(entry.value.at("type")) or "string",
        required=isinstance(required, Scalar) and required.value is True,
        default=_text(entry.value.at("default")),
        options=_list(entry.value.at("options")) or (),
        span=entry.key.span,
    )


_LEVELS = ("read", "write", "none")


@dataclass(slots=True)
class _Reader:
    """Reads parts of a workflow and collects what is wrong with them."""

    problems: list[Problem]

    def permissions(self, node: Node | None) -> Permissions | None:
        if node is None:
            return None
        if isinstance(node, Scalar) and node.text in ("read-all", "write-all"):
            return Permissions(MappingProxyType({}), node.text.removesuffix("-all"), node.span)
        levels: dict[str, str] = {}
        if isinstance(node, Mapping):
            for entry in node:
                level = _text(entry.value)
                if level not in _LEVELS:
                    message = (
                        f"the permission {entry.name!r} is {level!r}; GitHub knows only {', '.join(_LEVELS)}"
                    )
                    self.problems.append(Problem(message, entry.value.span))
                    continue
                levels.setdefault(entry.name, level)
        elif not (isinstance(node, Scalar) and node.value is None):
            message = "permissions are neither a mapping nor read-all nor write-all; GitHub refuses the file"
            self.problems.append(Problem(message, node.span))
        return Permissions(MappingProxyType(levels), "none", node.span)

    def concurrency(self, node: Node | None) -> Concurrency | None:
        if node is None:
            return None
        if isinstance(node, Scalar):
            return Concurrency(node.text, "false", "single", node.span)
        group = _text(node.at("group"))
        if group is None:
            self.problems.append(Problem("this concurrency has no group, so GitHub refuses it", node.span))
            return None
        cancel = _text(node.at("cancel-in-progress")) or "false"
        return Concurrency(group, cancel, _text(node.at("queue")) or "single", node.span)

    def texts(self, node: Node | None) -> Texts:
        found: dict[str, str] = {}
        if isinstance(node, Mapping):
            for entry in node:
                if isinstance(entry.value, Scalar):
                    found.setdefault(entry.name, entry.value.text)
        return MappingProxyType(found)

    def jobs(self, node: Node | None) -> tuple[Job, ...]:
        jobs: dict[str, Job] = {}
        if isinstance(node, Mapping):
            for entry in node:
                if isinstance(entry.value, Mapping):
                    jobs.setdefault(entry.name, self.job(entry, entry.value))
                else:
                    message = f"the job {entry.name!r} is not a mapping; GitHub refuses the file"
                    self.problems.append(Problem(message, entry.key.span))
        elif node is not None:
            self.problems.append(Problem("jobs are not a mapping; GitHub refuses the file", node.span))
        return tuple(jobs.values())

    def job(self, entry: Entry, node: Mapping) -> Job:
        return Job(
            id=entry.name,
            needs=_list(node.get("needs")) or (),
            condition=_condition(node.get("if")),
            permissions=self.permissions(node.get("permissions")),
            outputs=self.texts(node.get("outputs")),
            concurrency=self.concurrency(node.get("concurrency")),
            runs_on=_runner(node.get("runs-on")),
            timeout=_text(node.get("timeout-minutes")),
            env=self.texts(node.get("env")),
            uses=_text(node.get("uses")),
            steps=self.steps(node.get("steps")),
            span=entry.span,
            node=node,
        )

    def steps(self, node: Node | None) -> tuple[Step, ...]:
        steps: list[Step] = []
        if isinstance(node, Sequence):
            for item in node.items:
                if isinstance(item, Mapping):
                    steps.append(self.step(item))
                else:
                    self.problems.append(Problem("this step is not a mapping", item.span))
        elif node is not None:
            self.problems.append(Problem("steps are not a list; GitHub refuses the file", node.span))
        return tuple(steps)

    def step(self, node: Mapping) -> Step:
        return Step(
            id=_text(node.get("id")),
            name=_text(node.get("name")),
            condition=_condition(node.get("if")),
            uses=_text(node.get("uses")),
            run=_text(node.get("run")),
            env=self.texts(node.get("env")),
            with_=self.texts(node.get("with")),
            span=node.span,
            node=node,
        )


def _text(node: Node | None) -> str | None:
    return node.text if isinstance(node, Scalar) and node.value is not None else None


def _list(node: Node | None) -> tuple[str, ...] | None:
    if isinstance(node, Sequence):
        return tuple(text for item in node.items if (text := _text(item)) is not None)
    text = _text(node)
    return None if text is None else (text,)


def _condition(node: Node | None) -> str | None:
    text = _text(node)
    return text if text and text.strip() else None


def _runner(node: Node | None) -> tuple[str, ...]:
    return _list(node.get("labels") if isinstance(node, Mapping) else node) or ()


def _header_note(text: str, key: str, problems: list[Problem]) -> AbstractMapping[str, Any] | None:
    header = _HEADER.match(text)
    found = re.search(rf"^# {re.escape(key)}: (.*)$", header.group() if header else "", re.MULTILINE)
    if not found:
        return None
    try:
        note = json.loads(found.group(1))
    except ValueError as error:
        message = f"the comment {key} is not JSON ({error}); compile the workflow again"
        problems.append(Problem(message, Positions(text).span(found.start(1), found.end(1))))
        return None
    return MappingProxyType(note) if isinstance(note, dict) else None


_HEADER = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*")
