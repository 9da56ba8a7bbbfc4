"""The shapes of GitHub's answers: tolerant of additions and unknown words, strict about the rest."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, cast

from marshmallow import EXCLUDE, Schema, fields, post_load

from loopx.adapters.github.fields import Actor, Moment, Page, Part, Word
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

    resolved = fields.Boolean(required=True, data_key="isResolved")
    outdated = fields.Boolean(required=True, data_key="isOutdated")

    @post_load
    def make(self, data: Loaded, **_: object) -> Thread:
        return Thread(**data)


class ReviewSchema(GitHubSchema):
    """A review that was given."""

    id = fields.String(required=True)
    state = Word(required=True)
    submitted_at = Moment(allow_none=True, load_default=None, data_key="submittedAt")
    author = Actor()
    writer = fields.Boolean(required=True, data_key="authorCanPushToRepository")
    commit = Part("oid")

    @post_load
    def make(self, data: Loaded, **_: object) -> SubmittedReview:
        return SubmittedReview(
            id=data["id"],
            author=data["author"] or GHOST,
            state=data["state"],
            submitted_at=data["submitted_at"],
            commit=data["commit"],
            writer=data["writer"],
        )


class ReviewRequestSchema(GitHubSchema):
    """Somebody who was asked for a review."""

    code_owner = fields.Boolean(required=True, data_key="asCodeOwner")
    reviewer = fields.Dict(
        keys=fields.String(), allow_none=True, load_default=None, data_key="requestedReviewer"
    )

    @post_load
    def make(self, data: Loaded, **_: object) -> ReviewRequest:
        reviewer = cast("Mapping[str, object]", data["reviewer"] or {})
        kind = str(reviewer.get("__typename", "unknown")).lower()
        name = reviewer.get("combinedSlug") or reviewer.get("login")
        return ReviewRequest(kind, name if isinstance(name, str) else None, data["code_owner"])


class CheckSuiteSchema(GitHubSchema):
    """The suite of a check run, which tells checks of the same name apart."""

    app = Part("slug")
    run = fields.Dict(allow_none=True, load_default=None, data_key="workflowRun")

    @post_load
    def make(self, data: Loaded, **_: object) -> Suite:
        run = cast("Mapping[str, object]", data["run"] or {})
        return Suite(data["app"], Part("workflow", "name").deserialize(run), Part("event").deserialize(run))


class CheckRunSchema(GitHubSchema):
    """A check of an app or a workflow."""

    id = fields.String(required=True)
    number = fields.Integer(strict=True, allow_none=True, load_default=None, data_key="databaseId")
    name = fields.String(required=True)
    status = Word(required=True)
    conclusion = Word(allow_none=True, load_default=None)
    started_at = Moment(allow_none=True, load_default=None, data_key="startedAt")
    completed_at = Moment(allow_none=True, load_default=None, data_key="completedAt")
    url = fields.String(allow_none=True, load_default=None, data_key="detailsUrl")
    suite = fields.Nested(CheckSuiteSchema, allow_none=True, load_default=None, data_key="checkSuite")

    @post_load
    def make(self, data: Loaded, **_: object) -> Attempt:
        # A run that is not completed has no conclusion that counts, whatever the field says.
        state = data["conclusion"] or "unknown" if data["status"] == "completed" else data["status"]
        suite: Suite = data["suite"] or Suite()
        check = Check(data["name"], suite.workflow, suite.app, state, data["url"])
        place = (suite.app, suite.workflow, suite.event, data["name"])
        return Attempt(
            # Without its suite nobody knows which other run it would replace: it stands for itself.
            identity=("check_run", *place) if data["suite"] else ("hidden_suite", data["id"]),
            check=check,
            started_at=data["started_at"],
            completed_at=data["completed_at"],
            order=data["number"],
        )


class StatusContextSchema(GitHubSchema):
    """A commit status, as older integrations report it."""

    id = fields.String(required=True)
    context = fields.String(required=True)
    state = Word(required=True)
    created_at = Moment(allow_none=True, load_default=None, data_key="createdAt")
    url = fields.String(allow_none=True, load_default=None, data_key="targetUrl")

    @post_load
    def make(self, data: Loaded, **_: object) -> Attempt:
        check = Check(data["context"], None, None, data["state"], data["url"])
        return Attempt(identity=("status", data["context"]), check=check, started_at=data["created_at"])


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

    method = Word(required=True, data_key="mergeMethod")
    enabled_by = Actor(data_key="enabledBy")

    @post_load
    def make(self, data: Loaded, **_: object) -> AutoMerge:
        person: Person | None = data["enabled_by"]
        return AutoMerge(data["method"], person.login if person else None)


# Outside the class, where marshmallow would take it for a field of its own.
_CONTEXTS: Final = Page(CheckContextSchema())


class CommitSchema(GitHubSchema):
    """The head commit with its checks."""

    oid = fields.String(required=True)
    committed_at = Moment(required=True, data_key="committedDate")
    rollup = fields.Dict(allow_none=True, load_default=None, data_key="statusCheckRollup")

    @post_load
    def make(self, data: Loaded, **_: object) -> Commit:
        rollup = cast("Mapping[str, object] | None", data["rollup"])
        if rollup is None:
            return Commit(data["oid"], data["committed_at"], None)
        # A summary without its list is a list that may not be read, and no empty one.
        contexts = rollup.get("contexts")
        hidden: Connection[object] = Connection(hidden=1)
        found = hidden if contexts is None else _CONTEXTS.deserialize(contexts)
        state = rollup.get("state")
        summary = state.lower() if isinstance(state, str) else "unknown"
        return Commit(
            data["oid"], data["committed_at"], cast("Connection[Attempt]", found), checks_state=summary
        )
