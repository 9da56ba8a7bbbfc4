"""The composition root: which adapter stands behind which port. Assignments only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self, runtime_checkable

from dependency_injector import containers, providers

from loopx import __version__
from loopx.adapters.filesystem.approvals_file import JsonApprovalsFile
from loopx.adapters.filesystem.artifact_store import FileArtifactStore
from loopx.adapters.filesystem.homes import locate_homes
from loopx.adapters.filesystem.locks import FileLocks
from loopx.adapters.filesystem.registry_file import JsonRegistryFile
from loopx.adapters.filesystem.serve_token import TOKEN_FILE, FileServeToken
from loopx.adapters.github.pull_requests import GitHubPullRequests
from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.http.stack import HttpxTransport, TransportPorts, TransportSettings
from loopx.adapters.memory.audit import MemoryAuditLog
from loopx.adapters.memory.consent import StandingConsent
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.process.entropy import SystemEntropy
from loopx.adapters.process.environment_credentials import EnvironmentCredentials
from loopx.adapters.process.extension_host import ProcessExtensionHost
from loopx.adapters.process.git_checkout import GitCheckout
from loopx.adapters.sqlite.audit_log import SqliteAuditLog
from loopx.adapters.tarball.archive_reader import TarballReader
from loopx.adapters.tarball.archive_writer import TarballWriter
from loopx.adapters.tarball.extension_source import FolderExtensionSource
from loopx.application.capabilities.catalog import CapabilityCatalog, CapabilitySource
from loopx.application.capabilities.extension_unit import ExtensionCapabilities, ExtensionRuntime
from loopx.application.capabilities.pr_review import PullRequestReview
from loopx.application.ports.approvals_file import ApprovalsFile
from loopx.application.ports.archive_reader import ArchiveReader
from loopx.application.ports.artifact_store import ArtifactStore
from loopx.application.ports.checkout import Checkout
from loopx.application.ports.clock import Clock
from loopx.application.ports.consent import Consent
from loopx.application.ports.credential_source import CredentialSource
from loopx.application.ports.entropy import Entropy
from loopx.application.ports.extension_host import ExtensionHost
from loopx.application.ports.extension_source import ExtensionSource
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.ports.installed_extensions import InstalledExtensions
from loopx.application.ports.pull_request_source import PullRequestSource
from loopx.application.ports.registry_file import RegistryFile
from loopx.application.ports.resolver import Resolver
from loopx.application.ports.serve_token import ServeToken
from loopx.application.steps.approved_extensions import ApprovedExtensions
from loopx.application.steps.extension_records import ExtensionRecords
from loopx.application.steps.fetch_archive import FetchArchive
from loopx.application.steps.meter import Meter
from loopx.application.steps.metered_transport import MeteredTransport
from loopx.application.steps.obtain_extension import ObtainExtension
from loopx.application.use_cases.add_extension import AddExtension
from loopx.application.use_cases.check_extension import CheckExtension
from loopx.application.use_cases.create_extension import CreateExtension
from loopx.application.use_cases.install_extension import InstallExtension
from loopx.application.use_cases.list_extensions import ListExtensions
from loopx.application.use_cases.pack_extension import PackExtension
from loopx.application.use_cases.read_pull_request import ReadPullRequest
from loopx.application.use_cases.remove_extension import RemoveExtension
from loopx.application.use_cases.scan_pull_requests import ScanPullRequests
from loopx.application.use_cases.verify_extensions import VerifyExtensions
from loopx.domain.audit.place import AuditPlace, read_audit_place
from loopx.domain.environment import own_secrets
from loopx.domain.homes import Homes
from loopx.domain.http.credentials import named_host
from loopx.domain.metrics import FAMILIES
from loopx.domain.registry.installation import InstallPolicy
from loopx.domain.repositories import GITHUB

if TYPE_CHECKING:
    from loopx.entrypoints.container_audit import AuditLog, Audits
    from loopx.entrypoints.container_updates import Updates

_USER_AGENT: Final = f"loopx/{__version__}"
_PLAIN: Final = TransportSettings(user_agent=_USER_AGENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that the composition depends on."""

    environment: Mapping[str, str] = field(default_factory=dict)
    project: str | None = None
    assume_yes: bool = False
    """A person has decided beforehand, and nobody is there to be asked."""
    default_host: str = GITHUB
    transport: TransportSettings = _PLAIN
    audit: AuditPlace = AuditPlace.FILE

    @classmethod
    def of(cls, environment: Mapping[str, str], *, project: str | None = None) -> Self:
        """The settings that an environment asks for; ``project`` is the folder that a command line names.

        Raises:
            LoopXError: ``config_invalid/value``.
        """
        return cls(
            environment=environment,
            project=project,
            default_host=named_host(environment) or GITHUB,
            transport=TransportSettings(
                user_agent=_USER_AGENT,
                ca_file=environment.get("SSL_CERT_FILE") or None,
                secrets=own_secrets(environment),
            ),
            audit=read_audit_place(environment),
        )


