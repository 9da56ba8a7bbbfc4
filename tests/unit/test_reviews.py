"""What reviews amount to."""

from datetime import timedelta

import pytest

from fakes.pull_requests import NOON
from loopx.domain.pull_requests.record import (
    GHOST,
    BotReview,
    Decision,
    DecisionSource,
    Person,
    PersonKind,
    Review,
    ReviewRequest,
)
from loopx.domain.pull_requests.reviews import SubmittedReview, weigh_reviews

HEAD = "a" * 40
OLD = "b" * 40


def given(who: str, state: str, minute: int, *, commit: str = HEAD, writer: bool = True) -> SubmittedReview:
    kind = PersonKind.BOT if who.endswith("[bot]") else PersonKind.USER
    author = GHOST if who == "ghost" else Person(who, kind)
    when = NOON + timedelta(minutes=minute)
    return SubmittedReview(
        id=f"{who}{minute}", author=author, state=state, submitted_at=when, commit=commit, writer=writer
    )


def weigh(*reviews: SubmittedReview, decision: Decision | None = None) -> Review:
    return weigh_reviews(reviews, head=HEAD, decision=decision)


def test_a_comment_changes_no_standing_opinion() -> None:
    found = weigh(given("lena", "approved", 1), given("lena", "commented", 2))
    assert found.approved_by == ("lena",)


def test_the_latest_opinion_of_a_reviewer_counts_whatever_the_order_they_come_in() -> None:
    found = weigh(given("lena", "changes_requested", 5), given("lena", "approved", 1))
    assert (found.approved_by, found.changes_requested_by) == ((), ("lena",))


def test_a_dismissed_review_leaves_no_opinion_and_revives_none() -> None:
    found = weigh(given("lena", "approved", 1), given("lena", "dismissed", 2))
    assert (found.approved_by, found.decision) == ((), Decision.NONE)


def test_a_pending_review_is_nobodys_business() -> None:
    found = weigh(given("lena", "pending", 1), given("scan[bot]", "pending", 1))
    assert (found.approved_by, found.bot_reviews) == ((), ())


def test_the_approval_of_somebody_without_write_access_does_not_count() -> None:
    assert weigh(given("visitor", "approved", 1, writer=False)).approved_by == ()


def test_a_bot_approves_nothing_but_is_listed() -> None:
    found = weigh(given("scan[bot]", "approved", 1), given("scan[bot]", "commented", 2))
    assert (found.approved_by, found.bot_reviews) == ((), (BotReview("scan[bot]", "approved"),))


def test_two_deleted_accounts_are_two_people() -> None:
    found = weigh(given("ghost", "approved", 1), given("ghost", "changes_requested", 2))
    assert (found.approved_by, found.changes_requested_by) == ((None,), (None,))


def test_an_approval_of_an_older_commit_is_stale_and_still_listed() -> None:
    found = weigh(given("lena", "approved", 1, commit=OLD), given("priya", "approved", 2))
    assert (found.approved_by, found.stale_approvals) == (("lena", "priya"), ("lena",))


def test_githubs_own_decision_is_taken_as_it_is() -> None:
    found = weigh(given("lena", "approved", 1), decision=Decision.NONE)
    assert (found.decision, found.source) == (Decision.NONE, DecisionSource.GITHUB)


@pytest.mark.parametrize(
    ("states", "requested", "decision"),
    [
        (("approved",), False, Decision.APPROVED),
        (("approved", "changes_requested"), False, Decision.CHANGES_REQUESTED),
        ((), True, Decision.REVIEW_REQUIRED),
        ((), False, Decision.NONE),
    ],
)
def test_without_githubs_decision_it_is_computed_and_says_so(
    states: tuple[str, ...], requested: bool, decision: Decision
) -> None:
    reviews = [given(f"reviewer{index}", state, index) for index, state in enumerate(states)]
    asked = (ReviewRequest("user", "priya", code_owner=False),) if requested else ()
    found = weigh_reviews(reviews, head=HEAD, decision=None, requested=asked)
    assert (found.decision, found.source) == (decision, DecisionSource.COMPUTED)


@pytest.mark.parametrize("decision", [None, Decision.NONE])
def test_an_approval_among_reviews_that_were_not_all_read_is_no_decision(decision: Decision | None) -> None:
    found = weigh_reviews([given("lena", "approved", 1)], head=HEAD, decision=decision, partial=True)
    assert (found.decision, found.source) == (Decision.UNKNOWN, DecisionSource.COMPUTED)


def test_githubs_own_approval_stands_although_some_reviews_were_not_read() -> None:
    found = weigh_reviews([], head=HEAD, decision=Decision.APPROVED, partial=True)
    assert (found.decision, found.source) == (Decision.APPROVED, DecisionSource.GITHUB)
