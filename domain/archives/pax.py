"""Extended headers (POSIX.1-2017, pax, "pax Extended Header")."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from loopx.domain.archives.refusal import quoted, refused

# What these say is not extracted, so it may say anything: times, owners, attributes of other systems.
_IGNORED: Final = re.compile(
    r"[acm]time|[ug]id|[ug]name|comment|LIBARCHIVE\.creationtime|SCHILY\.(?:dev|ino|nlink|fflags)"
    r"|(?:LIBARCHIVE|SCHILY)\.xattr\..+",
    re.DOTALL,
)
_RECORD: Final = re.compile(rb"([1-9][0-9]{0,9}) ([^=]+)=")
_DECIMAL: Final = re.compile(rb"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True)
class Extension:
    """What an extended header says instead of the header behind it; ``size`` is in bytes."""

    path: bytes | None = None
    size: int | None = None


NO_EXTENSION: Final = Extension()


def read_extension(data: bytes) -> Extension:
    """Read the records in front of one member.

    Raises:
        LoopXError: ``archive_error/header``, or ``archive_error/member_type`` for sparse files.
    """
    records = dict[str, bytes]()
    for key, value in _records(data):
        if key in records:
            raise refused("header", f"an extended header says {quoted(key)} twice")
        records[key] = value
    path, size = records.pop("path", None), records.pop("size", None)
    for key in records:
        if not _IGNORED.fullmatch(key):
            reason = "member_type" if key.startswith("GNU.sparse.") else "header"
            raise refused(reason, f"an extended header says {quoted(key)}")
    if not records and path is None and size is None:
        raise refused("header", "an extended header says nothing")
    if path is not None and (not path or b"\0" in path):
        raise refused("name", f"{quoted(path)} is no path")
    return Extension(path, None if size is None else _read_size(size))


def check_global(data: bytes) -> None:
    """Accept the comment that ``git archive`` writes; nothing else may speak for every member.

    Raises:
        LoopXError: ``archive_error/header``.
    """
    for key, _ in _records(data):
        if key != "comment":
            raise refused("header", f"a global extended header says {quoted(key)}")


def _records(data: bytes) -> Iterator[tuple[str, bytes]]:
    at = 0
    while at < len(data):
        record = _RECORD.match(data, at)
        end = at + int(record[1]) if record is not None else 0
        if record is None or not record.end() < end <= len(data) or data[end - 1] != ord("\n"):
            raise refused("header", "an extended header is malformed")
        yield _read_key(record[2]), data[record.end() : end - 1]
        at = end


def _read_key(key: bytes) -> str:
    try:
        return key.decode("utf-8")
    except UnicodeDecodeError:
        raise refused("header", "an extended header is not UTF-8") from None


def _read_size(text: bytes) -> int:
    if not _DECIMAL.fullmatch(text):
        raise refused("header", f"an extended header says {quoted(text)} for a size")
    return int(text)
