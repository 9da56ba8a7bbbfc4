"""Chance."""

from typing import Protocol


class Entropy(Protocol):
    """Makes identifiers that nobody else has."""

    def hex(self, size: int) -> str:
        """``size`` random bytes as lower-case hexadecimal digits, never all zero."""
        ...
