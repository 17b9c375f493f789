"""Line 6: a broken `.bmad/config.yaml` stops the work, and says what, where, why and what to do."""

from pathlib import Path

import pytest

from bmadc.machine.config import CONFIG_PATH, SETTINGS
from support.names import BREAKER
from support.shell import NUMBER, Bench, environment

pytestmark = pytest.mark.needs("jq")

CORRECT = "Correct the settings file on the default branch."
WAIT = "Wait until GitHub answers again."
KNOWN = ", ".join(setting.key for setting in SETTINGS)

LABELLED = {"EVENT": "issues", "KIND": "issues", "WAKES": "", "LABEL": "bmad-story"}

BROKEN: dict[str, tuple[str | None, str, str]] = {
    "a value out of range": ("# ours\ntier: 9\n", "line 2: Tier must be 0-4, got: 9", CORRECT),
    "an unknown setting": ("teir: 3\n", f"line 1: unknown setting teir; known: {KNOWN}", CORRECT),
    "no YAML": ("{tier\n", "line 1: expected one setting such as language: TypeScript", CORRECT),
    "twice": ("tier: 1\ntier: 2\n", "line 2: tier is set twice", CORRECT),
    "a huge file": ("#" * 20_000, "is larger than 16384 bytes", CORRECT),
    "no answer": (None, "could not be read: GitHub did not answer.", WAIT),
}


@pytest.mark.parametrize("row", BROKEN)
def test_what_is_wrong_with_the_settings_reaches_the_person(tmp_path: Path, row: str) -> None:
    text, what, todo = BROKEN[row]
    bench = Bench(tmp_path)
    bench.github.issue(NUMBER)
    if text is None:
        bench.github.fault(CONFIG_PATH, times=3)
    else:
        bench.github.content(CONFIG_PATH, text)
    error = bench.run("config", environment("config")).outputs["error"]
    decided = bench.run("guard", environment("guard", **LABELLED, CONFIG_ERROR=error)).outputs
    assert (decided["go"], decided["halt"], decided["code"]) == ("false", "true", "config")
    said = environment("halt", CODE=decided["code"], REASON=decided["reason"])
    bench.run("halt", said)
    (comment,) = bench.github.comments(NUMBER)
    first, happened, matters, do = (line for line in comment.split("\n")[:5] if line)
    assert first == "**Stopped: a person has to decide.**"
    assert happened.startswith(f"- What happened: `{CONFIG_PATH}")
    assert what in happened
    assert matters.startswith("- Why it matters: while the label `needs-human-intervention` is on this item")
    assert do == f"- What to do: {todo} Then remove the label, or comment `/resume`."
    assert BREAKER in bench.github.labels(NUMBER)
