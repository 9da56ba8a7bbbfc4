"""Real releases of this checkout, served over https: adopted, updated, taken back, and run."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from architecture.checkout import ROOT, copy_checkout
from architecture.checkout import run as run_command
from fakes.downloads import Answer, Downloads
from fakes.program import Finished, run
from fakes.releases import Packed, pack
from loopx import __version__

pytestmark = pytest.mark.xdist_group("release")

LATER = "9.8.7"


@dataclass(frozen=True, slots=True)
class Built:
    """A release archive on the disk."""

    path: Path
    sha256: str
    said: str


def build(checkout: Path, output: Path) -> Built:
    """What ``make release`` does."""
    script = str(ROOT / "scripts" / "release.py")
    said = run_command(
        [sys.executable, script, "--checkout", str(checkout), "--output", str(output)], cwd=output
    )
    (path,) = output.glob("loopx-*.tar.gz")
    (digest,) = [line.removeprefix("sha256 ") for line in said.splitlines() if line.startswith("sha256 ")]
    return Built(path, digest, said)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy, so that nobody's edits get between two builds."""
    copy = copy_checkout(tmp_path_factory.mktemp("release") / "checkout")
    shutil.copytree(ROOT / "requirements", copy / "requirements")
    return copy


@pytest.fixture(scope="module")
def release(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build(checkout, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def later(checkout: Path, release: Built, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The same tree under another number; asked for after the other, for it changes the copy."""
    literal = checkout / "src" / "loopx" / "__init__.py"
    literal.write_text(literal.read_text().replace(f'"{__version__}"', f'"{LATER}"'))
    return build(checkout, tmp_path_factory.mktemp("dist"))


@pytest.fixture
def downloads(tmp_path: Path) -> Iterator[Downloads]:
    folder = tmp_path / "server"
    folder.mkdir()
    with Downloads(folder) as server:
        yield server


def bare(downloads: Downloads) -> dict[str, str]:
    """A user's environment with nothing of LoopX in it."""
    home = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
    return {**home, **downloads.environment}


def start(launcher: Path, *arguments: str, environment: dict[str, str]) -> Finished:
    """Run an installed version from an empty folder."""
    answer = subprocess.run(
        [launcher, *arguments],
        cwd=launcher.anchor,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )
    return Finished(answer.returncode, answer.stdout, answer.stderr)


def only_record(finished: Finished) -> dict[str, Any]:
    assert finished.code == 0, finished.stderr
    return finished.lines[0]


def test_a_release_is_adopted_updated_and_taken_back(
    release: Built, later: Built, downloads: Downloads, tmp_path: Path
) -> None:
    home = tmp_path / "data home"
    environment = {**downloads.environment, "LOOPX_DATA_HOME": str(home)}
    url = downloads.offer("/first.tar.gz", release.path.read_bytes())
    words = ("self-update", "--adopt", "--url", url, "--checksum", release.sha256, "--yes", "-o", "ndjson")
    adopted = only_record(run(*words, environment=environment))
    launcher = home / "current" / "bin" / "loopx"
    assert (adopted["deed"], adopted["launcher"]) == ("adopted", str(launcher))

    # From here on nothing says where the home is: a version knows where it lies.
    user = bare(downloads)
    assert start(launcher, "--version", environment=user).stdout == f"loopx {__version__}\n"
    (tmp_path / "loopx").symlink_to(launcher)
    assert start(tmp_path / "loopx", "--version", environment={}).stdout == f"loopx {__version__}\n"
    demo = start(launcher, "demo", "-o", "ndjson", environment=user)
    assert demo.of_type("summary")[0]["status"] == "ok"

    url = downloads.offer("/later.tar.gz", later.path.read_bytes())
    again = ("self-update", "--url", url, "--checksum", later.sha256, "--yes", "-o", "ndjson")
    updated = only_record(start(launcher, *again, environment=user))
    assert (updated["deed"], updated["version"], updated["old"]) == ("updated", LATER, adopted["new"])
    assert start(launcher, "--version", environment=user).stdout == f"loopx {LATER}\n"
    assert only_record(start(launcher, *again, environment=user))["deed"] == "unchanged"

    listed = start(launcher, "self-update", "--list", "-o", "ndjson", environment=user).of_type("version")
    assert [(each["standing"], each["in_use"]) for each in listed] == [("current", True), ("previous", False)]
    back = only_record(
        start(launcher, "self-update", "--rollback", "--yes", "-o", "ndjson", environment=user)
    )
    assert (back["deed"], back["version"]) == ("rolled_back", __version__)
    assert start(launcher, "--version", environment=user).stdout == f"loopx {__version__}\n"
    assert not (home / "update.journal").exists()
    assert list((home / "staging").iterdir()) == []


def test_the_same_content_gives_the_same_bytes(release: Built, checkout: Path, tmp_path: Path) -> None:
    literal = checkout / "src" / "loopx" / "__init__.py"
    literal.write_text(literal.read_text().replace(f'"{LATER}"', f'"{__version__}"'))
    assert build(checkout, tmp_path).sha256 == release.sha256
    assert f"--checksum {release.sha256}" in release.said


def adopt(packed: Packed, downloads: Downloads, home: Path, *more: str, url: str = "") -> Finished:
    """Adopt a tiny release, as JSON."""
    address = url or downloads.offer("/tiny.tar.gz", packed.content)
    words = ("self-update", "--adopt", "--url", address, "--checksum", packed.sha256, "-o", "json")
    return run(*words, *more, environment={**downloads.environment, "LOOPX_DATA_HOME": str(home)})


TINY = pack("9.0.0")


def reason(finished: Finished) -> str:
    assert "Traceback" not in finished.stderr
    return f"{finished.error['code']}/{finished.error['reason']}"


def test_other_bytes_are_shown_with_both_digests_and_nothing_is_unpacked(
    downloads: Downloads, tmp_path: Path
) -> None:
    page = b"<!doctype html><title>Sign in</title>"
    wrong = Packed(page, TINY.sha256, "")
    finished = adopt(wrong, downloads, tmp_path / "home", "--yes")
    assert (finished.code, reason(finished)) == (65, "integrity_error/checksum")
    detail = finished.error["detail"]
    for shown in (TINY.sha256, f"{len(page)} bytes", "an HTML page"):
        assert shown in detail
    assert not (tmp_path / "home" / "versions").exists()
    assert list((tmp_path / "home" / "staging").iterdir()) == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            Answer(status=302, headers={"Location": "http://localhost:1/x.tar.gz"}),
            "provider_redirect_error/downgrade",
        ),
        (Answer(status=404), "provider_http_error/not_found"),
        (Answer(body=TINY.content[:100], announced=len(TINY.content)), "provider_network_error/truncated"),
    ],
    ids=["redirect to http", "not found", "cut off"],
)
def test_a_download_that_goes_wrong_leaves_nothing(
    downloads: Downloads, tmp_path: Path, answer: Answer, expected: str
) -> None:
    downloads.answers["/there"] = answer
    finished = adopt(TINY, downloads, tmp_path / "home", "--yes", url=downloads.url("/there"))
    assert reason(finished) == expected
    assert not (tmp_path / "home" / "versions").exists()
    assert not (tmp_path / "home" / "update.journal").exists()


