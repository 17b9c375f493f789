"""What must be gone from an emitted body is found, kind by kind, and what may stay is not."""

from collections.abc import Iterable

import pytest

from bmadc.ledger.leftovers import KINDS, Leftover, leftovers

STEPS = ("1", "2", "3a", "04")
MAY_STAY = ("story_key", "bmad-needs-review", "/bmad-go")


def kinds(text: str) -> set[str]:
    return {one.kind for one in leftovers(text, steps=STEPS, placeholders=MAY_STAY)}


# Kind: texts that have one, texts that nearly have one.
CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tag": (
        (
            "<action>Count the pears",
            '<step n="2" goal="Count">',
            "```\n</check>\n```",
            "Then <goto/> there",
            "<note>Pears keep for a week.</note>",
        ),
        (
            "pear set <status>",
            "Replace `<path>` by the orchard",
            "`<div><ask>pear</ask></div>`",
            "<frozen-after-approval>",
        ),
    ),
    "project-root": (("Look into {project-root}/orchard",), ("Look into the root of the project",)),
    "upstream path": (
        (
            "Load `_bmad/core/pears.xml` first",
            "Run {skill-root}/scripts/pears.py",
            "Follow .claude/skills/bmad-pears/SKILL.md",
            "See .agents/skills/pears",
        ),
        (
            "Pears below `_bmad/` and `_bmad-output/` are not weighed; see there.",
            "Read `_bmad-output/pears.md`.",
            "Do not edit `_bmad/core/pears.xml`.",
            "Read everything except `_bmad/core/pears.xml`.",
        ),
    ),
    "step file": (("Open the next step file.", "A step-file holds pears"), ("Every step fills a file",)),
    "user selects": (
        ("When the user selects a pear", "user **selected** it"),
        ("Users select pears online",),
    ),
    "waits": (
        ("Wait for the user.", "waiting for a reply", "wait for explicit confirmation", "WAIT for human"),
        ("Wait for the tests to finish.", "The waiter responded"),
    ),
    "menu": (
        ("[A] Apples\n[P] Pears", "Apples [a], Pears [p]", "Take one: [1/2/3]", "Take [1], [2] or [3]"),
        (
            "- [ ] Pears\n- [x] Plums",
            "Mixing [A] with [B] is fine",
            "It grows [1]. It ripens [2].",
            "[HIGH] Rotten",
            "See [B](pears.md)",
            "[AI-Review] Wash it",
        ),
    ),
    "braces": (
        ("Take {pear_count} pears", "Take {{pear_count}} pears", "{workflow.pears}"),
        ("Story {story_key} or {{story_key}}", "{Short reason}", "{Name}", "${HOME}", "a set {}"),
    ),
    "handlebars": (
        ("{{#if ripe}}", "{{/each}}", "{{else}}", "{{if ripe > 0}}", "{else}"),
        ("{{Ripe pears}}", "if else"),
    ),
    "render token": (("In {{.pear_folder}}",), ("In {{story_key}}",)),
    "snapshot": (("Read [[bmad-snapshot:pears.md]]",), ("Read [[pears]]",)),
    "absent step": (
        ("Go to step 7.", "Return to step-05 now", "Repeat steps 2–9", "see Step 3b"),
        (
            "Go to step 2.",
            "Return to step-04.",
            "Repeat steps 1-2",
            "Step 3a is done",
            "a step 90% of the way",
        ),
    ),
    "command": (
        ("Type /bmad-pears", "Use `*pears` for that", "`/bmad:pears`"),
        ("Say /bmad-go", "`*.pears`"),
    ),
    "skill": (
        ("The bmad-pick-pears skill", "`bmad-pears`"),
        ("label bmad-needs-review", "in _bmad-output", "the bmad-method project"),
    ),
    "expression": (("${{ github.actor }}",), ("$ { { x } }",)),
    "include": (("Pears:\n@include pears.md", "  @import pears.md"), ("Write to pears@include.example",)),
    "agent heading": (
        ("# A\n\n## agent: pear", "## Skill: pear"),
        ("## Agents and pears", "### agent: pear"),
    ),
    "comment": (("Pears <!-- hidden -->",), ("Pears <!doctype html>", "a <- b")),
}


def test_every_kind_has_its_cases() -> None:
    assert sorted(CASES) == sorted(KINDS)


def rows(index: int) -> Iterable[tuple[str, str]]:
    return [(kind, text) for kind, texts in CASES.items() for text in texts[index]]


@pytest.mark.parametrize(("kind", "text"), rows(0))
def test_a_leftover_is_found(kind: str, text: str) -> None:
    assert kind in kinds(text)


@pytest.mark.parametrize(("kind", "text"), rows(1))
def test_a_near_miss_is_none(kind: str, text: str) -> None:
    assert kind not in kinds(text)


def test_a_leftover_tells_its_line_and_words() -> None:
    assert leftovers("Pears.\n\nGo to {project-root}/x\n") == (Leftover("project-root", 3, "{project-root}"),)


def test_steps_are_judged_only_when_they_are_known() -> None:
    assert leftovers("Go to step 7.") == ()
    assert leftovers("Go to step 7.", steps=("07",)) == ()
    assert leftovers("Go to step 7.", steps=("1",)) == (Leftover("absent step", 1, "step 7"),)


def test_a_clean_body_has_none() -> None:
    body = """# Pick pears

Find out which tree is meant. Decide how many pears to pick and record why.

1. Count the pears in `orchard/pears.csv`; story {story_key}.
2. If there are none, HALT.

- [ ] Each pear was counted [1].

Choose one of these and record why: Apples; Pears (the default).
"""
    assert leftovers(body, steps=STEPS, placeholders=MAY_STAY) == ()
