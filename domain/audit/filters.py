"""Which rows are asked for."""

import re
from dataclasses import dataclass, fields
from typing import Final

from loopx.domain.audit.row import AuditRow
from loopx.domain.errors import LoopXError

_CODE: Final = re.compile(r"([a-z][a-z_]{0,63})(?:/([a-z][a-z_0-9]{0,63}))?")
_STATUS: Final = re.compile(r"[1-9][0-9]{2}")
_ATTEMPT: Final = re.compile(r"[0-9a-f]{16}")
_TRACE: Final = re.compile(r"[0-9a-f]{32}")
_SEQUENCE: Final = re.compile(r"[1-9][0-9]{0,14}")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """What rows must have to be shown; ``None`` where anything does.

    ``since`` is the first and ``until`` the first no more wanted moment, as Unix time in microseconds.
    Only rows ``after`` that number are wanted.
    """

    after: int = 0
    sequence: int | None = None
    since: int | None = None
    until: int | None = None
    id: str | None = None
    trace_id: str | None = None
    agent_id: str | None = None
    turn_id: str | None = None
    capability: str | None = None
    host: str | None = None
    status: int | None = None
    code: str | None = None
    reason: str | None = None

    @property
    def equal(self) -> dict[str, str | int]:
        """What must be exactly so, by the name of the field."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {
            name: value
            for name, value in named.items()
            if value is not None and name not in {"after", "since", "until"}
        }

    def matches(self, row: AuditRow) -> bool:
        """Whether a row is wanted."""
        at, subject, outcome = row.entry.at, row.entry.subject, row.entry.outcome
        return (
            row.sequence > self.after
            and (self.since is None or at >= self.since)
            and (self.until is None or at < self.until)
            and self.sequence in {None, row.sequence}
            and self.id in {None, subject.id}
            and self.trace_id in {None, subject.trace_id}
            and self.agent_id in {None, subject.agent_id}
            and self.turn_id in {None, subject.turn_id}
            and self.capability in {None, subject.capability}
            and self.host in {None, subject.host}
            and self.status in {None, outcome.status}
            and self.code in {None, outcome.code}
            and self.reason in {None, outcome.reason}
        )


EVERYTHING: Final = AuditFilter()


def read_code(text: str) -> dict[str, str | int]:
    """What ``--code`` asks for: a status, a code of LoopX, or a code with its reason.

    Raises:
        LoopXError: ``usage_error/parameter``.
    """
    if _STATUS.fullmatch(text):
        return {"status": int(text)}
    match = _CODE.fullmatch(text)
    if match is None:
        raise LoopXError(
            "usage_error",
            "parameter",
            detail="a code is a status like 404, or provider_http_error, or provider_http_error/not_found",
        )
    return {"code": match[1]} | ({"reason": match[2]} if match[2] else {})


def read_id(text: str) -> AuditFilter:
    """What ``loopx audit show`` is asked for: an attempt, a whole trace, or the number of a row.

    Raises:
        LoopXError: ``usage_error/parameter``.
    """
    # An id of sixteen decimal digits is possible; the number of a row is shorter.
    if _ATTEMPT.fullmatch(text):
        return AuditFilter(id=text)
    if _TRACE.fullmatch(text):
        return AuditFilter(trace_id=text)
    if _SEQUENCE.fullmatch(text):
        return AuditFilter(sequence=int(text))
    raise LoopXError(
        "usage_error",
        "parameter",
        detail="this is no id of an audited call",
        hint="Give the 16 digits of an audit id, the 32 of a trace, or the number of a row.",
    )
