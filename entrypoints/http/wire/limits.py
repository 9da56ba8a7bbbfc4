"""How much of what a client may use."""

from dataclasses import dataclass, field

from loopx.domain.http.request_head import HeadLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """Sizes in bytes, times in seconds.

    ``requests`` may be served at once; only whole ones count, so that half a request takes no place from
    another. ``connections`` may be open; beyond that the oldest one without a whole request is closed.
    ``stalled`` is how long a client may leave an answer unread, ``stop`` how long answers that are under
    way may take when the server stops, ``last_words`` how long those may take that were cut then.
    """

    head: HeadLimits = field(default_factory=HeadLimits)
    body: int = 64 * 1024
    head_seconds: float = 5.0
    request_seconds: float = 10.0
    idle_seconds: float = 15.0
    stalled_seconds: float = 60.0
    linger_seconds: float = 1.0
    stop_seconds: float = 5.0
    last_words_seconds: float = 2.0
    requests: int = 64
    connections: int = 2048
    backlog: int = 128
    write_buffer: int = 64 * 1024
