"""Which workflows there are: what starts each, what it reads and leaves, what it may write, what comes next.

Labels and file names are the public interface of a target repository, so they stand in these rows and never
follow from what a source calls a thing: `sources` lists every id under which some release of BMAD has it.
A workflow that no row knows gets one from its phase, and the build says so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import sha256

from bmadc.machine import labels
from bmadc.machine.labels import Label, Role
from bmadc.machine.protocol import AFTER_PUSH, CODE_REVIEW, DEV_STORY, ENTRY, Worker

PREFIX = "bmad-"


class Outcome(Enum):
    """What a run has to leave behind for the handoff to go on; the value is the handoff's mode."""

    ENTRY = "entry"
    """A new pull request of the pipeline."""
    PUSH = "push"
    """Commits on the pull request's branch."""
    VERDICT = "verdict"
    """One verdict label."""
    DOCUMENT = "document"
    """A new pull request that a person reads and merges."""
    REPORT = "report"
    """A comment on the item."""
    PARTY = "party"
    """A comment with the votes of those who took part."""


class Scope(Enum):
    """Which files a run may change; what can be told by path is enforced by the outputs."""

    NOTHING = "nothing"
    ARTEFACTS = "artefacts"
    """The folders of the method: planning, implementation and the project's knowledge."""
    TEXTS = "texts"
    """Markdown, wherever it is."""
    CODE = "code"
    """Whatever the work needs; only protected files are refused."""


class Artefact(Enum):
    """A document that one workflow leaves and another one needs; the value is what people call it."""

    PRD = "a PRD"
    ARCHITECTURE = "an architecture document"
    EPICS = "a document with epics and stories"
    SPRINT = "a sprint status file"


@dataclass(frozen=True, slots=True)
class Row:
    """One agentic workflow."""

    id: str
    """The stem of its file, which never changes."""
    sources: tuple[str, ...]
    """The ids, without prefix, under which releases of BMAD have it."""
    title: str
    purpose: str
    """What it does, in one sentence without its full stop."""
    persona: str
    """The first word of its commits."""
    phase: str
    outcome: Outcome
    scope: Scope
    trigger: Label | None = None
    """The one-shot label that starts it, where no worker of the loop does the work."""
    worker: Worker | None = None
    """Its part in the loop, where it works on a pull request."""
    pulls: bool = False
    """Whether its label belongs on a pull request; otherwise it belongs on an issue."""
    enters: Label | None = None
    """The state in which the pull request that it opens enters the loop."""
    next: tuple[str, ...] = ()
    """Rows whose labels come next, the first of them that a pack has."""
    needs: tuple[Artefact, ...] = ()
    """What must be in the repository before it can start."""
    leaves: tuple[Artefact, ...] = ()
    asks: bool = True
    """Whether the issue has to say what is wanted; some work needs nothing but its label."""
    web: bool = False
    builds: bool = False
    """Whether it runs the project's own tools."""
    runs: tuple[str, ...] = ()
    """Commands that its own instructions call, whatever the project is built with."""
    reaches: tuple[str, ...] = ()
    """Package ecosystems that its work fetches from, whatever the project is built with."""
    history: bool = False
    """Whether it looks at earlier commits: no run can fetch what its checkout left out."""
    frees: tuple[str, ...] = ()
    """Files that are its very work, which gh-aw would refuse by their name."""
    became: str = ""
    """The row that took its work over in releases that no longer have it."""
    timeout_minutes: int = 30
    max_turns: int = 150

    @property
    def name(self) -> str:
        """The name that people see, and the stem of its file."""
        return f"{PREFIX}{self.id}"

    @property
    def document(self) -> str:
        """The file that gh-aw compiles."""
        return f"{self.name}.md"

    @property
    def lock(self) -> str:
        """The file that GitHub runs, which is what a dispatch names."""
        return f"{self.name}.lock.yml"

    @property
    def step(self) -> str:
        """The second word of its commits."""
        return self.id.upper()

    @property
    def label(self) -> str:
        """The label that asks for it, or the first state that it takes up."""
        if self.trigger is not None:
            return self.trigger.name
        assert self.worker is not None
        return self.worker.takes[0].name

    @property
    def opens(self) -> bool:
        """Whether a run ends in a new pull request."""
        return self.outcome in (Outcome.ENTRY, Outcome.DOCUMENT)

    @property
    def on_pulls(self) -> bool:
        """Whether it works on a pull request rather than on an issue."""
        return self.worker is not None or self.pulls


