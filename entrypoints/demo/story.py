"""The story of a pull request in a few words; ``nodes`` turns it into what GitHub would answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

OWN: Final = "own"  # the head branch lies in the repository itself
GONE: Final = None  # the fork of the head branch was deleted
CHECK_MINUTES: Final = 4  # how long a check run takes


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A repository at a moment: what all its pull requests have in common."""

    owner: str
    name: str
    base_url: str
    now: datetime
    required: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def full_name(self) -> str:
        """The name as GitHub writes it, ``owner/name``."""
        return f"{self.owner}/{self.name}"

    @property
    def url(self) -> str:
        """Where a browser would find it."""
        return f"{self.base_url}/{self.full_name}"

    def days_ago(self, days: float) -> datetime:
        """The moment that many days before now."""
        return self.now - timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Review:
    """One review; given before the last push, it is for an earlier head."""

    by: str | None
    state: str
    days: float
    association: str = "MEMBER"
    can_push: bool = True


@dataclass(frozen=True, slots=True)
class Check:
    """A check run; ``outcome`` is a conclusion, or a status while it has none; ``after`` is in minutes."""

    name: str
    outcome: str = "SUCCESS"
    after: float = 1
    workflow: str | None = "CI"
    event: str = "pull_request"
    app: str | None = "github-actions"


@dataclass(frozen=True, slots=True)
class Status:
    """A commit status of the older kind, told apart from others by its context alone."""

    context: str
    state: str = "SUCCESS"
    after: float = 1


@dataclass(frozen=True, slots=True)
class Threads:
    """How many review threads there are of each kind; the outdated ones are unresolved too."""

    unresolved: int = 0
    resolved: int = 0
    outdated: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """One pull request; times in days before now, people as ``maya``, ``bot:renovate``, None for a ghost."""

    title: str
    opened: float
    number: int = 0
    by: str | None = "maya-okafor"
    association: str = "MEMBER"
    pushed: float | None = None
    ready: float | None = None
    ended: float | None = None
    state: str = "OPEN"
    draft: bool = False
    base: str | None = "main"
    head: str | None = OWN
    branch: str = "work"
    labels: tuple[str, ...] = ()
    milestone: str | None = None
    size: tuple[int, int, int] = (42, 7, 3)
    mergeable: str = "MERGEABLE"
    merge_state: str = "CLEAN"
    queue: tuple[int, str] | None = None
    auto_merge: str | None = None
    decision: str | None = "REVIEW_REQUIRED"
    reviews: tuple[Review, ...] = ()
    asked: tuple[str | None, ...] = ()
    code_owners: tuple[str, ...] = ()
    threads: Threads = Threads()
    checks: tuple[Check | Status, ...] = ()

    def __post_init__(self) -> None:
        if self.state not in {"OPEN", "CLOSED", "MERGED"}:
            raise ValueError(f"no such state: {self.state}")
        if (self.ended is None) != (self.state == "OPEN"):
            raise ValueError(f"{self.title!r}: only an ended pull request has an end")
        if any(check.after + CHECK_MINUTES > self.head_age * 1440 for check in self.checks):
            raise ValueError(f"{self.title!r}: a check would end in the future")
        ages = [self.head_age, self.ready, self.ended, *(review.days for review in self.reviews)]
        if any(age is not None and not 0 <= age <= self.opened for age in ages):
            raise ValueError(f"{self.title!r}: something happened before it was opened, or will")

    @property
    def head_age(self) -> float:
        """Days since the head commit."""
        return self.opened if self.pushed is None else self.pushed

    @property
    def last_change(self) -> float:
        """Days since anything happened."""
        if any(check.after + CHECK_MINUTES > self.head_age * 1440 for check in self.checks):
            raise ValueError(f"{self.title!r}: a check would end in the future")
        ages = [self.head_age, *(review.days for review in self.reviews)]
        return min([*ages, *(age for age in (self.ready, self.ended) if age is not None)])
