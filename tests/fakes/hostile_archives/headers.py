"""Headers and extended headers that different tools read differently, or that are simply wrong."""

from functools import partial

from fakes.hostile_archives.case import Case, accepted, refused
from fakes.tar_bytes import (
    BLOCK,
    GNU,
    V7,
    directory,
    extended,
    file,
    gz,
    header,
    octal,
    pad,
    pax,
    record,
    tar,
    targz,
)

TOP = directory(b"top/")
PLAIN = {"top": None, "top/a": b"content\n"}
LONG_NAME = b"top/" + b"l" * 120

SIZES = {
    "negative size in base 256": b"\xff" * 12,
    "size in base 256": b"\x80" + bytes(10) + b"\x08",
    "size with a sign": b"-0000000010\0",
    "size with a plus sign": b"+0000000010\0",
    "size that is not octal": b"00000000089\0",
    "size in hexadecimal": b"0x000000010\0",
    "size of nothing": bytes(12),
    "size of blanks": b" " * 12,
    "size with a leading blank": b" 0000000010\0",
    "size without an end": b"000000000010",
    "size with something behind its end": b"0000010\0junk",
    "size of garbage": b"size please!",
    "size in other digits": "\u0661\u0660".encode().ljust(12, b"\0"),
}
RECORDS = {
    "extended header of no length": b"0 path=a\n",
    "extended header with a bad length": b"xx path=a\n",
    "extended header with a length of zeros": b"00010 path=a\n",
    "extended header with too short a length": b"5 path=a\n",
    "extended header with too long a length": b"99 path=a\n",
    "extended header with a huge length": b"9999999999 path=a\n",
    "extended header with a negative length": b"-10 path=a\n",
    "extended header without its line end": b"9 path=ab",
    "extended header without an equals sign": b"10 path a\n",
    "extended header without a key": record(b"", b"a"),
    "extended header without records": b"",
    "extended header of zeros": bytes(40),
    "extended header with a key twice": record(b"path", b"top/a") + record(b"path", b"top/b"),
    "extended header with a key that is not UTF-8": record(b"\xff", b"a"),
    "extended header with an unknown key": record(b"VENDOR.key", b"a"),
    "extended header with another character set": record(b"hdrcharset", b"BINARY"),
    "negative size by extended header": record(b"size", b"-1"),
    "size by extended header that is no number": record(b"size", b"abc"),
    "size by extended header with a fraction": record(b"size", b"8.0"),
    "size by extended header in octal": record(b"size", b"010"),
    "smaller size by extended header": record(b"size", b"0"),
    "bigger size by extended header": record(b"size", b"1024"),
}


def sized(size: bytes) -> bytes:
    return targz(TOP, header(b"top/a", size=size))


def recorded(records: bytes) -> bytes:
    return targz(TOP, extended(records), file(b"top/a"))


def broken_checksum() -> bytes:
    block = bytearray(file(b"top/b"))
    block[150] ^= 1
    return gz(tar(TOP, file(b"top/a"), bytes(block)))


def harmless_records() -> bytes:
    keys = (
        b"mtime",
        b"atime",
        b"ctime",
        b"uid",
        b"gid",
        b"uname",
        b"gname",
        b"comment",
        b"SCHILY.dev",
        b"LIBARCHIVE.creationtime",
        b"SCHILY.xattr.user.note",
        b"LIBARCHIVE.xattr.com.apple.provenance",
    )
    return extended(b"".join(record(key, b"\x01any\xff") for key in keys))


def gnu_long_name(kind: bytes = b"L", magic: bytes = GNU) -> bytes:
    return file(b"././@LongLink", LONG_NAME + b"\0", type=kind, magic=magic)


