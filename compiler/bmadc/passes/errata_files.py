"""What is mended in the documentation of a project, and in the editing and checking of its PRD."""

from __future__ import annotations

from bmadc.passes.errata import mend
from bmadc.passes.rules import Rule
from bmadc.passes.sheet import SPOKEN

_CODE = frozenset(("code", "comment")) | SPOKEN

_ROUTER: tuple[Rule, ...] = (
    mend(
        "files-fresh",
        "Without a state file nothing says whether earlier work is resumed, and steps depend on it.",
        "existing state file at:",
        r"check for existing state file at:",
        "Set resume_mode = false, and check for existing state file at:",
        (
            "Check for existing state file at: oven",
            "Set resume_mode = false, and check for existing state file at: oven",
        ),
        "Check for existing bread at: oven",
    ),
    mend(
        "files-finished",
        "What a person merged is finished, and read as work in progress it would leave nothing to do.",
        "state file age >= 24 hours",
        r"state file age >= 24 hours",
        "state file age >= 24 hours or its current_step is completed (this comes before the choice above)",
        (
            "If state file age >= 24 hours",
            (
                "If state file age >= 24 hours or its current_step is completed (this comes before the "
                "choice above)"
            ),
        ),
        "If state file age >= 24 days",
    ),
    mend(
        "files-dive-name",
        "The step that writes the document gives it the name without signs that a path cannot hold.",
        "deep-dive-{{target_name}}.md",
        r"deep-dive-\{\{target_name\}\}\.md",
        "deep-dive-{{sanitized_target_name}}.md",
        ("See soups/deep-dive-{{target_name}}.md", "See soups/deep-dive-{{sanitized_target_name}}.md"),
        "See deep-dive-{{target}}.md",
    ),
    mend(
        "files-other-rows",
        "Neither of these tables travels.",
        "project-types.csv and architecture_registry",
        r"project-types\.csv and architecture_registry\.csv",
        "the rows of other types",
        (
            "Eat project-types.csv and architecture_registry.csv",
            "Eat the rows of other types",
        ),
        "Eat project-types.csv",
    ),
    mend(
        "files-third-step",
        "The step of that number is in another text, which the third step sends to.",
        "continue to step 0.5",
        r"(?<=continue to step )0\.5",
        "3",
        ("- Continue to Step 0.5", "- Continue to Step 3"),
        "- Continue to Step 0.6",
    ),
    mend(
        "files-no-fourth",
        "There is no such step.",
        "completes, continue to step 4",
        r"completes, continue to step 4",
        "completes, go through the checklist and hand your work over",
        (
            "After baking completes, continue to Step 4",
            "After baking completes, go through the checklist and hand your work over",
        ),
        "Continue to Step 4",
    ),
    mend(
        "files-archived",
        "A colon in the name of a file keeps a repository from being checked out on some systems.",
        "project-scan-report-{{timestamp}}",
        r"project-scan-report-\{\{timestamp\}\}\.json",
        "project-scan-report-{{timestamp}}.json (without the colons of the time)",
        (
            "Move it to: project-scan-report-{{timestamp}}.json",
            "Move it to: project-scan-report-{{timestamp}}.json (without the colons of the time)",
        ),
        "Move it to: project-scan-report.json",
    ),
)

