"""The one place where a failure of the file system becomes an error of LoopX."""

import errno
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from loopx.domain.errors import LoopXError

_WORDS: Final = {
    errno.EACCES: "permission denied",
    errno.EDQUOT: "the disk quota is used up",
    errno.EEXIST: "something of that name is there already",
    errno.EFBIG: "the file would be larger than allowed",
    errno.EIO: "the disk failed",
    errno.ELOOP: "there is a link where none should be",
    errno.EMFILE: "too many files are open",
    errno.ENAMETOOLONG: "the name is too long",
    errno.ENFILE: "too many files are open",
    errno.ENOENT: "it does not exist",
    errno.ENOSPC: "the disk is full",
    errno.ENOTDIR: "it is no directory",
    errno.EPERM: "permission denied",
    errno.EROFS: "the file system is read-only",
}


@contextmanager
def writing(path: str) -> Generator[None]:
    """Turn a failure to write into ``state_error/unwritable`` that names the path."""
    try:
        yield
    except OSError as error:
        raise _fault("unwritable", path, error) from None


@contextmanager
def reading(path: str) -> Generator[None]:
    """Turn a failure to read into ``state_error/unreadable`` that names the path."""
    try:
        yield
    except OSError as error:
        raise _fault("unreadable", path, error) from None


def _fault(reason: str, path: str, error: OSError) -> LoopXError:
    words = _WORDS.get(error.errno or 0, f"system error {error.errno}")
    return LoopXError("state_error", reason, detail=f"{path}: {words}")
