"""`bmadc doctor`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from bmadc.cli.layout import count, labelled
from bmadc.cli.output import FORMATS, emit, line_on_disk, terminal_width
from bmadc.cli.reading import root_option, tree_at
from bmadc.diagnostics import Diagnostic, in_reading_order
from bmadc.diagnostics import count as how_many
from bmadc.diagnostics.model import SEVERITIES
from bmadc.diagnostics.text import Line
from bmadc.ir.model import Pack
from bmadc.ir.outline import Survey, survey
from bmadc.ir.serial import diagnostics_json
from bmadc.source import SourceError

FORMAT = 1


@click.command(
    "doctor",
    epilog="""\b
Exit codes:
  0  nothing to mend; notes alone are fine
  1  there are errors or warnings
  2  there is no BMAD tree, or it cannot be read

\b
Examples:
  bmadc doctor
  bmadc doctor --root my-module
  bmadc doctor --json
  bmadc doctor --format github
""",
)
@root_option
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How to show the findings: for people, for programs, as workflow commands or as SARIF.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as `--format json`.")
@click.option("--personal", is_flag=True, help="Let the personal settings (`*.user.toml`) count too.")
@click.pass_context
def command(ctx: click.Context, root: Path | None, format_: str, as_json: bool, personal: bool) -> None:
    """Say what a BMAD tree holds and what is broken in it.

    Shows the release, the dialects and the modules, counts agents, workflows and steps, names workflows
    without an owner or with several, files that nothing reaches, shims and overlays; then everything that is
    broken, at its line. A module by itself is a tree too: it needs no bmm beside it.
    """
    from bmadc.frontend.pack import read_pack
    from bmadc.frontend.roots import find_root

    format_ = "json" if as_json else format_
    folder = tree_at(ctx, root, format_, "cannot be read", partial(document, None, ""))
    try:
        pack = read_pack(folder, personal=personal)
        release_from = find_root(folder).release_from
    except SourceError as problem:
        emit(
            (problem.diagnostic,),
            partial(line_on_disk, folder),
            format_,
            closing="cannot be read",
            fine=False,
            summary={},
            document=document(None, "", (problem.diagnostic,)),
        )
        ctx.exit(2)
    found = survey(pack)
    diagnostics = by_severity(pack.diagnostics)
    mend = sum(1 for one in diagnostics if one.severity != "note")
    emit(
        folded(diagnostics) if format_ == "text" else diagnostics,
        partial(line_of, pack, folder),
        format_,
        closing=verdict(diagnostics),
        fine=not mend,
        summary={},
        opening=tuple(opening(found, release_from)),
        document=document(found, release_from, pack.diagnostics),
    )
    ctx.exit(1 if mend else 0)


def by_severity(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return errors first, then warnings, then notes, each in reading order."""

    return tuple(sorted(in_reading_order(diagnostics), key=lambda one: SEVERITIES.index(one.severity)))


