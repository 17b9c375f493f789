"""What `bmadc init` gets from npm, and everything that can go wrong there: nothing is left behind."""

import io
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from bmadc.cli import cli
from bmadc.installing import npm, unpack
from bmadc.installing.errors import InstallError
from bmadc.source.text import SIZE_LIMIT
from support.folders import repository, snapshot
from support.npm import FakeNpm, method, tarball

RELEASE = "6.9.9"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeNpm:
    monkeypatch.chdir(repository(tmp_path / "project"))
    monkeypatch.setenv("BMADC_GH_AW", "")
    return FakeNpm(tmp_path / "bin", monkeypatch)


def init(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["init", "--yes", *arguments], prog_name="bmadc")


def test_what_is_read_is_there_with_its_licence_and_nothing_else(fake: FakeNpm) -> None:
    fake.has(RELEASE)
    fake.tags["latest"] = RELEASE
    fake.keep()
    shown = init("--bmad", "latest")
    assert shown.exit_code == 0, shown.output
    published = method(RELEASE)
    wanted = {name for name in published if name.startswith("src/")} | {"package.json", "LICENSE"}
    wanted -= {"src/hut/hut-sweep/tests/test_broom.py"}
    found = snapshot(Path("bmad-method"))
    assert {name: text for name, text in published.items() if name in wanted} == {
        name: data.decode() for name, data in found.items() if isinstance(data, bytes)
    }
    assert 'source = "bmad-method"' in Path("bmadc.toml").read_text(encoding="utf-8")
    commands = [call[:2] for call in fake.calls()]
    assert commands == [["view", "bmad-method@latest"], ["pack", f"bmad-method@{RELEASE}"]]
    assert all("--ignore-scripts" in call for call in fake.calls())


def _absent(fake: FakeNpm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(fake.folder / "empty"))


def _fails(command: str, code: str) -> Callable[[FakeNpm, pytest.MonkeyPatch], None]:
    def fail(fake: FakeNpm, _: pytest.MonkeyPatch) -> None:
        fake.fails[command] = (code, "so it is")

    return fail


def _says(text: str) -> Callable[[FakeNpm, pytest.MonkeyPatch], None]:
    def say(fake: FakeNpm, _: pytest.MonkeyPatch) -> None:
        fake.says["view"] = text

    return say


def _listed(fake: FakeNpm, _: pytest.MonkeyPatch) -> None:
    fake.has(RELEASE, listed="sha512-AAAA")


def _cut(fake: FakeNpm, _: pytest.MonkeyPatch) -> None:
    fake.has(RELEASE, tarball(method(RELEASE))[:-60])


def _unlisted(fake: FakeNpm, _: pytest.MonkeyPatch) -> None:
    fake.releases[RELEASE] = ""


