"""The machine under this process."""

import os
import platform
import sys
from pathlib import Path

from loopx.domain.updates.host import Host, platform_tag
from loopx.domain.versions import Version


class SystemHost:
    """Reads the interpreter's own facts."""

    def host(self) -> Host:
        # A virtual environment may be removed any day: the interpreter behind it stays.
        interpreter = str(Path(sys.executable).resolve())
        version = Version.of("{}.{}.{}".format(*sys.version_info[:3]))
        return Host(platform_tag(platform.system(), platform.machine(), _libc()), version, interpreter)


def _libc() -> str:
    """The C library that compiled modules are linked with; only Linux has a choice of them."""
    if sys.platform != "linux":
        return ""
    try:
        return "glibc" if os.confstr("CS_GNU_LIBC_VERSION") else "musl"
    except (ValueError, OSError):
        return "musl"
