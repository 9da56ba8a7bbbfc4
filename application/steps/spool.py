"""What a run has said lately: numbered lines in a bounded memory, read by several at their own pace."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from loopx.domain.errors import LoopXError


@dataclass(slots=True, eq=False)
class Position:
    """How far one reader is: the number of its last line, and the bytes up to its end."""

    line: int
    offset: int


class Spool:
    """Keeps the lines that somebody still has to read, and about as many behind them for who comes back.

    ``window`` bytes may wait to be read; the writer is asked to pause beyond that.
    """

    def __init__(self, window: int) -> None:
        self._window = window
        self._lines: deque[bytes] = deque()
        self._dropped = Position(0, 0)
        self._end = Position(0, 0)
        self._left = Position(0, 0)
        self._readers: set[Position] = set()

    @property
    def first(self) -> int:
        """The number of the oldest line that is kept, counted from 1."""
        return self._dropped.line + 1

    @property
    def last(self) -> int:
        """The number of the newest line; 0 before there is one."""
        return self._end.line

    @property
    def has_readers(self) -> bool:
        """Whether anybody reads."""
        return bool(self._readers)

    @property
    def has_room(self) -> bool:
        """Whether the slowest reader is close enough for another line."""
        return self._end.offset - self._slowest.offset < self._window

    @property
    def _slowest(self) -> Position:
        return min(self._readers, key=lambda reader: reader.line, default=self._left)

    def append(self, line: bytes) -> None:
        """Keep a line; the oldest that everybody has may go for it."""
        self._lines.append(line)
        self._end = Position(self._end.line + 1, self._end.offset + len(line))
        while (
            self._end.offset - self._dropped.offset > 2 * self._window
            and self._dropped.line < self._slowest.line
        ):
            oldest = self._lines.popleft()
            self._dropped = Position(self._dropped.line + 1, self._dropped.offset + len(oldest))

    def attach(self, after: int) -> Position:
        """Start to read behind a line.

        Raises:
            LoopXError: ``gone/lines`` when the next line is dropped already, ``not_found/lines``
                when there are not as many lines yet.
        """
        if after > self.last:
            raise LoopXError("not_found", "lines", detail=f"{after} were asked for, {self.last} there are")
        if after < self._dropped.line:
            raise LoopXError("gone", "lines", detail=f"the first line that is kept is {self.first}")
        read = islice(self._lines, after - self._dropped.line)
        reader = Position(after, self._dropped.offset + sum(map(len, read)))
        self._readers.add(reader)
        return reader

    def detach(self, reader: Position) -> None:
        """Stop to read; what the last reader had is remembered as the pace."""
        self._readers.discard(reader)
        if not self._readers:
            self._left = reader

    def take(self, reader: Position, size: int) -> bytes:
        """The next lines in one piece of about that size; nothing when there is none yet."""
        taken = bytearray()
        for line in self._after(reader):
            taken += line
            reader.line += 1
            if len(taken) >= size:
                break
        reader.offset += len(taken)
        return bytes(taken)

    def _after(self, reader: Position) -> Iterator[bytes]:
        return islice(self._lines, reader.line - self._dropped.line, None)
