"""The chain: each row's hash covers all its fields and the hash before it, so no row stands alone."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from loopx.domain.audit.row import AuditEntry, AuditRow, to_fields
from loopx.domain.errors import LoopXError

FORMAT: Final = "loopx.audit_row/1"
_ANCHOR: Final = re.compile(r"(0|[1-9][0-9]{0,15}):([0-9a-f]{64})")
_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place in the chain: the hash after so many rows. Kept elsewhere, it vouches for all of them."""

    sequence: int
    hash: str

    def __str__(self) -> str:
        return f"{self.sequence}:{self.hash}"

    @classmethod
    def of(cls, row: AuditRow) -> Self:
        """The place behind a row."""
        return cls(row.sequence, row.hash)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what ``str`` wrote.

        Raises:
            LoopXError: ``usage_error/parameter``.
        """
        match = _ANCHOR.fullmatch(text.strip())
        if match is None:
            raise LoopXError(
                "usage_error",
                "parameter",
                detail="a head is a number, a colon and 64 hexadecimal digits",
                hint="Give what `loopx audit head` printed.",
            )
        return cls(int(match[1]), match[2])


GENESIS: Final = Anchor(0, "0" * 64)
"""The place before the first row."""


def canonical(sequence: int, entry: AuditEntry) -> bytes:
    """All that a hash covers of one row: a JSON array as RFC 8785 writes it; no two rows give the same.

    Its elements are the name of the format, the sequence and the values in the order of ``FIELDS``.
    """
    # Lone surrogates have no place in RFC 8785; they are kept apart here all the same.
    return _encode([FORMAT, sequence, *to_fields(entry)]).encode("utf-8", "surrogatepass")


def seal(before: Anchor, sequence: int, entry: AuditEntry) -> str:
    """The hash of a row: SHA-256 over the hash before it, a line feed and the row."""
    return sha256(b"%b\n%b" % (before.hash.encode("ascii"), canonical(sequence, entry))).hexdigest()


def link(before: Anchor, entry: AuditEntry) -> AuditRow:
    """The next row of a chain."""
    sequence = before.sequence + 1
    return AuditRow(sequence, entry, seal(before, sequence, entry))


def link_all(before: Anchor, entries: Iterable[AuditEntry]) -> Iterator[AuditRow]:
    """The next rows of a chain."""
    for entry in entries:
        row = link(before, entry)
        before = Anchor.of(row)
        yield row
