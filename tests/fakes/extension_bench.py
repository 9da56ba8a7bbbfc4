"""Everything that installing an extension needs, in memory or on a disk, and extensions to install."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from fakes.extensions import CONTEXT
from fakes.tar_bytes import directory, file, targz
from loopx.adapters.filesystem.approvals_file import JsonApprovalsFile
from loopx.adapters.filesystem.artifact_store import FileArtifactStore
from loopx.adapters.filesystem.locks import FileLocks
from loopx.adapters.filesystem.registry_file import JsonRegistryFile
from loopx.adapters.memory.archives import MemoryArchives, MemoryTree
from loopx.adapters.memory.artifact_store import MemoryArtifactStore
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.consent import StandingConsent
from loopx.adapters.memory.extension_host import MemoryExtensionHost
from loopx.adapters.memory.registry import MemoryApprovalsFile, MemoryRegistryFile
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.application.ports.approvals_file import ApprovalsFile
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.artifact_store import ArtifactStore
from loopx.application.ports.consent import Consent
from loopx.application.ports.extension_host import ExtensionHost
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.ports.registry_file import RegistryFile
from loopx.application.steps.approved_extensions import ApprovedExtensions
from loopx.application.steps.extension_records import ExtensionRecords
from loopx.application.steps.fetch_archive import FetchArchive
from loopx.application.steps.obtain_extension import ObtainExtension
from loopx.application.use_cases.add_extension import Added, AddExtension
from loopx.application.use_cases.install_extension import Installed, InstallExtension
from loopx.application.use_cases.list_extensions import ListExtensions
from loopx.application.use_cases.remove_extension import RemoveExtension
from loopx.application.use_cases.verify_extensions import Verification, VerifyExtensions
from loopx.domain.context import CallContext
from loopx.domain.extensions.authoring import Record, Steps
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.http.message import HttpRequest
from loopx.domain.registry.installation import InstallPolicy
from loopx.domain.registry.status import ExtensionStatus

NAME: Final = "quotes"
SITE: Final = "https://extensions.example"
SOURCE: Final = """
from loopx.extension import Record

def latest():
    yield Record({"price": 1})

UNITS = {"quotes.latest": latest}
"""
_MANIFEST: Final = """
id = "{id}"
version = "{version}"
api = ">=1,<2"
entry = "quotes.units:UNITS"
description = "Prices of things"

[[hosts]]
host = "{host}"
methods = {methods}

[[provides]]
kind = "capability"
name = "{namespace}.latest"
summary = "The latest price"

[provides.record]
schema = "{namespace}.price/1"
type = "price"

