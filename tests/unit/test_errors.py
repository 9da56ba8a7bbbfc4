"""The one error: how it reads, and that it travels whole."""

import copy
import json
import pickle

import pytest

from loopx.domain.error_table import Sent
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.http.message import HttpRequest
from loopx.domain.http.outcome import Circumstances, locate
from loopx.domain.redaction import Redactor

CALL = CallFacts(
    method="GET",
    url="https://api.example/x?q=***",
    status=503,
    retry_after=1.5,
    attempts=2,
    request_id="ABC",
    elapsed_ms=10,
    agent_id="a",
    turn_id="t",
    excerpt="down",
)


def test_it_says_what_happened_where_and_with_which_status() -> None:
    error = LoopXError("provider_http_error", "server_error", call=CALL)
    expected = (
        "provider_http_error/server_error: the server failed (HTTP 503) [GET https://api.example/x?q=***]"
    )
    assert str(error) == expected
    assert repr(error) == f"LoopXError({expected!r})"


def test_the_detail_follows_what_happened() -> None:
    error = LoopXError("config_invalid", "value", detail="timeout is a word")
    assert error.what == "a setting has a value that cannot be used: timeout is a word"


def test_every_fact_of_the_call_is_an_attribute() -> None:
    error = LoopXError("provider_http_error", "server_error", call=CALL)
    facts = (error.method, error.url, error.status, error.retry_after, error.attempts)
    assert facts == ("GET", CALL.url, 503, 1.5, 2)
    more = (error.request_id, error.elapsed_ms, error.agent_id, error.turn_id, error.excerpt)
    assert more == ("ABC", 10, "a", "t", "down")


def test_what_is_known_better_goes_before_the_table() -> None:
    error = LoopXError(
        "provider_http_error", "server_error", retryable=False, sent=Sent.NO, hint="Do that.", detail="x"
    )
    copied = error.with_call(CALL)
    assert (copied.retryable, copied.sent, copied.hint, copied.detail) == (False, Sent.NO, "Do that.", "x")
    assert copied.with_hint("Rather this.").hint == "Rather this."
    assert copied.with_hint("Rather this.").call == CALL


def test_it_survives_json_pickle_and_copy() -> None:
    error = LoopXError("provider_http_error", "server_error", detail="x", sent=Sent.MAYBE, call=CALL)
    copies = [
        LoopXError.from_dict(json.loads(json.dumps(error.to_dict()))),
        pickle.loads(pickle.dumps(error)),  # noqa: S301 - our own bytes
        copy.deepcopy(error),
    ]
    assert [copied.to_dict() for copied in copies] == [error.to_dict()] * 3


def test_a_pair_that_is_not_in_the_table_is_no_error_of_loopx() -> None:
    with pytest.raises(KeyError):
        LoopXError("provider_http_error", "no_such_reason")


def test_missing_facts_are_filled_in_and_known_ones_kept() -> None:
    request = HttpRequest(method="PUT", url="https://me:pass-word@api.example/y?token=abc")
    circumstances = Circumstances(method=request.method, url=request.url, now=0, elapsed=0.5, agent_id="b")
    bare = locate(LoopXError("request_invalid", "header"), circumstances, Redactor())
    assert (bare.method, bare.url) == ("PUT", "https://***@api.example/y?token=***")
    assert (bare.elapsed_ms, bare.agent_id, bare.turn_id) == (500, "b", None)
    known = locate(LoopXError("provider_http_error", "gone", call=CALL), circumstances, Redactor())
    assert (known.method, known.url, known.agent_id, known.status) == ("GET", CALL.url, "a", 503)
    assert known.elapsed_ms == 500
