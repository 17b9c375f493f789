"""Rules for what the text says about its own steps: how they are loaded, read, waited at and gone on from."""

from __future__ import annotations

from bmadc.passes.rules import Nothing, Once, Phrase, Rule, Say, Sentence, Whole

# A whole line or sentence that goes takes with it whatever a rule for single words wanted there.
ALL: tuple[str, ...] = (
    "menus.",
    "questions.",
    "person.",
    "variables.",
    "includes.",
    "names.",
    "writes.",
    "flow.",
    "ceremony.step-word",
    "ceremony.load-next",
    "ceremony.loading-next",
    "ceremony.when-chosen",
    "ceremony.open-step",
    "ceremony.step-number",
    "ceremony.step-name",
)
_MARK = r"[✅❌]\s*(?:\*\*critical\*\*:\s*)?"
_LETTER = r"(?:'c'|\[c\]|\bc\b)(?: \(continue\))?"

_READING: tuple[Rule, ...] = (
    Rule(
        id="ceremony.step-whole",
        reason="The frame says once that a step is read to its end before it is acted on.",
        find=Whole(
            "step file",
            r"(?:critical: |read completely: )?(?:always )?read (?:the )?(?:complete|entire|whole) "
            r"step file before .*",
        ),
        make=Once("order"),
        state="merged",
        examples=(("- 📖 ALWAYS read the whole step file before lighting the oven\n", "\n"),),
        near=("- Read the whole recipe before lighting the oven\n",),
        over=ALL,
        consumes=(r"^\d+$",),
    ),
    Rule(
        id="ceremony.next-step-whole",
        reason="The frame says once that a step is read to its end before it is acted on.",
        find=Whole("loading next step with", r"(?:critical: )?when loading next step with '?\w'?, ensure .*"),
        make=Once("order"),
        state="merged",
        examples=(("- 🔄 CRITICAL: When loading next step with 'B', ensure all of it is seen\n", "\n"),),
        near=("- When loading next step with a crane, ensure that nobody is below\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.one-step-at-a-time",
        reason="The frame says once that each step is finished before the next one is begun.",
        find=Whole(
            "step file",
            r"(?:never load multiple step files\b.*|just-in-time loading: .*|load next: when directed.*"
            r"|sequential enforcement: .*|always follow the exact [^.]*step file.*"
            r"|only (?:the )?current step file is .*|micro-file design: .*)",
        ),
        make=Once("order"),
        state="merged",
        examples=(
            ("- **NEVER** load multiple step files on one cart\n", "\n"),
            ("- **Just-In-Time Loading**: one step file is on the bench\n", "\n"),
        ),
        near=("- **NEVER** load multiple carts at once\n",),
        over=ALL,
        consumes=(r"\bnever\b", r"\bno\b", r"\bnot\b", r"^\d+$"),
    ),
    Rule(
        id="ceremony.sequence",
        reason="The frame says once that the steps are carried out in their order.",
        find=Whole(
            "sequen",
            r"(?:sequential enforcement: (?!.*step file).*|follow sequence: execute .*|never skip "
            r"steps or optimi[sz]e the"
            r" sequence.*|sequential progression with user control.*)",
        ),
        make=Once("order"),
        state="merged",
        examples=(("2. **FOLLOW SEQUENCE**: Execute the courses one by one\n", "\n"),),
        near=("2. **FOLLOW SEQUENCE DIAGRAMS**: they show the courses\n",),
        over=ALL,
        consumes=(r"\bnever\b", r"\bno\b", r"^\d+$"),
    ),
    Rule(
        id="ceremony.no-lookahead",
        reason="The frame says once that the steps are carried out in their order.",
        find=Whole("mental todo lists", r"never create mental todo lists from .*"),
        make=Once("order"),
        state="merged",
        examples=(("- 📋 **NEVER** create mental todo lists from later courses\n", "\n"),),
        near=("- Create mental todo lists from later courses\n",),
        over=ALL,
        consumes=(r"\bnever\b",),
    ),
    Rule(
        id="ceremony.save-state",
        reason="The frame says once how the progress is kept.",
        find=Whole("save state", r"save state: update `stepscompleted` .*"),
        make=Once("progress"),
        state="merged",
        examples=(("5. **SAVE STATE**: Update `stepsCompleted` on the napkin\n", "\n"),),
        near=("5. **SAVE STATE**: Update the napkin\n",),
        over=(*ALL, "ceremony.loading-next"),
        consumes=(r"`?stepsCompleted`?",),
    ),
    Rule(
        id="ceremony.snapshot-word",
        reason="Every file that the text names is a section or a skill of it.",
        find=Phrase("snapshot file", r"\bsnapshot file(?P<many>s?)\b"),
        make=Say("section\\g<many>"),
        state="rewritten",
        examples=(("Open another snapshot file.\n", "Open another section.\n"),),
        near=("Open another snapshot.\n",),
    ),
    Rule(
        id="ceremony.self-contained",
        reason="How the steps were cut into files says nothing once they stand in one text.",
        find=Whole(
            "self",
            r"(?:micro-file design: (?!.*step file).*|each step is a self[- ]contained file\b.*)",
        ),
        make=Once("order"),
        state="merged",
        examples=(
            ("- **Micro-file Design**: Each course is self contained\n", "\n"),
            ("- Each step is a self-contained file for one pan\n", "\n"),
        ),
        near=("- Each course is a self-contained plate\n",),
        over=ALL,
        consumes=(r"^\d+$",),
    ),
    Rule(
        id="ceremony.architecture",
        reason="How the steps were cut into files says nothing once they stand in one text.",
        find=Whole(
            "-file architecture", r"this (?:workflow )?uses (?:[\w-]+ )?(?:step|micro)-file architecture\b.*"
        ),
        make=Nothing(),
        state="dropped",
        examples=(("This uses **step-file architecture** for calm cooking:\n", "\n"),),
        near=("This uses **profile-file architecture** for calm cooking:\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.through-conversation",
        reason="Documents are built step by step, without anybody to converse with.",
        find=Phrase("through conversation", r" through conversation\b", under=r"workflow architecture"),
        make=Say(""),
        state="rewritten",
        examples=(
            (
                "## Workflow Architecture\n\n- Soup built through conversation\n",
                "## Workflow Architecture\n\n- Soup built\n",
            ),
        ),
        near=("## Soup\n\n- Soup built through conversation\n",),
    ),
    Rule(
        id="ceremony.waits-at-menus",
        reason="Nobody is there to wait for: a choice is the agent's own, as the frame says.",
        find=Whole(
            "wait for",
            r"(?:wait for input: .*|always halt at (?:menus?|checkpoints?) and wait for .*)",
        ),
        make=Once("decide"),
        state="merged",
        examples=(("3. **WAIT FOR INPUT**: Ring the bell and stand still\n", "\n"),),
        near=("3. **WAIT FOR THE DOUGH**: It needs an hour\n",),
        classed="decide",
        over=ALL,
        consumes=(r"^\d+$",),
    ),
    Rule(
        id="ceremony.continuation-check",
        reason="Nobody is there to wait for: a choice is the agent's own, as the frame says.",
        find=Whole("check continuation", r"check continuation: .*"),
        make=Once("decide"),
        state="merged",
        examples=(("4. **CHECK CONTINUATION**: Only go on when the guest nods\n", "\n"),),
        near=("4. Check continuation of the road: is it paved?\n",),
        classed="decide",
        over=ALL,
        consumes=(r"^\d+$", r"\bonly\b"),
    ),
    Rule(
        id="ceremony.approval-per-step",
        reason="Nobody is there to wait for: a choice is the agent's own, as the frame says.",
        find=Whole("proceed to ", r"you never proceed to [\w ]*step file if .*"),
        make=Once("decide"),
        state="merged",
        examples=(("- You NEVER proceed to the next step file if Tom chews.\n", "\n"),),
        near=("- You NEVER proceed to a course if Tom chews.\n",),
        classed="decide",
        over=ALL,
        consumes=(r"\bnever\b",),
    ),
    Rule(
        id="ceremony.partial-reading",
        reason="The frame says once that a step is read to its end before it is acted on.",
        find=Phrase("partial step file", r"[^\w\n]*critical\W+reading only partial step file[^\n]*\n?"),
        make=Once("order"),
        state="merged",
        examples=(
            (
                "❌ **CRITICAL**: Reading only partial step file - burns the roast\n❌ Cold plates\n",
                "❌ Cold plates\n",
            ),
        ),
        near=("❌ **CRITICAL**: Reading only part of the recipe\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.unread-next-step",
        reason="The frame says once that a step is read to its end before it is acted on.",
        find=Phrase("proceeding with 'c'", r"[^\w\n]*critical\W+proceeding with 'c' without [^\n]*\n?"),
        make=Once("order"),
        state="merged",
        examples=(
            (
                "❌ **CRITICAL**: Proceeding with 'C' without a look at the card\n❌ Cold plates\n",
                "❌ Cold plates\n",
            ),
        ),
        near=("❌ Proceeding with 'C' without salt\n",),
        over=ALL,
        consumes=(r"\bwithout\b",),
    ),
)

_MENU_CRITERIA: tuple[Rule, ...] = (
    Rule(
        id="ceremony.menu-criterion",
        reason="Whether a menu was shown measures nothing where the agent chooses; the frame says "
        "how it does.",
        find=Phrase(
            "menu",
            rf"{_MARK}(?:not )?(?:presenting )?(?:standard )?(?:a/p/c )?menu (?:options )?"
            r"(?:presented|after|for)\b[^\n]*\n?",
        ),
        make=Once("decide"),
        state="merged",
        examples=(("✅ A/P/C menu presented with a smile\n✅ Soup is hot\n", "✅ Soup is hot\n"),),
        near=("✅ The menu lists three soups\n", "✅ Soup of the A/P/C menu is hot\n"),
        classed="decide",
        over=ALL,
        consumes=(r"\bnot\b", r"a/p/c"),
    ),
    Rule(
        id="ceremony.menu-criterion-item",
        reason="Whether a menu was shown measures nothing where the agent chooses; the frame says "
        "how it does.",
        find=Whole(
            "menu",
            r"(?:not presenting (?:the )?(?:standard )?a/p/c menu\b.*|(?:a/p/c )?menu (?:options "
            r")?presented (?:and|with)"
            r" .*|missing menu options)",
            under=r"success|failure",
        ),
        make=Once("decide"),
        state="merged",
        examples=(("## Success\n\n- Menu presented and wiped\n", "## Success\n\n\n"),),
        near=("## Success\n\n- Menu printed and wiped\n",),
        classed="decide",
        over=ALL,
        consumes=(r"\bnot\b", r"a/p/c"),
    ),
    Rule(
        id="ceremony.option-criterion",
        reason="Whether an option was shown measures nothing where the agent chooses; the frame "
        "says how it does.",
        find=Phrase(
            " option",
            rf"{_MARK}(?:not presenting )?(?:\[\w\] )?(?:continue|complete|completion) option\b[^\n]*\n?",
        ),
        make=Once("decide"),
        state="merged",
        examples=(("✅ [C] continue option presented warm\n✅ Soup is hot\n", "✅ Soup is hot\n"),),
        near=("✅ The option to continue cooking is known\n",),
        classed="decide",
        over=ALL,
        consumes=(r"\bnot\b",),
    ),
    Rule(
        id="ceremony.when-chosen",
        reason="What is saved is saved; nobody has to pick a letter for it first.",
        find=Phrase(" selected", rf" when {_LETTER} (?:is )?selected\b"),
        make=Say(""),
        state="rewritten",
        examples=(("✅ Soup ladled into the bowl when C selected\n", "✅ Soup ladled into the bowl\n"),),
        near=("✅ Soup ladled when selected guests arrive\n",),
        over=("menus.",),
    ),
    Rule(
        id="ceremony.without-choice",
        reason="The choice to go on is the agent's, and it is still one to be made before "
        "something is saved.",
        find=Phrase(
            "without user select",
            rf"without user select(?:ing|ion of) {_LETTER}",
        ),
        make=Say("without having chosen Continue"),
        state="rewritten",
        examples=(
            (
                "❌ Serving soup without user selecting 'C'\n",
                "❌ Serving soup without having chosen Continue\n",
            ),
        ),
        near=("❌ Serving soup without selecting a spoon\n",),
        classed="decide",
        over=("menus.", "person."),
    ),
)

_GOING_ON: tuple[Rule, ...] = (
    Rule(
        id="ceremony.only-when-chosen",
        reason="Going on depends on the work that is named, not on a letter that somebody picks.",
        find=Phrase(
            "selected and ",
            r"only when \[?c(?: \w+){0,2}\]? is selected and \[?(?P<what>[^\]\n]+?)\]?,? will you ",
        ),
        make=Say("only when \\g<what>, "),
        state="rewritten",
        examples=(
            (
                "ONLY WHEN [C] is selected and [soup is ladled], will you then eat.\n",
                "Only when soup is ladled, then eat.\n",
            ),
        ),
        near=("ONLY WHEN a bowl is selected and filled, will you then eat.\n",),
        over=("menus.", "person.", "ceremony.when-chosen"),
    ),
    Rule(
        id="ceremony.only-when-done",
        reason="The order to go on is given plainly.",
        find=Phrase("will you ", r"only when \[(?P<what>[^\]\n]+)\],? will you "),
        make=Say("only when \\g<what>, "),
        state="rewritten",
        examples=(
            ("ONLY WHEN [soup is ladled], will you then eat.\n", "Only when soup is ladled, then eat.\n"),
        ),
        near=("ONLY WHEN soup is ladled, will you then eat.\n",),
        over=("menus.",),
    ),
    Rule(
        id="ceremony.after-choice-and",
        reason="Going on depends on the work that is named, not on a letter that somebody picks.",
        find=Phrase(
            "after user ",
            rf"after user (?:selects|confirms|chooses) {_LETTER}(?: to continue)? and (?P<what>[^\n,]+), ",
        ),
        make=Say("once \\g<what>, "),
        state="rewritten",
        examples=(("After user selects 'C' and soup is ladled, eat.\n", "Once soup is ladled, eat.\n"),),
        near=("After user accounts exist and soup is ladled, eat.\n",),
        over=("menus.", "person.", "questions.", "ceremony.after-choice"),
    ),
    Rule(
        id="ceremony.after-choice",
        reason="Nobody has to say that the next step may begin.",
        find=Phrase(
            "after user ",
            r"after user (?:selects|confirms|chooses) (?:'c'|\[c\]|they're ready|their continuation|the)"
            r"[^\n,]{0,40}?, (?=load|read|go|proceed)",
        ),
        make=Say("then "),
        state="rewritten",
        examples=(("After user selects [C] to dine, load the plates.\n", "Then load the plates.\n"),),
        near=("After user selects [C] to dine, light the candles.\n",),
        over=("menus.", "person.", "questions."),
    ),
    Rule(
        id="ceremony.and-choice",
        reason="Nobody has to say that the next step may begin.",
        find=Phrase(
            "and user ",
            rf"(?<=\w) and user (?:explicitly )?(?:confirmation|selects {_LETTER}(?: to "
            rf"continue)?)(?=[,!. ])",
        ),
        make=Say(""),
        state="rewritten",
        examples=(
            (
                "Do not eat until soup is ladled and user explicitly selects [C] to continue!\n",
                "Do not eat until soup is ladled!\n",
            ),
        ),
        near=("Do not eat until the cook and user agree!\n",),
        over=("menus.", "person.", "questions."),
    ),
    Rule(
        id="ceremony.until-choice-and",
        reason="Going on depends on the work that is named, not on a letter that somebody picks.",
        find=Phrase(
            "until user ",
            rf"until user (?:explicitly )?selects {_LETTER}(?: to continue)?(?: from the [\w/]+ menu)? and ",
        ),
        make=Say("until "),
        state="rewritten",
        examples=(
            (
                "Do NOT eat until user selects 'C' to continue and soup is ladled!\n",
                "Do NOT eat until soup is ladled!\n",
            ),
        ),
        near=("Do NOT eat until user guides and soup are there!\n",),
        over=("menus.", "person."),
        consumes=(r"a/p/c",),
    ),
    Rule(
        id="ceremony.until-choice",
        reason="The frame says once that each step is finished before the next one is begun.",
        find=Sentence(
            "until user explicitly",
            rf"do not (?:load|proceed to) [\w -]+ until user explicitly selects {_LETTER}"
            r"(?: to continue)?(?: from the [\w/]+ menu)?[.!]",
        ),
        make=Once("order"),
        state="merged",
        examples=(("Remember: Do NOT load the oven until user explicitly selects [C] to continue!\n", "\n"),),
        near=("Do NOT load the oven until user explicitly selects a dish!\n",),
        over=ALL,
        consumes=(r"\bnot\b", r"\d+", r"a/p/c"),
    ),
    Rule(
        id="ceremony.unless-asked",
        reason="What the requester wants stands in the issue.",
        find=Phrase(
            "unless user explicitly",
            r"unless (?:the )?user explicitly (?:requests?|asks for) (?:an? )?change",
        ),
        make=Say("unless the issue demands it"),
        state="rewritten",
        examples=(
            (
                "Keep the order unless user explicitly requests a change.\n",
                "Keep the order unless the issue demands it.\n",
            ),
        ),
        near=("Keep the order unless the cook requests a change.\n",),
        over=("person.", "questions.", "menus."),
    ),
    Rule(
        id="ceremony.progress",
        reason="The steps stand one after the other: how many are left needs no line.",
        find=Whole("progress: step", r"progress: step [\w.]+ of \w+\b.*"),
        make=Nothing(),
        state="dropped",
        examples=(("**Progress: Step 2 of 5** - Next: Dessert\n", "\n"),),
        near=("**Progress: Dessert is ready**\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.load-next",
        reason="The next step stands below: it is gone on with, not loaded.",
        find=Phrase("next step", r"\b(?<!ing )load (?:the )?next step\b(?! file|\W*[`{\"'])"),
        make=Say("go on with the next step"),
        state="rewritten",
        examples=(
            ("Close the lid, then load next step.\n", "Close the lid, then go on with the next step.\n"),
        ),
        near=("Close the lid, then load the next cart.\n",),
        over=("menus.",),
    ),
    Rule(
        id="ceremony.loading-next",
        reason="The next step stands below: it is gone on with, not loaded.",
        find=Phrase("next step", r"\bloading (?:the )?next step\b(?! file| with)"),
        make=Say("going on with the next step"),
        state="rewritten",
        examples=(
            (
                "Close the lid before loading next step\n",
                "Close the lid before going on with the next step\n",
            ),
        ),
        near=("Close the lid before loading the next cart\n",),
        over=("menus.",),
    ),
    Rule(
        id="ceremony.open-step",
        reason="A step stands below: it is gone on with, not loaded.",
        find=Phrase(
            "step file",
            r"\b(?:load|execute|read fully and follow) (?P<what>(?:the |that )?(?:(?:appropriate"
            r"|selected|next|correct)"
            r" ){0,2})step file\b",
        ),
        make=Say("go on with \\g<what>step"),
        state="rewritten",
        examples=(("Load the appropriate step file to dine\n", "Go on with the appropriate step to dine\n"),),
        near=("Load the appropriate plate to dine\n",),
        over=("ceremony.step-word", "menus."),
    ),
    Rule(
        id="ceremony.step-name",
        reason="The steps stand in one text: what names a step is no longer a file.",
        find=Phrase("step filename", r"\bstep filename(?P<many>s?)\b"),
        make=Say("step name\\g<many>"),
        state="rewritten",
        examples=(("Write down the step filenames\n", "Write down the step names\n"),),
        near=("Write down the filenames\n",),
        over=("ceremony.step-word",),
    ),
    Rule(
        id="ceremony.step-number",
        reason="A step is called by its number wherever the text names it.",
        find=Phrase("step-", r"(?<![\w/.{\[(`-])step-0*(?P<number>\d+[a-z]?)\b(?: file\b)?(?![-\w/`]|\.\w)"),
        make=Say("Step \\g<number>"),
        state="rewritten",
        examples=(("Leave step-02 to step-10b.\n", "Leave Step 2 to Step 10b.\n"),),
        near=("Leave `step-02-soup.md` and step-02-soup.\n",),
        consumes=(r"0?\d+[a-z]?", r"step-\w+"),
    ),
    Rule(
        id="ceremony.step-word",
        reason="The steps stand in one text: a step file is a step.",
        find=Phrase("step file", r"\bstep file(?P<many>s?)\b"),
        make=Say("step\\g<many>"),
        state="rewritten",
        examples=(
            (
                "The step file tells which pan; step files tell more\n",
                "The step tells which pan; steps tell more\n",
            ),
        ),
        near=("The step profile tells which pan\n",),
    ),
)

RULES: tuple[Rule, ...] = (*_READING, *_MENU_CRITERIA, *_GOING_ON)
