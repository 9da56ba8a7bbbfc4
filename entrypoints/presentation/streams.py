"""Where output goes, and what can go wrong there."""

import errno
from typing import Final, Protocol

from loopx.domain.errors import LoopXError

_CAUSES: Final = {errno.ENOSPC: "no space is left", errno.EDQUOT: "the quota is used up"}


class TextOut(Protocol):
    """The part of a text stream that output needs."""

    def write(self, text: str, /) -> object:
        """Take some text."""
        ...

    def flush(self) -> None:
        """Hand on what was taken."""
        ...


class ReaderGoneError(Exception):
    """Whoever read the output wants no more of it (``| head``): not a failure."""


def write_failure(error: OSError) -> ReaderGoneError | LoopXError:
    """What a failed write means."""
    if isinstance(error, BrokenPipeError):
        return ReaderGoneError()
    return LoopXError("output_error", "unwritable", detail=_CAUSES.get(error.errno or 0, ""))


class DataOut:
    """A stream for data: what cannot be written is told."""

    def __init__(self, stream: TextOut | None) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Take some text.

        Raises:
            LoopXError: ``output_error/unwritable``.
            ReaderGoneError: the other end of the pipe is closed.
        """
        self._send(text)

    def flush(self) -> None:
        """Hand on what was taken; raises as ``write`` does."""
        self._send("")

    def _send(self, text: str) -> None:
        if self._stream is None:
            raise LoopXError("output_error", "unwritable", detail="it is closed")
        try:
            if text:
                self._stream.write(text)
            else:
                self._stream.flush()
        except OSError as error:
            raise write_failure(error) from None


class TalkOut:
    """A stream for talk: when nobody can hear it, nothing is left to say."""

    def __init__(self, stream: TextOut | None) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        """Take some text and hand it on at once."""
        if self._stream is None:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._stream = None

    def flush(self) -> None:
        """Nothing waits: every text is handed on at once."""