def folded(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics; those that say the same about one file are one, with the lines of all."""
    same: dict[tuple[str, str, str, str], list[Diagnostic]] = {}
    for one in diagnostics:
        path = "" if one.span is None else one.span.path
        same.setdefault((one.severity, one.code, path, one.message), []).append(one)
    return tuple(_with_lines(first, more) for first, *more in same.values())


def _with_lines(first: Diagnostic, more: list[Diagnostic]) -> Diagnostic:
    lines = [str(one.span.line) for one in more if one.span is not None and not one.span.is_file]
    if not lines:
        return first
    said = f"the same in {'lines' if len(lines) > 1 else 'line'} {', '.join(lines)}"
    return replace(first, detail=f"{first.detail}\n{said}".lstrip("\n"))


def line_of(pack: Pack, root: Path, path: str, line: int) -> str | None:
    """Return a line of a file as it was read, or of one that is no part of the pack."""
    tree = pack.trees.get(path)
    if tree is None:
        return line_on_disk(root, path, line)
    return tree.text.line(line) if 1 <= line <= tree.text.line_count else None


def verdict(diagnostics: tuple[Diagnostic, ...]) -> str:
    """Return how it stands, in one line."""

    numbers = {severity: how_many(diagnostics, severity) for severity in SEVERITIES}
    if not numbers["error"] and not numbers["warning"]:
        notes = numbers["note"]
        return f"nothing to mend, {count(notes, 'note')}" if notes else "nothing to mend"
    return ", ".join(count(number, severity) for severity, number in numbers.items())


def opening(found: Survey, release_from: str) -> Iterator[Line]:
    """Return what was found, above the findings."""
    from bmadc.frontend.dialects import DIALECTS

    width = terminal_width()
    release = found.release or "unknown"
    rows: list[tuple[str, list[str]]] = [
        ("release", [f"{release}, from {release_from}" if release_from else release]),
        ("form", [found.form]),
        ("dialects", [f"{letter}: {DIALECTS[letter]}" for letter in found.dialects] or ["none"]),
        ("modules", [_module(one.code, one.name, one.version, one.folder) for one in found.modules]),
        (
            "units",
            [
                f"{count(found.agents, 'agent')}, {count(found.workflows, 'workflow')}, "
                f"{count(found.steps, 'step')}, {count(found.step_files, 'step file')}"
            ],
        ),
        (
            "files",
            [
                f"{count(found.files, 'file')}, {found.text_files} of them text; "
                f"{found.fallback_percent} % of it read by the fallback only"
            ],
        ),
        ("no owner", [", ".join(found.unowned)] if found.unowned else []),
        ("several owners", [f"{id_}: {', '.join(names)}" for id_, names in found.several]),
        ("shims", [f"{id_}: {kind}{f', {target}' if target else ''}" for id_, kind, target in found.shims]),
        ("overlays", list(found.overlays)),
        ("orphans", _by_reason(found)),
    ]
    for label, texts in rows:
        for number, text in enumerate(texts):
            yield from labelled("" if number else label, text, width, indent=0, column=16)
    yield ()


def document(found: Survey | None, release_from: str, diagnostics: tuple[Diagnostic, ...]) -> dict[str, Any]:
    """Return what doctor says for programs; of a tree that cannot be read, only the diagnostics."""

    said: dict[str, Any] = {"format": FORMAT, "readable": found is not None}
    if found is not None:
        said |= {
            "release": found.release,
            "release_from": release_from,
            "form": found.form,
            "dialects": list(found.dialects),
            "modules": [
                {"code": one.code, "name": one.name, "version": one.version, "folder": one.folder}
                for one in found.modules
            ],
            "counts": {
                "agents": found.agents,
                "workflows": found.workflows,
                "steps": found.steps,
                "step_files": found.step_files,
                "files": found.files,
                "text_files": found.text_files,
                "characters": found.characters,
                "fallback": found.fallback,
            },
            "fallback_percent": found.fallback_percent,
            "owners": {
                "none": list(found.unowned),
                "several": {id_: list(names) for id_, names in found.several},
            },
            "orphans": [{"path": one.path, "reason": one.reason} for one in found.orphans],
            "shims": [{"id": id_, "kind": kind, "target": target} for id_, kind, target in found.shims],
            "overlays": list(found.overlays),
        }
    said["diagnostics"] = diagnostics_json(diagnostics)
    return said


def _module(code: str, name: str, version: str, folder: str) -> str:
    more = ", ".join(part for part in (name, version, folder) if part)
    return f"{code}: {more}" if more else code


def _by_reason(found: Survey) -> list[str]:
    """Return the orphans, those with the same reason together."""
    reasons: dict[str, list[str]] = {}
    for entry in found.orphans:
        reasons.setdefault(entry.reason, []).append(entry.path)
    return [f"{path} ({reason})" for reason, paths in sorted(reasons.items()) for path in paths]
