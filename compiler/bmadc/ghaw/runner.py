"""Running the pinned gh-aw over a pack, in a scratch repository that is removed afterwards.

A run sees nothing of the machine but git and bash: no tokens, no settings, no `gh`, no network. So the same
pack gives the same findings and the same locks everywhere.

One run does not tell everything (see `bmadc.ghaw.findings`). The first is without `--json`, because only
there gh-aw counts all warnings. If it is silent about every workflow, it is the only one: that is the usual
case, and half the cost. If not, a second one gives the JSON answer with the places of the errors; and if a
warning then names no file, each workflow is compiled alone to learn whose it is.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from bmadc.diagnostics import Diagnostic
from bmadc.ghaw.binary import GhAw, GhAwError, cannot_start, pinned_gh_aw
from bmadc.ghaw.findings import FOLDER, AnswerError, Finding, Heard, Verdict, hear, join, read_answer
from bmadc.ghaw.vocabulary.pin import COMPILE_FLAGS
from bmadc.source import list_files, read_text

TIMEOUT = 120.0
LOCK_SUFFIX = ".lock.yml"
LOCK_LIMIT = 32 * 1024 * 1024

_TOOLS = ("git", "bash", "sh")
# Nothing listens there: whatever gh-aw would fetch is refused at once instead of deciding a byte.
_NOWHERE = "http://127.0.0.1:9"
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")

_NO_ANSWER = Verdict((), (), ())
_SILENCE = Heard((), 0)


@dataclass(frozen=True, slots=True)
class CompileResult:
    """What gh-aw made of a pack: every finding, the locks by file name, the workflows that it looked at."""

    findings: tuple[Finding, ...]
    locks: Mapping[str, str]
    version: str
    workflows: tuple[str, ...]

    @property
    def finished(self) -> bool:
        """Whether gh-aw came to an end and its answer could be read."""
        return all(finding.kind not in ("unfinished", "garbled") for finding in self.findings)


@dataclass(frozen=True, slots=True)
class _Run:
    code: int | None
    stdout: str
    stderr: str
    scratch: str
    locks: Mapping[str, str]


def pack_files(folder: Path) -> tuple[str, ...]:
    """Return the files of a pack: Markdown, with what it imports from folders below, and plain workflows.

    Locks are left out, for gh-aw would take values over from them.
    """
    names = list_files(folder, (".md", ".yml", ".yaml"))
    return tuple(name for name in names if not name.endswith(LOCK_SUFFIX))


def compile_files(
    files: Mapping[str, str | bytes], *, gh_aw: GhAw | None = None, timeout: float = TIMEOUT
) -> CompileResult:
    """Compile workflows given by name and content; plain workflows lie beside them and are not compiled."""
    tool = gh_aw or pinned_gh_aw()
    if not any(is_document(name) for name in files):
        return CompileResult((), MappingProxyType({}), tool.version, ())
    spoken = tuple(flag for flag in COMPILE_FLAGS if flag != "--json")
    text_run = _run(tool, files, spoken, timeout)
    text = _listen(text_run)
    documents = tuple(sorted(filter(is_document, files)))
    if text_run.code == 0 and text == _SILENCE and not _without_lock(documents, text_run):
        return CompileResult((), MappingProxyType(dict(text_run.locks)), tool.version, documents)
    answer_run = _run(tool, files, COMPILE_FLAGS, timeout)
    verdict, problems = _answer(answer_run)
    beside = _listen(answer_run)
    # Errors of the text run are the JSON's; only what stops a run before any answer is said here alone.
    heard = _either(beside.findings, text.findings)
    alone: tuple[Finding, ...] = ()
    if any(not finding.file for finding in heard):
        alone = _each_alone(tool, files, verdict.seen, spoken, timeout)
    findings = [*verdict.findings, *problems, *_attributed(heard, alone, verdict.findings)]
    findings.extend(_unfinished(answer_run, text_run, timeout, findings))
    findings.extend(_unseen(files, verdict, answer_run))
    findings.extend(_uncounted(text, findings))
    return CompileResult(join(findings), MappingProxyType(dict(answer_run.locks)), tool.version, verdict.seen)


def is_document(name: str) -> bool:
    """Whether gh-aw takes a file of a pack for a workflow, going by its name."""
    return "/" not in name and name.endswith(".md") and name.lower() != "readme.md"


def _run(
    tool: GhAw, files: Mapping[str, str | bytes], flags: Iterable[str], timeout: float, only: str = ""
) -> _Run:
    with tempfile.TemporaryDirectory(prefix="bmadc-gh-aw-", ignore_cleanup_errors=True) as scratch:
        home = Path(scratch).resolve()
        repository = home / "repository"
        workflows = repository / FOLDER
        workflows.mkdir(parents=True)
        environment = _environment(home)
        _execute([home / "tools" / "git", "init", "--quiet"], repository, environment, timeout)
        for name, content in files.items():
            path = workflows / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        command: list[Path | str] = [tool.path, "compile", *flags]
        if only:
            command.append(f"{FOLDER}/{only}")
        code, stdout, stderr = _execute(command, repository, environment, timeout)
        locks = {
            name: read_text(workflows, name, limit=LOCK_LIMIT).text
            for name in list_files(workflows, (LOCK_SUFFIX,), deep=False)
        }
        return _Run(code, stdout, stderr, str(repository), locks)


def _without_lock(names: Iterable[str], run: _Run) -> list[str]:
    return [name for name in names if name.removesuffix(".md") + LOCK_SUFFIX not in run.locks]


def _environment(home: Path) -> dict[str, str]:
    tools = home / "tools"
    tools.mkdir()
    for name in _TOOLS:
        found = shutil.which(name)
        if found is not None:
            (tools / name).symlink_to(Path(found).resolve())
    if not (tools / "git").exists():
        raise GhAwError(
            Diagnostic(
                code="BMC203",
                severity="error",
                message="gh-aw cannot be started: there is no git on PATH",
                why="gh-aw compiles only inside a git repository, so bmadc makes a scratch one for it.",
                help=("Install git.",),
            )
        )
    return {
        "PATH": str(tools),
        "HOME": str(home),
        "TMPDIR": str(home),
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        **dict.fromkeys(_PROXIES, _NOWHERE),
    }


def _execute(
    command: list[Path | str], folder: Path, environment: dict[str, str], timeout: float
) -> tuple[int | None, str, str]:
    """Run a command; the exit code is None if it was stopped because its time was over."""
    try:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise GhAwError(cannot_start(Path(command[0]), reason)) from None
    try:
        stdout, stderr = process.communicate(timeout=timeout)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        # Its own session, so that children of gh-aw end with it.
        os.killpg(process.pid, signal.SIGKILL)
        stdout, stderr = process.communicate()
        code = None
    return code, stdout.decode("utf-8", "replace"), stderr.decode("utf-8", "replace")


def _answer(run: _Run) -> tuple[Verdict, tuple[Finding, ...]]:
    if run.code not in (0, 1) or (run.code == 1 and not run.stdout.strip()):
        return _NO_ANSWER, ()
    try:
        return read_answer(run.stdout, run.scratch), ()
    except AnswerError as problem:
        message = f"gh-aw's answer is not the JSON that its pinned release prints: {problem}"
        return _NO_ANSWER, (Finding("", 0, 0, "error", message, kind="garbled"),)


def _listen(run: _Run, about: str = "") -> Heard:
    if run.code not in (0, 1):
        return Heard((), None)
    return hear(run.stderr, run.scratch, about=about)


def _either(one: Iterable[Finding], other: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return what either run said, with the larger count, since both compile the same files."""
    counts: dict[Finding, int] = {}
    for finding in (*one, *other):
        key = replace(finding, count=1)
        counts[key] = max(counts.get(key, 0), finding.count)
    return tuple(sorted(replace(key, count=number) for key, number in counts.items()))


