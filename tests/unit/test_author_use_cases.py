"""Starting, checking and packing an extension, without a disk and without a process."""

import asyncio
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.extensions import CONTEXT
from fakes.outcomes import pair_of
from loopx.adapters.memory.archives import MemoryArchives, MemoryFile
from loopx.adapters.memory.clock import MemoryClock
from loopx.adapters.memory.extension_host import MemoryExtensionHost
from loopx.adapters.memory.extension_source import MemoryExtensionSource
from loopx.application.use_cases.check_extension import CheckExtension
from loopx.application.use_cases.create_extension import CreateExtension
from loopx.application.use_cases.pack_extension import PackExtension
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.errors import LoopXError
from loopx.domain.extensions.manifest_reader import read_manifest
from loopx.domain.extensions.names import RESERVED_IDS, is_id
from loopx.domain.extensions.scaffold import new_extension
from loopx.extension import Steps

ID = "tea-things"


def things(word: str, limit: int) -> Steps:
    yield from ()


def started() -> MemoryExtensionSource:
    source = MemoryExtensionSource()
    asyncio.run(CreateExtension(source=source)(ID, "here"))
    return source


def check_of(source: MemoryExtensionSource) -> CheckExtension:
    host = MemoryExtensionHost({ID: {"tea_things.things": things}}, clock=MemoryClock())
    return CheckExtension(source=source, host=host)


def changed(source: MemoryExtensionSource, path: str, before: bytes, after: bytes) -> MemoryExtensionSource:
    files = dict(source.folders["here"])
    assert before in files[path]
    return MemoryExtensionSource({"here": files | {path: files[path].replace(before, after)}})


def refusal(source: MemoryExtensionSource) -> str | None:
    with pytest.raises(LoopXError) as caught:
        asyncio.run(check_of(source)("here", CONTEXT))
    return pair_of(caught.value)


def test_a_new_extension_passes_its_check() -> None:
    code = asyncio.run(check_of(started())("here", CONTEXT))
    assert code.manifest.id == ID
    assert set(code.files) == {
        "extension.toml",
        "tea_things/__init__.py",
        "tea_things/units.py",
        "test_units.py",
    }


def test_what_is_wrong_is_found_in_the_order_of_an_installation() -> None:
    assert refusal(MemoryExtensionSource({"here": {}})) == "extension_error/tree"
    assert refusal(changed(started(), "extension.toml", b"api", b"apo")) == "extension_error/manifest"
    assert refusal(changed(started(), "extension.toml", b">=1,<2", b">=7")) == "extension_error/api_range"
    assert refusal(changed(started(), "extension.toml", b".units:", b".other:")) == "extension_error/entry"


def test_what_is_no_python_is_refused_before_it_is_packed() -> None:
    source = started()
    source.folders["here"] = {**source.folders["here"], "tea_things/fast.SO": b"\x7fELF"}
    assert refusal(source) == "extension_error/tree"


def test_an_archive_is_called_like_what_it_holds_and_holds_what_was_checked() -> None:
    source = started()
    tree = {path: MemoryFile(content) for path, content in source.folders["here"].items()}
    archives = MemoryArchives({"here": tree})
    pack = PackExtension(check=check_of(source), writer=archives)
    packed = asyncio.run(pack("here", None, "/beside", CONTEXT))
    assert packed.path == "/beside/tea-things-0.1.0.tar.gz"
    summary = asyncio.run(archives.inspect(BytesIO(archives.files[packed.path]), DEFAULT_LIMITS))
    assert summary == packed.archive
    assert (summary.top, summary.files) == ("tea-things-0.1.0", 4)
    other = asyncio.run(pack("here", "/elsewhere/x.tar.gz", "/beside", CONTEXT))
    assert (other.path, other.archive) == ("/elsewhere/x.tar.gz", packed.archive)


def test_nothing_is_packed_that_does_not_pass() -> None:
    archives = MemoryArchives({"here": {}})
    broken = changed(started(), "extension.toml", b"api", b"apo")
    with pytest.raises(LoopXError):
        asyncio.run(PackExtension(check=check_of(broken), writer=archives)("here", None, "/", CONTEXT))
    assert archives.files == {}


@given(st.from_regex(r"[a-z][a-z0-9-]{0,47}", fullmatch=True))
def test_whatever_it_is_called_a_new_extension_is_sound(name: str) -> None:
    if not is_id(name) or name in RESERVED_IDS:
        return
    files = new_extension(name)
    assert read_manifest(files["extension.toml"]).id == name
    for path, content in files.items():
        if path.endswith(".py"):
            compile(content, path, "exec")


@pytest.mark.parametrize("name", ["", "Big", "a_b", "-", "a/b", "..", "x" * 49, *sorted(RESERVED_IDS)])
def test_what_cannot_be_an_id_cannot_be_started(name: str) -> None:
    with pytest.raises(LoopXError) as caught:
        new_extension(name)
    assert pair_of(caught.value) == "extension_error/directory"
    assert "like the extension" in caught.value.hint
