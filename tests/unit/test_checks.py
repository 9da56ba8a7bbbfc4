"""The verdict on the checks of a commit, row by row."""

from dataclasses import replace

import pytest

from fakes.pull_requests import attempt, checks
from loopx.domain.pull_requests.checks import judge_checks
from loopx.domain.pull_requests.record import Verdict


@pytest.mark.parametrize(
    ("states", "verdict"),
    [
        ((), Verdict.NONE),
        (("success",), Verdict.PASS),
        (("success", "neutral", "skipped"), Verdict.PASS),
        (("skipped", "neutral"), Verdict.NONE),
        (("success", "failure"), Verdict.FAIL),
        (("error",), Verdict.FAIL),
        (("timed_out",), Verdict.FAIL),
        (("action_required",), Verdict.FAIL),
        (("startup_failure",), Verdict.FAIL),
        (("success", "cancelled"), Verdict.FAIL),
        (("success", "stale"), Verdict.UNKNOWN),
        (("success", "invented_tomorrow"), Verdict.UNKNOWN),
        (("success", "queued"), Verdict.PENDING),
        (("in_progress",), Verdict.PENDING),
        (("waiting",), Verdict.PENDING),
        (("pending",), Verdict.PENDING),
        (("requested",), Verdict.PENDING),
        (("expected",), Verdict.PENDING),
        (("failure", "queued"), Verdict.FAIL),
        (("stale", "queued"), Verdict.PENDING),
    ],
)
def test_the_worst_result_decides_and_unknown_is_never_green(
    states: tuple[str, ...], verdict: Verdict
) -> None:
    assert checks(*states).verdict is verdict


def test_a_newer_attempt_at_the_same_check_replaces_an_older_failure() -> None:
    judged = judge_checks([attempt("unit", "success", minute=9), attempt("unit", "failure", minute=1)])
    assert judged.verdict is Verdict.PASS
    assert [check.state for check in judged.stale] == ["failure"]
    assert dict(judged.counts) == {
        "pass": 1, "fail": 0, "pending": 0, "skipped": 0, "cancelled": 0, "stale": 1, "unknown": 0,
    }  # fmt: skip


def test_attempts_that_started_together_are_ordered_by_their_number() -> None:
    judged = judge_checks([attempt("unit", "cancelled", order=2), attempt("unit", "success", order=3)])
    assert judged.verdict is Verdict.PASS


def test_a_rerun_that_still_waits_has_no_date_and_is_the_newest() -> None:
    waiting = replace(attempt("unit", "queued"), started_at=None)
    for order in ((7, 8), (None, None), (7, None)):
        before, after = (replace(one, order=number) for one, number in zip(
            (attempt("unit", "success", minute=9), waiting), order, strict=True))  # fmt: skip
        assert judge_checks([after, before]).verdict is Verdict.PENDING


def test_the_number_of_a_run_decides_over_its_dates() -> None:
    older, newer = attempt("unit", "success", minute=9, order=7), attempt("unit", "failure", order=8)
    assert judge_checks([newer, older]).verdict is Verdict.FAIL


def test_of_attempts_that_nothing_puts_in_order_each_counts() -> None:
    undated = replace(attempt("unit", "failure"), started_at=None)
    assert judge_checks([undated, attempt("unit", "success", minute=9)]).verdict is Verdict.FAIL
    assert judge_checks([attempt("unit", "failure"), attempt("unit", "success")]).verdict is Verdict.FAIL


def test_checks_of_the_same_name_in_two_workflows_both_count() -> None:
    judged = judge_checks(
        [attempt("unit", "failure", workflow="A"), attempt("unit", "success", workflow="B")]
    )
    assert judged.verdict is Verdict.FAIL


def test_a_required_check_that_never_reported_keeps_it_pending() -> None:
    judged = judge_checks([attempt("unit", "success")], required=("unit", "license"))
    assert (judged.verdict, judged.missing_required) == (Verdict.PENDING, ("license",))


def test_what_could_not_be_read_to_the_end_is_not_green() -> None:
    assert judge_checks([attempt("unit", "success")], truncated=True).verdict is Verdict.UNKNOWN


def test_a_failure_among_what_could_be_read_is_a_failure() -> None:
    judged = judge_checks([attempt("unit", "failure")], required=("unit", "license"), truncated=True)
    assert (judged.verdict, judged.missing_required) == (Verdict.FAIL, ())


def test_required_checks_that_could_not_be_read_leave_no_green() -> None:
    assert judge_checks([attempt("unit", "success")], required=None).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("summary", "states", "verdict"),
    [
        ("success", ("success",), Verdict.PASS),
        ("failure", ("success",), Verdict.UNKNOWN),
        ("error", ("success",), Verdict.UNKNOWN),
        ("failure", (), Verdict.UNKNOWN),
        ("failure", ("queued",), Verdict.PENDING),
        ("failure", ("failure",), Verdict.FAIL),
        ("pending", ("success",), Verdict.PENDING),
        ("expected", ("skipped",), Verdict.PENDING),
        ("pending", ("stale",), Verdict.UNKNOWN),
        ("invented_tomorrow", ("success",), Verdict.UNKNOWN),
        ("success", ("failure",), Verdict.FAIL),
    ],
)
def test_the_verdict_is_never_better_than_githubs_own_summary(
    summary: str, states: tuple[str, ...], verdict: Verdict
) -> None:
    attempts = [attempt(f"check {index}", state) for index, state in enumerate(states)]
    assert judge_checks(attempts, provider_state=summary).verdict is verdict


@pytest.mark.parametrize(
    ("summary", "replaced", "verdict"),
    [
        ("failure", "failure", Verdict.PASS),
        ("failure", "cancelled", Verdict.PASS),
        ("failure", "success", Verdict.UNKNOWN),
        ("pending", "queued", Verdict.PASS),
        ("pending", "failure", Verdict.PENDING),
    ],
)
def test_githubs_summary_counts_attempts_that_were_replaced(
    summary: str, replaced: str, verdict: Verdict
) -> None:
    attempts = [attempt("unit", replaced, order=1), attempt("unit", "success", order=2)]
    assert judge_checks(attempts, provider_state=summary).verdict is verdict
