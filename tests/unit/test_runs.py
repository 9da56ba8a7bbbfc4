"""Runs in the background: how many, for how long, and how they end."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from fakes.manual_clock import ManualClock
from loopx.adapters.memory.entropy import MemoryEntropy
from loopx.application.steps.runs import Run, RunLimits, Runs, RunState
from loopx.domain.errors import LoopXError


class Stage:
    """Runs with everything around them."""

    def __init__(self, limits: RunLimits | None = None) -> None:
        self.clock = ManualClock()
        self.failures: list[BaseException] = []
        self.runs = Runs(
            clock=self.clock,
            entropy=MemoryEntropy(),
            failed=self.failures.append,
            limits=limits or RunLimits(),
        )
        self.hold = asyncio.Event()

    async def talk(self, run: Run) -> None:
        """Say one line, wait, say another."""
        run.write(b"one\n")
        await self.hold.wait()
        run.write(b"two\n")

    async def quick(self, run: Run) -> None:
        run.write(b"done\n")

    async def break_down(self, _run: Run) -> None:
        raise ValueError

    def state(self, run: Run) -> RunState:
        return run.state

    async def settle(self) -> None:
        """Let everything happen that is about to."""
        for _ in range(10):
            await asyncio.sleep(0)


def play(scene: Callable[[Stage], Awaitable[None]], limits: RunLimits | None = None) -> None:
    async def main() -> None:
        stage = Stage(limits)
        await scene(stage)
        await stage.runs.stop()

    asyncio.run(main())


def test_a_run_is_read_while_it_goes_on_and_after() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        reading = stage.runs.read(run, 0)
        assert await anext(reading) == b"one\n"
        stage.hold.set()
        assert [piece async for piece in reading] == [b"two\n"]
        await reading.aclose()
        assert (run.state, stage.runs.find(run.id)) == (RunState.FINISHED, run)
        again = stage.runs.read(run, 1)
        assert [piece async for piece in again] == [b"two\n"]

    play(scene)


def test_a_run_that_nobody_reads_is_cancelled_when_the_grace_is_over() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        await stage.settle()
        stage.clock.advance(9.9)
        await stage.settle()
        assert stage.state(run) is RunState.RUNNING
        stage.clock.advance(0.2)
        await stage.settle()
        assert stage.state(run) is RunState.CANCELLED

    play(scene)


def test_who_comes_back_within_the_grace_finds_the_run_going_on() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        first = stage.runs.read(run, 0)
        await anext(first)
        await first.aclose()
        await stage.settle()
        stage.clock.advance(5)
        second = stage.runs.read(run, 1)
        stage.clock.advance(60)
        await stage.settle()
        assert run.state is RunState.RUNNING
        stage.hold.set()
        assert [piece async for piece in second] == [b"two\n"]

    play(scene)


def test_a_run_with_another_reader_does_not_mind_one_that_leaves() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        leaving, _staying = stage.runs.read(run, 0), stage.runs.read(run, 0)
        await leaving.aclose()
        await leaving.aclose()
        stage.clock.advance(60)
        await stage.settle()
        assert run.state is RunState.RUNNING

    play(scene)


def test_a_cancelled_run_is_forgotten_and_its_reader_ends() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        reading = stage.runs.read(run, 0)
        await stage.settle()
        await stage.runs.cancel(run)
        assert [piece async for piece in reading] == [b"one\n"]
        with pytest.raises(LoopXError, match="not_found/run"):
            stage.runs.find(run.id)

    play(scene)


def test_a_run_that_is_cancelled_before_it_began_ends_too() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        reading = stage.runs.read(run, 0)
        await stage.runs.cancel(run)
        assert [piece async for piece in reading] == []
        assert run.state is RunState.CANCELLED

    play(scene)


def test_a_run_that_breaks_is_told_and_ends() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("break", stage.break_down)
        await stage.settle()
        assert run.state is RunState.FAILED
        assert [type(error) for error in stage.failures] == [ValueError]

    play(scene)


def test_only_so_many_run_and_are_read_at_once() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        with pytest.raises(LoopXError, match="too_many_runs/running"):
            stage.runs.start("talk", stage.talk)
        reading = stage.runs.read(run, 0)
        with pytest.raises(LoopXError, match="too_many_runs/readers"):
            stage.runs.read(run, 0)
        await reading.aclose()
        stage.runs.read(run, 0)
        assert stage.runs.counts()[RunState.RUNNING] == 1

    play(scene, RunLimits(running=1, readers=1))


def test_a_place_that_cannot_be_read_from_takes_no_place() -> None:
    async def scene(stage: Stage) -> None:
        run = stage.runs.start("talk", stage.talk)
        for _ in range(3):
            with pytest.raises(LoopXError, match="not_found/lines"):
                stage.runs.read(run, 99)
        stage.runs.read(run, 0)

    play(scene, RunLimits(readers=1))


def test_ended_runs_are_kept_for_a_while_and_only_so_many() -> None:
    async def scene(stage: Stage) -> None:
        ended = [stage.runs.start("quick", stage.quick) for _ in range(3)]
        await stage.settle()
        assert stage.runs.counts()[RunState.FINISHED] == 2
        with pytest.raises(LoopXError, match="not_found"):
            stage.runs.find(ended[0].id)
        stage.clock.advance(301)
        assert stage.runs.counts()[RunState.FINISHED] == 0

    play(scene, RunLimits(kept=2))


def test_the_writer_waits_for_its_reader() -> None:
    async def scene(stage: Stage) -> None:
        written = 0

        async def chatter(run: Run) -> None:
            nonlocal written
            for _ in range(1_000):
                await run.room()
                run.write(b"0123456789")
                written += 1

        reading = stage.runs.read(stage.runs.start("chatter", chatter), 0)
        await stage.settle()
        assert written == 10
        assert len(await anext(reading)) == 100
        await stage.settle()
        assert written == 20
        await reading.aclose()

    play(scene, RunLimits(window=100))
