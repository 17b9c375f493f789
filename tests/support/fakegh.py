"""The repository that the fake `gh` answers from: built in Python, changed by scripts, read by tests.

Acts of people and of the pipeline are methods here, with the events that GitHub would write in the timeline,
so that a test never makes up a history that could not happen. Times come from a clock that only acts move.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

REPOSITORY = "octo/demo"
DEFAULT_BRANCH = "main"
START = int(datetime(2026, 1, 1, tzinfo=UTC).timestamp())
BOT = "github-actions[bot]"
PERSON = "ada"
TOKEN = "token-of-the-run"
"""The run's own token; acts as the bot and may do everything unless a test takes permissions away."""
WAKE_TOKEN = "token-of-a-person"
"""A credential: acts as a person."""
ALWAYS = -1
SHA = "a" * 40


@dataclass(frozen=True, slots=True)
class Call:
    """One call that a script made."""

    method: str
    path: str
    token: str
    actor: str | None
    body: Any
    status: int

    @property
    def is_write(self) -> bool:
        """Whether the call was meant to change something and did."""
        return self.method != "GET" and self.status < 400


def user(login: str) -> dict[str, str]:
    """An account as the API shows it; the pipeline's accounts end with `[bot]`."""
    return {"login": login, "type": "Bot" if login.endswith("[bot]") else "User"}


