"""Control flow: what templates compute, comments that gh-aw would swallow, slips of upstream's numbering."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bmadc.passes.rules import Found, Made, Phrase, Place, Rule, Say
from bmadc.passes.sheet import SPOKEN, Sheet

_BLOCK = re.compile(
    r"\{\{\s*#\s*(?P<open>if|unless|each|with)\s+(?P<of>[^{}]+?)\s*\}\}|\{\{\s*/\s*(?P<close>\w+)\s*\}\}"
    r"|\{\{?\s*(?P<else>else)(?:\s+if\s+(?P<elif>[^{}]+?))?\s*\}?\}|\{\{\s*if\s+(?P<bare>[^{}#]+?)\s*\}\}"
)
_OPEN = {"if": "if {}", "unless": "unless {}", "each": "for each of {}", "with": "with {}"}
_CLOSE = {"if": "end if", "unless": "end unless", "each": "end for each", "with": "end with"}

# A comment of HTML would never reach the agent.
_COMMENT = re.compile(r"<!--+[ \t]*(?P<words>.*?)(?P<end>[ \t]*--+>)", re.DOTALL)


def _blocks(sheet: Sheet) -> Iterator[Place]:
    if "{{" not in sheet.lower and "{else}" not in sheet.lower:
        return
    for found in _BLOCK.finditer(sheet.tree.text.text):
        yield Place(sheet.leaf_at(found.start()), found.start(), found.end(), found)


def _spoken(sheet: Sheet, place: Place) -> str:
    found = place.match
    assert found is not None
    if found["open"]:
        return f"[{_OPEN[found['open']].format(found['of'])}]"
    if found["close"]:
        return f"[{_CLOSE.get(found['close'], 'end')}]"
    if found["bare"]:
        return f"[if {found['bare']}]"
    return f"[otherwise, if {found['elif']}]" if found["elif"] else "[otherwise]"


def _comments(sheet: Sheet) -> Iterator[Place]:
    """Find the marks of comments; what stands between them is text like any other."""
    if "<!--" not in sheet.lower:
        return
    text = sheet.tree.text.text
    for found in _COMMENT.finditer(text):
        leaf = sheet.leaf_at(found.start())
        yield Place(leaf, found.start(), found.start("words"), found)
        yield Place(sheet.leaf_at(found.start("end")), found.start("end"), found.end(), found)


def _noted(sheet: Sheet, place: Place) -> str:
    found = place.match
    assert found is not None
    if not found["words"]:
        return ""
    return "[note: " if place.start == found.start() else "]"


def _completion(sheet: Sheet) -> Iterator[Place]:
    """Find jumps to step 6 that say that they mean the completion: steps were added in front of it."""
    tree = sheet.tree
    for block in tree.blocks:
        if block.kind == "tag" and block.name == "goto" and block.attribute("step") == "6":
            inner = " ".join(sheet.plain(one) for one in range(block.first + 1, block.last - 1))
            leaf = tree.leaves[block.first]
            at = tree.text.text.find("6", leaf.start, leaf.end)
            if inner.startswith("completion") and at >= 0:
                yield Place(block.first, at, at + 1)


_TAG = re.compile(
    r"</?(?P<name>step|substep|action|ask|check|critical|output|workflow|invoke-task|note|goto|anchor|template-output)"
    r"(?:\s+(?P<attributes>[^<>]*?))?\s*/?>"
)
_GIVEN = re.compile(r"(\w+)=[\"']([^\"']*)[\"']")


def _fenced_tags(sheet: Sheet) -> Iterator[Place]:
    """Find the tags of a workflow that stands in a fence of code."""
    text = sheet.tree.text.text
    for number, leaf in enumerate(sheet.tree.leaves):
        if leaf.kind == "code" and _TAG.search(text, leaf.start, leaf.end):
            for found in _TAG.finditer(text, leaf.start, leaf.end):
                yield Place(number, found.start(), found.end(), found)


def _unfenced(sheet: Sheet, place: Place) -> str:
    found = place.match
    assert found is not None
    if found[0].startswith("</") or found["name"] == "workflow":
        return ""
    given = dict(_GIVEN.findall(found["attributes"] or ""))
    if found["name"] in ("step", "substep"):
        return f"Step {given.get('n', '')}: {given.get('goal') or given.get('title') or ''}"
    if found["name"] == "goto":
        return (
            f"- Go to Step {given['step']} " if "step" in given else f"- Go to “{given.get('anchor', '')}” "
        )
    return f"- If {given['if']}: " if "if" in given else "- "


# What is sought comes before what must not stand in front of it, since only so a search for it is fast.
_HEADED = re.compile(r"##(?<!.##)#{0,4}\s+\**(\d+)[.)]")
_STEP = "step "
_REFERRED = re.compile(rf"{_STEP}(?<!\wstep )(?P<number>\d+)\b(?!\s*(?:of|[:(/–-]))")
_STRUCTURE = re.compile(r"(?:structure|content|format|template|section)s?\b[^.\n]{0,30} (?:from|in|of) $")
_SENT = re.compile(r"(?:continue|proceed|go|return|back|jump) to $")


def _sections(sheet: Sheet) -> Iterator[Place]:
    """Find mentions of a step that mean a numbered section of the same file."""
    numbers = {found[1] for found in _HEADED.finditer(sheet.lower)}
    if not numbers:
        return
    lower = sheet.lower
    for number in sheet.with_hint(_STEP):
        kind, at, end, _ = sheet.tree.leaves[number]
        if kind not in SPOKEN:
            continue
        # Not a search, which would go on to the end of the file.
        while 0 <= (at := lower.find(_STEP, at)) < end:
            found = _REFERRED.match(lower, at)
            if found is None:
                at += 1
                continue
            before = lower[max(0, at - 60) : at]
            if found["number"] in numbers and (_STRUCTURE.search(before) or _SENT.search(before)):
                yield Place(number, at, found.end(), found)
            at = found.end()


_GOTO = re.compile(r"\bgo ?to step (?P<number>\d+(?:\.\d+)?)(?P<letter>[a-z])?\b", re.IGNORECASE)


def _gotos(sheet: Sheet) -> Iterator[Place]:
    """Find jumps in words to a step that is a tag of the same file."""
    for found in _GOTO.finditer(sheet.tree.text.text):
        leaf = sheet.leaf_at(found.start())
        if sheet.tree.leaves[leaf].kind in SPOKEN and _goal(sheet, found) is not None:
            yield Place(leaf, found.start(), found.end(), found)


def _goal(sheet: Sheet, found: re.Match[str]) -> tuple[str, str] | None:
    """Return the number and the goal of the step that a jump means; a letter too many is a slip."""
    goals = {
        block.attribute("n") or "": block.attribute("goal") or block.attribute("title") or ""
        for block in sheet.tree.blocks
        if block.kind == "tag" and block.name in ("step", "substep")
    }
    for number in (f"{found['number']}{found['letter'] or ''}", found["number"]):
        if number in goals:
            return number, goals[number]
    return None


def _gone_to(sheet: Sheet, place: Place) -> str:
    assert place.match is not None
    number, goal = _goal(sheet, place.match) or ("", "")
    return f"go to Step {number} ({goal})" if goal else f"go to Step {number}"


def _mended_first(_: Sheet, place: Place) -> str:
    assert place.match is not None
    return f"Before you go on {place.match['what']} "


RULES: tuple[Rule, ...] = (
    Rule(
        "flow.goto",
        "A jump in words names the step that it leads to.",
        Found(_gotos, ("goto step",)),
        Made(_gone_to),
        "rewritten",
        examples=(
            (
                '<workflow><step n="2" goal="Bake"><action>GOTO step 2a</action></step></workflow>',
                '<workflow><step n="2" goal="Bake"><action>go to Step 2 (Bake)</action></step></workflow>',
            ),
        ),
        near=('<workflow><step n="2" goal="Bake"><action>GOTO step 3</action></step></workflow>',),
        consumes=(r"2a",),
    ),
    Rule(
        "flow.fenced-engine",
        "A workflow in a fence of code needs no engine either.",
        Phrase(
            "<critical>",
            r"<critical>(?:the workflow execution engine is governed by|you must have already loaded)"
            r"[^<]*</critical>\s*",
            kinds=frozenset(("code",)),
        ),
        Say(""),
        "rewritten",
        examples=(
            (
                "```xml\n<critical>You MUST have already loaded the pan</critical>\n<b>x</b>\n```",
                "```xml\n<b>x</b>\n```",
            ),
        ),
        near=("```xml\n<critical>Bake it</critical>\n```",),
        over=("flow.", "variables.", "includes.", "names."),
        consumes=(r".*",),
    ),
    Rule(
        "flow.of-total",
        "How many steps there are is said by the list of steps; the numbers upstream disagree.",
        Phrase(" of 1", r"\bstep (?P<number>\d+[a-z]?) of 1\d\b", kinds=SPOKEN | {"code"}),
        Say("step \\g<number>"),
        "rewritten",
        examples=(("Next: the crust (step 4 of 12)", "Next: the crust (step 4)"),),
        near=("Loaf 4 of 12", "Step 4 of the recipe"),
        over=("ceremony.", "menus.", "person."),
        consumes=(r"1\d",),
    ),
    Rule(
        "flow.last-step",
        "A step is looked up in the list of steps; its text has no front matter any more.",
        Phrase(
            "and read its frontmatter",
            r"(?:load|go on with|open|read) that step(?: file)? and read its frontmatter",
        ),
        Say(
            "look up that step in the list of steps "
            "(if it is not there, the last one whose section is written)"
        ),
        "rewritten",
        examples=(
            (
                "Load that step and read its frontmatter.",
                "Look up that step in the list of steps (if it is not there, the last one whose section is "
                "written).",
            ),
        ),
        near=("Load that step and read it.",),
        over=("ceremony.", "includes.", "variables."),
    ),
    Rule(
        "flow.next-value",
        "What comes next is the next step of the list of steps.",
        Phrase(
            "nextstepfile",
            r"extract(?P<ing>ing)? (?:the )?`?nextstepfile`?(?: value)? from [^.\n]{0,40}?frontmatter",
        ),
        Say("take the step after it"),
        "rewritten",
        examples=(
            ("Extract the `nextStepFile` value from the frontmatter", "Take the step after it"),
            ("Fails at extracting nextStepFile from its frontmatter", "Fails at take the step after it"),
        ),
        near=("Set `nextStepFile` first.",),
        over=("ceremony.", "includes.", "variables."),
        consumes=(r"`?nextstepfile`?",),
    ),
    Rule(
        "flow.next-placeholder",
        "What comes next is the next step of the list of steps.",
        Phrase("{nextstepfile determined", r"\{nextstepfile determined [^}\n]*\}", kinds=SPOKEN | {"code"}),
        Say("{the step after it}"),
        "rewritten",
        examples=(("Next: {nextStepFile determined by luck}", "Next: {the step after it}"),),
        near=("Next: {luck}",),
        over=("variables.", "includes."),
        consumes=(r".*",),
    ),
    Rule(
        "flow.gate",
        "A gate that the agent can open itself is no reason to call for a person.",
        Phrase("halt - ", r"\bhalt - (?P<what>complete|fix|update|address) "),
        Made(_mended_first),
        "rewritten",
        examples=(
            (
                "If a loaf is raw: HALT - Complete the baking",
                "If a loaf is raw: Before you go on complete the baking",
            ),
        ),
        near=("HALT - The oven is broken",),
        over=("questions.", "menus.", "person."),
    ),
    Rule(
        "flow.erratum-in-progress",
        "A story after its review is in progress, and upstream's own next check counts it in.",
        Phrase("status value equals", r"status value equals \"ready-for-dev\""),
        Say('Status value equals "ready-for-dev" or "in-progress"'),
        "rewritten",
        examples=(
            (
                '- Status value equals "ready-for-dev"',
                '- Status value equals "ready-for-dev" or "in-progress"',
            ),
        ),
        near=('- Status value equals "done"',),
    ),
    Rule(
        "flow.erratum-record",
        "The review records its findings; who develops fixes them next.",
        Phrase("findings and fix them", r"findings and fix them"),
        Say("findings and record them"),
        "rewritten",
        examples=(("Show findings and fix them", "Show findings and record them"),),
        near=("Show findings",),
    ),
    Rule(
        "flow.erratum-reviewer",
        "Who reviews is the agent.",
        Phrase("reviewer: {", r"reviewer: \{+user_name\}+"),
        Say("Reviewer: AI"),
        "rewritten",
        examples=(("_Reviewer: {{user_name}} on Monday_", "_Reviewer: AI on Monday_"),),
        near=("Reviewer: somebody",),
        over=("person.", "variables."),
        consumes=(r".*user_name.*",),
    ),
    Rule(
        "flow.patterns",
        "The patterns of a workflow's inputs are the table above.",
        Phrase("input_file_patterns", r"(?P<what>input_file_patterns) from loaded workflow\.yaml"),
        Say("the patterns of the table above"),
        "rewritten",
        examples=(
            ("Bake input_file_patterns from loaded workflow.yaml", "Bake the patterns of the table above"),
        ),
        near=("Read input_file_patterns twice",),
        over=("includes.", "variables.", "ceremony."),
        consumes=(r".*workflow\.yaml.*", r"input_file_patterns"),
    ),
    Rule(
        "flow.patterns-there",
        "The patterns of a workflow's inputs are the table above.",
        Phrase("input_file_patterns", r"workflow\.yaml contains input_file_patterns section"),
        Say("the table above has rows"),
        "rewritten",
        examples=(
            (
                "Only bake when workflow.yaml contains input_file_patterns section",
                "Only bake when the table above has rows",
            ),
        ),
        near=("Only bake if workflow.yaml contains flour",),
        over=("includes.", "variables.", "ceremony."),
        consumes=(r".*workflow\.yaml.*", r"input_file_patterns"),
    ),
    Rule(
        "flow.ambiguous",
        "What is not clear is found out.",
        Phrase("ambiguous, ask", r"if ambiguous, ask\b(?! )"),
        Say("if ambiguous, find out"),
        "rewritten",
        classed="derive",
        examples=(("Take the red one. If ambiguous, ask.", "Take the red one. If ambiguous, find out."),),
        near=("If ambiguous, ask the cook.",),
        over=("questions.", "person.", "menus."),
    ),
    Rule(
        "flow.config-layers",
        "The layers of the configuration were merged when the workflow was made.",
        Phrase("four-layer merge", r"a four-layer merge of [^;)]*; "),
        Say(""),
        "rewritten",
        examples=(("(a four-layer merge of `a.toml` and `b.toml`; each has a name)", "(each has a name)"),),
        near=("(a merge of `a.toml` and `b.toml`; each has a name)",),
        over=("variables.", "includes."),
        consumes=(r".*",),
    ),
    Rule(
        "flow.erratum-validator",
        "The task that should do this check is in no release; the agent makes it itself.",
        Phrase(
            "validate-workflow.xml",
            r"(?: using| with|:)? `?(?:\{[\w-]+\}/)?(?:_bmad/)?core/tasks/validate-workflow\.xml`?",
            kinds=SPOKEN | {"code"},
        ),
        Say(""),
        "rewritten",
        examples=(("Check it using _bmad/core/tasks/validate-workflow.xml now.", "Check it now."),),
        near=("Check it using the list now.",),
        over=("variables.", "includes."),
        consumes=(r".*validate-workflow.*",),
    ),
    Rule(
        "flow.section",
        "What a file calls its step and heads with a number is a section of that step.",
        Found(_sections, ("step ",)),
        Say("section \\g<number>"),
        "rewritten",
        examples=(
            (
                "### 4. Bake\n\nContinue to step 4.\n",
                "### 4. Bake\n\nContinue to section 4.\n",
            ),
        ),
        near=("### 4. Bake\n\nStep 4 is hot.\n", "Continue to step 4.\n"),
        over=("ceremony.", "menus.", "person.", "questions."),
    ),
    Rule(
        "flow.fenced-tag",
        "A workflow in a fence of code is said in words, as one outside of it is.",
        Found(_fenced_tags),
        Made(_unfenced),
        "rewritten",
        examples=(
            ("```xml\n<invoke-task>Bake it</invoke-task>\n```", "```xml\n- Bake it\n```"),
            (
                '```xml\n<step n="2" goal="Bake"><check if="hot">x</check></step>\n```',
                "```xml\nStep 2: Bake- If hot: x\n```",
            ),
        ),
        near=("```xml\n<p>Bake it</p>\n```", "```html\n<section><p>Bake it</p></section>\n```"),
        over=("variables.", "names.", "menus.", "questions.", "person.", "ceremony.", "includes."),
        consumes=(r".*",),
    ),
    Rule(
        "flow.template-block",
        "Conditions and loops of templates are said in words: gh-aw would compute or refuse them.",
        Found(_blocks),
        Made(_spoken),
        "rewritten",
        examples=(
            ("{{#if ready}}Go{{else}}Stop{{/if}}", "[if ready]Go[otherwise]Stop[end if]"),
            ("{{#each parts}}x{{/each}}", "[for each of parts]x[end for each]"),
        ),
        near=("{{ready}} and {{parts}}",),
        over=("variables.",),
        consumes=(r".*",),
    ),
    Rule(
        "flow.comment",
        "A comment of HTML would not reach the agent; what it says is a note.",
        Found(_comments),
        Made(_noted),
        "rewritten",
        examples=(("```html\n<!-- fill this in -->\n```", "```html\n[note: fill this in]\n```"),),
        near=("```html\n<p>fill this in</p>\n```",),
        consumes=(r".*<!-.*",),
    ),
    Rule(
        "flow.erratum-completion-jump",
        "Upstream numbered its steps anew and left this jump behind: the completion is step 9.",
        Found(_completion),
        Say("9"),
        "rewritten",
        examples=(
            (
                '<workflow><step n="1"><goto step="6">Completion now</goto></step></workflow>',
                '<workflow><step n="1"><goto step="9">Completion now</goto></step></workflow>',
            ),
        ),
        near=('<workflow><step n="1"><goto step="6">Next task</goto></step></workflow>',),
        consumes=(r"6",),
    ),
    Rule(
        "flow.erratum-completion",
        "Upstream numbered its steps anew and left this number behind: the completion is step 9.",
        Phrase("step 6 decides", r"step 6 decides completion"),
        Say("Step 9 decides completion"),
        "rewritten",
        examples=(("Here step 6 decides completion.", "Here Step 9 decides completion."),),
        near=("Here step 5 decides completion.",),
        consumes=(r"6",),
    ),
)
