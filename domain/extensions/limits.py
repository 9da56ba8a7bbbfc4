"""How much the process of an extension may take and give."""

from dataclasses import dataclass, fields
from typing import Final

_MEBIBYTE: Final = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLimits:
    """Every bound of one session; times in seconds, sizes in bytes.

    ``start`` is for the process and all imports, ``step`` for the way from one step to the next. ``head``
    bounds the JSON of a step, so a record or a note; ``body`` the body of a request, ``output`` everything
    together. ``memory`` is address space, which macOS does not enforce; ``cpu`` is over the whole session.
    """

    start: float = 10.0
    step: float = 10.0
    cpu: int = 300
    memory: int = 1024 * _MEBIBYTE
    head: int = 1 * _MEBIBYTE
    body: int = 8 * _MEBIBYTE
    output: int = 256 * _MEBIBYTE
    stderr: int = 64 * 1024
    files: int = 64

    def __post_init__(self) -> None:
        for field in fields(self):
            if getattr(self, field.name) <= 0:
                raise ValueError(f"{field.name} must be above 0")


DEFAULT_HOST_LIMITS: Final = HostLimits()
