import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopx.domain.errors import LoopXError
from loopx.entrypoints.presentation.packet import Packet, Trace, read_packet

PARENT = f"00-{'a' * 32}-{'b' * 16}-01"
GOOD: dict[str, object] = {
    "schema": "loopx.request/1",
    "capability": "pr_review",
    "params": {"repo": ["octo/harbour"], "limit": 3},
    "trace": {"agent_id": "agent-7", "turn_id": "t1", "traceparent": PARENT},
}


def packet(**changes: object) -> bytes:
    return json.dumps({**GOOD, **changes}).encode()


def refusal(content: bytes) -> str:
    with pytest.raises(LoopXError) as caught:
        read_packet(content)
    assert (caught.value.code, caught.value.reason) == ("usage_error", "packet")
    return caught.value.detail


def test_a_packet_is_read_whole() -> None:
    assert read_packet(packet()) == Packet(
        "pr_review", {"repo": ["octo/harbour"], "limit": 3}, Trace("agent-7", "t1", PARENT)
    )


def test_parameters_and_trace_may_be_left_out() -> None:
    content = b'{"schema": "loopx.request/1", "capability": "pr_review"}'
    assert read_packet(content) == Packet("pr_review", {}, Trace())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "line 1, column 1"),
        (b'{"schema": 1,\n  "x" 2}', "line 2, column 7"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a": NaN}', "number"),
        (b'{"a": "\xff"}', "text"),
        (b"[" * 100_000, ""),
        (b"[]", "not a JSON object"),
        (packet(schema="loopx.request/2"), "schema: "),
        (packet(capability=""), "capability: "),
        (packet(capability=None), "capability: "),
        (packet(params=[1]), "params: "),
        (packet(surprise=1), "surprise: unknown field"),
        (packet(trace={"agent": "x"}), "trace.agent: unknown field"),
        (packet(trace={"agent_id": 7}), "trace.agent_id: "),
        (packet(trace={"traceparent": "junk"}), "trace.traceparent: not a w3c traceparent"),
        (json.dumps({name: GOOD[name] for name in ("schema", "params")}).encode(), "capability: "),
    ],
)
def test_a_packet_that_is_wrong_is_refused_with_the_place(content: bytes, words: str) -> None:
    assert words in refusal(content)


@given(st.binary(max_size=60) | st.dictionaries(st.text(max_size=8), st.none() | st.text(max_size=8)).map(
    lambda data: json.dumps(data).encode()
))  # fmt: skip
def test_any_bytes_are_refused_and_never_break_anything(content: bytes) -> None:
    refusal(content)
