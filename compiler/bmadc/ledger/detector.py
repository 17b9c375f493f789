"""Finds dialogue in a unit of text: where it waits for a person, asks, offers a choice or speaks to somebody.

It judges what the passes have done, so it shares nothing with them: no rule, no word list, no parser. It
looks at words alone, at those of a source and of an emitted body in the same way. A body may still say "find
out", "decide", "choose one of these" and HALT, and may speak of the users of a product and of the requester;
none of that is dialogue.

A bare question that speaks to nobody is none either, since the agent may find out the answer; one that says
"you" or waits for somebody's consent is.

Each pattern has needles, plain texts of which one must be there: most units have none, and no expression is
run on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["waits", "asks", "offers", "addresses"]


class Hit(NamedTuple):
    """A place that is dialogue; offsets in the text, the end exclusive."""

    kind: Kind
    start: int
    end: int


@lru_cache(maxsize=1 << 15)
def dialogue(text: str) -> tuple[Hit, ...]:
    """Return every place where the text waits for a person, asks, offers a choice or addresses somebody."""
    lowered = _lower(text)
    # Most units have none of these, and are done with at once.
    if "?" not in lowered and "[" not in lowered and _SOME_NEEDLE(lowered) is None:
        return ()
    found = [hit for start, end in _pieces(lowered) for hit in _phrases(text, lowered, start, end)]
    if "?" in lowered:
        found.extend(_questions(lowered))
    if "[" in lowered:
        found.extend(_menus(text))
    return tuple(sorted(set(found), key=lambda hit: (hit.start, hit.end, hit.kind)))


def ceremony(text: str) -> bool:
    """Tell whether a unit speaks, for the better half of its words, only of the dialogue's own machinery."""
    lowered = _lower(text)
    if not any(needle in lowered for needle in _CEREMONY_NEEDLES) and not dialogue(text):
        return False
    told = whole = 0
    for sentence in _SENTENCE.split(lowered):
        size = len(sentence.split())
        whole += size
        if _BOOKKEEPING not in sentence and (_CEREMONY.search(sentence) or dialogue(sentence)):
            told += size
    return told > 0 and told * 2 >= whole


# Data and code come as one long unit; a sentence in them does not cross a line.
_LONG = 1500


def _pieces(lowered: str) -> Iterator[tuple[int, int]]:
    if len(lowered) <= _LONG:
        yield 0, len(lowered)
        return
    start = 0
    while start < len(lowered):
        end = lowered.find("\n", start) + 1 or len(lowered)
        yield start, end
        start = end


def _phrases(text: str, lowered: str, start: int, end: int) -> Iterator[Hit]:
    needles = _ANY_NEEDLE(lowered, start, end)
    if not needles:
        return
    has = lowered[start:end].replace("\n", " ").__contains__
    for number in sorted({number for needle in set(needles) for number in _NEEDED_BY[needle]}):
        pattern = _PATTERNS[number]
        if pattern.also and not any(map(has, pattern.also)):
            continue
        for match in pattern.regex.finditer(text if pattern.cased else lowered, start, end):
            if pattern.unless is None or not pattern.unless(lowered, match.start()):
                yield Hit(pattern.kind, match.start(), match.end())


class _Pattern(NamedTuple):
    kind: Kind
    needles: tuple[str, ...]
    regex: re.Pattern[str]
    also: tuple[str, ...] = ()
    cased: bool = False
    unless: Callable[[str, int], bool] | None = None


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    # A few capitals become two characters; the offsets must stay.
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


# An order not to ask or to wait is no dialogue: it is what a run without a person needs.
_NEGATION = re.compile(
    r"(?:\bnot|\bnever|n['’]t|\bcannot|\bwithout|\brather than|\binstead of|\bno need to|\bnobody to)"
    r"\W{0,2}(?:\s+\w+){0,2}\s+\W?$"
)


def _negated(lowered: str, start: int) -> bool:
    return _NEGATION.search(lowered, max(0, start - 40), start) is not None


