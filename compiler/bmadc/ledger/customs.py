"""Reasons for which a text need not say a sentence of its source: it speaks of nothing but the talking.

Closed lists that share nothing with the rules which take such sentences out. What asks or offers something
is not on them: that must be said, if differently. They are exact: what they name is said by no text of a
release that the tests read, and whatever else a text leaves out has to be found missing.
"""

from __future__ import annotations

import re
from functools import lru_cache

_SETTINGS = "|".join(
    (
        "date",
        "user_skill_level",
        "output_folder",
        "communication_language",
        "project_knowledge",
        "user_name",
        "implementation_artifacts",
        "project_name",
        "document_output_language",
        "planning_artifacts",
    )
)

# What the sentence is about, and how it is known; they see small letters, no marks, single spaces.
CUSTOMS: tuple[tuple[str, str], ...] = (
    (
        "how to speak",
        r"\b(?:speak|communicate|respond|talk|write|generate|use|tailored|affects|output|produce)\b.{0,80}"
        r"(?:user_skill_level|communication_language|communication style|document_output_language)"
        r"|\blanguage must be tailored\b|\buser skill level\b.{0,40}\baffects\b"
        r"|^(?:in )?(?:your )?(?:agent )?communication style\b",
    ),
    (
        "who speaks",
        r"\bcontinue to (?:use those|operate with your)\b|\bstay in character\b|\bbreak character\b"
        r"|\bmode activation\b|\bfully embody\b|\badopt the persona\b"
        r"|\bpersona (?:is|has been) (?:loaded|active)",
    ),
    (
        "settings",
        r"\b(?:load|read|resolve|from)\b.{0,60}(?:\bconfig\b|config\.(?:yaml|toml)|main_config|config_source)"
        r"|\bconfig(?:uration)? (?:loading|from|has been|is loaded)|\bsystem-generated\b"
        rf"|^(?:(?:(?:bmm|core)[./])?(?:{_SETTINGS})|and|as|for|the|a|current|datetime|value| )+$"
        r"|\bresolve_(?:customization|config)|\bcustomize\.toml\b|\bpersistent_facts\b|\bactivation_steps"
        r"|\bsession variables?\b|^\w+_path\b.{0,4}(?:installed_path|project-root)",
    ),
    (
        "customising",
        r"\bactivation_steps|\bactivation is complete\b|\bpersistent_facts\b|\bpersistent facts\b"
        r"|\bon_complete\b"
        r"|\bresolves? (?:from|to)\b.{0,60}\b(?:skill|working|basename)|\bskill directory\b|\bskill root\b"
        r"|\bproject-root\b.{0,12}\bworking dir|\bskill-name\b.{0,20}\bbasename\b|\bdeep-merge\b"
        r"|\bpersonal overrides\b"
        r"|\bteam overrides\b|\bresolve the \w+ block\b|\b(?:append|prepend) steps\b|\brender_skill\b"
        r"|\bsnapshot path\b"
        r"|\bforward slashes\b|\bmeans skip\b|\bentries prefixed\b|^consult them alongside\b"
        r"|\bnever double-prefix\b"
        r"|\bmissing file is skipped\b|\bstring scalar\b|\bforwarded activation\b|\bmerged customize",
    ),
    (
        "who is there",
        r"^(?:headless|interactive)\b.{0,30}\bwhen\b|\bheadless: true\b|\bnon-interactive runner\b"
        r"|\bautomation context\b"
        r"|\bdefault to interactive\b|\bdetect mode\b|\bload this file when\b.{0,30}\bheadless\b"
        r"|\bheadless true\b|^if interactive\b|^interactive runs may\b|^it is quarantined here\b",
    ),
    (
        "the facilitator",
        r"\byou are a facilitator\b|\bgenerate content with(?:out)? user\b"
        r"|\bcollaborative \w+(?: \w+)? tone\b"
        r"|\btreat this as collaborative\b|\bcommand-response\b|\bnot assumption-based\b"
        r"|\bcollaborative dialogue\b|\bas equals\b|\bcollaborative\b.{0,40}\bnot (?:assum|recommend)",
    ),
    (
        "files of steps",
        r"\bstep[ -]files?\b|\bmicro-?files?\b|\bself-? ?contained\b.{0,40}\b(?:file|followed)"
        r"|\bjust-in-time\b|\bentire file is read\b|\bsequential (?:enforcement|progression)\b"
        r"|\bfollow sequence\b|\bread completely\b|^load next\b|\bmental todo\b|\bskip steps\b"
        r"|\bsteps in order\b"
        r"|\bno skipping\b|\bexecution engine\b|\balready loaded and processed\b|\bsections in order\b"
        r"|\bsave state\b|\bappend-only\b|^progress:? step \w+ of \d+"
        r"|\bnext step\b.{0,40}\bread\b"
        r"|\bsuccess/failure metrics\b",
    ),
    (
        "waiting",
        r"\b(?:halt|wait)\b.{0,40}\b(?:input|selection|confirmation|reply|response|menus?|them)\b"
        r"|\b(?:return|back) to (?:this|the) menu\b|\bredisplay\b|\bdisplay again\b|\bnaturally as part of\b"
        r"|\bmenu\b.{0,30}\b(?:presented|handled)\b|\b(?:presenting|present)\b.{0,30}\bmenu after\b"
        r"|\bonly proceed\b.{0,40}\bselects?\b|\bproceed(?:ing)? with c\b|\bnot load the next step\b"
        r"|\bawaiting user\b|\bwaiting for your\b|\bstop and wait\b|\bnot proceed until\b"
        r"|\breply with only\b|^wait for\b.{0,60}\b(?:respond|review|feedback|readiness|reply)\b"
        r"|\bmissing menu\b",
    ),
    (
        "speaking up",
        r"\bjust say\b|\byou can say\b|\bcan chat or ask\b|\boffer to answer any questions\b|\bin control\b"
        r"|\ballow (?:the )?user to (?:ask|choose)\b|\btheir own path\b",
    ),
    ("greetings", r"\bcongratulations\b|\bgreet\b|\bwelcome\b|\bthank you\b|^great work\b"),
)
_COMPILED = tuple((name, re.compile(pattern)) for name, pattern in CUSTOMS)
# Most sentences are none of it, and one expression is faster than many.
_ANY = re.compile("|".join(f"(?:{pattern})" for _, pattern in CUSTOMS))

