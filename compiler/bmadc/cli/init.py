"""`bmadc init`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from bmadc.cli.layout import count, labelled
from bmadc.cli.output import Progress, emit, line_on_disk, terminal_width, write_lines
from bmadc.diagnostics.text import Line, Piece

if TYPE_CHECKING:
    from bmadc.installing.answers import Answers, Question
    from bmadc.installing.install import Installed, Present

NOTHING_WRITTEN = "nothing was written"


class _Answer(click.ParamType[Any]):
    """The answer to a question of init, read and refused in the words that a terminal gets too."""

    def __init__(self, question: str, shown: str) -> None:
        self.question = question
        self.name = shown

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from bmadc.installing import answers
        from bmadc.installing.errors import AnswerError

        if not isinstance(value, str):
            return value
        asked: Question = getattr(answers, self.question)
        try:
            return asked.read(value)
        except AnswerError as problem:
            self.fail(str(problem), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from bmadc.installing import answers

        asked: Question = getattr(answers, self.question)
        return [CompletionItem(one) for one in asked.offers if one.startswith(incomplete)]


@click.command(
    "init",
    epilog="""\b
Exit codes:
  0    done, or everything was there; the last line says whether gh-aw verified the pack
  1    there are findings: settings that are wrong, files in the way, what gh-aw refuses
  2    something cannot be fetched, read, run or written, or nobody is there to answer
  130  interrupted; before the pack is written, that leaves nothing behind

\b
Examples:
  bmadc init
  bmadc init --yes
  bmadc init --yes --bmad 6.12.0
  bmadc init --house --engine copilot --wiring manual --stack node --stack python
  bmadc init --yes --bmad latest --wiring credential --secret BMAD_TOKEN
  bmadc init ../other-repository --yes --out packs/bmad
