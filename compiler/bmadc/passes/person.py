"""Words that treat a person as present, where nothing is asked: address, help, reports, replies.

The person who opened the issue is the requester; the users of the product that is built stay users. Where
two rules want the same words, the one that stands first holds.
"""

from __future__ import annotations

from bmadc.passes.rules import Made, Nothing, Phrase, Predicate, Rewriter, Rule, Say, Sentence, State
from bmadc.passes.speech import (
    ANYONE,
    ENDS,
    NAME,
    SHOWN,
    SHOWN_NOTES,
    WHO,
    as_begun,
    capital,
    ranked,
    small,
    within,
    words,
)


def _person(
    name: str,
    reason: str,
    find: Predicate,
    say: str | Rewriter,
    examples: tuple[tuple[str, str], ...],
    near: tuple[str, ...],
    state: State = "rewritten",
    over: tuple[str, ...] = (),
    consumes: tuple[str, ...] = (),
) -> Rule:
    make = Say(say) if isinstance(say, str) else say
    # Nobody's name is known when a workflow is made, so each of these rules may take it out.
    taken = (*consumes, r".*user_name.*")
    return Rule(f"person.{name}", reason, find, make, state, examples, near, over=over, consumes=taken)


def _words(hint: str, pattern: str, *also: str) -> Predicate:
    return words(hint, pattern, also) if also else Phrase(hint, pattern, kinds=SHOWN_NOTES)


_WITH = ("with user", "with the user", "with human", "with the human", "with {", "with `{", "with them")
_SAID = (
    *(" input", " repl", " respon", " answer", " instruct", " guidance", " clarif", " message", " direction"),
    *(" request", " query", " discussion", " conversation", " preference"),
)
_SETTLED = (
    *(
        "selection",
        "confirm",
        "approv",
        "choice",
        "decision",
        "permission",
        "agreement",
        "sign",
        "review",
        "verif",
    ),
)


_TELL = (
    r"\b(?:present|show|display|confirm|emphasi|explain|report|communicat|respon|spe?ak|say|said|surfac"
    r"|suggest"
    r"|recommend|offer|return|output|messag|hand|send|deliver|list|describ|announc|escalat|read|summar"
    r"|propos|question"
    r"|relay|point|halt|clear|flag|visible|provid|transition|defer|listen|giv|issue|pass|bring|mention|back"
    r"|note|warning"
    r"|error|reminder|choice|turn|talk|up)"
)
_ANSWER = (
    r"(?P<noun>inputs?|repl(?:y|ies)|responses?|answers?|instructions?|guidance|clarifications?|messages?"
    r"|direction|request(?!s)|query|discussion|conversation|preferences?)"
)
_DECISION = (
    r"(?:selections?|confirmations?|approvals?|choices?|decisions?|permission|agreement|sign-?off|review"
    r"|verification)(?!-)"
)
_DET = r"(?:(?:the|any|each|an? explicit|explicit|an?|real|actual|direct|original) )?"
_OWN = r"(?:explicit |scope |actual |final |original |direct |stated |clear |current |own |last )?"
# What only somebody in the conversation does; a product's user logs in, clicks and buys.
_DOES = (
    r"(?:explicitly |has |have |already |also |is |had |now |then |must |should |may |might |just |simply "
    r"|directly |\*)*"
    r"(?:selects?|selected|selecting|chooses?|chose|chosen|choosing|picks?|picked|confirms?|confirmed"
    r"|confirming"
    r"|provides?|provided|providing|says?|said|saying|responds?|responded|repl(?:y|ies|ied)|wants?|wanted"
    r"|approves?"
    r"|approved|agrees?|agreed|accepts?|accepted|rejects?|rejected|declines?|declined|requests?|requested"
    r"|asks?|asked"
    r"|asking|specifi(?:es|ed)|specify|gives?|gave|given|giving|mentions?|mentioned|indicates?|indicated"
    r"|states|stated"
    r"|answers?|answered|decides?|decided|prefers?|describes?|described|explains?|brings|points|pointed"
    r"|signals?"
    r"|insists?|pass|passes|passed|opens|leads|seems|volunteers?|supplies|supplied|names|named|invokes?"
    r"|invoked"
    r"|raises|raised|disagrees?|corrects?|corrected|ready|unsure|stuck|satisfied|done|happy|demonstrated"
    r"|validates?"
    r"|verifies|reviews|acknowledges|pastes|pasted|uploads|shows|drafts|struggles|adds|shares|shared"
    r"|responsible"
    r"|intends|defines|reports|calls|hardens|ends|runs|would like|expresses|exits|proud|knows|launch)"
)

# Words that a rule on questions rewrites; their first letter is its own.
_SPOKEN_TO = (
    r"(?!(?:tell me|are you|do you|have you|did you|would you|what(?:'s your| would you| do you| are you)"
    r"|how (?:do|would|are) you|shall|should"
    r"|does (?:this|that|it) (?:\w+ly )?(?:look|sound|capture|feel|make|align|reflect|match|seem|fit)))"
)