NONE_SET = "noneset"
"""What stands for a customised value that is empty."""

# What tells of a whole unit what it is about, whatever its other sentences add to that.
WHOLES: tuple[tuple[str, str], ...] = (
    (
        "nothing is set",
        rf"^(?:\w+ )?{NONE_SET}(?: means none\W*)?$|^(?:\d+\. )?{NONE_SET} is an org-configured\b"
        r"|^(?:\d+\. )?(?:external handoffs\.? |load persistent facts )?(?:execute|run|treat)"
        rf"(?: each| every)?(?: entry in)? {NONE_SET}\b|^treat every entry below as\b.*{NONE_SET}"
        rf"|^{NONE_SET} includes an entry\b",
    ),
    (
        "settings",
        r"^(?:\d+\. )?(?:resolve (?:the workflow block|(?:core |central )?config|customization)|config)\b.*"
        r"resolve_\w+\.py"
        r"|^(?:\d+\. )?load project-root/_bmad/\w+/config\.yaml",
    ),
    (
        "customising",
        r"^(?:paths )?(?:bare paths|project-root|skill-root)\b(?: and skill-root\b)?.{0,90}"
        r"\b(?:resolves? from|working dir|install dir)"
        r"|^scripts\b.{0,30}\b(?:live in two|run via uv)|^workflow\. name\b"
        r"|\babsolute snapshot path\b|^if the script fails\b|^run the following command exactly once\b"
        r"|^on success read and follow the one\b|^on failure including uv\b"
        r"|^(?:checklist|documentation_requirements_csv|instructions|template|validation|templatefile"
        r"|brain_techniques_path|template_path|validateworkflow) (?:installed_path)?\.?/[\w./-]+$",
    ),
    (
        "who is there",
        r"\bdetect mode\b|\bheadless requires the absence\b|^args accepts headless\b"
        r"|^headless when any of\b|^when in doubt you are interactive\b|^if interactive and unclear\b"
        r"|^(?:\d+\. )?(?:otherwise interactive|interactive create|default full interactive)\b"
        r"|\binteractive only \.|^for html open in\b.*\bwhen interactive\b",
    ),
    ("files of steps", r"^micro-file design\b|^deprecated\b"),
    ("a page to choose from", r"^doctype html\b.{0,220}\bselection\b"),
    (
        "greetings",
        r"^(?:\d+\. )?greet (?:user as )?user_name\b|^if mode is not autonomous greet\b"
        r"|^use user_name for greeting$|^at the opening greeting\b"
        r"|^run these in order before the\b|^activation is complete\. (?:if|begin)\b",
    ),
)
_WHOLES = tuple((name, re.compile(pattern)) for name, pattern in WHOLES)

