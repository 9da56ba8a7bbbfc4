"""How the status server is doing, as a value without any text from outside."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FailureCount:
    """How often a failure happened, and when last (Unix time, seconds)."""

    code: str
    reason: str
    count: int
    last_at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerStatus:
    """The process and what it did; times in seconds."""

    version: str
    pid: int
    started_at: float
    uptime: float
    runs: tuple[tuple[str, int], ...]
    failures: tuple[FailureCount, ...]