_PHASE_COLOURS = {"analysis": "bfd4f2", "plan": "c2e0c6", "solution": "d4c5f9", "qa": "fef2c0"}
_COLOUR = "1d76db"


def _trigger(label: str, phase: str, purpose: str) -> Label:
    return Label(f"{PREFIX}{label}", Role.TRIGGER, purpose, _PHASE_COLOURS.get(phase, _COLOUR))


def _writes(
    id_: str,
    label: str,
    sources: tuple[str, ...],
    title: str,
    purpose: str,
    persona: str,
    phase: str,
    next_: tuple[str, ...] = (),
    needs: tuple[Artefact, ...] = (),
    leaves: tuple[Artefact, ...] = (),
    became: str = "",
    *,
    scope: Scope = Scope.ARTEFACTS,
    asks: bool = True,
    web: bool = False,
    builds: bool = False,
    runs: tuple[str, ...] = (),
    reaches: tuple[str, ...] = (),
    history: bool = False,
    frees: tuple[str, ...] = (),
) -> Row:
    """A row whose work is a document: from an issue to a pull request that a person merges."""
    return Row(
        id=id_,
        sources=sources,
        title=title,
        purpose=purpose,
        persona=persona,
        phase=phase,
        outcome=Outcome.DOCUMENT,
        scope=scope,
        trigger=_trigger(label, phase, purpose),
        next=next_,
        needs=needs,
        leaves=leaves,
        asks=asks,
        web=web,
        builds=builds,
        runs=runs,
        reaches=reaches,
        history=history,
        frees=frees,
        became=became,
        timeout_minutes=45 if web or builds else 30,
    )


def _reports(
    id_: str,
    label: str,
    sources: tuple[str, ...],
    title: str,
    purpose: str,
    persona: str,
    needs: tuple[Artefact, ...] = (),
    next_: tuple[str, ...] = (),
    became: str = "",
    *,
    asks: bool = True,
    pulls: bool = False,
    history: bool = False,
) -> Row:
    """A row whose work is a comment: nothing in the repository changes."""
    return Row(
        id=id_,
        sources=sources,
        title=title,
        purpose=purpose,
        persona=persona,
        phase="",
        outcome=Outcome.REPORT,
        scope=Scope.NOTHING,
        trigger=_trigger(label, "", purpose),
        needs=needs,
        next=next_,
        asks=asks,
        pulls=pulls,
        history=history,
        became=became,
        timeout_minutes=20,
        max_turns=80,
    )


def _implements(id_: str, label: str, sources: tuple[str, ...], title: str, purpose: str) -> Row:
    """A row that implements what an issue asks for; its pull request enters the loop at the review."""
    return Row(
        id=id_,
        sources=sources,
        title=title,
        purpose=purpose,
        persona="DEV",
        phase="implementation",
        outcome=Outcome.ENTRY,
        scope=Scope.CODE,
        trigger=_trigger(label, "implementation", purpose),
        enters=AFTER_PUSH,
        builds=True,
        history=True,
        timeout_minutes=60,
        max_turns=250,
    )


CREATE_STORY_ROW = Row(
    id="create-story",
    sources=("create-story",),
    title="Create the story",
    purpose="Writes the story of a labelled issue and opens its pull request",
    persona="SM",
    phase="implementation",
    outcome=Outcome.ENTRY,
    scope=Scope.ARTEFACTS,
    trigger=labels.STORY,
    enters=ENTRY,
    web=True,
    history=True,
)
DEV_STORY_ROW = Row(
    id=DEV_STORY.id,
    sources=("dev-story",),
    title="Implement the story",
    purpose="Implements the story of a pull request, or what its review asked for",
    persona="DEV",
    phase="implementation",
    outcome=Outcome.PUSH,
    scope=Scope.CODE,
    worker=DEV_STORY,
    builds=True,
    timeout_minutes=60,
    max_turns=250,
)
CODE_REVIEW_ROW = Row(
    id=CODE_REVIEW.id,
    sources=("code-review",),
    title="Review the implementation",
    purpose="Reviews the implementation of a pull request and gives one verdict",
    persona="REVIEWER",
    phase="implementation",
    outcome=Outcome.VERDICT,
    scope=Scope.ARTEFACTS,
    worker=CODE_REVIEW,
    builds=True,
    timeout_minutes=45,
)

_PRD, _ARCHITECTURE, _EPICS, _SPRINT = Artefact

