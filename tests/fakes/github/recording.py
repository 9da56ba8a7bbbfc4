"""What the fake GitHub remembers of each request."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final

_OPERATION: Final = re.compile(r"\bquery\s+(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """One request, numbered from 1 in order of arrival; ``at`` is monotonic seconds."""

    number: int
    connection: int
    in_flight: int
    at: float
    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """The first header of that name, in any case."""
        return next((value for key, value in self.headers if key == name.lower()), None)

    @property
    def json(self) -> dict[str, Any]:
        """The body as a JSON object; empty when it is none."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}

    @property
    def query(self) -> str:
        """The GraphQL document."""
        return str(self.json.get("query") or "")

    @property
    def variables(self) -> dict[str, Any]:
        """The GraphQL variables."""
        return dict(self.json.get("variables") or {})

    @property
    def operation(self) -> str | None:
        """The name of the GraphQL operation."""
        named = self.json.get("operationName")
        found = _OPERATION.search(self.query)
        return str(named) if named else found and found.group(1)