_SCAN: tuple[Rule, ...] = (
    mend(
        "files-router",
        "The file of the router has become this text.",
        "document-project/instructions.md router",
        r"(?:\.\./)?document-project/instructions\.md router",
        "“Document Project Workflow Router”",
        (
            "Called by: document-project/instructions.md router",
            "Called by: “Document Project Workflow Router”",
        ),
        "Called by: a router",
    ),
    mend(
        "files-modes",
        "The router has chosen the mode, and a step chooses it again, also where work is resumed.",
        "handles: initial_scan and full_rescan",
        r"handles: initial_scan and full_rescan modes",
        (
            "Handles: initial_scan and full_rescan modes; a mode that the router has set stays, and Step 0.6 "
            "then only selects the scan level. If resume_mode == true, go from here to current_step, with "
            "the scan_level of the state file. What a checkpoint names goes into the document that a step "
            "writes of it; until then, its summary goes into findings of the state file"
        ),
        (
            "Handles: initial_scan and full_rescan modes",
            (
                "Handles: initial_scan and full_rescan modes; a mode that the router has set stays, and "
                "Step 0.6 then only selects the scan level. If resume_mode == true, go from here to "
                "current_step, with the scan_level of the state file. What a checkpoint names goes into the "
                "document that a step writes of it; until then, its summary goes into findings of the state "
                "file"
            ),
        ),
        "Handles: initial_scan mode",
    ),
    mend(
        "files-eleven-types",
        "The table has one type less, and a search for it has no end.",
        "12 project types",
        r"12(?= project types)",
        "11",
        ("- Contains 12 project types", "- Contains 11 project types"),
        "- Contains 12 types",
    ),
    mend(
        "files-eleven-rows",
        "The table has one row less, and a search for it has no end.",
        "all 12 rows",
        r"(?<=all )12(?= rows)",
        "11",
        ("- Bake all 12 rows", "- Bake all 11 rows"),
        "- Bake 12 rows",
    ),
    mend(
        "files-thirteen",
        "The step of that number is in another text.",
        "jump to step 13",
        r"jump to step 13",
        "Follow “Deep-Dive Documentation Instructions” instead of these instructions",
        (
            "- Jump to Step 13",
            "- Follow “Deep-Dive Documentation Instructions” instead of these instructions",
        ),
        "- Jump to Step 12",
    ),
    mend(
        "files-deep-time",
        "A run that is cut off keeps nothing.",
        "(10-30 minutes)",
        r"\(10-30 minutes\)",
        "(only where it fits into this run, since a run that is cut off keeps nothing: take it for a small "
        "project or for the part that the issue names, and name what is left out)",
        (
            "**Deep** (10-30 minutes)",
            (
                "**Deep** (only where it fits into this run, since a run that is cut off keeps nothing: take "
                "it for a small project or for the part that the issue names, and name what is left out)"
            ),
        ),
        "**Deep** (10 minutes)",
    ),
    mend(
        "files-whole-time",
        "A run that is cut off keeps nothing.",
        "(30-120 minutes)",
        r"\(30-120 minutes\)",
        "(longer than a Deep Scan, and under the same conditions)",
        ("**All** (30-120 minutes)", "**All** (longer than a Deep Scan, and under the same conditions)"),
        "**All** (120 minutes)",
    ),
    mend(
        "files-markers",
        "That table does not travel.",
        "detection_keywords from project-types.csv",
        r"detection_keywords from project-types\.csv",
        "key_file_patterns of the documentation requirements",
        (
            "- Spoons matching detection_keywords from project-types.csv",
            "- Spoons matching key_file_patterns of the documentation requirements",
        ),
        "- Spoons matching keywords",
    ),
    mend(
        "files-guidance",
        "Nobody answers while the run works, and no answer was told from none.",
        "areas i should focus on",
        r"are there any[\w ]*areas i should focus on(?P<while>[^?\n]*)\? \[provide [^\]\n]*\]",
        "Other important documents and key areas to focus on\\g<while> are those that the issue names; if it "
        "names none, the guidance is 'none'.",
        (
            "Are there any soups or areas I should focus on while cooking? [Provide spoons]",
            "Other important documents and key areas to focus on while cooking are those that the issue "
            "names; if it names none, the guidance is 'none'.",
        ),
        "Are there areas I should focus on while cooking?",
    ),
    mend(
        "files-hardware",
        "Nobody answers while the run works.",
        "hardware project. do you have",
        r"(?<=hardware project\. )do you have:",
        "Look in the repository and the issue for:",
        (
            "This is a hardware project. Do you have:",
            "This is a hardware project. Look in the repository and the issue for:",
        ),
        "Do you have:",
    ),
    mend(
        "files-hardware-paths",
        "Nobody answers while the run works.",
        "please provide paths or links",
        r"if yes, please provide paths or links\. \[[^\]\n]*\]",
        "Note the paths or links of what is there, or 'none'.",
        (
            "If yes, please provide paths or links. [Soup]",
            "Note the paths or links of what is there, or 'none'.",
        ),
        "If yes, provide paths.",
    ),
    mend(
        "files-one-part",
        "A project of one part would get the same document under two names.",
        "{project_knowledge}/",
        r"(?<=\{project_knowledge\}/)(?P<kind>api-contracts|data-models)-\{part_id\}\.md",
        "\\g<kind>-{part_id}.md (if the project has one part only: \\g<kind>.md)",
        (
            "Eat {project_knowledge}/api-contracts-{part_id}.md",
            "Eat {project_knowledge}/api-contracts-{part_id}.md (if the project has one part only: "
            "api-contracts.md)",
        ),
        "Eat {project_knowledge}/soup.md",
    ),
    mend(
        "files-guides-found",
        "The guides are written three steps later.",
        "dev/deployment guides written",
        r"dev/deployment guides written",
        "Dev/deployment information found",
        ('Summary: "Dev/deployment guides written"', 'Summary: "Dev/deployment information found"'),
        'Summary: "Guides written"',
    ),
    mend(
        "files-base-structure",
        "No step matches a template, and none travels.",
        "matched architecture template from",
        r"matched architecture template from step 3",
        "the sections listed below",
        ("- Use matched architecture template from Step 3", "- Use the sections listed below"),
        "- Use matched template",
    ),
    mend(
        "files-third-pattern",
        "There is no registry.",
        "(from registry match)",
        r"\(from registry match\)",
        "(from Step 3)",
        ("* Pattern (from registry match)", "* Pattern (from Step 3)"),
        "* Pattern (from match)",
    ),
    mend(
        "files-schema",
        "There is no template with a schema.",
        "architecture template schema",
        r"architecture template schema",
        "the sections listed above",
        ("- Validate against architecture template schema", "- Validate against the sections listed above"),
        "- Validate against schema",
    ),
    mend(
        "files-cached-match",
        "No step stores a match; the pattern of the part is what is known.",
        "load architecture_match for this",
        r"load architecture_match for this part from[^\n<]*?cache\)",
        "Take the architecture_pattern of this part that Step 3 found",
        (
            "- Load architecture_match for this part from soup (hot cache)",
            "- Take the architecture_pattern of this part that Step 3 found",
        ),
        "- Load it for this part",
    ),
    mend(
        "files-cached-template",
        "No template was matched.",
        "use matched template and",
        r"use matched template and",
        "Use the sections of Step 8 and",
        ("- Use matched template and bake", "- Use the sections of Step 8 and bake"),
        "- Use a template and bake",
    ),
    mend(
        "files-index-levels",
        "Headings stand deeper in these instructions than in the document.",
        "include in index.md:",
        r"include in index\.md:",
        "Include in index.md (the first heading on level 1, those below it on level 2, parts on level 3):",
        (
            "Include in index.md:",
            (
                "Include in index.md (the first heading on level 1, those below it on level 2, parts on "
                "level 3):"
            ),
        ),
        "Include in soup.md:",
    ),
    mend(
        "files-other-changes",
        "The numbers are those of a list that has others where documents are incomplete.",
        "other changes (options 2-3)",
        r"other changes \(options 2-3\)",
        "other changes or more documentation",
        ("If cooks want other changes (options 2-3)", "If cooks want other changes or more documentation"),
        "If cooks want other changes",
    ),
    mend(
        "files-finalize",
        "The numbers are those of a list that has others where documents are incomplete.",
        "finalize (option 4 or 5)",
        r"(?<=finalize) \(option 4 or 5\)",
        "",
        ("Finalize (option 4 or 5)", "Finalize"),
        "Finalize (option 4)",
    ),
)

