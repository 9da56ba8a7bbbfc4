"""Programs to run to their end, and how they ended."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from posixpath import isabs


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A program by its path, with exactly this environment; seconds and bytes that it may take.

    It starts in ``directory``, never where the user happens to be: nothing that lies there has a say.
    """

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    directory: str = "/"
    timeout: float = 30.0
    most_output: int = 64 * 1024

    def __post_init__(self) -> None:
        if not self.arguments:
            raise ValueError("a command names its program")
        if not isabs(self.directory):
            raise ValueError("a command starts in an absolute directory")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """How a program ended: a negative exit code is the signal that ended it, none is the end of its time.

    ``output`` and ``talk`` are the starts of what it wrote to stdout and stderr.
    """

    exit_code: int | None
    output: bytes = b""
    talk: bytes = b""
