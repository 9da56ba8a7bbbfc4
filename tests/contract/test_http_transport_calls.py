"""What every HttpTransport promises of a whole call: redirects, who asks, credentials, time."""

import re
from time import monotonic

import pytest

from fakes.borders import TRACE, Border, answered, ask, failed
from fakes.outcomes import pair_of
from loopx.adapters.memory.transport import Reply
from loopx.domain.context import CallContext
from loopx.domain.http.message import Headers, Limits

TOKEN = "ghx-0123456789-token"
REAL_TIMEOUT = 0.3


def to(location: str, status: int = 302) -> Reply:
    return Reply(status=status, headers=Headers((("Location", location),)), content=b"moved")


# Redirects


def test_a_redirect_on_the_same_origin_keeps_the_callers_headers(border: Border) -> None:
    here = border.origins.here
    border.serve(f"{here}/old", to("/new?x"))
    border.serve(f"{here}/new?x", Reply(content=b"found"))
    response = answered(ask(border, f"{here}/old", headers=Headers((("X-Api-Key", "abc"),))))
    assert (response.content, response.url) == (b"found", f"{here}/new?x")
    assert border.heard[1].headers.get("X-Api-Key") == "abc"


def test_a_redirect_to_another_origin_carries_only_what_can_hold_no_secret(border: Border) -> None:
    here, there = border.origins.here, border.origins.there
    border.serve(f"{here}/old", to(f"{there}/new"))
    border.serve(f"{there}/new", Reply(content=b"found"))
    headers = Headers((("X-Api-Key", "abc"), ("Authorization", "Bearer mine"), ("Accept", "text/plain")))
    answered(ask(border, f"{here}/old", headers=headers))
    first, second = border.heard
    assert first.headers.get("Authorization") == "Bearer mine"
    assert second.headers.get("Accept") == "text/plain"
    assert second.headers.get("X-Api-Key") is None
    assert second.headers.get("Authorization") is None


def test_a_post_becomes_a_get_where_browsers_make_it_one(border: Border) -> None:
    here, there = border.origins.here, border.origins.there
    border.serve(f"{here}/old", to(f"{there}/new", 303))
    border.serve(f"{there}/new", Reply())
    answered(ask(border, f"{here}/old", "POST", body=b"secret body"))
    assert [(h.method, h.body) for h in border.heard] == [("POST", b"secret body"), ("GET", b"")]


def test_a_post_is_sent_again_on_its_own_origin(border: Border) -> None:
    here = border.origins.here
    border.serve(f"{here}/old", to("/new", 307))
    border.serve(f"{here}/new", Reply())
    answered(ask(border, f"{here}/old", "POST", body=b"again"))
    assert [(h.method, h.body) for h in border.heard] == [("POST", b"again")] * 2


@pytest.mark.parametrize(
    ("location", "method", "status", "pair"),
    [
        ("{there}/new", "POST", 307, "provider_redirect_error/cross_origin_denied"),
        ("{there}/new", "DELETE", 302, "provider_redirect_error/cross_origin_denied"),
        ("javascript:alert(1)", "GET", 302, "provider_redirect_error/bad_location"),
        ("http://127.0.0.1:99999/", "GET", 302, "provider_redirect_error/bad_location"),
        ("https://127.1/", "GET", 302, "provider_redirect_error/bad_location"),
        ("https://..invalid/", "GET", 302, "provider_redirect_error/bad_location"),
        ("https://me:hidden-word@api.example/", "GET", 302, "provider_redirect_error/bad_location"),
        ("http://api.example/", "GET", 302, "egress_blocked/redirect_target"),
        ("ftp://api.example/x", "GET", 302, "egress_blocked/redirect_target"),
        ("/old", "GET", 302, "provider_redirect_error/loop"),
    ],
)
def test_a_redirect_that_is_not_followed_says_why(
    border: Border, location: str, method: str, status: int, pair: str
) -> None:
    url = f"{border.origins.here}/old"
    border.serve(url, to(location.format(there=border.origins.there), status))
    error = failed(ask(border, url, method, body=b"x" if method == "POST" else b""))
    assert pair_of(error) == pair
    assert (error.status, error.url, error.method) == (status, url, method)
    assert "hidden-word" not in str(error.to_dict())
    assert len(border.heard) == 1


@pytest.mark.parametrize(
    ("location", "pair"),
    [
        ("http://{public}/x", "provider_redirect_error/downgrade"),
        ("https://127.0.0.1/x", "egress_blocked/redirect_target"),
        ("https://169.254.169.254/latest", "egress_blocked/redirect_target"),
        ("https://[::ffff:10.0.0.1]/x", "egress_blocked/redirect_target"),
        ("https://localhost/x", "egress_blocked/redirect_target"),
        ("{here}/x", "provider_redirect_error/downgrade"),
    ],
)
def test_no_redirect_leads_from_a_public_host_to_plain_http_or_inside(
    border: Border, location: str, pair: str
) -> None:
    url = f"{border.origins.public}/x"
    public = border.origins.public.removeprefix("https://")
    border.serve(url, to(location.format(public=public, here=border.origins.here)))
    assert pair_of(ask(border, url)) == pair
    assert len(border.heard) == 1


def test_redirects_without_end_are_ended(border: Border) -> None:
    here = border.origins.here
    for number in range(10):
        border.serve(f"{here}/{number}", to(f"/{number + 1}"))
    error = failed(ask(border, f"{here}/0"))
    assert pair_of(error) == "provider_redirect_error/too_many"
    assert len(border.heard) == Limits().redirects + 1


def test_a_redirect_that_the_caller_accepts_is_an_answer(border: Border) -> None:
    url = f"{border.origins.here}/old"
    border.serve(url, to("/new"))
    response = answered(ask(border, url, accept_status=frozenset({302})))
    assert (response.status, response.headers.get("Location")) == (302, "/new")