_DIVE: tuple[Rule, ...] = (
    mend(
        "files-area-fits",
        "Every area was to be read to its end, also one for which no run has the time.",
        "file in this area. proceed?",
        r"(?<=file in this area\. )proceed\?(?: \[y/n\])?",
        "If that does not fit into this run, choose No and take a part of it, and name what is left out.",
        (
            "Taste EACH file in this area. Proceed? [y/n]",
            (
                "Taste EACH file in this area. If that does not fit into this run, choose No and take "
                "a part of it, and name what is left out."
            ),
        ),
        "Every file in this area.",
    ),
    mend(
        "files-dive-state",
        "The state file of an earlier run may have been archived.",
        "deep_dive_targets array",
        r"update state file:(?= - add[\w ]*deep_dive_targets)",
        "Update state file (if there is none, create it as its schema says):",
        (
            "Update state file: - Add soup to deep_dive_targets array",
            "Update state file (if there is none, create it as its schema says): "
            "- Add soup to deep_dive_targets array",
        ),
        "Update state file: - Add soup to deep_dive_targets",
    ),
    mend(
        "files-dive-level",
        "Headings stand deeper in these instructions than in the document.",
        'add new section after "',
        r"add new section(?= after \")",
        "Add new section, with a heading on level 2,",
        ('Add new section after "Soup":', 'Add new section, with a heading on level 2, after "Soup":'),
        "Add new section:",
    ),
    mend(
        "files-dive-checkpoints",
        "Nothing said where a part is saved before its document is written.",
        "handles: deep_dive mode only",
        r"handles: deep_dive mode only",
        "Handles: deep_dive mode only; what a checkpoint names before Step 13e is kept for the document that "
        "is written there",
        (
            "Handles: deep_dive mode only",
            "Handles: deep_dive mode only; what a checkpoint names before Step 13e is kept for the document "
            "that is written there",
        ),
        "Handles: deep_dive",
    ),
    mend(
        "files-dive-finish",
        "A choice without a default may be taken without end.",
        "**finish** - complete workflow",
        r"(?<=\*\*finish\*\* - complete )workflow",
        "workflow. This is the default, unless the issue names another area",
        (
            "**Finish** - Complete workflow",
            "**Finish** - Complete workflow. This is the default, unless the issue names another area",
        ),
        "**Finish** - Complete it",
    ),
)

