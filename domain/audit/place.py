"""Where the log is kept: in a file, unless a person says aloud that it need not be."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from loopx.domain.errors import LoopXError

VARIABLE: Final = "LOOPX_AUDIT"


class AuditPlace(StrEnum):
    """Where rows go."""

    FILE = "file"
    MEMORY = "memory"


def read_audit_place(environment: Mapping[str, str]) -> AuditPlace:
    """What the environment asks for.

    Raises:
        LoopXError: ``config_invalid/value`` for a word that is none; nothing is guessed here.
    """
    asked = environment.get(VARIABLE, "").strip().lower() or AuditPlace.FILE.value
    if asked not in {*AuditPlace}:
        raise LoopXError(
            "config_invalid", "value", detail=VARIABLE, hint=f"Set {VARIABLE} to file or memory, or leave it."
        )
    return AuditPlace(asked)
