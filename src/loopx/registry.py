"""Extensions for programs; ``loopx registry`` is the same from a shell.

    from loopx import registry
    registry.add("finance-probe", "https://…/finance-probe-1.0.0.tar.gz", checksum="…")
    registry.install("finance-probe", yes=True)

Consent is a person's: ``yes=True`` says that one has decided, and does not help an agent (LOOPX_AGENT_ID).
``project`` is the folder with registry.json; by default it is found as the command line finds it.
"""

import asyncio
import os
from dataclasses import dataclass, replace

from loopx.application.use_cases.verify_extensions import Verification
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.registry.status import ExtensionStatus
from loopx.entrypoints.container import Container, Settings, close

__all__ = ["Checked", "Extension", "add", "ainstall", "install", "list_extensions", "remove", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Extension:
    """An extension of a registry.

    ``state`` is installed, update_waiting, pin_changed or not_installed; ``version`` and ``sha256`` are
    those in force, else the pinned ones; ``grants`` says in words what it may do; ``approved_at`` is in
    ISO 8601; ``first_download`` tells that nobody had named a checksum for it.
    """

    name: str
    state: str
    url: str
    version: str | None = None
    sha256: str | None = None
    approved_at: str | None = None
    first_download: bool = False
    grants: tuple[str, ...] = ()

    @property
    def installed(self) -> bool:
        """Whether it can be used."""
        return self.approved_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What a verification found: ``differences`` names the files that are not as they were approved."""

    extension: Extension
    intact: bool
    files: int = 0
    differences: tuple[str, ...] = ()


def add(
    name: str, url: str, *, checksum: str | None = None, project: str | os.PathLike[str] | None = None
) -> Extension:
    """Declare an extension; nothing is fetched. Without a checksum its first download is trusted unseen.

    Raises:
        LoopXError: ``usage_error`` with reason ``extension_name`` or ``checksum``; ``request_invalid`` or
            ``egress_blocked/scheme``; ``registry_error/checksum_required``; ``state_error``.
    """
    return _extension(_container(project).add_extension()(name, url, checksum).status)


def install(
    name: str,
    *,
    yes: bool = False,
    project: str | os.PathLike[str] | None = None,
    timeout: float = 30.0,
) -> Extension:
    """Fetch, check and install an extension; what fails leaves everything as it was.

    ``timeout`` is that of the download, in seconds.

    Raises:
        LoopXError: ``registry_error``; ``consent_required``; ``integrity_error``; ``archive_error``;
            ``extension_error``; ``state_error``; or as the transport.
    """
    return asyncio.run(ainstall(name, yes=yes, project=project, timeout=timeout))


async def ainstall(
    name: str,
    *,
    yes: bool = False,
    project: str | os.PathLike[str] | None = None,
    timeout: float = 30.0,
) -> Extension:
    """The same within a running event loop.

    Raises:
        LoopXError: as ``install``.
    """
    container = _container(project, yes=yes)
    context = replace(_context(container), timeout=timeout)
    try:
        installed = await container.install_extension()(name, context)
    finally:
        await close(container)
    return _extension(installed.status)


def list_extensions(*, project: str | os.PathLike[str] | None = None) -> tuple[Extension, ...]:
    """Everything that the registry declares, in order of name.

    Raises:
        LoopXError: ``state_error``.
    """
    return tuple(map(_extension, _container(project).list_extensions()()))


def verify(name: str | None = None, *, project: str | os.PathLike[str] | None = None) -> tuple[Checked, ...]:
    """Read every stored file again, of one extension or of all, and compare it with what was approved.

    Raises:
        LoopXError: ``registry_error/unknown``; ``state_error``.
    """
    verification = _container(project).verify_extensions()

    async def collect() -> tuple[Checked, ...]:
        return tuple([_checked(found) async for found in verification(name)])

    return asyncio.run(collect())


def remove(name: str, *, project: str | os.PathLike[str] | None = None) -> Extension:
    """Take back what was approved in the project, and the entry; gives that as it was.

    Raises:
        LoopXError: ``registry_error/unknown``; ``state_error``.
    """
    container = _container(project)
    return _extension(container.remove_extension()(name, _context(container)))


def _container(project: str | os.PathLike[str] | None, *, yes: bool = False) -> Container:
    folder = os.fspath(project) if project is not None else None
    return Container(settings=replace(Settings.of(dict(os.environ), project=folder), assume_yes=yes))


def _context(container: Container) -> CallContext:
    entropy = container.entropy()
    return CallContext(
        trace=TraceContext(entropy.hex(16), entropy.hex(8)), agent_id=os.environ.get("LOOPX_AGENT_ID") or None
    )


def _extension(status: ExtensionStatus) -> Extension:
    entry, approval = status.entry, status.approval
    declared = Extension(
        name=entry.name,
        state=status.state.value,
        url=entry.source.url,
        version=entry.version,
        sha256=entry.source.sha256,
    )
    if approval is None:
        return declared
    return replace(
        declared,
        version=approval.version,
        sha256=approval.artifact.sha256,
        approved_at=approval.approved_at,
        first_download=approval.unseen,
        grants=approval.grants.lines,
    )


def _checked(found: Verification) -> Checked:
    named = tuple(map(str, found.differences)) or ((str(found.error),) if found.error is not None else ())
    return Checked(
        extension=_extension(found.status), intact=found.intact, files=found.files, differences=named
    )
