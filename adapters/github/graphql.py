"""Ask GitHub's GraphQL API one question."""

import json
from dataclasses import dataclass, field, replace
from typing import Final, cast

from loopx.adapters.github.queries import ACCEPT
from loopx.application.ports.clock import Clock
from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.context import CallContext
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.http.graphql import GraphQLFault
from loopx.domain.http.json_text import read_json
from loopx.domain.http.message import Headers, HttpRequest, HttpResponse, Semantics
from loopx.domain.http.retry_after import retry_after
from loopx.domain.redaction import Redactor

_HEADERS: Final = Headers((("Accept", ACCEPT), ("Content-Type", "application/json")))

Node = dict[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """The data that came, and what the server says is wrong with it."""

    data: Node
    call: CallFacts
    faults: tuple[GraphQLFault, ...] = field(default=())

    def failure(self, reason: str | None = None) -> LoopXError:
        """The error for data that is missing: of the first fault, or of the given reason."""
        first = next(iter(self.faults), None)
        found = first.reason if first else None
        return fault_error(reason or found or "not_found", first, self.call)


def fault_error(reason: str, fault: GraphQLFault | None, call: CallFacts) -> LoopXError:
    """Name a fault; the server's own words become the excerpt."""
    excerpt = Redactor().excerpt(fault.message) if fault and fault.message else None
    # Only a limit says when to come back; on other failures the header means nothing.
    wait = call.retry_after if reason == "rate_limited" else None
    return LoopXError("provider_graphql_error", reason, call=replace(call, excerpt=excerpt, retry_after=wait))


class GraphQLClient:
    """Sends queries, which are safe to repeat although they are POSTs."""

    def __init__(self, *, transport: HttpTransport, clock: Clock) -> None:
        self._transport = transport
        self._clock = clock

    async def ask(self, url: str, document: str, variables: Node, context: CallContext) -> Answer:
        """Run one query; partial data comes with its faults.

        Raises:
            LoopXError: whatever the transport raises; ``provider_response_invalid`` when the
                answer is no GraphQL answer; ``provider_graphql_error`` when it holds no data.
        """
        body = json.dumps({"query": document, "variables": variables}).encode()
        request = HttpRequest(
            method="POST",
            url=url,
            headers=_HEADERS,
            body=body,
            timeout=context.timeout,
            semantics=Semantics.SAFE,
        )
        response = await self._transport.send(request, context)
        return _read_answer(response, _call_facts(response, context, self._clock.now()))


def _left_out_by_sso(response: HttpResponse) -> tuple[GraphQLFault, ...]:
    """GitHub answers without an error where single sign-on hides a part; only this header tells."""
    partial = (response.headers.get("X-GitHub-SSO") or "").strip().lower().startswith("partial-results")
    message = "partial results: single sign-on hides the data of some organizations"
    return (GraphQLFault(type="FORBIDDEN", saml=True, message=message),) if partial else ()


def _call_facts(response: HttpResponse, context: CallContext, now: float) -> CallFacts:
    request_id = response.headers.get("X-GitHub-Request-Id")
    return CallFacts(
        method="POST",
        url=Redactor().url(response.url),
        status=response.status,
        retry_after=retry_after(response.headers, now),
        attempts=1,
        request_id=Redactor().excerpt(request_id, 100) if request_id else None,
        agent_id=context.agent_id,
        turn_id=context.turn_id,
    )


def _read_answer(response: HttpResponse, call: CallFacts) -> Answer:
    if "html" in (response.headers.get("Content-Type") or "").lower():
        raise LoopXError("provider_response_invalid", "content_type", detail="it is a page", call=call)
    try:
        document = read_json(response.content)
    except LoopXError as error:
        raise error.with_call(call) from None
    if not isinstance(document, dict):
        raise LoopXError("provider_response_invalid", "schema", detail="it is no object", call=call)
    fields = cast("Node", document)
    listed = fields.get("errors")
    entries = cast("list[object]", listed) if isinstance(listed, list) else []
    faults = (*(GraphQLFault.read(entry) for entry in entries), *_left_out_by_sso(response))
    data = fields.get("data")
    if isinstance(data, dict):
        return Answer(cast("Node", data), call, faults)
    if not faults:
        raise LoopXError("provider_response_invalid", "schema", detail="it holds no data", call=call)
    raise Answer({}, call, faults).failure()
