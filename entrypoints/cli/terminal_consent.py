"""Ask the person at the terminal."""

import signal
import termios
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn, TextIO

from loopx.domain.consent import Answer, Question, decide_consent
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.entrypoints.presentation.streams import TextOut
from loopx.entrypoints.presentation.style import Terminal, Tone
from loopx.entrypoints.presentation.untrusted import one_line

_YES: Final = frozenset({"y", "yes"})


class TerminalConsent:
    """Shows what there is to decide by, then asks whoever sits at the keyboard, if anybody does."""

    def __init__(
        self,
        *,
        talk: TextOut,
        terminal: Terminal,
        keyboard: TextIO | None,
        assume_yes: bool = False,
        allowed_agents: Collection[str] = (),
    ) -> None:
        self._talk = talk
        self._terminal = terminal
        self._keyboard = keyboard if keyboard is not None and keyboard.isatty() else None
        self._assume_yes = assume_yes
        self._allowed_agents = allowed_agents

    def ask(self, question: Question, context: CallContext) -> None:
        self._show(question)
        answer = decide_consent(
            question,
            agent_id=context.agent_id,
            assume_yes=self._assume_yes,
            interactive=self._keyboard is not None,
            allowed_agents=self._allowed_agents,
        )
        if answer is Answer.ASK and not self._agrees():
            raise LoopXError("consent_required", "declined", detail=question.deed)

    def _show(self, question: Question) -> None:
        lines = [self._terminal.paint(one_line(question.deed), Tone.STRONG)]
        lines += [f"  {one_line(fact)}" for fact in question.facts]
        self._talk.write("".join(f"{line}\n" for line in lines))

    def _agrees(self) -> bool:
        if self._keyboard is None:
            return False
        with _ended_by_signals():
            with suppress(termios.error, OSError):
                # What was typed before the question was seen answers nothing.
                termios.tcflush(self._keyboard.fileno(), termios.TCIFLUSH)
            self._talk.write("Do you agree? [y/N] ")
            return self._keyboard.readline().strip().lower() in _YES


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM end the wait: the event loop would only note them until a key is pressed."""
    handlers = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: _terminate}
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _terminate(_number: int, _frame: FrameType | None) -> NoReturn:
    raise LoopXError("cancelled", "signal")
