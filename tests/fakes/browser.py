"""A real browser without a window, and pages for it that tell what became of their requests."""

import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from typing import Any, Final

PATIENCE: Final = 60.0
"""Seconds."""

NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
_FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_PAGE: Final = """<!doctype html><meta charset=utf-8><body><script>
const results = {};
const attempt = async (name, action) => {
  try { results[name] = await action(); } catch (error) { results[name] = `${error.name}`; }
};
const load = (tag, url) => new Promise(done => {
  const element = document.createElement(tag);
  element.onload = () => done("loaded");
  element.onerror = () => done("failed");
  element.src = url;
  document.body.append(element);
});
const submit = (url) => new Promise(done => {
  const frame = document.createElement("iframe");
  frame.name = "target";
  document.body.append(frame);
  const form = document.createElement("form");
  Object.assign(form, {method: "POST", action: url, target: "target", enctype: "text/plain"});
  document.body.append(form);
  frame.onload = () => done("loaded");
  form.submit();
});
(async () => {
  SCRIPT
  await fetch("/result", {method: "POST", body: JSON.stringify(results)});
})();
</script>"""


def find_browser() -> str | None:
    """The browser of this machine."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@dataclass(slots=True)
class Pages:
    """Pages on a port of loopback, and what they told."""

    port: int
    script: str = ""
    results: "Queue[dict[str, Any]]" = field(default_factory=Queue)


@contextmanager
def pages() -> Iterator[Pages]:
    """A server that gives the same page under every name."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer(_PAGE.replace("SCRIPT", found.script).encode())

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            found.results.put(json.loads(self.rfile.read(length)))
            self._answer(b"")

        def _answer(self, body: bytes) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the signature of the library
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found = Pages(server.server_port)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def browser(url: str, profile: Path) -> Iterator[None]:
    """The browser at an address while the block runs; every name under .test is this machine."""
    process = _start(url, profile, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        # Its own children go with it: they would write to the profile while that is removed.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE)


def visit(url: str, profile: Path) -> str:
    """What the browser shows at an address, as HTML."""
    process = _start(url, profile, "--dump-dom", stdout=subprocess.PIPE)
    try:
        return process.communicate(timeout=PATIENCE)[0].decode()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)


def _start(url: str, profile: Path, *more: str, stdout: int) -> subprocess.Popen[bytes]:
    command = find_browser()
    assert command is not None, f"none of {', '.join(NAMES)} is installed"
    settings = [f"--user-data-dir={profile}", "--host-resolver-rules=MAP *.test 127.0.0.1"]
    return subprocess.Popen(
        [command, *_FLAGS, *settings, *more, url],
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
