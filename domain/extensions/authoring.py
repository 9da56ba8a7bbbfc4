"""What extensions are written with: ``from loopx.extension import Note, Record, Request, Response, Steps``.

A unit is a generator function. It takes the parameters of its manifest by name and yields what it wants::

    def filings(company: str, limit: int | None = None) -> Steps:
        response = yield Request("GET", "https://filings.example.com/v1", params={"company": company})
        for filing in response.json()["filings"][:limit]:
            yield Record({"accession": filing["id"]})

The same file is loaded beside the extension in its own process, where no other part of LoopX is: it
takes nothing from elsewhere, and its values are no dataclasses, whose module would double the time to start.
"""

from __future__ import annotations

import json as _json

__all__ = ["Note", "Record", "Request", "RequestFailedError", "Response", "Steps"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import Any, TypeAlias


class _Value:
    __slots__: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    __hash__ = None  # type: ignore[assignment]  # Python's way to say that there is none

    def __repr__(self) -> str:
        parts = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({parts})"


class Request(_Value):
    """A request for LoopX to send; what is yielded comes back as its ``Response``.

    It leaves only for hosts and methods that the manifest lists. ``credential`` names a slot of the
    manifest, ``accept_status`` further statuses that are no failure, ``timeout`` is in seconds.
    """

    __slots__ = ("accept_status", "body", "credential", "headers", "method", "timeout", "url")

    def __init__(  # noqa: PLR0913 - the parts of a request, each by its name
        self,
        method: str,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        params: Mapping[str, object] | None = None,
        json: object = None,
        body: bytes = b"",
        accept_status: Sequence[int] = (),
        credential: str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.method = method
        query = _query(params) if params else ""
        self.url = f"{url}{'&' if '?' in url else '?'}{query}" if query else url
        self.headers = dict(headers or {})
        self.body = body
        self.accept_status = tuple(accept_status)
        self.credential = credential
        self.timeout = timeout
        if json is not None:
            self.body = _json.dumps(json, allow_nan=False).encode()
            self.headers.setdefault("Content-Type", "application/json")
        # Authors need not check types, and what is wrong should fail where it was written.
        texts: list[object] = [method, url, *self.headers, *self.headers.values(), credential or ""]
        content: object = self.body
        if not all(isinstance(text, str) for text in texts) or not isinstance(content, bytes):
            raise TypeError("method, url, headers and credential of a Request are text, its body is bytes")


class Response(_Value):
    """The answer to a request, read whole; ``url`` is the one that answered, after redirects."""

    __slots__ = ("body", "headers", "status", "url")

    def __init__(
        self, status: int = 200, body: bytes = b"", *, headers: Mapping[str, str] | None = None, url: str = ""
    ) -> None:
        self.status = status
        self.body = body
        self.headers = {name.lower(): value for name, value in (headers or {}).items()}
        self.url = url

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")

    def json(self) -> Any:
        """The body as JSON.

        Raises:
            ValueError: it is none.
        """
        return _json.loads(self.body)


class Record(_Value):
    """One record, with exactly the fields that the manifest declares."""

    __slots__ = ("data",)

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = dict(data)


class Note(_Value):
    """Something that whoever reads the result should know, such as why a part of it is missing."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


class RequestFailedError(Exception):
    """There is no answer to a request; raised where it was yielded.

    ``code`` and ``reason`` are those of docs/errors.md, ``retry_after`` is in seconds.
    """

    def __init__(  # noqa: PLR0913 - the fields of an error that crosses a process border
        self,
        code: str,
        reason: str,
        message: str = "",
        *,
        status: int | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{code}/{reason}: {message}")
        self.code = code
        self.reason = reason
        self.message = message
        self.status = status
        self.retryable = retryable
        self.retry_after = retry_after


def _query(params: Mapping[str, object]) -> str:
    from urllib.parse import urlencode  # noqa: PLC0415 - it costs, and most units do without

    return urlencode({name: value for name, value in params.items() if value is not None}, doseq=True)


if TYPE_CHECKING:
    Steps: TypeAlias = Generator[Request | Record | Note, Response, None]
else:
    Steps = None  # only ever an annotation