def _each_alone(
    tool: GhAw, files: Mapping[str, str | bytes], names: Iterable[str], flags: Iterable[str], timeout: float
) -> tuple[Finding, ...]:
    def one(name: str) -> tuple[Finding, ...]:
        return _listen(_run(tool, files, tuple(flags), timeout, only=name), about=name).findings

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return tuple(finding for found in pool.map(one, names) for finding in found)


def _attributed(
    heard: tuple[Finding, ...], alone: tuple[Finding, ...], listed: tuple[Finding, ...]
) -> Iterable[Finding]:
    """Yield what was heard, with the files that say the same when compiled alone in the place of no file."""
    filed = [finding for finding in heard if finding.file]
    yield from filed
    known = {replace(finding, count=1) for finding in filed}
    owned: dict[str, int] = {}
    for finding in alone:
        if replace(finding, count=1) not in known:
            yield finding
        owned[finding.message] = owned.get(finding.message, 0) + finding.count
    # In JSON a warning about several files stands at each of them; in text it stands once, without a file.
    named = {finding.message for finding in (*listed, *filed)}
    for finding in heard:
        if finding.file or finding.message in named:
            continue
        rest = finding.count - owned.get(finding.message, 0)
        if rest > 0:
            yield replace(finding, count=rest)


def _unfinished(
    answer_run: _Run, text_run: _Run, timeout: float, findings: list[Finding]
) -> Iterable[Finding]:
    for run in (answer_run, text_run):
        if run.code is None:
            message = f"gh-aw was stopped after {timeout:g} seconds"
            yield Finding("", 0, 0, "error", message, kind="unfinished")
            return
        if run.code not in (0, 1):
            how = f"exit code {run.code}" if run.code > 0 else f"signal {-run.code}"
            said = "\n".join((run.stderr or run.stdout).strip().splitlines()[:20])
            message = f"gh-aw ended with {how}\n{said}".replace(run.scratch, ".").strip()
            yield Finding("", 0, 0, "error", message, kind="unfinished")
            return
    if answer_run.code == 1 and not any(finding.severity == "error" for finding in findings):
        message = "gh-aw ended with exit code 1 and gave no reason"
        yield Finding("", 0, 0, "error", message, kind="unfinished")


