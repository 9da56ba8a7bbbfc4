"""The access decision is total, and lets nobody in whom the policy does not name."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fakes.access import CHANGE, DATA, HOST, LISTED, OPEN, POLICY, access, change
from loopx.domain.access import decide
from loopx.domain.access_request import AccessPolicy, AccessRequest, Allow, Options, Refuse, Resource
from loopx.domain.error_table import ERROR_TABLE
from loopx.domain.errors import LoopXError
from loopx.domain.origins import (
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
LIKELY_HOSTS = st.builds(
    "{}{}".format,
    st.sampled_from(
        ["127.0.0.1", "localhost", "[::1]", "LOCALHOST", "localhost.", "evil.test", "127.1", "[::2]"]
    ),
    st.sampled_from(["", ":8765", ":80", ":8766", ":08765", ":"]),
)
HOSTS = st.sampled_from(sorted(OWN_HOSTS)) | LIKELY_HOSTS | NASTY
LIKELY_ORIGINS = st.builds(
    "{}{}{}".format,
    st.sampled_from(["http://", "https://", "HTTPS://", ""]),
    st.sampled_from(["app.example", "evil.app.example", "app.example.evil.test", "127.0.0.1", "localhost"]),
    st.sampled_from(["", ":8765", ":443", ":80", ":1", "/", ".", "#", " "]),
)
ORIGINS = (
    st.sampled_from([LISTED, "https://evil.test", "http://127.0.0.1:8765", "null"]) | LIKELY_ORIGINS | NASTY
)
SITES = st.sampled_from(["cross-site", "same-site", "same-origin", "none"]) | NASTY
MODES = st.sampled_from(["cors", "no-cors", "navigate", "same-origin", "websocket"]) | NASTY
METHODS = st.sampled_from(["GET", "HEAD", "OPTIONS", "POST", "DELETE", "PUT", "TRACE", "get"]) | NASTY


def few(values: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(values, max_size=2).map(tuple)


FIELDS: dict[str, st.SearchStrategy[Any]] = {
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
}
RESOURCES = st.sampled_from(
    [None, OPEN, DATA, CHANGE, Resource(is_open=False, methods=frozenset({"GET", "DELETE"}))]
)


def requests(*names: str) -> st.SearchStrategy[tuple[AccessRequest, Resource]]:
    """A good request and what it is for, with some fields changed: one that is bad all over says little."""
    changes = st.fixed_dictionaries({}, optional={name: FIELDS[name] for name in names})
    reading = st.tuples(changes.map(lambda given: access(**given)), st.just(DATA))
    return reading | st.tuples(changes.map(lambda given: change(**given)), st.just(CHANGE))


ANY = st.tuples(
    st.fixed_dictionaries({}, optional=FIELDS).map(lambda given: access(**given)), RESOURCES
) | requests(*FIELDS)
NO_ORIGINS = AccessPolicy(hosts=POLICY.hosts)


@given(ANY, st.sampled_from([POLICY, NO_ORIGINS, AccessPolicy(frozenset(), any_host=True)]))
def test_every_request_gets_a_verdict_of_the_table(
    asked: tuple[AccessRequest, Resource | None], policy: AccessPolicy
) -> None:
    verdict = decide(*asked, policy)
    if isinstance(verdict, Refuse):
        assert (verdict.code, verdict.reason) in ERROR_TABLE
        assert 400 <= verdict.status < 500


@given(requests("hosts", "method"))
def test_a_host_that_is_not_listed_is_never_served(asked: tuple[AccessRequest, Resource]) -> None:
    request, _ = asked
    if isinstance(decide(*asked, POLICY), Allow | Options):
        (host,) = request.hosts
        assert read_authority(host) in POLICY.hosts
        # By hand as well: the decision must not be right only by its own reading.
        assert host.lower().rpartition(":")[0] in {"127.0.0.1", "localhost"} or host.startswith("[")
        assert host.endswith(":8765")


@given(requests("origins", "fetch_sites", "fetch_modes"))
def test_a_page_that_is_not_listed_is_never_served(asked: tuple[AccessRequest, Resource]) -> None:
    request, _ = asked
    if isinstance(decide(*asked, POLICY), Allow | Options):
        assert request.origins in {(), (LISTED,), (f"http://{HOST}",)}
        if request.origins != (LISTED,):
            assert set(request.fetch_sites) <= {"none", "same-origin"}


@given(
    st.sampled_from(["http", "https"]),
    st.sampled_from(["127.0.0.1", "localhost", "[::1]", "app.example"]),
    st.integers(1, 65_535) | st.just(8765) | st.just(443),
)
def test_a_page_of_another_port_or_scheme_is_another_page(scheme: str, host: str, port: int) -> None:
    origin = f"{scheme}://{host}:{port}"
    own = origin in {f"http://{HOST}", f"{LISTED}:443"}
    verdict = decide(access(origins=(origin.removesuffix(":443"),)), DATA, POLICY)
    assert isinstance(verdict, Allow) == own


@given(requests("origins", "method", "wanted_methods", "wanted_headers"))
def test_nothing_is_shared_with_a_page_that_is_not_listed(asked: tuple[AccessRequest, Resource]) -> None:
    for policy in (POLICY, NO_ORIGINS):
        verdict = decide(*asked, policy)
        shared = [value for name, value in verdict.headers if name.startswith("Access-Control-Allow-Origin")]
        assert shared in ([], [LISTED])
        assert policy is POLICY or not shared


@given(ANY)
def test_nothing_runs_without_the_token_but_what_is_open(
    asked: tuple[AccessRequest, Resource | None],
) -> None:
    request, resource = asked
    if isinstance(decide(*asked, POLICY), Allow):
        assert resource is not None
        assert request.authorized or resource.is_open
        assert request.authorized or request.method in {"GET", "HEAD"}


@given(requests("authorized", "markers", "content_types", "method", "has_body"))
def test_nothing_changes_without_the_token_json_and_the_marker(asked: tuple[AccessRequest, Resource]) -> None:
    request, _ = asked
    if isinstance(decide(*asked, POLICY), Allow) and request.method not in {"GET", "HEAD"}:
        assert request.markers == ("1",)
        assert request.authorized
        assert len(request.content_types) == 1
        assert request.content_types[0].lower().startswith("application/json")


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
