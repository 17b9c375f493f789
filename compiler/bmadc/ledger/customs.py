"""Reasons for which a text need not say a sentence of its source: it speaks of nothing but the talking.

A closed list that shares nothing with the rules which take such sentences out. What asks or offers something
is not on it: that must be said, if differently.
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
        r"|\bforward slashes\b|\bmeans skip\b|\bentries prefixed\b|\bfoundational context\b"
        r"|\bnever double-prefix\b"
        r"|\bmissing file is skipped\b|\bstring scalar\b|\bforwarded activation\b|\bmerged customize",
    ),
    (
        "who is there",
        r"^(?:headless|interactive)\b.{0,30}\bwhen\b|\bheadless: true\b|\bnon-interactive runner\b"
        r"|\bautomation context\b"
        r"|\bdefault to interactive\b|\bdetect mode\b|\bload this file when\b.{0,30}\bheadless\b"
        r"|\bheadless true\b",
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
    plain = " ".join(_MARKS.sub(" ", sentence.lower().replace("{", "").replace("}", "")).split())
    if _ANY.search(plain) is None:
        return ""
    return next(name for name, pattern in _COMPILED if pattern.search(plain))


@lru_cache(maxsize=1 << 15)
def customs(text: str) -> str:
    """Return why a text need not be said: each of its sentences with words is custom; or nothing."""
    why = ""
    for one in sentences(text):
        if _LETTER.search(one):
            found = custom(one)
            if not found:
                return ""
            why = why or found
    return why