ROWS: tuple[Row, ...] = (
    _writes(
        "brainstorming",
        "analysis-brainstorm",
        ("brainstorming",),
        "Brainstorm",
        "Collects and sorts ideas on what an issue asks",
        "ANALYST",
        "analysis",
        ("product-brief", "create-prd"),
    ),
    _writes(
        "product-brief",
        "analysis-brief",
        ("create-product-brief", "product-brief"),
        "Write the product brief",
        "Writes the brief of a product: for whom it is, what it solves, how success shows",
        "ANALYST",
        "analysis",
        ("create-prd",),
        web=True,
    ),
    _writes(
        "product-brief-preview",
        "analysis-brief-preview",
        ("product-brief-preview",),
        "Write the product brief (preview)",
        "Writes the brief of a product by the method that a release previews",
        "ANALYST",
        "analysis",
        ("create-prd",),
        became="product-brief",
        web=True,
    ),
    _writes(
        "prfaq",
        "analysis-prfaq",
        ("prfaq",),
        "Write the press release and its questions",
        "Tests an idea by the press release and the questions that it would have to answer",
        "ANALYST",
        "analysis",
        ("create-prd",),
        web=True,
    ),
    _writes(
        "research",
        "analysis-research",
        ("research", "deep-recon"),
        "Research",
        "Researches what an issue asks, with sources",
        "ANALYST",
        "analysis",
        ("product-brief", "create-prd"),
        web=True,
    ),
    _writes(
        "domain-research",
        "analysis-research-domain",
        ("domain-research",),
        "Research the domain",
        "Researches an industry or a domain, with sources",
        "ANALYST",
        "analysis",
        ("product-brief", "create-prd"),
        became="research",
        web=True,
    ),
    _writes(
        "market-research",
        "analysis-research-market",
        ("market-research",),
        "Research the market",
        "Researches customers, needs and competitors, with sources",
        "ANALYST",
        "analysis",
        ("product-brief", "create-prd"),
        became="research",
        web=True,
    ),
    _writes(
        "technical-research",
        "analysis-research-technical",
        ("technical-research",),
        "Research the technology",
        "Researches technologies and ways to build, with sources",
        "ANALYST",
        "analysis",
        ("product-brief", "create-prd"),
        became="research",
        web=True,
    ),
    _writes(
        "forge-idea",
        "analysis-idea",
        ("forge-idea",),
        "Forge the idea",
        "Questions an idea until it holds or falls",
        "ANALYST",
        "analysis",
        ("product-brief", "create-prd"),
    ),
    _writes(
        "investigate",
        "analysis-investigate",
        ("investigate",),
        "Investigate",
        "Investigates a fault or an unknown piece of code and writes down the evidence",
        "DEV",
        "analysis",
        ("build", "create-story"),
        builds=True,
        history=True,
    ),
    _writes(
        "create-prd",
        "plan-prd",
        ("create-prd", "prd"),
        "Write the PRD",
        "Writes the product requirements",
        "PM",
        "plan",
        ("create-ux-design", "create-architecture"),
        leaves=(_PRD,),
        web=True,
    ),
    _writes(
        "edit-prd",
        "plan-prd-edit",
        ("edit-prd",),
        "Edit the PRD",
        "Changes the product requirements as an issue asks",
        "PM",
        "plan",
        ("validate-prd", "create-architecture"),
        needs=(_PRD,),
        became="create-prd",
    ),
    _writes(
        "validate-prd",
        "plan-prd-validate",
        ("validate-prd",),
        "Validate the PRD",
        "Checks the product requirements and reports what they lack",
        "PM",
        "plan",
        ("edit-prd", "create-architecture"),
        needs=(_PRD,),
        became="create-prd",
        asks=False,
    ),
    _writes(
        "create-ux-design",
        "plan-ux",
        ("create-ux-design", "ux"),
        "Design the experience",
        "Writes the design of the user experience",
        "UX",
        "plan",
        ("create-architecture",),
        frees=("DESIGN.md",),
    ),
    _writes(
        "spec",
        "plan-spec",
        ("quick-spec", "spec"),
        "Write the specification",
        "Writes the specification of a change that is ready to be built",
        "DEV",
        "plan",
        ("build",),
    ),
    _writes(
        "create-architecture",
        "solution-arch",
        ("create-architecture", "architecture"),
        "Design the architecture",
        "Decides the architecture and writes it down",
        "ARCHITECT",
        "solution",
        ("create-epics",),
        needs=(_PRD,),
        leaves=(_ARCHITECTURE,),
        web=True,
    ),
    _writes(
        "create-epics",
        "solution-epics",
        ("create-epics-and-stories",),
        "Cut epics and stories",
        "Cuts the requirements into epics and stories",
        "PM",
        "solution",
        ("check-readiness", "sprint-planning"),
        needs=(_PRD, _ARCHITECTURE),
        leaves=(_EPICS,),
    ),
    _writes(
        "check-readiness",
        "solution-readiness",
        ("check-implementation-readiness",),
        "Check the readiness",
        "Checks whether requirements, design, architecture and stories fit together",
        "ARCHITECT",
        "solution",
        ("sprint-planning",),
        needs=(_PRD, _EPICS),
        asks=False,
    ),
    _writes(
        "qa-automate",
        "qa-automate",
        ("qa-generate-e2e-tests", "qa-automate", "automate"),
        "Automate tests",
        "Writes automated tests for what an issue names",
        "QA",
        "qa",
        scope=Scope.CODE,
        builds=True,
        # Tests from end to end run in browsers that are fetched.
        reaches=("playwright",),
    ),
    _writes(
        "sprint-planning",
        "sprint-planning",
        ("sprint-planning",),
        "Plan the sprint",
        "Writes the status of all epics and stories into one file",
        "SM",
        "implementation",
        ("create-story", "build"),
        needs=(_EPICS,),
        leaves=(_SPRINT,),
        asks=False,
        history=True,
    ),
    _reports(
        "sprint-status",
        "sprint-status",
        ("sprint-status",),
        "Report the sprint's status",
        "Reports where the sprint stands, what is at risk and what comes next",
        "SM",
        needs=(_SPRINT,),
        next_=("create-story",),
        became="sprint-planning",
        asks=False,
    ),
    CREATE_STORY_ROW,
    DEV_STORY_ROW,
    CODE_REVIEW_ROW,
    _implements(
        "build",
        "build",
        ("quick-dev", "build"),
        "Build the change",
        "Implements what an issue asks for and opens a pull request for review",
    ),
    _implements(
        "build-preview",
        "build-preview",
        ("quick-dev-new-preview",),
        "Build the change (preview)",
        "Implements what an issue asks for by the method that a release previews",
    ),
    _implements(
        "build-auto",
        "build-auto",
        ("build-auto", "dev-auto"),
        "Build the change unattended",
        "Implements what an issue asks for by the method's own unattended path",
    ),
    _writes(
        "correct-course",
        "correct-course",
        ("correct-course",),
        "Correct the course",
        "Works out what a change in the middle of a sprint means and proposes what to do",
        "SM",
        "implementation",
        ("sprint-planning", "create-story"),
    ),
    _writes(
        "retrospective",
        "retrospective",
        ("retrospective",),
        "Look back on the epic",
        "Looks back on an epic: what went well, what did not, what changes",
        "SM",
        "implementation",
        ("create-story",),
        needs=(_SPRINT,),
        asks=False,
        history=True,
    ),
    _reports(
        "walkthrough",
        "walkthrough",
        ("checkpoint-preview", "walkthrough"),
        "Walk through the change",
        "Explains a pull request to the person who reviews it",
        "DEV",
        asks=False,
        pulls=True,
        history=True,
    ),
    _writes(
        "document-project",
        "project-document",
        ("document-project",),
        "Document the project",
        "Documents an existing project for people and agents",
        "ANALYST",
        "analysis",
        ("project-context", "create-prd"),
        became="project-context",
        asks=False,
    ),
    _writes(
        "project-context",
        "project-context",
        ("generate-project-context", "project-context"),
        "Write the project context",
        "Writes the rules of the project that every agent has to know",
        "ANALYST",
        "analysis",
        asks=False,
        history=True,
    ),
    Row(
        id="party-mode",
        sources=("party-mode",),
        title="Discuss among all roles",
        purpose="Discusses a question among several roles and reports what they agree on",
        persona="TEAM",
        phase="",
        outcome=Outcome.PARTY,
        scope=Scope.NOTHING,
        trigger=_trigger("party-mode", "", "Discuss the question of this issue among all roles"),
        timeout_minutes=30,
        max_turns=80,
    ),
    _writes(
        "index-docs",
        "docs-index",
        ("index-docs",),
        "Index the documents",
        "Writes the index of a folder of documents",
        "WRITER",
        "",
        scope=Scope.TEXTS,
    ),
    _writes(
        "shard-doc",
        "docs-shard",
        ("shard-doc",),
        "Split the document",
        "Splits a large document into one file per section",
        "WRITER",
        "",
        scope=Scope.TEXTS,
        # The splitting is done by a package of npm, in every release.
        runs=("npx",),
        reaches=("node",),
    ),
    _writes(
        "distillator",
        "docs-distill",
        ("distillator",),
        "Distil the documents",
        "Condenses documents without losing what they say",
        "WRITER",
        "",
        scope=Scope.TEXTS,
    ),
    _reports(
        "review-prose",
        "review-prose",
        ("editorial-review-prose",),
        "Review the prose",
        "Reviews how a text reads",
        "WRITER",
        became="review-text",
    ),
    _reports(
        "review-structure",
        "review-structure",
        ("editorial-review-structure",),
        "Review the structure",
        "Reviews how a document is built",
        "WRITER",
        became="review-text",
    ),
    _reports(
        "review-adversarial",
        "review-adversarial",
        ("review-adversarial-general",),
        "Review as an adversary",
        "Looks for everything that is wrong with a piece of work",
        "REVIEWER",
        became="review-text",
    ),
    _reports(
        "review-edge-cases",
        "review-edge-cases",
        ("review-edge-case-hunter",),
        "Hunt edge cases",
        "Looks for paths and values that a piece of work does not handle",
        "REVIEWER",
        became="review-text",
    ),
    _reports(
        "review-gaps",
        "review-gaps",
        ("review-verification-gap",),
        "Look for gaps in verification",
        "Looks for claims of a piece of work that nothing verifies",
        "REVIEWER",
        became="review-text",
    ),
    _reports(
        "review-text",
        "review-text",
        ("review", "editorial-review"),
        "Review a piece of work",
        "Reviews a document or another piece of work through several lenses",
        "REVIEWER",
        # That work may be a branch.
        history=True,
    ),
    *(
        _writes(
            f"create-{kind}",
            f"plan-{kind}",
            (f"create-{kind}",),
            f"Draw the {kind}",
            f"Draws a {kind} as an Excalidraw file",
            "UX",
            "plan",
        )
        for kind in ("dataflow", "diagram", "flowchart", "wireframe")
    ),
)

