"""Locks that the kernel frees when their holder dies, so that none is ever stale."""

import fcntl
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from loopx.adapters.filesystem.faults import describe, writing
from loopx.adapters.filesystem.files import PRIVATE_FILE, make_folder
from loopx.domain.errors import LoopXError

_POLL_SECONDS: Final = 0.02


class FileLocks:
    """``flock`` on files in one folder, which are never removed: removal would let two in."""

    def __init__(
        self,
        folder: Path,
        *,
        patience: float = 30.0,
        monotonic: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = folder
        self._patience = patience
        self._monotonic = monotonic
        self._pause = pause

    @contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """Hold a lock for the block; ``patience`` is in seconds.

        Raises:
            LoopXError: ``state_error/locked`` or ``state_error/unwritable``.
        """
        path = self._folder / f"{name}.lock"
        with writing(path):
            make_folder(self._folder)
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE_FILE)
        try:
            self._acquire(descriptor, path)
            yield
        finally:
            os.close(descriptor)

    def _acquire(self, descriptor: int, path: Path) -> None:
        end = self._monotonic() + self._patience
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if self._monotonic() >= end:
                    raise LoopXError("state_error", "locked", detail=str(path)) from None
                self._pause(_POLL_SECONDS)
            except OSError as error:
                # Some network file systems know no locks; to go on without one would lose writes.
                detail = f"{path}: {describe(error)}"
                raise LoopXError("state_error", "unwritable", detail=detail) from None
            else:
                return
