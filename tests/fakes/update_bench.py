"""Everything that an update needs, in memory or on the disk, with a far side that serves releases."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from fakes.releases import Packed, act
from loopx.adapters.filesystem.locks import FileLocks
from loopx.adapters.filesystem.release_tree import FileReleaseTree
from loopx.adapters.filesystem.staging import FileStaging
from loopx.adapters.filesystem.staging_leftovers import SweptStaging
from loopx.adapters.filesystem.update_journal import FileUpdateJournal
from loopx.adapters.filesystem.update_place import FileUpdatePlace
from loopx.adapters.filesystem.version_pointers import FileVersionPointers
from loopx.adapters.filesystem.version_store import FileVersionStore
from loopx.adapters.memory.archives import MemoryArchives, MemoryTree
from loopx.adapters.memory.artifact_store import MemoryArtifactStore
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.machine import (
    MemoryHostProbe,
    MemoryInstallOwner,
    MemoryLocks,
    MemoryProcessRunner,
    MemoryUpdatePlace,
    MemoryUpdateProgress,
)
from loopx.adapters.memory.transport import MemoryTransport, Reply
from loopx.adapters.memory.versions import MemoryReleaseTree, MemoryUpdateJournal, MemoryVersions
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.process.host import SystemHost
from loopx.adapters.process.runner import SystemProcessRunner
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.clock import Clock
from loopx.application.ports.host_probe import HostProbe
from loopx.application.ports.leftovers import Leftovers
from loopx.application.ports.locks import Locks
from loopx.application.ports.process_runner import ProcessRunner
from loopx.application.ports.release_tree import ReleaseTree
from loopx.application.ports.staging import Staging
from loopx.application.ports.update_journal import UpdateJournal
from loopx.application.ports.update_place import UpdatePlace
from loopx.application.ports.update_progress import UpdateProgress
from loopx.application.ports.version_pointers import VersionPointers
from loopx.application.ports.version_store import VersionStore
from loopx.application.steps.bring_release import BringRelease, Yard
from loopx.application.steps.fetch_archive import FetchArchive
from loopx.application.steps.install_release import InstallRelease, Ways
from loopx.application.steps.one_update import OneUpdate
from loopx.application.steps.settle_versions import SettleVersions
from loopx.application.steps.switch_version import SwitchVersion
from loopx.application.steps.versions_home import VersionsHome
from loopx.application.use_cases.adopt_installation import AdoptInstallation
from loopx.application.use_cases.list_versions import ListVersions, VersionFacts
from loopx.application.use_cases.plan_self_update import PlanSelfUpdate
from loopx.application.use_cases.recover_versions import RecoverVersions
from loopx.application.use_cases.roll_back import RollBack
from loopx.application.use_cases.self_update import SelfUpdate
from loopx.domain.consent import Question
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.processes import Command, Finished
from loopx.domain.updates.change import Change
from loopx.domain.updates.layout import Layout
from loopx.domain.updates.owner import Evidence
from loopx.domain.updates.places import CURRENT
from loopx.domain.updates.plan import PlannedStep, Wish
from loopx.domain.updates.preflight import Place
from loopx.domain.updates.release import ENTRY
from loopx.domain.updates.settlement import Settlement
from loopx.domain.versions import Version

URL: Final = "https://releases.example/loopx.tar.gz"
OWN: Final = Evidence(package="/data/versions/x/lib/loopx", interpreter="/python", managed="x")
FOREIGN: Final = Evidence(package="/opt/lib/loopx", interpreter="/opt/python", installer="pip")
RUNNING: Final = Version("0.1.0", (0, 1, 0))
CONTEXT: Final = CallContext(trace=TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"))


class Agreeing:
    """A person who always agrees; the questions are there to look at."""

    def __init__(self) -> None:
        self.questions: list[Question] = []

    def ask(self, question: Question, context: CallContext) -> None:
        self.questions.append(question)


@dataclass(kw_only=True)
class Parts:
    """The adapters; a test may put another in the place of each."""

    layout: Layout
    store: VersionStore
    pointers: VersionPointers
    leftovers: tuple[Leftovers, ...]
    journal: UpdateJournal
    locks: Locks
    impatient: Locks
    """The same locks for whoever does not wait."""
    staging: Staging
    reader: ArchiveReader
    tree: ReleaseTree
    runner: ProcessRunner
    host: HostProbe
    place: UpdatePlace
    clock: Clock
    progress: UpdateProgress = field(default_factory=MemoryUpdateProgress)
    evidence: Evidence = OWN
    consent: Agreeing = field(default_factory=Agreeing)
    environment: Mapping[str, str] = field(default_factory=lambda: {"PATH": "/usr/bin:/bin"})
    patience: float = 30.0


def in_memory() -> Parts:
    """No disk, and a machine that understands the launchers of ``fakes.releases``."""
    trees: dict[str, MemoryTree] = {}
    versions, locks = MemoryVersions(trees), MemoryLocks()

    def run(command: Command) -> Finished:
        if "compileall" in command.arguments:
            return Finished(exit_code=0)
        folder = command.arguments[0].split("/")[-3]
        name = versions.found().pointers.current if folder == CURRENT else folder
        launcher = versions.versions.get(name or "", {}).get(ENTRY)
        if launcher is None:
            return Finished(exit_code=127)
        return act(launcher.content.decode(), through_pointer=folder == CURRENT)

    return Parts(
        layout=Layout("/home"),
        store=versions,
        pointers=versions,
        leftovers=(versions,),
        journal=MemoryUpdateJournal(),
        locks=locks,
        impatient=locks,
        staging=MemoryArtifactStore(trees),
        reader=MemoryArchives(trees),
        tree=MemoryReleaseTree(trees),
        runner=MemoryProcessRunner(run),
        host=MemoryHostProbe(),
        place=MemoryUpdatePlace(Place(path="/home", owner=1, user=1, writable=True, free=10**9)),
        clock=MemoryClock(),
    )


def on_disk(home: Path) -> Parts:
    """The real adapters, as the container has them."""
    locks = FileLocks(home)
    staging = FileStaging(home / "staging", locks=locks)
    store, pointers = FileVersionStore(str(home)), FileVersionPointers(str(home))
    return Parts(
        layout=Layout(str(home)),
        store=store,
        pointers=pointers,
        leftovers=(store, pointers, SweptStaging(staging)),
        journal=FileUpdateJournal(str(home)),
        locks=locks,
        impatient=FileLocks(home, patience=0.0),
        staging=staging,
        reader=TarballReader(),
        tree=FileReleaseTree(),
        runner=SystemProcessRunner(),
        host=SystemHost(),
        place=FileUpdatePlace(str(home)),
        clock=SystemClock(),
    )


class Bench:
    """The use cases over some parts; what is asked for is served as the archive."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self.replies: list[Reply] = []
        self.transport = MemoryTransport(lambda _request: self.replies.pop(0))
        self.home = VersionsHome(
            layout=parts.layout,
            store=parts.store,
            pointers=parts.pointers,
            journal=parts.journal,
            progress=parts.progress,
        )
        self.settle = SettleVersions(home=self.home, leftovers=parts.leftovers)
        self._exclusively = OneUpdate(home=self.home, locks=parts.locks, settle=self.settle)
        self._switch = SwitchVersion(
            home=self.home, runner=parts.runner, environment=parts.environment, patience=parts.patience
        )

    def update(self, packed: Packed, *, sha256: str | None = None) -> Change:
        """Update to a release."""
        self.replies = [Reply(content=packed.content)]
        deed = SelfUpdate(
            owner=MemoryInstallOwner(self.parts.evidence),
            consent=self.parts.consent,
            install=self._install(),
            running=RUNNING,
        )
        return asyncio.run(deed(URL, sha256 or packed.sha256, CONTEXT))

    def adopt(self, packed: Packed) -> Change:
        """Adopt with a release."""
        self.replies = [Reply(content=packed.content)]
        deed = AdoptInstallation(
            owner=MemoryInstallOwner(self.parts.evidence),
            consent=self.parts.consent,
            install=self._install(),
            layout=self.parts.layout,
            running=RUNNING,
        )
        return asyncio.run(deed(URL, packed.sha256, CONTEXT))

    def roll_back(self) -> Change:
        """Go back."""
        deed = RollBack(
            owner=MemoryInstallOwner(self.parts.evidence),
            consent=self.parts.consent,
            home=self.home,
            exclusively=self._exclusively,
            switch=self._switch,
        )
        return asyncio.run(deed(CONTEXT))

    def recover(self) -> Settlement | None:
        """The next start."""
        return RecoverVersions(locks=self.parts.impatient, settle=self.settle)()

    def versions(self) -> tuple[VersionFacts, ...]:
        """What is here."""
        return ListVersions(store=self.parts.store)()

    def plan(self, wish: Wish) -> tuple[PlannedStep, ...]:
        """What would be done."""
        owner = MemoryInstallOwner(self.parts.evidence)
        return PlanSelfUpdate(owner=owner, place=self.parts.place, home=self.home)(wish)

    @property
    def current(self) -> str | None:
        """What is started."""
        return self.parts.store.found().pointers.current

    def _install(self) -> InstallRelease:
        parts = self.parts
        yard = Yard(
            fetch=FetchArchive(transport=self.transport),
            reader=parts.reader,
            staging=parts.staging,
            tree=parts.tree,
            runner=parts.runner,
            host=parts.host,
            place=parts.place,
        )
        bring = BringRelease(home=self.home, yard=yard, clock=parts.clock)
        ways = Ways(exclusively=self._exclusively, bring=bring, switch=self._switch)
        return InstallRelease(home=self.home, ways=ways, place=parts.place)
