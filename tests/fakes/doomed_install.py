"""A process that installs, removes or adds, and kills itself at a named point, or whose disk is too small.

``python -m fakes.doomed_install HOME DEED POINT`` works on what ``disk_bench`` keeps below HOME. The points
lie around the calls of the ports and, where one takes long, in the middle of it. The deed ``everything``
takes a JSON list of faults of ``fakes.failing_disk`` instead, lives through an installation and an update
under each of them, and writes what came of it as JSON, one object a line.
"""

import json
import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from fakes.extension_bench import SITE, Bench, Site, disk_bench, leftovers, sha256_of
from fakes.failing_disk import limited, mounted
from fakes.outcomes import outcome_of, pair_of
from loopx.application.ports.approvals_file import ApprovalsFile
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.artifact_store import ArtifactStore
from loopx.application.ports.byte_source import ByteSource
from loopx.application.ports.consent import Consent
from loopx.application.ports.extension_host import ExtensionHost, ExtensionSession
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.ports.registry_file import RegistryFile
from loopx.application.ports.staging import StagingArea
from loopx.domain.archives.limits import ArchiveLimits
from loopx.domain.archives.member import ArchiveSummary
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.http.message import BodySink, HttpRequest, HttpResponse
from loopx.domain.registry.approvals import Approvals, Artifact
from loopx.domain.registry.document import Registry
from loopx.domain.registry.tree import Examination, Tree
from loopx.domain.schema import Data

INSTALL_POINTS: Final = (
    "staged",
    "half downloaded",
    "downloaded",
    "half extracted",
    "extracted",
    "sealed",
    "asking",
    "trial",
    "committing",
    "committed",
    "approving",
    "approved",
    "pinning",
    "pinned",
)
REMOVE_POINTS: Final = ("approving", "approved", "pinning", "pinned")
ADD_POINTS: Final = ("pinning", "pinned")


@dataclass(frozen=True, slots=True)
class Doom:
    """The end, once a point is reached."""

    point: str

    def reach(self, point: str) -> None:
        if point == self.point:
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class DoomedSink:
    inner: BodySink
    doom: Doom

    def restart(self) -> None:
        self.inner.restart()

    def write(self, piece: bytes) -> None:
        half = len(piece) // 2
        self.inner.write(piece[:half])
        self.doom.reach("half downloaded")
        self.inner.write(piece[half:])


@dataclass(frozen=True, slots=True)
class DoomedTransport:
    inner: HttpTransport
    doom: Doom

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        sink = DoomedSink(request.sink, self.doom) if request.sink is not None else None
        response = await self.inner.send(replace(request, sink=sink), context)
        self.doom.reach("downloaded")
        return response


@dataclass(slots=True)
class DoomedSource:
    """Ends in the middle of the second pass, when half of the files are written."""

    inner: ByteSource
    doom: Doom
    passes: int = 0
    reads: int = 0

    def seek(self, offset: int, /) -> int:
        self.passes, self.reads = self.passes + 1, 0
        return self.inner.seek(offset)

    def read(self, size: int, /) -> bytes:
        self.reads += 1
        if self.passes >= 2 and self.reads >= 8:
            self.doom.reach("half extracted")
        return self.inner.read(size)


@dataclass(frozen=True, slots=True)
class DoomedArchives:
    inner: ArchiveReader
    doom: Doom

    async def inspect(self, source: ByteSource, limits: ArchiveLimits) -> ArchiveSummary:
        return await self.inner.inspect(source, limits)

    async def extract(self, source: ByteSource, destination: str, limits: ArchiveLimits) -> ArchiveSummary:
        summary = await self.inner.extract(DoomedSource(source, self.doom), destination, limits)
        self.doom.reach("extracted")
        return summary


@dataclass(frozen=True, slots=True)
class DoomedStore:
    inner: ArtifactStore
    doom: Doom

    @contextmanager
    def stage(self) -> Iterator[StagingArea]:
        with self.inner.stage() as area:
            self.doom.reach("staged")
            yield area

    async def seal(self, area: StagingArea, top: str) -> Tree:
        tree = await self.inner.seal(area, top)
        self.doom.reach("sealed")
        return tree

    async def commit(self, area: StagingArea, artifact: Artifact) -> None:
        self.doom.reach("committing")
        await self.inner.commit(area, artifact)
        self.doom.reach("committed")

    async def examine(self, artifact: Artifact) -> Examination:
        return await self.inner.examine(artifact)

    def collect(self, keep: Callable[[], Collection[str]]) -> None:
        self.inner.collect(keep)


