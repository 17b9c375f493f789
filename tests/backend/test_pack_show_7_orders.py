"""Line 7: every order in a body that names an output, a label, a tool or a path is backed by the frontmatter.

Derived from the texts of all workflows of three releases and the house edition, by a reader of its own: it
knows gh-aw's names and the table of labels, and nothing of how a body is made.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from bmadc.backend.made import Made
from bmadc.compile import make_pack
from bmadc.ghaw.engines import CODEX, ENGINES
from bmadc.ghaw.vocabulary.tables import SAFE_OUTPUTS
from bmadc.machine import labels
from bmadc.machine.catalogue import all_labels
from bmadc.machine.choices import Override
from bmadc.machine.labels import BREAKER, Role
from bmadc.machine.protection import PROTECTED_TEXTS
from bmadc.machine.stacks import STACKS
from bmadc.project import Project
from support.built import HOUSE, PACKS, built, compiled, tree

pytestmark = [pytest.mark.needs("bmad-releases")]

EVERY = [pytest.param(one, marks=pytest.mark.xdist_group(f"pack {one}")) for one in PACKS]
OUTPUTS = {name.replace("-", "_") for name in SAFE_OUTPUTS} - {"noop", "missing_tool", "missing_data"}
ALWAYS = {"noop", "missing_tool", "missing_data", "report_incomplete"}
LABELS = {label.name: label for label in all_labels()}
AGENT = "/tmp/gh-aw/agent/"
SETTINGS = f"{AGENT}bmad-config.json"
# What starts an order to run something, as far as a text puts it between backticks.
PROGRAMS = (
    *(
        "bash",
        "cat",
        "cp",
        "curl",
        "date",
        "find",
        "gh",
        "git",
        "grep",
        "head",
        "jq",
        "ls",
        "make",
        "mkdir",
        "mv",
    ),
    *(
        "node",
        "npm",
        "npx",
        "pip",
        "python",
        "python3",
        "rm",
        "sed",
        "sh",
        "sort",
        "tail",
        "touch",
        "uv",
        "wc",
    ),
)
_COMMAND = re.compile(rf"`({'|'.join(PROGRAMS)}) [^`\n]+`")
_HISTORY = re.compile(
    r"(?i)\bgit (?:log|diff|show|history)\b|git_evidence\.py|\bmerge[- ]base\b|\bcommit (?:history|titles)\b"
    r"|\b(?:last|recent) (?:\d+ )?commits?\b"
)
# Commands that are told as examples of what a document may say, not to be run.
EXAMPLES = {("distillator", "npx"), ("project-context", "uv")}
_TIME = re.compile(
    r"cut off (\d+) minutes or (\d+) turns after .* the last (\d+) minutes or (\d+) turns begin"
)
WEB = "use your tools for searching and fetching pages"


def body(one: Made) -> str:
    return one.text.split("\n---\n", 1)[1]


def declared(one: Made) -> set[str]:
    return {name.replace("-", "_") for name in one.front["safe-outputs"]}


def unbacked_outputs(text: str, there: set[str]) -> Iterator[str]:
    for name in sorted(set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", text)) & OUTPUTS - ALWAYS):
        if name not in there:
            yield name


def unbacked_commands(text: str, allowed: list[str], row: str) -> Iterator[str]:
    if allowed == ["*"]:
        return
    for command in sorted(set(_COMMAND.findall(text))):
        if f"{command}:*" not in allowed and (row, command) not in EXAMPLES:
            yield command


def files_named(text: str) -> set[str]:
    found = {name.rstrip("./") for name in re.findall(rf"{re.escape(AGENT)}([\w./-]*[\w/])", text)}
    return {name for name in found if name} - {SETTINGS.removeprefix(AGENT)}


def files_written(one: Made) -> set[str]:
    runs = "\n".join(str(step.get("run", "")) for step in one.front["steps"])
    return {path.removeprefix(AGENT) for path in re.findall(rf"(?m)^: >({re.escape(AGENT)}\S+)$", runs)}


@pytest.mark.parametrize("release", EVERY)
def test_every_output_that_a_body_names_is_declared(release: str) -> None:
    for one in built(release).made:
        assert list(unbacked_outputs(body(one), declared(one))) == [], one.row.id
        # And what may be written at all is told: an output nobody knows of is never used.
        limited = {
            name for name, how in one.front["safe-outputs"].items() if isinstance(how, dict) and "max" in how
        }
        assert len(limited) >= 2
        assert all(name.replace("-", "_") in body(one) for name in limited), one.row.id


@pytest.mark.parametrize("release", EVERY)
def test_everybody_can_stop_and_ask(release: str) -> None:
    for one in built(release).made:
        ending = body(one).partition("### If you cannot go on")[2]
        assert "add_comment" in ending, one.row.id
        assert "add_labels" in ending, one.row.id
        assert f"`{BREAKER.name}`" in ending, one.row.id
        assert BREAKER.name in one.front["safe-outputs"]["add-labels"]["allowed"]


@pytest.mark.parametrize("release", EVERY)
def test_every_label_that_a_body_names_exists_and_those_to_be_set_are_allowed(release: str) -> None:
    files = {one.row.name for one in built(release).made}
    for one in built(release).made:
        named = set(re.findall(r"`((?:bmad-|needs-human)[a-z-]*[a-z])`", body(one)))
        assert named <= LABELS.keys() | files, f"{one.row.id}: {named - LABELS.keys()}"
        allowed = set(one.front["safe-outputs"]["add-labels"]["allowed"])
        verdicts = {name for name in named if LABELS[name].role is Role.VERDICT}
        assert verdicts <= allowed, one.row.id
        assert allowed <= named, one.row.id
        # What stands in a quotation is shown to people, who set other labels.
        orders = "\n".join(line for line in body(one).splitlines() if not line.lstrip().startswith(">"))
        ordered = re.findall(r"(?:add|set|put)\w*(?: on)? the label `([a-z-]+)`", orders, re.IGNORECASE)
        assert set(ordered) <= allowed, one.row.id
    assert set(labels.names(Role.VERDICT)) <= LABELS.keys()


@pytest.mark.parametrize("release", EVERY)
@pytest.mark.parametrize("engine", ["claude", "codex"])
def test_every_skill_that_is_named_is_there_and_the_other_way_round(release: str, engine: str) -> None:
    for one in built(release, "bus", engine).made:
        there = re.findall(r"(?m)^## skill: `([\w-]+)`$", body(one))
        assert len(set(there)) == len(there)
        assert re.findall(r"(?m)^## end skill: `([\w-]+)`$", body(one)) == there
        named = set(re.findall(r"`\.\w+/skills/([\w-]+)(?:\.md|/SKILL\.md)`", body(one)))
        assert named == set(there), one.row.id
        assert ("pre-agent-steps" in one.front) == bool(there)


@pytest.mark.parametrize("release", EVERY)
def test_every_file_that_a_body_names_is_written_before_the_agent_starts(release: str) -> None:
    for one in built(release).made:
        written = files_written(one)
        folders = {"/".join(path.split("/")[:n]) for path in written for n in range(1, path.count("/") + 1)}
        assert files_named(body(one)) <= written | folders, one.row.id
        if SETTINGS in body(one):
            assert SETTINGS in str(one.front["steps"])


@pytest.mark.parametrize("release", EVERY)
def test_who_is_told_to_look_on_the_web_can(release: str) -> None:
    for one in built(release).made:
        told, can = WEB in body(one), {"web-fetch", "web-search"} <= one.front["tools"].keys()
        assert told == can == one.row.web, one.row.id
        hosts = [host for host in one.front["network"]["allowed"] if "." in host]
        assert bool(hosts) == can, one.row.id


@pytest.mark.parametrize("release", EVERY)
def test_every_command_that_a_body_orders_may_be_run(release: str) -> None:
    for one in built(release).made:
        assert list(unbacked_commands(body(one), one.front["tools"]["bash"], one.row.id)) == [], one.row.id
        # A program that is not shipped can be run only where the workspace may be changed by it.
        if files_written(one) and one.front["tools"]["bash"] != ["*"]:
            assert "python3:*" in one.front["tools"]["bash"]


@pytest.mark.parametrize("release", EVERY)
def test_who_may_not_change_files_is_not_told_how_they_travel(release: str) -> None:
    for one in built(release).made:
        carries = {"create_pull_request", "push_to_pull_request_branch"} & declared(one)
        assert ("edit" in one.front["tools"]) == bool(carries), one.row.id
        folders = [
            pattern.removesuffix("/**")
            for output in one.front["safe-outputs"].values()
            if isinstance(output, dict)
            for pattern in output.get("allowed-files", [])
            if pattern.endswith("/**") and not pattern.startswith("**")
        ]
        guardrails = body(one).partition("## Guardrails")[2]
        assert all(f"`{folder}" in guardrails for folder in folders), one.row.id


@pytest.mark.parametrize("release", EVERY)
def test_what_the_outputs_refuse_by_its_name_is_told(release: str) -> None:
    for one in built(release).made:
        guardrails = body(one).partition("## Guardrails")[2].partition("### When you are done")[0]
        named = {name for name in PROTECTED_TEXTS if f"`{name}`" in guardrails}
        changes = {"create_pull_request", "push_to_pull_request_branch"} & declared(one)
        assert named == (set(PROTECTED_TEXTS) - set(one.row.frees) if changes else set()), one.row.id


@pytest.mark.needs("gh-aw")
@pytest.mark.xdist_group("pack house")
@pytest.mark.parametrize("engine", sorted(ENGINES))
def test_the_table_of_protected_files_is_that_of_gh_aw(engine: str) -> None:
    lock = compiled(HOUSE, "bus", engine).locks["bmad-create-prd.lock.yml"]
    [found] = set(re.findall(r'\\"protected_files\\":(\[.*?\])', lock))
    protected = set(json.loads(found.replace('\\"', '"')))
    manifests = {name for stack in STACKS.values() for name in stack.manifests}
    assert protected <= manifests | set(PROTECTED_TEXTS)
    own = {"CLAUDE.md", "GEMINI.md"}
    assert set(PROTECTED_TEXTS) - own <= protected
    assert own & protected == {f"{engine.upper()}.md"} & own


def test_what_is_the_very_work_of_a_workflow_is_not_refused() -> None:
    [one] = [made for made in built("6.12.0").made if made.row.id == "create-ux-design"]
    assert "`DESIGN.md`" in body(one)
    refused = one.front["safe-outputs"]["create-pull-request"]["protected-files"]
    assert refused == {"policy": "blocked", "exclude": ["DESIGN.md"]}


@pytest.mark.parametrize("release", EVERY)
def test_who_looks_at_earlier_commits_has_them(release: str) -> None:
    for one in built(release).made:
        # A skill that lends itself to many workflows also knows work that only some of them have.
        if _HISTORY.search(body(one).partition("\n## skill: ")[0]):
            assert one.front.get("checkout", {}).get("fetch-depth") == 0, one.row.id


@pytest.mark.parametrize("release", EVERY)
def test_whose_scripts_need_packages_can_fetch_them(release: str) -> None:
    for one in built(release).made:
        told = "python3 -m pip install" in body(one)
        assert not told or "python" in one.front["network"]["allowed"], one.row.id


@pytest.mark.parametrize("release", EVERY)
def test_the_time_that_a_body_names_is_that_of_its_run(release: str) -> None:
    for one in built(release).made:
        [(minutes, turns, last, few)] = _TIME.findall(body(one))
        given = one.front["timeout-minutes"], one.front["max-turns"]
        assert (int(minutes), int(turns)) == given, one.row.id
        assert 0 < int(last) <= given[0] / 3, one.row.id
        assert 0 < int(few) <= given[1] / 3, one.row.id


def test_a_project_that_gives_more_time_has_it_named() -> None:
    pack, lowered, hashes = tree(HOUSE)
    project = Project(workflows={"dev-story": Override(timeout_minutes=95, max_turns=601)})
    [one] = [made for made in make_pack(pack, lowered, project, hashes).made if made.row.id == "dev-story"]
    assert _TIME.findall(body(one)) == [("95", "601", "16", "101")]


def test_the_reader_sees_what_is_not_backed() -> None:
    text = "Call create_issue and add_comment. Run `npx thing` and `git log`.\n`bmad-x`"
    assert list(unbacked_outputs(text, {"add_comment"})) == ["create_issue"]
    assert list(unbacked_commands(text, ["git:*"], "x")) == ["npx"]
    assert files_named(f"see `{AGENT}a/b.py` and {SETTINGS}.") == {"a/b.py"}
    assert CODEX.lists_commands is False
