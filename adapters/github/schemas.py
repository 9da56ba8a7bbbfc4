"""The shapes of GitHub's answers: tolerant of additions and unknown words, strict about the rest."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, cast

from marshmallow import EXCLUDE, Schema, fields, post_load

from loopx.adapters.github.fields import Actor, Page, Part, Word
from loopx.adapters.github.nodes import Commit, Connection, Suite, Thread
from loopx.domain.pull_requests.checks import Attempt
from loopx.domain.pull_requests.record import (
    GHOST,
    AutoMerge,
    Check,
    MergeQueueEntry,
    Person,
    ReviewRequest,
)
from loopx.domain.pull_requests.reviews import SubmittedReview

# What marshmallow hands to a hook is untyped: each field below has been checked by then.
Loaded = Any


class GitHubSchema(Schema):
    """Whatever GitHub adds is ignored."""

    class Meta:
        """Inherited by every schema; one that declares its own must inherit this one."""

        unknown: ClassVar[str] = EXCLUDE


class LabelSchema(GitHubSchema):
    """The name of a label."""

    name = fields.String(required=True)

    @post_load
    def make(self, data: Loaded, **_: object) -> str:
        return cast("str", data["name"])


class ThreadSchema(GitHubSchema):
    """The state of a review conversation."""

    isResolved = fields.Boolean(required=True)
    isOutdated = fields.Boolean(required=True)

    @post_load
    def make(self, data: Loaded, **_: object) -> Thread:
        return Thread(data["isResolved"], data["isOutdated"])


class ReviewSchema(GitHubSchema):
    """A review that was given."""

    id = fields.String(required=True)
    state = Word(required=True)
    submittedAt = fields.AwareDateTime(format="iso", allow_none=True, load_default=None)
    author = Actor()
    authorCanPushToRepository = fields.Boolean(required=True)
    commit = Part("oid")

    @post_load
    def make(self, data: Loaded, **_: object) -> SubmittedReview:
        return SubmittedReview(
            id=data["id"],
            author=data["author"] or GHOST,
            state=data["state"],
            submitted_at=data["submittedAt"],
            commit=data["commit"],
            writer=data["authorCanPushToRepository"],
        )


class ReviewRequestSchema(GitHubSchema):
    """Somebody who was asked for a review."""

    asCodeOwner = fields.Boolean(required=True)
    requestedReviewer = fields.Dict(keys=fields.String(), allow_none=True, load_default=None)

    @post_load
    def make(self, data: Loaded, **_: object) -> ReviewRequest:
        reviewer = cast("Mapping[str, object]", data["requestedReviewer"] or {})
        kind = str(reviewer.get("__typename", "unknown")).lower()
        name = reviewer.get("combinedSlug") or reviewer.get("login")
        return ReviewRequest(kind, name if isinstance(name, str) else None, data["asCodeOwner"])


class CheckSuiteSchema(GitHubSchema):
    """The suite of a check run, which tells checks of the same name apart."""

    app = Part("slug")
    workflowRun = fields.Dict(allow_none=True, load_default=None)

    @post_load
    def make(self, data: Loaded, **_: object) -> Suite:
        run = cast("Mapping[str, object]", data["workflowRun"] or {})
        return Suite(data["app"], Part("workflow", "name").deserialize(run), Part("event").deserialize(run))


class CheckRunSchema(GitHubSchema):
    """A check of an app or a workflow."""

    id = fields.String(required=True)
    databaseId = fields.Integer(strict=True, allow_none=True, load_default=None)
    name = fields.String(required=True)
    status = Word(required=True)
    conclusion = Word(allow_none=True, load_default=None)
    startedAt = fields.AwareDateTime(format="iso", allow_none=True, load_default=None)
    completedAt = fields.AwareDateTime(format="iso", allow_none=True, load_default=None)
    detailsUrl = fields.String(allow_none=True, load_default=None)
    checkSuite = fields.Nested(CheckSuiteSchema, allow_none=True, load_default=Suite)

    @post_load
    def make(self, data: Loaded, **_: object) -> Attempt:
        # A run that is not completed has no conclusion that counts, whatever the field says.
        state = data["conclusion"] or "unknown" if data["status"] == "completed" else data["status"]
        suite: Suite = data["checkSuite"] or Suite()
        check = Check(data["name"], suite.workflow, suite.app, state, data["detailsUrl"])
        return Attempt(
            identity=("check_run", suite.app, suite.workflow, suite.event, data["name"]),
            check=check,
            started_at=data["startedAt"],
            completed_at=data["completedAt"],
            order=data["databaseId"] or 0,
        )


class StatusContextSchema(GitHubSchema):
    """A commit status, as older integrations report it."""

    id = fields.String(required=True)
    context = fields.String(required=True)
    state = Word(required=True)
    createdAt = fields.AwareDateTime(format="iso", allow_none=True, load_default=None)
    targetUrl = fields.String(allow_none=True, load_default=None)

    @post_load
    def make(self, data: Loaded, **_: object) -> Attempt:
        check = Check(data["context"], None, None, data["state"], data["targetUrl"])
        return Attempt(identity=("status", data["context"]), check=check, started_at=data["createdAt"])


class CheckContextSchema:
    """Either of the two; a kind of tomorrow becomes a check of unknown state."""

    def __init__(self) -> None:
        self._kinds = {"CheckRun": CheckRunSchema(), "StatusContext": StatusContextSchema()}

    def load(self, data: Mapping[str, object]) -> Attempt:
        """Load by ``__typename``; raises ``ValidationError``."""
        kind = str(data.get("__typename"))
        schema = self._kinds.get(kind)
        if schema is None:
            check = Check(kind, None, None, "unknown", None)
            return Attempt(identity=(kind, str(data.get("id"))), check=check)
        return cast("Attempt", schema.load(data))


class MergeQueueEntrySchema(GitHubSchema):
    """A place in the merge queue."""

    position = fields.Integer(strict=True, allow_none=True, load_default=None)
    state = Word(required=True)

    @post_load
    def make(self, data: Loaded, **_: object) -> MergeQueueEntry:
        return MergeQueueEntry(data["position"], data["state"])


class AutoMergeSchema(GitHubSchema):
    """A merge that GitHub does by itself."""

    mergeMethod = Word(required=True)
    enabledBy = Actor()

    @post_load
    def make(self, data: Loaded, **_: object) -> AutoMerge:
        person: Person | None = data["enabledBy"]
        return AutoMerge(data["mergeMethod"], person.login if person else None)


# Outside the class, where marshmallow would take it for a field of its own.
_CONTEXTS: Final = Page(CheckContextSchema())


class CommitSchema(GitHubSchema):
    """The head commit with its checks."""

    oid = fields.String(required=True)
    committedDate = fields.AwareDateTime(format="iso", required=True)
    statusCheckRollup = fields.Dict(allow_none=True, load_default=None)

    @post_load
    def make(self, data: Loaded, **_: object) -> Commit:
        rollup = cast("Mapping[str, object] | None", data["statusCheckRollup"])
        found = _CONTEXTS.deserialize(rollup.get("contexts")) if rollup is not None else None
        return Commit(data["oid"], data["committedDate"], cast("Connection[Attempt] | None", found))
