"""Read ``extension.toml``: wholly right or refused with the key that is wrong.

Source: TOML 1.0.0.
"""

import re
import tomllib
from typing import Final

from loopx.domain.errors import LoopXError
from loopx.domain.extensions.grants import CredentialSlot, Grants, HostGrant
from loopx.domain.extensions.manifest import EntryPoint, Manifest
from loopx.domain.extensions.names import LONGEST_ID, RESERVED_IDS, is_id, is_module, is_object, is_word
from loopx.domain.extensions.refusal import quoted, refused
from loopx.domain.extensions.tables import Table, first_repeated
from loopx.domain.extensions.unit_reader import UNIT_KEYS, read_units
from loopx.domain.http.message import METHODS
from loopx.domain.http.target import read_target
from loopx.domain.versions import Version, VersionRange

MOST_BYTES: Final = 128 * 1024

KEYS: Final = ("id", "version", "api", "entry", "description", "provides", "hosts", "credentials")
_VERSION: Final = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+(?:-|\Z)", re.ASCII)
_LINE: Final = re.compile(r"\(at line ([0-9]{1,6}),")
_TOP_NAMES: Final = frozenset({"loopx", "loopx_extension", "__main__"})


def read_manifest(content: bytes) -> Manifest:
    """Read and check a manifest.

    Raises:
        LoopXError: ``extension_error/manifest``, naming the key and what is expected.
    """
    root = Table(_parse(content), "", KEYS)
    extension_id = _read_id(root)
    hosts = _read_hosts(root)
    return Manifest(
        id=extension_id,
        version=_read_version(root),
        api=_read_api(root),
        entry=_read_entry(root),
        description=root.line("description"),
        units=read_units(root, root.tables("provides", UNIT_KEYS), extension_id),
        grants=Grants(hosts, _read_credentials(root, hosts)),
    )


def _parse(content: bytes) -> dict[str, object]:
    if len(content) > MOST_BYTES:
        raise refused("manifest", f"it has more than {MOST_BYTES} bytes")
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError:
        raise refused("manifest", "it is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        # The place stands in the message alone (until Python 3.14); without it nobody finds the fault.
        place = _LINE.search(str(error))
        detail = f"line {place[1]} is not TOML" if place else "it is not TOML"
        raise refused("manifest", detail) from None
    except (RecursionError, ValueError):
        # Nested too deeply, or a number or time that Python cannot hold.
        raise refused("manifest", "it is not TOML that can be read") from None


def _read_id(root: Table) -> str:
    text = root.line("id")
    if not is_id(text):
        says = f"must be words like finance-probe, at most {LONGEST_ID} characters, not {quoted(text)}"
        raise root.unfit("id", says)
    if text in RESERVED_IDS:
        raise root.unfit("id", f"must not be {quoted(text)}, which is LoopX's own")
    return text


def _read_version(root: Table) -> Version:
    text = root.line("version")
    version = Version.parse(text)
    # 1.0 and 1.0.0 would be one version with two names.
    if version is None or _VERSION.match(text) is None:
        raise root.unfit("version", f"must be a version like 1.2.3 or 1.2.3-beta.1, not {quoted(text)}")
    return version


def _read_api(root: Table) -> VersionRange:
    text = root.line("api")
    found = VersionRange.parse(text)
    if found is None:
        raise root.unfit("api", f'must be a range like ">=1,<2", not {quoted(text)}')
    return found


def _read_entry(root: Table) -> EntryPoint:
    text = root.line("entry")
    module, colon, name = text.partition(":")
    if not colon or not is_module(module) or not is_object(name):
        raise root.unfit("entry", f'must be "module:object", not {quoted(text)}')
    if module.partition(".")[0] in _TOP_NAMES:
        raise root.unfit("entry", f"must not lie in {quoted(module)}, which is LoopX's own")
    return EntryPoint(module, name)


def _read_hosts(root: Table) -> tuple[HostGrant, ...]:
    hosts = [_read_host(table) for table in root.tables("hosts", ("host", "methods"))]
    if twice := first_repeated(grant.authority for grant in hosts):
        raise root.unfit("hosts", f"names {quoted(twice)} twice")
    return tuple(hosts)


def _read_host(table: Table) -> HostGrant:
    methods = table.lines("methods")
    if not methods or not METHODS.issuperset(methods):
        raise table.unfit("methods", f"must list some of {', '.join(sorted(METHODS))}")
    return HostGrant(_read_authority(table), methods)


def _read_authority(table: Table) -> str:
    """Exactly as an address has it: a name that could be written in two ways would be granted in one."""
    text = table.line("host")
    try:
        target = read_target(f"https://{text}/")
    except LoopXError:
        target = None
    if target is None or target.authority != text:
        says = f"must be one host as in an address, like api.example.com or [::1]:8443, not {quoted(text)}"
        raise table.unfit("host", says)
    if target.is_private and not target.is_loopback:
        raise table.unfit("host", "must not be a private address")
    return text


def _read_credentials(root: Table, hosts: tuple[HostGrant, ...]) -> tuple[CredentialSlot, ...]:
    slots: list[CredentialSlot] = []
    for table in root.tables("credentials", ("slot", "host")):
        name, host = table.line("slot"), table.line("host")
        if not is_word(name):
            raise table.unfit("slot", f"must be a word like finance_api, not {quoted(name)}")
        if host not in {grant.authority for grant in hosts}:
            raise table.unfit("host", f"must be one of the listed hosts, not {quoted(host)}")
        slots.append(CredentialSlot(name, host))
    for key, names in (("slot", [one.name for one in slots]), ("host", [one.authority for one in slots])):
        if twice := first_repeated(names):
            raise root.unfit("credentials", f"names the {key} {quoted(twice)} twice")
    return tuple(slots)