""",
)
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option(
    "--bmad",
    metavar="RELEASE",
    type=_Answer("METHOD", "release"),
    help="Take this release of BMAD from npm: a version, or a tag such as latest.",
)
@click.option("--house", is_flag=True, help="Take the small edition that bmadc carries; needs no network.")
@click.option(
    "--engine",
    metavar="NAME",
    type=_Answer("ENGINE", "engine"),
    help="The engine that runs the agents: claude, copilot, codex or gemini.",
)
@click.option(
    "--wiring",
    metavar="NAME",
    type=_Answer("WIRING", "wiring"),
    help="How one workflow wakes the next: bus, credential or manual.",
)
@click.option(
    "--secret",
    metavar="NAME",
    type=_Answer("SECRET", "secret"),
    help="With --wiring credential: the secret that holds a personal access token. Without it: BMAD_TOKEN.",
)
@click.option(
    "--stack",
    "stacks",
    metavar="NAME",
    multiple=True,
    type=_Answer("STACK", "stack"),
    help="What the project is built with, such as node; several times for several, or any. Without it: what "
    "the folder shows.",
)
@click.option(
    "--out",
    metavar="DIR",
    type=_Answer("FOLDER", "folder"),
    help="The folder that the pack is written to, from the project's. Without it: the project's own.",
)
@click.option("--yes", is_flag=True, help="Ask nothing: take the default for whatever no option says.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path | None,
    bmad: str | None,
    house: bool,
    engine: str | None,
    wiring: str | None,
    secret: str | None,
    stacks: tuple[tuple[str, ...], ...],
    out: str | None,
    yes: bool,
) -> None:
    """Set a repository up: BMAD, settings and a pack.

    In DIR, or here, asks which BMAD to compile and how, and adds what is missing: the BMAD tree, bmadc.toml
    and the pack, which the real gh-aw then verifies. Options answer the questions; with --yes nothing is
    asked. A BMAD tree that is there already is taken.

    Nothing that is there is ever changed, so running it again is safe. If anything fails, nothing is written.
    """
    from bmadc.installing import answers as asking
    from bmadc.installing.errors import InstallError
    from bmadc.installing.install import install, look

    if house and bmad is not None:
        ctx.fail(
            "--house and --bmad exclude each other: only one BMAD can be compiled. Leave one of them out."
        )
    given = {
        "method": asking.HOUSE if house else bmad,
        "engine": engine,
        "wiring": wiring,
        "secret": secret,
        "stacks": tuple(one for several in stacks for one in several) if stacks else None,
    }
    where = folder or Path()
    progress = Progress()
    try:
        present = look(where)
        wanted = _wanted(ctx, present, given, out, yes)
        done = install(present, wanted, progress.say)
    except InstallError as problem:
        progress.done()
        shown = partial(line_on_disk, where)
        emit(problem.diagnostics, shown, "text", closing=NOTHING_WRITTEN, fine=False, summary={})
        ctx.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        progress.done()
        click.echo(f"\n{NOTHING_WRITTEN}", err=True)
        raise
    progress.done()
    _finish(ctx, where, done, progress)


def _wanted(
    ctx: click.Context,
    present: Present,
    given: dict[str, Any],
    out: str | None,
    yes: bool,
) -> Answers:
    """Return the answers: from options, from a person, or the defaults; fail where nobody can answer."""
    from bmadc.installing import answers as asking
    from bmadc.installing.errors import AnswerError

    found = asking.detected_stacks(present.folder)
    open_ = asking.open_questions(present.project is not None, bool(present.source), given)
    if open_ and not yes:
        if not sys.stdin.isatty():
            flags = ", ".join(question.flags for question in open_)
            ctx.fail(
                "there is no terminal to ask on, and a guess could be wrong. "
                f"Answer with {flags}; or take the defaults with --yes."
            )
        for question in open_:
            given[question.name] = _ask(question, asking.default_of(question, found), found)
            if question is asking.WIRING and asking.needs_secret(given):
                given["secret"] = _ask(asking.SECRET, asking.default_of(asking.SECRET, found), found)
    try:
        return asking.answers(bool(present.source), given, out, found)
    except AnswerError as problem:
        ctx.fail(str(problem))


def _ask(question: Question, default: str, found: dict[str, str]) -> Any:
    """Ask until there is an answer that can be used."""
    from bmadc.installing.answers import remark
    from bmadc.installing.errors import AnswerError

    def read(text: str) -> Any:
        try:
            return question.read(text)
        except AnswerError as problem:
            raise click.UsageError(f"{problem}") from None

    click.echo(err=True)
    for meaning in (*question.meanings, *remark(question, found)):
        click.echo(click.style(f"  {meaning}", dim=True), err=True)
    return click.prompt(question.asks, default=default, value_proc=read, err=True)


def _finish(ctx: click.Context, where: Path, done: Installed, progress: Progress) -> None:
    from bmadc.ghaw.verify import verify

    width = terminal_width()
    lines = [*_rows("added", done.added), *_rows("kept", done.kept)]
    for text in done.remarks:
        lines += [(), *labelled("note", text, width, indent=0, column=6)]
    if done.built is None:
        write_lines(lines)
        closing = "nothing to do: everything is there" if not done.added else "added what was missing"
        emit((), partial(line_on_disk, where), "text", closing=closing, fine=True, summary={}, opening=[()])
        return
    write_lines((*lines, (), *_next(where, done, width), ()))
    folder = where / done.pack_folder
    progress.say(f"asking gh-aw about {count(len(done.built.made), 'workflow')}")
    found = verify(folder)
    progress.done()
    said = found.not_verified()
    if said:
        closing = f"not verified: {said}, then `bmadc verify {folder.as_posix()}`"
        emit((), found.line_of, "text", closing=closing, fine=False, summary={})
        return
    closing = f"{'verified' if found.exit_code == 0 else 'not verified'}: {found.closing_line()}"
    emit(found.diagnostics, found.line_of, "text", closing=closing, fine=found.exit_code == 0, summary={})
    ctx.exit(found.exit_code)


def _rows(label: str, rows: tuple[tuple[str, str], ...]) -> Iterator[Line]:
    wide = max((len(path) for path, _ in rows), default=0)
    for path, meaning in rows:
        text = f"{path.ljust(wide)}  {meaning}".rstrip()
        yield (Piece("label" if label == "added" else "quiet", label.ljust(7)), Piece("plain", text))


def _next(where: Path, done: Installed, width: int | None) -> Iterator[Line]:
    paths = " ".join(path.rstrip("/") for path, _ in done.added)
    at = "" if where == Path() else f"cd {where.as_posix()} && "
    steps = (
        f"{at}git add {paths}",
        'git commit -m "Add a pack of BMAD workflows" && git push',
        "In a clone of the repository that is to have the workflows: gh aw add-wizard OWNER/REPOSITORY, with "
        f"the name of this one. It asks for the secret {' and '.join(done.secrets)}, and makes the labels.",
        "There, in the settings under Actions, General: allow GitHub Actions to create pull requests.",
        f"Open an issue there that says what you want, and put the label {done.first_label} on it.",
    )
    yield (Piece("code", "What comes next"),)
    for number, text in enumerate(steps, 1):
        yield from labelled(f"{number}.", text, width, column=4)
