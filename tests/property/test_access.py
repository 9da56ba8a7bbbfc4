"""The access decision is total, and lets nobody in whom the policy does not name."""

from hypothesis import given
from hypothesis import strategies as st

from fakes.access import CHANGE, DATA, LISTED, OPEN, POLICY, access, change
from loopx.domain.access import decide
from loopx.domain.access_request import AccessPolicy, AccessRequest, Allow, Options, Refuse, Resource
from loopx.domain.error_table import ERROR_TABLE
from loopx.domain.errors import LoopXError
from loopx.domain.origins import (
    Origin,
    check_allowed_origin,
    read_authority,
    read_origin,
)

OWN_HOSTS = {"127.0.0.1:8765", "localhost:8765", "[::1]:8765"}
PIECES = st.sampled_from(
    [
        "127.0.0.1", "localhost", "[::1]", "evil.test", "app.example", ":8765", ":80", ":443", ".", "..",
        "@", "/", "http://", "https://", "HTTP://", "null", "", " ", "\t", "\r\n", ",", "%00", "\x00", "é",
        "。", "[", "]", "::",
        "127.1", "0x7f.1", "xn--", "8765", "#", "?", "\\", "*", "2130706433", "localhost.",
    ]
)  # fmt: skip
NASTY = st.lists(PIECES, max_size=5).map("".join) | st.text(max_size=40)
HOSTS = st.sampled_from(sorted(OWN_HOSTS)) | NASTY
ORIGINS = st.sampled_from([LISTED, "https://evil.test", "http://127.0.0.1:8765", "null"]) | NASTY
SITES = st.sampled_from(["cross-site", "same-site", "same-origin", "none"]) | NASTY
MODES = st.sampled_from(["cors", "no-cors", "navigate", "same-origin", "websocket"]) | NASTY
METHODS = st.sampled_from(["GET", "HEAD", "OPTIONS", "POST", "DELETE", "PUT", "TRACE", "get"]) | NASTY


def few(values: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(values, max_size=2).map(tuple)


# A good request with some of it changed: one that is bad all over says little about any one check.
CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "method": METHODS,
        "target": st.just("http://127.0.0.1:8765/status") | NASTY,
        "hosts": few(HOSTS),
        "origins": few(ORIGINS),
        "fetch_sites": few(SITES),
        "fetch_modes": few(MODES),
        "content_types": few(st.just("application/json") | NASTY),
        "markers": few(st.just("1") | NASTY),
        "wanted_methods": few(METHODS),
        "wanted_headers": few(st.just("authorization, x-loopx") | NASTY),
        "has_body": st.booleans(),
        "authorized": st.none() | st.booleans(),
    },
)
REQUESTS = CHANGES.map(lambda given: access(**given)) | CHANGES.map(lambda given: change(**given))
RESOURCES = st.sampled_from(
    [None, OPEN, DATA, CHANGE, Resource(is_open=False, methods=frozenset({"GET", "DELETE"}))]
)
NO_ORIGINS = AccessPolicy(hosts=POLICY.hosts)


@given(REQUESTS, RESOURCES, st.sampled_from([POLICY, NO_ORIGINS, AccessPolicy(frozenset(), any_host=True)]))
def test_every_request_gets_a_verdict_of_the_table(
    request: AccessRequest, resource: Resource | None, policy: AccessPolicy
) -> None:
    verdict = decide(request, resource, policy)
    if isinstance(verdict, Refuse):
        assert (verdict.code, verdict.reason) in ERROR_TABLE
        assert 400 <= verdict.status < 500


@given(REQUESTS, RESOURCES)
def test_a_host_that_is_not_listed_is_never_served(request: AccessRequest, resource: Resource | None) -> None:
    if isinstance(decide(request, resource, POLICY), Allow | Options):
        (host,) = request.hosts
        authority = read_authority(host)
        assert authority in POLICY.hosts
        # By hand as well: the decision must not be right only by its own reading.
        assert host.lower().rpartition(":")[0] in {"127.0.0.1", "localhost"} or host.startswith("[")
        assert host.endswith(":8765")


@given(REQUESTS, RESOURCES)
def test_a_page_that_is_not_listed_is_never_served(request: AccessRequest, resource: Resource | None) -> None:
    if isinstance(decide(request, resource, POLICY), Allow | Options):
        assert request.origins in {(), (LISTED,), (f"http://{request.hosts[0].lower()}",)} or (
            read_origin(request.origins[0]) == Origin("http", "::1", 8765)
        )
        if request.origins != (LISTED,):
            assert set(request.fetch_sites) <= {"none", "same-origin"}


@given(REQUESTS, RESOURCES)
def test_nothing_is_shared_with_a_page_that_is_not_listed(
    request: AccessRequest, resource: Resource | None
) -> None:
    verdict = decide(request, resource, NO_ORIGINS)
    assert not any(name.startswith("Access-Control-Allow-Origin") for name, _ in verdict.headers)


@given(REQUESTS, RESOURCES)
def test_nothing_runs_without_the_token_but_what_is_open(
    request: AccessRequest, resource: Resource | None
) -> None:
    if isinstance(decide(request, resource, POLICY), Allow):
        assert resource is not None
        assert request.authorized or resource.is_open
        assert request.authorized or request.method in {"GET", "HEAD"}


@given(REQUESTS, RESOURCES)
def test_nothing_changes_without_json_and_the_marker(
    request: AccessRequest, resource: Resource | None
) -> None:
    verdict = decide(request, resource, POLICY)
    if isinstance(verdict, Allow) and request.method not in {"GET", "HEAD"}:
        assert request.markers == ("1",)
        assert request.authorized
        assert request.content_types or request.method == "DELETE"


@given(NASTY)
def test_reading_an_origin_is_total_and_exact(text: str) -> None:
    origin = read_origin(text)
    assert origin is None or str(origin) == text


@given(NASTY)
def test_an_origin_is_allowed_in_its_exact_spelling_or_refused_with_one_that_is(text: str) -> None:
    try:
        assert str(check_allowed_origin(text)) == text
    except LoopXError as error:
        _, told, corrected = error.hint.partition("Write it as ")
        assert not told or str(check_allowed_origin(corrected)) == corrected
