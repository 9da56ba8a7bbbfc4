"""What an extension may send where: decided here, whatever its code asks for."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.refusal import quoted, refused
from loopx.domain.extensions.session import Ask
from loopx.domain.http.identity import RESERVED_HEADERS
from loopx.domain.http.target import Target, read_target

WITHHELD_HEADERS: Final = RESERVED_HEADERS | frozenset(
    {
        "authorization",
        "baggage",
        "forwarded",
        "keep-alive",
        "origin",
        "proxy-authenticate",
        "referer",
        "user-agent",
        "via",
        "x-real-ip",
    }
)
"""What an extension cannot say: who calls, with which credential, and how the message is framed."""

_WITHHELD_PREFIXES: Final = ("proxy-", "sec-", "x-forwarded-", "x-loopx-")


@dataclass(frozen=True, slots=True)
class HostGrant:
    """A host as in the address of a request (``api.example.com``, ``127.0.0.1:8443``) and its methods."""

    authority: str
    methods: tuple[str, ...]

    def covers(self, target: Target, method: str) -> bool:
        """Whether it allows a call; https only, and http to this very machine."""
        return target.authority == self.authority and method in self.methods

    def __str__(self) -> str:
        return f"{', '.join(self.methods)} https://{self.authority}"


@dataclass(frozen=True, slots=True)
class CredentialSlot:
    """A name under which an extension asks for the user's credential of one host; it never sees it."""

    name: str
    authority: str

    def __str__(self) -> str:
        return f"your credential for {self.authority}, as {self.name!r}"


@dataclass(frozen=True, slots=True)
class Grants:
    """All that an extension may do outside its process."""

    hosts: tuple[HostGrant, ...] = ()
    credentials: tuple[CredentialSlot, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What a person is asked to agree to, one grant a line."""
        return tuple(map(str, (*self.hosts, *self.credentials)))

    def beyond(self, other: "Grants") -> tuple[str, ...]:
        """What these allow and the others do not, one grant a line."""
        known = {(grant.authority, method) for grant in other.hosts for method in grant.methods}
        more = [
            HostGrant(grant.authority, methods)
            for grant in self.hosts
            if (methods := tuple(one for one in grant.methods if (grant.authority, one) not in known))
        ]
        slots = [slot for slot in self.credentials if slot not in other.credentials]
        return tuple(map(str, (*more, *slots)))

    def check(self, ask: Ask) -> Target:
        """The address of a request that may be sent.

        Raises:
            LoopXError: ``egress_blocked/host_not_allowed`` or ``egress_blocked/scheme``;
                ``extension_error/grant`` for a header or a credential; ``request_invalid``.
        """
        target = read_target(ask.url)
        self.check_target(target, ask.method)
        _check_headers(name for name, _ in ask.headers.fields)
        if ask.credential is not None and not self.has_slot(ask.credential, target):
            raise refused(
                "grant", f"the credential {quoted(ask.credential)} is not one for {target.authority}"
            )
        return target

    def check_target(self, target: Target, method: str) -> None:
        """Refuse a call, or a redirect, to where the extension may not go.

        Raises:
            LoopXError: ``egress_blocked/host_not_allowed``.
        """
        if not any(grant.covers(target, method) for grant in self.hosts):
            detail = f"{quoted(method)[1:-1]} {target.scheme}://{target.authority}"
            hint = "The extension was not granted this. Tell its author if it should be."
            raise LoopXError("egress_blocked", "host_not_allowed", detail=detail, hint=hint)

    def has_slot(self, name: str, target: Target) -> bool:
        """Whether a credential of that name may be used for a call."""
        return CredentialSlot(name, target.authority) in self.credentials


NO_GRANTS: Final = Grants()


def _check_headers(names: Iterable[str]) -> None:
    for name in names:
        lower = name.lower()
        if lower in WITHHELD_HEADERS or lower.startswith(_WITHHELD_PREFIXES):
            raise refused("grant", f"the header {quoted(name)} is not its to set")
