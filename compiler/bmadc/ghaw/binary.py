"""Which gh-aw runs: finding the binary and holding it to the pinned release."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from bmadc.diagnostics import Diagnostic
from bmadc.ghaw.vocabulary.pin import INSTALL, RELEASE

VARIABLE = "BMADC_GH_AW"
LOCAL = Path(".tools", "bin", "gh-aw")

_VERSION = re.compile(r"\bversion\s+(\S+)")
_ANSWER_WITHIN = 30.0

REPLACE = f"gh extension remove aw && {INSTALL}"
"""The same where the extension is there in another release."""

_EXTENSION = Path("gh", "extensions", "gh-aw", "gh-aw")
_INSTALL = (
    f"Run `{INSTALL}`.",
    f"Name a binary of gh-aw {RELEASE} in `{VARIABLE}`; `make tools` in bmadc's repository builds one.",
)
_REPLACE = (f"Run `{REPLACE}`.", *_INSTALL[1:])


class GhAwError(Exception):
    """gh-aw cannot be used; the diagnostic says why and what to do."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(frozen=True, slots=True)
class GhAw:
    """A gh-aw binary and the release that it says it is."""

    path: Path
    version: str


def pinned_gh_aw(explicit: Path | None = None) -> GhAw:
    """Return a gh-aw of exactly the pinned release, or raise GhAwError.

    An explicit path or the environment variable is taken at its word. Without either, the `.tools/bin` of
    the nearest folder upward from the working directory comes before PATH, and PATH before the extensions of
    the GitHub CLI.
    """
    path = _find(explicit)
    version = _version_of(path)
    if version != RELEASE:
        raise GhAwError(
            Diagnostic(
                code="BMC202",
                severity="error",
                message=f"{path} is gh-aw {version}; bmadc compiles for {RELEASE}",
                why="Each release has its own keys, checks and job graph, so its word would not count here.",
                help=_REPLACE,
            )
        )
    return GhAw(path, version)


def _find(explicit: Path | None) -> Path:
    named = os.environ.get(VARIABLE, "")
    if explicit is not None:
        return _named(explicit, "--gh-aw")
    if named:
        return _named(Path(named), VARIABLE)
    here = Path.cwd()
    for folder in (here, *here.parents):
        if _is_file(folder / LOCAL):
            return folder / LOCAL
    on_path = shutil.which("gh-aw")
    if on_path is not None:
        return Path(on_path).resolve()
    data = os.environ.get("XDG_DATA_HOME") or f"{os.environ.get('HOME', '')}/.local/share"
    extension = Path(data) / _EXTENSION
    if _is_file(extension):
        return extension
    raise GhAwError(
        Diagnostic(
            code="BMC201",
            severity="error",
            message="gh-aw was not found",
            why="Only the real compiler knows whether it accepts a workflow; nothing was verified.",
            expected=f"{VARIABLE}, {LOCAL.as_posix()} in this folder or one above it, gh-aw on PATH, "
            "or gh's own",
            help=_INSTALL,
        )
    )


def _version_of(path: Path) -> str:
    try:
        answer = subprocess.run(
            [path, "version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,  # gh-aw writes its version to stderr
            env={"NO_COLOR": "1"},
            timeout=_ANSWER_WITHIN,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        reason = problem.strerror if isinstance(problem, OSError) else "it gave no answer"
        raise GhAwError(cannot_start(path, reason or type(problem).__name__)) from None
    said = answer.stdout.decode("utf-8", "replace").strip()
    match = _VERSION.search(said)
    if answer.returncode != 0 or match is None:
        first = said.splitlines()[0] if said else "nothing"
        raise GhAwError(cannot_start(path, f"`version` exits {answer.returncode} and says {first!r}"))
    return match[1]


def _named(path: Path, by: str) -> Path:
    if not _is_file(path):
        raise GhAwError(
            Diagnostic(
                code="BMC201",
                severity="error",
                message=f"{by} names {str(path)!r}, and there is no such file",
                why="A gh-aw that is asked for by name is never replaced by another one.",
                help=(f"Correct {by}, or leave it out and let bmadc look for gh-aw.", *_INSTALL),
            )
        )
    return path.resolve()


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def cannot_start(path: Path, reason: str) -> Diagnostic:
    """Return the diagnostic for a gh-aw that does not run."""
    return Diagnostic(
        code="BMC203",
        severity="error",
        message=f"{path} cannot be started: {reason}",
        why="Without gh-aw nothing was verified.",
        help=_INSTALL,
    )
