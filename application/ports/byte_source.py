"""Bytes that are already here."""

from typing import Protocol


class ByteSource(Protocol):
    """An open file, or what reads like one; whoever opened it closes it."""

    def read(self, size: int, /) -> bytes:
        """At most that many bytes, none at the end."""
        ...

    def seek(self, offset: int, /) -> int:
        """Go to a place, counted in bytes from the start."""
        ...
