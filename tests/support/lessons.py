"""One judge for each mistake that a converter before this one paid for: what must hold for every file.

A judge reads emitted files and nothing else, so it sees a mistake wherever it comes from. It yields what is
wrong, in words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

import yaml

from bmadc.backend import package, readme
from bmadc.backend.jobs import commands
from bmadc.backend.manifest import Manifest, digest
from bmadc.backend.package import FOLDER
from bmadc.ghaw.events import raises
from bmadc.ghaw.expressions import (
    ExpressionError,
    Status,
    condition,
    evaluate_template,
    find_templates,
    holds,
)
from bmadc.ghaw.expressions.queries import references
from bmadc.ghaw.vocabulary import tables
from bmadc.machine import catalogue, protocol
from bmadc.machine.catalogue import ROWS, Outcome, Row, Scope, row_of
from bmadc.machine.config import AGENT_CONFIG_PATH, AGENT_FOLDER
from bmadc.machine.labels import APPROVED, BREAKER, LABELS, Role
from bmadc.machine.places import Places
from support.built import built
from support.spine import FOREIGN, events, labeled

RELEASES = ("house", "6.0.4", "6.12.0")
NUMBER = 7


@dataclass(frozen=True)
class Sheet:
    """One file of a pack that GitHub or gh-aw reads."""

    path: str
    text: str
    row: Row | None = None
    """None for a workflow without a model."""

    @cached_property
    def front(self) -> dict[str, Any]:
        """The frontmatter, or the whole of a plain workflow."""
        head = self.text.split("\n---\n", 1)[0].removeprefix("---\n") if self.row else self.text
        found: dict[Any, Any] = yaml.load(head, yaml.CSafeLoader)
        # YAML takes the word for a truth value; GitHub does not.
        found["on"] = found.pop(True)
        return found

    @property
    def body(self) -> str:
        """What the agent reads."""
        return self.text.split("\n---\n", 1)[1]

    @property
    def outputs(self) -> dict[str, Any]:
        """The safe outputs."""
        found: dict[str, Any] = self.front["safe-outputs"]
        return found


@dataclass(frozen=True)
class Sheets:
    """A whole pack."""

    documents: Mapping[str, Sheet]
    plain: Mapping[str, Sheet]
    pages: Mapping[str, str]
    """The other files."""
    manifest: Manifest

    @property
    def all(self) -> tuple[Sheet, ...]:
        """Every workflow."""
        return (*self.documents.values(), *self.plain.values())

    def document(self, id_: str) -> Sheet:
        """The document of a row."""
        return self.documents[f"{FOLDER}/{catalogue.by_id(id_).document}"]

    def edited(self, path: str, old: str, new: str) -> Sheets:
        """The pack with one edit in one file."""
        sheet = self.documents.get(path) or self.plain.get(path)
        text = sheet.text if sheet is not None else self.pages[path]
        assert old in text, f"{path} has no {old!r}"
        text = text.replace(old, new, 1)
        if sheet is None:
            return replace(self, pages={**self.pages, path: text})
        changed = {path: Sheet(path, text, sheet.row)}
        if sheet.row is None:
            return replace(self, plain={**self.plain, **changed})
        return replace(self, documents={**self.documents, **changed})


@cache
def sheets(release: str) -> Sheets:
    """The pack of a release."""
    pack = built(release)
    rows = {f"{FOLDER}/{one.row.document}": one.row for one in pack.made}
    documents = {path: Sheet(path, pack.files[path], row) for path, row in rows.items()}
    plain = {
        path: Sheet(path, text) for path, text in pack.files.items() if path.endswith(".yml") and "/" in path
    }
    pages = {path: text for path, text in pack.files.items() if path not in documents and path not in plain}
    return Sheets(documents, plain, pages, pack.manifest)


Judge = Callable[[Sheet, Sheets], Iterator[str]]


def found(judge: Judge, pack: Sheets) -> list[str]:
    """Everything that a judge says of a pack."""
    return [f"{sheet.path}: {said}" for sheet in pack.all for said in judge(sheet, pack)]


# --- what stands in a file


def walk(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text of a tree, with where it stands."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from walk(inner, (*path, str(key)))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for inner in value:
            yield from walk(inner, (*path, "[]"))
    elif isinstance(value, str):
        yield path, value


def steps(sheet: Sheet) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every step with the job that it runs in."""
    yield from (("pre_activation", step) for step in sheet.front["on"].get("steps", ()))
    for key in ("pre-steps", "steps", "pre-agent-steps", "post-steps"):
        yield from (("agent", step) for step in sheet.front.get(key, ()))
    for job, inner in sheet.front["jobs"].items():
        yield from ((job, step) for step in inner.get("steps", ()))


