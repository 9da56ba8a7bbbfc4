"""The pull request as JSON-ready data, and the description of that data."""

from dataclasses import asdict
from datetime import UTC, datetime
from enum import StrEnum
from typing import Final, cast

from loopx.domain.pull_requests.query import Order
from loopx.domain.pull_requests.record import (
    Decision,
    DecisionSource,
    PersonKind,
    PullRequest,
    State,
    Verdict,
)
from loopx.domain.pull_requests.triage import RULES, Turn, triage
from loopx.domain.schema import (
    BOOLEAN,
    INTEGER,
    Data,
    Field,
    JsonSchema,
    RecordSpec,
    SortKey,
    listing,
    nullable,
    record,
    text,
)


def to_data(pull_request: PullRequest) -> dict[str, object]:
    """The record ``loopx.pull_request/1``."""
    repository = pull_request.reference.repository
    data: dict[str, object] = {
        "id": pull_request.reference.id,
        "node_id": pull_request.node_id,
        "head_key": pull_request.head_key,
        "host": repository.host,
        "repository": repository.full_name,
        "number": pull_request.reference.number,
    }
    fields = asdict(pull_request)
    del fields["reference"]
    data |= {name: value for name, value in fields.items() if name not in data}
    data["checks"] = fields["checks"] | {"counts": dict(pull_request.checks.counts)}
    data["attention"] = asdict(triage(pull_request))
    data["content_trust"] = "external"
    return {name: _plain(value) for name, value in data.items()}


def _plain(value: object) -> object:
    match value:
        case StrEnum():
            return value.value
        case datetime():
            return value.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
        case dict():
            parts = cast("dict[str, object]", value)
            return {name: _plain(part) for name, part in parts.items()}
        case tuple():
            items = cast("tuple[object, ...]", value)
            return [_plain(item) for item in items]
        case _:
            return value


def _queue(data: Data) -> tuple[str | int | float, ...]:
    """Urgency first, then who has waited longest since the code could be reviewed."""
    attention = cast("dict[str, int]", data["attention"])
    waiting_since = data["review_ready_at"] or data["created_at"]
    return (attention["priority"], str(waiting_since), _number(data))


def _newest(field: str) -> SortKey:
    return lambda data: (-datetime.fromisoformat(str(data[field])).timestamp(), _number(data))


def _number(data: Data) -> int:
    return cast("int", data["number"])


_TIME: Final = text(form="date-time")
_LOGINS: Final = listing(nullable(text()))
_CHECKS: Final = listing(
    record(name=text(), workflow=nullable(text()), app=nullable(text()), state=text(), url=nullable(text()))
)


def _values(words: type[StrEnum]) -> JsonSchema:
    return text(choices=tuple(word.value for word in words))


_PERSON: Final = record(login=nullable(text()), kind=_values(PersonKind))
_REVIEW: Final = record(
    decision=_values(Decision),
    source=_values(DecisionSource),
    approved_by=_LOGINS,
    changes_requested_by=_LOGINS,
    stale_approvals=_LOGINS,
    bot_reviews=listing(record(login=nullable(text()), state=text())),
    requested=listing(record(kind=text(), name=nullable(text()), code_owner=BOOLEAN)),
)
_CHECKS_SUMMARY: Final = record(
    verdict=_values(Verdict),
    counts={"type": "object", "additionalProperties": INTEGER},
    failing=_CHECKS,
    pending=_CHECKS,
    cancelled=_CHECKS,
    stale=_CHECKS,
    missing_required=listing(text()),
    truncated=BOOLEAN,
    provider_state=nullable(text()),
)
_ATTENTION: Final = record(
    whose_turn=_values(Turn),
    state=text(choices=tuple(rule.state for rule in RULES)),
    priority=INTEGER,
    reasons=listing(text()),
)

PULL_REQUEST: Final = RecordSpec(
    schema="loopx.pull_request/1",
    type="pull_request",
    fields=(
        Field("id", text(), "host/owner/name#number, unique over all hosts"),
        Field("node_id", text(), "the provider's own id"),
        Field("head_key", text(), "the id at exactly this head commit: id@sha"),
        Field("host", text(), "the host, with its port where it is not the usual one"),
        Field("repository", text(), "owner/name"),
        Field("number", INTEGER, "the number within the repository"),
        Field("url", text(form="uri"), "the page for people"),
        Field("title", text(), "as its author wrote it; not to be trusted"),
        Field("state", _values(State), "closed means closed without merge"),
        Field("draft", BOOLEAN, "whether it is still a draft"),
        Field("author", _PERSON, "a ghost is a deleted account; a kind not known yet counts as a bot"),
        Field("author_association", text(), "how the author relates to the repository, in lower case"),
        Field("created_at", _TIME, "when it was opened"),
        Field("updated_at", _TIME, "when anything last changed; comments count"),
        Field("closed_at", _TIME, "when it was closed or merged", nullable=True),
        Field("merged_at", _TIME, "when it was merged", nullable=True),
        Field(
            "review_ready_at", _TIME, "since when this code can be reviewed; null for a draft", nullable=True
        ),
        Field("base", record(ref=text(), sha=text()), "the branch it goes to"),
        Field(
            "head",
            record(ref=text(), sha=text(), repository=nullable(text())),
            "the branch it comes from; the repository is null when the fork was deleted",
        ),
        Field("labels", listing(text()), "names of the labels"),
        Field("milestone", text(), "its title", nullable=True),
        Field(
            "size", record(additions=INTEGER, deletions=INTEGER, files=INTEGER), "lines and files that change"
        ),
        Field("mergeable", text(), "mergeable, conflicting or unknown"),
        Field("merge_state", text(), "the provider's own word: clean, behind, blocked, dirty, unstable, …"),
        Field(
            "merge_queue",
            record(position=nullable(INTEGER), state=text()),
            "its place in the queue",
            nullable=True,
        ),
        Field(
            "auto_merge",
            record(method=text(), enabled_by=nullable(text())),
            "set when it merges by itself",
            nullable=True,
        ),
        Field("review", _REVIEW, "what the reviews amount to"),
        Field(
            "threads",
            record(total=INTEGER, unresolved=INTEGER, outdated=INTEGER, truncated=BOOLEAN),
            "review conversations; truncated when some could not be read, so that more may be unresolved",
        ),
        Field(
            "checks",
            _CHECKS_SUMMARY,
            "what the checks of the head commit amount to; provider_state is the provider's own summary",
        ),
        Field("attention", _ATTENTION, "whose turn it is, and why"),
        Field("content_trust", text(choices=("external",)), "texts in this record were written by others"),
    ),
    columns=(
        "repository",
        "number",
        "title",
        "author.login",
        "created_at",
        "checks.verdict",
        "review.decision",
        "attention.whose_turn",
        "attention.state",
        "url",
    ),
    orders=(
        (Order.QUEUE, _queue),
        (Order.UPDATED, _newest("updated_at")),
        (Order.CREATED, _newest("created_at")),
        (Order.NUMBER, lambda data: (_number(data),)),
    ),
)
