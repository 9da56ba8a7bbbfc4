"""At every start: bring an interrupted update to its end, for the price of one look when there is none."""

import os
import sys
from collections.abc import Mapping
from posixpath import isabs, join

import loopx


def recover(environment: Mapping[str, str]) -> None:
    """Settle what is left of an update, and say so; a failure is told and ends nothing."""
    try:
        os.lstat(_journal(environment))
    except OSError:
        return
    _settle(environment)


def _journal(environment: Mapping[str, str]) -> str:
    # Not resolved: the launcher of a version starts it by its real path, and elsewhere it says nothing.
    package = loopx.__file__.rpartition("/")[0]
    user = os.path.expanduser("~")  # noqa: PTH111 - pathlib costs more than all else here
    return quick_journal(package, environment, user, macos=sys.platform == "darwin")


def quick_journal(package: str, environment: Mapping[str, str], user: str, *, macos: bool) -> str:
    """Where the journal lies, as the domain's rules have it, without the price of loading the domain."""
    home, versions, rest = package.rpartition("/versions/")
    name, _, below = rest.partition("/")
    own = home if versions and name and below == "lib/loopx" else None
    place = quick_data_home(environment, user, macos=macos) if own is None else own
    return f"{place}/update.journal"


def quick_data_home(environment: Mapping[str, str], user: str, *, macos: bool) -> str:
    """The data home for a hundredth of the time; ``user`` is their home."""
    named = environment.get("LOOPX_DATA_HOME", "")
    if named:
        return join(user, named[2:]) if named.startswith("~/") else named
    base = environment.get("XDG_DATA_HOME", "")
    usual = "Library/Application Support" if macos else ".local/share"
    return join(base if isabs(base) else join(user, usual), "loopx")


def _settle(environment: Mapping[str, str]) -> None:
    from loopx.domain.errors import LoopXError
    from loopx.entrypoints.cli.terminals import speak_utf8
    from loopx.entrypoints.container import Container, Settings
    from loopx.entrypoints.presentation.streams import TalkOut
    from loopx.entrypoints.presentation.untrusted import one_line

    speak_utf8(sys.stderr)
    talk = TalkOut(sys.stderr)
    try:
        settlement = Container(settings=Settings.of(environment)).updates().recover()
    except LoopXError as error:
        talk.write(f"note: an update was interrupted and cannot be settled: {one_line(str(error))}\n")
        return
    if settlement is not None:
        back = f"; {settlement.current} is started again" if settlement.current else ""
        talk.write(f"note: an update was interrupted, and is cleared up{one_line(back)}\n")
