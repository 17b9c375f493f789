"""What gh-aw says about a pack, read from its JSON and from what it prints beside it.

gh-aw speaks in two voices. With `--json` it lists errors, but of its warnings only a few; the others go to
stderr, marked by a sign or by `file: warning:`, and over several files some are not printed at all. Without
`--json` it prints those, mostly without saying which file they are about. This module reads both voices; the
runner asks for both and joins them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from bmadc.diagnostics import Severity

FOLDER = ".github/workflows"

Kind: TypeAlias = Literal["said", "skipped", "unseen", "prose", "unfinished", "garbled", "uncounted"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing to know about a pack: gh-aw said it, or bmadc noticed it about gh-aw's run (`kind`).

    `file` is relative to the pack and empty if gh-aw names none; line and column are 0 if it gives none.
    """

    file: str
    line: int
    col: int
    severity: Severity
    message: str
    count: int = 1
    kind: Kind = "said"


@dataclass(frozen=True, slots=True)
class Verdict:
    """gh-aw's JSON answer: the workflows that it looked at, those that it skipped, and what it found."""

    seen: tuple[str, ...]
    skipped: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Heard:
    """What gh-aw printed on stderr: the findings, and how many warnings it counted, if it said so."""

    findings: tuple[Finding, ...]
    warnings: int | None


class AnswerError(ValueError):
    """gh-aw's stdout is not the JSON that its pinned release prints."""


_PLACE = re.compile(
    r"(?P<path>\S[^:]*\.(?:md|ya?ml)):(?:(?P<line>\d+):(?P<col>\d+):)? (?P<kind>error|warning|info): "
)
_INNER_PLACE = re.compile(r"^'[^']+' \(line (\d+), col (\d+)\): ")
_STAMP = re.compile(r"^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] ")
_EXCERPT = re.compile(r"^>?\s*\d+ \|(?: .*)?$")
_POINTER = re.compile(r"^\s*\^*\s*$")
_MARK = re.compile(r"^(?P<mark>[⚠✗✓▸»i]) (?P<rest>.*)$")
_BARE = re.compile(r"^(?:warning|error)\b[^:]*: ", re.IGNORECASE)
_SUMMARY = re.compile(r"^Compiled \d+ workflows?: .*?(?P<warnings>\d+) warnings?$")
_EXPERIMENTAL = "Experimental features in use:"
_EXPERIMENTAL_ITEM = re.compile(r"^\s*• (?P<name>.+): (?P<count>\d+) workflows?$")
_MENTION = re.compile(re.escape(FOLDER) + r"/(?P<stem>[\w.-]+?)(?:\.invalid|\.lock)?\.(?:md|ya?ml)\b")
_GROUPS: tuple[tuple[str, Severity], ...] = (("errors", "error"), ("warnings", "warning"))
_SEVERITY_OF_MARK: dict[str, Severity] = {"✗": "error", "i": "note"}
_SEVERITY_OF_WORD: dict[str, Severity] = {"error": "error", "warning": "warning", "info": "note"}
_SKIPPED_TYPES = ("shared_workflow", "redirect_only_workflow")
# Lines that say again what the JSON answer says better, or what is only true of the scratch repository.
_REPEATED = (
    re.compile(r"^compilation failed$"),
    re.compile(r"^\S*\s*(?:Shared agentic workflow|Redirect-only workflow) detected: "),
    re.compile(r"^[\w -]+ written to: \S+\.invalid\.yml$"),
)


def read_answer(stdout: str, scratch: str) -> Verdict:
    """Return gh-aw's JSON answer, or raise AnswerError with what is wrong with it."""
    try:
        entries = json.loads(stdout)
    except ValueError as problem:
        raise AnswerError(str(problem)) from None
    if not isinstance(entries, list):
        raise AnswerError("it is not a list")
    seen: list[str] = []
    skipped: list[str] = []
    findings: list[Finding] = []
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("workflow"), str):
            raise AnswerError("an entry names no workflow")
        name = entry["workflow"]
        seen.append(name)
        for group, severity in _GROUPS:
            for issue in _issues(entry, group):
                found = _issue(name, severity, issue, scratch)
                if issue.get("type") in _SKIPPED_TYPES:
                    skipped.append(name)
                    found = replace(found, kind="skipped")
                findings.append(found)
    return Verdict(tuple(seen), tuple(skipped), join(findings))


