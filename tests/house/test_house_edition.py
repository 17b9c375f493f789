"""The house edition in `_bmad/`: it reads without a warning, uses every construct, and lowers honestly."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest
import yaml

from bmadc.frontend.pack import read_pack
from bmadc.ir.ledger import Lowered
from bmadc.ir.model import Pack, Workflow
from bmadc.ledger.honesty import Fault, RuleFacts, all_faults
from bmadc.ledger.leftovers import leftovers
from bmadc.machine.catalogue import row_of
from bmadc.machine.labels import LABELS, PIPELINE
from bmadc.machine.naming import known_ids, known_labels, label_of
from bmadc.machine.protection import PROTECTED_TEXTS
from bmadc.passes.edits import Conflict
from bmadc.passes.lower import lower_all
from bmadc.passes.registry import rules
from support.lowered import documented, known_steps, spoken

ROOT = Path(__file__).resolve().parents[2]

AGENTS = {
    *("analyst", "architect", "dev", "pm", "qa", "quick-flow-solo-dev", "sm", "tech-writer"),
    "ux-designer",
}
PLANNED = {"create-prd", "create-architecture", "create-epics-and-stories"}
BUILT = {"sprint-planning", "create-story", "dev-story", "code-review", "correct-course"}
# What each workflow leaves, as its text names it.
LEAVES = {
    "create-prd": "planning-artifacts/prd.md",
    "create-architecture": "planning-artifacts/architecture.md",
    "create-epics-and-stories": "planning-artifacts/epics.md",
    "sprint-planning": "implementation-artifacts/sprint-status.yaml",
    "create-story": "implementation-artifacts/{{story_key}}.md",
    "correct-course": "planning-artifacts/change-proposal-{date}-{{issue_number}}.md",
}
STATES = {"backlog", "done", "in-progress", "ready-for-dev", "review"}
# Sections of the story file, and who besides create-story writes into them or reads them.
SECTIONS = {
    "Places": {"dev-story"},
    "Review Findings": {"dev-story", "code-review"},
    "Record": {"dev-story"},
    "Notes": {"dev-story", "code-review"},
    "File List": {"dev-story", "code-review"},
    "Log": {"dev-story"},
}


@cache
def house() -> Pack:
    return read_pack(ROOT)


@cache
def lowering() -> tuple[Mapping[str, Lowered], tuple[Conflict, ...]]:
    found, state = lower_all(house())
    return found, tuple(state.conflicts)


@cache
def faults() -> tuple[Fault, ...]:
    known = {name: RuleFacts(rule.state, rule.consumes, rule.bulk) for name, rule in rules().items()}
    return tuple(all_faults(house(), lowering()[0], known, {}))


def workflow(name: str) -> Workflow:
    found = house().workflow(name)
    assert found is not None
    return found


def facts(kind: str, name: str) -> list[tuple[str, str]]:
    """Return value and target of each fact of a kind in the files of a workflow."""
    paths = {use.path for use in workflow(name).files}
    return [(fact.value, fact.target) for fact in house().facts if fact.kind == kind and fact.path in paths]


def tags(name: str) -> set[str]:
    trees = (house().trees[use.path] for use in workflow(name).files)
    return {block.name for tree in trees for block in tree.blocks if block.kind == "tag"}


def roles(name: str) -> set[str]:
    return {use.role for use in workflow(name).files}


def test_the_doctor_has_nothing_to_mend() -> None:
    assert [one for one in house().diagnostics if one.severity != "note"] == []
    assert house().dialects == ("A",)


def test_the_agents_are_complete() -> None:
    assert {agent.id for agent in house().agents} == AGENTS
    for agent in house().agents:
        assert agent.encoding == "agent-yaml"
        assert agent.module == "bmm"
        assert all((agent.name, agent.title, agent.icon, agent.capabilities)), agent.id
        assert all((agent.role, agent.identity, agent.communication_style)), agent.id
        assert agent.principles, agent.id
        assert agent.menu, agent.id
    names = [agent.name for agent in house().agents]
    assert len(set(names)) == len(names)
    assert {agent.id for agent in house().agents if agent.critical_actions} >= {"dev", "architect"}


def test_the_technical_writer_has_a_sidecar() -> None:
    agent = house().agent("tech-writer")
    assert agent is not None
    assert [path.rpartition("/")[2] for path in agent.files if "-sidecar/" in path] == ["house-style.md"]
    skills = [part.name for part in spoken(lowering()[0]["editorial-review-prose"]) if part.kind == "skill"]
    assert skills == ["house-style"]


def test_the_manifest_names_the_agents() -> None:
    with (ROOT / "_bmad/_config/agent-manifest.csv").open(encoding="utf-8", newline="") as file:
        listed = [
            (row["name"], row["displayName"], row["title"], row["path"]) for row in csv.DictReader(file)
        ]
    base = "_bmad/bmm/"
    assert sorted(listed) == sorted(
        (agent.id, agent.name, agent.title, agent.origin.path.removeprefix(base)) for agent in house().agents
    )


def test_the_workflows_are_there_and_have_labels() -> None:
    assert {one.id for one in house().workflows if one.module == "bmm"} == PLANNED | BUILT
    assert set(known_ids()) >= PLANNED | BUILT
    for name in PLANNED | BUILT:
        assert workflow(name).owners, name
        assert workflow(name).description, name


def test_every_form_of_file_is_used() -> None:
    for name in PLANNED:
        assert workflow(name).encoding == "workflow-md"
        assert roles(name) >= {"entry", "step", "template", "checklist"}
    for name in BUILT:
        assert workflow(name).encoding == "workflow-yaml"
        assert roles(name) >= {"entry", "instructions", "checklist"}
    assert "data" in roles("create-prd") & roles("create-architecture")
    assert {"template"} <= roles("create-story") & roles("sprint-planning")
    endings = {
        use.path.rpartition(".")[2]
        for name in BUILT
        for use in workflow(name).files
        if use.role == "instructions"
    }
    assert endings == {"md", "xml"}


def test_every_construct_is_used() -> None:
    for name in ("create-prd", "create-architecture"):
        assert "resume" in {step.role for step in workflow(name).steps}
    for name in PLANNED:
        assert {tuple(sorted(value.split(","))) for value, _ in facts("menu", name)} == {("A", "C", "P")}
        assert set(workflow(name).calls) >= {"advanced-elicitation", "party-mode"}
    for name in BUILT:
        assert facts("protocol", name) == [("discover_inputs", "")]
        assert facts("condition", name)
        assert {"check", "action", "critical", "output"} <= tags(name)
    jumps = [value for value, target in facts("goto", "dev-story") if target]
    assert {value.partition("=")[0] for value in jumps} == {"step", "anchor"}
    assert facts("anchor", "dev-story") == [("story_found", "")]
    assert {step.tag for step in workflow("dev-story").steps} == {"", "sprint-status"}
    assert {name for name in BUILT if facts("ask", name)} == {"create-story", "correct-course"}
    assert {name for name in BUILT if facts("saves", name)} == {
        *("create-story", "sprint-planning", "correct-course")
    }
    assert len(facts("check-item", "correct-course")) == 9
    assert {name for name in PLANNED | BUILT if "invoke-task" in tags(name)} == {
        *("create-prd", "create-story", "code-review")
    }
    assert "invoke-workflow" in tags("correct-course")
    assert "party-mode" in workflow("correct-course").calls
    boxes = [name for name in PLANNED | BUILT if facts("box", name)]
    assert sorted(boxes) == sorted((PLANNED | BUILT) - {"correct-course"})


def test_some_workflows_have_several_owners() -> None:
    by_menu = {
        one.id: {owner.agent for owner in one.owners if owner.by == "menu"} for one in house().workflows
    }
    assert by_menu["code-review"] == {"dev", "qa"}
    assert by_menu["correct-course"] == {"pm", "sm"}
    assert by_menu["create-prd"] == {"analyst", "pm", "ux-designer"}


def test_the_help_table_has_a_row_for_each_workflow() -> None:
    rows = [row for row in house().help if row.module == "bmm"]
    assert {row.workflow for row in rows} == PLANNED | BUILT
    assert not any(row.repaired for row in house().help)
    assert {row.workflow for row in rows if not row.required} == {"correct-course"}


def test_every_file_belongs_to_something() -> None:
    assert [entry.path for entry in house().files if entry.role == "orphan"] == []


@pytest.mark.parametrize("check", ["partition", "residual", "budget", "hard", "order"])
def test_the_account_is_honest(check: str) -> None:
    assert [fault for fault in faults() if fault.check == check] == []


def test_no_two_rules_want_the_same_words() -> None:
    assert lowering()[1] == ()


@pytest.mark.parametrize("name", sorted(PLANNED | BUILT))
def test_nothing_is_left_over(name: str) -> None:
    one = lowering()[0][name]
    names = documented(one) | set(known_labels()) | {label.name for label in LABELS}
    found = [
        (part.name, left)
        for part in spoken(one)
        for left in leftovers(part.text, steps=known_steps(one, workflow(name), part), placeholders=names)
    ]
    assert found == []


@pytest.mark.parametrize("name", sorted(PLANNED | BUILT))
def test_no_other_workflow_is_named_but_by_its_label(name: str) -> None:
    others = "|".join(sorted(PLANNED | BUILT, key=len, reverse=True))
    said = "\n".join(part.text for part in spoken(lowering()[0][name]))
    assert re.findall(rf"(?<![\w-])(?:{others})(?![\w-])", said) == []


@pytest.mark.parametrize("name", sorted(PLANNED | BUILT))
def test_it_says_what_it_leaves_and_when_it_is_done(name: str) -> None:
    body = lowering()[0][name].body
    assert LEAVES.get(name, "story file") in body
    assert re.search(r"(?i)done when\b", body)
    assert "\n## Checklist\n" in body


def test_the_states_of_a_story_are_one_vocabulary() -> None:
    (path,) = (use.path for use in workflow("sprint-planning").files if use.role == "template")
    text = house().trees[path].text.text
    assert set(re.findall(r"(?m)^#   ([\w-]+)  ", text)) == STATES
    assert set(yaml.safe_load(text)["development_status"].values()) <= STATES
    order = re.compile(r"Set the (?:Status line of the story|entry \{\{story_key\}\}) to `([\w-]+)`")
    given = {name: set(order.findall(lowering()[0][name].body)) for name in BUILT}
    assert given == {
        "create-story": {"ready-for-dev"},
        "dev-story": {"in-progress", "review"},
        "code-review": {"in-progress", "done"},
        "sprint-planning": set(),
        "correct-course": set(),
    }


def body(name: str) -> str:
    return lowering()[0][name].body


def test_every_status_that_one_workflow_writes_another_one_reads() -> None:
    order = re.compile(r"Set the Status line of the story to `([\w-]+)`")
    condition = re.compile(r"(?m)^\d+\. If [^\n:]*\bStatus is ([^\n:]+):")
    read = {
        name: set(re.findall(r"[\w-]+", " ".join(condition.findall(body(name))))) & STATES for name in BUILT
    }
    for writer in BUILT:
        for state in order.findall(body(writer)):
            assert any(state in read[reader] for reader in BUILT - {writer}), (writer, state)
    assert read["create-story"] == read["dev-story"] == STATES


def test_a_story_under_way_is_known_to_whoever_plans() -> None:
    for name in ("create-story", "sprint-planning", "correct-course", "create-epics-and-stories"):
        assert f"an open pull request with the label `{PIPELINE.name}`" in body(name), name


def test_what_a_change_proposal_says_is_read_by_the_documents_that_it_changes() -> None:
    left = LEAVES["correct-course"].rpartition("/")[2]
    for name in PLANNED:
        (pattern,) = set(re.findall(r"`(change-proposal-[^`]+)`", body(name)))
        assert fnmatch(left, pattern), name
        # Not by date: a proposal that waited for its merge is read too.
        assert re.search(
            r"`change-proposal-\S+ in \S+ that (its )?`inputDocuments` does not list", body(name)
        ), name
    named = re.findall(
        r"`(bmad-[\w-]+)`", body("correct-course").split("Apply no edit.")[1].split("Report:")[0]
    )
    assert named == [
        *map(label_of, ("create-prd", "create-architecture", "create-epics-and-stories")),
        named[-1],
    ]
    # The label that the handoff adds is the one that the text puts last.
    assert named[-1] == label_of(row_of("correct-course").next[0])


def test_a_finding_that_does_not_hold_is_closed_with_its_reason() -> None:
    """Else the review asks for it again until the rounds run out."""
    for name in ("dev-story", "code-review"):
        lines = [line for line in body(name).splitlines() if "`declined:`" in line]
        assert any(
            re.search(r"\btick\b", line, re.IGNORECASE) and "does not hold" in line and "reason" in line
            for line in lines
        ), name


def test_what_failed_before_is_measured_where_the_branch_began() -> None:
    for name in ("dev-story", "code-review"):
        assert "in a git worktree of `<base>` too" in body(name), name
        assert "before the first change" not in body(name), name
        assert "at the beginning" not in body(name), name


def test_an_entry_is_set_only_where_the_status_file_has_it() -> None:
    for name in ("dev-story", "code-review"):
        assert "sprint-status.yaml exists:" not in body(name), name
        assert "sprint-status.yaml exists and has an entry {{story_key}}:" in body(name), name


def test_the_sections_of_a_story_are_one_vocabulary() -> None:
    (path,) = (use.path for use in workflow("create-story").files if use.role == "template")
    headings = set(re.findall(r"(?m)^#{2,3} (.+)$", house().trees[path].text.text))
    assert headings >= set(SECTIONS)
    for section, users in SECTIONS.items():
        for name in users:
            assert re.search(rf"\b(?:{section}|{section.lower()} of the story)\b", body(name)), (
                section,
                name,
            )


@pytest.mark.parametrize("name", ["dev-story", "code-review"])
def test_what_failed_before_does_not_stop_a_story(name: str) -> None:
    said = body(name)
    assert "did not fail before" in said
    assert "green" not in said.split("## Instructions")[1].replace("while the tests stay green", "")
    assert 'If the repository has tests and they cannot be run: HALT: "The tests cannot be run here."' in said


def test_a_pull_request_without_a_story_starts_no_other_story() -> None:
    for name in ("dev-story", "code-review"):
        found = body(name).split("### Step 1")[1].split("### Step 2")[0]
        assert "If no story was found, or several: HALT:" in found
        assert "sprint-status.yaml" not in found


def ordered(name: str) -> str:
    """Return what the house itself says: the body without the frame's rules and guardrails."""
    return body(name).split("## Instructions")[1].split("## Guardrails")[0]


