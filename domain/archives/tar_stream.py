"""The unpacked tar as blocks and contents."""

from collections.abc import Iterator

from loopx.domain.archives.header import BLOCK
from loopx.domain.archives.refusal import refused


class TarStream:
    """Hands out exactly as many bytes as are asked for, without keeping more than one piece."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._piece = b""
        self._at = 0

    def read(self, size: int) -> bytes:
        """That many bytes, fewer at the end."""
        end = self._at + size
        if end > len(self._piece):
            return b"".join(self.slices(size))
        data = self._piece[self._at : end]
        self._at = end
        return data

    def slices(self, size: int) -> Iterator[bytes]:
        """That many bytes in pieces, fewer at the end."""
        while size and self._refill():
            part = self._piece[self._at : self._at + size]
            self._at += len(part)
            size -= len(part)
            yield part

    def content(self, size: int) -> Iterator[bytes]:
        """What follows a header, with the padding behind it taken off.

        Raises:
            LoopXError: ``archive_error/truncated``.
        """
        missing = size
        for part in self.slices(size):
            missing -= len(part)
            yield part
        padding = -size % BLOCK
        if missing or len(self.read(padding)) < padding:
            raise refused("truncated", "the content of a member is cut off")

    def is_zero_to_the_end(self) -> bool:
        """Whether only zero bytes are left; reads them all, or up to the first that is not."""
        while self._refill():
            if self._piece.count(0, self._at) != len(self._piece) - self._at:
                return False
            self._at = len(self._piece)
        return True

    def _refill(self) -> bool:
        if self._at == len(self._piece):
            self._piece, self._at = next(self._pieces, b""), 0
        return self._at < len(self._piece)
