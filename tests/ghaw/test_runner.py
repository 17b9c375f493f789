"""Running gh-aw over a pack: what the run can see, that it repeats, and what is made of a run that fails."""

import tempfile
from pathlib import Path

import pytest

from bmadc.ghaw.binary import GhAw, GhAwError
from bmadc.ghaw.findings import Finding
from bmadc.ghaw.runner import CompileResult, compile_files, is_document, pack_files
from bmadc.ghaw.vocabulary.pin import RELEASE
from support.packs import GH_AW, document, stand_in, write_pack

REAL = GhAw(GH_AW, RELEASE)
PACK = {"greet.md": document()}
VALID = '[{"workflow": "greet.md", "valid": true, "errors": [], "warnings": []}]'
WRITES_LOCK = "echo lock > .github/workflows/greet.lock.yml"
REPLACE_LABEL = "safe-outputs:\n  replace-label:\n"


def run_stand_in(folder: Path, script: str, timeout: float = 60.0) -> CompileResult:
    return compile_files(PACK, gh_aw=GhAw(stand_in(folder, script), RELEASE), timeout=timeout)


def only(result: CompileResult) -> Finding:
    (finding,) = result.findings
    return finding


# What a run can see -----------------------------------------------------------------------------------


def test_a_run_sees_no_tokens_no_settings_and_two_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (
        "GH_TOKEN",
        "GITHUB_TOKEN",
        "GITHUB_ACTIONS",
        "GH_AW_ACTION_MODE",
        "https_proxy",
        "NO_PROXY",
    ):
        monkeypatch.setenv(name, "from-outside")
    said = tmp_path / "said"
    script = f"""
if [[ " $* " == *" --json "* ]]; then
  export -p > {said}; for tool in "$PATH"/*; do echo "tool ${{tool##*/}}"; done >> {said}
  echo "folder $PWD" >> {said}; git rev-parse --is-inside-work-tree >> {said}
  echo '{VALID}'
fi
{WRITES_LOCK}"""
    assert run_stand_in(tmp_path, script).findings == ()
    rows = said.read_text(encoding="utf-8").splitlines()
    assert "from-outside" not in said.read_text(encoding="utf-8")
    names = {row.removeprefix("declare -x ").partition("=")[0] for row in rows if row.startswith("declare")}
    proxies = {"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"}
    git = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_ALLOW_PROTOCOL"}
    of_bash = {"OLDPWD", "PWD", "SHLVL"}
    assert names == {"PATH", "HOME", "TMPDIR", "LANG", "NO_COLOR"} | proxies | git | of_bash
    assert all("http://127.0.0.1:9" in row for row in rows if "_PROXY" in row.upper())
    assert [row for row in rows if row.startswith("tool ")] == ["tool bash", "tool git", "tool sh"]
    assert rows[-1] == "true"
    (scratch,) = (Path(row.removeprefix("folder ")) for row in rows if row.startswith("folder "))
    assert not scratch.parent.exists()


@pytest.mark.needs("gh-aw")
def test_what_only_the_network_has_is_an_error() -> None:
    files = {"greet.md": document(extra="imports:\n  - octo/none/shared/x.md@main\n")}
    found = only(compile_files(files, gh_aw=REAL))
    assert (found.file, found.severity) == ("greet.md", "error")


@pytest.mark.needs("gh-aw")
def test_the_same_pack_gives_the_same_findings_and_locks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "daily.md": document("Daily").replace("workflow_dispatch:", "schedule: daily"),
        "host.md": document("Host", "network:\n  allowed: [defaults, nodejs.org]\n"),
        "odd.md": document("Odd", REPLACE_LABEL),
        "unpinned.md": document("Unpinned", "steps:\n  - uses: octo/none@v9\n"),
        "wrong.md": document("Wrong", "permisions: x\n"),
    }
    first = compile_files(files, gh_aw=REAL)
    elsewhere = tmp_path / "a" / "rather" / "longer" / "folder"
    elsewhere.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(elsewhere))
    monkeypatch.chdir(elsewhere)
    monkeypatch.setenv("GH_TOKEN", "none")
    monkeypatch.setenv("GITHUB_REPOSITORY", "octo/other")
    second = compile_files(dict(reversed(files.items())), gh_aw=REAL)
    assert [finding.severity for finding in first.findings] == ["note", "warning", "error"]
    assert sorted(first.locks) == ["daily.lock.yml", "host.lock.yml", "odd.lock.yml", "unpinned.lock.yml"]
    assert second == first
    assert not any("bmadc-gh-aw-" in lock for lock in first.locks.values())
    assert list(elsewhere.iterdir()) == []


