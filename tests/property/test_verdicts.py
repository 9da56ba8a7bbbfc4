"""Properties of the verdicts on checks, reviews and turns, over anything GitHub could say."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fakes.pull_requests import attempt, pull_request, review
from loopx.domain.pull_requests.checks import Attempt, Bucket, bucket_of, judge_checks
from loopx.domain.pull_requests.record import Decision, DecisionSource, Person, PersonKind, Verdict
from loopx.domain.pull_requests.reviews import SubmittedReview, weigh_reviews
from loopx.domain.pull_requests.triage import Turn, explain, triage

STATES = st.sampled_from(
    [
        "success",
        "neutral",
        "skipped",
        "failure",
        "error",
        "timed_out",
        "action_required",
        "startup_failure",
        "cancelled",
        "stale",
        "queued",
        "in_progress",
        "waiting",
        "pending",
        "requested",
        "expected",
        "new_word",
    ]
)
ATTEMPTS = st.lists(
    st.builds(
        lambda name, state, minute, order: attempt(name, state, minute=minute, order=order),
        st.sampled_from(["build", "unit", "lint"]),
        STATES,
        st.integers(0, 59),
        st.integers(0, 3),
    ),
    max_size=12,
)


@given(ATTEMPTS)
def test_every_attempt_is_counted_once(attempts: list[Attempt]) -> None:
    assert sum(dict(judge_checks(attempts).counts).values()) == len(attempts)


@given(ATTEMPTS)
def test_green_means_that_every_newest_attempt_passed_or_was_skipped(attempts: list[Attempt]) -> None:
    judged = judge_checks(attempts)
    newest = {one.identity: one for one in sorted(attempts, key=lambda one: one.recency)}
    buckets = {bucket_of(one.check.state) for one in newest.values()}
    green = buckets <= {Bucket.PASS, Bucket.SKIPPED} and Bucket.PASS in buckets
    ties = Counter((one.identity, one.recency) for one in attempts)
    if max(ties.values(), default=1) == 1:
        assert (judged.verdict is Verdict.PASS) == green


@given(ATTEMPTS, st.randoms(use_true_random=False))
def test_the_order_in_which_attempts_arrive_does_not_matter(attempts: list[Attempt], random: object) -> None:
    distinct = list({(one.identity, one.recency): one for one in attempts}.values())
    shuffled = list(distinct)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis types it as object
    assert judge_checks(distinct).verdict is judge_checks(shuffled).verdict


@given(ATTEMPTS, st.booleans())
def test_what_is_cut_off_or_missing_is_never_green(attempts: list[Attempt], truncated: bool) -> None:
    judged = judge_checks(attempts, required=("never reported",), truncated=truncated)
    assert judged.verdict is not Verdict.PASS


REVIEWS = st.lists(
    st.builds(
        SubmittedReview,
        id=st.uuids().map(str),
        author=st.builds(
            Person, st.sampled_from(["lena", "priya"]), st.sampled_from([PersonKind.USER, PersonKind.BOT])
        ),
        state=st.sampled_from(
            ["approved", "changes_requested", "commented", "dismissed", "pending", "new_word"]
        ),
        submitted_at=st.datetimes(timezones=st.timezones()) | st.none(),
        commit=st.sampled_from(["a" * 40, "b" * 40]) | st.none(),
        writer=st.booleans(),
    ),
    max_size=10,
)


@given(REVIEWS)
def test_nobody_both_approves_and_wants_changes(reviews: list[SubmittedReview]) -> None:
    found = weigh_reviews(reviews, head="a" * 40, decision=None)
    assert not set(found.approved_by) & set(found.changes_requested_by)
    assert set(found.stale_approvals) <= set(found.approved_by)
    assert found.source is DecisionSource.COMPUTED


@given(REVIEWS)
def test_comments_of_people_change_nothing(reviews: list[SubmittedReview]) -> None:
    people = [one for one in reviews if one.author.kind is PersonKind.USER]
    opinions = [one for one in people if one.state != "commented"]
    weighed = [weigh_reviews(some, head="a" * 40, decision=None) for some in (people, opinions)]
    assert weighed[0] == weighed[1]


@given(
    ATTEMPTS,
    st.sampled_from(Decision),
    st.sampled_from(["mergeable", "conflicting", "unknown"]),
    st.sampled_from(["clean", "behind", "blocked", "dirty", "unknown", "new_word"]),
    st.booleans(),
)
def test_a_pull_request_is_ready_only_when_nothing_is_unknown_or_against_it(
    attempts: list[Attempt], decision: Decision, mergeable: str, merge_state: str, draft: bool
) -> None:
    one = pull_request(
        checks=judge_checks(attempts),
        review=review(decision),
        mergeable=mergeable,
        merge_state=merge_state,
        draft=draft,
    )
    found = triage(one)
    assert [step.decides for step in explain(one)].count(True) == 1
    if found.state == "ready":
        assert found.whose_turn is Turn.MAINTAINER
        assert decision is Decision.APPROVED
        assert one.checks.verdict in {Verdict.PASS, Verdict.NONE}
        assert not draft