class FakeGitHub:
    """One repository, kept in a file between the runs of scripts."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.state: dict[str, Any] = {
            "repository": {"full_name": REPOSITORY, "default_branch": DEFAULT_BRANCH},
            "clock": START,
            "last_id": 1000,
            "page_limit": 100,
            "merge_pages": False,
            "truncated": False,
            "items": {},
            "timeline": {},
            "comments": {},
            "reviews": {},
            "commits": {},
            "collaborators": {PERSON: "write"},
            "workflows": {},
            "runs": [],
            "contents": {},
            "tokens": {},
            "faults": [],
            "log": [],
        }
        self.token(TOKEN, BOT, {"*": "write"})
        self.token(WAKE_TOKEN, PERSON, {"*": "write"})

    # The file that the fake reads

    def save(self) -> None:
        """Hands the repository to the fake."""
        self.file.write_text(json.dumps(self.state), encoding="utf-8")

    def load(self) -> None:
        """Takes over what scripts changed; a call that the fake did not know is an error here."""
        self.state = json.loads(self.file.read_text(encoding="utf-8"))
        unknown = self.file.with_name(self.file.name + ".unknown")
        if unknown.exists():
            raise AssertionError(unknown.read_text(encoding="utf-8"))

    # Setting the scene

    def token(self, token: str, actor: str, permissions: Mapping[str, str]) -> None:
        """Makes a token known; `*` stands for every permission that is not named."""
        self.state["tokens"][token] = {"actor": actor, "permissions": dict(permissions)}

    def fault(self, match: str, status: int = 502, times: int = ALWAYS, **more: object) -> None:
        """Lets matching calls (`METHOD path`, a regular expression) fail, `times` times.

        With `applied=True` the change is made before the failure is reported; with a status below 400 the
        text `body` is given instead of an answer.
        """
        self.state["faults"].append({"match": match, "status": status, "times": times, **more})

    def workflow(
        self, file: str, inputs: Iterable[str] = ("pr", "aw_context"), state: str = "active"
    ) -> None:
        """Installs a workflow that takes dispatches with these inputs."""
        self.state["workflows"][file] = {"state": state, "inputs": list(inputs)}

    def run(self, title: str, status: str = "in_progress", **more: object) -> None:
        """Adds a run of some workflow."""
        self.state["runs"].append({"display_title": title, "status": status, **more})

    def content(self, path: str, text: str, ref: str = DEFAULT_BRANCH) -> None:
        """Puts a file on a branch."""
        self.state["contents"].setdefault(ref, {})[path] = text

    def collaborator(self, login: str, permission: str) -> None:
        """Gives an account a role in the repository."""
        self.state["collaborators"][login] = permission

    def issue(self, number: int, labels: Iterable[str] = (), **more: object) -> None:
        """Adds an issue; its labels are set by a person, with their events."""
        self.state["items"][str(number)] = {
            "kind": "issue",
            "number": number,
            "title": "A story",
            "body": "",
            "state": "open",
            "user": user(PERSON),
            "labels": [],
        } | more
        for name in labels:
            self.label(number, name)

    def pull(
        self,
        number: int,
        labels: Iterable[str] = (),
        *,
        ref: str = "story/1",
        sha: str = SHA,
        message: str = "[SM] [CREATE-STORY] A change",
        repo: str | None = REPOSITORY,
        **more: object,
    ) -> None:
        """Adds a pull request with one commit; its labels are set by the pipeline, with their events."""
        self.issue(number)
        self.state["items"][str(number)] |= {
            "kind": "pull",
            "user": user(BOT),
            "draft": False,
            "merged": False,
            "head": {"ref": ref, "sha": sha, "repo": repo},
            "base": {"ref": DEFAULT_BRANCH},
        } | more
        self.state["commits"][sha] = {"message": message}
        for name in labels:
            self.label(number, name, BOT)

    def commit(self, sha: str, message: str) -> None:
        """Adds a commit that no pull request has as its head yet."""
        self.state["commits"][sha] = {"message": message}

    # Acts

    def tick(self, seconds: int = 1) -> str:
        """Moves the clock and gives the time as the API writes it."""
        self.state["clock"] += seconds
        return datetime.fromtimestamp(self.state["clock"], UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def event(self, number: int, event: str, **more: object) -> None:
        """Appends one event to the history of an item."""
        self.state["last_id"] += 1
        entry = {"id": self.state["last_id"], "event": event, **more}
        self.state["timeline"].setdefault(str(number), []).append(entry)

    def label(self, number: int, name: str, actor: str = PERSON) -> None:
        """Sets a label, as a person unless said otherwise; one that is there already raises no event."""
        held = self.state["items"][str(number)]["labels"]
        if name not in held:
            held.append(name)
            self.event(number, "labeled", label={"name": name}, actor=user(actor), created_at=self.tick())

    def unlabel(self, number: int, name: str, actor: str = PERSON) -> None:
        """Takes a label off, as a person unless said otherwise."""
        self.state["items"][str(number)]["labels"].remove(name)
        self.event(number, "unlabeled", label={"name": name}, actor=user(actor), created_at=self.tick())

    def review(
        self, number: int, state: str, login: str = PERSON, body: str = "", association: str = "MEMBER"
    ) -> int:
        """Submits a review (`APPROVED`, `CHANGES_REQUESTED`, `COMMENTED`) and gives its id."""
        when = self.tick()
        self.event(
            number,
            "reviewed",
            state=state.lower(),
            user=user(login),
            body=body,
            submitted_at=when,
            author_association=association,
        )
        review: int = self.state["last_id"]
        self.state["reviews"].setdefault(str(number), []).append(
            {
                "id": review,
                "state": state,
                "user": user(login),
                "body": body,
                "submitted_at": when,
                "author_association": association,
            }
        )
        return review

    def comment(self, number: int, body: str, login: str = BOT) -> int:
        """Comments, as the pipeline unless said otherwise, and gives the comment's id."""
        entry = {"body": body, "user": user(login), "created_at": self.tick()}
        self.event(number, "commented", **entry)
        comment: int = self.state["last_id"]
        self.state["comments"].setdefault(str(number), []).append({"id": comment, **entry})
        return comment

    def refer(self, number: int, source: int | Mapping[str, object]) -> None:
        """Lets a pull request of this repository, or an item as another one shows it, name an item."""
        shown = {"number": source} if isinstance(source, int) else {"type": "issue", "issue": source}
        self.event(number, "cross-referenced", source=shown, actor=user(PERSON), created_at=self.tick())

    def dismiss(self, number: int, review: int) -> None:
        """Dismisses a review: it stays in the history, with another state."""
        for entry in self.state["reviews"][str(number)]:
            if entry["id"] == review:
                entry["state"] = "DISMISSED"
        for entry in self.state["timeline"][str(number)]:
            if entry["id"] == review:
                entry["state"] = "dismissed"
        self.event(number, "review_dismissed", actor=user(PERSON), created_at=self.tick())

    def push(self, number: int, sha: str, message: str) -> None:
        """Moves the head of a pull request to a new commit."""
        self.commit(sha, message)
        self.state["items"][str(number)]["head"]["sha"] = sha
        self.event(number, "committed", sha=sha, message=message)

    def close(self, number: int, *, merged: bool = False) -> None:
        """Closes an item."""
        item = self.state["items"][str(number)]
        item["state"] = "closed"
        if item["kind"] == "pull":
            item["merged"] = merged
        self.event(number, "merged" if merged else "closed", actor=user(PERSON), created_at=self.tick())

    def ready(self, number: int) -> None:
        """Ends the draft of a pull request."""
        self.state["items"][str(number)]["draft"] = False
        self.event(number, "ready_for_review", actor=user(PERSON), created_at=self.tick())

    # What is left

    @property
    def now(self) -> int:
        """The clock, in seconds."""
        clock: int = self.state["clock"]
        return clock

    def labels(self, number: int) -> list[str]:
        """The labels of an item, sorted."""
        return sorted(self.state["items"][str(number)]["labels"])

    def comments(self, number: int) -> list[str]:
        """The texts of the comments on an item, oldest first."""
        return [comment["body"] for comment in self.state["comments"].get(str(number), [])]

    def events(self, number: int) -> list[dict[str, Any]]:
        """The history of an item."""
        return list(self.state["timeline"].get(str(number), []))

    def calls(self) -> list[Call]:
        """Every call so far, refused ones included."""
        return [Call(**entry) for entry in self.state["log"]]

    def writes(self) -> list[Call]:
        """Every call that changed something, in order, with its token."""
        return [call for call in self.calls() if call.is_write]

    def dispatches(self) -> list[tuple[str, dict[str, str]]]:
        """Every dispatch that was taken: the workflow's file and the inputs."""
        return [
            (call.path.split("/")[-2], call.body.get("inputs", {}))
            for call in self.writes()
            if call.path.endswith("/dispatches")
        ]
