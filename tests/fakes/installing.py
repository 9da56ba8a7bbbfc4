"""Put releases together in some parts, as an update does."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO

from fakes.releases import pack
from fakes.update_bench import Parts
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.updates.release import read_release
from loopx.domain.updates.seal import Seal


@contextmanager
def unpacked(parts: Parts, content: bytes) -> Iterator[str]:
    """The root of an unpacked archive in a staging area."""
    with parts.staging.stage() as area:
        summary = asyncio.run(parts.reader.extract(BytesIO(content), area.tree, DEFAULT_LIMITS))
        yield f"{area.tree}/{summary.top}"


def install(parts: Parts, number: str = "0.1.0") -> Seal:
    """A tiny release among the versions."""
    packed = pack(number)
    with unpacked(parts, packed.content) as root:
        manifest = asyncio.run(parts.tree.manifest(root))
        described = read_release(manifest)
        seal = Seal(
            version=described.version,
            sha256=packed.sha256,
            manifest=sha256(manifest).hexdigest(),
            state=described.state,
            size=described.size,
            installed_at=1_700_000_000,
        )
        asyncio.run(parts.tree.seal(root, seal, "/usr/bin/python3"))
        parts.store.add(root, seal.name)
    return seal
