"""What is mended in the discussion of several roles: it ends by itself, and keeps no state in a file."""

from __future__ import annotations

from bmadc.passes.errata import erratum
from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = (
    erratum(
        "party-state",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("conversation state tracked in", r"conversation state tracked in frontmatter"),
        "conversation state kept in mind, in no file",
        ("- Conversation state tracked in frontmatter", "- Conversation state kept in mind, in no file"),
        "- State tracked",
    ),
    erratum(
        "party-tracking",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("frontmatter tracking", r"frontmatter tracking"),
        "State of the discussion, kept in mind and in no file",
        ("### Frontmatter Tracking\n\nx", "### State of the discussion, kept in mind and in no file\n\nx"),
        "Frontmatter is tracked",
    ),
    erratum(
        "party-first",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("update frontmatter `stepscompleted: [1]`", r"update frontmatter `stepscompleted: \[1\]`"),
        "remember that its Step 1 is done",
        (
            "- Update frontmatter `stepsCompleted: [1]` before lunch",
            "- Remember that its Step 1 is done before lunch",
        ),
        "- Update frontmatter",
        consumes=(".*stepsCompleted.*",),
    ),
    erratum(
        "party-first-again",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("update frontmatter: `stepscompleted: [1]`", r"update frontmatter: `stepscompleted: \[1\]`"),
        "remember that its Step 1 is done",
        ("- Update frontmatter: `stepsCompleted: [1]`", "- Remember that its Step 1 is done"),
        "- Update frontmatter: now",
        consumes=(".*stepsCompleted.*",),
    ),
    erratum(
        "party-set",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("set `agents_loaded: true`", r"set `agents_loaded: true` and"),
        "keep in mind `agents_loaded: true` and",
        (
            "- Set `agents_loaded: true` and `hot: true`",
            "- Keep in mind `agents_loaded: true` and `hot: true`",
        ),
        "- Set `hot: true`",
    ),
    erratum(
        "party-final",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("update frontmatter with final", r"update frontmatter with final workflow completion"),
        "Write no state into a file",
        ("- Update frontmatter with final workflow completion", "- Write no state into a file"),
        "- Update frontmatter",
    ),
    erratum(
        "party-loaded",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("frontmatter updated with agent", r"frontmatter updated with agent loading status"),
        "State of the discussion known, in no file",
        ("- Frontmatter updated with agent loading status", "- State of the discussion known, in no file"),
        "- Frontmatter updated",
    ),
    erratum(
        "party-completed",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("frontmatter properly updated with", r"frontmatter properly updated with workflow completion"),
        "No state written into a file",
        ("- Frontmatter properly updated with workflow completion", "- No state written into a file"),
        "- Frontmatter updated",
    ),
    erratum(
        "party-status",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("not updating workflow completion", r"not updating workflow completion status in frontmatter"),
        "Writing state into front matter, which is not Party Mode's",
        (
            "- Not updating workflow completion status in frontmatter",
            "- Writing state into front matter, which is not Party Mode's",
        ),
        "- Not updating",
        consumes=("not",),
    ),
    erratum(
        "party-update",
        "No document has front matter for this; that of the work's document would be overwritten.",
        ("frontmatter update:", r"\*\*frontmatter update:\*\*"),
        "**State at the end, kept in mind and in no file:**",
        ("**Frontmatter Update:**\n\nx", "**State at the end, kept in mind and in no file:**\n\nx"),
        "Frontmatter update",
    ),
    erratum(
        "party-script",
        "The script that reads lines aloud is in no repository, and its line would be copied "
        "into the result.",
        ("[bash: .claude/hooks", r"\[bash: \.claude/hooks[^\n]*"),
        '(a few sentences each)"',
        ('[Bash: .claude/hooks/x.sh \\"a\\" \\"b\\"]"', '(a few sentences each)"'),
        "Bash: x",
        consumes=(".*",),
    ),
    erratum(
        "party-files",
        "An agent of the release is a row of the table, and no file comes with it.",
        ("combine manifest data with", r"combine manifest data with agent file configurations"),
        "Take the agents as the manifest has them",
        (
            "- Combine manifest data with agent file configurations",
            "- Take the agents as the manifest has them",
        ),
        "- Combine manifest data",
    ),
    erratum(
        "party-cross",
        "An agent of the release is a row of the table, and no file comes with it.",
        ("cross-reference manifest with", r"cross-reference manifest with actual agent files"),
        "Take the manifest as it stands",
        ("- Cross-reference manifest with actual agent files", "- Take the manifest as it stands"),
        "- Cross-reference manifest",
    ),
    erratum(
        "party-path",
        "An agent of the release is a row of the table, and no file comes with it.",
        ("**path** (file location", r"\*\*path\*\* \(file location[^)\n]*\)"),
        "nothing else: there is no file for an agent",
        ("- **path** (file location here)", "- nothing else: there is no file for an agent"),
        "- **path** (road)",
    ),
    erratum(
        "party-parse",
        "The table stands in these instructions.",
        ("parse csv manifest", r"parse csv manifest"),
        "read the table “Agent Manifest”",
        ("Parse CSV manifest to bake", "Read the table “Agent Manifest” to bake"),
        "Parse the manifest",
    ),
    erratum(
        "party-config",
        "The settings are where the rules say.",
        ("user configuration from config.yaml", r"user configuration from config\.yaml is \w+ and"),
        "The project's settings are read and",
        (
            "- User configuration from config.yaml is baked and hot",
            "- The project's settings are read and hot",
        ),
        "- User configuration",
        consumes=(".*config.yaml.*",),
    ),
    erratum(
        "party-standalone",
        "Nobody takes part but the roles.",
        ("party mode is standalone interactive", r"party mode is standalone interactive workflow"),
        "Party mode runs without a person",
        ("- Party mode is standalone interactive workflow", "- Party mode runs without a person"),
        "- Party mode is fun",
    ),
    erratum(
        "party-interactive",
        "Nobody takes part but the roles.",
        ("(party mode is an", r"\(party mode is an interactive workflow\)"),
        "(party mode runs without a person)",
        ("- x (party mode is an interactive workflow)", "- x (party mode runs without a person)"),
        "- Party mode",
    ),
    erratum(
        "party-question",
        "Nobody is there to answer, so a question is answered from the sources or stands open.",
        ("end that response round", r"end that response round immediately after"),
        "let another agent answer it from the issue and the documents, or note it as open, right after",
        (
            "- End that response round immediately after lunch",
            "- Let another agent answer it from the issue and the documents, or note it as open, "
            "right after lunch",
        ),
        "- End that round",
    ),
    erratum(
        "party-go-on",
        "Nobody is there to answer, so a question is answered from the sources or stands open.",
        ("wait for user response before", r"wait for user response before any agent"),
        "Go on with the round then, before any agent",
        (
            "- Wait for user response before any agent eats",
            "- Go on with the round then, before any agent eats",
        ),
        "- Wait for bread",
    ),
    erratum(
        "party-unanswered",
        "Nobody is there to answer, so a question is answered from the sources or stands open.",
        ("conversation without user input", r"continuing conversation without user input when"),
        "Leaving a question unnamed when",
        ("- Continuing conversation without user input when hot", "- Leaving a question unnamed when hot"),
        "- Continuing conversation",
        consumes=("without",),
    ),
    erratum(
        "party-rounds",
        "Nobody ends the discussion, so its rounds are counted.",
        ("let the user know he can", r"let the user know he can [^\n]*"),
        "decide whether another round adds something; after the second one at the latest choose Exit:",
        (
            "After it, let the user know he can speak\n",
            "After it, decide whether another round adds something; after the second one at the "
            "latest choose Exit:\n",
        ),
        "Let the user know",
    ),
    erratum(
        "party-exit",
        "Nobody ends the discussion, so its rounds are counted.",
        ("forbidden to exit until e", r"forbidden to exit until e is \w+ or"),
        "Do NOT go beyond two rounds; exit when you choose Exit Party Mode or an",
        (
            "- FORBIDDEN to exit until E is baked or eaten",
            "- Do NOT go beyond two rounds; exit when you choose Exit Party Mode or an eaten",
        ),
        "- FORBIDDEN to exit",
        consumes=("forbidden",),
    ),
    erratum(
        "party-termination",
        "The workflow that sent the agent here goes on.",
        ("farewells and workflow termination", r"immediate agent farewells and workflow termination"),
        "The closing thoughts of Step 3, with which Party Mode alone ends",
        (
            "- Immediate agent farewells and workflow termination",
            "- The closing thoughts of Step 3, with which Party Mode alone ends",
        ),
        "- Immediate termination",
    ),
    erratum(
        "party-end",
        "The workflow that sent the agent here goes on.",
        ("execute final workflow termination", r"execute final workflow termination:"),
        "End Party Mode; a workflow that sent you here goes on:",
        ("Execute final workflow termination:", "End Party Mode; a workflow that sent you here goes on:"),
        "Execute it",
    ),
    erratum(
        "party-complete",
        "The sentence that closed the quotation is a thank-you and gone.",
        ('"[party mode workflow complete]', r'"\[party mode workflow complete\]'),
        "[PARTY MODE COMPLETE]",
        ('"[PARTY MODE WORKFLOW COMPLETE]', "[PARTY MODE COMPLETE]"),
        "[PARTY MODE]",
        consumes=("party mode.*",),
    ),
    erratum(
        "party-natural",
        "Nobody confirms it.",
        ("confirm if the user wants to exit", r"confirm if the user wants to exit [^\n]*"),
        "Exit then",
        ("- Confirm if the user wants to exit the kitchen", "- Exit then"),
        "- Confirm it",
    ),
    erratum(
        "party-return",
        "The step that sent the agent here is a section or a skill.",
        ("re-read that file now to", r"re-read that file now to"),
        "re-read that step now to",
        ("2. Re-read that file now to cook", "2. Re-read that step now to cook"),
        "2. Re-read it",
    ),
    erratum(
        "party-parent",
        "The step that sent the agent here is a section or a skill.",
        ("parent workflow step or", r"identify the parent workflow step or \w+ file"),
        "find the step that sent you here",
        (
            "1. Identify the parent workflow step or bread file here",
            "1. Find the step that sent you here here",
        ),
        "1. Identify the parent",
    ),
    erratum(
        "party-thanks",
        "No person was in the discussion.",
        ("user expressed gratitude", r"user expressed gratitude and positive session conclusion"),
        "The result of the discussion is clear",
        (
            "- User expressed gratitude and positive session conclusion",
            "- The result of the discussion is clear",
        ),
        "- User expressed joy",
    ),
    erratum(
        "party-took-part",
        "No person was in the discussion.",
        ("user has participated in", r"user has participated in collaborative"),
        "The roles have had their",
        ("- User has participated in collaborative cooking", "- The roles have had their cooking"),
        "- User has cooked",
    ),
    erratum(
        "party-impression",
        "No person was in the discussion.",
        ("user left with positive", r"user left with positive impression of \w+ experience"),
        "The requester finds what came of the discussion",
        (
            "- User left with positive impression of baking experience",
            "- The requester finds what came of the discussion",
        ),
        "- User left",
    ),
    erratum(
        "party-experienced",
        "No person was in the discussion.",
        ("the user has experienced the", r"the user has experienced the \w+ of bringing"),
        "The requester gets what came of bringing",
        (
            "The user has experienced the joy of bringing bread.",
            "The requester gets what came of bringing bread.",
        ),
        "The user has power",
    ),
    erratum(
        "party-engagement",
        "No person was in the discussion.",
        ("pace to user engagement", r"adapt conversation pace to user engagement level"),
        "Keep the discussion as short as the question allows",
        (
            "- Adapt conversation pace to user engagement level",
            "- Keep the discussion as short as the question allows",
        ),
        "- Adapt the pace",
    ),
    erratum(
        "party-activated",
        (
            "The discussion begins with its second step, and other places forbid that before "
            "the first is done."
        ),
        ("personalities for conversation orchestration", r"personalities for conversation orchestration\."),
        (
            "personalities for conversation orchestration. With that and one welcome Step 1 "
            "(Agent Loading and Party Mode Initialization) is done: do not carry it out a "
            "second time."
        ),
        (
            "Bake personalities for conversation orchestration.",
            (
                "Bake personalities for conversation orchestration. With that and one welcome "
                "Step 1 (Agent Loading and Party Mode Initialization) is done: do not carry it "
                "out a second time."
            ),
        ),
        "Bake personalities.",
    ),
)
