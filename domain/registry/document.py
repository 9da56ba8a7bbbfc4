"""``registry.json``: which extensions a project wants, and which bytes of them.

The document declares and nothing more: that an entry is here makes no code run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from loopx.domain.documents import (
    DocumentKind,
    JsonObject,
    Part,
    corrupt,
    read_document,
    write_document,
)
from loopx.domain.errors import LoopXError
from loopx.domain.http.message import HttpRequest
from loopx.domain.http.sensitive import secrets_of
from loopx.domain.http.target import read_target
from loopx.domain.registry.checksum import read_checksum
from loopx.domain.registry.names import check_name

REGISTRY: Final = DocumentKind("loopx.registry")
_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class Source:
    """Where an archive is, and which bytes it must be; without a checksum the first download decides."""

    url: str
    sha256: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One extension that a project wants.

    ``next`` is to take the place of ``source`` once it is installed: until then the old one works.
    """

    name: str
    source: Source
    version: str | None = None
    next: Source | None = None
    unknown: JsonObject = field(default_factory=dict[str, object])

    @property
    def wanted(self) -> Source:
        """What an installation fetches."""
        return self.next or self.source


@dataclass(frozen=True, slots=True)
class Registry:
    """All entries by name; ``unknown`` is what a document holds besides them."""

    entries: Mapping[str, Entry] = field(default_factory=dict[str, Entry])
    unknown: JsonObject = field(default_factory=dict[str, object])

    def find(self, name: str) -> Entry:
        """The entry of that name.

        Raises:
            LoopXError: ``registry_error/unknown``.
        """
        found = self.entries.get(name)
        if found is None:
            raise LoopXError("registry_error", "unknown", detail=ascii(name[:_SHOWN]))
        return found

    def declare(self, name: str, source: Source, *, in_use: bool) -> "Registry":
        """Want an extension from that source; one that is in use stays so until the new one is installed."""
        old = self.entries.get(name)
        if old is None:
            return self._with(Entry(name=name, source=source))
        if _is_same(old.source, source):
            return self._with(replace(old, next=None))
        if in_use:
            return self._with(replace(old, next=source))
        return self._with(replace(old, source=source, version=None, next=None))

    def wants(self, name: str, fetched: Source) -> bool:
        """Whether an entry asks for what was fetched."""
        entry = self.entries.get(name)
        return entry is not None and _is_same(fetched, entry.wanted)

    def settle(self, name: str, fetched: Source, version: str) -> "Registry":
        """Pin what was installed; an entry that wants something else by now is left as it is."""
        if not self.wants(name, fetched):
            return self
        settled = replace(self.entries[name], source=fetched, version=version, next=None)
        return self._with(settled)

    def without(self, name: str) -> "Registry":
        """Want it no longer."""
        return Registry({key: entry for key, entry in self.entries.items() if key != name}, self.unknown)

    def _with(self, entry: Entry) -> "Registry":
        return Registry({**self.entries, entry.name: entry}, self.unknown)


def _is_same(one: Source, other: Source) -> bool:
    """Whether ``one`` is what ``other`` asks for: a source without a checksum asks for any bytes."""
    return one.url == other.url and other.sha256 in {None, one.sha256}


def check_url(url: str) -> str:
    """The address, if code may be fetched from there.

    Raises:
        LoopXError: ``request_invalid``, or ``egress_blocked/scheme`` for anything but https.
    """
    if read_target(url).scheme != "https":
        raise LoopXError("egress_blocked", "scheme", detail="code is fetched over https only")
    return url


def check_new_url(url: str) -> str:
    """The same for an address that is about to be written down where others read it.

    Raises:
        LoopXError: as ``check_url``; ``request_invalid/url`` for one that holds a secret.
    """
    if secrets_of(HttpRequest(method="GET", url=check_url(url))):
        hint = "Name an address that stays valid without a token: registry.json may be shared."
        raise LoopXError("request_invalid", "url", detail="its query holds a secret", hint=hint)
    return url


def read_registry(content: bytes | None, place: str) -> Registry:
    """Read the document; where there is none, nothing is wanted. ``place`` is its path.

    Raises:
        LoopXError: ``state_error`` with reason ``corrupt`` or ``newer_version``.
    """
    if content is None:
        return Registry()
    document = Part(read_document(content, REGISTRY, place), place)
    entries = {name: _read_entry(name, part) for name, part in document.named_parts("extensions")}
    return Registry(entries, document.rest({"schema", "extensions"}))


def write_registry(registry: Registry) -> bytes:
    """The document, entries in order of their names: two people's additions rarely meet on one line."""
    entries = {name: _entry_data(registry.entries[name]) for name in sorted(registry.entries)}
    return write_document(REGISTRY, {"extensions": entries, **registry.unknown})


def _read_entry(name: str, part: Part) -> Entry:
    try:
        check_name(name)
    except LoopXError as error:
        raise corrupt(part.place, f"{part.path}: {error.what}") from None
    following = part.data.get("next")
    return Entry(
        name=name,
        source=_read_source(part),
        version=part.optional_text("version"),
        next=_read_source(Part.of(following, part.place, f"{part.path}.next"))
        if following is not None
        else None,
        unknown=part.rest({"url", "sha256", "version", "next"}),
    )


def _read_source(part: Part) -> Source:
    sha256 = part.optional_text("sha256")
    try:
        url = check_url(part.text("url"))
        return Source(url, read_checksum(sha256) if sha256 is not None else None)
    except LoopXError as error:
        if error.code == "state_error":
            raise
        raise corrupt(part.place, f"{part.path}: {error.what}") from None


def _entry_data(entry: Entry) -> JsonObject:
    following = {"next": _source_data(entry.next)} if entry.next else {}
    version = {"version": entry.version} if entry.version is not None else {}
    return {**_source_data(entry.source), **version, **following, **entry.unknown}


def _source_data(source: Source) -> dict[str, object]:
    return {"url": source.url, **({"sha256": source.sha256} if source.sha256 is not None else {})}
