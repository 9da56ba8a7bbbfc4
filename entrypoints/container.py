"""The composition root: which adapter stands behind which port. Assignments only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol, Self, runtime_checkable

from dependency_injector import containers, providers

from loopx import __version__
from loopx.adapters.filesystem.homes import locate_homes
from loopx.adapters.filesystem.serve_token import FileServeToken
from loopx.adapters.github.pull_requests import GitHubPullRequests
from loopx.adapters.http.resolving import SystemResolver
from loopx.adapters.http.stack import HttpxTransport, TransportSettings
from loopx.adapters.process.clock import SystemClock
from loopx.adapters.process.entropy import SystemEntropy
from loopx.adapters.process.environment_credentials import EnvironmentCredentials
from loopx.adapters.process.git_checkout import GitCheckout
from loopx.application.capabilities.catalog import CapabilityCatalog
from loopx.application.capabilities.pr_review import PullRequestReview
from loopx.application.ports.checkout import Checkout
from loopx.application.ports.clock import Clock
from loopx.application.ports.credential_source import CredentialSource
from loopx.application.ports.entropy import Entropy
from loopx.application.ports.http_transport import HttpTransport
from loopx.application.ports.pull_request_source import PullRequestSource
from loopx.application.ports.resolver import Resolver
from loopx.application.ports.serve_token import ServeToken
from loopx.application.steps.meter import Meter
from loopx.application.steps.metered_transport import MeteredTransport
from loopx.application.use_cases.read_pull_request import ReadPullRequest
from loopx.application.use_cases.scan_pull_requests import ScanPullRequests
from loopx.domain.homes import Homes
from loopx.domain.metrics import FAMILIES
from loopx.domain.repositories import GITHUB

_USER_AGENT: Final = f"loopx/{__version__}"
_PLAIN: Final = TransportSettings(user_agent=_USER_AGENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that the composition depends on."""

    environment: Mapping[str, str] = field(default_factory=dict)
    project: str | None = None
    default_host: str = GITHUB
    transport: TransportSettings = _PLAIN

    @classmethod
    def of(cls, environment: Mapping[str, str], *, project: str | None = None) -> Self:
        """The settings that an environment asks for; ``project`` is the folder that a command line names."""
        return cls(
            environment=environment,
            project=project,
            default_host=environment.get("GH_HOST", "").strip().lower() or GITHUB,
            transport=TransportSettings(
                user_agent=_USER_AGENT, ca_file=environment.get("SSL_CERT_FILE") or None
            ),
        )


class Container(containers.DeclarativeContainer):
    """Every object of the program; tests pass fakes through the constructor."""

    settings: providers.Provider[Settings] = providers.Object(Settings())

    homes: providers.Provider[Homes] = providers.ThreadSafeSingleton(
        locate_homes, settings.provided.environment, settings.provided.project
    )

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
    unmetered_transport: providers.Provider[HttpTransport] = providers.ThreadSafeSingleton(
        HttpxTransport,
        clock=clock,
        entropy=entropy,
        credentials=credentials,
        resolver=resolver,
        settings=settings.provided.transport,
    )
    meter: providers.Provider[Meter] = providers.ThreadSafeSingleton(Meter, FAMILIES)
    transport: providers.Provider[HttpTransport] = providers.ThreadSafeSingleton(
        MeteredTransport, transport=unmetered_transport, meter=meter, clock=clock
    )
    serve_token: providers.Provider[ServeToken] = providers.Factory(FileServeToken, entropy=entropy)
    pull_request_source: providers.Provider[PullRequestSource] = providers.ThreadSafeSingleton(
        GitHubPullRequests, transport=transport, clock=clock
    )

    # Use cases
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
    catalog: providers.Provider[CapabilityCatalog] = providers.Factory(
        CapabilityCatalog, providers.List(pr_review)
    )


@runtime_checkable
class _Closing(Protocol):
    async def aclose(self) -> None: ...


async def close(container: Container) -> None:
    """Give back what the adapters of a container hold: connections, for now."""
    transport = container.transport()
    if isinstance(transport, _Closing):
        await transport.aclose()
