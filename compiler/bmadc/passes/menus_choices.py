"""Choices: what introduces a menu, what comes back to it, and what asks for yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bmadc.passes.options import SHOWN, options_within
from bmadc.passes.rules import Found, Made, Nothing, Once, Phrase, Place, Rule, Say, Whole
from bmadc.passes.sheet import Sheet

_TALK = ("person.", "questions.")
_ALL = ("person.", "questions.", "variables.", "includes.", "names.", "writes.", "flow.")
_THREE = "Advanced Elicitation, Party Mode or Continue"

_INTRO = re.compile(
    r"(?:(?:[Dd]isplay|[Ss]how|[Pp]resent):?[ \t]*)?(?P<quote>[\"“`])?(?P<stress>\**)"
    r"(?:Select(?:[ \t]+an[ \t]+option)?|Choose(?:[ \t]+an[ \t]+option)?|Pick(?:[ \t]+an["
    r" \t]+option)?|Options|Next[ \t]+steps"
    r"|What[ \t]+would[ \t]+you[ \t]+like[ \t]+to[ \t]+do|How[ \t]+would[ \t]+you[ \t]+like[ \t]+to["
    r" \t]+(?:proceed|continue)"
    r"|Would[ \t]+you[ \t]+like[ \t]+to|Confirm[ \t]+these[ \t]+choices)[ \t]*[:?]",
    re.IGNORECASE,
)
_READY = re.compile(
    r"(?<![A-Za-z] )(?P<stress>\**)\bReady[ \t]+(?:to|for(?! me\b))[ \t]+(?P<what>[^?\n]{3,120})\?",
    re.IGNORECASE,
)
_CLOSE = re.compile(r"[\"”`]\s*$")


def _intros(sheet: Sheet) -> Iterator[Place]:
    text, leaves = sheet.tree.text.text, sheet.tree.leaves
    for number in sheet.with_hint("["):
        leaf = leaves[number]
        found = options_within(text, leaf.start, leaf.end) if leaf.kind in SHOWN else ()
        if not found:
            continue
        last = None
        for match in _INTRO.finditer(text, leaf.start, found[0].start):
            last = match
        if last is None or text[last.end() : found[0].start].strip(' *\n\t-"“'):
            continue
        yield Place(number, last.start(), last.end(), last)
        close = _CLOSE.search(text, found[-1].end, leaf.end)
        if last["quote"] and close:
            yield Place(number, close.start(), close.start() + 1)


def _intro(sheet: Sheet, place: Place) -> str:
    if place.match is None:
        return ""
    leaf, text = sheet.tree.leaves[place.leaf], sheet.tree.text.text
    several = len(options_within(text, leaf.start, leaf.end)) > 1
    return str(place.match["stress"]) + ("Choose one of these and record why:" if several else "Go on:")


def _readies(sheet: Sheet) -> Iterator[Place]:
    text, leaves = sheet.tree.text.text, sheet.tree.leaves
    for number in sheet.with_hint("ready "):
        leaf = leaves[number]
        if leaf.kind in SHOWN:
            for match in _READY.finditer(text, leaf.start, leaf.end):
                yield Place(number, match.start(), match.end(), match)


def _ready(sheet: Sheet, place: Place) -> str:
    assert place.match is not None
    return f"{place.match['stress']}Next: {place.match['what']}."


_YES_NO = r"[\[(](?:y/n|yes/no|y/n/edit|y/n/other|yes/no/edit|y/n/c)[\])]"
_ASKED = r"(?:ask(?: the)? user(?: to confirm)?:? ?|ask:? |prompt:? ?)"

RULES: tuple[Rule, ...] = (
    Rule(
        id="menus.intro",
        reason="A menu waits for a letter; the agent chooses, and says why.",
        find=Found(_intros),
        make=Made(_intro),
        state="rewritten",
        classed="decide",
        examples=(
            (
                'Display: "**Select:** [R] Roast [B] Brew"',
                "**Choose one of these and record why:** [R] Roast [B] Brew",
            ),
            (
                "**What would you like to do?**\n[R] Roast\n[B] Brew",
                "**Choose one of these and record why:**\n[R] Roast\n[B] Brew",
            ),
            ("**Select an Option:** [C] Continue to tasting", "**Go on:** [C] Continue to tasting"),
        ),
        near=("**Select:** the roast that you like", "Options: [see below]"),
        over=("menus.what-to-do", "menus.would-like", "menus.pick", *_TALK),
    ),
    Rule(
        id="menus.ready",
        reason="Nobody says that they are ready; the work goes on.",
        find=Found(_readies),
        make=Made(_ready),
        state="rewritten",
        classed="decide",
        examples=(("**Ready to taste the brew?**", "**Next: taste the brew.**"),),
        near=("The cups are ready to use.", "Ready to serve", "Do they feel ready to drink?"),
        over=_TALK,
        consumes=(r"(?:y|yes)/(?:n|no)(?:/\w+)?",),
    ),
    Rule(
        id="menus.what-to-do",
        reason="A person was to say how to go on; the agent decides.",
        find=Phrase(
            "would you like to",
            r"(?:what|how) would you like to (?:do|proceed|continue|go on|start|begin)(?: next| now|"
            r" today)?\?",
            kinds=SHOWN,
        ),
        make=Say("Choose how to go on and record why:"),
        state="rewritten",
        classed="decide",
        examples=(("**What would you like to do next?**", "**Choose how to go on and record why:**"),),
        near=("What would you like to drink?",),
        over=_TALK,
    ),
    Rule(
        id="menus.would-like",
        reason="A person was to take one of several things; the agent decides.",
        find=Phrase("would you like to", r"would you like to(?: either)?:", kinds=SHOWN),
        make=Say("Choose one of these and record why:"),
        state="rewritten",
        classed="decide",
        examples=(("Would you like to:", "Choose one of these and record why:"),),
        near=("Would you like to drink tea?",),
        over=_TALK,
    ),
    Rule(
        id="menus.present-menu",
        reason="No menu is shown; the choice is made.",
        find=Phrase(
            "menu",
            r"(?:present|display|show|offer)(?: (?:completion message and|content and|a|the|this"
            r"|final|checkpoint|closing"
            r"|review|exit|main|numbered))* menu(?: opt?ions?)?(?: below)?(?: for user selection)?"
            r"(?! (?:bar|item|naturally))\b",
            kinds=SHOWN,
        ),
        make=Say("choose how to go on"),
        state="rewritten",
        classed="decide",
        examples=(
            ("### 3. Present MENU OPTIONS", "### 3. Choose how to go on"),
            ("Show the brew, then display menu:", "Show the brew, then choose how to go on:"),
        ),
        near=("Present the menu bar", "The menu lists all teas"),
        over=("menus.offer-thing", *_TALK),
    ),
    Rule(
        id="menus.content-and-menu",
        reason="No menu is shown; the choice is made.",
        find=Phrase(
            "and menu", r"present (?P<what>content|summary|results|findings) and menu\b", kinds=SHOWN
        ),
        make=Say("present \\g<what> and choose"),
        state="rewritten",
        classed="decide",
        examples=(("### 4. Present Results and Menu", "### 4. Present Results and choose"),),
        near=("Present tea and menu cards",),
        over=("menus.present-menu", *_TALK),
    ),
    Rule(
        id="menus.handling",
        reason="What follows says what each choice leads to.",
        find=Phrase("menu handling", r"menu handling(?: logic)?"),
        make=Say("what each choice means"),
        state="rewritten",
        classed="decide",
        examples=(("#### Menu Handling Logic:", "#### What each choice means:"),),
        near=("#### Menu design:",),
    ),
    Rule(
        id="menus.selection",
        reason="Nobody selects from a menu; it is the agent's choice.",
        find=Phrase("menu selection", r"\bmenu selection\b"),
        make=Say("choice"),
        state="rewritten",
        classed="decide",
        examples=(("3. **Menu Selection (if cold):**", "3. **Choice (if cold):**"),),
        near=("3. **Menu design:**",),
    ),
    Rule(
        id="menus.rules",
        reason="The rules below a menu are those of the choice.",
        find=Phrase(
            "execution rules", r"(?<!mandatory )execution rules(?=:?\**\s*$)", kinds=frozenset({"heading"})
        ),
        make=Say("rules for the choice"),
        state="rewritten",
        examples=(("#### EXECUTION RULES:", "#### Rules for the choice:"),),
        near=("## MANDATORY EXECUTION RULES (READ FIRST):",),
    ),
    Rule(
        id="menus.handle",
        reason="Nobody selects; the agent acts on its own choice.",
        find=Phrase(
            "handle ",
            r"handle (?:the )?(?:menu|user(?:'s)?|continue|complete|completion|option) (?:selection"
            r"|choice|option|response)s?\b",
            kinds=SHOWN,
        ),
        make=Say("act on the choice"),
        state="rewritten",
        classed="decide",
        examples=(("### 5. Handle Menu Selection", "### 5. Act on the choice"),),
        near=("### 5. Handle Seed Selection",),
        over=("menus.selection", *_TALK),
    ),
    Rule(
        id="menus.handle-what",
        reason="Nobody selects; the agent acts on its own choice.",
        find=Phrase(
            "handle ",
            r"handle (?:the )?(?P<what>(?!menu|user|continue|complet|option)[\w-]+) (?:selection|option)\b",
        ),
        make=Say("act on the \\g<what> choice"),
        state="rewritten",
        classed="decide",
        examples=(("### 5. Handle Tea Selection", "### 5. Act on the Tea choice"),),
        near=("### 5. Handle Menu Selection", "Handle the seeds with care"),
    ),
    Rule(
        id="menus.present-choices",
        reason="Choices are taken, not presented.",
        find=Phrase("present choices", r"\band present choices", kinds=SHOWN),
        make=Say("and choose one of these"),
        state="rewritten",
        classed="decide",
        examples=(("Show the brew and present choices:", "Show the brew and choose one of these:"),),
        near=("Present choices of tea",),
        over=_TALK,
    ),
    Rule(
        id="menus.present-going-on",
        reason="The only option is to go on.",
        find=Phrase("present c", r"\bpresent (?:the )?(?P<what>continue|complete) option", kinds=SHOWN),
        make=Say("\\g<what>"),
        state="rewritten",
        classed="decide",
        examples=(("Show the brew and present continue option:", "Show the brew and continue:"),),
        near=("and present continued work",),
        over=_TALK,
    ),
    Rule(
        id="menus.letter-option",
        reason="An option that only lets the work go on is taken when it comes.",
        find=Phrase("option", r"present \[[a-z]\] (?P<what>continue|complete|exit) options?"),
        make=Say("choose to \\g<what>"),
        state="rewritten",
        classed="decide",
        examples=(("Present [C] continue option after tasting", "Choose to continue after tasting"),),
        near=("Present an option after tasting",),
        over=("menus.option", *_TALK),
    ),
    Rule(
        id="menus.letter-options",
        reason="Options are chosen by name.",
        find=Phrase(
            "present [", r"present \[[a-z]\] (?P<one>\w+) options? and \[[a-z]\] (?P<two>\w+) options?"
        ),
        make=Say("choose between “\\g<one>” and “\\g<two>”"),
        state="rewritten",
        classed="decide",
        examples=(("Present [T] tea option and [W] water options", "Choose between “tea” and “water”"),),
        near=("Present the tea option and the water option",),
        over=("menus.option", "menus.letter-option", *_TALK),
    ),
    Rule(
        id="menus.option-presented",
        reason="The success is that the choice was made, not that a menu was shown.",
        find=Phrase(
            "presented",
            r"\[[a-z]\] (?P<what>continue|complete|exit) option presented(?P<how> and handled)?(?:"
            r" correctly)?",
        ),
        make=Say("choice to \\g<what> made and recorded"),
        state="rewritten",
        classed="decide",
        examples=(
            (
                "✅ [C] continue option presented and handled correctly",
                "✅ choice to continue made and recorded",
            ),
        ),
        near=("The option presented first",),
        over=("menus.option", *_TALK),
    ),
    Rule(
        id="menus.three-heading",
        reason="The letters of the three usual options were for a person to type.",
        find=Phrase("a/p/c", r"collaboration menus \(a/p/c\)"),
        make=Say("choices of this step"),
        state="rewritten",
        classed="decide",
        examples=(("## COLLABORATION MENUS (A/P/C):", "## Choices of this step:"),),
        near=("## TEAS (A/P/C):",),
        consumes=(r"a/p/c",),
    ),
    Rule(
        id="menus.three-shown",
        reason="The choice among the three usual options is made, not shown.",
        find=Phrase("a/p/c menu", r"\b(?P<verb>present|display|show)(?: the| standard)* a/p/c menu"),
        make=Say(f"choose ({_THREE})"),
        state="rewritten",
        classed="decide",
        examples=(("Present A/P/C menu after tasting", f"Choose ({_THREE}) after tasting"),),
        near=("The A/P/C menu is short",),
        over=_TALK,
        consumes=(r"a/p/c",),
    ),
    Rule(
        id="menus.three-in-fence",
        reason="Where upstream forgot to close a fence, the rest of a step stands in it.",
        find=Phrase("a/p/c menu", r"\ba/p/c menu\b(?! after the)", kinds=frozenset({"code"})),
        make=Say(f"choice of {_THREE}"),
        state="rewritten",
        classed="decide",
        examples=(("```\nNot presenting A/P/C menu\n```", f"```\nNot presenting Choice of {_THREE}\n```"),),
        near=("The A/P/C menu is short",),
        over=_TALK,
        consumes=(r"a/p/c",),
    ),
    Rule(
        id="menus.back-from-protocols",
        reason="After a detour the choice comes round again.",
        find=Phrase("protocols always", r"protocols always return to [^\n.]{0,40}\bmenu(?: after [^\n.]*)?"),
        make=Say("after Advanced Elicitation or Party Mode, choose again"),
        state="rewritten",
        classed="decide",
        needs="again",
        examples=(
            (
                "- PROTOCOLS always return to the tea menu",
                "- After Advanced Elicitation or Party Mode, choose again",
            ),
        ),
        near=("PROTOCOLS always return to the drawer",),
        over=("menus.again", *_TALK),
        consumes=(r"a/p/c",),
    ),
    Rule(
        id="menus.again",
        reason="Nobody looks at the menu again; the agent takes the same choice once more.",
        find=Phrase(
            "menu",
            r"(?:\b(?:return|go|loop|come) back to|\breturn here and (?:re-?display|show)|\breturn"
            r" to|\bback to|\bre-?display(?:ing)?|\bre-?present"
            r"|\bdisplay again of|\brepeat)(?: display)?(?: (?:the|this|this step's|a/p/c"
            r"|continuation|main|step \d+|previous|same))*"
            r" menu(?: options?)?\b",
            kinds=SHOWN,
        ),
        make=Say("choose again"),
        state="rewritten",
        classed="decide",
        needs="again",
        examples=(
            ("Stir it, then return to this menu", "Stir it, then choose again"),
            ("stir, then redisplay the menu", "stir, then choose again"),
        ),
        near=("return to the tea menu", "display the menu"),
        over=("menus.three-in-fence", "menus.present-menu", *_TALK),
        consumes=(
            r"a/p/c",
            r"\d+",
        ),
    ),
    Rule(
        id="menus.offered-again",
        reason="Nobody looks at the menu again; the agent takes the same choice once more.",
        find=Phrase("menu again", r"\b(?:offer|present|show|display) the menu again\b"),
        make=Say("choose again"),
        state="rewritten",
        classed="decide",
        needs="again",
        examples=(("Stir, then offer the menu again.", "Stir, then choose again."),),
        near=("Read the menu again.",),
        over=("menus.present-menu", "menus.offer-thing", *_TALK),
    ),
    Rule(
        id="menus.again-choices",
        reason="Nobody looks at the choices again; the agent takes the same choice once more.",
        find=Phrase("choices", r"\bre-?(?:present|offer|display)(?:ing)?(?: the)? choices"),
        make=Say("choose again"),
        state="rewritten",
        classed="decide",
        needs="again",
        examples=(("Stir and re-offer choices", "Stir and choose again"),),
        near=("Offer choices",),
        over=("menus.offer-options", *_TALK),
    ),
    Rule(
        id="menus.other-items",
        reason="What leads back to a choice is said once for all choices.",
        find=Whole(
            "menu",
            r"after (?:other menu items?|[a-z](?:, [a-z],?)* or [a-z])(?: execution)?(?: completes?)?,"
            r" (?:return to|redisplay) (?:this|the) menu(?: with updated content)?\.?",
        ),
        make=Once("again"),
        state="merged",
        classed="decide",
        examples=(("- After other menu items, redisplay the menu", ""),),
        near=("- After tea, return to this menu",),
        over=("menus.", *_ALL),
    ),
    Rule(
        id="menus.any-other",
        reason="Nobody comments or asks at a menu.",
        find=Whole(
            "menu",
            r"if (?:any other\b[^:]*|(?:the )?user asks questions|user (?:adds|asks)[^:]*):.{0,60}?"
            r"(?:redisplay|return to|choose)[^.]{0,60}?menu[^.]{0,40}\.?",
        ),
        make=Nothing(),
        state="dropped",
        classed="decide",
        examples=(("- IF Any other drink: pour, then redisplay menu", ""),),
        near=("- IF Any other drink: pour",),
        over=("menus.", *_ALL),
    ),
    Rule(
        id="menus.chat",
        reason="Nobody chats or asks while the agent works.",
        find=Whole(
            "user can ",
            r"user can (?:chat|ask)\b.{0,50}(?:respond|answer).{0,60}menu(?: options?)?\.?",
        ),
        make=Nothing(),
        state="dropped",
        classed="decide",
        examples=(("- User can ask for sugar - always respond, then end with the menu", ""),),
        near=("- User can ask for sugar",),
        over=("menus.", *_ALL),
    ),
    Rule(
        id="menus.naturally",
        reason="How to show a menu in a conversation says nothing without one.",
        find=Whole("menu options naturally", r"present menu options naturally\b.{0,40}"),
        make=Once("decide"),
        state="merged",
        classed="decide",
        examples=(("- Present menu options naturally, over tea", ""),),
        near=("- Present menu options in order",),
        over=("menus.", *_ALL),
    ),
    Rule(
        id="menus.accept",
        reason="Whether to accept is the agent's decision.",
        find=Phrase(
            "accept",
            r"ask(?: the)? user:? (?:if they [\w ]{0,14}?accept|[\"“]accept) "
            r"(?P<what>[^\"”?,\n]+)(?:\? ?" + _YES_NO + r"[\"”]|\?[\"”])?",
            kinds=SHOWN,
        ),
        make=Say("decide whether to accept \\g<what>"),
        state="rewritten",
        classed="decide",
        examples=(
            (
                '- Ask user: "Accept these changes to the brew? (y/n)"',
                "- Decide whether to accept these changes to the brew",
            ),
            (
                "stir, ask user if they accept the taste, if yes pour",
                "stir, decide whether to accept the taste, if yes pour",
            ),
        ),
        near=("Accept these changes", "Ask user about the taste"),
        over=("menus.yes-no", "menus.yes-no-asked", "menus.they-consent", *_TALK),
        consumes=(r"(?:y|yes)/(?:n|no)(?:/\w+)?",),
    ),
    Rule(
        id="menus.yes-no-asked",
        reason="A question for yes or no is decided by the agent.",
        find=Phrase(
            "/n",
            _ASKED + r"[\"“](?P<what>[^\"”\n]+\?) ?" + _YES_NO + r"[\"”]",
            kinds=SHOWN,
        ),
        make=Say("decide: “\\g<what>”"),
        state="rewritten",
        classed="decide",
        examples=(('Ask user: "Pour the brew? (y/n)"', "Decide: “Pour the brew?”"),),
        near=('Ask user: "Pour the brew?"',),
        over=("menus.yes-no", *_TALK),
        consumes=(r"(?:y|yes)/(?:n|no)(?:/\w+)?",),
    ),
    Rule(
        id="menus.yes-no",
        reason="Nobody types yes or no.",
        find=Phrase("/n", r" ?" + _YES_NO + r"(?=[\s:.,\"”`*]|$)", kinds=SHOWN),
        make=Nothing(),
        state="rewritten",
        classed="decide",
        examples=(("Pour the brew? [y/n]", "Pour the brew?"),),
        near=("rate (kg/n)",),
        over=("questions.long-answers",),
        consumes=(
            r"(?:y|yes)/(?:n|no)(?:/\w+)?",
            r"\bno\b",
        ),
    ),
)