_CHECKS: tuple[Rule, ...] = (
    mend(
        "files-check-sections",
        "There is no registry of templates.",
        "uses appropriate template from registry",
        r"uses appropriate template from registry",
        "has the sections that Step 8 lists",
        (
            "- [ ] Soup uses appropriate template from registry",
            "- [ ] Soup has the sections that Step 8 lists",
        ),
        "- [ ] Soup uses a template",
    ),
    mend(
        "files-check-pattern",
        "There is no registry of templates.",
        "architecture registry match is",
        r"architecture registry match is",
        "Architecture pattern is",
        ("- [ ] Architecture registry match is hot", "- [ ] Architecture pattern is hot"),
        "- [ ] Architecture is hot",
    ),
    mend(
        "files-check-dive",
        "The documents of a whole scan would be owed after the look at one area.",
        "following sections must be checked",
        r"following sections must be checked",
        "following sections must be checked (after a deep dive those of the last two alone)",
        (
            "The following sections must be checked:",
            "The following sections must be checked (after a deep dive those of the last two alone):",
        ),
        "The following must be checked:",
    ),
)

_PRD: tuple[Rule, ...] = (
    mend(
        "files-purpose",
        "The file has become a part of these instructions, which a subagent does not see.",
        "prd-purpose.md",
        r"(?P<lead>load the prd and|standards \(from|load from) prd-purpose\.md",
        "\\g<lead> “BMAD PRD Purpose”, whose text a subagent gets with the task",
        (
            "Bread: Load from prd-purpose.md",
            "Bread: Load from “BMAD PRD Purpose”, whose text a subagent gets with the task",
        ),
        "Bread: prd-purpose.md",
    ),
    mend(
        "files-validate-choice",
        "The steps of the validation are not in this text.",
        "execute full validation workflow (",
        r"execute full validation workflow \([^)\n]*\)",
        "suggest the label `bmad-plan-prd-validate`, and go on",
        (
            "**Run** - Execute full validation workflow (soup)",
            "**Run** - Suggest the label `bmad-plan-prd-validate`, and go on",
        ),
        "**Run** - Execute validation",
    ),
    mend(
        "files-validate-next",
        "The steps of the validation are not in this text, and a last step sums the edit up.",
        'display "starting validation workflow',
        r'display "starting validation workflow\.\.\." then[^\n]*?steps-v/[\w-]+\.md`?',
        "Suggest the label `bmad-plan-prd-validate`, and go on with the next step",
        (
            '- Display "Starting validation workflow..." then eat: steps-v/soup.md',
            "- Suggest the label `bmad-plan-prd-validate`, and go on with the next step",
        ),
        '- Display "Starting validation"',
    ),
    mend(
        "files-edit-summary",
        "The steps are carried out in their order, and the last one sums the edit up.",
        "present edit summary and exit",
        r"present edit summary and exit",
        "Go on with the next step",
        ("- Present edit summary and exit", "- Go on with the next step"),
        "- Present edit summary",
    ),
    mend(
        "files-validate-started",
        "No validation is started here.",
        '"**starting validation workflow**"',
        r"\*\*starting validation workflow\*\*",
        "**Validation comes next**",
        ('Say: "**Starting Validation Workflow**"', 'Say: "**Validation comes next**"'),
        'Say: "**Starting it**"',
    ),
    mend(
        "files-validate-proceeding",
        "No validation is started here.",
        "**proceeding to validation",
        r"\*\*proceeding to validation\.\.\.\*\*",
        "**The label for it:** `bmad-plan-prd-validate`",
        (
            'Say: "**Proceeding to validation...**"',
            'Say: "**The label for it:** `bmad-plan-prd-validate`"',
        ),
        'Say: "**Proceeding**"',
    ),
    mend(
        "files-validate-after",
        "The steps of the validation are not in this text.",
        "{validationworkflow}",
        r"read fully and follow: `?\{validationworkflow\}`?(?: \([^)\n]*\))?",
        "Suggest that label, and exit",
        (
            "- Read fully and follow: {validationWorkflow} (soup)",
            "- Suggest that label, and exit",
        ),
        "- Read fully: {validationWorkflow}",
    ),
    mend(
        "files-validate-skill",
        "The name of the validation was read as that of the PRD.",
        "`bmad-validate-prd` skill",
        r"invoke the `bmad-validate-prd` skill(?= to)",
        "Suggest the label `bmad-plan-prd-validate`",
        (
            "- Invoke the `bmad-validate-prd` skill to eat soup",
            "- Suggest the label `bmad-plan-prd-validate` to eat soup",
        ),
        "- Invoke the `bmad-validate-prd` skill",
    ),
    mend(
        "files-edit-after",
        "The steps of the editing are not in this text.",
        "steps-e/step-e-01-",
        r"(?<=if yes: )read fully and[\w ]*: `?(?:\./)?steps-e/step-e-01-[a-z]+\.md`?",
        "Suggest the label `bmad-plan-prd-edit`, and take Exit",
        (
            "- If yes: Read fully and eat: steps-e/step-e-01-bread.md",
            "- If yes: Suggest the label `bmad-plan-prd-edit`, and take Exit",
        ),
        "- Eat steps-e/step-e-01-discovery.md",
    ),
)