def _make_updates(**parts: Any) -> "Updates":
    from loopx.entrypoints.container_updates import Updates  # noqa: PLC0415 - few commands need all of this

    return Updates(**parts)


def _make_audits(**parts: Any) -> "Audits":
    from loopx.entrypoints.container_audit import Audits  # noqa: PLC0415 - the same

    return Audits(**parts)


class Container(containers.DeclarativeContainer):
    """Every object of the program; tests pass fakes through the constructor."""

    settings: providers.Provider[Settings] = providers.Object(Settings())

    homes: providers.Provider[Homes] = providers.ThreadSafeSingleton(
        locate_homes, settings.provided.environment, settings.provided.project
    )

    project_folder: providers.Provider[Path] = providers.Factory(Path, homes.provided.project)
    data_folder: providers.Provider[Path] = providers.Factory(Path, homes.provided.data)
    state_folder: providers.Provider[Path] = providers.Factory(Path, homes.provided.state)

    # Outbound adapters
    clock: providers.Provider[Clock] = providers.ThreadSafeSingleton(SystemClock)
    entropy: providers.Provider[Entropy] = providers.ThreadSafeSingleton(SystemEntropy)
    resolver: providers.Provider[Resolver] = providers.ThreadSafeSingleton(SystemResolver)
    credentials: providers.Provider[CredentialSource] = providers.ThreadSafeSingleton(
        EnvironmentCredentials, settings.provided.environment
    )
    checkout: providers.Provider[Checkout] = providers.ThreadSafeSingleton(
        GitCheckout, environment=settings.provided.environment
    )
    audit_log: "providers.Provider[AuditLog]" = providers.Selector(
        settings.provided.audit,
        file=providers.ThreadSafeSingleton(SqliteAuditLog, state_folder, clock=clock),
        memory=providers.ThreadSafeSingleton(MemoryAuditLog, clock=clock),
    )
    unmetered_transport: providers.Provider[HttpTransport] = providers.ThreadSafeSingleton(
        HttpxTransport,
        providers.Factory(
            TransportPorts,
            clock=clock,
            entropy=entropy,
            credentials=credentials,
            resolver=resolver,
            audit=audit_log,
        ),
        settings.provided.transport,
    )
    meter: providers.Provider[Meter] = providers.ThreadSafeSingleton(Meter, FAMILIES)
    transport: providers.Provider[HttpTransport] = providers.ThreadSafeSingleton(
        MeteredTransport, transport=unmetered_transport, meter=meter, clock=clock
    )
    serve_token: providers.Provider[ServeToken] = providers.Factory(
        FileServeToken, path=providers.Factory(Path, homes.provided.state, TOKEN_FILE), entropy=entropy
    )
    consent: providers.Provider[Consent] = providers.ThreadSafeSingleton(
        StandingConsent, assume_yes=settings.provided.assume_yes
    )
    archive_reader: providers.Provider[ArchiveReader] = providers.ThreadSafeSingleton(TarballReader)
    registry_file: providers.Provider[RegistryFile] = providers.ThreadSafeSingleton(
        JsonRegistryFile, project_folder, locks=providers.Factory(FileLocks, project_folder)
    )
    approvals_file: providers.Provider[ApprovalsFile] = providers.ThreadSafeSingleton(
        JsonApprovalsFile, data_folder, locks=providers.Factory(FileLocks, data_folder)
    )
    artifact_store: providers.Provider[ArtifactStore] = providers.ThreadSafeSingleton(
        FileArtifactStore, data_folder, locks=providers.Factory(FileLocks, data_folder)
    )
    extension_source: providers.Provider[ExtensionSource] = providers.ThreadSafeSingleton(
        FolderExtensionSource
    )
    extension_host: providers.Provider[ExtensionHost] = providers.ThreadSafeSingleton(
        ProcessExtensionHost, clock=clock, environment=settings.provided.environment
    )
    updates: "providers.Provider[Updates]" = providers.Factory(
        _make_updates,
        environment=settings.provided.environment,
        data=data_folder,
        transport=transport,
        clock=clock,
        consent=consent,
        reader=archive_reader,
    )
    pull_request_source: providers.Provider[PullRequestSource] = providers.ThreadSafeSingleton(
        GitHubPullRequests, transport=transport, clock=clock
    )

    install_policy: providers.Provider[InstallPolicy] = providers.Factory(
        InstallPolicy.of, settings.provided.environment
    )

    # Steps
    extension_records: providers.Provider[ExtensionRecords] = providers.Factory(
        ExtensionRecords,
        registry=registry_file,
        approvals=approvals_file,
        store=artifact_store,
        clock=clock,
    )
    obtain_extension: providers.Provider[ObtainExtension] = providers.Factory(
        ObtainExtension,
        fetch=providers.Factory(FetchArchive, transport=transport),
        archives=archive_reader,
        store=artifact_store,
    )
    installed_extensions: providers.Provider[InstalledExtensions] = providers.Factory(
        ApprovedExtensions, records=extension_records
    )

    # Use cases
    audits: "providers.Provider[Audits]" = providers.Factory(
        _make_audits, log=audit_log, clock=clock, entropy=entropy, consent=consent
    )
    add_extension: providers.Provider[AddExtension] = providers.Factory(
        AddExtension, records=extension_records, policy=install_policy
    )
    install_extension: providers.Provider[InstallExtension] = providers.Factory(
        InstallExtension,
        records=extension_records,
        obtain=obtain_extension,
        consent=consent,
        host=extension_host,
        policy=install_policy,
    )
    create_extension: providers.Provider[CreateExtension] = providers.Factory(
        CreateExtension, source=extension_source
    )
    check_extension: providers.Provider[CheckExtension] = providers.Factory(
        CheckExtension, source=extension_source, host=extension_host
    )
    pack_extension: providers.Provider[PackExtension] = providers.Factory(
        PackExtension,
        check=check_extension,
        writer=providers.ThreadSafeSingleton(TarballWriter),
    )
    list_extensions: providers.Provider[ListExtensions] = providers.Factory(
        ListExtensions, records=extension_records
    )
    verify_extensions: providers.Provider[VerifyExtensions] = providers.Factory(
        VerifyExtensions, records=extension_records
    )
    remove_extension: providers.Provider[RemoveExtension] = providers.Factory(
        RemoveExtension, records=extension_records, consent=consent
    )
    scan_pull_requests: providers.Provider[ScanPullRequests] = providers.Factory(
        ScanPullRequests, source=pull_request_source, clock=clock
    )
    read_pull_request: providers.Provider[ReadPullRequest] = providers.Factory(
        ReadPullRequest, source=pull_request_source, clock=clock
    )

    # Capabilities
    pr_review: providers.Provider[PullRequestReview] = providers.Factory(
        PullRequestReview, scan=scan_pull_requests, default_host=settings.provided.default_host
    )
    extension_runtime: providers.Provider[ExtensionRuntime] = providers.Factory(
        ExtensionRuntime,
        extensions=installed_extensions,
        host=extension_host,
        transport=transport,
        clock=clock,
    )
    extension_capabilities: providers.Provider[CapabilitySource] = providers.Factory(
        ExtensionCapabilities, extension_runtime
    )
    catalog: providers.Provider[CapabilityCatalog] = providers.Factory(
        CapabilityCatalog, providers.List(pr_review), providers.List(extension_capabilities)
    )


@runtime_checkable
class _Closing(Protocol):
    async def aclose(self) -> None: ...


async def close(container: Container) -> None:
    """Give back what the adapters of a container hold: connections, and the file of the audit log."""
    transport = container.transport()
    if isinstance(transport, _Closing):
        await transport.aclose()
    container.audit_log().close()
