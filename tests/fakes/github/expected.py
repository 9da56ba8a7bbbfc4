"""What a record must say of a node, told a second time in the plainest way."""

from typing import Any

from loopx.entrypoints.demo.nodes import Node

_KINDS = {"User": "user", "Bot": "bot", "Organization": "organization", "Mannequin": "mannequin"}
_FAILED = {"FAILURE", "ERROR", "TIMED_OUT", "ACTION_REQUIRED", "STARTUP_FAILURE"}


def expected(node: Node, host: str, repository: str) -> dict[str, Any]:
    """The fields of ``loopx.pull_request/1`` by dotted path, as far as a node tells them outright."""
    key = f"{host}/{repository}#{node['number']}"
    author, fork = node["author"], node["headRepository"]
    threads = node["reviewThreads"]
    same = {
        "number": "number", "url": "url", "title": "title", "draft": "isDraft", "node_id": "id",
        "created_at": "createdAt", "updated_at": "updatedAt",
        "closed_at": "closedAt", "merged_at": "mergedAt",
        "base.ref": "baseRefName", "base.sha": "baseRefOid",
        "head.ref": "headRefName", "head.sha": "headRefOid",
        "size.additions": "additions", "size.deletions": "deletions", "size.files": "changedFiles",
    }  # fmt: skip
    return {path: node[name] for path, name in same.items()} | {
        "id": key,
        "head_key": f"{key}@{node['headRefOid']}",
        "host": host,
        "repository": repository,
        "state": node["state"].lower(),
        "author.login": author["login"] if author else None,
        "author.kind": _KINDS[author["__typename"]] if author else "ghost",
        "author_association": node["authorAssociation"].lower(),
        "head.repository": fork["nameWithOwner"] if fork else None,
        "labels": [label["name"] for label in node["labels"]],
        "milestone": node["milestone"]["title"] if node["milestone"] else None,
        "mergeable": node["mergeable"].lower(),
        "merge_state": node["mergeStateStatus"].lower(),
        "merge_queue": _queue(node["mergeQueueEntry"]),
        "review.decision": (node["reviewDecision"] or "NONE").lower(),
        "review.approved_by": _standing(node["reviews"], "APPROVED"),
        "review.changes_requested_by": _standing(node["reviews"], "CHANGES_REQUESTED"),
        "review.requested": [_asked(request) for request in node["reviewRequests"]],
        "threads.total": len(threads),
        "threads.unresolved": len([1 for thread in threads if not thread["isResolved"]]),
        "threads.outdated": len([1 for thread in threads if thread["isOutdated"]]),
        "threads.truncated": False,
        "checks.failing": _failing(node),
        "checks.truncated": False,
    }


def told(record: dict[str, Any]) -> dict[str, Any]:
    """A record by dotted path, as far as ``expected`` goes; what has no order is sorted."""
    flat = {f"{name}.{part}": value for name, whole in record.items() if isinstance(whole, dict)
            for part, value in whole.items()} | record  # fmt: skip
    flat["review.approved_by"] = sorted(flat["review.approved_by"])
    flat["review.changes_requested_by"] = sorted(flat["review.changes_requested_by"])
    flat["checks.failing"] = sorted(check["name"] for check in flat["checks.failing"])
    return flat


def _queue(entry: Node | None) -> dict[str, Any] | None:
    return entry and {"position": entry["position"], "state": entry["state"].lower()}


def _asked(request: Node) -> dict[str, Any]:
    reviewer = request["requestedReviewer"]
    name = reviewer.get("combinedSlug") or reviewer["login"]
    return {"kind": reviewer["__typename"].lower(), "name": name, "code_owner": request["asCodeOwner"]}


def _standing(reviews: list[Node], state: str) -> list[str]:
    latest = {
        review["author"]["login"]: review["state"]
        for review in sorted(reviews, key=lambda review: review["submittedAt"])
        if review["state"] in {"APPROVED", "CHANGES_REQUESTED", "DISMISSED"}
        and review["authorCanPushToRepository"]
        and review["author"]["__typename"] != "Bot"
    }
    return sorted(login for login, standing in latest.items() if standing == state)


def _failing(node: Node) -> list[str]:
    rollup = node["commits"][0]["commit"]["statusCheckRollup"]
    newest: dict[str, str] = {}
    for context in sorted(rollup["contexts"] if rollup else [], key=_started):
        name = context.get("context") or context["name"]
        newest[name] = context.get("conclusion") or context.get("state") or context["status"]
    return sorted(name for name, state in newest.items() if state in _FAILED)


def _started(context: Node) -> str:
    return str(context.get("startedAt") or context.get("createdAt") or "9")