def test_plain_http_is_refused_even_on_this_machine(downloads: Downloads, tmp_path: Path) -> None:
    finished = adopt(TINY, downloads, tmp_path / "home", "--yes", url="http://localhost:1/x.tar.gz")
    assert (finished.code, reason(finished)) == (77, "egress_blocked/scheme")


def test_an_agent_may_not_update_and_nobody_is_taken_for_yes(downloads: Downloads, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert reason(adopt(TINY, downloads, home, "--yes", "--agent-id", "agent-7")) == "consent_required/agent"
    assert reason(adopt(TINY, downloads, home)) == "consent_required/unattended"
    assert downloads.asked == []
    assert not home.exists()


def test_a_checkout_is_told_its_own_command(downloads: Downloads, tmp_path: Path) -> None:
    words = ("self-update", "--url", downloads.url("/x"), "--checksum", TINY.sha256, "--yes", "-o", "json")
    for more in ((), ("--rollback",)):
        finished = run(*(words if not more else (words[0], *more, *words[-2:])))
        assert (finished.code, reason(finished)) == (78, "update_error/owner")
        assert f"git -C {ROOT} pull" in finished.error["hint"]
    assert downloads.asked == []


def test_a_plan_writes_nothing_and_asks_nobody(downloads: Downloads, tmp_path: Path) -> None:
    home = tmp_path / "home"
    url = downloads.offer("/tiny.tar.gz", TINY.content)
    words = ("self-update", "--plan", "--adopt", "--url", url, "--checksum", TINY.sha256)
    environment = {**downloads.environment, "LOOPX_DATA_HOME": str(home)}
    steps = run(*words, "-o", "ndjson", environment=environment)
    assert {step["verdict"] for step in steps.of_type("update_step")} <= {"ready", "skipped", "asks"}
    assert "--adopt" in steps.of_type("summary")[0]["next"][0]
    table = run(*words, environment=environment)
    assert "STEP" in table.stdout
    assert url in table.stdout
    assert downloads.asked == []
    assert not home.exists()


def test_an_interrupted_update_is_settled_by_any_next_start(downloads: Downloads, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert adopt(TINY, downloads, home, "--yes").code == 0
    (home / "update.journal").write_text("")
    (home / "staging" / "dead").mkdir()
    environment = {"LOOPX_DATA_HOME": str(home)}
    finished = run("--version", environment=environment)
    assert (finished.code, finished.stdout) == (0, f"loopx {__version__}\n")
    assert "cleared up" in finished.stderr
    assert not (home / "update.journal").exists()
    assert list((home / "staging").iterdir()) == []
    (home / "update.journal").write_text("nonsense\n")
    finished = run("--version", environment=environment)
    assert (finished.code, finished.stdout) == (0, f"loopx {__version__}\n")
    assert "cannot be settled" in finished.stderr


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["--url", "https://example.com/x"],
        ["--checksum", "a" * 64],
        ["--list", "--rollback"],
        ["--rollback", "--url", "https://example.com/x", "--checksum", "a" * 64],
        ["--url", "https://example.com/x", "--checksum", "A1B2"],
    ],
)
def test_words_that_do_not_go_together_are_a_matter_of_usage(words: list[str]) -> None:
    finished = run("self-update", *words, "-o", "json")
    assert finished.code == 2
    assert finished.error["code"] == "usage_error"


def test_a_tiny_release_that_is_adopted_is_shown_with_what_to_do_next(
    downloads: Downloads, tmp_path: Path
) -> None:
    url = downloads.offer("/tiny.tar.gz", TINY.content)
    words = ("self-update", "--adopt", "--url", url, "--checksum", TINY.sha256.upper(), "--yes")
    environment = {**downloads.environment, "LOOPX_DATA_HOME": str(tmp_path / "home")}
    finished = run(*words, environment=environment)
    assert finished.code == 0, finished.stderr
    assert TINY.name in finished.stdout
    assert f"export PATH={tmp_path}/home/current/bin" in finished.stdout
    assert "switching" in finished.stderr
    listed = run("self-update", "--list", environment=environment).stdout
    assert TINY.name in listed
    assert "current" in listed
