"""What the commands of ``loopx extension`` do."""

import shlex
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from loopx.application.capabilities.capability import Item, Record
from loopx.domain.errors import LoopXError
from loopx.domain.results import Completeness, Status, Summary
from loopx.entrypoints.cli.session import Session
from loopx.entrypoints.presentation.extension_packages import (
    PACKAGE,
    SOURCE_FILE,
    add_command,
    package_data,
)

_IN_CODE: Final = frozenset({"entry", "load", "raised"})


async def new_extension(folder: str, session: Session) -> int:
    """Start an extension and show its files."""
    place = Path(folder)
    paths = await session.container.create_extension()(place.name, str(place))
    records = [Record(SOURCE_FILE.type, {"path": str(place / path)}) for path in paths]
    return await session.show(_stream(records, f"loopx extension check {shlex.quote(folder)}"), SOURCE_FILE)


async def check_extension(folder: str, session: Session) -> int:
    """Check an extension and show what it is.

    Raises:
        LoopXError: what is wrong with it.
    """
    with _telling(session):
        code = await session.container.check_extension()(folder, session.context())
    records = [Record(PACKAGE.type, package_data(code))]
    return await session.show(_stream(records, f"loopx extension pack {shlex.quote(folder)}"), PACKAGE)


async def pack_extension(folder: str, target: str | None, session: Session) -> int:
    """Pack an extension and show the archive.

    Raises:
        LoopXError: what is wrong with it, or that it cannot be written.
    """
    beside = _parent(folder)
    with _telling(session):
        packed = await session.container.pack_extension()(folder, target, beside, session.context())
    records = [Record(PACKAGE.type, package_data(packed.code, packed))]
    return await session.show(_stream(records, add_command(packed)), PACKAGE)


def _parent(folder: str) -> str:
    """Never inside of it: the next archive would hold the last one."""
    return str(Path(folder).resolve().parent)


@contextmanager
def _telling(session: Session) -> Iterator[None]:
    """Authors see what their own code said when it failed; everybody else needs --debug for that."""
    try:
        yield
    except LoopXError as error:
        for note in getattr(error, "__notes__", ()):
            for line in str(note).splitlines():
                session.say(line)
        if error.reason in _IN_CODE:
            raise error.with_hint("Correct that, then check it again.") from None
        raise


async def _stream(records: Sequence[Record], following: str) -> AsyncIterator[Item]:
    for record in records:
        yield record
    yield Summary(
        status=Status.OK,
        completeness=Completeness(complete=True),
        records=len(records),
        requests=0,
        duration=0.0,
        next=(following,),
    )