@pytest.mark.parametrize("name", sorted(PLANNED))
def test_of_a_file_and_a_folder_the_folder_counts(name: str) -> None:
    either = re.compile(r"the files of (?:a folder|the folders) `|In a folder each section")
    lines = [line for line in ordered(name).splitlines() if either.search(line)]
    assert len(lines) == {"create-prd": 1}.get(name, 2)
    assert all("if file and folder are both there, the folder counts" in line.lower() for line in lines)


@pytest.mark.parametrize("name", sorted(BUILT))
def test_the_protocol_looks_for_the_folder_first(name: str) -> None:
    assert "Look for the sharded form first, a folder of files; only if nothing matches it" in body(name)


def test_a_number_is_given_once_and_what_is_dropped_leaves_a_line() -> None:
    """A later run sees the document and not its history."""
    for name in (*PLANNED, "correct-course"):
        (line,) = (line for line in ordered(name).splitlines() if "given once and never again" in line)
        assert "Dropped:" in line, name
    for name in ("create-story", "sprint-planning"):
        assert "What the epics name in a line `Dropped:` is no " in ordered(name), name


@pytest.mark.parametrize("name", ["create-prd", "create-architecture"])
def test_what_only_a_person_can_decide_is_open_and_all_else_is_decided(name: str) -> None:
    said = ordered(name)
    (line,) = (
        line for line in said.splitlines() if line.startswith("- You decide what the sources leave open.")
    )
    assert all(word in line for word in ("the goal", "the scope", "the budget", "the law"))
    kind = {"create-prd": "question", "create-architecture": "point"}[name]
    assert f"that is an open {kind}, with the answer that the document takes until then" in line
    assert f"what only a person can decide is an open {kind}" in said
    assert f"holds or stands among the open {kind}s" in said


