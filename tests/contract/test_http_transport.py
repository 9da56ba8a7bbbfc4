"""What every HttpTransport promises of one answer: over sockets and in memory."""

import gzip

import pytest

from fakes.borders import Border, answered, ask, failed
from fakes.outcomes import pair_of
from loopx.adapters.memory.transport import Reply
from loopx.domain.http.json_text import read_json
from loopx.domain.http.message import Headers, Limits

# Answers


def test_an_answer_comes_back_with_status_headers_body_and_address(border: Border) -> None:
    url = f"{border.origins.here}/thing?q=1"
    fields = (("Content-Type", "application/json"), ("X-Twice", "a"), ("X-Twice", "b"), ("X-Odd", "\xe9"))
    border.serve(url, Reply(headers=Headers(fields), content=b'{"a": [1, null]}'))
    response = answered(ask(border, url))
    assert response.status == 200
    assert response.url == url
    assert response.headers.get("content-type") == "application/json"
    assert response.headers.all("x-twice") == ("a", "b")
    assert response.headers.get("X-Odd") == "\xe9"
    assert read_json(response.content) == {"a": [1, None]}


def test_the_request_arrives_as_it_was_written(border: Border) -> None:
    url = f"{border.origins.here}/a%20b/%zz?x=[1]&y=;|"
    border.serve(url, Reply())
    headers = Headers((("Content-Type", "text/plain"), ("X-Mine", "1")))
    answered(ask(border, url, "POST", headers=headers, body=b"hello"))
    heard = border.heard[0]
    assert (heard.method, heard.target, heard.body) == ("POST", url, b"hello")
    assert heard.headers.get("X-Mine") == "1"
    assert heard.headers.get("Accept-Encoding") == "gzip"


@pytest.mark.parametrize(
    ("status", "reason", "retryable"),
    [
        (300, "redirect_not_followed", False),
        (302, "redirect_not_followed", False),
        (304, "redirect_not_followed", False),
        (400, "client_error", False),
        (401, "unauthorized", False),
        (403, "forbidden", False),
        (404, "not_found", False),
        (408, "request_timeout", True),
        (409, "conflict", False),
        (410, "gone", False),
        (418, "client_error", False),
        (422, "unprocessable", False),
        (425, "too_early", True),
        (429, "rate_limited", True),
        (451, "unavailable_for_legal_reasons", False),
        (500, "server_error", True),
        (501, "server_error", False),
        (503, "server_error", True),
        (600, "unexpected_status", False),
        (999, "unexpected_status", False),
    ],
)
def test_a_status_that_is_not_accepted_is_an_error_of_its_own(
    border: Border, status: int, reason: str, retryable: object
) -> None:
    url = f"{border.origins.here}/x"
    fields = (("X-GitHub-Request-Id", "ABC:1"), ("Content-Type", "application/json"))
    border.serve(url, Reply(status=status, headers=Headers(fields), content=b'{"message": "Because"}'))
    error = failed(ask(border, url))
    assert pair_of(error) == f"provider_http_error/{reason}"
    assert (error.status, error.retryable, error.sent.value) == (status, retryable, "yes")
    assert (error.method, error.url, error.request_id) == ("GET", url, "ABC:1")
    assert (error.agent_id, error.turn_id, error.attempts) == ("agent-7", "turn-3", 1)
    assert error.excerpt == (None if status == 304 else "Because")
    assert error.elapsed_ms is not None


def test_a_status_that_is_accepted_is_an_answer(border: Border) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply(status=404, content=b"none"))
    response = answered(ask(border, url, accept_status=frozenset({200, 404})))
    assert (response.status, response.content) == (404, b"none")


def test_a_success_that_is_not_accepted_is_an_error(border: Border) -> None:
    border.serve(f"{border.origins.here}/x", Reply(status=202))
    error = failed(ask(border, f"{border.origins.here}/x", accept_status=frozenset({200})))
    assert pair_of(error) == "provider_http_error/unexpected_status"


def test_a_rate_limit_says_how_long_to_wait(border: Border) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply(status=403, headers=Headers((("Retry-After", "17"),))))
    error = failed(ask(border, url))
    assert (error.reason, error.retry_after) == ("rate_limited", 17)


