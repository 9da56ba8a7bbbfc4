"""Pull requests to judge: a good one, of which a test changes what it is about."""

from dataclasses import replace
from datetime import UTC, datetime

from loopx.domain.pull_requests.checks import Attempt, judge_checks
from loopx.domain.pull_requests.record import (
    Base,
    Check,
    Checks,
    Decision,
    DecisionSource,
    Head,
    Person,
    PersonKind,
    PullRequest,
    Review,
    Size,
    State,
    Threads,
)
from loopx.domain.repositories import PullRequestReference, Repository

REPOSITORY = Repository("github.com", "octo", "harbour")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def attempt(
    name: str, state: str, *, minute: int = 0, workflow: str | None = "CI", order: int | None = None
) -> Attempt:
    """One run of a check."""
    return Attempt(
        identity=("check_run", "actions", workflow, "push", name),
        check=Check(name, workflow, "actions", state, None),
        started_at=NOON.replace(minute=minute),
        order=order,
    )


def checks(*states: str) -> Checks:
    """The checks of a commit on which these results were reported, one check each."""
    return judge_checks(attempt(f"check {index}", state) for index, state in enumerate(states))


def review(decision: Decision, **parts: object) -> Review:
    """GitHub's decision with some of the reviews behind it."""
    return replace(Review(decision=decision, source=DecisionSource.GITHUB), **parts)  # type: ignore[arg-type]  # names are checked by replace


def pull_request(number: int = 7, **changes: object) -> PullRequest:
    """An approved, green, mergeable pull request, with some of its parts changed."""
    good = PullRequest(
        reference=PullRequestReference(REPOSITORY, number),
        node_id=f"PR_{number}",
        url=f"https://github.com/octo/harbour/pull/{number}",
        title="Log every gate opening",
        state=State.OPEN,
        draft=False,
        author=Person("maya", PersonKind.USER),
        author_association="member",
        created_at=NOON,
        updated_at=NOON,
        closed_at=None,
        merged_at=None,
        review_ready_at=NOON,
        base=Base("main", "b" * 40),
        head=Head("gates", "a" * 40, "octo/harbour"),
        labels=("harbour",),
        milestone=None,
        size=Size(10, 2, 1),
        mergeable="mergeable",
        merge_state="clean",
        merge_queue=None,
        auto_merge=None,
        review=review(Decision.APPROVED, approved_by=("lena",)),
        threads=Threads(0, 0, 0),
        checks=checks("success"),
    )
    return replace(good, **changes)  # type: ignore[arg-type]  # names are checked by replace
