"""What a run leaves outside of the loop, under real bash and jq: a document, a report, votes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from bmadc.backend.scripts import template
from bmadc.machine import protocol
from support.fakegh import ALWAYS, BOT, PERSON, TOKEN
from support.names import BREAKER, CONSENSUS, MARK
from support.shell import NUMBER, Bench, Result, environment, lock_of

pytestmark = pytest.mark.needs("jq")

PR = 9
ASKED = "bmad-plan-prd"
NEXT = "bmad-solution-arch"
PLAIN = {"FROM": "", "NEXT": "", "SHA": "", "ASKED": ASKED}
DOCUMENT = PLAIN | {"MODE": "document", "CREATED": str(PR), "NEXT_LABEL": NEXT}
REPORT = PLAIN | {"MODE": "report", "COMMENT": "1001"}
PARTY = PLAIN | {"MODE": "party", "ASKED": "bmad-party-mode"}
NOTE = (
    f"This pull request comes from #{NUMBER}. A person reads it and merges it; nothing merges it by itself."
)
THEN = f" After that, the label `{NEXT}` on an issue starts what comes next."
LOOK = "Open the run and read the first failed job."
DECIDE = "Read the discussion and decide, or say what is missing and start it again."


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path)
    for worker in protocol.WORKERS:
        bench.github.workflow(lock_of(worker))
    bench.github.issue(NUMBER, body="An app for bakers.")
    return bench


def handoff(bench: Bench, base: dict[str, str], **env: str) -> Result:
    return bench.run("handoff", environment("handoff", **(base | env)))


def assert_stopped(bench: Bench, what: str, todo: str) -> None:
    assert BREAKER in bench.github.labels(NUMBER)
    comment = bench.github.comments(NUMBER)[-1]
    assert f"- What happened: {what}\n" in comment
    assert f"- What to do: {todo} Then remove the label, or comment `/resume`." in comment


# A document


def test_a_document_is_marked_and_says_where_it_comes_from_and_what_comes_next(bench: Bench) -> None:
    bench.github.pull(PR, body="The requirements.")
    result = handoff(bench, DOCUMENT)
    assert bench.github.labels(PR) == [ASKED]
    assert bench.github.state["items"][str(PR)]["body"] == f"The requirements.\n\n{NOTE}{THEN}"
    assert result.told("notice") == ["#9 was opened for #7. A person reads it and merges it."]
    # Nothing is moved, woken or said on the issue, and the loop does not take it for its own.
    assert (bench.github.labels(NUMBER), bench.github.comments(NUMBER)) == ([], [])
    assert MARK not in bench.github.labels(PR)
    assert bench.github.dispatches() == []
    # So asking twice is noticed.
    mistake = environment("mistake", LABEL=ASKED, TRIGGERS=ASKED)
    assert bench.run("mistake", mistake).outputs["mistake"].startswith(f"#{PR}, which this label opened")


def test_a_document_after_which_nothing_comes_says_so_by_silence(bench: Bench) -> None:
    bench.github.pull(PR, body=None)
    handoff(bench, DOCUMENT, NEXT_LABEL="")
    assert bench.github.state["items"][str(PR)]["body"] == f"\n\n{NOTE}"


def test_a_body_is_added_to_once(bench: Bench) -> None:
    text = "a\"b'c $(echo >CANARY) `echo >CANARY`\r\n${{ x }} \\ \u2028 ä"
    bench.github.pull(PR, body=text)
    handoff(bench, DOCUMENT)
    handoff(bench, DOCUMENT)
    assert bench.github.state["items"][str(PR)]["body"] == f"{text}\n\n{NOTE}{THEN}"


FAULTS = {
    "labelling": (
        "POST .*/issues/9/labels",
        [],
        True,
        f"Could not set the label {ASKED} on #9, so asking twice",
    ),
    "reading": (
        "GET .*/pulls/9$",
        [ASKED],
        False,
        "Could not write into the body of #9. It should say: This pull",
    ),
    "writing": ("PATCH", [ASKED], False, "Could not write into the body of #9. It should say: This pull"),
}


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("times", [2, ALWAYS])
def test_what_could_not_be_written_on_the_document_is_said_in_the_run(
    bench: Bench, name: str, times: int
) -> None:
    match, labels, written, said = FAULTS[name]
    bench.github.pull(PR, body="x")
    bench.github.fault(match, times=times)
    result = handoff(bench, DOCUMENT)
    lasting = times == ALWAYS
    assert bench.github.labels(PR) == (labels if lasting else [ASKED])
    assert (NOTE in bench.github.state["items"][str(PR)]["body"]) is (written or not lasting)
    assert [text.startswith(said) for text in result.told("warning")] == ([True] if lasting else [])
    assert BREAKER not in bench.github.labels(NUMBER)


@pytest.mark.parametrize("body", ["<html>", "", '{"body": 7}'])
def test_a_pull_request_that_is_no_answer_is_not_written_into(bench: Bench, body: str) -> None:
    bench.github.pull(PR, body="x")
    bench.github.fault("GET .*/pulls/9$", 200, body=body)
    env = environment("handoff", **DOCUMENT)
    result = bench.run("handoff", env, noise=True)
    assert bench.github.state["items"][str(PR)]["body"] == "x"
    assert len(result.told("warning")) == 1


@pytest.mark.parametrize("created", ["", "0", "$(echo >CANARY)", "9\n10"])
def test_without_a_pull_request_it_is_stopped(bench: Bench, created: str) -> None:
    handoff(bench, DOCUMENT, CREATED=created)
    assert_stopped(bench, "No pull request was opened.", LOOK)


@pytest.mark.parametrize("mode", [DOCUMENT, REPORT, PARTY], ids=["document", "report", "party"])
@pytest.mark.parametrize(
    ("env", "what"),
    [
        ({"AGENT": "failure"}, "The agent did not finish its work (failure)."),
        ({"OUTPUTS": "failure"}, "The outputs were not applied, or only in part (failure)."),
    ],
)
def test_a_failed_run_says_so_on_the_item(
    bench: Bench, mode: dict[str, str], env: dict[str, str], what: str
) -> None:
    bench.github.pull(PR)
    handoff(bench, mode, **env)
    assert BREAKER in bench.github.labels(NUMBER)
    (comment,) = bench.github.comments(NUMBER)
    assert what in comment
    assert bench.github.labels(PR) == []


# A report


def test_a_report_changes_nothing_more(bench: Bench) -> None:
    result = handoff(bench, REPORT)
    assert bench.github.writes() == []
    assert result.told("notice") == ["#7 has its report."]


@pytest.mark.parametrize("mode", [REPORT, PARTY], ids=["report", "party"])
@pytest.mark.parametrize("comment", ["", "0", "$(echo >CANARY)", "1" * 20])
def test_without_a_comment_it_is_stopped(bench: Bench, mode: dict[str, str], comment: str) -> None:
    handoff(bench, mode, COMMENT=comment)
    assert_stopped(bench, "No comment was written.", LOOK)


# A discussion


def votes(*given: str, decisions: Sequence[object] = ("We build it.",), **more: object) -> str:
    cast = [{"role": f"Role {number}", "vote": vote} for number, vote in enumerate(given)]
    body = json.dumps({"votes": cast, "decisions": list(decisions), **more}, indent=1)
    return f"# The discussion\n\nWe talked.\n\n```json\n{body}\n```\n"


def party(bench: Bench, text: str, **env: str) -> Result:
    comment = bench.github.comment(NUMBER, text)
    return handoff(bench, PARTY, COMMENT=str(comment), **env)


F, A, B = "for", "against", "block"
GRID: dict[str, tuple[str, str]] = {
    "all of two": (votes(F, F), "yes 2 2"),
    "two of three": (votes(F, F, A), "yes 2 3"),
    "four of six": (votes(F, F, F, F, A, A), "yes 4 6"),
    "one of two": (votes(F, A), "short 1 2"),
    "three of five": (votes(F, F, F, A, A), "short 3 5"),
    "none": (votes(A, A, A), "short 0 3"),
    "a block among two thirds": (votes(F, F, B), "block 2 3"),
    "a block among nearly all": (votes(*[F] * 9, B), "block 9 10"),
    "one voice": (votes(F), "few 1 1"),
    "no voice": (votes(), "few 0 0"),
    "no decision": (votes(F, F, decisions=()), "undecided 2 2"),
    "no decision and no agreement": (votes(F, A, decisions=()), "short 1 2"),
}
SAID = {
    "one of two": "There is no consensus: 1 of 2 votes are for it, and two thirds are needed.",
    "a block among two thirds": "There is no consensus: somebody blocks it (2 of 3 votes are for it).",
    "one voice": "There is no consensus: fewer than two roles voted.",
    "no decision": "The votes agree, but no decision is written down.",
}
NO_FORM = "The discussion left no votes in the form that can be counted."


def counted(bench: Bench, texts: Sequence[str]) -> list[str]:
    """What the script that counts says of each comment, all of them in one run."""
    shell = template("scripts", "lib", "consensus.sh")
    shell += 'while IFS= read -r comment; do consensus "$comment"; done <<<"$COMMENTS"\n'
    comments = "\n".join(json.dumps({"body": text}) for text in texts)
    result = bench.run_text(shell, {"COMMENTS": comments})
    assert (result.code, result.litter) == (0, ())
    return result.stdout.splitlines()


def test_two_thirds_without_a_block_are_consensus(bench: Bench) -> None:
    said = counted(bench, [text for text, _ in GRID.values()])
    assert dict(zip(GRID, said, strict=True)) == {name: word for name, (_, word) in GRID.items()}


def test_consensus_is_a_label_and_nothing_else(bench: Bench) -> None:
    result = party(bench, GRID["two of three"][0])
    assert bench.github.labels(NUMBER) == [CONSENSUS]
    assert len(bench.github.comments(NUMBER)) == 1
    assert result.told("notice") == ["#7: consensus, with 2 of 3 votes."]


@pytest.mark.parametrize("name", SAID)
def test_without_consensus_a_person_decides(bench: Bench, name: str) -> None:
    party(bench, GRID[name][0])
    assert bench.github.labels(NUMBER) == [BREAKER]
    assert_stopped(bench, SAID[name], DECIDE)


FORMS = {
    "CRLF": votes(F, F).replace("\n", "\r\n"),
    "a footer below it": votes(F, F) + "\n> Made by a run, [here](https://example.com).\n",
    "other letters": votes(F, F).replace("```json", "```JSON  "),
    "a longer fence, indented a little": votes(F, F).replace("```", "   ````"),
    "an example before it": votes(A, A) + votes(F, F),
    "other code after it": votes(F, F) + "\n```sh\nrm -rf /\n```\n",
    "fields that nobody asked for": votes(F, F, mood="good"),
}
NO_FORMS = {
    "nothing": "We agree.",
    "no text": "",
    "no code": votes(F, F).replace("```json", "").replace("```", ""),
    "another language": votes(F, F).replace("```json", "```yaml"),
    "a fence without its end": votes(F, F).rstrip().removesuffix("```"),
    "no JSON": votes(F, F).replace('"votes"', "votes"),
    "a list": "```json\n[]\n```\n",
    "no votes": '```json\n{"decisions": ["x"]}\n```\n',
    "no list of decisions": votes(F, F).replace('[\n  "We build it."\n ]', '"We build it."'),
    "a decision that says nothing": votes(F, F, decisions=[" "]),
    "a decision that is no text": votes(F, F, decisions=[7]),
    "a vote that does not exist": votes(F, F, "yes"),
    "a vote in other letters": votes(F, "FOR"),
    "a role without a name": votes(F, F).replace("Role 0", " "),
    "one role that votes twice": votes(F, F).replace("Role 1", "role 0 "),
    "an example after it": votes(F, F) + "\n```json\n{}\n```\n",
    "votes that are texts": '```json\n{"votes": ["for", "for"], "decisions": ["x"]}\n```\n',
    "very deep": "```json\n" + "[" * 3000 + "\n```\n",
}


def test_the_votes_are_what_the_comment_ends_with(bench: Bench) -> None:
    said = counted(bench, list(FORMS.values()))
    assert dict(zip(FORMS, said, strict=True)) == dict.fromkeys(FORMS, "yes 2 2")


def test_votes_that_cannot_be_counted_are_no_consensus(bench: Bench) -> None:
    said = counted(bench, list(NO_FORMS.values()))
    assert dict(zip(NO_FORMS, said, strict=True)) == dict.fromkeys(NO_FORMS, "form 0 0")
    party(bench, NO_FORMS["no votes"])
    assert_stopped(bench, NO_FORM, DECIDE)


def test_an_old_consensus_does_not_outlive_a_new_discussion(bench: Bench) -> None:
    bench.github.label(NUMBER, CONSENSUS, BOT)
    party(bench, votes(F, B))
    assert bench.github.labels(NUMBER) == [BREAKER]
    bench.github.unlabel(NUMBER, BREAKER)
    party(bench, votes(F, F))
    assert bench.github.labels(NUMBER) == [CONSENSUS]


@pytest.mark.parametrize(
    ("match", "what", "todo"),
    [
        ("/issues/comments/", "The comment with the votes could not be read again.", "Read it and decide."),
        (
            "POST .*/labels",
            "There is consensus, but the label bmad-consensus could not be set.",
            "Set it by hand.",
        ),
    ],
)
def test_a_discussion_whose_end_cannot_be_shown_is_said(
    bench: Bench, match: str, what: str, todo: str
) -> None:
    bench.github.fault(match, times=3)
    party(bench, votes(F, F))
    assert_stopped(bench, what, todo)
    assert CONSENSUS not in bench.github.labels(NUMBER)


@pytest.mark.parametrize("body", ["<html>", "", '{"body": 7}'])
def test_a_comment_that_is_no_answer_is_no_consensus(bench: Bench, body: str) -> None:
    bench.github.fault("/issues/comments/", 200, body=body)
    bench.github.comment(NUMBER, votes(F, F))
    env = environment("handoff", **(PARTY | {"COMMENT": "1001"}))
    bench.run("handoff", env, noise=True)
    assert bench.github.labels(NUMBER) == [BREAKER]


def test_what_the_roles_say_is_only_data(bench: Bench) -> None:
    text = "$(echo >CANARY) `echo >CANARY`\n::error::b\n```json\n{}\n```\n@octo/all <!-- x -->\n"
    result = party(bench, text + votes(F, F, decisions=["$(echo >CANARY) @octo/all ::error::b"]))
    assert bench.github.labels(NUMBER) == [CONSENSUS]
    assert [one.text for one in result.annotations] == ["#7: consensus, with 2 of 2 votes."]


def test_the_rights_to_write_issues_are_enough_for_a_report_and_a_discussion(bench: Bench) -> None:
    bench.github.token(TOKEN, BOT, {"issues": "write"})
    handoff(bench, REPORT)
    party(bench, votes(F, F))
    party(bench, votes(F, B))
    assert {call.status for call in bench.github.calls()} <= {200, 201}


@pytest.mark.parametrize("mode", [DOCUMENT, REPORT, PARTY], ids=["document", "report", "party"])
def test_a_stopped_or_closed_item_is_left_as_it_is(bench: Bench, mode: dict[str, str]) -> None:
    bench.github.pull(PR)
    bench.github.label(NUMBER, BREAKER, PERSON)
    handoff(bench, mode, COMMENT="1001")
    bench.github.unlabel(NUMBER, BREAKER)
    bench.github.close(NUMBER)
    handoff(bench, mode, COMMENT="1001")
    assert bench.github.writes() == []
