"""What is mended in the review of a story, and in the protocol that loads its documents."""

from __future__ import annotations

from bmadc.passes.errata import erratum
from bmadc.passes.rules import Rule

RULES: tuple[Rule, ...] = (
    erratum(
        "every-listed-file",
        "Some files of the list are left out of every review by the rule below.",
        ("every file in the file list", r"every file in the file list"),
        "EVERY file in the File List but those excluded below",
        (
            "Read EVERY file in the File List now",
            "Read EVERY file in the File List but those excluded below now",
        ),
        "Read every file",
    ),
    erratum(
        "no-abuse",
        "What is written of a colleague's work is published with the review.",
        ("wrote this slop", r"wrote this slop"),
        "wrote this",
        ("You know the cook who wrote this slop", "You know the cook who wrote this"),
        "Who wrote this?",
    ),
    erratum(
        "placeholders",
        "What is written is published with the review.",
        ("placeholder bullshit", r"placeholder bullshit"),
        "placeholders",
        ("Real bread vs placeholder bullshit", "Real bread vs placeholders"),
        "A placeholder",
    ),
    erratum(
        "without-story",
        "A pull request may carry no story; what stands for it then is a rule.",
        ("ask user which story file", r" or ask user which story file [a-z ]+"),
        "; without it, go on as is said above for a change without a story file",
        (
            "Use provided soup or ask user which story file to taste",
            "Use provided soup; without it, go on as is said above for a change without a story file",
        ),
        "Ask user which soup to taste",
        needs="storyless-review",
    ),
    erratum(
        "nothing-uncommitted",
        "A run starts from a clean checkout.",
        ("to find uncommitted changes", r"to find uncommitted changes"),
        "to see that nothing is uncommitted",
        ("Look to find uncommitted changes", "Look to see that nothing is uncommitted"),
        "Find changes",
    ),
    erratum(
        "nothing-staged",
        "A run starts from a clean checkout.",
        ("to see staged files", r"to see staged files"),
        "to see that nothing is staged",
        ("Look to see staged files", "Look to see that nothing is staged"),
        "See files",
    ),
    erratum(
        "undocumented",
        "Nothing is uncommitted in a pull request; what no record names is.",
        ("uncommitted changes not documented", r"uncommitted changes not documented"),
        "changes not documented in the Change Log",
        ("**Uncommitted changes not documented** → x", "**Changes not documented in the Change Log** → x"),
        "Changes not documented",
    ),
    erratum(
        "untracked",
        "Nothing is uncommitted in a pull request; what no record names is.",
        ("uncommitted changes not tracked", r"uncommitted changes not tracked"),
        "changes not tracked in the Change Log",
        ("- Uncommitted changes not tracked", "- Changes not tracked in the Change Log"),
        "Changes not tracked",
    ),
    erratum(
        "but-excluded",
        "The story and its status always change and are excluded, so they are no finding.",
        ("review git vs story file", r"review git vs story file list \w+"),
        "Compare git and the story's File List, the excluded folders and the story itself left out, and "
        "review discrepancies",
        (
            "Review git vs story File List loaves:",
            "Compare git and the story's File List, the excluded folders and the story itself left out, "
            "and review discrepancies:",
        ),
        "Review the discrepancies",
    ),
    erratum(
        "fewer-than-three",
        "The condition is said in words, and a minimum binds a first review only.",
        ("total_issues_found lt", r"(?P<what>total_issues_found lt 3)"),
        "this is the first review of the pull request and \\g<what> (fewer than three were found)",
        (
            '<workflow><check if="total_issues_found lt 3">x</check></workflow>',
            '<workflow><check if="this is the first review of the pull request and total_issues_found lt 3 '
            '(fewer than three were found)">x</check></workflow>',
        ),
        '<workflow><check if="total_issues_found gt 3">x</check></workflow>',
        needs="rounds",
    ),
    erratum(
        "three-more",
        "A clean change has no three findings more, and none may be invented.",
        ("find at least 3 more", r"find at least 3 more specific"),
        "find up to 3 more real, specific",
        ("Find at least 3 more specific spoons", "Find up to 3 more real, specific spoons"),
        "Find at least 3 spoons",
    ),
    erratum(
        "severities",
        "Findings are made that are critical, and no words say what becomes of them.",
        ("high (must fix), medium", r"high \(must fix\), medium \(should fix\)"),
        "CRITICAL and HIGH (must fix), MEDIUM (to fix before the story is done)",
        (
            "Sort: HIGH (must fix), MEDIUM (should fix), LOW",
            "Sort: CRITICAL and HIGH (must fix), MEDIUM (to fix before the story is done), LOW",
        ),
        "HIGH (must fix)",
    ),
    erratum(
        "resolved-count",
        "A review repairs nothing; what it can count is which earlier findings are resolved.",
        ("set {{fixed_count}} = 0", r"set \{\{fixed_count\}\} = 0"),
        "set {{fixed_count}} = the number of findings of earlier reviews that are resolved (0 "
        "in the first review)",
        (
            "Set {{fixed_count}} = 0",
            "Set {{fixed_count}} = the number of findings of earlier reviews that are resolved "
            "(0 in the first review)",
        ),
        "Set {{count}} = 0",
    ),
    erratum(
        "issues-resolved",
        "A review repairs nothing; what it can count is which earlier findings are resolved.",
        ("**issues fixed:**", r"\*\*issues fixed:\*\*"),
        "**Earlier findings resolved:**",
        ("**Issues Fixed:** 2", "**Earlier findings resolved:** 2"),
        "**Issues:** 2",
    ),
    erratum(
        "critical-count",
        "Critical findings are counted like the others.",
        ("issues found:** {{high", r"issues found:\*\* \{\{high_count\}\}"),
        "Issues Found:** {{critical_count}} Critical, {{high_count}}",
        (
            "**Issues Found:** {{high_count}} High",
            "**Issues Found:** {{critical_count}} Critical, {{high_count}} High",
        ),
        "**Issues Found:** 2",
    ),
    erratum(
        "worst-found",
        "The lines below name kinds of findings; copied they would accuse every change of all of them.",
        ("🔴 critical issues", r"(?<=🔴 )critical issues"),
        "CRITICAL AND HIGH ISSUES (list each one found with file and line; kinds are)",
        (
            "<workflow><output>\n## 🔴 CRITICAL ISSUES\n- Tasks marked x\n</output></workflow>",
            "<workflow><output>\n## 🔴 CRITICAL AND HIGH ISSUES (list each one found with file and "
            "line; kinds are)\n- Tasks "
            "marked x\n</output></workflow>",
        ),
        "Critical issues are bad",
    ),
    erratum(
        "medium-found",
        "The lines below name kinds of findings; copied they would accuse every change of all of them.",
        ("🟡 medium issues", r"(?<=🟡 )medium issues"),
        "MEDIUM ISSUES (list each one found with file and line; kinds are)",
        (
            "<workflow><output>\n## 🟡 MEDIUM ISSUES\n- Files changed x\n</output></workflow>",
            "<workflow><output>\n## 🟡 MEDIUM ISSUES (list each one found with file and line; kinds "
            "are)\n- Files changed x\n"
            "</output></workflow>",
        ),
        "Medium issues are dull",
    ),
    erratum(
        "low-found",
        "The lines below name kinds of findings; copied they would accuse every change of all of them.",
        ("🟢 low issues", r"(?<=🟢 )low issues"),
        "LOW ISSUES (list each one found with file and line; kinds are)",
        (
            "<workflow><output>\n## 🟢 LOW ISSUES\n- Code style x\n</output></workflow>",
            "<workflow><output>\n## 🟢 LOW ISSUES (list each one found with file and line; kinds "
            "are)\n- Code style x\n"
            "</output></workflow>",
        ),
        "Low issues are dull",
    ),
    erratum(
        "action-items",
        "Only one answer is left, so nothing is to be decided.",
        ("what should i do with these", r"what should i do with these issues\?"),
        "What becomes of these issues:",
        ("What should I do with these issues?", "What becomes of these issues:"),
        "What should I do with the soup?",
    ),
    erratum(
        "one-section",
        "A later review would add the section and its items a second time.",
        ('add "review follow-ups', r"add \"review follow-ups \(ai\)\" subsection to"),
        'Keep one "Review Follow-ups (AI)" subsection (add it if it is missing, tick what is resolved, '
        "untick what is not) in",
        (
            'Add "Review Follow-ups (AI)" subsection to the book',
            'Keep one "Review Follow-ups (AI)" subsection (add it '
            "if it is missing, tick what is resolved, untick what is not) in the book",
        ),
        "Add a subsection to the book",
    ),
    erratum(
        "items-that-block",
        "An open box in a story that is done contradicts it, and a later review would repeat each item.",
        ("for each issue: `- [ ] [ai", r"for each issue: (?=`- \[ \] \[ai)"),
        "for each CRITICAL, HIGH or MEDIUM issue that is not there yet: ",
        (
            "For each issue: `- [ ] [AI] x`",
            "For each CRITICAL, HIGH or MEDIUM issue that is not there yet: `- [ ] [AI] x`",
        ),
        "For each issue: bake",
    ),
    erratum(
        "none-open",
        "A review repairs nothing, and critical findings count like the others.",
        ("all high and medium issues", r"all high and medium issues fixed"),
        "no CRITICAL, HIGH or MEDIUM issue is open",
        (
            '<workflow><check if="all HIGH and MEDIUM issues fixed AND hot">x</check></workflow>',
            '<workflow><check if="no CRITICAL, HIGH or MEDIUM issue is open AND hot">x</check></workflow>',
        ),
        "All issues fixed",
    ),
    erratum(
        "acs-implemented",
        "A criterion that was declined for good would keep the work open for ever.",
        (" and all acs implemented", r"(?<= and all acs) implemented(?=\")"),
        " implemented, or declined or left out for good",
        (
            '<workflow><check if="all soups fixed AND all ACs implemented">x</check></workflow>',
            '<workflow><check if="all soups fixed AND all ACs implemented, or declined or left out for '
            'good">x</check>'
            "</workflow>",
        ),
        "All ACs implemented",
    ),
    erratum(
        "acs-not-implemented",
        "A criterion that was declined for good would keep the work open for ever.",
        ("or acs not fully", r" or (?=acs not fully implemented\")"),
        " or other ",
        (
            '<workflow><check if="soups remain OR ACs not fully implemented">x</check></workflow>',
            '<workflow><check if="soups remain or other ACs not fully implemented">x</check></workflow>',
        ),
        "ACs not fully implemented",
    ),
    erratum(
        "some-open",
        "Critical findings count like the others.",
        ("high or medium issues remain", r"(?<=\")high or medium issues remain"),
        "CRITICAL, HIGH or MEDIUM issues remain",
        (
            '<workflow><check if="HIGH or MEDIUM issues remain OR cold">x</check></workflow>',
            '<workflow><check if="CRITICAL, HIGH or MEDIUM issues remain OR cold">x</check></workflow>',
        ),
        "Issues remain",
    ),
    erratum(
        "record-of-review",
        "The checklist and the development look for this record, and no step writes it.",
        ("save story file", r"save story file"),
        'Under "Senior Developer Review (AI)" of the story append the outcome, the date and '
        "the action items of this "
        "review, add an entry to its Change Log, and save the story file",
        (
            "Save story file",
            'Under "Senior Developer Review (AI)" of the story append the outcome, the date and the '
            "action items of this review, add an entry to its Change Log, and save the story file",
        ),
        "Save the story file",
        whole=True,
    ),
    erratum(
        "goes-back",
        "The developer is not there; the next run takes the items up.",
        ("address the action items", r"address the action items and continue development"),
        "The action items go back to the development",
        (
            "Address the action items and continue development.",
            "The action items go back to the development.",
        ),
        "Address the letter",
    ),
    erratum(
        "reviewable",
        "A status that is another one has no branch, and the state of the pull request says what is due.",
        ("as reviewable (review)", r"as reviewable \(review\)"),
        "as reviewable (review), or another one said in the review",
        (
            "- [ ] Bread verified as reviewable (review)",
            "- [ ] Bread verified as reviewable (review), or another one said in the review",
        ),
        "- [ ] Status verified as reviewable",
    ),
    erratum(
        "story-context",
        "The story has its context in itself; nothing else of that name is made.",
        ("story context located", r"story context located or warning recorded"),
        "story context (its Dev Notes) read or warning recorded",
        (
            "- [ ] Story Context located or warning recorded",
            "- [ ] Story context (its Dev Notes) read or warning recorded",
        ),
        "- [ ] Story located",
    ),
    erratum(
        "epic-spec",
        "No step of the method makes a tech spec for an epic, so that there is none is no fault.",
        ("epic tech spec located", r"epic tech spec located or \w+"),
        "Epic Tech Spec located, if there is one, or its absence",
        (
            "- [ ] Epic Tech Spec located or bread baked",
            "- [ ] Epic Tech Spec located, if there is one, or its absence baked",
        ),
        "- [ ] Epic located",
    ),
    erratum(
        "tech-stack",
        "The stack is needed for the review, but no document of it is asked for.",
        ("stack detected and documented", r"stack detected and documented"),
        "stack detected (see the settings)",
        ("- [ ] Tech stack detected and documented", "- [ ] Tech stack detected (see the settings)"),
        "- [ ] Stack detected",
    ),
    erratum(
        "doc-search",
        "The run has no server of documentation and no search of the web.",
        ("mcp doc search performed", r"mcp doc search performed \(or web [a-z]+\)"),
        "Doc search performed in the repository (no MCP, no web fallback)",
        (
            "- [ ] MCP doc search performed (or web honey) and so on",
            "- [ ] Doc search performed in the repository (no MCP, no web fallback) and so on",
        ),
        "- [ ] Search performed",
    ),
    erratum(
        "two-outcomes",
        "There are two verdicts; what blocks a review is a HALT.",
        ("outcome decided (approve", r"outcome decided \(approve/changes requested/blocked\)"),
        "Outcome decided (Approve/Changes Requested)",
        (
            "- [ ] Outcome decided (Approve/Changes Requested/Blocked)",
            "- [ ] Outcome decided (Approve/Changes Requested)",
        ),
        "- [ ] Outcome decided",
    ),
    erratum(
        "status-by-step",
        "There is no such setting; a step says what the status becomes.",
        ("according to settings (if", r"according to settings \(if enabled\)"),
        "according to Step 5 (always enabled)",
        (
            "- [ ] Status updated according to settings (if enabled)",
            "- [ ] Status updated according to Step 5 (always enabled)",
        ),
        "- [ ] Status updated",
    ),
    erratum(
        "table-objective",
        "The patterns of the inputs are the table above.",
        ("workflow's input_file_patterns", r"workflow's input_file_patterns configuration"),
        "the table above",
        ("Bake based on workflow's input_file_patterns configuration", "Bake based on the table above"),
        "Bake input_file_patterns",
        consumes=(r".*input_file_patterns.*",),
    ),
    erratum(
        "table-rows",
        "The patterns of the inputs are the table above.",
        ("pattern in input_file_patterns", r"pattern in input_file_patterns"),
        "row of the table above",
        ("For each pattern in input_file_patterns:", "For each row of the table above:"),
        "For each pattern",
        consumes=(r".*input_file_patterns.*",),
    ),
    erratum(
        "table-column",
        "The table has a column for it.",
        ("note the load_strategy", r"note the load_strategy if present"),
        "note how it is loaded",
        ("For bread, note the load_strategy if present", "For bread, note how it is loaded"),
        "Note the oven",
        consumes=(r".*load_strategy.*",),
    ),
    erratum(
        "table-strategy",
        "The table has a column for it.",
        ("load_strategy from pattern config", r"determine load_strategy from pattern config"),
        "take what the table says about how it is loaded",
        ("Determine load_strategy from pattern config", "Take what the table says about how it is loaded"),
        "Determine the strategy",
        consumes=(r".*load_strategy.*",),
    ),
    erratum(
        "resolved-if-loaded",
        "Said without its condition this would leave out every whole document.",
        ("mark pattern as resolved", r"mark pattern as resolved, skip to"),
        "if files were loaded, mark pattern as RESOLVED and skip to",
        (
            "Mark pattern as RESOLVED, skip to bread",
            "If files were loaded, mark pattern as RESOLVED and skip to bread",
        ),
        "Mark pattern as baked",
    ),
    erratum(
        "just-unavailable",
        "Nobody is there to provide it.",
        ("offer use change to", r"unavailable, offer use change to provide"),
        "unavailable",
        ("No bread (just unavailable, offer use change to provide)", "No bread (just unavailable)"),
        "Offer bread",
    ),
    erratum(
        "open-tasks",
        ("Only what is ticked was looked at, so a story with tasks left open could be done."),
        ("each task marked [x]", r"for each task marked \[x\]"),
        (
            "a task marked [ ] that the change does not do is a HIGH finding (a review follow-up keeps its "
            "own severity, and so it does where it was ticked and is not done). For EACH other task marked "
            "[x]"
        ),
        (
            "For EACH task marked [x]: taste",
            (
                "A task marked [ ] that the change does not do is a HIGH finding (a review follow-up keeps "
                "its own severity, and so it does where it was ticked and is not done). For EACH other task "
                "marked [x]: taste"
            ),
        ),
        "For each task, taste",
    ),
    erratum(
        "declined-tasks",
        "The development ticks a point that it declines, with the reason behind it.",
        ("marked [x] but not done →", r"marked \[x\] but not done(?= →)"),
        "marked [x] but NOT DONE, and not declined or left out as is said above",
        (
            "If marked [x] but NOT DONE → shout",
            "If marked [x] but NOT DONE, and not declined or left out as is said above → shout",
        ),
        "Marked [x] and done",
    ),
    erratum(
        "items-created",
        "What an earlier review found and is open again is an item of this one.",
        ("number of action items created", r"number of action items created"),
        "number of action items created or unticked",
        ("The number of action items created", "The number of action items created or unticked"),
        "The number of items",
    ),
)
