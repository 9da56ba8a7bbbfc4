"""One run of a command: what was asked for, the container, and the streams."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Self

from loopx.application.capabilities.capability import Item
from loopx.domain.audit.place import AuditPlace
from loopx.domain.context import CallContext, TraceContext
from loopx.domain.environment import own_secrets
from loopx.domain.redaction import Redactor
from loopx.domain.schema import RecordSpec
from loopx.entrypoints.cli.options import Given, Unusable
from loopx.entrypoints.cli.outcome import INTERRUPTED, TERMINATED, exit_code
from loopx.entrypoints.cli.terminal_consent import TerminalConsent
from loopx.entrypoints.cli.terminals import speak_utf8, terminal_of
from loopx.entrypoints.container import Container, Settings, close
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.lists import Renderer
from loopx.entrypoints.presentation.output import Output
from loopx.entrypoints.presentation.present import present
from loopx.entrypoints.presentation.selection import Selection
from loopx.entrypoints.presentation.sinks import open_sink
from loopx.entrypoints.presentation.streams import DataOut, TalkOut, TextOut
from loopx.entrypoints.presentation.style import PLAIN_TEXT, Terminal, Tone
from loopx.entrypoints.presentation.untrusted import one_line

_CALL: Final = 30.0
_RUN: Final = 900.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """The global options; times in seconds."""

    output: Output = Output.TABLE
    fields: str | None = None
    project: str | None = None
    agent_id: str | None = None
    turn_id: str | None = None
    timeout: float = _CALL
    max_wait: float = _RUN
    yes: bool = False
    quiet: bool = False
    verbose: bool = False
    debug: bool = False
    no_color: bool = False

    @classmethod
    def of(cls, given: Given) -> Self:
        """What was given on the line and in the environment.

        Raises:
            click.BadParameter: a value of the environment cannot be used.
        """
        chosen: dict[str, Any] = {**given}
        for value in chosen.values():
            if isinstance(value, Unusable):
                raise value.error
        if "output" in chosen:
            chosen["output"] = Output(chosen["output"])
        return cls(**chosen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """Where data and talk go, and what can be shown there."""

    out: TextOut
    talk: TextOut
    terminal: Terminal = PLAIN_TEXT
    talk_terminal: Terminal = PLAIN_TEXT

    @classmethod
    def of_process(cls, environment: Mapping[str, str], *, plain: bool) -> Self:
        """The standard streams."""
        speak_utf8(sys.stdout)
        speak_utf8(sys.stderr)
        return cls(
            out=DataOut(sys.stdout),
            talk=TalkOut(sys.stderr),
            terminal=terminal_of(sys.stdout, environment, plain=plain),
            talk_terminal=terminal_of(sys.stderr, environment, plain=plain),
        )


class Session:
    """Gives a command its use cases, and shows what they yield."""

    def __init__(
        self, *, choices: Choices, container: Container, screen: Screen, environment: Mapping[str, str]
    ) -> None:
        self.choices = choices
        self.container = container
        self.screen = screen
        self.environment = environment

    def with_trace(self, choices: Choices, traceparent: str | None) -> "Session":
        """The same with other choices; a trace from the environment counts before this one."""
        environment = {"TRACEPARENT": traceparent or "", **self.environment}
        return Session(choices=choices, container=self.container, screen=self.screen, environment=environment)

    @cached_property
    def trace(self) -> TraceContext:
        """The trace that the caller is in, or a new one."""
        continued = TraceContext.parse(self.environment.get("TRACEPARENT", ""))
        entropy = self.container.entropy()
        return continued or TraceContext(entropy.hex(16), entropy.hex(8))

    def context(self) -> CallContext:
        """On whose behalf calls are made, and until when.

        Raises:
            LoopXError: ``usage_error/trace``.
        """
        return CallContext(
            trace=self.trace,
            agent_id=self.choices.agent_id,
            turn_id=self.choices.turn_id,
            timeout=self.choices.timeout,
            deadline=self.container.clock().monotonic() + self.choices.max_wait,
        )

    async def show(
        self,
        items: AsyncIterator[Item],
        spec: RecordSpec,
        *,
        order: str | None = None,
        page: Renderer | None = None,
    ) -> int:
        """Show a run to its end and give the exit code.

        Raises:
            LoopXError: nothing could be read, or the output cannot be written.
            ReaderGoneError: nobody reads any more.
        """
        clock = self.container.clock()
        sink = open_sink(self.choices.output, self.frame(spec, order=order), page)
        return exit_code(await present(items, sink, clock.monotonic, self.redactor))

    @cached_property
    def redactor(self) -> Redactor:
        """Masks the credentials that this process may use."""
        return Redactor(own_secrets(self.environment))

    def frame(self, spec: RecordSpec, *, order: str | None = None) -> Frame:
        """What a sink for these records is made with.

        Raises:
            LoopXError: ``usage_error/parameter`` for an unknown field.
        """
        fields = self.choices.fields
        return Frame(
            spec=spec,
            out=self.screen.out,
            talk=self.screen.talk,
            terminal=self.screen.terminal,
            talk_terminal=self.screen.talk_terminal,
            now=self.container.clock().now(),
            order=order,
            selection=Selection.read(fields, spec) if fields is not None else None,
            progress=self.screen.talk_terminal.columns is not None and not self.choices.quiet,
        )

    def say(self, text: str, tone: Tone = Tone.PLAIN) -> None:
        """Tell a person something on stderr, unless they want quiet."""
        if not self.choices.quiet:
            self.screen.talk.write(self.screen.talk_terminal.paint(one_line(text), tone) + "\n")

    def detail(self, text: str) -> None:
        """Tell a person who asked for more."""
        if self.choices.verbose:
            self.say(text, Tone.QUIET)


Deed = Callable[[Session], Awaitable[int]]


def run(given: Given, deed: Deed, *, audit: AuditPlace | None = None) -> int:
    """Run a command in this process and give its exit code.

    Calls are written down where ``audit`` says, or else where the environment does.

    Raises:
        LoopXError: what ended it.
        ReaderGoneError: nobody reads its output any more.
    """
    choices = Choices.of(given)
    environment = dict(os.environ)
    screen = Screen.of_process(environment, plain=choices.no_color)
    settings = Settings.of(environment, project=choices.project)
    container = Container(
        settings=replace(settings, audit=audit or settings.audit), consent=_consent(choices, screen)
    )
    session = Session(choices=choices, container=container, screen=screen, environment=environment)
    if audit is None and settings.audit is AuditPlace.MEMORY:
        session.say("warning: LOOPX_AUDIT=memory: no call of this run is kept in the audit log", Tone.BUSY)
    try:
        return asyncio.run(_supervise(session, deed))
    except KeyboardInterrupt:
        return INTERRUPTED


def _consent(choices: Choices, screen: Screen) -> TerminalConsent:
    return TerminalConsent(
        talk=screen.talk, terminal=screen.talk_terminal, keyboard=sys.stdin, assume_yes=choices.yes
    )


async def _supervise(session: Session, deed: Deed) -> int:
    """Let Ctrl-C and SIGTERM end a deed; its output is finished and its connections are closed.

    Signals come in through the loop, so that no further one cuts what ends the output.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(deed(session))
    codes: list[int] = []

    def end(code: int) -> None:
        codes.append(code)
        task.cancel()

    with suppress(NotImplementedError):  # Windows has no such handlers: there the process just ends
        loop.add_signal_handler(signal.SIGINT, end, INTERRUPTED)
        loop.add_signal_handler(signal.SIGTERM, end, TERMINATED)
    try:
        return await task
    except asyncio.CancelledError:
        if not codes:
            raise
        return codes[0]
    finally:
        await close(session.container)