_SPEC: tuple[Rule, ...] = (
    mend(
        "files-spec-later",
        "A run writes the spec, and another one develops it.",
        "read the entire workflow file at",
        r"read the entire workflow file at [^\n]*? and follow[^\n(]*(?=\(warn)",
        "Suggest the label `bmad-build`, go on as with Done ",
        (
            "- Read the entire workflow file at soup and follow it (warn: hot)",
            "- Suggest the label `bmad-build`, go on as with Done (warn: hot)",
        ),
        "- Read the entire workflow file at soup",
    ),
    mend(
        "files-spec-prompt",
        "Nothing is copied: a person sets a label.",
        "copy this prompt to start",
        r"copy this prompt to start dev",
        "Name in your report what starts dev",
        ("Copy this prompt to start dev:", "Name in your report what starts dev:"),
        "Copy this prompt:",
        kinds=_CODE,
    ),
    mend(
        "files-spec-command",
        "It is no command of a run.",
        "quick-dev {finalfile}",
        r"quick-dev \{finalfile\}",
        "the label bmad-build on an issue that names {finalFile}",
        ("quick-dev {finalFile}", "the label bmad-build on an issue that names {finalFile}"),
        "quick-dev soup",
        kinds=_CODE,
    ),
    mend(
        "files-spec-ready",
        "What stands there is a label to set, not a command to run.",
        "ready to implement, run:",
        r"(?<=ready to implement), run:",
        ":",
        ("When you are ready to implement, run:", "When you are ready to implement:"),
        "When you are ready, run:",
    ),
    mend(
        "files-spec-name",
        "The name was taken for that of the template.",
        "must rename file to",
        r"(?<=must rename )file to `[^`\n]*`",
        "the file to `tech-spec-{slug}.md`",
        ("- MUST rename file to `soup`.", "- MUST rename the file to `tech-spec-{slug}.md`."),
        "- MUST rename soup",
    ),
    mend(
        "files-spec-path",
        "The command is not what is given, only the path.",
        "`quick-dev tech-spec-",
        r"`quick-dev (?=tech-spec-)",
        "`",
        ("A path (e.g., `quick-dev tech-spec-soup.md`)", "A path (e.g., `tech-spec-soup.md`)"),
        "A path (e.g., `quick-dev soup.md`)",
    ),
)

