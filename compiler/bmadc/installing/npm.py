"""Getting a release of BMAD from npm, by its ordinary client and with its settings; nothing of it is run."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bmadc.diagnostics import Diagnostic, Span, nearest_names
from bmadc.frontend.releases import SUPPORTED, judge, numbers
from bmadc.installing.errors import InstallError
from bmadc.source import SourceError

PACKAGE = "bmad-method"
ANSWER_WITHIN = 300.0
MOST_BYTES = 64 * 1024 * 1024

_QUIET = ("--json", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
_MISSING = frozenset({"E404", "ETARGET", "ENOVERSIONS"})
# What npm says when it gets no answer from where its packages are.
_UNREACHED = frozenset(
    {
        *("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH"),
        *("ERR_SOCKET_TIMEOUT", "ENOTCACHED", "EPROTO", "E502", "E503", "E504", "FETCH_ERROR"),
    }
)
_LAST_LINES = 12


@dataclass(frozen=True, slots=True)
class Package:
    """A release as npm knows it; `integrity` is the hash of its tarball, in npm's form."""

    release: str
    integrity: str


class _RefusedError(Exception):
    def __init__(self, code: str, said: str) -> None:
        super().__init__(said)
        self.code = code
        self.said = said


def find_package(wanted: str, folder: Path) -> Package:
    """Return what npm has under a release or a tag, asked for from a folder, or raise InstallError."""
    try:
        answer = _npm(["view", f"{PACKAGE}@{wanted}", "version", "dist.integrity"], folder)
    except _RefusedError as problem:
        if problem.code in _MISSING:
            raise InstallError(_unknown(wanted, folder)) from None
        raise InstallError(_failed(problem)) from None
    if not isinstance(answer, dict) or not numbers(str(answer.get("version"))):
        raise InstallError(_unknown(wanted, folder))
    found = Package(str(answer["version"]), str(answer.get("dist.integrity", "")))
    try:
        judge(found.release, Span.file(PACKAGE))
    except SourceError as problem:
        raise InstallError(problem.diagnostic) from None
    return found


def fetch(package: Package, folder: Path) -> bytes:
    """Return the tarball of a package, the very one that npm listed, or raise InstallError."""
    with tempfile.TemporaryDirectory(prefix="bmadc-") as place:
        spec = f"{PACKAGE}@{package.release}"
        try:
            _npm(["pack", spec, "--pack-destination", place], folder)
        except _RefusedError as problem:
            raise InstallError(_failed(problem)) from None
        tarballs = sorted(Path(place).glob("*.tgz"))
        if len(tarballs) != 1:
            raise InstallError(_failed(_RefusedError("", f"`npm pack` left {len(tarballs)} files")))
        if tarballs[0].stat().st_size > MOST_BYTES:
            raise InstallError(_other(package, f"{tarballs[0].stat().st_size} bytes"))
        data = tarballs[0].read_bytes()
    found = integrity(data)
    if found != package.integrity:
        raise InstallError(_other(package, found))
    return data


def integrity(data: bytes) -> str:
    """Return the hash of a tarball as npm writes it."""
    return "sha512-" + base64.b64encode(hashlib.sha512(data).digest()).decode()


def _npm(arguments: list[str], folder: Path) -> Any:
    """Return npm's answer; it is asked from the project's folder, because that may have settings for it."""
    program = shutil.which("npm")
    if program is None:
        raise InstallError(_absent())
    command = [program, *arguments, *_QUIET]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=ANSWER_WITHIN,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _RefusedError("ETIMEDOUT", f"no answer within {ANSWER_WITHIN:.0f} s") from None
    except OSError as problem:
        raise _RefusedError("", f"npm cannot be started: {problem.strerror}") from None
    answer = _read(done.stdout)
    error = answer.get("error") if isinstance(answer, dict) else None
    if done.returncode or error:
        code = str(error.get("code", "")) if isinstance(error, dict) else ""
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        summary = str(error.get("summary", "")) if isinstance(error, dict) else ""
        raise _RefusedError(code, "\n".join(said[-_LAST_LINES:]) or summary or f"exit code {done.returncode}")
    return answer


def _read(said: bytes) -> Any:
    try:
        return json.loads(said)
    except (ValueError, RecursionError):
        return None


def _readable(folder: Path) -> tuple[str, ...]:
    """The releases that npm has and bmadc reads, as npm orders them; none if it does not say."""
    try:
        listed = _npm(["view", PACKAGE, "versions"], folder)
    except _RefusedError:
        return ()
    found = []
    for one in listed if isinstance(listed, list) else [listed]:
        if isinstance(one, str) and numbers(one):
            try:
                judge(one, Span.file(""))
            except SourceError:
                continue
            found.append(one)
    return tuple(found)


def _unknown(wanted: str, folder: Path) -> Diagnostic:
    known = _readable(folder)
    return Diagnostic(
        code="BMC504",
        severity="error",
        message=f"npm has no release {wanted} of {PACKAGE}",
        why="Nothing was written: another release than the one you named would be another method.",
        expected=f"one of {', '.join(known)}" if known else SUPPORTED,
        nearest=nearest_names(wanted, known),
        help=("Name one of these with --bmad.", "`bmadc init --house` takes the edition that bmadc carries."),
    )


def _absent() -> Diagnostic:
    return Diagnostic(
        code="BMC501",
        severity="error",
        message="npm was not found",
        why=f"{PACKAGE} comes from npm, and its client checks what it gets.",
        expected="npm on PATH",
        help=(
            "Install Node.js, which brings npm, and run this again.",
            "`bmadc init --house` needs neither: it takes the edition that bmadc carries.",
        ),
    )


def _failed(problem: _RefusedError) -> Diagnostic:
    if problem.code in _UNREACHED:
        return Diagnostic(
            code="BMC503",
            severity="error",
            message=f"npm gets no answer from where its packages are ({problem.code})",
            detail=problem.said,
            why="Nothing was written: without the package there is nothing to compile.",
            help=(
                "Check the network and the proxy of npm, and run this again.",
                "`bmadc init --house` needs no network.",
            ),
        )
    return Diagnostic(
        code="BMC502",
        severity="error",
        message="npm failed" + (f" with {problem.code}" if problem.code else ""),
        detail=problem.said,
        why="Nothing was written: without the package there is nothing to compile.",
        help=(
            f"Run `npm view {PACKAGE}` until it works, then this again.",
            "`bmadc init --house` needs no npm.",
        ),
    )


def _other(package: Package, found: str) -> Diagnostic:
    return Diagnostic(
        code="BMC505",
        severity="error",
        message=f"what came for {PACKAGE}@{package.release} is not the package that npm lists",
        detail=f"listed: {package.integrity or 'nothing'}\nfound:  {found}",
        why="Nothing was written: what broke off on its way, or was changed, would run with a token.",
        help=("Run this again; if it stays, `npm cache verify`, and ask who runs your npm mirror.",),
    )
