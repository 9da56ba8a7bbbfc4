"""Other programs, run to their end."""

import asyncio
import os
import signal
from asyncio.subprocess import DEVNULL, PIPE, Process
from contextlib import suppress
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.processes import Command, Finished

_NOT_FOUND: Final = 127
_NOT_EXECUTABLE: Final = 126
_PIECE: Final = 1 << 16


class SystemProcessRunner:
    """Each program leads a process group of its own, so that its children end with it."""

    async def run(self, command: Command) -> Finished:
        try:
            process = await _start(command)
        except (FileNotFoundError, NotADirectoryError):
            return Finished(exit_code=_NOT_FOUND)
        except BlockingIOError:  # EAGAIN: too many processes
            raise LoopXError("update_error", "process", detail=command.arguments[0]) from None
        except OSError:
            return Finished(exit_code=_NOT_EXECUTABLE)
        return await _attend(process, command)


async def _start(command: Command) -> Process:
    """Start it; a caller that is cancelled meanwhile leaves no child behind that already runs."""
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            *command.arguments,
            cwd=command.directory,
            env=dict(command.environment),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
    )
    try:
        return await asyncio.shield(starting)
    except asyncio.CancelledError:
        await asyncio.wait([starting])
        if starting.exception() is None:
            await _end(starting.result())
        raise


async def _attend(process: Process, command: Command) -> Finished:
    output, talk = bytearray(), bytearray()
    in_time = True
    try:
        async with asyncio.timeout(command.timeout):
            await asyncio.gather(
                _read(process.stdout, output, command.most_output),
                _read(process.stderr, talk, command.most_output),
                process.wait(),
            )
    except TimeoutError:
        in_time = False
    finally:
        await _end(process)
    exit_code = process.returncode if in_time else None
    return Finished(exit_code=exit_code, output=bytes(output), talk=bytes(talk))


async def _end(process: Process) -> None:
    """Kill whatever is left of a program and its children."""
    with suppress(ProcessLookupError):  # nobody is
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def _read(stream: asyncio.StreamReader | None, into: bytearray, most: int) -> None:
    """Keep the start, and read on, so that the program is not held up by a full pipe."""
    while stream is not None and (piece := await stream.read(_PIECE)):
        into += piece[: most - len(into)]
