"""TLS that is not trusted, not spoken or not finished."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import trustme

from fakes.authority import Authority
from fakes.borders import answered, failed
from fakes.outcomes import pair_of
from fakes.raw_server import Conversation, RawServer, answers
from fakes.wire import FixedNames, open_wire, outcome
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpResponse

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
HOST = "api.example"
LOOPBACK = FixedNames({HOST: ("127.0.0.1",)})
NO_CERTIFICATE = "-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n"
SHORT = 0.4


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority.create(tmp_path_factory.mktemp("authority"), HOST)


async def hang(conversation: Conversation) -> None:
    await conversation.hang()


async def call_tls(
    server_tls: ssl.SSLContext | None, ca_file: str | None, host: str = HOST, **fields: object
) -> HttpResponse | LoopXError:
    async with (
        RawServer(answers(OK), tls=server_tls) as server,
        open_wire(resolver=FixedNames({host: ("127.0.0.1",)}), ca_file=ca_file) as wire,
    ):
        return await outcome(wire, f"https://{host}:{server.port}/", **fields)  # type: ignore[arg-type]  # fields of the request


def test_a_trusted_certificate(authority: Authority) -> None:
    assert answered(asyncio.run(call_tls(authority.server, authority.ca_file))).content == b"ok"


def test_a_certificate_that_nobody_trusts(authority: Authority) -> None:
    result = failed(asyncio.run(call_tls(authority.server, None)))
    assert pair_of(result) == "provider_network_error/tls_verify"
    assert (result.sent.value, result.retryable) == ("no", False)


def test_a_certificate_for_another_host(authority: Authority) -> None:
    result = asyncio.run(call_tls(authority.server, authority.ca_file, "other.example"))
    assert pair_of(result) == "provider_network_error/tls_verify"


def test_a_certificate_that_has_expired(tmp_path: Path) -> None:
    ca = trustme.CA()
    ca.cert_pem.write_to_path(tmp_path / "ca.pem")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    yesterday = datetime.now(UTC) - timedelta(days=1)
    ca.issue_cert(HOST, not_before=yesterday - timedelta(days=1), not_after=yesterday).configure_cert(server)
    result = asyncio.run(call_tls(server, str(tmp_path / "ca.pem")))
    assert pair_of(result) == "provider_network_error/tls_verify"


def test_a_server_without_tls() -> None:
    async def greet(conversation: Conversation) -> None:
        await conversation.say(b"220 mail.example ESMTP\r\n")
        await conversation.hang()

    async def main() -> str | None:
        async with RawServer(greet) as server, open_wire(resolver=LOOPBACK) as wire:
            return pair_of(await outcome(wire, f"https://{HOST}:{server.port}/"))

    assert asyncio.run(main()) == "provider_network_error/tls"


def test_a_server_that_hangs_up_in_the_handshake() -> None:
    async def close(conversation: Conversation) -> None:
        conversation.close()

    async def main() -> LoopXError:
        async with RawServer(close) as server, open_wire(resolver=LOOPBACK) as wire:
            return failed(await outcome(wire, f"https://{HOST}:{server.port}/"))

    result = asyncio.run(main())
    assert pair_of(result) in {"provider_network_error/tls", "provider_network_error/reset"}
    assert result.sent.value == "no"


def test_a_handshake_that_stalls_ends_at_the_deadline() -> None:
    async def main() -> LoopXError:
        async with RawServer(hang) as server, open_wire(resolver=LOOPBACK) as wire:
            return failed(await outcome(wire, f"https://{HOST}:{server.port}/", timeout=SHORT))

    assert pair_of(asyncio.run(main())) == "deadline_exceeded/call"


def test_plain_http_to_a_port_that_speaks_tls(authority: Authority) -> None:
    async def main() -> LoopXError:
        async with RawServer(answers(OK), tls=authority.server) as server, open_wire() as wire:
            return failed(await outcome(wire, f"http://127.0.0.1:{server.port}/"))

    assert failed(asyncio.run(main())).code == "provider_network_error"


@pytest.mark.parametrize("kind", ["missing", "folder", "empty", "no certificate"])
def test_a_certificate_file_that_cannot_be_used(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    if kind == "folder":
        path.mkdir()
    elif kind != "missing":
        path.write_text(
            "" if kind == "empty" else "-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----\n"
        )
    result = failed(asyncio.run(call_tls(None, str(path))))
    assert pair_of(result) == "config_invalid/ca_file"
    assert str(path) in result.detail
    assert result.__context__ is None