# Words after "user" that make it the user of the product.
_PRODUCT = (
    r"(?![\s-]+(?:journey|stor(?:y|ies)\b|flow|experience|persona|need|value|outcome|growth|data\b|facing"
    r"|cent(?:ric|ered)|interface|success|segment|account|base\b|skill|profile|role|goal|action|task|scenario"
    r"|workflow|manual|guide\b|documentation|behaviou?r|problem|pain|feeling|emotion|capabilit|benefit|accept"
    r"ance|impact|metric|adoption|retention|satisfaction|management|auth|type|group|population|research"
    r"|perspective|interaction|requirement|level|space|agent|testing|tests?\b|expectation|count|id\b))"
)
_SOMEBODY = r"(?:user|human|requester|stakeholder|operator)\b"
_NAME = r"\{+user_name\}+"
_PERSON = rf"(?:(?:the|your|a|each|our)\s+)?(?:{_SOMEBODY}{_PRODUCT}|{_NAME})"
# Only the person at the keyboard, not the requester, of whom a body may speak.
_USER = rf"(?:(?:the|your|our)\s+)?(?:(?:user|human){_PRODUCT}\b|{_NAME})"
_WORD = r"[\w'’{}*`/-]+"
_ANSWER = (
    r"(?:inputs?|repl(?:y|ies)|responses?|selections?|confirmations?|approvals?|answers?|choices?|decisions?"
    r"|consent|permission|feedback|instructions?|guidance|clarifications?|sign-?offs?|go-ahead|agreement"
    r"|direction"
    r"|acknowledge?ment)\b"
)
_REACT = r"respond|repl|answer|choose|confirm|select|decide|approve|review|say|agree"
_GOING_ON = ("proceed", "continue", "move on", "advance")
_STOPS = ("halt", "stop", "paus", "block")
_CHOICES = ("option", "cho", "select", "pick")
_PERSONS = ("user", "human", "requester")


def _words(pattern: str) -> re.Pattern[str]:
    """Compile a pattern in which a blank stands for any white space with marks of emphasis around it."""
    return re.compile(pattern.replace(" ?", r"[\s*_`]*").replace(" ", r"[*_`]*\s[\s*_`]*"))


