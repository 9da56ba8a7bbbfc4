"""What the reviews of a pull request amount to, by GitHub's own rules."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from loopx.domain.pull_requests.record import (
    BotReview,
    Decision,
    DecisionSource,
    Person,
    PersonKind,
    Review,
    ReviewRequest,
)

_OPINIONS: Final = frozenset({"approved", "changes_requested", "dismissed"})
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedReview:
    """One review as it was given; ``state`` is GitHub's word in lower case.

    Whoever is no known kind of account comes as a bot, and then the review counts for no decision.
    """

    id: str
    author: Person
    state: str
    submitted_at: datetime | None
    commit: str | None
    writer: bool


def weigh_reviews(
    reviews: Iterable[SubmittedReview],
    *,
    head: str,
    decision: Decision | None,
    requested: tuple[ReviewRequest, ...] = (),
    partial: bool = False,
) -> Review:
    """Sum up reviews of a pull request whose newest commit is ``head``.

    ``decision`` is GitHub's own; ``None`` when the server would not tell, and it is computed.
    ``partial`` says that some reviews could not be read: any of them may be an objection.
    """
    given = sorted(reviews, key=lambda review: review.submitted_at or _NEVER)
    standing = _standing_opinions(given)
    approvals = [review for review in standing if review.state == "approved"]
    objections = [review for review in standing if review.state == "changes_requested"]
    told = None if partial and decision is Decision.NONE else decision
    return Review(
        decision=told or (Decision.UNKNOWN if partial else _compute(approvals, objections, requested)),
        source=DecisionSource.GITHUB if told else DecisionSource.COMPUTED,
        approved_by=tuple(review.author.login for review in approvals),
        changes_requested_by=tuple(review.author.login for review in objections),
        stale_approvals=tuple(review.author.login for review in approvals if review.commit != head),
        bot_reviews=_bot_reviews(given),
        requested=requested,
    )


def _standing_opinions(given: list[SubmittedReview]) -> list[SubmittedReview]:
    """The latest opinion of each writer: a comment changes none, a dismissal leaves none."""
    latest: dict[str, SubmittedReview] = {}
    for review in given:
        if review.state in _OPINIONS and review.writer and review.author.kind is not PersonKind.BOT:
            latest[_key(review)] = review
    return [review for review in latest.values() if review.state != "dismissed"]


def _bot_reviews(given: list[SubmittedReview]) -> tuple[BotReview, ...]:
    latest: dict[str, SubmittedReview] = {}
    for review in given:
        if review.author.kind is not PersonKind.BOT or review.state == "pending":
            continue
        if review.state in _OPINIONS or _key(review) not in latest:
            latest[_key(review)] = review
    return tuple(BotReview(review.author.login, review.state) for review in latest.values())


def _key(review: SubmittedReview) -> str:
    # Two deleted accounts look the same, so each of their reviews stands for itself.
    return f"login {review.author.login}" if review.author.login is not None else f"review {review.id}"


def _compute(
    approvals: list[SubmittedReview], objections: list[SubmittedReview], requested: tuple[ReviewRequest, ...]
) -> Decision:
    if objections:
        return Decision.CHANGES_REQUESTED
    if approvals:
        return Decision.APPROVED
    return Decision.REVIEW_REQUIRED if requested else Decision.NONE
