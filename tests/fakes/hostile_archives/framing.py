"""Archives that are cut, damaged, continued, or no archives at all."""

import bz2
import io
import lzma
import zipfile
from functools import partial

from fakes.hostile_archives.case import Case, accepted, refused
from fakes.tar_bytes import BLOCK, END, directory, file, gz, tar, targz

TOP = directory(b"top/")
TAR = tar(TOP, file(b"top/a"))
WHOLE = gz(TAR)
TREE = {"top": None, "top/a": b"content\n"}
LONG = targz(file(b"top/a", bytes(99_000)))
PIECE = targz(file(b"top/a", bytes((1 << 16) - 3 * BLOCK)))  # unpacked, as long as what is read at a time
HALF = len(WHOLE) // 2


def flipped(at: int) -> bytes:
    data = bytearray(WHOLE)
    data[at] ^= 0x10
    return bytes(data)


def zipped() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("top/a", "content\n")
    return buffer.getvalue()


def long_gzip_header() -> bytes:
    """A file name of a megabyte, which gzip allows."""
    return b"\x1f\x8b\x08\x08" + bytes(6) + b"n" * (1 << 20) + b"\0" + WHOLE[10:]


NO_ARCHIVES = {
    "login page": b"<!DOCTYPE html>\n<html><head><title>Sign in</title></head></html>",
    "page without a doctype": b"\n  <html><body>404 Not Found</body></html>",
    "JSON error": b'{"message": "Not Found", "status": "404"}',
    "JSON list": b'[{"error": 1}]',
    "XML error": b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>',
    "plain text": b"404: Not Found\n",
    "checksum file": b"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  top.tar.gz\n",
    "Git LFS pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
    "plain tar": TAR,
    "bzip2": bz2.compress(TAR),
    "xz": lzma.compress(TAR),
    "lzma": lzma.compress(TAR, lzma.FORMAT_ALONE),
    "zstd": b"\x28\xb5\x2f\xfd\x04\x00\x01\x00\x00" + bytes(4),
    "empty zip": b"PK\x05\x06" + bytes(18),
    "zero bytes": bytes(4096),
    "noise": bytes(range(2, 250)),
    "one byte": b"x",
}
INSIDE = {
    "gzip in gzip": WHOLE,
    "page in gzip": NO_ARCHIVES["login page"],
    "long page in gzip": NO_ARCHIVES["login page"] * 50,
    "text in gzip": b"hello\n" * 200,
    "noise in gzip": bytes(range(256)) * 8,
    "bzip2 in gzip": bz2.compress(TAR),
}

CASES: tuple[Case, ...] = (
    *(refused(name, "format", partial(bytes, data)) for name, data in NO_ARCHIVES.items()),
    *(refused(name, "format", partial(gz, data)) for name, data in INSIDE.items()),
    refused("zip", "format", zipped),
    refused("nothing", "empty", bytes),
    refused("gzip of nothing", "empty", lambda: gz(b"")),
    refused("only end marks", "empty", lambda: gz(END)),
    refused("only the root", "empty", lambda: targz(directory(b"./"))),
    refused("first byte of gzip", "truncated", lambda: WHOLE[:1]),
    refused("gzip header alone", "truncated", lambda: WHOLE[:10]),
    refused("half of the archive", "truncated", lambda: WHOLE[:HALF]),
    refused("gzip without its trailer", "truncated", lambda: WHOLE[:-8]),
    refused("gzip without its last byte", "truncated", lambda: WHOLE[:-1]),
    refused("unknown compression method", "corrupt", lambda: b"\x1f\x8b\x07" + WHOLE[3:]),
    refused("reserved gzip flag", "corrupt", lambda: WHOLE[:3] + b"\xe0" + WHOLE[4:]),
    refused("flipped bit of the check sum", "corrupt", lambda: flipped(-8)),
    refused("flipped bit of the length", "corrupt", lambda: flipped(-1)),
    refused("garbage instead of the compressed data", "corrupt", lambda: WHOLE[:10] + b"\xff" * 40),
    refused("trailing garbage", "trailing_data", lambda: WHOLE + b"garbage"),
    refused("trailing garbage behind much data", "trailing_data", lambda: LONG + b"garbage"),
    refused("trailing garbage behind exactly a piece", "trailing_data", lambda: PIECE + b"garbage"),
    refused("trailing garbage behind zeros", "trailing_data", lambda: WHOLE + bytes(200_000) + b"x"),
    refused("second archive behind the first", "trailing_data", lambda: WHOLE + WHOLE),
    refused("one tar in two gzip members", "trailing_data", lambda: gz(TAR[:BLOCK]) + gz(TAR[BLOCK:])),
    refused("empty second gzip member", "trailing_data", lambda: WHOLE + gz(b"")),
    refused("zip behind the archive", "trailing_data", lambda: WHOLE + zipped()),
    refused("second tar behind the end marks", "trailing_data", lambda: gz(TAR + TAR)),
    refused("data behind the end marks", "trailing_data", lambda: gz(TAR + b"hidden")),
    refused("data long behind the end marks", "trailing_data", lambda: gz(TAR + bytes(100_000) + b"x")),
    refused(
        "member between the end marks", "trailing_data", lambda: gz(TOP + END[:BLOCK] + file(b"top/a") + END)
    ),
    refused("no end marks", "truncated", lambda: gz(TOP + file(b"top/a"))),
    refused("one end mark", "truncated", lambda: gz(TOP + file(b"top/a") + END[:BLOCK])),
    refused("cut end mark", "truncated", lambda: gz(TAR[:-1])),
    refused("cut content", "truncated", lambda: gz(TOP + file(b"top/a", b"x" * 5000)[:3000])),
    refused("cut padding", "truncated", lambda: gz(TOP + file(b"top/a")[:-1])),
    refused("cut header", "truncated", lambda: gz(TOP + file(b"top/a")[:200])),
    refused("cut first header", "truncated", lambda: gz(TOP[:400])),
    accepted("zeros behind much data", {"top/a": bytes(99_000), "top": None}, lambda: LONG + bytes(3000)),
    accepted("zeros behind the gzip data", TREE, lambda: WHOLE + bytes(3000)),
    accepted("zeros behind the end marks", TREE, lambda: gz(TAR + bytes(20 * BLOCK + 7))),
    accepted("gzip that only stores", TREE, lambda: gz(TAR, 0)),
    accepted("gzip header with a long name", TREE, long_gzip_header),
)