_HEREDOC = re.compile(r"<<'(\w+)'\n.*?\n\1$", re.DOTALL | re.MULTILINE)


def scripts(sheet: Sheet) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Every step that runs shell, with its lines that are neither comments nor the text of a file."""
    for job, step in steps(sheet):
        if "run" in step:
            lines = _HEREDOC.sub("", step["run"]).splitlines()
            yield job, step, "\n".join(line for line in lines if not line.lstrip().startswith("#"))


def expressions(sheet: Sheet) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every expression, with where it stands."""
    for path, text in walk(sheet.front):
        if path[-1] == "if" and "${{" not in text:
            yield path, text
        elif path[-1] != "run":
            yield from ((path, one.expression) for one in find_templates(text))


def _step(sheet: Sheet, job: str, id_: str) -> dict[str, Any]:
    return next((step for where, step in steps(sheet) if where == job and step.get("id") == id_), {})


def _runs(contexts: Mapping[str, object], sheet: Sheet) -> bool:
    return holds(sheet.front["if"], contexts, Status(True, False, False))


def _scopes(sheet: Sheet, job: str) -> dict[str, str]:
    scopes: dict[str, str] = sheet.front["jobs"].get(job, {}).get("permissions", {})
    return scopes


# --- the lessons


def vocabulary_only(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """1: every key, output, option, event and toolset is in the tables of the pinned release."""
    if sheet.row is None:
        return
    front = sheet.front
    yield from (f"no key {key}" for key in front if key not in tables.FRONTMATTER_KEYS)
    for event, value in front["on"].items():
        if event not in tables.ON_KEYS and event not in tables.EVENT_OPTIONS:
            yield f"no event {event}"
        options = {**tables.ON_KEYS, **tables.EVENT_OPTIONS}.get(event, ())
        if isinstance(value, dict) and options:
            yield from (f"{event} takes no {key}" for key in value if key not in options)
    if front["engine"]["id"] not in tables.ENGINES:
        yield f"no engine {front['engine']['id']}"
    outputs = front["safe-outputs"]
    if not isinstance(outputs, dict):
        yield "the outputs are no mapping"
        return
    for name, value in outputs.items():
        if name not in tables.SAFE_OUTPUTS:
            yield f"no output {name}"
        elif isinstance(value, dict):
            yield from (
                f"{name} takes no {key}" for key in value if key not in tables.SAFE_OUTPUTS[name].options
            )
    for name in front["tools"]["github"]["toolsets"]:
        if name not in tables.GITHUB_TOOLSET_NAMES:
            yield f"no toolset {name}"


def agent_only_reads(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """2: the scopes of the agent and of the guard are read; jobs that write are named and without a model."""
    tops = (sheet.front["permissions"], sheet.front["on"].get("permissions", {}) if sheet.row else {})
    for scopes in tops:
        if not isinstance(scopes, dict) or set(scopes.values()) - {"read"}:
            yield f"the agent or the guard may write: {scopes}"


def no_expression_in_shell(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """3: what an expression says reaches a script by its environment alone."""
    for job, step in steps(sheet):
        if "${{" in step.get("run", ""):
            yield f"an expression stands in the shell of {job}"


def conditions_survive_yaml(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """4: every condition reaches GitHub as the text that was meant."""
    try:
        texts = list(walk(sheet.front))
    except yaml.YAMLError as problem:
        yield f"YAML takes a condition for something else: {str(problem)[:80]}"
        return
    for path, text in texts:
        if path[-1] == "if":
            try:
                condition(text)
            except ExpressionError as problem:
                yield f"{'.'.join(path)}: {problem}"
            # A `!` at the start is a tag to YAML, and whoever writes the file again may lose its quotes.
            if text.startswith("!"):
                yield f"{'.'.join(path)} begins with an exclamation mark"


def outputs_are_one_line(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """5: whatever is written to GITHUB_OUTPUT has its control characters taken out in the same breath."""
    for job, _given, text in scripts(sheet):
        for line in text.splitlines():
            if "GITHUB_OUTPUT" in line and "[[:cntrl:]]" not in line:
                yield f"{job} writes an output as it comes: {line.strip()[:60]}"


def gh_has_a_token(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """6: every step that calls gh is given a token."""
    for job, step, text in scripts(sheet):
        if re.search(r"\bgh +[a-z]", text) and not step.get("env", {}).get("GH_TOKEN"):
            yield f"{step.get('name')} in {job} calls gh without a token"


_GIT = r"(?:^|[\s;&|(])git\s+(?:-\S+\s+\S+\s+)*({})\b"


def no_local_refs(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """7: no step looks for branches in a checkout that has one commit."""
    wanted = _GIT.format("branch|log|rev-parse|show|show-ref|for-each-ref|merge-base|rev-list|diff|describe")
    for job, _given, text in scripts(sheet):
        yield from (f"{job}: git {m[1]}" for m in re.finditer(wanted, text))


def no_git_over_the_net(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """8: no step talks to the remote by git, whose credentials are gone; what is read is read by API."""
    wanted = _GIT.format("fetch|push|pull|clone|ls-remote|remote|submodule")
    for job, _given, text in scripts(sheet):
        yield from (f"{job}: git {m[1]}" for m in re.finditer(wanted, text))


_CREATES = (
    r"gh +(?:pr|issue|label|release|repo) +(?:create|edit|comment|merge|review|close)|-X +\"?(?:\$|P|D)"
)


def nothing_is_made_before_the_outputs(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """9: steps of the guard and of the agent, whose tokens read, make nothing."""
    for job, step, text in scripts(sheet):
        if job in ("pre_activation", "agent") and (m := re.search(_CREATES, text)):
            yield f"{step.get('name')} in {job} would write: {m[0]}"


def nothing_waits_for_labels_at_birth(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """10: a label that a pull request is born with raises no event, so none of them starts work."""
    if sheet.row is None:
        return
    born = sheet.outputs.get("create-pull-request", {}).get("labels", [])
    starting = {name for row in ROWS for name in commands(row)}
    yield from (f"born with {name}, which would start nothing" for name in born if name in starting)
    if sheet.row.outcome is Outcome.ENTRY:
        env = _step(sheet, "handoff", "handoff").get("env", {})
        if env.get("NEXT") not in starting or "safe_outputs" not in sheet.front["jobs"]["handoff"]["needs"]:
            yield "nobody sets the label that goes on, after the pull request is there"


def labels_are_awaited_where_they_are_raised(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """11: each label that starts a workflow is listened for under the event that its kind of item raises."""
    if sheet.row is None:
        return
    event, action = raises("add-label", sheet.row.on_pulls)
    on = sheet.front["on"]
    native = action in on.get(event, {}).get("types", ())
    command = on.get("label_command")
    by_command = command is not None and command["name"] in commands(sheet.row) and event in command["events"]
    if not native and not by_command:
        yield f"a label on its kind of item raises {event} {action}, which it does not hear"
    for name in commands(sheet.row):
        if not _runs(labeled(name, NUMBER, on_pull=sheet.row.on_pulls), sheet):
            yield f"the label {name} is heard and refused"


def waking_has_a_token_that_counts(sheet: Sheet, pack: Sheets) -> Iterator[str]:
    """12: whoever wakes another workflow dispatches, or has a credential; who is woken can be."""
    if sheet.row is None or sheet.row.outcome not in (Outcome.ENTRY, Outcome.PUSH, Outcome.VERDICT):
        return
    env = _step(sheet, "handoff", "handoff").get("env", {})
    way = env.get("WAKING")
    if way == "credential" and "secrets." not in env.get("WAKE_TOKEN", ""):
        yield "it sets the label with the run's own token, which starts nothing"
    if way == "bus":
        if _scopes(sheet, "handoff").get("actions") != "write":
            yield "it may not dispatch"
        for file in set(re.findall(r"[a-z-]+(?=\.lock\.yml)", env.get("CONSUMERS", ""))):
            woken = pack.documents.get(f"{FOLDER}/{file}.md")
            if woken is not None:
                on = woken.front["on"]
                if "pr" not in (on.get("workflow_dispatch") or {}).get("inputs", {}):
                    yield f"{file} takes no dispatch"
                if "github-actions[bot]" not in on.get("bots", ()):
                    yield f"{file} refuses the account that dispatches"
    elif way not in ("credential", "manual"):
        yield f"nobody is woken by {way}"


def triggers_are_those_of_the_protocol(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """13: a document hears the causes of its rows, labels on the wrong kind, and nothing else."""
    if sheet.row is None:
        return
    heard = {
        (event, action)
        for event, value in sheet.front["on"].items()
        if event in ("issues", "pull_request", "pull_request_review", "push", "schedule", "workflow_run")
        for action in (value or {}).get("types", ("*",))
    }
    wanted: set[tuple[str, str]] = set()
    if sheet.row.worker is not None:
        wanted = {("issues", "labeled")}
        for cause in {one.cause for one in protocol.wakes(sheet.row.worker)}:
            if cause is protocol.Cause.CHANGES_REQUESTED:
                wanted.add(("pull_request_review", cause.value))
            elif cause is not protocol.Cause.DISPATCH:
                wanted.add(("pull_request", cause.value))
    yield from (f"nobody decided that it hears {one}" for one in sorted(heard - wanted))
    yield from (f"it does not hear {one}" for one in sorted(wanted - heard))


def outputs_stay_in_their_job(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """14: an expression reads outputs of steps of its own job alone; of other jobs, what they give on."""
    known = {
        job: {step["id"] for where, step in steps(sheet) if where == job and "id" in step}
        for job, _ in steps(sheet)
    }
    for path, text in expressions(sheet):
        for reference in references(text):
            if reference[0] != "steps":
                continue
            job = (
                path[1] if path[0] == "jobs" else {"on": "pre_activation", "steps": "agent"}.get(path[0], "")
            )
            job = {"pre-activation": "pre_activation"}.get(job, job)
            if reference[1] not in known.get(job, ()):
                yield f"{'.'.join(path)} reads {'.'.join(reference)}, which is of another job"


def bursts_cancel_nothing(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """15: all runs of an item share one group, nothing running is cancelled and nothing waiting dropped."""
    given = sheet.front.get("concurrency")
    if not isinstance(given, dict):
        yield "it has the group that gh-aw gives it, in which a skipped run cancels the wanted one"
        return
    if given.get("cancel-in-progress") is not False or given.get("queue") != "max":
        yield "a run may push another one out"
    if sheet.row is not None:
        contexts = next(iter(events(sheet.row, NUMBER).values()))
        if evaluate_template(given["group"], contexts) != f"bmad-{NUMBER}":
            yield f"the group is {given['group']}"


_OF_PEOPLE = {"submitted", "synchronize", "ready_for_review"}


def what_is_approved_rests(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """16: nothing but an act of a person takes up what is approved."""
    if sheet.row is None:
        return
    env = _step(sheet, "pre_activation", "guard").get("env", {})
    if APPROVED.name not in env.get("STATES", "").split():
        yield "the guard does not know the state in which all ends"
    for cause, _, moves in (one.partition("=") for one in env.get("WAKES", "").split()):
        for move in moves.split(","):
            if move.startswith(f"{APPROVED.name}>") and cause not in _OF_PEOPLE:
                yield f"{cause} starts it again after the approval"


def no_glue(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """17: no workflow beside gh-aw's writes into the repository; every output is one of the vocabulary."""
    if sheet.row is None:
        for path, text in walk(sheet.front):
            if path[-2:] == ("permissions", "contents") and text == "write":
                yield "a workflow without a model may write into the repository"


def _comment(body: str, kind: str) -> Mapping[str, object]:
    event = {
        "action": "created",
        "comment": {"body": body, "user": {"type": kind}},
        "issue": {"number": NUMBER},
    }
    return {"github": {"event_name": "issue_comment", "event": event}}


_HEARS = {"issue_comment", "discussion_comment", "pull_request_review_comment", "slash_command", "discussion"}


def comments_of_bots_start_nothing(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """18: whoever may comment hears no comments, and whoever hears them asks who wrote them."""
    heard = _HEARS & set(sheet.front["on"])
    if sheet.row is not None:
        yield from (f"it may comment, and {event} starts it" for event in sorted(heard))
        return
    for name, job in sheet.front["jobs"].items():
        for body in ("/resume", "/approve", "/bmad stop") if heard else ():
            if holds(job.get("if", "true"), _comment(body, "Bot"), Status(True, False, False)):
                yield f"a bot's comment {body} starts {name}"


OWN_WORDS = (
    "**Stopped: a person has to decide.**\n\n- What to do: decide. Then comment `/resume`.",
    "**Nothing was started.** This is closed.",
    "/resume\n\n> Made by a run, https://github.com/octo/demo/actions/runs/1",
    "/approve, says the review.\n",
    "Next: add the label `bmad-review` to go on. Nothing happens until a person does.",
)


def own_comments_start_nothing(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """19: gh-aw posts nothing by itself, and what the pack writes is no command, with any token."""
    if sheet.row is not None:
        on, outputs = sheet.front["on"], sheet.outputs
        if "label_command" in on and (on.get("status-comment") is not False or on.get("reaction") != "none"):
            yield "gh-aw would comment or react on its own"
        for name in ("activation-comments", "report-failure-as-issue", "report-failed-jobs"):
            if outputs.get(name) is not False:
                yield f"{name} is on"
        for name in ("noop", "missing-tool", "missing-data", "report-incomplete"):
            if set((outputs.get(name) or {"": True}).values()) != {False}:
                yield f"{name} opens issues"
        return
    if "issue_comment" in sheet.front["on"]:
        for name, job in sheet.front["jobs"].items():
            for body in OWN_WORDS:
                starts = holds(job.get("if", "true"), _comment(body, "User"), Status(True, False, False))
                # The commands' own script reads the whole comment and takes nothing with a footer.
                if starts and name != "commands":
                    yield f"the pack's own words start {name}: {body[:30]!r}"


def foreign_labels_cost_nothing(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """20: a label that is not ours is refused by a condition of the first job, not by a step of it."""
    if sheet.row is None:
        return
    for name in (*FOREIGN, *(label.name for label in LABELS if label.role is not Role.STATE)):
        if name in commands(sheet.row):
            continue
        if sheet.row.worker is None:
            # gh-aw compares the label of a command itself; it must be the only one that is heard.
            command = sheet.front["on"].get("label_command", {})
            if name in (command.get("name"), *command.get("names", ())) or "issues" in sheet.front["on"]:
                yield f"the label {name} starts it"
        elif _runs(labeled(name, NUMBER, on_pull=True), sheet) or _runs(
            labeled(name, NUMBER, on_pull=False), sheet
        ):
            yield f"the label {name} starts its first job"


def dispatch_carries_what_is_read(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """21: on a dispatch, every value that names the item comes from an input, and the input is declared."""
    if sheet.row is None:
        return
    given = "pr" if sheet.row.worker else "item_number"
    inputs = (sheet.front["on"].get("workflow_dispatch") or {}).get("inputs", {})
    if sheet.row.worker and not inputs.get(given, {}).get("required"):
        yield f"a dispatch may come without {given}"
    event = {"event_name": "workflow_dispatch", "event": {"inputs": {given: str(NUMBER)}}, "run_id": 1}
    for path, text in walk(sheet.front):
        if path[-1] != "if" and re.search(r"github\.event\.(issue|pull_request)\.number", text):
            value = evaluate_template(text, {"github": event})
            if str(NUMBER) not in str(value):
                yield f"{'.'.join(path)} is {value!r} on a dispatch"


def bytes_are_those_of_the_build(sheet: Sheet, pack: Sheets) -> Iterator[str]:
    """22: a file that was mended by hand is not the file of the build, and `check` says so."""
    if digest(sheet.text) != pack.manifest.outputs.get(sheet.path):
        yield "it is not what the build gave"


# --- the defects


def guards_are_read(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 1: every output of the guard is read by a job, and without its `go` no agent runs."""
    if sheet.row is None:
        return
    outputs = sheet.front["jobs"].get("pre-activation", {}).get("outputs", {})
    read = {
        ref[3]
        for _, text in expressions(sheet)
        for ref in references(text)
        if ref[:3] == ("needs", "pre_activation", "outputs")
    }
    read |= set(re.findall(r"needs\.pre_activation\.outputs\.(\w+)", sheet.body))
    # The branch is read where it is checked out, the state where one is entered: in the loop.
    idle = set() if sheet.row.worker else {"head_ref", "enters"}
    yield from (f"nobody reads the output {name} of the guard" for name in sorted(set(outputs) - read - idle))
    for name in ("go", "halt"):
        if outputs.get(name) != f"${{{{ steps.guard.outputs.{name} }}}}":
            yield f"what the guard says with {name} reaches nobody"
    decided = {**dict.fromkeys(outputs, ""), "go": "false"}
    contexts = {"github": {"event_name": "issues"}, "needs": {"pre_activation": {"outputs": decided}}}
    gate = sheet.front["jobs"].get("activation", {}).get("if", "true")
    if holds(gate, contexts, Status(True, False, False)):
        yield "the agent is paid for whatever the guard says"


def blocker_protocol_can_run(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 2: who is told to set the breaker and to comment has both outputs."""
    if sheet.row is None or BREAKER.name not in sheet.body:
        if sheet.row is not None:
            yield "nobody told it how to stop"
        return
    labels = sheet.outputs.get("add-labels", {})
    if BREAKER.name not in labels.get("allowed", ()) or labels.get("max", 0) < 1:
        yield f"it is told to set {BREAKER.name} and cannot"
    if sheet.outputs.get("add-comment", {}).get("max", 0) < 1:
        yield "it is told to comment and cannot"


def the_breaker_can_be_set(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 3: a job whose script labels or comments may do so, and the agent's is none of them."""
    for job, step, text in scripts(sheet):
        if re.search(r"issues/\$1/(labels|comments)", text):
            if job in ("agent", "pre_activation"):
                yield f"{step.get('name')} labels with a token that reads"
            elif _scopes(sheet, job).get("issues") != "write":
                yield f"{job} may not set the breaker"
            elif (sheet.row is None or sheet.row.on_pulls) and _scopes(sheet, job).get(
                "pull-requests"
            ) != "write":
                yield f"{job} may not set the breaker on a pull request"
    if sheet.row is not None and _step(sheet, "halt", "halt").get("env", {}).get("BREAKER") != BREAKER.name:
        yield "the halt does not know the breaker"


def nobody_is_known_by_the_sender(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 4: the pack's own pushes are known by their message; no condition asks for a bot's name."""
    for path, text in expressions(sheet):
        if "[bot]" in text or {("github", "actor"), ("github", "triggering_actor")} & set(references(text)):
            yield f"{'.'.join(path)} asks who sent it"
    env = _step(sheet, "pre_activation", "guard").get("env", {})
    if sheet.row is not None and not env.get("BOT_COMMIT", "").startswith("^"):
        yield "the guard cannot tell the pack's own pushes"


def what_stopped_can_resume(_: Sheet, pack: Sheets) -> Iterator[str]:
    """Defect 5: taking the breaker off is heard on both kinds of items, and wakes whoever is due."""
    if _.row is not None or not _.path.endswith("bmad-resume.yml"):
        return
    for event in ("issues", "pull_request"):
        if "unlabeled" not in (_.front["on"].get(event) or {}).get("types", ()):
            yield f"it does not hear the breaker go on {event}"
    env = _step(_, "resume", "resume").get("env", {})
    if env.get("WAKING") == "bus" and _scopes(_, "resume").get("actions") != "write":
        yield "it wakes nobody"
    states = {
        name
        for sheet in pack.documents.values()
        if sheet.row and sheet.row.worker
        for name in commands(sheet.row)
    }
    yield from (
        f"nobody is woken in {name}" for name in sorted(states) if f'"{name}"' not in env.get("CONSUMERS", "")
    )


def the_breaker_is_read_by_path(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 6: no expression looks for labels in whatever the event holds; the guard asks by number."""
    for path, text in expressions(sheet):
        for ref in references(text):
            if ref[:3] == ("github", "event", "*"):
                yield f"{'.'.join(path)} reads {'.'.join(ref)}, which a dispatch does not have"
    if sheet.row is not None:
        env = _step(sheet, "pre_activation", "guard").get("env", {})
        if env.get("BREAKER") != BREAKER.name or not env.get("NUMBER"):
            yield "the guard does not look for the breaker"


_PLACES = Places()
_ARTEFACTS = {catalogue.Artefact.SPRINT: "sprint-status.yaml", catalogue.Artefact.PRD: "prd.md"}


def artefacts_are_written(sheet: Sheet, pack: Sheets) -> Iterator[str]:
    """Defect 7: whoever leaves a document can write it, and it may lie where it belongs."""
    row = sheet.row
    if row is None or row.scope is Scope.NOTHING:
        return
    carrying = [
        sheet.outputs[name]
        for name in ("create-pull-request", "push-to-pull-request-branch")
        if name in sheet.outputs
    ]
    if not carrying:
        yield "what it writes reaches nobody"
    for artefact in row.leaves:
        folder = _PLACES.implementation if artefact is catalogue.Artefact.SPRINT else _PLACES.planning
        path = f"{folder}/{_ARTEFACTS.get(artefact, 'x.md')}"
        for output in carrying:
            roots = [pattern.removesuffix("**") for pattern in output.get("allowed-files", ["**"])]
            if not any(path.startswith(root) for root in roots):
                yield f"it may not write {path}"
    if row.outcome is Outcome.VERDICT and "push-to-pull-request-branch" not in sheet.outputs:
        yield "the review cannot note its result in the story"


def research_has_the_web(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 8: work that searches the web has the tools for it and the hosts."""
    if sheet.row is None or not sheet.row.web:
        return
    yield from (f"no {tool}" for tool in ("web-fetch", "web-search") if tool not in sheet.front["tools"])
    if not set(sheet.front["network"]["allowed"]) - {"defaults", "github"}:
        yield "nothing but GitHub can be reached"


def what_is_named_is_shipped(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 9: every file that the text names beside the agent is written before it starts.

    Templates and tables that the agent reads are sections of the text; that none is lost is the ledger's.
    """
    if sheet.row is None:
        return
    folder = re.escape(AGENT_FOLDER)
    named = set(re.findall(rf"{folder}/[\w./-]*\w", sheet.body)) - {AGENT_CONFIG_PATH}
    shell = "\n".join(text for job, _given, text in scripts(sheet) if job == "agent")
    written = set(re.findall(rf"^: >({folder}/\S+)$", shell, re.MULTILINE))
    for path in sorted(named):
        if path not in written and not any(one.startswith(f"{path}/") for one in written):
            yield f"{path} is named and not there"


def everything_has_a_limit(sheet: Sheet, _: Sheets) -> Iterator[str]:
    """Defect 10: no branch is followed, every output has its number, labels and titles are closed."""
    if sheet.row is None:
        return
    front = sheet.front
    if "source" in front:
        yield "it follows a branch of somebody"
    yield from (f"no {key}" for key in ("timeout-minutes", "max-turns") if not front.get(key))
    for name, value in sheet.outputs.items():
        counts = "max" in tables.SAFE_OUTPUTS[name].options and name in _WRITES
        if counts and not isinstance(value.get("max"), int):
            yield f"{name} has no max"
    if "title-prefix" not in sheet.outputs.get("create-pull-request", {"title-prefix": ""}):
        yield "a pull request may have any title"
    allowed = sheet.outputs.get("add-labels", {}).get("allowed")
    closed = {BREAKER.name, *(label.name for label in LABELS if label.role is Role.VERDICT)}
    if allowed is None or set(allowed) - closed:
        yield f"the agent may set {sorted(set(allowed or ['anything']) - closed)}"
    if "allowed-files" not in str(sheet.outputs) and sheet.row.scope is Scope.ARTEFACTS:
        yield "it may write any file"


_WRITES = {
    "add-comment",
    "add-labels",
    "create-pull-request",
    "create-pull-request-review-comment",
    "push-to-pull-request-branch",
    "submit-pull-request-review",
}
_NAMED = re.compile(r"\blabels? `([^`\n]+)`")


def labels_have_one_source(sheet: Sheet, pack: Sheets) -> Iterator[str]:
    """Defect 11: every label that any file names, to agents or to people, is in the table."""
    known = {label.name for label in LABELS} | {one.row.label for one in pack.documents.values() if one.row}
    known |= {row.label for row in ROWS}
    if sheet.row is not None:
        own = row_of(sheet.row.sources[0]).label if sheet.row in ROWS else sheet.row.label
        command = sheet.front["on"].get("label_command")
        if command is not None and command["name"] != own:
            yield f"it is asked for by {command['name']} and called by {own}"
        for name in _NAMED.findall(sheet.body):
            if name.startswith("bmad-") and name not in known:
                yield f"its text names the label {name}, which does not exist"
        for name in commands(sheet.row):
            if f"`{name}`" not in pack.pages[readme.FILE]:
                yield f"{readme.FILE} does not name {name}"
            if f"name: {name}\n" not in pack.pages[package.FILE]:
                yield f"{package.FILE} does not make {name}"
