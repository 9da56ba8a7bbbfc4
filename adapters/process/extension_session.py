"""One conversation with a process that is not trusted: every word in time, in size and in order."""

import asyncio
from signal import SIGKILL, Signals
from typing import Final

from loopx.adapters.process.child import ChildProcess
from loopx.application.ports.clock import Clock
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.framing import PREFIX, Frame, read_head, read_prefix, write_frame
from loopx.domain.extensions.limits import HostLimits
from loopx.domain.extensions.protocol import Loaded, Said, Unhandled, answer_frame, read_said
from loopx.domain.extensions.refusal import refused
from loopx.domain.extensions.session import Answer, Ask, Done, Failed, Step
from loopx.domain.redaction import Redactor

_TOLD: Final = 4000


class PipedSession:
    """Steps a unit in a process that runs already; any error closes it."""

    def __init__(
        self, child: ChildProcess, *, limits: HostLimits, clock: Clock, deadline: float | None
    ) -> None:
        """``deadline`` is a reading of the monotonic clock, in seconds."""
        self._child = child
        self._limits = limits
        self._clock = clock
        self._deadline = deadline
        self._unsent: Frame | None = None
        self._asked = False
        self._over = False
        self._failed: Failed | None = None
        self._received = 0

    async def load(self, frame: Frame) -> None:
        """Hand over all code and wait until it is imported.

        Raises:
            LoopXError: ``extension_error``; ``deadline_exceeded``.
        """
        self._unsent = frame
        said = await self._next(self._limits.start)
        if not isinstance(said, Loaded):
            raise await self._give_up(refused("protocol", "a step before it was loaded"))

    def begin(self, frame: Frame) -> None:
        """What is sent with the first step."""
        self._unsent = frame

    async def step(self, answer: Answer | None = None) -> Step:
        if self._over:
            raise refused("protocol", "it was over")
        if self._asked is not (answer is not None):
            raise ValueError("exactly an Ask is answered")
        if answer is not None:
            self._unsent = answer_frame(answer)
            self._failed = answer if isinstance(answer, Failed) else None
        said = await self._next(self._limits.step)
        match said:
            case Unhandled() if self._failed is not None:
                raise await self._give_up(self._failed.error)
            case Unhandled() | Loaded():
                raise await self._give_up(refused("protocol", "a step that does not follow"))
            case Done():
                await self.aclose()
            case _:
                pass
        self._asked = isinstance(said, Ask)
        return said

    async def aclose(self) -> None:
        self._over = True
        await self._child.aclose()

    async def _next(self, patience: float) -> Said:
        left = patience if self._deadline is None else self._deadline - self._clock.monotonic()
        try:
            return await self._exchange_within(min(patience, left))
        except TimeoutError:
            late = refused("timeout", f"{patience:g} seconds for one step")
            error = LoopXError("deadline_exceeded", "run") if left < patience else late
        except (EOFError, OSError):
            error = refused("crashed", _farewell(await self._child.aclose()))
        except LoopXError as refusal:
            error = refusal
        raise await self._give_up(error)

    async def _exchange_within(self, seconds: float) -> Said:
        if seconds <= 0:  # what lies in the pipe already would be read without a look at the clock
            raise TimeoutError
        async with asyncio.timeout(seconds):
            return await self._exchange()

    async def _exchange(self) -> Said:
        if self._unsent is not None:
            await self._child.write(write_frame(self._unsent))
            self._unsent = None
        head_size, body_size = read_prefix(await self._child.read(PREFIX), self._limits)
        self._received += head_size + body_size
        if self._received > self._limits.output:
            raise refused("output_too_large", f"more than {self._limits.output} bytes in all")
        head = await self._child.read(head_size)
        return read_said(Frame(read_head(head), await self._child.read(body_size)))

    async def _give_up(self, error: LoopXError) -> LoopXError:
        """Close, and keep its last words for whoever debugs it: they are shown with a traceback only."""
        await self.aclose()
        if talk := self._child.talk.strip():
            error.add_note(f"The extension wrote to stderr:\n{Redactor().text(talk[-_TOLD:])}")
        return error


def _farewell(code: int) -> str:
    if code == -SIGKILL:
        return "it closed its pipes, or was killed"
    return f"it ended by signal {Signals(-code).name}" if code < 0 else f"it ended with exit code {code}"
