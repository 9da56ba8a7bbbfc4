"""What ``loopx self-update`` does."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import Any, Final, Self

from loopx.application.capabilities.capability import Item, Record
from loopx.domain.errors import LoopXError
from loopx.domain.registry.checksum import read_checksum
from loopx.domain.results import Completeness, Status, Summary
from loopx.domain.updates.change import Change, Deed
from loopx.domain.updates.plan import PlannedStep, Verdict, Wish
from loopx.domain.updates.steps import Step
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.presentation.style import Tone
from loopx.entrypoints.presentation.update_views import update_page
from loopx.entrypoints.presentation.updates import (
    UPDATE,
    UPDATE_STEP,
    VERSION,
    step_data,
    update_data,
    version_data,
)

_WAYS: Final = "--url URL --checksum SHA256, --plan, --list or --rollback"
_SAID: Final = {
    Step.BEGUN: "fetching the release",
    Step.FETCHED: "its checksum is right; unpacking it",
    Step.VERIFIED: "it is complete; preparing it",
    Step.STORED: "starting it by its own path",
    Step.CHECKED: "it works; switching",
    Step.SWITCHED: "starting it as users will",
    Step.RETURNING: "it failed; going back",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateOptions:
    """What was asked for; ``timeout`` is None unless it was given, in seconds."""

    url: str | None = None
    checksum: str | None = None
    plan: bool = False
    listed: bool = False
    rollback: bool = False
    adopt: bool = False
    timeout: float | None = None

    @classmethod
    def of(cls, words: Mapping[str, Any], *, timeout: float | None) -> Self:
        """Check what goes together.

        Raises:
            LoopXError: ``usage_error`` with reason ``command_line`` or ``checksum``.
        """
        options = cls(timeout=timeout, **words)
        deeds = [options.plan, options.listed, options.rollback]
        release = options.url is not None or options.checksum is not None
        if sum(deeds) > 1 or ((options.listed or options.rollback) and (release or options.adopt)):
            raise _unusable(f"say one of {_WAYS}")
        if not any(deeds) and not release and not options.adopt:
            raise _unusable(f"say {_WAYS}")
        if not any(deeds) and (options.url is None or options.checksum is None):
            raise _unusable("--url and --checksum belong together: the one is not trusted without the other")
        return (
            options
            if options.checksum is None
            else replace(options, checksum=read_checksum(options.checksum))
        )


async def update(options: UpdateOptions, session: Session) -> int:
    """Do what was asked for."""
    if options.listed:
        return await _list(session)
    if options.plan:
        return await _plan(options, session)
    context = session.context()
    # The total time of a call is meant for an API: an archive may take as long as the run.
    context = replace(context, timeout=options.timeout or session.choices.max_wait)
    updates = session.container.updates(progress=_Telling(session))
    if options.rollback:
        return await _tell(await updates.roll_back(context), session)
    install = updates.adopt if options.adopt else updates.self_update
    return await _tell(await install(str(options.url), str(options.checksum), context), session)


class _Telling:
    """Says what comes next."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def reached(self, step: Step) -> None:
        if step in _SAID:
            self._session.say(_SAID[step], Tone.QUIET)


async def _tell(change: Change, session: Session) -> int:
    following: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    folder = change.launcher.rpartition("/")[0]
    if folder not in session.environment.get("PATH", "").split(":"):
        following = (f'export PATH={quote(folder)}:"$PATH"',)
    if change.deed in {Deed.UPDATED, Deed.ROLLED_BACK}:
        warnings = ("Programs that run keep the version they were started from.",)
    return await session.show(
        _stream([Record(UPDATE.type, update_data(change))], following, warnings), UPDATE, page=update_page
    )


async def _list(session: Session) -> int:
    found = session.container.updates().list_versions()
    return await session.show(_stream([Record(VERSION.type, version_data(each)) for each in found]), VERSION)


async def _plan(options: UpdateOptions, session: Session) -> int:
    wish = Wish(url=options.url, sha256=options.checksum, adopt=options.adopt)
    steps = session.container.updates().plan(wish)
    records = [
        Record(UPDATE_STEP.type, step_data(number, step)) for number, step in enumerate(steps, start=1)
    ]
    return await session.show(_stream(records, _next(options, steps), _blocked(steps)), UPDATE_STEP)


def _blocked(steps: Sequence[PlannedStep]) -> tuple[str, ...]:
    names = [step.does for step in steps if step.verdict is Verdict.BLOCKED]
    return (f"It would not go through: see {', '.join(names)}.",) if names else ()


def _next(options: UpdateOptions, steps: Sequence[PlannedStep]) -> tuple[str, ...]:
    if options.url is None or options.checksum is None or _blocked(steps):
        return ()
    adopt = " --adopt" if options.adopt else ""
    return (f"loopx self-update{adopt} --url {quote(options.url)} --checksum {options.checksum}",)


async def _stream(
    records: Sequence[Record], following: tuple[str, ...] = (), warnings: tuple[str, ...] = ()
) -> AsyncIterator[Item]:
    for record in records:
        yield record
    yield Summary(
        status=Status.OK if records else Status.EMPTY,
        completeness=Completeness(complete=True),
        records=len(records),
        requests=0,
        duration=0.0,
        warnings=warnings,
        next=following,
    )


def _unusable(detail: str) -> LoopXError:
    return LoopXError("usage_error", "command_line", detail=detail, hint="See `loopx self-update --help`.")
