"""At every start: bring an interrupted update to its end, for the price of one look when there is none."""

import os
import sys
from collections.abc import Mapping

import loopx
from loopx.domain.updates.places import JOURNAL, enclosing_home, quick_data_home


def recover(environment: Mapping[str, str]) -> None:
    """Settle what is left of an update, and say so; a failure is told and ends nothing."""
    try:
        os.lstat(f"{_home(environment)}/{JOURNAL}")
    except OSError:
        return
    _settle(environment)


def _home(environment: Mapping[str, str]) -> str:
    # Not resolved: the launcher of a version starts it by its real path, and elsewhere it says nothing.
    own = enclosing_home(loopx.__file__.rpartition("/")[0])
    user = os.path.expanduser("~")  # noqa: PTH111 - pathlib costs more than all else here
    return own or quick_data_home(environment, user, macos=sys.platform == "darwin")


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
