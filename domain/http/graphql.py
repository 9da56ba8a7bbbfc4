"""What an entry in the ``errors`` of a GraphQL answer means (GraphQL specification, section 7)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self, cast

PathPart = str | int

_BY_TYPE: Final = {
    "NOT_FOUND": "not_found",
    "FORBIDDEN": "forbidden",
    "INSUFFICIENT_SCOPES": "forbidden",
    "UNAUTHORIZED": "forbidden",
    "RATE_LIMIT": "rate_limited",
    "RATE_LIMITED": "rate_limited",
    "RESOURCE_LIMITS_EXCEEDED": "resource_limits",
    "MAX_NODE_LIMIT_EXCEEDED": "resource_limits",
    "INTERNAL": "server_error",
    "SERVICE_UNAVAILABLE": "server_error",
}
_VALIDATION_CODES: Final = frozenset(
    {
        "argumentLiteralsIncompatible",
        "argumentNotAccepted",
        "missingRequiredArguments",
        "selectionMismatch",
        "undefinedField",
        "undefinedFragment",
        "undefinedType",
        "variableMismatch",
        "variableRequiresValidType",
    }
)
# GitHub gives this failure neither a type nor a code, so its wording is all there is.
_SERVER_FAILURE: Final = "Something went wrong while executing your query"


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLFault:
    """One entry of ``errors``, as far as it could be read; total over any JSON value."""

    message: str = ""
    type: str = ""
    code: str = ""
    path: tuple[PathPart, ...] = ()
    saml: bool = False

    @classmethod
    def read(cls, entry: object) -> Self:
        """Understand an entry; a bare string is its message."""
        if not isinstance(entry, Mapping):
            return cls(message=entry if isinstance(entry, str) else "")
        fields = cast("Mapping[str, object]", entry)
        nested = fields.get("extensions")
        extensions = cast("Mapping[str, object]", nested) if isinstance(nested, Mapping) else {}
        path = fields.get("path")
        parts = cast("list[object]", path) if isinstance(path, list) else []
        return cls(
            message=_text(fields.get("message")),
            type=_text(fields.get("type")) or _text(extensions.get("type")),
            code=_text(extensions.get("code")) or _text(fields.get("code")),
            path=tuple(part for part in parts if isinstance(part, str | int)),
            saml=extensions.get("saml_failure") is True,
        )

    @property
    def reason(self) -> str:
        """The reason under ``provider_graphql_error``."""
        if self.saml:
            return "saml_required"
        if self.type.upper() in _BY_TYPE:
            return _BY_TYPE[self.type.upper()]
        if self.code in _VALIDATION_CODES:
            return "query_rejected"
        if self.code == "graphql_rate_limit":
            return "rate_limited"
        return "server_error" if self.message.startswith(_SERVER_FAILURE) else "unknown"


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
