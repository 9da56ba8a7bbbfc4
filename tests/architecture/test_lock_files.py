"""What ``make lock`` wrote: complete, pinned with hashes, and bound to no machine or index."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from architecture.checkout import ROOT, files, settings

LOCKS = sorted(files("requirements"))
PIN = re.compile(r"([a-z0-9-]+)(?:\[[a-z0-9,-]+\])?==(\S+)")


def pins(lock: str) -> dict[str, str]:
    lines = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8").splitlines()
    return {match[1]: match[2] for match in map(PIN.match, lines) if match}


def declared(group: str) -> list[Requirement]:
    entries = settings()["dependency-groups"][group]
    inner = [
        requirement
        for entry in entries
        if isinstance(entry, dict)
        for requirement in declared(entry["include-group"])
    ]
    return inner + [Requirement(entry) for entry in entries if isinstance(entry, str)]


RUNTIME = [Requirement(text) for text in settings()["project"]["dependencies"]]
LOCKED = {
    "runtime": RUNTIME,
    "build": declared("build"),
    "test": RUNTIME + declared("test"),
    "dev": RUNTIME + declared("dev"),
    "lock": declared("lock"),
}


def test_every_lock_file_is_known_here() -> None:
    assert {path.stem for path in LOCKS} == set(LOCKED)


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_a_lock_file_names_no_address_and_no_option_but_hashes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "://" not in text
    assert " @ " not in text
    assert set(re.findall(r"(?<!\S)--?[a-z][a-z-]*", text)) <= {"--hash", "-c"}


@pytest.mark.parametrize("path", LOCKS, ids=lambda path: path.stem)
def test_every_pin_has_hashes(path: Path) -> None:
    lines = [
        line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")
    ]
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if not line.startswith(" "):
            assert PIN.match(line), line
            assert re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", following), line


@pytest.mark.parametrize("lock", LOCKED)
def test_a_lock_file_satisfies_what_is_declared(lock: str) -> None:
    pinned = pins(lock)
    unmet = [
        str(requirement)
        for requirement in LOCKED[lock]
        if not requirement.specifier.contains(pinned.get(canonicalize_name(requirement.name), "0"))
    ]
    assert unmet == []


@pytest.mark.parametrize("lock", ["runtime", "build", "test"])
def test_lock_files_agree_so_that_they_can_share_an_environment(lock: str) -> None:
    assert pins(lock).items() <= pins("dev").items()


def test_the_repository_names_no_package_index() -> None:
    hosts = ("py" + "pi.org", "python" + "hosted", "registry.npm" + "js")
    places = [
        *files("scripts", "requirements", ".ci", "docs"),
        *(ROOT / name for name in ("Makefile", "pyproject.toml")),
    ]
    texts = {path: path.read_text(encoding="utf-8") for path in places}
    assert {path for path, text in texts.items() if any(host in text for host in hosts)} == set()
