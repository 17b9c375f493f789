"""How much of a source's text is found again in another text, measured without anything of the compiler.

Both sides are plain text here: cut into units by one splitter, which knows only the outer marks of Markdown
and XML, and compared letter by letter. A unit is a sentence, a list item, a table's cell, a heading, the text
of a tag, or the condition or goal in its attributes; it has at least four words, and no case, punctuation or
marks. `core` takes out what talks to a person or keeps the books of a session. Of the rest a unit is found at
a threshold if some unit of the other text is that similar to it, or holds it nearly whole.
"""

import html
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from rapidfuzz import fuzz, process

from support.readings import source_pack
from support.releases import source_root

STRICT = 70
VERBATIM = 85

_FEWEST_WORDS = 4
# A shorter unit lies inside some long sentence by chance.
_FEWEST_WORDS_INSIDE = 6
# A part of a longer text may choose its ends, so it must be more alike than a whole unit: 80 is worth 70,
# and 90 is worth 85.
_INSIDE_STRICT, _INSIDE_VERBATIM = 80, 90
# What holds a unit nearly whole has this share of its words as they are. It only saves time, most of it: over
# the 1,056 pairs of workflows of 6.0.4 one unit is found without it that is not found with it.
_SHARED_WORDS = 0.4
# Roles of files that hold no instructions: forms to fill in, tables, programs, settings.
_NO_PROSE = frozenset(("template", "data", "script", "asset", "customize", "manifest", "config"))

_READ = (".md", ".xml")
_SPOKEN_ATTRIBUTES = ("if", "goal", "title", "desc")

