"""Who may widen trust: a person at a terminal, or a script that a person told so."""

import os
import pty
import signal
import subprocess
import sys

import pytest

from fakes.extension_bench import NAME, sha256_of
from fakes.program import CHECKOUT, PATIENCE
from fakes.registry_user import Person


def talk(person: Person, answer: bytes | signal.Signals) -> tuple[int, str]:
    """Install at a terminal; once the question is there, a key is pressed or a signal sent."""
    leader, follower = pty.openpty()
    path = str(CHECKOUT / "src")
    process = subprocess.Popen(
        [sys.executable, "-m", "loopx", "registry", "install", NAME],
        env={**os.environ, **person.environment, "PYTHONPATH": path, "NO_COLOR": "1"},
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=person.home,
        start_new_session=True,
        preexec_fn=_control_terminal,  # noqa: PLW1509 - this process has one thread that could be in the way
    )
    os.close(follower)
    try:
        seen = _converse(leader, process, answer)
        return process.wait(timeout=PATIENCE), seen.decode()
    finally:
        os.close(leader)
        process.kill()


def _converse(leader: int, process: subprocess.Popen[bytes], answer: bytes | signal.Signals) -> bytes:
    seen, left = b"", [answer]
    while piece := _read(leader):
        seen += piece
        if b"[y/N]" in seen and left:
            match left.pop():
                case bytes() as key:
                    os.write(leader, key)
                case number:
                    process.send_signal(number)
    return seen


def _control_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _read(leader: int) -> bytes:
    try:
        return os.read(leader, 65_536)
    except OSError:  # Linux says so when the other side is closed
        return b""


@pytest.mark.parametrize(("key", "code", "state"), [
    (b"y\n", 0, "installed"),
    (b"yes\n", 0, "installed"),
    (b"n\n", 77, "not_installed"),
    (b"\n", 77, "not_installed"),
    (b"\x04", 77, "not_installed"),
    (b"\x03", 130, "not_installed"),
])  # fmt: skip
def test_a_person_at_a_terminal_decides(
    person: Person, packed: bytes, key: bytes, code: int, state: str
) -> None:
    person.add(person.downloads.offer("/quotes.tar.gz", packed), "--checksum", sha256_of(packed))
    found, seen = talk(person, key)
    assert "Install quotes 1.0.0" in seen
    assert f"sha256 {sha256_of(packed)}" in seen
    assert (found, person.listed()[0]["state"]) == (code, state)
    assert bool(person.left()) == (state == "installed")


def test_sigterm_ends_the_question(person: Person, packed: bytes) -> None:
    person.add(person.downloads.offer("/quotes.tar.gz", packed), "--checksum", sha256_of(packed))
    found, seen = talk(person, signal.SIGTERM)
    assert ("[y/N]" in seen, found) == (True, 143)
    assert (person.listed()[0]["state"], person.left()) == ("not_installed", set())


def test_an_agent_cannot_install_even_with_yes(person: Person, packed: bytes) -> None:
    person.add(person.downloads.offer("/quotes.tar.gz", packed), "--checksum", sha256_of(packed))
    for refused in (
        person.registry("install", NAME, "--yes", "-o", "json", "--agent-id", "agent-7"),
        person.registry("install", NAME, "--yes", "-o", "json", LOOPX_AGENT_ID="agent-7"),
    ):
        assert (refused.error["code"], refused.error["reason"]) == ("consent_required", "agent")
    assert (person.listed()[0]["state"], person.left()) == ("not_installed", set())


def test_without_a_terminal_and_without_yes_nobody_is_asked(person: Person, packed: bytes) -> None:
    person.add(person.downloads.offer("/quotes.tar.gz", packed), "--checksum", sha256_of(packed))
    refused = person.registry("install", NAME, "-o", "json")
    assert (refused.error["code"], refused.error["reason"]) == ("consent_required", "unattended")
    assert (person.listed()[0]["state"], person.left()) == ("not_installed", set())
