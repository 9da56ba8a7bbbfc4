"""Keep httpcore from logging what crosses the border: its records hold headers as they came."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_LOGGERS: Final = ("httpcore.connection", "httpcore.http11", "httpcore.proxy")
_crossing: Final = ContextVar("loopx_crossing", default=False)


@contextmanager
def quiet() -> Generator[None]:
    """Drop httpcore's records of this task; those of another user of httpcore stay.

    A filter sits on a logger and not on its level, so no configuration of logging can undo it.
    """
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_is_foreign)  # again and again the same one: added once
    token = _crossing.set(True)
    try:
        yield
    finally:
        _crossing.reset(token)


def _is_foreign(_record: logging.LogRecord) -> bool:
    return not _crossing.get()
