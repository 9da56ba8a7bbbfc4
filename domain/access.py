"""May this request be served? One total decision, made before any handler runs.

What holds, whatever a request says:

* a host that was not listed is never served, so a name that an attacker points here (DNS rebinding) is not;
* a page of an origin that was not listed is never served, whether its browser names the origin or only
  says that the request crosses sites;
* data needs the token, and a change needs it too, in a form that no page can send unasked;
* what is refused reaches no handler, and says so in the same words through every door.

Sources: the Fetch standard (CORS protocol, ``Origin``); W3C Fetch Metadata Request Headers; RFC 9110.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from loopx.domain.access_request import (
    AccessPolicy,
    AccessRequest,
    Allow,
    Fields,
    Options,
    Refuse,
    Resource,
    Verdict,
)
from loopx.domain.origins import Authority, Origin, read_authority, read_origin

MARKER: Final = "X-LoopX"
"""A header that no form and no simple request of a page carries."""
PREFLIGHT_SECONDS: Final = 600

_OWN_SITES: Final = frozenset({"none", "same-origin"})
_ALLOWED_HEADERS: Final = (
    "accept",
    "authorization",
    "content-type",
    "last-event-id",
    "traceparent",
    "x-loopx",
    "x-loopx-agent-id",
    "x-loopx-turn-id",
)
_EXPOSED_HEADERS: Final = "Location, Retry-After"

_Fault = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Case:
    """A request before the policy; the host is read once, since the origin is compared with it."""

    request: AccessRequest
    resource: Resource | None
    policy: AccessPolicy

    @property
    def host(self) -> Authority | None:
        return read_authority(self.request.hosts[0]) if len(self.request.hosts) == 1 else None

    @property
    def origin(self) -> Origin | None:
        return read_origin(self.request.origins[0]) if len(self.request.origins) == 1 else None

    @property
    def is_own_page(self) -> bool:
        """Whether the page came from this server; behind a socket no name says so."""
        host, origin = self.host, self.origin
        if host is None or origin is None or self.policy.any_host:
            return False
        return origin == Origin("http", host.host, host.port)

    @property
    def is_listed_page(self) -> bool:
        return self.origin in self.policy.origins


def decide(request: AccessRequest, resource: Resource | None, policy: AccessPolicy) -> Verdict:
    """Serve, answer for the handler, or refuse; ``resource`` is ``None`` where the path leads nowhere."""
    case = _Case(request, resource, policy)
    for name, question in CHECKS:
        fault = question(case)
        if fault is not None:
            code, reason = fault
            return Refuse(check=name, code=code, reason=reason, headers=_refusal_headers(case, code, name))
    sharing = _sharing(case)
    if request.is_preflight and resource is not None:
        return Options((*sharing, *_preflight_answer(resource)))
    if request.method == "OPTIONS" and resource is not None:
        return Options((*sharing, ("Allow", resource.listed_methods)))
    return Allow(sharing)


def _target(case: _Case) -> _Fault | None:
    target = case.request.target
    if target.startswith("/"):
        return None
    scheme, separator, rest = target.partition("://")
    authority = read_authority(rest.partition("/")[0])
    is_same = separator and scheme.lower() == "http" and authority is not None and authority == case.host
    return None if is_same else ("bad_request", "target")


def _host(case: _Case) -> _Fault | None:
    if case.host is None:
        return ("bad_request", "host")
    if case.policy.any_host or case.host in case.policy.hosts:
        return None
    return ("host_forbidden", "not_listed")


def _origin(case: _Case) -> _Fault | None:
    if not case.request.origins:
        return None
    if case.origin is None:
        return ("origin_forbidden", "unusable")
    return None if case.is_listed_page or case.is_own_page else ("origin_forbidden", "not_listed")


def _fetch_site(case: _Case) -> _Fault | None:
    """A browser that hides the origin still says whether the request crosses sites."""
    sites, modes = case.request.fetch_sites, case.request.fetch_modes
    if not sites and not modes:
        return None
    is_clear = len(sites) <= 1 and len(modes) <= 1
    # A request of a listed page that it may not read has no business here either.
    fits = set(modes) <= {"cors"} if case.is_listed_page else bool(sites) and sites[0] in _OWN_SITES
    return None if is_clear and fits else ("origin_forbidden", "cross_site")


def _preflight(case: _Case) -> _Fault | None:
    request = case.request
    if not request.is_preflight:
        return None
    wanted = {name.strip().lower() for names in request.wanted_headers for name in names.split(",")} - {""}
    fits = (
        case.resource is not None
        and len(request.wanted_methods) == 1
        and case.resource.knows(request.wanted_methods[0])
        and wanted <= set(_ALLOWED_HEADERS)
    )
    return None if fits else ("origin_forbidden", "preflight")


def _path(case: _Case) -> _Fault | None:
    return ("not_found", "path") if case.resource is None else None


def _method(case: _Case) -> _Fault | None:
    method = case.request.method
    known = method == "OPTIONS" or (case.resource is not None and case.resource.knows(method))
    return None if known else ("method_not_allowed", "method")


def _token(case: _Case) -> _Fault | None:
    is_open = case.resource is not None and case.resource.is_open and not case.request.is_change
    if is_open or case.request.method == "OPTIONS" or case.request.authorized:
        return None
    return ("unauthorized", "missing" if case.request.authorized is None else "wrong")


def _content_type(case: _Case) -> _Fault | None:
    request = case.request
    # Without a body there is nothing to misread: a DELETE needs no type.
    if not request.is_change or (request.method == "DELETE" and not request.has_body):
        return None
    fits = len(request.content_types) == 1 and _is_json(request.content_types[0])
    return None if fits else ("unsupported_media_type", "content_type")


def _marker(case: _Case) -> _Fault | None:
    is_marked = case.request.markers == ("1",)
    return None if is_marked or not case.request.is_change else ("bad_request", "marker")


CHECKS: Final[tuple[tuple[str, Callable[[_Case], _Fault | None]], ...]] = (
    ("target", _target),
    ("host", _host),
    ("origin", _origin),
    ("fetch_site", _fetch_site),
    ("preflight", _preflight),
    ("path", _path),
    ("method", _method),
    ("token", _token),
    ("content_type", _content_type),
    ("marker", _marker),
)
"""Every question in order; the first that is answered with no decides."""


def _is_json(content_type: str) -> bool:
    kind, _, parameters = content_type.partition(";")
    charset = parameters.strip().lower().replace('"', "")
    return kind.strip().lower() == "application/json" and charset in {"", "charset=utf-8"}


def _sharing(case: _Case) -> Fields:
    """What lets a listed page of another origin read the answer."""
    if case.origin is None or not case.is_listed_page:
        return ()
    return (
        ("Access-Control-Allow-Origin", str(case.origin)),
        ("Access-Control-Expose-Headers", _EXPOSED_HEADERS),
    )


def _preflight_answer(resource: Resource) -> Fields:
    return (
        ("Access-Control-Allow-Methods", resource.listed_methods),
        ("Access-Control-Allow-Headers", ", ".join(_ALLOWED_HEADERS)),
        ("Access-Control-Max-Age", str(PREFLIGHT_SECONDS)),
    )


def _refusal_headers(case: _Case, code: str, check: str) -> Fields:
    """A page that is let in may read why its request was not; a denied preflight shares nothing."""
    sharing = () if check in {"target", "host", "origin", "fetch_site", "preflight"} else _sharing(case)
    if code == "method_not_allowed" and case.resource is not None:
        return (*sharing, ("Allow", case.resource.listed_methods))
    if code == "unauthorized":
        return (*sharing, ("WWW-Authenticate", 'Bearer realm="loopx"'))
    return sharing