_PATTERNS: tuple[_Pattern, ...] = (
    # --- waits
    _Pattern(
        "waits",
        ("wait",),
        _words(
            rf"\b(?:a?wait(?:s|ed|ing)?)(?: here)?(?: for| until| till| on)?(?: {_WORD}){{0,2}}?"
            rf" (?:{_SOMEBODY}|{_NAME}|(?:them|they) (?:to )?(?:{_REACT})|{_ANSWER})"
        ),
        unless=_negated,
    ),
    _Pattern("waits", _STOPS, _words(r"\b(?:halt|stop|pause)s?,?(?: and)? wait\b")),
    _Pattern(
        "waits",
        _STOPS,
        _words(
            rf"\b(?:halt|stop|paus|block)(?:e|ed|es|s|ing|ping)?(?: here)?(?: for| until"
            rf"| at)(?: {_WORD}){{0,2}}?"
            rf" (?:{_SOMEBODY}|{_NAME}|(?:them|they) (?:to )?(?:{_REACT})|(?:the )?menus?\b|{_ANSWER})"
        ),
        unless=_negated,
    ),
    _Pattern(
        "waits",
        _PERSONS,
        _words(
            rf"\b(?:until|unless|before|once|without)(?: {_WORD}){{0,2}}? {_PERSON}(?:['’]s)?"
            r"(?: (?:has|have|is|are|explicitly|also))*"
            r" (?:select|choos|chose|confirm|approv|respon|repl|says?\b|said|answer|agree|accept|signal"
            r"|indicat"
            r"|decid|decision|provid|review|validat|input|request|acknowledg|sign|engage|ready|done|consent"
            r"|permission|verif|ask|order|direct|satisf|finish|complet|feedback|edit)\w*"
        ),
    ),
    _Pattern(
        "waits",
        _GOING_ON,
        _words(
            r"\b(?:proceed|continue|move on|advance)(?:s|ing|ed)?(?: only)? (?:when|after|until|once"
            r"|without|if)"
            r"(?: (?:the|an?|explicit|any|their|clear))* (?:confirm|approv|selection\b|answer|consent)\w*"
        ),
    ),
    _Pattern(
        "waits",
        _GOING_ON,
        re.compile(r"(?i:\bproceed(?:ing)? with)\s(?:\[[A-Z]\]|['\"“`‘][A-Z]['\"”`’])"),
        cased=True,
    ),
    # --- asks
    _Pattern(
        "asks",
        ("ask",),
        _words(
            rf"(?<![\w-])(?:re-?)?ask(?:s|ed|ing)?(?: {_WORD})?"
            rf" (?:{_PERSON}|them\b|him\b|her\b|(?:scrum|product|team) \w+ to\b)"
        ),
        unless=_negated,
    ),
    _Pattern(
        "asks",
        ("ask",),
        _words(
            r"(?<![\w-])(?<!you\s)(?<!app\s)(?<!system\s)(?<!issue\s)(?<!they\s)(?<!the\s)"
            r"(?<!instructions\s)(?<!requester\s)(?<!focused\s)ask(?:s|ing)?(?:\*\*)?"
            r"(?! first:)(?: (?:first|also|then|only|again|just|explicitly|directly))?"
            r"(?: (?:if|whether|which|what|how|why|who|where|when|for|about|naturally|clarifying|follow-?up"
            r"|questions?|targeted|probing|open|one\b|once\b|to\b|permission|each\b|conversational\w*)\b"
            r"|\s*:|(?<!s),? [\"“'])"
        ),
        unless=_negated,
    ),
    _Pattern("asks", ("ask",), re.compile(r"<ask\b|\bre-ask\b"), unless=_negated),
    _Pattern(
        "asks",
        _PERSONS,
        _words(
            rf"\b(?:re-?)?(?:confirm|check|verif|clarif|validat|agree|align)(?:y|ie[sd]|e[sd]?|ed|s|ing"
            rf"|ation)?"
            rf"(?: {_WORD}){{0,5}}? with {_PERSON}"
            rf"|(?<!-research\s)\b(?:prompt|consult|quiz|interview|question|poll|probe|query)(?:s|z?ing|z?ed)?"
            rf" {_PERSON}"
            rf"|\brequest(?:s|ing)?(?: {_WORD}){{0,4}}? from {_PERSON}"
        ),
        unless=_negated,
    ),
    _Pattern(
        "asks",
        ("prompt",),
        _words(
            r"(?:^|[.;:,(\n]\s?|\b(?:and|or|then|to) )prompt(?: for| them| to (?:confirm|choose|select))\b"
        ),
    ),
    _Pattern(
        "asks",
        _PERSONS,
        _words(
            rf"\b(?:get|gather|collect|obtain|receive|elicit|solicit|seek|need|require|capture|extract|draw)"
            rf"(?:s|ing|ed)?(?: {_WORD}){{0,6}}? from {_USER}"
        ),
        unless=_negated,
        also=("from user", "from the user", "from human", "from the human", "from {"),
    ),
    _Pattern(
        "asks",
        ("approval", "confirmation", "permission", "consent", "clarification", "sign-off", "feedback"),
        _words(
            r"\b(?:get|gather|collect|obtain|seek|request|solicit|requires?|ask for|invite|need)(?:ing|s)?"
            r"(?: (?:the|an?|any|explicit|final|their|clear|written|more|additional))*"
            r" (?:approval|confirmation|permission|consent|clarifications?|sign-?off|feedback)\b"
            r"|\bexplicit (?:approval|confirmation|permission|consent|sign-?off)\b"
        ),
        unless=_negated,
    ),
    _Pattern(
        "asks",
        ("please",),
        _words(
            r"\bplease (?:also )?(?:provide|confirm|choose|select|specify|share|describe|tell|enter|review"
            r"|paste"
            r"|type|answer|pick|clarify|indicate|let|give|list|point|respond|reply|run)\b"
        ),
    ),
    _Pattern(
        "asks",
        (
            " me ",
            " me:",
            "thoughts",
            "anything else",
            "curious",
        ),
        _words(
            r"\blet me know\b|\b(?:tell|give|show|help|walk|send) me\b(?! the money)"
            r"|\bshare with (?:me|us)\b|\byour thoughts\b|\bi['’]m curious\b|[\"“'‘]anything else\b"
            r"|\banything else (?:they|you)\b"
        ),
    ),
    _Pattern(
        "asks",
        ("y/n", "yes/no", "yes / no"),
        re.compile(r"[\[(]\s*y(?:es)?\s*[/|]\s*n(?:o)?\b(?:\s*[/|,]\s*(?!partial)\w+)*[\])]|\by/n\b"),
    ),
    # --- offers
    _Pattern(
        "offers",
        _CHOICES,
        _words(
            r"\b(?:select|choose|pick|enter) (?:an?|your|the|one|from these|from the following)?(?: \w+)? ?"
            r"(?:options?\b(?! that| which| with| and record)|number\b|choice\b|preference\b)"
            r"|\b(?:select|choose):|\b(?:select|choose|pick) your\b|\byour (?:choice|selection|pick)\b"
            r"|\bwhich option\b"
        ),
    ),
    _Pattern(
        "offers",
        ("menu",),
        _words(
            r"\b(?:present|display|show|redisplay|re-display|offer|return to|back to|handle|repeat|after"
            r"|render|serve)"
            rf"(?:s|ed|ing)?(?: {_WORD}){{0,4}}? menu\b(?! (?:bar|item|screen|component|button))"
            r"|\bmenu (?:options?|handling|selection|items? selection|choices?|display\w*|logic|presented)\b"
            r"|\b(?:closing|exit|main|numbered|options?|a/p/c|continue|standard|final|same) menu\b"
        ),
    ),
    _Pattern(
        "offers",
        _CHOICES,
        _words(
            r"\b(?:present|offer|display|list|show|give)(?:s|ing|ed)?(?: (?!menu)[\w'’{}*`/\[\]-]+){0,3}?"
            r" (?:options?|choices?) (?:to|for) (?:the )?(?:user|human|them)\b"
            r"|\b(?:present|offer)(?:s|ing|ed)?(?: the)?(?: (?:\w+|\[\w\])){0,2} (?:options|choices)\b"
            r"|\bpresent(?:s|ing|ed)?(?: (?:the|an?))?(?: \w+)? (?:continue|complete|completion|exit"
            r"|back) option\b"
            r"|\[[a-z] \w+ option\]|\bhandle(?: \w+){1,2} (?:selection|confirmation|option|choice)s?\b"
            r"|\bchoice ?==|\[[a-z]\] (?:\w+ )?options?\b|\boptions? (?:was |is |are )?presented\b"
        ),
        also=("option", "choice", "handle"),
    ),
    _Pattern("offers", ("a/p",), re.compile(r"\ba/p(?:/c)?\b")),
    _Pattern(
        "offers",
        ("offer",),
        _words(
            rf"\b(?<!to\s)(?<!we\s)offer(?:ing)?(?: once| again| instead)? (?:to (?!customers|users"
            rf"|the market|their|people|its)\w+"
            rf"|them\b|{_USER}|both\b|a choice|choices|the choice)"
        ),
        unless=_negated,
    ),
    _Pattern("offers", ("offer",), re.compile(r"(?:^|\n)[\W\d_]*offer\s+(?!price|letter|code)\w+")),
    # The handlers of a menu: a condition that is one letter, or one letter that somebody takes.
    _Pattern(
        "offers",
        ("if ", "when "),
        re.compile(
            r"\b(?:IF|If|if|WHEN|When|when)[\s*]+(?:the (?:user|human) )?(?:\[[A-Za-z0-9]{1,2}\]"
            r"|['\"“`‘][A-Z0-9]{1,2}['\"”`’]"
            r"|[B-Z](?=\s*(?::|\(|[,—-]\s|[-–]|is (?:selected|chosen)|selected))|A(?=\s*(?::|\(|selected))"
            r"|\d(?=\s*:))"
        ),
        cased=True,
    ),
    _Pattern(
        "offers",
        _CHOICES,
        re.compile(
            r"(?i:\b(?:selects?|selected|selecting|chooses?|choosing|chose|picks?|picked|option))[\s*]+(?!N\b)"
            r"(?:\[[A-Za-z0-9]\]|['\"“`‘][A-Za-z0-9]['\"”`’]|[B-HJ-Z](?=[\s,.;:)]|$))"
            r"|(?<![\w'])['\"“`‘\[]?[B-HJ-Z]['\"”`’\]]?\s(?:is\s|was\s)?(?i:selected|chosen)\b"
        ),
        cased=True,
    ),
    _Pattern(
        "offers",
        _PERSONS,
        _words(
            rf"\b(?:if|when|after|once|until|unless|as soon as|only) {_USER}(?: explicitly)?"
            r" (?:select|choos|chose|pick|opt|say|said|type|enter|repl|answer|respon)\w*"
        ),
    ),
    # --- addresses
    _Pattern("addresses", ("greet",), re.compile(r"\bgreet(?:s|ing)?\b"), unless=_negated),
    _Pattern(
        "addresses",
        ("welcome",),
        _words(r"\bwelcom(?:e|es|ing) (?:the user|user|back(?!, )|to\b|message|them|\{)|\bwelcome[!,:*]"),
    ),
    _Pattern(
        "addresses",
        ("hi {", "hello", "hey ", "thank", "congrat"),
        _words(
            r"\b(?:hi|hello|hey|thanks|thank you),?[!]?(?: there)? ?(?:\{|there\b|the user)"
            r"|\bthank you\b|\bcongratulat\w+"
        ),
    ),
    _Pattern(
        "addresses",
        ("{user_name}",),
        re.compile(
            r"(?:[,—!][ ]|[\"“])\{+user_name\}+|\{+user_name\}+(?:[,!?]|\s\(|[\s]?:)|\b(?:to|with"
            r"|for)\s\{+user_name"
        ),
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            r"\b(?<!re-)(?<!llm-)(?:tell|inform|notify|alert|warn|remind|advise|congratulate|thank|show|give|direct|guide"
            r"|help|assist"
            r"|support|encourage|invite|engage|involve|let|allow|walk|instruct|refer|coach|hand|push"
            r"|challenge|orient"
            r"|pull|teach|meet|lead|offer|send|nudge|facilitate|leave|keep|present|update|steer|brief)"
            rf"(?:s|es|ed|ing|ting|ding)? {_USER}(?! can\b| could\b)"
        ),
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            rf"(?<!as\sa\s){_USER}(?: (?:explicitly|has|have|already|also|is|had|now|then|must|should|may"
            rf"|might))*"
            r" (?:selects?|selected|selecting|chooses?|chose|chosen|choosing|picks?|picked|confirms?"
            r"|confirmed|confirming"
            r"|provides?|provided|says?|said|saying|responds?|responded|repl(?:y|ies|ied)|wants?|wanted"
            r"|approves?"
            r"|approved|agrees?|agreed|accepts?|accepted|rejects?|rejected|declines?|declined|requests?"
            r"|requested"
            r"|asks?|asked|asking|specifi(?:es|ed)|gives?|gave|given|mentions?|mentioned|indicates?"
            r"|indicated|states|stated"
            r"|answers?|answered|decides?|decided|prefers?|describes?|described|explains?|brings|points"
            r"|pointed|signals?"
            r"|insists?|passes|passed|opens|leads|seems|volunteers?|supplies|supplied|names|named|invokes?"
            r"|invoked"
            r"|raises|raised|disagrees?|corrects?|corrected|ready|unsure|stuck|satisfied|done|happy"
            r"|interactively"
            r"|demonstrated|validates?|verifies|reviews|acknowledges|pastes|pasted|uploads|shows|giving"
            r"|drafts|struggles|adds|shares|shared"
            r"|responsible)\b"
        ),
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(r"\b(?:if|when|until|once|the) (?:the )?user types (?:[\"'`“]|in\b|the (?:number|letter))"),
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            r"\b(?:user|human)(?:['’]s)?(?: (?:explicit|scope|actual|final|original|direct|stated|clear"
            r"|current|own|last))?"
            r" (?:inputs?(?! (?:validation|field|sanit|handling|form|element))|repl(?:y|ies)"
            r"|response(?! time)s?|selections?"
            r"|confirmations?|approvals?|answers?|choices?|decisions?|consent(?! and)|permission"
            r"|instructions?"
            r"|agreement"
            r"|clarifications?|guidance|sign-?off|feedback(?! (?:loop|channel|collection|form|mechanism"
            r"|analysis|signals|has))"
            r"|conversation|messages?|validation(?! is needed)|engagement|collaboration|involvement"
            r"|direction|request"
            r"|review"
            r"|refinement|discussion|control|preferences? for)\b"
        ),
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            r"\b(?:work(?:s|ed|ing)?|walk(?:s|ed|ing)?|(?:confirm|discuss|review|shar|validat|collaborat"
            r"|check|verif|clarif|explor|talk|convers|dialogue"
            r"|engag|negotiat|facilitat|align|iterat|refin|partner|speak|communicat|interact|resolv|interview"
            rf"|session|building|co-creat|brainstorm|decid|agree)\w*)(?: {_WORD}){{0,4}}? with {_USER}"
        ),
        also=("with user", "with the user", "with human", "with the human", "with {"),
        unless=_negated,
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            r"\b(?:present|show|display|confirm|emphasi|explain|report|communicat|respon|reply|replies"
            r"|spe?ak|say|said|surfac|suggest"
            r"|recommend|offer|ask|return|output|messag|hand|send|deliver|list|describ|announc|escalat"
            r"|read|summar"
            r"|propos|question|relay|point|halt|clear|flag|visible|provid|transition|defer|prompt|listen"
            r"|giv|issue"
            rf"|pass|bring|mention|back|up)\w*(?: {_WORD}){{0,8}}? to {_USER}(?! can\b)"
        ),
        also=("to user", "to the user", "to human", "to the human", "to {", "to your user"),
        unless=_negated,
    ),
    _Pattern("addresses", _PERSONS, _words(rf"\bto {_USER}(?=\*{{0,2}}:)")),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            r"\b(?:user|human) can (?:say|override|ask|decline|veto|redirect|interrupt|always|also ask"
            r"|change their)\b"
        ),
    ),
    _Pattern(
        "addresses",
        (
            "they ",
            "for your ",
            "for confirmation",
            "for approval",
            "say ",
        ),
        _words(
            r"\b(?:if|when|once|until|unless) they(?:['’]re)? (?:explicitly )?"
            r"(?:want|say|choose|prefer|agree|decline|ask|select|pick|confirm|accept|approve|respond"
            r"|answer)\b"
            r"|\bfor (?:your )?(?:explicit )?(?:confirmation|approval)\b|\bfor your (?:review|input"
            r"|feedback|decision)\b"
            r"|\byou can say\b(?! yes or no)|\bjust say\b"
        ),
        unless=_negated,
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            r"\bfor (?:the |a )?(?:user|human)(?:['’]s)?"
            r" (?:to|review|approval|confirmation|selection|input|decision|feedback|validation|editing"
            r"|manual)\b"
        ),
        also=("for user", "for the user", "for human", "for the human", "for a human"),
    ),
    _Pattern(
        "addresses",
        _PERSONS,
        _words(
            r"\b(?:confirmed|approved|selected|chosen|requested|provided|specified|accepted|supplied"
            r"|validated|named"
            rf"|signed off|decided|reviewed|given|raised) by {_USER}"
        ),
        also=("by user", "by the user", "by human", "by the human", "by {"),
    ),
)

