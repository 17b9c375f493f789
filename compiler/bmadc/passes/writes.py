"""What leaves the workspace: edits and commits stay; pushing and talking to GitHub go through the outputs."""

from __future__ import annotations

from bmadc.passes.rules import Phrase, Rule, Say

RULES: tuple[Rule, ...] = (
    Rule(
        "writes.offer-push",
        "The outputs of the workflow carry the commits; nothing is pushed by hand.",
        Phrase("push", r"offer to push (?:and/or|or|and) create a pull request"),
        Say("hand your commits over with the outputs of this workflow"),
        "rewritten",
        examples=(
            (
                "Offer to push or create a pull request, then rest.",
                "Hand your commits over with the outputs of this workflow, then rest.",
            ),
        ),
        near=("Push back on weak arguments.",),
        over=("menus.", "questions.", "person."),
    ),
    Rule(
        "writes.pull-request",
        "The outputs of the workflow make the pull request; nothing is pushed by hand.",
        Phrase("create a pull request", r"create a pull request \(and push first[^)]*\)"),
        Say("hand the work over as the pull request of this run"),
        "rewritten",
        examples=(
            (
                "At the end create a pull request (and push first, of course).",
                "At the end hand the work over as the pull request of this run.",
            ),
        ),
        near=("Read how to create a pull request.",),
    ),
    Rule(
        "writes.look-up",
        "The command line of GitHub is not signed in; the agent's GitHub tools are.",
        Phrase("`gh pr view`", r"`gh pr view`"),
        Say("the GitHub tools"),
        "rewritten",
        examples=(("Find its branch via `gh pr view`.", "Find its branch via the GitHub tools."),),
        near=("Find its branch via `git log`.",),
        consumes=(r"`gh pr view`|gh pr view",),
    ),
    Rule(
        "writes.approve",
        "A review is given by the output of the workflow.",
        Phrase("`gh pr review", r"(?:via|with|using) `gh pr review --approve`"),
        Say("with the review output of this workflow"),
        "rewritten",
        examples=(
            (
                "Approve it via `gh pr review --approve`.",
                "Approve it with the review output of this workflow.",
            ),
        ),
        near=("Approve it via the web page.",),
        consumes=(r"`?gh pr review --approve`?",),
    ),
    Rule(
        "writes.changed-files",
        "In a run the changes are those of the pull request, all of them committed.",
        Phrase("`git diff --name-only`", r"`git diff --name-only`"),
        Say("`git diff --name-only <base>...HEAD`"),
        "rewritten",
        examples=(("Run `git diff --name-only` first.", "Run `git diff --name-only <base>...HEAD` first."),),
        near=("Run `git diff --cached` first.",),
        needs="changes",
    ),
    Rule(
        "writes.minimum",
        "A minimum of findings in every round would keep a review from ever ending.",
        Phrase("in every review", r"in every review minimum"),
        Say("minimum in the first review of a pull request"),
        "rewritten",
        examples=(
            (
                "Name 4-9 flaws in every review minimum.",
                "Name 4-9 flaws minimum in the first review of a pull request.",
            ),
        ),
        near=("Name flaws in every review.",),
        needs="rounds",
    ),
    Rule(
        "writes.minimum-ten",
        "A minimum of findings in every round would keep a review from ever ending.",
        Phrase("find at least ten", r"find at least ten issues"),
        Say("in a first review, find at least ten issues"),
        "rewritten",
        examples=(("Find at least ten issues in it.", "In a first review, find at least ten issues in it."),),
        near=("Find at least two issues in it.",),
        needs="rounds",
    ),
    Rule(
        "writes.no-findings",
        "Having nothing to find is suspicious in a first review only, and no reason to call for a person.",
        Phrase("zero findings", r"if zero findings:\*\* halt\b"),
        Say("If zero findings in a first review:** look again"),
        "rewritten",
        examples=(
            (
                "**If zero findings:** HALT - odd.",
                "**If zero findings in a first review:** look again - odd.",
            ),
        ),
        near=("**If zero findings:** say so.",),
        over=("menus.", "questions.", "person."),
        needs="rounds",
    ),
    Rule(
        "writes.halt-without-findings",
        "Having nothing to find is suspicious in a first review only, and no reason to call for a person.",
        Phrase("if zero findings", r"halt if zero findings"),
        Say("look again if zero findings in a first review"),
        "rewritten",
        examples=(("HALT if zero findings.", "Look again if zero findings in a first review."),),
        near=("Stop if zero findings.",),
        over=("menus.", "questions.", "person."),
        needs="rounds",
    ),
)
