"""Whose turn it is."""

from typing import Any

import pytest

from fakes.pull_requests import checks, pull_request, review
from loopx.domain.pull_requests.checks import judge_checks, unavailable_checks
from loopx.domain.pull_requests.record import (
    AutoMerge,
    Decision,
    MergeQueueEntry,
    ReviewRequest,
    State,
    Threads,
)
from loopx.domain.pull_requests.triage import RULES, Turn, explain, triage

APPROVED_BY_LENA = review(Decision.APPROVED, approved_by=("lena",))
ASKED = ReviewRequest("user", "lena", code_owner=False)


CASES: list[tuple[dict[str, Any], str, Turn]] = [
    ({}, "ready", Turn.MAINTAINER),
    ({"state": State.MERGED}, "merged", Turn.NOBODY),
    ({"state": State.CLOSED}, "closed", Turn.NOBODY),
    ({"merge_queue": MergeQueueEntry(1, "queued")}, "merge_queued", Turn.CI),
    ({"draft": True}, "draft", Turn.AUTHOR),
    ({"mergeable": "conflicting"}, "conflicting", Turn.AUTHOR),
    ({"merge_state": "dirty"}, "conflicting", Turn.AUTHOR),
    ({"checks": checks("action_required")}, "needs_approval_to_run", Turn.MAINTAINER),
    ({"checks": checks("action_required", "failure")}, "checks_failing", Turn.AUTHOR),
    ({"checks": checks("cancelled")}, "checks_failing", Turn.AUTHOR),
    ({"checks": checks("queued")}, "checks_pending", Turn.CI),
    ({"checks": judge_checks((), provider_state="pending")}, "checks_pending", Turn.CI),
    ({"checks": judge_checks((), provider_state="failure")}, "checks_unclear", Turn.MAINTAINER),
    ({"checks": unavailable_checks()}, "checks_unclear", Turn.MAINTAINER),
    ({"checks": checks("stale")}, "checks_unclear", Turn.MAINTAINER),
    ({"checks": checks()}, "ready", Turn.MAINTAINER),
    (
        {"review": review(Decision.CHANGES_REQUESTED, changes_requested_by=("lena",))},
        "changes_requested",
        Turn.AUTHOR,
    ),
    (
        {"review": review(Decision.CHANGES_REQUESTED, changes_requested_by=("lena",), requested=(ASKED,))},
        "review_again",
        Turn.REVIEWER,
    ),
    ({"review": review(Decision.REVIEW_REQUIRED)}, "awaiting_review", Turn.REVIEWER),
    ({"review": review(Decision.UNKNOWN)}, "awaiting_review", Turn.REVIEWER),
    ({"review": review(Decision.NONE)}, "awaiting_review", Turn.REVIEWER),
    ({"review": review(Decision.NONE, approved_by=("lena",))}, "ready", Turn.MAINTAINER),
    (
        {"review": review(Decision.APPROVED, approved_by=("lena",), stale_approvals=("lena",))},
        "stale_approval",
        Turn.REVIEWER,
    ),
    ({"threads": Threads(3, 1, 0)}, "unresolved_threads", Turn.AUTHOR),
    ({"threads": Threads(3, 1, 0, truncated=True)}, "unresolved_threads", Turn.AUTHOR),
    ({"threads": Threads(0, 0, 0, truncated=True)}, "threads_unclear", Turn.MAINTAINER),
    ({"auto_merge": AutoMerge("squash", "lena")}, "auto_merge", Turn.CI),
    ({"merge_state": "behind"}, "behind", Turn.AUTHOR),
    ({"merge_state": "blocked"}, "blocked", Turn.MAINTAINER),
    ({"mergeable": "unknown", "merge_state": "unknown"}, "merge_unclear", Turn.CI),
    ({"mergeable": "unknown", "merge_state": "unstable"}, "ready", Turn.MAINTAINER),
    ({"merge_state": "has_hooks"}, "ready", Turn.MAINTAINER),
    ({"merge_state": "invented_tomorrow"}, "merge_unrecognized", Turn.MAINTAINER),
    ({"mergeable": "invented_tomorrow", "merge_state": "unknown"}, "merge_unrecognized", Turn.MAINTAINER),
]


@pytest.mark.parametrize(("changes", "state", "turn"), CASES)
def test_it_is_the_turn_of_whoever_can_move_it_on(changes: dict[str, Any], state: str, turn: Turn) -> None:
    found = triage(pull_request(**changes))
    assert (found.state, found.whose_turn) == (state, turn)
    assert found.reasons


def test_every_rule_decides_for_some_pull_request() -> None:
    decided = {state for _, state, _ in CASES}
    assert decided == {rule.state for rule in RULES}


def test_an_explanation_asks_in_order_and_ends_with_the_rule_that_decides() -> None:
    steps = list(explain(pull_request(draft=True)))
    assert [step.rule.state for step in steps] == ["merged", "closed", "merge_queued", "draft"]
    assert [step.decides for step in steps] == [False, False, False, True]


def test_of_the_open_ones_the_ready_come_first_and_drafts_last() -> None:
    ready, draft = triage(pull_request()), triage(pull_request(draft=True))
    assert (
        ready.priority
        < triage(pull_request(review=review(Decision.REVIEW_REQUIRED))).priority
        < draft.priority
    )
