"""The outermost layer: a call that was refused before anything was sent gets its one row."""

from dataclasses import replace
from typing import Final

from loopx.application.ports.audit_sink import AuditSink
from loopx.application.ports.entropy import Entropy
from loopx.application.ports.http_transport import HttpTransport
from loopx.domain.audit.recording import is_unrecorded, refusal_of, refused_subject
from loopx.domain.context import CallContext
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest, HttpResponse
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.redaction import Redactor
from loopx.domain.secrets import Secret

_ID_BYTES: Final = 8


class RefusalTransport:
    """Writes down what the layers below refuse; what they send has its rows from the layer at the wire."""

    def __init__(
        self, onward: HttpTransport, *, audit: AuditSink, entropy: Entropy, secrets: tuple[Secret, ...] = ()
    ) -> None:
        self._onward = onward
        self._audit = audit
        self._entropy = entropy
        self._secrets = secrets

    async def send(self, request: HttpRequest, context: CallContext) -> HttpResponse:
        try:
            return await self._onward.send(request, context)
        except LoopXError as error:
            if not is_unrecorded(error):
                raise
            refused = error
        name = self._entropy.hex(_ID_BYTES)
        redactor = Redactor((*self._secrets, *secrets_of(request)))
        # Raised out here, neither error has the other as its context.
        self._audit.note(refused_subject(refused, context, redactor, name), refusal_of(refused))
        raise refused.with_call(replace(refused.call, audit_id=name))
