"""A Python process that shares nothing with this one but three pipes."""

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

from loopx.domain.extensions.refusal import refused

# Without these some interpreters do not find their own library; none of them can hold a secret.
_PASSED: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SYSTEMROOT")
# No variable, no site-packages, no bytecode left behind, UTF-8 whatever the locale.
_OPTIONS: Final = ("-I", "-S", "-B", "-X", "utf8")
_LAST_WORDS: Final = 0.2
"""Seconds to wait for the end of stderr, which a process that left the group could hold open."""


class ChildProcess:
    """The leader of a session and group of its own; ``aclose`` ends the group, whatever state it is in."""

    def __init__(self, process: subprocess.Popen[bytes], talk_limit: int) -> None:
        """``process`` has three pipes; ``talk_limit`` is how many bytes of its stderr are kept."""
        self._process = process
        self._reader = asyncio.StreamReader()
        self._writer: asyncio.StreamWriter | None = None
        self._talk = _Talk(talk_limit)
        self._transports: list[asyncio.ReadTransport] = []
        self._ending: asyncio.Task[int] | None = None

    @classmethod
    async def start(cls, script: Path, environment: Mapping[str, str], *, talk_limit: int) -> Self:
        """Start a script that needs the standard library alone.

        Raises:
            LoopXError: ``extension_error/start``.
        """
        try:
            child = cls(_spawn(script, environment), talk_limit)
        except OSError as error:
            raise refused("start", os.strerror(error.errno or 0)) from None
        try:
            await child._connect()
        except BaseException:  # a cancellation too: nobody else knows of the process yet
            await child.aclose()
            raise
        return child

    @property
    def pid(self) -> int:
        """The number of the process and of its group."""
        return self._process.pid

    @property
    def talk(self) -> str:
        """The end of what it wrote to stderr."""
        return self._talk.kept.decode("utf-8", "replace")

    async def write(self, content: bytes) -> None:
        """Send bytes, waiting while it does not read.

        Raises:
            OSError: it reads no more.
        """
        if self._writer is not None:
            self._writer.write(content)
            await self._writer.drain()

    async def read(self, size: int) -> bytes:
        """Exactly that many bytes.

        Raises:
            EOFError: it closed its pipe before.
        """
        return await self._reader.readexactly(size)

    async def aclose(self) -> int:
        """Kill the group and reap its leader; gives the exit code, negative for a signal."""
        if self._ending is None:
            # Nobody has reaped the leader yet, so its number cannot have gone to another process.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._ending = asyncio.create_task(self._end())
        return await asyncio.shield(self._ending)

    async def _end(self) -> int:
        if self._writer is not None and not self._writer.transport.is_closing():
            self._writer.transport.abort()
        code = await asyncio.to_thread(self._process.wait)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LAST_WORDS):
                await self._talk.ended.wait()
        for transport in self._transports:
            transport.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()  # those that no transport has taken over yet
        return code

    async def _connect(self) -> None:
        loop = asyncio.get_running_loop()
        reading = asyncio.StreamReaderProtocol(self._reader)
        self._transports.append((await loop.connect_read_pipe(lambda: reading, self._process.stdout))[0])
        self._transports.append((await loop.connect_read_pipe(lambda: self._talk, self._process.stderr))[0])
        # The protocol of a reader is the public one that can wait until a pipe takes more.
        waiting = asyncio.StreamReaderProtocol(asyncio.StreamReader())
        transport, _ = await loop.connect_write_pipe(lambda: waiting, self._process.stdin)
        self._writer = asyncio.StreamWriter(transport, waiting, None, loop)


class _Talk(asyncio.Protocol):
    """Keeps the end of a stream and reads it all, so that nobody waits for room in the pipe."""

    def __init__(self, limit: int) -> None:
        self.kept = b""
        self.ended = asyncio.Event()
        self._limit = limit

    def data_received(self, data: bytes) -> None:
        self.kept = (self.kept + data)[-self._limit :]

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's signature
        self.ended.set()


def _spawn(script: Path, environment: Mapping[str, str]) -> subprocess.Popen[bytes]:
    # The working directory is removed at once: it stays empty, and there is nothing to tidy up later.
    with tempfile.TemporaryDirectory(prefix="loopx-") as empty:
        return subprocess.Popen(  # noqa: S603 - this interpreter and a script of our own, no shell
            [sys.executable, *_OPTIONS, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=empty,
            env={name: environment[name] for name in _PASSED if name in environment},
            start_new_session=True,
            umask=0o077,
        )
