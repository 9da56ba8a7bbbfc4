"""The part of the composition root about LoopX's own versions: assignments, each made when asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import loopx
from loopx.adapters.filesystem.locks import FileLocks
from loopx.adapters.filesystem.release_tree import FileReleaseTree
from loopx.adapters.filesystem.staging import FileStaging
from loopx.adapters.filesystem.staging_leftovers import SweptStaging
from loopx.adapters.filesystem.update_journal import FileUpdateJournal
from loopx.adapters.filesystem.update_place import FileUpdatePlace
from loopx.adapters.filesystem.version_pointers import FileVersionPointers
from loopx.adapters.filesystem.version_store import FileVersionStore
from loopx.adapters.memory.machine import MemoryUpdateProgress
from loopx.adapters.process.host import SystemHost
from loopx.adapters.process.install_owner import SystemInstallOwner
from loopx.adapters.process.restarter import SystemRestarter
from loopx.adapters.process.runner import SystemProcessRunner
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.clock import Clock
from loopx.application.ports.consent import Consent
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.ports.update_progress import UpdateProgress
from loopx.application.steps.bring_release import BringRelease, Yard
from loopx.application.steps.fetch_archive import FetchArchive
from loopx.application.steps.install_release import InstallRelease, Ways
from loopx.application.steps.one_update import OneUpdate
from loopx.application.steps.settle_versions import SettleVersions
from loopx.application.steps.switch_version import SwitchVersion
from loopx.application.steps.versions_home import VersionsHome
from loopx.application.use_cases.adopt_installation import AdoptInstallation
from loopx.application.use_cases.list_versions import ListVersions
from loopx.application.use_cases.plan_self_update import PlanSelfUpdate
from loopx.application.use_cases.recover_versions import RecoverVersions
from loopx.application.use_cases.restart_program import RestartProgram
from loopx.application.use_cases.roll_back import RollBack
from loopx.application.use_cases.self_update import SelfUpdate
from loopx.domain.updates.layout import Layout
from loopx.domain.updates.places import STAGING, enclosing_home
from loopx.domain.versions import Version

_PATIENT = 30.0
"""Seconds to wait for another update."""


@dataclass(frozen=True, kw_only=True)
class Updates:
    """Every object of self-update; a copy that lies among versions updates those, wherever they are."""

    environment: Mapping[str, str]
    data: Path
    transport: HttpTransport
    clock: Clock
    consent: Consent
    reader: ArchiveReader
    progress: UpdateProgress = field(default_factory=MemoryUpdateProgress)

    # Facts
    @cached_property
    def package(self) -> str:
        return str(Path(loopx.__file__).resolve().parent)

    @cached_property
    def layout(self) -> Layout:
        return Layout(enclosing_home(self.package) or str(self.data))

    @cached_property
    def running(self) -> Version:
        return Version.of(loopx.__version__)

    # Adapters
    @cached_property
    def owner(self) -> SystemInstallOwner:
        return SystemInstallOwner(package=self.package, home=self.layout.home)

    @cached_property
    def locks(self) -> FileLocks:
        return FileLocks(Path(self.layout.home), patience=_PATIENT)

    @cached_property
    def staging(self) -> FileStaging:
        return FileStaging(Path(self.layout.home, STAGING), locks=self.locks)

    @cached_property
    def store(self) -> FileVersionStore:
        return FileVersionStore(self.layout.home)

    @cached_property
    def pointers(self) -> FileVersionPointers:
        return FileVersionPointers(self.layout.home)

    @cached_property
    def journal(self) -> FileUpdateJournal:
        return FileUpdateJournal(self.layout.home)

    @cached_property
    def place(self) -> FileUpdatePlace:
        return FileUpdatePlace(self.layout.home)

    @cached_property
    def runner(self) -> SystemProcessRunner:
        return SystemProcessRunner()

    # Steps
    @cached_property
    def home(self) -> VersionsHome:
        return VersionsHome(
            layout=self.layout,
            store=self.store,
            pointers=self.pointers,
            journal=self.journal,
            progress=self.progress,
        )

    @cached_property
    def settle(self) -> SettleVersions:
        leftovers = (self.store, self.pointers, SweptStaging(self.staging))
        return SettleVersions(home=self.home, leftovers=leftovers)

    @cached_property
    def exclusively(self) -> OneUpdate:
        return OneUpdate(home=self.home, locks=self.locks, settle=self.settle)

    @cached_property
    def switch(self) -> SwitchVersion:
        return SwitchVersion(home=self.home, runner=self.runner, environment=self.environment)

    @cached_property
    def install(self) -> InstallRelease:
        yard = Yard(
            fetch=FetchArchive(transport=self.transport),
            reader=self.reader,
            staging=self.staging,
            tree=FileReleaseTree(),
            runner=self.runner,
            host=SystemHost(),
            place=self.place,
        )
        bring = BringRelease(home=self.home, yard=yard, clock=self.clock)
        ways = Ways(exclusively=self.exclusively, bring=bring, switch=self.switch)
        return InstallRelease(home=self.home, ways=ways, place=self.place)

    # Use cases
    @cached_property
    def self_update(self) -> SelfUpdate:
        return SelfUpdate(owner=self.owner, consent=self.consent, install=self.install, running=self.running)

    @cached_property
    def adopt(self) -> AdoptInstallation:
        return AdoptInstallation(
            owner=self.owner,
            consent=self.consent,
            install=self.install,
            layout=self.layout,
            running=self.running,
        )

    @cached_property
    def roll_back(self) -> RollBack:
        return RollBack(
            owner=self.owner,
            consent=self.consent,
            home=self.home,
            exclusively=self.exclusively,
            switch=self.switch,
        )

    @cached_property
    def recover(self) -> RecoverVersions:
        return RecoverVersions(locks=FileLocks(Path(self.layout.home), patience=0.0), settle=self.settle)

    @cached_property
    def list_versions(self) -> ListVersions:
        return ListVersions(store=self.store)

    @cached_property
    def plan(self) -> PlanSelfUpdate:
        return PlanSelfUpdate(owner=self.owner, place=self.place, home=self.home)

    @cached_property
    def restart(self) -> RestartProgram:
        return RestartProgram(
            owner=self.owner,
            layout=self.layout,
            restarter=SystemRestarter(),
            clock=self.clock,
            environment=self.environment,
        )