SPINE: tuple[Row, ...] = (CREATE_STORY_ROW, DEV_STORY_ROW, CODE_REVIEW_ROW)
"""The rows that lead from an issue to a reviewed pull request."""

_BY_SOURCE = {source: row for row in ROWS for source in row.sources}
_BY_ID = {row.id: row for row in ROWS}
_PHASES = {
    "1": "analysis",
    "2": "plan",
    "3": "solution",
    "4": "implementation",
    "plan": "plan",
    "ship": "implementation",
}
_LABEL_LENGTH = 50
_STEM = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def known(workflow: str) -> Row | None:
    """The row that some release's id belongs to, if there is one; the prefix may be there or not."""
    return _BY_SOURCE.get(workflow.removeprefix(PREFIX))


def by_id(id_: str) -> Row:
    """The row of that id, which must be there."""
    return _BY_ID[id_]


@cache
def row_of(workflow: str, phase: str = "", title: str = "") -> Row:
    """The row of a workflow by any of its ids; one that the table does not know gets one by its phase."""
    found = known(workflow)
    if found is not None:
        return found
    stem = stem_of(workflow)
    named = _PHASES.get(phase) or _PHASES.get(phase[:1], "")
    id_ = stem if stem not in _BY_ID else f"{stem}-other"
    return _writes(
        id_,
        f"{named}-{id_}" if named else id_,
        (workflow.removeprefix(PREFIX),),
        title or stem.replace("-", " ").capitalize(),
        f"Carries out {stem.replace('-', ' ')}"[:100],
        "BMAD",
        named,
    )


def stem_of(workflow: str) -> str:
    """An id as file names and labels can hold it: small letters, digits, hyphens, and short."""
    bare = workflow.removeprefix(PREFIX)
    stem = re.sub(r"[^a-z0-9]+", "-", bare.lower()).strip("-")
    room = _LABEL_LENGTH - len("bmad-implementation-") - len("-other")
    if stem == bare and _STEM.fullmatch(stem) and len(stem) <= room:
        return stem
    # What had to be changed or cut is told apart by what it was.
    mark = sha256(workflow.encode()).hexdigest()[:6]
    return f"{stem[: room - 7].strip('-') or 'workflow'}-{mark}"


def all_labels() -> tuple[Label, ...]:
    """Every label of the protocol and of the table, those of the protocol first."""
    triggers = [row.trigger for row in ROWS if row.trigger is not None]
    return (*labels.LABELS, *(label for label in triggers if label not in labels.LABELS))


def consumers() -> dict[str, str]:
    """Which lock takes each state up; states in which the loop has ended are not here."""
    return {state.name: row.lock for row in ROWS if row.worker for state in row.worker.takes}
