"""Where the server can listen, and where it refuses to."""

import asyncio
import socket
from pathlib import Path

import pytest

from fakes.capabilities import Counting
from fakes.status_server import TOKEN, Client, served
from loopx.domain.errors import LoopXError
from loopx.domain.listening import Listening
from loopx.entrypoints.http.wire.sockets import open_socket


def refusal(listening: Listening) -> tuple[str, str]:
    with pytest.raises(LoopXError) as caught:
        open_socket(listening).close()
    assert caught.value.code == "listen_error"
    return caught.value.reason, caught.value.detail


def test_ipv6_loopback_is_served_under_its_own_name() -> None:
    async def main() -> None:
        async with served(listening=Listening(host="::1", port=0)) as server:
            assert (await server.ask(server.get("/status"))).status == 200
            foreign = server.get("/status").replace(b"[::1]", b"[::2]")
            assert (await server.ask(foreign)).status == 421

    asyncio.run(main())


def test_a_port_that_is_taken_is_told_with_its_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert refusal(Listening(port=port)) == ("address_in_use", f"http://127.0.0.1:{port}")


def test_an_address_of_another_machine_is_told() -> None:
    reason, _ = refusal(Listening(host="192.0.2.1", port=0, allowed_hosts=("a.example",)))
    assert reason == "address_unusable"


class TestUnixSocket:
    """A socket file in the place of a port."""

    def test_serves_whatever_host_is_named_and_no_page(self, tmp_path: Path) -> None:
        path = tmp_path / "loopx.sock"

        async def ask(*headers: str) -> int:
            lines = ["GET /status HTTP/1.1", f"Authorization: Bearer {TOKEN}", *headers, "", ""]
            client = Client(*await asyncio.open_unix_connection(path))
            answer = await client.ask("\r\n".join(lines).encode())
            await client.close()
            return answer.status

        async def main() -> None:
            async with served(Counting(), listening=Listening(unix=str(path))):
                assert path.stat().st_mode & 0o777 == 0o600
                assert await ask("Host: anything.example") == 200
                assert await ask("Host: a", "Origin: http://a") == 403
                assert await ask("Host: a", "Sec-Fetch-Site: cross-site") == 403
                assert await ask() == 400
            assert not path.exists()

        asyncio.run(main())

    def test_takes_the_place_of_one_that_nobody_answers(self, tmp_path: Path) -> None:
        path = tmp_path / "loopx.sock"
        with socket.socket(socket.AF_UNIX) as dead:
            dead.bind(str(path))
        open_socket(Listening(unix=str(path))).close()

    def test_leaves_one_that_somebody_answers(self, tmp_path: Path) -> None:
        path = tmp_path / "loopx.sock"
        with socket.socket(socket.AF_UNIX) as alive:
            alive.bind(str(path))
            alive.listen()
            assert refusal(Listening(unix=str(path))) == ("address_in_use", str(path))
        assert path.exists()

    def test_leaves_any_other_file(self, tmp_path: Path) -> None:
        path = tmp_path / "loopx.sock"
        path.write_text("precious")
        assert refusal(Listening(unix=str(path)))[0] == "socket_path"
        (tmp_path / "link").symlink_to(path)
        assert refusal(Listening(unix=str(tmp_path / "link")))[0] == "socket_path"
        assert path.read_text() == "precious"

    @pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
    def test_is_not_made_where_others_could_replace_it(self, tmp_path: Path, mode: int) -> None:
        tmp_path.chmod(mode)
        reason, detail = refusal(Listening(unix=str(tmp_path / "loopx.sock")))
        assert (reason, "others" in detail) == ("socket_path", True)

    def test_may_be_in_a_shared_folder_where_only_owners_remove(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o1777)
        open_socket(Listening(unix=str(tmp_path / "loopx.sock"))).close()

    @pytest.mark.parametrize("name", ["nowhere/loopx.sock", "x" * 200])
    def test_that_cannot_be_is_told(self, tmp_path: Path, name: str) -> None:
        assert refusal(Listening(unix=str(tmp_path / name)))[0] == "socket_path"