_FRONT_MATTER = re.compile(r"\A\ufeff?---[ \t]*\n(?:.*\n)*?---[ \t]*(?:\n|\Z)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_FENCE = re.compile(r"[ \t>]*(?P<mark>`{3,}|~{3,})(?P<info>.*)")
_FENCE_LINE = re.compile(rf"^{_FENCE.pattern}$", re.MULTILINE)
_CODE = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][\w-]*)"
    r"(?P<attributes>(?:\s+[\w:-]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*(?P<empty>/?)>"
)
_ATTRIBUTE = re.compile(r"([\w:-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_DECLARATION = re.compile(r"<[?!][^>]*>")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+")
# Pictures at the start of a line do what a list marker does.
_MARKER = re.compile(
    r"^\s*(?:[-*+•](?=\s)|\d{1,3}[.)](?=\s)|#{1,6}(?=\s)|[\u2139\u2190-\u2bff\U0001f000-\U0001faff]+\ufe0f?)\s*"
)
_CHECKBOX = re.compile(r"^\[[ xX]\]\s+")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$|^[\s|:-]+$")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|`+")
_ABBREVIATION = re.compile(r"\b(e\.g|i\.e|etc|vs|cf|no|approx|incl)\.(?=\s)", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+(?=[\"'“‘(\[{]*[^\W_a-z])")
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_NO_WORD = re.compile(r"[\W_\u2139]+")

# A line that ends like this goes on in the next one when that could be its rest.
_WRAPPED_AT = 70
_FINISHED = re.compile(r"[.!?:;][\"'”’)\]*_`]*$")
_OPEN = re.compile(r"(?:,|\b(?:and|or|the|a|an|of|to|for|with|in|by))$")


def normalised(text: str) -> str:
    """Return only the words of a text, in lower case, with one space between them."""
    return _NO_WORD.sub(" ", _APOSTROPHE.sub("", text)).strip().lower()


def paragraphs(text: str, *, fenced: bool = False) -> Iterator[str]:
    """Give the paragraphs, list items, headings, cells and tag texts of a Markdown or XML text, in order.

    Front matter, comments and tags are no part of it, and fenced blocks only when they are asked for; line
    breaks within a paragraph are spaces.
    """
    bare = _COMMENT.sub(" ", _FRONT_MATTER.sub("", text.replace("\r\n", "\n"), count=1))
    bare = _FENCE_LINE.sub("", bare) if fenced else _without_fences(bare)
    held = ""
    for line in (*_without_tags(bare).split("\n"), ""):
        line = _QUOTE_MARK.sub("", line).rstrip()
        starts = _MARKER.match(line) is not None or line.lstrip().startswith("|")
        if held and line and not starts and not _RULE.match(line) and _goes_on(held, line.strip()):
            held = f"{held} {line.strip()}"
            continue
        yield from _cells(held)
        held = "" if _RULE.match(line) else line.strip()
    yield from _cells(held)


def units(text: str, *, fenced: bool = False) -> tuple[str, ...]:
    """Return the normalised units of a Markdown or XML text, each once, in the order of the text."""
    found = (
        normalised(sentence) for block in paragraphs(text, fenced=fenced) for sentence in _sentences(block)
    )
    return tuple(dict.fromkeys(unit for unit in found if unit.count(" ") >= _FEWEST_WORDS - 1))


def source_units(paths: Iterable[Path], *, fenced: bool = False) -> tuple[str, ...]:
    """Return the units of all Markdown and XML files of a workflow, each once; other files have none."""
    texts = (path.read_text(encoding="utf-8") for path in paths if path.suffix in _READ)
    return tuple(dict.fromkeys(unit for text in texts for unit in units(text, fenced=fenced)))


@dataclass(frozen=True, slots=True)
class Source:
    """The files of a workflow that hold prose; `stepped` says that its steps are files of their own."""

    paths: tuple[Path, ...]
    stepped: bool


def sources(release: str) -> dict[str, Source]:
    """Return the workflows of a release that have text of their own, by id.

    The list of files is all that is taken from the compiler. The engine and workflows that only lead to
    another one are left out.
    """
    root = source_root(release)
    return {
        workflow.id: Source(
            tuple(root / use.path for use in workflow.files if use.role not in _NO_PROSE),
            any(use.role == "step" for use in workflow.files),
        )
        for workflow in source_pack(release).workflows
        if not workflow.engine and not (workflow.shim and workflow.shim.target)
    }


def unrelated(name: str, stepped: Mapping[str, bool], bodies: Mapping[str, str]) -> str:
    """Return the id of the longest body of the other family: of those with step files, or of those without.

    Related workflows are copies of each other in part, and those are always of one family. The choice does
    not look at the words, or it would find what it looks for. It is empty if the other family is.
    """
    others = (other for other in bodies if stepped[other] != stepped[name])
    return min(others, key=lambda other: (-len(bodies[other]), other), default="")


def _without_fences(text: str) -> str:
    kept = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.fullmatch(line)
        if fence:
            if mark and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = ""
        elif mark and "`" not in mark["info"]:
            fence = mark["mark"]
            kept.append("")
        else:
            kept.append(line)
    return "\n".join(kept)


def _without_tags(text: str) -> str:
    text = _CODE.sub(lambda code: re.sub("[<>]", " ", code[0]), _DECLARATION.sub("\n\n", text))
    closed = set(re.findall(r"</([A-Za-z][\w-]*)\s*>", text))

    def parted(tag: re.Match[str]) -> str:
        # A name in angle brackets that is never closed is a blank to be filled in, so it is a word.
        if tag["name"] not in closed and not tag["attributes"] and not tag["empty"]:
            return f" {tag['name']} "
        said = (
            value or other
            for name, value, other in _ATTRIBUTE.findall(tag["attributes"])
            if name in _SPOKEN_ATTRIBUTES
        )
        return "\n\n" + "".join(f"{one}\n\n" for one in said)

    return _TAG.sub(parted, text)


def _goes_on(line: str, following: str) -> bool:
    if _FINISHED.search(line):
        return False
    return following[0].islower() or len(line) >= _WRAPPED_AT or _OPEN.search(line) is not None


def _cells(line: str) -> Iterator[str]:
    parts = line.split("|") if line.startswith("|") else (line,)
    for part in parts:
        part = part.strip()
        while (marker := _MARKER.match(part)) and marker.end():
            part = part[marker.end() :]
        part = _CHECKBOX.sub("", part)
        if part:
            yield html.unescape(_EMPHASIS.sub("", _LINK.sub(r"\1", part)))


def _sentences(block: str) -> list[str]:
    return _SENTENCE_END.split(_ABBREVIATION.sub(lambda short: short[1].replace(".", ""), block))


# What a run without a person does not need, by family. Written over normalised units: lower case, no marks.
# A family names an act of dialogue or of bookkeeping, never a topic. What is looked for, a criterion, a fact,
# a condition that is no person's answer, a text to show and HALT on an error are substance and stay in, even
# when the word user is in them. The letter a is no menu's letter here unless its label follows.
_LETTER = r"[b-rt-wyz]"
_LABELS = r"(?:continue|complete|back|exit|quit|edit|retry|reshuffle|proceed|accept|skip|finish|yes|no)"
_INTERACTIVE: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        # Menus with letters, what is done upon a letter, and that a menu was shown.
        "menu": (
            rf"\b(?:a p c|a c|c|apc|bracket|exit) (?:menus?|options?|selection)\b|\b{_LETTER} {_LABELS}\b",
            r"\bmenu (?:options?|items?|handling|logic|selection|again|is presented|presented|with)\b",
            r"\b(?:present|display|redisplay|show|return to|halt at) (?:\w+ ){0,2}menus?\b|\bredisplay\b",
            r"\ba advanced elicitation\b|\bp party mode\b|\b[ap] selected\b|\bcontinue option\b",
            rf"\b(?:options?|select|selects|selected|selecting|chooses?|chosen|with|until) {_LETTER}\b",
            rf"^(?:if|when|on) {_LETTER}\b|\b{_LETTER} is selected\b",
            r"^if a (?:advanced|read|proceed|execute|refine)\b|^(?:if )?any other\b",
            r"\bselect an option\b|\bchoose (?:an )?option\b|\byour (?:choice|selection)\b",
            r"\by n\b|\byes no$|\bx (?:exit|proceed)\b|\benter (?:your|number)\b",
        ),
        # Questions and requests to a person.
        "ask": (
            r"\bask(?:s|ing|ed)? (?:the )?(?:users?|human|them|user name)\b|\bprompt (?:the )?user\b",
            r"^ask (?:if|about|whether|what|which|how|why|for|targeted|open|follow|questions?|them)\b",
            r"\b(?:ask|request) (?:for )?(?:clarification|confirmation|feedback|permission|approval|input)\b",
            r"\b(?:would|do|does|did) you (?:like|want|prefer|agree|approve|confirm)\b|\byoud like\b",
            r"\blet me know\b|\bready to (?:begin|continue|proceed|start)\b|\bwhat would be most helpful\b",
            r"\bplease (?:provide|choose|select|specify|confirm|share|tell|enter|type)\b",
            r"\b(?:should|shall) (?:we|i) (?:proceed|continue|adjust|add|include|start|begin)\b",
            r"\bdoes this (?:look|sound|feel|match|capture|align)\b",
        ),
        # Waiting for a person. HALT upon a condition is none.
        "wait": (
            r"\b(?:a?wait(?:s|ing)?|pause|halt) (?:for|until) (?:\w+ ){0,2}"
            r"(?:user|human|input|response|confirm\w*|reply|selection)\b",
            r"\b(?:stop|halt) and (?:wait|ask)\b|\balways halt\b|\bwait for (?:user name|your)\b",
            r"\bwithout (?:\w+ )?(?:user|human) (?:\w+ )?(?:input|confirmation|approval|consent|select\w+)\b",
        ),
        # What a person answered, chose or accepted.
        "answer": (
            r"\b(?:if|when|until|after|once|unless|whether) (?:the )?(?:user|user name|human) (?:\w+ )?"
            r"(?:select|choose|chose|confirm|approve|say|accept|reject|want|provide|request|respond|agree"
            r"|decline|indicate|specif|ask|pick)\w*",
            r"\buser (?:select(?:s|ed|ing)?|chooses|chose|confirm(?:s|ed)?|approve[sd]|accepts?|rejects?)\b",
            r"\buser (?:responds|replies|answers|agrees|declines)\b|\buser input handled\b",
            r"\buser (?:confirmation|selection|responses?|reply|choice|approval)\b|\bhelp user respond\b",
            r"\b(?:confirm|clarify|validate|verify|review)(?:s|ed|ing|d)? (?:\w+ ){0,4}with (?:the )?user\b",
        ),
        # Greetings and cheers. What a script then reports is substance.
        "greeting": (
            r"\bgreet(?:s|ing|ings)?\b|\bwelcome (?:back|message|to|user|the)\b|\bthanks? (?:you )?for\b",
            r"^(?:hello|hi|hey|congratulations)\b",
            r"^(?:\w+ )?(?:great|excellent|perfect|awesome)(?: \w+){0,3}$",
        ),
        # Who leads the talk, and in which tone.
        "facilitation": (
            r"\bfacilitators?\b|\bcommand response\b|\bclient vendor\b|\bas equals\b|\bconversation style\b",
            r"\bcollaborative (?:discovery|dialogue) (?:between|not)\b|\bbetween (?:\w+ ){0,3}peers\b",
            r"\b(?:the user|your partner) brings?\b|\bmaintain \w+(?: \w+)? tone\b",
        ),
        # The books of a session: which steps are done, what was loaded, where it goes on.
        "books": (
            r"^(?:\w+ ){0,14}front ?matter\b(?: \w+){0,10}$|\bstepscompleted\b|\binputdocuments\b",
            r"\bonly save when\b|\bsave state\b|\b(?:workflow|handle|check|detecting|clear) continuation\b",
            r"\bcontinuation (?:state|protocol|properly)\b|\bresum(?:e|ing) (?:the )?workflow\b",
            r"\b(?:fresh|existing) workflow\b|\bworkflow state\b",
        ),
        # How step files are read, one after the other.
        "steps": (
            r"\bstep files?\b|\bread fully and follow\b|\bthe (?:complete|entire) step\b|\bnextstepfile\b",
            r"\b(?:load|loading|to|until|follow|before) (?:the )?next step\b|\bload step\b|\bfuture steps?\b",
            r"^(?:\w+ ){0,2}(?:proceed|continue|return|go|goto|jump|move|advance) (?:back )?to (?:the )?"
            r"(?:next )?step(?: \w+){0,4}$",
            r"\bstep \d+[a-z]? of \d+\b|\bstep \d+[a-z]?(?: \w+){1,4} md\b|\bself contained file\b",
            r"\bnever skip steps\b|\bskipping steps\b|\bmental todo\b|\bjust in time loading\b",
            r"\bsystem success failure\b|\bmandatory execution rules\b|\bstep completion note\b",
            r"\bno exceptions$|\bexact instructions\b|\bxml tag\b|\bhalt conditions are met\b",
            r"\bflow section\b|\boutside flow\b|\bmicro file\b",
        ),
        # Settings, and the engine that reads them.
        "config": (
            r"\bconfig yaml\b|\bload (?:and read )?(?:the )?(?:full )?config\b|\bmain config\b",
            r"\bcommunication language\b|\bdocument output language\b|\bplanning artifacts user name\b",
            r"\bexecution engine\b|\balready loaded and\b|\binstalled path\b|\bsystem generated\b",
            r"\bproject root bmad (?:core|bmm)\b|\bworkflow (?:xml|yaml)\b|\bvariables from workflow\b",
        ),
    }
)
FAMILIES = {name: re.compile("|".join(patterns)) for name, patterns in _INTERACTIVE.items()}

# A long sentence says more than that somebody is asked, unless it tells what to do upon a menu's letter.
_MOST_WORDS = 30
_AT_ANY_LENGTH = ("menu", "steps")


def family(unit: str) -> str:
    """Return the family of dialogue or bookkeeping that a unit belongs to, or nothing if it is substance."""
    long = unit.count(" ") >= _MOST_WORDS
    asked = (name for name in FAMILIES if name in _AT_ANY_LENGTH or not long)
    return next((name for name in asked if FAMILIES[name].search(unit)), "")


def core(found: Iterable[str]) -> tuple[str, ...]:
    """Return the units that are neither dialogue nor bookkeeping."""
    return tuple(unit for unit in found if not family(unit))


@dataclass(frozen=True, slots=True)
class Output:
    """A text in which units are looked for; `wholes` are its units and paragraphs, `having` those by word."""

    units: tuple[str, ...]
    exact: frozenset[str]
    wholes: tuple[str, ...]
    having: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Measure:
    """How many units there are, and how many of them were found at 70 and at 85."""

    units: int
    at70: int
    at85: int

    def __add__(self, other: "Measure") -> "Measure":
        return Measure(self.units + other.units, self.at70 + other.at70, self.at85 + other.at85)

    @property
    def percent70(self) -> float:
        """The share found at 70, in percent; all of nothing is found."""
        return 100 * self.at70 / self.units if self.units else 100.0

    @property
    def percent85(self) -> float:
        """The share found at 85, in percent; all of nothing is found."""
        return 100 * self.at85 / self.units if self.units else 100.0


@lru_cache(maxsize=64)
def read_output(body: str, *, fenced: bool = False) -> Output:
    """Return a text prepared for looking units up in it."""
    split = units(body, fenced=fenced)
    whole = (normalised(block) for block in paragraphs(body, fenced=fenced))
    wholes = tuple(dict.fromkeys((*split, *whole)))
    having: dict[str, tuple[int, ...]] = {}
    for place, words in enumerate(wholes):
        for word in set(words.split()):
            having[word] = (*having.get(word, ()), place)
    return Output(split, frozenset(split), wholes, MappingProxyType(having))


def ratio(unit: str, output: Output) -> float:
    """Return how well a unit is found in a text, from 0 to 100: 70 is strict, 85 is verbatim."""
    if unit in output.exact:
        return 100.0
    best = process.extractOne(unit, output.units, scorer=fuzz.ratio, score_cutoff=STRICT)
    whole = best[1] if best else 0.0
    return whole if whole >= VERBATIM else max(whole, _inside(unit, output))


def measure(found: Iterable[str], body: str, *, fenced: bool = False) -> Measure:
    """Return how many of these units are in a text, at either threshold."""
    output = read_output(body, fenced=fenced)
    scores = [ratio(unit, output) for unit in found]
    return Measure(len(scores), sum(one >= STRICT for one in scores), sum(one >= VERBATIM for one in scores))


def misses(found: Iterable[str], body: str, *, fenced: bool = False) -> tuple[tuple[float, str], ...]:
    """Return the units that are not in a text at 85, with what they reach, in their order."""
    output = read_output(body, fenced=fenced)
    scores = ((ratio(unit, output), unit) for unit in found)
    return tuple((score, unit) for score, unit in scores if score < VERBATIM)


def _inside(unit: str, output: Output) -> float:
    words = unit.split()
    if len(words) < _FEWEST_WORDS_INSIDE:
        return 0.0
    shared = Counter(place for word in set(words) for place in output.having.get(word, ()))
    # A text shorter than the unit cannot hold it, though it may well lie inside it.
    holders = [
        output.wholes[place]
        for place, count in sorted(shared.items())
        if count >= _SHARED_WORDS * len(set(words)) and len(output.wholes[place]) >= len(unit)
    ]
    best = process.extractOne(unit, holders, scorer=fuzz.partial_ratio, score_cutoff=_INSIDE_STRICT)
    if best is None:
        return 0.0
    lost = _INSIDE_VERBATIM - VERBATIM if best[1] >= _INSIDE_VERBATIM else _INSIDE_STRICT - STRICT
    return best[1] - lost
