"""Line 3: what a converter before this one learned at run time, and what it never learned, cannot come back.

Each judge finds nothing in any file of three packs, and something after the smallest edit that puts the
mistake back. Where the real compiler sees it too, or only the lock shows it, that is shown at the end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from bmadc.backend.package import FOLDER
from bmadc.ghaw.expressions import references
from bmadc.ghaw.jobgraph import JobGraph, problems
from bmadc.ghaw.locks import Lock, parse_lock
from bmadc.ghaw.runner import CompileResult, compile_files
from bmadc.ghaw.vocabulary.tables import SAFE_OUTPUTS
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.catalogue import Row, by_id
from support import lessons
from support.built import HOUSE, compiled
from support.lessons import RELEASES, Judge, Sheets, found, sheets
from support.spine import FOREIGN, GO, MEMBER, NEITHER, events, labeled, simulate, started

Edit = tuple[str, str, str]

PRD, PLAN, ARCHITECTURE, STORY, DEV, REVIEW, PARTY = (
    f"{FOLDER}/{by_id(id_).document}"
    for id_ in (
        "create-prd",
        "sprint-planning",
        "create-architecture",
        "create-story",
        "dev-story",
        "code-review",
        "party-mode",
    )
)
RESUME, RESUME_COMMAND, COMMANDS, SWEEPER = (
    f"{FOLDER}/bmad-{name}.yml" for name in ("resume", "resume-command", "commands", "sweeper")
)

# Where a line is put in: each of these stands once in a document.
HAND = '      mkdir -p "$(dirname "$FILE")"\n'
OUTPUTS = "\nsafe-outputs:\n"
TOP = "\npermissions:\n  contents: read\n"
ON = "\non:\n"
GATED = "  activation:\n    if: github.event_name != 'pull_request' && "
GATED += "needs.pre_activation.outputs.go == 'true'\n"
ITEM = "${{ github.event.pull_request.number || github.event.issue.number || github.event.inputs."
OURS = " && (github.event.action != 'labeled' || github.event.label.name == 'bmad-dev' || "
OURS += "github.event.label.name == 'bmad-changes')"
GUARD_TOKEN = '        PAUSE: "2"\n        GH_TOKEN: ${{ github.token }}\n'
STOP_HERE = "    needs: [pre_activation, activation]\n    if: always() && ("


def marks(release: str) -> tuple[pytest.MarkDecorator, ...]:
    group = pytest.mark.xdist_group(f"pack {release}")
    return (group,) if release == HOUSE else (group, pytest.mark.needs("bmad-releases"))


@pytest.fixture(params=[pytest.param(one, marks=marks(one)) for one in RELEASES])
def pack(request: pytest.FixtureRequest) -> Sheets:
    return sheets(request.param)


def never(pack: Sheets, judge: Judge, *edits: Edit) -> None:
    """The judge finds nothing in a pack, and each edit, made in the pack of the house edition, is seen."""
    assert found(judge, pack) == []
    house = sheets(HOUSE)
    for path, old, new in edits if pack is house else ():
        said = found(judge, house.edited(path, old, new))
        assert said, f"nobody sees {new!r} in {path}"
        assert all(one.startswith((path, FOLDER)) for one in said)


# --- the lessons


def test_lesson_01_only_words_of_the_pinned_release(pack: Sheets) -> None:
    never(
        pack,
        lessons.vocabulary_only,
        (PRD, "toolsets: [repos, ", "toolsets: [code, repos, "),
        (PARTY, OUTPUTS, "\nsafe-outputs: [add-comment]\nold-outputs:\n"),
        (DEV, "  push-to-pull-request-branch:\n", "  push-to-pr:\n"),
        (REVIEW, "  submit-pull-request-review:\n", "  submit-pr-review:\n"),
        (PRD, "  add-labels:\n", "  add-label:\n"),
        (PRD, ON, "\nlabel: bmad-plan-prd\non:\n"),
        (PRD, "    max: 2\n", "    max: 2\n    maximum: 2\n"),
    )


def test_lesson_02_the_agent_never_writes(pack: Sheets) -> None:
    never(
        pack,
        lessons.agent_only_reads,
        (DEV, TOP, "\npermissions:\n  contents: write\n"),
        (DEV, TOP, "\npermissions: write-all\nold:\n  contents: read\n"),
        (DEV, "  permissions:\n    contents: read\n", "  permissions:\n    contents: write\n"),
    )


def test_lesson_03_no_expression_in_shell(pack: Sheets) -> None:
    never(
        pack,
        lessons.no_expression_in_shell,
        (PRD, HAND, f"{HAND}      echo ${{{{ github.event.issue.title }}}}\n"),
        (RESUME, "          exit 0\n", "          echo ${{ github.event.issue.title }}\n          exit 0\n"),
    )


def test_lesson_04_conditions_survive_yaml(pack: Sheets) -> None:
    first = "\nif: github.event.pull_request == null || "
    never(
        pack,
        lessons.conditions_survive_yaml,
        (PRD, first, "\nif: !contains(github.event.label.name, 'x') || "),
        (
            PRD,
            f"{first}github.event.pull_request.head.repo.id == github.repository_id",
            '\nif: "!cancelled()"',
        ),
        (PRD, first, "\nif: github.event_name = 'issues' || "),
    )


def test_lesson_05_config_is_no_raw_output(pack: Sheets) -> None:
    raw = '      cat .bmad/config.yaml >>"$GITHUB_OUTPUT"\n'
    block = "      { echo 'config<<BMAD_EOF'; cat .bmad/config.yaml; echo BMAD_EOF; } >>\"$GITHUB_OUTPUT\"\n"
    never(
        pack,
        lessons.outputs_are_one_line,
        (PRD, HAND, HAND + raw),
        (PRD, HAND, HAND + block),
        (PRD, '"${2//[[:cntrl:]]/ }" >>"$GITHUB_OUTPUT"', '"$2" >>"$GITHUB_OUTPUT"'),
        (PRD, ' | gsub("[[:cntrl:]]"; " "))"\' <<<"$decision"', ')"\' <<<"$decision"'),
    )


def test_lesson_06_whoever_calls_gh_has_a_token(pack: Sheets) -> None:
    never(
        pack,
        lessons.gh_has_a_token,
        (PRD, GUARD_TOKEN, '        PAUSE: "2"\n'),
        (PRD, HAND, f"{HAND}      gh issue view 7\n"),
        (SWEEPER, "          GH_TOKEN: ${{ github.token }}\n", ""),
    )


def test_lesson_07_no_step_looks_for_branches(pack: Sheets) -> None:
    never(
        pack,
        lessons.no_local_refs,
        (PRD, HAND, f"{HAND}      epic=$(git branch -r | grep epic)\n"),
        (PRD, HAND, f"{HAND}      git -C . log --oneline\n"),
    )


def test_lesson_08_no_step_talks_to_the_remote_by_git(pack: Sheets) -> None:
    never(
        pack,
        lessons.no_git_over_the_net,
        (PRD, HAND, f"{HAND}      git fetch origin main\n"),
        (RESUME, "          exit 0\n", "          git push origin HEAD\n          exit 0\n"),
    )


def test_lesson_09_nothing_is_made_before_the_outputs(pack: Sheets) -> None:
    never(
        pack,
        lessons.nothing_is_made_before_the_outputs,
        (PRD, HAND, f"{HAND}      gh pr create --fill\n"),
        (PRD, HAND, f"{HAND}      gh api -X POST repos/o/r/git/refs\n"),
        (
            PRD,
            '        out mistake "$mistake"\n',
            '        out mistake "$mistake"\n        gh issue comment 7\n',
        ),
    )


def test_lesson_10_nothing_waits_for_a_label_that_was_there_at_birth(pack: Sheets) -> None:
    next_ = "          NEXT: bmad-dev\n"
    never(
        pack,
        lessons.nothing_waits_for_labels_at_birth,
        (STORY, "labels: [bmad-pipeline]", "labels: [bmad-pipeline, bmad-dev]"),
        (STORY, next_, '          NEXT: ""\n'),
    )


def test_lesson_11_labels_are_awaited_where_they_are_raised(pack: Sheets) -> None:
    never(
        pack,
        lessons.labels_are_awaited_where_they_are_raised,
        (PRD, "    events: [issues, pull_request]\n", "    events: [pull_request]\n"),
        (DEV, "    types: [labeled, ready_for_review]\n", "    types: [ready_for_review]\n"),
        (DEV, "github.event.label.name == 'bmad-changes'", "github.event.label.name == 'bmad-change'"),
    )


def test_lesson_12_waking_needs_a_token_that_counts(pack: Sheets) -> None:
    never(
        pack,
        lessons.waking_has_a_token_that_counts,
        (STORY, "          WAKING: bus\n", "          WAKING: credential\n"),
        (STORY, "          WAKING: bus\n", "          WAKING: label\n"),
        (STORY, "      actions: write\n", "      actions: read\n"),
        (DEV, '  bots: ["github-actions[bot]"]\n', ""),
        (
            DEV,
            "  workflow_dispatch:\n    inputs:\n      pr:\n",
            "  workflow_dispatch:\n    inputs:\n      number:\n",
        ),
    )


def test_lesson_13_triggers_follow_from_the_protocol(pack: Sheets) -> None:
    """No edge is found by trial: causes stand once, in the protocol, and triggers are made from them."""
    never(
        pack,
        lessons.triggers_are_those_of_the_protocol,
        (DEV, "types: [labeled, ready_for_review]", "types: [labeled, ready_for_review, opened]"),
        (REVIEW, ON, "\non:\n  push:\n    branches: [main]\n"),
        (REVIEW, "synchronize", "reopened"),
    )


def test_lesson_14_outputs_of_steps_stay_in_their_job(pack: Sheets) -> None:
    never(
        pack,
        lessons.outputs_stay_in_their_job,
        (PRD, "    draft: false\n", "    draft: false\n    base-branch: ${{ steps.epic.outputs.branch }}\n"),
        (PRD, "    if: needs.gate.outputs.open == 'true'\n", "    if: steps.gate.outputs.open == 'true'\n"),
    )


def test_lesson_15_bursts_of_labels_cancel_nothing(pack: Sheets) -> None:
    never(
        pack,
        lessons.bursts_cancel_nothing,
        (DEV, "\nconcurrency:\n", "\nold-concurrency:\n"),
        (DEV, "\n  cancel-in-progress: false\n", "\n  cancel-in-progress: true\n"),
        (DEV, "\n  queue: max\n", "\n"),
        (DEV, "\n  group: bmad-$", "\n  group: dev-$"),
        (RESUME, "  cancel-in-progress: false\n", "  cancel-in-progress: true\n"),
    )


def test_lesson_16_what_is_approved_rests(pack: Sheets) -> None:
    never(
        pack,
        lessons.what_is_approved_rests,
        (
            DEV,
            "workflow_dispatch=bmad-dev>bmad-dev",
            "workflow_dispatch=bmad-approved>bmad-dev,bmad-dev>bmad-dev",
        ),
        (
            DEV,
            "        STATES: bmad-dev bmad-review bmad-changes bmad-approved\n        WAKES",
            "        STATES: bmad-dev\n        WAKES",
        ),
    )


def test_lesson_17_no_glue_beside_the_outputs(pack: Sheets) -> None:
    """The vocabulary is generated from the schema of the pinned release, so no output is believed missing."""
    assert {"mark-pull-request-as-ready-for-review", "dispatch-workflow", "call-workflow"} <= set(
        SAFE_OUTPUTS
    )
    never(pack, lessons.no_glue, (RESUME, "      contents: read\n", "      contents: write\n"))


def test_lesson_18_no_workflow_starts_itself_by_a_comment(pack: Sheets) -> None:
    only_people = "github.event.comment.user.type == 'User' && "
    never(
        pack,
        lessons.comments_of_bots_start_nothing,
        (PRD, ON, "\non:\n  issue_comment:\n    types: [created]\n"),
        (PRD, ON, "\non:\n  slash_command:\n    name: prd\n"),
        (RESUME_COMMAND, only_people, ""),
        (COMMANDS, only_people, ""),
    )


def test_lesson_19_no_comment_of_its_own_starts_it(pack: Sheets) -> None:
    whole = r"""contains(fromJSON('[\"/resume\", \"/resume \", \"/resume\\n\", \"/resume\\r\\n\"]'), """
    whole += "github.event.comment.body)"
    never(
        pack,
        lessons.own_comments_start_nothing,
        (PRD, "  status-comment: false\n", ""),
        (PRD, "  reaction: none\n", "  reaction: eyes\n"),
        (PRD, "  activation-comments: false\n", ""),
        (PRD, "  report-failure-as-issue: false\n", ""),
        (PRD, "  noop:\n    report-as-issue: false\n", "  noop:\n    report-as-issue: true\n"),
        (RESUME_COMMAND, whole, "contains(github.event.comment.body, '/resume')"),
        (RESUME_COMMAND, whole, "startsWith(github.event.comment.body, '/resume')"),
    )


def test_lesson_20_a_foreign_label_is_refused_before_the_first_job(pack: Sheets) -> None:
    never(
        pack,
        lessons.foreign_labels_cost_nothing,
        (DEV, OURS, ""),
        (PRD, ON, "\non:\n  issues:\n    types: [labeled]\n"),
    )


def test_lesson_21_a_dispatch_carries_what_is_read(pack: Sheets) -> None:
    never(
        pack,
        lessons.dispatch_carries_what_is_read,
        (DEV, "        required: true\n", "        required: false\n"),
        (
            DEV,
            f"\n  group: bmad-{ITEM}pr }}}}",
            "\n  group: bmad-${{ github.event.pull_request.number || github.event.issue.number }}",
        ),
        (
            PRD,
            f"NUMBER: {ITEM}item_number }}}}",
            "NUMBER: ${{ github.event.issue.number }}",
        ),
    )


def test_lesson_22_what_is_mended_in_an_output_is_drift(pack: Sheets) -> None:
    """A file is made from the source at every build and never patched, so a mend lives where it is made."""
    never(
        pack,
        lessons.bytes_are_those_of_the_build,
        (PRD, "\ntimeout-minutes: 45\n", "\ntimeout-minutes: 46\n"),
        (SWEEPER, "# Made by bmadc", "#  Made by bmadc"),
    )


# --- the defects


def test_defect_01_what_the_guard_says_is_read(pack: Sheets) -> None:
    never(
        pack,
        lessons.guards_are_read,
        (PRD, GATED, "  activation: {}\n"),
        (PRD, GATED, "  activation:\n    if: steps.guard.outputs.go == 'true' || true\n"),
        (PRD, "      go: ${{ steps.guard.outputs.go }}\n", ""),
        (
            PRD,
            "      settings: ${{ steps",
            "      skip: ${{ steps.guard.outputs.go }}\n      settings: ${{ steps",
        ),
        (PRD, "      SETTINGS: ${{ needs.pre_activation.outputs.settings }}\n", '      SETTINGS: ""\n'),
    )


def test_defect_02_blocker_protocol_can_run(pack: Sheets) -> None:
    never(
        pack,
        lessons.blocker_protocol_can_run,
        (PRD, "  add-labels:\n", "  remove-labels:\n"),
        (PRD, "    allowed: [needs-human-intervention]\n", "    allowed: [question]\n"),
        (PRD, "  add-comment:\n", "  hide-comment:\n"),
        (
            PARTY,
            "    allowed: [needs-human-intervention]\n    max: 1\n",
            "    allowed: [needs-human-intervention]\n    max: 0\n",
        ),
    )


def test_defect_03_the_breaker_can_be_set(pack: Sheets) -> None:
    scopes = "    permissions:\n      issues: write\n      pull-requests: write\n    steps:\n"
    scopes += "      - name: Stop the item"
    never(
        pack,
        lessons.the_breaker_can_be_set,
        (DEV, scopes, scopes.replace("issues: write", "issues: read")),
        (DEV, scopes, scopes.replace("pull-requests: write", "pull-requests: read")),
        (DEV, HAND, f'{HAND}      gh api -X POST "$repo/issues/$1/labels"\n'),
        (SWEEPER, "      issues: write\n", "      issues: read\n"),
    )


def test_defect_04_a_push_is_not_judged_by_its_sender(pack: Sheets) -> None:
    never(
        pack,
        lessons.nobody_is_known_by_the_sender,
        (REVIEW, "\nif: (", "\nif: github.event.sender.login == 'github-actions[bot]' && ("),
        (REVIEW, "\nif: (", "\nif: github.actor != 'x' && ("),
        (REVIEW, "        BOT_COMMIT: ", '        BOT_COMMIT: ""\n        OLD: '),
    )


def test_defect_05_what_stopped_can_resume(pack: Sheets) -> None:
    never(
        pack,
        lessons.what_stopped_can_resume,
        (RESUME, "  pull_request:\n    types: [unlabeled]\n", ""),
        (RESUME, "  issues:\n    types: [unlabeled]\n", ""),
        (RESUME, "      actions: write\n", "      actions: read\n"),
        (RESUME, '\\"bmad-changes\\": \\"bmad-dev-story.lock.yml\\", ', ""),
    )


def test_defect_06_the_breaker_is_asked_for_by_number(pack: Sheets) -> None:
    nested = "\nif: contains(github.event.*.labels.*.name, 'needs-human-intervention') == false && ("
    never(
        pack,
        lessons.the_breaker_is_read_by_path,
        (REVIEW, "\nif: (", nested),
        (
            REVIEW,
            "        BREAKER: needs-human-intervention\n        STRIKE",
            '        BREAKER: ""\n        STRIKE',
        ),
    )


def test_defect_07_what_others_read_is_written(pack: Sheets) -> None:
    never(
        pack,
        lessons.artefacts_are_written,
        (PLAN, "  create-pull-request:\n", "  create-issue:\n"),
        (PLAN, '    allowed-files: ["_bmad-output/**", "docs/**"]\n', '    allowed-files: ["docs/**"]\n'),
        (REVIEW, "  push-to-pull-request-branch:\n", "  noop-push:\n"),
    )


def test_defect_08_research_has_the_web(pack: Sheets) -> None:
    never(
        pack,
        lessons.research_has_the_web,
        (ARCHITECTURE, "  web-fetch: null\n", ""),
        (ARCHITECTURE, "  web-search: null\n", ""),
        (ARCHITECTURE, "allowed: [defaults, github, ", "allowed: [defaults, github]\nold: [x, "),
    )


def test_defect_09_what_is_named_is_shipped(pack: Sheets) -> None:
    read = "\n\nRead `/tmp/gh-aw/agent/prd-template.md`.\n\n## "
    never(pack, lessons.what_is_named_is_shipped, (PRD, "\n\n## ", read))


@pytest.mark.needs("bmad-releases")
@pytest.mark.xdist_group("pack 6.12.0")
def test_defect_09_a_file_that_travels_and_is_left_behind() -> None:
    pack = sheets("6.12.0")
    seen = 0
    for sheet in pack.documents.values():
        shipped = re.findall(r": >(/tmp/gh-aw/agent/\S+)$", sheet.text, re.MULTILINE)
        named = [path for path in shipped if f"`{path}`" in sheet.body]
        for path in named[:1]:
            seen += 1
            edited = pack.edited(sheet.path, f": >{path}\n", ": >/dev/null\n")
            assert any(path in said for said in found(lessons.what_is_named_is_shipped, edited)), path
    assert seen > 5


def test_defect_10_everything_has_a_limit(pack: Sheets) -> None:
    never(
        pack,
        lessons.everything_has_a_limit,
        (PRD, ON, "\nsource: octo/packs/workflows/prd.md@main\non:\n"),
        (PRD, "\ntimeout-minutes: 45\n", "\n"),
        (PRD, "    max: 2\n", ""),
        (PRD, '    title-prefix: "[create-prd] "\n', ""),
        (PRD, "    allowed: [needs-human-intervention]\n", ""),
        (
            REVIEW,
            "bmad-verdict-changes, needs-human-intervention]",
            "bmad-verdict-changes, needs-human-intervention, bmad-approved]",
        ),
        (PRD, '    allowed-files: ["_bmad-output/**", "docs/**"]\n', ""),
    )


def test_defect_11_labels_have_one_source(pack: Sheets) -> None:
    never(
        pack,
        lessons.labels_have_one_source,
        (PRD, "    name: bmad-plan-prd\n", "    name: bmad-plan-create-prd\n"),
        (
            ARCHITECTURE,
            "the work of the label `bmad-plan-prd`",
            "the work of the label `bmad-plan-create-prd`",
        ),
        ("workflows/README.md", "`bmad-plan-prd`", "`bmad-plan-create-prd`"),
        ("aw.yml", "name: bmad-plan-prd\n", "name: bmad-plan-create-prd\n"),
    )


def test_every_lesson_and_every_defect_has_its_judge_and_its_test() -> None:
    tests = {name for name in globals() if re.match(r"test_(lesson|defect)_\d\d_", name)}
    numbers = sorted({tuple(name.split("_")[1:3]) for name in tests})
    wanted = [("lesson", f"{n:02}") for n in range(1, 23)] + [("defect", f"{n:02}") for n in range(1, 12)]
    assert numbers == sorted(wanted)
    for name in (
        "13_triggers_follow_from_the_protocol",
        "17_no_glue_beside_the_outputs",
        "22_what_is_mended_in_an_output_is_drift",
    ):
        said = globals()[f"test_lesson_{name}"].__doc__
        assert said is not None
        assert said.endswith(".")


# --- what the real compiler and its locks show

LockJudge = Callable[[Row, Lock], Iterator[str]]


def only_its_needs(_: Row, lock: Lock) -> Iterator[str]:
    yield from map(str, problems(JobGraph.of(lock)))


def one_group(_: Row, lock: Lock) -> Iterator[str]:
    given = lock.concurrency
    if given is None or (given.cancel_in_progress, given.queue) != ("false", "max"):
        yield f"cancelled or dropped: {given and given.group}"


def no_agent_without_go(row: Row, lock: Lock) -> Iterator[str]:
    for cause, contexts in events(row, lessons.NUMBER).items():
        if "agent" in simulate(lock, contexts, {**MEMBER, **NEITHER}).ran:
            yield f"{cause}: the agent is paid for"


def no_foreign_label(row: Row, lock: Lock) -> Iterator[str]:
    for name in FOREIGN:
        contexts = labeled(name, lessons.NUMBER, on_pull=row.on_pulls)
        if started(lock, contexts) and (ran := simulate(lock, contexts, {**MEMBER, **GO}).ran):
            yield f"{name} starts {ran}"


def labels_by_path(_: Row, lock: Lock) -> Iterator[str]:
    for job in lock.jobs:
        if job.condition and any(ref[:3] == ("github", "event", "*") for ref in references(job.condition)):
            yield f"{job.id} looks for labels in whatever the event holds"


LOCK_JUDGES: tuple[LockJudge, ...] = (
    only_its_needs,
    one_group,
    no_agent_without_go,
    no_foreign_label,
    labels_by_path,
)
SEEN: dict[str, Edit] = {
    "lesson 1: a toolset that does not exist": (PRD, "toolsets: [repos, ", "toolsets: [code, repos, "),
    "lesson 2: an agent that writes": (PLAN, TOP, "\npermissions:\n  contents: write\n"),
    # This one it warns of, and takes it out.
    "lesson 3: an expression in shell": (
        STORY,
        HAND,
        f"{HAND}      echo ${{{{ github.event.issue.title }}}}\n",
    ),
}
IN_THE_LOCK: dict[str, tuple[Edit, LockJudge]] = {
    "lesson 14: outputs of another job": (
        (
            ARCHITECTURE,
            "    if: needs.gate.outputs.open == 'true'\n",
            "    if: needs.agent.outputs.nothing == needs.halt.outputs.x\n",
        ),
        only_its_needs,
    ),
    "lesson 15: the group that gh-aw gives": (
        (REVIEW, "\nconcurrency:\n  group", "\n#concurrency:\n  #group"),
        one_group,
    ),
    "lesson 20: any label": (
        (
            DEV,
            OURS,
            "",
        ),
        no_foreign_label,
    ),
    "defect 1: a guard that nobody reads": (
        (
            PARTY,
            GATED,
            "",
        ),
        no_agent_without_go,
    ),
}


@cache
def _edited() -> CompileResult:
    """Every dead form at once, each in a document of its own."""
    house = sheets(HOUSE)
    files: dict[str, str] = {}
    for path, old, new in (*SEEN.values(), *(edit for edit, _ in IN_THE_LOCK.values())):
        text = house.edited(path, old, new).documents[path].text
        if new.startswith("\n#concurrency"):
            text = re.sub(r"(?m)^  (cancel-in-progress: false|queue: max|job-discriminator: .*)\n", "", text)
        assert path not in files
        files[path] = text
    return compile_files({path.partition("/")[2]: text for path, text in files.items()})


@pytest.mark.needs("gh-aw")
@pytest.mark.xdist_group("pack house")
def test_no_lock_of_the_house_edition_shows_any_of_it() -> None:
    locks = {name: parse_lock(text, name) for name, text in compiled(HOUSE).locks.items()}
    rows = {sheet.row.lock: sheet.row for sheet in sheets(HOUSE).documents.values() if sheet.row}
    assert set(locks) == set(rows)
    for judge in LOCK_JUDGES:
        assert [said for name, lock in locks.items() for said in judge(rows[name], lock)] == []


@pytest.mark.needs("gh-aw")
@pytest.mark.xdist_group("pack house")
def test_what_the_real_compiler_sees_too_is_said_by_it() -> None:
    for name, (path, _, _) in SEEN.items():
        file = path.partition("/")[2]
        said = [(one.severity, one.message) for one in _edited().findings if file in (one.file or "")]
        print(f"{name}: {said}")
        wanted = "warning" if path == STORY else "error"
        assert [severity for severity, _ in said] == [wanted], name
        row = by_id(file.removeprefix("bmad-").removesuffix(".md"))
        assert (row.lock in _edited().locks) is (wanted == "warning"), name


@pytest.mark.needs("gh-aw")
@pytest.mark.xdist_group("pack house")
@pytest.mark.parametrize("name", IN_THE_LOCK)
def test_what_compiles_and_never_works_shows_in_the_lock(name: str) -> None:
    (path, _, _), judge = IN_THE_LOCK[name]
    row = by_id(path.partition("/bmad-")[2].removesuffix(".md"))
    lock = parse_lock(_edited().locks[row.lock], row.lock)
    said = list(judge(row, lock))
    print(f"{name}: {said[:1]}")
    assert said


def test_the_guard_is_the_same_bytes_in_every_workflow(pack: Sheets) -> None:
    guards = {
        step["run"]
        for sheet in pack.documents.values()
        for _, step in lessons.steps(sheet)
        if step.get("id") == "guard"
    }
    assert len(guards) == 1
    assert len(guards.pop().encode()) <= BUDGETS.guard_bytes
