"""The explanation of whose turn it is, on a page."""

from collections.abc import Iterator
from typing import Final, cast

from loopx.domain.schema import Data
from loopx.entrypoints.presentation.frame import Frame
from loopx.entrypoints.presentation.page import folded, heading_lines
from loopx.entrypoints.presentation.style import Tone
from loopx.entrypoints.presentation.untrusted import one_line
from loopx.entrypoints.presentation.width import pad

_INDENT: Final = 7


def explanation_page(data: Data, frame: Frame) -> Iterator[str]:
    """The pull request, every rule with its answer, and the verdict."""
    terminal = frame.terminal
    attention = cast("Data", data["attention"])
    rules = cast("list[Data]", data["rules"])
    yield from heading_lines(data, terminal)
    yield ""
    for rule in rules:
        answer, tone = ("yes", Tone.STRONG) if rule["answer"] else ("no", Tone.QUIET)
        yield terminal.paint(f"  {pad(answer, _INDENT - 2)}{rule['question']}", tone)
        for fact in cast("list[str]", rule["facts"]):
            for line in folded(one_line(fact), terminal, _INDENT + 2):
                yield f"{' ' * (_INDENT + 2)}{line}"
    yield ""
    state = str(attention["state"]).replace("_", " ")
    turn = "nobody's" if attention["whose_turn"] == "nobody" else f"the {attention['whose_turn']}'s"
    if attention["whose_turn"] == "ci":
        turn = "CI's"
    yield terminal.paint(f"It is {turn} turn: {state}.", Tone.YOURS)
