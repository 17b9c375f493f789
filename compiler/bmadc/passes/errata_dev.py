"""What is mended in the development of a story: its order, its jumps, and what only a talk could answer."""

from __future__ import annotations

from collections.abc import Iterator

from bmadc.machine.labels import CHANGES, STORY
from bmadc.passes.errata import erratum
from bmadc.passes.rules import Found, Place, Rule, Say
from bmadc.passes.sheet import Sheet

_OFFERED = "what would you like to do?"


def _offers_of_stories(sheet: Sheet) -> Iterator[Place]:
    """Find the question over the list of what a person can do where no story is ready."""
    for number in sheet.with_hint(_OFFERED):
        leaf = sheet.tree.leaves[number]
        if number + 1 < len(sheet.tree.leaves) and "run `create-story`" in sheet.plain(number + 1):
            at = sheet.lower.find(_OFFERED, leaf.start, leaf.end)
            yield Place(number, at, at + len(_OFFERED))


def _labels_of_jumps(sheet: Sheet) -> Iterator[Place]:
    """Find jumps whose words are only the name of the end."""
    for number in sheet.with_hint("completion"):
        leaf = sheet.tree.leaves[number]
        if sheet.plain(number) == "completion" and sheet.tree.blocks[leaf.block].name == "goto":
            yield Place(number, leaf.start, leaf.end)


def _untracked(sheet: Sheet) -> Iterator[Place]:
    """Find the first word of the order that follows the word that no file of the sprint is there."""
    for number in sheet.with_hint("tracked in story file only"):
        for after in range(number + 1, min(number + 5, len(sheet.tree.leaves))):
            if sheet.plain(after).startswith("set "):
                start = sheet.tree.leaves[after].start
                yield Place(after, start, start + len("set "))
                break


_STORYLESS = (
    f"No story file belongs to the pull request: in state `{CHANGES.name}` go on with "
    f"Step 2 and the points of the "
    "review. Otherwise find out as follows which story may be meant, for the comment, and HALT."
)