RULES: tuple[Rule, ...] = ranked(
    (
        # --- small talk
        _person(
            "congratulations",
            "Congratulations are said to somebody who is there.",
            Sentence("congrat", r"\bcongratulations on\b", kinds=SHOWN),
            Nothing(),
            (("It is done. Congratulations on a fine barn!", "It is done. "),),
            ("They send congratulations.",),
            "dropped",
        ),
        _person(
            "both-of-you",
            "Nobody worked alongside.",
            _words("you both", r"(?: -)? you both did amazing work together!?"),
            "",
            (("All done - you both did amazing work together!", "All done"),),
            ("You both did it",),
        ),
        _person(
            "completed-together",
            "What was achieved is summed up; nobody is there to be congratulated.",
            _words("congratulate", rf"\bcongratulate (?:{WHO}) on the completion[^.]{{5,30}} together"),
            "sum up the completion",
            (
                (
                    "Congratulate the user on the completion that all reached together.",
                    "Sum up the completion.",
                ),
            ),
            ("Users congratulate the team.",),
        ),
        _person(
            "congratulate",
            "What was achieved is summed up; nobody is there to be congratulated.",
            _words(
                "congratulate",
                rf"\b(?:really )?congratulate (?:{WHO})(?: on (?:the |a )?(?:completion|job well done))?",
            ),
            "sum up what was completed",
            (("### 1. Congratulate the User on Completion", "### 1. Sum up what was completed"),),
            ("Users congratulate the team.",),
        ),
        _person(
            "thanks",
            "Thanks are said to somebody who is there.",
            Sentence("thank you", r"\bthank you\b", kinds=SHOWN),
            Nothing(),
            (("Done. Thank you for your barn!", "Done. "),),
            ("The page says thanks to its users.",),
            "dropped",
        ),
        _person(
            "welcome-name",
            "Nobody is there to be welcomed.",
            _words("welcome", rf"\bwelcome(?: back)?,? {NAME}(?! to\b)[!.,]?(?: (?=\S))?"),
            "",
            (('"Welcome back {user_name}! The barn stands."', '"The barn stands."'),),
            ("Welcome the rain.", "A warm welcome."),
        ),
        _person(
            "welcome-to",
            "Nobody is there to be welcomed; what begins is named.",
            _words(
                "welcome",
                rf"\bwelcome(?: {NAME})? to (?P<what>(?:the |comprehensive )[^.!,\"”]+)(?:, {NAME})?[.!]",
            ),
            r"this is \g<what>.",
            (('"Welcome to the barn, {user_name}. Sit down."', '"This is the barn. Sit down."'),),
            ("Welcome to all users of the barn",),
        ),
        _person(
            "welcome-back",
            "Nobody is there to be welcomed; where things stand is told.",
            _words("welcome", rf"\bwelcome (?:{WHO})(?: back)?"),
            "begin by telling where things stand",
            (("Welcome the user back and count", "Begin by telling where things stand and count"),),
            ("Welcome the rain.",),
        ),
        # --- the name of the person
        _person(
            "name-hello",
            "Nobody is greeted.",
            _words("{user_name}", r"\b(?:hi|hey|hello),? \{+user_name\}+[!.,]? "),
            "",
            (('"Hey {user_name}! The barn stands."', '"The barn stands."'),),
            ("He says hello to all.",),
        ),
        _person(
            "name-opens",
            "Nobody is spoken to by name.",
            _words("{user_name}", rf"(?<=[\"“])\{{+user_name\}}+, {_SPOKEN_TO}(?P<next>[a-z])"),
            Made(capital),
            (('Ada: "{user_name}, the barn burns."', 'Ada: "The barn burns."'),),
            ('Ada: "The barn of {user_name} burns."',),
        ),
        _person(
            "name-opens-sentence",
            "Nobody is spoken to by name.",
            _words("{user_name}", rf"(?<=[.!] )\{{+user_name\}}+, {_SPOKEN_TO}(?P<next>[a-z])"),
            Made(capital),
            (('"Good. {user_name}, look."', '"Good. Look."'),),
            ('"Good. {user_name} looks."',),
        ),
        _person(
            "name-before-question",
            "Nobody is spoken to by name.",
            _words("{user_name}", r"(?:(?<=[\"“])|(?<=[.!] ))\{+user_name\}+, (?=[a-z])"),
            "",
            (('"Good. {user_name}, are you there?"', '"Good. are you there?"'),),
            ('"Good. {user_name} looks."',),
        ),
        _person(
            "name-closes",
            "Nobody is spoken to by name.",
            _words(
                "{user_name}",
                r"(?:,|(?<=okay)|(?<=hey)|(?<=hi)|(?<=back)) \{+user_name\}+(?=[!.?,](?:[\"”*\s]|$))",
            ),
            "",
            (("**Barn built, {user_name}!**", "**Barn built!**"),),
            ("The barn of {user_name} stands.", "Built by {user_name}."),
        ),
        _person(
            "name-part",
            "The scribe of a conversation writes the requester's part from the issue.",
            _words("{user_name}", r"\{+user_name\}+ \(project lead\)"),
            "the requester (Project Lead, as the issue shows)",
            (
                (
                    "- {user_name} (Project Lead): [speaks]",
                    "- the requester (Project Lead, as the issue shows): [speaks]",
                ),
            ),
            ("- Ada (Project Lead): [speaks]",),
        ),
        # --- telling somebody something
        _person(
            "let-know",
            "What somebody should know is reported.",
            _words("know", rf"\blet(?:ting)? (?:{ANYONE}) know\b(?: that)?"),
            "report that",
            (("Let the user know the barn stands.", "Report that the barn stands."),),
            ("Let the team know.",),
        ),
        _person(
            "tell-so",
            "What somebody should be told is reported.",
            _words("tell ", rf"\btell (?:{ANYONE})(?=[.;),]|$)"),
            "say so",
            (("If it burns, stop and tell the user.", "If it burns, stop and say so."),),
            ("Tell the roofer.",),
        ),
        _person(
            "tell-to",
            "What somebody should do afterwards is recommended.",
            _words("tell ", rf"(?<![\w-])tell (?:{WHO}|{NAME}) to\b"),
            "recommend to",
            (("Tell the user to paint it.", "Recommend to paint it."),),
            ("Tell the roofer to paint it.",),
        ),
        _person(
            "tell",
            "What somebody should be told is reported.",
            _words("tell", rf"(?<![\w-])tell (?:{WHO}|{NAME})(?= (?!about|of\b)|:|\**:)"),
            "report",
            (
                ("Tell the user that it stands", "Report that it stands"),
                ("Tell the user: done", "Report: done"),
            ),
            ("Tell the roofer.", "Do not re-tell the user what it is."),
        ),
        _person(
            "inform",
            "What somebody should be told is reported.",
            _words(
                "user",
                rf"\b(?:inform|notify|alert|advise|update)(?P<s>s?) (?:{WHO})(?: (?:about|of|on))?",
                "inform",
                "notif",
                "alert",
                "advise",
                "update",
            ),
            r"report\g<s>",
            (("Notify the user about the fire", "Report the fire"),),
            ("Inform the roofer.",),
        ),
        _person(
            "tell-them",
            "What somebody should be told is reported.",
            within(
                "tell them",
                r"(?<![\w-])tell them(?= (?:the|that|what|how|it)\b)",
                before=r"\buser\b",
                wide=True,
            ),
            "report",
            (("If the user is gone, tell them the name", "If the user is gone, report the name"),),
            ("Brief the agents and tell them the name",),
        ),
        _person(
            "remind",
            "What somebody should remember is written down.",
            _words("remind", rf"\bremind (?:{ANYONE})(?: (?:of|about))?"),
            "restate",
            (("Remind user of the fire", "Restate the fire"),),
            ("Remind the roofer.",),
        ),
        _person(
            "warn",
            "A warning is reported, whoever reads it.",
            _words("warn ", rf"\bwarn (?:{ANYONE})"),
            "warn",
            (("Warn the user that it burns", "Warn that it burns"),),
            ("Warn the roofer.",),
        ),
        _person(
            "keep-control",
            "Nobody takes part while the agent works.",
            _words("control", rf"\bgive (?:{WHO}) control\b"),
            "keep control",
            (("Later steps give the human control", "Later steps keep control"),),
            ("Give users control",),
        ),
        _person(
            "keeping-control",
            "Nobody takes part while the agent works.",
            _words("control", rf"\bgiving (?:{WHO}) control\b"),
            "keeping control",
            (("It helps while giving the user control over it", "It helps while keeping control over it"),),
            ("Giving users control",),
        ),
        _person(
            "show",
            "What somebody should see is reported.",
            _words(
                "user",
                rf"\b(?P<wh>show|give|hand|walk|send)(?P<s>s|ing)? (?:{WHO}) (?=(?:a|an|the|their|any"
                rf"|control|both|only|\w+ing)\b|\w+ (?:summary|overview|list)\b)",
                "show",
                "give",
                "hand",
                "walk",
                "send",
            ),
            small(r"\g<wh>\g<s> "),
            (("Show the user the barn", "Show the barn"),),
            ("Show users the barn", "Show the user interface"),
        ),
        _person(
            "show-nobody",
            "What somebody should see is reported.",
            _words("show the user", r"\bshow the user(?=[,.;]| and\b)"),
            "report it",
            (("Show the user and stop.", "Report it and stop."),),
            ("Show the user interface.",),
        ),
        _person(
            "to-the-user",
            "What is told goes into the pull request or the comment, whoever reads it.",
            within(
                "user",
                rf"(?: and| or)? (?:back )?(?:up )?to (?:{WHO}){ENDS}",
                before=_TELL,
                unless=r"\b(?:up|available|belongs?|is|not) $",
                kinds=SHOWN_NOTES,
            ),
            "",
            (("Present the colours to the user for a look", "Present the colours for a look"),),
            ("The door opens to the user", "Show it to users"),
        ),
        _person(
            "to-the-name",
            "What is told goes into the pull request or the comment, whoever reads it.",
            _words("{user_name}", rf" (?:to|with|for) {NAME}(?=[\s:.,;*)\]]|$)"),
            "",
            (("Explain it to {user_name} now", "Explain it now"),),
            ("Explain it to Ada",),
        ),
        # --- doing something with somebody
        _person(
            "work-with-to",
            "The agent does by itself what it was to do with somebody.",
            _words(
                "with ",
                rf"\b(?:work|collaborate|engage|partner) (?:interactively |closely |together )?with "
                rf"(?:{ANYONE}) to (?P<wh>[a-z])",
                *_WITH,
            ),
            Made(as_begun),
            (("Work with the user to count barns", "Count barns"),),
            ("Work with the roofer to count barns",),
        ),
        _person(
            "work-interactively",
            "The agent goes step by step, alone.",
            _words("work interactively", rf"\bwork interactively with (?:{WHO})"),
            "work step by step",
            (("Work interactively with user", "Work step by step"),),
            ("Work with the roofer",),
        ),
        _person(
            "final-decisions",
            "The decisions are the agent's, and recorded.",
            _words("they make final decisions", r"\bthey make final decisions\b"),
            "record each decision",
            (("Go on - they make final decisions", "Go on - record each decision"),),
            ("Make final decisions",),
        ),
        _person(
            "together",
            "The agent does by itself what it was to do with somebody.",
            _words(
                "with ",
                rf" (?:collaboratively |interactively |conversationally |together |directly )?with "
                rf"(?:{WHO})(?: as peers)?(?= input\b)",
                *_WITH,
            ),
            " from the requester's",
            (("Count barns with user input", "Count barns from the requester's input"),),
            ("Count barns with users",),
        ),
        _person(
            "working-with",
            "The agent works alone.",
            _words("with ", rf" (?:working|collaborating) with (?:{WHO})(?: as peers)?", *_WITH),
            "",
            (("As a baker working with the user as peers.", "As a baker."),),
            ("A baker working with flour",),
        ),
        _person(
            "name-approach",
            "What somebody proposed is the approach itself.",
            _words("{user_name}", r"\bwith \{+user_name\}+'s approach"),
            "with that approach",
            (("I agree with {user_name}'s approach", "I agree with that approach"),),
            ("I agree with the approach",),
        ),
        _person(
            "to-insights",
            "Insights are taken up, whoever has them.",
            _words("to user ", r"\bto user (?P<wh>insights|ideas)\b"),
            small(r"to \g<wh>"),
            (("Respond to user insights", "Respond to insights"),),
            ("Lend it to users",),
        ),
        _person(
            "with-the-user",
            "The agent does by itself what it was to do with somebody.",
            within(
                "with ",
                rf" (?:collaboratively |interactively |conversationally |together |directly )?with (?:{WHO}"
                rf"|{NAME})(?: as peers)?{ENDS}(?! in control\b)",
                before=r"\b(?:work|walk|confirm|discuss|review|shar|validat|collaborat|check|verif|clarif|explor|talk|convers"
                r"|dialogue|engag|negotiat|facilitat|align|iterat|refin|partner|speak|communicat|interact"
                r"|resolv"
                r"|interview|session|build|co-creat|brainstorm|decid|agree|generat|creat|defin|present"
                r"|complet|fix"
                r"|through|identif|surfac|iterate|develop)",
                kinds=SHOWN_NOTES,
            ),
            "",
            (("Confirm the colour with the user", "Confirm the colour"),),
            ("Confirm the colour with users", "A barn with the user interface"),
        ),
        # --- helping somebody to do something
        _person(
            "helping",
            "The agent does by itself what it was to help with.",
            _words("user", rf"\b(?P<wh>helping|guiding) (?:{WHO})(?: to)? (?=[a-z])", "helping", "guiding"),
            small(r"\g<wh> to "),
            (("A coach helping the user build", "A coach helping to build"),),
            ("Helping users build",),
        ),
        _person(
            "assisting",
            "The agent does by itself what it was to help with.",
            _words("assisting", rf"\bassisting (?:{ANYONE}) in\b"),
            "assisting in",
            (("You are assisting the user in painting.", "You are assisting in painting."),),
            ("Assisting the roofer in painting",),
        ),
        _person(
            "guide-through",
            "The agent works through it by itself.",
            _words("through", rf"\b(?:guide|walk|take|lead) (?:{ANYONE}|you) through\b"),
            "work through",
            (("Guide user through the barns", "Work through the barns"),),
            ("Guide users through the barns",),
        ),
        _person(
            "guide-to-thing",
            "Where to go next is pointed out.",
            _words(
                "user",
                rf"\b(?:guide|direct|refer|point|steer) (?:{ANYONE}) to(?= (?:the|an?|their)\b)",
                "guide ",
                "direct ",
                "refer ",
                "point ",
                "steer ",
            ),
            "point out",
            (("Close and guide the user to the next barn", "Close and point out the next barn"),),
            ("Guide users to the barn",),
        ),
        _person(
            "direct-to-run",
            "What comes next is recommended.",
            _words("user", rf"\b(?:direct|instruct|refer) (?:{WHO}) to\b", "direct", "instruct", "refer"),
            "recommend to",
            (("Direct user to run the mill", "Recommend to run the mill"),),
            ("Direct users to the mill",),
        ),
        _person(
            "allow-list",
            "What somebody may do, the agent may do.",
            _words("allow", rf"\ballow (?:{ANYONE}) to(?=:)"),
            "you may",
            (("Allow the user to:", "You may:"),),
            ("Allow users to:",),
        ),
        _person(
            "allow-refinement",
            "What somebody might refine, the agent refines.",
            _words("user refinement", r"\b(?:while )?allowing user refinement"),
            "and refining it",
            (("Draft it, while allowing user refinement", "Draft it, and refining it"),),
            ("Draft it",),
        ),
        _person(
            "pull-out",
            "The agent keeps at it by itself.",
            _words("the user out of", r"\bpull the user out of\b"),
            "get in the way of",
            (("Lists pull the user out of thinking", "Lists get in the way of thinking"),),
            ("Pull it out of the user interface",),
        ),
        _person(
            "pull-in",
            "The requester's side comes in through the issue.",
            _words("the user into", r"\bpull the user into\b"),
            "pull the requester's side into",
            (("- **Pull the user into the barn.**", "- **Pull the requester's side into the barn.**"),),
            ("- Pull the users into the barn.",),
        ),
        _person(
            "keep-in",
            "The agent keeps at it by itself.",
            _words("keep the user", r"\bkeep the user (?=in\b|an?\b)"),
            "stay ",
            (("Keep the user in the flow", "Stay in the flow"),),
            ("Keep the user interface",),
        ),
        _person(
            "leave-with",
            "The report ends so, whoever reads it.",
            _words("leave user with", r"\bleave (?:the )?user with\b"),
            "close with",
            (("- Leave user with hope", "- Close with hope"),),
            ("- Leave it",),
        ),
        _person(
            "helps",
            "It helps whoever does the work.",
            _words("helps ", rf"\bhelps (?:{WHO})(?: to)? (?=[a-z])"),
            "helps to ",
            (("It helps the user decide", "It helps to decide"),),
            ("It helps users decide",),
        ),
        _person(
            "tells",
            "What is told goes into the report.",
            _words("tells ", rf"\btells (?:{WHO}) (?=whether|what|how|that)"),
            "tells ",
            (("A look tells the user whether it fits", "A look tells whether it fits"),),
            ("It tells users what to buy",),
        ),
        _person(
            "reminder",
            "What is told goes into the report.",
            _words("to give the user", r" to give the user(?=:)"),
            "",
            (("## Last words to give the user:", "## Last words:"),),
            ("Bread to give the user",),
        ),
        _person(
            "let-react",
            "What somebody would react to, the agent refines.",
            _words("react", rf"\blet (?:{WHO}) react\b"),
            "refine it",
            (("Draft it and let the user react", "Draft it and refine it"),),
            ("Let them react",),
        ),
        _person(
            "prompt-to",
            "The agent does by itself what it was to prompt somebody to do.",
            _words("prompt ", rf"\bprompt (?:{WHO}) to (?P<next>[a-z])"),
            Made(as_begun),
            (("Prompt the user to count barns", "Count barns"),),
            ("A prompt the user runs",),
        ),
        _person(
            "help-to",
            "The agent does by itself what it was to help with.",
            _words(
                "user",
                rf"(?<!to )\b(?:help|assist|guide|coach|lead|support|encourage|invite|push|nudge|allow"
                rf"|enable|let|facilitate)"
                rf" (?:{WHO})(?: to)? (?!input|control|confirm|selection|feedback|refinement)"
                rf"(?P<next>[a-z])(?!ith\b)",
                "help",
                "assist",
                "guide",
                "coach",
                "lead",
                "support",
                "encourage",
                "invite",
                "push",
                "nudge",
                "allow",
                "enable",
                "let ",
                "facilitate",
            ),
            Made(as_begun),
            (
                ("- Help user find gaps", "- Find gaps"),
                ("It is red. Guide the user to paint it.", "It is red. Paint it."),
            ),
            ("Help users find gaps", "Let the user interface rest", "Room to allow the user to rest"),
        ),
        _person(
            "help-human",
            "The agent does by itself what it was to help with.",
            _words("human", rf"\b(?:help|assist|guide|let) (?:{WHO})(?: to)? (?P<next>[a-z])"),
            Made(as_begun),
            (("- Help the human find gaps", "- Find gaps"),),
            ("- Help humans find gaps",),
        ),
        _person(
            "before-inviting",
            "What somebody was invited to do, the agent does.",
            _words("inviting", rf"\bbefore inviting (?:{WHO}) to\b"),
            "before you",
            (("Look before inviting the user to paint it", "Look before you paint it"),),
            ("Look before inviting users to paint it",),
        ),
        _person(
            "letting-explore",
            "What somebody was to explore, the agent explores.",
            _words("explore", rf"\bletting (?:{WHO}) explore\b"),
            "exploring",
            (("Guessing instead of letting user explore", "Guessing instead of exploring"),),
            ("Letting users explore",),
        ),
        _person(
            "allowing",
            "Nobody takes part while the agent works.",
            _words(
                "user",
                rf"\b(?:allowing|letting|enabling) (?:{WHO})(?: to)? (?=[a-z])",
                "allowing",
                "letting",
                "enabling",
            ),
            "with room to ",
            (("Paint it, allowing the user to look", "Paint it, with room to look"),),
            ("Paint it, allowing users to look",),
        ),
        _person(
            "listen-response",
            "The answer is the agent's own.",
            _words("listen for", r"\blisten for (?:their|the user's) response\b"),
            "look at the answer",
            (("- Listen for their response", "- Look at the answer"),),
            ("- Listen to the rain",),
        ),
        _person(
            "listen",
            "What somebody might say is looked for in what is written.",
            _words("listen for", r"\blisten for\b"),
            "look for",
            (("- Listen for weak claims", "- Look for weak claims"),),
            ("- Listen to the rain",),
        ),
        # --- what somebody said, or is to decide
        _person(
            "human-decision",
            "A decision that only a person can take is a person's.",
            _words("human decision", r"\bhuman decision\b"),
            "person's decision",
            (("It needs a human decision", "It needs a person's decision"),),
            ("It needs a decision",),
        ),
        _person(
            "selection-title",
            "The agent selects.",
            _words("user selection", r"\buser selection (?P<wh>sequence|protocols?)\b"),
            r"selection \g<wh>",
            (("## User selection sequence:", "## Selection sequence:"),),
            ("## Selection sequence:",),
        ),
        _person(
            "provided-with",
            "What somebody was given stands in the report.",
            _words("user provided", r"\buser provided (?:with )?(?=(?:clear|appropriate)\b)"),
            "the report provides ",
            (("✅ User provided with clear names", "✅ The report provides clear names"),),
            ("User provided names",),
        ),
        _person(
            "completion-acknowledged",
            "What somebody would acknowledge stands in the report.",
            _words("user acknowledges", r"\buser acknowledges completion and understands\b"),
            "the report states completion and",
            (("- User acknowledges completion and understands it", "- The report states completion and it"),),
            ("- User acknowledges it",),
        ),
        _person(
            "or-presses-enter",
            "Nobody presses a key; it is the default.",
            _words("presses enter", r" or user presses enter\b"),
            " (the default)",
            (("If 1 OR user presses enter", "If 1 (the default)"),),
            ("A user presses enter",),
        ),
        _person(
            "name-settles",
            "What somebody was to settle, the agent settles.",
            _words("{user_name}", r"\{+user_name\}+ (?P<wh>approve|confirm|accept|agree|decide|choose)s\b"),
            small(r"you \g<wh>"),
            (("If {user_name} confirms, go", "If you confirm, go"),),
            ("Write {user_name} down",),
        ),
        _person(
            "approval-not-obtained",
            "Approval is asked for where the issue asks for it.",
            _words("approval not obtained", r"\buser approval not obtained\b"),
            "the issue does not approve what it wants to approve first",
            (
                (
                    "If user approval not obtained, stop",
                    "If the issue does not approve what it wants to approve first, stop",
                ),
            ),
            ("If approval is given, go",),
        ),
        _person(
            "source-scan",
            "What somebody was to settle, the agent settles.",
            _words("user confirms which", r"\buser confirms which apply or adds others\b"),
            "keep those that apply and add others",
            (("User confirms which apply or adds others", "Keep those that apply and add others"),),
            ("User confirms which",),
        ),
        _person(
            "messages",
            "What somebody said is what the requester wrote.",
            _words("messages", r"\b(?P<wh>few|recent|last) (?:user|human) messages\b"),
            small(r"\g<wh> messages of the requester"),
            (("Read the last few human messages", "Read the last few messages of the requester"),),
            ("Read messages",),
        ),
        _person(
            "no-input-needed",
            "Nobody's input is there to be needed.",
            _words(
                "no user",
                r"\bno (?:user|human) (?P<noun>input|choice|response|interaction|decision|approval"
                r"|confirmation|selection)\b",
            ),
            r"no \g<noun>",
            (("This step needs no user input", "This step needs no input"),),
            ("No user is lost",),
        ),
        _person(
            "for-review",
            "It is there for whoever reviews the pull request.",
            _words(
                "for ",
                r"\bfor (?:(?:the |a )?(?:user|human)(?:'s)?|your) (?P<noun>review|selection|input|decision"
                r"|feedback|validation|editing)(?: and refinement)?\b",
                "for user",
                "for the user",
                "for your",
                "for human",
                "for the human",
                "for a human",
            ),
            r"for \g<noun>",
            (("Show it for user review", "Show it for review"),),
            ("For users review is free",),
        ),
        _person(
            "for-confirmation",
            "What would be confirmed is checked once more by the agent.",
            _words(
                "for ",
                r"\bfor (?:(?:your|user|human|explicit) )*(?:confirmation|approval)\b(?! (?:by|of|in))",
                "for your",
                "for user",
                "for human",
                "for explicit",
                "for confirm",
                "for approv",
            ),
            "for a last check",
            (("Present it again for approval", "Present it again for a last check"),),
            ("For approval by the team",),
        ),
        _person(
            "for-somebody-to",
            "It is there for whoever reads it.",
            _words(
                "for ",
                rf"\bfor (?:{WHO}) to\b",
                "for user to",
                "for the user to",
                "for human to",
                "for the human to",
            ),
            "to",
            (("List the gaps for the user to consider.", "List the gaps to consider."),),
            ("For users to buy",),
        ),
        _person(
            "feedback",
            "Feedback is feedback, whoever gives it.",
            _words(
                "user feedback",
                r"\b(?P<wh>based on|per|from) (?:the )?user feedback\b(?! (?:loop|channel|collection|form"
                r"|mechanism|analysis))",
            ),
            small(r"\g<wh> feedback"),
            (("Change it based on user feedback", "Change it based on feedback"),),
            ("Build user feedback loops",),
        ),
        _person(
            "answers-to",
            "The answers are the agent's own.",
            _words(
                "user", r"\b(?:the )?user(?:'s)? (?P<wh>answers|responses)(?= to\b)", "answers", "responses"
            ),
            small(r"the \g<wh>"),
            (("From user answers to the list", "From the answers to the list"),),
            ("The answers to the list",),
        ),
        _person(
            "input-analysis",
            "What somebody said is what the requester wrote.",
            _words("user input analysis", r"\buser input analysis\b"),
            "analysis of the requester's input",
            (("### User Input Analysis", "### Analysis of the requester's input"),),
            ("### Input analysis",),
        ),
        _person(
            "based-on",
            "What somebody said stands in the issue and the documents.",
            _words(
                "user",
                rf"\b(?P<wh>based on|from|with|per|via|inferred from) (?:the )?(?:user|human)"
                rf"(?:'s)? {_OWN}{_ANSWER}\b(?! (?:verbatim|loop|channel|collection|form|mechanism|analysis"
                rf"|validation|field|signals))",
                *_SAID,
            ),
            small(r"\g<wh> the issue and the documents"),
            (("Fill it in based on user answers", "Fill it in based on the issue and the documents"),),
            ("Learn from user feedback loops",),
        ),
        _person(
            "said",
            "What somebody said is what the requester wrote.",
            _words(
                "user",
                rf"\b{_DET}(?:user|human)(?:'s)? {_OWN}{_ANSWER}\b(?! (?:loop|channel|collection|form"
                rf"|mechanism|analysis|validation|field|sanit|handling|element|times?\b|signals))",
                *_SAID,
            ),
            r"the requester's \g<noun>",
            (("Parse user input for names", "Parse the requester's input for names"),),
            ("User input validation fails", "User feedback loops"),
        ),
        _person(
            "after-decision",
            "The decision is the agent's.",
            _words(
                "user",
                rf"\b(?P<wh>after|before|with|through|via|on|based on|by|as) (?:the )?(?:user|human)"
                rf"(?:'s)? {_OWN}{_DECISION}\b",
                *_SETTLED,
            ),
            small(r"\g<wh> your own decision"),
            (("Route it after user confirmation", "Route it after your own decision"),),
            ("After users decide",),
        ),
        _person(
            "decision",
            "The decision is the agent's.",
            _words(
                "user",
                rf"\b(?:(?:the|any|each|a|explicit|interactive) )?(?:user|human)(?:'s)? {_OWN}{_DECISION}\b",
                *_SETTLED,
            ),
            "your own decision",
            (("A gap that requires user decision", "A gap that requires your own decision"),),
            ("A user decides",),
        ),
        _person(
            "engagement",
            "There is nobody to take part; what counts is the work.",
            _words(
                "user",
                r"\b(?:the )?user(?:'s)? (?P<noun>control|engagement|involvement|collaboration|refinement"
                r"|enthusiasm)\b(?! (?:metric|rate|data|loop))",
                "control",
                "engagement",
                "involvement",
                "collaboration",
                "refinement",
                "enthusiasm",
            ),
            r"the requester's \g<noun>",
            (("Go on with user control", "Go on with the requester's control"),),
            ("Measure user engagement metrics",),
        ),
        _person(
            "settled-by",
            "What somebody was to settle is settled by the agent.",
            _words(
                "by ",
                r"\b(?P<wh>confirmed|approved|selected|chosen|validated) by (?:the )?user\b(?!s)",
                "by user",
                "by the user",
            ),
            small(r"\g<wh> by the agent"),
            (("A colour chosen by the user", "A colour chosen by the agent"),),
            ("A colour chosen by users",),
        ),
        _person(
            "given-by",
            "Who gives something is the requester.",
            _words(
                "by ",
                r"\b(?P<wh>requested|provided|specified|accepted|supplied|named|decided|reviewed|given"
                r"|raised|developed"
                r"|confirmed|approved|selected|chosen) by (?:the )?(?:user|human)\b(?!s)",
                "by user",
                "by the user",
                "by human",
                "by the human",
            ),
            small(r"\g<wh> by the requester"),
            (("A path given by the user", "A path given by the requester"),),
            ("A path given by users",),
        ),
        # --- what somebody was to settle
        _person(
            "you-both",
            "What somebody was to settle, the agent settles.",
            _words(
                "user ",
                r"\b(?:the )?user (?P<wh>accept|confirm|approve)s(?P<or> or |/)(?P<two>reject|adjust|refine"
                r"|decline|change)s\b",
                "accepts",
                "confirms",
                "approves",
            ),
            small(r"you \g<wh>\g<or>\g<two>"),
            (("- User confirms or adjusts the colour", "- You confirm or adjust the colour"),),
            ("- Users confirm or adjust it",),
        ),
        _person(
            "ends-with",
            "The person who wants the work is the requester.",
            _words("with the user", r"\b(?P<wh>sessions? ends?) with the user\b"),
            small(r"\g<wh> with the requester"),
            (("Good sessions end with the user fed", "Good sessions end with the requester fed"),),
            ("Good meals end with the user fed",),
            over=("person.with-the-user",),
        ),
        _person(
            "you-settle",
            "What somebody was to settle, the agent settles.",
            _words(
                "user ",
                r"\b(?:the )?user (?:explicitly )?(?P<wh>select|choose|pick|confirm|approve|accept|reject"
                r"|agree|validate|decline|acknowledge)s\b",
                *_SETTLED,
                "select",
                "choose",
                "pick",
                "accept",
                "reject",
                "agree",
                "validate",
                "decline",
                "acknowledge",
            ),
            small(r"you \g<wh>"),
            (("If user picks the red one", "If you pick the red one"),),
            ("If users pick the red one",),
        ),
        _person(
            "you-decide",
            "What somebody was to settle, the agent settles.",
            _words("user ", r"\b(?:the )?user (?:must decide|decides(?= (?:whether|how|which)))", "decide"),
            "you decide",
            (("The user decides whether to paint", "You decide whether to paint"),),
            ("The user decides what to buy",),
        ),
        _person(
            "took-part",
            "What somebody was given, the agent takes.",
            _words("user given", r"\buser given (?:an )?opportunity to\b"),
            "opportunity taken to",
            (("- User given opportunity to paint", "- Opportunity taken to paint"),),
            ("- User given names",),
        ),
        _person(
            "if-they-want",
            "Whoever wants it is the requester.",
            within(
                "they ",
                r"\b(?P<wh>if|when|unless|once) they (?P<verb>want|prefer|ask)\b",
                unless=r"\b(?:users|customers|agents|people|readers|teams)\b",
            ),
            small(r"\g<wh> the requester \g<verb>s"),
            (("If they want it red, paint it", "If the requester wants it red, paint it"),),
            ("Users buy if they want",),
        ),
        _person(
            "or-asks-to",
            "What somebody asks for is what the requester wants.",
            _words("asks to", r"\bor asks to (?=[\"“])"),
            "or wants to ",
            (('If he is tired or asks to "rest"', 'If he is tired or wants to "rest"'),),
            ("It asks to rest",),
        ),
        _person(
            "user-asks-to",
            "What somebody asks for is what the requester wants.",
            _words("asks", r"\b(?:the )?(?:user|human) (?:\*?(?:directly|simply|explicitly) )?asks\*? to\b"),
            "the requester wants to",
            (("If the user asks to paint", "If the requester wants to paint"),),
            ("If users ask to paint",),
        ),
        _person(
            "user-asks",
            "What somebody asks for is what the requester wants.",
            _words("asks", r"\b(?:the )?(?:user|human) (?:\*?(?:directly|simply|explicitly) )?asks\*? for\b"),
            "the requester wants",
            (("If the user asks for paint", "If the requester wants paint"),),
            ("If users ask for paint",),
        ),
        _person(
            "user-wonders",
            "What somebody asks is what the requester wants to know.",
            _words("asks ", r"\b(?:the )?(?:user|human) asks (?=whether|about|if|how|what|which)"),
            "the requester wants to know ",
            (("When the user asks whether it is red", "When the requester wants to know whether it is red"),),
            ("When users ask whether it is red",),
        ),
        # --- everything else that somebody does
        _person(
            "requester",
            "The person who talks is the requester, who wrote the issue.",
            _words("user", rf"\b(?:(?:the|your|our) )?user(?=\*{{0,2}} {_DOES}\b)"),
            "the requester",
            (("If the user wants it red, paint it.", "If the requester wants it red, paint it."),),
            ("If a user logs in, show it.", "When users want it red, paint it."),
        ),
        _person(
            "requester-human",
            "The person who talks is the requester, who wrote the issue.",
            _words("human", rf"(?<!a )(?<!no )(?<!few )\b(?:the |a present )?human(?=\*{{0,2}} {_DOES}\b)"),
            "the requester",
            (("If the human wants it red, paint it.", "If the requester wants it red, paint it."),),
            ("A human text is red.",),
        ),
        _person(
            "requester-name",
            "The person who talks is the requester, who wrote the issue.",
            _words(
                "{user_name}",
                rf"\{{+user_name\}}+(?=(?:'s)? (?:{_DOES}|approach|about|articulate|questions)\b)",
            ),
            "the requester",
            (("If {user_name} says it, paint it.", "If the requester says it, paint it."),),
            ("Write {user_name} into the field.",),
        ),
        _person(
            "requesters-own",
            "What belongs to the person who talks is the requester's.",
            _words(
                "user's ",
                r"\b(?:the )?user's (?=(?:original|stated|meaning|intent|vision|voice|terms|own|creativity"
                r"|goals|specific"
                r"|tone|invocation|manual|call|final|focus|words|project|idea)\b)",
            ),
            "the requester's ",
            (("Keep the user's voice", "Keep the requester's voice"),),
            ("Guard the user's password",),
        ),
    ),
    over=("questions.halt", "questions.plain", "variables.", "names."),
)
