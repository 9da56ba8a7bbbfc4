"""The checkout that git knows around a directory."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from loopx.domain.remotes import Remote

# git gets what finds its configuration and the repository: no token, and nothing that makes it ask.
_PASSED: Final = frozenset(
    {
        "GIT_CEILING_DIRECTORIES",
        "GIT_CONFIG_GLOBAL",
        "GIT_CONFIG_NOSYSTEM",
        "GIT_CONFIG_SYSTEM",
        "GIT_DIR",
        "GIT_WORK_TREE",
        "HOME",
        "PATH",
        "SYSTEMROOT",
        "USERPROFILE",
        "XDG_CONFIG_HOME",
    }
)
_OWN: Final = {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0"}
_RESOLVED_KEY: Final = ".gh-resolved"


class GitCheckout:
    """Asks git for the remotes; addresses come as git itself would use them, rewritten ones included."""

    def __init__(
        self, *, environment: Mapping[str, str], directory: str = ".", patience: float = 5.0
    ) -> None:
        """``patience`` is how long git may take to answer, in seconds."""
        self._environment = {name: environment[name] for name in _PASSED & environment.keys()} | _OWN
        self._directory = directory
        self._patience = patience

    async def remotes(self) -> tuple[Remote, ...]:
        listing = await self._ask("remote", "--verbose")
        if not listing:
            return ()
        resolved = _read_resolved(
            await self._ask("config", "-z", "--get-regexp", r"^remote\..*\.gh-resolved$")
        )
        return tuple(Remote(name, url, resolved.get(name)) for name, url in _read_listing(listing).items())

    async def _ask(self, *arguments: str) -> str:
        try:
            async with asyncio.timeout(self._patience):
                return await self._run(arguments)
        except (OSError, TimeoutError):
            return ""  # no git here, or one that hangs: the person can name the repository

    async def _run(self, arguments: tuple[str, ...]) -> str:
        process = await asyncio.create_subprocess_exec(
            "git",
            "-C",
            self._directory,
            *arguments,
            env=self._environment,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            output, _ = await process.communicate()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        return output.decode("utf-8", "replace") if process.returncode == 0 else ""


def _read_listing(text: str) -> dict[str, str]:
    """``NAME<TAB>URL (fetch)`` a line; a partial clone has ``[blob:none]`` behind it."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        name, _, rest = line.partition("\t")
        url, fetch, _ = rest.rpartition(" (fetch)")
        if fetch:
            found.setdefault(name, url)
    return found


def _read_resolved(text: str) -> dict[str, str]:
    """``remote.NAME.gh-resolved<LF>VALUE`` an entry, with NUL behind each."""
    found: dict[str, str] = {}
    for entry in filter(None, text.split("\0")):
        key, _, value = entry.partition("\n")
        found[key.removeprefix("remote.").removesuffix(_RESOLVED_KEY)] = value
    return found