RULES: tuple[Rule, ...] = (
    erratum(
        "explain",
        "Nobody says what needs explaining, so the run explains what helps a reviewer.",
        ("}, ask if user", r"(?<=\}), ask if user \w+ any"),
        ", give the reviewer who needs them any",
        (
            "Based upon {user_skill_level}, ask if user wants any help about:",
            "Based upon {user_skill_level}, give the reviewer who needs them any help about:",
        ),
        "Ask if user wants a spoon.",
        needs="skill-level",
    ),
    erratum(
        "explanations-complete",
        "Nobody says that the explanations are enough.",
        ("explanations are complete (", r"(?<=explanations are complete) \([^)\n]*\)(?=, suggest)"),
        "",
        (
            "Once explanations are complete (or none is left), suggest a rest",
            "Once explanations are complete, suggest a rest",
        ),
        "Once explanations are complete, rest",
        consumes=(r"no",),
    ),
    erratum(
        "points-first",
        "What a review asks for comes before the tasks that are still open.",
        ("no skipping, no reordering", r"no skipping, no reordering"),
        "no skipping, no reordering but that the points of a review come first",
        (
            "Bake in order - no skipping, no reordering",
            "Bake in order - no skipping, no reordering but that the points of a review come first",
        ),
        "No skipping, please",
    ),
    erratum(
        "points-are-tasks",
        "A point of a review need not stand among the tasks, nor what a criterion wants; both are done.",
        ("not mapped to a specific", r"anything not mapped to a specific"),
        "anything not mapped to a point of a review, to a criterion that a gate found unmet or to a specific",
        (
            "Never cook anything not mapped to a specific order",
            "Never cook anything not mapped to a point of a review, to a criterion that a gate found unmet "
            "or to a specific order",
        ),
        "Never cook anything not mapped.",
    ),
    erratum(
        "points-and-sequence",
        "The sequence of the story begins after the points of a review.",
        ("as written - no deviation", r"as written - no deviation"),
        "AS WRITTEN, AFTER THE POINTS OF A REVIEW - NO DEVIATION",
        ("BAKE AS WRITTEN - NO DEVIATION", "BAKE AS WRITTEN, AFTER THE POINTS OF A REVIEW - NO DEVIATION"),
        "BAKE AS WRITTEN",
    ),
    erratum(
        "next-point",
        "Nothing else reads the list of open points, and no other words say which one is next.",
        ("review the current task/subtask", r"review the current task/subtask from"),
        "take the next point of the review or of {{pending_review_items}}, and when none is left the next "
        "task/subtask, and review it in",
        (
            "Review the current task/subtask from the book",
            "Take the next point of the review or of "
            "{{pending_review_items}}, and when none is left the next task/subtask, and review it "
            "in the book",
        ),
        "Review the task",
    ),
    erratum(
        "nothing-open",
        "With all boxes ticked there may still be points of a review, which the jump would leave undone.",
        ("no incomplete tasks", r"(?<=if=\")no incomplete tasks"),
        "no incomplete tasks, and no point of a review is open",
        (
            '<workflow><action if="no incomplete tasks">x</action></workflow>',
            '<workflow><action if="no incomplete tasks, and no point of a review is '
            'open">x</action></workflow>',
        ),
        "There are no incomplete tasks.",
    ),
    erratum(
        "completion-sequence",
        "What the jump leaves out sets what the end asks for.",
        ("completion sequence", r"completion sequence"),
        "first carry out Steps 2 to 4",
        ("Completion sequence", "First carry out Steps 2 to 4"),
        "Completion of a sequence",
        whole=True,
    ),
    erratum(
        "next-task",
        "A jump says what it is for in words, not by the name of a place that does not exist.",
        ("next task", r"next task"),
        "with the next point or task",
        (
            "<workflow><goto>Next task</goto></workflow>",
            "<workflow><goto>With the next point or task</goto></workflow>",
        ),
        "The next task is here",
        whole=True,
    ),
    Rule(
        "flow.erratum-completion-label",
        "A jump says what it is for in words, not by the name of a place that does not exist.",
        Found(_labels_of_jumps, ("completion",)),
        Say("All is done"),
        "rewritten",
        examples=(
            ("<workflow><goto>Completion</goto></workflow>", "<workflow><goto>All is done</goto></workflow>"),
        ),
        near=("<workflow><action>Completion</action></workflow>",),
    ),
    erratum(
        "more-open",
        "Points of a review are work like tasks.",
        ("if more incomplete tasks remain", r"if more incomplete tasks remain"),
        "if points of the review or more incomplete tasks remain",
        (
            "See if more incomplete tasks remain",
            "See if points of the review or more incomplete tasks remain",
        ),
        "More incomplete tasks remain",
    ),
    erratum(
        "more-left",
        "Points of a review are work like tasks.",
        ("more tasks remain", r"(?<=if=\")more tasks remain"),
        "points or tasks remain",
        (
            '<workflow><action if="more tasks remain">x</action></workflow>',
            '<workflow><action if="points or tasks remain">x</action></workflow>',
        ),
        "More tasks remain",
    ),
    erratum(
        "none-left",
        "Points of a review are work like tasks.",
        ("no tasks remain", r"(?<=if=\")no tasks remain"),
        "no points and no tasks remain",
        (
            '<workflow><action if="no tasks remain">x</action></workflow>',
            '<workflow><action if="no points and no tasks remain">x</action></workflow>',
        ),
        "No tasks remain",
    ),
    erratum(
        "either-section",
        "The review may have written only one of two sections, and that of a person writes none.",
        ("senior developer review section exists", r"(?<=\")senior developer review section exists"),
        f"`{CHANGES.name}` is the state, or Senior Developer Review section or Review Follow-ups subsection "
        "exists",
        (
            '<workflow><check if="Senior Developer Review section exists">x</check></workflow>',
            f'<workflow><check if="`{CHANGES.name}` is the state, or Senior Developer Review section or '
            'Review Follow-ups subsection exists">x</check></workflow>',
        ),
        "The Senior Developer Review is there",
    ),
    erratum(
        "neither-section",
        "The review may have written only one of two sections, and that of a person writes none.",
        ("developer review section does not", r"(?<=\")senior developer review section does not exist"),
        f"`{CHANGES.name}` is not the state, Senior Developer Review section does NOT exist and no Review "
        "Follow-ups subsection either",
        (
            '<workflow><check if="Senior Developer Review section does NOT exist">x</check></workflow>',
            f'<workflow><check if="`{CHANGES.name}` is not the state, Senior Developer Review section does '
            'NOT exist and no Review Follow-ups subsection either">x</check></workflow>',
        ),
        "The Senior Developer Review does NOT exist",
    ),
    erratum(
        "outcomes-of-review",
        "A review has two outcomes; what blocks it is a HALT.",
        ("review outcome (approve/changes", r"review outcome \(approve/changes requested/blocked\)"),
        "Review outcome (Approve/Changes Requested)",
        (
            "- Review outcome (Approve/Changes Requested/Blocked)",
            "- Review outcome (Approve/Changes Requested)",
        ),
        "- Review outcome",
    ),
    erratum(
        "section-if-any",
        "The section may be missing where the other one is there.",
        ('extract from "senior', r"extract from \"senior developer review \(ai\)\" section"),
        'extract from the "Senior Developer Review (AI)" section, as far as there is one',
        (
            'Extract from "Senior Developer Review (AI)" section: x',
            'Extract from the "Senior Developer Review (AI)" section, as far as there is one: x',
        ),
        "Extract from the oven",
    ),
    erratum(
        "matching-item",
        "The section may be missing where the other one is there.",
        ("find matching action item", r"find matching action item"),
        "if there is one, find the matching action item",
        ("Find matching action item now", "If there is one, find the matching action item now"),
        "Find matching spoons",
    ),
    erratum(
        "more-areas",
        "Other steps order entries in two more areas of the story.",
        ("(debug log, completion notes)", r"\(debug log, completion notes\)"),
        "(Implementation Plan, Debug Log, Completion Notes), Senior Developer Review (boxes "
        "of its action items)",
        (
            "The Record (Debug Log, Completion Notes) only",
            "The Record (Implementation Plan, Debug Log, Completion "
            "Notes), Senior Developer Review (boxes of its action items) only",
        ),
        "The Record (Debug Log) only",
    ),
    erratum(
        "criteria-of-task",
        "This is asked after every task, and only after the last one can all criteria hold.",
        ("meets all story acceptance", r"meets all story acceptance criteria"),
        "meets the acceptance criteria related to this task, and after the last task ALL of them",
        (
            "The soup meets ALL story acceptance criteria now",
            "The soup meets the acceptance criteria related to "
            "this task, and after the last task ALL of them now",
        ),
        "The soup meets all criteria",
    ),
    erratum(
        "tick-after-gates",
        "A follow-up is ticked when it is validated, like any other task.",
        ("mark task checkbox [x] in", r"mark task checkbox \[x\] in"),
        "as soon as all validation gates hold, mark task checkbox [x] in",
        (
            "Mark task checkbox [x] in the book",
            "As soon as all validation gates hold, mark task checkbox [x] in the book",
        ),
        "Mark the box in the book",
    ),
    erratum(
        "status-fits-two",
        "A story that is in progress already fits two conditions, and the first one reports a change.",
        ("or review_continuation == true", r"or review_continuation == true"),
        "OR (review_continuation == true and it is 'review' or 'done')",
        (
            '<workflow><check if="hot OR review_continuation == true">x</check></workflow>',
            '<workflow><check if="hot OR (review_continuation == true and it is '
            "'review' or 'done')\">x</check></workflow>",
        ),
        "Set review_continuation = true",
    ),
    erratum(
        "status-otherwise",
        "After a review another status was dealt with above.",
        ("neither ready-for-dev nor in-progress", r"neither ready-for-dev nor in-progress"),
        "neither ready-for-dev nor in-progress and review_continuation is false",
        (
            '<workflow><check if="it is neither ready-for-dev nor in-progress">x</check></workflow>',
            '<workflow><check if="it is neither ready-for-dev nor in-progress and '
            'review_continuation is false">x'
            "</check></workflow>",
        ),
        "It is ready-for-dev",
    ),
    erratum(
        "status-before",
        "The status before is reported as it was.",
        ("status updated: ready-for-dev", r"status updated: ready-for-dev"),
        "Status updated: {{old_value}}",
        ("Status updated: ready-for-dev → hot", "Status updated: {{old_value}} → hot"),
        "Status: ready-for-dev",
        consumes=(r".*ready-for-dev.*",),
    ),
    erratum(
        "status-read",
        "The value is used by a name that nothing sets.",
        ("get current status value for", r"get current status value for"),
        "get {{current_status}}, the value of",
        ("Get current status value for soup", "Get {{current_status}}, the value of soup"),
        "Get the status",
    ),
    erratum(
        "status-of-story",
        "At this point only the story file was read.",
        ("story status: {{current", r"(?<!unexpected )story status: \{\{current_status\}\}"),
        "Story Status: as the story file says",
        ("Story Status: {{current_status}} now", "Story Status: as the story file says now"),
        "Story status: new",
        consumes=(r".*current_status.*",),
    ),
    erratum(
        "key-missing",
        "A key that is not in the file has no branch.",
        ("read all development_status entries to", r"read all development_status entries to find"),
        "read all development_status entries (if the key is missing, say so and leave out the rest of this "
        "step) to find",
        (
            "Read all development_status entries to find bread",
            "Read all development_status entries (if the key is missing, say so and leave out "
            "the rest of this step) to find bread",
        ),
        "Read all entries",
    ),
    erratum(
        "tracking-enabled",
        "Which value is stored is what the end asks for.",
        ("store {{current_sprint_status}}", r"store \{\{current_sprint_status\}\} for"),
        'Store {{current_sprint_status}} = "enabled" for',
        (
            "Store {{current_sprint_status}} for bread",
            'Store {{current_sprint_status}} = "enabled" for bread',
        ),
        "Store the bread for later use",
    ),
    erratum(
        "set-in-progress",
        "The words are garbled, nothing is saved, and the story's own status is forgotten.",
        ("story in the sprint status", r"story in the sprint status [a-z ]*= \"in-progress\""),
        'story\'s entry in the sprint status file to "in-progress" and save it; set the Status '
        "of the story file to "
        '"in-progress" too',
        (
            'Update the story in the sprint status book to = "in-progress"',
            "Update the story's entry in the sprint "
            'status file to "in-progress" and save it; set the Status of the story file to "in-progress" too',
        ),
        "Update the story in the sprint status",
    ),
    erratum(
        "tracked-in-story",
        "What is tracked in the story is its status, which nothing else sets.",
        ("tracked in story file only", r"will be tracked in story file only"),
        'is tracked in the story file only, whose Status is "in-progress" from now on',
        (
            "Bread will be tracked in story file only",
            'Bread is tracked in the story file only, whose Status is "in-progress" from now on',
        ),
        "Bread will be tracked",
    ),
    Rule(
        "flow.erratum-status-in-story",
        "Without a file of the sprint nothing else sets the status of the story.",
        Found(_untracked, ("tracked in story file only",)),
        Say('Set the Status of the story file to "in-progress", and set '),
        "rewritten",
        examples=(
            (
                "<workflow><output>Bread tracked in story file only, warm</output><action>Set x</action>"
                "</workflow>",
                "<workflow><output>Bread tracked in story file only, warm</output><action>Set the Status "
                'of the story file to "in-progress", and set x</action></workflow>',
            ),
        ),
        near=("<workflow><output>Bread is tracked</output><action>Set x</action></workflow>",),
    ),
    erratum(
        "status-after-gates",
        "Whether the story may be reviewed is known only after the gates below.",
        ("update the story status to", r"update the story status to: \"review\""),
        "when all gates of this step hold, the last of them included, update the story Status "
        'to "review" and then '
        "the sprint status",
        (
            'Update the story Status to: "review"',
            "When all gates of this step hold, the last of them included, "
            'update the story Status to "review" and then the sprint status',
        ),
        "Update the story Status",
    ),
    erratum(
        "gates-first",
        "Whether the story may be reviewed is known only after the gates below.",
        ("mark story ready for review", r"mark story ready for review - sprint"),
        "Mark story ready for review, once the final validation gates below hold - sprint",
        (
            "<workflow><!-- Mark story ready for review - sprint x --><a/></workflow>",
            "<workflow><!-- Mark story ready for review, once the final validation gates below "
            "hold - sprint x --><a/>"
            "</workflow>",
        ),
        "Mark story ready for review",
    ),
    erratum(
        "expected-state",
        "Another state before has no branch.",
        ("(expected previous state)", r"\(expected previous state\)"),
        "(expected previous state; report any other one and go on)",
        (
            "It is hot (expected previous state)",
            "It is hot (expected previous state; report any other one and go on)",
        ),
        "The expected state",
    ),
    erratum(
        "key-if-any",
        "The key is looked for before it is said what happens without it.",
        ("find development_status key", r"find development_status key"),
        "if it has one (else go on with the report on a key that was not found), take the "
        "development_status key",
        (
            "Find development_status key for soup",
            "If it has one (else go on with the report on a key that was not found), take the "
            "development_status key for soup",
        ),
        "Find the key",
    ),
    erratum(
        "key-not-in-file",
        "Where there is no file there is no key either, and that is reported already.",
        ("story key not found in", r"(?<=\")(?P<what>story key not found in [a-z ]*status)"),
        "\\g<what> although the file exists",
        (
            '<workflow><check if="story key not found in oven status">x</check></workflow>',
            '<workflow><check if="story key not found in oven status although the file '
            'exists">x</check></workflow>',
        ),
        "The story key not found",
        consumes=(r"not",),
    ),
    erratum(
        "other-instruction",
        "Nobody gives an instruction while the run works.",
        (" or the user gives", r" or the user gives\s+other instruction"),
        "",
        ("Stop if it burns or the USER gives other instruction.", "Stop if it burns."),
        "Or the user gives up",
    ),
    erratum(
        "checklist-named",
        "The list has a name in these instructions, and what follows from it has to be said.",
        ("using the validation framework", r" using the validation framework"),
        " at “Checklist”, and where an item but the last does not hold go back to the step that it is "
        "about, and from there through Step 9",
        (
            "Bake it using the validation framework",
            "Bake it at “Checklist”, and where an item but the last does not hold go back to the step that "
            "it is about, and from there through Step 9",
        ),
        "Bake it using the oven",
    ),
    erratum(
        "failed-list",
        "A list of failures alone would be handed over as if all were well.",
        ("list specific failures", r"list specific failures and required actions before"),
        "Mend the failures, or HALT and list those that are left and the required actions before",
        (
            "List specific failures and required actions before lunch",
            "Mend the failures, or HALT and list those that are left and the required actions before lunch",
        ),
        "List specific failures",
    ),
    erratum(
        "guardrail-tests",
        "No release that is built here has that module, so no label stands for it.",
        ("if test architect module", r"(?<=if test architect module installed, )run `[^`\n]*` to"),
        "in a later change",
        (
            "Optional: If Test Architect module installed, run `x` to bake",
            "Optional: If Test Architect module installed, in a later change bake",
        ),
        "If Test Architect module is there",
        consumes=(r".*",),
    ),
    erratum(
        "other-model",
        "A run cannot choose which model the next one uses; the project can.",
        ("results, run `code-review`", r"(?<=results, )run `code-review` using"),
        "let the project's code review be made using",
        (
            "For best results, run `code-review` using bread.",
            "For best results, let the project's code review be made using bread.",
        ),
        "Run `code-review` now",
        consumes=(r".*code-review.*",),
    ),
    erratum(
        "peer-review",
        "The review starts without an order, and a run cannot start it.",
        ("run `code-review` workflow", r"run `code-review` workflow for"),
        "the code review, which is started for you, for",
        ("- Run `code-review` workflow for bread", "- The code review, which is started for you, for bread"),
        "- Run `code-review` now",
        consumes=(r".*code-review.*",),
    ),
    Rule(
        "flow.erratum-person-can",
        "What stands there is for the person who reads the comment; the run stops.",
        Found(_offers_of_stories, ("what would you like to do?",)),
        Say("What a person can do:"),
        "rewritten",
        examples=(
            (
                "**What would you like to do?**\n\n1. Run `create-story` now",
                "**What a person can do:**\n\n1. Run `create-story` now",
            ),
        ),
        near=("**What would you like to do?**\n\n1. Run",),
        over=("menus.", "questions.", "person."),
    ),
    erratum(
        "person-makes-story",
        "Only a person sets the label that makes a story.",
        ("run `create-story` to create", r"(?<=1\. )run `create-story` to create"),
        f"Set the label `{STORY.name}` on an issue to create",
        (
            "1. Run `create-story` to create soup",
            f"1. Set the label `{STORY.name}` on an issue to create soup",
        ),
        "Run `create-story` to create soup",
        consumes=(r".*create-story.*",),
    ),
    erratum(
        "person-mends-story",
        "Only a person sets the label, and names there what has to be better.",
        ("run `*validate-create-story` to", r"run `\*validate-create-story` to"),
        f"Name the story in an issue with the label `{STORY.name}` to",
        (
            "2. Run `*validate-create-story` to improve soup",
            f"2. Name the story in an issue with the label `{STORY.name}` to improve soup",
        ),
        "Run `validate` to improve soup",
        consumes=(r".*create-story.*",),
    ),
    erratum(
        "person-names-file",
        "A story is named where the next run reads it.",
        ("specify a particular story file", r"specify a particular story file to develop"),
        "name the story file to develop in the description of the pull request",
        (
            "Specify a particular story file to develop",
            "Name the story file to develop in the description of the pull request",
        ),
        "Specify a file",
    ),
    erratum(
        "person-names-story",
        "A story is named where the next run reads it.",
        ("specify which story to develop", r"specify which story to develop"),
        "name the story file to develop in the description of the pull request",
        (
            "Specify which story to develop",
            "Name the story file to develop in the description of the pull request",
        ),
        "Specify which soup",
    ),
    erratum(
        "no-other-story",
        "Without its own story a run would build the next one of the sprint on this branch.",
        ("sprint-based story discovery", r"sprint-based story discovery"),
        _STORYLESS,
        (
            "<workflow><!-- Sprint-based story discovery --><a/></workflow>",
            f"<workflow><!-- {_STORYLESS} --><a/></workflow>",
        ),
        "Story discovery",
        needs="storyless",
    ),
    erratum(
        "no-other-story-file",
        "What is found is named, not built.",
        ("use discovered story file and", r"use discovered story file and extract \w+"),
        "note the discovered story file and its story_key for the comment",
        (
            "Use discovered story file and extract honey",
            "Note the discovered story file and its story_key for the comment",
        ),
        "Use the file",
    ),
    erratum(
        "no-other-story-key",
        "What is found is named, not built.",
        (
            "for later status updates",
            r"store the found story_key (?P<sample>\([^)\n]*\)) for later status updates",
        ),
        "note the found story_key \\g<sample> for the comment",
        (
            'Store the found story_key (as "1-soup") for later status updates',
            'Note the found story_key (as "1-soup") for the comment',
        ),
        "Store the found story_key",
    ),
    erratum(
        "no-other-story-read",
        "What is found is named, not built.",
        ("story file from discovered path", r"read complete story file from discovered path"),
        "HALT: neither this pull request nor its issue names or carries a story file. Name the one that "
        "you found, if any",
        (
            "Read COMPLETE story file from discovered path",
            "HALT: neither this pull request nor its issue names or carries a story "
            "file. Name the one that you found, if any",
        ),
        "Read the story file",
    ),
    erratum(
        "ready-in-files",
        "A story after its review is in progress, with a sprint file as without one.",
        ('with "ready-for-dev" status', r"with \"ready-for-dev\" status in files"),
        'with "ready-for-dev" or "in-progress" status in files',
        (
            'Loaves with "ready-for-dev" status in files',
            'Loaves with "ready-for-dev" or "in-progress" status in files',
        ),
        'With "ready-for-dev" status',
    ),
    erratum(
        "none-ready-in-files",
        "A story after its review is in progress, with a sprint file as without one.",
        ("no ready-for-dev stories found", r"no ready-for-dev stories found in story files"),
        "no ready-for-dev or in-progress stories found in story files",
        (
            '<workflow><check if="no ready-for-dev stories found in story files">x</check></workflow>',
            '<workflow><check if="no ready-for-dev or in-progress stories found in story '
            'files">x</check></workflow>',
        ),
        "No ready-for-dev stories found",
    ),
    erratum(
        "some-ready-in-files",
        "A story after its review is in progress, with a sprint file as without one.",
        ('"ready-for-dev story found', r"(?<=\")ready-for-dev story found in files"),
        "ready-for-dev or in-progress story found in files",
        (
            '<workflow><check if="ready-for-dev story found in files">x</check></workflow>',
            '<workflow><check if="ready-for-dev or in-progress story found in files">x</check></workflow>',
        ),
        "A ready-for-dev story found in files",
    ),
    erratum(
        "test-runner",
        "The project may say how its tests are run, and what happens where they cannot be run is a rule.",
        ("(infer test framework from", r"\(infer test framework from"),
        "(by `test_runner` of the settings, else infer test framework from",
        (
            "Bake (infer test framework from the smell)",
            "Bake (by `test_runner` of the settings, else infer test framework from the smell)",
        ),
        "Infer the test framework",
        needs="tests",
    ),
    erratum(
        "dependency-approved",
        ("Once a person approved the dependency, the second run would stop at the same place."),
        ("beyond story specifications", r"beyond story specifications"),
        (
            "beyond story specifications and project-context.md, which neither the requester nor a member of "
            "the project approves in a comment or a review"
        ),
        (
            "A spoon beyond story specifications",
            (
                "A spoon beyond story specifications and project-context.md, which neither the requester nor "
                "a member of the project approves in a comment or a review"
            ),
        ),
        "A spoon beyond the story",
    ),
    erratum(
        "dependency-listed",
        "What a person approved is within the scope as well.",
        ("dependencies specified in story", r"dependencies specified in story"),
        "dependencies that the requester or a member of the project approved, or specified in story",
        (
            "Bake with dependencies specified in story",
            "Bake with dependencies that the requester or a member of the project approved, or specified in "
            "story",
        ),
        "Dependencies of the story",
    ),
    erratum(
        "notes-and-record",
        ("What was missing there may not be written there, so no step could make this hold."),
        ("dev notes contains all", r"dev notes contains all"),
        "the Dev Notes, with what the Dev Agent Record adds to them, contain ALL",
        (
            "**x** Dev Notes contains ALL spoons",
            ("**x** The Dev Notes, with what the Dev Agent Record adds to them, contain ALL spoons"),
        ),
        "Dev Notes contain spoons",
    ),
    erratum(
        "entry-once",
        ("The place is passed after every task, and each time it would write the entry anew."),
        ("{{resolved_review_items}} is not empty", r"\{\{resolved_review_items\}\} is not empty"),
        (
            "{{resolved_review_items}} is not empty, no point of the review is left, and "
            "this run has not written this entry"
        ),
        (
            ('<workflow><check if="hot and {{resolved_review_items}} is not empty">x</check></workflow>'),
            (
                '<workflow><check if="hot and {{resolved_review_items}} is not empty, no point '
                "of the review is left, and this run has not written this "
                'entry">x</check></workflow>'
            ),
        ),
        "{{resolved_review_items}} is empty",
    ),
    erratum(
        "tests-where-behaviour",
        "A review also asks for what changes no behaviour, and no test of that can fail first.",
        ("write failing tests first", r"write failing tests first"),
        (
            "write FAILING tests first (what changes no behaviour, such as a document, a new name or a test "
            "that was missing, needs none that fails: its gates on tests count as held)"
        ),
        (
            "Write FAILING tests first for soup",
            (
                "Write FAILING tests first (what changes no behaviour, such as a document, a new name or a "
                "test that was missing, needs none that fails: its gates on tests count as held) for soup"
            ),
        ),
        "Write tests first",
    ),
    erratum(
        "tracked-entry",
        "A file of the sprint that has no entry for the story cannot be brought up to date.",
        ("(when sprint tracking is used", r"(?<=when sprint tracking is used)(?=\))"),
        " and has an entry of the story",
        ("(when sprint tracking is used)", "(when sprint tracking is used and has an entry of the story)"),
        "When sprint tracking is used",
    ),
)
