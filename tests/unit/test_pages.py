import io
from collections.abc import Callable, Iterator

import pytest

from fakes.pull_requests import attempt, checks, pull_request, review
from fakes.runs import frame, incomplete, record, summary
from loopx.domain.pull_requests.checks import judge_checks
from loopx.domain.pull_requests.data import to_data
from loopx.domain.pull_requests.explanation import EXPLANATION, explanation_data
from loopx.domain.pull_requests.record import (
    AutoMerge,
    BotReview,
    Decision,
    Head,
    MergeQueueEntry,
    Person,
    PersonKind,
    ReviewRequest,
    State,
    Threads,
)
from loopx.domain.pull_requests.triage import RULES
from loopx.domain.results import Status
from loopx.domain.schema import Data
from loopx.entrypoints.presentation.explanation import explanation_page
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.lists import Result, page_renderer
from loopx.entrypoints.presentation.pull_request_page import pull_request_page
from loopx.entrypoints.presentation.style import Terminal
from loopx.entrypoints.presentation.width import width

Page = Callable[[Data, Frame], Iterator[str]]


def page(**changes: object) -> str:
    return "\n".join(pull_request_page(to_data(pull_request(**changes)), frame()))  # type: ignore[arg-type]  # changes have no number


def explained(**changes: object) -> list[str]:
    data = explanation_data(pull_request(**changes))  # type: ignore[arg-type]  # changes have no number
    return list(explanation_page(data, frame(spec=EXPLANATION)))


def test_a_page_tells_who_what_and_whose_turn_it_is() -> None:
    text = page()
    assert text.startswith("#7  Log every gate opening\nhttps://github.com/octo/harbour/pull/7\n")
    assert "octo/harbour · open · by maya (member)\nopened 3d ago · updated 3d ago" in text
    assert "turn      maintainer: ready\n          approved by lena" in text
    assert "reviews   approved\n          approval of lena" in text
    assert "branch    gates → main\n          mergeable: yes · merge state: clean" in text
    assert "size      +10 -2 in 1 file" in text
    assert "labels    harbour" in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"draft": True}, "draft, open"),
        ({"author": Person(None, PersonKind.GHOST)}, "by a deleted account"),
        ({"head": Head("gates", "a" * 40, None)}, "(deleted fork):gates → main"),
        ({"head": Head("gates", "a" * 40, "sam/harbour")}, "sam/harbour:gates → main"),
        ({"mergeable": "conflicting"}, "mergeable: no, it conflicts"),
        ({"mergeable": "unknown"}, "mergeable: unknown"),
        ({"merge_queue": MergeQueueEntry(2, "queued")}, "in the merge queue, position 2"),
        ({"merge_queue": MergeQueueEntry(None, "queued")}, "in the merge queue, position unknown"),
        ({"auto_merge": AutoMerge("squash", "lena")}, "merges by itself (squash)"),
        ({"threads": Threads(5, 2, 1)}, "threads   2 of 5 open, 1 on outdated code"),
        ({"milestone": "3.0"}, "harbour · milestone 3.0"),
        ({"labels": (), "milestone": "3.0"}, "labels    milestone 3.0"),
        ({"review": review(Decision.APPROVED, approved_by=("lena",), stale_approvals=("lena",))},
         "approval of lena (an older commit)"),
        ({"review": review(Decision.CHANGES_REQUESTED, changes_requested_by=(None,))},
         "changes wanted by a deleted account"),
        ({"review": review(Decision.NONE, requested=(ReviewRequest("user", None, code_owner=True),))},
         "asked: somebody hidden (code owner)"),
        ({"review": review(Decision.NONE, bot_reviews=(BotReview("renovate", "approved"),))},
         "bots, which do not count: renovate (approved)"),
        ({"review": review(Decision.UNKNOWN)}, "reviews   could not be read"),
        ({"checks": judge_checks([], required=["build"])}, "● build: required, never reported"),
        ({"checks": judge_checks([attempt("build", "failure")])}, "✗ CI / build: failure"),
        ({"checks": judge_checks([attempt("lint", "queued", workflow=None)])}, "● lint: queued"),
        ({"checks": judge_checks([], truncated=True)}, "not all checks could be read"),
    ],
)  # fmt: skip
def test_every_state_has_its_words(changes: dict[str, object], words: str) -> None:
    assert words in page(**changes)


def test_a_thread_that_does_not_exist_is_not_told() -> None:
    assert "threads" not in page()


def test_of_very_many_checks_some_are_listed_and_the_rest_counted() -> None:
    text = page(checks=checks(*["failure"] * 30))
    assert text.count("✗ CI /") == 12
    assert "and 18 more" in text


@pytest.mark.parametrize("show", [pull_request_page, explanation_page])
def test_a_page_fits_the_terminal(show: Page) -> None:
    one = pull_request(title="word " * 60, labels=tuple(f"label {number}" for number in range(40)))
    data = to_data(one) if show is pull_request_page else explanation_data(one)
    lines = list(show(data, frame(terminal=Terminal(columns=70, colour=False))))
    assert max(map(width, lines)) <= 70


@pytest.mark.parametrize("show", [pull_request_page, explanation_page])
def test_a_page_shows_no_text_raw(show: Page) -> None:
    evil = "\x1b[2J\u202e\n#1"
    one = pull_request(
        title=evil, labels=(evil,), base=pull_request().base, checks=judge_checks([attempt(evil, "failure")])
    )
    data = to_data(one) if show is pull_request_page else explanation_data(one)
    text = "\n".join(show(data, frame()))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert not any(line.startswith("#1") for line in text.splitlines())


def test_an_explanation_asks_in_order_and_ends_with_the_rule_that_decided() -> None:
    lines = explained(draft=True)
    assert lines[:3] == ["#7  Log every gate opening", "https://github.com/octo/harbour/pull/7", ""]
    assert lines[3:8] == [
        "  no   Is it merged?",
        "  no   Is it closed without merge?",
        "  no   Is it in the merge queue?",
        "  yes  Is it a draft?",
        "         it is a draft",
    ]
    assert lines[-1] == "It is the author's turn: draft."


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({"state": State.MERGED}, "It is nobody's turn: merged."),
        ({"checks": checks("queued")}, "It is CI's turn: checks pending."),
        ({}, "It is the maintainer's turn: ready."),
    ],
)
def test_an_explanation_ends_with_the_verdict(changes: dict[str, object], verdict: str) -> None:
    assert explained(**changes)[-1] == verdict


def test_an_explanation_as_data_has_every_rule_that_was_asked() -> None:
    data = explanation_data(pull_request())
    assert list(data) == [field.name for field in EXPLANATION.fields]
    rules = data["rules"]
    assert isinstance(rules, list)
    assert [rule["state"] for rule in rules] == [rule.state for rule in RULES]
    assert [rule["answer"] for rule in rules] == [False] * (len(RULES) - 1) + [True]


def test_a_page_says_below_what_is_missing() -> None:
    out = io.StringIO()
    partial = summary(1, status=Status.PARTIAL, completeness=incomplete("problems"))
    page_renderer(pull_request_page)(Result([record().data], partial), frame(out=out))
    assert out.getvalue().splitlines()[-1].startswith("incomplete: some of it could not be read")
