"""What people are told about bytes that are no archive, and about archives that are refused."""

import pytest

from fakes.tar_bytes import GNU, POSIX, directory, file, gz, link, tar, targz
from loopx.domain.archives.formats import SNIFFED_BYTES, describe_bytes
from loopx.domain.archives.limits import DEFAULT_LIMITS
from loopx.domain.archives.reading import inspect_archive
from loopx.domain.errors import LoopXError

LOOKS = [
    (b"", "nothing: it is empty"),
    (bytes(2000), "nothing but zero bytes"),
    (b"\x1f\x8b\x08\x00", "gzip data"),
    (b"PK\x03\x04rest", "a zip archive"),
    (b"BZh91AY", "bzip2 data"),
    (b"\xfd7zXZ\x00rest", "xz data"),
    (b"\x28\xb5\x2f\xfdrest", "zstd data"),
    (b"7z\xbc\xaf\x27\x1crest", "a 7z archive"),
    (tar(file(b"a", magic=POSIX)), "an uncompressed tar archive"),
    (tar(file(b"a", magic=GNU)), "an uncompressed tar archive"),
    (b"<!DOCTYPE html><html>", "an HTML page"),
    (b"\xef\xbb\xbf\r\n <HTML lang=en>", "an HTML page"),
    (b"<!-- generated -->\n<html>", "an HTML page"),
    (b'<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', "an HTML page"),
    (b'<?xml version="1.0"?><Error>', "an XML document"),
    (b'{"message": "Not Found"}', "JSON"),
    (b"{\n", "JSON"),
    (b"[1, 2]", "JSON"),
    (b"{not json}", "text"),
    (b"Not Found", "text"),
    ("Zugriff verweigert: ü".encode(), "text"),
    (b"a" * (SNIFFED_BYTES - 1) + "é".encode(), "text"),
    (b"caf\xe9", "unknown binary data"),
    (b"a\0b", "unknown binary data"),
    (b"0" * 64 + b"  a.tar.gz\n", "a checksum file and not the file itself"),
    (b"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer and not the file itself"),
    (b"-----BEGIN PGP SIGNATURE-----", "a PEM key, certificate or signature"),
    (b"\x7fELF\x02", "a Linux program"),
    (b"%PDF-1.7", "a PDF document"),
    (b"#!/bin/sh\n", "a script"),
]


@pytest.mark.parametrize(
    ("start", "looks"), LOOKS, ids=[f"{looks} {number}" for number, (_, looks) in enumerate(LOOKS)]
)
def test_bytes_are_described_by_their_start(start: bytes, looks: str) -> None:
    assert describe_bytes(start) == looks


def refusal(archive: bytes) -> LoopXError:
    with pytest.raises(LoopXError) as caught:
        inspect_archive([archive], DEFAULT_LIMITS)
    return caught.value


@pytest.mark.parametrize(
    ("archive", "detail"),
    [
        (b"<html>Sign in</html>", "it looks like an HTML page"),
        (tar(file(b"top/a")), "it looks like an uncompressed tar archive"),
        (gz(b'{"message": "Not Found"}'), "the gzip data holds JSON"),
        (gz(gz(b"x" * 2000)), "the gzip data holds gzip data"),
        (targz(file(b"top/a")) * 2, "behind the gzip data stands a second gzip member"),
        (targz(file(b"top/a")) + b"PK\x03\x04", "behind the gzip data stands a zip archive"),
        (targz(link(b"top/evil\x1b[2J", b"/etc")), "'top/evil\\x1b[2J' is a symbolic link"),
        (targz(file(b"top/a"), file(b"other/a")), "both 'top' and 'other' lie at the top"),
        (targz(directory(b"top/"), file(b"top/A"), file(b"top/a")), "'top/A' and 'top/a'"),
        (targz(file(b"top/" + b"n" * 90 + b"\xff")), "'top/" + "n" * 75 + "…"),
    ],
)
def test_a_refusal_says_which_member_and_why(archive: bytes, detail: str) -> None:
    assert refusal(archive).detail.startswith(detail)


def test_the_advice_fits_where_the_packing_tool_is_known() -> None:
    assert "--format=posix" in refusal(targz(file(b"././@LongLink", type=b"L", magic=GNU))).hint
    assert "COPYFILE_DISABLE=1" in refusal(targz(file(b"top/._a"))).hint
