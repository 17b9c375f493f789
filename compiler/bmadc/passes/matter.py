"""Front matter, settings files and tables of values: they say things to a loader, not to the agent.

A value that the text uses was put in where it is used; a title heads the workflow; what only a loader reads
is left out.
"""

from __future__ import annotations

from bmadc.passes.rules import Rule, State, by_pass


def _rule(id_: str, state: State, reason: str, bulk: str = "") -> Rule:
    return by_pass(id_, "matter", state, reason, consumes=(r".*",), bulk=bulk)


RULES: tuple[Rule, ...] = (
    _rule("matter.title", "moved", "Name and description head the workflow and its frontmatter."),
    _rule("matter.value", "merged", "A value stands wherever the text uses its name."),
    _rule("matter.register", "moved", "A value that the run sets is listed with the values of this run."),
    _rule("matter.loader", "dropped", "Only the loader of an editor reads this key."),
    _rule("matter.comment", "dropped", "A comment on settings, for somebody who edits them."),
    _rule(
        "matter.customize",
        "merged",
        "Customisation is resolved when the workflow is made; its values stand where they are used.",
    ),
    _rule(
        "matter.customize-help",
        "dropped",
        "Says how to override a value in a file that no run reads.",
        bulk="Each customisable skill repeats the same page of help on overriding.",
    ),
    _rule(
        "matter.file", "moved", "What scripts read travels as a file that is written before the agent starts."
    ),
    _rule(
        "matter.script", "moved", "A helper script travels as a file that is written before the agent starts."
    ),
)

_TITLE = frozenset(("name", "description", "title"))
_LOADER = frozenset(
    (
        "web_bundle",
        "standalone",
        "author",
        "template",
        "autonomous",
        "installed_path",
        "stepsCompleted",
        "config_source",
        "workflow_path",
        "thisStepFile",
        "main_config",
    )
)


def rule_of_entry(name: str, value: object, role: str) -> str:
    """Return which rule accounts for one key of a file's front matter or settings."""
    if role == "customize":
        return "matter.customize"
    if name in _TITLE:
        return "matter.title"
    if name in _LOADER:
        return "matter.loader"
    if value in ("", None):
        return "matter.register"
    return "matter.value"
