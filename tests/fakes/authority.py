"""A certificate authority of the tests' own, and the server certificates it issues."""

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import trustme


@dataclass(frozen=True, slots=True)
class Authority:
    """Its certificate as a file, and the TLS side of a server that it vouches for."""

    ca_file: str
    server: ssl.SSLContext

    @classmethod
    def create(cls, folder: Path, *names: str) -> Self:
        """A new authority that issues one certificate for some host names and addresses."""
        authority = trustme.CA()
        ca_file = folder / "authority.pem"
        authority.cert_pem.write_to_path(ca_file)
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(*names).configure_cert(server)
        return cls(str(ca_file), server)