# All needles as one expression; a needle inside of a longer one stands for its own patterns too.
_NEEDLES = sorted(
    {needle for pattern in _PATTERNS for needle in pattern.needles}, key=lambda one: (-len(one), one)
)
# Grouped by their first letter, since most places fail there.
_NEEDLE = re.compile(
    "|".join(
        f"{re.escape(first)}(?:{'|'.join(re.escape(one[1:]) for one in _NEEDLES if one[0] == first)})"
        for first in sorted({needle[0] for needle in _NEEDLES})
    )
)
_ANY_NEEDLE, _SOME_NEEDLE = _NEEDLE.findall, _NEEDLE.search
_NEEDED_BY = {
    found: tuple(
        number
        for number, pattern in enumerate(_PATTERNS)
        if any(needle in found for needle in pattern.needles)
    )
    for found in _NEEDLES
}

# Questions that speak to somebody. A bare question may stand: the agent finds out the answer.
_SECOND_PERSON = re.compile(
    r"\byou\b|\byour\b|\byou['’](?:re|d|ve|ll)\b|\byours\b"
    r"|\b(?:shall|should|can|may|could) i\b(?! (?:use|switch)\b)|\bshall we\b|(?:^|[\"“*>-])\s*should we\b"
    r"|\bfor me to\b|\bwant me to\b|\blike me to\b|\bsound (?:good|right|like)\b"
    r"|(?:^|[*\"“>:\s])ready (?:to|for)\b|\banything (?:else|you)\b"
    r"|\b(?:is|does|do|did|are|look)s?\s(?:this|that|these|it|everything|the following)\s(?:all\s)?"
    r"(?:look|sound|match|captur|make sense|seem|feel|correct|right|accurate|ok|align|work for (?!\[)|reflect"
    r"|resonate)"
    r"|\blooks? (?:good|right)\b|\banyone (?:have|want)\b|\{+user_name\}+|\baccept these\b"
)
# A question that the agent puts to itself, or quotes as the one of a reader.
_SELF = re.compile(
    r"\b(?:have|did) you (?:check|verif|read|run|test|cover|forget|forgotten|confirm|updat)\w*"
    r"|\bfind out\b|\bif the requester\b"
)
_LONGEST = 240
_STOP = re.compile(r"[.!?](?=[\s\"”*)])|\n\s*\n|\n\s*(?:[-*+>#|]|\d+\.)\s")


