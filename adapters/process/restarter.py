"""Become another program."""

import logging
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

from loopx.domain.errors import LoopXError


class SystemRestarter:
    """Uses ``execve``: the process id stays, nothing registered with ``atexit`` runs, no file stays open."""

    def restart(self, program: Sequence[str], guard: tuple[str, str]) -> NoReturn:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, ValueError, OSError):  # absent, closed, or nobody reads it
                stream.flush()
        for handler in logging.getLogger().handlers:  # not closed: if nothing can be started they are needed
            handler.flush()
        name, value = guard
        try:
            os.execve(program[0], list(program), {**os.environ, name: value})  # noqa: S606 - no shell is wanted
        except OSError:
            raise LoopXError("update_error", "restart_failed", detail=program[0]) from None
