"""What upstream's building of a change says twice, contradicts or leaves open, mended place by place."""

from __future__ import annotations

from bmadc.passes.errata import mend
from bmadc.passes.rules import Rule
from bmadc.passes.sheet import SPOKEN

_CODE = frozenset(("code", "comment")) | SPOKEN

RULES: tuple[Rule, ...] = (
    mend(
        "frozen-answered",
        "A run would stop at what a person has answered, each time anew.",
        "is read-only. do not modify",
        r"is read-only\. do not modify\.",
        "is read-only: write a person's answer into it where it left something open, and modify nothing else "
        "of it.",
        (
            "- The pot is read-only. Do not modify.",
            "- The pot is read-only: write a person's answer into it where it left something open, and "
            "modify nothing else of it.",
        ),
        "- Do not modify.",
    ),
    mend(
        "matrix-answered",
        "A run would stop at what a person has answered, each time anew.",
        "is ambiguous, halt",
        r"(?<=is ambiguous), halt(?: and ask the human)?",
        " and no person has answered that, HALT",
        (
            "Eat; if the oven is ambiguous, HALT and ask the human.",
            "Eat; if the oven is ambiguous and no person has answered that, HALT.",
        ),
        "The row is ambiguous.",
    ),
    mend(
        "intent-answered",
        "What was kept of an earlier run has more sections than the short form, and lacks the answers.",
        "use it as the frozen block",
        r"use it as the frozen block(?=\. \*\*)",
        "use all of it as the frozen block, and record in it what a person answered",
        (
            "Then use it as the frozen block. **Eat**",
            "Then use all of it as the frozen block, and record in it what a person answered. **Eat**",
        ),
        "Use it as the block.",
    ),
    mend(
        "review-gap-of-intent",
        "What only a plan leaves open would stop the run, though the plan may be mended.",
        "not settle that fix",
        r"the spec does not settle that fix",
        "the cause lies inside `<frozen-after-approval>`",
        (
            "Stop if the spec does not settle that fix.",
            "Stop if the cause lies inside `<frozen-after-approval>`.",
        ),
        "Settle that fix.",
    ),
    mend(
        "build-title",
        "The name says that it is a preview, which no other place knows.",
        "build new preview workflow",
        r"build new preview workflow",
        "Build Workflow",
        ("# Build New Preview Workflow\n", "# Build Workflow\n"),
        "# Build New Workflow\n",
    ),
    mend(
        "build-intent",
        "Nobody types an invocation: what is asked for stands in the issue.",
        "the invocation prompt",
        r"the invocation prompt",
        "the issue with its comments",
        ("Take the invocation prompt.", "Take the issue with its comments."),
        "Take the prompt.",
    ),
    mend(
        "build-message",
        "There are no messages but the issue and its comments.",
        "clear instruction this message",
        r"did the user pass (?P<what>[^.?\n]*? or clear instruction) this message\?",
        "does the issue, or a comment on it, give \\g<what>?",
        (
            "Did the user pass a recipe or clear instruction this message?",
            "Does the issue, or a comment on it, give a recipe or clear instruction?",
        ),
        "Did the user pass a recipe?",
    ),
    mend(
        "build-recent",
        "There is no conversation but the comments.",
        "human messages clearly show",
        r"(?<=human messages) clearly show",
        ", in the comments, clearly show",
        ("Do human messages clearly show it?", "Do human messages, in the comments, clearly show it?"),
        "Do human messages show it?",
    ),
    mend(
        "build-otherwise",
        "An issue always says something; only one that asks to go on comes this far.",
        "otherwise — scan artifacts and ask",
        r"otherwise — scan artifacts and ask",
        "The issue only wants what is there to go on — scan artifacts",
        (
            "3. Otherwise — scan artifacts and ask",
            "3. The issue only wants what is there to go on — scan artifacts",
        ),
        "3. Otherwise — scan the shelf",
    ),
    mend(
        "build-story-key",
        "It is also sent to where the spec has no path yet, but the numbers are known.",
        "whenever `spec_file` is set",
        r"whenever `spec_file` is set",
        "whenever `spec_file` is set, or the epic and the number of the story are known",
        (
            "Sweep whenever `spec_file` is set.",
            "Sweep whenever `spec_file` is set, or the epic and the number of the story are known.",
        ),
        "Sweep whenever it is set.",
    ),
    mend(
        "build-newer",
        "In a fresh checkout all files are of the same age; only the history tells.",
        "` is newer",
        r"(?<=_artifacts\}\}`) is newer",
        " was changed by a later commit; where the history does not tell, it is invalid",
        (
            "no file in `{{.old_artifacts}}` is newer",
            "no file in `{{.old_artifacts}}` was changed by a later commit; where the history does not tell, "
            "it is invalid",
        ),
        "no file in `old` is newer",
    ),
    mend(
        "build-branch",
        "A run starts on the default branch, whose name fits no intent.",
        "current branch make sense",
        r"does the current branch make sense[^?\n]*\?",
        "the default branch is the right start: make a local branch from it.",
        (
            "Does the current branch make sense to you?",
            "The default branch is the right start: make a local branch from it.",
        ),
        "Does the branch make sense?",
    ),
    mend(
        "build-dirty",
        "A run starts on the default branch, which is no mismatch.",
        "if the tree is dirty or",
        r"if the tree is dirty or [^,.\n]*,",
        "if tracked files are changed before you begin,",
        (
            "If the tree is dirty or odd, HALT.",
            "If tracked files are changed before you begin, HALT.",
        ),
        "If the tree is dirty, HALT.",
    ),
    mend(
        "build-first-goal",
        "It asks which goal is best to begin with, and then takes another one.",
        "pick first goal",
        r"pick first goal, defer the rest\.",
        "take the goal that you recommend, defer the rest. This is the default.",
        (
            "Pick first goal, defer the rest.",
            "Take the goal that you recommend, defer the rest. This is the default.",
        ),
        "Pick first goal.",
    ),
    mend(
        "build-narrow",
        "It asks which goal is best to begin with, and then takes another one.",
        "first-mentioned goal",
        r"the first-mentioned goal",
        "that goal",
        ("Take the first-mentioned goal.", "Take that goal."),
        "Take the first goal.",
    ),
    mend(
        "build-template-may",
        "The template does not say so for every section.",
        "the template says you may",
        r"; the template says you may(?=\.)",
        ", whatever its own notes say",
        ("Delete it; the template says you may.", "Delete it, whatever its own notes say."),
        "Delete it; the template says so.",
    ),
    mend(
        "build-override",
        "Nobody overrides a proposal while the work is done.",
        "proposals with user override",
        r"both are proposals with user override",
        "both are proposals, and you decide",
        ("Both are proposals with user override.", "Both are proposals, and you decide."),
        "Both are proposals.",
    ),
    mend(
        "build-in-one-message",
        "There is no conversation in which something could be natural.",
        "whatever order the conversation",
        r", in whatever order the conversation[^.\n]*(?=\.)",
        "",
        ("Two must rise, in whatever order the conversation likes.", "Two must rise."),
        "Two must rise, in any order.",
    ),
    mend(
        "build-keep-spec",
        "A choice without a default may be taken in any way.",
        "**keep full spec** — accept",
        r"(?<=\*\*keep full spec\*\* — )accept the risks\.",
        "accept the risks. This is the default.",
        (
            "- **Keep full spec** — accept the risks.",
            "- **Keep full spec** — accept the risks. This is the default.",
        ),
        "- **Keep it** — accept the risks.",
    ),
    mend(
        "build-ask-again",
        "It HALTs with all its questions; the next run asks what is left.",
        "add it and ask again",
        r"add it and ask again",
        "add it to the questions",
        ("A gap — add it and ask again.", "A gap — add it to the questions."),
        "A gap — add it.",
    ),
    mend(
        "build-checkpoint",
        "Half a sentence: what it is a condition of was left out.",
        "only when open questions is empty",
        r"only when open questions is empty\.",
        "go on only when Open Questions is empty.",
        ("Only when Open Questions is empty.", "Go on only when Open Questions is empty."),
        "Only when it is empty.",
    ),
    mend(
        "build-note",
        "A note that nobody sees; what it offers is the agent's own to take.",
        "display this note",
        r"after presenting the summary, display this note:",
        "after the summary there may be a way to better the spec first:",
        (
            "After presenting the summary, display this note:",
            "After the summary there may be a way to better the spec first:",
        ),
        "Display this note.",
    ),
    mend(
        "build-better",
        "A note that nobody sees; what it offers is the agent's own to take.",
        "ideally in another session",
        r"before approving, you can [^`]*you can also use (?P<one>`[\w-]+`) or (?P<other>`[\w-]+`), "
        r"ideally in another session[^.\n]*\.",
        "where the spec carries a risk that you cannot judge, carry out Advanced Elicitation on it or hold "
        "a Party Mode on that risk; else go on.",
        (
            "Before approving, you can wait. You can also use `a` or `b`, ideally in another session.",
            "Where the spec carries a risk that you cannot judge, carry out Advanced Elicitation on "
            "it or hold "
            "a Party Mode on that risk; else go on.",
        ),
        "Before approving, you can wait.",
    ),
    mend(
        "build-approve",
        "A choice without a default may be taken in any way.",
        "implementation in this session",
        r"(?<=proceed to implementation) in this session\.",
        " in this run. This is the default.",
        (
            "Proceed to implementation in this session.",
            "Proceed to implementation in this run. This is the default.",
        ),
        "Proceed in this session.",
    ),
    mend(
        "build-approve-stop",
        "A run that stops here hands over nothing that could be built on; what is left of it is to HALT.",
        "**approve and stop** —",
        r"\*\*approve and stop\*\* — [^\n]*",
        "**HALT** — where the spec must not be built without the word of a person: say what that "
        "person has to decide.",
        (
            "- **Approve and stop** — rest there.",
            "- **HALT** — where the spec must not be built without the word of a person: say what "
            "that person has to decide.",
        ),
        "- **Approve and go** — rest.",
    ),
    mend(
        "build-review-spec",
        "Nobody discusses the spec while the work is done.",
        "discuss the findings and revisions",
        r"and discuss the findings and revisions [^\n]*",
        "revise it once by what was found, then approve it and continue.",
        (
            "Taste it, and discuss the findings and revisions with all.",
            "Taste it, revise it once by what was found, then approve it and continue.",
        ),
        "Taste it, and discuss the findings.",
    ),
    mend(
        "build-audit",
        "No order runs the commands whose output is asked for.",
        "in the verification output",
        r"ran and passed in the verification output",
        "passes when you run it now with the commands of `## Verification`",
        (
            "that each ran and passed in the verification output",
            "that each passes when you run it now with the commands of `## Verification`",
        ),
        "that each ran and passed",
    ),
    mend(
        "build-no-tests",
        "It does not say what to do where tests cannot run at all.",
        "any other audit failure",
        r"fix any other audit failure before proceeding\.",
        "fix any other audit failure before proceeding. If tests cannot be run here although you tried, HALT "
        "and name what is missing.",
        (
            "Fix any other audit failure before proceeding.",
            "Fix any other audit failure before proceeding. If tests cannot be run here although you tried, "
            "HALT and name what is missing.",
        ),
        "Fix any other failure.",
    ),
    mend(
        "build-skipped-layers",
        "Nothing tells of a layer that would be skipped.",
        "announce skipped layers first",
        r"announce skipped layers first, then launch",
        "launch",
        ("Announce skipped layers first, then launch it.", "Launch it."),
        "Announce it first, then launch it.",
    ),
    mend(
        "build-skipping-layers",
        "Nothing tells of a layer that would be skipped.",
        "which review layers you are",
        r"say which review layers you are[^,\n]*, then start",
        "start",
        ("Say which review layers you are missing, then start it.", "Start it."),
        "Say which layers there are, then start it.",
    ),
    mend(
        "build-inline-layers",
        "Prompts written into the repository for a person to run would be part of the change under review.",
        "layer's instruction requires subagents",
        r"if a layer's instruction requires subagents [^\n]*",
        "where a layer wants subagents and there are none, run its prompt yourself, as a pass of "
        "its own that starts afresh, read the files that it points to only then, and collect the findings.",
        (
            "If a layer's instruction requires subagents but none come, wait.",
            "Where a layer wants subagents and there are none, run its prompt yourself, as a pass "
            "of its own that starts afresh, read the files that it points to only then, and collect "
            "the findings.",
        ),
        "If a layer requires subagents, wait.",
    ),
    mend(
        "build-inline-oneshot",
        "Prompts written into the repository for a person to run would be part of the change under review.",
        "if a layer needs subagents",
        r"if a layer needs subagents [^\n]*",
        "where a layer wants subagents and there are none, run its prompt yourself, as a pass of "
        "its own that starts afresh, and collect the findings.",
        (
            "If a layer needs subagents but none come, wait.",
            "Where a layer wants subagents and there are none, run its prompt yourself, as a pass "
            "of its own that starts afresh, and collect the findings.",
        ),
        "If a layer wants subagents, wait.",
    ),
    mend(
        "clean-review",
        "A change without faults would be searched for ever, or faults made up.",
        "if you have zero findings, re-check",
        r"if you have zero findings, re-check[^\n]*empty list\.",
        "if you have fewer findings, re-check once; then return what you have, and say that it is fewer.",
        (
            "If you have zero findings, re-check it; never an empty list.",
            "If you have fewer findings, re-check once; then return what you have, and say that it is fewer.",
        ),
        "If you have zero findings, rest.",
    ),
    mend(
        "build-row",
        "A later pass is to keep the route of a row, which the row does not hold.",
        "verdict plus its evidence",
        r"verdict plus its evidence",
        "verdict and route plus its evidence",
        ("A row — verdict plus its evidence.", "A row — verdict and route plus its evidence."),
        "A row — its evidence.",
    ),
    mend(
        "build-row-template",
        "A later pass is to keep the route of a row, which the row does not hold.",
        "with its evidence: the refutation",
        r"(?<=\) )with its evidence: the refutation",
        "and route, with its evidence: the refutation",
        (
            "<!-- verdict (high/low) with its evidence: the refutation -->",
            "<!-- verdict (high/low) and route, with its evidence: the refutation -->",
        ),
        "<!-- verdict (high/low) with its evidence -->",
        kinds=_CODE,
    ),
    mend(
        "build-carried",
        "A pass that loops back only logs its lower findings; they are still to be done.",
        "never patch or defer it again",
        r"and never patch or defer it again",
        "and do not patch or defer it again where that was done already",
        (
            "Skip it, and never patch or defer it again.",
            "Skip it, and do not patch or defer it again where that was done already.",
        ),
        "Skip it, and never patch it.",
    ),
    mend(
        "build-spec-fix",
        "A finding whose fix amends the spec and then the code is another category's.",
        "whose fix is to edit",
        r"whose fix is to edit [\w' ]*spec",
        "whose only fix is the wording of this build's spec, with no change of the code",
        (
            "Skip what is one whose fix is to edit our spec.",
            "Skip what is one whose only fix is the wording of this build's spec, with no change of "
            "the code.",
        ),
        "Skip what edits the spec.",
    ),
    mend(
        "build-moot",
        "That lower entries are moot and that they survive contradict each other.",
        "these are the only findings",
        r"these are the only findings [\w ]*loopbacks\.",
        "this is done when no loopback is due any more.",
        (
            "These are the only findings of loopbacks.",
            "This is done when no loopback is due any more.",
        ),
        "These survive loopbacks.",
    ),
    mend(
        "build-marks",
        "Who derives the code anew reads the marks of tasks whose code is gone.",
        "revert code changes. read the",
        r"revert code changes\. read the",
        "revert code changes, and take the marks off the tasks. Read the",
        (
            "Revert code changes. Read the log.",
            "Revert code changes, and take the marks off the tasks. Read the log.",
        ),
        "Revert code changes. Rest.",
    ),
    mend(
        "build-commit-message",
        "How commits are worded is a rule of the pack, which knows its own commits by it.",
        "conventional message",
        r"a conventional message (?:derived from|based on) the (?:spec title|intent)",
        "a message of the form that the Guardrails give",
        (
            "Pack it, a conventional message based on the Intent.",
            "Pack it, a message of the form that the Guardrails give.",
        ),
        "Pack it with a conventional message.",
    ),
    mend(
        "build-push",
        "An issue must not talk a run into a push: only the outputs carry commits.",
        "push to a remote unless",
        r"push to a remote unless [^.\n]*(?=\.)",
        "push to a remote",
        (
            "Never push to a remote unless it rains.",
            "Never push to a remote.",
        ),
        "Never push to a remote.",
    ),
    mend(
        "build-next-oneshot",
        "The pull request is opened by the outputs, never by a push.",
        "(push first if needed)",
        r"create a pr \(push first if needed\)[^;\n]*;",
        "the pull request, which is opened as “When you are done” says;",
        (
            "Offer: create a PR (push first if needed) in rain; rest.",
            "Offer: the pull request, which is opened as “When you are done” says; rest.",
        ),
        "Offer: create a PR; rest.",
    ),
    mend(
        "workflow-complete",
        "The end of the steps is not yet the end of the run: its outputs are still to be called.",
        "workflow complete.",
        r"(?<![^\n])workflow complete\.(?![^\n])",
        "the steps are done: go on with “When you are done”.",
        ("Workflow complete.", "The steps are done: go on with “When you are done”."),
        "Workflow complete. Rest.",
    ),
    mend(
        "anything-below",
        "The end of the steps is not yet the end of the run: its outputs are still to be called.",
        "if anything appears below",
        r"if anything appears below, [^\n]*? before exiting[.;] otherwise[^.\n]*\.",
        "if anything appears below, do it first. Then go on with “When you are done”.",
        (
            "If anything appears below, say it before exiting. Otherwise go.",
            "If anything appears below, do it first. Then go on with “When you are done”.",
        ),
        "If anything appears below, say it.",
    ),
    mend(
        "build-replan",
        "The point that it leads to leaves out those that write what was missing.",
        "]]` step 6",
        r"(?<=step-02-plan\.md\]\]`) step 6(?=\.)",
        ", point 4, with the `## Intent` of the `<frozen-after-approval>` block as `preserved_intent`: it "
        "stays as it is, and the other sections of the block are filled in as in a new spec",
        (
            "Turn to `[[x:step-02-plan.md]]` step 6.",
            "Turn to `[[x:step-02-plan.md]]`, point 4, with the `## Intent` of the `<frozen-after-approval>` "
            "block as `preserved_intent`: it stays as it is, and the other sections of the block are filled "
            "in as in a new spec.",
        ),
        "Turn to `[[x:step-03-x.md]]` step 6.",
    ),
    mend(
        "build-tests-oneshot",
        "The short way has no order to test what it builds.",
        "intent section is what you implement",
        r"the intent section is what you implement\.",
        "the Intent section is what you implement. Write the tests that it needs and run those that cover "
        "the change; if it needs some and none can be run here although you tried, HALT and name what is "
        "missing.",
        (
            "The Intent section is what you implement.",
            "The Intent section is what you implement. Write the tests that it needs and run those "
            "that cover "
            "the change; if it needs some and none can be run here although you tried, HALT and name what "
            "is missing.",
        ),
        "The Intent section is long.",
    ),
    mend(
        "build-harder",
        "A fix that is not simple is a reason to plan, as it is while the code is written, not to stop.",
        "same as patch, but",
        r"\*\*halt\*\* — same as patch, but",
        "**replan** — Same as patch, but",
        ("- **HALT** — Same as patch, but wet.", "- **replan** — Same as patch, but wet."),
        "- **HALT** — Same as that.",
    ),
    mend(
        "build-harder-fix",
        "A fix that is not simple is a reason to plan, as it is while the code is written, not to stop.",
        "is not that simple",
        r"(?<=is not that simple\.) (?=stop and)",
        " For `low` take defer. Else go on as **When to stop and replan** says; where that was done "
        "for this spec already, ",
        (
            "It is not that simple. Stop and wait.",
            "It is not that simple. For `low` take defer. Else go on as **When to stop and replan** "
            "says; where that was done for this spec already, Stop and wait.",
        ),
        "It is not that simple. Stop.",
    ),
    mend(
        "build-sync-missing",
        "To stop is also the word for the end of a run.",
        "warn once and stop",
        r"warn once and stop\.",
        "say so once and return to the step.",
        ("If it is missing, warn once and stop.", "If it is missing, say so once and return to the step."),
        "If it is missing, stop.",
    ),
    mend(
        "build-sync-later",
        "To stop is also the word for the end of a run.",
        "` or later, stop",
        r"(?<=` or later, )stop\.",
        "return to the step.",
        ("At `x` or later, stop.", "At `x` or later, return to the step."),
        "At `x`, stop.",
    ),
    mend(
        "build-template-notes",
        "Notes that are to be removed must not be written as comments of the document.",
        "remove all html comments when",
        r"important: remove all html comments when[^.\n]*\.",
        "These notes are for you: write none of them into the spec.",
        (
            "<!-- IMPORTANT: Remove all HTML comments when you can. -->",
            "<!-- These notes are for you: write none of them into the spec. -->",
        ),
        "<!-- IMPORTANT: Remove it. -->",
        kinds=_CODE,
    ),
    mend(
        "build-answers",
        "Here to answer is what somebody does.",
        "when the human answers, record",
        r"when the human answers, record",
        "when the requester answers, record",
        (
            "<!-- when the human answers, record it -->",
            "<!-- when the requester answers, record it -->",
        ),
        "<!-- record the human answers -->",
        kinds=_CODE,
    ),
    mend(
        "build-route-gate",
        "No step has a gate of that name: it is where the path is decided.",
        "step-02's route gate reported",
        r"step-02's route gate reported[^)\n]*\)",
        "Step 2 set `route: 'oneshot'`",
        (
            "<!-- If step-02's route gate reported rain (route: 'x'), go. -->",
            "<!-- If Step 2 set `route: 'oneshot'`, go. -->",
        ),
        "<!-- If step-02 opens, go. -->",
        kinds=_CODE,
    ),
    mend(
        "build-route-set",
        "No step has a gate of that name: it is where the path is decided.",
        "step-02's route gate after",
        r"step-02's route gate after design",
        "Step 2 where it decides the path",
        (
            "```yaml\nx: '' # by step-02's route gate after design\n```",
            "```yaml\nx: '' # by Step 2 where it decides the path\n```",
        ),
        "```yaml\nx: '' # set by step-02\n```",
        kinds=_CODE | {"entry", "data"},
    ),
    mend(
        "build-another-change",
        "Nobody asks for another change while the run lasts.",
        "; or make another change",
        r"; or make another change(?=\.)",
        "",
        ("Offer rest; or make another change.", "Offer rest."),
        "Offer rest; or make it.",
    ),
    mend(
        "build-step-four",
        "Steps have no files here: they are called by their numbers.",
        "by step-04",
        r"by step-04(?= )",
        "by Step 4",
        ("<!-- Filled by step-04 at night. -->", "<!-- Filled by Step 4 at night. -->"),
        "<!-- Filled by step-05 at night. -->",
        kinds=_CODE | {"entry", "data"},
    ),
    mend(
        "build-diff-without-spec",
        ("Reviewers that are not to see the spec would find it in the change, for this run wrote it."),
        "untracked files included",
        r"untracked files included",
        ("untracked files included, `{spec_file}` and what else this run wrote into its folder left out"),
        (
            "All of it, untracked files included.",
            (
                "All of it, untracked files included, `{spec_file}` and what else this run wrote "
                "into its folder left out."
            ),
        ),
        "Untracked files are new.",
    ),
    mend(
        "build-baseline-gone",
        "A commit that an earlier run noted need not be on any branch any more.",
        "is missing or `no_vcs`",
        r"is missing or `no_vcs`",
        "is missing, `NO_VCS` or a commit that is not here",
        (
            "If it is missing or `NO_VCS`, eat.",
            "If it is missing, `NO_VCS` or a commit that is not here, eat.",
        ),
        "It is `NO_VCS`.",
    ),
    mend(
        "build-run-checks",
        ("Without a matrix and without a patch nobody but the subagent says that anything was run."),
        "and re-read it.",
        r"(?<=`) and re-read it\.",
        (
            " and re-read it. Then take out of the change what the Guardrails refuse, and "
            "say so; run the commands of `## Verification` yourself, and fix what fails by "
            "this change, or HALT."
        ),
        (
            "Bake `x` and re-read it.",
            (
                "Bake `x` and re-read it. Then take out of the change what the Guardrails "
                "refuse, and say so; run the commands of `## Verification` yourself, and fix "
                "what fails by this change, or HALT."
            ),
        ),
        "Bake and re-read it.",
        needs="tests",
    ),
    mend(
        "build-not-yours",
        "What failed before the change would stop every run.",
        "verification fails and the failure",
        r"verification fails and the failure",
        "verification fails in what did not fail before your first change, and the failure",
        (
            "So verification fails and the failure is dull.",
            "So verification fails in what did not fail before your first change, and the failure is dull.",
        ),
        "It fails and the failure is dull.",
        needs="tests",
    ),
    mend(
        "build-fix-tested",
        "The tests were run before this fix, and no order runs them after it.",
        "fix it now",
        r"(?<=reachable\. )fix it now\.",
        "fix it now, and run the tests that cover the change again.",
        (
            "It is reachable. Fix it now.",
            "It is reachable. Fix it now, and run the tests that cover the change again.",
        ),
        "Fix it now.",
    ),
    mend(
        "build-not-gates",
        "Another sentence says that these limits are none; what is to be settled stays the same.",
        "resolve the gates before",
        r"resolve the gates before",
        "settle what follows before",
        ("Resolve the gates before lunch.", "Settle what follows before lunch."),
        "Resolve the gates.",
    ),
    mend(
        "build-checks",
        "Another sentence says that the limits are no gates.",
        "applies the vcs and scope",
        r"(?<=applies the vcs and scope )gates",
        "checks",
        ("It applies the VCS and scope gates.", "It applies the VCS and scope checks."),
        "The scope gates",
    ),
    mend(
        "build-context-note",
        "A subagent reads this without our word for comments, and it names a thing that is not there.",
        "compiled from planning artifacts",
        r"<!-- compiled from planning artifacts\. [^>\n]*-->",
        "_Compiled from planning artifacts. Edit freely; a later build makes it anew when they change._",
        (
            "```md\n<!-- Compiled from planning artifacts. Eat. -->\n```",
            "```md\n_Compiled from planning artifacts. Edit freely; a later build makes it anew when they "
            "change._\n```",
        ),
        "Compiled from planning artifacts.",
        "flow.comment",
        kinds=_CODE,
    ),
    mend(
        "build-diff-best-effort",
        "The commit that an earlier run noted need not be here, and another step says what to do then.",
        "(from `{spec_file}` frontmatter",
        r"(?<=\(from `\{spec_file\}` frontmatter)(?=\))",
        "; by best effort where it is `NO_VCS` or not here",
        (
            "Since soup (from `{spec_file}` frontmatter)",
            "Since soup (from `{spec_file}` frontmatter; by best effort where it is `NO_VCS` or not here)",
        ),
        "From `{spec_file}` frontmatter",
    ),
    mend(
        "build-best-effort-file",
        "The reviews read the file, which only the other branch writes.",
        "to determine what changed. otherwise",
        r"(?<=to determine what changed)(?=\. otherwise)",
        " and write that as `{diff_file}`",
        (
            "Use your nose to determine what changed. Otherwise eat.",
            "Use your nose to determine what changed and write that as `{diff_file}`. Otherwise eat.",
        ),
        "Determine what changed.",
    ),
)
