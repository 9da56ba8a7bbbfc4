"""The verdict on the checks of a commit, row by row."""

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
