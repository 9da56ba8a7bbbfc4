"""Open files, read and written as a whole."""

import os
from collections.abc import Iterator
from typing import Final

from loopx.adapters.tarball.background import Stop
from loopx.adapters.tarball.faults import reading
from loopx.application.ports.byte_source import ByteSource

CHUNK: Final = 1 << 16
OPEN_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def read_chunks(source: ByteSource, path: str, stop: Stop) -> Iterator[bytes]:
    """Everything from the start on.

    Raises:
        LoopXError: ``state_error/unreadable``.
    """
    with reading(path):
        source.seek(0)
    while True:
        stop.check()
        with reading(path):
            chunk = source.read(CHUNK)
        if not chunk:
            return
        yield chunk


def write_all(descriptor: int, data: bytes) -> None:
    """Write until nothing is left; the system may take less than it is given.

    Raises:
        OSError: as ``os.write``.
    """
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, memoryview(data)[written:])


def names_in(directory: int) -> list[str]:
    """What an open directory holds, in no order.

    Raises:
        OSError: as ``os.listdir``.
    """
    return os.listdir(directory)
