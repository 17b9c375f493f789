"""Old ids of BMAD workflows and agents, and what carries on their work in BMAD 6.12.

Ids change from release to release, and override files and catalogues are keyed by them. A row says which id
came after which, and which intent, action, type or lens of the new one does the work of the old.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["workflow", "agent"]


@dataclass(frozen=True, slots=True)
class Alias:
    """An old id without its prefix, the full new id or '' if none came after it, and what it pre-selects."""

    old: str
    new: str
    selects: str = ""
    note: str = ""
    kind: Kind = "workflow"


_GONE = "no successor"
_RETAINED = "no successor; kept whole as a shim"
_SUPERSEDED = "superseded, not equivalent"

ALIASES: tuple[Alias, ...] = (
    Alias("quick-spec", "bmad-build"),
    Alias("quick-dev", "bmad-build"),
    Alias("quick-dev-new-preview", "bmad-build"),
    Alias("dev-auto", "bmad-build-auto"),
    Alias("create-prd", "bmad-prd", "intent=create"),
    Alias("edit-prd", "bmad-prd", "intent=update"),
    Alias("validate-prd", "bmad-prd", "intent=validate"),
    Alias("create-ux-design", "bmad-ux"),
    Alias("create-architecture", "bmad-architecture", "intent=create"),
    Alias("create-product-brief", "bmad-product-brief"),
    Alias("product-brief-preview", "bmad-product-brief"),
    Alias("research", "bmad-deep-recon"),
    Alias("market-research", "bmad-deep-recon", "type=market"),
    Alias("domain-research", "bmad-deep-recon", "type=domain"),
    Alias("technical-research", "bmad-deep-recon", "type=technical"),
    Alias("sprint-status", "bmad-sprint-planning", "action=status"),
    Alias("check-implementation-readiness", "bmad-sprint-planning", "action=readiness"),
    Alias("document-project", "bmad-project-context", "intent=setup"),
    Alias("generate-project-context", "bmad-project-context", "intent=setup"),
    Alias("checkpoint-preview", "bmad-walkthrough"),
    Alias("automate", "bmad-qa-generate-e2e-tests"),
    Alias("qa-automate", "bmad-qa-generate-e2e-tests"),
    Alias("distillator", "bmad-spec", note=_SUPERSEDED),
    Alias("editorial-review", "bmad-review", "lens=structure,prose"),
    Alias("editorial-review-prose", "bmad-review", "lens=prose"),
    Alias("editorial-review-structure", "bmad-review", "lens=structure"),
    Alias("review-adversarial-general", "bmad-review", "lens=adversarial"),
    Alias("review-edge-case-hunter", "bmad-review", "lens=edge-case-hunter"),
    Alias("review-verification-gap", "bmad-review", "lens=verification-gap"),
    Alias("create-story", "", note=_RETAINED),
    Alias("dev-story", "", note=_RETAINED),
    Alias("index-docs", "", note=_GONE),
    Alias("shard-doc", "", note=_GONE),
    Alias("investigate", "", note=_GONE),
    Alias("create-excalidraw-dataflow", "", note=_GONE),
    Alias("create-excalidraw-diagram", "", note=_GONE),
    Alias("create-excalidraw-flowchart", "", note=_GONE),
    Alias("create-excalidraw-wireframe", "", note=_GONE),
    Alias("analyst", "bmad-agent-analyst", kind="agent"),
    Alias("architect", "bmad-agent-architect", kind="agent"),
    Alias("dev", "bmad-agent-dev", kind="agent"),
    Alias("pm", "bmad-agent-pm", kind="agent"),
    Alias("ux-designer", "bmad-agent-ux-designer", kind="agent"),
    Alias("sm", "bmad-agent-dev", note=_SUPERSEDED, kind="agent"),
    Alias("qa", "bmad-agent-dev", note=_SUPERSEDED, kind="agent"),
    Alias("quinn", "bmad-agent-dev", note=_SUPERSEDED, kind="agent"),
    Alias("quick-flow-solo-dev", "bmad-agent-dev", note=_SUPERSEDED, kind="agent"),
    Alias("bmad-master", "", note=_GONE, kind="agent"),
    Alias("tech-writer", "", note=_GONE, kind="agent"),
)


def alias_of(identifier: str) -> Alias | None:
    """Return the row of an old id, with or without its prefix, or nothing if the id is not an old one."""
    return _by_id().get(identifier)


def relatives(identifier: str, known: Collection[str]) -> tuple[str, ...]:
    """Return the known ids that do the same work as this one under an older or newer name, sorted."""
    row = alias_of(identifier)
    newest = row.new if row is not None and row.new else identifier
    same = {newest} | {old for old, alias in _by_id().items() if alias.new == newest}
    return tuple(sorted((same & set(known)) - {identifier}))


@cache
def _by_id() -> dict[str, Alias]:
    found: dict[str, Alias] = {}
    for row in ALIASES:
        prefixes = ("", "bmad-", "bmad-agent-") if row.kind == "agent" else ("", "bmad-")
        for prefix in prefixes:
            if prefix + row.old != row.new:
                found[prefix + row.old] = row
    return found
