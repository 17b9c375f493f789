"""What is mended in the workflows of planning: loops that only a person would end, second runs."""

from __future__ import annotations

from bmadc.passes.errata import erratum
from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = (
    erratum(
        "plan-priority",
        "The protocol of the same instructions takes the folder first.",
        ("versions exist, use the whole", r"versions exist, use the whole document"),
        "versions exist, use what “Discover inputs” loads",
        (
            "4. If both versions exist, use the whole document",
            "4. If both versions exist, use what “Discover inputs” loads",
        ),
        "Use the whole document",
    ),
    erratum(
        "plan-via-dev",
        "The sentence was made for a menu.",
        ("via dev's code-review", r"via dev's code-review workflow"),
        "by the code review",
        ("Ready (via Dev's code-review workflow)", "Ready (by the code review)"),
        "Via the code-review",
        code=True,
        consumes=(".*code-review.*",),
    ),
    erratum(
        "plan-mode",
        "Nobody is there to refine one edit after the other.",
        ("ask user for mode preference", r"ask user for mode preference:"),
        "take the mode Batch, since nobody refines one edit after the other:",
        (
            "<workflow><action>Ask user for mode preference:</action></workflow>",
            "<workflow><action>Take the mode Batch, since nobody refines one edit after the "
            "other:</action></workflow>",
        ),
        "Ask for the mode",
    ),
    erratum(
        "plan-read-again",
        "Nobody is there who could want an edit.",
        ("review complete proposal. continue", r"review complete proposal\. continue[^<\n]*\?"),
        "Read the complete proposal once more, and mend what does not follow from the cause.",
        (
            "<workflow><ask>Review complete proposal. Continue or eat?</ask></workflow>",
            "<workflow><ask>Read the complete proposal once more, and mend what does not follow "
            "from the cause.</ask></workflow>",
        ),
        "Review complete proposal",
    ),
    erratum(
        "plan-log",
        "No run keeps a log; the proposal is what is read.",
        ("in workflow execution log", r"in workflow execution log"),
        "in the proposal",
        (
            "<workflow><action>Document it in workflow execution log</action></workflow>",
            "<workflow><action>Document it in the proposal</action></workflow>",
        ),
        "In the log",
    ),
    erratum(
        "plan-documents",
        "Nobody answers while the run works.",
        ("do you have any other documents", r"do you have any other documents [^?,\n]*\?"),
        "Go on with what was found.",
        ("Do you have any other documents here?", "Go on with what was found."),
        "Do you have bread?",
    ),
    erratum(
        "plan-without-prd",
        "What the run does instead was not said.",
        ("do not proceed without prd", r"do not proceed without prd"),
        "Without a PRD HALT with that message; do NOT proceed",
        ("- Do NOT proceed without PRD", "- Without a PRD HALT with that message; do NOT proceed"),
        "- Do NOT proceed",
    ),
    erratum(
        "plan-feedback",
        "Feedback that nobody gives has no end.",
        ("feedback until confirmation is received", r"based on \w+ feedback until confirmation is received"),
        "where they do not",
        ("Update it based on cook feedback until confirmation is received.", "Update it where they do not."),
        "Feedback is received",
    ),
    erratum(
        "plan-repeat",
        "Approval that nobody gives has no end.",
        ("repeat until approval is received", r"repeat until approval is received"),
        "Do this at most twice",
        ("- Repeat until approval is received", "- Do this at most twice"),
        "- Repeat it",
    ),
    erratum(
        "plan-template-once",
        "A second run would overwrite what the first one wrote.",
        ("copy the entire template to", r"copy the entire template to"),
        "if the document does not exist yet, copy the entire template to",
        (
            "1. Copy the entire template to bread",
            "1. If the document does not exist yet, copy the entire template to bread",
        ),
        "1. Copy the template",
    ),
    erratum(
        "plan-name",
        "The name was filled in by a stand-in.",
        ("replace {{project_name}} with", r"replace \{\{project_name\}\} with the actual"),
        "Replace the placeholder of the project's name with the actual",
        (
            "2. Replace {{project_name}} with the actual bread",
            "2. Replace the placeholder of the project's name with the actual bread",
        ),
        "2. Replace it",
        consumes=(".*project_name.*",),
    ),
    erratum(
        "status-next",
        "The name stands for a label or a work of the pipeline, not for a command.",
        ("workflows:{{next_workflow_id}}", r"/bmad:bmm:workflows:\{\{next_workflow_id\}\}"),
        "{{next_workflow_id}}",
        ("Next: /bmad:bmm:workflows:{{next_workflow_id}}", "Next: {{next_workflow_id}}"),
        "Next: {{next_workflow_id}}",
        consumes=(".*",),
    ),
    erratum(
        "status-corrections",
        "A report changes no file, and nobody enters anything.",
        ("how should these be corrected?", r"how should these be corrected\?"),
        "Name in the report how these should be corrected; the file is not changed here:",
        (
            "How should these be corrected?",
            "Name in the report how these should be corrected; the file is not changed here:",
        ),
        "How should these be baked?",
    ),
    erratum(
        "status-entered",
        "A report changes no file, and nobody enters anything.",
        ("enter corrections (e.g", r"enter corrections \(e\.g[^<]*?fixing:?"),
        "Go on without fixing",
        ("Enter corrections (e.g. 1) or stop fixing:", "Go on without fixing"),
        "Enter corrections",
        consumes=(".*",),
    ),
    erratum(
        "plan-own-check",
        "The task that should do this is in no release; the agent holds the list itself.",
        ("`validate-workflow.xml` (handles", r"`validate-workflow\.xml`(?= \(handles)"),
        "you yourself",
        ("- x: `validate-workflow.xml` (handles bread)", "- x: you yourself (handles bread)"),
        "- `validate-workflow.xml`",
        consumes=(".*validate-workflow.*",),
    ),
)