# What a pack is -----------------------------------------------------------------------------------------


def test_locks_and_hidden_folders_are_not_part_of_a_pack(tmp_path: Path) -> None:
    names = ("a.md", "a.lock.yml", "b.yml", "c.yaml", "shared/d.md", "shared/e.lock.yml", ".x/f.md", "g.txt")
    write_pack(tmp_path, dict.fromkeys(names, ""))
    assert pack_files(tmp_path) == ("a.md", "b.yml", "c.yaml", "shared/d.md")


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.md", True), ("readme.en.md", True), ("README.md", False), ("shared/a.md", False), ("a.yml", False)],
)
@pytest.mark.needs("gh-aw")
def test_gh_aw_takes_the_same_files_for_workflows_as_we_do(name: str, expected: bool) -> None:
    result = compile_files({"greet.md": document(), name: document("Other")}, gh_aw=REAL)
    assert is_document(name) is expected
    assert (name in result.workflows) is expected


def test_a_pack_without_workflows_asks_nobody(tmp_path: Path) -> None:
    tool = GhAw(stand_in(tmp_path, "exit 9"), RELEASE)
    assert compile_files({"a.yml": "on: push"}, gh_aw=tool) == CompileResult((), {}, RELEASE, ())


# What both voices give together -------------------------------------------------------------------------


@pytest.mark.needs("gh-aw")
def test_a_warning_that_names_no_file_is_given_to_those_that_cause_it() -> None:
    files = {
        "a.md": document("A", REPLACE_LABEL),
        "b.md": document("B"),
        "c.md": document("C", REPLACE_LABEL),
    }
    result = compile_files(files, gh_aw=REAL)
    assert [(found.file, found.severity, found.count) for found in result.findings] == [
        ("a.md", "warning", 1),
        ("c.md", "warning", 1),
    ]
    assert {found.message for found in result.findings} == {"Using experimental feature: replace-label"}


@pytest.mark.needs("gh-aw")
def test_an_error_is_said_once_and_the_others_are_still_compiled() -> None:
    files = {"a.md": document("A", "permisions: x\n"), "b.md": document("B")}
    result = compile_files(files, gh_aw=REAL)
    assert (only(result).file, only(result).line, only(result).count) == ("a.md", 7, 1)
    assert list(result.locks) == ["b.lock.yml"]
    assert result.finished


@pytest.mark.needs("gh-aw")
def test_imports_from_a_folder_below_are_found() -> None:
    shared = "---\ntools:\n  bash: true\n---\nShared words.\n"
    result = compile_files(
        {"a.md": document("A", "imports: [shared/s.md]\n"), "shared/s.md": shared}, gh_aw=REAL
    )
    assert result.findings == ()


@pytest.mark.parametrize(
    ("text", "severity"),
    [("\ufeff" + document(), "warning"), ("\n" + document(), "warning"), ("Only words.\n", "note")],
)
@pytest.mark.needs("gh-aw")
def test_a_file_that_gh_aw_passes_over_is_not_lost(text: str, severity: str) -> None:
    result = compile_files({"a.md": text, "b.md": document("B")}, gh_aw=REAL)
    assert (only(result).file, only(result).severity) == ("a.md", severity)
    assert only(result).kind == ("prose" if severity == "note" else "unseen")


# A run that fails ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo boom >&2; exit 3", "gh-aw ended with exit code 3\nboom"),
        ("echo in $PWD/x >&2; exit 3", "gh-aw ended with exit code 3\nin ./x"),
        ("kill -SEGV $$", "gh-aw ended with signal 11"),
        ("exit 1", "gh-aw ended with exit code 1 and gave no reason"),
    ],
)
def test_a_crash_is_an_error(tmp_path: Path, script: str, message: str) -> None:
    result = run_stand_in(tmp_path, script)
    assert (only(result).message, only(result).kind) == (message, "unfinished")
    assert not result.finished


