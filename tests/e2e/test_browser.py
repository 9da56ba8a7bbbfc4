"""What pages can do to the status server, in a real browser: its own rules are part of the defence.

Needs Chromium. Without it these tests are not collected, except in CI, where they fail.
"""

from pathlib import Path
from typing import Any

import pytest

from fakes.browser import PATIENCE, Pages, browser, pages, visit
from fakes.capabilities import Counting
from fakes.status_server import TOKEN, served_in_a_thread
from loopx.domain.listening import Listening

pytestmark = [pytest.mark.browser, pytest.mark.timeout(180)]

COUNT = "/v1/capabilities/count/runs"
ATTACKS = """
const url = "URL";
const token = {Authorization: "Bearer TOKEN"};
const change = {...token, "X-LoopX": "1", "Content-Type": "application/json"};
const body = '{"params":{"to":3}}';
await attempt("read", async () => (await fetch(url + "/status", {headers: token})).status);
await attempt("open", async () => (await fetch(url + "/livez")).status);
await attempt("blind", async () => (await fetch(url + "/livez", {mode: "no-cors"})).type);
await attempt("blind_post", async () =>
  (await fetch(url + "COUNT", {method: "POST", mode: "no-cors", body})).type);
await attempt("change", async () => {
  const answer = await fetch(url + "COUNT", {method: "POST", headers: change, body});
  return [answer.status, answer.headers.get("Location"), (await answer.text()).split("\\n").length];
});
await attempt("image", () => load("img", url + "/livez"));
await attempt("script", () => load("script", url + "/livez"));
await attempt("frame", () => load("iframe", url + "/livez"));
await attempt("form", () => submit(url + "COUNT"));
"""


def listening(page: Pages) -> Listening:
    return Listening(port=0, allowed_origins=(f"http://app.test:{page.port}",))


def attack(page: Pages, name: str, target: str, profile: Path) -> dict[str, Any]:
    """Open the page under a name and let it try everything; gives what it could see."""
    page.script = ATTACKS.replace("URL", target).replace("COUNT", COUNT).replace("TOKEN", TOKEN)
    with browser(f"http://{name}:{page.port}/", profile):
        return page.results.get(timeout=PATIENCE)


@pytest.mark.parametrize("name", ["evil.test", "127.0.0.1", "localhost"])
def test_a_page_that_is_not_listed_reads_nothing_and_runs_nothing(name: str, tmp_path: Path) -> None:
    with pages() as page, served_in_a_thread(Counting(), listening=listening(page)) as server:
        seen = attack(page, name, f"http://127.0.0.1:{server.port}", tmp_path)
        assert server.calls == []
    assert {seen[each] for each in ("read", "open", "change")} == {"TypeError"}
    assert seen["script"] == "failed"
    assert seen["image"] == "failed"


def test_a_listed_page_reads_and_runs_what_a_program_could(tmp_path: Path) -> None:
    with pages() as page, served_in_a_thread(Counting(), listening=listening(page)) as server:
        seen = attack(page, "app.test", f"http://127.0.0.1:{server.port}", tmp_path)
        assert server.calls == ["status", "live", "run"]
    assert (seen["read"], seen["open"]) == (200, 200)
    status, place, lines = seen["change"]
    assert (status, place.startswith("/v1/runs/"), lines) == (201, True, 5)


def test_a_listed_page_without_the_token_runs_nothing(tmp_path: Path) -> None:
    with pages() as page, served_in_a_thread(Counting(), listening=listening(page)) as server:
        page.script = f"""
        await attempt("told", async () => (await (await fetch("http://127.0.0.1:{server.port}/status")).json()).code);
        """
        with browser(f"http://app.test:{page.port}/", tmp_path):
            assert page.results.get(timeout=PATIENCE) == {"told": "unauthorized"}
        assert server.calls == []


@pytest.mark.parametrize("path", ["/livez", "/status"])
def test_a_name_that_was_pointed_here_reaches_nothing(path: str, tmp_path: Path) -> None:
    """DNS rebinding: to the browser the page and the server are one origin, so only the host tells."""
    with served_in_a_thread(Counting()) as server:
        shown = visit(f"http://rebound.test:{server.port}{path}", tmp_path)
        assert server.calls == []
    assert "host_forbidden" in shown


def test_a_rebound_page_reaches_nothing_by_script_either(tmp_path: Path) -> None:
    with pages() as page, served_in_a_thread(Counting(), listening=listening(page)) as server:
        seen = attack(page, "rebound.test", f"http://rebound.test:{server.port}", tmp_path)
        assert server.calls == []
    assert {seen[each] for each in ("read", "open", "change")} == {"TypeError"}


def test_a_person_may_look_at_an_open_page(tmp_path: Path) -> None:
    with served_in_a_thread(Counting()) as server:
        assert "ok" in visit(f"http://127.0.0.1:{server.port}/livez", tmp_path)
        assert "unauthorized" in visit(f"http://127.0.0.1:{server.port}/status", tmp_path)
        assert server.calls[0] == "live"
