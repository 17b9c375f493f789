"""The pages of a pack say what is true of its locks: tokens, secrets, outputs, labels, files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
import yaml

from bmadc.backend.pack import used_labels
from bmadc.compile import make_pack
from bmadc.ghaw.locks import parse_lock
from bmadc.ghaw.runner import compile_files
from bmadc.machine.catalogue import all_labels
from bmadc.machine.choices import Choices
from bmadc.project import Project
from support.built import HOUSE, built, compiled, tree, workflows

pytestmark = [pytest.mark.needs("gh-aw"), pytest.mark.needs("bmad-releases")]

TOLD = [
    pytest.param(*one, marks=pytest.mark.xdist_group(f"pack {one[0]}"), id="-".join(one))
    for one in (
        (HOUSE, "bus", "claude"),
        (HOUSE, "credential", "claude"),
        (HOUSE, "manual", "claude"),
        (HOUSE, "bus", "copilot"),
        (HOUSE, "bus", "codex"),
        (HOUSE, "bus", "gemini"),
        ("6.12.0", "bus", "claude"),
    )
]
_JOBS = re.compile(r"(?m)^  (\w+):\n((?:    .*\n|\n)*)")


def tokens(page: str) -> dict[str, dict[str, str]]:
    """What the page says of the token of each job, by workflow."""
    found: dict[str, dict[str, str]] = {}
    names: list[str] = []
    for line in page.partition("## Tokens")[2].partition("## Agentic workflows")[0].splitlines():
        if line.startswith("`"):
            names = re.findall(r"`([\w-]+)`", line)
        elif row := re.fullmatch(r"\| `(\w+)` \| .+ \| (.+) \|", line):
            for name in names:
                found.setdefault(name, {})[row[1]] = row[2]
    return found


def real_tokens(text: str) -> dict[str, str]:
    """The token of each job, read from the lines of a workflow: parsing all of it takes ten times as long."""
    head, _, jobs = text.partition("\njobs:\n")
    assert "\npermissions: {}" in head
    found: dict[str, str] = {}
    for job, body in _JOBS.findall(jobs):
        scopes = re.search(r"(?m)^    permissions:\n((?:      .+\n)+)", body)
        said = sorted(line.strip() for line in scopes[1].splitlines()) if scopes else []
        found[job] = ", ".join(said) or "none"
    return found


@pytest.mark.parametrize(("release", "wiring", "engine"), TOLD)
def test_every_job_has_the_token_that_the_page_says(release: str, wiring: str, engine: str) -> None:
    said = tokens(built(release, wiring, engine).files["PERMISSIONS.md"])
    locks = compiled(release, wiring, engine).locks
    assert sorted(f"{name}.lock.yml" for name in said) == sorted(locks)
    for name, text in locks.items():
        assert said[name.removesuffix(".lock.yml")] == real_tokens(text), name


@pytest.mark.parametrize(("release", "wiring", "engine"), TOLD)
def test_every_secret_that_a_lock_names_is_on_the_page(release: str, wiring: str, engine: str) -> None:
    page = built(release, wiring, engine).files["PERMISSIONS.md"]
    section = page.partition("## Secrets")[2].partition("## Tokens")[0]
    said = set(re.findall(r"(?m)^\| `(\w+)` \|", section))
    plain = {name: text for name, text in workflows(built(release, wiring, engine)).items() if ".yml" in name}
    named = {
        secret
        for text in (*compiled(release, wiring, engine).locks.values(), *plain.values())
        for secret in re.findall(r"\bsecrets\.([A-Z]\w+)", text)
    }
    assert said == named - {"GITHUB_TOKEN"}


@pytest.mark.parametrize(("release", "wiring", "engine"), TOLD)
def test_a_secret_that_is_asked_for_is_one_that_is_used(release: str, wiring: str, engine: str) -> None:
    pack = built(release, wiring, engine)
    asked = [one["name"] for one in yaml.safe_load(pack.files["aw.yml"])["config"] if "secret" in one["type"]]
    text = "".join(compiled(release, wiring, engine).locks.values())
    assert asked
    assert all(f"secrets.{name}" in text for name in asked)
    assert all(f"`{name}`" in pack.files["workflows/README.md"] for name in asked)


def _plain(page: str) -> Iterator[tuple[str, set[str], str]]:
    for line in page.partition("## Workflows without a model")[2].splitlines():
        if row := re.fullmatch(r"\| `(.+?)` \| (.+) \| (.+) \|", line):
            yield row[1], set(re.findall(r"`(\w+)`", row[2])), row[3]


@pytest.mark.parametrize("wiring", ["bus", "credential", "manual"])
@pytest.mark.xdist_group("pack house")
def test_workflows_without_a_model_have_the_token_that_the_page_says(wiring: str) -> None:
    pack = built(HOUSE, wiring)
    rows = {name: (events, scopes) for name, events, scopes in _plain(pack.files["PERMISSIONS.md"])}
    plain = {name: text for name, text in workflows(pack).items() if name.endswith(".yml")}
    assert rows.keys() == plain.keys()
    for name, text in plain.items():
        events = set(parse_lock(text, name).triggers)
        assert rows[name] == (events, next(iter(real_tokens(text).values())))


# --- installing


def settings(pack_file: str, kind: str) -> list[dict[str, str]]:
    return [one for one in yaml.safe_load(pack_file)["config"] if one["type"] == kind]


@pytest.mark.parametrize("release", [HOUSE, "6.12.0"])
def test_every_label_of_a_pack_is_made_when_it_is_installed(release: str) -> None:
    pack = built(release)
    made = [one["name"] for one in settings(pack.files["aw.yml"], "repo-label")]
    assert len(set(made)) == len(made)
    assert set(made) == {label.name for label in used_labels(pack.made)}
    vocabulary = {label.name for label in all_labels()}
    assert set(made) <= vocabulary
    # Whatever a workflow calls a label, in its body too, is one of them.
    stems = {one.row.name for one in pack.made} | {"bmad-config"}
    for one in pack.made:
        for name in re.findall(r"`(bmad-[a-z-]*[a-z])`", one.text):
            assert name in set(made) | stems, f"{one.row.id}: {name}"


@pytest.mark.xdist_group("pack house")
def test_gh_aw_takes_the_package() -> None:
    """gh-aw reads `aw.yml` at the root of the repository that it compiles in, and looks for what it names."""
    files = {f"../../{path}": text for path, text in built(HOUSE).files.items()}
    one = "../../workflows/bmad-create-prd.md"
    here = {"bmad-create-prd.md": files[one]}
    # Warned of wherever it stands; without it nobody makes the labels, or asks for the secret.
    said = {(one.severity, one.message) for one in compile_files({**files, **here}).findings}
    assert said == {("warning", "Using experimental feature: config")}
    without = {path: text for path, text in files.items() if path != "../../README.md"}
    assert any("README.md" in found.message for found in compile_files({**without, **here}).findings)
    lacking = {path: text for path, text in files.items() if path != one}
    assert any("bmad-create-prd.md" in found.message for found in compile_files({**lacking, **here}).findings)
    broken = files | {"../../aw.yml": files["../../aw.yml"].replace("manifest-version", "manifest_version")}
    assert any("manifest_version" in found.message for found in compile_files({**broken, **here}).findings)


def test_every_file_that_is_installed_is_in_the_pack() -> None:
    pack = built(HOUSE)
    manifest = yaml.safe_load(pack.files["aw.yml"])
    named = [one if isinstance(one, str) else one["source"] for one in manifest["includes"]]
    lying = [path for path in pack.files if re.fullmatch(r"workflows/bmad-.*", path)]
    assert sorted(named) == sorted(lying)
    assert all(
        one["destination"] == f".github/{one['source']}"
        for one in manifest["includes"]
        if isinstance(one, dict)
    )
    assert Choices().wiring.secret is None


# --- moved workflows


@pytest.mark.xdist_group("pack 6.12.0")
def test_gh_aw_follows_a_workflow_that_moved() -> None:
    pack, instructions, inputs = tree("6.12.0")
    project = replace(Project(), repository="octo/pack")
    with_stubs = make_pack(pack, instructions, project, inputs)
    stubs = {path: text for path, text in with_stubs.files.items() if path not in built("6.12.0").files}
    assert "workflows/bmad-sprint-status.md" in stubs
    assert all("\nredirect: octo/pack/workflows/bmad-" in text for text in stubs.values())
    # No stub leads to what the pack has not, and none is installed with the package.
    here = {f"workflows/{one.row.document}" for one in with_stubs.made}
    for path, text in stubs.items():
        to = re.findall(r"(?m)^redirect: octo/pack/(.+)$", text)
        assert to, path
        assert set(to) <= here
        assert path not in with_stubs.files["aw.yml"]
    said = compile_files({path.rpartition("/")[2]: text for path, text in stubs.items()})
    assert said.locks == {}
    assert {one.kind for one in said.findings} == {"skipped"}
    assert {one.severity for one in said.findings} <= {"note", "warning"}
    assert "BMC417" not in {one.code for one in with_stubs.diagnostics}


# --- own runners, another host


@pytest.mark.xdist_group("pack house")
def test_a_pack_for_own_runners_and_another_host() -> None:
    pack, instructions, inputs = tree(HOUSE)
    choices = Choices(
        runs_on="big-linux", runs_on_slim="small-linux", host="github.example.org", stacks=("node", "python")
    )
    made = make_pack(pack, instructions, replace(Project(), choices=choices), inputs)
    files = {name: text for name, text in workflows(made).items() if name.endswith(".md")}
    some = {name: files[name] for name in ("bmad-create-prd.md", "bmad-dev-story.md", "bmad-code-review.md")}
    result = compile_files(some)
    assert result.findings == ()
    for text in result.locks.values():
        runners = dict(re.findall(r"(?m)^  (\w+):\n(?:    .*\n)*?    runs-on: (.+)$", text))
        assert runners.pop("agent") == "big-linux"
        ours = {job: runner for job, runner in runners.items() if job not in ("detection",)}
        assert set(ours.values()) == {"small-linux"}, ours
        assert "ubuntu-slim" not in text
        # `gh` looks for its token elsewhere, for another host than github.com.
        steps = re.findall(r"(?m)^ +GH_HOST: (.+)$", text)
        assert steps
        assert set(steps) == {"github.example.org"}
        tokens_ = re.findall(r"(?m)^ +GH_ENTERPRISE_TOKEN: (.+)$", text)
        assert tokens_ == ["${{ github.token }}"] * len(steps)
    for name, text in workflows(made).items():
        if name.endswith(".yml"):
            assert "runs-on: small-linux" in text
            assert "GH_HOST: github.example.org" in text
