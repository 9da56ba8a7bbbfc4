"""A value that refuses to be shown."""

from typing import Final, NoReturn

MINIMUM_LENGTH: Final = 8
"""A shorter credential cannot be told from ordinary text, so it could not be redacted."""


class Secret:
    """Text that never appears by accident: only ``reveal`` gives it away."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """The value itself, for the one place that puts it on the wire."""
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and self._value == other._value

    def __hash__(self) -> int:
        return hash((Secret, self._value))

    def __repr__(self) -> str:
        return "Secret(***)"

    def __str__(self) -> str:
        return "***"

    def __format__(self, _spec: str) -> str:
        return "***"

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        message = "a Secret is not pickled or copied"
        raise TypeError(message)