[[provides.record.fields]]
name = "price"
type = "integer"
description = "What it costs"
"""


def files_of(
    version: str = "1.0.0",
    *,
    name: str = NAME,
    methods: str = '["GET"]',
    host: str = "api.example.com",
    more: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """The files of an extension, below its top directory."""
    manifest = _MANIFEST.format(
        id=name, namespace=name.replace("-", "_"), version=version, methods=methods, host=host
    )
    return {
        "extension.toml": manifest.encode(),
        "quotes/__init__.py": b"",
        "quotes/units.py": SOURCE.encode(),
        **(more or {}),
    }


def archive_of(files: Mapping[str, bytes], top: str = NAME) -> bytes:
    """An archive with one top directory."""
    members = [file(f"{top}/{name}".encode(), content) for name, content in files.items()]
    return targz(directory(f"{top}/".encode()), *members)


def sha256_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def latest() -> Steps:
    yield Record({"price": 1})


@dataclass(slots=True)
class Site:
    """What is served under which path; a reply that is not there is a page that says so."""

    replies: dict[str, Reply] = field(default_factory=dict[str, Reply])
    asked: list[str] = field(default_factory=list[str])

    def offer(self, path: str, content: bytes) -> str:
        """Serve bytes, and give their address."""
        self.replies[path] = Reply(content=content)
        return f"{SITE}{path}"

    def answer(self, request: HttpRequest) -> Reply:
        path = request.url.removeprefix(SITE)
        self.asked.append(path)
        return self.replies.get(path, Reply(status=404, content=b"<!doctype html><title>404</title>"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """The ports, and the deeds over them."""

    registry: RegistryFile
    approvals: ApprovalsFile
    store: ArtifactStore
    archives: ArchiveReader
    transport: HttpTransport
    host: ExtensionHost
    consent: Consent
    clock: MemoryClock = field(default_factory=MemoryClock)
    policy: InstallPolicy = field(default_factory=InstallPolicy)

    @property
    def records(self) -> ExtensionRecords:
        return ExtensionRecords(
            registry=self.registry, approvals=self.approvals, store=self.store, clock=self.clock
        )

    def add(self, url: str, checksum: str | None = None, name: str = NAME) -> Added:
        return AddExtension(records=self.records, policy=self.policy)(name, url, checksum)

    def install(self, name: str = NAME, context: CallContext = CONTEXT) -> Installed:
        fetch = FetchArchive(transport=self.transport)
        obtain = ObtainExtension(fetch=fetch, archives=self.archives, store=self.store)
        deed = InstallExtension(
            records=self.records, obtain=obtain, consent=self.consent, host=self.host, policy=self.policy
        )
        return asyncio.run(deed(name, context))

    def remove(
        self, name: str = NAME, *, forget: bool = False, context: CallContext = CONTEXT
    ) -> ExtensionStatus:
        return RemoveExtension(records=self.records, consent=self.consent)(name, context, forget=forget)

    def statuses(self) -> tuple[ExtensionStatus, ...]:
        return ListExtensions(records=self.records)()

    def verify(self) -> list[Verification]:
        async def collect() -> list[Verification]:
            return [found async for found in VerifyExtensions(records=self.records)()]

        return asyncio.run(collect())

    def running(self) -> dict[str, ExtensionCode]:
        """What would run: every extension in force by its id, its code verified and loaded on trial."""

        async def open_all() -> dict[str, ExtensionCode]:
            installed = ApprovedExtensions(records=self.records)
            codes = [await installed.open(found) for found in installed.approved()]
            for code in codes:
                await self.host.try_load(code, CONTEXT)
            return {code.manifest.id: code for code in codes}

        return asyncio.run(open_all())

    def versions(self) -> dict[str, str]:
        """The versions of what would run."""
        return {name: str(code.manifest.version) for name, code in self.running().items()}

    def but(self, **ports: object) -> "Bench":
        """The same with other ports."""
        return replace(self, **ports)  # type: ignore[arg-type]  # the test says what it means


def memory_host(clock: MemoryClock) -> MemoryExtensionHost:
    return MemoryExtensionHost({NAME: {"quotes.latest": latest}}, clock=clock)


def memory_bench(site: Site, consent: StandingConsent | None = None) -> Bench:
    """All of it in memory; consent is given."""
    trees: dict[str, MemoryTree] = {}
    clock = MemoryClock()
    return Bench(
        registry=MemoryRegistryFile(),
        approvals=MemoryApprovalsFile(),
        store=MemoryArtifactStore(trees),
        archives=MemoryArchives(trees),
        transport=MemoryTransport(site.answer, clock=clock),
        host=memory_host(clock),
        consent=consent or StandingConsent(assume_yes=True),
        clock=clock,
    )


def disk_bench(
    home: Path, site: Site, *, project: str = "project", consent: StandingConsent | None = None
) -> Bench:
    """Everything that is kept lies below a folder; nothing comes over a network."""
    clock = MemoryClock()
    data, folder = home / "data", home / project
    return Bench(
        registry=JsonRegistryFile(folder, locks=FileLocks(folder)),
        approvals=JsonApprovalsFile(data, locks=FileLocks(data)),
        store=FileArtifactStore(data, locks=FileLocks(data)),
        archives=TarballReader(),
        transport=MemoryTransport(site.answer, clock=clock),
        host=memory_host(clock),
        consent=consent or StandingConsent(assume_yes=True),
        clock=clock,
    )


def leftovers(home: Path) -> list[str]:
    """What lies below a folder and belongs to nothing that is in force, locks aside."""
    data = home / "data"
    approvals = JsonApprovalsFile(data, locks=FileLocks(data)).read()
    found: list[str] = []
    for path in sorted(path for path in home.rglob("*") if path.is_file()):
        name = str(path.relative_to(home))
        tree = (
            path.relative_to(data / "extensions").parts[0] if path.is_relative_to(data / "extensions") else ""
        )
        known = path.suffix == ".lock" or path.name in {"registry.json", "approvals.json"}
        if not known and tree not in approvals.digests:
            found.append(name)
    return found
