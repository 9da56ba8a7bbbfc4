"""Turns stories into nodes as GitHub's GraphQL schema shapes them, ``__typename`` included.

A connection is held as the plain list of its nodes; whoever answers a query cuts pages from it.
"""

from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any, Final, TypeAlias

from loopx.entrypoints.demo.story import CHECK_MINUTES, OWN, Check, Place, Review, Status, Story, Threads

Node: TypeAlias = dict[str, Any]

_KINDS: Final = {"bot": "Bot", "org": "Organization", "mannequin": "Mannequin", "user": "User"}
_FAILED: Final = frozenset(
    {"FAILURE", "ERROR", "TIMED_OUT", "CANCELLED", "ACTION_REQUIRED", "STARTUP_FAILURE"}
)
_RUNNING: Final = frozenset({"QUEUED", "IN_PROGRESS", "WAITING", "PENDING", "REQUESTED"})


def stamp(moment: datetime) -> str:
    """A moment as GitHub writes it, in UTC and whole seconds."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def object_id(*parts: object) -> str:
    """A stable 40-digit Git object id for anything that can be named."""
    return blake2b("/".join(map(str, parts)).encode(), digest_size=20).hexdigest()


def _number(*parts: object) -> int:
    """A stable database id that fits GraphQL's Int."""
    return int(object_id(*parts)[:7], 16)


def actor(who: str | None) -> Node | None:
    """An account from its short name; None is the account that was deleted."""
    if who is None:
        return None
    kind, _, login = who.rpartition(":")
    return {"__typename": _KINDS[kind or "user"], "id": f"A_{who}", "login": login}


def _reviewer(who: str | None, place: Place) -> Node | None:
    if who is None or not who.startswith("team:"):
        return actor(who)
    slug = who.removeprefix("team:")
    name = slug.replace("-", " ").capitalize()
    combined = f"{place.owner}/{slug}"
    return {"__typename": "Team", "id": f"T_{slug}", "name": name, "slug": slug, "combinedSlug": combined}


def _review(review: Review, head: str, head_age: float, place: Place) -> Node:
    commit = object_id(head, "before") if review.days > head_age else head
    submitted = None if review.state == "PENDING" else stamp(place.days_ago(review.days))
    return {
        "__typename": "PullRequestReview",
        "state": review.state,
        "submittedAt": submitted,
        "author": actor(review.by),
        "authorAssociation": review.association,
        "authorCanPushToRepository": review.can_push,
        "commit": {"__typename": "Commit", "oid": commit},
    }


def _requests(story: Story, place: Place) -> list[Node]:
    asked = [(who, False) for who in story.asked] + [(who, True) for who in story.code_owners]
    return [
        {"__typename": "ReviewRequest", "asCodeOwner": owner, "requestedReviewer": _reviewer(who, place)}
        for who, owner in asked
    ]


def _threads(threads: Threads) -> list[Node]:
    kinds = [(False, False)] * threads.unresolved + [(True, False)] * threads.resolved
    kinds += [(False, True)] * threads.outdated
    return [
        {"__typename": "PullRequestReviewThread", "isResolved": resolved, "isOutdated": outdated}
        for resolved, outdated in kinds
    ]


def _suite(check: Check) -> Node:
    app = check.app and {"__typename": "App", "slug": check.app, "databaseId": _number("app", check.app)}
    workflow = {"__typename": "Workflow", "name": check.workflow}
    run = {"__typename": "WorkflowRun", "event": check.event, "workflow": workflow}
    return {"__typename": "CheckSuite", "app": app, "workflowRun": run if check.workflow else None}


def _check_run(check: Check, head: str, pushed: datetime) -> Node:
    started = pushed + timedelta(minutes=check.after)
    running = check.outcome in _RUNNING
    waiting = running and check.outcome != "IN_PROGRESS"
    return {
        "__typename": "CheckRun",
        # A later attempt at the same check has the greater number.
        "databaseId": _number(head, check.name, check.workflow) + int(check.after),
        "name": check.name,
        "status": check.outcome if running else "COMPLETED",
        "conclusion": None if running else check.outcome,
        "startedAt": None if waiting else stamp(started),
        "completedAt": None if running else stamp(started + timedelta(minutes=CHECK_MINUTES)),
        "detailsUrl": f"https://ci.example/runs/{_number(head, check.name, check.after)}",
        "checkSuite": _suite(check),
    }


def _status_context(status: Status, pushed: datetime) -> Node:
    return {
        "__typename": "StatusContext",
        "context": status.context,
        "state": status.state,
        "createdAt": stamp(pushed + timedelta(minutes=status.after)),
        "targetUrl": f"https://ci.example/{status.context}",
    }


