"""Archives that somebody could send, each with what must become of it.

They are made here, byte by byte; nothing of them comes from elsewhere.
"""

from typing import Final

from fakes.hostile_archives import framing, headers, kinds, places, shapes
from fakes.hostile_archives.case import Case

CASES: Final[tuple[Case, ...]] = (
    *places.CASES,
    *kinds.CASES,
    *headers.CASES,
    *framing.CASES,
    *shapes.CASES,
)
