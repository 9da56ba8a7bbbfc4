"""An extension for tests: its manifest, its units, and code made of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from loopx.domain.context import CallContext, TraceContext
from loopx.domain.extensions.code import ExtensionCode, digest_files
from loopx.domain.extensions.manifest_reader import read_manifest

CONTEXT: Final = CallContext(trace=TraceContext("1" * 32, "2" * 16))
HOST: Final = "api.example.com"

_HEAD: Final = """
id = "sample"
version = "1.2.0"
api = ">=1,<2"
entry = "sample.units:UNITS"
description = "Units for tests"

[[hosts]]
host = "{host}"
methods = ["GET", "POST"]

[[credentials]]
slot = "sample_api"
host = "{host}"
"""
_UNIT: Final = """
[[provides]]
kind = "capability"
name = "sample.{name}"
summary = "A unit for tests"

[[provides.parameters]]
name = "word"
description = "Any word"
default = "hello"

[[provides.parameters]]
name = "count"
type = "integer"
description = "How many"
minimum = 1

[provides.record]
schema = "sample.thing/1"
type = "thing"

[[provides.record.fields]]
name = "name"
description = "What it is called"

[[provides.record.fields]]
name = "size"
type = "integer"
description = "How large it is"
nullable = true
"""


def manifest_text(*units: str, host: str = HOST) -> str:
    """A manifest that provides units of these names, all of one shape."""
    return _HEAD.format(host=host) + "".join(_UNIT.format(name=name) for name in units)


def code_of(
    source: str, *units: str, host: str = HOST, more: Mapping[str, bytes] | None = None
) -> ExtensionCode:
    """An extension whose one module has this source."""
    manifest = manifest_text(*units, host=host).encode()
    files = {
        "extension.toml": manifest,
        "sample/__init__.py": b"",
        "sample/units.py": source.encode(),
        **(more or {}),
    }
    return ExtensionCode(read_manifest(manifest), files, digest_files(files))


def unit_source() -> str:
    """The source of ``fakes.extensions.units``."""
    return (Path(__file__).parent / "units.py").read_text(encoding="utf-8")
