"""Rules for what a skill does when it is started: settings, customisation, greeting, the choice of a mode.

All of it is known when the workflow is made: settings and customised values are put in, nobody is greeted,
and the mode is always the one without a person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from bmadc.passes.ceremony_steps import ALL
from bmadc.passes.rules import Found, Made, Nothing, Once, Phrase, Place, Rule, Say, Sentence, Whole
from bmadc.passes.sheet import SPOKEN, Sheet, sentences

# Says of a sentence, from its start to its end, whether it goes; last, whether the one before it went.
Judge: TypeAlias = Callable[[Sheet, int, int, int, bool], bool]

_EVERY = (r"(?s).*",)
_EMPTY = frozenset(("", "_None._"))
_TOKEN = re.compile(r"`?\{workflow\.(?P<key>\w+)\}`?")
_FACTS = re.compile(r"\btreat (?:(?:every|each) (?:entry in )?)?`?\{workflow\.persistent_facts\}`?")
_ORDER = re.compile(
    r"\W*(?:[a-z ]{3,30}(?:\*\*)?(?::| —) )?(?:(?:then|finally),? )?(?:(?:run|execute|follow|treat"
    r"|apply|consult"
    r"|fold|load|hold)\b"
    r"(?: (?:each|every|all|the|entry|entries|in|of|instructions?))* *`?\{workflow\.|`?\{workflow\."
    r"|if `?\{workflow\.)"
)
_CLAUSE = re.compile(
    r"(?:,? and (?:then )?|, (?:and )?(?:then )?|;(?: and)?(?: then)? |, and most importantly: )"
    r"(?:run|execute|follow) (?:each |every )?(?:entry in )?`?\{workflow\.(?P<key>\w+)\}`?"
    r"(?: instructions?| entr(?:y|ies))?(?: in order)?(?: if (?:non-empty|set))?(?:; treat a "
    r"string[^.\n]*)?(?=[.;\n]|$)"
)
_FORMAT = re.compile(r"entries prefixed `file:` are|all other entries are facts|`file:` entries are paths")
_INTERACTIVE = re.compile(
    r"\W*(?:if interactive\b|in interactive mode\b|default: full interactive\b|interactive(?:\W* "
    r"otherwise|:| asks| runs may| "
    r"create:| mode:)"
    r"|for \w+, open in (?:the )?browser when interactive)"
)
_DETECTION = re.compile(r"^detection$")
# What an empty value means is worth more than that it is empty.
_MEANT = re.compile(r"\bempty means\b|\botherwise\b|\bdefault")
# What is said of tools that an empty list does not name, and of how its entries are written.
_DEPENDENT = re.compile(
    r"if a named tool is unavailable|invoke the tool,|skip and flag unavailable|treat a string scalar as"
)
# A label and a remark on the form of entries say nothing once what they belong to is gone.
_SILENT = re.compile(
    r"\W*\*\*[^*\n]+\*\*\s*$|entries prefixed `file:` are|all other entries are facts|`file:` "
    r"entries are paths"
)
_SKIPPED = re.compile(r"skip (?:in )?headless\b|on failure, give the user the path")
_ITEM = re.compile(r"(?:[-*+]|\d+[.)])\s+")
_NAMES = re.compile(r"(?:`\{?[a-z_-]+\}?`(?:, and |, | and )?)+")
_SETTINGS = re.compile(
    r"configuration loading|load config|^configuration$|^activation$|on activation"
    r"|^initiali[sz]ation$|^paths$"
)
_RESOLVING = re.compile(r"resolve the (?:workflow|agent) block|^conventions$|^resolution rules$")
_CONVENTION = re.compile(
    r"(?:paths: )?bare paths .*|forward slashes only\..*|every operational cross-file reference .*"
    r"|scripts (?:live in two places|\(run via `uv run`\)).*|`?\{(?:skill-root|project-root"
    r"|skill-name|workflow\.<name>|agent\.<name>)\}`?(?:-prefixed paths)?"
    r" (?:→|resolves?\b|is this skill's).*"
)


def _filled(sheet: Sheet, number: int, key: str) -> str:
    """Return what the release or an override puts in for a customised value, an empty text for nothing."""
    token = f"{{workflow.{key}}}"
    for fact in sheet.facts.get(number, ()):
        if fact.kind == "fills" and fact.value == token and fact.target not in _EMPTY:
            return fact.target
    return ""


def _with_tokens(sheet: Sheet) -> Iterator[tuple[int, int, int]]:
    """Return each sentence that names a customised value: the number of its leaf, its start and its end."""
    for number in sheet.with_hint("{workflow."):
        leaf = sheet.tree.leaves[number]
        if leaf.kind in SPOKEN:
            for start, end in sentences(sheet.tree.text.text, leaf.start, leaf.end):
                if sheet.lower.find("{workflow.", start, end) >= 0:
                    yield number, start, end


def _after_mark(sheet: Sheet, number: int, start: int) -> int:
    """Return where a sentence starts without the mark of the list item that it begins."""
    leaf = sheet.tree.leaves[number]
    if start > leaf.start or leaf.kind != "item":
        return start
    mark = _ITEM.match(sheet.lower, start, leaf.end)
    return mark.end() if mark else start


def _is_empty(sheet: Sheet, number: int, start: int, end: int) -> bool:
    return not any(_filled(sheet, number, one["key"]) for one in _TOKEN.finditer(sheet.lower, start, end))


def _orders_without_content(sheet: Sheet) -> Iterator[Place]:
    """Find sentences that order something with an empty customised value, and what depends on them."""
    for number in sheet.with_hint("{workflow."):
        if sheet.tree.leaves[number].kind in SPOKEN:
            yield from _whole_if_all(sheet, number, _is_void)


def _is_void(sheet: Sheet, number: int, start: int, end: int, after: bool) -> bool:
    """Whether a sentence orders something with nothing; `after` says that the one before it did."""
    if sheet.lower.find("{workflow.", start, end) >= 0:
        ordered = _ORDER.match(sheet.lower, start, end) and not _MEANT.search(sheet.lower, start, end)
        return bool(ordered) and _is_empty(sheet, number, start, end)
    return after and _DEPENDENT.match(sheet.lower, start, end) is not None


def _whole_if_all(sheet: Sheet, number: int, is_gone: Judge) -> Iterator[Place]:
    """Find the sentences of a leaf that go, or the leaf with its mark if nothing would be left."""
    leaf = sheet.tree.leaves[number]
    found, left, after = [], False, False
    for start, end in sentences(sheet.tree.text.text, leaf.start, leaf.end):
        first = _after_mark(sheet, number, start)
        after = is_gone(sheet, number, first, end, after)
        if after:
            found.append(Place(number, first, end))
        else:
            left = left or not _SILENT.match(sheet.lower, first, end)
    yield from found if left or not found else (Place(number, leaf.start, leaf.end),)


def _clauses_without_content(sheet: Sheet) -> Iterator[Place]:
    """Find the end of a sentence that orders something with a customised value that is empty."""
    for number, start, end in _with_tokens(sheet):
        for match in _CLAUSE.finditer(sheet.lower, start, end):
            if not _filled(sheet, number, match["key"]):
                yield Place(number, match.start(), match.end(), match)


def _values_without_content(sheet: Sheet) -> Iterator[Place]:
    """Find names of customised values that are empty."""
    for number, start, end in _with_tokens(sheet):
        for match in _TOKEN.finditer(sheet.lower, start, end):
            if not _filled(sheet, number, match["key"]):
                yield Place(number, match.start(), match.end(), match)


def _named_empty(sheet: Sheet, place: Place) -> str:
    """Return what an empty value is called: by the words of its name."""
    words = place.match["key"].replace("_", " ") if place.match else "values"
    owned = re.search(
        r"\b(?:the|your|any|each|every|standing)\s+$", sheet.lower[max(place.start - 12, 0) : place.start]
    )
    return f"{'' if owned else 'the configured '}{words} (none are set)"


def _introductions(sheet: Sheet) -> Iterator[Place]:
    """Find a paragraph that introduces nothing but an empty value."""
    leaves = sheet.tree.leaves
    for number in sheet.with_hint("{workflow."):
        token = _TOKEN.fullmatch(sheet.plain(number))
        before = leaves[number - 1] if number else None
        if token is None or before is None or _filled(sheet, number, token["key"]):
            continue
        if before.kind == "paragraph" and sheet.tree.slice(before).rstrip().endswith(":"):
            yield Place(number - 1, before.start, before.end)


def _fact_formats(sheet: Sheet) -> Iterator[Place]:
    """Find sentences on how facts are written down, where the facts are told in the same breath."""
    for number in sheet.with_hint("{workflow.persistent_facts}"):
        leaf = sheet.tree.leaves[number]
        for start, end in sentences(sheet.tree.text.text, leaf.start, leaf.end):
            if _FORMAT.match(sheet.lower, start, end):
                yield Place(number, start, end)


def _facts(sheet: Sheet) -> Iterator[Place]:
    """Find the order to carry facts that the release or an override really names."""
    for number, start, end in _with_tokens(sheet):
        if _FACTS.search(sheet.lower, start, end) and _filled(sheet, number, "persistent_facts"):
            yield Place(number, _after_mark(sheet, number, start), end)


def _told_facts(sheet: Sheet, place: Place) -> str:
    """Return the facts as orders: a file is read, everything else holds as it is written."""
    said = []
    for entry in _filled(sheet, place.leaf, "persistent_facts").split("\n"):
        fact = entry.strip().removeprefix("- ").removeprefix("{project-root}/")
        if fact.startswith("file:"):
            path = fact.removeprefix("file:").replace("{project-root}/", "")
            said.append(
                f"Read every file that matches `{path}` and treat it as foundational context for "
                f"the whole run."
            )
        elif fact:
            said.append(f"Treat this as foundational context for the whole run: {fact}")
    text = sheet.tree.text.text
    return " ".join(said) + text[len(text[: place.end].rstrip()) : place.end]


def _interactive_arms(sheet: Sheet) -> Iterator[Place]:
    """Find sentences that say what to do where a person is there."""
    for number in sheet.with_hint("interactive"):
        if sheet.tree.leaves[number].kind in SPOKEN - {"heading"}:
            yield from _whole_if_all(sheet, number, _is_interactive)


def _is_interactive(sheet: Sheet, number: int, start: int, end: int, after: bool) -> bool:
    """Whether a sentence speaks of runs with a person alone, or of what they alone do."""
    text = sheet.lower[start:end]
    if after and _SKIPPED.match(text):
        return True
    return _INTERACTIVE.match(text) is not None and "headless" not in text


def _detection(sheet: Sheet) -> Iterator[Place]:
    """Find how a run finds out whether a person is there, in a text on runs without one."""
    if "headless" in sheet.lower:
        for number in _in_sections(sheet, _DETECTION):
            leaf = sheet.tree.leaves[number]
            if leaf.kind != "heading":
                yield Place(number, leaf.start, leaf.end)


def _in_sections(sheet: Sheet, name: re.Pattern[str]) -> Iterator[int]:
    for block in sheet.tree.blocks:
        if block.kind == "section" and name.search(block.name.lower()):
            for number in range(block.first + 1, block.last):
                if sheet.tree.leaves[number].kind in SPOKEN:
                    yield number


def _named_settings(sheet: Sheet) -> Iterator[Place]:
    """Find list items that hold nothing but names of settings, where settings are loaded."""
    seen = set()
    if not any(word in sheet.lower for word in ("config", "activation", "initiali", "paths")):
        return
    for number in _in_sections(sheet, _SETTINGS):
        leaf = sheet.tree.leaves[number]
        if number not in seen and leaf.kind == "item" and _NAMES.fullmatch(sheet.plain(number)):
            seen.add(number)
            yield Place(number, leaf.start, leaf.end)


def _resolution(sheet: Sheet) -> Iterator[Place]:
    """Find how a customised value is looked up, and what a path is relative to."""
    seen = set()
    if not any(word in sheet.lower for word in ("resolve the ", "conventions", "resolution rules")):
        return
    for number in _in_sections(sheet, _RESOLVING):
        leaf = sheet.tree.leaves[number]
        inner = next(sheet.headings(number), "")
        if number in seen or leaf.kind == "heading":
            continue
        if not inner.startswith(("convention", "resolution")) or _CONVENTION.fullmatch(sheet.plain(number)):
            seen.add(number)
            yield Place(number, leaf.start, leaf.end)


_CUSTOM: tuple[Rule, ...] = (
    Rule(
        id="ceremony.resolution",
        reason="Customised values and paths are resolved when the workflow is made.",
        find=Found(_resolution),
        make=Once("settings"),
        state="merged",
        examples=(
            (
                "## Conventions\n\n- Bare paths (e.g. `soup.md`) start in the kitchen.\n",
                "## Conventions\n\n\n",
            ),
            (
                "### Step 1: Resolve the Workflow Block\n\nTurn the crank.\n",
                "### Step 1: Resolve the Workflow Block\n\n\n",
            ),
        ),
        near=("## Conventions\n\n- Spoons lie right of the plate.\n", "## Soup\n\n- Bare paths are swept.\n"),
        over=(*ALL, "ceremony."),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.empty-order",
        reason="An order to carry out customised entries says nothing where there are none.",
        find=Found(_orders_without_content),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. Execute each entry in `{workflow.soups}` in order. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Write each soup down in `{workflow.soups}`. Eat.\n",),
        over=(*ALL, "ceremony.empty-value", "ceremony.empty-clause", "ceremony.fact-format"),
        bulk="Every skill of the later releases repeats the same orders, and most of their lists are empty.",
        consumes=(
            r"`?\{workflow\.\w+\}`?",
            r"file:",
            r"skill:",
        ),
    ),
    Rule(
        id="ceremony.empty-clause",
        reason="An order to carry out customised entries says nothing where there are none.",
        find=Found(_clauses_without_content),
        make=Say(""),
        state="rewritten",
        examples=(("Eat all of it, then run `{workflow.soups}` if non-empty.\n", "Eat all of it.\n"),),
        near=("Eat all of it, then wash `{workflow.soups}`.\n",),
        over=("variables.", "includes.", "person.", "ceremony.empty-value"),
        consumes=(r".*\bsoups\b.*", r"\{?workflow\..*", r"`\{workflow\..*"),
    ),
    Rule(
        id="ceremony.empty-value",
        reason="A customised value that is empty is named as such.",
        find=Found(_values_without_content),
        make=Made(_named_empty),
        state="rewritten",
        examples=(
            ("Take your `{workflow.best_soups}` first.\n", "Take your best soups (none are set) first.\n"),
            ("Cook on `{workflow.stove}`.\n", "Cook on the configured stove (none are set).\n"),
        ),
        near=("Take your `{soups}` first.\n",),
        over=("variables.", "includes."),
        consumes=(r"`?\{?workflow\..*",),
    ),
    Rule(
        id="ceremony.empty-introduction",
        reason="What introduces a list of customised entries says nothing where there are none.",
        find=Found(_introductions),
        make=Nothing(),
        state="dropped",
        examples=(("Cook these:\n\n{workflow.soups}\n", "\n\n{workflow.soups}\n"),),
        near=("Cook these:\n\n- soups\n", "Cook these.\n\n{workflow.soups}\n"),
        over=(*ALL, "ceremony."),
    ),
    Rule(
        id="ceremony.forwarded",
        reason="No other skill hands values over when a run begins.",
        find=Sentence("forwarded activation:", r"forwarded activation:\*\* if a caller\b"),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. **Forwarded activation:** if a caller brings soup, eat.\n", "Stir. \n"),),
        near=("Stir. Forwarded activation: none.\n",),
        over=(*ALL, "ceremony.empty-value", "ceremony.settings"),
    ),
    Rule(
        id="ceremony.facts",
        reason="Facts that the release or an override names are orders to read files and to build on them.",
        find=Found(_facts),
        make=Made(_told_facts),
        state="replaced",
        examples=(("Stir. Eat.\n", "Stir. Eat.\n"),),
        near=("Treat `{workflow.persistent_facts}` as soup.\n",),
        over=(*ALL, "ceremony."),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.fact-format",
        reason="How facts are written down matters only to who reads the list of them.",
        find=Found(_fact_formats),
        make=Nothing(),
        state="dropped",
        examples=(
            (
                "Note `{workflow.persistent_facts}`. All other entries are facts on soup.\n",
                "Note `{workflow.persistent_facts}`. \n",
            ),
        ),
        near=("Stir. All other entries are facts on soup.\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.activated",
        reason="Nothing is left to be activated when the run begins.",
        find=Sentence(
            "activation",
            r"(?:activation is complete\.|if `activation_steps_\w+` or `activation_steps_\w+` were non-empty"
            r"|do not begin the main workflow until|execute party mode activation and)",
        ),
        make=Nothing(),
        state="dropped",
        examples=(("Activation is complete. Stir.\n", "Stir.\n"),),
        near=("Activation of the yeast is complete. Stir.\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.begin-below",
        reason="Nothing is left to be activated when the run begins.",
        find=Sentence("begin the workflow below", r"\bbegin the workflow below\."),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. Begin the workflow below.\n", "Stir. \n"),),
        near=("Stir. Begin the soup below.\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.activation-step",
        reason="The steps of the start are not the steps of the work: they carry no number.",
        find=Phrase(
            "step ",
            r"\bstep \d+: (?=(?:load|execute|resolve|greet|read)\b)",
            under=r"^on activation$",
            kinds=frozenset(("heading",)),
        ),
        make=Say(""),
        state="rewritten",
        examples=(("## On Activation\n\n### Step 3: Load Soup\n", "## On Activation\n\n### Load Soup\n"),),
        near=("## Execution\n\n### Step 3: Load Soup\n",),
        over=("flow.", "names."),
        consumes=(r"\d+",),
    ),
    Rule(
        id="ceremony.on-complete-script",
        reason="What an override orders for the end is looked up when the workflow is made.",
        find=Sentence("workflow.on_complete", r"--key workflow\.on_complete|the resolved `workflow\.on_"),
        make=Once("settings"),
        state="merged",
        examples=(("Eat. Run: `look.py --key workflow.on_complete` for soup.\n", "Eat. \n"),),
        near=("Eat. Run: `look.py --key workflow.soup` for soup.\n",),
        over=(*ALL, "ceremony.empty-value", "ceremony.empty-order"),
        consumes=_EVERY,
    ),
)

_CONFIG: tuple[Rule, ...] = (
    Rule(
        id="ceremony.settings-names",
        reason="Settings are put in when the workflow is made: a list of their names orders nothing.",
        find=Found(_named_settings),
        make=Once("settings"),
        state="merged",
        examples=(
            (
                "## Load Config\n\n- `soup_name`, `spoon`\n- `salt` is white\n",
                "## Load Config\n\n\n- `salt` is white\n",
            ),
        ),
        near=("## Spoons\n\n- `soup_name`, `spoon`\n",),
        over=(*ALL, "ceremony."),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.settings",
        reason="Settings are put in when the workflow is made.",
        find=Sentence(
            "config",
            r"(?<!\w)(?:load(?: and read)?(?: the)?(?: full)? config\b.*(?:resolve|:)|load "
            r"`[^`\n]*config(?:\.user)?\.(?:yaml|toml)`"
            r"|(?:resolve|read) (?:the )?(?:central |core )?(?:config\b|customi[sz]ation:).*"
            r"|standalone: skip\.|config: if `\{project-root\}|load config\*\* from)",
        ),
        make=Once("settings"),
        state="merged",
        examples=(
            ("Load config from `soup.yaml` and resolve:\n", "\n"),
            ("Stir. Load `soup/config.yaml` (and more). Eat.\n", "Stir. Eat.\n"),
        ),
        near=("Write `soup/config.yaml` and stir.\n", "Load the spoon from `soup.yaml`.\n"),
        over=(*ALL, "ceremony.speak-language", "ceremony.in-language", "ceremony.greeting"),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.customisation",
        reason="Customised values are put in when the workflow is made.",
        find=Sentence("resolve customi", r"resolve customi[sz]ation:"),
        make=Once("settings"),
        state="merged",
        examples=(("Stir. Resolve customization: `turn the crank`. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Resolve customization conflicts. Eat.\n",),
        over=(*ALL, "ceremony.settings", "ceremony.settings-missing", "ceremony.empty-value"),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.customisation-failure",
        reason="Customised values are put in when the workflow is made.",
        find=Sentence("on failure", r"on failure,? [^\n]{0,40}`[^`\n]*customize\.toml`"),
        make=Once("settings"),
        state="merged",
        examples=(("Stir. On failure, read `soup/customize.toml` again. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. On failure, read `soup.toml` again. Eat.\n",),
        over=(*ALL, "ceremony.customisation"),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.customisation-script",
        reason="Customised values are put in when the workflow is made.",
        find=Sentence(
            "resolve",
            r"(?:resolve the workflow block\.|resolve_customization\.py --skill "
            r"\{skill-root\}(?!.*on_complete)"
            r"|if it fails, resolve `\{workflow|apply the resolved `\{workflow\.\*\}`)",
            under=r"^on activation$",
        ),
        make=Once("settings"),
        state="merged",
        examples=(
            (
                "## On Activation\n\nStir. If it fails, resolve `{workflow.*}` by hand. Eat.\n",
                "## On Activation\n\nStir. Eat.\n",
            ),
        ),
        near=("## Soup\n\nStir. If it fails, resolve `{workflow.*}` by hand. Eat.\n",),
        over=(*ALL, "ceremony.customisation", "ceremony.customisation-failure", "ceremony.empty-value"),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.deprecation",
        reason="That a name of the workflow is an old one matters to who calls it by that name.",
        find=Whole(
            "deprecated",
            r"(?:notice: `[\w-]+` is deprecated\b.*|deprecated: `[\w-]+` is .*)",
            under=r"^on activation$",
        ),
        make=Nothing(),
        state="dropped",
        examples=(
            ("## On Activation\n\n> Notice: `soup` is deprecated: eat stew.\n", "## On Activation\n\n\n"),
        ),
        near=("## On Activation\n\n> Notice: `soup` is hot.\n", "## Soup\n\nDeprecated: `soup` is old.\n"),
        over=(*ALL, "ceremony."),
    ),
    Rule(
        id="ceremony.skill-root",
        reason="Files of the skill are sections of the text.",
        find=Phrase("from the skill root", r" from the skill root(?= (?:first|and)\b)"),
        make=Say(""),
        state="rewritten",
        examples=(("Read `soup.md` from the skill root first.\n", "Read `soup.md` first.\n"),),
        near=("Paths resolve from the skill root.\n",),
    ),
    Rule(
        id="ceremony.settings-read",
        reason="Settings are put in when the workflow is made.",
        find=Sentence(
            "{user_name}",
            r"(?:\bresolve|from the merged json(?:'s `core` table)?:?(?: resolve| read| greet)?"
            r"|\bread|\bfor) (?:with )?`\{user_name\}`,? ",
        ),
        make=Once("settings"),
        state="merged",
        examples=(("Stir. Resolve `{user_name}`, `{soup}`. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Serve `{user_name}`, `{soup}`. Eat.\n",),
        over=(
            *ALL,
            "ceremony.speak-language",
            "ceremony.in-language",
            "ceremony.greeting",
            "ceremony.settings",
        ),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.settings-missing",
        reason="Settings are put in when the workflow is made.",
        find=Sentence(
            "neutral defaults", r"(?:missing(?: keys| values)?|on failure)[^.;\n]* neutral defaults"
        ),
        make=Once("settings"),
        state="merged",
        examples=(("Stir. Missing keys → neutral defaults; keep calm. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Use neutral defaults for soup. Eat.\n",),
        over=(*ALL, "ceremony.settings", "ceremony.settings-read"),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.date",
        reason="The table of the values of a run says what the date is.",
        find=Whole(
            "date",
            r"`?\{?date\}?`? (?:as|is|=) (?:(?:a |the )?`?system-generated\b.*|today(?:'s date)?\.?"
            r"|`?\(?system.*)",
        ),
        make=Once("settings"),
        state="merged",
        examples=(("- `date` as system-generated soup time\n", "\n"),),
        near=("- `date` of the soup\n",),
        over=ALL,
        consumes=(r"`?\{?date\}?`?", r"`?system-generated`?"),
    ),
    Rule(
        id="ceremony.loader-names",
        reason="A name for a file of the release is put in wherever the text uses it.",
        find=Whole("` = `", r"`\w+` = `(?:\{project-root\}/_bmad/|\{installed_path\}/|\./)[^`]*`.*"),
        make=Once("settings"),
        state="merged",
        examples=(("- `ladle` = `{installed_path}/ladle.md`\n", "\n"),),
        near=("- `ladle` = `{output_folder}/ladle.md`\n",),
        over=(*ALL, "ceremony."),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.autonomous",
        reason="Nobody is there to decide: a workflow that knows how to work alone does.",
        find=Phrase("`autonomous` =", r"`autonomous` = `false` \([^)\n]*\)"),
        make=Say("`autonomous` = `true`"),
        state="rewritten",
        examples=(("- `autonomous` = `false` (ask the cook)\n", "- `autonomous` = `true`\n"),),
        near=("- `autonomous` = `true` (ask the cook)\n",),
        over=("person.", "questions.", "menus."),
        consumes=(r"`?false`?",),
    ),
    Rule(
        id="ceremony.engine",
        reason="The engine that ran the old instructions is this text itself.",
        find=Phrase(
            "workflow execution engine",
            r"(?:• *)?the workflow execution engine is governed by:?\s[^\n]*\n?",
        ),
        make=Nothing(),
        state="dropped",
        examples=(("The workflow execution engine is governed by: {soup}/ladle.xml\n", "\n"),),
        near=("The workflow execution engine is driven by: {soup}/ladle.xml\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.engine-input",
        reason="The engine that ran the old instructions is this text itself.",
        find=Phrase(
            "already loaded and processed",
            r"(?:• *)?you must have already loaded and processed:?\s[^\n]*\n?",
        ),
        make=Nothing(),
        state="dropped",
        examples=(("You MUST have already loaded and processed: {soup}/ladle.yaml\n", "\n"),),
        near=("You have already loaded and processed: {soup}/ladle.yaml\n",),
        over=ALL,
    ),
)

_GREETING: tuple[Rule, ...] = (
    Rule(
        id="ceremony.greeting",
        reason="Nobody is there to be greeted.",
        find=Sentence(
            "greet",
            r"(?<!not )\b(?:(?:otherwise|then),? )?greet(?:(?: the)? user|\.| by| with)?(?:\b|(?=[ "
            r".`*]))(?! visitors)(?!ing)",
        ),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. Greet `{user_name}`, singing. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. The greeting card is blue. Eat.\n",),
        over=(
            *ALL,
            "ceremony.speak-language",
            "ceremony.in-language",
            "ceremony.activation-step",
            "ceremony.stay-in-language",
        ),
        consumes=(
            r"\{?user_name\}?",
            r"\{?communication_language\}?",
            r"\bnot\b",
        ),
    ),
    Rule(
        id="ceremony.greeting-note",
        reason="Nobody is there to be greeted.",
        find=Sentence(
            "greeting",
            r"(?:the (?:opening )?greeting, (?:let|mention)|use `?\{user_name\}`? for greeting"
            r"|be warm but efficient|skip the greeting)",
        ),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. In the greeting, mention the soup. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. The greeting card is blue. Eat.\n",),
        over=(*ALL, "ceremony.greeting"),
    ),
    Rule(
        id="ceremony.before-greeting",
        reason="Nobody is there to be greeted: what came before it comes first.",
        find=Phrase("before any greeting", r"before any greeting\b"),
        make=Say("before anything else"),
        state="rewritten",
        examples=(
            ("- [ ] Wash the spoon before any greeting.\n", "- [ ] Wash the spoon before anything else.\n"),
        ),
        near=("- [ ] Wash the spoon before any guest.\n",),
        over=("person.",),
    ),
    Rule(
        id="ceremony.and-greet",
        reason="Nobody is there to be greeted.",
        find=Phrase("and greet", r" and greet `?\{user_name\}`?(?= ?[:.,])"),
        make=Say(""),
        state="rewritten",
        examples=(
            ("Taste it and greet `{user_name}`: **hot** or **cold**.\n", "Taste it: **hot** or **cold**.\n"),
        ),
        near=("Taste it and greet the cook: **hot** or **cold**.\n",),
        over=("ceremony.greeting", "variables.", "person."),
        consumes=(r".*user_name.*",),
    ),
    Rule(
        id="ceremony.greeting-word",
        reason="Nobody is there to be greeted: what is meant is how the text begins.",
        find=Phrase("exploratory greeting", r"\bexploratory greeting\b"),
        make=Say("exploratory opening"),
        state="rewritten",
        examples=(("No exploratory greeting for soup.\n", "No exploratory opening for soup.\n"),),
        near=("No greeting for soup.\n",),
    ),
    Rule(
        id="ceremony.greets",
        reason="Nobody is there to be greeted.",
        find=Phrase("greets, ", r"\bgreets, (?=\w)"),
        make=Say(""),
        state="rewritten",
        examples=(("The cook greets, stirs and eats.\n", "The cook stirs and eats.\n"),),
        near=("The cook greets the guests.\n",),
        over=("ceremony.greeting",),
    ),
    Rule(
        id="ceremony.greeting-tone",
        reason="Nobody is there to be greeted.",
        find=Sentence("warm but efficient", r"be warm but efficient\b"),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. Be warm but efficient — soup power.\n", "Stir. \n"),),
        near=("Stir. Soup is warm but efficient.\n",),
        over=ALL,
    ),
)

_HEADLESS: tuple[Rule, ...] = (
    Rule(
        id="ceremony.subagents-allowed",
        reason="Whether subagents may run is settled before the run: nobody is there to allow it.",
        find=Phrase(
            "ask once now",
            r"if you need [^.,\n]*\buser instruction\b[^.,\n]*, ask once now\b[^.\n]*\.",
        ),
        make=Say("You need nobody's leave to run them."),
        state="rewritten",
        examples=(
            (
                "Use ovens. If you need some user instruction, ask once now, loudly.\n",
                "Use ovens. You need nobody's leave to run them.\n",
            ),
        ),
        near=("Use ovens. If you need a hand to run them, ask once now.\n",),
        over=("person.", "questions.", "menus."),
    ),
    Rule(
        id="ceremony.invocation-text",
        reason="What a caller would say stands in the issue.",
        find=Phrase("the invocation text", r"\bthe invocation text asks for it\b"),
        make=Say("the issue wants it"),
        state="rewritten",
        examples=(
            (
                "No soup, although the invocation text asks for it.\n",
                "No soup, although the issue wants it.\n",
            ),
        ),
        near=("No soup, even when the text asks for it.\n",),
        over=("person.", "questions."),
    ),
    Rule(
        id="ceremony.if-headless",
        reason="The run is always one without a person: what holds for such runs holds.",
        find=Phrase(
            "headless",
            r"(?:(?:if|when) (?:running |invoked |launched )?headless(?: \([^)\n]*\))?[,:]"
            r"|(?<=[.)] )headless(?: mode)?:|(?<=[.)] )headless,|headless \(no interactive user\) →"
            r"|(?<=[.)] )in (?:a )?headless (?:mode|run),?) (?=\w)",
        ),
        make=Say("in this run, "),
        state="rewritten",
        examples=(
            ("Stir. If headless, taste it. Eat.\n", "Stir. In this run, taste it. Eat.\n"),
            ("Stir. Headless: taste it.\n", "Stir. In this run, taste it.\n"),
        ),
        near=("Stir. A headless cook, tasting, is rare.\n",),
        over=("menus.", "person.", "questions."),
        consumes=(r"\bno\b",),
    ),
    Rule(
        id="ceremony.if-headless-bold",
        reason="The run is always one without a person: what holds for such runs holds.",
        find=Phrase("if launched headless", r"\*\*if launched headless\*\*(?: \([^)\n]*\))?: "),
        make=Say("In this run, "),
        state="rewritten",
        examples=(("1. **If launched headless** (no cook): taste it.\n", "1. In this run, taste it.\n"),),
        near=("1. **If launched headlong**: taste it.\n",),
        over=("menus.", "person.", "questions.", "includes.", "names."),
        consumes=(r"\bnot\b", r"`.*`"),
    ),
    Rule(
        id="ceremony.detect-mode",
        reason="The frame says once that the run is one without a person: it has nothing to detect.",
        find=Sentence("detect mode.", r"\bdetect mode\."),
        make=Once("headless"),
        state="merged",
        examples=(("Stir. Detect mode. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Detect modern soup. Eat.\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.headless-file",
        reason="The frame says once that the run is one without a person.",
        find=Sentence(
            "headless",
            r"(?:load this file (?:only )?when .{0,40}\bheadless\b|it is quarantined here on purpose"
            r"|outside headless, |detect headless from |\*\*headless\*\* when any of|for headless "
            r"behaviou?r see )",
        ),
        make=Once("headless"),
        state="merged",
        examples=(("Load this file when the cook is headless. Stir.\n", "Stir.\n"),),
        near=("Load this oven when the cook is headless. Stir.\n",),
        over=(
            *ALL,
            "ceremony.if-headless",
            "ceremony.empty-value",
            "ceremony.interactive",
            "ceremony.mode-detection",
        ),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.headless-argument",
        reason="The frame says once that the run is one without a person, as if its flag were given.",
        find=Whole("accepts `--headless`", r"args: accepts `--headless`.*"),
        make=Once("headless"),
        state="merged",
        examples=(("**Args:** Accepts `--headless` for quick soup.\n", "\n"),),
        near=("**Args:** Accepts `--hot` for quick soup.\n",),
        over=ALL,
        consumes=(r"--headless", r"-h"),
    ),
    Rule(
        id="ceremony.autonomous-mode",
        reason="The mode without a person is the one of this run, whatever flag it has elsewhere.",
        find=Phrase(
            "autonomous mode", r"\*\*autonomous mode\*\*: if the user passes `[^\n]*\bheadless execution(?=:)"
        ),
        make=Say("**Autonomous mode** (the mode of this run)"),
        state="rewritten",
        examples=(
            (
                "1. **Autonomous mode**: If the user passes `-A` for headless execution:\n",
                "1. **Autonomous mode** (the mode of this run):\n",
            ),
        ),
        near=("1. **Autonomous mode**: If the oven is hot:\n",),
        over=("person.", "questions.", "menus."),
        consumes=(r"`?--autonomous`?", r"`?-a`?", r"`.*`"),
    ),
    Rule(
        id="ceremony.guided-mode",
        reason="The mode with a person is not the one of this run.",
        find=Phrase("guided mode", r"\*\*guided mode\*\* \(default\)"),
        make=Say("**Guided mode** (not in this run)"),
        state="rewritten",
        examples=(
            ("3. **Guided mode** (default): Sing.\n", "3. **Guided mode** (not in this run): Sing.\n"),
        ),
        near=("3. **Guided tour** (default): Sing.\n",),
        over=("menus.",),
    ),
    Rule(
        id="ceremony.start-order",
        reason="Nothing is left to be done before the work begins.",
        find=Whole("run these in order", r"run these in order before .*:", under=r"^on activation$"),
        make=Nothing(),
        state="dropped",
        examples=(("## On Activation\n\nRun these in order before supper:\n", "## On Activation\n\n\n"),),
        near=("## Soup\n\nRun these in order before supper:\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.normal-session",
        reason="The frame says once that the run is one without a person.",
        find=Sentence("in a normal session", r"loading it in a normal session\b"),
        make=Once("headless"),
        state="merged",
        examples=(("Stir. Loading it in a normal session spoils soup. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. It is eaten in a normal session. Eat.\n",),
        over=ALL,
    ),
    Rule(
        id="ceremony.headless-detection",
        reason="The frame says once that the run is one without a person: it has nothing to detect.",
        find=Found(_detection),
        make=Once("headless"),
        state="merged",
        examples=(
            ("# Headless\n\n## Detection\n\n- no cook is there\n", "# Headless\n\n## Detection\n\n\n"),
        ),
        near=("# Soup\n\n## Detection\n\n- no cook is there\n",),
        over=(*ALL, "ceremony."),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.mode-detection",
        reason="The frame says once that the run is one without a person: it has nothing to detect.",
        find=Sentence(
            "interactive",
            r"(?:interactive by default\.|when ambiguous, default to interactive\.)",
        ),
        make=Once("headless"),
        state="merged",
        examples=(("Stir. Interactive by default. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Interactive soup. Eat.\n",),
        over=(*ALL, "ceremony.interactive"),
        consumes=_EVERY,
    ),
    Rule(
        id="ceremony.interactive",
        reason="What to do where a person is there does not happen in a run without one.",
        find=Found(_interactive_arms),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. In interactive mode, sing. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Interactive mockups sing. Eat.\n", "Stir. If interactive, sing; headless, hum. Eat.\n"),
        over=(
            *ALL,
            "ceremony.greeting",
            "ceremony.speak-language",
            "ceremony.in-language",
            "ceremony.empty-value",
        ),
        consumes=(r"(?s).*",),
    ),
    Rule(
        id="ceremony.otherwise-interactive",
        reason="What to do where a person is there does not happen in a run without one.",
        find=Whole("otherwise (interactive)", r"otherwise \(interactive\):.*"),
        make=Nothing(),
        state="dropped",
        examples=(("5. **Otherwise (interactive):** sing. Then hum.\n", "\n"),),
        near=("5. **Otherwise:** sing. Then hum.\n",),
        over=(*ALL, "ceremony."),
    ),
    Rule(
        id="ceremony.interactive-only",
        reason="What to do where a person is there does not happen in a run without one.",
        find=Whole("(interactive only)", r"[^.]*\(interactive only\)\..*"),
        make=Nothing(),
        state="dropped",
        examples=(("5. **Sing** (interactive only). Then hum.\n", "\n"),),
        near=("5. **Sing**. Hum (interactive only).\n",),
        over=(*ALL, "ceremony."),
    ),
    Rule(
        id="ceremony.unless-headless",
        reason="What to do where a person is there does not happen in a run without one.",
        find=Sentence("unless headless mode", r"unless headless mode: "),
        make=Nothing(),
        state="dropped",
        examples=(("Stir. UNLESS HEADLESS MODE: sing. Eat.\n", "Stir. Eat.\n"),),
        near=("Stir. Unless the mode is headless, sing. Eat.\n",),
        over=ALL,
    ),
)

RULES: tuple[Rule, ...] = (*_CUSTOM, *_CONFIG, *_GREETING, *_HEADLESS)
