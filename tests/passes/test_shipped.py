"""What travels beside a text is complete: scripts start, and what a text sends somebody to is there."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from bmadc.backend.shipping import shipping_steps
from bmadc.ir.ledger import Lowered
from bmadc.machine.catalogue import row_of
from bmadc.machine.config import AGENT_CONFIG_PATH
from bmadc.passes.context import FILES
from bmadc.passes.shipped import packages
from support.lowered import own_text, spoken, workflows
from support.readings import source_pack
from support.releases import SOURCE

pytestmark = pytest.mark.needs("bmad-releases")

_PATH = re.compile(re.escape(FILES) + r"/[\w./-]*\w")
_ORDER = r"(?i:\b(?:load|read|run|open|follow|execute|see)\b[^.\n“]{0,40}?)"
_RELATIVE = re.compile(
    _ORDER + r"(?<![\w/}.>-])((?:references|assets|scripts|steps|data|templates|review-prompts|prompts)"
    r"/[\w./-]+\.(?:md|csv|py|ya?ml|json|html|toml|xml))"
)
_NAMED = re.compile(
    r"(?i:\b(?:read|follow|open|carry out|go on with|go to|use)) (?:the section )?“([^”\n]{2,80})”"
)
_HEADED = re.compile(r"(?m)^\s*(?:>\s*)?(?:#{1,6} +(.*)|(?:[-*] )?\*\*([^*\n]+)\*\*.*)$")
_IMPORTED = re.compile(r"(?m)^[ \t]*(?:from[ \t]+(\w+)[\w.]*[ \t]+import\b|import[ \t]+(\w+))")
_WEB = re.compile(r"(?i)\bweb[- ]?(?:search|research|fetch)")
_CONDITIONAL = re.compile(r"(?i)web research does not|where (?:you have|there is) a tool")


def files(one: Lowered) -> dict[str, str]:
    return {part.name: part.text for part in one.parts if part.kind == "file"}


def read_by_somebody(one: Lowered) -> Iterator[tuple[str, str]]:
    """Return every text that somebody reads, by where it is: the agent's, and those handed out as files."""
    for part in one.parts:
        if part.kind != "file" or part.name.endswith(".md"):
            yield f"{part.kind} {part.name}", part.text


def headings(text: str) -> set[str]:
    found = (one or other for one, other in _HEADED.findall(text))
    return {re.sub(r"^(?:Step|Part) [\w.-]+: ", "", one).strip("*` .:") for one in found}


@pytest.mark.parametrize("release", SOURCE)
def test_what_a_script_imports_is_there(release: str) -> None:
    seen = 0
    for id_, one in workflows(release).items():
        shipped = files(one)
        for part in one.parts:
            if part.kind == "file" and part.name.endswith(".py"):
                beside = part.name.rpartition("/")[0]
                told = {name.partition(".")[0] for name in packages([part])}
                for names in _IMPORTED.findall(part.text):
                    name = names[0] or names[1]
                    there = name in sys.stdlib_module_names or f"{beside}/{name}.py" in shipped
                    assert there or name in told, (id_, part.name, name)
                    seen += 1
        for name in packages(part for part in one.parts if part.kind == "file"):
            assert f"need the Python package `{name}`" in one.body.replace("packages", "package"), (id_, name)
    scripted = any(use.role == "script" for one in source_pack(release).workflows for use in one.files)
    assert seen or not scripted


@pytest.mark.parametrize("release", SOURCE)
def test_what_a_text_sends_to_is_there(release: str) -> None:
    for id_, one in workflows(release).items():
        shipped = {f"{FILES}/{name}" for name in files(one)}
        there = shipped | {path.rsplit("/", depth)[0] for path in shipped for depth in range(1, 4)}
        inside = {heading for part in spoken(one) for heading in headings(part.text)}
        for where, text in read_by_somebody(one):
            for path in _PATH.findall(text):
                assert path in there or path == AGENT_CONFIG_PATH, (id_, where, path)
            for path in _RELATIVE.findall(text):
                assert "/foo." in path, (id_, where, path)
            known = headings(text) if where.startswith("file") else inside
            for name in _NAMED.findall(text):
                title = re.sub(r"^Step [\w.-]+ \((.*)\)$", r"\1", name).strip(".:")
                assert any(title in heading for heading in known), (id_, where, name)


