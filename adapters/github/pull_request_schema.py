"""The shape of a pull request in GitHub's answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, cast

from marshmallow import ValidationError, fields, post_load

from loopx.adapters.github.fields import Actor, Page, Part, Word
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

    def __init__(self) -> None:
        super().__init__(allow_none=True, load_default=None)
        self._commit = CommitSchema()

    def _deserialize(self, value: object, *_: object, **__: object) -> Commit | None:
        for node in _nodes(value):
            commit = node.get("commit")
            if isinstance(commit, Mapping):
                return cast("Commit", self._commit.load(cast("Mapping[str, object]", commit)))
        return None


class ReadyEvent(fields.Field[datetime | None]):
    """When it last stopped being a draft, from ``timelineItems(last: 1)``."""

    def __init__(self) -> None:
        super().__init__(allow_none=True, load_default=None)
        self._moment = fields.AwareDateTime(format="iso")

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

    def __init__(self) -> None:
        super().__init__(allow_none=True, load_default=())

    def _deserialize(self, value: object, *_: object, **__: object) -> tuple[str, ...]:
        branch = cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}
        rule = branch.get("refUpdateRule")
        names = cast("Mapping[str, object]", rule).get("requiredStatusCheckContexts") if rule else None
        listed = cast("list[object]", names) if isinstance(names, list) else []
        return tuple(name for name in listed if isinstance(name, str))


class PullRequestSchema(GitHubSchema):
    """One pull request with the first page of each inner list."""

    id = fields.String(required=True)
    number = fields.Integer(strict=True, required=True)
    url = fields.String(required=True)
    title = fields.String(required=True)
    state = Word(required=True)
    isDraft = fields.Boolean(required=True)
    author = Actor()
    authorAssociation = Word(required=True)
    createdAt = fields.AwareDateTime(format="iso", required=True)
    updatedAt = fields.AwareDateTime(format="iso", required=True)
    closedAt = fields.AwareDateTime(format="iso", allow_none=True, load_default=None)
    mergedAt = fields.AwareDateTime(format="iso", allow_none=True, load_default=None)
    baseRefName = fields.String(required=True)
    baseRefOid = fields.String(required=True)
    baseRef = RequiredChecks()
    headRefName = fields.String(required=True)
    headRefOid = fields.String(required=True)
    headRepository = Part("nameWithOwner")
    labels = Page(LabelSchema())
    milestone = Part("title")
    additions = fields.Integer(strict=True, required=True)
    deletions = fields.Integer(strict=True, required=True)
    changedFiles = fields.Integer(strict=True, required=True)
    mergeable = Word(required=True)
    mergeStateStatus = Word(required=True)
    isInMergeQueue = fields.Boolean(load_default=False)
    mergeQueueEntry = fields.Nested(MergeQueueEntrySchema, allow_none=True, load_default=None)
    autoMergeRequest = fields.Nested(AutoMergeSchema, allow_none=True, load_default=None)
    reviewDecision = Word(allow_none=True, load_default=None)
    reviews = Page(ReviewSchema())
    reviewRequests = Page(ReviewRequestSchema())
    reviewThreads = Page(ThreadSchema())
    commits = HeadCommit()
    timelineItems = ReadyEvent()

    @post_load
    def make(self, data: Loaded, **_: object) -> PullRequestNode:
        return PullRequestNode(
            id=data["id"],
            number=data["number"],
            url=data["url"],
            title=data["title"],
            state=_state(data["state"]),
            draft=data["isDraft"],
            author=data["author"] or GHOST,
            author_association=data["authorAssociation"],
            created_at=data["createdAt"],
            updated_at=data["updatedAt"],
            closed_at=data["closedAt"],
            merged_at=data["mergedAt"],
            base_ref=data["baseRefName"],
            base_sha=data["baseRefOid"],
            required_checks=data["baseRef"] or (),
            head_ref=data["headRefName"],
            head_sha=data["headRefOid"],
            head_repository=data["headRepository"],
            labels=data["labels"],
            milestone=data["milestone"],
            additions=data["additions"],
            deletions=data["deletions"],
            changed_files=data["changedFiles"],
            mergeable=data["mergeable"],
            merge_state=data["mergeStateStatus"],
            merge_queue=data["mergeQueueEntry"] or (_PLACELESS if data["isInMergeQueue"] else None),
            auto_merge=data["autoMergeRequest"],
            decision=_decision(data["reviewDecision"]),
            reviews=data["reviews"],
            review_requests=data["reviewRequests"],
            threads=data["reviewThreads"],
            commit=data["commits"],
            marked_ready_at=data["timelineItems"],
        )


def _state(word: str) -> State:
    try:
        return State(word)
    except ValueError:
        raise ValidationError("is no known state", "state") from None


def _decision(word: str | None) -> Decision:
    """Null means that there is no decision; a word of tomorrow is unknown, and never good."""
    if word is None:
        return Decision.NONE
    known = {decision.value: decision for decision in Decision}
    return known.get(word, Decision.UNKNOWN)
