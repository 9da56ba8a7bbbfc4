"""A packet is loaded, checked and run, over fakes."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from fakes.pull_requests import NOON, pull_request
from fakes.session import Stage
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.pull_requests import MemoryPullRequests
from loopx.domain.errors import LoopXError
from loopx.entrypoints.cli.capability_packet import load_packet, run_packet

PATIENCE = 5.0


def stage(**parts: Any) -> Stage:
    source = MemoryPullRequests([pull_request(7)])
    return Stage(source=source, clock=MemoryClock(NOON.timestamp() + 86_400), **parts)


def run(here: Stage, source: str, **choices: Any) -> int:
    loaded = load_packet(source, PATIENCE)
    return here.run(lambda session: run_packet(loaded, session), "ndjson", **choices)


def refusal(source: str) -> tuple[str, str]:
    here = stage()
    with pytest.raises(LoopXError) as caught:
        run(here, source)
    assert caught.value.code == "usage_error"
    assert here.source.requests == []
    return caught.value.reason, caught.value.what


def packet(folder: Path, **parts: object) -> str:
    whole = {"schema": "loopx.request/1", "capability": "pr_review", "params": {"repo": ["octo/harbour"]}}
    file = folder / "packet.json"
    file.write_text(json.dumps({**whole, **parts}))
    return str(file)


def test_a_packet_runs_its_capability(tmp_path: Path) -> None:
    here = stage()
    trace = {"agent_id": "agent-7", "traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
    source = packet(tmp_path, trace=trace)
    assert run(here, source) == 0
    ((_, context),) = here.source.requests
    assert (context.agent_id, context.trace.trace_id, here.lines[0]["number"]) == ("agent-7", "a" * 32, 7)


def test_options_and_environment_count_over_the_trace_of_a_packet(tmp_path: Path) -> None:
    here = stage(environment={"TRACEPARENT": f"00-{'c' * 32}-{'b' * 16}-01"})
    trace = {"agent_id": "agent-7", "turn_id": "t1", "traceparent": f"00-{'a' * 32}-{'b' * 16}-01"}
    source = packet(tmp_path, trace=trace)
    run(here, source, agent_id="agent-8")
    ((_, context),) = here.source.requests
    assert (context.agent_id, context.turn_id, context.trace.trace_id) == ("agent-8", "t1", "c" * 32)


def test_the_parameters_of_a_packet_are_checked_as_options_are(tmp_path: Path) -> None:
    for params, words in [({"repo": []}, "repo"), ({"repo": ["o/r"], "limt": 1}, "'limt'")]:
        source = packet(tmp_path, params=params)
        assert words in refusal(source)[1]


@pytest.mark.parametrize("name", ["missing.json", ".", "nul\0name"])
def test_a_packet_that_cannot_be_read_is_a_usage_error(tmp_path: Path, name: str) -> None:
    source = f"{tmp_path}/{name}"
    assert refusal(source)[0] == "packet"


def test_a_packet_that_is_too_long_is_refused(tmp_path: Path) -> None:
    source = packet(tmp_path, params={"repo": ["x" * 1_000_001]})
    assert "longer" in refusal(source)[1]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"limit": "5"}, "limit must be a whole number"),
        ({"limit": None}, "limit must not be null"),
        ({"limit": True}, "limit must be a whole number"),
        ({"repo": "octo/harbour"}, "repo must be a list"),
        ({"repo": [7]}, "repo must be text"),
    ],
)
def test_the_values_of_a_packet_have_the_types_of_the_published_schema(
    tmp_path: Path, params: dict[str, object], words: str
) -> None:
    source = packet(tmp_path, params={"repo": ["octo/harbour"], **params})
    reason, detail = refusal(source)
    assert (reason, words in detail) == ("parameter", True)


def test_a_packet_that_never_comes_is_not_waited_for_longer_than_the_run_may_take(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(LoopXError) as caught:
        load_packet(str(pipe), 0.05)
    assert (caught.value.code, caught.value.reason) == ("deadline_exceeded", "run")
