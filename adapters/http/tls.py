"""Whom a TLS connection trusts."""

import ssl
from functools import cached_property

from loopx.domain.errors import LoopXError


class TrustStore:
    """The system's authorities, or those of one file in their place (``SSL_CERT_FILE``)."""

    def __init__(self, ca_file: str | None = None) -> None:
        self._ca_file = ca_file

    @cached_property
    def context(self) -> ssl.SSLContext:
        """Made when the first TLS connection needs it, for it costs 15 ms.

        Raises:
            LoopXError: ``config_invalid/ca_file``.
        """
        try:
            context = ssl.create_default_context(cafile=self._ca_file)
        except OSError:  # ssl.SSLError is one: the file holds no certificate
            context = None
        if context is None:
            raise LoopXError("config_invalid", "ca_file", detail=self._ca_file or "")
        context.set_alpn_protocols(["http/1.1"])
        return context
