"""The status server put together: use cases from the container, the HTTP door in front of them."""

import os
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from loopx import __version__
from loopx.application.steps.failures import Failures
from loopx.application.steps.meter import Meter
from loopx.application.steps.runs import RunLimits, Runs
from loopx.application.use_cases.read_status import ReadStatus, ServerProcess
from loopx.domain.access_request import AccessPolicy
from loopx.domain.consent import Question
from loopx.domain.context import CallContext
from loopx.domain.environment import own_secrets
from loopx.domain.errors import LoopXError
from loopx.domain.listening import Listening
from loopx.domain.redaction import Redactor
from loopx.domain.schema import Data
from loopx.domain.secrets import Secret
from loopx.entrypoints.container import Container
from loopx.entrypoints.http.api import RegistryReader, build_router
from loopx.entrypoints.http.app import StatusApp
from loopx.entrypoints.http.capability_runs import CapabilityRuns, Contexts, RunWork
from loopx.entrypoints.http.gate import Gate
from loopx.entrypoints.http.introspection import Introspection
from loopx.entrypoints.http.offering import Offering
from loopx.entrypoints.http.routes import Router
from loopx.entrypoints.http.wire.limits import ServerLimits
from loopx.entrypoints.http.wire.server import HttpServer
from loopx.entrypoints.http.wire.sockets import open_socket, release
from loopx.entrypoints.presentation.extensions import extension_data
from loopx.entrypoints.stopping import Stop

_SIGNALLED: Final = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """Where to listen, where the token is if not in the state home, and the bounds."""

    listening: Listening = field(default_factory=Listening)
    token_file: Path | None = None
    limits: ServerLimits = field(default_factory=ServerLimits)
    runs: RunLimits = field(default_factory=RunLimits)


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """What people and programs are told once the server listens; the token itself is not in it."""

    url: str
    port: int | None
    token_file: str
    pid: int


@dataclass(frozen=True, slots=True)
class StatusServer:
    """What the door is made of, and what must be told when it closes."""

    runs: Runs
    introspection: Introspection
    router: Router
    meter: Meter
    failures: Failures
    redactor: Redactor

    def app(self, policy: AccessPolicy, token: Secret) -> StatusApp:
        """The door, for whom the policy lets in."""
        return StatusApp(
            gate=Gate(policy, token),
            router=self.router,
            meter=self.meter,
            failures=self.failures,
            redactor=self.redactor,
        )


def assemble(
    container: Container,
    token: Secret,
    *,
    registry: RegistryReader | None = None,
    run_limits: RunLimits | None = None,
) -> StatusServer:
    """Put the server together; neither the token nor LoopX's own credentials leave it in any text."""
    failures = Failures(clock=container.clock())
    redactor = Redactor((token, *own_secrets(container.settings().environment)))
    runs = Runs(
        clock=container.clock(),
        entropy=container.entropy(),
        failed=partial(_note, failures),
        limits=run_limits,
    )
    contexts = Contexts(clock=container.clock(), entropy=container.entropy())
    work = RunWork(clock=container.clock(), failures=failures, redactor=redactor)
    offering = Offering(catalog=container.catalog, redactor=redactor)
    introspection = Introspection(
        read_status=_read_status(container, runs, failures), offering=offering, meter=container.meter()
    )
    router = build_router(
        introspection=introspection,
        runs=CapabilityRuns(offering=offering, runs=runs, contexts=contexts, work=work),
        offering=offering,
        version=__version__,
        registry=registry,
    )
    return StatusServer(runs, introspection, router, container.meter(), failures, redactor)


def _note(failures: Failures, error: BaseException) -> None:
    failures.note(LoopXError("internal_error", "defect", detail=type(error).__name__))


def _read_status(container: Container, runs: Runs, failures: Failures) -> ReadStatus:
    return ReadStatus(
        clock=container.clock(),
        process=ServerProcess(os.getpid(), __version__),
        runs=runs,
        failures=failures,
    )


def registry_reader(container: Container) -> RegistryReader:
    """What the project's registry declares, as the command line lists it."""

    def read() -> tuple[Data, ...]:
        project = container.registry_file().project
        return tuple(extension_data(status, project) for status in container.list_extensions()())

    return read


async def serve(
    container: Container,
    options: ServeOptions,
    *,
    context: CallContext,
    started: Callable[[Serving], None],
    stop: Stop | None = None,
) -> int:
    """Serve until SIGTERM, SIGINT or ``stop``; gives the exit code.

    0 when everything that was under way could be finished, else 128 and the signal. A second signal
    cuts what is left; so does a cancellation, at once.

    Raises:
        LoopXError: ``consent_required``, ``listen_error``, ``credential_error`` or ``state_error``
            before anything is served.
    """
    listening, stop = options.listening, stop or Stop()
    ask_to_widen(container, listening, context)
    place = {"path": options.token_file} if options.token_file is not None else {}
    store = container.serve_token(**place)
    token = store.load_or_create()
    server = assemble(container, token, registry=registry_reader(container), run_limits=options.runs)
    async with AsyncExitStack() as stack:
        bound = open_socket(listening)
        stack.callback(release, bound)
        port = None if listening.unix is not None else int(bound.getsockname()[1])
        app = server.app(listening.policy(port or 0), token)
        stack.push_async_callback(server.runs.stop)
        http = await HttpServer.start(bound, app, refuse=app.refuse, limits=options.limits)
        stack.push_async_callback(http.aclose)
        stack.enter_context(stop.on_signals())
        started(Serving(url=listening.url(port or 0), port=port, token_file=store.place, pid=os.getpid()))
        await stop.asked.wait()
        server.introspection.is_stopping = True
        finished = await http.stop(cut=server.runs.stop, hurry=stop.hurried)
    return 0 if finished else _SIGNALLED + stop.number


def ask_to_widen(container: Container, listening: Listening, context: CallContext) -> None:
    """Ask a person before anybody is let in beyond the programs of this machine.

    Raises:
        LoopXError: ``consent_required``.
    """
    if listening.widens:
        question = Question("Let others reach LoopX on this machine", (f"let in: {listening.widens}",))
        container.consent().ask(question, context)
