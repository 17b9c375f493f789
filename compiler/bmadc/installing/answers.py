"""The questions of `bmadc init`, and what counts as an answer, given by a flag or by a person."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bmadc.diagnostics import Span, nearest_names
from bmadc.frontend.releases import SUPPORTED, TESTED, judge, numbers
from bmadc.ghaw.engines import CLAUDE, ENGINES
from bmadc.installing.errors import AnswerError
from bmadc.machine.stacks import STACKS
from bmadc.machine.wiring import BUS, CREDENTIAL, Waking, Wiring, WiringError
from bmadc.project import OUT
from bmadc.source import SourceError

HOUSE = "house"
"""The answer that means the edition which bmadc carries, where a release could be named."""
ANY = "any"
"""The answer that leaves the stacks open: tools and packages of all of them."""

_TAG = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,40}")
# What tells a project of a stack besides the files that name its dependencies.
_SIGNS = {"dotnet": ("*.sln", "*.csproj", "*.fsproj"), "swift": ("*.xcodeproj",)}


@dataclass(frozen=True, slots=True)
class Answers:
    """What a person wants, all of it valid.

    `method` is HOUSE, a release, a tag of npm, or '' for the tree that is there.
    """

    method: str = HOUSE
    engine: str = CLAUDE.id
    wiring: Wiring = BUS
    stacks: tuple[str, ...] = ()
    out: str = "."
    given: frozenset[str] = frozenset()
    """The names of what was asked for by a flag."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question: the flags that answer it, what is asked, what the answers mean, how one is read."""

    name: str
    flags: str
    asks: str
    meanings: tuple[str, ...]
    read: Callable[[str], Any]
    offers: tuple[str, ...]


def release(text: str) -> str:
    """Read which BMAD: HOUSE, a release that can be read, or a tag of npm; or raise AnswerError."""
    wanted = text.strip()
    if wanted.casefold() == HOUSE:
        return HOUSE
    named = {one.casefold(): one for one in TESTED}.get(wanted.casefold().removeprefix("v"))
    if named is not None:
        return named
    if numbers(wanted):
        try:
            judge(wanted, Span.file(""))
        except SourceError as problem:
            found = problem.diagnostic
            what = f"BMAD {wanted.removeprefix('v')} is not supported"
            raise AnswerError(what, found.why, f"Take {_any_of(TESTED)}.") from None
        return wanted.removeprefix("v")
    if _TAG.fullmatch(wanted):
        return wanted
    raise AnswerError(
        f"{_shown(wanted)} is no release of BMAD",
        "npm could take it for another package or for any of several releases.",
        _perhaps(wanted, (*TESTED, "latest", HOUSE), f"Write all three numbers, such as {TESTED[-1]}."),
    )


def engine(text: str) -> str:
    """Read the name of an engine, or raise AnswerError."""
    return _one_of(text, ENGINES, "engine", "gh-aw would refuse every workflow.")


def wiring(text: str) -> str:
    """Read the name of a wiring, or raise AnswerError."""
    known = [way.value for way in Waking]
    return _one_of(text, known, "wiring", "No workflow would wake the next one.")


def secret(text: str) -> str:
    """Read the name of a secret, or raise AnswerError."""
    return wired(Waking.CREDENTIAL.value, text.strip()).secret or ""


def wired(way: str, named: str | None) -> Wiring:
    """Return a wiring with the secret that it needs and no other, or raise AnswerError."""
    waking = Waking(way)
    if waking is Waking.CREDENTIAL and named is None:
        return CREDENTIAL
    try:
        return Wiring(waking, named)
    except WiringError as problem:
        what, why, do = str(problem).split(". ", 2)
        raise AnswerError(what, f"{why}.", do) from None


def stacks(text: str) -> tuple[str, ...]:
    """Read stacks, with commas or blanks between them, or ANY; or raise AnswerError."""
    words = [word for word in re.split(r"[,\s]+", text.strip()) if word]
    if not words or [word.casefold() for word in words] == [ANY]:
        return ()
    why = "The agents would lack the commands that build and test the project."
    found = {_one_of(word, STACKS, "stack", why, also=(ANY,)) for word in words}
    if ANY in found:
        raise AnswerError(f"{ANY} and a stack exclude each other", why, f"Name the stacks, or only {ANY}.")
    return tuple(one for one in STACKS if one in found)


def detected_stacks(folder: Path) -> dict[str, str]:
    """Return the stacks that a folder shows, each with the file that tells, in the order of the table."""
    found: dict[str, str] = {}
    for stack in STACKS.values():
        names = [name for name in stack.manifests if (folder / name).is_file()]
        names += sorted(path.name for sign in _SIGNS.get(stack.id, ()) for path in folder.glob(sign))
        if names:
            found[stack.id] = names[0]
    return found


