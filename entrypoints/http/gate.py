"""Brings a request before the access decision, as ASGI shows it."""

import hmac
from collections.abc import Iterable
from typing import Final

from loopx.domain.access import MARKER, decide
from loopx.domain.access_request import AccessPolicy, AccessRequest, Resource, Verdict
from loopx.domain.http.message import Headers
from loopx.domain.secrets import Secret
from loopx.entrypoints.http.asgi import Scope

_BEARER: Final = "bearer"


class Gate:
    """Knows the policy and the token."""

    def __init__(self, policy: AccessPolicy, token: Secret) -> None:
        self._policy = policy
        self._token = token.reveal().encode()

    def judge(self, scope: Scope, headers: Headers, resource: Resource | None) -> Verdict:
        """Decide about a request to a resource; ``None`` stands for a path that leads nowhere."""
        lengths = headers.all("content-length")
        return decide(
            AccessRequest(
                method=scope["method"],
                target=_target(scope),
                hosts=headers.all("host"),
                origins=headers.all("origin"),
                fetch_sites=headers.all("sec-fetch-site"),
                fetch_modes=headers.all("sec-fetch-mode"),
                content_types=headers.all("content-type"),
                markers=headers.all(MARKER),
                wanted_methods=headers.all("access-control-request-method"),
                wanted_headers=headers.all("access-control-request-headers"),
                has_body=bool(headers.all("transfer-encoding")) or any(length != "0" for length in lengths),
                authorized=self._authorized(headers.all("authorization")),
            ),
            resource,
            self._policy,
        )

    def _authorized(self, credentials: tuple[str, ...]) -> bool | None:
        if not credentials:
            return None
        scheme, _, token = credentials[0].partition(" ")
        is_token = hmac.compare_digest(token.strip().encode("latin-1", "replace"), self._token)
        return is_token and scheme.lower() == _BEARER and len(credentials) == 1


def read_headers(fields: Iterable[tuple[bytes, bytes]]) -> Headers:
    """The headers of a scope as text; any byte stands for one character."""
    return Headers(tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in fields))


def _target(scope: Scope) -> str:
    raw: bytes = scope.get("raw_path") or str(scope["path"]).encode()
    return raw.decode("latin-1")