def _questions(lowered: str) -> Iterator[Hit]:
    at = lowered.find("?")
    last = 0
    while at >= 0:
        low = max(last, at - _LONGEST)
        for stop in _STOP.finditer(lowered, low, at):
            low = stop.end()
        if _SECOND_PERSON.search(lowered[low:at]) and not _SELF.search(lowered, low, at):
            yield Hit("asks", low, at + 1)
        last = at + 1
        at = lowered.find("?", last)


# One option of a menu: its letter or number in brackets, before or after its label.
_OPTION = re.compile(r"(?<![\w\]`])(?<!!)\[([A-Za-z]|\d)\](?![(\[:\w])")
_BEFORE = re.compile(
    r"\**[ \t]*(?:[-–—:=][ \t]*)?\**[ \t]*(?=[A-Z]\w|[a-z]+ing\b|continue\b|complete\b|back\b|exit\b)"
)
_AFTER = re.compile(r"(?:^|[\s*,(`])[A-Z][\w-]*(?: \w+)?\**[ \t]$")
_SLASHED = re.compile(r"\[[A-Za-z0-9]{1,9}(?:[/|][A-Za-z0-9]{1,9})+\](?![(\[])")
_NO_MENU_SLASHED = frozenset(
    ("[n/a]", "[a/b]", "[x/y]", "[and/or]", "[i/o]", "[ci/cd]", "[ui/ux]", "[pass/fail]")
)
_CHECKBOX = re.compile(r"[ \t>]*(?:[-*+]|\d+\.)[ \t]+$")
_EXAMPLE = re.compile(r"(?i:\b(?:example|sample|template|e\.g\.)[^\n]{0,30})$")
# Letters that stand for a number or a name that is still to be filled in.
_FILLED_IN = frozenset("XNYZxyzn")