# Who asks


def test_every_hop_says_who_makes_it_in_a_span_of_its_own(border: Border) -> None:
    here, there = border.origins.here, border.origins.there
    border.serve(f"{here}/old", to(f"{there}/new"))
    border.serve(f"{there}/new", Reply())
    answered(ask(border, f"{here}/old"))
    spans = set()
    for heard in border.heard:
        assert heard.headers.get("X-LoopX-Agent-Id") == "agent-7"
        assert heard.headers.get("X-LoopX-Turn-Id") == "turn-3"
        assert heard.headers.get("User-Agent") == "loopx"
        match = re.fullmatch(
            rf"00-{TRACE.trace_id}-([0-9a-f]{{16}})-01", heard.headers.get("traceparent") or ""
        )
        assert match is not None
        spans.add(match[1])
    assert len(spans) == 2
    assert TRACE.span_id not in spans


def test_a_call_without_agent_and_turn_names_none(border: Border) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply())
    answered(ask(border, url, context=CallContext(trace=TRACE)))
    assert border.heard[0].headers.get("X-LoopX-Agent-Id") is None
    assert border.heard[0].headers.get("X-LoopX-Turn-Id") is None


@pytest.mark.parametrize(
    "name", ["traceparent", "X-LoopX-Agent-Id", "x-loopx-turn-id", "Host", "Transfer-Encoding", "Cookie"]
)
def test_no_caller_can_forge_what_the_transport_sets(border: Border, name: str) -> None:
    url = f"{border.origins.here}/x"
    error = failed(ask(border, url, headers=Headers(((name, "forged"),))))
    assert pair_of(error) == "request_invalid/header"
    assert (error.url, error.agent_id) == (url, "agent-7")
    assert border.heard == []


# Credentials


def test_a_credential_goes_to_its_host_and_nowhere_else(border: Border) -> None:
    here, there = border.origins.here, border.origins.there
    border.hold({here.removeprefix("http://"): TOKEN})
    border.serve(f"{here}/old", to(f"{there}/new"))
    border.serve(f"{there}/new", to(f"{here}/back"))
    border.serve(f"{here}/back", Reply())
    answered(ask(border, f"{here}/old"))
    assert [heard.headers.get("Authorization") for heard in border.heard] == [
        f"Bearer {TOKEN}",
        None,
        f"Bearer {TOKEN}",
    ]


def test_a_caller_cannot_replace_the_credential_of_a_host(border: Border) -> None:
    here = border.origins.here
    border.hold({here.removeprefix("http://"): TOKEN})
    error = failed(ask(border, f"{here}/x", headers=Headers((("Authorization", "Bearer other-words"),))))
    assert pair_of(error) == "request_invalid/header"
    assert "other-words" not in str(error.to_dict())
    assert border.heard == []


def test_an_authorization_of_the_callers_own_goes_to_a_host_without_a_credential(border: Border) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply())
    answered(ask(border, url, headers=Headers((("Authorization", "Basic bWU6c2VjcmV0"),))))
    assert border.heard[0].headers.get("Authorization") == "Basic bWU6c2VjcmV0"


@pytest.mark.parametrize("echo", ["{}", '{{"message": "token {} is not valid"}}', "Bearer {}"])
def test_no_error_shows_a_secret_that_the_server_says_back(border: Border, echo: str) -> None:
    here = border.origins.here
    border.hold({here.removeprefix("http://"): TOKEN})
    url = f"{here}/x?access_token=query-secret-1"
    said = echo.format(f"{TOKEN} query-secret-1 header-secret-2 basic-secret-3")
    headers = Headers((("X-Request-Id", TOKEN), ("Location", f"https://x/{TOKEN}")))
    border.serve(url, Reply(status=500, headers=headers, content=said.encode()))
    mine = Headers((("X-Api-Key", "header-secret-2"), ("X-Auth", "Basic bWU6YmFzaWMtc2VjcmV0LTM=")))
    error = failed(ask(border, url, headers=mine))
    shown = f"{error} {error!r} {error.to_dict()}"
    for secret in (TOKEN, "query-secret-1", "header-secret-2", "basic-secret-3"):
        assert secret not in shown
    assert "***" in (error.excerpt or "")


# Time


def test_an_answer_that_does_not_come_in_time_is_a_deadline(border: Border) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply(after=60))
    started = monotonic()
    error = failed(ask(border, url, timeout=REAL_TIMEOUT))
    assert pair_of(error) == "deadline_exceeded/call"
    assert error.elapsed_ms is not None
    assert error.elapsed_ms >= REAL_TIMEOUT * 1000 - 20
    assert (error.method, error.url, error.agent_id) == ("GET", url, "agent-7")
    assert monotonic() - started < 5


def test_a_run_that_ends_first_ends_the_call(border: Border) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply(after=60))
    assert pair_of(ask(border, url, context=border.spend(REAL_TIMEOUT))) == "deadline_exceeded/run"


def test_a_run_that_is_over_sends_nothing(border: Border) -> None:
    error = failed(ask(border, f"{border.origins.here}/x", context=border.spend(-1)))
    assert pair_of(error) == "deadline_exceeded/run"
    assert error.sent.value == "no"
    assert border.heard == []


def test_one_deadline_covers_all_hops(border: Border) -> None:
    here = border.origins.here
    border.serve(f"{here}/old", to("/new"))
    border.serve(f"{here}/new", Reply(after=60))
    error = failed(ask(border, f"{here}/old", timeout=REAL_TIMEOUT))
    assert pair_of(error) == "deadline_exceeded/call"
    assert len(border.heard) == 2
