"""Which pull requests somebody wants to see."""

from dataclasses import dataclass
from enum import StrEnum

from loopx.domain.errors import LoopXError
from loopx.domain.pull_requests.record import State
from loopx.domain.repositories import Repository


class Filter(StrEnum):
    """The states that are wanted; ``closed`` means closed without merge."""

    OPEN = "open"
    CLOSED = "closed"
    MERGED = "merged"
    ALL = "all"

    @property
    def states(self) -> frozenset[State]:
        """The states that pass."""
        return frozenset(State) if self is Filter.ALL else frozenset({State(self.value)})


class Order(StrEnum):
    """In which order a finished list is shown; streams come as they arrive."""

    QUEUE = "queue"
    UPDATED = "updated"
    CREATED = "created"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequestQuery:
    """A scan: of these repositories, these states, at most ``limit`` records in all.

    Raises:
        LoopXError: ``usage_error/parameter`` without a repository or with a limit below 1.
    """

    repositories: tuple[Repository, ...]
    filter: Filter = Filter.OPEN
    limit: int | None = None

    def __post_init__(self) -> None:
        if not self.repositories:
            raise LoopXError("usage_error", "parameter", detail="repo is missing")
        if self.limit is not None and self.limit < 1:
            raise LoopXError("usage_error", "parameter", detail="limit must be 1 or more")

    def rerun(self) -> str:
        """The command that asks for everything this query wants."""
        repositories = " ".join(f"--repo {repository.argument}" for repository in self.repositories)
        return f"loopx capability run pr_review {repositories} --filter {self.filter.value}"