@pytest.mark.parametrize("name", ["create-prd", "create-architecture"])
def test_a_document_that_exists_is_neither_written_twice_nor_mended_all_over(name: str) -> None:
    said = ordered(name)
    assert re.search(r"a step whose sections? stands?, the last one aside, is only checked off", said)
    assert re.search(r"If the document was finished before, mend only what .* nothing is changed there", said)
    assert re.search(r"Where there is no front matter, put that of “[\w-]+-template” there", said)


def test_a_requirement_of_either_kind_has_one_of_three_grounds() -> None:
    said = ordered("create-prd")
    assert len(re.findall(r"a journey, a measure or a constraint", said)) == 2
    assert "the journeys, measures or constraints that it serves" in said
    assert "{{journey, measure or constraint}}" in said


def test_the_checklist_asks_nothing_of_stories_that_were_begun() -> None:
    said = ordered("create-epics-and-stories")
    assert "They keep their numbers and their text" in said
    assert "is asked of those that nobody has begun; only the last item is asked of all" in said


@pytest.mark.parametrize("name", ["create-epics-and-stories", "create-story", "code-review"])
def test_whoever_plans_or_reviews_knows_what_the_developer_may_not_change(name: str) -> None:
    (line,) = (
        line for line in body(name).splitlines() if "CODEOWNERS, " in line and "Change files" not in line
    )
    first, last = (path.removesuffix(".md") for path in (PROTECTED_TEXTS[0], PROTECTED_TEXTS[-1]))
    listed = line.split(f"a {first}")[1].split(" file")[0]
    assert re.findall(r"[A-Z_]+", f"{first}{listed}") == [
        path.removesuffix(".md") for path in PROTECTED_TEXTS
    ]
    assert listed.endswith(f" or {last}")
    assert "a top folder whose name begins with a dot" in line


def test_what_the_pull_request_cannot_hold_is_left_out_and_settled() -> None:
    said = ordered("dev-story")
    assert "makes no sense without it" not in said
    assert "If nothing of the whole story is left without such files: HALT:" in said
    assert (
        said.count("that the outputs refuse:")
        == said.count("which the outputs refuse counts as fulfilled")
        == 1
    )
    assert re.search(r"(?m)^- \[ \] .*or the file that a person has to add$", said)
    review = body("code-review")
    (rule,) = (
        line for line in review.splitlines() if line.startswith("- **Left out is what rests on a file")
    )
    assert "it is no finding, and counts as done, met and resolved in every step and every round" in rule
    assert "was left out" in next(line for line in review.splitlines() if "For each earlier finding" in line)
