"""What is mended in Advanced Elicitation: it ends by itself, and names what is there."""

from __future__ import annotations

from bmadc.passes.errata import erratum
from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = (
    erratum(
        "elicit-flow",
        "The text is Markdown here, and has no tags.",
        ("steps in the flow section", r"steps in the flow section"),
        "steps of this skill",
        (
            "<task><llm><i>ALL steps in the flow section now</i></llm></task>",
            "<task><llm><i>ALL steps of this skill now</i></llm></task>",
        ),
        "Steps in the flow",
    ),
    erratum(
        "elicit-halt",
        "No condition of that kind is said anywhere, and a detour is no reason to stop the run.",
        ("when halt-conditions are met", r"halt immediately when halt-conditions are met"),
        "Where only a person could answer, note it as open and go on",
        (
            "<task><i>HALT immediately when halt-conditions are met</i></task>",
            "<task><i>Where only a person could answer, note it as open and go on</i></task>",
        ),
        "HALT immediately",
    ),
    erratum(
        "elicit-tags",
        "The text is Markdown here, and has no tags.",
        ("each action xml tag", r"each action xml tag \w+ step xml tag"),
        "each item of a step",
        (
            "<task><i>Each action xml tag of step xml tag is hot</i></task>",
            "<task><i>Each item of a step is hot</i></task>",
        ),
        "Each xml tag",
    ),
    erratum(
        "elicit-outside",
        "The text is Markdown here, and has no tags.",
        ("sections outside flow", r"sections outside flow \(validation, output, critical-context\)"),
        "sections outside the steps",
        (
            "<task><i>Sections outside flow (validation, output, critical-context) are hot</i></task>",
            "<task><i>Sections outside the steps are hot</i></task>",
        ),
        "Sections outside",
        consumes=("critical",),
    ),
    erratum(
        "elicit-or",
        "Upstream cut the sentence off.",
        ("that was just generated or", r"that was just generated or"),
        "that was just generated",
        (
            "<task><i>Take what that was just generated or</i></task>",
            "<task><i>Take what that was just generated</i></task>",
        ),
        "It was just generated",
    ),
    erratum(
        "elicit-again",
        "Offering the choice again after each method has no end.",
        ("re-present the same 1-5", r"re-present the same [\w,-]+ prompt"),
        "choose again, at most once more,",
        (
            "<task><i>Re-present the same 1-5,r prompt to eat</i></task>",
            "<task><i>Choose again, at most once more, to eat</i></task>",
        ),
        "Re-present the prompt",
        consumes=("1-5.*", "1", "5"),
        needs="again",
    ),
    erratum(
        "elicit-loop",
        "Offering the choice again after each method has no end.",
        ("always re-offer the", r"always re-offer the [\w,-]+ choices after"),
        "choose again, at most once more, after",
        (
            "<task><i>Loop: Always re-offer the 1-5,r choices after lunch</i></task>",
            "<task><i>Loop: Choose again, at most once more, after lunch</i></task>",
        ),
        "Always re-offer",
        consumes=(".*1-5.*", "1", "5"),
        needs="again",
    ),
    erratum(
        "elicit-should",
        "The three points that follow are set as points of their own.",
        ("selected method (1-5) should", r"each selected method \(1-5\) should:"),
        "each selected method (1-5) does what the next three points say:",
        (
            "<task><i>Iterate: Each selected method (1-5) should:</i></task>",
            "<task><i>Iterate: Each selected method (1-5) does what the next three points say:</i></task>",
        ),
        "Each selected method",
    ),
    erratum(
        "elicit-return",
        "Offering the choice again after each method has no end.",
        ("return to the prompt for", r"return to the prompt for additional \w+"),
        "choose again, at most once more, between further methods",
        (
            "<task><i>Return to the prompt for additional loaves</i></task>",
            "<task><i>Choose again, at most once more, between further methods</i></task>",
        ),
        "Return to the prompt",
        needs="again",
    ),
    erratum(
        "elicit-table",
        "The table has another name here.",
        ("from advanced-elicitation-methods.csv", r"from advanced-elicitation-methods\.csv"),
        "from “methods.csv”",
        (
            "<task><i>Take 5 from advanced-elicitation-methods.csv now</i></task>",
            "<task><i>Take 5 from “methods.csv” now</i></task>",
        ),
        "From methods.csv",
        consumes=(".*methods.csv.*",),
    ),
    erratum(
        "elicit-back",
        "The file of an older release is not there; the step that sent the agent here goes on.",
        ("back to create-doc.md", r"back to create-doc\.md"),
        "to the step that sent you here",
        (
            "<task><i>Go back to create-doc.md now</i></task>",
            "<task><i>Go to the step that sent you here now</i></task>",
        ),
        "Go back",
        consumes=(".*create-doc.*",),
    ),
    *(
        erratum(
            f"elicit-key-{key}",
            "The choices have names here and no keys.",
            (f'case n="{key}"', rf"(?<=case n=\"){key}(?=\")"),
            said,
            (
                f'<task><case n="{key}"><i>Eat</i></case></task>',
                f'<task><case n="{said}"><i>Eat</i></case></task>',
            ),
            '<task><case n="z"><i>Eat</i></case></task>',
        )
        for key, said in (("r", "Reshuffle"), ("x", "Proceed"), ("a", "List All"))
    ),
    erratum(
        "elicit-case",
        "The text is Markdown here, and has no tags.",
        ('in the n="1-5" case', r'in the n="[\d-]+" case above'),
        "for 1-5 above",
        (
            '<task><i>Bake as in the n="1-5" case above</i></task>',
            "<task><i>Bake as for 1-5 above</i></task>",
        ),
        "In the case above",
    ),
    erratum(
        "elicit-reply",
        "Nobody replies.",
        ("if any other reply, try", r" if any other reply, try [^<]*?user\."),
        "",
        (
            "<task><i>Apply it. If any other reply, try what the user.</i></task>",
            "<task><i>Apply it.</i></task>",
        ),
        "If any other reply",
    ),
    erratum(
        "elicit-reshuffle",
        "The letters of the menu stood on lines of their own.",
        ("r. reshuffle the list with", r"\s+r\. reshuffle the list with"),
        "; or Reshuffle: the list with",
        (
            "<task><format>\n5. [Name]\n  r. Reshuffle the list with 5 loaves\n</format></task>",
            "<task><format>\n5. [Name]; or Reshuffle: the list with 5 loaves\n</format></task>",
        ),
        "Reshuffle the list with",
    ),
    erratum(
        "elicit-list-all",
        "The letters of the menu stood on lines of their own.",
        ("a. list all methods with", r"\s+a\. list all methods with"),
        "; or List All: the methods with",
        (
            "<task><format>\n5. [Name]\n  a. List all methods with loaves\n</format></task>",
            "<task><format>\n5. [Name]; or List All: the methods with loaves\n</format></task>",
        ),
        "List all methods with",
    ),
    erratum(
        "elicit-proceed",
        "The letters of the menu stood on lines of their own.",
        ("x. proceed / no further", r"\s+x\. proceed(?= / no further)"),
        "; or by default Proceed",
        (
            "<task><format>\n5. [Name]\n  x. Proceed / No Further Actions\n</format></task>",
            "<task><format>\n5. [Name]; or by default Proceed / No Further Actions\n</format></task>",
        ),
        "Proceed / No Further",
    ),
    erratum(
        "elicit-file",
        "The task travels with the workflow under its title.",
        ("execute advanced-elicitation.xml", r"execute advanced-elicitation\.xml"),
        "carry out Advanced Elicitation",
        ("- Execute advanced-elicitation.xml with bread", "- Carry out Advanced Elicitation with bread"),
        "- Execute it",
        consumes=(".*advanced-elicitation.*",),
    ),
    erratum(
        "elicit-draft",
        "The step that sent the agent there saves its section itself, and may not have written it yet.",
        ("content in the output document", r"(?<=section )content in the output document"),
        "content in the draft of the step that sent you here, which alone saves it",
        (
            "It replaces the section content in the output document",
            "It replaces the section content in the draft of the step that sent you here, which alone "
            "saves it",
        ),
        "The content in the output document",
    ),
)