def test_a_run_that_never_ends_is_stopped(tmp_path: Path) -> None:
    result = run_stand_in(tmp_path, "kill -STOP $$", timeout=0.5)
    assert only(result).message == "gh-aw was stopped after 0.5 seconds"
    assert not result.finished


def test_an_answer_that_is_no_json_is_an_error(tmp_path: Path) -> None:
    result = run_stand_in(tmp_path, "echo what")
    assert only(result).message.startswith("gh-aw's answer is not the JSON that its pinned release prints: ")
    assert (only(result).kind, result.finished) == ("garbled", False)


def test_a_valid_workflow_without_a_lock_is_an_error(tmp_path: Path) -> None:
    result = run_stand_in(tmp_path, f"echo '{VALID}'")
    assert only(result) == Finding(
        "greet.md", 0, 0, "error", "gh-aw calls the workflow valid and writes no lock for it", kind="garbled"
    )


def test_warnings_that_are_counted_and_not_printed_are_said(tmp_path: Path) -> None:
    script = f"echo '{VALID}'; {WRITES_LOCK}; echo '✓ Compiled 1 workflow: 1 succeeded, 2 warnings' >&2"
    result = run_stand_in(tmp_path, script)
    assert only(result).message == "gh-aw counts 2 warnings and prints 0"
    assert (only(result).kind, only(result).severity) == ("uncounted", "warning")


def test_a_reason_given_before_any_answer_is_heard(tmp_path: Path) -> None:
    result = run_stand_in(tmp_path, "echo '✗ no repository here' >&2; exit 1")
    assert only(result) == Finding("", 0, 0, "error", "no repository here")


def test_a_machine_without_git_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = GhAw(stand_in(tmp_path, "exit 0"), RELEASE)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(GhAwError) as caught:
        compile_files(PACK, gh_aw=tool)
    assert caught.value.diagnostic.message == "gh-aw cannot be started: there is no git on PATH"


def test_a_binary_that_went_away_is_said(tmp_path: Path) -> None:
    with pytest.raises(GhAwError) as caught:
        compile_files(PACK, gh_aw=GhAw(tmp_path / "gone", RELEASE))
    assert caught.value.diagnostic.code == "BMC203"


# One run or two -----------------------------------------------------------------------------------------

SILENT = "echo '✓ Compiled 1 workflow: 1 succeeded, 0 warnings' >&2"


@pytest.mark.parametrize(
    ("script", "runs"),
    [
        (f"{WRITES_LOCK}; {SILENT}", 1),
        # No count, a count, a warning, no lock or an exit code: then the JSON answer is asked for too.
        (WRITES_LOCK, 2),
        (f"{WRITES_LOCK}; {SILENT.replace('0 w', '1 w')}", 2),
        (f"{WRITES_LOCK}; echo '⚠ odd' >&2; {SILENT}", 2),
        (SILENT, 2),
        (f"{WRITES_LOCK}; {SILENT}; exit 1", 2),
    ],
)
def test_only_a_silent_gh_aw_is_asked_once(tmp_path: Path, script: str, runs: int) -> None:
    said = tmp_path / "said"
    run_stand_in(tmp_path, f"echo x >> {said}; {script}; echo '{VALID}'")
    assert len(said.read_text(encoding="utf-8").splitlines()) >= runs
    assert (len(said.read_text(encoding="utf-8").splitlines()) == 1) == (runs == 1)


@pytest.mark.needs("gh-aw")
def test_what_a_silent_run_gives_is_what_two_give() -> None:
    quiet = {"greet.md": document()}
    loud = {**quiet, "odd.md": document("Odd", REPLACE_LABEL)}
    once, twice = compile_files(quiet, gh_aw=REAL), compile_files(loud, gh_aw=REAL)
    assert once.findings == ()
    assert twice.findings != ()
    assert once.workflows == ("greet.md",)
    assert once.locks["greet.lock.yml"] == twice.locks["greet.lock.yml"]