_UX: tuple[Rule, ...] = (
    mend(
        "files-ux-research",
        "The pattern of another document stood with the research, so neither was looked for.",
        "research documents (`*prd*",
        r"research documents \(`\*prd\*\.md`\)",
        "PRD (`*prd*.md`) and Research Documents (`*research*.md`)",
        (
            "- Research Documents (`*prd*.md`)",
            "- PRD (`*prd*.md`) and Research Documents (`*research*.md`)",
        ),
        "- Research Documents (`*soup*.md`)",
    ),
    mend(
        "files-ux-place",
        "The path was not that of the document.",
        "specification is ready at {output_folder}",
        r"(?<=specification is ready) at \{output_folder\}/[\w.-]+",
        "",
        (
            "The specification is ready at {output_folder}/soup.md with spoons",
            "The specification is ready with spoons",
        ),
        "The specification is ready at home",
    ),
    mend(
        "files-ux-assume",
        "Nobody can be asked.",
        "about users without asking",
        r"about users without asking",
        "about users without naming them as such",
        (
            "- Making guesses about users without asking",
            "- Making guesses about users without naming them as such",
        ),
        "- Guessing without asking",
    ),
    mend(
        "files-ux-themes",
        "The last step names a file that no step named when it was made.",
        "a color theme visualizer to",
        r"a color theme visualizer(?= to)",
        "a color theme visualizer, `ux-color-themes.html` beside the specification,",
        (
            "I make a color theme visualizer to eat",
            "I make a color theme visualizer, `ux-color-themes.html` beside the specification, to eat",
        ),
        "I make a color theme",
    ),
    mend(
        "files-ux-themes-made",
        "It is made only where there are no guidelines of a brand.",
        "color themes visualizer:",
        r"(?P<what>color themes visualizer):",
        "\\g<what> (if you made it):",
        ("- Color Themes Visualizer: soup", "- Color Themes Visualizer (if you made it): soup"),
        "- Visualizer: soup",
    ),
    mend(
        "files-ux-lock",
        "Nobody is there to look round before the decision.",
        "ready to lock this in",
        r"are we ready to lock this in[^?\n]*\?",
        "Decide it here.",
        ("Bread. Are we ready to lock this in, cook?", "Bread. Decide it here."),
        "Are we ready?",
    ),
    mend(
        "files-ux-journeys",
        "Nothing was said for a project without a PRD.",
        "journeys already defined in the prd",
        r"journeys already defined in the prd(?=:)",
        "journeys already defined in the PRD, or without a PRD with those that the issue and the other "
        "documents tell of",
        (
            "Start with journeys already defined in the PRD:",
            "Start with journeys already defined in the PRD, or without a PRD with those that the issue and "
            "the other documents tell of:",
        ),
        "Journeys already defined",
    ),
    mend(
        "files-ux-status",
        "The key of the file is the name that others know this work by.",
        'workflow_status["create-ux-design"]',
        r'(?<=workflow_status\[)"create-ux-design"(?=\])',
        '"create-ux-design"',
        ('Update workflow_status["create-ux-design"]', 'Update workflow_status["create-ux-design"]'),
        'Update workflow_status["soup"]',
    ),
)

