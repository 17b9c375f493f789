"""Line 3: the same checks fail on each form that compiles, or nearly, and then never works.

Each dead form is one small edit of the good pack.
"""

from dataclasses import dataclass

import pytest

from bmadc.backend.jobs import GO
from bmadc.machine.wiring import BUS
from support.spine import findings
from support.spinepack import pack

pytestmark = [pytest.mark.needs("gh-aw"), pytest.mark.needs("node-oracles")]


@dataclass(frozen=True, slots=True)
class DeadForm:
    """An edit of one file, the check that must see it, and words of what it says."""

    file: str
    old: str
    new: str
    seen_by: str
    says: str


DEV, STORY = "bmad-dev-story.md", "bmad-create-story.md"
HALT = "  halt:\n    needs: [pre_activation, activation]\n"
HANDOFF = "  handoff:\n    needs: [pre_activation, activation, enter, agent, detection, gate, safe_outputs]\n"
HERE = "github.event.pull_request.head.repo.id == github.repository_id"
ONLY_FROM_HERE = f"github.event.pull_request == null || {HERE}"

DEAD_FORMS = {
    "halt with only needs: pre_activation": DeadForm(
        DEV,
        HALT,
        HALT.replace(", activation]", "]"),
        "go_reaches_the_handoff",
        "'halt', which it needs, was skipped",
    ),
    "handoff with only needs: safe_outputs": DeadForm(
        DEV, HANDOFF, "  handoff:\n    needs: [safe_outputs]\n", "gh-aw error", "cycle"
    ),
    "guard in the top-level if": DeadForm(
        STORY,
        f"if: {ONLY_FROM_HERE}\n",
        f"if: {GO} && ({ONLY_FROM_HERE})\n",
        "foreign_labels_start_nothing",
        "label 'question' on an issue starts ('pre_activation'",
    ),
    "outputs read in a job that does not need pre_activation": DeadForm(
        DEV,
        "  agent:\n    needs: [pre_activation, activation]\n",
        "",
        "reads_only_its_needs",
        "job 'agent' does not need it itself",
    ),
    "replace-label": DeadForm(
        DEV,
        "safe-outputs:\n",
        "safe-outputs:\n  replace-label:\n    allowed-transitions: [{from: bmad-dev, to: bmad-review}]\n",
        "gh-aw warning",
        "replace-label",
    ),
    "slash and label command in one file": DeadForm(
        STORY,
        "  status-comment: false\n",
        "  slash_command:\n    name: story\n    events: [issue_comment]\n  status-comment: false\n",
        "foreign_labels_start_nothing",
        "label 'question' on an issue starts",
    ),
    # Found here: not in wiring.md.
    "names, which a release leaves in the lock after permissions": DeadForm(
        DEV,
        "    types: [labeled, ready_for_review]\n",
        "    types: [labeled, ready_for_review]\n    names: [bmad-dev]\n",
        "refused by GitHub",
        "Unexpected value 'names'",
    ),
    "a gate that nobody waits for": DeadForm(
        DEV,
        "    if: needs.gate.outputs.open == 'true'\n",
        "",
        "handoff_outlives_failures",
        "the gate is shut, and outputs are applied all the same",
    ),
    "a group of its own": DeadForm(
        DEV, "group: bmad-$", "group: dev-$", "one_at_a_time", "run in the groups"
    ),
    "the default checkout": DeadForm(
        DEV,
        "  ref: ${{ needs.pre_activation.outputs.head_ref }}\n",
        "",
        "the_head_is_checked_out",
        "agent checks out ['']",
    ),
}


def test_the_good_pack_has_no_findings() -> None:
    assert findings(pack(BUS)) == {}


@pytest.mark.parametrize("name", DEAD_FORMS)
def test_dead_form(name: str) -> None:
    form = DEAD_FORMS[name]
    files = pack(BUS)
    assert files[form.file].count(form.old) == 1
    found = findings({**files, form.file: files[form.file].replace(form.old, form.new)})
    print(f"{name}: {form.seen_by}: {found.get(form.seen_by, ['not seen'])[0]}")
    assert any(form.says in said for said in found.get(form.seen_by, [])), found
