"""GitHub's answers written by hand, for what the schema-true fake would never say."""

import json
from collections.abc import Callable
from typing import Any

from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.domain.http.message import Headers, HttpRequest

Node = dict[str, Any]
MOMENT = "2026-11-30T12:00:00Z"


def page(*nodes: object, total: int | None = None, cursor: str | None = None) -> Node:
    """One page of a connection; with a cursor there is another one."""
    info = {"hasNextPage": cursor is not None, "endCursor": cursor}
    return {"totalCount": len(nodes) if total is None else total, "pageInfo": info, "nodes": list(nodes)}


def node(number: int = 7, **changes: object) -> Node:
    """An open, approved, green pull request as GitHub answers it, with some of it changed."""
    check = {
        "__typename": "CheckRun", "id": "C1", "databaseId": 1, "name": "build", "status": "COMPLETED",
        "conclusion": "SUCCESS", "startedAt": MOMENT, "completedAt": MOMENT, "detailsUrl": None,
        "checkSuite": None,
    }  # fmt: skip
    rollup = {"state": "SUCCESS", "contexts": page(check)}
    commit = {"oid": "a" * 40, "committedDate": MOMENT, "statusCheckRollup": rollup}
    good: Node = {
        "id": f"PR_{number}", "number": number, "url": f"https://github.com/o/r/pull/{number}",
        "title": "Log every gate opening", "state": "OPEN", "isDraft": False,
        "author": {"__typename": "User", "login": "maya"}, "authorAssociation": "MEMBER",
        "createdAt": MOMENT, "updatedAt": MOMENT, "closedAt": None, "mergedAt": None,
        "baseRefName": "main", "baseRefOid": "b" * 40, "baseRef": None,
        "headRefName": "gates", "headRefOid": "a" * 40, "headRepository": None,
        "labels": page(), "milestone": None, "additions": 1, "deletions": 1, "changedFiles": 1,
        "mergeable": "MERGEABLE", "mergeStateStatus": "CLEAN", "isInMergeQueue": False,
        "mergeQueueEntry": None, "autoMergeRequest": None, "reviewDecision": "APPROVED",
        "reviews": page(), "reviewRequests": page(), "reviewThreads": page(),
        "commits": {"nodes": [{"commit": commit}]}, "timelineItems": {"nodes": []},
    }  # fmt: skip
    return {**good, **changes}


def listing(*nodes: object, **of_page: Any) -> Node:
    """A page of pull requests of o/r."""
    found = {"nameWithOwner": "o/r", "url": "https://github.com/o/r", "pullRequests": page(*nodes, **of_page)}
    return {"data": {"repository": found, "rateLimit": None}}


def github(*answers: Node | Callable[[HttpRequest], Node], **headers: str) -> MemoryTransport:
    """A far side that gives these answers in turn, the last one for ever."""
    left = list(answers)

    def handle(request: HttpRequest) -> Reply:
        answer = left.pop(0) if len(left) > 1 else left[0]
        body = answer(request) if callable(answer) else answer
        return Reply(headers=Headers.of(headers), content=json.dumps(body).encode())

    return MemoryTransport(handle)
