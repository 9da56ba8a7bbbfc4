"""The status server for programs that embed it; ``loopx serve`` is the same from a shell.

    from loopx.status_server import Listening, serve
    serve(Listening(port=0), token_file="…/token", started=lambda serving: print(serving.url))

``create_app`` gives the bare ASGI application. It decides about every request, and bounds bodies; how
slow, large or odd a request may be on the wire is then up to the server that runs it.

Consent is a person's: ``yes=True`` says that one has agreed to let in whom ``Listening`` names, and does
not help an agent (LOOPX_AGENT_ID).
"""

import asyncio
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from loopx.domain.context import CallContext, TraceContext
from loopx.domain.http.credentials import read_credential
from loopx.domain.listening import DEFAULT_PORT, Listening
from loopx.entrypoints.container import Container, Settings, close
from loopx.entrypoints.http.asgi import App
from loopx.entrypoints.serving import ServeOptions, Serving, ask_to_widen, assemble, registry_reader
from loopx.entrypoints.serving import serve as serve_with
from loopx.entrypoints.stopping import Stop

__all__ = ["Listening", "Serving", "Stop", "aserve", "create_app", "serve"]


def serve(
    listening: Listening | None = None,
    *,
    token_file: str | os.PathLike[str] | None = None,
    started: Callable[[Serving], None] | None = None,
    yes: bool = False,
) -> int:
    """Serve until SIGTERM or SIGINT, and give an exit code.

    ``token_file`` is made if it is not there; by default it is ``serve-token`` in the state home.

    Raises:
        LoopXError: ``consent_required``, ``listen_error``, ``credential_error`` or ``state_error``
            before anything is served.
    """
    return asyncio.run(aserve(listening, token_file=token_file, started=started, yes=yes))


async def aserve(
    listening: Listening | None = None,
    *,
    token_file: str | os.PathLike[str] | None = None,
    started: Callable[[Serving], None] | None = None,
    stop: Stop | None = None,
    yes: bool = False,
) -> int:
    """The same within a running event loop; ``stop()`` ends it too, and a cancellation at once.

    Raises:
        LoopXError: as ``serve``.
    """
    container = _container(yes=yes)
    place = Path(token_file) if token_file is not None else None
    options = ServeOptions(listening=listening or Listening(), token_file=place)
    try:
        return await serve_with(
            container, options, context=_context(container), started=started or _tell_nobody, stop=stop
        )
    finally:
        await close(container)


def create_app(*, token: str, listening: Listening | None = None, yes: bool = False) -> App:
    """The application alone, for who runs an ASGI server; ``listening`` says at which port it is asked.

    Raises:
        LoopXError: ``consent_required``; ``credential_error/malformed`` or ``credential_error/too_short``.
    """
    container, listening = _container(yes=yes), listening or Listening()
    ask_to_widen(container, listening, _context(container))
    secret = read_credential(token, "token").token
    policy = listening.policy(listening.port or DEFAULT_PORT)
    return assemble(container, secret, registry=registry_reader(container)).app(policy, secret)


def _container(*, yes: bool) -> Container:
    return Container(settings=replace(Settings.of(dict(os.environ)), assume_yes=yes))


def _context(container: Container) -> CallContext:
    entropy = container.entropy()
    return CallContext(
        trace=TraceContext(entropy.hex(16), entropy.hex(8)), agent_id=os.environ.get("LOOPX_AGENT_ID") or None
    )


def _tell_nobody(_serving: Serving) -> None:
    pass
