"""What the commands of ``loopx registry`` do."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Final

from loopx.application.capabilities.capability import Item, Record
from loopx.application.use_cases.add_extension import Addition
from loopx.domain.errors import LoopXError
from loopx.domain.registry.installation import UNSEEN
from loopx.domain.registry.status import ExtensionStatus, State
from loopx.domain.results import Completeness, Problem, Status, Summary
from loopx.entrypoints.cli.outcome import DONE, GATE
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.presentation.extension_views import extension_pages
from loopx.entrypoints.presentation.extensions import (
    EXTENSION,
    VERIFICATION,
    extension_data,
    verification_data,
)
from loopx.entrypoints.presentation.style import Tone

_FIRST: Final = "loopx registry add --name NAME --url URL --checksum SHA256"


@dataclass(frozen=True, slots=True)
class AddOptions:
    """What is to be declared, as it was typed."""

    name: str
    url: str
    checksum: str | None


async def add_extension(options: AddOptions, session: Session) -> int:
    """Declare an extension."""
    added = session.container.add_extension()(options.name, options.url, options.checksum)
    wanted = added.status.entry.wanted
    warnings: list[str] = []
    if added.addition is Addition.WAITING:
        warnings.append("What is installed stays in force until the new one is installed.")
    if added.addition is Addition.UNCHANGED:
        warnings.append("It was declared like this before; nothing was changed.")
    if wanted.sha256 is None:
        warnings.append(UNSEEN)
    return await _show([added.status], session, warnings=warnings)


async def install_extensions(name: str | None, session: Session) -> int:
    """Install one extension, or all; of several, one that fails stops none of the others."""
    if name is not None:
        return await _show([await _install(name, session)], session, following=("loopx capability list",))
    return await session.show(_install_all(session), EXTENSION)


async def _install_all(session: Session) -> AsyncIterator[Item]:
    shown: list[Record | Problem] = []
    for status in session.container.list_extensions()():
        name = status.entry.name
        try:
            shown.append(_record(await _install(name, session), session))
        except LoopXError as error:
            shown.append(Problem(name, error))
        yield shown[-1]
    yield _summary(shown, following=() if shown else (_FIRST,))


async def _install(name: str, session: Session) -> ExtensionStatus:
    session.say(f"installing {name}", Tone.QUIET)
    installed = await session.container.install_extension()(name, session.context())
    if not installed.changed:
        session.say(f"{name} was installed already, and nothing of it differs", Tone.QUIET)
    return installed.status


async def list_extensions(session: Session) -> int:
    """Show everything that is declared."""
    found = session.container.list_extensions()()
    return await session.show(
        _stream([_record(status, session) for status in found], _next(found)), EXTENSION
    )


async def show_extension(name: str, session: Session) -> int:
    """Show one extension on a page.

    Raises:
        LoopXError: ``registry_error/unknown``.
    """
    return await _show(session.container.list_extensions()(name), session)


async def verify_extensions(name: str | None, session: Session) -> int:
    """Compare what is stored, and give the exit code of a gate."""
    records: list[Record | Problem] = []
    broken: list[str] = []
    async for found in session.container.verify_extensions()(name):
        records.append(Record(VERIFICATION.type, verification_data(found)))
        if not found.intact:
            broken.append(found.status.entry.name)
    following = tuple(f"loopx registry install {name}" for name in broken)
    code = await session.show(_stream(records, following), VERIFICATION)
    return code or (GATE if broken else DONE)


async def remove_extension(name: str, session: Session, *, forget: bool) -> int:
    """Remove an extension and show its entry as it was."""
    removed = session.container.remove_extension()(name, session.context(), forget=forget)
    session.say(f"removed {name}", Tone.QUIET)
    return await _show([removed], session, following=("loopx registry list",))


async def _show(
    found: Sequence[ExtensionStatus],
    session: Session,
    *,
    warnings: Sequence[str] = (),
    following: tuple[str, ...] | None = None,
) -> int:
    records = [_record(status, session) for status in found]
    items = _stream(records, _next(found) if following is None else following, tuple(warnings))
    return await session.show(items, EXTENSION, page=extension_pages)


def _record(status: ExtensionStatus, session: Session) -> Record:
    return Record(EXTENSION.type, extension_data(status, session.container.registry_file().project))


def _next(found: Sequence[ExtensionStatus]) -> tuple[str, ...]:
    """The command that brings in force what is not; for an empty registry the one that fills it."""
    if not found:
        return (_FIRST,)
    open_ones = [status.entry.name for status in found if status.state is not State.INSTALLED]
    if len(open_ones) > 1:
        return ("loopx registry install",)
    return tuple(f"loopx registry install {name}" for name in open_ones)


async def _stream(
    items: Sequence[Record | Problem], following: tuple[str, ...] = (), warnings: tuple[str, ...] = ()
) -> AsyncIterator[Item]:
    for item in items:
        yield item
    yield _summary(items, following, warnings)


def _summary(
    items: Sequence[Record | Problem], following: tuple[str, ...], warnings: tuple[str, ...] = ()
) -> Summary:
    problems = [item for item in items if isinstance(item, Problem)]
    records = len(items) - len(problems)
    complete = Status.OK if records else Status.EMPTY
    return Summary(
        status=Status.PARTIAL if problems else complete,
        completeness=Completeness(complete=not problems, reason="problems" if problems else None),
        records=records,
        requests=0,
        duration=0.0,
        warnings=warnings,
        next=following,
        error=problems[0].error if problems and not records else None,
    )
