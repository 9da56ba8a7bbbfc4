"""The status server for programs that embed it; ``loopx serve`` is the same from a shell.

    from loopx.status_server import Listening, serve
    serve(Listening(port=0), token_file="…/token", started=lambda serving: print(serving.url))

``create_app`` gives the bare ASGI application. It decides about every request, and bounds bodies; how
slow, large or odd a request may be on the wire is then up to the server that runs it.
"""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from loopx.domain.http.credentials import read_credential
from loopx.domain.listening import DEFAULT_PORT, Listening
from loopx.entrypoints.container import Container, Settings, close
from loopx.entrypoints.http.asgi import App
from loopx.entrypoints.serving import ServeOptions, Serving, Stop, assemble, registry_reader
from loopx.entrypoints.serving import serve as serve_with

__all__ = ["Listening", "Serving", "Stop", "aserve", "create_app", "serve"]


def serve(
    listening: Listening | None = None,
    *,
    token_file: str | os.PathLike[str] | None = None,
    started: Callable[[Serving], None] | None = None,
) -> int:
    """Serve until SIGTERM or SIGINT, and give an exit code.

    ``token_file`` is made if it is not there; by default it is ``serve-token`` in the state home.

    Raises:
        LoopXError: ``listen_error``, ``credential_error`` or ``state_error`` before anything is served.
    """
    return asyncio.run(aserve(listening, token_file=token_file, started=started))


async def aserve(
    listening: Listening | None = None,
    *,
    token_file: str | os.PathLike[str] | None = None,
    started: Callable[[Serving], None] | None = None,
    stop: Stop | None = None,
) -> int:
    """The same within a running event loop; ``stop()`` ends it too.

    Raises:
        LoopXError: as ``serve``.
    """
    container = _container()
    place = Path(token_file) if token_file is not None else None
    options = ServeOptions(listening=listening or Listening(), token_file=place)
    try:
        return await serve_with(container, options, started=started or _tell_nobody, stop=stop)
    finally:
        await close(container)


def create_app(*, token: str, listening: Listening | None = None) -> App:
    """The application alone, for who runs an ASGI server; ``listening`` says at which port it is asked.

    Raises:
        LoopXError: ``credential_error/malformed`` or ``credential_error/too_short``.
    """
    secret = read_credential(token, "token").token
    listening = listening or Listening()
    policy = listening.policy(listening.port or DEFAULT_PORT)
    container = _container()
    return assemble(container, secret, registry=registry_reader(container)).app(policy, secret)


def _container() -> Container:
    return Container(settings=Settings.of(dict(os.environ)))


def _tell_nobody(_serving: Serving) -> None:
    pass
