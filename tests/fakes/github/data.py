"""Many pull requests at little cost, different enough that a field read wrongly shows."""

from datetime import UTC, datetime
from typing import Final

from loopx.entrypoints.demo.nodes import Node
from loopx.entrypoints.demo.nodes import repository as repository_node
from loopx.entrypoints.demo.story import GONE, OWN, Check, Place, Review, Status, Story, Threads

NOW: Final = datetime(2026, 11, 30, 12, tzinfo=UTC)
REQUIRED: Final = {"main": ("build", "unit tests")}

_GREEN: Final = (Check("build"), Check("unit tests"), Check("lint"))
_CHECKS: Final[tuple[tuple[Check | Status, ...], ...]] = (
    (*_GREEN, Status("license/cla")),
    (Check("build"), Check("unit tests", "FAILURE"), Check("lint", "SKIPPED")),
    (Check("build", "IN_PROGRESS"), Check("unit tests", "QUEUED")),
    (),
    (Check("build", "CANCELLED"), Check("build", after=9), *_GREEN[1:]),
    (*_GREEN, Check("deploy", "NEUTRAL", app="deployer", workflow=None)),
    (*_GREEN, Status("coverage", "PENDING")),
)
_AUTHORS: Final = ("ada", "grace", "bot:renovate", "linus", None, "mannequin:import-1", "barbara")
_DECISIONS: Final = ("REVIEW_REQUIRED", "APPROVED", "CHANGES_REQUESTED", None)
_HEADS: Final = (OWN, OWN, "ada/fork", GONE)
_ASKED: Final[tuple[tuple[str, ...], ...]] = (("barbara",), ("team:core", "grace"), ())
_LABELS: Final[tuple[tuple[str, ...], ...]] = ((), ("bug",), ("bug", "docs"))


def _states(*, open_: int, closed: int, merged: int) -> list[str]:
    """All states, spread evenly, so that any page of a scan sees each."""
    counts = {"OPEN": open_, "CLOSED": closed, "MERGED": merged}
    places = [((number + 0.5) / count, state) for state, count in counts.items() for number in range(count)]
    return [state for _, state in sorted(places)]


def _reviews(number: int, opened: float) -> tuple[Review, ...]:
    reviews = (
        Review("grace", "COMMENTED", opened * 0.9),
        Review("linus", ("APPROVED", "CHANGES_REQUESTED", "DISMISSED")[number % 3], opened * 0.6),
        Review("bot:reviewer", "COMMENTED", opened * 0.5, association="NONE", can_push=False),
    )
    return reviews[: number % 4]


def _story(number: int, state: str, opened: float) -> Story:
    decision = _DECISIONS[number % len(_DECISIONS)]
    return Story(
        number=number,
        title=f"Change number {number}",
        opened=opened,
        pushed=opened * 0.7,
        state=state,
        ended=None if state == "OPEN" else opened * 0.2,
        draft=number % 10 == 0,
        ready=opened * 0.65 if number % 8 == 0 else None,
        by=_AUTHORS[number % len(_AUTHORS)],
        head=_HEADS[number % len(_HEADS)],
        base=("main", "release")[number % 5 == 0],
        branch=f"topic/{number}",
        labels=_LABELS[number % len(_LABELS)],
        milestone="next" if number % 6 == 0 else None,
        size=(number, number % 50, 1 + number % 9),
        merge_state=("CLEAN", "BLOCKED", "BEHIND", "DIRTY")[number % 4],
        mergeable=("MERGEABLE", "MERGEABLE", "UNKNOWN", "CONFLICTING")[number % 4],
        queue=(1 + number % 7, "QUEUED") if number % 29 == 0 else None,
        auto_merge="ada" if number % 23 == 0 else None,
        decision=decision,
        reviews=_reviews(number, opened),
        asked=_ASKED[number % len(_ASKED)],
        threads=Threads(unresolved=number % 3, resolved=number % 2, outdated=number % 5 == 0),
        checks=_CHECKS[number % len(_CHECKS)],
    )


def oversized_story(number: int, opened: float = 50.0) -> Story:
    """A pull request of which every inner list takes more than one page of 100."""
    return Story(
        number=number,
        title=f"Change number {number}, which is long",
        opened=opened,
        labels=tuple(f"label {place}" for place in range(105)),
        asked=tuple(f"reviewer-{place}" for place in range(103)),
        reviews=tuple(Review(f"reviewer-{place % 40}", "COMMENTED", opened / 2) for place in range(230)),
        threads=Threads(unresolved=101, resolved=60, outdated=51),
        checks=tuple(Check(f"job {place}", after=place) for place in range(250)),
    )


def repository(
    *,
    open: int = 0,  # noqa: A002 (the word of the --filter that selects them)
    closed: int = 0,
    merged: int = 0,
    oversized: int = 0,
    owner: str = "octo-org",
    name: str = "harbour",
    now: datetime = NOW,
) -> Node:
    """A repository with so many pull requests of each state; the oversized ones are open, and the newest."""
    states = _states(open_=open, closed=closed, merged=merged)
    total = len(states) + oversized
    age = 0.25  # days between two pull requests
    stories = [_story(number, state, 30 + age * (total - number)) for number, state in enumerate(states, 1)]
    stories += [
        oversized_story(number, 30 + age * (total - number)) for number in range(len(states) + 1, total + 1)
    ]
    place = Place(owner=owner, name=name, base_url="https://github.example", now=now, required=REQUIRED)
    return repository_node(place, tuple(stories))