CASES: tuple[Case, ...] = (
    *(refused(name, "header", partial(sized, field)) for name, field in SIZES.items()),
    *(refused(name, "header", partial(recorded, data)) for name, data in RECORDS.items()),
    refused("size of 8 GiB", "too_large", lambda: targz(TOP, header(b"top/a", size=0o77777777777))),
    refused(
        "size of 1 TiB by extended header",
        "too_large",
        lambda: targz(TOP, pax(size=b"1099511627776"), header(b"top/a")),
    ),
    refused(
        "many sizes that are too large together",
        "too_large",
        lambda: targz(TOP, *(header(b"top/%d" % n, size=0o7777777777) for n in range(3))),
    ),
    refused("mode that is no number", "header", lambda: targz(TOP, header(b"top/a", mode=b"rw-r--r-"))),
    refused("owner that is no number", "header", lambda: targz(TOP, file(b"top/a", uid=b"root"))),
    refused("time that is no number", "header", lambda: targz(TOP, file(b"top/a", mtime=b"yesterday"))),
    refused("bad checksum of the second file", "header", broken_checksum),
    refused(
        "checksum of signed bytes",
        "header",
        lambda: targz(TOP, header(b"top/\xc3\xa9", checksum=octal(sum(header(b"top/\xc3\xa9")) - 1024, 8))),
    ),
    refused("empty checksum", "header", lambda: targz(TOP, header(b"top/a", checksum=bytes(8)))),
    refused(
        "header older than POSIX",
        "header",
        lambda: targz(header(b"top/", magic=V7), file(b"top/a", magic=V7)),
    ),
    refused("unknown version", "header", lambda: targz(TOP, file(b"top/a", magic=b"ustar\x0001"))),
    refused("star's own header", "header", lambda: targz(TOP, file(b"top/a", rest=b"\0" * 8 + b"tar\0"))),
    refused("name hidden behind a NUL", "header", lambda: targz(TOP, file(b"top/a\0/../../outside"))),
    refused("prefix hidden behind a NUL", "header", lambda: targz(TOP, file(b"a", prefix=b"top\0../.."))),
    refused("GNU header with a prefix", "header", lambda: targz(file(b"a", magic=GNU, prefix=b"top"))),
    refused("POSIX and GNU headers mixed", "header", lambda: targz(TOP, file(b"top/a", magic=GNU))),
    refused(
        "GNU and POSIX headers mixed", "header", lambda: targz(directory(b"top/", magic=GNU), file(b"top/a"))
    ),
    refused(
        "GNU long name",
        "header",
        lambda: targz(directory(b"top/", magic=GNU), gnu_long_name(), file(LONG_NAME[:100], magic=GNU)),
    ),
    refused("GNU long link", "header", lambda: targz(directory(b"top/", magic=GNU), gnu_long_name(b"K"))),
    refused("GNU long name in a POSIX archive", "header", lambda: targz(TOP, gnu_long_name(magic=GNU))),
    refused(
        "extended header and GNU long name",
        "header",
        lambda: targz(TOP, pax(path=b"top/a"), gnu_long_name(), file(b"top/b")),
    ),
    refused(
        "GNU long name and old type of a file (CVE-2025-13462)",
        "header",
        lambda: targz(gnu_long_name(), file(LONG_NAME[:99] + b"/", type=b"\0", magic=GNU)),
    ),
    refused(
        "GNU archive with an extended header",
        "header",
        lambda: targz(
            directory(b"top/", magic=GNU), extended(record(b"path", b"top/a"), magic=GNU), file(b"a")
        ),
    ),
    refused(
        "two extended headers",
        "header",
        lambda: targz(TOP, pax(path=b"top/a"), pax(path=b"top/b"), file(b"a")),
    ),
    refused("extended header at the end", "header", lambda: targz(TOP, file(b"top/a"), pax(path=b"top/b"))),
    refused(
        "global header behind an extended one",
        "header",
        lambda: targz(TOP, pax(path=b"top/b"), pax(b"g", comment=b"x"), file(b"top/a")),
    ),
    refused("global path", "header", lambda: targz(pax(b"g", path=b"../outside/x"), TOP, file(b"top/a"))),
    refused("global size", "header", lambda: targz(pax(b"g", size=b"0"), TOP, file(b"top/a"))),
    refused(
        "two global headers",
        "header",
        lambda: targz(pax(b"g", comment=b"x"), pax(b"g", comment=b"y"), TOP, file(b"top/a")),
    ),
    refused(
        "global header in the middle", "header", lambda: targz(TOP, pax(b"g", comment=b"x"), file(b"top/a"))
    ),
    refused(
        "unending record in an extended header",
        "header",
        lambda: targz(TOP, extended(b"9" * 1000), file(b"top/a")),
    ),
    refused(
        "extended header without its content", "truncated", lambda: gz(TOP + header(b"x", type=b"x", size=20))
    ),
    accepted(
        "comment of git archive", PLAIN, lambda: targz(pax(b"g", comment=b"0" * 40), TOP, file(b"top/a"))
    ),
    accepted(
        "extended header that changes nothing", PLAIN, lambda: targz(TOP, harmless_records(), file(b"top/a"))
    ),
    accepted("path by extended header", PLAIN, lambda: targz(TOP, pax(path=b"top/a"), file(b"ignored"))),
    accepted(
        "path by extended header instead of a bad name",
        PLAIN,
        lambda: targz(TOP, pax(path=b"top/a"), file(b"../../x")),
    ),
    accepted("same size by extended header", PLAIN, lambda: targz(TOP, pax(size=b"8"), file(b"top/a"))),
    accepted(
        "GNU headers without extensions",
        PLAIN,
        lambda: targz(directory(b"top/", magic=GNU), file(b"top/a", magic=GNU)),
    ),
    accepted(
        "prefix and name",
        {"top": None, "top/" + "p" * 120: None, "top/" + "p" * 120 + "/a": b"content\n"},
        lambda: targz(file(b"a", prefix=b"top/" + b"p" * 120)),
    ),
    accepted(
        "numbers that end in a blank",
        PLAIN,
        lambda: targz(TOP, header(b"top/a", size=b"00000000010 ", mode=b"0000644 ") + pad(b"content\n")),
    ),
    accepted(
        "file of exactly a block",
        {"top": None, "top/a": b"x" * BLOCK},
        lambda: targz(file(b"top/a", b"x" * BLOCK)),
    ),
)
