"""Rules for how the agent is to behave towards a person: partner, facilitator, speaker of a language."""

from __future__ import annotations

from bmadc.passes.ceremony_steps import ALL
from bmadc.passes.rules import Once, Phrase, Rule, Say, Sentence, Whole

_NO = (r"\bnot\b", r"\bnever\b", r"\bwithout\b")


def _setting(name: str) -> str:
    return rf"`?\{{*\.?{name}\}}*`?"


_SPEAK = _setting("communication_language")
_WRITE = _setting("document_output_language")
_LEVEL = _setting("user_skill_level")
_TOLD_SPEAK = (r"communication_language", r"\{communication_language\}")
_TOLD_WRITE = (r"document_output_language", r"\{document_output_language\}")
_TOLD_LEVEL = (r"user_skill_level", r"\{user_skill_level\}", r"\bnot\b")

_FOUNDED: tuple[Rule, ...] = (
    Rule(
        id="ceremony.content-needs-input",
        reason="The input is the issue and the repository: the frame says once that content is "
        "founded on them.",
        find=Whole(
            "generate content with",
            r"(?:never generate content without|always generate content with) user (?:input"
            r"|confirmation|approval)\b.{0,20}",
        ),
        make=Once("no-invention"),
        state="merged",
        examples=(("- 🛑 NEVER generate content without user input, please\n", "\n"),),
        near=(
            "- 🛑 NEVER generate content without web pages\n",
            "- 🛑 NEVER serve soup without user input\n",
        ),
        over=ALL,
        consumes=(*_NO, r"input/approval"),
    ),
    Rule(
        id="ceremony.facilitator",
        reason="There is nobody to facilitate; what it forbids, inventing, is what the frame forbids once.",
        find=Whole("facilitator", r"you are an? facilitator,? not (?:just )?an? .*"),
        make=Once("no-invention"),
        state="merged",
        examples=(("- 📋 YOU ARE A FACILITATOR, not a cook\n", "\n"),),
        near=("- 📋 YOU ARE A FACILITATOR of soups\n", "- 📋 YOU ARE A SOUP FACILITATOR, not a cook\n"),
        over=ALL,
        consumes=_NO,
    ),
    Rule(
        id="ceremony.expert-facilitator",
        reason="The role stays; that somebody else brings the content is said by the frame.",
        find=Phrase(
            "facilitator", r"(?P<role>you are an? [\w -]+?) facilitator,? not (?:just )?(?:an? )?[\w ]+"
        ),
        make=Say("\\g<role> expert who founds the work on what the issue and the documents say"),
        state="rewritten",
        examples=(
            (
                "- 📋 YOU ARE A SOUP FACILITATOR, not a cook\n",
                "- 📋 YOU ARE A SOUP expert who founds the work on what the issue and the documents say\n",
            ),
        ),
        near=("- 📋 YOU ARE A FACILITATOR, not a cook\n",),
        consumes=_NO,
    ),
    Rule(
        id="ceremony.not-assumed",
        reason="Discovery instead of assumption is what the frame asks for once.",
        find=Whole(
            "collaborative", r"collaborative [\w -]+, not (?:assumption-based|recommendation|command).*"
        ),
        make=Once("no-invention"),
        state="merged",
        examples=(("- 🎯 COLLABORATIVE cooking, not assumption-based boiling\n", "\n"),),
        near=("- 🎯 COLLABORATIVE cooking, not in the rain\n",),
        over=ALL,
        consumes=_NO,
    ),
    Rule(
        id="ceremony.peers",
        reason="There is no peer in the run; the frame asks the agent to question its work as one would.",
        find=Whole(
            "collaborative ",
            r"(?:always treat this as collaborative \w+(?: between .*)?|maintain collaborative \w+ tone\b.*"
            r"|we engage in collaborative dialogue\b.*)",
        ),
        make=Once("quality"),
        state="merged",
        examples=(
            ("- ✅ ALWAYS treat this as collaborative cooking between soup lovers\n", "\n"),
            ("- ✅ We engage in collaborative dialogue, not shouting\n", "\n"),
        ),
        near=("- ✅ ALWAYS treat this as hot\n", "- ✅ A collaborative dialogue editor is planned\n"),
        over=ALL,
        consumes=_NO,
    ),
    Rule(
        id="ceremony.partnership",
        reason="There is no partner in the run; the frame asks the agent to question its work as one would.",
        find=Sentence("partnership", r"this is a partnership, not an? "),
        make=Once("quality"),
        state="merged",
        examples=(("Cook. This is a partnership, not a contest. Eat.\n", "Cook. Eat.\n"),),
        near=("Cook. This partnership is a contest. Eat.\n",),
        over=ALL,
        consumes=_NO,
    ),
    Rule(
        id="ceremony.as-equals",
        reason="There is no partner in the run; the frame asks the agent to question its work as one would.",
        find=Sentence("work together as equals", r"(?<![\w,] )work together as equals\."),
        make=Once("quality"),
        state="merged",
        examples=(("Cook. Work together as equals. Eat.\n", "Cook. Eat.\n"),),
        near=("Cook. Work together as equals to serve the soup. Eat.\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.as-equals-for",
        reason="There is no partner in the run, only what the work is for.",
        find=Phrase("work together as equals to", r"work together as equals to (?P<verb>\w+)"),
        make=Say("\\g<verb>"),
        state="rewritten",
        examples=(("Cook. Work together as equals to serve the soup.\n", "Cook. Serve the soup.\n"),),
        near=("Cook. Work together as equals.\n",),
    ),
    Rule(
        id="ceremony.peer-beside",
        reason="Nobody works beside the agent; it works for the requester.",
        find=Phrase(
            " with a",
            r"(?:collaborating|working) with an? (?:expert |product )?(?:peer|partner|owner|stakeholder)\b",
        ),
        make=Say("working for the requester"),
        state="rewritten",
        examples=(
            (
                "You are a cook collaborating with an expert peer.\n",
                "You are a cook working for the requester.\n",
            ),
        ),
        near=("You are a cook collaborating with an oven.\n",),
        over=("person.",),
    ),
    Rule(
        id="ceremony.collaboration-where",
        reason="Nobody works beside the agent.",
        find=Phrase("this is a collaboration where", r"this is a collaboration where you bring\b"),
        make=Say("you bring"),
        state="rewritten",
        examples=(("This is a collaboration where you bring salt.\n", "You bring salt.\n"),),
        near=("This is a kitchen where you bring salt.\n",),
    ),
    Rule(
        id="ceremony.brings",
        reason="What a person would bring to the table is in the issue and the documents.",
        find=Phrase("brings ", r"(?:\bthe user|(?<![a-z] )\buser|\byour partner) brings (?:their )?(?=\w)"),
        make=Say("the issue and the documents bring "),
        state="rewritten",
        examples=(
            (
                "You bring salt, while the user brings soup.\n",
                "You bring salt, while the issue and the documents bring soup.\n",
            ),
            ("- User brings their pans\n", "- The issue and the documents bring pans\n"),
        ),
        near=("- The power user brings pans\n", "- The guest brings soup\n"),
        over=("person.",),
    ),
    Rule(
        id="ceremony.collaboratively",
        reason="Nobody works beside the agent: what is done together is done.",
        find=Phrase("collaboratively", r"\bcollaboratively (?!with\b)(?P<next>[a-z]+)"),
        make=Say("\\g<next>"),
        state="rewritten",
        examples=(("Collaboratively cook soup.\n", "Cook soup.\n"),),
        near=("Cook soup collaboratively.\n",),
        over=("person.",),
    ),
    Rule(
        id="ceremony.collaboratively-last",
        reason="Nobody works beside the agent: what is done together is done.",
        find=Phrase("collaboratively", r" collaboratively(?=[.,;:\n]|\*\*| —|$)"),
        make=Say(""),
        state="rewritten",
        examples=(("Cook soup collaboratively.\n", "Cook soup.\n"),),
        near=("Collaboratively cook soup.\n",),
        over=("person.",),
    ),
    Rule(
        id="ceremony.ungrounded",
        reason="The input is the issue and the repository.",
        find=Phrase(
            "user input",
            r"(?P<verb>generating [\w ]+?) without (?:real )?user input(?: and collaboration)?\b",
        ),
        make=Say("\\g<verb> without grounding in the issue and the documents"),
        state="rewritten",
        examples=(
            (
                "❌ Generating soup without real user input on salt\n",
                "❌ Generating soup without grounding in the issue and the documents on salt\n",
            ),
        ),
        near=("❌ Generating soup without user interfaces\n",),
        over=("person.", "menus.", "questions."),
    ),
    Rule(
        id="ceremony.persona-kept",
        reason="The frame says once that the persona holds in every role.",
        find=Whole(
            "continue to ",
            r"(?:if you already have been given .*, continue to use those\b.*"
            r"|you will continue to operate with your .*)",
        ),
        make=Once("persona"),
        state="merged",
        examples=(
            (
                "- ✅ If you already have been given hats, continue to use those, please\n",
                "\n",
            ),
        ),
        near=("- ✅ If you already have been given a hat, continue to wear it\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.besides-persona",
        reason="The persona stands at the top of the text.",
        find=Phrase("in addition to your name", r"in addition to your name, [\w, ]+\bpersona,"),
        make=Say("besides your persona,"),
        state="rewritten",
        examples=(
            (
                "In addition to your name, hat and persona, you cook.\n",
                "Besides your persona, you cook.\n",
            ),
        ),
        near=("In addition to your name and hat, you cook.\n",),
    ),
    Rule(
        id="ceremony.no-input-needed",
        reason="No run has anybody to ask: that a step needs nobody goes without saying, that it "
        "runs alone stays.",
        find=Phrase("no user ", r"(?:\s[-–—]|,)\s?no user (?:input|choice|interaction) (?:is )?needed\b"),
        make=Say(""),
        state="rewritten",
        examples=(("- ✅ The oven heats itself - no user input needed\n", "- ✅ The oven heats itself\n"),),
        near=("- ✅ The oven heats itself - no user left behind\n",),
        over=("person.", "menus.", "questions."),
        consumes=(r"\bno\b",),
    ),
    Rule(
        id="ceremony.no-pausing",
        reason="That nothing is asked during a run is said by the frame; that the step goes through stays.",
        find=Phrase(
            "user in",
            r"(?:(?P<forbidden>forbidden to pause) or request|(?P<pause>(?:don't )?paus(?:e|ing)) "
            r"for) user in(?:put|teraction)\b",
        ),
        make=Say("\\g<forbidden>\\g<pause>"),
        state="rewritten",
        examples=(
            ("- 🚫 FORBIDDEN to pause or request user input\n", "- 🚫 FORBIDDEN to pause\n"),
            ("- Limits: don't pause for user input\n", "- Limits: don't pause\n"),
        ),
        near=("- 🚫 FORBIDDEN to pause or request salt\n",),
        over=("person.", "menus.", "questions."),
    ),
)

_LANGUAGE: tuple[Rule, ...] = (
    Rule(
        id="ceremony.speak-style",
        reason="The frame says once in which language and style to write to people.",
        find=Phrase(
            "always speak output",
            rf"(?:✅\s*)?\**(?:✅\s*)?you must always speak output in [^\n]*?{_SPEAK}\**\.?\**\n?",
        ),
        make=Once("language"),
        state="merged",
        examples=(
            ("- ✅ YOU MUST ALWAYS SPEAK OUTPUT In your song with `{communication_language}`\n", "- \n"),
        ),
        near=("- ✅ YOU MUST ALWAYS SPEAK OUTPUT loudly\n",),
        over=ALL,
        consumes=_TOLD_SPEAK,
    ),
    Rule(
        id="ceremony.speak-language",
        reason="The frame says once in which language to write to people.",
        find=Phrase(
            "communication_language",
            r"(?:\*\*(?:output )?language:?\*\*:?(?: —)? )?(?:(?:communicate|speak)(?: all "
            r"(?:responses|output))? in|use|present all output in)"
            rf" {_SPEAK}(?: for all (?:output|communications?))?(?: with `?\{{user_name\}}`?)?"
            rf"(?:, tailor(?:ed| communication) to {_LEVEL})?(?:\.\s?|; ?|, and |,? and "
            rf"(?=language must|generate)|\n|$)",
        ),
        make=Once("language"),
        state="merged",
        examples=(
            ("- Use `{communication_language}` for all output\n", "- \n"),
            ("- **Language** — Speak in `{communication_language}`. Cook.\n", "- Cook.\n"),
        ),
        near=("- Use `{communication_language}` for the label of the soup\n",),
        over=ALL,
        consumes=(*_TOLD_SPEAK, *_TOLD_LEVEL, r"user_name", r"\{user_name\}"),
    ),
    Rule(
        id="ceremony.write-language",
        reason="The frame says once in which language to write documents.",
        find=Phrase(
            "document_output_language",
            r"(?:✅\s*)?(?:\*\*output language:?\*\* )?(?:(?:you must always )?(?:write|generate"
            r"|use)(?: any| all)?"
            r"(?: artifact and)?(?: document content| documents?| files?| file output)?(?: in)?)"
            rf" {_WRITE}(?: for (?:output )?documents)?(?:\.[ \n]?|\n|$)",
        ),
        make=Once("document-language"),
        state="merged",
        examples=(
            ("- Use `{document_output_language}` for output documents\n", "- \n"),
            ("Cook. Write files in `{document_output_language}`.\n", "Cook. \n"),
        ),
        near=("- Use `{document_output_language}` for the label of the soup\n",),
        over=ALL,
        consumes=_TOLD_WRITE,
    ),
    Rule(
        id="ceremony.skill-level",
        reason="The frame says once for which level of reader to explain.",
        find=Phrase("user_skill_level", rf"language must be (?:tailored|adapted) to {_LEVEL}\.?"),
        make=Once("skill-level"),
        state="merged",
        examples=(("- Language MUST be adapted to `{user_skill_level}`\n", "- \n"),),
        near=("- Explain soup to `{user_skill_level}`\n",),
        over=ALL,
        consumes=_TOLD_LEVEL,
    ),
    Rule(
        id="ceremony.skill-level-style",
        reason="The frame says once for which level of reader to explain, and that the work does "
        "not depend on it.",
        find=Sentence("user_skill_level", rf"\({_LEVEL}\) affects [\w ]*style only\b"),
        make=Once("skill-level"),
        state="merged",
        examples=(
            (
                "Cook. The level ({user_skill_level}) affects style ONLY, not the soup.\n",
                "Cook. \n",
            ),
        ),
        near=("Cook. User skill level ({user_skill_level}) affects the soup.\n",),
        over=ALL,
        consumes=_TOLD_LEVEL,
    ),
    Rule(
        id="ceremony.level-word",
        reason="The level of the reader is a setting that the frame tells.",
        find=Phrase("user skill level", r"(?<!your )\b(?:the )?user skill level\b(?! \()"),
        make=Say("the reader's level"),
        state="rewritten",
        examples=(("Season it based on user skill level.\n", "Season it based on the reader's level.\n"),),
        near=("Season it for [your user skill level].\n",),
        over=("person.", "names."),
    ),
    Rule(
        id="ceremony.speak-configured",
        reason="The frame says once in which language to write to people.",
        find=Phrase(
            "communication_language",
            rf"(?: - while still utilizing the configured {_SPEAK}"
            rf"|(?<=\.) during this entire workflow [^.\n]* {_SPEAK}\.)",
        ),
        make=Once("language"),
        state="merged",
        examples=(
            ("Cook soup - while still utilizing the configured {communication_language}.\n", "Cook soup.\n"),
        ),
        near=("Cook soup in the configured {communication_language}.\n",),
        over=ALL,
        consumes=(*_TOLD_SPEAK, r"critical"),
    ),
    Rule(
        id="ceremony.stay-in-language",
        reason="The frame says once in which language to write to people.",
        find=Sentence("stay in", rf"\bstay in (?:{_SPEAK}|it) (?:for )?every turn"),
        make=Once("language"),
        state="merged",
        examples=(
            ("Stir. Stay in `{communication_language}` for every turn of the spoon. Eat.\n", "Stir. Eat.\n"),
        ),
        near=("Stir. Stay in the kitchen for every turn. Eat.\n",),
        over=ALL,
        consumes=(*_TOLD_SPEAK, r"\bnot\b"),
    ),
    Rule(
        id="ceremony.in-language",
        reason="The frame says once in which language to write to people.",
        find=Phrase(
            "communication_language",
            r"(?<=\w)(?P<to> to `?\{user_name\}`?)? in `?\{communication_language\}`?(?=[:,] )(?! and| —)",
        ),
        make=Once("language"),
        state="merged",
        examples=(("Show the soup in `{communication_language}`: hot.\n", "Show the soup: hot.\n"),),
        near=("Show the soup in `{communication_language}` and hot.\n",),
        over=("person.", "variables."),
        consumes=(*_TOLD_SPEAK, r"user_name"),
    ),
)

RULES: tuple[Rule, ...] = (*_FOUNDED, *_LANGUAGE)
