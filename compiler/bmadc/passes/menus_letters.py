"""Letters of menus: where a letter or a number stands for an option, the option's name stands instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from bmadc.passes.options import SHOWN, name_of, option_places, option_text, options_within
from bmadc.passes.rules import Found, Made, Place, Rule
from bmadc.passes.sheet import Sheet

_SIGN = (
    r"\**(?:\[[A-Za-z\d]\]|['\"“‘`][A-Za-z\d]['\"”’`]|(?<![\w'’/])(?:[B-HJ-Z]|[AI](?=:| \())(?![\w/.'’-]))\**"
)
_CALLED = r"(?:[ \t]*\((?P<name>[^()\n]{2,60})\))?"
_TAKEN = re.compile(
    r"(?P<user>(?i:\b(?:the[ \t]+)?user)[ \t]+(?i:has[ \t]+|then[ \t]+)?(?P<how>(?i:explicitly[ \t]+))?)"
    r"(?P<verb>(?i:select|choos|chose|pick|type|enter|say|confirm)(?P<end>[a-z]*))[ \t]+(?i:option[ \t]+)?"
    rf"(?P<signs>{_SIGN}|(?<=option[ \t])\d\b){_CALLED}"
    r"(?i:[ \t]+to[ \t]+(?:continue|proceed)|[ \t]+from[ \t]+the[ \t]+(?:a/p/c[ \t]+)?menu|[ \t]+option)*"
)
_IS_TAKEN = re.compile(
    rf"(?:(?P<signs>{_SIGN})|\[(?P<sign>[A-Z])[ \t]+\w+[ \t]+option\]){_CALLED}"
    r"[ \t]+(?:(?:is|was|has been)[ \t]+)?(?:selected|chosen)\b"
)
_ARM = re.compile(
    r"(?<!\w)(?P<if>(?i:if|when))[ \t]+(?P<stress>\**)"
    r"(?P<signs>(?:\[[A-Za-z\d]\]|['\"“‘`][A-Z\d]['\"”’`]|[A-Z\d](?=[*]*(?::|[ \t]+\()))"
    r"(?:(?:,[ \t]+or|,|[ \t]*/|[ \t]+or)[ \t]*(?:\[[A-Za-z\d]\]|['\"“‘`][A-Z\d]['\"”’`]))*)"
    r"(?:[ \t]+\((?P<name>[^()\n]{2,60})\)|[ \t]+(?P<word>[A-Z]\w+)(?=:))?(?=[*]*(?:[ \t]*:|,|["
    r" \t]+or\b|[ \t]*[-–—]))"
)
_EQUALS = re.compile(r"(?i:\b(?:user[_ ])?choice)[ \t]*==?[ \t]*(?P<signs>'[A-Za-z\d]'|\d\b)")
_LETTERED = re.compile(r"\*\*(?P<signs>[A-Z])[ \t]+\((?P<name>[^()\n]{2,60})\)(?=\*\*:|:\*\*)")
_PROCEED = re.compile(
    rf"(?i:\bproceed)(?P<end>(?i:ing)?)[ \t]+(?i:with)[ \t]+(?P<signs>{_SIGN})(?P<choice>[ \t]+"
    rf"(?i:selection))?"
)
_VIA = re.compile(
    rf"(?i:\buser[ \t]+(?:approval|confirmation|selection|consent))[ \t]+(?i:via|of|with)[ \t]+"
    rf"(?P<signs>{_SIGN})"
)
_BEHIND = re.compile(
    r"(?<=[A-Za-z])[ \t]+\[(?P<sign>[A-Za-z])\](?=$|[ \t]*[,.:?;)\n]|[ \t]+(?:or|and|Process)\b)"
)
_NAMED = re.compile(r"(?<=\*\*)\[[A-WYZ]\] (?=[A-Z]\w+\*\*)")
_LOOSE = re.compile(r"(?<=\()\[(?P<signs>[A-WYZ]\](?:[ \t]+(?:or|and)[ \t]+\[[A-WYZ]\])*)(?=\))")
_NUMBERS = re.compile(
    r"(?i:\bchoose|\bselect|\bpick|\benter)(?i:[ \t]+(?:an[ \t]+)?options?)?(?=[ \t]+\[\d\])"
)
_NUMBER = re.compile(r"\[(\d)\](?=,|[ \t]+or\b|:|\?|$)")


def _in(pattern: re.Pattern[str], *hints: str) -> Found:
    def find(sheet: Sheet) -> Iterator[Place]:
        text, leaves = sheet.tree.text.text, sheet.tree.leaves
        for number in sheet.with_any(hints):
            kind, start, end, _ = leaves[number]
            if kind in SHOWN and pattern.search(text, start, end):
                for match in pattern.finditer(text, start, end):
                    yield Place(number, match.start(), match.end(), match)

    return Found(find, hints)


def _signs(match: re.Match[str]) -> list[str]:
    groups = match.groupdict()
    found: str = groups.get("signs") or groups.get("sign") or ""
    return re.findall(r"[A-Za-z\d](?![A-Za-z])", found.replace(" or", " ")) or ["C"]


def _named(sheet: Sheet, match: re.Match[str]) -> str:
    groups = match.groupdict()
    called: str = groups.get("name") or groups.get("word") or ""
    text, signs = sheet.tree.text.text, _signs(match)
    if called and (called[0].isupper() or len(signs) > 1):
        return called
    names = [name_of(text, match.start(), sign) for sign in signs]
    if called and names[0] in (signs[0], f"“{signs[0].upper()}”"):
        return called[0].upper() + called[1:]
    return ", ".join(names[:-1]) + " or " + names[-1] if len(names) > 1 else names[0]


def _made(say: Callable[[re.Match[str], str], str]) -> Made:
    def make(sheet: Sheet, place: Place) -> str:
        match = place.match
        assert match is not None
        text = say(match, _named(sheet, match))
        # A letter of a menu is always big; only a word tells that a sentence begins.
        return text[:1].upper() + text[1:] if re.match(r"\W*[A-Z]\w", match.group()) else text

    return Made(make)


def _taken(match: re.Match[str], name: str) -> str:
    if match["end"] == "ing":
        return f"choosing {name}"
    how = match["how"] or ""
    return (
        f"you {how}chose {name}"
        if match["verb"].lower() in ("selected", "chose")
        else f"you {how}choose {name}"
    )


def _is_taken(match: re.Match[str], name: str) -> str:
    return f"you choose {name}"


def _arm(match: re.Match[str], name: str) -> str:
    return f"{match['if'].lower()} {match['stress']}you choose {name}"


def _lettered(match: re.Match[str], name: str) -> str:
    return f"**{name}"


def _proceed(match: re.Match[str], name: str) -> str:
    if match["choice"]:
        return f"proceed{match['end']} when you choose {name}"
    return "continuing" if match["end"] else "continue"


def _via(match: re.Match[str], name: str) -> str:
    return f"the choice of {name}"


def _loose(match: re.Match[str], name: str) -> str:
    return name


def _behind(sheet: Sheet) -> Iterator[Place]:
    text, leaves = sheet.tree.text.text, sheet.tree.leaves
    for number in sheet.with_hint(" ["):
        leaf = leaves[number]
        if leaf.kind not in SHOWN:
            continue
        found = list(_BEHIND.finditer(text, leaf.start, leaf.end))
        if len(found) > 1 or (found and leaf.kind == "heading"):
            offered = {one.start for one in options_within(text, leaf.start, leaf.end)}
            for match in found:
                if text.index("[", match.start()) not in offered:
                    yield Place(number, match.start(), match.end(), match)


def _nothing(sheet: Sheet, place: Place) -> str:
    return ""


def _numbers(sheet: Sheet) -> Iterator[Place]:
    text, leaves = sheet.tree.text.text, sheet.tree.leaves
    for number in sheet.with_hint(" [1]"):
        leaf = leaves[number]
        if leaf.kind not in SHOWN:
            continue
        for match in _NUMBERS.finditer(text, leaf.start, leaf.end):
            yield Place(number, match.start(), match.end(), match)
            for one in _NUMBER.finditer(text, match.end(), leaf.end):
                yield Place(number, one.start(), one.end(), one)


def _number(sheet: Sheet, place: Place) -> str:
    assert place.match is not None
    return place.match[1] if place.match.re is _NUMBER else "Choose"


RULES: tuple[Rule, ...] = (
    Rule(
        id="menus.option",
        reason="The letter of an option was for a person to type; the agent chooses by name.",
        find=Found(option_places),
        make=Made(option_text),
        state="rewritten",
        classed="decide",
        examples=(
            (
                "Pick: [R] Roast [B] Brew [C] Continue to tasting",
                "Pick: Roast; Brew; or by default Continue to tasting",
            ),
            ("- [G] Grind the beans\n- [W] Wash the cups", "- Grind the beans\n- Wash the cups"),
            (
                "**Drink?**\n[T] Tea - green\n[C] Continue - later",
                "**Drink?**\n- Tea - green\n- By default: Continue - later",
            ),
            ("[C] Continue to tasting", "Continue to tasting"),
            (
                "Drink:\n**[T] Tea** - hot\n**[W] Water** - cold",
                "Drink:\n- **Tea** - hot\n- **Water** - cold",
            ),
            ("Choose:\n**[1]** Tea\n**[2]** Water", "Choose:\n- Tea\n- Water"),
            ("Pick a cup, [r] to Refill, or [x] to Proceed:", "Pick a cup, Refill, or by default Proceed:"),
        ),
        near=("Mixing [A] with [B] is new", "- [x] Roasted beans", "see [1] and [2]", "stepsCompleted: [1]"),
        over=("variables.",),
        consumes=(
            r".*\[\w\].*",
            r"[1-9]",
        ),
    ),
    Rule(
        id="menus.taken",
        reason="Nobody types a letter; the agent takes the option itself.",
        find=_in(_TAKEN, "user "),
        make=_made(_taken),
        state="rewritten",
        classed="decide",
        examples=(
            ("Pour when user selects 'C'.", "Pour when you choose Continue."),
            ("ONLY pour when the user chooses C (Continue)", "ONLY pour when you choose Continue"),
            ("Pouring without user selecting 'C'", "Pouring without choosing Continue"),
            ("Pour if user selects option 2 (black tea)", "Pour if you choose Black tea"),
            ("<check if=\"user chooses '2'\">tea</check>", '<check if="you choose 2">tea</check>'),
        ),
        near=("The user selects a cup.", "user chooses between tea and coffee"),
        over=(
            "person.",
            "questions.",
            "menus.option",
            "menus.three-in-fence",
            "menus.says",
            "menus.consents",
            "menus.if-chose",
        ),
        consumes=(r"a/p/c", r"[1-9]", r"`\w`"),
    ),
    Rule(
        id="menus.is-taken",
        reason="Nobody types a letter; the agent takes the option itself.",
        find=_in(_IS_TAKEN, "selected", "chosen"),
        make=_made(_is_taken),
        state="rewritten",
        classed="decide",
        examples=(
            ("Do not pour until C is selected", "Do not pour until you choose Continue"),
            ("ONLY WHEN [C continue option] is selected, pour.", "ONLY WHEN you choose Continue, pour."),
            ("When 'A' selected: pour", "When you choose Advanced Elicitation: pour"),
        ),
        near=("a cup is selected", "Cup B7 is chosen"),
        over=("person.", "questions.", "menus.arm", "menus.option"),
        consumes=(r"[1-9]", r"`\w`"),
    ),
    Rule(
        id="menus.arm",
        reason="An arm of a menu hangs on a letter; it hangs on the option's name instead.",
        find=_in(_ARM, "if ", "when '", "when ["),
        make=_made(_arm),
        state="rewritten",
        classed="decide",
        examples=(
            ("- IF C: pour", "- If you choose Continue: pour"),
            ("#### If 'B' (Brew again):", "#### If you choose Brew again:"),
            ("- **IF X (Exit):** wash up", "- **If you choose Exit:** wash up"),
        ),
        near=("If I am late, pour", "When A meets B, pour"),
        over=("person.", "questions.", "menus.option", "menus.consents", "menus.if-chose"),
        consumes=(r"[1-9]", r"`\w`"),
    ),
    Rule(
        id="menus.equals",
        reason="A condition compares the number that somebody typed; the agent takes the option itself.",
        find=_in(_EQUALS, "choice ="),
        make=_made(_is_taken),
        state="rewritten",
        classed="decide",
        examples=(('<check if="choice == 3">tea</check>', '<check if="you choose 3">tea</check>'),),
        near=("Your choice = your risk, so choice == none",),
        consumes=(r"[1-9]",),
    ),
    Rule(
        id="menus.lettered",
        reason="The letter in front of an option's name was for a person to type.",
        find=_in(_LETTERED, " ("),
        make=_made(_lettered),
        state="rewritten",
        examples=(("- **B (Brew again)**: pour twice", "- **Brew again**: pour twice"),),
        near=("- **Plan B (Brew again)**: pour twice", "- **B**: pour"),
    ),
    Rule(
        id="menus.proceed",
        reason="To proceed with a letter is to continue.",
        find=_in(_PROCEED, "proceed"),
        make=_made(_proceed),
        state="rewritten",
        classed="decide",
        examples=(
            ("Proceeding with 'C' before the water boils", "Continuing before the water boils"),
            ("ONLY proceed with 'C' selection", "ONLY proceed when you choose Continue"),
        ),
        near=("Proceeding with care",),
        over=("menus.is-taken",),
    ),
    Rule(
        id="menus.via",
        reason="Approval by a letter is the agent's own choice of the option.",
        find=_in(_VIA, "user "),
        make=_made(_via),
        state="rewritten",
        classed="decide",
        examples=(("Never pour without user approval via 'C'", "Never pour without the choice of Continue"),),
        near=("user approval via mail",),
        over=("person.", "questions.", "menus.without-consent"),
    ),
    Rule(
        id="menus.behind",
        reason="The letter behind an option's name was for a person to type.",
        find=Found(_behind),
        make=Made(_nothing),
        state="rewritten",
        classed="decide",
        examples=(
            ("Options: Pour [p], Stir [s]", "Options: Pour, Stir"),
            ("## POUR AGAIN [P]", "## POUR AGAIN"),
        ),
        near=("Add water [w] to taste", "## Sources [1]"),
    ),
    Rule(
        id="menus.numbers",
        reason="The numbers of a list are chosen from without brackets.",
        find=Found(_numbers),
        make=Made(_number),
        state="rewritten",
        classed="decide",
        examples=(("Choose option [1], [2], or [3]:", "Choose 1, 2, or 3:"),),
        near=("The cups of option [1] are blue",),
        over=("questions.",),
    ),
    Rule(
        id="menus.sign",
        reason="A letter that stands for an option elsewhere is called by the option's name.",
        find=_in(_LOOSE, "] or [", "] and [", "(["),
        make=_made(_loose),
        state="rewritten",
        classed="decide",
        examples=(("- Escape ([P] or [C]): run", "- Escape (Party Mode or Continue): run"),),
        near=("- Mix [A] with [B]", "- [x] or [ ]"),
    ),
)
