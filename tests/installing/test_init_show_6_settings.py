"""Line 6: every broken bmadc.toml is told its code, its place, why it matters and what to do."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.diagnostics import Diagnostic
from bmadc.frontend.tomlvalues import SIZE_LIMIT
from bmadc.ghaw.engines import COPILOT
from bmadc.installing.settings import settings_text
from bmadc.machine.choices import Choices
from bmadc.machine.wiring import CREDENTIAL
from bmadc.project import (
    FILE,
    KEYS,
    OVERRIDES,
    Key,
    Project,
    find_project,
    project_of,
    read_project,
    schema,
    schema_text,
)
from bmadc.source.text import SIZE_LIMIT as FILE_LIMIT
from support.folders import repository, snapshot
from support.hut import write_hut

ROOT = Path(__file__).resolve().parents[2]


def read(folder: Path, text: str | bytes) -> tuple[Diagnostic, ...]:
    folder.mkdir(exist_ok=True)
    (folder / FILE).write_bytes(text if isinstance(text, bytes) else text.encode())
    project, problems = read_project(folder)
    assert not problems or project == Project()
    return problems


def only(folder: Path, text: str | bytes) -> Diagnostic:
    (found,) = read(folder, text)
    return found


def wrong_values(key: Key) -> Iterator[str]:
    """Values that a key does not take, as they are written in TOML."""
    good = key.example_text()
    kinds = {"text": '"x"', "number": "7", "flag": "true", "list": '["x"]', "table": "{ a = 1 }"}
    kinds |= {"decimal": "6.10", "day": "2026-01-01"}
    own = {"text": "text", "choice": "text", "number": "number", "flag": "flag"}.get(key.kind, "list")
    yield from (value for kind, value in kinds.items() if kind != own)
    match key.kind:
        case "number":
            yield from (str(key.low - 1), str(key.high + 1), "-5", f"{key.low}.0", "99999999999999999999")
        case "text" | "choice":
            yield from ('""', r'"a\nb"', r'"\u0000"', f'"{"x" * 600}"')
        case "texts" | "choices":
            yield from (f"[{good[1:-1]}, 7]", "[[]]", '[""]', r'["a\nb"]', '["no such thing!"]')


def sheet() -> Iterator[tuple[str, str, Key]]:
    for prefix, keys in (("", KEYS), ("workflows.dev-story.", OVERRIDES)):
        for key in keys:
            yield from ((f"{prefix}{key.name}", value, key) for value in wrong_values(key))


def test_every_key_refuses_every_other_kind_of_value_at_its_place(tmp_path: Path) -> None:
    seen = 0
    for name, value, key in sheet():
        line = f"{name} = {value}"
        found = only(tmp_path, f"# a remark\n{line}  # and one more\n")
        assert (found.code, found.severity) == ("BMC401", "error"), line
        assert found.message == f"{name} has a value that cannot be used"
        at = line.index(" = ") + 4
        assert str(found.span) == f"{FILE}:2:{at}", line
        assert found.span is not None
        assert found.span.end_column == len(line) + 1
        assert found.expected
        assert found.why == "Nothing was built: a guess would end up in workflows that run with a token."
        assert found.help == (f"Give {key.name} a value of that kind, or remove the line.",)
        seen += 1
    assert seen > 150


def test_what_stands_as_an_example_is_good_and_the_schema_agrees(tmp_path: Path) -> None:
    (tmp_path / "bmad-method").mkdir()
    lines = [f"{key.name} = {key.example_text()}" for key in KEYS if key.name not in ("secret", "wiring")]
    lines += ['wiring = "credential"', 'secret = "BMAD_TOKEN"', "[workflows.dev-story]"]
    lines += [f"{key.name} = {key.example_text()}" for key in OVERRIDES]
    text = "\n".join(lines)
    assert read(tmp_path, text) == ()
    jsonschema.validate(tomllib.loads(text), schema())


@pytest.mark.parametrize(
    ("text", "where", "nearest"),
    [
        ('engine = "clade"', "1:10", ("claude", "codex")),
        ('wiring = "credentials"', "1:10", ("credential",)),
        ('stacks = ["go", "nodejs", "pyton"]', "1:10", ("node", "python")),
    ],
)
def test_a_value_gets_the_nearest_of_its_kind(
    tmp_path: Path, text: str, where: str, nearest: tuple[str, ...]
) -> None:
    found = only(tmp_path, text)
    assert (found.code, str(found.span), found.nearest) == ("BMC401", f"{FILE}:{where}", nearest)


@pytest.mark.parametrize(
    ("text", "where", "meant"),
    [
        ('\n  egine = "claude"', "2:3", "Perhaps: engine."),
        ('"sta cks" = []', "1:1", "Perhaps: stacks."),
        ("xyz = 1", "1:1", "There are: source, out, engine, "),
        ("[workflows.dev-story]\ntimeout_minutes = 3", "2:1", "Perhaps: timeout-minutes."),
        ("workflows.dev-story.modl = 3", "1:1", "Perhaps: model."),
        ("[engin]\nx = 1", "1:1", "Perhaps: engine."),
    ],
)
def test_an_unknown_setting_gets_the_nearest_name(tmp_path: Path, text: str, where: str, meant: str) -> None:
    found = only(tmp_path, text)
    assert (found.code, str(found.span)) == ("BMC402", f"{FILE}:{where}")
    assert found.why == "A setting that nothing reads would be wrong in silence."
    assert found.help[0].startswith(meant)


def test_all_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    text = 'engin = "x"\nstacks = "go"\n[workflows.a]\nmax-turns = 0\n'
    assert [(one.code, str(one.span)) for one in read(tmp_path, text)] == [
        ("BMC402", f"{FILE}:1:1"),
        ("BMC401", f"{FILE}:2:10"),
        ("BMC401", f"{FILE}:4:13"),
    ]


SYNTAX: dict[str, tuple[str | bytes, str, str]] = {
    "no value": ("engine =\n", "BMC331", "1:9"),
    "no quotes": ("engine = claude\n", "BMC331", "1:10"),
    "an open quote": ('a = 1\nengine = "claude\n', "BMC331", "2:17"),
    "an open list": ('stacks = ["go"\n', "BMC331", "2:1"),
    "an open table": ("[workflows.dev-story\n", "BMC331", "1:21"),
    "a key twice": ('engine = "claude"\nengine = "codex"\n', "BMC331", "2:17"),
    "a table twice": ("[workflows.a]\n[workflows.a]\n", "BMC331", "2:13"),
    "YAML": ("engine: claude\n", "BMC331", "1:7"),
    "a lone CR": ('engine = "claude"\rout = "."\n', "BMC331", "1:18"),
    "a zero byte": ("engine = '\0'\n", "BMC106", "1:11"),
    "UTF-16": ('engine = "claude"\n'.encode("utf-16-le"), "BMC106", "1:2"),
    "another encoding": ("# caf\xe9\n".encode("latin-1"), "BMC107", "1:6"),
    "much text": ("#" * (SIZE_LIMIT + 1), "BMC339", ""),
    "a huge file": (b"#" * (FILE_LIMIT + 1), "BMC105", ""),
    "a deep list": ("web = " + "[" * 2000 + "]" * 2000, "BMC339", ""),
    "deep tables": ("[" + ".".join("a" * 40) + "]\n", "BMC339", ""),
    "a key of many parts": (".".join("a" * 400) + " = 1\n", "BMC339", "1:1"),
    "no such tree": ('\nsource = "bmad"\n', "BMC406", "2:10"),
    "a wiring without its secret": ('wiring = "credential"\n', "BMC403", "1:10"),
    "a secret without its wiring": ('secret = "A"\n', "BMC403", "1:10"),
}


@pytest.mark.parametrize("row", SYNTAX)
def test_a_file_that_cannot_be_read_is_told_where_why_and_what_to_do(tmp_path: Path, row: str) -> None:
    text, code, where = SYNTAX[row]
    found = only(tmp_path, text)
    assert (found.code, str(found.span)) == (code, f"{FILE}:{where}" if where else FILE), found
    assert found.why
    assert found.help
    assert "BMAD would stop" not in found.why


def _a_folder(file: Path) -> None:
    file.mkdir()


def _a_link_out(file: Path) -> None:
    (file.parents[1] / "theirs.toml").write_text("", encoding="utf-8")
    file.symlink_to("../theirs.toml")


def _a_link_nowhere(file: Path) -> None:
    file.symlink_to("nothing")


def _a_circle(file: Path) -> None:
    file.symlink_to(FILE)


@pytest.mark.parametrize(
    ("make", "code"),
    [(_a_folder, "BMC103"), (_a_link_out, "BMC102"), (_a_link_nowhere, "BMC101"), (_a_circle, "BMC104")],
)
def test_what_has_its_name_and_is_no_file_is_not_passed_over(tmp_path: Path, make: object, code: str) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    assert callable(make)
    make(folder / FILE)
    project, (found,) = read_project(folder)
    assert (project, found.code, str(found.span)) == (Project(), code, FILE)
    assert found.why
    assert found.help


@pytest.mark.parametrize(
    "text", ['\ufeffengine = "codex"\n', 'engine = "codex"\r\nstacks = []\r\n', "", "# x"]
)
def test_habits_of_editors_do_no_harm(tmp_path: Path, text: str) -> None:
    assert read(tmp_path, text) == ()
    assert read_project(tmp_path)[0].choices.engine.id == ("codex" if "codex" in text else "claude")


# --- the commands


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="bmadc")


SHOWN = """\
bmadc.toml:2:10: error[BMC401]: engine has a value that cannot be used
  |
