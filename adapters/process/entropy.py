"""The machine's source of chance."""

import secrets


class SystemEntropy:
    """Makes identifiers from the operating system's randomness."""

    def hex(self, size: int) -> str:
        while not (digits := secrets.token_hex(size)).strip("0"):
            pass
        return digits
