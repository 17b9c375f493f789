"""Which label asks for which workflow: the one table of names that target repositories see.

Labels never change because a BMAD release renamed something: old and new ids of the same work share a row.
"""

from __future__ import annotations

from bmadc.machine import labels

PREFIX = "bmad-"

# Label without its prefix: the ids, without theirs, of the workflows that do this work in some release.
_BY_LABEL: dict[str, tuple[str, ...]] = {
    "analysis-brainstorm": ("brainstorming",),
    "analysis-brief": ("create-product-brief", "product-brief", "product-brief-preview"),
    "analysis-prfaq": ("prfaq",),
    "analysis-research": ("research", "deep-recon"),
    "analysis-research-domain": ("domain-research",),
    "analysis-research-market": ("market-research",),
    "analysis-research-technical": ("technical-research",),
    "analysis-idea": ("forge-idea",),
    "analysis-investigate": ("investigate",),
    "plan-prd": ("create-prd", "prd"),
    "plan-prd-edit": ("edit-prd",),
    "plan-prd-validate": ("validate-prd",),
    "plan-ux": ("create-ux-design", "ux"),
    "plan-spec": ("quick-spec", "spec"),
    "solution-arch": ("create-architecture", "architecture"),
    "solution-epics": ("create-epics-and-stories",),
    "solution-readiness": ("check-implementation-readiness",),
    "qa-automate": ("qa-generate-e2e-tests", "qa-automate", "automate"),
    "story": ("create-story",),
    "dev": ("dev-story",),
    "review": ("code-review",),
    "build": ("quick-dev", "quick-dev-new-preview", "build"),
    "build-auto": ("build-auto", "dev-auto"),
    "correct-course": ("correct-course",),
    "sprint-planning": ("sprint-planning",),
    "sprint-status": ("sprint-status",),
    "retrospective": ("retrospective",),
    "project-document": ("document-project",),
    "project-context": ("generate-project-context", "project-context"),
    "walkthrough": ("checkpoint-preview", "walkthrough"),
    "party-mode": ("party-mode",),
    "docs-index": ("index-docs",),
    "docs-shard": ("shard-doc",),
    "docs-distill": ("distillator",),
    "review-text": (
        "editorial-review",
        "editorial-review-prose",
        "editorial-review-structure",
        "review",
        "review-adversarial-general",
        "review-edge-case-hunter",
        "review-verification-gap",
    ),
}

# Labels that belong to the loop of a pull request are moved by it, never set to ask for something.
_OF_THE_LOOP = frozenset((labels.DEV.name, labels.REVIEW.name))


def label_of(workflow: str) -> str:
    """Return the label that asks for a workflow, by any of its ids; one that no row knows is derived."""
    stem = workflow.removeprefix(PREFIX)
    for label, ids in _BY_LABEL.items():
        if stem in ids:
            return f"{PREFIX}{label}"
    return f"{PREFIX}{stem}"


def is_of_the_loop(label: str) -> bool:
    """Whether the pipeline moves a label itself, so that nobody has to set it."""
    return label in _OF_THE_LOOP


def known_labels() -> tuple[str, ...]:
    """Return every label of the table, sorted."""
    return tuple(sorted(f"{PREFIX}{label}" for label in _BY_LABEL))


def known_ids() -> tuple[str, ...]:
    """Return every id that a row knows, without its prefix, sorted."""
    return tuple(sorted({one for ids in _BY_LABEL.values() for one in ids}))