# What orders work, although it names the talking.
WORK = (
    rf"\bworkflow\.persistent_facts\b|\bfirst-class entries\b|{NONE_SET} .*\b(?:offer|decide) to invoke\b"
    r"|\bresearch subagents\b"
    r"|\bbegin the workflow at\b|\bthe greeting\. detect intent\b|\bresolve each lens\b"
    r"|\bunresolved fall\b|\bconsistent reads\b"
    r"|\b(?:appropriate|selected) (?:next )?step file\b|^valid step files\b|\bload that step file\b"
    r"|^progress:? step \w+ of 1\d|\bpresent a/p/c menu after\b|^if \w .*\bredisplay\b"
    r"|^(?:\d+\. )?return here and redisplay\b|^only proceed to (?:edit|finalize|next step)\b"
    r"|^installed_path\b|manifest_path\b|^agent_roster\b|\bkey agents\b|\bappend-only\b"
    r"|\bnot collaborative dialogue\b|\bcoach deeper\b|\bbefore any agent continues\b"
    r"|\bto assess quality\b|\bprovides additional\b|\bcontextual explanations\b|\bclose out in\b"
    r"|^(?:\d+\. )?bmad-init\b|^load references/|^available content\b|\bconfig files only\b"
    r"|\bavailable for configuration loading\b|\bsequential progression (?:is|through|within)\b"
    r"|\bnot skip steps\b|\b(?:loaded and|area) read completely\b|\bcommunication style consistently\b"
    r"|\bis loaded and resolved$"
    r"|^epic epic_number\b|^activation is complete after\b|^date date$|^welcome (?:activation|user_name to)\b"
    r"|\bgreeting at first\b"
)
_WORK = re.compile(WORK)
_LETTER = re.compile(r"[^\W\d_]")
_MARKS = re.compile(r"[^\w./'-]+|(?<!\w)-|-(?!\w)")
_SENTENCE = re.compile(r"(?<=[.!?;])[\s*_\"”]+(?=\S)|\n+|(?=[❌✅])")


def sentences(text: str) -> list[str]:
    """Return a text in pieces that can be said or left out each by itself; joined they are the text."""
    found = []
    start = 0
    for match in _SENTENCE.finditer(text):
        if text[start : match.end()].strip():
            found.append(text[start : match.end()])
            start = match.end()
    return [*found, text[start:]] if start < len(text) else found


@lru_cache(maxsize=1 << 15)
def custom(sentence: str) -> str:
    """Return what talking a sentence is about and nothing else, or nothing."""
    return _about(_plain(sentence))


def _plain(text: str) -> str:
    # A list with a hole in it is more than its names.
    text = text.lower().replace("{", "").replace("}", "").replace(", ,", " hole ")
    return " ".join(_MARKS.sub(" ", text).split())


def _about(plain: str) -> str:
    if _ANY.search(plain) is None:
        return ""
    return next(name for name, pattern in _COMPILED if pattern.search(plain))


@lru_cache(maxsize=1 << 15)
def customs(text: str) -> str:
    """Return why a unit need not be said: all of it is about the talking; or nothing."""
    plain = _plain(text)
    if _WORK.search(plain):
        return ""
    for name, pattern in _WHOLES:
        if pattern.search(plain):
            return name
    why = ""
    for one in sentences(text):
        if _LETTER.search(one):
            found = custom(one)
            if not found:
                return ""
            why = why or found
    return why
