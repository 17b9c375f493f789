"""The rules of the passes that need to know the whole workflow: files, names in braces, layout."""

from __future__ import annotations

from bmadc.passes.rules import ByPass, Nothing, Rule, State


def _rule(id_: str, by: str, state: State, reason: str, *over: str, consumes: tuple[str, ...] = ()) -> Rule:
    return Rule(id_, reason, ByPass(by), Nothing(), state, (), over=over, consumes=consumes)


_ALL = (r".*",)

RULES: tuple[Rule, ...] = (
    _rule(
        "includes.step",
        "variables",
        "rewritten",
        "A step of this workflow is called by its number and title.",
        "variables.",
        "includes.",
        consumes=_ALL,
    ),
    _rule(
        "includes.section",
        "variables",
        "rewritten",
        "A file that travels with the workflow is a section of it.",
        "variables.",
        consumes=_ALL,
    ),
    _rule(
        "includes.task",
        "variables",
        "rewritten",
        "A task that travels with the workflow is called by its name.",
        "variables.",
        consumes=_ALL,
    ),
    _rule(
        "includes.script",
        "variables",
        "rewritten",
        "A helper script lies in a fixed folder when the agent starts.",
        "variables.",
        consumes=_ALL,
    ),
    _rule(
        "includes.manifest",
        "variables",
        "rewritten",
        "The table of agents that an installation has is a section of the workflow.",
        "variables.",
        "includes.",
        "names.",
        consumes=_ALL,
    ),
    _rule(
        "includes.sidecar",
        "variables",
        "rewritten",
        "What an agent keeps for itself travels with the workflows that it owns.",
        "variables.",
        "includes.",
        "names.",
        consumes=_ALL,
    ),
    _rule(
        "includes.file",
        "variables",
        "rewritten",
        "What scripts read lies in a fixed folder when the agent starts.",
        "variables.",
        consumes=_ALL,
    ),
    _rule(
        "includes.moved-step",
        "variables",
        "rewritten",
        "A step that got another number upstream is called by the one that it has.",
        "variables.",
        consumes=_ALL,
    ),
    _rule(
        "includes.label",
        "variables",
        "rewritten",
        "Another workflow is asked for by its label.",
        "variables.",
        consumes=_ALL,
    ),
    _rule(
        "includes.renderer",
        "lower",
        "dropped",
        "What it orders to render was rendered when the workflow was made.",
    ),
    _rule(
        "includes.again",
        "variables",
        "rewritten",
        "A path in brackets behind its own name says it twice.",
        "variables.",
        "includes.",
        consumes=_ALL,
    ),
    _rule(
        "variables.root",
        "variables",
        "rewritten",
        "Paths are seen from the root of the repository.",
        consumes=_ALL,
    ),
    _rule(
        "variables.constant",
        "variables",
        "rewritten",
        "What is known when the workflow is made is put in.",
        consumes=_ALL,
    ),
    _rule(
        "variables.alias",
        "variables",
        "rewritten",
        "A slip of the pen upstream: the name that was meant is put in.",
        consumes=_ALL,
    ),
    _rule(
        "variables.filled",
        "variables",
        "rewritten",
        "A customisable value is put in as the release or an override sets it.",
        consumes=_ALL,
    ),
    _rule(
        "variables.person",
        "variables",
        "rewritten",
        "Nobody's name is known when the workflow is made.",
        consumes=_ALL,
    ),
    _rule("flow.critical", "lower", "moved", "A rule above all steps stands with the critical rules."),
    _rule(
        "flow.step-title",
        "lower",
        "rewritten",
        "A step is headed by its number, so that jumps find it.",
        "variables.",
        "includes.",
        "names.",
        "person.",
        "menus.",
        "questions.",
        "ceremony.",
        consumes=_ALL,
    ),
    _rule("layout.empty-section", "layout", "dropped", "A heading under which nothing is left."),
    _rule("layout.empty-condition", "layout", "dropped", "A condition under which nothing is left."),
)
