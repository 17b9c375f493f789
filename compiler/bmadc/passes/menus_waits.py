"""Waits and consent: nobody answers, so the agent decides, and only what needs a person stays a HALT."""

from __future__ import annotations

from bmadc.passes.options import SHOWN
from bmadc.passes.rules import Nothing, Once, Phrase, Rule, Say, Whole

_TALK = ("person.", "questions.")
_ALL = ("menus.", "person.", "questions.", "variables.", "includes.", "names.", "writes.", "flow.")
_USER = r"(?:the |your )?(?:user|human|requester|\{+user_name\}+)(?:'s|’s)?"
_ANSWER = r"(?:input|selection|response|reply|choice|confirmation|answer|decision|approval|feedback)s?"
_STOP = r"(?:halt|stop|pause)"
_BEFORE = r"(?: (?:after presenting (?:the )?menu|before (?:proceeding|continuing)(?: to \w+)?|to proceed))?"


def _tail(name: str, verb: str) -> Rule:
    return Rule(
        id=f"menus.{name}-tail",
        reason="Nobody answers at a choice; the agent takes it.",
        find=Phrase(
            name,
            # Programs await responses too: somebody or a stop must be named.
            rf"(?:,? (?:then|and)|;) (?:{_STOP}(?: and| to| —|,)? {verb}(?: {_USER})?"
            rf"|{verb} {_USER}) {_ANSWER}"
            rf"{_BEFORE}(?=[.!:;\"”*]|$)",
        ),
        make=Nothing(),
        state="rewritten",
        classed="decide",
        examples=((f"Show the cup and {verb} user decision", "Show the cup"),),
        near=(f"Show the cup and {verb} water", f"Send it, then {verb} response"),
        over=_TALK,
    )


