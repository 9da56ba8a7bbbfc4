"""The one error of LoopX, and how it reads as text and as data.

    LoopXError
      code     what kind of failure, a stable string (``provider_http_error``, …)
      reason   the finer fact within the code (``rate_limited``, ``dns``, …)

There are no subclasses: callers branch on ``code`` and ``reason``, which also cross process
borders. Every pair stands in ``domain/error_table.py`` with its meaning, exit code and hint.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from loopx.domain.error_table import ERROR_TABLE, ErrorRow, Sent

__all__ = ["NO_CALL", "CallFacts", "ErrorRow", "LoopXError", "Sent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFacts:
    """What is known of the call that failed; ``url`` and ``excerpt`` are redacted already."""

    method: str | None = None
    url: str | None = None
    status: int | None = None
    retry_after: float | None = None
    attempts: int = 0
    request_id: str | None = None
    elapsed_ms: int | None = None
    agent_id: str | None = None
    turn_id: str | None = None
    excerpt: str | None = None
    audit_id: str | None = None


NO_CALL = CallFacts()


class LoopXError(Exception):
    """Any failure that LoopX reports, with a stable code and a documented reason.

    ``retry_after`` is in seconds, ``elapsed_ms`` in milliseconds. ``detail`` is LoopX's own
    wording of the particular case; no foreign text is ever part of ``str(error)``.
    """

    def __init__(  # noqa: PLR0913 - every field of the public error is a keyword here, once
        self,
        code: str,
        reason: str,
        *,
        detail: str = "",
        hint: str = "",
        retryable: bool | None = None,
        sent: Sent | None = None,
        call: CallFacts = NO_CALL,
    ) -> None:
        row = ERROR_TABLE[code, reason]
        self.row = row
        self.code = code
        self.reason = reason
        self.detail = detail
        self.hint = hint or row.hint
        self.retryable = row.retryable if retryable is None else retryable
        self.sent = row.sent if sent is None else sent
        self.call = call
        super().__init__(code, reason)

    @property
    def status(self) -> int | None:
        """The HTTP status of the answer, if there was one."""
        return self.call.status

    @property
    def retry_after(self) -> float | None:
        """Seconds to wait before another try, if the server or a limit says so."""
        return self.call.retry_after

    @property
    def attempts(self) -> int:
        """How often the request was tried."""
        return self.call.attempts

    @property
    def method(self) -> str | None:
        """The HTTP method of the request."""
        return self.call.method

    @property
    def url(self) -> str | None:
        """The redacted address of the request."""
        return self.call.url

    @property
    def request_id(self) -> str | None:
        """The provider's own name of the request, for its support."""
        return self.call.request_id

    @property
    def elapsed_ms(self) -> int | None:
        """Milliseconds from the start of the call to its failure."""
        return self.call.elapsed_ms

    @property
    def agent_id(self) -> str | None:
        """The agent on whose behalf the call was made."""
        return self.call.agent_id

    @property
    def turn_id(self) -> str | None:
        """The agent's turn in which the call was made."""
        return self.call.turn_id

    @property
    def excerpt(self) -> str | None:
        """The redacted start of the server's own explanation."""
        return self.call.excerpt

    @property
    def audit_id(self) -> str | None:
        """By which `loopx audit show` finds the request that failed."""
        return self.call.audit_id

    @property
    def what(self) -> str:
        """What happened, in one sentence without a final stop."""
        return f"{self.row.what}: {self.detail}" if self.detail else self.row.what

    def with_hint(self, hint: str) -> "LoopXError":
        """The same error with advice that fits the situation better than the table's."""
        return self._copy(hint=hint, call=self.call)

    def with_call(self, call: CallFacts) -> "LoopXError":
        """The same error with other facts of the call."""
        return self._copy(hint=self.hint, call=call)

    def masked(self, mask: Callable[[str], str]) -> "LoopXError":
        """The same error with every text in it passed through ``mask``, such as a redactor's."""
        shown: dict[str, Any] = {
            name: mask(value) if isinstance(value, str) else value
            for name, value in asdict(self.call).items()
        }
        masked = self._copy(hint=mask(self.hint), call=CallFacts(**shown), detail=mask(self.detail))
        masked.__notes__ = [mask(note) for note in getattr(self, "__notes__", ())]
        return masked

    def _copy(self, *, hint: str, call: CallFacts, detail: str | None = None) -> "LoopXError":
        """What was noted beside the error, and where it was raised, stays with it."""
        copy = LoopXError(
            self.code,
            self.reason,
            detail=self.detail if detail is None else detail,
            hint=hint,
            retryable=self.retryable,
            sent=self.sent,
            call=call,
        )
        copy.__notes__ = [*getattr(self, "__notes__", ())]
        return copy.with_traceback(self.__traceback__)

    def to_dict(self) -> dict[str, object]:
        """The error as JSON-ready data, as every door shows it."""
        return {
            "code": self.code,
            "reason": self.reason,
            "message": self.what,
            "detail": self.detail,
            "hint": self.hint,
            "retryable": self.retryable,
            "sent": self.sent.value,
            **asdict(self.call),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Self:
        """Read back what ``to_dict`` wrote.

        Raises:
            KeyError: the pair of code and reason is not in the table, or a field is missing.
        """
        names = CallFacts.__dataclass_fields__
        return cls(
            str(data["code"]),
            str(data["reason"]),
            detail=str(data["detail"]),
            hint=str(data["hint"]),
            retryable=bool(data["retryable"]),
            sent=Sent(str(data["sent"])),
            call=CallFacts(**{name: data[name] for name in names}),  # type: ignore[arg-type]  # our own JSON
        )

    def __str__(self) -> str:
        place = " ".join(part for part in (self.method, self.url) if part)
        status = f" (HTTP {self.status})" if self.status is not None else ""
        return f"{self.code}/{self.reason}: {self.what}{status}" + (f" [{place}]" if place else "")

    def __repr__(self) -> str:
        return f"LoopXError({str(self)!r})"

    def __reduce__(self) -> tuple[object, tuple[dict[str, object]]]:
        return (LoopXError.from_dict, (self.to_dict(),))