2 | engine = "clade"
  |          ^^^^^^^
  |
  = expected: one of claude, copilot, codex, gemini
  = nearest:  claude, codex
  = why:      Nothing was built: a guess would end up in workflows that run with a token.
  = do:       Give engine a value of that kind, or remove the line.

"""


@pytest.mark.parametrize(
    ("arguments", "code", "closing"),
    [
        (("build",), 1, "nothing was written"),
        (("check",), 2, "broken: the settings cannot be read"),
        (("init", "--yes"), 1, "nothing was written"),
        (("doctor",), 2, "cannot be read"),
        (("inspect",), 2, "nothing to inspect"),
        (("coverage",), 2, "nothing to account for"),
        (("trace", "x.md:1"), 2, "nothing to trace"),
    ],
)
def test_every_command_says_it_in_the_same_words_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, closing: str
) -> None:
    monkeypatch.chdir(repository(tmp_path / "project"))
    Path(FILE).write_text('# mine\nengine = "clade"\n', encoding="utf-8")
    before = snapshot(Path())
    shown = run(*arguments)
    assert (shown.exit_code, shown.output) == (code, f"{SHOWN}{closing}\n")
    assert snapshot(Path()) == before


def test_a_project_is_found_from_any_folder_of_its_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = repository(tmp_path / "project")
    write_hut(project / "huts" / "ours")
    (project / FILE).write_text('source = "huts/ours"\nout = "packs"\n', encoding="utf-8")
    deep = project / "src" / "deep"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    assert find_project(Path()) == Path("../..")
    built = run("build")
    assert (built.exit_code, built.output.splitlines()[-1].endswith(" in ../../packs")) == (0, True)
    assert (project / "packs" / "aw.yml").is_file()
    assert run("check").exit_code == 0
    assert "hut-sweep" in run("inspect").output
    assert run("doctor").exit_code == 0
    monkeypatch.setenv("COMP_WORDS", "bmadc build hut-s")
    monkeypatch.setenv("COMP_CWORD", "2")
    monkeypatch.setenv("_BMADC_COMPLETE", "bash_complete")
    shown = CliRunner().invoke(cli, [], prog_name="bmadc", complete_var="_BMADC_COMPLETE")
    assert shown.output == "plain,hut-stove\nplain,hut-sweep\n"


def test_a_project_ends_at_its_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / FILE).write_text("", encoding="utf-8")
    monkeypatch.chdir(repository(tmp_path / "other"))
    assert find_project(Path()) == Path()


def test_what_a_build_says_of_the_tree_has_the_path_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository(tmp_path / "project"))
    write_hut(Path("huts"))
    Path(FILE).write_text('source = "huts"\n', encoding="utf-8")
    shown = run("build")
    assert shown.exit_code == 0
    assert "huts/hut-sweep/SKILL.md: note[BMC411]" in shown.output
    Path("huts/hut-sweep/SKILL.md").unlink()
    assert "huts/hut-sweep/SKILL.md: error[BMC431]: this source is gone" in run("check").output


# --- what init writes


def test_the_settings_that_init_writes_are_those_that_were_chosen() -> None:
    from bmadc.frontend.tomlvalues import read_toml
    from bmadc.source import Text

    chosen = Project(
        source="bmad-method",
        out="packs/bmad",
        method="the house edition",
        choices=Choices(engine=COPILOT, wiring=CREDENTIAL, stacks=("node", "go")),
    )
    for project in (Project(), chosen):
        text = settings_text(project)
        layer, problems = read_toml(Text(FILE, text), FILE)
        assert problems == ()
        assert project_of(layer) == (project, ())
        assert text.startswith("#:schema ./bmadc.schema.json\n")
        for key in (*KEYS, *OVERRIDES):
            assert f"{key.meaning}" in text
            assert f"\n{key.name} = " in text or f"\n# {key.name} = " in text, key.name


def test_the_schema_is_committed_as_the_tables_give_it() -> None:
    assert (ROOT / "schemas" / "bmadc.schema.json").read_text(encoding="utf-8") == schema_text()
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_schema_refuses_what_the_reader_refuses() -> None:
    validator = jsonschema.Draft202012Validator(dict(schema()))
    for name, value, _ in sheet():
        # A day is a text to a schema, and 1.0 a whole number.
        if "2026-01-01" not in value and not value.endswith(".0"):
            table = json.loads(json.dumps(tomllib.loads(f"{name} = {value}")))
            assert not validator.is_valid(table), f"{name} = {value}"