RULES: tuple[Rule, ...] = (
    Rule(
        id="menus.consents",
        reason="Nobody consents; the agent decides.",
        find=Phrase(
            "user ",
            r"\b(?P<when>if|when|once|until|unless|after|as soon as) (?:the )?user (?:has |then )?(?P<verb>"
            r"(?:explicitly )?(?:choose|select|pick)|confirm|approve|agree|accept|decline|reject|decide|opt)"
            r"(?:s|es|d|ed)\b",
            kinds=SHOWN,
        ),
        make=Say("\\g<when> you \\g<verb>"),
        state="rewritten",
        classed="decide",
        examples=(("If the user approves, pour.", "If you approve, pour."),),
        near=(
            "If the user types fast, pour.",
            "The user approves.",
            "Pour only after the user explicitly approves.",
        ),
        over=_TALK,
    ),
    Rule(
        id="menus.wait",
        reason="Nobody answers at a choice; that the agent takes it is said once.",
        find=Whole(
            "wait",
            rf"(?:[a-z]\) )?(?:always )?(?:{_STOP}(?: at (?:menus|checkpoints))?(?: and| —|,|:)?"
            rf" )?wait for {_USER}"
            rf"(?: {_ANSWER})?{_BEFORE}[.!]?",
        ),
        make=Once("decide"),
        state="merged",
        classed="decide",
        examples=(
            ("- ALWAYS halt and wait for user input", ""),
            ("**HALT — wait for user selection before proceeding.**", ""),
        ),
        near=("- Wait for the water to boil", "- ALWAYS halt and wait for user input if the cup leaks"),
        over=_ALL,
        consumes=(
            r"\{+user_name\}+",
            r"halt",
        ),
    ),
    Rule(
        id="menus.no-going-on",
        reason="Nobody answers at a choice; that the agent takes it is said once.",
        find=Whole(
            "halt",
            rf"{_STOP}(?: —|\.|:) (?:i am waiting for your [^.]*\.|do not proceed until {_USER} [^.]*)"
            r"(?: reply with [^.]*\.)?(?: do not proceed [^.]*\.)?\.?",
        ),
        make=Once("decide"),
        state="merged",
        classed="decide",
        examples=(("HALT — do not proceed until the user has drunk.", ""),),
        near=("HALT — do not proceed until the tests pass.",),
        over=_ALL,
        consumes=(r"\d", r"halt", r"not", r"do not"),
    ),
    Rule(
        id="menus.wait-then",
        reason="Nobody answers in between; what follows is done at once.",
        find=Phrase("wait for ", rf"wait for {_USER} {_ANSWER},? (?P<then>then|before)\b"),
        make=Say("\\g<then>"),
        state="rewritten",
        classed="decide",
        examples=(("**Wait for user response, then pour:**", "**Then pour:**"),),
        near=("Wait for the kettle, then pour",),
        over=_TALK,
        consumes=(r"\{+user_name\}+",),
    ),
    Rule(
        id="menus.wait-sentence",
        reason="Nobody answers at a choice; that the agent takes it is said once.",
        find=Phrase(
            "wait for ",
            rf"(?<=[^\d][.!?:] )\**(?:{_STOP}(?: and| —|,)? )?(?:wait|waiting) for {_USER}(?:"
            rf" {_ANSWER})?{_BEFORE}[.!]\**",
        ),
        make=Once("decide"),
        state="merged",
        classed="decide",
        examples=(("Show the cup. HALT and wait for user input.", "Show the cup. "),),
        near=("Show the cup. Wait for the water.",),
        over=_ALL,
    ),
    _tail("await", "await"),
    Rule(
        id="menus.wait-for-answer",
        reason="Nobody responds to what is shown; that is said once.",
        find=Whole(
            "wait",
            rf"wait for {_USER} to (?:respond|reply|answer|react|review and provide feedback)\b[^.]*\.?",
        ),
        make=Once("report"),
        state="merged",
        classed="derive",
        examples=(("WAIT for {user_name} to respond or nod", ""),),
        near=("WAIT for the server to respond",),
        over=_ALL,
        consumes=(r"\{+user_name\}+",),
    ),
    Rule(
        id="menus.wait-to-tell",
        reason="What somebody was to tell, the agent finds out.",
        find=Phrase(
            "wait for",
            rf"wait for {_USER} to (?:provide|describe|clarify|surface|give|name|share|specify) (?:their )?",
        ),
        make=Say("find out "),
        state="rewritten",
        classed="derive",
        examples=(("WAIT for {user_name} to provide cup size", "Find out cup size"),),
        near=("WAIT for the barista to provide cups",),
        over=_ALL,
        consumes=(r"\{+user_name\}+",),
    ),
    Rule(
        id="menus.wait-to-do",
        reason="What somebody was to judge, the agent judges.",
        find=Phrase(
            "wait for",
            rf"wait for {_USER} to (?P<verb>confirm|correct|assess|decide|validate|help|adjust"
            rf"|approve|check|choose|select|pick|verify)\b",
        ),
        make=Say("\\g<verb>"),
        state="rewritten",
        classed="decide",
        examples=(("WAIT for {user_name} to assess the taste", "Assess the taste"),),
        near=("WAIT for the barista to assess the taste",),
        over=_ALL,
        consumes=(r"\{+user_name\}+",),
    ),
    Rule(
        id="menus.wait-for-decision",
        reason="What somebody was to decide, the agent decides.",
        find=Phrase("wait for", rf"wait for {_USER} (?:final )?decision\b"),
        make=Say("decide"),
        state="rewritten",
        classed="decide",
        examples=(("WAIT for {user_name} decision on taste", "Decide on taste"),),
        near=("Wait for user taste",),
        over=_ALL,
        consumes=(r"\{+user_name\}+",),
    ),
    Rule(
        id="menus.wait-for-validation",
        reason="What somebody was to validate, the agent validates.",
        find=Phrase("wait for", rf"wait for {_USER} (?:final )?validation of\b"),
        make=Say("validate"),
        state="rewritten",
        classed="decide",
        examples=(("WAIT for {user_name} final validation of taste", "Validate taste"),),
        near=("Wait for user taste",),
        over=_ALL,
        consumes=(r"\{+user_name\}+",),
    ),
    Rule(
        id="menus.halt-choice",
        reason="A stop that only asks for a choice is the agent's choice.",
        find=Phrase(
            "halt and ",
            rf"(?P<then>\b(?:then|and) )?\bhalt and (?:ask|give) {_USER}(?: a choice| to choose)?(?=:)",
            kinds=SHOWN,
        ),
        make=Say("\\g<then>choose one of these and record why"),
        state="rewritten",
        classed="decide",
        examples=(("HALT and give the user a choice:", "Choose one of these and record why:"),),
        near=("HALT and give the user a cup",),
        over=("menus.offer-choice", *_TALK),
    ),
    Rule(
        id="menus.halt-ask-choice",
        reason="A stop that only asks for a choice is the agent's choice.",
        find=Phrase(
            "halt. ", rf"(?P<and>\band )?\bhalt\. (?:ask|give) {_USER}(?: a choice| to choose)?(?=:)"
        ),
        make=Say("\\g<and>decide, and record why"),
        state="rewritten",
        classed="decide",
        examples=(
            ("2. HALT. Ask the user: tea or coffee?", "2. Decide, and record why: tea or coffee?"),
            ("List teas and HALT. Give the user a choice:", "List teas and decide, and record why:"),
        ),
        near=("HALT. Ask the barista: tea?",),
        over=("menus.offer-choice", *_TALK),
    ),
    Rule(
        id="menus.halt-ask-which",
        reason="A stop that only asks which one is the agent's choice.",
        find=Phrase("halt. ask", rf"(?P<and>\band )?\bhalt\. ask {_USER} which\b"),
        make=Say("\\g<and>choose which"),
        state="rewritten",
        classed="decide",
        examples=(
            ("List the cups and HALT. Ask user which to fill.", "List the cups and choose which to fill."),
        ),
        near=("HALT. Ask the barista which cup.",),
        over=_TALK,
    ),
    Rule(
        id="menus.halt-for",
        reason="What only a person can give is named where the work stops.",
        find=Phrase(
            "halt and ask ",
            rf"\bhalt and ask {_USER} (?:for|to (?:provide|give|supply|specify)) "
            r"(?P<what>[^.;]+?)(?: before proceeding)?(?=[.;]|$)",
        ),
        make=Say("HALT and name what is missing: \\g<what>"),
        state="rewritten",
        classed="block",
        examples=(
            (
                "If it is cold, HALT and ask the user for a cup.",
                "If it is cold, HALT and name what is missing: a cup.",
            ),
        ),
        near=("HALT and ask the barista for a cup.",),
        over=_TALK,
    ),
    Rule(
        id="menus.halt-before",
        reason="A stop that needs a person stays one; nobody is asked in the run.",
        find=Phrase("halt and ask ", rf"\bhalt and ask {_USER}(?= before\b|\.|$)"),
        make=Say("HALT"),
        state="rewritten",
        classed="block",
        examples=(
            (
                "If the tree is wet, HALT and ask the human before pouring.",
                "If the tree is wet, HALT before pouring.",
            ),
        ),
        near=("HALT and ask the human for tea before pouring.",),
        over=_TALK,
    ),
    Rule(
        id="menus.halt-present",
        reason="What a person must decide is told where the work stops.",
        find=Phrase(
            "halt and ", rf"\bhalt and (?P<verb>present (?:it|them)|escalate) to {_USER}(?: for decision)?"
        ),
        make=Say("HALT and \\g<verb>"),
        state="rewritten",
        classed="block",
        examples=(("HALT and escalate to the human.", "HALT and escalate."),),
        near=("HALT and escalate to the top.",),
        over=_TALK,
    ),
    Rule(
        id="menus.apply",
        reason="Whether to do it is the agent's decision.",
        find=Phrase(
            "halt to await",
            rf"ask {_USER} if they would like to (?P<what>[^.(]+?)(?: \([^)]*\))? and halt to await "
            rf"(?:a |their )?response",
        ),
        make=Say("decide whether to \\g<what>"),
        state="rewritten",
        classed="decide",
        examples=(
            (
                "Ask user if they would like to stir (y/n) and HALT to await response.",
                "Decide whether to stir.",
            ),
        ),
        near=("HALT to await water.",),
        over=("menus.", *_TALK),
        consumes=(
            r"(?:y|yes)/(?:n|no)(?:/\w+)?",
            r"halt",
        ),
    ),
    Rule(
        id="menus.until-satisfied",
        reason="The agent itself judges when it is good.",
        find=Phrase("until", rf"\buntil {_USER} (?:is|are) (?P<how>satisfied|happy|ready|done)\b"),
        make=Say("until you are \\g<how>"),
        state="rewritten",
        classed="decide",
        examples=(("Stir until user is satisfied", "Stir until you are satisfied"),),
        near=("Stir until the sugar is done",),
        over=_TALK,
    ),
    Rule(
        id="menus.unless-asked",
        reason="What the requester wants stands in the issue.",
        find=Phrase(
            "unless ",
            rf"\bunless {_USER} (?:(?P<how>explicitly) )?(?:requests|asks for|wants|requested)\b",
        ),
        make=Say("unless the issue asks for"),
        state="rewritten",
        classed="derive",
        examples=(
            (
                "Do not stir unless user explicitly requests a stir",
                "Do not stir unless the issue asks for a stir",
            ),
        ),
        near=("unless the barista asks for it",),
        over=_TALK,
    ),
    Rule(
        id="menus.unless-otherwise",
        reason="What the requester wants stands in the issue.",
        find=Phrase("unless ", rf"\bunless {_USER}\s+(?:indicates|says|asks|specifies|directs)\s+otherwise"),
        make=Say("unless the issue says otherwise"),
        state="rewritten",
        classed="derive",
        examples=(
            ("Do not stir unless the user says otherwise.", "Do not stir unless the issue says otherwise."),
        ),
        near=("unless the barista says otherwise.",),
        over=_TALK,
    ),
    Rule(
        id="menus.unless-said",
        reason="What the requester wants stands in the issue.",
        find=Phrase("unless ", rf"\bunless {_USER} (?:indicates|says|asks|specifies|directs)(?=[.;,]|$)"),
        make=Say("unless the issue says so"),
        state="rewritten",
        classed="derive",
        examples=(("Do not stir unless the user asks.", "Do not stir unless the issue says so."),),
        near=("unless the barista asks.",),
        over=_TALK,
    ),
    Rule(
        id="menus.unless-opted",
        reason="What the requester has opted for is set, not said.",
        find=Phrase("unless ", rf"\bunless {_USER} (?:has )?opted in"),
        make=Say("unless set"),
        state="rewritten",
        examples=(("(empty unless the user opted in)", "(empty unless set)"),),
        near=("unless the barista opted in",),
        over=("menus.consents", *_TALK),
    ),
    Rule(
        id="menus.without-authority",
        reason="Explicit consent is authority that the agent has not; only the issue can give it.",
        find=Phrase(
            "without ",
            rf"\bwithout (?P<what>explicit) {_USER} (?P<kind>approval|confirmation|consent|permission)\b",
        ),
        make=Say("without \\g<what> \\g<kind> in the issue"),
        state="rewritten",
        classed="block",
        examples=(
            (
                "Never delete without explicit user approval",
                "Never delete without explicit approval in the issue",
            ),
        ),
        near=("Never pour without user approval",),
        over=("menus.without-consent", *_TALK),
    ),
    Rule(
        id="menus.without-consent",
        reason="Consent is the agent's own recorded decision.",
        find=Phrase(
            "without ",
            rf"\bwithout (?:an? |any )?{_USER} (?:approval|confirmation|decision|selection"
            rf"|validation|consent|choice)\b",
        ),
        make=Say("without a recorded decision"),
        state="rewritten",
        classed="decide",
        examples=(("Never pour without user approval", "Never pour without a recorded decision"),),
        near=("Never pour without user manual",),
        over=_TALK,
    ),
    Rule(
        id="menus.without-input",
        reason="What a person would have to add is said as such.",
        find=Phrase("without ", r"\bwithout (?:any )?(?:user|human) input\b(?! and)"),
        make=Say("without input from a person"),
        state="rewritten",
        examples=(("fixable without human input", "fixable without input from a person"),),
        near=("without human help",),
        over=_TALK,
    ),
    Rule(
        id="menus.without-confirming",
        reason="Nobody confirms; the agent checks it itself.",
        find=Phrase("without ", rf"\bwithout {_USER} (?:explicitly )?confirming\b"),
        make=Say("without checking"),
        state="rewritten",
        classed="decide",
        examples=(("Pouring without user confirming the cup", "Pouring without checking the cup"),),
        near=("without users confirming",),
        over=_TALK,
    ),
    Rule(
        id="menus.without-request",
        reason="What the requester asks for stands in the issue.",
        find=Phrase("without ", rf"\bwithout {_USER} (?:explicitly )?requesting it"),
        make=Say("without a request for it in the issue"),
        state="rewritten",
        classed="derive",
        examples=(("Pouring without user requesting it", "Pouring without a request for it in the issue"),),
        near=("without users requesting it",),
        over=_TALK,
    ),
    Rule(
        id="menus.without-real-input",
        reason="What the requester has said stands in the issue and the documents.",
        find=Phrase("without ", rf"\bwithout real {_USER} input(?: and collaboration)?"),
        make=Say("without a real basis in the issue and the documents"),
        state="rewritten",
        classed="derive",
        examples=(
            (
                "Brewing without real user input",
                "Brewing without a real basis in the issue and the documents",
            ),
        ),
        near=("without real input",),
        over=_TALK,
    ),
    Rule(
        id="menus.without-engagement",
        reason="Nobody is engaged; the depth of the work is what counts.",
        find=Phrase("without ", rf"\bwithout {_USER} engagement"),
        make=Say("without real engagement"),
        state="rewritten",
        examples=(("Rushing without user engagement", "Rushing without real engagement"),),
        near=("without engagement",),
        over=_TALK,
    ),
    Rule(
        id="menus.halt-answers",
        reason="What only a person can answer stops the work.",
        find=Phrase("halt for", rf"\bhalt for {_USER} (?:answers?|decision|input)"),
        make=Say("HALT"),
        state="rewritten",
        classed="block",
        examples=(("List the cups, and HALT for the human's answers.", "List the cups, and HALT."),),
        near=("HALT for tea.",),
        over=_TALK,
    ),
    Rule(
        id="menus.or-wait",
        reason="The order not to wait needs nobody to wait for.",
        find=Phrase("or wait for", r"\bor wait for (?:approval|confirmation|input)\b"),
        make=Say("or wait"),
        state="rewritten",
        examples=(("do not talk or wait for approval", "do not talk or wait"),),
        near=("or wait for water",),
        over=_TALK,
    ),
    Rule(
        id="menus.awaiting-person",
        reason="What only a person can apply is left to a person.",
        find=Phrase("awaiting human", r"\bawaiting human (?P<what>application|review|approval)\b"),
        make=Say("left to a person's \\g<what>"),
        state="rewritten",
        classed="block",
        examples=(("fixes awaiting human review", "fixes left to a person's review"),),
        near=("awaiting human beings",),
        over=_TALK,
    ),
    Rule(
        id="menus.wait-in-tag",
        reason="What somebody was to answer, the agent decides.",
        find=Phrase(
            "wait for ",
            rf"(?<=>)wait for (?:{_USER} )?(?:{_ANSWER}|description)(?P<which> \([\d-]+\))?(?=</)",
            kinds=SHOWN,
        ),
        make=Say("decide\\g<which>"),
        state="rewritten",
        classed="decide",
        examples=(("Tea: <b>WAIT for input</b>", "Tea: <b>Decide</b>"),),
        near=("Tea: <b>WAIT for water</b>",),
        over=_TALK,
    ),
    Rule(
        id="menus.only-if-they",
        reason="Consent that alone allows a change is authority; only the issue can give it.",
        find=Phrase("only if they", r"\bonly if they (?P<verb>confirm|approve|accept|allow)\b"),
        make=Say("only if the issue \\g<verb>s"),
        state="rewritten",
        classed="block",
        examples=(("It is poured only if they confirm it.", "It is poured only if the issue confirms it."),),
        near=("It is poured if they confirm it.",),
        over=("menus.they-consent", *_TALK),
    ),
    Rule(
        id="menus.they-consent",
        reason="Nobody consents; the agent decides.",
        find=Phrase(
            "they ",
            r"\b(?P<when>if|when|once|until|unless) they (?:explicitly )?"
            r"(?P<verb>reject|decline|accept|approve|confirm|agree|choose|pick)\b(?! up\b| a \w+ "
            r"(?:over|instead))",
        ),
        make=Say("\\g<when> you \\g<verb>"),
        state="rewritten",
        classed="decide",
        examples=(("If they decline it, drop the cup.", "If you decline it, drop the cup."),),
        near=("If they drink it, wash the cup.", "Users stay when they get a cup."),
        over=_TALK,
    ),
    Rule(
        id="menus.before-input",
        reason="Nobody is asked; the agent weighs it.",
        find=Phrase("before asking", rf"\bbefore asking for {_USER} input"),
        make=Say("before you weigh it"),
        state="rewritten",
        classed="decide",
        examples=(("Pour one cup before asking for user input", "Pour one cup before you weigh it"),),
        near=("before asking for tea",),
        over=_TALK,
    ),
    Rule(
        id="menus.if-chose",
        reason="Nobody chooses; the agent does.",
        find=Phrase("user chose", r"\b(?:the )?user chose\b"),
        make=Say("you chose"),
        state="rewritten",
        classed="decide",
        examples=(("If user chose tea:", "If you chose tea:"),),
        near=("users chose tea",),
        over=_TALK,
    ),
)