_OTHERS: tuple[Rule, ...] = (
    mend(
        "files-framework",
        "The run has no search of the web.",
        "search online for current recommended",
        r"search online for current recommended test framework",
        "Decide on a test framework by the settings, by what the repository depends on and by what is usual",
        (
            "- Search online for current recommended test framework: soup",
            "- Decide on a test framework by the settings, by what the repository depends on and by what is "
            "usual: soup",
        ),
        "- Search online for soup",
    ),
    mend(
        "files-framework-used",
        "What was to be suggested is decided.",
        "suggest the meta framework",
        r"suggest the meta framework and use it(?: \([^)\n]*\))?",
        "Use it, and say in your report which one and why",
        (
            "- Suggest the meta framework and use it (soup)",
            "- Use it, and say in your report which one and why",
        ),
        "- Suggest the framework",
    ),
    mend(
        "files-run-tests",
        "Nothing was said for tests that cannot be run.",
        "execute tests to verify they",
        r"execute tests to verify they pass",
        "Execute the tests to verify they pass",
        ("Execute tests to verify they pass.", "Execute the tests to verify they pass."),
        "Execute tests to verify it.",
        needs="tests",
    ),
    mend(
        "files-status-values",
        "A report changes no file.",
        "update sprint-status.yaml with corrected",
        r"update sprint-status\.yaml with corrected values",
        "Take the corrected values into the report, not into sprint-status.yaml",
        (
            "- Update sprint-status.yaml with corrected values",
            "- Take the corrected values into the report, not into sprint-status.yaml",
        ),
        "- Update sprint-status.yaml",
    ),
    mend(
        "files-status-again",
        "The file has not been changed.",
        "re-parse the file with corrected",
        r"re-parse the file with corrected statuses",
        "Go on with the corrected statuses",
        ("- Re-parse the file with corrected statuses", "- Go on with the corrected statuses"),
        "- Re-parse the file",
    ),
    mend(
        "files-packs",
        "The files of the packs have become parts of these instructions.",
        "each pointing at a pack file",
        r"each pointing at a pack file",
        "each pointing at a pack, which is the section with the name of the entry and “Pack” behind it: for "
        "`market` it is “Market Research Pack”, and so on",
        (
            "Soups, each pointing at a pack file.",
            (
                "Soups, each pointing at a pack, which is the section with the name of the entry and “Pack” "
                "behind it: for `market` it is “Market Research Pack”, and so on."
            ),
        ),
        "Soups, each pointing at a file.",
    ),
)

RULES: tuple[Rule, ...] = (*_ROUTER, *_SCAN, *_DIVE, *_CHECKS, *_PRD, *_SPEC, *_UX, *_OTHERS)