def hear(stderr: str, scratch: str, *, about: str = "") -> Heard:
    """Return what gh-aw printed on stderr; `about` is the file if the run was about one only.

    Nothing that is printed is dropped without a reason in this function: lines that belong to nothing known
    become a warning of their own.
    """
    findings: list[Finding] = []
    warnings: int | None = None
    for block in _blocks(stderr):
        first = block[0]
        mark = _MARK.match(first)
        text = "\n".join([mark["rest"], *block[1:]]) if mark else "\n".join(block)
        if mark and (summary := _SUMMARY.match(mark["rest"])):
            # What follows the summary is the JSON's errors again, with advice by keyword.
            warnings = int(summary["warnings"])
            break
        if mark and mark["mark"] in "✓▸»":
            continue
        if mark and any(pattern.match(mark["rest"]) for pattern in _REPEATED):
            continue
        if mark and mark["rest"].startswith(_EXPERIMENTAL):
            findings.extend(_experimental(block[1:]))
        else:
            findings.append(_heard(mark["mark"] if mark else "", text, scratch, about))
    return Heard(join(findings), warnings)


def join(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return findings in order, each once, with the number of times that it was there."""
    counts: dict[Finding, int] = {}
    for finding in findings:
        key = replace(finding, count=1)
        counts[key] = counts.get(key, 0) + finding.count
    return tuple(sorted(replace(key, count=number) for key, number in counts.items()))


def _issues(entry: dict[str, object], group: str) -> list[dict[str, object]]:
    issues = entry.get(group) or []
    if not isinstance(issues, list) or not all(isinstance(issue, dict) for issue in issues):
        raise AnswerError(f"{group} of {entry['workflow']} is not a list of objects")
    return issues


def _issue(name: str, severity: Severity, issue: dict[str, object], scratch: str) -> Finding:
    line = issue.get("line")
    found = _placed(name, severity, str(issue.get("message", "")), scratch)
    return replace(found, line=line, col=1) if isinstance(line, int) and line and not found.line else found


def _heard(mark: str, text: str, scratch: str, about: str) -> Finding:
    found = _placed(about, _SEVERITY_OF_MARK.get(mark, "warning"), text, scratch)
    mention = _MENTION.search(found.message)
    if not found.file and mention:
        return replace(found, file=f"{mention['stem']}.md")
    return found


def _placed(name: str, severity: Severity, text: str, scratch: str) -> Finding:
    """Return a finding from a message that may start with its place and may quote source lines."""
    line = col = 0
    place = _PLACE.match(text)
    if place:
        text = text[place.end() :]
        line, col = int(place["line"] or 0), int(place["col"] or 0)
        severity = _SEVERITY_OF_WORD[place["kind"]]
        name = _in_pack(place["path"], scratch) or name
    inner = _INNER_PLACE.match(text)
    if inner:
        line, col = int(inner[1]), int(inner[2])
    return Finding(name, line, col, severity, _clean(text, scratch))


def _in_pack(path: str, scratch: str) -> str:
    relative = path.removeprefix(f"{scratch}/")
    return relative.removeprefix(f"{FOLDER}/") if relative.startswith(f"{FOLDER}/") else ""


def _clean(text: str, scratch: str) -> str:
    """Return a message without what is true of this run only: clock, scratch folder, quoted source."""
    text = _STAMP.sub("", text).replace(f"{scratch}/", "").replace(scratch, ".")
    rows: list[str] = []
    quoting = False
    for row in text.split("\n"):
        if _EXCERPT.match(row) or (quoting and _POINTER.match(row)):
            quoting = True
            continue
        quoting = False
        rows.append(row.rstrip())
    return "\n".join(rows).strip()


def _blocks(stderr: str) -> list[list[str]]:
    """Cut stderr into blocks: a line that starts something, and the lines that belong to it."""
    blocks: list[list[str]] = []
    for row in stderr.split("\n"):
        starts = _MARK.match(row) or _PLACE.match(row) or _BARE.match(row)
        if starts or (not blocks and row.strip()):
            blocks.append([row])
        elif blocks:
            # After a line that never goes on, a stray line is something of its own.
            closed = blocks[-1][0].startswith("✓ ")
            if closed and row.strip():
                blocks.append([row])
            elif not closed:
                blocks[-1].append(row)
    return blocks


def _experimental(rows: Iterable[str]) -> Iterable[Finding]:
    for row in rows:
        item = _EXPERIMENTAL_ITEM.match(row)
        if item:
            message = f"Using experimental feature: {item['name']}"
            yield Finding("", 0, 0, "warning", message, int(item["count"]))
        elif row.strip():
            yield Finding("", 0, 0, "warning", row.strip())
