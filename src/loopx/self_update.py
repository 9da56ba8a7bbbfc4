"""Updating LoopX for programs; ``loopx self-update`` is the same from a shell.

    from loopx import self_update
    self_update.update("https://…/loopx-0.2.0.tar.gz", checksum="…", yes=True)
    self_update.restart()

Consent is a person's: ``yes=True`` says that one has decided, and does not help an agent (LOOPX_AGENT_ID).
A program that runs keeps the version it was started from, until it restarts.
"""

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import NoReturn

from loopx.application.use_cases.list_versions import Standing, VersionFacts
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.registry.checksum import read_checksum
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.plan import PlannedStep, Verdict, Wish
from loopx.domain.updates.seal import BadMark, Seal
from loopx.domain.updates.settlement import Settlement
from loopx.entrypoints.container import Container, Settings, close

__all__ = [
    "BadMark",
    "Change",
    "Deed",
    "PlannedStep",
    "Seal",
    "Settlement",
    "Standing",
    "Verdict",
    "VersionFacts",
    "aadopt",
    "adopt",
    "aroll_back",
    "aupdate",
    "list_versions",
    "plan",
    "recover",
    "restart",
    "roll_back",
    "update",
]

DOWNLOAD_TIMEOUT = 900.0
"""Seconds."""


def update(url: str, *, checksum: str, yes: bool = False, timeout: float = DOWNLOAD_TIMEOUT) -> Change:
    """Install a release and let it be the one that is started; ``timeout`` of the download in seconds.

    Raises:
        LoopXError: ``update_error/owner`` with the command to use instead; ``consent_required``;
            ``integrity_error`` before anything is unpacked; ``archive_error``; ``update_error``;
            ``state_error``; or what the transport raises. The old version stays in each case.
    """
    return asyncio.run(aupdate(url, checksum=checksum, yes=yes, timeout=timeout))


async def aupdate(url: str, *, checksum: str, yes: bool = False, timeout: float = DOWNLOAD_TIMEOUT) -> Change:
    """The same within a running event loop; raises as ``update``."""
    digest = read_checksum(checksum)
    return await _do(lambda made: made.updates().self_update(url, digest, _context(made, timeout)), yes=yes)


def adopt(url: str, *, checksum: str, yes: bool = False, timeout: float = DOWNLOAD_TIMEOUT) -> Change:
    """Install a release beside a copy that another tool owns and whose files stay as they are.

    Raises:
        LoopXError: ``update_error/managed``; otherwise as ``update``.
    """
    return asyncio.run(aadopt(url, checksum=checksum, yes=yes, timeout=timeout))


async def aadopt(url: str, *, checksum: str, yes: bool = False, timeout: float = DOWNLOAD_TIMEOUT) -> Change:
    """The same within a running event loop; raises as ``adopt``."""
    digest = read_checksum(checksum)
    return await _do(lambda made: made.updates().adopt(url, digest, _context(made, timeout)), yes=yes)


def roll_back(*, yes: bool = False) -> Change:
    """Go back to the previous version; the present one is kept.

    Raises:
        LoopXError: ``update_error`` with reason ``owner``, ``no_version``, ``state``, ``unhealthy`` or
            ``returned``; ``consent_required``; ``state_error``.
    """
    return asyncio.run(aroll_back(yes=yes))


async def aroll_back(*, yes: bool = False) -> Change:
    """The same within a running event loop; raises as ``roll_back``."""
    return await _do(lambda made: made.updates().roll_back(_context(made)), yes=yes)


def plan(
    url: str | None = None, *, checksum: str | None = None, adopt: bool = False
) -> tuple[PlannedStep, ...]:
    """What an update would do; nothing is fetched and nothing is written.

    Raises:
        LoopXError: ``usage_error/checksum``; ``state_error``.
    """
    digest = None if checksum is None else read_checksum(checksum)
    return _container(yes=False).updates().plan(Wish(url=url, sha256=digest, adopt=adopt))


def list_versions() -> tuple[VersionFacts, ...]:
    """The versions that are here, the newest first.

    Raises:
        LoopXError: ``state_error/unreadable``.
    """
    return _container(yes=False).updates().list_versions()


def recover() -> Settlement | None:
    """Bring an update that was interrupted to its end, as every start of ``loopx`` does.

    Raises:
        LoopXError: ``state_error``.
    """
    return _container(yes=False).updates().recover()


def restart() -> NoReturn:
    """Become the version that is current by now, with the same arguments and process id.

    What was written is flushed; nothing registered with ``atexit`` runs, so close what you opened first.

    Raises:
        LoopXError: ``update_error/restart_loop`` when it happens again and again; ``restart_failed``.
    """
    _container(yes=False).updates().restart(sys.orig_argv, sys.argv[1:])


async def _do(deed: Callable[[Container], Awaitable[Change]], *, yes: bool) -> Change:
    container = _container(yes=yes)
    try:
        return await deed(container)
    finally:
        await close(container)


def _container(*, yes: bool) -> Container:
    return Container(settings=replace(Settings.of(dict(os.environ)), assume_yes=yes))


def _context(container: Container, timeout: float = DOWNLOAD_TIMEOUT) -> CallContext:
    entropy = container.entropy()
    return CallContext(
        trace=TraceContext(entropy.hex(16), entropy.hex(8)),
        agent_id=os.environ.get("LOOPX_AGENT_ID") or None,
        turn_id=os.environ.get("LOOPX_TURN_ID") or None,
        timeout=timeout,
    )
