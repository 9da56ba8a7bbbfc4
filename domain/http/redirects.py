"""Which redirects are followed, and what of the request may follow them."""

from dataclasses import replace
from typing import Final

from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.http.message import Headers, HttpRequest, Semantics
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.http.target import Target, read_target, resolve_location
from loopx.domain.redaction import Redactor

FOLLOWED: Final = frozenset({301, 302, 303, 307, 308})
"""The statuses that send the caller elsewhere when they name a ``Location``."""

_REWRITING: Final = frozenset({301, 302, 303})
_BODY_HEADERS: Final = ("Content-Type", "Content-Length", "Content-Encoding", "Transfer-Encoding")

_PORTABLE_HEADERS: Final = frozenset({"accept", "accept-language", "accept-encoding", "user-agent"})
"""Only what can hold no credential crosses to another origin, whatever its name."""


def is_redirect(status: int, headers: Headers) -> bool:
    """Whether an answer sends the caller elsewhere."""
    return status in FOLLOWED and headers.get("Location") is not None


def follow(request: HttpRequest, status: int, headers: Headers, seen: frozenset[str]) -> HttpRequest | None:
    """The request that a redirect asks for; ``None`` when the answer is no redirect to follow.

    ``seen`` holds the addresses that were asked already. Credentials are not part of a request
    here, so they cannot follow; other headers and bodies stay on their origin.

    Raises:
        LoopXError: ``provider_redirect_error``, or ``egress_blocked/redirect_target``, with the
            address that redirected.
    """
    try:
        return _decide(request, status, headers, seen)
    except LoopXError as error:
        refused = error
    url = Redactor(secrets_of(request)).url(request.url)
    raise refused.with_call(CallFacts(method=request.method, url=url, status=status, attempts=1))


def _decide(request: HttpRequest, status: int, headers: Headers, seen: frozenset[str]) -> HttpRequest | None:
    if not is_redirect(status, headers) or status in request.accept_status:
        return None
    origin = read_target(request.url)
    target = _read_next(origin, headers.get("Location") or "")
    if target.is_private and not origin.is_private:
        raise LoopXError("egress_blocked", "redirect_target")
    followed = _rewrite(request, status, target, crosses=origin.origin != target.origin)
    if target.url in seen and followed.method == request.method:
        raise LoopXError("provider_redirect_error", "loop")
    if len(seen) > request.limits.redirects:
        raise LoopXError("provider_redirect_error", "too_many")
    return followed


def _read_next(origin: Target, location: str) -> Target:
    address = resolve_location(origin, location)
    if origin.scheme == "https" and address.lower().startswith("http:"):
        raise LoopXError("provider_redirect_error", "downgrade")
    try:
        return read_target(address)
    except LoopXError as error:
        blocked = error.code == "egress_blocked"
        pair = (
            ("egress_blocked", "redirect_target") if blocked else ("provider_redirect_error", "bad_location")
        )
        raise LoopXError(*pair) from None


def _rewrite(request: HttpRequest, status: int, target: Target, *, crosses: bool) -> HttpRequest:
    """Methods change as browsers change them (RFC 9110, section 15.4).

    A safe POST, such as a GraphQL query, means nothing without its body: it stays what it is.
    """
    is_query = request.semantics is Semantics.SAFE and status != 303  # noqa: PLR2004 - See Other
    becomes_get = request.method == "POST" and status in _REWRITING and not is_query
    becomes_get |= request.method not in {"GET", "HEAD"} and status == 303  # noqa: PLR2004 - See Other
    headers = request.headers.without(*_BODY_HEADERS) if becomes_get else request.headers
    if crosses:
        carries = request.body or request.method not in {"GET", "HEAD"}
        if carries and not becomes_get:
            raise LoopXError("provider_redirect_error", "cross_origin_denied")
        headers = Headers(tuple(pair for pair in headers.fields if pair[0].lower() in _PORTABLE_HEADERS))
    return replace(
        request,
        method="GET" if becomes_get else request.method,
        body=b"" if becomes_get else request.body,
        url=target.url,
        headers=headers,
    )
