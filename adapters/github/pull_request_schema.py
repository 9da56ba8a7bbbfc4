"""The shape of a pull request in GitHub's answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, cast

from marshmallow import ValidationError, fields, post_load

from loopx.adapters.github.fields import Actor, Moment, Page, Part, Word
from loopx.adapters.github.nodes import Commit, PullRequestNode
from loopx.adapters.github.schemas import (
    AutoMergeSchema,
    CommitSchema,
    GitHubSchema,
    LabelSchema,
    Loaded,
    MergeQueueEntrySchema,
    ReviewRequestSchema,
    ReviewSchema,
    ThreadSchema,
)
from loopx.domain.pull_requests.record import GHOST, Decision, MergeQueueEntry, State

_PLACELESS: Final = MergeQueueEntry(None, "unknown")


class HeadCommit(fields.Field[Commit | None]):
    """The only commit of ``commits(last: 1)``."""

    def __init__(self, *, data_key: str) -> None:
        super().__init__(allow_none=True, load_default=None, data_key=data_key)
        self._commit = CommitSchema()

    def _deserialize(self, value: object, *_: object, **__: object) -> Commit | None:
        for node in _nodes(value):
            commit = node.get("commit")
            if isinstance(commit, Mapping):
                return cast("Commit", self._commit.load(cast("Mapping[str, object]", commit)))
        return None


class ReadyEvent(fields.Field[datetime | None]):
    """When it last stopped being a draft, from ``timelineItems(last: 1)``."""

    def __init__(self, *, data_key: str) -> None:
        super().__init__(allow_none=True, load_default=None, data_key=data_key)
        self._moment = Moment()

    def _deserialize(self, value: object, *_: object, **__: object) -> datetime | None:
        moments = [node["createdAt"] for node in _nodes(value) if "createdAt" in node]
        return self._moment.deserialize(moments[-1]) if moments else None


def _nodes(value: object) -> list[Mapping[str, object]]:
    listed = cast("Mapping[str, object]", value).get("nodes") if isinstance(value, Mapping) else value
    if listed is not None and not isinstance(listed, list):
        raise ValidationError("must be a connection")
    nodes = cast("list[object]", listed or [])
    return [cast("Mapping[str, object]", node) for node in nodes if isinstance(node, Mapping)]


class RequiredChecks(fields.Field[tuple[str, ...]]):
    """The status contexts that the base branch's rules demand, as far as they may be seen."""

    def __init__(self, *, data_key: str) -> None:
        super().__init__(allow_none=True, load_default=(), data_key=data_key)

    def _deserialize(self, value: object, *_: object, **__: object) -> tuple[str, ...]:
        branch = cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}
        rule = branch.get("refUpdateRule")
        names = cast("Mapping[str, object]", rule).get("requiredStatusCheckContexts") if rule else None
        listed = cast("list[object]", names) if isinstance(names, list) else []
        return tuple(name for name in listed if isinstance(name, str))


class PullRequestState(fields.Field[State]):
    """Open, closed or merged; there is nothing sensible to do with a fourth."""

    def _deserialize(self, value: object, *_: object, **__: object) -> State:
        try:
            return State(str(value).lower())
        except ValueError:
            raise ValidationError("is no known state") from None


class ReviewDecision(fields.Field[Decision | None]):
    """Null means that there is no decision; a word of tomorrow is unknown, and never good."""

    def __init__(self, *, data_key: str) -> None:
        super().__init__(allow_none=True, load_default=None, data_key=data_key)

    def _deserialize(self, value: object, *_: object, **__: object) -> Decision:
        known = {decision.value: decision for decision in Decision}
        return known.get(str(value).lower(), Decision.UNKNOWN)


class PullRequestSchema(GitHubSchema):
    """One pull request with the first page of each inner list."""

    id = fields.String(required=True)
    number = fields.Integer(strict=True, required=True)
    url = fields.String(required=True)
    title = fields.String(required=True)
    state = PullRequestState(required=True)
    draft = fields.Boolean(required=True, data_key="isDraft")
    author = Actor()
    author_association = Word(required=True, data_key="authorAssociation")
    created_at = Moment(required=True, data_key="createdAt")
    updated_at = Moment(required=True, data_key="updatedAt")
    closed_at = Moment(allow_none=True, load_default=None, data_key="closedAt")
    merged_at = Moment(allow_none=True, load_default=None, data_key="mergedAt")
    base_ref = fields.String(required=True, data_key="baseRefName")
    base_sha = fields.String(required=True, data_key="baseRefOid")
    required_checks = RequiredChecks(data_key="baseRef")
    head_ref = fields.String(required=True, data_key="headRefName")
    head_sha = fields.String(required=True, data_key="headRefOid")
    head_repository = Part("nameWithOwner", data_key="headRepository")
    labels = Page(LabelSchema())
    milestone = Part("title")
    additions = fields.Integer(strict=True, required=True)
    deletions = fields.Integer(strict=True, required=True)
    changed_files = fields.Integer(strict=True, required=True, data_key="changedFiles")
    mergeable = Word(required=True)
    merge_state = Word(required=True, data_key="mergeStateStatus")
    queued = fields.Boolean(load_default=False, data_key="isInMergeQueue")
    merge_queue = fields.Nested(
        MergeQueueEntrySchema, allow_none=True, load_default=None, data_key="mergeQueueEntry"
    )
    auto_merge = fields.Nested(
        AutoMergeSchema, allow_none=True, load_default=None, data_key="autoMergeRequest"
    )
    decision = ReviewDecision(data_key="reviewDecision")
    reviews = Page(ReviewSchema())
    review_requests = Page(ReviewRequestSchema(), data_key="reviewRequests")
    threads = Page(ThreadSchema(), data_key="reviewThreads")
    commit = HeadCommit(data_key="commits")
    marked_ready_at = ReadyEvent(data_key="timelineItems")

    @post_load
    def make(self, data: Loaded, **_: object) -> PullRequestNode:
        if data.pop("queued") and data["merge_queue"] is None:
            data["merge_queue"] = _PLACELESS
        data["author"] = data["author"] or GHOST
        data["required_checks"] = data["required_checks"] or ()
        data["decision"] = data["decision"] or Decision.NONE
        return PullRequestNode(**data)
