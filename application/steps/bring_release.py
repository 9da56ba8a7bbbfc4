"""Bring a release in: fetched, checked, unpacked, sealed, and put beside the other versions."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.clock import Clock
from loopx.application.ports.host_probe import HostProbe
from loopx.application.ports.process_runner import ProcessRunner
from loopx.application.ports.release_tree import ReleaseTree
from loopx.application.ports.staging import Staging, StagingArea
from loopx.application.ports.update_place import UpdatePlace
from loopx.application.steps.fetch_archive import FetchArchive, Promise
from loopx.application.steps.unpack_fetched import unpack_fetched
from loopx.application.steps.versions_home import VersionsHome
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.context import CallContext
from loopx.domain.updates.bytecode import compile_command
from loopx.domain.updates.found import Found
from loopx.domain.updates.journal import JournalEntry
from loopx.domain.updates.preflight import check_room
from loopx.domain.updates.release import Release, check_fit, check_tree, read_release
from loopx.domain.updates.seal import Seal
from loopx.domain.updates.steps import Step
from loopx.domain.updates.succession import Candidate, check_update
from loopx.domain.versions import Version

LIMITS: Final = ArchiveLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Which release is wanted, and the version that it replaces where none is installed yet."""

    url: str
    sha256: str
    running: Version | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Yard:
    """What a release is put together with."""

    fetch: FetchArchive
    reader: ArchiveReader
    staging: Staging
    tree: ReleaseTree
    runner: ProcessRunner
    host: HostProbe
    place: UpdatePlace


class BringRelease:
    """Ends with a version that is whole and that nobody starts yet."""

    def __init__(self, *, home: VersionsHome, yard: Yard, clock: Clock) -> None:
        self._home = home
        self._yard = yard
        self._clock = clock

    async def __call__(
        self, order: Order, entry: JournalEntry, found: Found, context: CallContext
    ) -> tuple[Seal, JournalEntry]:
        """The new version, and the entry of the journal by now.

        Raises:
            LoopXError: as the transport; ``integrity_error`` before anything is unpacked;
                ``archive_error``; ``update_error``; ``state_error``.
        """
        with self._yard.staging.stage() as area:
            root = await self._unpack(order, area, context)
            release, manifest = await self._examine(root, order, found)
            seal = self._describe(release, manifest, order)
            await self._finish(root, seal)
            entry = entry.storing(seal.name)
            self._home.journal.write(entry)
            self._home.store.add(root, seal.name)
            self._home.progress.reached(Step.STORED)
        return seal, entry

    async def _unpack(self, order: Order, area: StagingArea, context: CallContext) -> str:
        yard = self._yard
        fetched = await yard.fetch(order.url, Promise(sha256=order.sha256), area.archive, context)
        self._home.progress.reached(Step.FETCHED)
        summary = await yard.reader.inspect(area.archive, LIMITS)
        check_room(yard.place.inspect(), summary.content_bytes)
        await unpack_fetched(yard.reader, area, fetched, LIMITS)
        self._home.progress.reached(Step.EXTRACTED)
        return f"{area.tree}/{summary.top}"

    async def _examine(self, root: str, order: Order, found: Found) -> tuple[Release, bytes]:
        manifest = await self._yard.tree.manifest(root)
        release = read_release(manifest)
        check_fit(release, self._yard.host.host())
        check_update(Candidate(release.version, order.sha256, release.state), found, order.running)
        check_tree(release, await self._yard.tree.measure(root))
        self._home.progress.reached(Step.VERIFIED)
        return release, manifest

    def _describe(self, release: Release, manifest: bytes, order: Order) -> Seal:
        return Seal(
            version=release.version,
            sha256=order.sha256,
            manifest=sha256(manifest).hexdigest(),
            state=release.state,
            size=release.size,
            installed_at=int(self._clock.now()),
        )

    async def _finish(self, root: str, seal: Seal) -> None:
        interpreter = self._yard.host.host().interpreter
        # Its exit code says nothing: a file that does not compile is one that is never imported,
        # or the health check finds it.
        await self._yard.runner.run(compile_command(interpreter, root, self._home.layout.version(seal.name)))
        await self._yard.tree.seal(root, seal, interpreter)
        self._home.progress.reached(Step.SEALED)