def test_of_a_page_only_that_it_is_one_is_told(border: Border) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply(status=502, content=b"<html><script>alert(1)</script></html>"))
    assert failed(ask(border, url)).excerpt == "(an HTML page)"


@pytest.mark.parametrize(("method", "status"), [("HEAD", 200), ("GET", 204), ("POST", 204)])
def test_an_answer_without_a_body_is_empty_whatever_it_claims(
    border: Border, method: str, status: int
) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply(status=status, headers=Headers((("Content-Encoding", "br"),)), content=b"body"))
    assert answered(ask(border, url, method)).content == b""


# Bodies


def test_gzip_is_undone(border: Border) -> None:
    url = f"{border.origins.here}/x"
    packed = gzip.compress(b"first ") + gzip.compress(b"second")
    border.serve(url, Reply(headers=Headers((("Content-Encoding", "gzip"),)), content=packed))
    assert answered(ask(border, url)).content == b"first second"


def test_an_explanation_in_gzip_is_undone(border: Border) -> None:
    url = f"{border.origins.here}/x"
    packed = gzip.compress(b'{"message": "Because"}')
    border.serve(url, Reply(status=422, headers=Headers((("Content-Encoding", "gzip"),)), content=packed))
    assert failed(ask(border, url)).excerpt == "Because"


@pytest.mark.parametrize(
    ("coding", "content"),
    [
        ("gzip", gzip.compress(b"text", mtime=0)[:-1]),
        ("gzip", b"text"),
        ("br", b"text"),
        ("gzip, gzip", b"text"),
    ],
)
def test_a_body_that_cannot_be_unpacked_is_an_error(border: Border, coding: str, content: bytes) -> None:
    url = f"{border.origins.here}/x"
    border.serve(url, Reply(headers=Headers((("Content-Encoding", coding),)), content=content))
    error = failed(ask(border, url))
    assert pair_of(error) == "provider_response_invalid/encoding"
    assert (error.method, error.url, error.agent_id) == ("GET", url, "agent-7")


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(wire=1000), "wire"),
        (Limits(decoded=99_999), "decoded"),
        (Limits(ratio=10, ratio_from=50_000), "ratio"),
    ],
)
def test_a_body_beyond_a_limit_is_an_error(border: Border, limits: Limits, reason: str) -> None:
    url = f"{border.origins.here}/x"
    packed = gzip.compress(b"x" * 100_000) + gzip.compress(b"", 0) * 60
    assert 1000 < len(packed) < 5000
    border.serve(url, Reply(headers=Headers((("Content-Encoding", "gzip"),)), content=packed))
    assert pair_of(ask(border, url, limits=limits)) == f"provider_response_too_large/{reason}"
    assert len(answered(ask(border, url, limits=Limits(wire=5000, decoded=100_000))).content) == 100_000


# Targets


@pytest.mark.parametrize(
    ("url", "pair"),
    [
        ("http://api.example/", "egress_blocked/scheme"),
        ("ftp://api.example/", "egress_blocked/scheme"),
        ("https://user:hidden-word@api.example/", "request_invalid/url"),
        ("https://127.1/", "request_invalid/host"),
        ("https://api.example:99999/", "request_invalid/port"),
        ("nonsense", "request_invalid/url"),
    ],
)
def test_an_address_that_is_not_called_is_refused_with_all_facts(border: Border, url: str, pair: str) -> None:
    error = failed(ask(border, url))
    assert pair_of(error) == pair
    assert (error.method, error.agent_id, error.sent.value) == ("GET", "agent-7", "no")
    assert error.url is not None
    assert "hidden-word" not in str(error.to_dict())
    assert border.heard == []


def test_a_public_host_is_called_over_tls(border: Border) -> None:
    border.serve(f"{border.origins.public}/x", Reply(content=b"ok"))
    assert answered(ask(border, f"{border.origins.public}/x")).content == b"ok"


def test_a_port_where_nobody_listens_is_a_network_error(border: Border) -> None:
    error = failed(ask(border, f"{border.origins.nobody}/x"))
    assert pair_of(error) == "provider_network_error/connect_refused"
    assert (error.retryable, error.method, error.url) == (True, "GET", f"{border.origins.nobody}/x")