@dataclass(frozen=True, slots=True)
class DoomedConsent:
    inner: Consent
    doom: Doom

    def ask(self, question: Question, context: CallContext) -> None:
        self.doom.reach("asking")
        self.inner.ask(question, context)


@dataclass(frozen=True, slots=True)
class DoomedHost:
    inner: ExtensionHost
    doom: Doom

    async def try_load(self, code: ExtensionCode, context: CallContext) -> None:
        self.doom.reach("trial")
        await self.inner.try_load(code, context)

    async def open(
        self, code: ExtensionCode, unit: str, parameters: Data, context: CallContext
    ) -> ExtensionSession:
        return await self.inner.open(code, unit, parameters, context)


@dataclass(frozen=True, slots=True)
class DoomedApprovals:
    inner: ApprovalsFile
    doom: Doom

    def read(self) -> Approvals:
        return self.inner.read()

    def update(self, change: Callable[[Approvals], Approvals]) -> Approvals:
        def changing(old: Approvals) -> Approvals:
            self.doom.reach("approving")
            return change(old)

        after = self.inner.update(changing)
        self.doom.reach("approved")
        return after

    def recover(self) -> None:
        self.inner.recover()


@dataclass(frozen=True, slots=True)
class DoomedRegistry:
    inner: RegistryFile
    doom: Doom

    @property
    def project(self) -> str:
        return self.inner.project

    def read(self) -> Registry:
        return self.inner.read()

    def update(self, change: Callable[[Registry], Registry]) -> Registry:
        def changing(old: Registry) -> Registry:
            self.doom.reach("pinning")
            return change(old)

        after = self.inner.update(changing)
        self.doom.reach("pinned")
        return after

    def recover(self) -> None:
        self.inner.recover()


def doomed(bench: Bench, doom: Doom) -> Bench:
    """The same bench, which does not live past a point."""
    return bench.but(
        registry=DoomedRegistry(bench.registry, doom),
        approvals=DoomedApprovals(bench.approvals, doom),
        store=DoomedStore(bench.store, doom),
        archives=DoomedArchives(bench.archives, doom),
        transport=DoomedTransport(bench.transport, doom),
        host=DoomedHost(bench.host, doom),
        consent=DoomedConsent(bench.consent, doom),
    )


def site_of(folder: Path) -> Site:
    """Serves every archive in a folder under its own name."""
    site = Site()
    for path in folder.glob("*.tar.gz"):
        site.offer(f"/{path.name}", path.read_bytes())
    return site


def perform(bench: Bench, deed: str, content: bytes) -> None:
    match deed:
        case "install":
            bench.install()
        case "remove":
            bench.remove()
        case _:
            bench.add(f"https://extensions.example/{deed}", sha256_of(content))


def main(home: Path, deed: str, point: str) -> None:
    if deed != "everything":
        perform(doomed(disk_bench(home, site_of(home.parent)), Doom(point)), deed, b"")
        return
    for number, fault in enumerate(json.loads(point)):
        place = home / str(number)
        place.mkdir()
        with mounted(place, fault), limited(fault):
            sys.stdout.write(json.dumps(live_through(place, site_of(home.parent))) + "\n")


def live_through(home: Path, site: Site) -> dict[str, object]:
    """Install and update on what there is of a disk; after each, what came of it and what is in force."""
    bench = disk_bench(home, site)
    steps: list[tuple[str | None, object]] = []
    for name in ("one.tar.gz", "two.tar.gz"):
        declared = outcome_of(bench.add, f"{SITE}/{name}")
        installed = outcome_of(bench.install) if pair_of(declared) is None else declared
        steps.append((pair_of(installed), pair_of(outcome_of(bench.versions)) or bench.versions()))
    bench.statuses()
    return {"steps": steps, "left": leftovers(home)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
