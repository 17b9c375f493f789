"""A build compiles only where a hash says that something changed, unless it is told to compile anyway."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from bmadc import compile as compiling
from bmadc.backend.manifest import FILE, digest
from bmadc.cli import cli
from support.hut import write_hut

SWEEP = "workflows/bmad-hut-sweep.md"


class Bench:
    """A small tree, its pack, and how often something was compiled."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tree, self.out = write_hut(folder / "tree"), folder / "out"
        self.compiled = 0
        real = compiling.compile_pack

        def counted(*arguments: object) -> compiling.Built:
            self.compiled += 1
            return real(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(compiling, "compile_pack", counted)

    def build(self, *more: str) -> str:
        """Build, and return the last line that is said."""
        arguments = ["build", "--root", str(self.tree), "--out", str(self.out), *more]
        done = CliRunner().invoke(cli, arguments, prog_name="bmadc", catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output.splitlines()[-1]


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    monkeypatch.delenv("CI", raising=False)
    made = Bench(tmp_path, monkeypatch)
    assert "written" in made.build()
    made.compiled = 0
    return made


def test_what_did_not_change_is_not_compiled(bench: Bench) -> None:
    before = {path: path.read_bytes() for path in sorted(bench.out.rglob("*")) if path.is_file()}
    assert bench.build() == f"2 workflows, in step in {bench.out.as_posix()}"
    assert bench.compiled == 0
    assert {path: path.read_bytes() for path in sorted(bench.out.rglob("*")) if path.is_file()} == before


def _source(bench: Bench) -> None:
    with (bench.tree / "hut-stove" / "SKILL.md").open("a") as file:
        file.write("\nAir the room.\n")


def _settings(bench: Bench) -> None:
    (bench.tree / "bmadc.toml").write_text('wiring = "manual"\n')


def _output(bench: Bench) -> None:
    with (bench.out / SWEEP).open("a") as file:
        file.write("\nOurs.\n")


def _missing(bench: Bench) -> None:
    (bench.out / SWEEP).unlink()


def _stale(bench: Bench) -> None:
    (bench.out / "workflows" / "bmad-old.md").write_text("---\n# Made by bmadc once\n---\n")


def _interrupted(bench: Bench) -> None:
    (bench.out / ".bmadc-staging").mkdir()


def _manifest(bench: Bench) -> None:
    (bench.out / FILE).unlink()


@pytest.mark.parametrize(
    "change",
    [_source, _settings, _output, _missing, _stale, _interrupted, _manifest],
    ids=lambda one: one.__name__,
)
def test_whatever_changed_is_compiled(bench: Bench, change: Callable[[Bench], None]) -> None:
    change(bench)
    bench.build()
    assert bench.compiled == 1
    assert bench.build().endswith(f"in step in {bench.out.as_posix()}")
    assert bench.compiled == 1


def test_one_of_its_ids_or_taking_over_compiles(bench: Bench) -> None:
    bench.build("hut-sweep")
    bench.build("--adopt")
    assert bench.compiled == 2


@pytest.mark.parametrize("how", ["--full", "CI"])
def test_who_believes_no_hash_builds_again(bench: Bench, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    output, lock = bench.out / SWEEP, bench.out / FILE
    right = output.read_text()
    output.write_text(right + "\nOurs.\n")
    lock.write_text(lock.read_text().replace(digest(right), digest(output.read_text())))
    assert "in step" in bench.build()
    assert bench.compiled == 0
    if how == "CI":
        monkeypatch.setenv("CI", "true")
        bench.build()
    else:
        bench.build(how)
    assert output.read_text() == right
