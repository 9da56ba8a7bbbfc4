"""Where the status server listens, and whom that lets in."""

from dataclasses import dataclass
from typing import Final

from loopx.domain.access_request import AccessPolicy
from loopx.domain.errors import LoopXError
from loopx.domain.http.address import LOCALHOST, is_address, is_loopback
from loopx.domain.origins import Authority, check_allowed_host, check_allowed_origin

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8765
_MAXIMUM_PORT: Final = 65_535
_LOOPBACK_NAMES: Final = (DEFAULT_HOST, LOCALHOST, "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    """An address or a unix socket, and the hosts and origins that are let in besides its own.

    Port 0 takes a free one. ``unix`` stands in for host and port.

    Raises:
        LoopXError: ``usage_error`` with reason ``origin``, ``allowed_host``, ``open_address`` or
            ``command_line``.
    """

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    unix: str | None = None
    allowed_hosts: tuple[str, ...] = ()
    allowed_origins: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 <= self.port <= _MAXIMUM_PORT:
            raise LoopXError("usage_error", "command_line", detail=f"{self.port} is no port")
        if self.host != LOCALHOST and not is_address(self.host):
            raise LoopXError(
                "usage_error", "command_line", detail=f"{self.host[:80]!r} is no address of a machine"
            )
        self.policy(self.port)
        if self.is_open and not self.allowed_hosts:
            raise LoopXError("usage_error", "open_address", detail=self.host)

    @property
    def address(self) -> str:
        """The address to listen at: a name could come to mean another machine."""
        return DEFAULT_HOST if self.host == LOCALHOST else self.host

    @property
    def is_open(self) -> bool:
        """Whether other machines can reach it."""
        return self.unix is None and not is_loopback(self.host)

    def policy(self, bound_port: int) -> AccessPolicy:
        """Who is let in, once the port is known."""
        own = {Authority(name, bound_port) for name in _LOOPBACK_NAMES}
        if is_loopback(self.host):
            own.add(Authority(self.address, bound_port))
        listed = (check_allowed_host(text, bound_port) for text in self.allowed_hosts)
        return AccessPolicy(
            hosts=frozenset(own).union(*listed),
            origins=frozenset(map(check_allowed_origin, self.allowed_origins)),
            any_host=self.unix is not None,
        )

    def url(self, bound_port: int) -> str:
        """The address for people."""
        if self.unix is not None:
            return f"unix:{self.unix}"
        return f"http://{Authority(self.address, bound_port)}"

    @property
    def widens(self) -> str:
        """Whom this lets in beyond programs of this machine; empty if nobody."""
        whom = [f"pages of {origin}" for origin in self.allowed_origins]
        whom += [f"requests for the host {host}" for host in self.allowed_hosts]
        whom += ["other machines"] if self.is_open else []
        return ", ".join(whom)
