"""What in an environment is secret."""

import re
from collections.abc import Mapping
from typing import Final

from loopx.domain.http.credentials import TOKEN_NAMES
from loopx.domain.secrets import Secret

_TELLING: Final = re.compile(r"TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE|API_?KEY|ACCESS_?KEY", re.IGNORECASE)


def own_secrets(environment: Mapping[str, str]) -> tuple[Secret, ...]:
    """The credentials that LoopX itself uses; data is searched for these."""
    return tuple(Secret(environment[name].strip()) for name in TOKEN_NAMES if environment.get(name))


def likely_secrets(environment: Mapping[str, str]) -> tuple[Secret, ...]:
    """Everything whose name tells of a secret; what is said about the program itself hides all of it."""
    return tuple(Secret(value.strip()) for name, value in environment.items() if _TELLING.search(name))
