"""Programs run to their end, and are killed with their children when their time is over."""

import asyncio
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from loopx.adapters.memory.machine import MemoryProcessRunner
from loopx.adapters.process.runner import SystemProcessRunner
from loopx.application.ports.process_runner import ProcessRunner
from loopx.domain.processes import Command, Finished

SAYING = Command(arguments=("/bin/sh", "-c", "echo out; echo err >&2; exit 3"))


@pytest.fixture(params=["memory", "system"])
def runner(request: pytest.FixtureRequest) -> ProcessRunner:
    if request.param == "system":
        return SystemProcessRunner()
    return MemoryProcessRunner(lambda _command: Finished(exit_code=3, output=b"out\n", talk=b"err\n"))


def run(runner: ProcessRunner, command: Command) -> Finished:
    return asyncio.run(runner.run(command))


def shell(script: str, **more: float) -> Finished:
    command = Command(
        arguments=("/bin/sh", "-c", script),
        environment={"PATH": "/usr/bin:/bin", "ONE": "1"},
        timeout=more.get("timeout", 20.0),
        most_output=int(more.get("most_output", 65_536)),
    )
    return run(SystemProcessRunner(), command)


def test_exit_code_output_and_talk_are_told_apart(runner: ProcessRunner) -> None:
    assert run(runner, SAYING) == Finished(exit_code=3, output=b"out\n", talk=b"err\n")


def test_a_program_gets_exactly_its_environment_and_no_input() -> None:
    finished = shell('echo "$ONE$HOME"; cat')
    assert finished == Finished(exit_code=0, output=b"1\n")


def test_a_program_starts_in_the_folder_that_its_command_names(tmp_path: Path) -> None:
    assert shell("pwd -P").output == b"/\n"
    there = Command(arguments=("/bin/sh", "-c", "pwd -P"), directory=str(tmp_path.resolve()))
    assert run(SystemProcessRunner(), there).output.decode() == f"{tmp_path.resolve()}\n"


def test_a_signal_is_told() -> None:
    assert shell("kill -9 $$").exit_code == -9


def test_only_the_start_of_much_output_is_kept_and_the_program_is_not_held_up() -> None:
    finished = shell("head -c 1000000 /dev/zero", most_output=10)
    assert finished == Finished(exit_code=0, output=bytes(10))


@dataclass(frozen=True, slots=True)
class Witness:
    """A pipe that ends when every process that holds its other end is gone."""

    path: Path
    descriptor: int

    def waits(self) -> bool:
        """Whether all of them are gone; blocks until they are."""
        os.set_blocking(self.descriptor, True)
        while os.read(self.descriptor, 100):
            """What they write says nothing."""
        return True


@pytest.fixture
def witness(tmp_path: Path) -> Iterator[Witness]:
    path = tmp_path / "witness"
    os.mkfifo(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    yield Witness(path, descriptor)
    os.close(descriptor)


def test_a_program_that_hangs_is_killed_with_its_children(witness: Witness) -> None:
    finished = shell(f"sleep 600 9>{witness.path} & wait", timeout=0.5)
    assert finished.exit_code is None
    assert witness.waits()


def test_a_child_that_outlives_its_program_is_killed_too(witness: Witness) -> None:
    finished = shell(f"sleep 600 >/dev/null 2>&1 9>{witness.path} &")
    assert finished.exit_code == 0
    assert witness.waits()


def test_a_caller_that_is_cancelled_leaves_no_process(witness: Witness, tmp_path: Path) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)

    async def cancel() -> None:
        script = f"exec 9>{witness.path}; echo >{started}; sleep 600"
        task = asyncio.create_task(SystemProcessRunner().run(Command(arguments=("/bin/sh", "-c", script))))
        await asyncio.to_thread(started.read_text)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancel())
    assert witness.waits()


def test_what_is_not_there_or_cannot_be_run_ends_as_in_a_shell(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.write_text("echo no")
    runner = SystemProcessRunner()
    assert run(runner, Command(arguments=(str(tmp_path / "absent"),))).exit_code == 127
    assert run(runner, Command(arguments=(str(plain / "below"),))).exit_code == 127
    assert run(runner, Command(arguments=(str(plain),))).exit_code == 126
    plain.chmod(plain.stat().st_mode | stat.S_IXUSR)
    plain.write_bytes(b"\x7fELF garbage")
    assert run(runner, Command(arguments=(str(plain),))).exit_code == 126
