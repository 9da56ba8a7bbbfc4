"""Start the status server and say where it is."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

from loopx.domain.listening import Listening
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.presentation.envelope import to_json
from loopx.entrypoints.presentation.style import Tone
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.serving import ServeOptions, Serving, serve

_SCHEMA: Final = "loopx.serving/1"


async def serve_here(listening: Listening, token_file: str | None, session: Session) -> int:
    """Serve until a signal comes; whoever is let in beyond this machine needs a person's consent.

    Raises:
        LoopXError: ``consent_required``, ``listen_error``, ``credential_error`` or ``state_error``.
    """
    options = ServeOptions(listening=listening, token_file=Path(token_file) if token_file else None)
    return await serve(session.container, options, context=session.context(), started=partial(_tell, session))


def _tell(session: Session, serving: Serving) -> None:
    out = session.screen.out
    if session.choices.output.is_json:
        out.write(to_json({"schema": _SCHEMA, **asdict(serving)}) + "\n")
    else:
        out.write(f"{one_line(serving.url)}\n")
    out.flush()
    session.say(f"The token is in {serving.token_file}: send it as a bearer token.", Tone.QUIET)
    session.say("Ctrl-C stops the server.", Tone.QUIET)
