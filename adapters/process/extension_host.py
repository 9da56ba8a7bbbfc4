"""Code of extensions in processes of their own.

What is loaded travels through the pipe, from the memory in which it was verified: the process is never
told a path, so there is no moment in which a file could be exchanged. The process is a border for memory
and crashes, for variables, descriptors and modules. It is no cage: hostile code has the rights of the user
until the system confines it too.
"""

import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

from loopx.adapters.process.child import ChildProcess
from loopx.adapters.process.extension_session import PipedSession
from loopx.application.ports.clock import Clock
from loopx.domain.context import CallContext
from loopx.domain.extensions import authoring
from loopx.domain.extensions.api_range import check_api
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.limits import DEFAULT_HOST_LIMITS, HostLimits
from loopx.domain.extensions.protocol import load_frame, start_frame
from loopx.domain.schema import Data

_SCRIPT: Final = Path(__file__).with_name("extension_child.py")


class ProcessExtensionHost:
    """Starts a process for each session; POSIX only."""

    def __init__(
        self, *, clock: Clock, environment: Mapping[str, str], limits: HostLimits = DEFAULT_HOST_LIMITS
    ) -> None:
        """``environment`` is this process's own: the interpreter gets what it needs of it, no more."""
        self._clock = clock
        self._environment = environment
        self._limits = limits

    async def try_load(self, code: ExtensionCode, context: CallContext) -> None:
        session = await self._load(code, context)
        await session.aclose()

    async def open(
        self, code: ExtensionCode, unit: str, parameters: Data, context: CallContext
    ) -> PipedSession:
        code.manifest.unit(unit)
        session = await self._load(code, context)
        session.begin(start_frame(unit, parameters))
        return session

    async def _load(self, code: ExtensionCode, context: CallContext) -> PipedSession:
        check_api(code.manifest.api)
        code.check_entry(sys.stdlib_module_names)
        frame = load_frame(code, _authoring(), self._limits)
        async with AsyncExitStack() as stack:
            child = await ChildProcess.start(_SCRIPT, self._environment, talk_limit=self._limits.stderr)
            stack.push_async_callback(child.aclose)
            session = PipedSession(child, limits=self._limits, clock=self._clock, deadline=context.deadline)
            await session.load(frame)
            stack.pop_all()
        return session


def _authoring() -> bytes:
    """The source of what extensions are written with: our own file, so nobody needs to verify it."""
    return Path(authoring.__file__).read_bytes()
