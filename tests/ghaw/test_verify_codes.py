"""Each diagnostic code, provoked end to end by the smallest pack or machine that shows it."""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bmadc.diagnostics.codes import CODES
from bmadc.ghaw.verify import Verification, save_locks, verify
from support.packs import GH_AW, document, stand_in, write_pack

NOBODY = 65534

Provoke = Callable[[Path], Verification]
PROVOKED: dict[str, Provoke] = {}


def provokes(code: str) -> Callable[[Provoke], Provoke]:
    def keep(provoke: Provoke) -> Provoke:
        PROVOKED[code] = provoke
        return provoke

    return keep


def pack(folder: Path, **files: str | bytes) -> Path:
    content = {name.replace("__", "."): text for name, text in files.items()}
    return write_pack(folder / "pack", {"greet.md": document(), **content})


@contextmanager
def somebody_else() -> Iterator[None]:
    """Let root lose its rights for a while; others have none to lose."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@provokes("BMC101")
def _missing_folder(folder: Path) -> Verification:
    return verify(folder / "none", gh_aw=GH_AW)


@provokes("BMC102")
def _link_out(folder: Path) -> Verification:
    (folder / "secret.md").write_text("secret", encoding="utf-8")
    (pack(folder) / "a.md").symlink_to(folder / "secret.md")
    return verify(folder / "pack", gh_aw=GH_AW)


@provokes("BMC103")
def _pipe(folder: Path) -> Verification:
    os.mkfifo(pack(folder) / "a.md")
    return verify(folder / "pack", gh_aw=GH_AW)


@provokes("BMC104")
def _no_permission(_: Path) -> Verification:
    # Not in the folder of pytest, which only its owner may enter.
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (pack(folder) / "greet.md").chmod(0)
        with somebody_else():
            return verify(folder / "pack", gh_aw=GH_AW)


@provokes("BMC105")
def _large(folder: Path) -> Verification:
    return verify(pack(folder, a__md="x" * (4 * 1024 * 1024 + 1)), gh_aw=GH_AW)


@provokes("BMC106")
def _nul(folder: Path) -> Verification:
    return verify(pack(folder, a__md=b"a\0b"), gh_aw=GH_AW)


@provokes("BMC107")
def _latin(folder: Path) -> Verification:
    return verify(pack(folder, a__md="größe".encode("latin-1")), gh_aw=GH_AW)


@provokes("BMC108")
def _file(folder: Path) -> Verification:
    return verify(pack(folder) / "greet.md", gh_aw=GH_AW)


@provokes("BMC109")
def _no_place_for_locks(folder: Path) -> Verification:
    (folder / "locks").write_text("a file", encoding="utf-8")
    return save_locks(verify(pack(folder), gh_aw=GH_AW), folder / "locks")


@provokes("BMC201")
def _no_gh_aw(folder: Path) -> Verification:
    return verify(pack(folder), gh_aw=folder / "none")


@provokes("BMC202")
def _another_release(folder: Path) -> Verification:
    return verify(pack(folder), gh_aw=stand_in(folder, "exit 0", release="v0.1.0"))


@provokes("BMC203")
def _not_executable(folder: Path) -> Verification:
    return verify(pack(folder, tool="text"), gh_aw=folder / "pack" / "tool")


@provokes("BMC204")
def _empty(folder: Path) -> Verification:
    return verify(write_pack(folder / "pack", {"README.md": "Words.\n"}), gh_aw=GH_AW)


@provokes("BMC211")
def _refused(folder: Path) -> Verification:
    return verify(pack(folder, a__md=document("A", "permisions: x\n")), gh_aw=GH_AW)


@provokes("BMC212")
def _warned(folder: Path) -> Verification:
    return verify(pack(folder, a__md=document("A", "safe-outputs:\n  replace-label:\n")), gh_aw=GH_AW)


@provokes("BMC213")
def _remarked(folder: Path) -> Verification:
    return verify(pack(folder, a__md=document("A", "network:\n  allowed: [nodejs.org]\n")), gh_aw=GH_AW)


@provokes("BMC221")
def _passed_over(folder: Path) -> Verification:
    return verify(pack(folder, a__md="\n" + document("A")), gh_aw=GH_AW)


@provokes("BMC222")
def _crashed(folder: Path) -> Verification:
    return verify(pack(folder), gh_aw=stand_in(folder, "exit 3"))


@provokes("BMC223")
def _garbled(folder: Path) -> Verification:
    return verify(pack(folder), gh_aw=stand_in(folder, "echo what"))


@provokes("BMC224")
def _uncounted(folder: Path) -> Verification:
    script = """
echo '[{"workflow": "greet.md", "valid": true}]'
echo lock > .github/workflows/greet.lock.yml
echo '✓ Compiled 1 workflow: 1 succeeded, 2 warnings' >&2"""
    return verify(pack(folder), gh_aw=stand_in(folder, script))


@provokes("BMC225")
def _plain(folder: Path) -> Verification:
    return verify(pack(folder, a__yml="on: [push\njobs: {}\n"), gh_aw=GH_AW)


@provokes("BMC231")
def _in_the_way(folder: Path) -> Verification:
    write_pack(folder / "locks", {"greet.lock.yml": "mine: 1\n"})
    return save_locks(verify(pack(folder), gh_aw=GH_AW), folder / "locks")


def test_every_code_is_provoked() -> None:
    # Those of the BMAD source have their tests beside the readers, those of packs with the packs, those of
    # setting a project up with `init`; two builds at the same time are with the interrupted ones.
    elsewhere = ("BMC3", "BMC4", "BMC5", "BMC110")
    assert sorted(PROVOKED) == sorted(code for code in CODES if not code.startswith(elsewhere))


@pytest.mark.needs("gh-aw")
@pytest.mark.parametrize("code", sorted(PROVOKED))
def test_the_code_appears_alone_and_decides_the_exit_code(tmp_path: Path, code: str) -> None:
    found = PROVOKED[code](tmp_path)
    assert [diagnostic.code for diagnostic in found.diagnostics] == [code]
    expected = {"BMC213": 0, "BMC211": 1, "BMC212": 1, "BMC221": 1, "BMC224": 1, "BMC225": 1}
    assert found.exit_code == expected.get(code, 2)


@pytest.mark.needs("gh-aw")
def test_a_folder_that_nobody_may_open_is_said() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        (pack(folder) / "shared").mkdir()
        (folder / "pack" / "shared").chmod(0)
        with somebody_else():
            found = verify(folder / "pack", gh_aw=GH_AW)
        assert [(one.code, str(one.span).removeprefix(f"{name}/")) for one in found.diagnostics] == [
            ("BMC104", "pack/shared")
        ]
        folder.chmod(0)
        with somebody_else():
            found = verify(folder / "pack", gh_aw=GH_AW)
        folder.chmod(0o755)
        assert [one.code for one in found.diagnostics] == ["BMC104"]
