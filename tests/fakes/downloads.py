"""An https server on loopback that serves files, sends elsewhere, or stalls."""

import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Self

from fakes.authority import Authority


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What is sent for a path; ``announced`` is a length that differs from the true one."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    body: bytes = b""
    announced: int | None = None


class Downloads:
    """``url("/x.tar.gz")`` is served as long as the block lasts; ``environment`` makes LoopX trust it.

    ``asked`` holds the paths that were asked for, ``heard`` the headers that came along.
    """

    def __init__(self, folder: Path) -> None:
        self._authority = Authority.create(folder, "localhost")
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.heard: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.socket = self._authority.server.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def environment(self) -> dict[str, str]:
        return {"SSL_CERT_FILE": self._authority.ca_file}

    def url(self, path: str) -> str:
        return f"https://localhost:{self._server.server_address[1]}{path}"

    def offer(self, path: str, body: bytes) -> str:
        """Serve bytes, and give their address."""
        self.answers[path] = Answer(body=body, headers={"Content-Type": "application/gzip"})
        return self.url(path)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        downloads = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                downloads.asked.append(self.path)
                downloads.heard.append({name.lower(): value for name, value in self.headers.items()})
                answer = downloads.answers.get(self.path, Answer(status=404, body=b"gone"))
                length = len(answer.body) if answer.announced is None else answer.announced
                headers = {"Content-Length": str(length), "Connection": "close", **answer.headers}
                self.send_response(answer.status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(answer.body)
                self.close_connection = True

            def handle(self) -> None:
                with suppress(ssl.SSLError, ConnectionError):  # a client may refuse the certificate, or leave
                    super().handle()

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's signature
                """Say nothing: ``asked`` tells what was asked for."""

        return Handler
