"""However a run ends, it ends well: interrupted, ended by a signal, unread, or out of space."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from fakes.github import FakeGitHub, Hang, repository
from fakes.program import CHECKOUT, PATIENCE, run, start

NAME = "octo-org/harbour"


@pytest.fixture
def stuck() -> Iterator[str]:
    """A repository whose second page never comes."""
    with FakeGitHub(repository(open=40)) as github:
        github.fail(Hang(), on=2)
        yield github.url(NAME)


def scan(source: str, output: str) -> "subprocess.Popen[str]":
    return start("pr", "list", "-R", source, "-o", output)


def cut(source: str, output: str, number: signal.Signals) -> tuple[int, str, str]:
    """Wait until the first page is out, send a signal, and see what is left behind."""
    with scan(source, output) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        second = process.stdout.readline()
        process.send_signal(number)
        # Not communicate(): what the line reader holds already would be lost.
        rest, said = process.stdout.read(), process.stderr.read()
        return process.wait(PATIENCE), first + second + rest, said


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_json_that_is_cut_is_valid_and_says_so(stuck: str, number: signal.Signals, code: int) -> None:
    ended, text, said = cut(stuck, "json", number)
    assert (ended, said) == (code, "")
    document = json.loads(text)
    assert len(document["records"]) == document["summary"]["records"] > 0
    assert document["summary"]["status"] == "partial"
    completeness = document["summary"]["completeness"]
    assert (completeness["complete"], completeness["reason"]) == (False, "interrupted")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_ndjson_that_is_cut_ends_with_its_summary(stuck: str, number: signal.Signals, code: int) -> None:
    ended, text, said = cut(stuck, "ndjson", number)
    assert (ended, said) == (code, "")
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[-1]["type"] == "summary"
    assert lines[-1]["records"] == len(lines) - 1 > 0


def test_ctrl_c_before_anything_came_is_quiet_too() -> None:
    asked = threading.Event()
    with FakeGitHub(repository(open=3)) as github:
        github.before(lambda _: asked.set())
        github.fail(Hang())
        process = scan(github.url(NAME), "json")
        assert asked.wait(PATIENCE)
        process.send_signal(signal.SIGINT)
        text, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (130, "")
    assert json.loads(text)["summary"]["completeness"]["reason"] == "interrupted"


# A program that a signal ends by itself is what a shell shows as 143.
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_one_signal_ends_the_wait_for_a_packet(tmp_path: Path, number: signal.Signals, code: int) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    process = start("capability", "run", "--packet", str(pipe), "-o", "json")
    writing = os.open(pipe, os.O_WRONLY)  # returns once the program has opened it
    process.send_signal(number)
    text, said = process.communicate(timeout=PATIENCE)
    os.close(writing)
    assert (process.returncode, text, said.strip()) == (code, "", "")


def test_a_packet_from_a_closed_standard_input_is_a_usage_error() -> None:
    line = 'exec "$0" -m loopx capability run --packet - -o json <&-'
    finished = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src")},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    error = json.loads(finished.stderr)["error"]
    assert (finished.returncode, error["code"], error["reason"]) == (2, "usage_error", "packet")


# A deed that is interrupted twice more while it ends its output.
IMPATIENT: Final = """
import asyncio, signal, sys
from loopx.entrypoints.cli.session import run

async def deed(session):
    asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGINT)
    try:
        await asyncio.Event().wait()
    finally:
        print("[", end="", flush=True)
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        print("]", flush=True)

sys.exit(run({}, deed))
"""


def test_another_ctrl_c_does_not_cut_the_end_of_the_output() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", IMPATIENT],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src")},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (finished.returncode, finished.stdout, finished.stderr) == (130, "[]\n", "")


@pytest.mark.parametrize("output", ["ndjson", "json", "table", "csv"])
def test_a_reader_who_has_enough_ends_it_quietly(output: str) -> None:
    reading, writing = os.pipe()
    process = start("demo", "-o", output, "--quiet", stdout=writing)
    os.close(writing)
    os.close(reading)
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (141, "")


def test_help_without_a_reader_is_quiet_too() -> None:
    reading, writing = os.pipe()
    process = start("--help", stdout=writing)
    os.close(writing)
    os.close(reading)
    _, said = process.communicate(timeout=PATIENCE)
    assert (process.returncode, said) == (141, "")


@pytest.mark.parametrize(
    "line",
    ["demo -o ndjson", "demo -o json", "demo", "demo -o csv", "capability list", "completion bash",
     "--version", "--help", "pr list --help"],
)  # fmt: skip
def test_a_full_disk_is_told_with_its_code(line: str) -> None:
    with Path("/dev/full").open("w") as full:
        finished = run(*line.split(), stdout=full)
    assert finished.code == 74
    assert "unwritable" in finished.stderr
    assert "Exception ignored" not in finished.stderr
    assert "Traceback" not in finished.stderr


def test_a_full_disk_is_told_as_json_to_programs() -> None:
    with Path("/dev/full").open("w") as full:
        finished = run("demo", "-o", "ndjson", stdout=full)
    assert (finished.error["code"], finished.error["reason"]) == ("output_error", "unwritable")


@pytest.mark.parametrize("arguments", ["demo -o ndjson", "--version", "--help", "--bogus"])
@pytest.mark.parametrize(("redirections", "code"), [("2>&-", 0), (">&-", 74), (">&- 2>&-", 74)])
def test_closed_streams_break_nothing(redirections: str, code: int, arguments: str) -> None:
    code = 2 if arguments == "--bogus" else code
    line = f'exec "$0" -m loopx {arguments} {redirections}'
    finished = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT / "src")},
        check=False,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert finished.returncode == code
    assert "Traceback" not in finished.stderr
