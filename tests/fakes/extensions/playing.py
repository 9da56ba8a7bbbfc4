"""Play a session to its end and keep what it did."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field

from fakes.extensions import CONTEXT
from loopx.application.ports.extension_host import ExtensionHost, ExtensionSession
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.code import ExtensionCode
from loopx.domain.extensions.session import Answer, Ask, Done, Step


@dataclass(slots=True)
class Played:
    """The steps of a session, ``Done`` not among them, and the error that ended it otherwise."""

    steps: list[Step] = field(default_factory=list[Step])
    error: LoopXError | None = None

    @property
    def ended_by(self) -> tuple[str, str] | None:
        return (self.error.code, self.error.reason) if self.error else None


def play(
    host: ExtensionHost,
    code: ExtensionCode,
    unit: str,
    *answers: Answer,
    parameters: dict[str, object] | None = None,
    context: CallContext = CONTEXT,
) -> Played:
    """Run a unit, giving these answers in turn; too few and too many are both an error of the test."""
    given = {"word": "hello", "count": None, **(parameters or {})}
    return asyncio.run(_play(lambda: host.open(code, f"sample.{unit}", given, context), answers))


async def _play(start: Callable[[], Awaitable[ExtensionSession]], answers: Sequence[Answer]) -> Played:
    played, left, answer = Played(), list(answers), None
    try:
        async with aclosing(await start()) as session:
            while not isinstance(step := await session.step(answer), Done):
                played.steps.append(step)
                answer = left.pop(0) if isinstance(step, Ask) else None
    except LoopXError as error:
        played.error = error
    assert not left, f"{len(left)} answers that nobody asked for"
    return played