def _menus(text: str) -> Iterator[Hit]:
    for match in _SLASHED.finditer(text):
        parts = match.group()[1:-1].replace("|", "/").split("/")
        short = all(len(part) == 1 for part in parts)
        if match.group().lower() not in _NO_MENU_SLASHED and (short or len(parts[0]) == 1):
            yield Hit("offers", match.start(), match.end())
    found = [
        match
        for match in _OPTION.finditer(text)
        if not _EXAMPLE.search(text, max(0, match.start() - 50), match.start())
    ]
    if not found:
        return
    labelled = []
    for match in found:
        sign = match.group(1)
        box = (
            sign in "xX"
            and _CHECKBOX.match(text[text.rfind("\n", 0, match.start()) + 1 : match.start()]) is not None
        )
        if box and not (sign == "X" and len(found) > 1):
            continue
        before = _BEFORE.match(text, match.end()) is not None and not sign.isdigit()
        after = not before and _AFTER.search(text, max(0, match.start() - 40), match.start()) is not None
        line_start = not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip(' \t*->`"“')
        if sign.isdigit():
            labelled.append((match, 1 if line_start else 0))
        elif before and sign not in _FILLED_IN:
            labelled.append((match, 2))
        elif before or after or line_start:
            labelled.append((match, 1))
    listed = re.search(r"\[\w\](?:,| or|, or|/| /)[ ]?\[\w\]", text)
    if listed and not text[max(0, listed.start() - 1)].isalnum():
        yield Hit("offers", listed.start(), listed.end())
    if sum(weight for _, weight in labelled) >= 2:
        for match, weight in labelled:
            if weight:
                yield Hit("offers", match.start(), match.end())


_SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\n+|[✅❌]|\s[—–]\s")
_CEREMONY_NEEDLES = (
    *("step", "activat", "config", "communicat", "facilitat", "greet", "welcome", "protocol", "execution"),
    *(
        "menu",
        "speak",
        "respond",
        "talk",
        "character",
        "custom",
        "content generator",
        "collaborat",
        "convers",
    ),
    *("initialization", "role reinf", "tone", "session var", "peer", "partner", "equals", "persistent_facts"),
    *(
        "workflow architecture",
        "micro",
        "just-in-time",
        "sequential",
        "universal",
        "routing",
        "route to",
        "adopt",
    ),
    *("embody", "mandatory", "execute each", "system success", "selected", "halt and"),
)
# What a step writes down about its own progress is work, though it speaks of steps.
_BOOKKEEPING = "stepscompleted"
_CEREMONY = _words(
    # Greetings and activation.
    r"\bgreet(?:s|ed|ing)?\b|\bwelcome\b|\bactivat(?:e|ed|ion)\b|activation_steps|\bembody\b"
    r"|\bstay in character|\bbreak character|\bin character\b|\bfully adopt"
    # Loading of settings.
    r"|\b(?:load|resolve|read)\b[^\n]{0,40}\bconfig\b|\bconfig\.(?:yaml|toml|user)|\bconfig_source\b"
    r"|\bresolve_(?:customization|config)|\bcustomiz(?:e|ation)\b[^\n]{0,40}\b(?:toml|merge|resol|layer|block)"
    r"|\bpersistent_facts\b|\bstore any (?:other )?config|\bsession variables?\b|\bconfiguration loading"
    # How to speak.
    r"|communication_language|\bcommunication style\b|\bspeak output\b"
    r"|\b(?:speak|communicate|respond|talk) in\b"
    r"|(?:\byour|['’]s|\bmatch\w*) tone\b|\bconversational(?:ly)?\b|\bconversation (?:style|flow)\b"
    # The facilitator.
    r"|\bfacilitat(?:or|ion)\b|\bcontent generator\b|\brole reinforcement\b|\bexpert peer|\bpartnership\b"
    r"|\bcollaborative (?:dialogue|partner|peer|discovery|exploration|session)|\bas (?:equals|a partner)"
    r"|\b(?:a|the|natural) conversation\b(?! with the code)"
    # The machinery of steps.
    r"|\bstep(?:-| )files?\b|\bmicro-?file|\bjust-in-time\b|\bsequential enforcement|\bnextstepfile\b"
    r"|\bload(?:ing|s|ed)? (?:the )?next step|\bnext step (?:only|without|until|loading)"
    r"|\b(?:skip|optimi[sz]e)(?:s|d|ping|ing)?(?: \w+){0,2} steps?\b|\bmultiple steps at once"
    r"|\b(?:load|read|follow)\w*(?: \S+){0,6} \W{0,3}(?:[\w./{}-]*/)?step-[\w{}-]+(?:\.md)?"
    r"|\bproceed to (?:the )?next step|\bstep completion note|\brout(?:e|ing) to (?:the )?next"
    r"|\bmandatory (?:execution rules|sequence)|\bexecution (?:rules|protocols?)\b|\buniversal rules\b"
    r"|\bstep processing\b|\binitialization sequence\b|\bworkflow architecture\b|\bsystem success"
    r"|\bexecute each entry\b"
    # Menus and what hangs on them.
    r"|(?<!hamburger\s)\bmenus?\b|\bc (?:is )?selected\b|\bhalt and wait"
)