def _rollup(story: Story, head: str, place: Place) -> Node | None:
    if not story.checks:
        return None
    pushed = place.days_ago(story.head_age)
    contexts = [
        _check_run(check, head, pushed) if isinstance(check, Check) else _status_context(check, pushed)
        for check in story.checks
    ]
    outcomes = {check.outcome if isinstance(check, Check) else check.state for check in story.checks}
    state = "SUCCESS"
    if outcomes & (_RUNNING | {"EXPECTED", "STALE"}):
        state = "PENDING"
    if outcomes & _FAILED:
        state = "FAILURE"
    return {"__typename": "StatusCheckRollup", "state": state, "contexts": contexts}


def _commit(story: Story, head: str, place: Place) -> Node:
    return {
        "__typename": "Commit",
        "oid": head,
        "committedDate": stamp(place.days_ago(story.head_age)),
        "statusCheckRollup": _rollup(story, head, place),
    }


def _branches(story: Story, head: str, place: Place) -> Node:
    required = place.required.get(story.base or "")
    rule = {"__typename": "RefUpdateRule", "requiredStatusCheckContexts": list(required or ())}
    base = {"__typename": "Ref", "refUpdateRule": rule if required is not None else None}
    fork = place.full_name if story.head == OWN else story.head
    return {
        "baseRefName": story.base or "deleted-base",
        "baseRefOid": object_id(place.full_name, story.base),
        "baseRef": base if story.base else None,
        "headRefName": story.branch,
        "headRefOid": head,
        "headRepository": {"__typename": "Repository", "nameWithOwner": fork} if fork else None,
    }


def _merging(story: Story, place: Place) -> Node:
    queue, auto = story.queue, story.auto_merge
    enabled = stamp(place.days_ago(story.last_change))
    return {
        "mergeable": story.mergeable,
        "mergeStateStatus": story.merge_state,
        "isInMergeQueue": queue is not None,
        "mergeQueueEntry": queue
        and {"__typename": "MergeQueueEntry", "position": queue[0], "state": queue[1]},
        "autoMergeRequest": auto
        and {
            "__typename": "AutoMergeRequest",
            "enabledAt": enabled,
            "mergeMethod": "SQUASH",
            "enabledBy": actor(auto),
        },
    }


def _reviewing(story: Story, head: str, place: Place) -> Node:
    return {
        "reviewDecision": story.decision,
        "reviews": [_review(review, head, story.head_age, place) for review in story.reviews],
        "reviewRequests": _requests(story, place),
        "reviewThreads": _threads(story.threads),
    }


def _times(story: Story, place: Place) -> Node:
    ended = None if story.ended is None else stamp(place.days_ago(story.ended))
    ready = [] if story.ready is None else [stamp(place.days_ago(story.ready))]
    return {
        "createdAt": stamp(place.days_ago(story.opened)),
        "updatedAt": stamp(place.days_ago(story.last_change)),
        "closedAt": ended,
        "mergedAt": ended if story.state == "MERGED" else None,
        "timelineItems": [{"__typename": "ReadyForReviewEvent", "createdAt": moment} for moment in ready],
    }


def _identify(node: Node, prefix: str) -> None:
    """Gives every node below an id made of its place, as unique as GitHub's and as opaque to a reader."""
    node.setdefault("id", prefix)
    for key, value in node.items():
        below = value if isinstance(value, list) else [value]
        for position, item in enumerate(below):
            if isinstance(item, dict):
                _identify(item, f"{prefix}_{key}_{position}")


def pull_request(story: Story, place: Place) -> Node:
    """The node of one pull request, complete for every document that LoopX sends."""
    head = object_id(place.full_name, story.number, story.head_age)
    additions, deletions, files = story.size
    node: Node = {
        "__typename": "PullRequest",
        "id": f"PR_{place.name}_{story.number}",
        "number": story.number,
        "url": f"{place.url}/pull/{story.number}",
        "title": story.title,
        "state": story.state,
        "isDraft": story.draft,
        "author": actor(story.by),
        "authorAssociation": story.association,
        "labels": [{"__typename": "Label", "id": f"LA_{label}", "name": label} for label in story.labels],
        "milestone": story.milestone and {"__typename": "Milestone", "title": story.milestone},
        "additions": additions,
        "deletions": deletions,
        "changedFiles": files,
        "commits": [{"__typename": "PullRequestCommit", "commit": _commit(story, head, place)}],
    }
    node |= _times(story, place) | _branches(story, head, place)
    node |= _merging(story, place) | _reviewing(story, head, place)
    _identify(node, node["id"])
    return node


def repository(place: Place, stories: tuple[Story, ...]) -> Node:
    """A repository with its pull requests."""
    return {
        "__typename": "Repository",
        "id": f"R_{place.owner}_{place.name}",
        "name": place.name,
        "owner": {"__typename": "Organization", "id": f"O_{place.owner}", "login": place.owner},
        "nameWithOwner": place.full_name,
        "url": place.url,
        "isPrivate": False,
        "pullRequests": [pull_request(story, place) for story in stories],
    }
