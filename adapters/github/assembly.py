"""From GitHub's nodes to the record: everything that needs a judgement is asked of the domain."""

from dataclasses import fields
from datetime import datetime
from typing import Final

from loopx.adapters.github.nodes import PullRequestNode
from loopx.domain.pull_requests.checks import judge_checks, unavailable_checks
from loopx.domain.pull_requests.record import (
    Base,
    Checks,
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
        threads=_threads(node, unreadable),
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
    reviews = node.reviews
    decision = None if "reviewDecision" in unreadable else node.decision
    return weigh_reviews(
        reviews.items if reviews else (),
        head=node.head_sha,
        decision=decision,
        requested=node.review_requests.items if node.review_requests else (),
        partial=reviews is None or reviews.truncated or "reviews" in unreadable,
    )


def _threads(node: PullRequestNode, unreadable: Unreadable) -> Threads:
    threads = node.threads
    if threads is None:
        return Threads(0, 0, 0, truncated=True)
    return Threads(
        total=max(threads.total, len(threads.items)),
        unresolved=sum(not thread.resolved for thread in threads.items),
        outdated=sum(thread.outdated for thread in threads.items),
        truncated=threads.truncated or "reviewThreads" in unreadable,
    )


def _checks(node: PullRequestNode, unreadable: Unreadable) -> Checks:
    commit, refused = node.commit, "commits" in unreadable
    if commit is None:
        return unavailable_checks() if refused else Checks(verdict=Verdict.UNKNOWN, truncated=True)
    # Null without an error is what GitHub says of a branch without rules, and to tokens without rights.
    required = None if "baseRef" in unreadable else node.required_checks
    if node.commit_moved:
        return judge_checks((), required=required, truncated=True)
    found = commit.checks
    if found is None:
        return unavailable_checks() if refused else judge_checks((), required=required)
    truncated = found.truncated or refused
    if truncated and not found.items:
        return unavailable_checks()
    return judge_checks(
        found.items, required=required, truncated=truncated, provider_state=commit.checks_state
    )
