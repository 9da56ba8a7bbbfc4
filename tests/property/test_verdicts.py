"""Properties of the verdicts on checks, reviews and turns, over anything GitHub could say."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from fakes.pull_requests import NOON, attempt, pull_request, review
from loopx.domain.pull_requests.checks import Attempt, Bucket, bucket_of, judge_checks
from loopx.domain.pull_requests.record import (
    Decision,
    DecisionSource,
    Person,
    PersonKind,
    Threads,
    Verdict,
)
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
GOOD = {Bucket.PASS, Bucket.SKIPPED}
MOMENTS = st.none() | st.integers(0, 5).map(lambda minute: NOON.replace(minute=minute))
ATTEMPTS = st.lists(
    st.builds(
        lambda name, state, started, completed, order: replace(
            attempt(name, state, order=order), started_at=started, completed_at=completed
        ),
        st.sampled_from(["build", "unit", "lint"]),
        STATES,
        MOMENTS,
        MOMENTS,
        st.none() | st.integers(0, 3),
    ),
    max_size=12,
)
SUMMARIES = st.none() | st.sampled_from(["success", "failure", "error", "pending", "expected", "new_word"])


@given(ATTEMPTS)
def test_every_attempt_is_counted_once(attempts: list[Attempt]) -> None:
    assert sum(dict(judge_checks(attempts).counts).values()) == len(attempts)


@given(ATTEMPTS)
def test_green_means_that_a_newest_attempt_of_every_check_passed_or_was_skipped(
    attempts: list[Attempt],
) -> None:
    if judge_checks(attempts).verdict is not Verdict.PASS:
        return
    for identity in {one.identity for one in attempts}:
        good = [one for one in attempts if one.identity == identity and bucket_of(one.check.state) in GOOD]
        for bad in (one for one in attempts if one.identity == identity and one not in good):
            # Whatever is not good is set aside only for something good that is known to be newer.
            assert any(newer(one, bad) for one in good)


def newer(one: Attempt, other: Attempt) -> bool:
    if one.order is not None and other.order is not None and one.order > other.order:
        return True
    began, before = one.started_at or one.completed_at, other.started_at or other.completed_at
    return began is not None and before is not None and began >= before


@given(ATTEMPTS)
def test_a_rerun_that_still_waits_is_never_replaced(attempts: list[Attempt]) -> None:
    waiting = replace(attempt("build", "queued"), started_at=None)
    assert judge_checks([*attempts, waiting]).verdict in {Verdict.PENDING, Verdict.FAIL}
    numbered = [replace(one, order=one.order or 0) for one in attempts]
    assert judge_checks([*numbered, replace(waiting, order=9)]).verdict in {Verdict.PENDING, Verdict.FAIL}


@given(ATTEMPTS, st.randoms(use_true_random=False))
def test_the_order_in_which_attempts_arrive_does_not_matter(attempts: list[Attempt], random: object) -> None:
    shuffled = list(attempts)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis types it as object
    one, other = judge_checks(attempts), judge_checks(shuffled)
    assert (one.verdict, one.counts) == (other.verdict, other.counts)


@given(ATTEMPTS, SUMMARIES)
def test_no_verdict_is_better_than_githubs_summary_unless_replaced_attempts_explain_it(
    attempts: list[Attempt], summary: str | None
) -> None:
    alone, judged = judge_checks(attempts), judge_checks(attempts, provider_state=summary)
    good = judged.verdict in {Verdict.PASS, Verdict.NONE}
    if good:
        assert judged.verdict is alone.verdict
        assert summary in {None, "success"} or judged.stale
    elif alone.verdict not in {Verdict.PASS, Verdict.NONE}:
        assert judged.verdict is alone.verdict


@given(ATTEMPTS, SUMMARIES)
def test_without_the_branchs_rule_nothing_is_green(attempts: list[Attempt], summary: str | None) -> None:
    judged = judge_checks(attempts, required=None, provider_state=summary)
    assert judged.verdict in {Verdict.FAIL, Verdict.PENDING, Verdict.UNKNOWN}


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


@given(REVIEWS, st.none() | st.just(Decision.NONE))
def test_reviews_that_were_not_all_read_amount_to_no_approval(
    reviews: list[SubmittedReview], decision: Decision | None
) -> None:
    found = weigh_reviews(reviews, head="a" * 40, decision=decision, partial=True)
    assert (found.decision, found.source) == (Decision.UNKNOWN, DecisionSource.COMPUTED)


@given(
    ATTEMPTS,
    st.sampled_from(Decision),
    st.sampled_from(["mergeable", "conflicting", "unknown", "new_word"]),
    st.sampled_from(["clean", "unstable", "has_hooks", "behind", "blocked", "dirty", "unknown", "new_word"]),
    st.tuples(st.booleans(), st.booleans()),
)
def test_a_pull_request_is_ready_only_when_nothing_is_unknown_or_against_it(
    attempts: list[Attempt],
    decision: Decision,
    mergeable: str,
    merge_state: str,
    drafted_and_truncated: tuple[bool, bool],
) -> None:
    draft, truncated = drafted_and_truncated
    one = pull_request(
        checks=judge_checks(attempts),
        review=review(decision),
        threads=Threads(0, 0, 0, truncated),
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
        assert mergeable in {"mergeable", "unknown"}
        assert merge_state in {"clean", "unstable", "has_hooks"}
        assert not draft
        assert not truncated