@pytest.mark.parametrize("release", SOURCE)
def test_who_is_to_search_the_web_can(release: str) -> None:
    pack = source_pack(release)
    for id_, one in workflows(release).items():
        workflow = pack.workflow(id_)
        assert workflow is not None
        row = row_of(workflow.id, workflow.phase)
        for line in own_text(one, workflow).split("\n"):
            if _WEB.search(line) and not _CONDITIONAL.search(line):
                assert row.web, (id_, row.id, line[:100])


# --- the scripts of the newest release, run as the texts say


_NEWEST = SOURCE[-1]
_RUN = re.compile(rf"python3 ({re.escape(FILES)}/[\w./-]+\.py)((?:\\\n|[^`\n])*)")


@cache
def commands() -> dict[str, set[str]]:
    """Return every command with a script that a text of the newest release gives, by the script."""
    found: dict[str, set[str]] = {}
    for one in workflows(_NEWEST).values():
        for _, text in read_by_somebody(one):
            for script, arguments in _RUN.findall(text):
                found.setdefault(script, set()).add(arguments.replace("\\\n", " ").strip())
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository in which all files of the newest release lie as the steps of its workflows write them."""
    tmp_path = tmp_path_factory.mktemp("place")
    for one in workflows(_NEWEST).values():
        written = sorted(files(one).items())
        for step in shipping_steps(str(tmp_path / "agent"), written) if written else ():
            assert isinstance(step, dict)
            done = subprocess.run(
                ["bash", "-c", str(step["run"])], capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (one.id, step["name"], done.stderr)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(tmp_path)]
    (tmp_path / "text.md").write_text("# Bread\n\nKnead it well.\n")
    subprocess.run([*git, "init", "-q"], check=True)
    for message in ("first", "1-1 second"):
        (tmp_path / "notes.txt").write_text(message)
        subprocess.run([*git, "add", "text.md", "notes.txt"], check=True)
        subprocess.run([*git, "commit", "-qm", message], check=True)
    return tmp_path


def run(place: Path, script: str, *arguments: str, status: int = 0) -> str:
    path = script.replace(FILES, str(place / "agent"))
    given = [one.replace(FILES, str(place / "agent")) for one in arguments]
    done = subprocess.run(
        [sys.executable, path, *given], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == status, (script, arguments, done.stdout, done.stderr)
    return done.stdout


@pytest.mark.parametrize(
    "script", ["party-mode/scripts/resolve_party.py", "forge-idea/scripts/resolve_personas.py"]
)
def test_a_roster_has_the_agents_of_the_release(place: Path, script: str) -> None:
    found = {one for one in commands()[f"{FILES}/{script}"] if "--project-root" in one and "<" not in one}
    assert found
    agents = {agent.name for agent in source_pack(_NEWEST).agents}
    for arguments in found:
        answer = json.loads(run(place, f"{FILES}/{script}", *arguments.split()))
        members = answer.get("agents") or answer["members"]
        assert {one["name"] for one in members} >= agents, arguments


def test_settings_are_resolved_from_what_travels(place: Path) -> None:
    script = f"{FILES}/scripts/resolve_customization.py"
    for arguments in commands()[script]:
        answer = json.loads(run(place, script, *arguments.split()))
        assert "party_mode" in answer["workflow"], arguments


def test_a_log_is_begun_once_and_added_to(place: Path) -> None:
    script = f"{FILES}/scripts/memlog.py"
    heads = {arguments.split()[0] for arguments in commands()[script] if arguments}
    assert heads >= {"init", "append"}
    assert json.loads(run(place, script, "init", "--workspace", "ws", "--field", "topic=Bread"))["ok"]
    run(place, script, "init", "--workspace", "ws", status=2)
    added = run(place, script, "append", "--workspace", "ws", "--type", "event", "--text", "Bread is done")
    assert json.loads(added)["entries"] == 1
    assert "(event) Bread is done" in (place / "ws" / ".memlog.md").read_text()


@pytest.mark.parametrize(
    ("script", "arguments", "holds"),
    [
        ("advanced-elicitation/scripts/pick_methods.py", "categories", "technical"),
        ("brainstorming/scripts/brain.py", "categories", "structured"),
        ("review/scripts/word_metrics.py", "text.md", "5"),
        (
            "deep-recon/scripts/recon_kit.py",
            "slug Bread --type market --pattern {topic_slug}-{date}",
            "bread",
        ),
        ("retrospective/scripts/git_evidence.py", "--repo . --range HEAD~1..HEAD --stories 1-1", "1-1"),
    ],
)
def test_scripts_answer(place: Path, script: str, arguments: str, holds: str) -> None:
    given = commands()[f"{FILES}/{script}"]
    assert given, "no text runs it any more"
    before = re.search(r"--file \S+", min(one for one in given)) if "--file" in "".join(given) else None
    said = run(place, f"{FILES}/{script}", *(before[0].split() if before else []), *arguments.split())
    assert holds in said


def test_a_script_that_lacks_its_package_has_a_way_around(place: Path) -> None:
    for id_ in ("bmad-retrospective", "bmad-sprint-planning"):
        one = workflows(_NEWEST)[id_]
        assert "ruamel.yaml" in packages(part for part in one.parts if part.kind == "file")
        rule = next(line for line in one.body.split("\n") if "`ruamel.yaml`" in line)
        assert "do by hand" in rule
    script = f"{FILES}/retrospective/scripts/sprint_status.py"
    (place / "status.yaml").write_text("development_status:\n  epic-1: backlog\n  1-1-bread: done\n")
    assert any("detect-epic" in one for one in commands()[script])
    arguments = ("detect-epic", "--file", "status.yaml", "--epic", "1")
    if _has_ruamel():
        assert json.loads(run(place, script, *arguments))["story_count"] == 1
    else:
        run(place, script, *arguments, status=1)


def _has_ruamel() -> bool:
    # The tool does not need the package; where it is there, its scripts are run to their end.
    return find_spec("ruamel") is not None and find_spec("ruamel.yaml") is not None


def test_a_spine_is_linted(place: Path) -> None:
    script = f"{FILES}/architecture/scripts/lint_spine.py"
    assert commands()[script] == {"--workspace {doc_workspace}"}
    (place / "spine").mkdir()
    (place / "spine" / "ARCHITECTURE-SPINE.md").write_text("# Bread\n\nWe use TBD flour.\n")
    answer = json.loads(run(place, script, "--workspace", "spine"))
    assert answer["total_findings"] >= 1
    assert "error" not in answer


def test_a_sprint_is_planned_checked_and_shown(place: Path) -> None:
    script = f"{FILES}/sprint-planning/scripts/sprint_plan.py"
    (place / "epics.md").write_text("## Epic 1: Bread\n\n### Story 1.1: Knead\n")
    filled = {
        "_bmad-output/implementation-artifacts": "sprint",
        "{date}": "01-02-2026 10:00",
        "--epic-file <path> [--epic-file <path> ...]": "--epic-file epics.md",
        "--epic-file <path> [...]": "--epic-file epics.md",
        "--set <key>=<status> [--set <key>=<status> ...]": "--set 1-1-knead=done",
    }
    (place / "sprint").mkdir()
    # Each works on what the one before it left.
    for verb in ("generate", "validate", "status"):
        for arguments in sorted(one for one in commands()[script] if one.startswith(f"{verb} ")):
            for hole, value in filled.items():
                arguments = arguments.replace(hole, value)
            given = shlex.split(arguments)
            if not _has_ruamel():
                run(place, script, *given, status=1)
                continue
            answer = json.loads(run(place, script, *given))
            assert answer.get("valid", True) is True, arguments
            assert "1-1-knead" in (place / "sprint" / "sprint-status.yaml").read_text()


def test_every_script_that_a_text_runs_was_run_here() -> None:
    run_here = {
        "party-mode/scripts/resolve_party.py",
        "forge-idea/scripts/resolve_personas.py",
        "scripts/resolve_customization.py",
        "scripts/memlog.py",
        "advanced-elicitation/scripts/pick_methods.py",
        "brainstorming/scripts/brain.py",
        "review/scripts/word_metrics.py",
        "deep-recon/scripts/recon_kit.py",
        "retrospective/scripts/git_evidence.py",
        "retrospective/scripts/sprint_status.py",
        "architecture/scripts/lint_spine.py",
        "sprint-planning/scripts/sprint_plan.py",
    }
    assert {script.removeprefix(f"{FILES}/") for script in commands()} == run_here
