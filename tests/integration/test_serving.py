"""Who may open the server to others, and what it leaves behind however it ends."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from fakes.capabilities import Counting
from fakes.status_server import PATIENCE, TOKEN, Client, served
from loopx.domain.errors import LoopXError
from loopx.status_server import Listening, Serving, Stop, aserve, create_app, serve

ANY = "0.0.0.0"  # noqa: S104 - that it is not served unasked is the point
WIDER = [
    {"allowed_origins": ("https://app.example",)},
    {"allowed_hosts": ("app.example",)},
    {"host": ANY, "allowed_hosts": ("app.example",)},
]


def nobody(_serving: Serving) -> None:
    pytest.fail("it was served")


def during(
    scene: Callable[[Serving, "asyncio.Task[int]"], Awaitable[None]], listening: Listening, **more: Any
) -> None:
    """Run a scene while ``aserve`` serves."""

    async def main() -> None:
        told: asyncio.Future[Serving] = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(PATIENCE):
            serving = asyncio.create_task(aserve(listening, started=told.set_result, **more))
            await scene(await told, serving)

    asyncio.run(main())


async def cancelled(serving: "asyncio.Task[int]") -> None:
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving


class TestConsent:
    """A person's word is asked for before anything is bound or made."""

    @pytest.mark.parametrize("wider", WIDER)
    def test_letting_others_in_needs_a_persons_word(self, wider: dict[str, Any]) -> None:
        listening = Listening(port=0, **wider)
        with pytest.raises(LoopXError) as caught:
            serve(listening, started=nobody)
        assert (caught.value.code, caught.value.reason) == ("consent_required", "unattended")
        with pytest.raises(LoopXError, match="unattended"):
            create_app(token=TOKEN, listening=listening)
        assert [*Path(os.environ["HOME"]).rglob("serve-token")] == []

    @pytest.mark.parametrize("wider", WIDER)
    def test_an_agent_cannot_give_it(self, wider: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LOOPX_AGENT_ID", "agent-7")
        listening = Listening(port=0, **wider)
        with pytest.raises(LoopXError) as caught:
            serve(listening, started=nobody, yes=True)
        assert (caught.value.code, caught.value.reason) == ("consent_required", "agent")
        with pytest.raises(LoopXError, match="agent"):
            create_app(token=TOKEN, listening=listening, yes=True)

    def test_an_agent_may_serve_what_lets_nobody_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("LOOPX_AGENT_ID", "agent-7")

        async def scene(_where: Serving, serving: "asyncio.Task[int]") -> None:
            stop()
            assert await serving == 0

        stop = Stop()
        during(scene, Listening(port=0), stop=stop)

    def test_a_person_says_yes_for_a_program(self) -> None:
        async def scene(where: Serving, serving: "asyncio.Task[int]") -> None:
            client = Client(*await asyncio.open_connection("127.0.0.1", where.port))
            answer = await client.ask(b"GET /livez HTTP/1.1\r\nHost: app.example\r\n\r\n")
            assert answer.status == 200
            await client.close()
            stop()
            assert await serving == 0

        stop = Stop()
        during(scene, Listening(port=0, allowed_hosts=("app.example:80",)), stop=stop, yes=True)


class TestEnds:
    """Nothing stays behind, and what was there is there again."""

    def test_a_cancelled_server_hangs_up_and_gives_its_port_back(self) -> None:
        async def scene(where: Serving, serving: "asyncio.Task[int]") -> None:
            client = Client(*await asyncio.open_connection("127.0.0.1", where.port))
            await client.send(b"GET /livez HTTP/1.1\r\nX-Half: ")
            await cancelled(serving)
            assert await client.is_closed()
            await client.close()
            with pytest.raises(ConnectionRefusedError):
                await asyncio.open_connection("127.0.0.1", where.port)
            # Its own task is all that is left.
            assert asyncio.all_tasks() == {asyncio.current_task()}

        during(scene, Listening(port=0))

    def test_a_cancelled_server_takes_its_socket_away(self, tmp_path: Path) -> None:
        async def scene(_where: Serving, serving: "asyncio.Task[int]") -> None:
            assert path.is_socket()
            await cancelled(serving)
            assert not path.exists()

        path = tmp_path / "loopx.sock"
        during(scene, Listening(unix=str(path)))

    def test_who_is_told_and_fails_ends_the_server(self, tmp_path: Path) -> None:
        def fail(_serving: Serving) -> None:
            raise KeyError

        path = tmp_path / "loopx.sock"
        with pytest.raises(KeyError):
            serve(Listening(unix=str(path)), started=fail)
        assert not path.exists()

    def test_runs_end_with_a_server_that_hangs_up(self) -> None:
        async def main() -> None:
            async with (
                asyncio.timeout(PATIENCE),
                served(counting) as server,
                server.connected() as client,
            ):
                await client.send(server.post("/v1/capabilities/count/runs", {"params": {"to": 2}}))
                await client.head(b"POST")
                await server.http.aclose()
                await server.server.runs.stop()
                assert await client.is_closed()
                assert counting.ended.is_set()

        counting = Counting(pause_after=1)
        asyncio.run(main())

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_a_program_gets_its_own_signals_back(self, number: signal.Signals) -> None:
        async def scene(_where: Serving, serving: "asyncio.Task[int]") -> None:
            assert signal.getsignal(number) is not mine
            os.kill(os.getpid(), number)
            assert await serving == 0
            os.kill(os.getpid(), number)

        heard: list[int] = []

        def mine(got: int, _frame: object) -> None:
            heard.append(got)

        before = signal.signal(number, mine)
        try:
            during(scene, Listening(port=0))
        finally:
            assert signal.signal(number, before) is mine
        assert heard == [number]

    def test_a_loop_gets_its_own_signals_back(self) -> None:
        async def main() -> None:
            heard, loop = asyncio.Event(), asyncio.get_running_loop()
            loop.add_signal_handler(signal.SIGTERM, heard.set)
            stop = Stop()
            async with asyncio.timeout(PATIENCE):
                assert await aserve(Listening(port=0), started=lambda _: stop(), stop=stop) == 0
                os.kill(os.getpid(), signal.SIGTERM)
                await heard.wait()
            loop.remove_signal_handler(signal.SIGTERM)

        asyncio.run(main())
