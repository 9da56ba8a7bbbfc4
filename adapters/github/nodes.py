"""GitHub's objects as they come over the wire, typed and checked but not yet judged."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Generic, TypeVar

from loopx.domain.pull_requests.checks import Attempt
from loopx.domain.pull_requests.record import (
    AutoMerge,
    Decision,
    MergeQueueEntry,
    Person,
    ReviewRequest,
    State,
)
from loopx.domain.pull_requests.reviews import SubmittedReview

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Thread:
    """One review conversation."""

    resolved: bool
    outdated: bool


@dataclass(frozen=True, slots=True)
class Suite:
    """Where a check run belongs."""

    app: str | None = None
    workflow: str | None = None
    event: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection(Generic[Item]):
    """What was read of an inner list; ``cursor`` is set when there is another page."""

    items: tuple[Item, ...] = ()
    keys: tuple[str, ...] = ()
    """By what each item is told from the others, however often the server gives it."""
    total: int = 0
    has_next: bool = False
    cursor: str | None = None
    hidden: int = 0
    """Entries that the server left out, as it does where the credential may not read them."""

    @property
    def truncated(self) -> bool:
        """Whether anything of the list was not read."""
        return self.has_next or self.hidden > 0 or len(self.items) < self.total

    def followed_by(self, page: "Connection[Item]") -> "Connection[Item]":
        """With the items of the next page; of one that pages share, the last reading counts."""
        items = dict(zip(self.keys, self.items, strict=True)) | dict(zip(page.keys, page.items, strict=True))
        return replace(page, items=tuple(items.values()), keys=tuple(items), hidden=self.hidden + page.hidden)


@dataclass(frozen=True, slots=True)
class Commit:
    """The head commit; ``checks`` is ``None`` when nothing ever reported on it.

    ``checks_state`` is the server's own summary of them in lower case.
    """

    oid: str
    committed_at: datetime
    checks: Connection[Attempt] | None
    checks_state: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestNode:
    """One pull request of a page, with the first page of each inner list."""

    id: str
    number: int
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
    base_ref: str
    base_sha: str
    required_checks: tuple[str, ...]
    head_ref: str
    head_sha: str
    head_repository: str | None
    labels: Connection[str] | None
    milestone: str | None
    additions: int
    deletions: int
    changed_files: int
    mergeable: str
    merge_state: str
    merge_queue: MergeQueueEntry | None
    auto_merge: AutoMerge | None
    decision: Decision
    reviews: Connection[SubmittedReview] | None
    review_requests: Connection[ReviewRequest] | None
    threads: Connection[Thread] | None
    commit: Commit | None
    marked_ready_at: datetime | None

    @property
    def commit_moved(self) -> bool:
        """Whether the commit that was read is not the head: a push came between the two."""
        return self.commit is not None and self.commit.oid != self.head_sha