METHOD = Question(
    "method",
    "--house or --bmad RELEASE",
    "Which BMAD?",
    (
        f"{HOUSE}: the small edition that bmadc carries, nine agents and eight workflows",
        f"a release from npm, such as {TESTED[-1]} or latest: all of BMAD, a few megabytes",
    ),
    release,
    (HOUSE, "latest", *reversed(TESTED)),
)
ENGINE = Question(
    "engine",
    "--engine",
    "Which engine runs the agents?",
    tuple(f"{one.id}: needs the secret {' and '.join(one.secrets)}" for one in ENGINES.values()),
    engine,
    tuple(ENGINES),
)
WIRING = Question(
    "wiring",
    "--wiring",
    "How does one workflow wake the next?",
    (
        f"{Waking.BUS.value}: by dispatch, without any secret; your CI does not start by itself",
        f"{Waking.CREDENTIAL.value}: with your personal access token in a secret; your CI starts too",
        f"{Waking.MANUAL.value}: not at all; a comment says which label a person sets next",
    ),
    wiring,
    tuple(way.value for way in Waking),
)
SECRET = Question(
    "secret",
    "--secret",
    "Which secret holds the personal access token?",
    (),
    secret,
    (str(CREDENTIAL.secret),),
)
STACK = Question(
    "stacks",
    "--stack",
    "What is the project built with?",
    (f"{', '.join(STACKS)}; several with commas, or {ANY}: tools of all of them",),
    stacks,
    (*STACKS, ANY),
)


def folder(text: str) -> str:
    """Read the folder of the pack, from the project's own, or raise AnswerError."""
    wanted = posixpath.normpath(text.strip() or ".")
    if wanted.startswith(("/", "..")) or not OUT.fits(wanted):
        raise AnswerError(
            f"{_shown(text)} is no folder of the project",
            "bmadc writes nothing outside of it.",
            "Name a folder below it, such as packs/bmad.",
        )
    return wanted


FOLDER = Question("out", "--out", "Which folder does the pack go to?", (), folder, ())


def open_questions(has_settings: bool, has_tree: bool, given: Mapping[str, Any]) -> tuple[Question, ...]:
    """Return what is still to be asked: of a project that has settings only which tree, if it has none."""
    wanted = (*(() if has_tree else (METHOD,)), *(() if has_settings else (ENGINE, WIRING, STACK)))
    return tuple(one for one in wanted if given.get(one.name) is None)


def needs_secret(given: Mapping[str, Any]) -> bool:
    """Whether the wiring that was chosen needs a secret, and none is named."""
    return given["wiring"] == Waking.CREDENTIAL.value and given.get("secret") is None


def default_of(question: Question, found: Mapping[str, str]) -> str:
    """Return the answer that is taken if nobody gives another one."""
    if question is STACK:
        return ", ".join(found) or ANY
    return question.offers[0]


def remark(question: Question, found: Mapping[str, str]) -> tuple[str, ...]:
    """Return what a person should know before answering, where the folder tells something."""
    if question is not STACK or not found:
        return ()
    return (f"here are {', '.join(f'{file} ({stack})' for stack, file in found.items())}",)


def answers(
    has_tree: bool,
    given: Mapping[str, Any],
    out: str | None,
    found: Mapping[str, str],
) -> Answers:
    """Return all answers, with the default where none was given; raises AnswerError if they do not fit."""
    names = {name for name, value in given.items() if value is not None} | (
        {"out"} if out is not None else set()
    )
    stacks_ = given.get("stacks")
    return Answers(
        method=given.get("method") or ("" if has_tree else HOUSE),
        engine=given.get("engine") or CLAUDE.id,
        wiring=wired(given.get("wiring") or BUS.waking.value, given.get("secret")),
        stacks=tuple(found) if stacks_ is None else stacks_,
        out=out or ".",
        given=frozenset(names),
    )


def _one_of(text: str, known: Iterable[str], what: str, why: str, also: tuple[str, ...] = ()) -> str:
    names = [*known, *also]
    wanted = text.strip()
    if wanted.casefold() in names:
        return wanted.casefold()
    do = _perhaps(wanted, names, f"There are: {', '.join(names)}.")
    raise AnswerError(f"there is no {what} {_shown(wanted)}", why, do)


def _perhaps(wanted: str, names: Iterable[str], otherwise: str) -> str:
    near = nearest_names(wanted, names)
    return f"Perhaps: {', '.join(near)}." if near else otherwise


def _any_of(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}; supported are {SUPPORTED}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else f"{text[:40]}…")
