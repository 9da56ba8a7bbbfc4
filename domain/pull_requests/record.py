"""The pull request as LoopX knows it (``loopx.pull_request/1``), whatever API it came from."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from loopx.domain.repositories import PullRequestReference


class State(StrEnum):
    """Where a pull request stands; ``closed`` means closed without merge."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"


class PersonKind(StrEnum):
    """What kind of account acts; ``ghost`` is a deleted one.

    A kind that is not known yet is taken for a ``bot``, so that it can approve nothing.
    """

    USER = "user"
    BOT = "bot"
    ORGANIZATION = "organization"
    MANNEQUIN = "mannequin"
    GHOST = "ghost"


@dataclass(frozen=True, slots=True)
class Person:
    """An account; ``login`` is ``None`` for a ghost."""

    login: str | None
    kind: PersonKind


GHOST = Person(None, PersonKind.GHOST)


@dataclass(frozen=True, slots=True)
class Base:
    """The branch that would receive the change."""

    ref: str
    sha: str


@dataclass(frozen=True, slots=True)
class Head:
    """The proposed change; ``repository`` is ``None`` when the fork was deleted."""

    ref: str
    sha: str
    repository: str | None


@dataclass(frozen=True, slots=True)
class Size:
    """How much changes."""

    additions: int
    deletions: int
    files: int


@dataclass(frozen=True, slots=True)
class MergeQueueEntry:
    """A place in the merge queue; ``position`` counts from 1 where the server tells it."""

    position: int | None
    state: str


@dataclass(frozen=True, slots=True)
class AutoMerge:
    """A merge that the server does by itself once everything is met."""

    method: str
    enabled_by: str | None


class Decision(StrEnum):
    """What the reviews amount to; ``none`` is no decision, never an approval."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    REVIEW_REQUIRED = "review_required"
    NONE = "none"
    UNKNOWN = "unknown"


class DecisionSource(StrEnum):
    """Who decided: GitHub itself, or LoopX from the reviews where GitHub would not say."""

    GITHUB = "github"
    COMPUTED = "computed"


@dataclass(frozen=True, slots=True)
class BotReview:
    """The latest review of a bot, which counts for no decision."""

    login: str | None
    state: str


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """Somebody who was asked; ``name`` is ``None`` when the server hides or lost the account."""

    kind: str
    name: str | None
    code_owner: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """The standing of the reviews; a stale approval was given to an older commit."""

    decision: Decision
    source: DecisionSource
    approved_by: tuple[str | None, ...] = ()
    changes_requested_by: tuple[str | None, ...] = ()
    stale_approvals: tuple[str | None, ...] = ()
    bot_reviews: tuple[BotReview, ...] = ()
    requested: tuple[ReviewRequest, ...] = ()


@dataclass(frozen=True, slots=True)
class Threads:
    """Review conversations; ``unresolved`` counts outdated ones too.

    ``truncated`` says that some could not be read, and the counts are of those that could.
    """

    total: int
    unresolved: int
    outdated: int
    truncated: bool = False


class Verdict(StrEnum):
    """What the checks amount to; only ``pass`` is good."""

    PASS = "pass"
    FAIL = "fail"
    PENDING = "pending"
    NONE = "none"
    UNAVAILABLE = "unavailable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Check:
    """One check or commit status, with GitHub's own word for its state in lower case."""

    name: str
    workflow: str | None
    app: str | None
    state: str
    url: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """The newest result of every check of the head commit.

    ``counts`` is by pass, fail, pending, skipped, cancelled, stale and unknown. ``stale`` lists
    attempts that a newer one replaced, and results that GitHub itself calls stale.
    ``provider_state`` is GitHub's own summary in lower case; the verdict is never better, unless
    the difference is in the attempts that were replaced.
    """

    verdict: Verdict
    counts: tuple[tuple[str, int], ...] = ()
    failing: tuple[Check, ...] = ()
    pending: tuple[Check, ...] = ()
    cancelled: tuple[Check, ...] = ()
    stale: tuple[Check, ...] = ()
    missing_required: tuple[str, ...] = ()
    truncated: bool = False
    provider_state: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request at one moment; text in it is other people's and not to be trusted."""

    reference: PullRequestReference
    node_id: str
    url: str
    title: str
    state: State
    draft: bool
    author: Person
    author_association: str
    created_at: datetime
    updated_at: datetime
    closed_at: datetime | None
    merged_at: datetime | None
    review_ready_at: datetime | None
    base: Base
    head: Head
    labels: tuple[str, ...]
    milestone: str | None
    size: Size
    mergeable: str
    merge_state: str
    merge_queue: MergeQueueEntry | None
    auto_merge: AutoMerge | None
    review: Review
    threads: Threads
    checks: Checks

    @property
    def head_key(self) -> str:
        """The pull request at exactly this commit: ``host/owner/name#number@sha``."""
        return f"{self.reference.id}@{self.head.sha}"
