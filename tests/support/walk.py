"""A small GitHub: events start the compiled locks, their jobs run our scripts, writes raise events again.

Nothing of the pack is imitated here. Which jobs run is read from the lock, what they do is the script in it,
with the environment that the lock gives it and a token that may do what the lock permits. Only the agent is
played: a test says what each of its runs leaves behind.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from bmadc.ghaw.events import raises, starts_runs
from bmadc.ghaw.expressions import evaluate_template, to_string
from bmadc.ghaw.jobgraph import Contexts, JobGraph, Outcome, run, workflow_starts
from bmadc.ghaw.locks import Job, Lock, Step, parse_lock
from bmadc.machine.catalogue import ROWS, SPINE, Row
from bmadc.machine.wiring import BUS, Waking, Wiring
from support.built import HOUSE, built, workflows
from support.built import compiled as compiled_pack
from support.fakegh import BOT, DEFAULT_BRANCH, PERSON, REPOSITORY, WAKE_TOKEN, user
from support.shell import Bench
from support.spine import compiled
from support.spinepack import pack

ISSUE, PULL = 7, 101
OURS = frozenset(
    {"commands", "config", "enter", "gate", "guard", "halt", "handoff", "mistake", "resume", "sweep"}
)
STRANGER = "eve"
"""May label, as many may, and has no write access."""

Act = Callable[["Walk"], Outcome]


class Walk:
    """One repository with a pack installed, the short one if none is given, and all that happened in it."""

    def __init__(
        self,
        wiring: Wiring,
        place: Path,
        rows: tuple[Row, ...] = SPINE,
        installed: Mapping[str, Lock] | None = None,
    ) -> None:
        self.wiring = wiring
        self.bench = Bench(place)
        self.github = self.bench.github
        self.github.collaborator(STRANGER, "triage")
        self.locks = dict(installed if installed is not None else _short(wiring))
        self.rows = {row.lock: row for row in rows}
        for row in rows:
            self.github.workflow(
                row.lock, ("pr", "aw_context") if row.worker else ("item_number", "aw_context")
            )
        self.events: deque[tuple[str, dict[str, Any], str | None]] = deque()
        self.followed = 0
        self.trace: list[str] = []
        """`workflow: what became of it`, for every run in which a job ran."""
        self.plan: dict[str, deque[Act]] = {row.lock: deque() for row in rows}
        """What the agent of each workflow leaves behind, run by run."""

    # --- acts of people

    def person_labels(self, number: int, name: str, who: str = PERSON) -> None:
        """A person sets a label."""
        self.github.label(number, name, who)
        self._raise("labeled", number, who, label={"name": name})

    def person_unlabels(self, number: int, name: str) -> None:
        """A person takes a label off."""
        self.github.unlabel(number, name)
        self._raise("unlabeled", number, PERSON, label={"name": name})

    def person_reviews(self, number: int, state: str) -> None:
        """A person submits a review."""
        review = {"id": self.github.review(number, state), "state": state.lower()}
        self._queue("pull_request_review", {"action": "submitted", "review": review}, number, PERSON)

    def person_pushes(self, number: int, sha: str, message: str) -> None:
        """A person pushes one commit."""
        self.github.push(number, sha, message)
        self._queue("pull_request", {"action": "synchronize"}, number, PERSON)

    def person_ends_draft(self, number: int) -> None:
        """A person marks a pull request as ready."""
        self.github.ready(number)
        self._queue("pull_request", {"action": "ready_for_review"}, number, PERSON)

    def person_comments(self, number: int, body: str, who: str = PERSON) -> None:
        """A person comments."""
        comment = {"body": body, "user": user(who)}
        self._queue(
            "issue_comment", {"action": "created", "comment": comment, "issue": {"number": number}}, 0, who
        )

    def person_merges(self, number: int, files: Mapping[str, str]) -> None:
        """A person merges a pull request, and its files are on the default branch."""
        self.github.close(number, merged=True)
        for path, text in files.items():
            self.github.content(path, text)

    # --- what the agent leaves behind

    @property
    def writer(self) -> str:
        """Whose token the safe outputs have."""
        return PERSON if self.wiring.waking is Waking.CREDENTIAL else BOT

    def _raise(self, action: str, number: int, actor: str, **more: object) -> None:
        on_pull = self.github.state["items"][str(number)]["kind"] == "pull"
        event, raised = raises("add-label" if action == "labeled" else "remove-label", on_pull)
        assert raised == action
        self._queue(event, {"action": action, **more}, number, actor)

    def _queue(self, event: str, payload: dict[str, Any], number: int, actor: str) -> None:
        if not starts_runs("default" if actor == BOT else "credential", event):
            return
        if number:
            item = self.github.state["items"][str(number)]
            shown = {"number": number, "labels": [{"name": name} for name in self.github.labels(number)]}
            if item["kind"] == "pull":
                shown["head"] = {"repo": {"full_name": item["head"]["repo"]}}
            payload["pull_request" if item["kind"] == "pull" else "issue"] = shown
        self.events.append((event, {**payload, "sender": user(actor)}, None))

    # --- runs

    def settle(self) -> list[str]:
        """Lets everything happen that follows from what happened, and gives what ran since the last call."""
        before = len(self.trace)
        while self.events:
            assert len(self.trace) - before < 60, f"this does not end: {self.trace[-12:]}"
            name, payload, only = self.events.popleft()
            for file, lock in self.locks.items():
                if only in (None, file) and workflow_starts(lock, name, payload.get("action"), payload):
                    self._run(file, lock, name, payload)
        if self.wiring.waking is Waking.MANUAL:
            self._follow_the_comment()
            if self.events:
                self.settle()
        return self.trace[before:]

    def _follow_the_comment(self) -> None:
        """In the manual wiring a person does what the last comment says, once."""
        said = self.github.comments(PULL)
        if len(said) > self.followed and said[-1].startswith("Next: add the label `"):
            self.person_labels(PULL, said[-1].split("`")[1])
        self.followed = len(said)

    def _run(self, file: str, lock: Lock, event: str, payload: dict[str, Any]) -> None:
        payload = {**payload, "repository": {"default_branch": DEFAULT_BRANCH}}
        contexts: dict[str, object] = {
            "github": {"event_name": event, "event": payload, "repository": REPOSITORY, "run_id": 1},
            "secrets": {"BMAD_TOKEN": WAKE_TOKEN},
            "vars": {},
        }
        said: list[str] = []
        outcomes: dict[str, Callable[[Contexts], Outcome]] = {}
        for job in lock.jobs:
            outcomes[job.id] = self._player(file, lock, job, payload, said)
        seen = self._written()
        done = run(JobGraph.of(lock), contexts, outcomes)
        if done.ran:
            stem = file.removesuffix(".lock.yml").removesuffix(".yml").removeprefix("bmad-")
            self.trace.append(f"{stem}: {' '.join(said)}")
        self._raise_what_was_written(seen)

    def _player(
        self, file: str, lock: Lock, job: Job, payload: Mapping[str, Any], said: list[str]
    ) -> Callable[[Contexts], Outcome]:
        def play(contexts: Contexts) -> Outcome:
            steps: dict[str, dict[str, str]] = {}
            if job.id == "activation" and (row := self.rows[file]).trigger is not None:
                # gh-aw takes the one-shot label off here.
                item = payload.get("issue") or payload["pull_request"]
                self.github.unlabel(item["number"], row.trigger.name, BOT)
            if job.id == "safe_outputs":
                said.append("agent")
                return self.plan[file].popleft()(self)
            for step in job.steps:
                if step.id == "check_membership":
                    steps[step.id] = {"is_team_member": str(_is_member(step, payload)).lower()}
                elif step.id in OURS:
                    steps[step.id] = self._script(lock, job, step, {**contexts, "steps": _as_context(steps)})
            if code := steps.get("guard", {}).get("code"):
                said.append(code)
            elif job.id not in ("pre_activation", "enter", "gate") and steps:
                said.append(job.id)
            return Outcome(steps=steps)

        return play

    def _script(self, lock: Lock, job: Job, step: Step, contexts: dict[str, object]) -> dict[str, str]:
        permissions = lock.permissions_of(job)
        assert permissions is not None
        token = f"token-of-{job.id}"
        self.github.token(token, BOT, dict(permissions.levels))
        github = contexts["github"]
        assert isinstance(github, dict)
        contexts["github"] = {**github, "token": token}
        env = {name: to_string(evaluate_template(text, contexts)) for name, text in step.env.items()}
        assert step.run is not None
        result = self.bench.run_text(step.run, {**env, "PAUSE": "0", "NOW": str(self.github.now)})
        assert (result.code, result.litter, result.stderr) == (0, (), ""), result
        refused = [call for call in self.github.calls() if call.status in (401, 403)]
        assert refused == [], f"{job.id} lacks a permission: {refused[0]}"
        return dict(result.outputs)

    def _written(self) -> tuple[dict[int, int], int]:
        items = {int(number): len(self.github.events(int(number))) for number in self.github.state["items"]}
        return items, len(self.github.dispatches())

    def _raise_what_was_written(self, seen: tuple[dict[int, int], int]) -> None:
        for number in map(int, list(self.github.state["items"])):
            for entry in self.github.events(number)[seen[0].get(number, 0) :]:
                if entry["event"] in ("labeled", "unlabeled"):
                    self._raise(entry["event"], number, entry["actor"]["login"], label=entry["label"])
                elif entry["event"] == "committed":
                    self._queue("pull_request", {"action": "synchronize"}, number, self.writer)
                elif entry["event"] == "reviewed":
                    review = {"id": entry["id"], "state": entry["state"]}
                    self._queue(
                        "pull_request_review", {"action": "submitted", "review": review}, number, self.writer
                    )
        for file, inputs in self.github.dispatches()[seen[1] :]:
            assert starts_runs("default", "workflow_dispatch")
            self.events.append(("workflow_dispatch", {"inputs": inputs, "sender": user(BOT)}, file))


def _short(wiring: Wiring) -> dict[str, Lock]:
    plain = {name: text for name, text in pack(wiring).items() if name.endswith(".yml")}
    texts = {**compiled(wiring).locks, **plain}
    return {name: parse_lock(text, name) for name, text in sorted(texts.items())}


@cache
def _house() -> Mapping[str, Lock]:
    plain = {name: text for name, text in workflows(built(HOUSE)).items() if name.endswith(".yml")}
    texts = {**compiled_pack(HOUSE).locks, **plain}
    return {name: parse_lock(text, name) for name, text in sorted(texts.items())}


def house_walk(place: Path) -> Walk:
    """A repository with the pack of the house edition, every workflow of it."""
    rows = tuple(row for row in ROWS if row.lock in _house())
    return Walk(BUS, place, rows, _house())


def _as_context(steps: Mapping[str, Mapping[str, str]]) -> dict[str, object]:
    return {step: {"outputs": dict(outputs)} for step, outputs in steps.items()}


def _is_member(step: Step, payload: Mapping[str, Any]) -> bool:
    """gh-aw's role check, as far as it matters: people with a role, and bots that the lock names."""
    login = payload["sender"]["login"]
    return login == PERSON or login in step.env.get("GH_AW_ALLOWED_BOTS", "").split(",")


# --- what an agent may do


def opens_pull_request(walk: Walk) -> Outcome:
    """The story is written and its pull request opened."""
    walk.github.pull(
        PULL, ["bmad-pipeline"], ref="story/7", sha="1" * 40, message="[SM] [CREATE-STORY] Write the story"
    )
    return Outcome(outputs={"created_pr_number": str(PULL)})


def pushes(sha: str) -> Act:
    """The story is implemented and pushed."""

    def act(walk: Walk) -> Outcome:
        walk.github.push(PULL, sha * 40, "[DEV] [DEV-STORY] Implement the story")
        return Outcome(outputs={"push_commit_sha": sha * 40, "code_push_failure_count": "0"})

    return act


def judges(verdict: str) -> Act:
    """The implementation is reviewed, with one verdict."""

    def act(walk: Walk) -> Outcome:
        walk.github.review(PULL, "COMMENTED", walk.writer)
        walk.github.label(PULL, verdict, walk.writer)
        return Outcome()

    return act
