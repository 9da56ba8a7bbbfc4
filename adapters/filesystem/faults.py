"""The one place where a failure of the file system becomes an error of LoopX."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from loopx.domain.errors import LoopXError

_WORDS: Final = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EFBIG: "the file would be larger than allowed",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "the folder does not exist",
    errno.ENOTDIR: "a part of the path is no folder",
    errno.EISDIR: "there is a folder of that name",
    errno.ELOOP: "the path leads in a circle of links",
    errno.ENAMETOOLONG: "the name is too long",
    errno.EXDEV: "source and target are on different file systems",
    errno.EIO: "the disk failed",
    errno.ENOLCK: "the file system gives no locks",
    errno.EOPNOTSUPP: "the file system gives no locks",
}


def describe(error: OSError) -> str:
    """What an error number means, in LoopX's own words."""
    return _WORDS.get(error.errno or 0, f"system error {error.errno}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a failure to write into ``state_error/unwritable`` that names the path."""
    try:
        yield
    except OSError as error:
        raise LoopXError("state_error", "unwritable", detail=f"{path}: {describe(error)}") from None


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn a failure to read into ``state_error/unreadable`` that names the path."""
    try:
        yield
    except OSError as error:
        raise LoopXError("state_error", "unreadable", detail=f"{path}: {describe(error)}") from None
