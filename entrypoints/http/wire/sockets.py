"""Sockets to listen on."""

import errno
import os
import socket
import stat
from pathlib import Path
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.listening import Listening

_PRIVATE: Final = 0o600
_OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
_SEND_BUFFER: Final = 128 * 1024
"""Bytes; what the kernel holds for a client is what that client misses when it comes back for more."""


def open_socket(listening: Listening) -> socket.socket:
    """A bound socket.

    Raises:
        LoopXError: ``listen_error``.
    """
    if listening.unix is not None:
        return _open_unix(Path(listening.unix))
    is_ipv6 = ":" in listening.address
    family = socket.AF_INET6 if is_ipv6 else socket.AF_INET
    place = listening.url(listening.port)
    try:
        listener = socket.socket(family, socket.SOCK_STREAM)
    except OSError:
        raise LoopXError("listen_error", "address_unusable", detail=place) from None
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
    if is_ipv6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    try:
        listener.bind((listening.address, listening.port))
    except OSError as error:
        listener.close()
        reason = "address_in_use" if error.errno == errno.EADDRINUSE else "address_unusable"
        raise LoopXError("listen_error", reason, detail=place) from None
    return listener


def release(listener: socket.socket) -> None:
    """Close a socket and take its path away; what is closed already may be another's path by now."""
    if listener.family == socket.AF_UNIX and listener.fileno() != -1:
        Path(listener.getsockname()).unlink(missing_ok=True)
    listener.close()


def _open_unix(path: Path) -> socket.socket:
    _refuse_exposed(path.parent)
    _remove_stale(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Between bind and chmod nobody else may get in, so the mode is right from the start.
    mask = os.umask(0o777 & ~_PRIVATE)
    try:
        listener.bind(str(path))
    except OSError as error:
        listener.close()
        detail = "its path is too long" if len(os.fsencode(path)) > 107 else os.strerror(error.errno or 0)  # noqa: PLR2004 - sun_path
        raise LoopXError("listen_error", "socket_path", detail=f"{path}: {detail}") from None
    finally:
        os.umask(mask)
    return listener


def _refuse_exposed(folder: Path) -> None:
    """Who can write in the folder could put a socket of their own in this one's place."""
    try:
        status = folder.stat()
    except OSError:
        raise LoopXError("listen_error", "socket_path", detail=f"{folder}: there is no such folder") from None
    is_shared = status.st_mode & _OTHERS_WRITE and not status.st_mode & stat.S_ISVTX
    if is_shared or status.st_uid not in {os.geteuid(), 0}:
        raise LoopXError("listen_error", "socket_path", detail=f"{folder}: others can change this folder")


def _remove_stale(path: Path) -> None:
    """Take the place of a server that is gone; never of one that answers, nor of any other file."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise LoopXError(
            "listen_error", "socket_path", detail=f"{path}: {os.strerror(error.errno or 0)}"
        ) from None
    if not stat.S_ISSOCK(status.st_mode):
        raise LoopXError("listen_error", "socket_path", detail=f"{path}: there is a file already")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            raise LoopXError(
                "listen_error", "socket_path", detail=f"{path}: {os.strerror(error.errno or 0)}"
            ) from None
    raise LoopXError("listen_error", "address_in_use", detail=str(path))