def _slow(_: FakeNpm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(npm, "ANSWER_WITHIN", 0.0)


BAD: Mapping[str, tuple[Callable[[FakeNpm, pytest.MonkeyPatch], None], str, str]] = {
    "no npm": (_absent, "BMC501", "npm was not found"),
    "npm fails": (_fails("view", "EACCES"), "BMC502", "npm failed with EACCES"),
    "npm fails later": (_fails("pack", "EINTEGRITY"), "BMC502", "npm failed with EINTEGRITY"),
    "npm says what nobody reads": (_says("<html>"), "BMC502", "npm failed"),
    "no network": (_fails("view", "ENOTFOUND"), "BMC503", "(ENOTFOUND)"),
    "the network goes": (_fails("pack", "ECONNRESET"), "BMC503", "(ECONNRESET)"),
    "npm never answers": (_slow, "BMC503", "(ETIMEDOUT)"),
    "npm says nothing": (_says(""), "BMC504", f"npm has no release {RELEASE}"),
    "several releases": (_says('[{"version": "6.9.9"}, {"version": "6.9.8"}]'), "BMC504", "has no release"),
    "another package": (_listed, "BMC505", f"bmad-method@{RELEASE} is not the package that npm lists"),
    "no hash": (_unlisted, "BMC505", "is not the package that npm lists"),
    "a download that broke off": (_cut, "BMC506", "cannot be unpacked: "),
}


@pytest.mark.parametrize("row", BAD)
def test_whatever_npm_does_nothing_is_written(
    fake: FakeNpm, monkeypatch: pytest.MonkeyPatch, row: str
) -> None:
    fake.has(RELEASE)
    spoil, code, message = BAD[row]
    spoil(fake, monkeypatch)
    if row != "no npm":
        fake.keep()
    shown = init("--bmad", RELEASE)
    assert (shown.exit_code, snapshot(Path())) == (2, {}), shown.output
    head, _, rest = shown.output.partition("\n")
    assert f"error[{code}]: " in head
    assert message in head
    assert "  = why: " in rest
    assert "  = do:  " in rest or "  = do:       " in rest
    assert rest.endswith("\nnothing was written\n")


def test_an_unknown_release_gets_the_nearest_and_all_that_can_be_read(fake: FakeNpm) -> None:
    for release in ("4.44.3", "6.0.0-alpha.7", "6.0.0-Beta.5", "6.9.8", RELEASE, "6.11.1-next.24"):
        fake.has(release, b"")
    shown = init("--bmad", "6.9.7")
    assert (shown.exit_code, snapshot(Path())) == (2, {})
    assert (
        shown.output
        == """\
error[BMC504]: npm has no release 6.9.7 of bmad-method
  |
  = expected: one of 6.0.0-Beta.5, 6.9.8, 6.9.9
  = nearest:  6.9.9, 6.9.8
  = why:      Nothing was written: another release than the one you named would be another method.
  = do:       Name one of these with --bmad.
  = or:       `bmadc init --house` takes the edition that bmadc carries.

nothing was written
"""
    )


def test_a_tag_that_leads_to_an_unfinished_release_is_refused_before_it_is_fetched(fake: FakeNpm) -> None:
    fake.has("6.11.1-next.24", b"")
    fake.tags["latest"] = "6.11.1-next.24"
    fake.keep()
    shown = init("--bmad", "latest")
    assert (shown.exit_code, snapshot(Path())) == (2, {})
    assert "error[BMC302]: this is BMAD 6.11.1-next.24, which is not supported" in shown.output
    assert [call[0] for call in fake.calls()] == ["view"]


# --- what may be in a package


def member(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0, to: str = "") -> tarfile.TarInfo:
    one = tarfile.TarInfo(name)
    one.type, one.size, one.linkname = kind, size, to
    return one


OUT = "leads out of it"
HOSTILE: Mapping[str, tuple[list[tarfile.TarInfo], str]] = {
    "a path upward": ([member("package/src/../../x.md", size=1)], OUT),
    "a path upward in what is not read": ([member("package/docs/../../x.md", size=1)], OUT),
    "an absolute path": ([member("/package/src/x.md", size=1)], OUT),
    "beside the package": ([member("other/src/x.md", size=1)], OUT),
    "a double slash": ([member("package//src/x.md", size=1)], OUT),
    "a backslash": ([member("package/src\\..\\x.md", size=1)], OUT),
    "a drive": ([member("package/src/C:x.md", size=1)], OUT),
    "a line end": ([member("package/src/a\nb.md", size=1)], OUT),
    "a link": ([member("package/src/x.md", tarfile.SYMTYPE, to="/etc/passwd")], "is a link or a device"),
    "a hard link": ([member("package/src/x.md", tarfile.LNKTYPE, to="package/LICENSE")], "is a link or a"),
    "a linked folder": ([member("package/src/x", tarfile.SYMTYPE, to="..")], "is a link or a device"),
    "a pipe": ([member("package/src/x.md", tarfile.FIFOTYPE)], "is a link or a device"),
    "a linked licence": ([member("package/LICENCE.md", tarfile.SYMTYPE, to="x")], "is a link or a device"),
    "a file twice": ([member("package/LICENSE", size=1)], "LICENSE is in it twice"),
    "a file too large": ([member("package/src/x.md", size=SIZE_LIMIT + 1)], f"has {SIZE_LIMIT + 1} bytes"),
}


@pytest.mark.parametrize("row", HOSTILE)
def test_a_package_that_could_do_harm_is_refused_whole(row: str) -> None:
    more, said = HOSTILE[row]
    with pytest.raises(InstallError) as caught:
        unpack.unpack(_packed(more), "x-1")
    (found,) = caught.value.diagnostics
    assert (found.code, said in found.message) == ("BMC506", True), found.message


def _packed(more: list[tarfile.TarInfo]) -> bytes:
    if all(one.size <= 1 for one in more):
        return tarball(method(RELEASE), more)
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", compresslevel=1) as archive:
        for one in more:
            archive.addfile(one, io.BytesIO(bytes(one.size)))
    return data.getvalue()


def test_a_package_may_not_be_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, limit in (("MOST_FILES", 3), ("MOST_BYTES", 100)):
        with monkeypatch.context() as patched:
            patched.setattr(unpack, name, limit)
            with pytest.raises(InstallError, match="more than any release ever did"):
                unpack.unpack(tarball(method(RELEASE)), "x-1")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty file"),
        (b"<html>", "not a gzip file"),
        (tarball({"package.json": "{}"}), "src is not in it"),
        (tarball({"src/a.md": "a"}), "package.json or"),
        (tarball(method(RELEASE), top="bmad/"), OUT),
    ],
)
def test_what_is_no_package_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(InstallError) as caught:
        unpack.unpack(data, "x-1")
    assert said in caught.value.diagnostics[0].message
