"""From GitHub's nodes to the record: everything that needs a judgement is asked of the domain."""

from dataclasses import fields
from datetime import datetime
from typing import Final

from loopx.adapters.github.nodes import PullRequestNode
from loopx.domain.pull_requests.checks import judge_checks, unavailable_checks
from loopx.domain.pull_requests.record import (
    Base,
    Checks,
    Decision,
    Head,
    PullRequest,
    Review,
    Size,
    Threads,
    Verdict,
)
from loopx.domain.pull_requests.reviews import weigh_reviews
from loopx.domain.repositories import PullRequestReference, Repository

Unreadable = frozenset[str]
"""Fields of a node that the server refused or failed to give, by their names in the query."""


_JUDGED: Final = frozenset({"labels", "threads"})
_SAME: Final = tuple(
    {one.name for one in fields(PullRequest)} & {one.name for one in fields(PullRequestNode)} - _JUDGED
)
"""What GitHub and the record call by one name is taken over as it is."""


def assemble(
    node: PullRequestNode, repository: Repository, unreadable: Unreadable = frozenset()
) -> PullRequest:
    """The record of a node whose inner lists were followed as far as possible."""
    same = {name: getattr(node, name) for name in _SAME}
    return PullRequest(
        reference=PullRequestReference(repository, node.number),
        node_id=node.id,
        review_ready_at=_review_ready_at(node),
        base=Base(node.base_ref, node.base_sha),
        head=Head(node.head_ref, node.head_sha, node.head_repository),
        labels=node.labels.items if node.labels is not None else (),
        size=Size(node.additions, node.deletions, node.changed_files),
        review=_review(node, unreadable),
        threads=_threads(node),
        checks=_checks(node, unreadable),
        **same,
    )


def _review_ready_at(node: PullRequestNode) -> datetime | None:
    """Since when exactly this code waits; a comment does not make old code new."""
    if node.draft:
        return None
    moments = [node.created_at]
    if node.marked_ready_at is not None:
        moments.append(node.marked_ready_at)
    if node.commit is not None:
        # Committers choose their own dates, but nothing was pushed after the last update.
        moments.append(min(node.commit.committed_at, node.updated_at))
    return max(moments)


def _review(node: PullRequestNode, unreadable: Unreadable) -> Review:
    decision: Decision | None = node.decision
    if "reviewDecision" in unreadable:
        partial = node.reviews is None or node.reviews.has_next
        decision = Decision.UNKNOWN if partial else None
    return weigh_reviews(
        node.reviews.items if node.reviews else (),
        head=node.head_sha,
        decision=decision,
        requested=node.review_requests.items if node.review_requests else (),
    )


def _threads(node: PullRequestNode) -> Threads:
    threads = node.threads
    if threads is None:
        return Threads(0, 0, 0)
    return Threads(
        total=threads.total,
        unresolved=sum(not thread.resolved for thread in threads.items),
        outdated=sum(thread.outdated for thread in threads.items),
    )


def _checks(node: PullRequestNode, unreadable: Unreadable) -> Checks:
    commit = node.commit
    if commit is None:
        return unavailable_checks() if "commits" in unreadable else Checks(verdict=Verdict.UNKNOWN)
    found = commit.checks
    if found is None:
        refused = "commits" in unreadable
        return unavailable_checks() if refused else judge_checks((), required=node.required_checks)
    if found.hidden and not found.items:
        return unavailable_checks()
    truncated = found.has_next or found.hidden > 0
    return judge_checks(found.items, required=node.required_checks, truncated=truncated)
