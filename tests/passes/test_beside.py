"""Two processes share the work of a pack; what comes out is what one would have made."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bmadc.frontend.pack import read_pack
from bmadc.ir.ledger import Lowered
from bmadc.passes import lower
from bmadc.passes.beside import beside
from bmadc.passes.edits import Conflict
from bmadc.passes.packing import Verdict, packed, unpacked
from support.hut import write_hut
from support.mill import write_mill

forks = pytest.mark.skipif(sys.platform != "linux", reason="no second process is made elsewhere")


def judge(one: Lowered) -> Verdict:
    return [(one.id, part.name, len(part.lines)) for part in one.parts]


def no_children() -> bool:
    try:
        os.waitpid(-1, os.WNOHANG)
    except ChildProcessError:
        return True
    return False


@forks
def test_the_work_is_done_by_another_process() -> None:
    with beside(lambda: f"{os.getpid()}".encode()) as answer:
        said = int(answer())
    assert said != os.getpid()
    assert no_children()


@forks
def test_more_bytes_than_a_pipe_holds_arrive() -> None:
    with beside(lambda: b"stone " * 100_000) as answer:
        assert answer() == b"stone " * 100_000


@forks
def test_what_the_other_process_does_not_bring_is_done_here() -> None:
    here = os.getpid()

    def work() -> bytes:
        if os.getpid() != here:
            os._exit(3)
        return b"flour"

    with beside(work) as answer:
        assert answer() == b"flour"


@forks
def test_what_the_work_raises_is_raised_here() -> None:
    def work() -> bytes:
        raise ValueError("no corn")

    with beside(work) as answer, pytest.raises(ValueError, match="no corn"):
        answer()
    assert no_children()


@forks
def test_nothing_is_left_behind_where_nobody_asks() -> None:
    with pytest.raises(ValueError, match="no miller"), beside(lambda: b"stone " * 100_000):
        raise ValueError("no miller")
    assert no_children()


@forks
@pytest.mark.parametrize("write", [write_mill, write_hut])
def test_two_processes_lower_as_one_does(
    write: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack = read_pack(write(tmp_path))
    monkeypatch.setattr(lower, "has_spare_core", lambda: False)
    alone, one = lower.lower_all(pack, judge)
    assert sum(not id_.startswith("agent:") for id_ in alone) > 1
    monkeypatch.setattr(lower, "has_spare_core", lambda: True)
    monkeypatch.setattr(lower, "WORTH_A_PROCESS", 1)
    brought: list[bytes] = []

    def counted(
        said: bytes,
    ) -> tuple[dict[str, Lowered], frozenset[str], list[Conflict], dict[str, Verdict]]:
        brought.append(said)
        return unpacked(said)

    monkeypatch.setattr(lower, "unpacked", counted)
    shared, two = lower.lower_all(pack, judge)
    assert len(brought) == 1
    assert list(shared.items()) == list(alone.items())
    assert two.used == one.used
    assert two.conflicts == one.conflicts
    assert two.judged == one.judged
    assert two.judged.keys() == {id_ for id_ in alone if not id_.startswith("agent:")}
    assert all(said == judge(alone[id_]) for id_, said in two.judged.items())


def test_nobody_is_judged_where_nobody_judges(tmp_path: Path) -> None:
    assert lower.lower_all(read_pack(write_mill(tmp_path)))[1].judged == {}


def test_a_file_that_was_not_looked_at_with_others_is_when_it_is_asked_for(tmp_path: Path) -> None:
    said = "# Stove\n\nAsk the user which wood to burn.\n"
    more = {"hut-stove/SKILL.md": "---\nname: hut-stove\ndescription: Light the stove\n---\n\n" + said}
    pack = read_pack(write_hut(tmp_path, more))
    workflow = next(one for one in pack.workflows if one.id == "hut-stove")
    alone = lower.lower(lower.Lowering(pack, ()), workflow)
    assert alone == lower.lower(lower.Lowering(pack, (workflow,)), workflow)
    assert "Find out which wood to burn." in alone.body


def test_what_is_packed_comes_back(tmp_path: Path) -> None:
    found, _ = lower.lower_all(read_pack(write_mill(tmp_path)))
    conflicts = [Conflict("a.md", 3, "flow.one", "menus.two")]
    judged: dict[str, Verdict] = {"grind": [("flow.one", 3)]}
    back, used, told, verdicts = unpacked(packed(found, {"flow.one"}, conflicts, judged))
    assert back == found
    assert all(isinstance(one, Lowered) for one in back.values())
    assert {type(line) for one in back.values() for part in one.parts for line in part.lines} == {
        type(line) for one in found.values() for part in one.parts for line in part.lines
    }
    assert used == frozenset(("flow.one",))
    assert told == conflicts
    assert verdicts == judged