def _unseen(files: Mapping[str, str | bytes], verdict: Verdict, run: _Run) -> Iterable[Finding]:
    """Yield the documents that came out without a lock and without a word, if there was an answer at all."""
    if verdict is _NO_ANSWER:
        return
    refused = {finding.file for finding in verdict.findings if finding.severity == "error"}
    for name in _without_lock(sorted(filter(is_document, files)), run):
        if name in refused or name in verdict.skipped:
            continue
        content = files[name]
        text = content if isinstance(content, str) else content.decode("utf-8", "replace")
        if name in verdict.seen:
            message = "gh-aw calls the workflow valid and writes no lock for it"
            yield Finding(name, 0, 0, "error", message, kind="garbled")
        elif text.lstrip("\ufeff \t\r\n").startswith("---"):
            message = "gh-aw passes over this file, for its first line is not just ---"
            yield Finding(name, 1, 1, "warning", message, kind="unseen")
        else:
            message = "gh-aw passes over this file, for it has no front matter"
            yield Finding(name, 0, 0, "note", message, kind="prose")


def _uncounted(text: Heard, findings: list[Finding]) -> Iterable[Finding]:
    """Yield a warning if gh-aw counts more warnings than it printed, so that none is lost unseen."""
    ours = sum(finding.count for finding in findings if finding.severity == "warning")
    if text.warnings is not None and text.warnings > ours:
        message = f"gh-aw counts {text.warnings} warnings and prints {ours}"
        yield Finding("", 0, 0, "warning", message, kind="uncounted")
