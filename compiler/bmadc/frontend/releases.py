"""Which releases of BMAD this compiler reads, and what it says about the others."""

from __future__ import annotations

import re

from bmadc.diagnostics import Diagnostic, Span
from bmadc.source import SourceError

# Read whole in the tests, in source and installed form; tests/releases.toml lists the same.
TESTED: tuple[str, ...] = (
    "6.0.0-Beta.5",
    "6.0.1",
    "6.0.4",
    "6.1.0",
    "6.2.0",
    "6.3.0",
    "6.5.0",
    "6.8.0",
    "6.10.0",
    "6.11.0",
    "6.12.0",
)

SUPPORTED = f"6.0.0-Beta.5 and the stable releases from 6.0.1 to {TESTED[-1]}"

_OTHER_LAYOUT = "Its files are laid out in another way, so much of it would be missing without a word."
_UNFINISHED = "It was published unfinished: what it holds is in no release that anybody tested with bmadc."

_VERSION = re.compile(
    r"v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?", re.ASCII
)
_BETA = re.compile(r"beta\.\d+", re.ASCII | re.IGNORECASE)


def numbers(release: str) -> tuple[int, ...]:
    """Return the three numbers of a release, or none when it is not one."""
    found = _VERSION.fullmatch(release)
    return tuple(int(part) for part in found.group(1, 2, 3)) if found else ()


def judge(release: str, span: Span) -> tuple[Diagnostic, ...]:
    """Return what is to be known about reading this release, or raise SourceError if it is not supported."""
    found = _VERSION.fullmatch(release)
    if found is None:
        return (
            Diagnostic(
                code="BMC305",
                severity="warning",
                message=f"{release!r} is not a release",
                span=span,
                why="bmadc cannot tell whether it knows this BMAD, and reads it by its structure.",
                expected="a version with three numbers, such as 6.12.0",
                help=("Correct the version, or install BMAD again.",),
            ),
        )
    three, prerelease = numbers(release), found.group(4) or ""
    is_beta = three == (6, 0, 0) and _BETA.fullmatch(prerelease)
    if three[0] < 6 or (prerelease and not is_beta):
        raise SourceError(
            unsupported(f"BMAD {release}", span, _OTHER_LAYOUT if three[0] < 6 else _UNFINISHED)
        )
    if release.removeprefix("v") in TESTED:
        return ()
    if three > numbers(TESTED[-1]):
        return (
            Diagnostic(
                code="BMC303",
                severity="warning",
                message=f"BMAD {release} is newer than this compiler knows; it is read by its structure",
                span=span,
                why="What that release does in a new way may be missing from the result.",
                expected=SUPPORTED,
                help=("Look for a newer bmadc, or check the result with `bmadc doctor`.",),
            ),
        )
    return (
        Diagnostic(
            code="BMC303",
            severity="note",
            message=f"BMAD {release} is not among the tested releases; it is read by its structure",
            span=span,
            why="The releases before and after it are read whole in the tests, this one is not.",
            expected=SUPPORTED,
            help=("Check the result with `bmadc doctor`.",),
        ),
    )


def unsupported(what: str, span: Span, why: str = _OTHER_LAYOUT) -> Diagnostic:
    """Return the sentence that says that a release is not supported, why, which ones are, and what to do."""
    return Diagnostic(
        code="BMC302",
        severity="error",
        message=f"this is {what}, which is not supported",
        span=span,
        why=why,
        expected=SUPPORTED,
        help=(f"Install BMAD {TESTED[-1]}, or name a folder that holds a supported release with --root.",),
    )
