"""``loopx serve`` as a user starts it."""

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from fakes.program import PATIENCE, run, start

ANY = "0.0.0.0"  # noqa: S104 - that it is not served unasked is the point


class Server:
    """A started server: what it said, and ways to talk to it."""

    def __init__(self, process: subprocess.Popen[str], told: Mapping[str, Any]) -> None:
        self.process = process
        self.told = told
        self.token = Path(told["token_file"]).read_text().strip()

    def connect(self) -> socket.socket:
        url = self.told["url"]
        if url.startswith("unix:"):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(url.removeprefix("unix:"))
        else:
            host = url.removeprefix("http://").rpartition(":")[0].strip("[]")
            connection = socket.create_connection((host, self.told["port"]))
        connection.settimeout(PATIENCE)
        return connection

    def request(self, path: str, *headers: str, method: str = "GET", body: str = "") -> bytes:
        host = self.told["url"].rpartition("/")[2]
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {host}",
            f"Authorization: Bearer {self.token}",
            *headers,
        ]
        if body:
            lines += ["X-LoopX: 1", "Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", body]).encode()

    def ask(self, path: str) -> tuple[int, Any]:
        with self.connect() as connection:
            connection.sendall(self.request(path, "Connection: close"))
            raw = read_all(connection)
        head, _, body = raw.partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(body)

    def wait_until_deaf(self) -> None:
        """Knock until nobody opens: the first signal has been heard."""
        with suppress(ConnectionError):
            while True:
                self.connect().close()

    def stop(self, number: int = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(number)
        _, stderr = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, stderr


def read_all(connection: socket.socket) -> bytes:
    pieces = []
    while piece := connection.recv(65_536):
        pieces.append(piece)
    return b"".join(pieces)


@contextmanager
def serving(*arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    process = start("serve", "-o", "json", *arguments, environment=environment)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield Server(process, json.loads(line))
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def test_it_says_where_it_is_and_which_file_holds_the_token_and_stops_quietly() -> None:
    with serving("--port", "0") as server:
        assert server.told["schema"] == "loopx.serving/1"
        assert server.told["url"] == f"http://127.0.0.1:{server.told['port']}"
        assert server.told["pid"] == server.process.pid
        token_file = Path(server.told["token_file"])
        assert token_file == Path(os.environ["HOME"], ".local/state/loopx/serve-token")
        assert token_file.stat().st_mode & 0o777 == 0o600
        status, data = server.ask("/status")
        assert (status, data["capabilities"]) == (200, ["pr_review"])
        assert data["pid"] == server.process.pid
        code, stderr = server.stop()
        assert code == 0
        assert str(token_file) in stderr
        assert server.token not in stderr


def test_the_token_stays_the_same_at_the_next_start() -> None:
    tokens = set()
    for _ in range(2):
        with serving("--port", "0") as server:
            tokens.add(server.token)
            assert server.stop(signal.SIGINT)[0] == 0
    assert len(tokens) == 1


def test_people_read_the_address_on_one_line() -> None:
    process = start("serve", "--port", "0")
    assert process.stdout is not None
    assert process.stdout.readline().startswith("http://127.0.0.1:")
    process.terminate()
    _, stderr = process.communicate(timeout=PATIENCE)
    assert "serve-token" in stderr
    assert process.returncode == 0


@pytest.mark.parametrize("host", ["::1", "localhost", "127.0.0.1"])
def test_it_listens_at_either_loopback(host: str) -> None:
    with serving("--port", "0", "--host", host) as server:
        assert server.ask("/livez") == (200, {"status": "ok"})
        assert server.stop()[0] == 0


def test_a_unix_socket_is_its_users_alone_and_gone_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "loopx.sock"
    with serving("--unix", str(path)) as server:
        assert server.told["url"] == f"unix:{path}"
        assert path.stat().st_mode & 0o777 == 0o600
        assert server.ask("/status")[0] == 200
        assert server.stop()[0] == 0
    assert not path.exists()


def test_the_socket_of_a_server_that_was_killed_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "loopx.sock"
    with serving("--unix", str(path)) as server:
        server.process.kill()
        server.process.wait(PATIENCE)
    assert path.exists()
    with serving("--unix", str(path)) as server:
        assert server.ask("/livez")[0] == 200


def test_a_run_that_is_under_way_gets_its_last_words_when_the_server_must_stop() -> None:
    # A listener that never answers: the run waits for it.
    with socket.create_server(("127.0.0.1", 0)) as silent, serving("--port", "0") as server:
        repository = f"http://127.0.0.1:{silent.getsockname()[1]}/o/r"
        body = json.dumps({"params": {"repo": [repository]}})
        with server.connect() as connection:
            path = "/v1/capabilities/pr_review/runs"
            connection.sendall(server.request(path, method="POST", body=body))
            started = connection.recv(65_536)
            assert started.startswith(b"HTTP/1.1 201 ")
            accepted, _ = silent.accept()
            server.process.terminate()
            server.wait_until_deaf()
            server.process.terminate()
            rest = read_all(connection)
            accepted.close()
        assert b'"reason":"interrupted"' in rest
        assert rest.endswith(b"0\r\n\r\n")
        server.process.communicate(timeout=PATIENCE)
        assert server.process.returncode == 143


@pytest.mark.parametrize(
    ("arguments", "code", "reason", "exit_code"),
    [
        (["--allow-origin", "https://app.example/"], "usage_error", "origin", 2),
        (["--host", ANY], "usage_error", "open_address", 2),
        (
            ["--host", "192.0.2.1", "--allow-host", "a.example", "--yes"],
            "listen_error",
            "address_unusable",
            69,
        ),
        (["--unix", "/nowhere/loopx.sock"], "listen_error", "socket_path", 73),
        (["--allow-origin", "https://app.example", "--agent-id", "agent-7"], "consent_required", "agent", 77),
        (
            ["--host", ANY, "--allow-host", "a.example", "--agent-id", "a", "--yes"],
            "consent_required",
            "agent",
            77,
        ),
        (["--allow-origin", "https://app.example"], "consent_required", "unattended", 77),
    ],
)
def test_what_cannot_or_may_not_be_served_is_told(
    arguments: list[str], code: str, reason: str, exit_code: int
) -> None:
    finished = run("serve", "--port", "0", "-o", "json", *arguments)
    assert (finished.error["code"], finished.error["reason"], finished.code) == (code, reason, exit_code)
    assert finished.stdout == ""


def test_a_port_that_is_taken_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        finished = run("serve", "-o", "json", "--port", str(taken.getsockname()[1]))
    assert (finished.error["code"], finished.error["reason"]) == ("listen_error", "address_in_use")


def test_a_token_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "token").write_text("0123456789abcdef")
    (tmp_path / "token").chmod(0o644)
    finished = run("serve", "--port", "0", "-o", "json", "--token-file", str(tmp_path / "token"))
    assert (finished.error["code"], finished.error["reason"]) == ("credential_error", "exposed")
    assert "0123456789abcdef" not in finished.stderr


def test_a_person_may_say_yes_for_a_script() -> None:
    with serving("--port", "0", "--allow-origin", "http://localhost:3000", "--yes") as server:
        with server.connect() as connection:
            connection.sendall(
                server.request("/status", "Origin: http://localhost:3000", "Connection: close")
            )
            answer = read_all(connection)
        assert b"Access-Control-Allow-Origin: http://localhost:3000" in answer
