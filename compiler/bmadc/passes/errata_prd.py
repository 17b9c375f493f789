"""What upstream's documents of planning ask of a person, contradict or leave open, mended place by place."""

from __future__ import annotations

from bmadc.passes.errata import mend
from bmadc.passes.rules import Rule
from bmadc.passes.sheet import SPOKEN

_CODE = frozenset(("code", "comment", "data")) | SPOKEN
_FRESH = r"(?<=run_folder_pattern\}/`)"

RULES: tuple[Rule, ...] = (
    mend(
        "prd-stance",
        "A run without a person is always in the mode in which the thinking is done for them.",
        "fight the urge to do",
        r"fight the urge to do [^.\n]*\.",
        "in this run you do that work alone, in the Fast path: draft, and mark what you inferred.",
        (
            "Fight the urge to do it.",
            "In this run you do that work alone, in the Fast path: draft, and mark what you inferred.",
        ),
        "Fight the urge.",
    ),
    mend(
        "prd-research",
        "The beginning of the point was for other machines; what is left reads like no order.",
        "research itself fires during discovery",
        r"research itself fires during discovery",
        "keep research for Discovery",
        ("Research itself fires during Discovery.", "Keep research for Discovery."),
        "Research fires.",
    ),
    mend(
        "prd-misroute",
        "Nobody takes the suggestion up while the work is done.",
        "suggest they might want",
        r"suggest they might want [^.\n]*? before continuing",
        "say so in the description, and go on with the PRD that was asked for",
        (
            "If odd, suggest they might want rest before continuing.",
            "If odd, say so in the description, and go on with the PRD that was asked for.",
        ),
        "If odd, suggest it.",
    ),
    mend(
        "prd-runs",
        "The pattern holds today's date: a run of an earlier day would never be found.",
        "(folders matching `{workflow.run_folder_pattern}`",
        r"folders matching `\{workflow\.run_folder_pattern\}` whose",
        "folders in it that lack parts of the document, and whose",
        (
            "(folders matching `{workflow.run_folder_pattern}` whose `x` is old)",
            "(folders in it that lack parts of the document, and whose `x` is old)",
        ),
        "(folders matching `x` whose `x` is old)",
    ),
    mend(
        "prd-intent",
        "A draft that was handed over with open questions was a PRD to update and a run to resume at once.",
        "**create** (no prd), **update**",
        r"\*\*create\*\* \(no prd\), \*\*update\*\* \(existing prd\)",
        "**Create** (no PRD, or a draft that lacks parts), **Update** (existing PRD with all its parts, a "
        "draft too; HALT where an update or a critique is asked for and there is no PRD)",
        (
            "Take one: **Create** (no PRD), **Update** (existing PRD).",
            "Take one: **Create** (no PRD, or a draft that lacks parts), **Update** (existing PRD with all "
            "its parts, a draft too; HALT where an update or a critique is asked for and there is no PRD).",
        ),
        "Take one: Create, Update.",
    ),
    mend(
        "prd-log",
        "A critique has no log to write to: only the other two begin one.",
        "as the conversation unfolds",
        r"as the conversation unfolds",
        "as the work goes on; a run that only validates logs nothing",
        (
            "Write as the conversation unfolds.",
            "Write as the work goes on; a run that only validates logs nothing.",
        ),
        "The conversation unfolds.",
    ),
    mend(
        "prd-update-finalize",
        "A small change to a finished document is no reason to write all of it anew.",
        "before applying. then `## finalize`",
        r"(?<=before applying\. then `## finalize`)",
        ", where reviews and polish change what this update touches, and elsewhere only what is wrong",
        (
            "Look before applying. Then `## Finalize`.",
            "Look before applying. Then `## Finalize`, where reviews and polish change what this update "
            "touches, and elsewhere only what is wrong.",
        ),
        "Look, then `## Finalize`.",
    ),
    mend(
        "prd-ids",
        "Numbers that others refer to stay, so one that was removed leaves a gap.",
        "ids contiguous,",
        r"ids contiguous,",
        "IDs contiguous but for removed ones,",
        ("- All IDs contiguous, and hot.", "- All IDs contiguous but for removed ones, and hot."),
        "IDs are contiguous.",
    ),
    mend(
        "prd-id-gaps",
        "Numbers that others refer to stay, so one that was removed leaves a gap.",
        "id continuity (gaps,",
        r"id continuity \(gaps,",
        "ID continuity (gaps that no removal explains,",
        ("- ID continuity (gaps, holes).", "- ID continuity (gaps that no removal explains, holes)."),
        "- ID continuity.",
    ),
    mend(
        "prd-kept-reviews",
        "The files have fixed names, so the next critique writes over them.",
        "preserved so the user",
        r"are preserved so the user can \w+ in",
        "stay beside it for whoever wants the details, until a later run writes over them",
        (
            "All are preserved so the user can sit in.",
            "All stay beside it for whoever wants the details, until a later run writes over them.",
        ),
        "All are preserved.",
    ),
    mend(
        "prd-resume",
        "No other place says what it means to resume.",
        "offer to resume",
        r"if any exist, offer to resume [\w ]*over",
        "if one is of the same product, resume it: bind its folder, "
        "read its `.memlog.md` (if it has none, make one as Update does), skip "
        "what begins a fresh one, and go on with Discovery",
        (
            "Look; if any exist, offer to resume it over.",
            "Look; if one is of the same product, resume it: bind its folder, read its "
            "`.memlog.md` (if it has none, make one as Update does), skip "
            "what begins a fresh one, and go on with Discovery.",
        ),
        "Look; if any exist, resume.",
    ),
    mend(
        "prd-folder",
        "A second run on one day would overwrite the first, and its log cannot be begun twice.",
        "{workflow.run_folder_pattern}/`",
        _FRESH + r"(?=[.,;])",
        " (if that folder exists already, with `-2`, `-3` and so on at its end)",
        (
            "Bind it to `{workflow.run_folder_pattern}/`.",
            "Bind it to `{workflow.run_folder_pattern}/` (if that folder exists already, with `-2`, `-3` and "
            "so on at its end).",
        ),
        "Bind it to `{workflow.other}/`.",
    ),
    mend(
        "prd-update",
        "The folder is bound for a new document only, but used for this one at once.",
        "reconcile the prd with a change",
        r"reconcile the prd with a change signal",
        "bind `{doc_workspace}` to the folder of the PRD (HALT if you may not change files there), and "
        "reconcile the PRD with a change signal",
        (
            "Reconcile the PRD with a change signal.",
            "Bind `{doc_workspace}` to the folder of the PRD (HALT if you may not change files there), and "
            "reconcile the PRD with a change signal.",
        ),
        "Reconcile the PRD.",
    ),
    mend(
        "prd-turns",
        "There are no turns and no one in a hurry.",
        "get to working mode fast",
        r"get to working mode fast — two[^\n]*",
        "in this run do it on the issue, its comments and the documents of the repository, without "
        "questions.",
        (
            "Get to working mode fast — two steps.",
            "In this run do it on the issue, its comments and the documents of the repository, "
            "without questions.",
        ),
        "Get to working mode.",
    ),
    mend(
        "prd-dump",
        "The issue is all that somebody says.",
        "that is intake, not the dump",
        r"always the first move, even when[^.\n]*\.",
        "always the first move: the issue and its comments are the dump.",
        (
            "Always the first move, even when late (that is intake, not the dump).",
            "Always the first move: the issue and its comments are the dump.",
        ),
        "Always the first move.",
    ),
    mend(
        "prd-pen",
        "There is nobody to hand the pen to; what is the agent's own must be told from what was wanted.",
        "hand the pen back",
        r"stop — you have crossed[^.\n]*\. hand the pen back\.",
        "you have crossed from what the requester wants to what you infer: tag it `[ASSUMPTION]`, "
        "so that the "
        "requester sees it.",
        (
            "When late, stop — you have crossed it. Hand the pen back.",
            "When late, you have crossed from what the requester wants to what you infer: tag it "
            "`[ASSUMPTION]`, so that the requester sees it.",
        ),
        "When late, stop. Hand the pen back.",
    ),
    mend(
        "prd-probe",
        "Nobody answers a probe.",
        "one short probe before working mode",
        r"one short probe before working mode",
        "infer it before working mode",
        ("One short probe before working mode: x", "Infer it before working mode: x"),
        "One short probe: x",
    ),
    mend(
        "prd-mode",
        "Only one of the two ways can be gone without a person.",
        "offer the choice in the user's",
        r"offer the choice in the user's language:",
        "in this run it is the Fast path:",
        ("Offer the choice in the user's language:", "In this run it is the Fast path:"),
        "Offer the choice:",
    ),
    mend(
        "prd-fast",
        "Nobody answers questions or iterates while the work is done.",
        "i batch remaining gaps into",
        r"i batch remaining gaps into [^.\n]*? then draft",
        "put the remaining gaps under Open Questions, then draft",
        (
            "I batch remaining gaps into one, then draft it.",
            "Put the remaining gaps under Open Questions, then draft it.",
        ),
        "I batch remaining gaps.",
    ),
    mend(
        "prd-iterate",
        "Nobody answers questions or iterates while the work is done.",
        "you review and we iterate",
        r"you review and we iterate\.",
        "the requester reads it in the pull request.",
        ("You review and we iterate.", "The requester reads it in the pull request."),
        "You review.",
    ),
    mend(
        "prd-upfront",
        "It speaks as the agent to a person.",
        "how much you gave me upfront",
        r"how much you gave me upfront",
        "what the issue and the documents say",
        (
            "It hangs on how much you gave me upfront.",
            "It hangs on what the issue and the documents say.",
        ),
        "It depends on you.",
    ),
    mend(
        "prd-coaching",
        "Only one of the two ways can be gone without a person.",
        "we walk pm-thinking sections",
        r"we walk pm-thinking sections together\.",
        "not in this run: it walks the sections together with a person.",
        (
            "We walk PM-thinking sections together.",
            "Not in this run: it walks the sections together with a person.",
        ),
        "We walk together.",
    ),
    mend(
        "prd-entry",
        "Only one of the two ways can be gone without a person.",
        "*let me suggest* based on",
        r"or \*let me suggest\* based on [\w ]*(?=\.)",
        "or whichever fits what the person says",
        (
            "Take *a*, or *let me suggest* based on rain.",
            "Take *a*, or whichever fits what the person says.",
        ),
        "Take *a*, or *let me suggest*.",
    ),
    mend(
        "prd-persists",
        "What is not merged does not persist.",
        "stop and resume freely",
        r"; stop and resume freely\.",
        " once a person has merged it.",
        ("It persists; stop and resume freely.", "It persists once a person has merged it."),
        "It persists.",
    ),
    mend(
        "prd-form-factor",
        "Nobody answers a probe.",
        "if not stated in sources, probe",
        r"if not stated in sources, probe — ",
        "if not stated in sources, infer it and tag it `[ASSUMPTION]` — ",
        (
            "If not stated in sources, probe — a / b.",
            "If not stated in sources, infer it and tag it `[ASSUMPTION]` — a / b.",
        ),
        "If not stated, probe — a / b.",
    ),
    mend(
        "prd-journeys",
        "Nobody narrates or confirms; what no source tells must not look as if one did.",
        "then structure the answer",
        r"(?<= to narrate) (?P<what>[^\n]*?) — then structure the answer [\w -]*confirm",
        " from what the sources tell \\g<what> — then structure it into UJ-N form, tagged "
        "`[ASSUMPTION]` where they are silent",
        (
            "try to narrate a day — then structure the answer and confirm.",
            "try to narrate from what the sources tell a day — then structure it into UJ-N form, "
            "tagged `[ASSUMPTION]` where they are silent.",
        ),
        "try to narrate a day.",
    ),
    mend(
        "prd-menu",
        "Nobody chooses from a menu of reviewers.",
        "higher stakes get the",
        r"higher stakes get the [\w/ ]*menu",
        "higher stakes run all",
        (
            "Now higher stakes get the skip menu.",
            "Now higher stakes run all.",
        ),
        "Now higher stakes get a menu.",
    ),
    mend(
        "prd-drill",
        "Nobody drills into a finding.",
        "only when the user drills",
        r"only when the user drills into a[^.\n]*",
        "only when its summary does not suffice to act on it",
        (
            "Read it only when the user drills into a wall.",
            "Read it only when its summary does not suffice to act on it.",
        ),
        "Read it only when the user asks.",
    ),
    mend(
        "prd-per-finding",
        "Nobody discusses a finding; without a default any answer would do.",
        "per finding: autofix, discuss",
        r"per finding: autofix, discuss, [^.\n]*\.",
        "per finding, except under Validate intent: autofix by default; where the fix needs a decision "
        "that is not yours, put it into the open items; ignore one only with a reason.",
        (
            "Per finding: autofix, discuss, or rest.",
            "Per finding, except under Validate intent: autofix by default; where the fix needs a "
            "decision that is not yours, put it into the open items; ignore one only with a reason.",
        ),
        "Per finding: autofix.",
    ),
    mend(
        "prd-opening",
        "No run has a browser.",
        "and opening the html",
        r" and opening the html(?=\.)",
        "",
        ("Write it and opening the HTML.", "Write it."),
        "Write it, opening the HTML.",
    ),
    mend(
        "prd-blockers",
        "Only a person can resolve what blocks; the contract for runs without one records it.",
        "one at a time and resolved",
        r"surfaced one at a time and resolved",
        "recorded in `open_questions[]` with what each blocks",
        (
            "They are surfaced one at a time and resolved.",
            "They are recorded in `open_questions[]` with what each blocks.",
        ),
        "They are surfaced one at a time.",
    ),
    mend(
        "prd-polish",
        "The lenses only propose, and nobody else takes their rows up.",
        "parallelize across documents, sequential within",
        r"parallelize across documents, sequential within\.",
        "parallelize across documents, sequential within. The lenses propose rows: apply those that "
        "you accept, and report only how many, and which you left.",
        (
            "Parallelize across documents, sequential within.",
            "Parallelize across documents, sequential within. The lenses propose rows: apply those that you "
            "accept, and report only how many, and which you left.",
        ),
        "Parallelize across documents.",
    ),
    mend(
        "prd-final",
        "A document with an open blocker would be called final, and its run complete in part only.",
        "`status: final` and `updated`",
        r"(?<=`status: final`) and `updated`",
        " (set `draft` instead, and log that, while `open_questions[]` holds something) and `updated`",
        (
            "Set `status: final` and `updated`.",
            "Set `status: final` (set `draft` instead, and log that, while `open_questions[]` holds "
            "something) and `updated`.",
        ),
        "Set `status: final`.",
    ),
    mend(
        "prd-headless-create",
        "The contract for runs without a person has no line for the usual one.",
        "**update.** apply the change",
        r"\*\*update\.\*\* apply the change, ",
        "**Create.** Take the Fast path without questions: draft, tag what you inferred, and put gaps "
        "under Open Questions; only what blocks goes into `open_questions[]` too. **Update.** Apply the "
        "change, ",
        (
            "**Update.** Apply the change, then rest.",
            "**Create.** Take the Fast path without questions: draft, tag what you inferred, and put gaps "
            "under Open Questions; only what blocks goes into `open_questions[]` too. **Update.** Apply "
            "the change, then rest.",
        ),
        "**Update.** Apply it.",
    ),
    mend(
        "prd-rubric",
        "Who gets the prompt does not see the section that holds the rubric.",
        "the quality rubric at",
        r"the quality rubric at `\{workflow\.\w+\}`",
        "the quality rubric at the end of this prompt",
        (
            "Hold it against the quality rubric at `{workflow.x}`.",
            "Hold it against the quality rubric at the end of this prompt.",
        ),
        "Hold it against the quality rubric.",
    ),
    mend(
        "prd-rubric-prompt",
        "Who gets the prompt does not see the section that holds the rubric.",
        "spawn it as a subagent",
        r"spawn it as a subagent with[\w ]*prompt:",
        "spawn it as a subagent; paste the rubric of the section “Checklist” at the end of its prompt, "
        "which is:",
        (
            "Spawn it as a subagent with a prompt:",
            "Spawn it as a subagent; paste the rubric of the section “Checklist” at the end of its prompt, "
            "which is:",
        ),
        "Spawn it as a subagent.",
    ),
    mend(
        "prd-walked",
        "Who gets the prompt knows no path, and the PRD may have another name or folder.",
        "then read `prd.md`",
        r"then read `prd\.md`",
        "then read the PRD, `{prd_path}`",
        ("Sit, then read `prd.md`.", "Sit, then read the PRD, `{prd_path}`."),
        "Read `prd.md`.",
    ),
    mend(
        "prd-conversation",
        "There is no conversation in which something could stay.",
        "findings stay in-conversation",
        r"findings stay in-conversation",
        "findings are acted on, and what is left goes into the description of the pull request",
        (
            "All findings stay in-conversation.",
            "All findings are acted on, and what is left goes into the description of the pull request.",
        ),
        "All findings stay.",
    ),
    mend(
        "prd-parent",
        "The walker returns a summary only; the synthesis is the parent's, as the other place says.",
        "it additionally runs the synthesis",
        r"it additionally runs the synthesis",
        "the parent additionally runs the synthesis",
        ("Then it additionally runs the synthesis.", "Then the parent additionally runs the synthesis."),
        "Then it runs the synthesis.",
    ),
    mend(
        "prd-adversarial",
        "Which reviewers there are is said by the value in front of it.",
        "(adversarial-general by default)",
        r" \(adversarial-general by default\)",
        "",
        ("Take it (adversarial-general by default).", "Take it."),
        "Take it (by default).",
    ),
    mend(
        "prd-grade",
        "One finding of that kind would be two grades at once.",
        "≤1 thin dimension, no critical",
        r"≤1 thin dimension, no critical findings",
        "≤1 thin dimension, no high or critical findings",
        (
            "Ripe = ≤1 thin dimension, no critical findings",
            "Ripe = ≤1 thin dimension, no high or critical findings",
        ),
        "Ripe = ≤1 thin dimension",
    ),
    mend(
        "prd-rubric-path",
        "The rubric is a section and has no path.",
        "`{rubric_path}`",
        r"`\{rubric_path\}`",
        "PRD Quality Rubric",
        ("```\nBy: `{rubric_path}`\n```", "```\nBy: PRD Quality Rubric\n```"),
        "```\nBy: `{path}`\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-footer",
        "The rubric is a section and has no path.",
        "rubric path, iso timestamp",
        r"rubric path, iso timestamp",
        "the rubric's name, ISO timestamp",
        ("**x** Rubric path, ISO timestamp.", "**x** The rubric's name, ISO timestamp."),
        "**x** Rubric path.",
    ),
    mend(
        "prd-offer",
        "A critique changes nothing; what comes of it is for the requester to say.",
        "offer to roll findings",
        r"always offer to roll findings [\w ]*update",
        "say that an Update could take the findings up, and do not make it",
        (
            "Always offer to roll findings upon an Update.",
            "Say that an Update could take the findings up, and do not make it.",
        ),
        "Offer to roll findings.",
    ),
    mend(
        "prd-status",
        "Later runs look for the key, which the template does not have.",
        "title: {product name}",
        r"title: \{product name\}(?=\ncreated:)",
        "title: {Product Name}\nstatus: draft",
        (
            "```\ntitle: {Product Name}\ncreated: x\n```",
            "```\ntitle: {Product Name}\nstatus: draft\ncreated: x\n```",
        ),
        "```\ntitle: {Product Name}\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-working-title",
        "It would be copied into the document, and nobody confirms it.",
        "*working title — confirm.*",
        r"\*working title — confirm\.\*",
        "*Working title.*",
        ("```\n*Working title — confirm.*\n```", "```\n*Working title.*\n```"),
        "```\n*Working title.*\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-knows",
        "Here the user is the product's own.",
        "delivered and how the user knows",
        r"delivered and how the user knows",
        "delivered and how the user knows",
        (
            "```\nIt is delivered and how the user knows.\n```",
            "```\nIt is delivered and how the user knows.\n```",
        ),
        "```\nHow the user knows.\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-right-skill",
        "Discovery has no such check.",
        "during the right-skill",
        r"chosen during the right-skill [\w ]*discovery",
        "chosen where the issue asks for it",
        (
            "```\nIt is chosen during the Right-skill time of Discovery.\n```",
            "```\nIt is chosen where the issue asks for it.\n```",
        ),
        "```\nIt is chosen.\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-markers",
        "The page has single words to fill in, no pairs of markers.",
        "everything between template markers",
        r"everything between template markers",
        "every word that begins with TEMPLATE_",
        (
            "```html\n(everything between TEMPLATE markers)\n```",
            "```html\n(every word that begins with TEMPLATE_)\n```",
        ),
        "```html\n(everything between markers)\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-questions-that-block",
        "Finalize records only what blocks, and this list decides whether the document is final.",
        "every gap that needs",
        r"every gap that needs a human decision",
        "what needs a person's decision before the document may be used (phase-blockers; Finalize says what "
        "becomes of the rest)",
        (
            "Close every gap that needs a human decision.",
            "Close what needs a person's decision before the document may be used (phase-blockers; Finalize "
            "says what becomes of the rest).",
        ),
        "Close every gap.",
    ),
    mend(
        "prd-reviews-of-run",
        "The files of earlier runs are kept, and judge an older text.",
        "read every reviewer file in",
        r"read every reviewer file in",
        "read every reviewer file that this run wrote, of those in",
        (
            "Read every reviewer file in the oven.",
            "Read every reviewer file that this run wrote, of those in the oven.",
        ),
        "Read every file.",
    ),
    mend(
        "prd-reviews-of-run-page",
        "The files of earlier runs are kept, and judge an older text.",
        "and every review-{slug}.md",
        r"and every review-\{slug\}\.md",
        "and every review-{slug}.md of this run",
        (
            "```html\nEat x and every review-{slug}.md now\n```",
            "```html\nEat x and every review-{slug}.md of this run now\n```",
        ),
        "```html\nEat every review\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-final-logged",
        ("A draft that is left open would be logged as finished, and the next run goes on from that log."),
        "record finalization via",
        r"record finalization via",
        "if it is `final` now, record finalization via",
        ("Record finalization via the oven.", "If it is `final` now, record finalization via the oven."),
        "Record the finalization.",
    ),
    mend(
        "prd-no-handoff",
        ("No tool for that is there, and the sample would be reported as an upload that never was."),
        "external_handoffs",
        r',\s*"external_handoffs": \[\s*\{[^{}]*\}\s*\]',
        "",
        ('```json\n{"a": 1, "external_handoffs": [\n  {"x": 1}\n]}\n```', '```json\n{"a": 1}\n```'),
        '```json\n{"a": 1, "external_handoffs": []}\n```',
        kinds=_CODE,
    ),
    mend(
        "prd-rubric-name",
        "The rubric is a section and has no path.",
        "template_rubric_path",
        r"template_rubric_path",
        "TEMPLATE_RUBRIC_NAME",
        ("```html\n<b>TEMPLATE_RUBRIC_PATH</b>\n```", "```html\n<b>TEMPLATE_RUBRIC_NAME</b>\n```"),
        "```html\n<b>TEMPLATE_PATH</b>\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-footer-page",
        "The rubric is a section and has no path.",
        "always shows the artifact paths",
        r"always shows the artifact paths",
        "always shows the rubric's name",
        (
            "```html\nIt always shows the artifact paths and more\n```",
            "```html\nIt always shows the rubric's name and more\n```",
        ),
        "```html\nIt shows paths\n```",
        kinds=_CODE,
    ),
    mend(
        "prd-workspace-writable",
        "A report beside a document that lies where nothing may be changed could not be handed over.",
        "to the prd's containing directory",
        r"(?<=defaults to the prd's containing directory)",
        ", or, where you may not change files there, to a fresh one as Create binds it",
        (
            "It defaults to the PRD's containing directory.",
            "It defaults to the PRD's containing directory, or, where you may not change files there, to a "
            "fresh one as Create binds it.",
        ),
        "The PRD's containing directory",
    ),
    mend(
        "prd-prefixes",
        "The convention is written down nowhere, and no entry is configured that would follow it.",
        "the standard prefix convention",
        r" using the standard prefix convention \([^)\n]*\)",
        "",
        ("Taste soups using the standard prefix convention (`a:` / plain).", "Taste soups."),
        "The standard prefix convention",
    ),
    mend(
        "prd-full-reviews",
        "The report of a validation is made of the full texts, and by whom they were never to be held.",
        "parent never holds full review",
        r"(?=the parent never holds full review)",
        "but for the report of Validate, ",
        (
            "Be brief — the parent never holds full review soup.",
            "Be brief — but for the report of Validate, the parent never holds full review soup.",
        ),
        "The parent holds it",
    ),
    mend(
        "prd-routing",
        "What routes between workflows is not there; the labels are named before it.",
        "for authoritative routing",
        r"; invoke `bmad-help` for authoritative routing",
        "",
        ("Eat soup; invoke `bmad-help` for authoritative routing.", "Eat soup."),
        "For authoritative routing",
    ),
    mend(
        "prd-tagged",
        "Another place orders a detail that nobody gave, with a tag; only without one it is an invention.",
        "to fill gaps — record them",
        r"to fill gaps — record them",
        "to fill gaps without a tag — tag each with `[ASSUMPTION]` and record it",
        (
            "Do not invent spoons to fill gaps — record them.",
            "Do not invent spoons to fill gaps without a tag — tag each with `[ASSUMPTION]` and record it.",
        ),
        "Record them",
    ),
    mend(
        "prd-not-applicable",
        "The report leaves out dimensions by a mark that no order allowed.",
        "strong / adequate / thin / broken",
        r"(?<=strong / adequate / thin / broken\*)(?= — backed)",
        ", or n/a where the dimension does not matter for this PRD",
        (
            "Judge — *strong / adequate / thin / broken* — backed by soup.",
            "Judge — *strong / adequate / thin / broken*, or n/a where the dimension does not matter for "
            "this PRD — backed by soup.",
        ),
        "Judge — *strong / adequate / thin / broken* now.",
    ),
    mend(
        "review-directives",
        "Nothing is called so unless a project sets it.",
        "the standing review directives",
        r"(?<=the standing review directives)(?=,)",
        " if any are given",
        (
            "Give it the standing review directives, too",
            "Give it the standing review directives if any are given, too",
        ),
        "The standing review directives",
    ),
    mend(
        "review-values",
        "Only what a project sets is there.",
        "and `persistent_facts`, a value",
        r"(?<=and `persistent_facts`), a value",
        " as far as they are given, a value",
        (
            "In `soups` and `persistent_facts`, a value counts.",
            "In `soups` and `persistent_facts` as far as they are given, a value counts.",
        ),
        "`persistent_facts`",
    ),
)
