"""Frames of the pipes to an extension: what is written is read, and nothing else is believed."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.outcomes import outcome_of, pair_of
from loopx.domain.errors import CallFacts, LoopXError
from loopx.domain.extensions.framing import PREFIX, Frame, read_head, read_prefix, write_frame
from loopx.domain.extensions.limits import DEFAULT_HOST_LIMITS, HostLimits
from loopx.domain.extensions.protocol import Loaded, Unhandled, answer_frame, read_said, start_frame
from loopx.domain.extensions.session import Ask, Done, Emit, Failed, Note, Reply, Step
from loopx.domain.http.message import SUCCESS, Headers

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=10,
)
heads = st.dictionaries(texts, values, max_size=5)
SOUND: dict[str, tuple[dict[str, Any], bytes, Step | Loaded | Unhandled]] = {
    "loaded": ({"say": "loaded"}, b"", Loaded()),
    "unhandled": ({"say": "unhandled"}, b"", Unhandled()),
    "done": ({"say": "done"}, b"", Done()),
    "note": ({"say": "note", "text": "x"}, b"", Note("x")),
    "emit": ({"say": "emit", "data": {"a": [1, None]}}, b"", Emit({"a": [1, None]})),
    "ask": (
        {
            "say": "ask",
            "method": "GET",
            "url": "https://a.example/",
            "headers": [["Accept", "text/plain"]],
            "accept_status": [404, 404],
            "credential": "slot",
            "timeout": 1.5,
        },
        b"body",
        Ask(
            method="GET",
            url="https://a.example/",
            headers=Headers((("Accept", "text/plain"),)),
            body=b"body",
            accept_status=SUCCESS | {404},
            credential="slot",
            timeout=1.5,
        ),
    ),
}
each_word = pytest.mark.parametrize("word", SOUND)


def refusal(frame: Frame) -> LoopXError:
    with pytest.raises(LoopXError) as caught:
        read_said(frame)
    return caught.value


@given(heads, st.binary(max_size=200))
def test_a_frame_is_read_as_it_was_written(head: dict[str, Any], body: bytes) -> None:
    content = write_frame(Frame(head, body))
    head_size, body_size = read_prefix(content[:PREFIX], DEFAULT_HOST_LIMITS)
    assert PREFIX + head_size + body_size == len(content)
    assert read_head(content[PREFIX : PREFIX + head_size]) == head
    assert content[PREFIX + head_size :] == body


@given(st.binary(min_size=PREFIX, max_size=PREFIX))
def test_no_prefix_announces_more_than_is_allowed(prefix: bytes) -> None:
    sizes = outcome_of(lambda: read_prefix(prefix, HostLimits(head=1000, body=2000)))
    if isinstance(sizes, LoopXError):
        assert pair_of(sizes) == "extension_error/output_too_large"
    else:
        assert sizes[0] <= 1000
        assert sizes[1] <= 2000


@given(st.binary(max_size=100) | values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_an_object_or_refused(content: bytes) -> None:
    head = outcome_of(lambda: read_head(content))
    if isinstance(head, LoopXError):
        assert pair_of(head) == "extension_error/protocol"
    else:
        assert json.loads(content.decode().removeprefix("\ufeff")) == head


@each_word
def test_every_word_is_understood(word: str) -> None:
    head, body, step = SOUND[word]
    assert read_said(Frame(head, body)) == step


@each_word
@given(st.data())
def test_a_part_too_many_or_missing_is_refused(word: str, data: st.DataObject) -> None:
    head, body, _ = SOUND[word]
    key = data.draw(st.sampled_from(sorted(head)))
    assert refusal(Frame({k: v for k, v in head.items() if k != key}, body)).reason == "protocol"
    assert refusal(Frame(head | {"more": 1}, body)).reason == "protocol"
    assert refusal(Frame(head | {"say": word + "!"}, body)).reason == "protocol"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("method", 1),
        ("url", None),
        ("headers", {}),
        ("headers", [["a"]]),
        ("headers", [["a", 1]]),
        ("headers", [["a", "b"]] * 101),
        ("accept_status", [99]),
        ("accept_status", [600]),
        ("accept_status", [True]),
        ("accept_status", ["200"]),
        ("credential", 5),
        ("timeout", "5"),
        ("timeout", True),
    ],
)
def test_a_request_of_another_shape_is_refused(key: str, value: object) -> None:
    head, body, _ = SOUND["ask"]
    assert refusal(Frame(head | {key: value}, body)).reason == "protocol"


@pytest.mark.parametrize("word", [word for word in SOUND if word != "ask"])
def test_only_a_request_comes_with_bytes(word: str) -> None:
    assert refusal(Frame(SOUND[word][0], b"x")).reason == "protocol"


@given(heads, st.binary(max_size=3))
def test_whatever_is_said_becomes_a_step_or_a_coded_error(head: dict[str, Any], body: bytes) -> None:
    for word in (*SOUND, "broken"):
        said = outcome_of(partial(read_said, Frame(head | {"say": word}, body)))
        if isinstance(said, LoopXError):
            assert said.code == "extension_error"
            assert str(said).isascii()


@given(texts, texts, texts)
def test_an_error_quotes_no_words_of_the_extension(kind: str, place: str, message: str) -> None:
    said = {"say": "broken", "reason": "raised", "kind": kind, "place": place, "message": f"<{message}>"}
    error = refusal(Frame(said))
    assert error.reason == "raised"
    assert str(error).isascii()
    assert f"<{message}>" not in str(error)
    assert error.__notes__ == [f"The extension says: <{message}>"]


@pytest.mark.parametrize("kind", ["no_dict", "missing", "no_generator", "unknown", "else"])
def test_a_broken_entry_is_told_in_words_of_our_own(kind: str) -> None:
    said = {"say": "broken", "reason": "entry", "kind": kind, "place": "sample.one", "message": ""}
    error = refusal(Frame(said))
    assert error.reason == "entry"
    assert error.detail.startswith("sample.one: ")
    assert kind not in error.detail


def test_an_answer_goes_over_without_cookies() -> None:
    headers = Headers((("Content-Type", "a/b"), ("SET-COOKIE", "c"), ("Set-Cookie2", "d")))
    frame = answer_frame(Reply(status=201, headers=headers, body=b"x", url="https://a.example/"))
    assert frame.head["headers"] == [["content-type", "a/b"]]
    assert frame.body == b"x"


def test_a_failure_goes_over_without_its_call() -> None:
    call = CallFacts(url="https://a.example/?key=***", status=503, excerpt="busy", retry_after=3.0)
    frame = answer_frame(Failed(LoopXError("provider_http_error", "server_error", call=call)))
    assert frame.head["status"] == 503
    assert frame.head["retry_after"] == 3.0
    assert "busy" not in repr(frame.head)
    assert "a.example" not in repr(frame.head)


def test_several_values_of_a_parameter_go_over_as_a_list() -> None:
    content = write_frame(start_frame("a.b", {"words": ("x", "y"), "n": None}))
    assert json.loads(content[PREFIX:]) == {
        "say": "start",
        "unit": "a.b",
        "parameters": {"words": ["x", "y"], "n": None},
    }
