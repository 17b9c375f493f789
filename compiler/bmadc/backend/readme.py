"""The README of a pack: for people in target repositories who have never heard of BMAD."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Template

from bmadc.backend.made import Made
from bmadc.backend.scripts import template
from bmadc.ghaw.vocabulary.pin import INSTALL
from bmadc.machine.budgets import BUDGETS
from bmadc.machine.catalogue import SPINE, Outcome
from bmadc.machine.choices import Choices
from bmadc.machine.config import CONFIG_PATH, SETTINGS
from bmadc.machine.labels import APPROVED, BREAKER, CHANGES, DEV, PIPELINE, REVIEW, UNVALIDATED
from bmadc.machine.wiring import Waking

FILE = "workflows/README.md"

_PHASES = (
    ("analysis", "Find out what to build"),
    ("plan", "Plan it"),
    ("solution", "Design it and cut it into stories"),
    ("implementation", "Build it"),
    ("qa", "Test it"),
    ("", "At any time"),
)
_LEAVES = {
    Outcome.ENTRY: "a pull request that is built and reviewed",
    Outcome.DOCUMENT: "a pull request for you to read and merge",
    Outcome.REPORT: "a comment",
    Outcome.PARTY: "a comment, and a label if they agree",
}
_FIRST = ("build", "create-story", "create-prd")
_EXAMPLES = {"language": "TypeScript", "test_runner": "npm test", "skill_level": "mid"}
_WAKING = {
    Waking.BUS: "Pull requests that it opens or pushes to start no other workflows of yours, CI included: "
    "GitHub wants it so for its own token. Push an empty commit, or close and reopen, to start them.",
    Waking.CREDENTIAL: "What it writes is written with your token, so your CI runs as usual.",
    Waking.MANUAL: "Nothing wakes by itself: a comment says which label you set next.",
}


def readme(header: str, method: str, made: Sequence[Made], choices: Choices, repository: str) -> str:
    """Return the page: how to install, what to type, what it costs, how to stop and remove it."""
    labelled = [one for one in made if one.row.trigger is not None]
    first = first_of(made)
    return Template(template("pack", "README.md")).substitute(
        header=header,
        method=method,
        install=INSTALL,
        where=repository or "OWNER/REPOSITORY",
        secrets=_secrets(choices),
        first_name=first.row.name,
        first_label=first.row.label,
        first_leaves=_LEAVES.get(first.row.outcome, "a pull request"),
        breaker=BREAKER.name,
        labels="\n".join(_labels(labelled)),
        loop="\n".join(_loop({one.row.id for one in made})),
        cycles=BUDGETS.cycles,
        unvalidated=UNVALIDATED.name,
        config=CONFIG_PATH,
        settings="\n".join(
            f"{one.key}: {_EXAMPLES[one.key]}  # {one.meaning}" for one in SETTINGS if one.key in _EXAMPLES
        ),
        engine=choices.engine.id,
        waking=_waking(choices),
    )


def _waking(choices: Choices) -> str:
    waking = choices.wiring.waking
    if choices.ci and waking is not Waking.CREDENTIAL:
        files = " and ".join(f"`{file}`" for file in choices.ci)
        first = f"{_WAKING[waking]}\n- " if waking is Waking.MANUAL else ""
        return (
            f"{first}GitHub starts no workflow for what its own token pushes, so this starts {files} itself, "
            "and the review waits for it. Each of them needs `workflow_dispatch` among its events."
        )
    return _WAKING[waking]


def first_of(made: Sequence[Made]) -> Made:
    """Return the workflow that people best begin with."""
    labelled = [one for one in made if one.row.trigger is not None]
    by_id = {one.row.id: one for one in labelled}
    return next((by_id[id_] for id_ in _FIRST if id_ in by_id), labelled[0] if labelled else made[0])


def _secrets(choices: Choices) -> str:
    names = [*choices.engine.secrets, *([choices.wiring.secret] if choices.wiring.secret else [])]
    return " and ".join(f"the secret `{name}`" for name in names)


def _labels(made: Sequence[Made]) -> Iterator[str]:
    for phase, title in _PHASES:
        rows = [one for one in made if one.row.phase == phase]
        if not rows:
            continue
        yield f"### {title}"
        yield ""
        yield "| label | what you get | needs | then |"
        yield "|---|---|---|---|"
        for one in rows:
            row = one.row
            item = " (on a pull request)" if row.pulls else ""
            needs = " and ".join(need.value for need in row.needs)
            after = f"`{one.next.label}`" if one.next is not None else ""
            yield f"| `{row.label}`{item} | {row.purpose}: {_LEAVES[row.outcome]} | {needs} | {after} |"
        yield ""


def _loop(rows: set[str]) -> Iterator[str]:
    if not {row.id for row in SPINE[1:]} <= rows:
        return
    yield "## How a pull request is built and reviewed"
    yield ""
    yield (
        f"A pull request of the pipeline carries `{PIPELINE.name}` and one state: `{DEV.name}` (to be "
        f"implemented), `{REVIEW.name}` (to be reviewed), `{CHANGES.name}` (the review asked for changes) or "
        f"`{APPROVED.name}` (yours to merge). Request changes in a review, push a commit or set a state "
        f"label, and that is taken up. After {BUDGETS.cycles} cycles without approval it stops and asks you."
    )
    yield ""
