"""Does a version work here? It is started and must tell its own version."""

from collections.abc import Mapping
from typing import Final

from loopx.domain.processes import Command, Finished
from loopx.domain.updates.release import ENTRY
from loopx.domain.versions import Version

SELF_CHECK: Final = "--self-check"
"""Every release answers this with ``loopx VERSION``, once all that it needs was loaded."""
PATIENCE: Final = 30.0
"""Seconds."""

_PASSED: Final = ("HOME", "LANG", "LC_ALL", "PATH", "TMPDIR")
_SHOWN: Final = 200


def self_check(root: str, environment: Mapping[str, str], patience: float = PATIENCE) -> Command:
    """The command that asks the version in a folder, or behind a pointer; ``patience`` in seconds."""
    passed = {name: environment[name] for name in _PASSED if name in environment}
    return Command(arguments=(f"{root}/{ENTRY}", SELF_CHECK), environment=passed, timeout=patience)


def find_fault(finished: Finished, expected: Version) -> str | None:
    """Why an answer is not the one of a healthy version; ``None`` if it is."""
    if finished.exit_code is None:
        return "it did not answer in time"
    if finished.exit_code < 0:
        return f"signal {-finished.exit_code} ended it{_said(finished)}"
    if finished.exit_code > 0:
        return f"it ended with exit code {finished.exit_code}{_said(finished)}"
    answer = finished.output.decode("utf-8", "replace").strip()
    if answer != f"loopx {expected}":
        return f"it answered {answer[:_SHOWN]!a} instead of 'loopx {expected}'"
    return None


def _said(finished: Finished) -> str:
    """The last line of its complaint: a traceback ends with what matters."""
    lines = finished.talk.decode("utf-8", "replace").strip().splitlines()
    return f", saying {lines[-1].strip()[:_SHOWN]!a}" if lines else ""
