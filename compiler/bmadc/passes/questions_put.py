"""Questions that the sources put to a person in so many words, and what the agent does with each.

What somebody wants to do next, the agent decides; what somebody knows, it finds out. A question that
speaks to nobody stays as it is. Where two rules want the same words, the one that stands first holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bmadc.passes.rules import Class, Found, Made, Phrase, Place, Rewriter, Rule, Say
from bmadc.passes.sheet import SPOKEN, Sheet, sentences
from bmadc.passes.speech import ASKED, SHOWN, opened, small


def _put(
    name: str,
    classed: Class,
    reason: str,
    hint: str,
    pattern: str,
    say: str | Rewriter,
    examples: tuple[tuple[str, str], ...],
    near: tuple[str, ...],
) -> Rule:
    make = Say(say) if isinstance(say, str) else say
    return Rule(
        f"questions.{name}",
        reason,
        Phrase(hint, pattern, kinds=SHOWN),
        make,
        "rewritten",
        examples,
        near,
        classed,
        consumes=(r".*user_name.*", r"yes|no"),
    )


_WISH = r"(?:would you (?:like|prefer|rather)|do you (?:want|wish|prefer|hope))(?: me| us)? to"
_GO_ON = (
    r"(?:do|proceed|continue|handle|resolve|prioriti[sz]e|approach|respond|move|go|make|generate|fix|address)"
)
_WH = r"(?P<wh>which|what|how|where|when|who)"
_NOUN = (
    r"(?P<noun>(?: (?!(?:would|is|are|do|does|did|will|can|should|has|have|when|how)\b)[^\s?.!:{}]+){0,9}?)"
)
_ONE = r"(?P<one>this|that|it|everything)"
_HOW = r"(?P<how>(?: (?:all|accurately|really|still|\w+ly))?)"

OPENINGS: tuple[Rule, ...] = (
    _put(
        "anything-else-quoted",
        "decide",
        "A last look replaces the last question.",
        "anything else",
        r"(?:(?:ask|a simple|one|the|a) )?[\"“']anything else[^\"”?,]*\?[\"”'](?: (?:probe|pattern"
        r"|question))?",
        "a last look for anything else",
        (('Then a simple "anything else?" helps.', "Then a last look for anything else helps."),),
        ("Anything else helps.",),
    ),
    _put(
        "anything-else",
        "decide",
        "Whether something is missing is judged by the agent.",
        "anything ",
        rf"(?<![\w,] )\b(?:is there )?anything (?=else|missing|you){ASKED}",
        "decide whether there is anything ",
        (('"Anything else on this?"', '"Decide whether there is anything else on this?"'),),
        ("Did they say anything else?", "Anything else is kept."),
    ),
    _put(
        "or-else",
        "decide",
        "The second half of a question on how to go on is part of the decision.",
        ", or ",
        rf", or (?:{_WISH}|shall we|should (?:i|we)|are you ready to) {ASKED}",
        ", or whether to ",
        (("Does it fit, or do you want to cut it?", "Does it fit, or whether to cut it?"),),
        ("Cut it, or you will want to.",),
    ),
    _put(
        "or-more",
        "decide",
        "The second half of a question on how to go on is part of the decision.",
        ", or ",
        rf", or (?:is|are) there (?P<wh>anything else|anything|more) you(?:'d| would) like to {ASKED}",
        small(r", or whether there is \g<wh> to "),
        (
            (
                "Does it fit, or is there more you'd like to cut?",
                "Does it fit, or whether there is more to cut?",
            ),
        ),
        ("It fits, or there is more.",),
    ),
    _put(
        "sure",
        "block",
        "What cannot be taken back needs the requester's word.",
        "are you sure",
        r"\bare you sure\?",
        "Do it only if the issue says exactly this, otherwise HALT.",
        (
            (
                "It will burn the barn. Are you sure?",
                "It will burn the barn. Do it only if the issue says exactly this, otherwise HALT.",
            ),
        ),
        ("Be sure that it burns.",),
    ),
    _put(
        "how-to-go-on",
        "decide",
        "How to go on is decided, not asked.",
        "?",
        rf"\b{_WH}{_NOUN} {_WISH} (?={_GO_ON}\b){ASKED}",
        small(r"decide \g<wh>\g<noun> to "),
        (
            ("How would you like to handle the leftovers?", "Decide how to handle the leftovers?"),
            ("**What do you want to do?**", "**Decide what to do?**"),
        ),
        ("How do users like to proceed?", "What would you like to drink?"),
    ),
    _put(
        "which-thing",
        "derive",
        "Which thing is meant stands in the issue.",
        "?",
        rf"\b{_WH}{_NOUN} {_WISH} {ASKED}",
        small(r"find out \g<wh>\g<noun> to "),
        (("Which barn would you like to paint?", "Find out which barn to paint?"),),
        ("Which barn will you paint?", "Would you like to paint?"),
    ),
    _put(
        "wish",
        "decide",
        "Whether to do it is decided, not asked.",
        "?",
        rf"(?<!\w )\b{_WISH} (?=[a-z]){ASKED}",
        "decide whether to ",
        (
            ("Would you like me to paint the barn?", "Decide whether to paint the barn?"),
            ("Do you want to rest?", "Decide whether to rest?"),
        ),
        ("Would you like tea?", "Say what you would like to paint."),
    ),
    _put(
        "want-me-to",
        "decide",
        "Whether to do it is decided, not asked.",
        "want me to",
        rf"(?<![\w'] )(?<!you )\bwant me to {ASKED}",
        "decide whether to ",
        (('"Want me to paint it?"', '"Decide whether to paint it?"'),),
        ("They want me to paint it.",),
    ),
    _put(
        "which-should",
        "derive",
        "Which one to take is found out.",
        " should ",
        rf"\b(?P<wh>which|where){_NOUN} should (?:i|we) {ASKED}",
        small(r"find out \g<wh>\g<noun> to "),
        (("Which barn should I paint?", "Find out which barn to paint?"),),
        ("Which barn should the team paint?",),
    ),
    _put(
        "what-should",
        "decide",
        "What to do is decided, not asked.",
        " should ",
        rf"\b(?P<wh>what|how|when){_NOUN} should (?:i|we) {ASKED}",
        small(r"decide \g<wh>\g<noun> to "),
        (("What should we do with the roof?", "Decide what to do with the roof?"),),
        ("What should a barn look like?",),
    ),
    _put(
        "should-we",
        "decide",
        "Whether to do it is decided, not asked.",
        " we ",
        rf"(?<![\w,'] )(?<!asked [\"“])(?<!asks [\"“])\b(?:shall|should|can|could) we (?=[a-z]){ASKED}",
        "decide whether to ",
        (("- Should we paint it red or blue?", "- Decide whether to paint it red or blue?"),),
        ("We know which barns we should paint.", "Which barns can we paint?"),
    ),
    _put(
        "should-i",
        "decide",
        "Whether to do it is decided, not asked.",
        " i ",
        rf"(?<![\w,'] )(?<!asked [\"“])(?<!asks [\"“])\b(?:shall|should|may|can|could) i (?=[a-z]){ASKED}",
        "decide whether to ",
        (("It is late. Should I paint it now?", "It is late. Decide whether to paint it now?"),),
        ('The customer asked "should I use it?"', '"Why should I leave my old barn?"'),
    ),
    _put(
        "it-fits",
        "decide",
        "Whether it fits is judged by the agent.",
        "does ",
        rf"(?<!\w )\bdoes {_ONE}{_HOW} (?P<verb>look|sound|capture|feel|work(?= for you)|make|align|reflect"
        rf"|resonate|represent|seem|fit|meet){ASKED}",
        small(r"decide whether \g<one>\g<how> \g<verb>s"),
        (("Does this look right?", "Decide whether this looks right?"),),
        ("Does this barn look right?", "What does this look like?"),
    ),
    _put(
        "it-matches",
        "decide",
        "Whether it fits is judged by the agent.",
        "does ",
        rf"(?<!\w )\bdoes {_ONE}{_HOW} match{ASKED}",
        small(r"decide whether \g<one>\g<how> matches"),
        (("Does it all match your plan?", "Decide whether it all matches your plan?"),),
        ("Does the barn match?",),
    ),
    _put(
        "these-fit",
        "decide",
        "Whether it fits is judged by the agent.",
        "do th",
        rf"(?<!\w )\bdo (?P<one>these|they|those)(?= (?:all |accurately )?(?:look|sound|match|capture|feel"
        rf"|work|make sense|align|reflect|resonate|seem)){ASKED}",
        small(r"decide whether \g<one>"),
        (("Do these look right?", "Decide whether these look right?"),),
        ("Do these barns look right?",),
    ),
    _put(
        "it-is-right",
        "decide",
        "Whether it is right is judged by the agent.",
        "?",
        rf"(?<!\w )\bis {_ONE} (?P<right>right|correct|accurate|ok|okay|good|complete|the \w+ "
        rf"(?=you)){ASKED}",
        small(r"decide whether \g<one> is \g<right>"),
        (("It is a barn. Is that right?", "It is a barn. Decide whether that is right?"),),
        ("Is that a barn?",),
    ),
    _put(
        "approve",
        "decide",
        "Approval is the review of the pull request; the agent only judges whether it stands.",
        "do you ",
        rf"\bdo you (?P<verb>approve|agree|accept)\b{ASKED}",
        small(r"decide whether to \g<verb>"),
        (("Do you approve this colour?", "Decide whether to approve this colour?"),),
        ("Do the neighbours approve?",),
    ),
    _put(
        "preference",
        "decide",
        "A preference is the agent's to form, from what the issue says.",
        "preference",
        rf"\bwhat(?:'s| is| are) your (?P<what>preferences?){ASKED}",
        "decide which to prefer",
        (("What's your preference?", "Decide which to prefer?"),),
        ("What is the preference of users?",),
    ),
    _put(
        "feels-right",
        "decide",
        "What is right is the agent's to decide.",
        "feels right",
        rf"\bwhat feels right to you{ASKED}",
        "decide what is right",
        (("What feels right to you?", "Decide what is right?"),),
        ("It feels right to users.",),
    ),
    _put(
        "opinion",
        "decide",
        "An opinion is the agent's to form.",
        "?",
        rf"(?<!, )\b(?:what (?:do you think|are your thoughts|is your opinion)|what's your (?:take|reaction"
        rf"|sense|view))(?P<of>(?: (?:of|on|about))?){ASKED}",
        r"form an opinion\g<of>",
        (("What do you think of this barn?", "Form an opinion of this barn?"),),
        ("What do users think?",),
    ),
    _put(
        "looks-good",
        "decide",
        "Whether it is good is judged by the agent.",
        "looks ",
        r"(?<=[\"“])(?P<one>\w+) looks (?P<right>good|right|correct)(?=\?)",
        small(r"decide whether \g<one> looks \g<right>"),
        (('"Barn looks good?"', '"Decide whether Barn looks good?"'),),
        ("It looks good.",),
    ),
    _put(
        "where-is-it",
        "derive",
        "Where something is, the agent finds out.",
        "where can i find",
        rf"\bwhere can i find{ASKED}",
        "where are",
        (("Where can I find its doors?", "Where are its doors?"),),
        ("Where users find it",),
    ),
    _put(
        "anyone",
        "decide",
        "Whether something was missed is judged by the agent.",
        "anyone have",
        rf"\banyone have something{ASKED}",
        "decide whether there is something",
        (("Anyone have something to add?", "Decide whether there is something to add?"),),
        ("Does anyone have it?",),
    ),
    _put(
        "i-miss",
        "decide",
        "Whether something is missing is judged by the agent.",
        "anything i'm missing",
        rf"\b(?:is there )?anything i'm missing{ASKED}",
        "decide whether anything is missing",
        (("Anything I'm missing?", "Decide whether anything is missing?"),),
        ("I'm missing it.",),
    ),
    _put(
        "has-it",
        "derive",
        "What the requester has stands in the issue or lies in the repository.",
        "do you have",
        rf"\bdo you have (?=[a-z]){ASKED}",
        "find out whether the requester has ",
        (("Do you have a ladder?", "Find out whether the requester has a ladder?"),),
        ("Do they have a ladder?", "What questions do you have now."),
    ),
)

# Words within such a question, once it is no longer put to anybody.
_WORDS = (
    (r"you(?:'|’)re\b", "the requester is"),
    (r"you(?:'|’)ve\b", "the requester has"),
    (r"(?:that )?you(?:'|’)d like (?:me |us )?to\b", "to"),
    (r"(?:that )?you (?:\w+ly )?want (?:me |us )?to\b", "to"),
    (r"you(?:'|’)d like\b", "the requester would like"),
    (r"you(?:'|’)d\b", "the requester would"),
    (r"you(?:'|’)ll\b", "the requester will"),
    (r"what you (?:found|have found|see)\b", "what was found"),
    (r"can you\b", "can one"),
    (r"could you\b", "could one"),
    (r"would you\b", "would one"),
    (r"will you\b", "will the requester"),
    (r"did you\b", "did the requester"),
    (r"are you\b", "is the requester"),
    (r"do you\b", "does the requester"),
    (r"have you\b", "has the requester"),
    (r"were you\b", "was the requester"),
    (r"you are\b", "the requester is"),
    (r"you have\b", "the requester has"),
    (r"you (?:do not|don't)\b", "the requester does not"),
    (
        r"you (?:want|need|plan|use|see|like|envision|expect|prefer|feel|know|face|make|hope|zoom)\b",
        "the requester {}s",
    ),
    (r"yourself\b", "the requester"),
    (r"yours\b", "the requester's"),
    (r"your (?=goals?\b|intent|expectations?|priorit|needs?\b)", "the issue's "),
    (r"your (?=understanding|vision|mind|perspective|experience)", "the requester's "),
    (r"your\b", "the"),
    (r"you\b", "the requester"),
)
_YOU = re.compile("|".join(rf"\b(?P<w{number}>{words})" for number, (words, _) in enumerate(_WORDS)))
# Questions that the agent puts to itself, or that somebody else is quoted with.
_NOT_PUT = re.compile(
    r"\b(?:have|did) you (?:check|verif|read|run|test|cover|forget|forgotten|confirm|updat)\w*"
    r"|\bdo you (?:now|still)\b|\byou could\b|[\"“]\w+, what do you\b|\bask me\b"
)


# A long paragraph speaks to the agent, whomever it quotes.
_SHORT = 300
_CALLS = re.compile(
    r"\bplease (?:provide|describe|specify|share|give|enter)\b|(?:(?<!\w )|(?<=or )|(?<=and ))\btell me\b"
    r"|\blet me know\b"
)


def _spoken_questions(sheet: Sheet) -> Iterator[tuple[int, int, int]]:
    """Give the leaf, start and end of every stretch that says "you" to somebody: a question, or a call."""
    text = sheet.tree.text.text
    for number in sheet.with_hint("you"):
        leaf = sheet.tree.leaves[number]
        words = sheet.lower[leaf.start : leaf.end]
        if leaf.kind not in SHOWN or not ("?" in words or "please " in words or " me" in words):
            continue
        if len(words) < _SHORT and _CALLS.search(words):
            yield number, leaf.start, leaf.end
        elif "?" in words:
            for start, end in sentences(text, leaf.start, leaf.end):
                at = text.rfind("?", start, end)
                if at >= 0:
                    # What stands in front of a quoted question is said to the agent.
                    quote = max(text.rfind(sign, start, at) for sign in ('"', "“", ": "))
                    yield number, max(start, quote), at


def _second_person(sheet: Sheet) -> Iterator[Place]:
    for number, start, end in _spoken_questions(sheet):
        if not _NOT_PUT.search(sheet.lower, start, end):
            for match in _YOU.finditer(sheet.lower, start, end):
                yield Place(number, match.start(), match.end(), match)


def _third_person(sheet: Sheet, place: Place) -> str:
    match = place.match
    assert match is not None
    assert match.lastgroup is not None
    return opened(sheet, place, _WORDS[int(match.lastgroup[1:])][1].format(match[0].rpartition(" ")[2]))


# The sentence stays a question, or the rule takes its mark away.
_STILL_ASKED = ("questions.where-is-it", "questions.sure", "questions.anything-else-quoted")
_OPENED = re.compile(
    "|".join(
        re.sub(r"\(\?P<\w+>", "(?:", rule.find.pattern)
        for rule in OPENINGS
        if isinstance(rule.find, Phrase) and rule.id not in _STILL_ASKED
    )
)


# Words without which none of them matches, since they are many.
_MAYBE = re.compile(
    r"(?:would|do) you|want me|(?:should|shall|can|could|may) (?:i|we)\b|does (?:this|that|it|every)"
    r"|is (?:this|that|it|everything) (?:r|c|a|o|g|the)|do th|sounds? |looks |ready for me|accept "
    r"|anyone have|your (?:pref|thou|take|reac|sens|view|opin)|feels right|anything (?:else|mis|you|i)"
)


def _question_marks(sheet: Sheet) -> Iterator[Place]:
    for number in sheet.with_hint("?"):
        leaf = sheet.tree.leaves[number]
        if leaf.kind in SHOWN and _MAYBE.search(sheet.lower, leaf.start, leaf.end):
            last = leaf.start
            for match in _OPENED.finditer(sheet.lower, leaf.start, leaf.end):
                at = sheet.lower.find("?", match.end(), leaf.end)
                if at >= last:
                    yield Place(number, at, at + 1)
                    last = at + 1


def _full_stop(sheet: Sheet, place: Place) -> str:
    return "" if sheet.lower[place.start - 1] == "." else "."


_ASKING = SPOKEN - {"heading", "row"}
_LONG = 400
_OR = re.compile(r"\bor\b")
_WHAT = re.compile(r"(?<![\w'])(?:what|which|how|where|when|who|why|(?:is|are) there)\b")
# A question that only a judge answers, with yes or no, is a check and no gap in what is known.
_JUDGE = re.compile(
    r"[\W\d_]*(?!(?:is|are) there\b)(?:is|are|does|do|did|has|have|can|could|was|were|will|would)\b"
)
_JUDGED = re.compile(r"review|valid|verif|check|quality|assess|audit|lens|skeptic|coherence|completeness")


def _plain_questions(sheet: Sheet) -> Iterator[Place]:
    text, lower = sheet.tree.text.text, sheet.lower
    for number in sheet.with_hint("?"):
        leaf = sheet.tree.leaves[number]
        # A table quotes what somebody might say, and a long paragraph is about more than its question.
        if leaf.kind not in _ASKING or leaf.end - leaf.start > _LONG:
            continue
        if any(_JUDGED.search(name) for name in sheet.headings(number)):
            continue
        for start, end in sentences(text, leaf.start, leaf.end):
            at = text.rfind("?", start, end)
            if at < 0:
                continue
            first = max(start, lower.rfind(": ", start, at) + 1, lower.rfind(":** ", start, at) + 3)
            if _OR.search(lower, first, at) or (
                _WHAT.search(lower, first, at) and not _JUDGE.match(lower, first)
            ):
                yield Place(number, at, at + 1)
                break


RULES: tuple[Rule, ...] = (
    *OPENINGS,
    Rule(
        "questions.what-is-meant",
        "One speaker asks another; it is not put to the reader.",
        Phrase("what do you mean", r"\bwhat do you mean\b", kinds=SHOWN),
        Say("what does that mean"),
        "rewritten",
        (('"What do you mean, Ada?"', '"What does that mean, Ada?"'),),
        ("What do users mean?",),
    ),
    Rule(
        "questions.is-it-possible",
        "Whether a text does it is judged by the agent, not told by somebody.",
        Phrase(
            "you ",
            rf"(?<![\w,] )\b(?:can|could) you (?=(?:say|explain|make|tell|describe|name)\b){ASKED}",
            kinds=SHOWN,
        ),
        Say("is it possible to "),
        "rewritten",
        (("Can you say it in one word?", "Is it possible to say it in one word?"),),
        ("Say what you can say.", "Can users say it?"),
    ),
    Rule(
        "questions.still-open",
        "What the agent lacks is what is still open.",
        Phrase("do you ", rf"\bdo you (?P<wh>now|still) have{ASKED}", kinds=SHOWN),
        small(r"are \g<wh> open"),
        "rewritten",
        (("What questions do you still have?", "What questions are still open?"),),
        ("Do you have questions?",),
        classed="derive",
    ),
    Rule(
        "questions.still-needed",
        "What the agent lacks is what is still open.",
        Phrase("do you still", rf"\bdo you still need to know{ASKED}", kinds=SHOWN),
        Say("is still to be known"),
        "rewritten",
        (("What do you still need to know?", "What is still to be known?"),),
        ("Do you still know?",),
        classed="derive",
    ),
    Rule(
        "questions.long-answers",
        "Nobody gives one of the answers in brackets.",
        Phrase("(y", r"\s*\((?:y|yes)/(?:n|no)/(?:revise|adjust|edit|later)\)", kinds=SHOWN),
        Say(""),
        "rewritten",
        (("Is it red? (yes/no/later)", "Is it red?"),),
        ("Is it red? (red/blue)", "Is it red? (yes/no/partly)"),
    ),
    Rule(
        "questions.in-mind",
        "What somebody has in mind stands in the issue.",
        Phrase("anything else", r"\banything else you have in mind\b", kinds=SHOWN),
        Say("anything else that the issue names"),
        "rewritten",
        (("Or anything else you have in mind", "Or anything else that the issue names"),),
        ("Keep it in mind",),
        classed="derive",
    ),
    Rule(
        "questions.else-to-clarify",
        "What else is unclear is found out.",
        Phrase("anything else", r"\banything else they'd like clarified\b", kinds=SHOWN),
        Say("anything else that is unclear"),
        "rewritten",
        (("- Anything else they'd like clarified", "- Anything else that is unclear"),),
        ("- Anything else",),
    ),
    Rule(
        "questions.third-person",
        "A question about what somebody knows or wants is found out, so it speaks of the requester.",
        Found(_second_person),
        Made(_third_person),
        "rewritten",
        (
            ("- What is your aim?", "- What is the aim?"),
            ("How did you mend the roof? You know.", "How did the requester mend the roof? You know."),
        ),
        ("You see the roof.", "Have you checked the roof?", "What do users see?"),
        classed="derive",
    ),
    Rule(
        "questions.full-stop",
        "A decision ends in a full stop.",
        Found(_question_marks),
        Made(_full_stop),
        "rewritten",
        (("Would you like to rest?", "Would you like to rest."),),
        ("What is it?",),
        classed="decide",
    ),
    Rule(
        "questions.plain",
        "A question that speaks to nobody stays as it is: the agent finds out the answer.",
        Found(_plain_questions),
        Say("?"),
        "kept",
        (("- What colour is the barn?", "- What colour is the barn?"),),
        ("- Is the barn red?",),
        classed="derive",
    ),
)
