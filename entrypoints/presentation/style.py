"""Few colours, each with one meaning (ECMA-48 SGR, the eight that every terminal theme defines)."""

from dataclasses import dataclass
from enum import StrEnum


class Tone(StrEnum):
    """What a piece of text is, as the SGR parameters that show it."""

    PLAIN = ""
    STRONG = "1"
    QUIET = "2"
    GOOD = "32"
    BAD = "31"
    BUSY = "33"
    YOURS = "1;36"


@dataclass(frozen=True, slots=True)
class Cell:
    """A piece of text and its tone; whoever shows it makes it harmless for its place first."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Terminal:
    """What may be shown where the output goes; ``columns`` is ``None`` where nothing is cut."""

    columns: int | None = None
    colour: bool = False

    def paint(self, text: str, tone: Tone) -> str:
        """The text in its tone, or as it is where there are no colours."""
        return f"\x1b[{tone.value}m{text}\x1b[0m" if self.colour and tone.value and text else text


PLAIN_TEXT = Terminal()
